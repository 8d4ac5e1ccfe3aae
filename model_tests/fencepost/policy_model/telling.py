"""What the stories of a policy model are told with: names, and one call at a time."""

from collections.abc import Callable
from typing import Any

import attrs

from fencepost.policy_model.enabled import DEADLINE_US, INDEXES
from fencepost.policy_model.files import document_of, index_of
from fencepost.policy_model.walking import ModelWalk
from fencepost_reference.receipts.policy_model import actions as a
from fencepost_reference.receipts.policy_model.state import Root, Row
from fencepost_spec.vocabulary import Key

R1, R2 = Key("r1", 0), Key("r2", 0)
M1, M2 = Row("m1"), Row("m2")
DIR = "d1"


@attrs.frozen
class Story:
    """What happens, in a phrase; the rules that it must use; the role and ledger of its model."""

    says: str
    rules: tuple[str, ...]
    tell: Callable[[ModelWalk], None]
    role: str = "policy"
    ledger: str = "file"
    # The `sometimes` that the story is a witness of.
    shows: str | None = None

    def walk(self) -> ModelWalk:
        """The story, told to a core that conforms."""
        walk = ModelWalk(role=self.role, ledger=self.ledger)
        self.tell(walk)
        walk.settle()
        return walk


def ask(walk: ModelWalk, op: str, checkpoint: str | None, **more: Any) -> str:
    """Make a control call, and do not wait."""
    call = a.Call(walk.world.call, op, a.Request(checkpoint, DEADLINE_US, **more))
    walk.take(call)
    return call.id


def refused(walk: ModelWalk, op: str, checkpoint: str | None, code: str, **more: Any) -> None:
    """Make a control call that is refused with a code."""
    name = ask(walk, op, checkpoint, **more)
    walk.settle()
    assert walk.answers[name].code == code, walk.told(f"{op}: {walk.answers[name]}")


def admit(
    walk: ModelWalk, key: Key | None, path: str = "/v1/responses", agrees: bool = True
) -> str:
    """A call reaches the gate."""
    ticket = walk.world.ticket
    walk.take(a.Admit(ticket, key, path, agrees))
    return ticket


def put(walk: ModelWalk, *roots: Root, path: str = INDEXES[0]) -> tuple[tuple[str, str], ...]:
    """An agent writes an index; what a commit names of it."""
    index = index_of(path, [document_of(root) for root in roots])
    walk.take(a.SetIndex(path, index))
    return ((path, index.digest),)
