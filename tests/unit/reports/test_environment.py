from importlib.resources import files

import jinja2
import pytest
from jinja2 import nodes

from holodeck_eval.reports._environment import FILTERS, environment
from holodeck_eval.reports._markdown import finalize

TEMPLATES = ("_macros.md.j2", "_comparison.md.j2", "comment.md.j2", "summary.md.j2")


def source(name: str) -> str:
    return (files("holodeck_eval") / "templates" / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_is_found_in_the_package_and_compiles(name: str) -> None:
    assert environment().get_template(name).render  # raises where it cannot be parsed
    assert source(name)


@pytest.mark.parametrize("name", TEMPLATES)
def test_no_template_switches_the_escaping_off(name: str) -> None:
    tree = environment().parse(source(name))
    names = {found.name for found in tree.find_all(nodes.Filter)}
    assert names <= set(FILTERS) | {"length", "string"}
    assert not list(tree.find_all((nodes.ScopedEvalContextModifier, nodes.MarkSafe)))


@pytest.mark.parametrize("text", ["{{ x }}", "{{ x ~ 'y' }}", "{% set y = x %}{{ y }}", "{{ x | string }}"])
def test_what_a_template_forgets_to_escape_is_escaped_all_the_same(text: str) -> None:
    assert "<b>" not in environment().from_string(text).render(x="<b>@me")
    assert "@\u200bme" in environment().from_string(text).render(x="<b>@me")


def test_a_macro_is_not_escaped_twice() -> None:
    template = environment().from_string("{% macro m(x) %}*{{ x }}*{% endmacro %}{{ m('<') }}")
    assert template.render() == "*&lt;*"


def test_a_name_that_is_missing_is_an_error_and_not_an_empty_place() -> None:
    with pytest.raises(jinja2.UndefinedError, match="'x' is undefined"):
        environment().from_string("{{ x }}").render()


def test_a_template_cannot_reach_into_python() -> None:
    with pytest.raises(jinja2.exceptions.SecurityError):
        environment().from_string("{{ x.__class__.__mro__ }}").render(x=1)


def test_the_environment_ends_in_the_escape() -> None:
    assert environment().finalize is finalize
