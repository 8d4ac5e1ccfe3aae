"""The example agent of the documentation runs as it stands."""

import importlib.util
from pathlib import Path

import pytest

from fencepost.stage import virtual

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "agent_loop.py"


def test_the_example_agent_is_continued_by_another_process(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its first process dies after turn 1, and the second one goes on at turn 2 to the end."""
    spec = importlib.util.spec_from_file_location("agent_loop", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)

    virtual(example.main(tmp_path))

    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "attempt 0 starts at turn 0"
    assert "commit 200" in lines
    assert lines[-2] == "attempt 1 starts at turn 2"
    said = ["AFTER HELLO", "AFTER AFTER HELLO", "AFTER AFTER AFTER HELLO"]
    assert lines[-1].startswith(f"run {{'id': 'done', 'said': {said!r}"[:-2])
