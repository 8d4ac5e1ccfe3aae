"""An adapter that ends its process is told with the call under way and the last actions."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="there is no fork"),
]

ADAPTERS = """
import os
from fencepost.adapters.ledger import LibraryLedger
from fencepost.adapters.resources import CoreResources
from fencepost.adapters.runtime import RuntimeAgent
from fencepost.controller.core_adapter import CoreController
from fencepost.policy_model.core_adapter import CoreModel

class agent(RuntimeAgent):
    async def control(self, op, request, auth):
        return os._exit(0) if op == "commit" else await super().control(op, request, auth)

class controller(CoreController):
    async def submit(self, group):
        os._exit(3)

class model(CoreModel):
    async def control(self, op, request, auth):
        os._exit(0)

class resources(CoreResources):
    async def control(self, op, request, auth):
        os._exit(0)

class ledger(LibraryLedger):
    def call(self, op, request, *, cut):
        os._exit(0)
"""


@pytest.mark.parametrize(
    ("kind", "call", "last"),
    [
        ("agent", "the call commit", "commit c1 d1"),
        ("controller", "submit()", "submit g1"),
        ("model", "the call pause", "pause c1"),
        ("resources", "the call prepare", "prepare c1"),
        ("ledger", "call()", ""),
    ],
)
def test_the_call_and_the_last_actions_are_told(
    kind: str, call: str, last: str, tmp_path: Path
) -> None:
    """For every kind of participant, in the text and in JSON."""
    (tmp_path / "ending.py").write_text(ADAPTERS, encoding="utf-8")
    words = ["check", kind, "--adapter", f"ending:{kind}", "--json"]
    left = subprocess.run(
        [sys.executable, "-m", "fencepost.cli", *words],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=tmp_path,
    )
    told = json.loads(left.stdout)

    assert left.returncode == told["exit_code"] == 4
    assert told["reason"].endswith(f"before there was a verdict; its last step was {call}")
    assert told["last_actions"]
    assert told["last_actions"][-1].endswith(last)
    assert f"; its last step was {call}\nlast actions  " in left.stderr
    assert told["last_actions"][-1] in left.stderr


NOT_STARTED = """
import os
from fencepost.controller.core_adapter import CoreController

class unable(CoreController):
    async def start(self, deployment, snapshot):
        raise RuntimeError("no start")

class gone(CoreController):
    async def submit(self, group):
        os._exit(3)

class restoring(CoreController):
    async def start(self, deployment, snapshot):
        if snapshot is not None:
            raise RuntimeError("no restore")
        await super().start(deployment, snapshot)
"""


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("unable", "before anything was done that could be played again, so kept.ndjson is not"),
        ("gone", "the run went with the process of the participant, so kept.ndjson is not"),
        ("restoring", ""),
    ],
)
def test_what_led_there_is_saved_or_it_is_said_why_not(
    name: str, says: str, tmp_path: Path
) -> None:
    """A start that raises after other things were done leaves a file; the first one leaves none."""
    (tmp_path / "starting.py").write_text(NOT_STARTED, encoding="utf-8")
    words = ["check", "controller", "--adapter", f"starting:{name}", "--save", "kept.ndjson"]
    left = subprocess.run(
        [sys.executable, "-m", "fencepost.cli", *words],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=tmp_path,
    )

    assert left.returncode == 4
    assert (tmp_path / "kept.ndjson").exists() == (not says)
    assert ("nothing to save" in left.stderr) == bool(says)
    assert says in left.stderr
