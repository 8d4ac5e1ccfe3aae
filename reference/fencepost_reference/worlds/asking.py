"""Calls of a controller, as each kind of participant hears them."""

from typing import Any

from fencepost_reference.receipts import actions as agent
from fencepost_reference.receipts.controller.actions import Request
from fencepost_reference.receipts.controller.said import AGENT, MODEL
from fencepost_reference.receipts.policy_model import actions as model
from fencepost_reference.receipts.policy_model.state import Index, Root
from fencepost_reference.receipts.state import Directory
from fencepost_reference.worlds.state import Message

DEADLINE = 5_000_000
"""How long a participant may take, in microseconds. How much it is decides nothing."""

_TIMED = frozenset({"prepare", "retire"})


def heard(message: Message) -> Any:
    """The action of the participant's core that a call is."""
    request, op, kind = message.request, message.op, message.place.kind
    if kind == MODEL:
        return model.Call(message.call, op, _of_model(op, request))
    if kind == AGENT and op == "run":
        return agent.Run(message.call, request.key)
    deadline = DEADLINE if op in _TIMED else None
    asked = agent.Request(
        request.checkpoint_id, deadline, request.directory, request.key, receipts=request.receipts
    )
    return agent.Call(message.call, op, asked)


def _of_model(op: str, request: Request) -> model.Request:
    """A status of a model waits until the model is paused, or somebody resumes it."""
    return model.Request(
        request.checkpoint_id,
        directory=request.directory,
        indexes=tuple((path_of(digest), digest) for digest in request.agents),
        key=request.key,
        waits=op == "status",
    )


def path_of(digest: str) -> str:
    """Where an agent's index of continuations lies, for whoever knows its digest."""
    return f"index {digest}"


def index_of(directory: Directory, digest: str) -> Index:
    """The index that an agent writes beside its records: one root for each with a model call."""
    roots = tuple(
        Root(key, boundary.capture_key or key.capture_key, boundary.call_id)
        for key, boundary in directory.records
        if boundary.call_id is not None
    )
    return Index(roots, digest)
