"""What counts as having used a rule of a resources server that no step carries.

Data only, and two questions: which rules a case has used, and why one was never used.
"""

from collections.abc import Container, Iterable, Mapping
from typing import Final

from fencepost_spec.receipts.resources.properties import PROPERTIES

# fmt: off
BY_OTHERS: Final[Mapping[str, tuple[str, ...]]] = {
    "R-ROP-16": ("R-RSE-11",),
    "R-ROP-24": ("R-RSE-1",),
    "R-RRT-10": ("R-RRQ-12", "R-RRQ-13"),
    "R-RMO-3":  ("R-RPO-1", "R-RPO-2"),
    "R-RPO-10": ("R-RSE-8",),
    "R-RPO-11": ("R-RSE-8",),
    "R-RPO-12": ("R-RSE-8",),
    "R-RPO-13": ("R-RSE-8",),
    "R-RPO-20": ("R-RSE-11", "R-RSE-12", "R-RSE-13"),
    "R-RPO-21": ("R-RSE-9",),
    "R-RPO-23": ("R-RRQ-4",),
    "R-RPO-24": ("R-RSE-9",),
    "R-RIN-1":  ("R-RRQ-3",),
    "R-RIN-2":  ("R-RSE-9",),
    "R-RIN-3":  ("R-RRQ-4",),
    "R-RIN-4":  ("R-RRQ-5", "R-RRQ-2"),
    "R-RIN-5":  ("R-FEN-3",),
    "R-RIN-6":  ("R-RRQ-5", "R-RRQ-11"),
    "R-RIN-7":  ("R-RRQ-12",),
    "R-RIN-8":  ("R-RSE-3",),
    "R-RIN-9":  ("R-RRQ-20",),
    "R-RIN-10": ("R-OPS-4", "R-OPS-8"),
    "R-RIN-11": ("R-OPS-6", "R-OPS-7"),
    "R-RIN-12": ("R-FEN-13",),
    "R-RIN-13": ("R-RUN-20",),
    "R-RIN-14": ("R-RUN-21", "R-ROP-22"),
    "R-RIN-15": ("R-ROP-2",),
    "R-RIN-16": ("R-RSE-8",),
    "R-RIN-17": ("R-FEN-4", "R-FEN-6", "R-FEN-10"),
    "R-RIN-18": ("R-RPO-2",),
    "R-RIN-19": ("R-ROP-21",),
    "R-RLI-1":  ("R-FEN-4",),
    "R-RLI-2":  ("R-FEN-6",),
    "R-RLI-3":  ("R-RSE-15",),
    "R-RLI-4":  ("R-RRQ-20",),
    "R-RLI-5":  ("R-ROP-19",),
    "R-RLI-6":  ("R-FEN-14", "R-FEN-16"),
}
# fmt: on
"""Which rules tell that another one was used; properties are guarded by rows and checks."""

MODES: Final[Mapping[str, str]] = {
    "stateless": "R-RMO-1 R-RMO-4",
    "restart_only": "R-RMO-2",
    "serialized_per_session": "R-RMO-5",
    "transactional_parallel": "R-RMO-6",
}
"""Which rules a case in a mode or under a contract uses."""

UNREACHABLE: Final[Mapping[str, str]] = {
    "R-FEN-9": "a resources server never stands where a restore failed closed",
    "R-FEN-12": "a policy model's: this server closes nothing before a restore has succeeded",
    "R-FEN-18": "a resources server never stands where a restore failed closed",
}
"""Rules that no drawn case comes to, and why."""

NEEDS: Final[tuple[tuple[str, str], ...]] = (
    ("time", "R-ROP-19 R-RLI-5"),
    ("restore", "R-FEN-8 R-FEN-10 R-FEN-11 R-FEN-17 R-RSE-2 R-RSE-4 R-RSE-8 R-RSE-9 R-ROP-1"),
    ("restore", "R-ROP-3"),
    ("restore", "R-ROP-2 R-ROP-13 R-ROP-21 R-ROP-22 R-RUN-21 R-RUN-22 R-RIN-2 R-RIN-14 R-RIN-15"),
    ("restore", "R-RIN-16 R-RIN-19 R-RPO-10 R-RPO-11 R-RPO-12 R-RPO-13 R-RPO-21 R-RPO-24"),
    ("replace", "R-RSE-2 R-RSE-4 R-RSE-8 R-RSE-9 R-RPO-10 R-RPO-11 R-RPO-12 R-RPO-13"),
    ("replace", "R-RPO-21 R-RPO-24 R-RIN-2 R-RIN-16"),
    ("commit", "R-FEN-5 R-FEN-6 R-FEN-16 R-ROP-12 R-RUN-20 R-RIN-13 R-RLI-2 R-RSE-8"),
    ("fail", "R-FEN-7 R-RUN-23 R-ROP-18 R-ROP-20 R-ROP-22"),
    ("damage", "R-ROP-21 R-RIN-19"),
    ("evict", "R-RSE-7 R-RRQ-6 R-RPO-3"),
    ("retire", "R-RSE-11 R-RSE-12 R-RSE-13 R-RSE-14 R-RSE-15 R-ROP-15 R-ROP-16 R-ROP-19 R-ROP-20"),
    ("retire", "R-RRQ-3 R-RRQ-25 R-RPO-6 R-RPO-20 R-RIN-1 R-RLI-3 R-RLI-5"),
    ("status", "R-ROP-11"),
    ("capabilities", "R-ROP-17"),
    ("auth", "R-OPS-1"),
    ("malformed", "R-OPS-2"),
    ("stateless", "R-RMO-1 R-RMO-4"),
    ("restart_only", "R-RMO-2"),
    ("serialized_per_session", "R-RMO-5"),
    ("transactional_parallel", "R-RMO-6"),
)
"""What a rule needs: a capability, a mode or a contract."""


def used_with(used: Iterable[str]) -> set[str]:
    """The rules that were used, and those that are used with them."""
    found = set(used)
    found |= {rule for rule, others in BY_OTHERS.items() if not found.isdisjoint(others)}
    return found


def why_not(rule_id: str, able: Container[str]) -> str:
    """Why a rule was not exercised, in few words."""
    if rule_id in UNREACHABLE:
        return UNREACHABLE[rule_id]
    missing = [need for need, ids in NEEDS if rule_id in ids.split() and need not in able]
    if missing:
        return f"needs {' and '.join(dict.fromkeys(missing))}"
    return "no case came to it"


ALWAYS: Final = tuple(prop.id for prop in PROPERTIES if prop.id.startswith("R-RIN-"))
"""The ids of what must hold in every run."""
