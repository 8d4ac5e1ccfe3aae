"""Reads a trace of a policy model and says whether one that obeys the rules could make it."""

from collections.abc import Sequence

from fencepost.faults import TraceFault
from fencepost.feeding import FrontierFeeding
from fencepost.policy_model import wording
from fencepost.policy_model.frontier import BUDGET, Frontier
from fencepost.trace import Header, Line
from fencepost_reference.receipts.policy_model.core import ModelCore
from fencepost_reference.receipts.policy_model.state import State
from fencepost_spec.receipts.policy_model.dialects import model_dialect_of

ROLES = ("policy", "auxiliary")
LEDGERS = ("file", "none")


def start_of(core: ModelCore, header: Header) -> State:
    """The state in which a model starts, as the settings of a header say."""
    settings = header.settings
    server, role = settings.get("server_name", "policy"), settings.get("role", "policy")
    ledger = settings.get("ledger", "file")
    if not isinstance(server, str) or role not in ROLES or ledger not in LEDGERS:
        hint = f"server_name is a name, role {' or '.join(ROLES)}, ledger {' or '.join(LEDGERS)}"
        raise TraceFault(1, "the settings are none of a model", hint)
    return core.initial(server, role, has_ledger=ledger == "file")


class ModelOracle(FrontierFeeding[Frontier]):
    """Judges one trace. Feed it lines; it keeps the states that explain them."""

    def __init__(self, header: Header, core: ModelCore | None = None, budget: int = BUDGET) -> None:
        try:
            dialect = model_dialect_of(header.version)
        except KeyError as unknown:
            raise TraceFault(1, str(unknown.args[0]), "set participant.version") from None
        if header.hidden:
            raise TraceFault(1, "nothing of a model may be hidden", "leave hidden empty")
        core = core or ModelCore()
        self.frontier = Frontier(core, dialect, (start_of(core, header),), budget=budget)

    def state_text(self, before: State) -> str:
        """The state before a refusal, in one line."""
        return wording.state_text(before)

    def legal_texts(self, before: State) -> tuple[str, ...]:
        """What could have come instead of a line that was refused."""
        return wording.legal_texts(self.frontier.core, before)

    def step_texts(self, lines: Sequence[Line]) -> list[str]:
        """What was done in some lines, each in few words; the last line always has a text."""
        texts = [text for line in lines if (text := wording.action_text(line)) is not None]
        if lines and wording.action_text(lines[-1]) is None:
            texts.append(wording.line_text(lines[-1]))
        return texts

    def line_text(self, line: Line) -> str:
        """Any line, in one line of text."""
        return wording.line_text(line)
