"""Every story that is told to a controller before anything is drawn."""

from fencepost.controller.stories import STORIES as TOLD
from fencepost.controller.stories import Story
from fencepost.controller.stories_of_damage import DAMAGE
from fencepost.controller.stories_of_groups import GROUPS
from fencepost.controller.stories_of_sessions import SESSIONS

STORIES: tuple[Story, ...] = (*TOLD, *SESSIONS, *GROUPS, *DAMAGE)
