"""Which routes are gated, and what refuses an attempt: each entry a rule with the thing it adds."""

import attrs

from fencepost_spec.receipts.keys import Raises, Refuses
from fencepost_spec.receipts.sources import DECISION, GYM_2940
from fencepost_spec.rule import Rule


@attrs.frozen
class Gated:
    """The end of a path on which calls need a ticket."""

    rule: Rule
    name: str


GATED: tuple[Gated, ...] = tuple(
    Gated(Rule(f"R-GAT-{number}", f"{says} are gated", GYM_2940, ("4.1",)), name)
    for number, says, name in (
        (10, "calls of the responses route", "/v1/responses"),
        (11, "calls of the chat completions route", "/v1/chat/completions"),
        (12, "calls of the messages route", "/v1/messages"),
    )
)

MODEL_REFUSES: tuple[Refuses, ...] = (
    Refuses(
        Rule("R-MRF-1", "an aborted attempt is refused from then on", GYM_2940, ("4.1", "I2")),
        "aborted",
    ),
    Refuses(
        Rule("R-MRF-2", "a restore refuses what the checkpoint had refused", GYM_2940,
             ("4.4", "I2")),
        "restored",
    ),
    Refuses(
        Rule("R-MRF-3", "a restored model refuses every source attempt", GYM_2940, ("4.4", "I3")),
        "source",
    ),
)  # fmt: skip

MODEL_RAISES: tuple[Raises, ...] = (
    Raises(
        Rule("R-MRF-4", "a restored model refuses every attempt below a source", DECISION,
             ("I4", "A6", "R17")),
        "source",
    ),
)  # fmt: skip
