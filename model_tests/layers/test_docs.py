"""The pages say what is so: their blocks run, their links lead somewhere, none is stale."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from textwrap import indent

import pytest

from fencepost import catalog
from fencepost.cli import run as run_command
from fencepost.judging import judge_file
from fencepost.profiles import CASES_MIN, ENOUGH, PROFILES
from fencepost.report import render
from fencepost.report.blocks import Names, blocks, run_block
from fencepost.report.trace_examples import agent_trace
from fencepost.trace import write_trace
from fencepost.vigil import PATIENCE_SECONDS
from fencepost.watch import LIMIT_SECONDS, SLACK
from fencepost_spec.receipts.replies import CompletedEntry, KeptReply, RetiredReply, TracedStatus
from fencepost_spec.receipts.wire import REPLIES, REQUESTS, Receipt
from fencepost_spec.strict import Strict

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(
    path for path in (*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *ROOT.glob("*/README.md"))
)
COURSE = sorted(DOCS.glob("[0-9][0-9]-*.md"))
BODIES = DOCS / "bodies.md"
CONTROLLERS = DOCS / "controllers.md"

LINK = re.compile(r"\[[^\]]*\]\((?P<target>[^)\s]+)\)")
FIELD = re.compile(r"`([a-z_]+)`")
RULE_ID = re.compile(r"\bR-[A-Z]+-\d+\b")


def name_of(path: Path) -> str:
    """Return a page's path below the repository."""
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", [*COURSE, BODIES, CONTROLLERS], ids=name_of)
def test_the_blocks_of_a_page_run(path: Path) -> None:
    """What a page shows is what comes out; REWRITE=1 writes the outputs again."""
    names: Names = {}
    text = path.read_text(encoding="utf-8")
    ran = [run_block(block, names, name_of(path)) for block in blocks(text, "pycon")]
    if os.environ.get("REWRITE"):
        for block, again in zip(blocks(text, "pycon"), ran, strict=True):
            text = text.replace(block, again.text, 1)
        path.write_text(text, encoding="utf-8")
        return

    assert ran
    assert [fault for each in ran for fault in each.faults] == []


@pytest.mark.parametrize("path", [*COURSE, BODIES, CONTROLLERS], ids=name_of)
def test_what_a_page_shows_can_be_typed_line_by_line(path: Path) -> None:
    """An empty line ends a class or a function at a prompt, and the rest of it is an error."""
    text = path.read_text(encoding="utf-8")
    assert re.findall(r"^\.\.\. *\n\.\.\. +\S.*", text, re.MULTILINE) == []


def test_a_block_that_shows_something_else_is_found_and_mended() -> None:
    """What differs, raises or shows nothing is told, and the block is written as it should read."""
    names: Names = {}

    ran = run_block(">>> a = 1\n>>> for _ in 'x':\n...     a + 1\n3\n", names, "page")
    assert len(ran.faults) == 1
    assert ran.text == ">>> a = 1\n>>> for _ in 'x':\n...     a + 1\n2\n"
    assert run_block(ran.text, names, "page").faults == ()
    assert "raised ZeroDivisionError" in run_block(">>> a / 0\n", names, "page").faults[0]
    assert "shows nothing" in run_block("a = 1\n", names, "page").faults[0]


