"""`fencepost check controller` on the controller whose snapshots lie in a real folder."""

import pytest

from fencepost.check_result import render_result
from fencepost.controller.checking import check_controller
from fencepost.controller.files_adapter import FilesController, make
from fencepost.controller.participant import Deployment
from fencepost.trace.lines import JsonObject

pytestmark = pytest.mark.slow

ALL_STORIES = 1_200
"""Actions that are enough for every story, and for the drawn cases that come to R-CEV-2."""

FEW = 300


class Emptied(FilesController):
    """Its folder loses what was published before a process starts."""

    async def start(self, deployment: Deployment, snapshot: JsonObject | None) -> None:
        """Start a process with an empty folder."""
        self.root = self.root / "lost"
        await super().start(deployment, snapshot)


def test_the_controller_over_a_folder_conforms() -> None:
    """Silent on what is right, with every publication and every start on the disk."""
    result = check_controller(make, budget=ALL_STORIES, profile="long")

    assert result.exit_code == 0, render_result(result)
    assert result.must_exercised == result.must_total > 100


def test_a_start_from_the_folder_is_no_pretence() -> None:
    """Where the folder has lost a snapshot, no process goes on as if it had one."""
    result = check_controller(Emptied, budget=FEW)

    assert result.exit_code not in (0, 1)
    assert "was found in the folder" in render_result(result)
