"""From what a caller sent to what the core is asked: bodies are read, and checked for their shape.

A body of another shape is not refused here: the core is told of it and refuses it in its turn.
"""

import hmac
from collections.abc import Mapping
from typing import Any

import attrs
from pydantic import ValidationError

from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.rendering import receipt_of
from fencepost_spec.receipts.agent import AgentSpec
from fencepost_spec.receipts.requests import Batch, GivenReceipt, relative
from fencepost_spec.receipts.saved import check_absolute_path, check_relative_path
from fencepost_spec.receipts.wire import REQUESTS, WIRE_REQUESTS
from fencepost_spec.vocabulary import Key, identity_of_run, microseconds

Fault = Mapping[str, Any]
"""One place of a body that is not what its model says."""


@attrs.frozen
class Asked:
    """A call that waits: what it asks, and what is wrong with its body."""

    op: str
    action: a.Call | a.Run
    faults: tuple[Fault, ...] = ()

    @property
    def checkpoint_id(self) -> str | None:
        """The checkpoint that a control call is about."""
        return self.action.request.checkpoint_id if isinstance(self.action, a.Call) else None

    @property
    def name(self) -> Key | str:
        """What a run is called: its key, or its call."""
        key = self.action.key if isinstance(self.action, a.Run) else None
        return self.action.id if key is None else key


def read_run(call: str, body: Mapping[str, Any]) -> Asked:
    """A client's `/run`."""
    try:
        return Asked("run", a.Run(call, identity_of_run(body)))
    except ValueError:
        fault = {"loc": ["body"], "type": "value_error"}
        return Asked("run", a.Run(call, None, well_formed=False), (fault,))


@attrs.frozen
class Reader:
    """Reads control calls: by which token, at what time, and whether directories are names.

    Where they are not they are absolute.
    """

    spec: AgentSpec
    token: str | None
    below_root: bool

    def read(
        self, call: str, op: str, body: Mapping[str, Any], token: str | None, now_us: int
    ) -> Asked:
        """A control call; its deadline is `deadline_ts`, or `deadline_in` seconds from now."""
        authorised = self._authorised(token)
        model = (REQUESTS if "deadline_in" in body else WIRE_REQUESTS).get(op)
        if model is None:
            return Asked(op, a.Call(call, op, a.Request(authorised=authorised)))
        place = "query" if self.spec.operations[op].method == "GET" else "body"
        try:
            found = model.model_validate(dict(body))
            request = self._request(found, authorised, now_us)
        except ValidationError as error:
            faults = tuple(
                {"loc": [place, *fault["loc"]], "type": fault["type"]} for fault in error.errors()
            )
        except ValueError:
            faults = ({"loc": [place, "checkpoint_dir"], "type": "value_error"},)
        else:
            return Asked(op, a.Call(call, op, request))
        malformed = a.Request(authorised=authorised, well_formed=False)
        return Asked(op, a.Call(call, op, malformed), faults)

    def _authorised(self, token: str | None) -> bool:
        if self.token is None:
            return True
        return token is not None and hmac.compare_digest(token.encode(), self.token.encode())

    def _request(self, found: Any, authorised: bool, now_us: int) -> a.Request:
        directory = getattr(found, "checkpoint_dir", None)
        if directory is not None:
            (check_relative_path if self.below_root else check_absolute_path)(directory)
        given: tuple[GivenReceipt, ...] = ()
        if isinstance(found, Batch):
            given = tuple(found.executions)
        elif isinstance(found, GivenReceipt):
            given = (found,)
        return a.Request(
            getattr(found, "checkpoint_id", None),
            _deadline(found, now_us),
            directory,
            getattr(found, "key", None),
            getattr(found, "allow_model_wait_boundary", False),
            tuple((receipt.key, receipt_of(receipt)) for receipt in given),
            authorised,
        )


def _deadline(found: Any, now_us: int) -> int | None:
    """Microseconds that are left, and none when the deadline has passed."""
    seconds = getattr(found, "deadline_in", None)
    if seconds is None:
        absolute = getattr(found, "deadline_ts", None)
        if absolute is None:
            return None
        seconds = relative({"deadline_ts": absolute}, now_us)["deadline_in"]
    return max(0, microseconds(seconds))
