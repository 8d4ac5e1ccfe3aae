"""Text files name no machine, leave nothing open, and give a reason for each silenced check."""

import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PASSED_OVER = re.compile(r"^(\.git|\.venv.*|\.[a-z]+_cache|\.hypothesis|__pycache__|build|dist)$")

# Each pattern is written so that its own line does not match it.
MACHINE_PATH = re.compile(r"(?<![\w.~-])[/](?:work|tmp|root|home)/")
OPEN_END = re.compile(r"\b(?:TO[D]O|FIX[M]E)\b")
SILENCED = re.compile(
    r"#\s*(?:type: [i]gnore|pyright: [i]gnore|[n]oqa)"
    r"(?P<code>\[[\w, -]+\]|:\s*[A-Z]+\d+(?:,\s*[A-Z]+\d+)*)?(?P<rest>.*)"
)
REASON = re.compile(r"\w{2,}.*\w{2,}")


def tracked() -> list[Path]:
    """Return the files that git knows or would add, or all of them where there is no git."""
    git = shutil.which("git")
    if git and (ROOT / ".git").exists():
        listed = subprocess.run(
            [git, "-c", "safe.directory=*", "ls-files", "-zco", "--exclude-standard"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]
    return [
        path
        for path in sorted(ROOT.rglob("*"))
        if path.is_file() and not any(PASSED_OVER.match(p) for p in path.relative_to(ROOT).parts)
    ]


def lines() -> Iterator[tuple[str, str, str]]:
    """Yield "file:number", the text of each line of each text file, and the line above it."""
    for path in tracked():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        above = ""
        for number, line in enumerate(text.splitlines(), start=1):
            yield f"{path.relative_to(ROOT)}:{number}", line, above
            above = line


def names_a_machine(line: str, _above: str = "") -> bool:
    """Does the line hold a path that is only right on one machine?"""
    return MACHINE_PATH.search(line) is not None


def leaves_something_open(line: str, _above: str = "") -> bool:
    """Does the line put something off without an issue for it?"""
    return OPEN_END.search(line) is not None


def silences_without_reason(line: str, above: str = "") -> bool:
    """Does the line silence a check without naming it, or without a reason there or just above?"""
    found = SILENCED.search(line)
    if found is None:
        return False
    reason = found["rest"] or (above if above.lstrip().startswith("#") else "")
    return not (found["code"] and REASON.search(reason))


@pytest.mark.parametrize(
    "fault",
    [names_a_machine, leaves_something_open, silences_without_reason],
    ids=lambda fault: fault.__name__,
)
def test_no_line_of_the_repository(fault: Callable[[str, str], bool]) -> None:
    """No line names a machine, leaves something open, or silences a check without a reason."""
    found = [f"{place}: {line.strip()}" for place, line, above in lines() if fault(line, above)]

    assert found == []


@pytest.mark.parametrize(
    ("fault", "bad", "good"),
    [
        (names_a_machine, "see /" + "tmp/x", "ckpt/tmp/x"),
        (names_a_machine, '"/' + 'work/main"', "network/main"),
        (leaves_something_open, "# TO" + "DO: later", "# nothing is left to do"),
        (silences_without_reason, "x  # type: ig" + "nore", "x"),
        (
            silences_without_reason,
            "x  # type: ig" + "nore[misc]",
            "x  # type: ig" + "nore[misc]  # a made-up frame",
        ),
        (silences_without_reason, "x  # no" + "qa: S101", "x  # no" + "qa: S101 - our own claim"),
    ],
)
def test_the_search_tells_bad_from_good(fault: Callable[[str], bool], bad: str, good: str) -> None:
    """Each search finds the fault it is for, and passes over its honest neighbour."""
    assert fault(bad)
    assert not fault(good)


def test_the_search_sees_this_very_file() -> None:
    """The search has files to look at: an empty search would agree with everything."""
    assert Path(__file__).resolve() in tracked()


def test_the_line_above_may_give_the_reason() -> None:
    """A reason that is too long for the line stands in a comment just above it, not in code."""
    silenced = "x  # type: ig" + "nore[misc]"

    assert not silences_without_reason(silenced, "    # The library says nothing of its type.")
    assert silences_without_reason(silenced, "    y = 1")
