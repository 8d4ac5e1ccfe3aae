"""A state that records answers like the plain one, and what it wrote down is all that matters."""

from collections.abc import Iterator
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from immutables import Map

from fencepost.exploring.asking import ABSENT, Record, answer
from fencepost.exploring.differing import After, change_of, changed, holds, passed, those
from fencepost.exploring.exact import Exact
from fencepost.exploring.packing import Packer
from fencepost.exploring.recording import assembled, plain, recorded
from fencepost.exploring.remembering import Remembering
from fencepost.exploring.small_world import Branch, Deed, Parts, Taken
from fencepost_reference.receipts.changes import change as copied
from fencepost_reference.receipts.tables import touched

KEYS = ("a", "b", "c")
NOTHING: "Map[str, Box]" = Map()


@attrs.frozen(slots=False)
class Box:
    """A value with fields, one of which is left out when two are compared."""

    size: int = 0
    why: str = attrs.field(default="", eq=False)


boxes = st.builds(Box, st.integers(0, 1), st.sampled_from(["", "x"]))
maps = st.dictionaries(st.sampled_from(KEYS), boxes).map(Map)
doings = st.tuples(
    st.sampled_from(
        ["get", "in", "set", "grow", "delete", "update", "len", "bool", "keys", "items", "move"]
    ),
    st.sampled_from(KEYS),
    st.sampled_from(KEYS),
    boxes,
)
programs = st.lists(doings, max_size=6)


def run(program: list[tuple[str, str, str, Box]], table: Any) -> tuple[list[Any], Any]:
    """Return what a program was told of a map, and what it left of it."""
    told: list[Any] = []
    for what, key, other, box in program:
        if what == "get":
            found = table.get(key)
            told.append(found if found is None else found.size)
        elif what == "in":
            told.append(key in table)
        elif what == "set":
            table = table.set(key, box)
        elif what == "grow" and key in table:
            table = table.set(key, attrs.evolve(table[key], size=table[key].size + 1))
        elif what == "delete" and key in table:
            table = table.delete(key)
        elif what == "update":
            table = table.update(Map({key: box, other: box}))
        elif what == "len":
            told.append(len(table))
        elif what == "bool":
            told.append(bool(table))
        elif what == "keys":
            told.append(sorted(table))
        elif what == "items":
            told.append(sorted((name, one.size) for name, one in table.items()))
        elif what == "move" and key in table:
            table = table.set(other, table[key])
    return told, table


@given(programs, maps, maps)
def test_what_was_recorded_of_one_map_holds_of_each_that_answers_alike(
    program: list[tuple[str, str, str, Box]], here: "Map[str, Box]", there: "Map[str, Box]"
) -> None:
    """The same is told, the change leads to the same; so it does from another map like it."""
    record = Record()
    (shown,) = recorded(record, (here,))
    told, left = run(program, shown.look())
    change = change_of(record, (0,), here, left)
    exact = Exact()
    alike = all(
        exact.of(answer(there, asking[1:])) == exact.of(said)
        for asking, said in record.answers.items()
    )

    for table in (here, there) if alike else (here,):
        expected = run(program, table)
        assert told == expected[0]
        after = table if change is None else changed(table, change)
        assert exact.of(after) == exact.of(expected[1])
    assert exact.of(plain(left)) == exact.of(run(program, here)[1])


def test_fields_that_nobody_asks_are_not_recorded() -> None:
    """A value of fields may be changed without being read."""
    record = Record()
    (shown,) = recorded(record, (Box(1, "x"),))
    box: Box = shown.look()
    grown = copied(box, size=box.size + 1)

    assert {asking[1] for asking in record.answers} == {("field", "size")}
    change = change_of(record, (0,), Box(1, "x"), grown)
    assert change is not None
    assert changed(Box(1, "x"), change) == Box(2, "x")


@pytest.mark.parametrize("read", [True, False], ids=["read", "unread"])
def test_which_of_two_equal_values_a_map_holds_shows_nowhere(read: bool) -> None:
    """A walk keeps one of them by chance, so a value set again is asked for what it is."""
    box = Box(1, "x")
    asked: list[list[Any]] = []
    for value in (box, Box(1, "x")):
        record = Record()
        (shown,) = recorded(record, (Map({"a": box, "b": box}),))
        table: Any = shown.look()
        if read:
            plain(table["a"])
        again = table.set("a", value)
        asked.append([*record.answers.items(), *again.touched(table)])

    assert asked[0] == asked[1]
    assert list(table.set("a", Box(1, "y")).touched(table)) == ["a"]


def test_what_was_touched_of_a_map_is_known_without_a_question() -> None:
    """Keys that were set or lost since, whatever else the map has; a plain map says the same."""
    record = Record()
    base = Map({"a": Box(1), "b": Box(2), "c": Box(3)})
    (shown,) = recorded(record, (base,))
    table: Any = shown.look()
    later = table.set("a", Box(5)).delete("b")
    further = later.set("c", Box(6))
    asked = list(record.answers)

    assert sorted(touched(table, later)) == ["a", "b"]
    assert list(touched(later, later)) == []
    assert list(touched(later, further)) == ["c"]
    assert list(record.answers) == asked
    assert sorted(touched(base, plain(later))) == ["a", "b"]
    assert {"a", "b"} <= set(touched(base, later))


