"""What counts as having used a rule that no step carries, and why some rules are never used.

Data only. A property is guarded by rows and checks; a key is refused for a cause, which the row
that refused it tells; and a rule that needs what a participant cannot do is not to be expected.
"""

from collections.abc import Container, Mapping
from typing import Final

BLOCKED: Final = "agent_prepare_incomplete"

CAUSES: Final[Mapping[str, tuple[str, ...]]] = {
    "R-EXE-35": ("R-REF-1",),
    "R-EXE-37": ("R-REF-2",),
    "R-EXE-38": ("R-REF-3",),
    "R-EXE-39": ("R-REF-3",),
    "R-EXE-40": ("R-REF-3",),
    "R-EXE-41": ("R-REF-3",),
    "R-EXE-44": ("R-REF-3",),
    "R-EXE-5": ("R-REF-4",),
    "R-EXE-33": ("R-REF-5",),
    "R-EXE-7": ("R-REF-6",),
}
"""Which cause a key was refused for, by the row that did it."""

# fmt: off
PROPERTIES: Final[Mapping[str, tuple[str, ...]]] = {
    "R-EXE-3":  ("R-RUN-5",),
    "R-INV-1":  ("R-RUN-6",),
    "R-INV-2":  ("R-RUN-2", "R-RUN-3"),
    "R-INV-3":  ("R-REF-4", "R-EXE-2"),
    "R-INV-4":  ("R-RUN-4",),
    "R-INV-5":  ("R-RUN-7",),
    "R-INV-6":  ("R-OPS-10", "R-RDY-1", "R-RDY-2", "R-RDY-3"),
    "R-INV-9":  ("R-RUN-5",),
    "R-INV-10": ("R-ACK-1", "R-ACK-2", "R-ACK-3"),
    "R-INV-12": ("R-EXE-8", "R-EXE-10"),
    "R-INV-13": ("R-EXP-1",),
    "R-INV-15": ("R-OPS-4", "R-OPS-8"),
    "R-INV-16": ("R-OPS-6", "R-OPS-7"),
    "R-INV-17": ("R-FEN-14",),
    "R-INV-18": ("R-RUN-20", "R-STO-4"),
    "R-INV-19": ("R-RUN-21", "R-RUN-22"),
    "R-INV-20": ("R-OPS-11",),
    "R-INV-21": ("R-EXP-3",),
    "R-INV-22": ("R-FEN-4", "R-FEN-6", "R-FEN-10"),
    "R-INV-28": ("R-EXE-44",),
    "R-INV-29": ("R-RUN-8",),
    "R-LIV-1":  ("R-EXE-45",),
    "R-LIV-2":  ("R-FEN-4",),
    "R-LIV-3":  ("R-FEN-15", "R-FEN-16", "R-FEN-17"),
    "R-LIV-4":  ("R-EXE-31",),
    "R-LIV-6":  ("R-FEN-2", "R-FEN-7", "R-FEN-11"),
    "R-LIV-8":  ("R-EXE-2", "R-EXE-6", "R-EXE-7", "R-EXE-41"),
    "R-LIV-9":  ("R-OPS-31",),
}
# fmt: on
"""Which rules guard a property. Those that are not here show by themselves.

Also R-EXE-3: the ladder of `/run` replays before the row is asked.
"""

UNREACHABLE: Final[Mapping[str, str]] = {
    "R-FEN-9": "an agent never stands where a restore failed closed",
    "R-FEN-12": "a policy model's: an agent closes nothing before a restore has succeeded",
    "R-FEN-18": "an agent never stands where a restore failed closed",
    "R-OPS-14": "nothing can be live between a restore and its resume",
    "R-STO-5": "no record that a handler can make in process is unfit to be saved",
}
"""Rules that no run of an agent can come to, and why."""

