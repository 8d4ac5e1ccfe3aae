"""The controllers that are wrong on purpose: other decisions of the core, and other deeds."""

from fencepost.controller.mutants import deeds
from fencepost.controller.mutants.making import deed as _deed
from fencepost.controller.mutants.making import of_policies
from fencepost.controller.mutants.making import ordered as _ordered
from fencepost.controller.mutants.mutant import Mutant
from fencepost.controller.mutants.named_bugs import BUGS
from fencepost.controller.mutants.named_damage import DAMAGE
from fencepost.controller.mutants.named_sessions import SESSIONS
from fencepost.controller.mutants.named_values import VALUES
from fencepost_spec.receipts.ledger.sources import fact

# fmt: off
NAMED: tuple[Mutant, ...] = (
    *of_policies(),
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
    *SESSIONS,
    *BUGS,
    *DAMAGE,
    *VALUES,
)
# fmt: on
"""Every mutant."""
