"""What users of a ledger meet beside it: leave to change it, and a refusal."""

from fencepost_spec.rule import Rule


class LedgerRefused(ValueError):
    """An operation was refused: a code, the rule that says so, and a text. Nothing has changed."""

    def __init__(self, code: str, rule: Rule, detail: str) -> None:
        super().__init__(f"{detail} ({rule.id})")
        self.code = code
        self.rule = rule


class MutationCut:
    """Leave to change a ledger, while it is live."""

    def __init__(self, ledger: object) -> None:
        self._ledger = ledger
        self._live = True

    def is_live_for(self, ledger: object) -> bool:
        """Whether this cut is open, and one of that ledger."""
        return self._live and self._ledger is ledger

    def end(self) -> None:
        """The cut is over; whoever still holds it can change nothing."""
        self._live = False
