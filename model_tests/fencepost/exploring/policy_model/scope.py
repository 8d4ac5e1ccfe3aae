"""How small a world around a policy model is: calls in flight, rows of the ledger, indexes."""

import attrs

from fencepost.exploring.servers.scope import ServerScope


@attrs.frozen(eq=False, slots=False)
class ModelScope(ServerScope):
    """A world around a policy model.

    `rows` is how many calls of an attempt are kept in the ledger, `keeps` how many attempts of a
    rollout have theirs kept. With `indexes` agents name the
    calls on which their work rests, and commits name the indexes, or with
    `wrongly` others. `restarts` names what is left
    when a process is replaced: its disk, and the live ledger. `damages` has a committed directory
    damaged, and `garbles` has a manifest become nonsense, each as one of the faults. `role` is
    what the model is there for. `nameless` has a call that says nobody's name, and `paths` are
    those of other calls of nobody. `failures` are the reasons for which a call that is kept may
    fail.
    """

    rows: int = 0
    keeps: int = 9
    wrongly: bool = False
    calls: bool = True
    indexes: bool = False
    restarts: tuple[tuple[str, bool], ...] = (("crash", True),)
    damages: bool = False
    garbles: bool = False
    nameless: bool = False
    paths: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()
    role: str = "policy"