def test_the_verdict_in_the_readme_is_a_real_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What the README shows under its command is what the command says; REWRITE=1 writes it."""
    monkeypatch.chdir(ROOT)
    path = ROOT / "README.md"
    text = path.read_text(encoding="utf-8")
    (block,) = blocks(text, "console")
    command, _, shown = block.partition("\n")
    program, *arguments = shlex.split(command.removeprefix("$ "))
    code = run_command(arguments)
    said = capsys.readouterr().out

    assert (program, code) == (".venv/bin/fencepost", 1)
    if os.environ.get("REWRITE"):
        path.write_text(text.replace(block, f"{command}\n{said}"), encoding="utf-8")
        return
    assert shown == said


@pytest.mark.parametrize("op", REQUESTS)
def test_the_page_of_bodies_names_every_field(op: str) -> None:
    """What each operation is asked with and answered with stands in its row, field by field."""
    text = BODIES.read_text(encoding="utf-8")
    (row,) = [line for line in text.splitlines() if line.startswith(f"| `{op}` |")]
    _, _, asked, answered, _ = row.split("|")
    reply = {
        "prepare": set[str](),
        "status": {"checkpoint_id"},
        "retire": {*KeptReply.model_fields, *RetiredReply.model_fields},
        "completion-receipt": set[str](),
    }.get(op, set(REPLIES[op].model_fields))
    request = set(REQUESTS[op].model_fields) - {"schema_version"}

    assert set(FIELD.findall(asked)) == (set() if op == "acknowledge" else request)
    assert set(FIELD.findall(answered)) == reply


@pytest.mark.parametrize("model", [TracedStatus, CompletedEntry, Receipt])
def test_the_page_of_bodies_explains_every_field(model: type[Strict]) -> None:
    """Each field of a status, of its entries and of a receipt has a row that says what it means."""
    rows = [line for line in BODIES.read_text(encoding="utf-8").splitlines() if line[:3] == "| `"]
    explained = {name for row in rows for name in FIELD.findall(row.split("|")[1])}

    assert set(model.model_fields) - explained == set()


def test_the_page_of_participants_says_how_much_is_tried() -> None:
    """How long a profile goes on, and how much a verdict needs, stand there as they are."""
    text = (DOCS / "participants.md").read_text(encoding="utf-8")
    quick, long = PROFILES["quick"], PROFILES["long"]

    assert f"`quick` begins no case after {quick.actions:,} actions or {quick.seconds:g} s" in text
    assert f"`long` after {long.actions:,} actions or an hour" in text
    assert (long.seconds, ENOUGH, CASES_MIN) == (3600, 0.5, 10)
    assert "half of the must rules" in text
    assert "fewer than ten cases" in text
    assert (LIMIT_SECONDS, LIMIT_SECONDS * SLACK) == (10, 15)
    assert "The limit of ten seconds" in text
    assert "is given up after 15 seconds of real time" in text
    assert f"no sign of life for {PATIENCE_SECONDS:g} seconds" in text


def test_the_example_of_a_folder_runs_and_is_what_the_page_shows() -> None:
    """Half-done work is saved, everybody dies, and the rest of the work is done: as it stands."""
    example = DOCS / "examples" / "folder.py"
    text = example.read_text(encoding="utf-8")
    shown = list(blocks(CONTROLLERS.read_text(encoding="utf-8"), "python"))
    ran = subprocess.run(
        [sys.executable, example], capture_output=True, text=True, timeout=60, check=False
    )

    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.splitlines() == [
        "starts from nothing",
        "g1_g0 attempt 0 begins",
        "g1_g1 attempt 0 begins",
        "saved",
        "starts from snapshot 1",
        "g1_g0 attempt 1 goes on",
        "g1_g1 attempt 1 goes on",
        "trained on g1 ['g1_g0 attempt 1', 'g1_g1 attempt 1']",
    ]
    assert len(shown) == 2
    assert all(block in text or indent(block, "    ") in text for block in shown)


@pytest.mark.slow
def test_the_example_adapter_brings_an_agent_that_conforms(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The adapter of the documentation is found by its name, and its agent conforms."""
    monkeypatch.chdir(DOCS / "examples")
    monkeypatch.setattr(sys, "path", [str(DOCS / "examples"), *sys.path])
    code = run_command(["check", "agent", "--adapter", "adapter:make", "--budget", "1200"])
    sys.modules.pop("adapter", None)

    assert (code, capsys.readouterr().out.split()[:2]) == (0, ["conforms", "mine"])


