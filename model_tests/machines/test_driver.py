"""The driver writes down what happens, in the order in which it happens, and nothing else."""

from collections.abc import Sequence
from random import Random

import pytest

from fencepost.adapters.core import CoreAgent
from fencepost.adapters.runtime import RuntimeAgent
from fencepost.driven import REST, Played
from fencepost.driver import Driver
from fencepost.generating.stories import script_of
from fencepost.generator import Generator
from fencepost.judging import refused
from fencepost.making import Factory
from fencepost.participant import Participant
from fencepost.playing import header_of, play, play_script
from fencepost.trace.lines import Call, Fault, Line, Lost, Reply, Report, Returned, Work
from fencepost.verdict_text import render_text
from fencepost.watch import Watch


class PromptCore(CoreAgent):
    """A core that never parks held work again where it stands."""

    def __init__(self) -> None:
        super().__init__(spare=True)


ADAPTERS: tuple[Factory, ...] = (PromptCore, RuntimeAgent)


def played(script: Sequence[Line], factory: Factory = PromptCore) -> Played:
    """Play a script on a new participant, which must conform."""
    header = header_of(factory(), "driver", "what the driver writes down")
    result = play_script(factory, header, script, Watch())
    if result.refusal is not None:
        verdict = refused(result.header, result.lines, result.refusal, result.oracle, "driver")
        pytest.fail(render_text(verdict))
    return result


def shown(lines: Sequence[Line]) -> list[str]:
    """Each line in one word or two; reports are left out."""
    words: list[str] = []
    for line in lines:
        match line:
            case Call():
                words.append(f"call {line.op}")
            case Reply():
                words.append(f"reply {line.status}")
            case Lost():
                words.append(f"lost {line.how}")
            case Work():
                outcome = line.outcome if isinstance(line.outcome, str) else line.outcome["code"]
                words.append(f"{line.event} {outcome}")
            case Returned():
                outcome = line.outcome if isinstance(line.outcome, str) else line.outcome["code"]
                words.append(f"returned {outcome}")
            case Fault():
                words.append(line.name)
            case _:
                continue
    return words


@pytest.mark.parametrize("factory", ADAPTERS)
def test_a_run_is_shown_from_its_call_to_its_answer(factory: Factory) -> None:
    """The call comes first, then the handler begins and ends, then the answer leaves."""
    lines = played(script_of("run r1; completed r1"), factory).lines

    assert shown(lines) == ["call run", "begin ok", "finish ok", "reply 200"]


@pytest.mark.parametrize("factory", ADAPTERS)
def test_an_event_that_parks_waits_and_returns_after_resume(factory: Factory) -> None:
    """A held boundary is written down as waiting, and its return comes after the resume."""
    words = shown(
        played(
            script_of("run r1; boundary r1 0; prepare c1; boundary r1 1; resume c1"), factory
        ).lines
    )

    assert words[-6:-2] == ["call prepare", "boundary waits", "reply 200", "call resume"]
    assert sorted(words[-2:]) == ["reply 200", "returned ok"]


@pytest.mark.parametrize("factory", ADAPTERS)
def test_two_calls_of_one_turn_arrive_before_anything_that_they_wake(factory: Factory) -> None:
    """With no rest between them, prepare arrives before the work that resume woke goes on."""
    parked = script_of("run r1; boundary r1 0; prepare c1; boundary r1 1")
    resume, prepare = (line for line in script_of("resume c1; prepare c2") if line is not REST)

    words = shown(played([*parked, named(resume, "a"), named(prepare, "b")], factory).lines)

    assert words.index("call prepare", words.index("call resume")) < words.index("returned ok")


def named(line: Line, call_id: str) -> Line:
    """The call under another id."""
    assert isinstance(line, Call)
    return Call(0, line.op, call_id, line.request)


@pytest.mark.parametrize("factory", ADAPTERS)
def test_a_caller_that_goes_away_gets_no_answer(factory: Factory) -> None:
    """The lost reply is written down at once, and no other reply of that call follows."""
    lines = played(script_of("run r1; boundary r1 0; gone r1; cancelled r1"), factory).lines
    answers = [line for line in lines if isinstance(line, Reply | Lost)]

    assert [type(line) for line in answers] == [Lost]


@pytest.mark.parametrize("factory", ADAPTERS)
def test_every_call_that_is_open_at_a_crash_is_lost(factory: Factory) -> None:
    """A replaced process answers nobody, and its handlers are never heard of again."""
    words = shown(played(script_of("run r1; run r2; boundary r1 0; replace"), factory).lines)

    assert words[-3:] == ["replace", "lost disconnected", "lost disconnected"]


@pytest.mark.parametrize("factory", ADAPTERS)
def test_a_cancelled_handler_ends_when_it_is_told_to(factory: Factory) -> None:
    """Retire is answered only after the handler, which takes its time, has stopped."""
    words = shown(played(script_of("run r1; retire c1 r1; cancelled r1"), factory).lines)

    assert words[-4] == "call retire"
    assert words[-3] == "finish ok"
    assert "reply 200" in words[-2:]


@pytest.mark.parametrize("factory", ADAPTERS)
def test_a_held_handler_can_fail(factory: Factory) -> None:
    """A failure reported while an event is held ends the run, and the event is cancelled."""
    words = shown(
        played(
            script_of("run r1; boundary r1 0; prepare c1; boundary r1 1; failed r1"), factory
        ).lines
    )

    assert "finish ok" in words
    assert "returned cancelled" in words[words.index("finish ok") :]


