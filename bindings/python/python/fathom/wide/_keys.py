"""The keys of wide integers: secret and public ones, and those that compute."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from .. import _fathom, _frames
from .._bound import Local, Made
from .._described import size
from .._parties import Public, Secret, Served
from .._refusals import of_type
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
    return Key._made(_core=_fathom.WideKey.generate(params), _bits=bits, _summed=summed)


class _Encrypting(Made):
    """A key that encrypts."""

    __slots__ = ()

    _core: Any
    _bits: int
    #: The server to which encryptions are bound; none for a public key.
    _local: Local | None

    def _params_bytes(self) -> bytes:
        params: bytes = self._core.params.to_bytes()
        return params

    def _meta(self) -> dict[str, Any]:
        return {"vectors": self._core.params.vectors, "bits": self._bits}

    def encrypt(self, value: Any, *, bits: int | None = None) -> Value:
        """Encrypts an integer, or the elements of a sequence or buffer as a vector.

        Args:
            value: An integer, or integers if the key was made with `length`.
            bits: The absolute value of an integer is below `2**bits`, a public statement; by default those of the key.

        Raises:
            RangeError: A value exceeds the bits.
            KindError: The value is not what the key was made for.
        """
        vectors = self._core.params.vectors
        clear = read_clear(value, INTEGERS)
        if (clear.length is not None) != vectors:
            wanted = "sequences of integers" if vectors else "integers"
            got = type(value).__name__
            raise KindError(f"the key was made for {wanted}, got {got}", code="type_mismatch", expected=wanted, got=got)
        if bits is not None and vectors:
            raise KindError("bits state the width of a single integer", code="options")
        if clear.length == 0:
            raise ShapeError("there are no values to encrypt", code="empty")
        width = self._bits if bits is None else _stated("bits", bits)
        return Value._of(self._core.encrypt(clear.listed() if vectors else clear.data, width), self._local)


class Key(_Encrypting, Secret["Server"]):
    """The secret key: whoever has it can read what is encrypted. It is neither printed nor pickled."""

    __slots__ = ("_bits", "_summed")

    _maker = "make a key with fathom.wide.keygen"
    _frame = "wide secret key"
    _core: _fathom.WideKey
    _local: Local
    _summed: int

    @classmethod
    def _read(cls, meta: dict[str, Any], params: memoryview, own: memoryview) -> Self:
        core = _fathom.WideKey.from_secret_bytes(_params_of(meta, params), own)
        return cls._made(_core=core, _bits=_number(meta, "bits"), _summed=_number(meta, "summed"))

    def _meta(self) -> dict[str, Any]:
        return {**super()._meta(), "summed": self._summed}

    def make_server(self) -> Server:
        """Makes evaluation keys."""
        return Server._made(_core=self._core.evaluator(self._summed))

    @property
    def widest_bits(self) -> float:
        """The bits of the widest results."""
        return self._core.params.widest_bits

    def public_key(self) -> PublicKey:
        """Makes a public key. Make the key with `encryption="public"`, so that there is room for its noise."""
        return PublicKey._made(_core=self._core.public_key(), _bits=self._bits)

    def decrypt(self, value: Value) -> Any:
        """Returns the integer, or the list of integers.

        Raises:
            KeyMismatchError: The value belongs to another key.
            RangeError: The integer exceeds the bound that its sender stated.
        """
        if not isinstance(value, Value):
            raise of_type("a wide.Value", value, "Value")
        clear = self._core.decrypt(value._core)
        return clear[0] if value._is_sum and isinstance(clear, list) else clear

    def load(self, data: Any) -> Value:
        """Reads a value, such as a result that a server sent back.

        Raises:
            WireError: The bytes are damaged.
        """
        return read(self._core.params, data, "computed", self._local)

    def __repr__(self) -> str:
        form = "vectors of integers" if self._core.params.vectors else "integers"
        return f"fathom.wide.Key({form} of {self._bits} bits, degree {self._core.params.degree}, key {self.id})"


class PublicKey(_Encrypting, Public):
    """A public key, which encrypts and cannot decrypt. Its encryptions are bound to no server."""

    __slots__ = ("_bits",)

    _maker = "make a public key with Key.public_key"
    _frame = "wide public key"
    _core: _fathom.WidePublicKey
    _local = None

    @classmethod
    def _read(cls, meta: dict[str, Any], params: memoryview, own: memoryview) -> Self:
        core = _fathom.WidePublicKey.from_bytes(_params_of(meta, params), own)
        return cls._made(_core=core, _bits=_number(meta, "bits"))

    def __repr__(self) -> str:
        return f"fathom.wide.PublicKey(integers of {self._bits} bits, key {self.key_id})"


class Server(Served):
    """Evaluation keys, which allow to compute and reveal nothing."""

    __slots__ = ()

    _title = "fathom.wide.Server"
    _maker = "make a server with Key.make_server or Server.from_bytes"
    _frame = "wide server"
    _core: _fathom.WideEvaluator

    @classmethod
    def _read(cls, meta: dict[str, Any], params: memoryview, own: memoryview) -> Self:
        return cls._made(_core=_fathom.WideEvaluator.from_bytes(_params_of(meta, params), own))

    def _params_bytes(self) -> bytes:
        return self._core.params.to_bytes()

    def _meta(self) -> dict[str, Any]:
        return {"vectors": self._core.params.vectors}

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

    def _facts(self) -> Sequence[tuple[str, str]]:
        return [("keys", size(self.nbytes)), ("key", str(self.key_id))]


def _params_of(meta: dict[str, Any], params: memoryview) -> _fathom.WideParams:
    """Returns the parameters of an object, which are of the form that its metadata state."""
    if type(meta.get("vectors")) is not bool:
        raise _frames.malformed("vectors")
    return _fathom.WideParams.from_bytes(params, meta["vectors"])


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
