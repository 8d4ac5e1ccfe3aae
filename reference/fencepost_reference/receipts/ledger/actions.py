"""What can happen to a ledger, and what it answers."""

from typing import Any

import attrs

from fencepost_spec.rule import Rule


@attrs.frozen
class Call:
    """An operation is called with a request, in a live mutation cut or not.

    Requests hold plain values, as a trace shows them.
    """

    op: str
    request: Any
    cut: bool = True


@attrs.frozen
class Replace:
    """The process is gone, and a new one starts with an empty ledger."""


@attrs.frozen
class Answer:
    """What an operation answers: its value, or the code and rule of a refusal."""

    ok: bool
    rule: Rule
    body: Any = None
    code: str | None = None
    detail: str = ""


@attrs.frozen
class Move:
    """Why something is as it is now: a group by id, an attempt by key, an obligation by key."""

    subject: object
    rule: Rule
