"""At which level work is recovered: from its last turn, by sibling, or as a whole group.

Decided here: the effective level of an environment, and which continuations go on after a restore.
May import: attrs, rule, sources.
"""

from typing import Literal

from fencepost_spec.receipts.controller.sources import RL_4265_REVIEW, RL_4266, fact
from fencepost_spec.rule import Rule

Level = Literal["turn", "sibling", "prompt_group"]
Mode = Literal["stateless", "restart_only", "export_restore"]

LEVELS: tuple[Level, ...] = ("turn", "sibling", "prompt_group")
"""The levels, the finest first."""

LOWEST = Rule(
    "R-CLV-1", "the level of an environment is the coarser of what is wanted and what it can do",
    RL_4265_REVIEW, fact("2.7"),
)  # fmt: skip
SCORED = Rule(
    "R-CLV-2", "what is scored as a group is recovered as a group, at every target",
    RL_4265_REVIEW, fact("2.7"),
)  # fmt: skip
CONTINUES = Rule(
    "R-CLV-3", "only at the level of turns does work continue from its last boundary",
    RL_4265_REVIEW, fact("2.7", "4.3"),
)  # fmt: skip
SELECTIVE = Rule(
    "R-CLV-4",
    "who depends on what cannot be restored starts over, and so does who may depend on it",
    RL_4266, fact("4.3", "I27"),
)  # fmt: skip
LEVEL_RULES = (LOWEST, SCORED, CONTINUES, SELECTIVE)


def capability(mode: Mode) -> Level:
    """The finest level that an environment of a mode can be recovered at.

    >>> capability("restart_only")
    'sibling'
    """
    return "sibling" if mode == "restart_only" else "turn"


def effective_level(target: Level, can: Level, group_scored: bool = False) -> Level:
    """The level at which the work of an environment is recovered.

    >>> effective_level("turn", "sibling"), effective_level("turn", "turn", group_scored=True)
    ('sibling', 'prompt_group')
    """
    if group_scored:
        return "prompt_group"
    return target if LEVELS.index(target) > LEVELS.index(can) else can


def continues(
    target: Level,
    used: tuple[str, ...] | None,
    modes: tuple[tuple[str, Mode], ...],
    scored: frozenset[str] = frozenset(),
) -> bool:
    """Whether a continuation goes on, by the environments that its work has used (None: unknown).

    `scored` are the environments whose work is scored as a group.

    >>> modes = (("shop", "restart_only"), ("db", "export_restore"))
    >>> [continues("turn", used, modes) for used in (("db",), ("shop",), (), None)]
    [True, False, True, False]
    >>> [continues("turn", used, modes, frozenset({"db"})) for used in (("db",), ())]
    [False, True]
    """
    levels = [
        effective_level(target, capability(mode), name in scored)
        for name, mode in modes
        if used is None or name in used
    ]
    return target == "turn" and all(one == "turn" for one in levels)
