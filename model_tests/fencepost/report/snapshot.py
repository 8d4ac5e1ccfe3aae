"""The page of the controller's snapshot: documents, checks, selection, restart, writing."""

from collections.abc import Iterable, Mapping

import attrs
from pydantic import BaseModel

from fencepost.report.markdown import (
    code,
    codes,
    first_line,
    render_page,
    render_table,
    upper_first,
)
from fencepost_spec.operation import Check
from fencepost_spec.receipts.snapshot import names, results, saved
from fencepost_spec.receipts.snapshot.checks import SnapshotChecks
from fencepost_spec.receipts.snapshot.refusals import REFUSALS
from fencepost_spec.receipts.snapshot.spec import SNAPSHOT
from fencepost_spec.receipts.snapshot.writing import WRITER_RULES
from fencepost_spec.rule import Rule

_LEVELS: Mapping[str, str] = {
    "place": "where it lies, and each file of it",
    "text": "the bytes of each document",
    "shape": "each document, topology and result",
    "manifest": "the manifest by itself",
    "file": "each file that the manifest lists",
    "topology": "the participants that were found",
    "commit": "who committed",
    "custody": "the manifest of each participant",
    "artifact": "each index that a participant wrote",
    "join": "all continuations and staged rows together",
    "owner": "continuations beside the ledger",
    "binding": "the documents beside each other",
    "restored": "what participants say that they have restored",
}

_DOCUMENTS: Mapping[str, type[BaseModel]] = {
    names.MANIFEST: saved.SnapshotManifest,
    names.METADATA: saved.DataPlaneMetadata,
    names.ROWS: saved.DataPlaneRows,
    names.REPLAY: saved.ReplayIndex,
    "the topology that was found": results.CheckpointTopology,
    "the commit result, in the manifest": results.CommitResult,
    "the restore result": results.RestoreResult,
}


def render_snapshot() -> str:
    """The page of the snapshot directory of the receipts protocol."""
    selection, restart = SNAPSHOT.selection, SNAPSHOT.restart
    return render_page(
        "The snapshot of a controller",
        "What a training controller leaves on disk while a training step is under way, so that a "
        "run can go on from there.\n"
        "It is made under a temporary name and becomes visible by one rename; what is called "
        f"`{names.snapshot_name(7)}` is whole.",
        "## Files",
        f"Always: {codes(names.REQUIRED)}, and {code(names.MANIFEST)}. Only when it is not empty: "
        f"{codes(names.OPTIONAL)}.\n"
        "Participants commit below `agent`, `model-ledger` and `resources`. The recovery file is "
        "[the ledger's](ledger.md), and is held to the ledger's own checks.",
        "## Documents",
        "Every field is there, null or not; nothing else is. All have one schema version.",
        render_table(("document", "fields"), (_fields(*one) for one in _DOCUMENTS.items())),
        "## What a snapshot is asked",
        "From the top to the bottom; what one check refuses is not believed at all. "
        "What concerns participants is asked where somebody has looked for them.",
        *(_level(field.name) for field in attrs.fields(SnapshotChecks)),
        "## Which one is chosen",
        "Asked of each candidate, newest first:",
        _checks(selection.skip),
        "The first that is not passed over is chosen "
        f"({selection.newest.id}), unless one of these holds of what is left:",
        _checks(selection.stop),
        "## What a restart gives up",
        "Asked of each restored continuation before admission opens:",
        _checks(restart.discard),
        _rules((restart.kept, restart.rows, restart.canonical)),
        "## Writing",
        _rules(WRITER_RULES),
        "## Refusals",
        "Every refusal is definite: it proves that nothing changed.",
        render_table(("code", "meaning"), ((code(one.code), one.says) for one in REFUSALS)),
    )


def _fields(name: str, model: type[BaseModel]) -> tuple[str, str]:
    return name, codes(model.model_fields)


def _level(name: str) -> str:
    heading = f"### {upper_first(_LEVELS[name])}"
    return f"{heading}\n\n{_checks(getattr(SNAPSHOT.checks, name))}"


def _checks(ladder: Iterable[Check]) -> str:
    rows = (
        (
            check.rule.id,
            first_line(check.when.__doc__),
            code(check.answer),
            check.rule.says,
            ", ".join(check.rule.facts),
        )
        for check in ladder
    )
    return render_table(("rule", "when", "answer", "because", "facts"), rows)


def _rules(rules: Iterable[Rule]) -> str:
    rows = ((rule.id, rule.says, ", ".join(rule.facts)) for rule in rules)
    return render_table(("rule", "sentence", "facts"), rows)
