# The base is named by its tag, not by a digest: the check in .ci/run builds this very file on a stand-in image that carries the
# tag. What goes on top of it is locked by hash; a release publishes the built image and names that by digest.
FROM docker.io/library/python:3.12-slim AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PIP_NO_COMPILE=1 PIP_ROOT_USER_ACTION=ignore

# Dependencies first: they change less often than the sources, and this layer is the long one.
COPY requirements.lock requirements-build.lock /src/
RUN python -m venv /opt/build \
 && /opt/build/bin/pip install --quiet --only-binary :all: --require-hashes -r /src/requirements-build.lock \
 && python -m venv --without-pip /opt/venv \
 && python -m pip --python /opt/venv/bin/python install --quiet --only-binary :all: --require-hashes -r /src/requirements.lock

COPY pyproject.toml README.md LICENSE /src/
COPY templates /src/templates
COPY src /src/src
RUN /opt/build/bin/pip wheel --quiet --no-deps --no-build-isolation --wheel-dir /opt/wheels /src \
 && python -m pip --python /opt/venv/bin/python install --quiet --no-deps --no-index /opt/wheels/*.whl \
 && /opt/venv/bin/python -m compileall -q -j 0 --invalidation-mode unchecked-hash /opt/venv/lib

FROM docker.io/library/python:3.12-slim
LABEL org.opencontainers.image.title="holodeck-eval" org.opencontainers.image.licenses="MIT"

# PYTHONSAFEPATH: the working directory is the checkout under test, and nothing is ever imported from there.
# The DEEPEVAL_ lines repeat what the program sets for itself before it loads the library.
ENV PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    PYTHONUTF8=1 \
    PYTHONSAFEPATH=1 \
    PYTHONNOUSERSITE=1 \
    DEEPEVAL_TELEMETRY_OPT_OUT=1 \
    DEEPEVAL_DISABLE_DOTENV=1 \
    DEEPEVAL_DISABLE_LEGACY_KEYFILE=1 \
    DEEPEVAL_RETRY_MAX_ATTEMPTS=1 \
    DEEPEVAL_DISABLE_TIMEOUTS=1

COPY --from=build /opt/venv /opt/venv

# The base holds Python's own modules without bytecode: those the program imports, and the templates, are
# compiled here, once.
RUN PYTHONDONTWRITEBYTECODE="" /opt/venv/bin/holodeck-eval --help >/dev/null \
 && PYTHONDONTWRITEBYTECODE="" /opt/venv/bin/python -c "import deepeval.metrics" \
 && PYTHONDONTWRITEBYTECODE="" /opt/venv/bin/python -c "from holodeck_eval.reports._environment import environment as made; \
    [made().get_template(name) for name in made().list_templates()]"

# No USER: GitHub runs a container action as root, since only root may write to the mounted workspace.
ENTRYPOINT ["/opt/venv/bin/holodeck-eval", "action"]
