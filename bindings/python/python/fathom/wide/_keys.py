"""The keys of wide integers: secret and public ones, and those that compute."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import _fathom, _frames
from .._bound import Local, Unchanging
from .._described import size
from .._served import Served
from .._stored import Stored
from .._values import INTEGERS, whole
from .._values import read as read_clear
from ..errors import KindError, RangeError, ShapeError
from ._value import Value, read


def keygen(
    *,
    bits: int = 64,
    depth: int = 1,
    terms: int = 64,
    length: int | None = None,
    sums: bool = False,
    encryption: str = "secret",
    security: int = 128,
) -> Key:
    """Makes a secret key.

    Args:
        bits: Inputs have an absolute value below `2**bits`; those of vectors at most `2**bits`.
        depth: Products in a row.
        terms: Results of these products that are added up.
        length: The number of elements of vectors; by default, a ciphertext holds one integer.
        sums: Whether the elements of a vector are added up too, by `sum` or `@`.
        encryption: `"secret"`, or `"public"` if a public key encrypts.
        security: 128, 192 or 256 bits.

    Raises:
        ParamsError: There are no such parameters.
    """
    length = None if length is None else _stated("length", length)
    if length == 0:
        raise ShapeError("a vector has at least one element", code="empty")
    if sums and length is None:
        raise KindError("vectors alone have sums of elements: state their length", code="options")
    bits, depth, terms = _stated("bits", bits), _stated("depth", depth), _stated("terms", terms)
    security = _stated("security", security)
    summed = length if sums and length is not None else 1
    params = _fathom.WideParams.plan(
        bits=bits, depth=depth, terms=terms, length=length, summed=summed, encryption=encryption, security=security
    )
    return Key._of(_fathom.WideKey.generate(params), bits, summed)


class Key(Unchanging):
    """The secret key: whoever has it can read what is encrypted. It is neither printed nor pickled."""

    __slots__ = ("__weakref__", "_bits", "_core", "_local", "_summed")

    _core: _fathom.WideKey
    _bits: int
    _summed: int
    _local: Local

    def __init__(self) -> None:
        raise KindError("make a key with fathom.wide.keygen", code="no_init")

    @classmethod
    def _of(cls, core: _fathom.WideKey, bits: int, summed: int) -> Key:
        key = object.__new__(cls)
        key._core = core
        key._bits = bits
        key._summed = summed
        key._local = Local(key)
        return key

    @property
    def id(self) -> str:
        """The public identifier of the key."""
        return self._core.id

    @property
    def server(self) -> Server:
        """A server for computations on the same machine, made at the first use."""
        server: Server = self._local.server()
        return server

    def make_server(self) -> Server:
        """Makes evaluation keys."""
        return Server._of(self._core.evaluator(self._summed))

    @property
    def widest_bits(self) -> float:
        """The bits of the widest results."""
        return self._core.params.widest_bits

    def encrypt(self, value: Any, *, bits: int | None = None) -> Value:
        """Encrypts an integer, or the elements of a sequence or buffer as a vector.

        Args:
            value: An integer, or integers if the key was made with `length`.
            bits: The absolute value of an integer is below `2**bits`, a public statement; by default those of the key.

        Raises:
            RangeError: A value exceeds the bits.
            KindError: The value is not what the key was made for.
        """
        return Value._of(_encrypted(self._core, value, self._bits, bits), self._local)

    def public_key(self) -> PublicKey:
        """Makes a public key. Make the key with `encryption="public"`, so that there is room for its noise."""
        return PublicKey._of(self._core.public_key(), self._bits)

    def decrypt(self, value: Value) -> Any:
        """Returns the integer, or the list of integers.

        Raises:
            KeyMismatchError: The value belongs to another key.
            RangeError: The integer exceeds the bound that its sender stated.
        """
        if not isinstance(value, Value):
            name = type(value).__name__
            raise KindError(f"expected a wide.Value, got {name}", code="type_mismatch", expected="Value", got=name)
        clear = self._core.decrypt(value._core)
        return clear[0] if value._is_sum and isinstance(clear, list) else clear

    def load(self, data: Any) -> Value:
        """Reads a value, such as a result that a server sent back.

        Raises:
            WireError: The bytes are damaged.
        """
        return read(self._core.params, data, "computed", self._local)

    def to_secret_bytes(self) -> bytes:
        """Returns the parameters and the secret key, for storage that only its owner can read."""
        params = self._core.params
        meta = {"vectors": params.vectors, "bits": self._bits, "summed": self._summed}
        return _frames.pack("wide secret key", meta, [params.to_bytes(), self._core.to_secret_bytes()])

    @classmethod
    def from_secret_bytes(cls, data: Any) -> Key:
        """Reads a secret key.

        Raises:
            WireError: The bytes are damaged or no secret key.
        """
        meta, params, frame = _unpacked(data, "wide secret key")
        core = _fathom.WideKey.from_secret_bytes(params, frame)
        return cls._of(core, _number(meta, "bits"), _number(meta, "summed"))

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise KindError("secret keys are not pickled; use to_secret_bytes, and keep the bytes secret", code="secret")

    def __repr__(self) -> str:
        form = "vectors of integers" if self._core.params.vectors else "integers"
        return f"fathom.wide.Key({form} of {self._bits} bits, degree {self._core.params.degree}, key {self.id})"


class PublicKey(Stored):
    """A public key, which encrypts and cannot decrypt."""

    __slots__ = ("__weakref__", "_bits", "_core")

    _core: _fathom.WidePublicKey
    _bits: int

    def __init__(self) -> None:
        raise KindError("make a public key with Key.public_key", code="no_init")

    @classmethod
    def _of(cls, core: _fathom.WidePublicKey, bits: int) -> PublicKey:
        key = object.__new__(cls)
        key._core = core
        key._bits = bits
        return key

    @property
    def key_id(self) -> str:
        """The identifier of the secret key that decrypts."""
        return self._core.key_id

    def encrypt(self, value: Any, *, bits: int | None = None) -> Value:
        """Encrypts as `Key.encrypt` does. The value is bound to no server.

        Raises:
            RangeError: A value exceeds the bits.
            KindError: The value is not what the key was made for.
        """
        return Value._of(_encrypted(self._core, value, self._bits, bits), None)

    def to_bytes(self) -> bytes:
        """Returns the parameters and the key as bytes."""
        params = self._core.params
        meta = {"vectors": params.vectors, "bits": self._bits}
        return _frames.pack("wide public key", meta, [params.to_bytes(), self._core.to_bytes()])

    @classmethod
    def from_bytes(cls, data: Any) -> PublicKey:
        """Reads a public key.

        Raises:
            WireError: The bytes are damaged or no public key.
        """
        meta, params, frame = _unpacked(data, "wide public key")
        return cls._of(_fathom.WidePublicKey.from_bytes(params, frame), _number(meta, "bits"))

    def __repr__(self) -> str:
        return f"fathom.wide.PublicKey(integers of {self._bits} bits, key {self.key_id})"


class Server(Served):
    """Evaluation keys, which allow to compute and reveal nothing."""

    __slots__ = ()

    _title = "fathom.wide.Server"
    _maker = "Key.make_server"
    _core: _fathom.WideEvaluator

    @classmethod
    def _of(cls, core: _fathom.WideEvaluator) -> Server:
        server = object.__new__(cls)
        server._core = core
        return server

    def load(self, data: Any, trust: str = "fresh") -> Value:
        """Reads a value and binds it to this server.

        Args:
            data: The bytes of `Value.to_bytes`.
            trust: With `"fresh"`, anybody may have sent them: only fresh encryptions are read, with the noise of such.
                With `"computed"`, the sender's bound on the noise is believed. The width of a single integer is the
                sender's statement in either case; if it is false, decryption notices, or results wrap around.

        Raises:
            WireError: The bytes are damaged, or the result of a computation.
        """
        return read(self._core.params, data, trust, self)

    def to_bytes(self) -> bytes:
        """Returns the parameters and the keys as bytes."""
        params = self._core.params
        return _frames.pack("wide server", {"vectors": params.vectors}, [params.to_bytes(), self._core.to_bytes()])

    @classmethod
    def from_bytes(cls, data: Any) -> Server:
        """Reads a server.

        Raises:
            WireError: The bytes are damaged or no server.
        """
        _, params, frame = _unpacked(data, "wide server")
        return cls._of(_fathom.WideEvaluator.from_bytes(params, frame))

    def _facts(self) -> Sequence[tuple[str, str]]:
        return [("keys", size(self.nbytes)), ("key", str(self.key_id))]


def _unpacked(data: Any, kind: str) -> tuple[dict[str, Any], _fathom.WideParams, memoryview]:
    """Returns the metadata, the parameters and the other frame of an object."""
    meta, frames = _frames.unpack(data, kind, 2)
    if type(meta.get("vectors")) is not bool:
        raise _frames.malformed("vectors")
    return meta, _fathom.WideParams.from_bytes(frames[0], meta["vectors"]), frames[1]


def _encrypted(
    core: _fathom.WideKey | _fathom.WidePublicKey, value: Any, own: int, bits: int | None
) -> _fathom.WideValue:
    """Encrypts a value of the form of the key, with as many bits as are stated, or the key's own."""
    vectors = core.params.vectors
    clear = read_clear(value, INTEGERS)
    if (clear.length is not None) != vectors:
        wanted = "sequences of integers" if vectors else "integers"
        name = type(value).__name__
        raise KindError(f"the key was made for {wanted}, got {name}", code="type_mismatch", expected=wanted, got=name)
    if bits is not None and vectors:
        raise KindError("bits state the width of a single integer", code="options")
    if clear.length == 0:
        raise ShapeError("there are no values to encrypt", code="empty")
    return core.encrypt(clear.listed() if vectors else clear.data, own if bits is None else _stated("bits", bits))


def _stated(name: str, stated: Any) -> int:
    """Returns a stated number as Python's own."""
    count = whole(stated, name)
    if not 0 <= count < 1 << 32:
        raise RangeError(f"{name} is {count}: take 0 to 2^32 - 1", code="value_out_of_range", name=name)
    return count


def _number(meta: dict[str, Any], name: str) -> int:
    """Returns a number of the metadata."""
    found = meta.get(name)
    if type(found) is not int or not 0 <= found < 1 << 32:
        raise _frames.malformed(name)
    return found
