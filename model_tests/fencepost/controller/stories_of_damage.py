"""Courses of events in which a published snapshot is damaged, and a process starts after that."""

from fencepost.controller.damage import CHANGED, CUT, MANIFEST, MISSING, SIDECARS
from fencepost.controller.stories import ALONE, DUE, SAVED, STEPPED, TURN, WHOLE, Story
from fencepost.controller.telling import damage, finish, restarted, work

DAMAGE: tuple[Story, ...] = (
    Story.told("the newest snapshot is cut short, and an older one fits", ALONE, *SAVED, *SAVED,
               damage(SIDECARS, CUT), restarted(), finish(attempt=1), DUE),
    Story.told("the newest snapshot has no manifest, and an older one fits", ALONE, *SAVED, *SAVED,
               damage(MANIFEST, MISSING), restarted(), finish(attempt=1), DUE),
    Story.told("the older snapshot is damaged, and nobody needs it", ALONE, TURN, *SAVED, *SAVED,
               damage(SIDECARS, MISSING, back=1), restarted(), finish(attempt=1), scene=WHOLE),
    Story.told("the only snapshot is changed", ALONE, *SAVED, damage(SIDECARS, CHANGED),
               restarted()),
    Story.told("the only snapshot has a manifest that is cut short", ALONE, *SAVED,
               damage(MANIFEST, CUT), restarted()),
    Story.told("every snapshot that is kept is damaged", ALONE, *SAVED, *SAVED,
               damage(SIDECARS, MISSING), damage(MANIFEST, CHANGED, back=1), restarted()),
    Story.told("the newest snapshot is damaged, and the others are of another step", ALONE, *SAVED,
               STEPPED, *SAVED, damage(SIDECARS, CUT), restarted()),
    Story.told("snapshots are pruned, and the newest is damaged", ALONE, *SAVED, *SAVED, *SAVED,
               damage(SIDECARS, CUT), restarted(), work("turn", attempt=1)),
)  # fmt: skip
