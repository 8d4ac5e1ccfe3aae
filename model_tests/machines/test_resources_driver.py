"""The bundled resources server under the driver: stories, drawn worlds, and winding down."""

from collections.abc import Awaitable
from pathlib import Path
from random import Random

import pytest

from fencepost.adapters.resources import CoreResources, make
from fencepost.driven import perform_all
from fencepost.faults import ParticipantFault
from fencepost.resources.answering import reply_line
from fencepost.resources.driver import Driver
from fencepost.resources.participant import Answer, Handler, Settings
from fencepost.resources.playing import play, wander
from fencepost.resources.request_stories import REQUESTS
from fencepost.resources.stories import STORIES, Story, unanswered
from fencepost.trace.lines import Call, JsonObject, Reply
from fencepost.watch import Watch
from fencepost_spec.operation import Kind
from fencepost_spec.receipts.resources.properties import PROPERTIES


@pytest.mark.parametrize("story", [*STORIES, *REQUESTS], ids=lambda story: story.name)
def test_a_good_thing_can_happen(story: Story) -> None:
    """Each `sometimes`, and each word about requests, has a story that is answered as it must."""

    async def doing(driver: Driver) -> bool:
        await perform_all(driver, story.script)
        return True

    played = play(make, None, doing, Watch(), story.name, dict(story.settings))

    assert played.refusal is None
    assert unanswered(story, played.lines) == []


def test_every_sometimes_has_a_story() -> None:
    """No good thing is only claimed."""
    sometimes = {prop.id for prop in PROPERTIES if prop.kind is Kind.SOMETIMES}

    assert {story.property_id for story in STORIES} == sometimes


def test_a_story_notices_another_answer() -> None:
    """The look at the answers is not empty: another answer, or none, is told."""
    story = STORIES[0]

    async def doing(driver: Driver) -> bool:
        await perform_all(driver, story.script[:8])
        return True

    played = play(make, None, doing, Watch(), story.name)

    assert unanswered(story, played.lines) == ["q3: no answer", "q4: no answer", "q5: no answer"]


@pytest.mark.slow
@pytest.mark.parametrize("group", range(3))
def test_no_false_alarm_and_a_prepare_succeeds_in_the_end(group: int) -> None:
    """Drawn worlds on the reference are never refused, and most can be wound down.

    Those that cannot hold state of nobody, or wait for a restore: only a new process helps, and
    not every world has one.
    """
    rested = 0
    for number in range(20 * group, 20 * group + 20):

        async def doing(driver: Driver, number: int = number) -> bool:
            return await wander(driver, Random(number))

        played = play(make, None, doing, Watch(), f"world {number}")
        assert played.refusal is None, played.refusal
        assert played.inconclusive is None
        rested += played.complete

    assert rested >= 8


class Capitals(CoreResources):
    """A server that writes the names of its headers as many do, and takes them as they come."""

    async def start(self, root: Path, settings: Settings, handler: Handler) -> None:
        """Give handlers their headers with capitals."""

        def called(
            request: JsonObject, rollout: str | None, attempt: int | None
        ) -> Awaitable[Answer]:
            headers = {name.title(): text for name, text in request["headers"].items()}
            return handler({**request, "headers": headers}, rollout, attempt)

        await super().start(root, settings, called)

    async def request(self, request: JsonObject) -> Answer:
        """Answer with capitals."""
        answer = await super().request(request)
        headers = {name.title(): text for name, text in answer.headers.items()}
        return Answer(answer.status, answer.body, headers)


def test_names_of_headers_have_no_case() -> None:
    """A server that writes them with capitals conforms, and its trace has them in lower case."""
    story = STORIES[0]

    async def doing(driver: Driver) -> bool:
        await perform_all(driver, story.script)
        return True

    played = play(Capitals, None, doing, Watch(), story.name, dict(story.settings))

    assert played.refusal is None
    assert unanswered(story, played.lines) == []
    told = [line.headers for line in played.lines if isinstance(line, Reply) and line.headers]
    assert told
    assert all(name == name.lower() for headers in told for name in headers)


def test_a_header_that_is_given_twice_and_differs_is_no_answer() -> None:
    """Which of two revisions is meant cannot be known."""
    twice = {"X-Revision": "1", "x-revision": "2"}

    with pytest.raises(ParticipantFault, match="two headers 'x-revision' that differ"):
        reply_line(Call(1, "request", "q1", {}), Answer(200, None, twice))