READS = {
    "a commit finds another checkpoint": """
        fail read; prepare c2; boundary r1 2; commit c2 d1; resume c2
    """,
    "a commit finds its own": """
        prepare c2; boundary r1 2; fail after_manifest; commit c2 d2
        fail read; commit c2 d2; resume c2
    """,
    "a commit looks for what it left": """
        prepare c2; boundary r1 2; fail after_manifest; fail read; commit c2 d2; resume c2
    """,
    "a restore finds nothing": "fail read; retire c7 r1; cancelled r1; restore c7 nowhere",
    "a restore finds it whole": "fail read; retire c7 r1; cancelled r1; restore c7 d1",
    "told twice": "fail read; fail read; retire c7 r1; cancelled r1; restore c7 d1",
}


@pytest.mark.parametrize("factory", [CoreAgent, *ADAPTERS])
@pytest.mark.parametrize("story", READS)
def test_a_failure_of_reading_meets_whoever_reads_first(story: str, factory: Factory) -> None:
    """Whether an operation reads at all is its own affair; the next one that must meets it."""
    before = "run r1; boundary r1 0; prepare c1; boundary r1 1; commit c1 d1; resume c1; "
    after = (
        "; retire c8 r1; cancelled r1; restore c8 d1; resume c8; restore c9 d1; resume c9; run r1.1"
    )

    words = shown(played(script_of(before + READS[story] + after), factory).lines)

    assert words[-2:] == ["call run", "begin ok"]


def test_an_action_that_cannot_happen_is_neither_shown_nor_counted() -> None:
    """A boundary of a handler that does not run, or a caller that does not wait, is nothing."""
    script: list[Line] = [
        *script_of("boundary r1 0"),
        Lost(0, "nobody", "cancelled"),
        Fault(0, "no such fault", None, {}),
    ]

    result = played(script)

    assert result.actions == 0
    assert [type(line) for line in result.lines] == [Report, Report]


def test_each_point_of_rest_has_a_report() -> None:
    """A script with three points of rest leads to three reports, none of them moving."""
    reports = [
        line
        for line in played(script_of("run r1; boundary r1 0; completed r1")).lines
        if isinstance(line, Report)
    ]

    assert [report.moving for report in reports] == [False, False, False]


def random_world(factory: Factory, seed: int, actions: int = 60) -> Played:
    """A world of random actions, brought to rest."""

    async def doing(driver: Driver) -> bool:
        generator = Generator(driver, Random(seed))
        while driver.actions < actions and not driver.record.over:
            await generator.act()
        return await generator.wind_down()

    return play(factory, None, doing, Watch(), scenario=f"seed {seed}")


WORLDS: dict[str, Factory] = {
    "core": CoreAgent,
    "core that does only what it must": PromptCore,
    "runtime": RuntimeAgent,
    "runtime that parks in place": lambda: RuntimeAgent(park_in_place=True),
}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", WORLDS)
def test_a_random_world_conforms_and_comes_to_rest(name: str, seed: int) -> None:
    """No line of a participant that is right is refused, and its last prepare succeeds."""
    result = random_world(WORLDS[name], seed)

    if result.refusal is not None:
        verdict = refused(result.header, result.lines, result.refusal, result.oracle, name)
        pytest.fail(render_text(verdict))
    assert result.complete
    assert result.inconclusive is None


@pytest.mark.parametrize("factory", [CoreAgent, RuntimeAgent])
def test_the_same_script_leads_to_the_same_lines(factory: Factory) -> None:
    """What a random world did, played again on an equal participant, is told in equal lines."""
    first = random_world(factory, 7)
    again = play_script(factory, first.header, first.script, Watch())

    assert again.lines == first.lines


def test_what_is_proposed_can_happen() -> None:
    """Every action that was chosen happened: nothing is drawn in vain."""
    performed: list[bool] = []

    class Counting(Driver):
        async def perform(self, action: Line) -> bool:
            performed.append(await super().perform(action))
            return performed[-1]

    async def doing(driver: Driver) -> bool:
        driver.__class__ = Counting
        generator = Generator(driver, Random(11))
        while driver.actions < 200 and not driver.record.over:
            await generator.act()
        return True

    play(CoreAgent, None, doing, Watch(), scenario="counted")

    assert sum(performed) >= 0.97 * len(performed)


class RealTime(RuntimeAgent):
    """The runtime on a clock that nobody holds."""

    virtual = False


def test_time_that_passes_by_itself_is_told_before_the_answer_that_it_decides() -> None:
    """A prepare that a real deadline ends is preceded by the time that it took."""
    result = played(script_of("run r1; prepare c1 soon; tick; resume c1; cancelled r1"), RealTime)

    assert any(getattr(line, "microseconds", 0) == 1_000_000 for line in result.lines)
    assert "reply 409" in shown(result.lines)


def test_participants_are_made_anew_for_each_world() -> None:
    """Two worlds of one factory share nothing."""
    made: list[Participant] = []

    def factory() -> Participant:
        made.append(PromptCore())
        return made[-1]

    played(script_of("run r1; completed r1"), factory)
    played(script_of("run r1; completed r1"), factory)

    assert len(set(map(id, made))) == len(made) >= 2
