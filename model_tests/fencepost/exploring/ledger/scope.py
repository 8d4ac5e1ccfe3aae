"""How small a world around a ledger is: which groups there are, what befalls them, how often.

What a scope leaves out is cut off where the world would have done it, and is reported as cut; what
no controller of the scope ever does is not there.
"""

from functools import cached_property

import attrs

from fencepost_spec.vocabulary import Key

SIBLING, COHORT = "sibling", "prompt_group"


@attrs.frozen(eq=False, slots=False)
class LedgerScope:
    """A world around a ledger.

    `groups` are the granularities of the prompt groups, `siblings` how many each has, `attempts`
    how many of one sibling are told apart at a time. `admits` has them reserved under one admission
    and admitted later. `ends` lets them be finalized. `saves` are the ways to save that are used,
    of `sidecar` and `plain`; `crashes` and `faults` how often a process ends and a file is not
    written. `wrong` are the kinds of calls that have to be refused, `damages` what may be wrong
    with a file that is read. With `masked` a sample may be sealed masked. With `odd` what is free
    is null, zero or more than named: steps, rewards, receipts, shortfalls. `together` finds all
    groups in the training data at once. `again` has receipts
    recorded again that were released before.
    `shows` are the ids of the `sometimes` that this world has to be able to show.
    """

    name: str
    says: str
    groups: tuple[str, ...] = (SIBLING,)
    siblings: int = 2
    attempts: int = 2
    agents: int = 1
    admits: bool = False
    ends: bool = False
    saves: tuple[str, ...] = ()
    crashes: int = 0
    faults: int = 0
    wrong: tuple[str, ...] = ()
    damages: tuple[str, ...] = ()
    masked: bool = False
    odd: bool = False
    together: bool = False
    again: bool = False
    sources: bool = False
    shows: tuple[str, ...] = ()

    @cached_property
    def group_names(self) -> tuple[str, ...]:
        """The groups: p1, p2 and so on."""
        return tuple(f"p{number + 1}" for number in range(len(self.groups)))

    @cached_property
    def agent_names(self) -> tuple[str, ...]:
        """The agents: a1, a2 and so on."""
        return tuple(f"a{number + 1}" for number in range(self.agents))

    def granularity(self, group_id: str) -> str:
        """How a group recovers."""
        return self.groups[self.group_names.index(group_id)]


def rollout_of(group_id: str, index: int) -> str:
    """The logical rollout that a sibling is."""
    return f"{group_id}_g{index}"


def text_of(key: Key) -> str:
    """A key as one word."""
    return f"{key.rollout_id}.{key.attempt}"


def key_of(text: str) -> Key:
    """The key that a word stands for."""
    rollout, _, attempt = text.rpartition(".")
    return Key(rollout, int(attempt))


def words_of_key(key: Key) -> tuple[str, ...]:
    """Every word that stands for an execution or for what it left behind."""
    capture = key.capture_key
    return (text_of(key), capture, f"{capture}/0", f"result-{capture}")
