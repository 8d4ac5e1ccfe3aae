"""Rules that are obeyed by doing something else: where a controller might have, and has not.

Most rules were exercised when something was done that they let pass. What must not be done at all
any more is shown by what is done instead.
"""

from typing import Any

from fencepost_reference.receipts.controller import actions as a
from fencepost_reference.receipts.controller.watch import seen as s
from fencepost_reference.receipts.controller.watch.state import Watch
from fencepost_spec.receipts.controller.referee import RefereeSpec
from fencepost_spec.rule import Rule


def obeyed(spec: RefereeSpec, watch: Watch, seen: Any) -> tuple[Rule, ...]:
    """The rules that something which is seen shows to be obeyed."""
    found: list[tuple[str, str]] = []
    transaction = watch.transaction
    if isinstance(seen, s.Rested) and watch.lost_end:
        if any(group.live for group in watch.groups.values()):
            found += [("run", "end_is_unknown"), ("train", "end_is_unknown")]
        if watch.due:
            found.append(("store", "end_is_unknown"))
    failed = transaction is not None and transaction.store_failed and not transaction.releasing
    if isinstance(seen, a.Sent) and seen.op == "resume" and failed:
        found.append(("store", "step_has_failed"))
    return tuple(
        rung.rule
        for deed, name in found
        for rung in spec.deeds[deed].ladder
        if rung.asks.name == name
    )
