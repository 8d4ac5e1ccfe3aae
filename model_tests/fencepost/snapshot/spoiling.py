"""Ways to spoil a world: one value of it changed, and what depends on it made to follow."""

import json
from collections.abc import Callable
from typing import Any

from fencepost.ledger import samples
from fencepost.snapshot import specimens as s
from fencepost.snapshot.worlds import World
from fencepost_reference.receipts.ledger.actions import Call
from fencepost_spec.receipts.snapshot import names
from fencepost_spec.vocabulary import Key

Spoil = Callable[[World], object]


def changed_document(name: str, **changes: Any) -> Spoil:
    """Members of a listed document, its digests following."""
    return lambda world: world.sealed(name, lambda document: document.update(changes))


def manifest(**changes: Any) -> Spoil:
    return lambda world: world.change(names.MANIFEST, lambda document: document.update(changes))


def moment(step: int, version: int) -> Spoil:
    """A snapshot of another step and version, in the data plane too."""

    def spoil(world: World) -> None:
        names_ = ("single_controller_train_steps", "single_controller_trainer_version")
        said = dict(zip(names_, (step, version), strict=True))
        world.sealed(names.METADATA, lambda document: document.update(said))
        manifest(base_train_step=step, trainer_version=version)(world)

    return spoil


def metadata(**changes: Any) -> Spoil:
    def spoil(world: World) -> None:
        world.change(names.METADATA, lambda document: document.update(changes))
        world.list_again()

    return spoil


def bytes_of(change: Callable[[s.Files], object]) -> Spoil:
    return lambda world: change(world.files)


def found(change: Callable[[list[Any]], None]) -> Spoil:
    """The participants that were found, sorted and fingerprinted again."""

    def spoil(world: World) -> None:
        contracts = world.topology["contracts"]
        change(contracts)
        contracts.sort(key=_order)
        world.refound()

    return spoil


def _order(contract: Any) -> tuple[str, str, str]:
    one = contract["participant"]
    return (one["component"], one["participant_name"], one["server_name"])


def _of(contracts: list[Any], name: str) -> Any:
    return next(one for one in contracts if one["participant"]["participant_name"] == name)


def able(name: str, **changes: Any) -> Spoil:
    return found(lambda contracts: _of(contracts, name)["capabilities"].update(changes))


def named(name: str, **changes: Any) -> Spoil:
    return found(lambda contracts: _of(contracts, name)["participant"].update(changes))


def unsorted(world: World) -> None:
    world.topology["contracts"].reverse()
    world.refound()


def twin(contracts: list[Any]) -> None:
    twin = s.contract(names.RESOURCES, s.FILES, "restart_only", None).model_dump(mode="json")
    twin["participant"]["server_name"] = "server-other"
    contracts.append(twin)


def joining(component: str, name: str, mode: str) -> Spoil:
    more = s.contract(component, name, mode, None).model_dump(mode="json")
    return found(lambda contracts: contracts.append(more))


def another_topology(world: World) -> None:
    _of(world.topology["contracts"], s.FILES)["capabilities"]["admission_states"] = []


def commit(change: Callable[[Any], Any]) -> Spoil:
    return lambda world: world.commit(change)


def misplaced(result: Any) -> None:
    result["agents"][0]["participant"]["component"] = names.RESOURCES


def stranger(result: Any) -> None:
    result["resources"][0]["participant"]["server_name"] = "server-elsewhere"


def at(path: str, member: int = 0) -> Spoil:
    return commit(lambda result: result["agents"][member].update(manifest_path=path))


def shared(result: Any) -> None:
    result["agents"][1]["manifest_path"] = result["agents"][0]["manifest_path"]


def _path(world: World, suffix: str) -> str:
    return next(name for name in sorted(world.files) if name.endswith(suffix))


def gone(suffix: str) -> Spoil:
    def spoil(world: World) -> None:
        del world.files[_path(world, suffix)]

    return spoil


def longer(suffix: str) -> Spoil:
    def spoil(world: World) -> None:
        world.files[_path(world, suffix)] += b"\n"

    return spoil


def shorter(suffix: str) -> Spoil:
    """A file that was cut off."""

    def spoil(world: World) -> None:
        name = _path(world, suffix)
        world.files[name] = world.files[name][:-1]

    return spoil


def spaced_out(suffix: str) -> Spoil:
    """A document of the same size that means the same, with a space moved."""

    def spoil(world: World) -> None:
        name = _path(world, suffix)
        world.files[name] = b" " + world.files[name].replace(b": ", b":", 1)

    return spoil


