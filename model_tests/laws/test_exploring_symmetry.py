"""Names that may be exchanged: what is walked once, and what shows when the claim was wrong."""

import pytest

from fencepost.exploring.findings import explore
from fencepost.exploring.packing import Packer, Renamer
from fencepost.exploring.progress import Answer
from fencepost.exploring.renaming import composed, renamed, words_of
from fencepost.exploring.rendering import names_of
from fencepost.exploring.small_world import Names
from fencepost.exploring.toys import Arrow, Toy

TWO = {
    "none": (Arrow("take a", "has a"), Arrow("take b", "has b")),
    "has a": (Arrow("drop a", "none", fair="drop a"),),
    "has b": (Arrow("drop b", "none", fair="drop b"),),
}
SWAP: tuple[Names, ...] = ({}, {"a": "b", "b": "a"})


def progress_of(toy: Toy, *, symmetry: bool) -> tuple[Answer, list[str]]:
    """Return the answer to the one promise of progress, and the way to its counterexample."""
    (found,) = explore(toy, symmetry=symmetry).eventually
    way = [] if found.lasso is None else names_of(found.lasso.way)
    return found.asked.answer, way


def test_names_that_may_be_exchanged_are_walked_once() -> None:
    """The states that are left stand for all, and their numbers add up."""
    reduced = explore(Toy(TWO, "none", permutations=SWAP))
    whole = explore(Toy(TWO, "none", permutations=SWAP), symmetry=False)

    assert (reduced.states, reduced.whole) == (2, 3)
    assert (whole.states, whole.whole) == (3, 3)


def test_a_broken_symmetry_shows_in_the_numbers() -> None:
    """When b can do what a cannot, the states no longer add up: the claim was wrong."""
    lopsided = TWO | {"has b": (Arrow("drop b", "none"), Arrow("break b", "broken b"))}
    toy = Toy(lopsided, "none", permutations=SWAP)
    reduced, whole = explore(toy), explore(toy, symmetry=False)

    assert reduced.whole != whole.states


@pytest.mark.parametrize("symmetry", [True, False])
def test_progress_is_asked_of_each_name(symmetry: bool) -> None:
    """Fairness to a is none to b: whoever only assumes it of a is not let off."""
    owed = {"has a": frozenset({"a"}), "has b": frozenset({"b"})}
    both = Toy(TWO, "none", owed, frozenset({"drop a", "drop b"}), permutations=SWAP)
    one = Toy(TWO, "none", owed, frozenset({"drop a"}), permutations=SWAP)

    assert progress_of(both, symmetry=symmetry)[0] is Answer.HOLDS
    assert progress_of(one, symmetry=symmetry) == (Answer.BROKEN, ["take b"])


def test_exchanges_have_to_be_a_group() -> None:
    """Two exchanges that together are a third, which is not there, are refused."""
    packer = Packer(1)
    turning: tuple[Names, ...] = ({}, {"a": "b", "b": "c", "c": "a"})
    with pytest.raises(ValueError, match="together are none"):
        Renamer(packer, 1, turning, lambda part, names: renamed(part, names, {}))
    with pytest.raises(ValueError, match="changes nothing"):
        Renamer(packer, 1, ({"a": "b", "b": "a"},), lambda part, names: renamed(part, names, {}))


def test_renaming_goes_through_every_value() -> None:
    """Words are exchanged in texts, pairs, sets and maps, and what has no names stays itself."""
    names = {"a": "b", "b": "a"}
    value = ("say a", frozenset({"b"}), (1, None))

    assert renamed(value, names, {}) == ("say b", frozenset({"a"}), (1, None))
    assert renamed((1, "c"), names, {}) == (1, "c")
    assert composed(names, names) == {}
    assert words_of(value) == {"say", "a", "b"}
