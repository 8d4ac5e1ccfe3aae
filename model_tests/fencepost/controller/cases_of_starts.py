"""One case for every check of a start from snapshots that may be damaged, and of refusing one."""

from fencepost.controller.cases import Case, Tell, do, steps
from fencepost.controller.cases_of_snapshots import PUBLISHED
from fencepost.controller.tales import CONTROLLER, Tale
from fencepost.trace import Fault


def damaged(number: int) -> Tell:
    """A published snapshot cannot be read any more."""
    detail = {"snapshot": number, "part": "sidecars", "how": "cut", "back": 0}

    def tell(tale: Tale) -> None:
        tale.add(Fault(tale.seq, "damage", None, detail, CONTROLLER))

    return tell


REFUSES = do("work", "start_refused", reason="nothing can be read")
STARTS: tuple[Case, ...] = (
    Case("R-CTL-144", "start", "from what is damaged", steps(PUBLISHED, damaged(2)),
         do("work", "start", snapshot=2), do("work", "start", snapshot=1)),
    Case("R-CTL-145", "start", "from a snapshot of another step", PUBLISHED,
         do("work", "start", snapshot=2, train_step=1),
         do("work", "start", snapshot=2, train_step=0)),
    Case("R-CTL-146", "start_refused", "though the newest is whole",
         steps(PUBLISHED, damaged(1)), REFUSES, steps(damaged(2), REFUSES)),
)  # fmt: skip
