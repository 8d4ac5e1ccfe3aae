"""What a step of an agent shows to those who look for something that must be possible.

A mark is a few words and the key or checkpoint that it is about. Marks say what happened, never
what it is good for; the stories are put together elsewhere (`stories.py`).
"""

from typing import Any

from fencepost.exploring.agent.scope import text_of
from fencepost_reference.model import Step
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.ghost import Ghost, Moment, published
from fencepost_reference.receipts.state import COUNTED, FROZEN, State

Marks = tuple[str, ...]


def marks_of(before: State, action: Any, step: Step) -> Marks:
    """The marks of one step."""
    after: State = step.state
    if isinstance(action, a.Work):
        return _of_work(before, action, after)
    if isinstance(action, a.Call):
        return _of_call(before, action, after)
    if isinstance(action, a.Run):
        reply = after.calls[action.id].reply
        if reply is None or reply.status != 200 or action.key is None:
            return ()
        return (f"given again {text_of(action.key)}",)
    if isinstance(action, a.Begin):
        return _of_begin(step)
    if isinstance(action, a.LetGo):
        (output,) = step.outputs
        return (f"goes on {text_of(action.key)}",) if output.code is None else ()
    if isinstance(action, a.Conclude):
        word = "prepared" if after.fence.phase == "prepared" else "missed"
        return (f"{word} {before.fence.active}",)
    if isinstance(action, a.Store):
        return _of_store(before, action, step)
    if isinstance(action, a.Gone):
        waiting = before.calls[action.id]
        lost = waiting.op == "run" and waiting.key is not None
        return (f"lost run {text_of(waiting.key)}",) if lost and waiting.key is not None else ()
    return ("crash",) if isinstance(action, a.Replace) else ()


def _of_work(before: State, action: a.Work, after: State) -> Marks:
    if action.key is None:
        return ()
    name = text_of(action.key)
    was, now = before.executions.get(action.key), after.executions.get(action.key)
    parks = now is not None and now.status in COUNTED and was is not None
    parks = parks and was is not None and was.status not in COUNTED
    if action.event == "boundary":
        return (f"parked {name}",) if parks else (f"boundary {name}",)
    if action.event == "park" and now is not None and now.status in COUNTED:
        return (f"parked refused {name}",)
    if action.event == "wait_begin":
        return (f"waits {name}",)
    return (f"refusal {name}",) if action.event == "refusal" else ()


def _of_call(before: State, action: a.Call, after: State) -> Marks:
    if action.op == "resume" and before.fence.active is not None and after.fence.active is None:
        word = "given up" if before.fence.phase == "prepared" else "resumed"
        return (f"{word} {before.fence.active}",)
    if action.op == "retire" and action.request.key is not None:
        known = before.history.refused
        return () if after.history.refused is known else (f"retired {text_of(action.request.key)}",)
    if action.op == "discard-restored-continuation" and after.pending is not before.pending:
        return tuple(f"discarded {text_of(k)}" for k in before.pending if k not in after.pending)
    if after.history.acknowledged is not before.history.acknowledged:
        fresh = [k for k in after.history.acknowledged if k not in before.history.acknowledged]
        batch = ("released a batch",) if len(fresh) > 1 else ()
        return (*(f"released {text_of(key)}" for key in sorted(fresh)), *batch)
    return ()


def _of_begin(step: Step) -> Marks:
    (output,) = step.outputs
    name = text_of(output.key)
    word = "begins" if output.continuation is None else "continues"
    return (f"{word} {name}",)


def _of_store(before: State, action: a.Store, step: Step) -> Marks:
    after: State = step.state
    storing = before.fence.storing
    if storing is not None and storing.op == "restore" and after.fence.storing is None:
        if after.pending is before.pending:
            return ("restore refused",)
        return tuple(f"restored {text_of(key)}" for key in sorted(after.pending))
    marks: list[str] = []
    for directory in published(Moment(before, action, step, _NOTHING)):
        for key, _ in directory.records:
            marks.append(f"written {text_of(key)}")
            execution = before.executions.get(key)
            if execution is None:
                marks.append(f"written unclaimed {text_of(key)}")
            elif execution.boundary is None:
                marks.append(f"written as continued {text_of(key)}")
            elif execution.status in FROZEN:
                marks.append(f"written frozen {text_of(key)}")
    return tuple(marks)


_NOTHING = Ghost()
