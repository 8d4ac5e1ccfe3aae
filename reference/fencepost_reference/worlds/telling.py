"""Answers of participants, as a controller reads them."""

from typing import Any

from fencepost_reference.receipts import actions as agent
from fencepost_reference.receipts.controller import said
from fencepost_reference.receipts.controller.said import AGENT, MODEL, Answer, Place
from fencepost_reference.receipts.state import Boundary, Reply, View
from fencepost_reference.worlds.state import Message
from fencepost_spec.receipts.refusals import PREPARE_INCOMPLETE
from fencepost_spec.vocabulary import Key

SERVER_ERROR = 500


def told(message: Message, output: Any, participant: Any) -> Answer:
    """What the controller reads in an answer. `participant` is the state that it was given in."""
    if isinstance(output, agent.Dropped):
        return Answer(SERVER_ERROR)
    reply: Reply = output.reply
    if reply.loose:
        return Answer(SERVER_ERROR)
    return Answer(reply.status, reply.code, _said(message, reply, participant))


def _said(message: Message, reply: Reply, participant: Any) -> said.Said:
    op, kind = message.op, message.place.kind
    if op == "prepare" and kind == AGENT:
        return _readiness(reply)
    if reply.status != 200:
        return None
    if kind == MODEL and op in ("pause", "status"):
        return said.Readiness(_admission(reply.body) == "paused")
    match op:
        case "run":
            return said.Finished(reply.body[1])
        case "prepare":
            return said.Readiness(True, sessions=_listed(reply))
        case "commit":
            return committed(message.place, participant, message.request.directory or "")
        case "restore":
            return _restored(message.place, participant, message.request.directory or "")
        case _:
            return _about_a_key(op, reply) if kind == AGENT else None


def _listed(reply: Reply) -> tuple[tuple[Key, int], ...]:
    """The sessions that a resources server says it will write, with their revisions."""
    _, inventory = reply.body
    return tuple((key, revision) for key, revision, _ in inventory)


def _about_a_key(op: str, reply: Reply) -> said.Said:
    match op:
        case "retire":
            told = dict(reply.body)
            # An agent that cannot tell who found the key live has ended it all the same.
            retired = told.get("retired") is not False
            left = bool(told.get("completed_unacknowledged", False))
            return said.Retired(retired, bool(told.get("tombstoned", True)), left)
        case "completion-receipt":
            ((key, receipt),) = reply.body[1]
            return None if receipt is None else said.Receipted(key, receipt)
        case "acknowledge-completed":
            return said.Released(reply.body[1])
        case _:
            return None


def _readiness(reply: Reply) -> said.Said:
    if reply.status == 200:
        return said.Readiness(True)
    if reply.code != PREPARE_INCOMPLETE:
        return None
    view: View = reply.body
    kept = [k for k, one in view.executions.items() if one.status == "completed_unacknowledged"]
    return said.Readiness(False, tuple(sorted(kept)))


def _admission(body: Any) -> str:
    """The state of admission that a pause or a status of a model tells."""
    told = getattr(body, "admission", None)
    return str(dict(body)["state"] if told is None else told)


def digest_of_part(place: Place, source: str) -> str:
    """The digest of what a participant wrote: an id writes one thing, and never another."""
    return f"{place.instance} {source}"


def committed(place: Place, participant: Any, directory: str) -> said.Committed | None:
    """What a participant has written to a directory, or None."""
    found = participant.disk.get(directory)
    if found is None or found.kind != "committed":
        return None
    source = found.id if place.kind == MODEL else found.source
    digest = digest_of_part(place, source)
    if place.kind == AGENT:
        return said.Committed(digest, tuple(_continuation(*one) for one in found.records))
    if place.kind == MODEL:
        return said.Committed(digest, references=_references(found))
    return said.Committed(digest)


def _continuation(key: Key, boundary: Boundary) -> said.Continuation:
    capture_key = boundary.capture_key or key.capture_key
    return said.Continuation(key, capture_key, boundary.call_id, boundary.revisions)


def _references(found: Any) -> tuple[said.StorageReference, ...]:
    """The rows in the data plane on which committed work rests: the last call of each root."""
    last = {root.capture_key: root.call_id for root in found.roots}
    return tuple(
        said.StorageReference(name, last[name], row.storage_key)
        for name, rows in found.lineages
        for row in rows
        if row.storage_key is not None and name in last
    )


def _restored(place: Place, participant: Any, directory: str) -> said.Said:
    found = committed(place, participant, directory)
    if found is None:
        return None
    lies = participant.disk[directory]
    source = lies.id if place.kind == MODEL else lies.source
    return said.Restored(source, found.digest)
