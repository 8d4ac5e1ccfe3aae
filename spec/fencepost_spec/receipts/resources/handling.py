"""The order of request handling as two ladders: on arrival, and again under the session's lock.

The first check that holds answers; when none on arrival does, the request waits for the lock, and
when none under the lock does, its handler starts. May import: operation, rule, refusals, sources.
"""

import attrs

from fencepost_spec.operation import REPLAY, Check
from fencepost_spec.receipts.resources import refusals as code
from fencepost_spec.receipts.sources import DECISION, GYM_2940, GYM_2942_REVIEW, GYM_3349
from fencepost_spec.rule import Rule, Source


@attrs.frozen
class RequestFacts:
    """What is known about a request of a client, on arrival or under the lock.

    `keeps` is false for a server without sessions, for which only identity and admission count.
    """

    identity_holds: bool = True
    identified: bool = True
    keeps: bool = True
    refused: bool = False
    below_watermark: bool = False
    closed: bool = False
    evicted: bool = False
    uncertain: bool = False
    headers_hold: bool = True
    has_request_id: bool = True
    starts: bool = False
    reads: bool = False
    bound: bool = True
    started: bool = False
    ended: bool = False
    known: bool = False
    same: bool = False
    revision_differs: bool = False
    receipts_full: bool = False


def identity_is_wrong(facts: RequestFacts) -> bool:
    """Headers and path do not name one attempt."""
    return not facts.identity_holds


def untracked_while_closed(facts: RequestFacts) -> bool:
    """The request names no attempt, and admission is closed."""
    return not facts.identified and facts.closed


def key_is_refused(facts: RequestFacts) -> bool:
    """The key is refused."""
    return facts.refused


def key_is_below_watermark(facts: RequestFacts) -> bool:
    """A later attempt of the rollout has started or was restored."""
    return facts.below_watermark


def admission_is_closed(facts: RequestFacts) -> bool:
    """The request names an attempt, and admission is closed."""
    return facts.identified and facts.closed


def receipts_are_gone(facts: RequestFacts) -> bool:
    """The receipts of the session were evicted."""
    return facts.evicted


def session_is_uncertain(facts: RequestFacts) -> bool:
    """A handler of the session broke off."""
    return facts.uncertain


def headers_are_malformed(facts: RequestFacts) -> bool:
    """A request id or an expected revision is not what it has to be."""
    return facts.keeps and not facts.headers_hold


def request_id_is_missing(facts: RequestFacts) -> bool:
    """A request that may change something has no request id."""
    return facts.keeps and facts.identified and not facts.reads and not facts.has_request_id


def starts_what_has_ended(facts: RequestFacts) -> bool:
    """A start of a session that a terminal request has ended."""
    return facts.keeps and facts.starts and facts.ended


def session_is_unbound(facts: RequestFacts) -> bool:
    """Nothing has bound the session, and this request does not start it."""
    return facts.keeps and facts.identified and not facts.starts and not facts.bound


def request_is_known(facts: RequestFacts) -> bool:
    """The session keeps the receipt of this very request."""
    return facts.known and facts.same


def request_id_was_used_otherwise(facts: RequestFacts) -> bool:
    """The session keeps a receipt of this id for another request."""
    return facts.known and not facts.same


def starts_what_is_started(facts: RequestFacts) -> bool:
    """A start of a session that is bound."""
    return facts.keeps and facts.starts and facts.started


def revision_is_another(facts: RequestFacts) -> bool:
    """The session stands at another revision than the request expects."""
    return facts.revision_differs


def receipts_are_full(facts: RequestFacts) -> bool:
    """The session can keep no more receipts, and this request would need one."""
    return facts.receipts_full and not facts.reads


def _rule(number: int, says: str, source: Source, *facts: str) -> Rule:
    return Rule(f"R-RRQ-{number}", says, source, facts)


_NAMELESS = _rule(
    2,
    "a request without identity is refused while admission is closed",
    GYM_2940,
    *("4.5", "I5", "D14"),
)
_REFUSED = _rule(3, "a refused key is never served again", GYM_2940, "4.5", "I2", "I3")
_BELOW = _rule(
    4,
    "an attempt below the highest known one of its rollout is not served",
    GYM_2942_REVIEW,
    *("I4", "A6", "R17"),
)
_CLOSED = _rule(5, "no request is served between prepare and resume", GYM_2940, "4.5", "I5", "I14")
_EVICTED = _rule(6, "a session without its receipts serves nothing", GYM_3349, "4.5", "I13")
_UNCERTAIN = _rule(
    7, "an uncertain session serves nothing until it is retired", GYM_3349, "4.5", "I13"
)
_ENDED = _rule(10, "a session that has ended is not started again", DECISION, "4.5", "I2")
_UNBOUND = _rule(11, "only a start binds a session", GYM_2940, "4.5")

