"""B7: half of a version bump, which must not even be importable.

The specification is copied, one place of a version is edited as somebody in a hurry would, and the
copy is imported by another interpreter. What refuses it is the build, and not a rule.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import attrs

import fencepost_spec

PACKAGE = Path(fencepost_spec.__file__).parent
_PROGRAM = "from fencepost_spec.receipts import requests, saved, wire; print(wire.__file__)"


@attrs.frozen
class Build:
    """An edit of one file, and the words with which the build must refuse it."""

    name: str
    says: str
    file: str
    old: str
    new: str
    complaint: str
    cites: tuple[str, ...] = ("B7",)


BUILDS: tuple[Build, ...] = (
    Build(
        "the written version moves and the read one does not",
        "a sender writes 2, and its own reader knows 1",
        "receipts/versions.py",
        "SCHEMA_VERSION: Final = version_of(SchemaVersion)",
        "SCHEMA_VERSION: Final = 2",
        "the default of schema_version is not valid",
    ),
    Build(
        "a saved version moves and nothing upgrades the one before",
        "directories that exist cannot be read any more",
        "receipts/versions.py",
        "SavedSchema = Annotated[Literal[2], VERSION_MARK]",
        "SavedSchema = Annotated[Literal[3], VERSION_MARK]",
        "needs upgrades from each version before it",
    ),
    Build(
        "one model types its version out by hand",
        "the next bump leaves it behind",
        "receipts/requests.py",
        "    schema_version: SchemaVersion = SCHEMA_VERSION",
        "    schema_version: int = SCHEMA_VERSION",
        "schema_version is typed out by hand",
    ),
)


@attrs.frozen
class Built:
    """What came of an import: refused with the words that were due, or not."""

    refused: bool
    said: str


def build(edit: Build) -> Built:
    """Edit a copy of the specification and import it."""
    with tempfile.TemporaryDirectory() as folder:
        copied = Path(folder) / PACKAGE.name
        shutil.copytree(PACKAGE, copied, ignore=shutil.ignore_patterns("__pycache__"))
        file = copied / edit.file
        text = file.read_text(encoding="utf-8")
        if text.count(edit.old) != 1:
            return Built(False, f"{edit.file} no longer says {edit.old!r} once")
        file.write_text(text.replace(edit.old, edit.new), encoding="utf-8")
        answer = subprocess.run(  # noqa: S603 - our own interpreter on our own text
            [sys.executable, "-P", "-c", _PROGRAM],
            env={**os.environ, "PYTHONPATH": folder},
            capture_output=True,
            text=True,
            check=False,
        )
    said = answer.stderr.strip().splitlines()[-1] if answer.stderr.strip() else "imported"
    return Built(answer.returncode != 0 and edit.complaint in answer.stderr, said)
