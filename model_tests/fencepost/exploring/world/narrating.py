"""A world that is driven and told, for the course: what the controller asks for, and what it hears.

Nothing is drawn: a chapter says what happens, and prints what was seen since it last asked.
"""

from collections.abc import Callable
from typing import Any

from fencepost.exploring.world.controllers import cores_of, spec_named
from fencepost.exploring.world.doings import text_of
from fencepost.exploring.world.driving import Drive
from fencepost.exploring.world.parts import Standing
from fencepost.exploring.world.scope import Left
from fencepost.exploring.world.showing import shown
from fencepost_reference.model import Step
from fencepost_reference.receipts.controller import actions as controller
from fencepost_reference.receipts.controller import said
from fencepost_reference.world import World
from fencepost_reference.worlds import actions as a
from fencepost_reference.worlds.setting import Setting
from fencepost_spec.receipts.controller.spec import CONTROLLER
from fencepost_spec.vocabulary import Key

_UNANSWERED = "no answer yet"
_LOST = "lost"


class Narrator:
    """One run of a world with a controller, intended or with one fault, and what was seen of it.

    After what comes from outside, everybody does what they owe.
    """

    def __init__(self, fault: str | None = None, setting: Setting | None = None) -> None:
        here = Setting() if setting is None else setting
        spec = CONTROLLER if fault is None else spec_named(fault)
        self.drive = Drive(World(here, cores_of(here, spec)))
        self.drive.watchers.append(self._see)
        self._lines: list[str] = []
        self._sent: dict[str, int] = {}

    def give(self, action: Any, until: str = "") -> None:
        """Hand something to the controller."""
        self.does(a.Give(action), until)

    def works(self, rollout: str, attempt: int, *events: str) -> None:
        """A rollout takes some steps."""
        self.drive.works(Key(rollout, attempt), *events)
        self.drive.settle()

    def does(self, action: Any, until: str = "") -> None:
        """Something happens. With `until` it goes on only until that call has been made."""
        self.drive.do(action)
        if not until:
            self.drive.settle()
            return
        self._go_on(lambda: until in self.drive.state.net)

    def snapshot(self, until: str = "") -> None:
        """A snapshot is due, and whoever is asked to park parks."""
        self.drive.give(controller.SnapshotDue())
        self._go_on(lambda: bool(until) and until in self.drive.state.net)

    def fails_to_store(self, step: str) -> None:
        """A snapshot is due, and the disk fails at one step of writing it."""
        self.drive.give(controller.SnapshotDue())
        self._go_on(lambda: self._is_stored(step))
        self.drive.do(a.Write(False))
        self.drive.settle()

    def _is_stored(self, step: str) -> bool:
        writing = self.drive.state.writing
        return writing is not None and writing.storing.step == step and writing.done is None

    def _go_on(self, is_far_enough: Callable[[], bool]) -> None:
        """Everybody does what they owe, and who is asked to park parks, so far or to the end."""
        while not is_far_enough():
            action = self.drive.next_of_checkpoint()
            if action is None:
                return
            self.drive.do(action)

    def new(self) -> str:
        """What was seen since this was last asked: a line for each call, and what came of it."""
        lines, self._lines, self._sent = self._lines, [], {}
        return "\n".join(lines)

    def stands(self) -> str:
        """How controller, participants and disk stand."""
        standing = Standing(self.drive.state, Left(), self.drive.ghost)
        return shown(standing, self.drive.world.setting)

    def _see(self, _action: Any, step: Step) -> None:
        for output in step.outputs:
            match output:
                case controller.Sent():
                    self._sent[output.call] = len(self._lines)
                    self._lines.append(f"{output.call}: {_UNANSWERED}")
                case a.Returned():
                    self._answer(f"{output.call}: {_answered(output.answer)}", output.call)
                case controller.Training():
                    keys = " ".join(text_of(key) for key, _ in output.rows)
                    self._lines.append(f"hands over {output.group_id}: {keys}")
                case controller.Storing():
                    self._lines.append(f"stores {output.step} of snapshot {output.snapshot.number}")
                case controller.SnapshotEnded():
                    ended = "saved" if output.saved else f"not saved: {output.because}"
                    self._lines.append(f"snapshot {ended}")
                case _:
                    pass

    def _answer(self, line: str, call: str) -> None:
        """An answer stands where its call does, if that has not been told yet."""
        place = self._sent.pop(call, None)
        if place is None:
            self._lines.append(line)
        else:
            self._lines[place] = line


def _answered(answer: Any) -> str:
    """An answer in a few words."""
    if not isinstance(answer, said.Answer):
        return _LOST
    if not answer.ok:
        code = "" if answer.code is None else f" {answer.code}"
        return f"{answer.status}{code}{_in_the_way(answer.said)}"
    match answer.said:
        case said.Finished():
            return "its result"
        case said.Receipted():
            return "its receipt"
        case said.Readiness():
            ready = "ready" if answer.said.ready else "not ready"
            return f"{ready}{_in_the_way(answer.said)}"
        case said.Retired():
            if answer.said.unacknowledged:
                return "it has finished and is kept"
            return "it is stopped for good"
        case said.Released():
            return "let go " + " ".join(text_of(key) for key, _ in answer.said.receipts)
        case said.Committed() as wrote:
            keys = " ".join(text_of(one.key) for one in wrote.continuations)
            return f"wrote {keys or 'nothing that goes on'}"
        case said.Restored():
            return f"restored from {answer.said.source}"
        case _:
            return "done"


def _in_the_way(body: Any) -> str:
    if not isinstance(body, said.Readiness) or not body.unacknowledged:
        return ""
    return ", keeps " + " ".join(text_of(key) for key in body.unacknowledged)
