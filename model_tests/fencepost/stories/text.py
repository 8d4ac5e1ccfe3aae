"""A story in words: its lines, numbered, and where it stands."""

from fencepost.agent.expecting import state_text
from fencepost.agent.faulting import look_text
from fencepost.agent.wording import line_text
from fencepost.stories.teller import Story
from fencepost.trace import Note


def told(story: Story, after: int = 0) -> str:
    """The lines of a story after a line, one text each."""
    return "\n".join(
        f"{line.seq:3}  {line.text if isinstance(line, Note) else line_text(line)}"
        for line in story.lines
        if line.seq > after
    )


class Teller:
    """A story that is read while it is told: each look shows what is new.

    >>> story = Story("a look", "what a look shows")
    >>> teller = Teller(story)
    >>> _ = story.call("prepare", checkpoint_id="c1")
    >>> print(teller.new())
      1  prepare c1
      2  reply to q1: 200 ready_to_commit=True
    >>> print(teller.stands())
    fence prepared (c1) · closed
    """

    def __init__(self, story: Story) -> None:
        self.story = story
        self._shown = 0

    def new(self) -> str:
        """What happened since the last look."""
        text = told(self.story, self._shown)
        self._shown = len(self.story.lines)
        return text

    def stands(self) -> str:
        """Where the participant stands now."""
        return state_text(self.story.state)

    def lies(self, directory: str) -> str:
        """What lies in a directory now."""
        here = self.story.state.disk.get(directory)
        return "nothing" if here is None else look_text(here)
