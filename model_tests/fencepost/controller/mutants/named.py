"""The controllers that are wrong on purpose: other decisions of the core, and other deeds."""

from collections.abc import Callable
from functools import partial
from typing import Any

import attrs

from fencepost.controller.core_adapter import CoreController
from fencepost.controller.mutants import deeds
from fencepost.controller.mutants.mutant import Mutant
from fencepost_spec.receipts.controller.policy import DECISIONS, FAULTS, POLICY, Policy
from fencepost_spec.receipts.controller.spec import CONTROLLER
from fencepost_spec.receipts.ledger.sources import fact


def _decided(policy: Policy) -> Callable[[], CoreController]:
    return partial(CoreController, attrs.evolve(CONTROLLER, policy=policy))


def _says(policy: Policy) -> str:
    """The decisions that are otherwise than they should be."""
    wrong = [
        f"not so: {one.rule.says}"
        for one in DECISIONS
        if getattr(policy, one.switch) != getattr(POLICY, one.switch)
    ]
    return "; ".join(wrong)


def _deed(name: str, fault: type, *cites: str) -> Mutant:
    made: Callable[[], CoreController] = fault
    if issubclass(fault, deeds.Around):
        made = type(name, (deeds.Misusing,), {"around": fault})
    return Mutant(name, (fault.__doc__ or "").strip().split("\n", maxsplit=1)[0], cites, made)


def _ordered(name: str, *cites: str, **orders: Any) -> Mutant:
    policy = attrs.evolve(POLICY, **orders)
    return Mutant(name, _says(policy), cites, _decided(policy))


# fmt: off
NAMED: tuple[Mutant, ...] = (
    *(Mutant(one.name, _says(one.policy), one.facts, _decided(one.policy)) for one in FAULTS),
    _ordered("closes resources first", *fact("2.6"),
             prepare_order=("resources", "agent", "model")),
    _ordered("restores agents first", *fact("2.6", "4.1"),
             restore_order=("agent", "model", "resources")),
    _deed("retires under an id of its own", deeds.OtherRetireId, "B4", *fact("4.5")),
    _deed("writes one checkpoint into two directories", deeds.TwoDirectories, "R5", "D6"),
    _deed("prepares without a deadline", deeds.NoDeadline, "2.4"),
    _deed("does not scope the commit of a model", deeds.UnscopedModel, *fact("I24")),
    _deed("uses one id for every checkpoint", deeds.SameIdAgain, *fact("I20")),
    _deed("hands rows over in the wrong order", deeds.ReversedRows, *fact("I3")),
    _deed("hands one row over for every sibling", deeds.FirstRowTwice, *fact("I3")),
    _deed("trains on a result that nobody gave", deeds.OtherDigest, *fact("I5")),
    _deed("renames before the manifest", deeds.ManifestLate, *fact("I22")),
    _deed("leaves a key out of the saved ledger", deeds.MissingKey, *fact("B5"), "B8"),
    _deed("saves another schema number", deeds.OtherSchema, *fact("B6", "I31"), "B7"),
    _deed("saves a ledger without a group", deeds.GroupLost, *fact("I9")),
    _deed("publishes what it did not capture", deeds.ChangedAfterCapture, *fact("I13")),
    _deed("calls a published snapshot unsaved", deeds.UntoldSuccess, *fact("B20", "S12")),
    _deed("runs reserved groups", deeds.EarlyLaunch, *fact("I28")),
    _deed("goes on with stale groups", deeds.KeepsStale, *fact("I30", "P9")),
    _deed("skips snapshots that are due", deeds.IgnoresSnapshots, *fact("L3")),
    _deed("acknowledges once and never again", deeds.AcknowledgesOnce, *fact("L5", "K6")),
    _deed("keeps groups that were trained on", deeds.KeepsTrained, *fact("B15", "I9")),
    _deed("runs sealed siblings again after a restart", deeds.RerunsSealed, *fact("B16", "I3")),
)
# fmt: on
"""Every mutant."""
