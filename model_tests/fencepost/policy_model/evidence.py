"""What counts as having used a rule that no step names, and why some rules are never used."""

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Final

from fencepost.trace.lines import Line, Report, Work

UNREACHABLE: Final[Mapping[str, str]] = {
    "R-FEN-2": "a repeated pause is answered again, and never asks again",
    "R-FEN-4": "a pause has no deadline to miss",
    "R-FEN-11": "a restore of a model closes first, and never fails back to idle",
    "R-MOP-3": "a prepared model has no call in flight",
}
"""Rules that no run of a policy model can come to, and why."""

# fmt: off
GUARDS: Final[Mapping[str, tuple[str, ...]]] = {
    "R-GAT-7":  ("R-GAT-4",),
    "R-GAT-8":  ("R-TIC-2", "R-CUS-32"),
    "R-MOP-21": ("R-MOP-11",),
    "R-PMI-1":  ("R-GAT-4",),
    "R-PMI-2":  ("R-GAT-2",),
    "R-PMI-3":  ("R-GAT-3", "R-MRF-3"),
    "R-PMI-4":  ("R-ADM-3",),
    "R-PMI-5":  ("R-TIC-2", "R-TIC-3"),
    "R-PMI-6":  ("R-ADM-2", "R-ADM-5"),
    "R-PMI-7":  ("R-MOP-12",),
    "R-PMI-8":  ("R-CUS-32",),
    "R-PMI-9":  ("R-CUS-10", "R-CUS-11", "R-CUS-33"),
    "R-PMI-10": ("R-MRF-3",),
    "R-PMI-11": ("R-FEN-12",),
    "R-PMI-12": ("R-OPS-4", "R-OPS-8"),
    "R-PMI-13": ("R-OPS-6", "R-OPS-7"),
    "R-PMI-14": ("R-FEN-15", "R-FEN-16"),
    "R-PMI-15": ("R-CUS-5", "R-CUS-7", "R-CUS-8"),
    "R-PMI-16": ("R-MOP-13",),
    "R-PMI-17": ("R-MOP-1",),
    "R-PML-1":  ("R-ADM-3",),
    "R-PML-2":  ("R-MOP-11",),
    "R-PML-3":  ("R-FEN-6", "R-FEN-10"),
    "R-PML-4":  ("R-FEN-7", "R-FEN-9", "R-FEN-18"),
    "R-PML-5":  ("R-MOP-10",),
}
# fmt: on
"""Which rules guard a property, or a rule that the oracle asks of lines."""

NEEDS: Final[Sequence[tuple[str, str]]] = (
    ("auth", "R-OPS-1"),
    ("malformed", "R-OPS-2"),
    ("ungated", "R-GAT-6"),
    ("fail", "R-CUS-30 R-CUS-31 R-FEN-7"),
    ("hold", "R-OPS-7"),
    ("damage", "R-CUS-6 R-CUS-10 R-CUS-21 R-CUS-22 R-CUS-24"),
    ("copy", "R-CUS-12 R-CUS-23"),
    ("replace", "R-CUS-13 R-CUS-14 R-CUS-15 R-CUS-16 R-CUS-33 R-MRF-2"),
    ("fresh_ledger", "R-MRF-3 R-MRF-4 R-GAT-3 R-CUS-25 R-CUS-26 R-CUS-27 R-FEN-17"),
    ("abort_inflight", "R-TIC-1 R-TIC-3 R-MRF-1 R-MRF-2 R-MOP-16 R-MOP-17 R-MOP-19 R-CUS-4"),
    ("abort_inflight", "R-CUS-13 R-PMI-2"),
    ("capabilities", "R-MOP-18"),
    ("status", "R-MOP-11 R-MOP-20 R-PML-2"),
    ("restore", "R-FEN-8 R-FEN-9 R-FEN-10 R-FEN-12 R-FEN-17 R-FEN-18 R-MOP-14 R-PMI-3"),
    ("restore", "R-PMI-10 R-PMI-11 R-CUS-20 R-CUS-21 R-CUS-22 R-CUS-23 R-CUS-24 R-CUS-31"),
    ("commit", "R-FEN-5 R-FEN-6 R-FEN-16 R-MOP-13 R-PMI-9 R-PMI-15 R-PMI-16 R-CUS-33"),
    ("commit", " ".join(f"R-CUS-{number}" for number in range(1, 17))),
)
"""Which capability a rule needs, beside those that every case needs."""


def used_of(lines: Sequence[Line], rule_ids: Iterable[str]) -> set[str]:
    """The rules that a case used: those of steps, and those that its lines were asked for."""
    used = set(rule_ids)
    # What no line was asked for counts for nothing.
    if not any(isinstance(line, Report | Work) for line in lines):
        return used
    return used | {name for name, guards in GUARDS.items() if not used.isdisjoint(guards)}


def why_not(rule_id: str, capabilities: Container[str]) -> str | None:
    """Why no case can come to a rule, in few words; None when one can."""
    if rule_id in UNREACHABLE:
        return UNREACHABLE[rule_id]
    missing = [
        need for need, listed in NEEDS if rule_id in listed.split() and need not in capabilities
    ]
    return f"needs {' and '.join(dict.fromkeys(missing))}" if missing else None
