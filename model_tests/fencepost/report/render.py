"""Writes every reference page and schema from the specification, or checks that none is stale.

    python -m fencepost.report.render [--check] [--docs FOLDER]

Without `--docs` the folder is the `docs` beside which this repository was installed editable.
"""

import argparse
import sys
from collections.abc import Callable, Container, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from fencepost.faults import UsageFault
from fencepost.kill_matrix.parts import all_parts
from fencepost.report.charts import render_charts
from fencepost.report.controller import render_controller
from fencepost.report.crash_costs import render_crash_costs
from fencepost.report.everything import render_properties, render_refusals
from fencepost.report.indexes import render_facts, render_rules
from fencepost.report.ledger import render_ledger
from fencepost.report.lists import (
    render_dialects,
    render_faults,
    render_policies,
)
from fencepost.report.markdown import RENDERED, bullets, render_page
from fencepost.report.operations import render_operations
from fencepost.report.policy_model import render_policy_model
from fencepost.report.referee import render_referee
from fencepost.report.resources import render_resources
from fencepost.report.runs import render_runs
from fencepost.report.snapshot import render_snapshot
from fencepost.report.storage import render_storage
from fencepost.report.trace_format import render_trace_format
from fencepost.report.world import render_worlds
from fencepost.schemas import stale_schemas, write_schemas
from fencepost.trace.explain import SCHEMA_FILE, schema_text

Render = Callable[[], str]

# fmt: off
PAGES: Mapping[str, tuple[str, Render]] = MappingProxyType({
    "charts.md":       ("the fence and the life of a key, as pictures and rows", render_charts),
    "operations.md":   ("the operations of an agent, their ladders, and each in every phase",
                        render_operations),
    "runs.md":         ("what a run gets, first or repeated; retire; acknowledgement", render_runs),
    "policy-model.md": ("the policy model: gate, operations, custody", render_policy_model),
    "resources-server.md": ("the resources server: sessions, requests, operations",
                        render_resources),
    "storage.md":      ("checkpoint directories: how written, what is checked", render_storage),
    "refusals.md":     ("every code of every part, and what it proves", render_refusals),
    "policies.md":     ("what blocks, what is written, what refuses a key", render_policies),
    "properties.md":   ("what must hold, come about, and be possible, of every part",
                        render_properties),
    "dialects.md":     ("levels of development that can be judged", render_dialects),
    "faults.md":       ("what the world may do", render_faults),
    "ledger.md":       ("the recovery ledger: charts, operations, what a load is asked",
                        render_ledger),
    "snapshot.md":     ("a controller's snapshot: its files, what they are asked, which is chosen",
                        render_snapshot),
    "controller.md":   ("the controller: charts, decisions, levels", render_controller),
    "referee.md":      ("what any controller may do, deed by deed, and what it leaves undone",
                        render_referee),
    "worlds.md":       ("a controller and its participants together: promises, named worlds",
                        render_worlds),
    "crash-costs.md":  ("what a crash at each point of a checkpoint costs", render_crash_costs),
    "rules.md":        ("every rule, by id", render_rules),
    "facts.md":        ("every numbered fact, and the rules that state it", render_facts),
    "trace-format.md": ("each line of a trace, each field", render_trace_format),
})
"""The rendered pages of `docs/reference`, each with what it tells."""
# fmt: on


def elsewhere() -> dict[str, str]:
    """Pages in the same folder that the tests of the kill matrix write."""
    written = (
        "the test of the kill matrix writes this page, see [contributing](../../CONTRIBUTING.md)"
    )
    named = {
        part.page: f"each fault of the {part.name}, and the rule that finds it; {written}"
        for part in all_parts()
    }
    return named | {
        "first-seen.md": "each named fault, and the tiny scope in which the explorer sees it first",
        "score.md": "of all that can be deleted, how much is noticed",
        "bugs.md": "every known bug, the mutants that have it, and the rules that find them",
    }


def render_index(found: Container[str] = ()) -> str:
    """The page that lists the others; of those that are rendered elsewhere, the ones found."""
    entries = {name: says for name, (says, _) in PAGES.items()}
    entries |= {name: says for name, says in elsewhere().items() if name in found}
    return render_page(
        "Reference",
        "Rendered from the specification: what stands here is what is checked.",
        bullets(f"[{name.removesuffix('.md')}]({name}): {entries[name]}" for name in entries),
        f"Schemas: [one line of a trace]({SCHEMA_FILE}), [bodies and saved documents](schemas).",
    )


def pages(found: Container[str] = ()) -> dict[str, str]:
    """Every rendered file of `docs/reference`, by name, beside those that were found there."""
    texts = {"README.md": render_index(found)}
    texts |= {name: render() for name, (_, render) in PAGES.items()}
    texts[SCHEMA_FILE] = schema_text()
    return texts


def stale(docs: Path) -> list[Path]:
    """The rendered files that are missing, differ from the specification, or are too many."""
    folder = docs / "reference"
    found = _names_in(folder)
    wanted = pages(found)
    known = {*wanted, *elsewhere()}
    wrong = {
        name
        for name, text in wanted.items()
        if name not in found or (folder / name).read_text(encoding="utf-8") != text
    }
    pages_wrong = sorted(folder / name for name in wrong | (found - known))
    return [*pages_wrong, *stale_schemas(folder / "schemas")]


def _names_in(folder: Path) -> set[str]:
    return {path.name for path in folder.glob("*") if path.is_file()}


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""


def write(docs: Path) -> list[Path]:
    """Write what is stale, take away what does not belong there, and name both."""
    folder = docs / "reference"
    folder.mkdir(parents=True, exist_ok=True)
    wanted = pages(_names_in(folder))
    changed = [path for path in stale(docs) if path.parent == folder]
    for path in changed:
        if path.name in wanted:
            path.write_text(wanted[path.name], encoding="utf-8")
        else:
            path.unlink()
    return [*changed, *write_schemas(folder / "schemas")]


def render_docs(docs: Path, *, check: bool = False) -> list[Path]:
    """Write what is stale, or with `check` change nothing; either way, what was found stale.

    A `UsageFault` where pages are somebody else's: what does not belong among ours is taken away.
    """
    folder = docs / "reference"
    ours = any(RENDERED in _text(path) for path in folder.glob("*.md"))
    if not ours and check:
        raise UsageFault(f"{docs} holds no pages of ours", f"they would stand in {folder}")
    if not ours and any(folder.glob("*")):
        raise UsageFault(f"{folder} holds files, and none is a page of ours", "name another folder")
    return stale(docs) if check else write(docs)


def main(arguments: Sequence[str] | None = None) -> int:
    """Render, or with `--check` only compare; 1 when something was found stale."""
    parser = argparse.ArgumentParser(prog="python -m fencepost.report.render", description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; 1 when stale")
    parser.add_argument("--docs", type=Path, help="the folder that holds reference/")
    given = parser.parse_args(arguments)
    docs: Path = given.docs or Path(__file__).resolve().parents[3] / "docs"
    if not docs.is_dir():
        parser.error(f"no folder {docs}; name one with --docs")
    try:
        found = render_docs(docs, check=given.check)
    except UsageFault as fault:
        parser.error(str(fault))
    for path in found:
        if given.check:
            sys.stderr.write(f"stale: {path.relative_to(docs)}; run make docs\n")
        else:
            sys.stdout.write(f"rendered {path.relative_to(docs)}\n")
    return 1 if found and given.check else 0


if __name__ == "__main__":
    sys.exit(main())
