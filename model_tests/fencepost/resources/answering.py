"""Between lines and an adapter of a resources server: its answers, and what is done to it."""

from collections.abc import Awaitable, Mapping
from typing import Any

from fencepost.answers import as_json
from fencepost.faults import ParticipantFault
from fencepost.mismatch import is_object
from fencepost.resources.participant import Answer, ResourcesParticipant
from fencepost.trace.lines import Call, Fault, Reply
from fencepost_spec.wording import kind_of


def reply_line(line: Call, answer: Any) -> Reply:
    """The line of an answer, or a `ParticipantFault` when it is none."""
    if not isinstance(answer, Answer):
        raise ParticipantFault(f"{line.op} returned {kind_of(answer)}", "an Answer")
    body = as_json(answer.body, f"the answer of {line.op}")
    headers: Any = answer.headers
    if not is_object(headers) or not all(type(text) is str for text in headers.values()):
        raise ParticipantFault(f"{line.op} answered with headers that are no texts")
    return Reply(0, line.id, answer.status, body, None, folded(headers) or None)


def folded(headers: Mapping[str, str]) -> dict[str, str]:
    """Headers with their names in lower case: a name is the same however it is written.

    >>> folded({"X-Nemo-Gym-Resource-State-Revision": "3"})
    {'x-nemo-gym-resource-state-revision': '3'}
    """
    names: dict[str, str] = {}
    for name, text in headers.items():
        if names.setdefault(name.lower(), text) != text:
            raise ParticipantFault(f"an answer has two headers {name.lower()!r} that differ")
    return names


def breaking(server: ResourcesParticipant, line: Fault) -> Awaitable[None]:
    """What a fault is for an adapter, to be awaited."""
    detail = line.detail
    match line.name:
        case "hold":
            return server.hold(detail["of"])
        case "release":
            return server.release(detail["of"])
        case "fail":
            return server.fail(detail["step"])
        case "evict":
            return server.evict(detail["rollout_id"], detail["attempt_index"])
        case _:
            return server.damage(str(detail.get("path")), line.name, detail.get("records", []))
