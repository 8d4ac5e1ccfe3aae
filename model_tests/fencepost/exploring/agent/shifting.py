"""A rollout whose attempts all become one lower, in every part of a state.

Attempts are only compared with each other, never with a number of their own; so a state in which
all of one rollout are lower by one goes on in the same way.
"""

from functools import cached_property
from typing import Any

import attrs
from immutables import Map

from fencepost.exploring.agent.scope import text_of
from fencepost_reference.receipts.state import Boundary, Held
from fencepost_spec.rule import Rule
from fencepost_spec.vocabulary import Key

_PLAIN = frozenset({bool, int, float, Rule, type(None)})


@attrs.frozen(slots=False)
class Shift:
    """The change of a rollout. `token` is the number of the events of attempt 0; those of the
    later ones follow it.
    """

    rollout: str
    token: int
    attempts: int

    def __call__(self, part: Any) -> Any:
        """A part of a state after the change."""
        return _Shifting(self).value(part, within=False)

    def text(self, text: str) -> str:
        """A text after the change."""
        return _Shifting(self).text(text)

    @cached_property
    def words(self) -> dict[str, str]:
        """What each attempt is called afterwards."""
        rollout = self.rollout
        return {
            text_of(Key(rollout, attempt)): text_of(Key(rollout, attempt - 1))
            for attempt in range(1, self.attempts + 1)
        }

    @cached_property
    def lost(self) -> str:
        """The attempt that is lost, as a word."""
        return text_of(Key(self.rollout, 0))


@attrs.frozen
class Mentions:
    """Whether the attempt that a shift loses is mentioned in a part."""

    shift: Shift

    def __call__(self, part: Any) -> bool:
        """Whether it is."""
        shifting = _Shifting(self.shift)
        shifting.value(part, within=False)
        return shifting.mentioned


class _Shifting:
    """The change of one part, and whether the attempt that is lost was `mentioned` on the way."""

    def __init__(self, shift: Shift) -> None:
        self.shift = shift
        self.mentioned = False

    def text(self, text: str) -> str:
        """A text after the change; words are parted by spaces or colons."""
        for mark in (" ", ":"):
            if mark in text:
                return mark.join(self.text(word) for word in text.split(mark))
        self.mentioned = self.mentioned or text == self.shift.lost
        return self.shift.words.get(text, text)

    def value(self, value: Any, *, within: bool) -> Any:
        """Any value; `within` says that it belongs to the rollout."""
        kind = _kind(value)
        if kind is str:
            return self.text(value)
        if kind in _PLAIN:
            return value
        if kind is Key:
            return self._key(value)
        if kind is tuple:
            of = within or (bool(value) and self._is_of(value[0]))
            return tuple([self.value(one, within=of) for one in value])
        if kind is frozenset:
            return frozenset([self.value(one, within=within) for one in value])
        if kind is Map:
            return Map(dict([self._pair(key, one) for key, one in value.items()]))
        return self._fields(value, kind, within=within)

    def _is_of(self, key: Any) -> bool:
        return isinstance(key, Key) and key.rollout_id == self.shift.rollout

    def _key(self, key: Key) -> Key:
        if key.rollout_id != self.shift.rollout:
            return key
        self.mentioned = self.mentioned or key.attempt == 0
        return Key(key.rollout_id, key.attempt - 1)

    def _pair(self, key: Any, value: Any) -> tuple[Any, Any]:
        if isinstance(key, int):
            return self._numbered(key), value
        if key == self.shift.rollout and isinstance(value, int):
            return key, value - 1
        return self.value(key, within=False), self.value(value, within=self._is_of(key))

    def _numbered(self, token: int) -> int:
        """A number that stands for the events of a handler."""
        first, attempts = self.shift.token, self.shift.attempts
        self.mentioned = self.mentioned or token == first
        return token - 1 if first < token < first + attempts else token

    def _fields(self, value: Any, kind: type[Any], *, within: bool) -> Any:
        changes = {
            field.name: self.value(getattr(value, field.name), within=within)
            for field in attrs.fields(kind)
        }
        if within and kind is Boundary:
            self.mentioned = self.mentioned or value.attempt == 0
            changes["attempt"] = value.attempt - 1
        if within and kind is Held:
            changes["token"] = self._numbered(value.token)
        return kind(**changes)


def _kind(value: object) -> type[Any]:
    return type(value)
