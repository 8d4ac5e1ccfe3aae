"""`check_ledger`: drives a ledger through many short lives and judges everything that it does.

Each case is a fresh ledger. The first failure that is not known is played again, shorter and
shorter, until nothing can be left out.
"""

from collections.abc import Sequence
from random import Random

from fencepost.check_result import CheckResult
from fencepost.checked import Asked, Checked, Progress
from fencepost.driven import Played
from fencepost.explaining import Options, explain
from fencepost.faults import FencepostFault
from fencepost.ledger.drawing import Action, Drawer, Finished
from fencepost.ledger.evidence import why_not, with_properties
from fencepost.ledger.playing import Session, header_of, line_of, make_ledger, play
from fencepost.ledger.samples import completion
from fencepost.ledger.telling import told
from fencepost.ledger.wording import step_texts
from fencepost.making import Factory
from fencepost.trace.lines import Fault, Line, Work
from fencepost.verdict import Verdict
from fencepost.watch import Watch
from fencepost.xfail import KnownFailure
from fencepost_reference.receipts.ledger.actions import Call, Replace

WORLD_ACTIONS = 60
"""How long a life goes on."""


def check_ledger(
    adapter: Factory | None = None,
    seed: int = 0,
    budget: int | None = None,
    profile: str = "quick",
    xfail: Sequence[KnownFailure] = (),
    progress: Progress | None = None,
    watch: Watch | None = None,
    options: Options | None = None,
) -> CheckResult:
    """Check a ledger. Whatever the adapter does, there is a result."""
    asked = Asked(adapter, seed, budget, profile, xfail, progress, watch, options)
    return _Check(asked, _bundled()).conclude()


def _bundled() -> Factory:
    from fencepost.adapters.ledger import make

    return make


def script_line(action: Action) -> Line:
    """An action as a line of a script."""
    if isinstance(action, Replace):
        return Fault(0, "replace", "kept", {})
    if isinstance(action, Finished):
        key = action.key
        detail = {"completion_receipt": completion(key)}
        return Work(0, "completed", key.rollout_id, key.attempt, detail, "ok")
    return line_of(action)


class _Check(Checked):
    """One run of `check_ledger`, and what it has found out so far."""

    kind = "ledger"

    def __init__(self, asked: Asked, bundled: Factory) -> None:
        super().__init__(asked, bundled)
        self._told: list[list[Action]] = []

    def meet(self) -> None:
        """Make a ledger, and read what it is called and can do."""
        made = make_ledger(self.factory)
        self.name, self.able = made.name, made.operations
        self._told = [
            [one for one in case if not isinstance(one, Call) or one.op in self.able]
            for case in told()
        ]

    def why_not(self, rule_id: str) -> str:
        """Why a rule was not exercised, in few words."""
        return why_not(rule_id, self.able)

    def texts(self, lines: Sequence[Line]) -> Sequence[str]:
        """The actions among some lines, in words."""
        return step_texts(lines)

    def everything_used(self) -> set[str]:
        """The rules that were used, and those that are used with them."""
        return self.used | with_properties(self.used)

    def is_spent(self, number: int, played: Played) -> bool:
        """Whether also what is drawn does nothing."""
        return not played.actions and number > len(self._told)

    def lines_to(self, fault: FencepostFault) -> tuple[Line, ...]:
        """What led to a fault in the case that was running."""
        del fault
        return tuple(self.driver.lines)

    def shorter(self, played: Played) -> tuple[Verdict, Played]:
        """The verdict on a failure, told by the shortest run that shows it."""
        return explain(self.factory, played, self.watch, self.name, play)

    def play(self, number: int) -> Played:
        """One case: first what is told, then what is drawn."""
        case = self._told[number] if number < len(self._told) else None
        self.watch.doing("the factory")
        ledger = make_ledger(self.factory)
        about = "a case that was drawn" if case is None else "a case that is always tried"
        header = header_of(ledger, f"seed {self.options.seed}, case {number}", about)
        self.driver = session = Session(ledger, header, self.watch)
        left = self.limits.actions - self.actions
        if case is not None:
            for action in case[:left]:
                if not session.over:
                    session.perform(script_line(action))
            return session.played()
        random = Random(f"{self.options.seed}:{number}")  # noqa: S311  # chooses, no secret
        drawer = Drawer(random, self.able, self.used)
        for _ in range(min(WORLD_ACTIONS, left)):
            if session.over:
                break
            session.perform(script_line(drawer.draw(session.oracle.state)))
        return session.played()
