"""What may be wrong with a step of writing a snapshot, and with its end.

Answers are as in `asking_of_work`.
"""

from collections.abc import Iterator
from typing import Any

from fencepost_reference.receipts.controller import actions as a
from fencepost_reference.receipts.controller.said import Committed
from fencepost_reference.receipts.controller.watch.asking_of_checkpoints import written
from fencepost_reference.receipts.controller.watch.asking_of_work import Told, named
from fencepost_reference.receipts.controller.watch.starting import ledger_of, receipt_of
from fencepost_reference.receipts.controller.watch.state import Group, Watch
from fencepost_reference.receipts.ledger.state import Group as Saved
from fencepost_reference.receipts.ledger.state import State
from fencepost_spec.vocabulary import Key
from fencepost_spec.wording import counted

STEPS = ("sidecars", "manifest", "rename")


def is_not_written(watch: Watch, _one: a.Storing) -> Told:
    """A participant that can be restored has not written."""
    left = [place for place in watch.settings.exporting if place not in written(watch)]
    return not left or f"{', '.join(map(str, left))} has not written"


def step_has_failed(watch: Watch, _one: a.Storing) -> Told:
    """A step of this snapshot has failed."""
    transaction = watch.transaction
    if transaction is None:
        return False
    return "a step of it has failed" if transaction.store_failed else False


def step_is_out_of_order(watch: Watch, one: a.Storing) -> Told:
    """It is not the step that comes after those that are done."""
    transaction = watch.transaction
    if transaction is None:
        return False
    done = transaction.steps + ((transaction.storing,) if transaction.storing else ())
    expected = STEPS[len(done)] if len(done) < len(STEPS) else "nothing"
    return one.step == expected or f"next is {expected}"


def differs_from_captured(watch: Watch, one: a.Storing) -> Told:
    """It is another snapshot than that of the earlier steps."""
    transaction = watch.transaction
    if transaction is None or transaction.captured is None:
        return False
    return transaction.captured == one.snapshot or "its content has changed since the sidecars"


def anchor_is_another(watch: Watch, one: a.Storing) -> Told:
    """The trainer has made a step between the first prepare and the last commit."""
    snapshot, transaction = one.snapshot, watch.transaction
    if snapshot.train_step != snapshot.trainer_version:
        return f"step {snapshot.train_step}, version {snapshot.trainer_version}"
    now = watch.anchors[-1]
    begun = now if transaction is None else transaction.anchor
    same = snapshot.train_step == begun and begun in watch.anchors
    return same or f"step {snapshot.train_step}, it began at {begun}, it is {now}"


def number_is_taken(watch: Watch, one: a.Storing) -> Told:
    """A snapshot of that number, or a higher one, was published."""
    if not watch.published:
        return False
    highest = max(each.number for each in watch.published)
    return one.snapshot.number > highest or f"snapshot {highest} was published"


def ledger_is_unreadable(_watch: Watch, one: a.Storing) -> Told:
    """No ledger can be made of the text."""
    ledger = ledger_of(one.snapshot.ledger)
    return ledger if isinstance(ledger, str) else True


def owes(watch: Watch, one: a.Storing) -> Told:
    """The saved ledger owes something, or something is owed that it should have."""
    ledger = ledger_of(one.snapshot.ledger)
    if isinstance(ledger, State) and ledger.owed:
        return f"{', '.join(named(key) for key in sorted(ledger.owed))} is owed"
    left = sorted(watch.owed())
    return not left or f"{', '.join(map(named, left))} is owed"


def agent_keeps(watch: Watch, _one: a.Storing) -> Told:
    """An agent is known to keep a result."""
    left = sorted(k for k, one in watch.attempts.items() if one.kept and not one.released)
    return not left or f"the result of {', '.join(map(named, left))} is kept"


def _states(watch: Watch, group_id: str) -> list[Group | None]:
    """All that a group has been since the participants had written, the first one first.

    Nobody sees at which moment of these the controller looks at its groups.
    """
    return [*watch.touched.get(group_id, ()), watch.groups.get(group_id)]


def _saved(one: a.Storing) -> dict[str, Saved]:
    ledger = ledger_of(one.snapshot.ledger)
    return {} if isinstance(ledger, str) else dict(ledger.groups)


def ledger_holds_ended(watch: Watch, one: a.Storing) -> Told:
    """A group in the ledger is not live, and never was since the participants had written."""
    for group_id in sorted(_saved(one)):
        if group_id in one.snapshot.trained:
            return f"{group_id} is in the ledger and training data"
        if not any(group is not None and group.live for group in _states(watch, group_id)):
            return f"{group_id} has ended, or was never handed over"
    return True


