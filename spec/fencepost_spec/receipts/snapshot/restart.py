"""Which restored continuations go on, and which are given up before admission opens.

A ladder: the first check that holds gives the continuation up, and when none does it is kept. May
import: operation, the facts of continuations, refusals, sources.
"""

from typing import Final

import attrs

from fencepost_spec.operation import Check, Condition
from fencepost_spec.receipts.snapshot import continuation_facts as c
from fencepost_spec.receipts.snapshot.refusals import DISCARD
from fencepost_spec.receipts.snapshot.sources import DECISION, RL_4117, RL_4266, fact
from fencepost_spec.rule import Rule, Source


def _rule(number: int, says: str, source: Source, *facts: str) -> Rule:
    return Rule(f"R-SNR-{number}", says, source, fact(*facts))


def _discard(number: int, when: Condition, says: str, source: Source, *facts: str) -> Check:
    return Check(_rule(number, says, source, *facts), when, DISCARD)


@attrs.frozen
class RestartRules:
    """What is given up, what becomes of the rest, and what becomes of staged rows and groups."""

    discard: tuple[Check, ...]
    kept: Rule
    rows: Rule
    canonical: Rule

    def rules(self) -> tuple[Rule, ...]:
        """Every rule, in reading order."""
        return (*(check.rule for check in self.discard), self.kept, self.rows, self.canonical)


RESTART: Final = RestartRules(
    discard=(
        _discard(1, c.has_no_owner,
                 "a continuation that no unfinished attempt owns is given up, and not ignored",
                 DECISION, "X5", "4.2", "4.3"),
        _discard(2, c.level_is_above_turns,
                 "where recovery does not go down to turns, work starts again from the prompt",
                 DECISION, "4.3", "2.7"),
        _discard(3, c.relies_on_what_restarts,
                 "what relied on a resources server that only restarts begins again at the prompt",
                 RL_4117, "4.3", "I27"),
        _discard(4, c.may_rely_on_what_restarts,
                 "what may have relied on a resources server that only restarts begins again too",
                 RL_4117, "4.3", "I27"),
    ),
    kept=_rule(10, "every other continuation goes on, as the next attempt of its rollout",
               RL_4266, "4.3", "I26", "I27", "1.7"),
    rows=_rule(11, "staged rows that nothing relies on any more are deleted",
               RL_4266, "4.1", "4.3"),
    canonical=_rule(12, "a restored group that training owns already is let go",
                    RL_4266, "4.1", "I9"),
)  # fmt: skip
"""What a restart must keep and give up."""
