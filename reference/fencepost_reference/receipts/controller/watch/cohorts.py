"""What becomes of the siblings of a cohort, of which all count or none."""

from fencepost_reference.receipts.controller.watch.state import Group, Watch


def given_up(watch: Watch, group: Group, index: int) -> bool:
    """Whether the cohort of a sibling was given up, so that its results are not wanted."""
    if not group.whole:
        return False
    if index in group.again:
        return True
    current = (watch.attempts.get(key) for key in group.executions())
    return any(one is not None and one.failed for one in current)
