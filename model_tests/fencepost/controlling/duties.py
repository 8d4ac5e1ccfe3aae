"""What a controller has to do in small plays, each a question with yes for an answer."""

from collections.abc import Callable

import attrs

from fencepost.controlling.play import FLEET, Play
from fencepost_reference.receipts.controller import actions as a
from fencepost_reference.receipts.controller.book import Book
from fencepost_reference.receipts.controller.said import Place
from fencepost_reference.receipts.controller.state import Participant
from fencepost_spec.vocabulary import Key

BOOK = Book()
G0, G1 = Key("g1_g0", 0), Key("g1_g1", 0)
AGENT = Place("agent", "a1")
SHOP = Place("resources", "shop")
SHOP_FORGETS = attrs.evolve(
    FLEET, participants=(*FLEET.participants[:3], Participant(SHOP, "restart_only"))
)
Scene = Callable[[Play], bool]


def calls(here: Play, op: str) -> list[str]:
    """Return the calls of an operation, in order."""
    return [one for one in here.log if one.startswith(op)]


def half_done(here: Play, granularity: str = "prompt_group") -> None:
    """Let one of two siblings finish."""
    here.submit("g1", 2, granularity)
    here.settle()
    here.finish(G0)
    here.settle()


def finishes_unheard(here: Play) -> None:
    """Let an attempt finish whose reply is lost."""
    here.submit("g1")
    here.settle()
    deputy = here.running(G0)
    call = deputy.finish(G0)
    assert call is not None
    here.lose(call)


def due(here: Play, until: Callable[[Play], bool]) -> None:
    """Let a snapshot become due, and go on until something is so."""
    here.do(a.SnapshotDue())
    here.settle(until)


def coming(call: str) -> Callable[[Play], bool]:
    """Return whether an answer is on its way."""
    return lambda here: call in here.coming


def stores(step: str) -> Callable[[Play], bool]:
    """Return whether the disk was asked for a step."""
    return lambda here: here.writing is not None and here.writing.step == step


def acknowledges_early(here: Play) -> bool:
    """A finished sibling of a half-done cohort is acknowledged."""
    half_done(here)
    return calls(here, "acknowledge") != []


def acknowledges_siblings_early(here: Play) -> bool:
    """A sealed sibling is acknowledged before the others finish."""
    half_done(here, "sibling")
    return calls(here, "acknowledge") != []


def records_in_one_cut(here: Play) -> bool:
    """There is no moment at which a result is sealed and nothing is owed for it."""
    here.submit("g1")
    here.settle()
    here.finish(G0)
    here.settle(coming("receipt g1_g0 0"))
    here.tell("receipt g1_g0 0")
    return G0 in here.state.ledger.owed


def retires_before_it_runs_again(here: Play) -> bool:
    """A lost attempt is retired before the next one is sent."""
    here.submit("g1")
    here.settle()
    here.lose("run g1_g0 0")
    here.settle(lambda here: "run g1_g0 1" in here.log)
    return here.log.index("retire g1_g0 0") < here.log.index("run g1_g0 1")


def adopts(here: Play) -> bool:
    """A result whose reply was lost is trained on."""
    finishes_unheard(here)
    here.settle(lambda here: bool(here.trained) or "run g1_g0 1" in here.log)
    return bool(here.trained) and here.trained[0].rows[0][0] == G0


def frees_a_prepare(here: Play) -> bool:
    """A result that nobody knows of does not hold up a snapshot for ever."""
    here.deputies[AGENT].kept.add(Key("other_g0", 0))
    due(here, lambda here: bool(here.ended) or len(calls(here, "prepare agent a1")) > 3)
    return bool(here.disk)


def lets_go_in_full(here: Play) -> bool:
    """The attempts of a stale group are retired."""
    here.submit("g1")
    here.settle()
    here.do(a.GoneStale("g1"))
    here.settle()
    return here.live() == []


def sends_the_receipt_that_came(here: Play) -> bool:
    """What is acknowledged is released."""
    here.submit("g1")
    here.settle()
    here.finish(G0)
    here.settle(lambda here: len(here.log) > 6)
    return G0 in here.deputies[AGENT].acknowledged


def owes_until_confirmed(here: Play) -> bool:
    """A lost acknowledgement is owed still."""
    here.submit("g1")
    here.settle()
    here.finish(G0)
    here.settle(lambda here: "acknowledge a1" in here.going)
    here.lose("acknowledge a1")
    return G0 in here.state.ledger.owed


def keeps_the_gate(here: Play) -> bool:
    """A group that comes during a checkpoint waits."""
    due(here, coming("prepare agent a1"))
    here.submit("g1")
    here.settle(lambda here: bool(here.ended) or "run g1_g0 0" in here.log)
    return bool(here.ended)


