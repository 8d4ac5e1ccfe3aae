"""What a step of a world shows to those who look for something that must be possible."""

import json
from functools import cache
from typing import Any

from fencepost.exploring.world.doings import text_of
from fencepost_reference.model import Step
from fencepost_reference.receipts import actions as agent
from fencepost_reference.receipts.controller import actions as controller
from fencepost_reference.worlds import actions as a
from fencepost_reference.worlds.state import State
from fencepost_reference.worlds.viewing import open_checkpoint
from fencepost_spec.vocabulary import Key

Marks = tuple[str, ...]


def marks_of(before: State, action: Any, step: Step) -> Marks:
    """The marks of one step."""
    found: list[str] = []
    for output in step.outputs:
        match output:
            case controller.Sent():
                found += _of_call(before, output)
            case controller.SnapshotEnded() if open_checkpoint(step.state.controller) is None:
                found.append("snapshot saved" if output.saved else "snapshot failed")
            case agent.Began(key=Key() as key) if output.continuation is not None:
                found.append(f"continues {text_of(key)}")
            case _:
                pass
    after: State = step.state
    if isinstance(action, a.Write) and after.disk is not before.disk:
        half = "half-done " if _is_half_done(after.disk[-1].snapshot.ledger) else ""
        found.append(f"published {half}snapshot".replace("half-done snapshot", "half-done"))
    if isinstance(action, a.Write) and not action.ok:
        found.append("disk failed")
    if isinstance(action, a.Start):
        found.append("restored" if before.disk else "started anew")
    if isinstance(action, a.Finalize) and action.outcome == "committed":
        found.append(f"trained {action.group_id}")
    return tuple(found)


def _of_call(before: State, sent: controller.Sent) -> Marks:
    key = sent.request.key
    if sent.op == "run" and key is not None:
        for participant in before.participants:
            known = getattr(participant, "executions", {}).get(key)
            if known is not None and known.status == "completed_unacknowledged":
                return (f"adopts {text_of(key)}",)
    if sent.op == "resume":
        return (f"releases {sent.place.instance}",)
    return ()


@cache
def _is_half_done(ledger: str) -> bool:
    """Whether a group of a saved ledger has siblings that are sealed and others that are not."""
    for group in json.loads(ledger)["groups"]:
        sealed = {one["attempts"][-1]["status"] == "sealed" for one in group["siblings"]}
        if len(sealed) > 1:
            return True
    return False
