"""What may be done next, remembered: each branch of a world is asked once for each set of answers.

A branch is a function of a state. It is run on a state that records (`recording.py`), and what it
returned is kept under the questions that it asked: a tree whose inner places are questions about
one part, and whose leaves are moves. The next state that answers in the same way walks down the
tree and gets the moves without running anything; a move is a change of a few parts. So this form
of a world is made from the world itself, and only ever from runs of it.
"""

from typing import Any

from immutables import Map

from fencepost.exploring.asking import Asking, Record, answer
from fencepost.exploring.differing import Change, Put, change_of, changed
from fencepost.exploring.exact import Exact, kind_of
from fencepost.exploring.likeness import is_of_fields
from fencepost.exploring.packing import Packed, Packer
from fencepost.exploring.recording import Unread, recorded
from fencepost.exploring.small_world import Branch, Branching, Taken

_NOWHERE = -1


class Move:
    """A transition of every state that comes to one leaf, as a change of a packed state.

    `leads` is false where it is cut off or breaks a promise; `deed` is its number in a graph.
    """

    __slots__ = ("_edits", "_puts", "_tables", "deed", "leads", "own", "taken")

    def __init__(self, taken: Taken, edits: list[tuple[int, "_Table"]]) -> None:
        self.taken = taken
        self.own = taken.deed.own
        self.leads = taken.target is not None and not taken.broken
        self.deed = _NOWHERE
        self._edits: list[tuple[int, _Table]] | None = edits
        self._puts: tuple[tuple[int, int], ...] = ()
        self._tables: tuple[tuple[int, _Table], ...] = ()

    def after(self, packed: Packed) -> Packed:
        """The state that the transition leads to."""
        parts = list(packed)
        if self._edits is not None:
            self._settle(packed, self._edits)
        for place, number in self._puts:
            parts[place] = number
        for place, table in self._tables:
            parts[place] = table[parts[place]]
        return tuple(parts)

    def _settle(self, packed: Packed, edits: list[tuple[int, "_Table"]]) -> None:
        """Once, when it is taken first: parts that become one value are told from the others."""
        numbers = [(place, table, table[packed[place]]) for place, table in edits]
        self._puts = tuple((place, number) for place, table, number in numbers if table.puts)
        self._tables = tuple((place, table) for place, table, _ in numbers if not table.puts)
        self._edits = None


class _Table(dict[int, int]):
    """What the parts of one place become by one change; worked out when asked."""

    __slots__ = ("_change", "_packer", "_place", "puts")

    def __init__(self, packer: Packer, place: int, change: Change) -> None:
        super().__init__()
        self._packer, self._place, self._change = packer, place, change
        self.puts = type(change) is Put

    def __missing__(self, number: int) -> int:
        packer, place = self._packer, self._place
        was = packer.part(place, number)
        now = changed(was, self._change)
        kinds: tuple[Any, Any] = (kind_of(was), kind_of(now))
        if kinds[0] is not kinds[1] and any(kind is Map or is_of_fields(kind) for kind in kinds):
            raise AssertionError(f"place {place} of a state holds {kinds[0]} and then {kinds[1]}")
        after = self[number] = packer.number(place, now)
        return after


class _Answers(dict[int, Any]):
    """What the parts of one place answer to one question, as numbers; worked out when asked."""

    __slots__ = ("_exact", "_packer", "_place", "_steps")

    def __init__(self, packer: Packer, exact: Exact, asking: Asking) -> None:
        super().__init__()
        self._packer, self._exact = packer, exact
        self._place, self._steps = asking[0], asking[1:]

    def __missing__(self, number: int) -> Any:
        said = answer(self._packer.part(self._place, number), self._steps)
        known = self[number] = self._exact.of(said)
        return known


class _Node:
    """A question, or with `place` nowhere: what a branch returned after all its questions."""

    __slots__ = ("answers", "asking", "by_answer", "by_number", "moves", "others", "place")

    def __init__(self) -> None:
        self.place = _NOWHERE
        self.asking: Asking = ()
        self.answers: dict[int, Any] = {}
        # By the number of the part, which says more than is asked; by the answer, which does not.
        self.by_number: dict[int, _Node] = {}
        self.by_answer: dict[Any, _Node] = {}
        # Moves, then branches and moves in reverse: the first one last.
        self.moves: list[Move] | None = None
        self.others: list[Move | _Tree] = []

    def under(self, said: Any) -> "_Node":
        """What comes after an answer."""
        following = self.by_answer.get(said)
        if following is None:
            following = self.by_answer[said] = _Node()
        return following


