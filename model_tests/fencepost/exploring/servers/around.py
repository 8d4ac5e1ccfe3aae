"""What is around a server: how many mishaps may yet come."""

import attrs

from fencepost_reference.receipts.changes import change

CRASHES, LOST, FAULTS = range(3)


@attrs.frozen(slots=False)
class Around:
    """`left` is how many crashes, lost replies and faults may yet come."""

    left: tuple[int, int, int] = (0, 0, 0)

    def less(self, which: int) -> "Around":
        """What is around when one more of that kind has happened."""
        left = list(self.left)
        left[which] -= 1
        return change(self, left=(left[0], left[1], left[2]))
