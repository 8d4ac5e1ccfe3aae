"""Every check of a snapshot answers for what it is for, and nothing else would."""

import json
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.ledger import samples
from fencepost.ledger.relations import RELATIONS, related
from fencepost.ledger.spoiling import changed, places
from fencepost.snapshot import specimens as s
from fencepost.snapshot import spoiling as spoil
from fencepost.snapshot.damages import DAMAGES, Damage
from fencepost.snapshot.documents import DOCUMENTS, extra, missing, mistyped, null
from fencepost.snapshot.oddities import ODDITIES, Oddity
from fencepost.snapshot.samples import samples_of
from fencepost.snapshot.worlds import World, ask, rule_of
from fencepost_reference.receipts.snapshot.believing import read_ledger
from fencepost_reference.receipts.snapshot.values import Refused, Snapshot
from fencepost_spec.operation import Check
from fencepost_spec.receipts.snapshot import names
from fencepost_spec.receipts.snapshot.refusals import REFUSALS
from fencepost_spec.receipts.snapshot.spec import SNAPSHOT, SnapshotSpec

CHECKS = SNAPSHOT.checks.all()
SHAPES = {check.rule.id for check in SNAPSHOT.checks.shape}
VERSION, UNKNOWN, MISSING, TYPE, DOMAIN = (check.rule.id for check in SNAPSHOT.checks.shape)
# A link needs a file system that has some: `test_snapshot_directories` leaves this check out.
ELSEWHERE = {"R-SNP-1"}

# What these refuse is refused without them too, by a later check that gives a worse reason.
BEHIND = {
    f"R-SNP-{number}" for number in (2, 3, 14, 25, 33, 34, 40, 41, 42, 50, 60, 61, 101, 103, 104)
}


def without(check: Check) -> SnapshotSpec:
    """The specification with one check left out."""
    return attrs.evolve(SNAPSHOT, checks=SNAPSHOT.checks.without(check))


def shaped(document: str, value: Any, spec: SnapshotSpec = SNAPSHOT) -> str:
    """The rule that refuses a world with another value of one document."""
    world = World.whole()
    DOCUMENTS[document].put(world, value)
    return rule_of(world, spec)


def original(document: str) -> Any:
    """The document as it stands in the whole specimen."""
    return DOCUMENTS[document].get(World.whole())


def test_the_whole_specimen_is_believed() -> None:
    """What a correct controller and correct participants have written is taken as it is."""
    snapshot = ask(World.whole())

    assert isinstance(snapshot, Snapshot)
    assert len(snapshot.continuations) == 2


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: f"{damage.rule} {damage.says}")
def test_one_damage_is_refused_by_its_rule(damage: Damage) -> None:
    """B12: each thing that can be wrong is refused by the rule that says so, and no other."""
    world = World.whole()
    damage.spoil(world)
    files = dict(world.files)

    answer = ask(world)

    assert isinstance(answer, Refused)
    assert answer.rule.id == damage.rule
    assert answer.reason
    assert answer.where
    assert world.files == files


@pytest.mark.parametrize("oddity", ODDITIES, ids=lambda oddity: oddity.says)
def test_what_may_be_so_is_believed(oddity: Oddity) -> None:
    """No check refuses more than its sentence says."""
    world = World.whole()
    oddity.turn(world)

    assert rule_of(world) == "believed"


def test_a_snapshot_without_participants_may_owe() -> None:
    """I17, K7: where nobody was committed, what is owed is dropped when nobody is restored."""
    owing = s.sidecar(samples.lived([*s.ledger_calls(), *spoil.owed()]))
    world = World.whole(sidecar=owing, commit=None, topology=None)

    answer = ask(world)

    assert isinstance(answer, Snapshot)
    assert len(answer.documents.ledger.owed) == 1


@pytest.mark.parametrize("name", [name for name, _ in RELATIONS])
def test_a_ledger_in_a_snapshot_is_held_to_its_own_checks(name: str) -> None:
    """V1-V13: by the rule that refuses it alone, before it is put beside anything else."""
    recovery = json.dumps(dict(related(samples.saved()))[name]).encode()
    answer = read_ledger(recovery)
    world = World.whole()
    world.files[names.RECOVERY] = recovery
    world.bind()

    if isinstance(answer, Refused):
        assert answer.rule.id.startswith("R-LSV-")
        assert rule_of(world) == answer.rule.id
    else:
        assert not rule_of(world).startswith("R-LSV-")


@pytest.mark.parametrize("step", ["01", "-1", " 1", "1.0", "", "\u0661", "9" * 19, "x"])
def test_a_step_of_the_shortfall_is_a_number_as_it_is_written(step: str) -> None:
    """1.2: JSON has no numbers for keys, so a key is read as one only where it is one."""
    world = World.whole()
    spoil.beside(batch_shortfall={step: 1})(world)

    assert rule_of(world) in ("R-LSV-4", "R-LSV-5")


