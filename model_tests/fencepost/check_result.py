"""What checking a participant found out, for people and for programs.

The verdict is about rules; what stands beside it says how much was tried, so that a run that tried
nothing can never look like a success.
"""

from collections import Counter

import attrs

from fencepost.blame import frames_of
from fencepost.evidence import UNREACHABLE
from fencepost.faults import FencepostFault
from fencepost.layout import WIDTH, clean, paint, render_list, render_row
from fencepost.trace.lines import Header, JsonObject, Line
from fencepost.verdict import (
    Verdict,
    exit_code,
    raised_as_json,
    verdict_as_json,
    verdict_of_fault,
)
from fencepost.verdict_text import raised_rows, render_text
from fencepost.xfail import KnownFailure
from fencepost_spec.wording import counted

NEEDS = "needs "
IMPOSSIBLE = "no case can come to it"
IDS_MAX = 4
LACKED_MAX = 8


@attrs.frozen
class NotExercised:
    """A rule that no case has used, and why."""

    rule_id: str
    why: str


@attrs.frozen
class CheckResult:
    """One run of `fencepost check`."""

    verdict: Verdict
    participant: str
    seed: int
    profile: str
    cases: int
    actions: int
    seconds: float
    must_total: int
    must_exercised: int
    not_exercised: tuple[NotExercised, ...] = ()
    known: tuple[KnownFailure, ...] = ()
    # Known failures that did not happen: the file that lists them is out of date.
    repaired: tuple[KnownFailure, ...] = ()
    # The shortest run that shows the failure, ready to be written and replayed.
    counterexample: tuple[Header, tuple[Line, ...]] | None = None
    # Of a participant that could not be run: its own frames, and what was done before.
    where: tuple[str, ...] = ()
    last_actions: tuple[str, ...] = ()
    traceback: str = ""
    # How many actions were allowed, and whether the time ended before they did.
    actions_most: int = 0
    stopped_by_time: bool = False
    # Whether nothing cut the cases short, so that what they did not come to means something.
    finished: bool = True
    # How many cases could not be brought to rest at their end, by the operation that was wanting.
    unrested: tuple[tuple[str, int], ...] = ()

    @property
    def judged(self) -> Verdict:
        """The verdict on the whole run: no success without a case, nor with a list that is wrong.

        Text, JSON and the exit code all tell this one.
        """
        if self.verdict.kind != "conforms":
            return self.verdict
        if self.cases == 0:
            return attrs.evolve(self.verdict, kind="inconclusive", reason="no case was tried")
        if self.repaired:
            names = ", ".join(each.rule_id for each in self.repaired)
            reason = f"it conforms, and the list of known failures still has {names}"
            return attrs.evolve(self.verdict, kind="out_of_date", reason=reason)
        return self.verdict

    @property
    def exit_code(self) -> int:
        """The exit code of a check."""
        return exit_code(self.judged)


def result_of_fault(
    fault: FencepostFault, name: str, seed: int, profile: str, musts: int
) -> CheckResult:
    """The result when a fault kept a check from beginning, or from telling what it found."""
    verdict = verdict_of_fault(fault, name)
    return CheckResult(
        verdict,
        name,
        seed,
        profile,
        0,
        0,
        0.0,
        musts,
        0,
        where=frames_of(fault),
        last_actions=fault.last_actions,
    )


def result_as_json(result: CheckResult) -> JsonObject:
    """A result for programs: every key is always there, in this order."""
    return {
        **verdict_as_json(result.judged),
        "participant": result.participant,
        "seed": result.seed,
        "profile": result.profile,
        "cases": result.cases,
        "actions": result.actions,
        "actions_most": result.actions_most,
        "stopped_by_time": result.stopped_by_time,
        "seconds": round(result.seconds, 3),
        "must_total": result.must_total,
        "must_exercised": result.must_exercised,
        "not_exercised": [attrs.asdict(each) for each in result.not_exercised],
        "not_brought_to_rest": dict(result.unrested),
        "known": [attrs.asdict(each) for each in result.known],
        "repaired": [attrs.asdict(each) for each in result.repaired],
        "where": list(result.where),
        "raised": raised_as_json(result.verdict),
        "last_actions": list(result.last_actions),
    }


