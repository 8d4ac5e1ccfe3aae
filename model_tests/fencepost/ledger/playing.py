"""Plays operations on a fresh ledger and shows the oracle every line, as it happens.

After each operation comes a report, so that what was refused is seen to have changed nothing.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import attrs

from fencepost import pulse
from fencepost.answers import report_of
from fencepost.driven import Played
from fencepost.faults import FencepostFault, ParticipantFault, UsageFault, named
from fencepost.fitting import require_writable
from fencepost.judges import Refusal
from fencepost.ledger.oracle import Oracle
from fencepost.ledger.participant import NEEDED, OPERATIONS, VERSION, LedgerParticipant, Refused
from fencepost.ledger.reading import decoded, encoded
from fencepost.ledger.report_shape import LedgerReport
from fencepost.making import Factory, claims_of, made_by, name_claimed, set_claimed
from fencepost.mismatch import is_object
from fencepost.trace.lines import Call, Fault, Header, Line, Reply, Report, Work
from fencepost.watch import Watch
from fencepost_reference.receipts.ledger import actions as a

NOT_LIVE = "not live"
DETAIL_MAX = 200


def make_ledger(factory: Factory) -> LedgerParticipant:
    """A new ledger, or a `ParticipantFault` when the factory makes none that can be used."""
    made: LedgerParticipant = made_by(factory, LedgerParticipant)
    name, claimed = claims_of(made, "name", "operations")
    name_claimed(name)
    operations = set_claimed(claimed, OPERATIONS, ("operation", "operations"))
    lacks = sorted(NEEDED - operations)
    if lacks:
        raise ParticipantFault(f"it has no {', '.join(lacks)}", "nothing can be tried without")
    return made


def header_of(ledger: LedgerParticipant, scenario: str, about: str) -> Header:
    """The header of a case."""
    settings: dict[str, Any] = {"rests": "reports"}
    if ledger.operations != OPERATIONS:
        settings["operations"] = sorted(ledger.operations)
    return Header("receipts", "ledger", ledger.name, VERSION, scenario, about, settings, ())


def line_of(call: a.Call) -> Call:
    """A call as a line of a trace."""
    request = encoded(call.request)
    if not call.cut and is_object(request):
        request = request | {"cut": NOT_LIVE}
    return Call(0, call.op, "", request)


class Session:
    """One case on one ledger, judged line by line."""

    def __init__(self, ledger: LedgerParticipant, header: Header, watch: Watch) -> None:
        self.ledger = ledger
        self.header = header
        self.oracle = Oracle(header)
        self.lines: list[Line] = []
        self.script: list[Line] = []
        self.refusal: Refusal | None = None
        self._watch = watch
        pulse.begin_case()
        self._do("start", ledger.start)

    @property
    def actions(self) -> int:
        """How many things the harness did."""
        return len(self.script)

    @property
    def over(self) -> bool:
        """Whether a line was refused."""
        return self.refusal is not None

    def perform(self, action: Line) -> None:
        """Let one action of a script happen, and look at the ledger after it."""
        self.script.append(action)
        if isinstance(action, Call):
            self._call(action)
        else:
            if isinstance(action, Fault):
                self._do("start", self.ledger.start)
            self._emit(action)
        if not self.over:
            report = encoded(self._do("report", self.ledger.report))
            self._emit(Report(0, report_of(report, LedgerReport)))

    def _call(self, action: Call) -> None:
        name = f"q{len(self.script)}"
        self._emit(attrs.evolve(action, id=name))
        asked = decoded(action.request)
        cut = not is_object(asked) or asked.pop("cut", None) != NOT_LIVE
        body: Any = None
        outcome: Any = "ok"
        try:
            body = self._do("call", lambda: self.ledger.call(action.op, asked, cut=cut))
        except Refused as refused:
            outcome = {"error": {"type": "Refused", "detail": str(refused)[:DETAIL_MAX]}}
        self._emit(Reply(0, name, None, encoded(body), outcome))

    def _do(self, what: str, work: Callable[[], Any]) -> Any:
        self._watch.doing(f"{what}()")
        try:
            return work()
        except (FencepostFault, Refused):
            raise
        except Exception as error:
            raise ParticipantFault(f"{what}() raised {named(error)}") from error
        finally:
            self._watch.doing("the harness")

    def _emit(self, line: Line) -> None:
        if self.over:
            return
        numbered = attrs.evolve(line, seq=len(self.lines) + 1)
        require_writable(numbered)
        self.lines.append(numbered)
        pulse.happened(numbered)
        self.refusal = self.oracle.feed(numbered)

    def played(self) -> Played:
        """What came of it."""
        lines, script = tuple(self.lines), tuple(self.script)
        return Played(self.header, lines, script, len(script), self.refusal, self.oracle)


def play(factory: Factory, header: Header, script: Iterable[Line], watch: Watch) -> Played:
    """Play a script on a fresh ledger."""
    session = Session(make_ledger(factory), header, watch)
    for action in script:
        if session.over:
            break
        session.perform(action)
    return session.played()


def script_of(lines: Sequence[Line], operations: frozenset[str]) -> list[Line]:
    """What the harness did in a trace, as far as a ledger with these operations can do it."""
    script: list[Line] = []
    for line in lines:
        if isinstance(line, Call):
            if line.op in operations and line.request is not None:
                script.append(line)
        elif isinstance(line, Work) or (isinstance(line, Fault) and line.name == "replace"):
            script.append(line)
    return script


def replayed(
    header: Header, lines: Sequence[Line], factory: Factory | None, watch: Watch
) -> Played:
    """A trace's operations on a ledger, the bundled one by default."""
    if factory is None:
        from fencepost.adapters.ledger import make

        factory = make
    if header.version != VERSION:
        raise UsageFault(
            f"a trace of {header.version} has other words than a ledger under test",
            "only a trace that `fencepost check ledger` has saved is replayed",
        )
    ledger = make_ledger(factory)
    own = header_of(ledger, header.scenario, f"again: {header.about}")
    session = Session(ledger, own, watch)
    for action in script_of(lines, ledger.operations):
        if not session.over:
            session.perform(action)
    return session.played()
