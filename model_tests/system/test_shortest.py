"""What is shown of a failure is the shortest run that shows it, and shows nothing else."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from immutables import Map

from fencepost.adapters.core import CoreAgent
from fencepost.agent.wording import action_texts
from fencepost.check_result import render_result
from fencepost.checking import check_agent
from fencepost.driven import Played
from fencepost.explaining import explain, rule_broken
from fencepost.faults import ParticipantFault
from fencepost.generating.stories import script_of
from fencepost.judging import judge_file
from fencepost.participant import Answer
from fencepost.playing import header_of, play_script
from fencepost.replay import replay_file
from fencepost.shrinking import shrunk
from fencepost.trace import write_trace
from fencepost.trace.lines import Call, Fault, JsonObject, Line, Report, Work
from fencepost.watch import Watch
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.changes import change

pytestmark = pytest.mark.slow

RETRIED = "completed_execution_acknowledgement_error"


class Keeps(CoreAgent):
    """Refuses every acknowledgement, whatever the receipt."""

    async def control(self, op: str, request: JsonObject, auth: str | None) -> Answer:
        """Answer a call."""
        if op == "acknowledge" and auth is None:
            return Answer(409, {"error": {"code": RETRIED}})
        return await super().control(op, request, auth)


class Forgets(CoreAgent):
    """Forgets after a restore which attempts are over."""

    def _apply(self, action: Any) -> None:
        restoring = self.state.fence.phase == "restoring"
        super()._apply(action)
        if restoring and self.state.fence.phase == "restored_paused":
            history = change(self.state.history, refused=Map(), watermark=Map())
            self.state = change(self.state, history=history)


class TakesAny(CoreAgent):
    """Releases a result by a receipt that was told before it was changed on purpose."""

    async def control(self, op: str, request: JsonObject, auth: str | None) -> Answer:
        """Answer a call."""
        answer = await super().control(op, request, auth)
        refused = answer.status == 409 and answer.body["error"]["code"] == RETRIED
        if op == "acknowledge" and refused and request["execution_generation"] == 2:
            return Answer(200, {"acknowledged": True, "idempotent": False})
        return answer


def test_a_receipt_is_rewritten_when_what_it_tells_has_changed() -> None:
    """Boundaries and processes before an acknowledgement go, and its receipt stays right."""
    result = check_agent(Keeps, budget=3_000)

    assert [step.split(" ")[0] for step in result.verdict.shortest] == [
        "run",
        "finish",
        "acknowledge",
        "reply",
    ]


def played(agent: Callable[[], CoreAgent], story: str) -> Played:
    """What comes of a story."""
    return play_script(agent, header_of(agent(), "told", "a story"), script_of(story), Watch())


def test_a_process_in_the_midst_goes_with_its_generation() -> None:
    """Two restores are shown by one, of an attempt that is as high as it has to be."""
    story = """
        run r1; prepare c1; boundary r1 1; commit c1 d1; replace; restore c2 d1; resume c2
        prepare c5; commit c5 d3; replace; restore c6 d3; resume c6; run r1
    """
    first = played(Forgets, story)
    assert rule_broken(first) == "R-RUN-4"

    verdict, best = explain(Forgets, first, Watch(), "forgets")

    assert verdict.rule is not None
    assert verdict.rule.id == "R-RUN-4"
    assert len(verdict.shortest) == 9
    assert best.actions == 8
    assert verdict.shortest[0] == "run r1 attempt 1"


def receipt_in(lines: Sequence[Line]) -> JsonObject:
    """The receipt of the last result that a report tells."""
    (entry,) = [line for line in lines if isinstance(line, Report)][-1].body["executions"]
    receipt: JsonObject = entry["completion_receipt"]
    return receipt


def test_what_was_wrong_on_purpose_stays_wrong() -> None:
    """A receipt with one field that is wrong is kept so, and its other fields are rewritten."""
    story = "run r1; boundary r1 0; prepare c1; boundary r1 1; resume c1; completed r1"
    told = receipt_in(played(CoreAgent, story).lines)
    wrong = Call(0, "acknowledge", "k", told | {"execution_generation": 2})
    header = header_of(TakesAny(), "told", "a story")
    first = play_script(TakesAny, header, [*script_of(story), wrong], Watch())

    verdict, best = explain(TakesAny, first, Watch(), "takes any")
    (given,) = (line.request for line in best.lines if isinstance(line, Call) and line.id == "k")
    assert given is not None

    assert [step.split(" ")[0] for step in verdict.shortest] == [
        "run",
        "finish",
        "acknowledge",
        "reply",
    ]
    assert told["terminal_model_call_id"] is not None  # As the boundaries are gone, it has none.
    assert given == receipt_in(best.lines) | {"execution_generation": 2}
    assert given["terminal_model_call_id"] is None


LONG = """
    run r1; boundary r1 0; prepare c1; boundary r1 1; commit c1 d1; resume c1; run r2; prepare c2
    boundary r1 2; boundary r2 0; commit c2 d2; replace; restore c3 d2; resume c3; run r2.1
    run r1.1; completed r2.1; prepare c4; resume c4; retire c5 r1.1
