"""One case for every check of a snapshot's steps, of its end, and of a start."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from fencepost.controller.cases import Case, Tell, do, nothing, steps
from fencepost.controller.cases_of_work import DONE, SUBMIT
from fencepost.controller.tales import A, B, Tale, receipt_of
from fencepost_spec.vocabulary import Key

READY = steps(do("held"), do("written"))


def store(step: str = "sidecars", outcome: Any = "ok", name: str = "c1", **changes: Any) -> Tell:
    """A step of a snapshot in which something is changed."""

    def tell(tale: Tale) -> None:
        tale.store(step, tale.snapshot(name, **changes), outcome)

    return tell


def spoilt(spoil: Callable[[dict[str, Any]], Any]) -> Tell:
    """The sidecars of a snapshot whose ledger was changed."""

    def tell(tale: Tale) -> None:
        snapshot = deepcopy(tale.snapshot())
        spoil(snapshot["ledger"])
        tale.store("sidecars", snapshot)

    return tell


def _attempt(ledger: dict[str, Any], sibling: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = ledger["groups"][0]["siblings"][sibling]["attempts"][-1]
    return found


def _unread(ledger: dict[str, Any]) -> None:
    del _attempt(ledger)["mask_sample"]


def _owing(ledger: dict[str, Any]) -> None:
    row = {"receipt": receipt_of(Key("g_g0", 0)), "agent_name": "a"}
    ledger["pending_completed_execution_acknowledgements"] = [row]


def _sealed(ledger: dict[str, Any]) -> None:
    _attempt(ledger).update(
        status="sealed",
        reward=1.0,
        mask_sample=False,
        completion_receipt=receipt_of(Key("g_g0", 0)),
    )
    ledger["groups"][0].update(status="ready_to_finalize", resolved_agent_name="a")


def _unsealed(ledger: dict[str, Any]) -> None:
    _attempt(ledger).update(
        status="dispatched", reward=None, mask_sample=None, completion_receipt=None
    )
    ledger["groups"][0].update(status="generating", resolved_agent_name=None)


def _two_more(ledger: dict[str, Any]) -> None:
    attempts = ledger["groups"][0]["siblings"][0]["attempts"]
    _attempt(ledger)["status"] = "abandoned"
    for number in (1, 2):
        attempts.append(attempts[0] | {"attempt_index": number})


def _short(ledger: dict[str, Any]) -> None:
    ledger["groups"][0]["siblings"][0]["attempts"].pop()


def _reserved(ledger: dict[str, Any]) -> None:
    _attempt(ledger)["status"] = "reserved"


def _other_step(ledger: dict[str, Any]) -> None:
    ledger["groups"][0]["target_step"] = 6


def _trained_too(tale: Tale) -> None:
    """A group is trained on, and stays in the ledger of the snapshot."""
    ledger = tale.snapshot()["ledger"]
    tale.train()
    READY(tale)
    tale.store("sidecars", tale.snapshot(ledger=ledger, trained=[]))


def _lost_group(tale: Tale) -> None:
    ledger = tale.snapshot()["ledger"]
    tale.store("sidecars", tale.snapshot(ledger=ledger | {"groups": []}))


def _kept(tale: Tale) -> None:
    """A reply was lost; after everything was written an agent says that it keeps the result."""
    call = tale.call("status", checkpoint_id="c1")
    tale.reply(call, {"completed_unacknowledged_attempts": [receipt_of(Key("g_g0", 0))]})


FIRST = store()
STORE: tuple[Case, ...] = (
    Case("R-CTL-110", "store", "under another id", READY, store(name="c2"), FIRST),
    Case("R-CTL-112", "store", "while it is released", steps(READY, do("resume")), FIRST,
         do("work", "snapshot_ended", saved=False, reason="given up")),
    Case("R-CTL-112", "store", "the rename, while it is released",
         steps(READY, FIRST, store("manifest"), do("control", "resume", "c1")), store("rename"),
         nothing),
    Case("R-CTL-111", "store", "before all have written", steps(do("held"), do("commit")), FIRST,
         steps(do("commit", at=B), FIRST), (A, B)),
    Case("R-CTL-115", "store", "after a step that failed",
         steps(READY, store(outcome={"code": "storage_failed"})), FIRST, do("resume")),
    Case("R-CTL-113", "store", "the rename first", READY, store("rename"),
         steps(FIRST, store("manifest"), store("rename"))),
    Case("R-CTL-113", "store", "the rename twice", steps(READY, do("published")),
         store("rename"), do("resume")),
    Case("R-CTL-114", "store", "something else than before",
         steps(READY, FIRST), store("manifest", number=2), store("manifest")),
    Case("R-CTL-129", "store", "after an unknown end",
         steps(DONE, do("train", outcome={"code": "unknown"}), READY), FIRST, do("resume")),
    Case("R-CTL-118", "store", "under another step", READY, store(train_step=1, trainer_version=1),
         FIRST),
    Case("R-CTL-118", "store", "after the trainer has gone on",
         steps(do("held"), do("work", "trainer_stepped", train_step=1), do("written")),
         store(train_step=0, trainer_version=0),
         do("work", "snapshot_ended", saved=False, reason="trainer_state_changed")),
    Case("R-CTL-118", "store", "under two steps", READY, store(trainer_version=1), FIRST),
    Case("R-CTL-119", "store", "under a number that was published",
         steps(do("saved"), do("held", "c2"), do("written", "c2", "d2")),
         store(name="c2", number=1), store(name="c2", number=2)),
    Case("R-CTL-120", "store", "a ledger that cannot be read", steps(SUBMIT, READY),
         spoilt(_unread), FIRST),
    Case("R-CTL-116", "store", "a ledger that owes", steps(DONE, READY), spoilt(_owing), FIRST),
    Case("R-CTL-116", "store", "while something is owed",
         steps(SUBMIT, do("finish"), do("fetch"), READY), FIRST, steps(do("acknowledge"), FIRST)),
    Case("R-CTL-117", "store", "while an agent keeps a result",
         steps(SUBMIT, lambda t: t.lose(t.run()), READY, _kept), FIRST, do("resume")),
    Case("R-CTL-121", "store", "with a group that is training data", DONE, _trained_too,
         steps(do("train"), READY, FIRST)),
    Case("R-CTL-121", "store", "with a group that went stale",
         steps(SUBMIT, READY), lambda t: _after(t, "stale"), FIRST),
    Case("R-CTL-122", "store", "without a group", steps(SUBMIT, READY), _lost_group, FIRST),
    Case("R-CTL-126", "store", "with a group of another step", steps(SUBMIT, READY),
         spoilt(_other_step), FIRST),
    Case("R-CTL-124", "store", "with attempts that nobody sent", steps(SUBMIT, do("run"), READY),
         spoilt(_two_more), FIRST),
    Case("R-CTL-124", "store", "without an attempt that was sent",
         steps(SUBMIT, do("fail"), do("run", attempt=1), READY), spoilt(_short), FIRST),
    Case("R-CTL-123", "store", "sealed without a result", steps(SUBMIT, do("run"), READY),
         spoilt(_sealed), FIRST),
    Case("R-CTL-123", "store", "not sealed, with a result", steps(DONE, READY),
         spoilt(_unsealed), FIRST),
    Case("R-CTL-125", "store", "reserved, though it was sent", steps(SUBMIT, do("run"), READY),
         spoilt(_reserved), FIRST),
    Case("R-CTL-127", "store", "without a participant", READY, store(participants=[]), FIRST),
    Case("R-CTL-127", "store", "with another index", READY, lambda t: _indexed(t, "c9"),
         lambda t: _indexed(t, "c1")),
    Case("R-CTL-128", "store", "without what was trained on", steps(DONE, do("train"), READY),
         store(trained=[]), FIRST),
    Case("R-CTL-128", "store", "with what was not trained on", READY, store(trained=["z"]), FIRST),
)  # fmt: skip


def _after(tale: Tale, event: str) -> None:
    """A group ends before the participants write, and stays in the ledger all the same."""
    ledger = tale.snapshot()["ledger"]
    tale.resume()
    tale.work(event, group_id="g")
    tale.held("c2")
    tale.written("c2")
    tale.store("sidecars", tale.snapshot("c2", ledger=ledger))


def _indexed(tale: Tale, name: str) -> None:
    """The sidecars of a snapshot that names an agent's index of some checkpoint."""
    snapshot = tale.snapshot()
    snapshot["participants"][0]["committed"] = tale.committed(name, A)
    tale.store("sidecars", snapshot)


