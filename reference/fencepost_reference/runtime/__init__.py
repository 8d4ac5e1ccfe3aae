"""An agent participant that does real work: tasks, events and files over the core.

The core decides, and this package carries out. Import from here; the modules below are its parts.
"""

from fencepost_reference.runtime.errors import Lost, NotParked, Refused
from fencepost_reference.runtime.execution import Execution
from fencepost_reference.runtime.participant import AgentParticipant, Answer, Handler
from fencepost_reference.runtime.virtual_time import VirtualLoop

__all__ = [
    "AgentParticipant",
    "Answer",
    "Execution",
    "Handler",
    "Lost",
    "NotParked",
    "Refused",
    "VirtualLoop",
]
