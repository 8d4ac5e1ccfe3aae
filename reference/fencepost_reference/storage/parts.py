"""Parts: tar files that come out the same whenever and wherever they are written.

A part is read block by block, and `tarfile` sees none of it: what a header may ask of that library,
such as a size of its own or holes in a file, costs whatever the header says.
"""

import io
import tarfile
from collections.abc import Iterator, Sequence
from typing import Final

Members = tuple[tuple[str, bytes], ...]

_BLOCK: Final = tarfile.BLOCKSIZE
_PLAIN: Final = (tarfile.REGTYPE, tarfile.AREGTYPE)
_PATH: Final = b"path="
# Where a header has its fields.
_NAME: Final = slice(0, 100)
_SIZE: Final = slice(124, 136)
_TYPE: Final = slice(156, 157)


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

    The size of a file is the one in its header, and its name may come from an extended header.
    What else the file holds is passed over; `part_faults` is the one that minds.
    """
    found: list[tuple[str, bytes]] = []
    offset, longer = 0, None
    while offset < len(data) and any(header := data[offset : offset + _BLOCK]):
        start = offset + _BLOCK
        size = _size(header, offset)
        if start + size > len(data):
            raise ValueError(f"it is not a tar file: it ends before byte {start + size}")
        content = data[start : start + size]
        kind = header[_TYPE]
        if kind in _PLAIN:
            name = header[_NAME].rstrip(b"\0") if longer is None else longer
            found.append((name.decode("ascii", "backslashreplace"), content))
        longer = _longer_name(content) if kind == tarfile.XHDTYPE else None
        offset = start + -(-size // _BLOCK) * _BLOCK
    return tuple(found)


def part_faults(data: bytes, members: Members) -> Iterator[str]:
    """How a tar file of these members differs from the one that `encode_part` makes, if it does."""
    exact = encode_part(members)
    if data == exact:
        return
    blocks = range(0, min(len(data), len(exact)), _BLOCK)
    other = (at for at in blocks if data[at : at + _BLOCK] != exact[at : at + _BLOCK])
    first = next(other, min(len(data), len(exact)))
    yield f"from byte {first} on it is not the part that holds its files and nothing else"


def _size(header: bytes, offset: int) -> int:
    digits = header[_SIZE].rstrip(b"\0 ")
    if len(header) < _BLOCK or not digits or set(digits) - set(b"01234567"):
        raise ValueError(f"it is not a tar file: no header at byte {offset}")
    return int(digits, 8)


def _longer_name(content: bytes) -> bytes | None:
    """The name in an extended header, when that is the first thing in it."""
    _, _, said = content.partition(b" ")
    return said.partition(b"\n")[0].removeprefix(_PATH) if said.startswith(_PATH) else None
