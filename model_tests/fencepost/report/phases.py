"""Every operation in every phase: how a phase table is shown."""

from fencepost.report.markdown import bullets, render_table
from fencepost_spec.operation import REPLAY, SHARE
from fencepost_spec.phase_table import ACTS, Cell, PhaseTable

_WORDS = {ACTS: "acts", REPLAY: "replays", SHARE: "shares"}

_CELLS = {
    "`a → b`": "the operation acts and the fence goes through *a* to *b*; one name: it ends there",
    "`failed: c`": "where the fence ends when the operation does not succeed",
    "acts": "it takes effect, or the participant itself refuses it; the fence stays where it is",
    "replays": "the recorded answer is given again, whatever the phase is now",
    "shares": "the caller joins the call that is under way and gets its answer",
    "anything else": "the code of a refusal",
}


def phase_section(table: PhaseTable) -> str:
    """The table, where its situations are told apart, and how its cells are read."""
    rows = ([where.name, *(cell_text(cell) for cell in cells)] for where, cells in table.rows)
    told = [f"*{one.name}*: {one.says}." for one in table.situations if one.says]
    return "\n\n".join(
        (
            '## <a id="phases"></a>Every operation in every phase',
            "Called with the id that is open, and in *idle* with one that is new.",
            render_table(["", *table.operations], rows),
            bullets(told),
            "Cells:",
            bullets(f"{cell}: {meaning}." for cell, meaning in _CELLS.items()),
        )
    )


def cell_text(cell: Cell) -> str:
    """A cell in few words.

    >>> cell_text(Cell("acts", ("committing", "committed_paused"), "prepared"))
    'committing → committed_paused; failed: prepared'
    """
    moved = " → ".join(cell.through)
    text = moved or _WORDS.get(cell.answer) or f"`{cell.answer}`"
    return text if cell.failed is None else f"{text}; failed: {cell.failed}"
