"""What a caller hands to a controller, looked at before anything is done with it.

A mistake of the caller's raises here, in words, and changes nothing: the core takes what it is
told, and a ledger that refuses is not asked twice.
"""

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any, Final, cast

import attrs
from pydantic import BaseModel, TypeAdapter, ValidationError

from fencepost_reference.receipts.controller import actions as a
from fencepost_reference.receipts.controller.said import AGENT, Place
from fencepost_reference.receipts.controller.state import State
from fencepost_reference.receipts.snapshot.choosing import Mode
from fencepost_spec.receipts.controller.target_level import Level
from fencepost_spec.receipts.ledger.values import Granularity, PromptId
from fencepost_spec.strict import Count, Digest, Positive, RolloutId, Strict, Text


class NotStarted(RuntimeError):
    """The controller was told or asked something before its first process."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} comes before start(): await start() first")


class AlreadyStarted(RuntimeError):
    """A process was to be started while one of the same controller runs."""

    def __init__(self) -> None:
        super().__init__(
            "start() comes while a process runs, which would lose its work: end() that one first"
        )


class AlreadyEnded(RuntimeError):
    """The controller was told something after the end of its last process."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} comes after end(): await start() for a new process first")


class Halted(RuntimeError):
    """The controller was told something after its process has halted."""

    def __init__(self, what: str, because: str) -> None:
        super().__init__(
            f"{what} comes after the process has halted ({because}): end() it, start all "
            "participants anew, and await start()"
        )


class _Submitted(Strict):
    group_id: RolloutId
    siblings: Positive
    granularity: Granularity
    agent: Text
    target_step: Count | None
    admitted: bool
    prompt_id: PromptId


class _Admitted(Strict):
    group_id: Text
    target_step: Count | None


class _Stale(Strict):
    group_id: Text


_TOLD: Final[Mapping[type[Any], type[Strict]]] = {
    a.Submit: _Submitted,
    a.Admit: _Admitted,
    a.GoneStale: _Stale,
}
"""What the caller of a controller makes up, and what it has to be like."""

CALLERS: Final[tuple[type[Any], ...]] = (
    *_TOLD,
    a.SnapshotDue,
    a.DeadlinePassed,
    a.TrainerStepped,
)
"""What the caller of a controller tells it; the rest it tells itself."""


def check_action(
    action: object, clients: Iterable[Place], known: Collection[type[Any]] = CALLERS
) -> None:
    """An action of a caller's makes sense, or ValueError. `known` are the kinds that there are."""
    kind, values = type(action), cast("Any", action)
    if kind not in known:
        names = ", ".join(one.__name__ for one in CALLERS)
        raise ValueError(f"{action!r} is nothing that a controller is told: there are {names}")
    model = _TOLD.get(kind)
    if model is None:
        return
    _check(model, kind.__name__, attrs.asdict(values, recurse=False))
    if isinstance(action, a.Submit) and Place(AGENT, action.agent) not in set(clients):
        raise ValueError(f"agent {action.agent} is nobody's name here")


def check_fingerprint(value: str) -> None:
    """A fingerprint of what a run begins with, or ValueError."""
    _check_value(Digest, "bootstrap_fingerprint", value, "a SHA-256 in 64 hexadecimal digits")


def check_generations(value: int | None) -> None:
    """How many siblings a run makes of a prompt, or ValueError."""
    _check_value(Positive | None, "generations", value, "a number from 1, or None")


def check_level(value: str) -> None:
    """A level at which work is to be recovered, or ValueError."""
    _check_value(Level, "target_level", value, "turn, sibling or prompt_group")


def check_new(group_id: str, state: State) -> None:
    """A group that is submitted is none that was, or ValueError."""
    if group_id in state.ledger.groups:
        known = "is held already"
    elif group_id in state.trained:
        known = "is training data already"
    else:
        return
    raise ValueError(f"Submit.group_id is {group_id!r}: a group of that name {known}")


def check_start(
    train_step: int, trainer_version: int, mode: str, checkpoint: str | Path | None
) -> None:
    """What a process is started with, or ValueError."""
    _check_value(Count, "train_step", train_step, "a number from 0")
    _check_value(Count, "trainer_version", trainer_version, "a number from 0")
    _check_value(Mode, "mode", mode, "latest or trainer_checkpoint")
    if mode == "trainer_checkpoint" and checkpoint is None:
        raise ValueError(
            "checkpoint is None: with mode trainer_checkpoint it is the directory of the trainer's "
            "checkpoint, whose snapshot alone is taken; with mode latest it may be left away"
        )
    if checkpoint is not None and not str(checkpoint).strip():
        raise ValueError(f"checkpoint is {checkpoint!r}: a directory is wanted, or None")


def _check(model: type[BaseModel], what: str, values: Mapping[str, Any]) -> None:
    try:
        model.model_validate(values)
    except ValidationError as error:
        wrong = error.errors()[0]
        member = ".".join(map(str, wrong["loc"]))
        raise ValueError(f"{what}.{member} is {wrong['input']!r}: {wrong['msg']}") from None


def _check_value(kind: Any, name: str, value: object, wanted: str) -> None:
    try:
        TypeAdapter(kind).validate_python(value, strict=True)
    except ValidationError:
        raise ValueError(f"{name} is {value!r}: {wanted} is wanted") from None
