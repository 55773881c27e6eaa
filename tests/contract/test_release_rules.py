"""Which versions may be released, and what a release's files say."""

from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from tools.release import rules
from tools.release.rules import Refusal, Source, Version

ROOT = Path(__file__).resolve().parents[2]
DIGEST = "sha256:" + "ab" * 32
IMAGE = f"ghcr.io/octo/gate:1.2.3@{DIGEST}"
ACTION = "name: gate\nruns:\n  using: docker\n  image: Dockerfile\n"
CHANGELOG = "# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-12-01\n\n### Added\n\n- A gate.\n\n## [1.2.2] - 2026-11-01\n\n- Old.\n"
READY = Source(
    ref="refs/heads/main",
    written='"""Words."""\n\n__version__ = "1.2.3"\n',
    changelog=CHANGELOG,
    action=ACTION,
    tags={"v1.2.2": "1" * 40, "v1": "1" * 40},
)
NOW = Version(major=1, minor=2, patch=3)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1.2",
        "1.2.3.4",
        "v1.2.3",
        "1.2.3-rc.1",
        "1.2.3+build",
        "01.2.3",
        "1.2.03",
        "1.2.3\n",
        " 1.2.3",
        "1.2.x",
        "-1.2.3",
        "--help",
        "\N{ARABIC-INDIC DIGIT ONE}.2.3",
        "1.2.1234567",
        "1.2.3; touch /tmp/x",
        "$(id)",
        "1.2.3\n::set-output name=image::evil",
        "../../v1",
        "9" * 100_000,
    ],
)
def test_what_is_no_plain_version_is_refused_in_one_short_line(text: str) -> None:
    with pytest.raises(Refusal) as refused:
        Version.read(text)
    said = str(refused.value)
    assert "write it as 1.2.3" in said
    assert len(said) < 200
    assert "\n" not in said
    assert "::" not in said


def test_a_version_names_its_two_tags() -> None:
    assert Version.read("10.0.21").tag == "v10.0.21"
    assert Version.read("10.0.21").moving == "v10"
    assert Version.read("0.1.0").moving == "v0"


def test_versions_are_ordered_by_number_not_by_text() -> None:
    assert Version.read("1.10.0") > Version.read("1.9.9")


def test_a_ready_source_is_refused_for_nothing() -> None:
    assert rules.refusals(NOW, READY) == ()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"ref": "refs/heads/fix"}, "start the release from there"),
        ({"ref": "refs/tags/v9\n::warning::"}, "start the release from there"),
        ({"clean": False}, "not committed"),
        ({"written": '__version__ = "1.2.4"\n'}, "the package says '1.2.4', not 1.2.3"),
        ({"written": "nothing"}, "the package says ''"),
        ({"written": READY.written * 2}, "not 1.2.3"),
        ({"changelog": CHANGELOG.replace("2026-12-01", "not released yet")}, "CHANGELOG.md has no entries"),
        ({"changelog": CHANGELOG.replace("- A gate.", "")}, "CHANGELOG.md has no entries"),
        ({"changelog": ""}, "CHANGELOG.md has no entries"),
        ({"action": ACTION.replace("Dockerfile", f"docker://{IMAGE}")}, "from the main branch"),
        ({"tags": {"v1.2.3": "2" * 40}}, "v1.2.3 exists and stands on 222222222222"),
        ({"tags": {"v1.2.3": "2" * 7}}, "v1.2.3 exists and stands on another commit"),
        ({"tags": {"v1.3.0": "2" * 40, "v1": "2" * 40}}, "v1 would move backwards to v1.2.3"),
        ({"tags": {"v1.9.0": "1" * 40, "v1.10.0": "2" * 40}}, "v1.10.0 is out"),
    ],
)
def test_what_is_not_ready_is_refused_with_what_to_do(change: dict[str, object], said: str) -> None:
    (reason,) = rules.refusals(NOW, replace(READY, **change))  # type: ignore[arg-type]
    assert said in reason
    assert "\n" not in reason


def test_every_reason_is_said_at_once() -> None:
    assert (
        len(rules.refusals(NOW, Source(ref="", written="", changelog="", action="", tags={}, clean=False)))
        == 5
    )


@pytest.mark.parametrize(
    "tag", ["v2.0.0", "v0.9.9", "v1", "v1.3", "v1.3.0-rc.1", "1.3.0", "v1.3.0\n", "latest", ""]
)
def test_other_tags_hold_nothing_up(tag: str) -> None:
    assert rules.refusals(NOW, replace(READY, tags={tag: "2" * 40})) == ()


def test_its_own_commit_under_the_tag_is_a_run_that_was_cut_off_and_goes_on() -> None:
    done = replace(READY, tags={"v1.2.3": "3" * 40, "v1": "3" * 40})
    assert rules.refusals(NOW, done, commit="3" * 40) == ()
    assert rules.refusals(NOW, done, commit="4" * 40) != ()


def test_the_notes_are_the_versions_section_alone() -> None:
    assert rules.notes(NOW, CHANGELOG) == "### Added\n\n- A gate."
    assert rules.notes(Version.read("1.2.2"), CHANGELOG) == "- Old."
    assert rules.notes(Version.read("1.2.1"), CHANGELOG) == ""


def test_a_version_is_no_pattern_in_the_changelog() -> None:
    assert rules.notes(NOW, CHANGELOG.replace("[1.2.3]", "[1x2y3]")) == ""


@pytest.mark.parametrize(
    "name",
    [
        "",
        "octo",
        "octo/",
        "/gate",
        "octo/gate/more",
        "octo gate/x",
        "oct\N{LATIN SMALL LETTER O WITH STROKE}/gate",
        "octo/gate\n",
        "\N{KELVIN SIGN}ilo/gate",
    ],
)
def test_what_is_no_repository_names_no_image(name: str) -> None:
    with pytest.raises(Refusal, match="OWNER/NAME"):
        rules.repository_image(name)


def test_an_image_is_named_in_lower_case() -> None:
    assert rules.repository_image("Octo/Gate.Action_2") == "ghcr.io/octo/gate.action_2"


@pytest.mark.parametrize(
    "digest",
    ["", "sha256:", "sha256:" + "a" * 63, "sha256:" + "A" * 64, DIGEST + "\n", "md5:" + "a" * 32, "latest"],
)
def test_what_is_no_digest_pins_nothing(digest: str) -> None:
    with pytest.raises(Refusal, match="no digest"):
        rules.pinned("ghcr.io/octo/gate", NOW, digest)


def test_the_released_action_yml_differs_from_this_one_in_its_image_alone() -> None:
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    pointed = yaml.safe_load(rules.pointed(text, IMAGE))
    assert pointed["runs"] == {"using": "docker", "image": f"docker://{IMAGE}"}
    assert pointed | {"runs": {"using": "docker", "image": "Dockerfile"}} == yaml.safe_load(text)


@pytest.mark.parametrize("text", ["", ACTION * 2, ACTION.replace("  image", "image")])
def test_an_action_yml_without_exactly_one_dockerfile_is_refused(text: str) -> None:
    with pytest.raises(Refusal, match="image: Dockerfile"):
        rules.pointed(text, IMAGE)
