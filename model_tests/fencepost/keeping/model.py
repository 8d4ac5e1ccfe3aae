"""The kept traces of policy models: stories that conform, and a short way into each bug."""

from collections.abc import Iterator

import attrs

from fencepost.keeping.kept import Kept, refused_kept, slug
from fencepost.policy_model.mutants.examining import Examiner
from fencepost.policy_model.mutants.named import NAMED
from fencepost.policy_model.stories import STORIES
from fencepost.policy_model.walking import header_of

MORE = {
    "a commit that is shared": "R-OPS-7",
    "a restore that is shared": "R-OPS-5",
    "a status waits for its deadline": "R-MOP-11",
    "resume ends what waits": "R-MOP-20",
    "a restore over calls in flight": "R-CUS-25",
    "an attempt below a source": "R-GAT-3",
    "a commit that fails": "R-CUS-30",
    "a failed copy is taken back": "R-CUS-31",
    "a lineage that is damaged": "R-CUS-6",
    "a damaged commit again": "R-CUS-10",
    "a manifest of nonsense": "R-CUS-21",
    "a newer manifest": "R-CUS-22",
    "a ledger with strangers": "R-CUS-26",
    "another server's ledger": "R-CUS-23",
    "a judge is asked": "R-MOP-1",
    "every call in idle": "R-OPS-9",
}
"""Stories that are kept beside the witnesses, with the rule that each is kept for."""


def good() -> Iterator[Kept]:
    """A witness of each thing that must be possible, and what the world can do to a model."""
    for story in STORIES:
        rule = story.shows or MORE.get(story.says)
        if rule is not None:
            header = attrs.evolve(
                header_of(story.role, story.ledger), scenario=slug(story.says), about=story.says
            )
            yield Kept(header, story.walk().lines, "conforms", rule)


def wrong() -> Iterator[Kept]:
    """The shortest way into each named bug; takes half a minute."""
    examiner = Examiner()
    for mutant in NAMED:
        found = examiner.shown(mutant)
        if found is not None:
            header = attrs.evolve(
                header_of(found.told.role, found.told.ledger),
                scenario=slug(mutant.name),
                about=mutant.says,
            )
            yield refused_kept(header, found.walk.lines, found.refusal)