def flushes(here: Play) -> bool:
    """What is owed is acknowledged before anybody is asked to close."""
    half_done_unsent(here)
    here.do(a.SnapshotDue())
    return not any(getattr(one.action, "op", "") == "pause" for one in here.core.own(here.state))


def half_done_unsent(here: Play) -> None:
    """Let a result be sealed whose acknowledgement has not left."""
    here.submit("g1")
    here.settle()
    here.finish(G0)
    here.settle(coming("receipt g1_g0 0"))
    here.tell("receipt g1_g0 0")


def publishes_with_nothing_owed(here: Play) -> bool:
    """A snapshot whose outbox is not empty is not captured."""
    here.submit("g1", 2)
    here.settle()
    here.finish(G0)
    # The acknowledgement is heard, and its answer does not come.
    here.settle(lambda here: "acknowledge a1" in here.going)
    here.arrive("acknowledge a1")
    waiting = here.coming.pop("acknowledge a1")
    here.parked["acknowledge a1"] = waiting
    due(here, lambda here: here.state.round is None or here.state.round.snapshot is not None)
    return here.state.round is None or here.state.round.snapshot is None


def notices_a_step(here: Play) -> bool:
    """A snapshot during which the trainer steps is given up."""
    due(here, coming("commit agent a1"))
    here.do(a.TrainerStepped())
    here.settle()
    return here.disk == [] and here.ended[-1].because == "trainer_state_changed"


def notices_failed_storage(here: Play) -> bool:
    """A snapshot whose sidecars could not be written is given up."""
    due(here, stores("sidecars"))
    here.write(ok=False)
    here.settle()
    return here.disk == [] and here.ended[-1].because == "storage_failed"


def rolls_back_who_lost_the_reply(here: Play) -> bool:
    """An agent that prepared and whose reply was lost is resumed."""
    due(here, coming("prepare agent a1"))
    here.lose("prepare agent a1")
    here.settle()
    return here.deputies[AGENT].active is None


def repeats_a_release(here: Play) -> bool:
    """A lost resume is sent again."""
    due(here, lambda here: "resume agent a1" in here.going)
    here.lose("resume agent a1")
    here.settle()
    return here.deputies[AGENT].active is None


def opens_after_release(here: Play) -> bool:
    """The gate stays closed while somebody is held."""
    due(here, lambda here: "resume resources shop" in here.going)
    return not here.state.gate


def keeps_its_id(here: Play) -> bool:
    """After a failed rollback there is no new checkpoint before the old one is released."""
    here.checked = False
    due(here, coming("prepare agent a1"))
    here.lose("prepare agent a1")
    here.settle(lambda here: "resume agent a1" in here.going)
    here.lose("resume agent a1")
    here.do(a.SnapshotDue())
    return here.state.round is not None and here.state.round.id == "c1"


def discards_orphans(here: Play) -> bool:
    """A continuation whose group was trained is discarded on restore."""
    half_saved(here)
    orphan = Key("other_g0", 0)
    deputy = here.deputies[AGENT]
    written = deputy.disk["c1"]
    root = attrs.evolve(written.continuations[0], key=orphan, capture_key="other_g0")
    more = attrs.evolve(written, continuations=(*written.continuations, root))
    deputy.disk["c1"] = more
    snapshot = here.disk[-1]
    parts = tuple((p, more if p == AGENT else one) for p, one in snapshot.participants)
    here.disk[-1] = attrs.evolve(snapshot, participants=parts)
    here.crash()
    here.settle()
    return orphan.next() not in deputy.restored


def half_saved(here: Play) -> None:
    """Save a snapshot while an attempt runs."""
    here.submit("g1")
    here.settle()
    assert here.snapshot()


def starts_over(here: Play) -> bool:
    """What used a server that cannot be restored does not continue."""
    half_saved(here)
    here.crash()
    here.settle()
    return calls(here, "discard") == ["discard g1_g0 1"]


def keeps_reserved(here: Play) -> bool:
    """A restart does not burn an attempt that was never sent."""
    here.submit("g1", admitted=False)
    assert here.snapshot()
    here.crash()
    here.settle()
    here.do(a.Admit("g1"))
    here.settle()
    return here.live() == [G0]


def launches_admitted_first(here: Play) -> bool:
    """An admitted group is launched although a reserved one waits for its admission."""
    here.submit("g2", admitted=False)
    half_saved(here)
    here.crash()
    here.settle()
    return here.live() == [Key("g1_g0", 1)]


def commits_agents_first(here: Play) -> bool:
    """Agents commit before the model that their indexes scope."""
    here.snapshot()
    return here.log.index("commit agent a1") < here.log.index("commit model m1")
