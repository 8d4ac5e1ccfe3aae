"""Words in which a course of events is told to a controller: each gives a line of the harness."""

from typing import Any

from fencepost.controller.breaking import CALM, DAMAGE, FINALIZER
from fencepost.controller.network import HOLD_REPLY, HOLD_REQUEST, LET_GO, LOSE_REPLY, LOSE_REQUEST
from fencepost.controller.participant import GIVEN
from fencepost.controller.scene import CONTROLLER
from fencepost.trace.lines import At, Fault, JsonObject, Line, Tick, Work
from fencepost_reference.receipts.controller.said import AGENT, MODEL, RESOURCES

TOLD = ("submit", *GIVEN)
AGENT_A, POLICY, TOOLS = At(AGENT, "a"), At(MODEL, "policy"), At(RESOURCES, "tools")


def told(event: str, **detail: Any) -> Line:
    """The controller is told something."""
    return Work(0, event, None, None, detail, "ok", CONTROLLER)


def submit(
    group: str = "g1",
    siblings: int = 1,
    granularity: str = "sibling",
    agent: str = "a",
    target_step: int | None = None,
    *,
    admitted: bool = True,
    prompt: str | None = None,
) -> Line:
    """A prompt group is handed over; its prompt is named like the group, if it is not said."""
    detail: JsonObject = {
        "group_id": group,
        "prompt_id": group.removeprefix("g") if prompt is None else prompt,
        "siblings": siblings,
        "granularity": granularity,
        "agent": agent,
        "target_step": target_step,
        "admitted": admitted,
    }
    return told("submit", **detail)


def work(
    event: str, rollout: str = "g1_g0", attempt: int = 0, agent: str = "a", **detail: Any
) -> Line:
    """A step of the work of a rollout."""
    return Work(0, event, rollout, attempt, detail, "ok", At(AGENT, agent))


def finish(
    rollout: str = "g1_g0", attempt: int = 0, outcome: str = "completed", agent: str = "a"
) -> Line:
    """The work of a rollout ends."""
    return work("finish", rollout, attempt, agent, outcome=outcome)


def fault(name: str, of: str, at: At = AGENT_A) -> Line:
    """A fault of the network."""
    return Fault(0, name, None, {"of": of}, at)


def lose_reply(of: str, at: At = AGENT_A) -> Line:
    """The reply of an open call, or of the next, is lost."""
    return fault(LOSE_REPLY, of, at)


def lose_request(of: str, at: At = AGENT_A) -> Line:
    """The next request is lost."""
    return fault(LOSE_REQUEST, of, at)


def hold_reply(of: str, at: At = AGENT_A) -> Line:
    """The reply of an open call, or of the next, is held."""
    return fault(HOLD_REPLY, of, at)


def hold_request(of: str, at: At = AGENT_A) -> Line:
    """The next request is held."""
    return fault(HOLD_REQUEST, of, at)


def let_go(of: str, at: At = AGENT_A) -> Line:
    """What is held goes on."""
    return fault(LET_GO, of, at)


def fail(step: str, at: At = CONTROLLER) -> Line:
    """The next storage step of that kind fails."""
    return Fault(0, "fail", None, {"step": step}, at)


def damage(part: str, how: str, back: int = 0) -> Line:
    """A published snapshot is damaged; `back` counts from the newest that is kept."""
    return Fault(0, DAMAGE, None, {"part": part, "how": how, "back": back}, CONTROLLER)


def finalizer(outcome: str) -> Line:
    """The finalizer will answer that."""
    return Fault(0, FINALIZER, None, {"outcome": outcome}, CONTROLLER)


def replaced(at: At) -> Line:
    """A participant goes and comes again."""
    return Fault(0, "replace", "kept", {}, at)


def outlived(at: At) -> Line:
    """A participant goes and comes again; a reply of it that is held may still arrive."""
    return Fault(0, "replace", "kept", {"replies": "arrive"}, at)


def restarted() -> Line:
    """All processes go and come again; the controller starts from the newest snapshot."""
    return Fault(0, "replace", "kept", {"participants": "replaced"}, CONTROLLER)


def seconds(number: float) -> Line:
    """Time passes."""
    return Tick(0, round(number * 1_000_000))


def calm() -> Line:
    """No more faults from now on."""
    return Fault(0, CALM, None, {}, CONTROLLER)


# And back, for people.


def action_text(line: Line) -> str | None:
    """What the harness did, in few words; None for what it did not decide."""
    if isinstance(line, Tick):
        return f"{line.microseconds / 1_000_000:g} s pass"
    if isinstance(line, Fault):
        return _fault_text(line)
    if not isinstance(line, Work) or (line.at == CONTROLLER and line.event not in TOLD):
        return None
    subject = "" if line.rollout_id is None else f" {line.rollout_id} attempt {line.attempt}"
    named = line.detail.get("group_id")
    return " ".join([line.event + subject, *([str(named)] if named else [])])


def _fault_text(line: Fault) -> str:
    what = " ".join(str(value) for value in line.detail.values() if isinstance(value, str))
    place = (
        "" if line.at is None or line.at == CONTROLLER else f" of {line.at.kind} {line.at.instance}"
    )
    return f"{line.name} {what}{place}".replace("  ", " ").strip()