SAVED = do("work", "snapshot_ended", saved=True, reason="")
NOT_SAVED = do("work", "snapshot_ended", saved=False, reason="busy")
ENDED = steps(do("work", "snapshot_due"), READY, do("published"))
END: tuple[Case, ...] = (
    Case("R-CTL-135", "snapshot_ended", "saved without a rename", READY,
         do("work", "snapshot_ended", saved=True, reason=""),
         do("work", "snapshot_ended", saved=False, reason="no")),
    Case("R-CTL-135", "snapshot_ended", "not saved after the rename", ENDED,
         do("work", "snapshot_ended", saved=False, reason="no"),
         do("work", "snapshot_ended", saved=True, reason="")),
    Case("R-CTL-135", "snapshot_ended", "saved a second time",
         steps(do("work", "snapshot_due"), do("saved"), SAVED, do("work", "snapshot_due")), SAVED,
         do("work", "snapshot_ended", saved=False, reason="no")),
    Case("R-CTL-135", "snapshot_ended", "saved a second time, before the release",
         steps(ENDED, SAVED), SAVED, steps(do("work", "snapshot_due"), do("resume"), SAVED)),
    Case("R-CTL-135", "snapshot_ended", "turned down twice, though two fell due",
         steps(do("work", "snapshot_due"), ENDED, NOT_SAVED), NOT_SAVED, SAVED),
)  # fmt: skip
PUBLISHED = steps(SUBMIT, do("saved"), do("saved", "c2", 2), do("replace", participants="replaced"))
START: tuple[Case, ...] = (
    Case("R-CTL-140", "start", "from what was not published", PUBLISHED,
         do("work", "start", snapshot=3), do("work", "start", snapshot=2)),
    Case("R-CTL-141", "start", "from nothing", PUBLISHED, do("work", "start", snapshot=None),
         do("work", "start", snapshot=2)),
    Case("R-CTL-142", "start", "from an older one", PUBLISHED, do("work", "start", snapshot=1),
         do("work", "start", snapshot=2)),
)  # fmt: skip
