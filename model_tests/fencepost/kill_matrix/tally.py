"""What the rows of a kill matrix say together: counts, and which rules were broken."""

from collections.abc import Iterable

import attrs

from fencepost.kill_matrix.row import Row, Status
from fencepost_spec.rule import Level, Rule


@attrs.frozen
class Tally:
    """Counts by status, and the rules by how they fared.

    `named`: the oracle names them in a refusal. `noticed`: a mutant that is refused lacks them,
    cites them, or breaks them in its states, and another rule is named. `unbroken`: the others.
    """

    statuses: tuple[Status, ...]
    named: tuple[str, ...]
    noticed: tuple[str, ...]
    unbroken: tuple[str, ...]

    def count(self, status: Status) -> int:
        """How many mutants ended so."""
        return self.statuses.count(status)

    @property
    def differing(self) -> int:
        """How many mutants something must notice."""
        excused = self.count(Status.EQUIVALENT) + self.count(Status.ARGUED)
        return len(self.statuses) - excused


def tally_of(rows: tuple[Row, ...], rules: Iterable[Rule]) -> Tally:
    """Count; of the rules, those that can be broken at all."""
    named = {row.rule for row in rows if row.rule is not None}
    killed = [row for row in rows if row.status is Status.KILLED]
    noticed = {cited for row in killed for cited in row.cites}
    noticed |= {promise for row in killed for promise in row.promises}
    noticed |= {row.noted for row in rows if row.noted is not None}
    ids = dict.fromkeys(rule.id for rule in rules if rule.level is not Level.INFO)
    return Tally(
        tuple(row.status for row in rows),
        tuple(rule for rule in ids if rule in named),
        tuple(rule for rule in ids if rule in noticed and rule not in named),
        tuple(rule for rule in ids if rule not in noticed and rule not in named),
    )
