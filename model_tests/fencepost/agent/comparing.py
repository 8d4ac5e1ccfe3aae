"""Whether an answer or a report is what the model expects, and if not, what differs and why.

Only what means the same at every level of development is compared: statuses, codes, counters,
states and identities; never texts, ages or digests of files.
"""

from typing import Any

from fencepost.agent.expecting import blamed_for_view, expected_text
from fencepost.agent.statuses import status_mismatch
from fencepost.mismatch import RECEIPT_NAMES, Mismatch, as_object, is_object
from fencepost_reference.receipts.state import Reply, View
from fencepost_spec.receipts.agent import AGENT
from fencepost_spec.receipts.dialects import Dialect
from fencepost_spec.receipts.guards import ExecutionFacts
from fencepost_spec.receipts.operation_rules import PREPARE_EFFECT
from fencepost_spec.receipts.refusals import (
    INVALID_PHASE,
    PREPARE_INCOMPLETE,
    STALE_CHECKPOINT,
)
from fencepost_spec.rule import Rule
from fencepost_spec.vocabulary import digest_of

_FOUND_AGAIN = AGENT.execution.find("retired", "retire_called", ExecutionFacts())
_RETIRED_AGAIN = None if _FOUND_AGAIN is None else _FOUND_AGAIN.rule
# Where any code will do, these still say that something else is wrong.
_MEAN_ELSE = (None, INVALID_PHASE, STALE_CHECKPOINT)


def code_in(body: object) -> str | None:
    """The refusal code in a body, if there is one."""
    found = as_object(as_object(body).get("error")).get("code")
    return found if isinstance(found, str) else None


def came_text(status: int | None, body: object) -> str:
    """An answer in few words."""
    found = code_in(body)
    if found is not None:
        return f"{status} {found}"
    text = f"{status}"
    if "executions" in as_object(body):
        return f"{text} ready_to_commit={as_object(body).get('ready_to_commit')}"
    shown = str(body)
    return f"{text} {shown if len(shown) <= 120 else shown[:117] + '...'}"


def reply_mismatch(
    reply: Reply, status: int | None, body: Any, dialect: Dialect
) -> Mismatch | None:
    """Compare an answer with the one that was decided."""
    if reply.loose:
        failed = status is not None and status >= 400
        return None if failed else _differs(reply, status, body, reply.rule, 3)
    if status != reply.status or (reply.code is not None and not _code_fits(reply, body)):
        rule = reply.rule
        turned = status == 200 or code_in(body) == PREPARE_INCOMPLETE
        if isinstance(reply.body, View) and turned:
            rule = blamed_for_view(reply.body) or PREPARE_EFFECT
        return _differs(reply, status, body, rule, 3)
    return None if reply.status != 200 else _body_mismatch(reply, body, dialect)


def _differs(
    reply: Reply, status: int | None, body: Any, rule: Rule | None, weight: int
) -> Mismatch:
    """The whole answer beside the whole of what was decided."""
    return Mismatch(expected_text(reply), came_text(status, body), rule, weight)


def _code_fits(reply: Reply, body: Any) -> bool:
    if reply.status in (401, 422):
        return True
    found = code_in(body)
    return (
        found == reply.code or found in reply.others or (reply.any_code and found not in _MEAN_ELSE)
    )


def _body_mismatch(reply: Reply, body: Any, dialect: Dialect) -> Mismatch | None:
    if isinstance(reply.body, View):
        return status_mismatch(body, reply.body, dialect, reply.rule)
    if reply.body is None:
        return None
    name = reply.body[0]
    if name == "result":
        same = digest_of(body) == reply.body[1]
        return None if same else _differs(reply, reply.status, body, reply.rule, 4)
    if not is_object(body):
        return _differs(reply, reply.status, body, reply.rule, 4)
    if name == "stored":
        return _pairs_mismatch(dict(reply.body[1]), body, dialect, reply.rule)
    if name == "receipts":
        return _receipts_mismatch(reply, body)
    wanted = dict(reply.body)
    wrong = _pairs_mismatch(wanted, body, dialect, reply.rule)
    return wrong or _says_completed(wanted, body, reply.rule)


def _pairs_mismatch(
    wanted: dict[str, Any], body: dict[str, Any], dialect: Dialect, rule: Rule | None
) -> Mismatch | None:
    """Compare named values. The number of released executions is not compared (R13)."""
    for name, value in wanted.items():
        # A retired execution that stays listed may be found once more by a retire.
        again = dialect.lists_retired and value is False and rule == _RETIRED_AGAIN
        open_end = name == "retired" and (value is None or again)
        if name == "released" or open_end:
            continue
        found: Any
        if name == "continuations":
            if not dialect.continuation_index:
                continue
            found = as_object(body.get("continuation_index")).get("records")
        else:
            found = body.get(name)
        if found != value or isinstance(found, bool) != isinstance(value, bool):
            shown = "continuation_index.records" if name == "continuations" else name
            return Mismatch(f"{shown}={value!r}", f"{shown}={found!r}", rule, 4)
    return None


def _says_completed(
    wanted: dict[str, Any], body: dict[str, Any], rule: Rule | None
) -> Mismatch | None:
    """A retire says that a result is kept only where one is."""
    if "tombstoned" not in wanted or "completed_unacknowledged" in wanted:
        return None
    if body.get("completed_unacknowledged") is not True:
        return None
    return Mismatch("no result is kept", "completed_unacknowledged=True", rule, 4)


def _receipts_mismatch(reply: Reply, body: dict[str, Any]) -> Mismatch | None:
    expected = [
        {
            "rollout_id": key.rollout_id,
            "attempt_index": key.attempt,
            **{name: getattr(receipt, name) for name in RECEIPT_NAMES},
        }
        for key, receipt in reply.body[1]
    ]
    listed: list[Any] = body.get("acknowledged", [body])
    blank = dict.fromkeys(RECEIPT_NAMES)
    found: list[dict[str, Any]] = [{**blank, **without_version(one)} for one in listed]
    same = sorted(found, key=digest_of) == sorted(expected, key=digest_of)
    return None if same else Mismatch(str(expected), str(listed), reply.rule, 4)


def without_version(body: dict[str, Any]) -> dict[str, Any]:
    """A body without its schema version."""
    return {name: value for name, value in body.items() if name != "schema_version"}