def ledger_lacks_group(watch: Watch, one: a.Storing) -> Told:
    """A live group is not in the ledger, and was live when the participants had written."""
    saved = _saved(one)
    for group_id in sorted(watch.groups):
        states = _states(watch, group_id)
        if group_id not in saved and all(group is not None and group.live for group in states):
            return f"{group_id} is not in the ledger"
        if group_id not in saved and group_id not in one.snapshot.trained:
            now = watch.groups[group_id]
            before = states[0]
            if now.status == "trained" and before is not None and before.live:
                return f"{group_id} is neither in the ledger nor training data"
    return True


def ledger_changes_group(watch: Watch, one: a.Storing) -> Told:
    """A group in the ledger has another size, granularity, agent, phase or step."""
    for group_id, saved in sorted(_saved(one).items()):
        fits = False
        for group in _states(watch, group_id):
            fits = fits or (
                group is not None
                and len(saved.siblings) == group.siblings
                and saved.granularity == group.granularity
                and saved.agent in (None, group.agent)
                and (saved.phase == "admitted") == group.admitted
                and saved.target_step == group.target_step
            )
        if not fits:
            return f"{group_id} is not as it was handed over"
    return True


def _siblings(watch: Watch, one: a.Storing) -> Iterator[tuple[Group, int, tuple[Any, ...]]]:
    """The saved attempts of every sibling of a group that is known, with its place."""
    for group_id, saved in sorted(_saved(one).items()):
        group = watch.groups.get(group_id)
        if group is not None:
            for index, sibling in enumerate(saved.siblings[: group.siblings]):
                yield group, index, sibling


def ledger_numbers_wrongly(watch: Watch, one: a.Storing) -> Told:
    """A sibling lacks an attempt that was sent, or has two that were not."""
    for group, index, sibling in _siblings(watch, one):
        key = group.key(index)
        least = key.attempt + 1
        most = least + (1 if key in watch.attempts else 0)
        if not least <= len(sibling) <= most and not (
            key not in watch.attempts and len(sibling) == key.attempt
        ):
            return f"{key.rollout_id} has {counted(len(sibling), 'attempt')} in the ledger"
    return True


def ledger_seals_wrongly(watch: Watch, one: a.Storing) -> Told:
    """A sealed attempt has no result here, or another; or one with a result is not sealed."""
    for group, index, sibling in _siblings(watch, one):
        key = Key(group.rollout_id(index), len(sibling) - 1)
        known, last = watch.attempts.get(key), sibling[-1]
        if last.status == "sealed":
            receipt = None if last.result is None else last.result.completion
            told = None if receipt is None else receipt_of(receipt)
            if known is None or not known.usable or told != known.told:
                return f"{named(key)} is sealed with another result than the one that is here"
        elif known is not None and known.held and not group.whole:
            return f"{named(key)} is {last.status}, and its result is here"
        elif group.whole and group.live and not group.again:
            attempts = [watch.attempts.get(each) for each in group.executions()]
            if all(each is not None and each.held for each in attempts):
                return f"{named(key)} is {last.status}, and its cohort has every result"
    return True


def ledger_forgets_sent(watch: Watch, one: a.Storing) -> Told:
    """An attempt that was sent is reserved in the ledger, and would be sent once more."""
    for group, index, sibling in _siblings(watch, one):
        key = Key(group.rollout_id(index), len(sibling) - 1)
        known = watch.attempts.get(key)
        if sibling[-1].status == "reserved" and known is not None and not known.declined:
            return f"{named(key)} was sent"
    return True


def names_another_content(watch: Watch, one: a.Storing) -> Told:
    """The participants of the snapshot are not those that wrote, or wrote something else."""
    wrote, told = written(watch), dict(one.snapshot.participants)
    if set(wrote) != set(told):
        return f"it names {', '.join(sorted(map(str, told))) or 'nobody'}"
    for place, content in told.items():
        if isinstance(content, Committed) and content.digest != wrote[place].digest:
            return f"{place} wrote something else"
    return True


def lists_trained_wrongly(watch: Watch, one: a.Storing) -> Told:
    """A group is listed that was not trained on, or one is left out that nobody else has."""
    listed = set(one.snapshot.trained)
    extra = sorted(listed - watch.trained)
    if extra:
        return f"{', '.join(extra)} was not trained on"
    just = {name for name, (first, *_) in watch.touched.items() if first is not None and first.live}
    left = sorted(watch.trained - watch.consumed - listed - just)
    return not left or f"{', '.join(left)} is missing"


def end_is_untrue(watch: Watch, one: a.SnapshotEnded) -> Told:
    """Saved is said without a rename, or once more, or not said after one."""
    transaction = watch.transaction
    if transaction is None or not transaction.published:
        return "nothing was published" if one.saved else True
    if transaction.told:
        return not one.saved or f"that {transaction.checkpoint_id} is saved was told before"
    current = watch.fallen > 0 or bool(transaction.open_at)
    # Of two that fell due, one may have been turned down because the other was open.
    turned_down = watch.fallen > 1
    return "it was published" if current and not one.saved and not turned_down else True
