"""A refusal, stated by the oracle on the whole trace from its first line."""

import attrs

from fencepost.agent.oracle import Oracle
from fencepost.faults import HarnessFault
from fencepost.mutants.judge import HEADER
from fencepost.mutants.lockstep import Found
from fencepost.mutants.mutant import Mutant
from fencepost.trace import Call, Line, Lost, Reply, renumber


def lines_of(found: Found) -> tuple[Line, ...]:
    """The trace of a refusal: lines counted from 1, every call with an id of its own."""
    names: dict[str, str] = {}
    lines: list[Line] = []
    calls = 0
    for told in found.told:
        line = told.line()
        if isinstance(line, Call):
            calls += 1
            names[line.id] = f"q{calls}"
        if isinstance(line, Call | Reply | Lost):
            line = attrs.evolve(line, id=names[line.id])
        lines.append(line)
    return tuple(renumber(lines))


def stated(found: Found) -> Found:
    """The same refusal as the oracle states it when it reads the trace alone."""
    lines = lines_of(found)
    refusal = Oracle(HEADER).feed_all(lines)
    if refusal is None or refusal.line.seq != len(lines):
        where = "nowhere" if refusal is None else f"at line {refusal.line.seq}"
        raise HarnessFault(
            f"read alone, a trace is refused {where} and not at line {len(lines)}",
            " · ".join(found.sequence),
        )
    return attrs.evolve(found, mismatch=refusal.mismatch)


def names_the_fault(mutant: Mutant, found: Found) -> bool:
    """Whether the rule that was broken states what the mutant does wrong."""
    rule = found.mismatch.rule
    if rule is None:
        return False
    if mutant.mechanical:
        return rule.id == mutant.cites[0]
    return bool({rule.id, *rule.facts} & set(mutant.cites))