ARRIVAL: tuple[Check, ...] = (
    Check(
        _rule(1, "a request that names no one attempt is refused", GYM_2940, "4.5", "1.1", "I27"),
        identity_is_wrong,
        code.IDENTITY_MISMATCH,
    ),
    Check(_NAMELESS, untracked_while_closed, code.ADMISSION_CLOSED),
    Check(_REFUSED, key_is_refused, code.STALE_ATTEMPT),
    Check(_BELOW, key_is_below_watermark, code.STALE_ATTEMPT),
    Check(_CLOSED, admission_is_closed, code.ADMISSION_CLOSED),
    Check(_EVICTED, receipts_are_gone, code.RECEIPT_EVICTED),
    Check(_UNCERTAIN, session_is_uncertain, code.MUTATION_UNCERTAIN),
    Check(
        _rule(8, "a request id or revision that is none is refused", GYM_3349, "4.5", "5.5"),
        headers_are_malformed,
        code.RECEIPT_ERROR,
    ),
    Check(
        _rule(9, "a request that may change something names itself", GYM_3349, "4.5", "5.5", "I13"),
        request_id_is_missing,
        code.RECEIPT_ERROR,
    ),
    Check(_ENDED, starts_what_has_ended, code.STALE_ATTEMPT),
    Check(_UNBOUND, session_is_unbound, code.SESSION_UNBOUND),
)
"""Asked in this order when a request arrives."""

UNDER_LOCK: tuple[Check, ...] = (
    Check(_NAMELESS, untracked_while_closed, code.ADMISSION_CLOSED),
    Check(_REFUSED, key_is_refused, code.STALE_ATTEMPT),
    Check(_BELOW, key_is_below_watermark, code.STALE_ATTEMPT),
    Check(_CLOSED, admission_is_closed, code.ADMISSION_CLOSED),
    Check(_EVICTED, receipts_are_gone, code.RECEIPT_EVICTED),
    Check(_UNCERTAIN, session_is_uncertain, code.MUTATION_UNCERTAIN),
    Check(_ENDED, starts_what_has_ended, code.STALE_ATTEMPT),
    Check(_UNBOUND, session_is_unbound, code.SESSION_UNBOUND),
    Check(
        _rule(
            12,
            "a request that was served is answered again as before, and not served twice",
            GYM_3349,
            *("4.5", "I13"),
        ),
        request_is_known,
        REPLAY,
    ),
    Check(
        _rule(13, "a request id stands for one request", GYM_3349, "4.5", "I13"),
        request_id_was_used_otherwise,
        code.RECEIPT_ERROR,
    ),
    Check(
        _rule(14, "a session is started once: a start expects revision zero", DECISION, "4.5"),
        starts_what_is_started,
        code.REVISION_MISMATCH,
    ),
    Check(
        _rule(15, "a request is served at the revision that it expects", GYM_2940, "4.5", "I25"),
        revision_is_another,
        code.REVISION_MISMATCH,
    ),
    Check(
        _rule(16, "nothing is served whose receipt could not be kept", GYM_3349, "4.5", "I13"),
        receipts_are_full,
        code.CAPACITY_EXHAUSTED,
    ),
)
"""Asked in this order once the session's lock is held: what may have changed, then the receipts."""

SERVED = _rule(20, "a request that no check answers is served, once", GYM_2940, "4.5", "I16")
FREE = _rule(
    21,
    "a request whose route is not gated is served at once",
    GYM_2940,
    *("4.5", "P7"),
)
UNTRACKED = _rule(
    22,
    "a request without identity that may have changed something is remembered as untracked",
    GYM_2940,
    *("4.5", "D14"),
)
FAILED = _rule(
    23,
    "a request that its handler refused changes no revision and leaves no receipt",
    GYM_2940,
    *("4.5",),
)
PUBLISHED = _rule(
    24, "revision and receipt are published before the answer is sent", GYM_3349, "4.5", "I13"
)
LATE = _rule(
    25,
    "what a handler of a retired key returns has no effect and is no success",
    DECISION,
    *("R14", "I28", "I2"),
)
BROKE = _rule(26, "a handler that breaks off is answered by no success", GYM_3349, "4.5")
HANDLING_RULES: tuple[Rule, ...] = (SERVED, FREE, UNTRACKED, FAILED, PUBLISHED, LATE, BROKE)
