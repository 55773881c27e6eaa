"""What can be wrong with a judge's reply that is well formed."""

from collections.abc import Iterable, Iterator, Mapping

from holodeck_eval.evaluators.markers import is_marked


def fault_of_texts(fields: Mapping[str, object]) -> str | None:
    """What is wrong with the texts of a reply, as a clause; None where nothing is.

    A marker that a judge was talked into would reach the next prompt.
    """
    if any(is_marked(text) for text in _texts_in(fields)):
        return "holds a file marker of DeepEval"
    if "steps" in fields and not any(text.strip() for text in _texts_in(fields["steps"])):
        return "holds no steps"
    return None


def fault_of_number(number: float, low: float, high: float, *, whole: bool = False) -> str | None:
    """What is wrong with a number of a judge, as a clause; None for a number from `low` to `high`."""
    if not low <= number <= high:  # NaN is not either
        return f"has a score of {number:g}, which is not from {low:g} to {high:g}"
    return f"has a score of {number:g}, which is not a whole number" if whole and number % 1 else None


def _texts_in(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _texts_in(item)
    elif isinstance(value, Iterable):
        for item in value:
            yield from _texts_in(item)
