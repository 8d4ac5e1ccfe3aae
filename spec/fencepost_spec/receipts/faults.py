"""What the world may do to an agent participant and to what is said to it.

Decided here: the names. Not decided here: what follows; each is an action of the core, and a line
of a trace. May import `operation`.
"""

from fencepost_spec.operation import Fault

FAULTS: tuple[Fault, ...] = (
    Fault("lost reply", "the answer of a call never arrives; whether it acted stays open"),
    Fault("caller gone", "the caller of a call goes away; what it started goes on"),
    Fault("repeat", "a call arrives again, as it was, at any later time"),
    Fault("delay", "a call arrives after others that were sent later"),
    Fault("time", "time passes, and deadlines fall due"),
    Fault("crash", "the process is replaced: memory is lost, the disk is kept or empty"),
    Fault("hold", "a storage step of a commit or restore is held until it is released"),
    Fault("fail records", "writing the records fails, and the directory stays without a manifest"),
    Fault("fail manifest", "writing the manifest fails before it is visible"),
    Fault("fail after manifest", "the manifest is visible, and the step after it fails"),
    Fault("fail read", "reading a directory fails"),
    Fault("damage", "a file of a directory changes or goes away"),
    Fault("copy", "a directory is copied to where another process may commit or restore it"),
    Fault("remove", "a directory goes away"),
)
"""Every fault that a trace of an agent may hold."""
