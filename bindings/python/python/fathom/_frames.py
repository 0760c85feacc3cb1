"""The container in which vectors, keys and parameters travel.

The bytes begin with `FATHOMPY`, the version of the container and the length of a header, which is JSON with the kind of
the object, its metadata and the lengths of the frames of the library that follow. 16 bytes of BLAKE2b over everything
before them protect the header against accidental damage; each frame has a checksum of its own. A checksum is not a
signature.
"""

from __future__ import annotations

from typing import Any

from .errors import KindError, WireError

MAGIC = b"FATHOMPY"
VERSION = 1
_PREFIX = len(MAGIC) + 2 + 4
_CHECK = 16
_LONGEST_HEADER = 1 << 24


def _check(start: bytes | memoryview) -> bytes:
    """Returns the checksum of the start of an object."""
    # The modules that bytes, files and notebooks alone need are imported there, so that the package starts fast.
    from hashlib import blake2b

    return blake2b(start, digest_size=_CHECK).digest()


def for_pickle(data: bytes, protocol: int) -> Any:
    """Returns bytes as an argument of a pickle, which protocol 5 sends out of band."""
    from pickle import PickleBuffer

    return PickleBuffer(data) if protocol >= 5 else data


def pack(kind: str, meta: dict[str, Any], frames: list[bytes]) -> bytes:
    """Returns the bytes of an object."""
    import json

    header = json.dumps({"kind": kind, "meta": meta, "frames": [len(frame) for frame in frames]}, sort_keys=True)
    text = header.encode()
    start = MAGIC + VERSION.to_bytes(2, "little") + len(text).to_bytes(4, "little") + text
    return b"".join([start, _check(start), *frames])


def unpack(data: Any, kind: str, count: int | None = None) -> tuple[dict[str, Any], list[memoryview]]:
    """Returns the metadata and the frames of an object, so many if their number is known.

    Raises:
        KindError: `data` is no buffer of bytes.
        WireError: The bytes are damaged, cut, or an object of another kind.
    """
    import json

    try:
        view = memoryview(data).cast("B")
    except TypeError:
        name = type(data).__name__
        raise KindError(f"expected bytes, got {name}", code="type_mismatch", expected="bytes", got=name) from None
    if len(view) < _PREFIX + _CHECK:
        raise _cut(_PREFIX + _CHECK, len(view))
    if bytes(view[: len(MAGIC)]) != MAGIC:
        raise WireError("the bytes are not an object of this package, which begins with `FATHOMPY`", code="magic")
    version = int.from_bytes(view[8:10], "little")
    if version != VERSION:
        raise WireError(
            f"the container has version {version}, this package reads version {VERSION}",
            code="version",
            got=version,
            reads=VERSION,
        )
    length = int.from_bytes(view[10:_PREFIX], "little")
    end = _PREFIX + length
    if length > _LONGEST_HEADER or len(view) < end + _CHECK:
        raise _cut(end + _CHECK, len(view))
    if _check(view[:end]) != bytes(view[end : end + _CHECK]):
        raise WireError("the checksum does not match: the bytes were damaged; send them again", code="checksum")
    try:
        header = json.loads(bytes(view[_PREFIX:end]))
    except (ValueError, RecursionError):
        raise malformed("header") from None
    got, meta, lengths = (header.get(name) if isinstance(header, dict) else None for name in ("kind", "meta", "frames"))
    if got != kind:
        raise WireError(f"expected {kind}, got {got!r}", code="type", expected=kind, got=str(got))
    if not isinstance(meta, dict) or not isinstance(lengths, list):
        raise malformed("header")
    if count is not None and len(lengths) != count:
        raise malformed("frames")
    return meta, _split(view[end + _CHECK :], lengths)


def _split(rest: memoryview, lengths: list[int]) -> list[memoryview]:
    """Returns the frames, whose lengths are those of the header."""
    if any(type(length) is not int or length < 0 for length in lengths):
        raise malformed("frames")
    needed = sum(lengths)
    if len(rest) < needed:
        raise _cut(needed, len(rest))
    if len(rest) > needed:
        extra = len(rest) - needed
        raise WireError(f"{extra} bytes follow the end of the object", code="trailing_bytes", extra=extra)
    frames = []
    for length in lengths:
        frames.append(rest[:length])
        rest = rest[length:]
    return frames


def _cut(needed: int, got: int) -> WireError:
    text = f"the object needs {needed} bytes, {got} are available"
    return WireError(text, code="truncated", needed=needed, got=got)


def malformed(field: str) -> WireError:
    """Returns the refusal of a field that no encoder writes."""
    return WireError(f"the field {field} has a form that no encoder writes", code="malformed", field=field)
