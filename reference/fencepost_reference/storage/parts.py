"""Parts: tar files that come out the same whenever and wherever they are written."""

import io
import tarfile
from collections.abc import Iterator, Sequence
from typing import Final

Members = tuple[tuple[str, bytes], ...]

_BLOCK: Final = tarfile.BLOCKSIZE
_PLAIN: Final = (tarfile.REGTYPE, tarfile.AREGTYPE)


def encode_part(members: Sequence[tuple[str, bytes]]) -> bytes:
    """The one tar file of these members: fixed headers, no owner, no time.

    >>> encode_part([("a.json", b"{}")]) == encode_part([("a.json", b"{}")])
    True
    """
    buffer = io.BytesIO()
    # Long names need an extended header; it is as fixed as the rest.
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as part:
        for name, data in members:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            part.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


def decode_part(data: bytes) -> Members:
    """The plain files of a tar file in their order, or ValueError when it is none.

    What else the file holds is passed over; `part_faults` is the one that minds.
    """
    found: list[tuple[str, bytes]] = []
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as part:
            for info in part:
                content = part.extractfile(info) if info.type in _PLAIN else None
                if content is not None:
                    found.append((info.name, content.read()))
    except (tarfile.TarError, EOFError, UnicodeDecodeError) as error:
        raise ValueError(f"it is not a tar file: {error}") from error
    return tuple(found)


def part_faults(data: bytes) -> Iterator[str]:
    """What a tar file holds that `encode_part` cannot have put there, at most one fault."""
    offset, extended = 0, False
    while offset < len(data) and any(header := data[offset : offset + _BLOCK]):
        try:
            info = tarfile.TarInfo.frombuf(header, "utf-8", "strict")
        except (tarfile.HeaderError, UnicodeDecodeError) as error:
            yield f"no header at byte {offset}: {error}"
            return
        content = offset + _BLOCK
        offset = content + -(-info.size // _BLOCK) * _BLOCK
        if info.type != tarfile.XHDTYPE and info.type not in _PLAIN:
            yield f"{info.name!r} is not a plain file"
            return
        if info.size < 0 or offset > len(data) or any(data[content + info.size : offset]):
            yield f"{info.name!r} does not fit its blocks"
            return
        if extended and info.type == tarfile.XHDTYPE:
            yield f"two extended headers before byte {offset}"
            return
        extended = info.type == tarfile.XHDTYPE
    if extended or len(data) < offset + 2 * _BLOCK or len(data) % _BLOCK or any(data[offset:]):
        yield f"it does not end in empty blocks after byte {offset}"