def test_which_entries_answer_is_asked_without_their_names() -> None:
    """Of a map that records the keys of those entries are asked, and of those that were set not."""
    record = Record()
    (shown,) = recorded(record, (Map({"a": Box(1), "b": Box(0)}),))
    table: Any = shown.look()

    assert those(table, is_big) == {"a"}
    assert those(table.set("c", Box(1)).set("a", Box(0)), is_big) == {"c"}
    asked = [(asking[-1][0], said) for asking, said in record.answers.items()]
    assert asked == [("asks", {"a"}), ("is", False), ("is", False), ("asks", frozenset())]


def is_big(box: Box) -> bool:
    """Return whether a box is big."""
    return box.size > 0


def test_a_question_about_a_whole_part_is_one_question() -> None:
    """A part is asked whether something is in it, and may become what a function makes of it."""
    record = Record()
    parts = recorded(record, (Map({"a": Box(1)}), "word"))

    assert holds(parts[1], is_word)
    assert not holds(parts[0].look().set("b", Box(2)), is_word)
    asked = [(asking[-1][0], said) for asking, said in record.answers.items()]
    assert asked == [("asks", True), ("is", False), ("asks", False)]
    louder = passed(parts[1], loud)
    assert not holds(louder, is_word)
    assert list(record.answers)[-1] == (1, ("asks", After(loud, is_word)))
    change = change_of(record, (1,), "word", louder)
    assert change is not None
    assert (changed("word", change), changed("other", change)) == ("WORD", "OTHER")


def is_word(value: Any) -> bool:
    """Return whether something is the word."""
    return bool(value == "word")


def loud(value: Any) -> Any:
    """Return a word in capitals."""
    return value.upper()


def test_equal_values_that_something_tells_apart_have_two_numbers() -> None:
    """What a comparison leaves out may show in what a world answers."""
    exact = Exact()

    assert Box(1, "x") == Box(1, "y")
    assert exact.of(Box(1, "x")) == exact.of(Box(1, "x"))
    assert exact.of(Box(1, "x")) != exact.of(Box(1, "y"))
    assert len({exact.of(one) for one in (True, 1, "1", None, ABSENT, (1,), frozenset({1}))}) == 7


class Counting:
    """A world of two places: steps in the first are free, those in the second hang on both."""

    def __init__(self, *, peeks: bool = False, forgetful: bool = False) -> None:
        self.peeks, self.forgetful = peeks, forgetful
        self.asked = 0

    def branches(self, _parts: Parts) -> Iterator[Taken | Branch]:
        """Each place by itself."""
        yield Branch("first", self.first)
        yield Branch("second", self.second)

    def first(self, parts: Parts) -> Iterator[Taken]:
        """One more in the first place."""
        self.asked += 1
        two = assembled(Two, ("first", "second"), parts)
        yield Taken(Deed("first"), ((two.first + 1) % 3, parts[1]))

    def second(self, parts: Parts) -> Iterator[Taken]:
        """The first place is added to the second."""
        first: Any = parts[0]
        two = assembled(Two, ("first", "second"), parts)
        if self.forgetful and self.asked % 2:
            assert two.second >= 0
        added = first.value if self.peeks else two.first
        yield Taken(Deed("second"), (parts[0], (two.second + added) % 3))


@attrs.frozen(slots=False)
class Two:
    """Two numbers."""

    first: int
    second: int


def successors(world: Counting) -> list[list[Parts]]:
    """Return where the moves of nine states lead, as they are remembered in the end."""
    packer = Packer(2)
    known = Remembering(world, packer)
    states = [(first, second) for first in range(3) for second in range(3)]
    found: list[list[Parts]] = []
    for state in states:
        packed = packer.pack(state)
        found.append([packer.parts(move.after(packed)) for move in known.moves(packed)])
    return found


RIGHT = [
    [((first + 1) % 3, second), (first, (second + first) % 3)]
    for first in range(3)
    for second in range(3)
]


def test_a_branch_is_run_once_for_what_it_asks() -> None:
    """What hangs on one place of three values is run three times for nine states."""
    world = Counting()

    assert successors(world) == RIGHT
    assert world.asked == 3


def test_a_branch_that_looks_past_the_record_shows_in_what_is_remembered() -> None:
    """The difference that such a world makes is the one that the comparison looks for."""
    assert successors(Counting(peeks=True)) != RIGHT


def test_a_place_that_holds_values_of_two_classes_is_refused() -> None:
    """Of what class a part is nobody has to ask; so it may not change."""

    class Shifty:
        def branches(self, _parts: Parts) -> tuple[Taken]:
            return (Taken(Deed("go"), (NOTHING,)),)

    packer = Packer(1)
    packed = packer.pack((None,))
    (move,) = Remembering(Shifty(), packer).moves(packed)
    with pytest.raises(AssertionError, match="place 0"):
        move.after(packed)


def test_a_branch_that_asks_by_its_mood_is_refused() -> None:
    """A branch has to hang on the state alone."""
    with pytest.raises(AssertionError, match="asks"):
        successors(Counting(forgetful=True))
