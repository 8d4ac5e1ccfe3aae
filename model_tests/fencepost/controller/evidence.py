"""Which rules of a controller a case can come to, and what it takes."""

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Final

UNREACHABLE: Final[Mapping[str, str]] = {}
"""Rules that no run of a controller can come to, and why."""

NEEDS: Final[Sequence[tuple[str, str]]] = (
    ("admit", "R-CTL-14 R-CTL-23"),
    ("stale", "R-CTL-13 R-CTL-102 R-CEV-8 R-CSO-7"),
    ("prompt_group", "R-CTL-22"),
    ("resources", "R-CTL-55 R-CTL-71 R-CTL-91 R-CTL-92 R-CSO-8"),
    ("model", "R-CTL-56 R-CTL-63 R-CTL-64"),
    ("resources", "R-CTL-34 R-CTL-69 R-CTL-131"),
    ("deadline", "R-CTL-53"),
    ("choose", "R-CTL-144 R-CTL-145 R-CTL-146 R-CTL-147"),
    (
        "restore",
        " ".join(f"R-CTL-{number}" for number in (15, 71, *range(80, 93), *range(140, 144))),
    ),
    ("restore", "R-CEV-9 R-CEV-10 R-CSO-5 R-CSO-8 R-CTL-23"),
    ("snapshot_due", " ".join(f"R-CTL-{number}" for number in (16, *range(50, 73)))),
    ("snapshot_due", " ".join(f"R-CTL-{number}" for number in range(110, 137))),
    ("snapshot_due", "R-CTL-30 R-CTL-31 R-CIN-1 R-CIN-2 R-CEV-3 R-CEV-5"),
    ("snapshot_due", "R-CSO-1 R-CSO-3 R-CSO-4 R-CSO-6"),
)
"""Which capability a rule needs, beside those that every case needs."""


def why_not(rule_id: str, capabilities: Container[str]) -> str | None:
    """Why no case can come to a rule, in few words; None when one can."""
    if rule_id in UNREACHABLE:
        return UNREACHABLE[rule_id]
    missing = [
        need for need, listed in NEEDS if rule_id in listed.split() and need not in capabilities
    ]
    return f"needs {' and '.join(dict.fromkeys(missing))}" if missing else None


def used_of(rule_ids: Iterable[str]) -> set[str]:
    """The rules that a case used."""
    return set(rule_ids)