"""


def kept(needed: Callable[[Sequence[Line]], bool], story: str = LONG) -> list[str]:
    """What is left of a story by a failure that needs some lines, in words."""
    return action_texts(shrunk(script_of(story), needed))


def ops(lines: Sequence[Line]) -> list[str]:
    """The operations, events and faults of a script."""
    return [
        line.op if isinstance(line, Call) else line.event if isinstance(line, Work) else line.name
        for line in lines
        if isinstance(line, Call | Work | Fault)
    ]


def test_single_actions_are_left() -> None:
    """Of a long script two actions that do not touch each other are left, or one."""
    assert kept(lambda lines: {"retire", "finish"} <= set(ops(lines))) == [
        "finish completed",
        "retire c5 r1",
    ]
    assert len(kept(lambda lines: "commit" in ops(lines))) == 1


def test_two_steps_that_only_go_together_go() -> None:
    """A failure that needs as many resumes as prepares keeps neither."""

    def balanced(lines: Sequence[Line]) -> bool:
        found = ops(lines)
        return "retire" in found and found.count("prepare") == found.count("resume")

    assert kept(balanced) == ["retire c5 r1"]


def test_all_that_is_about_a_rollout_goes_together() -> None:
    """A failure that needs all or nothing of a rollout does without it."""
    about_r2 = sum("r2" in text for text in action_texts(script_of(LONG)))

    def whole(lines: Sequence[Line]) -> bool:
        left = sum("r2" in text for text in action_texts(lines))
        return "retire" in ops(lines) and left in (0, about_r2)

    assert kept(whole) == ["retire c5 r1"]


def test_points_of_rest_stay() -> None:
    """No two actions that had come to rest between them are left without one."""
    left = shrunk(script_of(LONG), lambda lines: {"run", "finish", "retire"} <= set(ops(lines)))

    assert [isinstance(line, Report) for line in left] == [False, True] * 3


def test_one_of_two_actions_of_a_turn_goes() -> None:
    """Of two actions without a rest between them each may go alone."""
    script = [line for line in script_of(LONG) if not isinstance(line, Report)]

    left = shrunk(script, lambda lines: {"retire", "restore"} <= set(ops(lines)))

    assert ops(left) == ["restore", "retire"]


def test_attempts_begin_at_0() -> None:
    """Where higher attempts show no more they are lowered."""
    story = "run r1.2; boundary r1.2 0; retire c1 r1.2"

    assert kept(lambda lines: ops(lines) == ["run", "boundary", "retire"], story) == [
        "run r1",
        "boundary 0",
        "retire c1 r1",
    ]


def test_nothing_is_played_after_its_time() -> None:
    """A run that takes long is shown as it is."""
    script = script_of(LONG)

    assert shrunk(script, lambda _lines: True, seconds_max=0.0) == script


@pytest.mark.parametrize("spoilt", [{"not": "this"}, None, 7, "", [], "x" * 999])
def test_a_run_with_malformed_bodies_is_shortened_too(spoilt: object) -> None:
    """Whatever stands where a name or a list is wanted, the actions about it are played again."""
    receipt = {"rollout_id": spoilt, "attempt_index": spoilt, "result_digest": spoilt}
    named = {"checkpoint_id": spoilt, "checkpoint_dir": spoilt, "deadline_in": spoilt} | receipt
    malformed: list[Line] = [
        Call(0, "retire", "a", named),
        Call(0, "restore", "b", named),
        Call(0, "acknowledge", "c", receipt),
        Call(0, "acknowledge-completed", "d", {"executions": spoilt}),
        Call(0, "acknowledge-completed", "e", {"executions": [spoilt, receipt]}),
        Call(0, "run", "f", {"_ng_rollout_id": spoilt, "_ng_attempt_index": spoilt}),
        *script_of("run r2; completed r2; run r1.1; boundary r1.1 0; retire c9 r1.1"),
    ]
    header = header_of(Keeps(), "told", "a story")
    told = receipt_in(played(CoreAgent, "run r1; completed r1").lines)
    last = [*script_of("run r1; completed r1"), Call(0, "acknowledge", "k", told)]
    first = play_script(Keeps, header, [*malformed, *last], Watch())
    assert first.refusal is not None

    verdict, _ = explain(Keeps, first, Watch(), "keeps")

    assert len(verdict.shortest) <= 4


class RaisesLate(CoreAgent):
    """Raises in a boundary of a second checkpoint."""

    def _apply(self, action: Any) -> None:
        super()._apply(action)
        late = isinstance(action, a.Work) and action.event == "boundary"
        if late and self.state.fence.active is not None and self.state.history.finished:
            raise ZeroDivisionError("late")


def test_a_run_that_could_not_go_on_is_shortened(tmp_path: Path) -> None:
    """The saved lines are the fewest that raise again, the event that raised among them."""
    result = check_agent(RaisesLate, budget=6_000)
    assert result.verdict.kind == "harness"
    assert result.counterexample is not None
    assert [text.split()[0] for text in result.last_actions] == [
        "resume",
        "run",
        "prepare",
        "boundary",
    ]
    header, lines = result.counterexample
    path = tmp_path / "raised.ndjson"
    write_trace(path, header, lines)

    assert "could not be run" in header.about
    assert "ZeroDivisionError: late" in header.about
    assert judge_file(path).kind == "conforms"  # Of what it shows nothing is wrong.
    with pytest.raises(ParticipantFault, match="ZeroDivisionError: late"):
        replay_file(path, RaisesLate)


class Storage(CoreAgent):
    """Raises when its storage is held while work is parked."""

    async def hold(self, op: str) -> None:
        """Hold the storage of an operation."""
        if self.state.executions:
            raise OSError(f"cannot hold {op}")
        await super().hold(op)


def test_an_action_that_raises_at_once_is_in_the_shortened_run(tmp_path: Path) -> None:
    """A fault that cannot be put in is the last of the saved lines."""
    result = check_agent(Storage, budget=6_000, seed=1)
    assert result.verdict.kind == "harness", render_result(result)
    assert result.counterexample is not None
    path = tmp_path / "raised.ndjson"
    write_trace(path, *result.counterexample)

    assert [text.split()[0] for text in result.last_actions] == ["run", "hold"]
    with pytest.raises(ParticipantFault, match="cannot hold"):
        replay_file(path, Storage)
