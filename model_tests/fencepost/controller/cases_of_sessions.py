"""One case for every check of what resources servers keep for attempts."""

from fencepost.controller.cases import Case, Tell, do, steps
from fencepost.controller.cases_of_checkpoints import row
from fencepost.controller.cases_of_snapshots import store
from fencepost.controller.cases_of_work import SUBMIT
from fencepost.controller.tales import TOOLS, A, Tale

PLACES = (A, TOOLS)


def listing(*rollouts: str) -> Tell:
    """A resources server is prepared, and lists a session of attempt 0 of some rollouts."""
    inventory = [
        {"rollout_id": each, "attempt_index": 0, "revision": 1, "mutation_receipts": 1}
        for each in rollouts
    ]

    def tell(tale: Tale) -> None:
        call = tale.control("prepare", "c1", TOOLS)
        body = {"state": "prepared", "sessions": len(inventory), "inventory": inventory}
        tale.reply(call, body)

    return tell


def end(rollout: str = "g_g0", name: str = "c1") -> Tell:
    """The session of an attempt is ended."""

    def tell(tale: Tale) -> None:
        named = {"rollout_id": rollout, "attempt_index": 0}
        call = tale.control("retire", name, TOOLS, **named)
        tale.reply(call, {"retired": True} | named)

    return tell


LEFT = steps(do("submit", "g", 2), do("fail"), do("run", "g_g1"), do("prepare"), listing("g_g0"))
NONE = steps(SUBMIT, do("run"), do("prepare"), listing(), do("commit"), do("commit", at=TOOLS))
SESSIONS: tuple[Case, ...] = (
    Case("R-CTL-34", "retire", "of a session that goes on", steps(SUBMIT, do("run")),
         end(name="r1"), steps(do("retire"), end(name="r1")), PLACES),
    Case("R-CTL-69", "commit", "with the session of an attempt that failed",
         steps(LEFT, do("commit")), do("commit", at=TOOLS), steps(end(), do("commit", at=TOOLS)),
         PLACES),
    Case("R-CTL-69", "commit", "with the session of a group that is gone",
         steps(do("prepare"), listing("z_g0"), do("commit")), do("commit", at=TOOLS),
         steps(end("z_g0"), do("commit", at=TOOLS)), PLACES),
    Case("R-CTL-131", "store", "a continuation without its session", NONE,
         store(continuations=[row("g_g0", {"tools": 1})]), store(), PLACES),
    Case("R-CTL-131", "store", "a continuation at another revision",
         steps(SUBMIT, do("run"), do("prepare"), listing("g_g0"), do("commit"),
               do("commit", at=TOOLS)),
         store(continuations=[row("g_g0", {"tools": 2})]),
         store(continuations=[row("g_g0", {"tools": 1})]), PLACES),
)  # fmt: skip