@pytest.mark.slow
def test_the_example_of_a_resources_server_conforms(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its adapter is found by its name too, and most rules are tried on it."""
    monkeypatch.chdir(DOCS / "examples")
    monkeypatch.setattr(sys, "path", [str(DOCS / "examples"), *sys.path])
    code = run_command(["check", "resources", "--adapter", "server:make", "--budget", "1500"])
    sys.modules.pop("server", None)

    assert (code, capsys.readouterr().out.split()[:2]) == (0, ["conforms", "mine"])


def test_the_examples_of_the_format_are_a_trace_that_conforms(tmp_path: Path) -> None:
    """The lines that the page of the format shows come from a trace that breaks no rule."""
    header, lines, _ = agent_trace()
    write_trace(tmp_path / "t.ndjson", header, lines)

    assert judge_file(tmp_path / "t.ndjson").kind == "conforms"


def test_no_reference_page_is_stale() -> None:
    """The rendered pages and schemas are what the specification gives; `make docs` writes them."""
    assert [str(path.relative_to(DOCS)) for path in render.stale(DOCS)] == []


def test_a_stale_page_is_found_and_mended(tmp_path: Path) -> None:
    """A page that is missing, changed or too many is named, and rendering puts it right."""
    (tmp_path / "reference").mkdir()
    assert render.main(["--docs", str(tmp_path)]) == 0
    assert render.main(["--docs", str(tmp_path), "--check"]) == 0

    (tmp_path / "reference" / "charts.md").unlink()
    (tmp_path / "reference" / "rules.md").write_text("old", encoding="utf-8")
    (tmp_path / "reference" / "of-no-use.md").write_text("new", encoding="utf-8")
    (tmp_path / "reference" / "schemas" / "receipts.wire.error.json").write_text("{}", "utf-8")

    names = ["charts.md", "of-no-use.md", "receipts.wire.error.json", "rules.md"]
    assert sorted(path.name for path in render.stale(tmp_path)) == names
    assert render.main(["--docs", str(tmp_path), "--check"]) == 1
    assert sorted(path.name for path in render.render_docs(tmp_path)) == names
    assert render.stale(tmp_path) == []


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_every_link_leads_somewhere(path: Path) -> None:
    """A link inside the repository names a file or folder that is there, or an anchor that is."""
    text = path.read_text(encoding="utf-8")
    for link in LINK.finditer(text):
        target, _, anchor = link["target"].partition("#")
        if "://" in target:
            continue
        there = (path.parent / target).resolve() if target else path
        assert there.exists(), f"{name_of(path)}: {link['target']}"
        if anchor:
            assert f'id="{anchor}"' in there.read_text(encoding="utf-8"), link["target"]


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_every_rule_that_a_page_names_exists(path: Path) -> None:
    """No page cites a rule that is gone."""
    ids = {rule.id for rule in catalog.rules()}
    named = set(RULE_ID.findall(path.read_text(encoding="utf-8")))

    assert named - ids == set()


@pytest.mark.parametrize("part", catalog.PARTS)
def test_every_rule_stands_where_it_is_explained(part: str) -> None:
    """Each rule of each part is on a page beside the indexes: with its chart, ladder or list."""
    shown = "".join(
        rendered()
        for name, (_, rendered) in render.PAGES.items()
        if name not in ("rules.md", "facts.md")
    )
    named = set(RULE_ID.findall(shown))

    assert [rule.id for rule in catalog.rules_of(part) if rule.id not in named] == []


def test_the_specification_names_every_group_of_rules() -> None:
    """Whoever meets an id for the first time finds what its group is about."""
    text = (ROOT / "spec" / "README.md").read_text(encoding="utf-8")
    groups = {rule.id.rpartition("-")[0] for rule in catalog.rules()}

    assert {group for group in groups if f"`{group}`" not in text} == set()


def test_every_page_can_be_found() -> None:
    """Each page of the documentation is reached by links from the README."""
    reached: set[Path] = set()
    waiting = [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in reached or page.suffix != ".md" or not page.is_file():
            continue
        reached.add(page)
        targets = (link["target"] for link in LINK.finditer(page.read_text(encoding="utf-8")))
        waiting += [(page.parent / target.partition("#")[0]).resolve() for target in targets]

    assert set(DOCS.rglob("*.md")) - reached == set()
