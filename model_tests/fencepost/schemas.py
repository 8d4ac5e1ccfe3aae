"""JSON Schema files: written from the specification, and checked against it."""

from pathlib import Path

from fencepost_spec.schemas import schema_files


def write_schemas(directory: Path) -> list[Path]:
    """Write every schema, take away what is no schema of ours, and name what changed."""
    directory.mkdir(parents=True, exist_ok=True)
    changed = stale_schemas(directory)
    wanted = schema_files()
    for path in changed:
        if path.name in wanted:
            path.write_text(wanted[path.name], encoding="utf-8")
        else:
            path.unlink()
    return changed


def stale_schemas(directory: Path) -> list[Path]:
    """The schema files that are missing, differ from the specification or are too many."""
    wanted = schema_files()
    found = {path.name for path in directory.glob("*.json")}
    missing_or_old = (
        name
        for name, text in wanted.items()
        if name not in found or (directory / name).read_text(encoding="utf-8") != text
    )
    return sorted(directory / name for name in {*missing_or_old, *(found - wanted.keys())})