NEEDS: Final[tuple[tuple[tuple[str, ...], str], ...]] = (
    (("time",), "R-FEN-4 R-FEN-2 R-EXE-27 R-EXE-29 R-LIV-2"),
    (("commit",), "R-FEN-5 R-FEN-6 R-FEN-16 R-EXP-1 R-EXP-2 R-EXP-3 R-OPS-10 R-OPS-22 R-INV-13"),
    (("commit", "fail"), "R-FEN-7 R-RUN-23 R-STO-1 R-STO-4"),
    (("commit",), "R-RUN-20 R-STO-2 R-STO-3"),
    (
        ("restore",),
        "R-FEN-8 R-FEN-10 R-FEN-11 R-FEN-17 R-EXE-2 R-EXE-4 R-EXE-5 R-EXE-6 R-EXE-7 R-EXE-41",
    ),
    (("restore",), "R-OPS-11 R-OPS-12 R-OPS-13 R-OPS-23 R-RUN-21 R-RUN-22 R-STO-10"),
    (("restore",), "R-REF-4 R-REF-6 R-WAT-2 R-INV-3 R-INV-19 R-INV-20 R-INV-21 R-LIV-8"),
    (("fail_prepare",), "R-OPS-32"),
    (("damage",), "R-STO-11"),
    (("files",), " ".join(f"R-STO-{number}" for number in range(20, 42))),
    (("discard-restored-continuation",), "R-EXE-6 R-OPS-29"),
    (("retire",), "R-EXE-38 R-EXE-39 R-EXE-40 R-EXE-41 R-EXE-42 R-EXE-43 R-EXE-44 R-OPS-25"),
    (("retire",), "R-RDY-4 R-REF-3 R-INV-28"),
    (("acknowledge",), "R-EXE-45 R-EXE-46 R-OPS-26 R-ACK-1 R-ACK-2 R-ACK-3 R-INV-10 R-LIV-1"),
    (("acknowledge",), "R-RUN-2 R-REC-1 R-REC-2 R-REC-3 R-REC-4 R-REC-5"),
    (("acknowledge-completed",), "R-OPS-27"),
    (("completion-receipt",), "R-OPS-15 R-OPS-28"),
    (("status",), "R-OPS-21"),
    (("capabilities",), "R-OPS-30"),
    (("auth",), "R-OPS-1"),
    (("malformed",), "R-OPS-2 R-RUN-1"),
    (("unidentified",), "R-RDY-5"),
    (("gone",), "R-EXE-33 R-EXE-36 R-EXE-37 R-EXE-39 R-EXE-29 R-REF-2 R-REF-5"),
    (("park",), "R-EXE-12 R-EXE-13 R-EXE-14 R-EXE-15"),
    (("external_wait",), "R-EXE-23"),
    (("model_wait",), "R-EXE-24"),
    (("refusal",), "R-EXE-15 R-EXE-22"),
    (("boundary",), "R-EXE-8 R-EXE-9 R-EXE-10 R-EXE-11 R-INV-8 R-INV-12"),
)

"""Which capabilities a rule needs, beside those that every case needs."""

EITHER: Final[Mapping[tuple[str, str], str]] = {
    ("external_wait", "model_wait"): (
        "R-EXE-16 R-EXE-17 R-EXE-18 R-EXE-19 R-EXE-20 R-EXE-21 R-EXE-28 R-EXE-32"
    ),
}
"""Two capabilities of which a rule needs one, whichever it is."""


def why_not(rule_id: str, capabilities: Container[str]) -> str:
    """Why a rule was not exercised, in few words."""
    if rule_id in UNREACHABLE:
        return UNREACHABLE[rule_id]
    missing = [
        need
        for needs, listed in NEEDS
        if rule_id in listed.split()
        for need in needs
        if need not in capabilities
    ]
    missing += [
        f"either {one} or {other}"
        for (one, other), listed in EITHER.items()
        if rule_id in listed.split() and one not in capabilities and other not in capabilities
    ]
    if missing:
        return f"needs {' and '.join(dict.fromkeys(missing))}"
    return "no case came to it"
