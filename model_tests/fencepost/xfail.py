"""Known failures of a participant: a file beside its code, one rule id and one reason a line.

    # Reported as issue 12; the fix waits for the next release.
    R-INV-7   a stale wake lets parked work go

It is strict: a failure that does not happen any more fails the run, so the file stays true. Only a
rule of level must can be listed: no other fails a run.
"""

from pathlib import Path

import attrs

from fencepost.faults import UsageFault
from fencepost.naming import nearest
from fencepost_spec.rule import Level

BYTES_MAX = 1_000_000


@attrs.frozen
class KnownFailure:
    """A rule that the participant is known to break, and why that is so."""

    rule_id: str
    reason: str


def read_known_failures(path: Path, kind: str) -> tuple[KnownFailure, ...]:
    """The known failures of that kind of participant that a file lists, or a `UsageFault`."""
    try:
        with path.open("rb") as file:
            raw = file.read(BYTES_MAX + 1)
        text = raw.decode("utf-8")
    except OSError as error:
        raise UsageFault(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageFault(f"{path} is not UTF-8 text") from None
    if len(raw) > BYTES_MAX:
        raise UsageFault(f"{path} is longer than {BYTES_MAX} bytes", "is this another file?")
    found: dict[str, KnownFailure] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        failure = _parse(line, f"{path}, line {number}", kind)
        if failure is None:
            continue
        if failure.rule_id in found:
            raise UsageFault(f"{path}, line {number}: {failure.rule_id} is listed already")
        found[failure.rule_id] = failure
    return tuple(found.values())


def must_fail_runs(rule_id: str, kind: str) -> None:
    """A `UsageFault` unless breaking that rule fails a check of that kind of participant."""
    from fencepost.catalog import judged, kinds_of

    lists = f"`fencepost rules --judging {kind}` lists those that it judges by"
    rule = {each.id: each for each in judged(kind)}.get(rule_id)
    if rule is None:
        owners = " and of the ".join(kinds_of(rule_id))
        if not owners:
            near = nearest(rule_id, (each.id for each in judged(kind)))
            hint = f"did you mean {' or '.join(near)}? {lists}" if near else lists
            raise UsageFault(f"no rule has the id {rule_id!r}", hint)
        whose = f"{rule_id} is a rule of the {owners}"
        raise UsageFault(f"{whose}: a check of the {kind} does not judge by it", lists)
    if rule.level is not Level.MUST:
        raise UsageFault(f"{rule_id} is of level {rule.level.value}, which fails no run")


def _parse(line: str, where: str, kind: str) -> KnownFailure | None:
    """The known failure of one line, None for a comment or a blank line."""
    text = line.strip()
    if not text or text.startswith("#"):
        return None
    rule_id, _, reason = text.partition(" ")
    try:
        must_fail_runs(rule_id, kind)
    except UsageFault as fault:
        raise UsageFault(f"{where}: {fault.reason}", fault.hint) from None
    if not reason.strip():
        raise UsageFault(f"{where}: {rule_id} has no reason", "write why it is known to fail")
    return KnownFailure(rule_id, reason.strip())
