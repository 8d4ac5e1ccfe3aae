"""`fencepost replay` of a resources server: its actions are sent again, and judged."""

import json
from pathlib import Path

import pytest

from fencepost.adapters.resources import CoreResources
from fencepost.cli import run
from fencepost.driven import perform_all
from fencepost.replay import replay_file
from fencepost.resources.driver import Driver
from fencepost.resources.mutants.part import MUTANTS
from fencepost.resources.playing import make_participant, play
from fencepost.resources.replay import is_action
from fencepost.resources.stories import STORIES, Story
from fencepost.trace import write_trace
from fencepost.watch import Watch


class Little(CoreResources):
    """A server that cannot prepare."""

    capabilities = CoreResources.capabilities - {"prepare", "commit", "restore", "resume"}


def faulty() -> CoreResources:
    """A server that serves a request again that it has served."""
    return CoreResources(MUTANTS["under_lock without R-RRQ-12 request_is_known"].make())


def told(folder: Path, story: Story) -> Path:
    """What the reference does in a story, as a trace."""
    played = play(
        CoreResources,
        None,
        lambda driver: _doing(driver, story),
        Watch(),
        story.name,
        dict(story.settings),
    )
    assert played.refusal is None
    assert any(is_action(line) for line in played.lines)
    path = folder / "told.ndjson"
    write_trace(path, played.header, played.lines)
    return path


async def _doing(driver: Driver, story: Story) -> bool:
    await perform_all(driver, story.script)
    return True


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.property_id)
def test_a_story_replayed_on_the_reference_conforms(story: Story, tmp_path: Path) -> None:
    """What the reference did, it does again; every action is sent."""
    verdict = replay_file(told(tmp_path, story))

    assert verdict.kind == "conforms", verdict.reason
    assert verdict.rules_exercised


def test_a_wrong_server_is_refused_on_the_same_trace(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A trace of the reference, sent to a server that answers otherwise, shows what is wrong."""
    refused: list[str] = []
    for story in STORIES:
        verdict = replay_file(told(tmp_path, story), faulty)
        if verdict.kind == "violates":
            assert verdict.rule is not None
            refused.append(verdict.rule.id)
    path = told(tmp_path, STORIES[0])

    assert "R-RRQ-12" in refused
    assert run(["replay", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["verdict"] == "conforms"


def test_a_server_that_can_do_little_is_no_ground_for_a_verdict(tmp_path: Path) -> None:
    """Where most actions cannot be sent, nothing is said of the server."""
    assert make_participant(Little).capabilities < CoreResources.capabilities
    path = told(tmp_path, max(STORIES, key=lambda one: sum(is_action(x) for x in one.script)))

    verdict = replay_file(path, Little)

    assert verdict.kind == "inconclusive"
    assert verdict.reason is not None
    assert "could be sent" in verdict.reason
