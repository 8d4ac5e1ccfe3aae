"""The page of checkpoint directories: how they are written, and what is checked before belief."""

from fencepost.report.markdown import render_page
from fencepost.report.participant import rule_table
from fencepost_spec.receipts.running import DISK_RULES
from fencepost_spec.receipts.storage_rules import CHECK_RULES, FLOOR_RULES, WRITER_RULES


def render_storage() -> str:
    """The page of what makes a directory a checkpoint."""
    return render_page(
        "Checkpoint directories",
        "The layout stands in [formats](../formats.md). Each check is a value: a reader without "
        "one is another reader, and a damaged directory shows the difference.",
        "## Steps of a commit and a restore",
        rule_table(DISK_RULES),
        "## How a directory is written",
        rule_table(WRITER_RULES),
        "## What no reader can do without",
        rule_table(FLOOR_RULES),
        "## What is checked before anything is believed",
        rule_table(CHECK_RULES),
    )