class _Tree:
    """A branch and what is known of it."""

    __slots__ = ("branch", "root")

    def __init__(self, branch: Branch) -> None:
        self.branch = branch
        self.root = _Node()


class Remembering:
    """The moves of a world, as far as they are known."""

    def __init__(self, world: Branching, packer: Packer) -> None:
        self._packer = packer
        self._exact = Exact()
        self._trees: dict[Any, _Tree] = {}
        self._tables: dict[tuple[int, int], _Table] = {}
        self._asked: dict[Asking, _Answers] = {}
        self._root = _Tree(Branch("root", world.branches))
        self.runs = 0

    def moves(self, packed: Packed) -> list[Move]:
        """Every move from a state, in the order of the world."""
        found: list[Move] = []
        # What is left to follow, the next one last.
        waiting: list[Move | _Tree] = [self._root]
        while waiting:
            item = waiting.pop()
            if isinstance(item, Move):
                found.append(item)
                continue
            node = item.root
            try:
                while node.place >= 0:
                    node = node.by_number[packed[node.place]]
            except KeyError:
                node = self._answered(node, packed)
            if node.moves is None:
                node = self._run(item, packed)
            found += node.moves or ()
            waiting += node.others
        return found

    def _answered(self, node: _Node, packed: Packed) -> _Node:
        """Go on by what the parts answer."""
        while node.place >= 0:
            place = node.place
            number = packed[place]
            following = node.by_number.get(number)
            if following is None:
                following = node
                # What else is asked of the same part is known with its number.
                while following.place == place:
                    following = following.under(following.answers[number])
                node.by_number[number] = following
            node = following
        return node

    def _run(self, tree: _Tree, packed: Packed) -> _Node:
        """Run a branch on a state that records, and keep what it returned."""
        self.runs += 1
        record = Record()
        parts = recorded(record, self._packer.parts(packed))
        items: list[Move | _Tree] = []
        for item in tree.branch.follow(parts):
            if isinstance(item, Branch):
                known = self._trees.get(item.key)
                if known is None:
                    known = self._trees[item.key] = _Tree(item)
                items.append(known)
            else:
                items.append(self._move(item, parts, record))
        leaf = self._path(tree, record, packed)
        first = next((n for n, item in enumerate(items) if isinstance(item, _Tree)), len(items))
        leaf.moves = [item for item in items[:first] if isinstance(item, Move)]
        leaf.others = items[first:][::-1]
        return leaf

    def _path(self, tree: _Tree, record: Record, packed: Packed) -> _Node:
        """The place under the questions of a run, with their answers."""
        node = tree.root
        for asking in record.answers:
            if node.moves is not None:
                raise AssertionError(f"{tree.branch.key} asks more than it did before")
            if node.place < 0:
                node.place, node.asking = asking[0], asking
                node.answers = self._answers_to(asking)
            elif node.asking != asking:
                raise AssertionError(f"{tree.branch.key} asks {asking}, otherwise than before")
            node = node.under(node.answers[packed[node.place]])
        if node.place >= 0:
            raise AssertionError(f"{tree.branch.key} asks less than it did before")
        return node

    def _answers_to(self, asking: Asking) -> _Answers:
        """What is known of one question, whichever branch asks it.

        Whether an entry is exactly a value is asked of that value, not of any that is equal.
        """
        if asking[-1][0] == "is":
            return _Answers(self._packer, self._exact, asking)
        known = self._asked.get(asking)
        if known is None:
            known = self._asked[asking] = _Answers(self._packer, self._exact, asking)
        return known

    def _move(self, taken: Taken, parts: tuple[Unread, ...], record: Record) -> Move:
        edits: list[tuple[int, _Table]] = []
        if taken.target is not None and not taken.broken:
            for place, now in enumerate(taken.target):
                was = parts[place]
                if now is was or now is was.seen:
                    continue
                change = change_of(record, (place,), was.value, now)
                if change is not None:
                    edits.append((place, self._table(place, change)))
        return Move(taken, edits)

    def _table(self, place: int, change: Change) -> _Table:
        key = (place, self._exact.of(change))
        known = self._tables.get(key)
        if known is None:
            known = self._tables[key] = _Table(self._packer, place, change)
        return known
