"""The sessions that a resources server has said it will write."""

import attrs

from fencepost_spec.vocabulary import Key


@attrs.frozen
class Sessions:
    """What a server holds, each at its revision; `over` are those whose attempts had ended then."""

    held: frozenset[tuple[Key, int]] = frozenset()
    over: frozenset[Key] = frozenset()

    def without(self, key: Key) -> "Sessions":
        """What is left when the session of an attempt is ended."""
        left = frozenset(one for one in self.held if one[0] != key)
        return Sessions(left, self.over - {key})
