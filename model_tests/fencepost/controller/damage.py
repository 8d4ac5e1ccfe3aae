"""What may happen to a published snapshot: a document of it is cut short, changed, or missing.

A controller meets it as documents that it can read no more, and one that keeps real ones as files
that were spoilt.
"""

from pathlib import Path
from typing import Final

from fencepost.controller.participant import Damage, Found
from fencepost.trace.lines import JsonObject, copied, is_object
from fencepost_spec.receipts.snapshot import names
from fencepost_spec.vocabulary import canonical_json

SIDECARS, MANIFEST = "sidecars", "manifest"
CUT, CHANGED, MISSING = "cut", "changed", "missing"
PARTS: Final = (SIDECARS, MANIFEST)
HOWS: Final = (CUT, CHANGED, MISSING)
_FILES: Final = {SIDECARS: names.RECOVERY, MANIFEST: names.MANIFEST}


def found(number: int, body: JsonObject, damage: Damage | None) -> Found:
    """A published snapshot as whoever starts finds it."""
    if damage is None:
        return Found(number, copied(body), None)
    return Found(number, None if damage.part == MANIFEST else _spoilt(body, damage.how), damage)


def _spoilt(body: JsonObject, how: str) -> JsonObject:
    """A snapshot whose manifest is whole, and whose ledger is not."""
    spoilt: JsonObject = copied(body)
    ledger = spoilt.pop("ledger")
    if how == CUT:
        text = ledger if isinstance(ledger, str) else canonical_json(ledger)
        spoilt["ledger"] = text[: len(text) // 2]
    elif how == CHANGED:
        spoilt["ledger"] = (ledger if is_object(ledger) else {}) | {"schema_version": -1}
    return spoilt


def spoil(root: Path, number: int, damage: Damage) -> None:
    """Do the same to a snapshot in a folder; what is spoilt or gone already stays as it is."""
    path = root / names.snapshot_name(number) / _FILES[damage.part]
    if not path.exists():
        return
    data = path.read_bytes()
    if damage.how == MISSING:
        path.unlink()
    elif damage.how == CUT:
        path.write_bytes(data[: len(data) // 2])
    else:
        middle = len(data) // 2
        path.write_bytes(data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :])
