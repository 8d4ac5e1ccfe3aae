"""How small a world around a server with a fence is, and what everybody in it is called."""

from functools import cached_property

import attrs

from fencepost_spec.vocabulary import Key, capture_key_for

DEADLINE = 5_000_000


@attrs.frozen(eq=False, slots=False)
class ServerScope:
    """A world around a server.

    `rollouts`, `attempts` and `checkpoints` are how many names there are; with `pool` a name that
    nothing mentions any more is given to somebody new. `crashes`, `lost` and `faults` are how often
    each may happen in one trace. `ops` are the control operations that are called, `gives_up` the
    attempts that are retired or aborted where that is called (None: all), `failing` what may fail.
    With `long` names are long and begin alike. With `at_once` an answer that is decided leaves in
    the same transition. `shows` are the ids of the `sometimes` that this world has to be able to
    show.
    """

    name: str
    says: str
    rollouts: int = 1
    attempts: int = 1
    checkpoints: int = 1
    crashes: int = 0
    lost: int = 0
    faults: int = 0
    ops: tuple[str, ...] = ()
    gives_up: tuple[int, ...] | None = None
    failing: tuple[str, ...] = ()
    long: bool = False
    at_once: bool = True
    pool: bool = True
    shows: tuple[str, ...] = ()

    @property
    def left(self) -> tuple[int, int, int]:
        """How many crashes, lost replies and faults may come."""
        return (self.crashes, self.lost, self.faults)

    @cached_property
    def rollout_names(self) -> tuple[str, ...]:
        """The rollouts: r1, r2 and so on, or rollout-1 and rollout-2."""
        word = "rollout-" if self.long else "r"
        return tuple(f"{word}{number + 1}" for number in range(self.rollouts))

    @cached_property
    def keys(self) -> tuple[Key, ...]:
        """Every key that calls, attempts of one rollout together."""
        return tuple(Key(name, a) for name in self.rollout_names for a in range(self.attempts))

    @cached_property
    def checkpoint_names(self) -> tuple[str, ...]:
        """The checkpoint ids: c1, c2 and so on, or checkpoint-1 and checkpoint-2."""
        word = "checkpoint-" if self.long else "c"
        return tuple(f"{word}{number + 1}" for number in range(self.checkpoints))


def directory_of(checkpoint: str) -> str:
    """The directory that a checkpoint is written to."""
    return f"d{checkpoint.removeprefix('checkpoint-').removeprefix('c')}"


def text_of(key: Key) -> str:
    """A key as one word."""
    return f"{key.rollout_id}.{key.attempt}"


def words_of_rollout(scope: ServerScope, rollout: str) -> tuple[str, ...]:
    """Every word that stands for a rollout or one of its attempts.

    One attempt more than may call: what is restored may wait under it.
    """
    attempts = range(scope.attempts + 1)
    keys = [text_of(Key(rollout, attempt)) for attempt in attempts]
    captures = [capture_key_for(rollout, attempt) for attempt in attempts[1:]]
    return (rollout, *keys, *captures)


def words_of_checkpoint(checkpoint: str) -> tuple[str, ...]:
    """Every word that stands for a checkpoint."""
    return (checkpoint, directory_of(checkpoint))
