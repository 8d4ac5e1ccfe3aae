"""How small a world around an agent is: who is there, what they may do, and how often.

A scope is a value. What one leaves out is cut off where the world would have done it, and is
reported as cut; what no caller of the scope ever does is not there.
"""

from functools import cached_property

import attrs

from fencepost_spec.vocabulary import Key

CONTROL = ("prepare", "commit", "resume", "retire")


@attrs.frozen(eq=False, slots=False)
class AgentScope:
    """A world around an agent.

    `rollouts`, `attempts` and `checkpoints` are how many names there are; with `pool` a name that
    nothing mentions any more is given to somebody new. `boundaries` is how many an attempt may
    record, and `crashes`, `lost`, `repeats` and `faults` how often each may happen in one trace.
    `ops` are the control operations that are called, `repeated` those that a second caller joins;
    `events` are the events of the work, `ends` how a handler ends, `failing` what may fail.
    With `nameless` there is a client that leaves its name out, with `elsewhere` a controller that
    commits into another directory too, and with `damages` what was committed may be damaged, as
    one of the faults. With `at_once` an answer that is decided leaves in the same transition.
    `shows` are the ids of the `sometimes` that this world has to be able to show.
    """

    name: str
    says: str
    rollouts: int = 1
    attempts: int = 1
    boundaries: int = 1
    checkpoints: int = 1
    crashes: int = 0
    lost: int = 0
    repeats: int = 0
    faults: int = 0
    ops: tuple[str, ...] = CONTROL
    repeated: tuple[str, ...] = ()
    events: tuple[str, ...] = ("boundary",)
    ends: tuple[str, ...] = ("completed", "failed")
    results: tuple[str, ...] = ("plain",)
    failing: tuple[str, ...] = ()
    wrong_receipts: tuple[str, ...] = ()
    nameless: bool = False
    elsewhere: bool = False
    damages: bool = False
    model_calls: bool = False
    at_once: bool = True
    pool: bool = True
    acknowledges: bool = True
    shows: tuple[str, ...] = ()

    @cached_property
    def rollout_names(self) -> tuple[str, ...]:
        """The rollouts: r1, r2 and so on."""
        return tuple(f"r{number}" for number in range(1, self.rollouts + 1))

    @cached_property
    def keys(self) -> tuple[Key, ...]:
        """Every key that may run, attempts of one rollout together."""
        return tuple(Key(name, a) for name in self.rollout_names for a in range(self.attempts))

    @cached_property
    def checkpoint_names(self) -> tuple[str, ...]:
        """The checkpoint ids: c1, c2 and so on."""
        return tuple(f"c{number}" for number in range(1, self.checkpoints + 1))

    @cached_property
    def directory_names(self) -> tuple[str, ...]:
        """The directories: d1 for what c1 writes, and so on."""
        return tuple(directory_of(name) for name in self.checkpoint_names)


def directory_of(checkpoint: str) -> str:
    """The directory that a checkpoint is written to."""
    return f"d{checkpoint[1:]}"


def text_of(key: Key) -> str:
    """A key as one word."""
    return f"{key.rollout_id}.{key.attempt}"
