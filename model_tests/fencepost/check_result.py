"""What checking a participant found out, for people and for programs.

The verdict is about rules; what stands beside it says how much was tried, so that a run that tried
nothing can never look like a success.
"""

import attrs

from fencepost.layout import WIDTH, render_list, render_row
from fencepost.trace.lines import Header, JsonObject, Line
from fencepost.verdict import Verdict, exit_code, verdict_as_json
from fencepost.verdict_text import render_text
from fencepost.xfail import KnownFailure


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

    @property
    def exit_code(self) -> int:
        """The verdict's, but no success without a case, nor with a known failure that passed."""
        code = exit_code(self.verdict)
        if code == 0 and self.cases == 0:
            return 3
        return 1 if code == 0 and self.repaired else code


def result_as_json(result: CheckResult) -> JsonObject:
    """A result for programs: every key is always there, in this order."""
    return {
        **verdict_as_json(result.verdict),
        "exit_code": result.exit_code,
        "participant": result.participant,
        "seed": result.seed,
        "profile": result.profile,
        "cases": result.cases,
        "actions": result.actions,
        "seconds": round(result.seconds, 3),
        "must_total": result.must_total,
        "must_exercised": result.must_exercised,
        "not_exercised": [attrs.asdict(each) for each in result.not_exercised],
        "known": [attrs.asdict(each) for each in result.known],
        "repaired": [attrs.asdict(each) for each in result.repaired],
        "where": list(result.where),
        "last_actions": list(result.last_actions),
    }


def render_result(result: CheckResult, *, colour: bool = False, width: int = WIDTH) -> str:
    """A result in plain text, the verdict first."""
    verdict = attrs.evolve(result.verdict, rules_exercised=())
    share = f"{result.must_exercised} of {result.must_total} must rules"
    tried = f"{result.cases:,} cases, {result.actions:,} actions in {result.seconds:.1f} s"
    rows = [
        render_text(verdict, colour=colour, width=width),
        *_fault_rows(result, width),
        render_row("exercised", share, width),
        render_row("tried", tried, width),
        render_row("seed", f"{result.seed}, profile {result.profile}", width),
    ]
    if result.cases == 0:
        rows.append(render_row("inconclusive", "no case was tried", width))
    if result.not_exercised:
        names = [f"{each.rule_id} ({each.why})" for each in result.not_exercised]
        rows.append(render_list("not exercised", names, width, most=100))
    rows += [render_row("known failure", f"{e.rule_id}: {e.reason}", width) for e in result.known]
    rows += [
        render_row("no failure any more", f"{e.rule_id}: take it off the list ({e.reason})", width)
        for e in result.repaired
    ]
    return "\n".join(rows)


def _fault_rows(result: CheckResult, width: int) -> list[str]:
    """Where a participant that could not be run went wrong, and what was done before."""
    rows = raised_rows(result.where, width)
    if result.last_actions:
        rows.append(render_list("last actions", result.last_actions, width))
    return rows


def raised_rows(where: tuple[str, ...], width: int) -> list[str]:
    """The frames of an adapter, one under the other."""
    return [
        render_row("" if number else "raised at", frame, width)
        for number, frame in enumerate(where)
    ]