def render_result(result: CheckResult, *, colour: bool = False, width: int = WIDTH) -> str:
    """A result in plain text, the verdict first."""
    share = f"{result.must_exercised} of {result.must_total} must rules"
    cases, actions = counted(result.cases, "case"), counted(result.actions, "action")
    tried = f"{cases}, {actions} in {result.seconds:.1f} s"
    rows = [
        *_verdict_rows(result, colour=colour, width=width),
        *_fault_rows(result, width),
        render_row("exercised", share, width),
        render_row("tried", tried, width),
    ]
    if result.stopped_by_time:
        most = f"after {result.actions:,} of {counted(result.actions_most, 'action')}"
        rows.append(render_row("stopped by time", most, width))
    rows.append(render_row("seed", f"{result.seed}, profile {result.profile}", width))
    if result.finished and result.verdict.kind in ("conforms", "inconclusive"):
        rows += _unrested_rows(result.unrested, width)
        rows += _not_exercised_rows(result.not_exercised, width)
    rows += [render_row("known failure", f"{e.rule_id}: {e.reason}", width) for e in result.known]
    rows += [
        render_row("no failure any more", f"{e.rule_id}: take it off the list ({e.reason})", width)
        for e in result.repaired
    ]
    return "\n".join(rows)


def _verdict_rows(result: CheckResult, *, colour: bool, width: int) -> list[str]:
    """The rows of the verdict; the first one says what the exit code says."""
    verdict = attrs.evolve(result.judged, rules_exercised=())
    text = render_text(verdict, colour=colour, width=width)
    if verdict.kind == "conforms" and result.known:
        _, *rest = render_text(verdict, width=width).split("\n")
        failures = counted(len(result.known), "known failure")
        head = paint(f"conforms but for {failures}", "green", on=colour)
        return [f"{head}  {clean(verdict.file)}", *rest]
    return [text]


def _unrested_rows(unrested: tuple[tuple[str, int], ...], width: int) -> list[str]:
    """Cases at whose end something was left that no operation of the participant could end."""
    told = [f"{counted(count, 'case')} for want of {op}" for op, count in unrested]
    return [render_list("not brought to rest", told, width)] if told else []


def _not_exercised_rows(missed: tuple[NotExercised, ...], width: int) -> list[str]:
    """How many rules were not exercised, by kind of reason, with a few of their ids."""
    needs = Counter(each.why.removeprefix(NEEDS) for each in missed if each.why.startswith(NEEDS))
    rows: list[str] = []
    if needs:
        lacked = [f"{name} {count}" for name, count in needs.most_common()]
        rows.append(f"needs what it cannot do: {_few(lacked, needs.total(), LACKED_MAX)}")
    others: dict[str, list[str]] = {}
    for each in missed:
        if not each.why.startswith(NEEDS):
            impossible = each.rule_id in UNREACHABLE
            others.setdefault(IMPOSSIBLE if impossible else each.why, []).append(each.rule_id)
    rows += [f"{why}: {_few(ids, len(ids), IDS_MAX)}" for why, ids in others.items()]
    return [
        render_row("" if number else "not exercised", row, width) for number, row in enumerate(rows)
    ]


def _few(names: list[str], count: int, most: int) -> str:
    shown = ", ".join(names[:most]) + (", …" if len(names) > most else "")
    return f"{counted(count, 'rule')} ({shown})"


def _fault_rows(result: CheckResult, width: int) -> list[str]:
    """Where a participant that could not be run went wrong, and what was done before."""
    rows = raised_rows(result.where, width)
    if result.last_actions:
        rows.append(render_list("last actions", result.last_actions, width))
    return rows
