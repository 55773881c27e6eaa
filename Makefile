# Two commands are enough on a fresh machine with Python 3.11 or newer: `make demo` and `make test`.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test check format lint types imports workflows coverage package bench lock schemas clean

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
EXAMPLE := examples/support-agent
REPORT := eval-report
CONSUMERS := tests/consumers/node_modules/.package-lock.json
# The comment is Markdown with a little HTML, which terminals do not show.
PLAIN := s,<br>,; ,g; s,</?(code|details)>,,g; s,<sub>,(,g; s,</sub>,),g; s,</?summary>,**,g
LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' Makefile

$(READY): requirements-dev.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("Python 3.11 or newer is needed: make PYTHON=python3.12")'
	@echo "setting up $(VENV) from requirements-dev.lock (once, about a minute)"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

# What reads JUnit files in node is tried where node is; without it those tests are skipped, but never in CI.
$(CONSUMERS): tests/consumers/package-lock.json
	@if command -v npm >/dev/null; then npm ci --prefix tests/consumers --no-audit --no-fund --ignore-scripts --silent; fi

# The example is a mixed one on purpose: its verdict is "failed", exit code 1. Any other end is a broken demo.
demo: $(READY) ## judge the example with its recorded verdicts, offline, and show the report
	@code=0; verdict=$$($(BIN)/holodeck-eval run --agent $(EXAMPLE)/agent.yaml --transcripts $(EXAMPLE)/transcripts.jsonl \
	  --policy $(EXAMPLE)/policy.yaml --verdicts $(EXAMPLE)/verdicts.jsonl --offline --out $(REPORT)) || code=$$?; \
	if [ -f $(REPORT)/comment.md ]; then sed -E '$(PLAIN)' $(REPORT)/comment.md | $(BIN)/python -m rich.markdown -; fi; \
	printf '\n%s\n' "$$verdict"; \
	if [ $$code -ne 1 ]; then echo "the demo is broken: exit code $$code where 1 (failed) is expected" >&2; exit 1; fi; \
	echo "exit code 1, as this example should. The reports are in $(REPORT)/."

test: $(READY) $(CONSUMERS) ## run the tests
	$(BIN)/pytest

check: format lint types imports workflows coverage ## everything CI checks: style, types, import contracts, GitHub's files, tests with coverage, packaging

format: $(READY) ## are the sources formatted
	$(BIN)/ruff format --check .

lint: $(READY) ## ruff
	$(BIN)/ruff check .

types: $(READY) ## mypy
	$(BIN)/mypy

imports: $(READY) ## who may import whom
	$(BIN)/lint-imports

# All offline. What is switched off, and why, stands in .github/jactionlint.yaml, and beside the line it concerns.
workflows: $(READY) ## the workflows, action.yml, dependabot.yml and the Dockerfile: zizmor, jactionlint, schemas, hadolint
	$(BIN)/zizmor --offline --pedantic --strict-collection --quiet .
	$(BIN)/jactionlint --no-online --strict-exit --shellcheck=$(BIN)/shellcheck --pyflakes=
	$(BIN)/check-jsonschema --builtin-schema vendor.github-actions action.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.dependabot .github/dependabot.yml
	$(BIN)/hadolint --failure-threshold style Dockerfile

coverage: $(READY) $(CONSUMERS) ## the tests; 95% of branches overall, 100% of what decides
	$(BIN)/coverage erase
	$(BIN)/pytest --cov --cov-report=
	$(BIN)/coverage report --fail-under=95
	$(BIN)/coverage report --fail-under=100 --include='*/holodeck_eval/aggregate/**,*/holodeck_eval/compare/**,*/holodeck_eval/gate/**,*/holodeck_eval/domain/**'

package: $(READY) ## build the sdist, and from it the wheel, into dist/
	$(BIN)/python -m build --no-isolation --outdir dist

bench: $(READY) ## speed and memory, as ratios
	$(BIN)/python -m benchmarks

lock: $(READY) ## write the lock files anew from pyproject.toml
	$(LOCK) --all-extras pyproject.toml -o requirements.lock
	$(LOCK) --all-extras --group dev -c requirements.lock pyproject.toml -o requirements-dev.lock
	echo hatchling | $(LOCK) -c requirements-dev.lock - -o requirements-build.lock

schemas: $(READY) ## write schemas/ anew from the models
	for name in agent transcript results; do $(BIN)/holodeck-eval schema $$name > schemas/$$name.schema.json; done

clean: ## remove what was built, tested and reported; .venv stays
	rm -rf $(REPORT) tests/consumers/node_modules dist build .coverage .coverage.* .mypy_cache .ruff_cache .import_linter_cache .pytest_cache .hypothesis
	find src tests tools benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +
