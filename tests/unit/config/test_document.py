from holodeck_eval.config.document import Section, Spot
from holodeck_eval.errors import Place


def section() -> Section:
    items = {"a": Spot(1, 4, items={0: Spot(2, 5), 1: Spot(3, 5)}), "b": Spot(4, 4)}
    keys = {"a": (1, 1), "b": (4, 1)}
    return Section(file="f.yaml", value={"a": ["x", "y"], "b": None}, spot=Spot(1, 1, keys, items))


def test_a_child_knows_its_place() -> None:
    child = section().child("a")
    assert child is not None
    assert child.place == Place(file="f.yaml", line=1, column=4)
    assert [item.place.line for item in child.children()] == [2, 3]


def test_a_null_or_absent_child_is_none() -> None:
    assert section().child("b") is None
    assert section().child("c") is None


def test_a_scalar_has_neither_children_nor_a_child() -> None:
    scalar = Section(file="f.yaml", value=3, spot=Spot(7, 8))
    assert list(scalar.children()) == []
    assert scalar.child("a") is None


def test_a_path_leads_to_its_value_or_as_far_as_it_goes() -> None:
    assert section().locate(("a", 1)) == Place(file="f.yaml", line=3, column=5)
    assert section().locate(("a", 7, "z")) == Place(file="f.yaml", line=1, column=4)
    assert section().locate(()) == Place(file="f.yaml", line=1, column=1)


def test_a_path_can_lead_to_its_last_key() -> None:
    assert section().locate(("b",), key=True) == Place(file="f.yaml", line=4, column=1)
    assert section().locate(("a", 1), key=True) == Place(file="f.yaml", line=3, column=5)


def test_an_absent_key_stands_where_its_mapping_begins() -> None:
    assert section().key_place("b") == Place(file="f.yaml", line=4, column=1)
    assert section().key_place("z") == Place(file="f.yaml", line=1, column=1)