@pytest.mark.parametrize(
    "check",
    [check for check in CHECKS if check.rule.id not in ELSEWHERE],
    ids=lambda check: check.rule.id,
)
def test_a_check_that_is_left_out_is_missed(check: Check) -> None:
    """B12: without any single check, something that it refused is not refused by its rule."""
    worlds = [world for _, world in samples_of(check)]
    mutant = without(check)

    assert worlds, f"nothing is damaged for {check.rule.id}"
    for world in worlds:
        assert rule_of(world) == check.rule.id
        assert rule_of(world, mutant) != check.rule.id
    assert rule_of(World.whole(), mutant) == "believed"


def test_what_a_left_out_check_lets_through_is_believed() -> None:
    """All but the listed checks stand alone before something wrong, and without them it passes."""
    alone = {
        check.rule.id
        for check in CHECKS
        for _, world in samples_of(check)
        if rule_of(world, without(check)) == "believed"
    }

    behind = {check.rule.id for check in CHECKS} - alone - ELSEWHERE

    assert behind == BEHIND


@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_missing_field_is_refused(document: str) -> None:
    """V2, G10: no field of any document may be left out, also one that may be null."""
    found = {name: shaped(document, value) for name, value in missing(original(document))}

    assert found
    assert set(found.values()) == {MISSING}, found


@pytest.mark.parametrize("document", DOCUMENTS)
def test_an_unknown_field_is_refused(document: str) -> None:
    """V1: no object of any document may have a field more."""
    found = {name: shaped(document, value) for name, value in extra(original(document))}

    assert found
    assert set(found.values()) == {UNKNOWN}, found


@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_value_of_another_type_is_refused(document: str) -> None:
    """V3: texts are no numbers, truth values are neither, and a whole float is no whole number."""
    found = {name: shaped(document, value) for name, value in mistyped(original(document))}

    assert found
    assert set(found.values()) <= {VERSION, TYPE, DOMAIN, MISSING, UNKNOWN}, found


@pytest.mark.parametrize("document", DOCUMENTS)
def test_null_is_refused_where_it_may_not_stand(document: str) -> None:
    """G10: what may be null is listed, and null anywhere else is another type."""
    for name, may_be, value in null(original(document)):
        rule = shaped(document, value)
        assert (rule not in SHAPES) == may_be, (name, rule)


def test_a_check_is_taken_out_of_its_level_only() -> None:
    """The checks without one are all others, in their order; a stranger is none of them."""
    for check in CHECKS:
        fewer = SNAPSHOT.checks.without(check)
        assert fewer.all() == tuple(one for one in CHECKS if one is not check)
    with pytest.raises(ValueError, match="R-SNS-1 is not a check of a snapshot"):
        SNAPSHOT.checks.without(SNAPSHOT.selection.skip[0])


def test_every_word_of_refusal_is_used_and_explained() -> None:
    """A caller who gets a word finds what it means, and none stands there unused."""
    used = {check.answer for check in (*CHECKS, *SNAPSHOT.selection.stop)}

    assert used == {refusal.code for refusal in REFUSALS}
    assert all(refusal.definite and not refusal.effects for refusal in REFUSALS)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)


@given(document=st.sampled_from(sorted(DOCUMENTS)), value=_JSON, data=st.data())
def test_nothing_makes_a_reader_stumble(document: str, value: Any, data: st.DataObject) -> None:
    """Whatever stands anywhere in a document, a snapshot is believed or refused by a rule."""
    whole = original(document)
    path = data.draw(st.sampled_from(list(places(whole))))

    answer = shaped(document, changed(whole, path, value))

    assert answer == "believed" or answer.startswith("R-"), answer


@given(data=st.data())
def test_a_flipped_byte_is_refused(data: st.DataObject) -> None:
    """V15, V16, I13: of no file that is digested may one byte be another."""
    world = World.whole()
    digested = [
        name
        for name, content in sorted(world.files.items())
        if content and name != "manifest.json" and not _is_payload(name)
    ]
    name = data.draw(st.sampled_from(digested))
    content = bytearray(world.files[name])
    at = data.draw(st.integers(0, len(content) - 1))
    content[at] ^= 1 << data.draw(st.integers(0, 7))
    world.files[name] = bytes(content)

    assert rule_of(world).startswith("R-SNP-")


def _is_payload(name: str) -> bool:
    """Whether an agent's file is one that the agent's own reader holds to its digest."""
    return name.endswith((".tar", "agent-index.jsonl"))
