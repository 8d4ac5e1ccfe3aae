"""Small changes of what a watcher knows."""

from typing import Any

import attrs

from fencepost_reference.receipts.controller import actions as a
from fencepost_reference.receipts.controller.watch.state import Group, Watch
from fencepost_spec.vocabulary import Key

PREPARES = ("prepare", "pause")


def with_steps(watch: Watch, **changes: Any) -> Watch:
    """The open checkpoint is changed."""
    assert watch.transaction is not None
    return attrs.evolve(watch, transaction=attrs.evolve(watch.transaction, **changes))


def with_group(watch: Watch, group: Group) -> Watch:
    """A group is changed; what it has been since the participants had written is remembered."""
    before = watch.groups.get(group.group_id)
    earlier = watch.touched.get(group.group_id, ())
    if before not in earlier:
        earlier = (*earlier, before)
    groups = watch.groups.set(group.group_id, group)
    return attrs.evolve(watch, groups=groups, touched=watch.touched.set(group.group_id, earlier))


def with_attempt(watch: Watch, key: Key, **changes: Any) -> Watch:
    """What is known of an attempt is changed."""
    attempt = watch.attempts.get(key)
    if attempt is None:
        return watch
    return attrs.evolve(watch, attempts=watch.attempts.set(key, attrs.evolve(attempt, **changes)))


def in_trouble(watch: Watch, call: a.Sent) -> Watch:
    """A step of the open checkpoint has failed, or nobody knows."""
    transaction = watch.transaction
    steps = (*PREPARES, "commit", "restore", "status", "resume", "discard-restored-continuation")
    if (
        transaction is None
        or call.op not in steps
        or call.request.checkpoint_id != transaction.checkpoint_id
    ):
        return watch
    return with_steps(watch, troubled=transaction.troubled | {call.place})