def flipped(suffix: str) -> Spoil:
    def spoil(world: World) -> None:
        name = _path(world, suffix)
        data = world.files[name]
        world.files[name] = data.replace(b"a", b"b", 1)

    return spoil


def spaced(suffix: str) -> Spoil:
    """A file with one space more, which means nothing."""

    def spoil(world: World) -> None:
        name = _path(world, suffix)
        world.files[name] = world.files[name].replace(b"{", b"{ ", 1)

    return spoil


def reordered(suffix: str) -> Spoil:
    """A file of lines of the same size, whose fields stand in another order."""

    def spoil(world: World) -> None:
        name = _path(world, suffix)
        values = [json.loads(one) for one in world.files[name].splitlines()]
        turned = [dict(reversed(one.items())) for one in values]
        world.files[name] = b"".join(json.dumps(one).encode() + b"\n" for one in turned)

    return spoil


def misattributed(world: World) -> None:
    """A continuation rests on its sibling, and index, rows and lineages agree on it."""
    line("agents", 0, capture_key="a_g0")(world)
    line("models", 0, capture_key="a_g0")(world)
    renamed("a_g0")(world)


def custody(listed: str, **changes: Any) -> Spoil:
    return lambda world: world.custody(listed, lambda manifest: manifest.update(changes))


def another_index(manifest: Any) -> None:
    manifest["continuation_index"]["records"] += 1


def lines(listed: str, change: Callable[[list[Any]], None]) -> Spoil:
    return lambda world: world.index(listed, change)


def line(listed: str, number: int, **changes: Any) -> Spoil:
    return lines(listed, lambda lines: lines[number].update(changes))


def added(listed: str, number: int, **changes: Any) -> Spoil:
    return lines(listed, lambda lines: lines.append({**lines[number], **changes}))


def renamed(name: str, before: str = "a_g1") -> Spoil:
    """The policy model has committed a lineage under another name."""

    def rename(manifest: Any) -> None:
        manifest["rollouts"][name] = manifest["rollouts"].pop(before)

    return lambda world: world.custody("models", rename)


def miscounted(world: World) -> None:
    world.index("models", lambda lines: lines.clear(), counted=False)
    world.pending = frozenset()


def overcounted(world: World) -> None:
    world.index("models", lambda lines: lines.append(lines[0]), counted=False)


def unpaired(world: World) -> None:
    """The pending continuation loses its row, and nothing else is lost by it."""
    world.index("models", lambda lines: lines.pop(1))


def ledger(*calls: Call) -> Spoil:
    """Another life of the ledger, saved with everything else as it was."""

    def spoil(world: World) -> None:
        state = samples.lived([*s.ledger_calls(), *calls])
        world.files[names.RECOVERY] = s.encode(s.sidecar(state))
        world.bind()

    return spoil


def beside(**changes: Any) -> Spoil:
    """What the recovery file holds beside the ledger."""
    return changed_document(names.RECOVERY, **changes)


def reserve(group_id: str, **changes: Any) -> dict[str, Any]:
    return samples.reserve(group_id, **changes)


def emptied(world: World) -> None:
    """Nothing is finalized, and no canonical row is left."""
    replay(lambda groups: groups.clear())(world)
    rows(lambda one: one["canonical"].clear())(world)


def seal(rollout: str, index: int, attempt: int) -> dict[str, Any]:
    result = samples.result(Key(f"{rollout}_g{index}", attempt), receipt=None)
    return {"group_id": rollout, "generation_index": index} | result


def owed() -> tuple[Call, ...]:
    named = {"group_id": "a", "generation_index": 0}
    return (Call("record_sealed_sibling_acknowledgement", named),)


def replay(change: Callable[[list[Any]], None]) -> Spoil:
    return lambda world: world.sealed(names.REPLAY, lambda index: change(index["groups"]))


def rows(change: Callable[[Any], None]) -> Spoil:
    return lambda world: world.sealed(names.ROWS, change)


def restored(change: Callable[[Any], None]) -> Spoil:
    return lambda world: change(world.restore)


def strange_restore(restore: Any) -> None:
    more = s.identity(names.RESOURCES, "other").model_dump(mode="json")
    restore["resources"].append({**restore["resources"][0], "participant": more})


def twice(listed: str) -> Callable[[Any], None]:
    return lambda result: result[listed].append(result[listed][0])


def source(listed: str, field: str) -> Spoil:
    return restored(lambda restore: restore[listed][0]["result"].update({field: "other"}))


def listed(change: Callable[[Any], Any]) -> Spoil:
    return lambda world: world.change(names.MANIFEST, lambda one: change(one["files"]))
