"""A small trace that conforms and has every kind of line an agent's trace can have.

The page of the format takes its examples from it, so each of them could stand in a real trace.
"""

from fencepost.stories.teller import Story
from fencepost.trace import Footer, Header, Line
from fencepost.trace.examples import EXAMPLES
from fencepost.trace.lines import JsonObject
from fencepost.trace.writer import line_as_json
from fencepost_spec.vocabulary import Key


def agent_trace() -> tuple[Header, tuple[Line, ...], Footer]:
    """The trace: a run that is parked, written down, lost with its process, and restored."""
    key = Key("r1", 0)
    story = Story("example", "one line of each kind")
    story.report()
    story.run(key)
    story.boundary(key, 0)
    story.call("prepare", checkpoint_id="c1")
    story.boundary(key, 1)
    story.call("commit", checkpoint_id="c1", checkpoint_dir="d1")
    story.look("d1")
    story.call("resume", checkpoint_id="c1")
    story.hold("commit")
    story.tick(0.25)
    story.note("the machine fails")
    story.crash()
    story.call("restore", checkpoint_id="c2", checkpoint_dir="d1")
    return story.header, tuple(story.lines), Footer(len(story.lines))


def examples() -> list[JsonObject]:
    """What the page may show: the lines of the trace, a held event first, then the short ones.

    Behind them stand the kinds of line that no agent has.
    """
    header, lines, footer = agent_trace()
    own = [line_as_json(line) for line in (header, *lines, footer)]
    own.sort(key=lambda line: (line.get("outcome") != "waits", len(str(line))))
    return [*own, *EXAMPLES]
