"""All stories, what each must be judged as, and the files they are kept in."""

from collections.abc import Callable
from pathlib import Path

import attrs

from fencepost.keeping import kept
from fencepost.stories import bad, good
from fencepost.stories.teller import Story


@attrs.frozen
class Entry:
    """A story, its verdict, the rule it is about, and the version it is told at."""

    tell: Callable[[Story], None]
    verdict: str
    rule: str
    version: str = "fencepost-1"

    @property
    def name(self) -> str:
        """The name of the scenario."""
        return self.tell.__name__

    @property
    def file(self) -> str:
        """The name of the file."""
        return f"{self.name}.ndjson"

    @property
    def about(self) -> str:
        """What happens, in one sentence."""
        return (self.tell.__doc__ or "").strip()

    def told(self) -> Story:
        """The story, told to its end."""
        story = Story(self.name, self.about, self.version)
        self.tell(story)
        return story

    def kept(self) -> kept.Kept:
        """The story as a trace that is kept."""
        story = self.told()
        return kept.Kept(story.header, story.lines, self.verdict, self.rule, story.wrong_at)


# fmt: off
STORIES: tuple[Entry, ...] = (
    Entry(good.park_write_go_on,            "conforms", "R-SOM-1"),
    Entry(good.continue_as_next_attempt,    "conforms", "R-SOM-2"),
    Entry(good.adopt_after_lost_reply,      "conforms", "R-SOM-3"),
    Entry(good.retry_after_missed_deadline, "conforms", "R-SOM-4"),
    Entry(good.give_up_checkpoint,          "conforms", "R-SOM-5"),
    Entry(good.write_unclaimed_record,      "conforms", "R-SOM-6"),
    Entry(good.write_continuation,          "conforms", "R-SOM-7"),
    Entry(good.write_in_frozen_wait,        "conforms", "R-SOM-8"),
    Entry(good.replace_retired_run,         "conforms", "R-SOM-9"),
    Entry(good.issue_refused_call_again,    "conforms", "R-SOM-10"),
    Entry(good.start_afresh,                "conforms", "R-SOM-11"),
    Entry(good.second_generation,           "conforms", "R-SOM-12"),
    Entry(good.refused_restore,             "conforms", "R-SOM-13"),
    Entry(good.batch_of_receipts,           "conforms", "R-SOM-14"),
    Entry(bad.stale_wake,                   "violates", "R-INV-7"),
    Entry(bad.late_park,                    "violates", "R-EXE-12"),
    Entry(bad.resume_during_prepare,        "stalls",   "R-FEN-14"),
    Entry(bad.unclaimed_record_lost,        "violates", "R-EXP-3"),
    Entry(bad.older_attempt_admitted,       "violates", "R-RUN-4"),
    Entry(bad.restore_over_live,            "violates", "R-OPS-11"),
    Entry(bad.retired_result_answered,      "violates", "R-EXE-44"),
    Entry(bad.null_result_kept,             "violates", "R-RUN-5"),
    Entry(bad.equal_record_runs_on,         "violates", "R-EXE-11"),
    Entry(bad.wait_fails_the_run,           "violates", "R-EXE-17"),
    Entry(bad.reply_let_go,                 "violates", "R-EXE-21"),
    Entry(bad.failed_prepare_says_idle,     "violates", "R-OPS-30"),
    Entry(bad.result_without_release,       "stalls",   "R-LIV-1", "2942"),
)
# fmt: on


def files() -> dict[str, bytes]:
    """Every file of the book: name and bytes."""
    return kept.files(entry.kept() for entry in STORIES)


def stale(folder: Path) -> list[str]:
    """The files that are missing, differ from their story, or belong to no story."""
    return kept.stale(folder, files())


def write(folder: Path) -> list[str]:
    """Write what is stale, take away what belongs to no story, and name both."""
    return kept.write(folder, files())
