"""The names of types of integers."""

from __future__ import annotations

from ..errors import KindError, RangeError

#: The most bits of a type.
_MOST_BITS = 128


def parsed(dtype: str | None) -> tuple[bool, int]:
    """Returns whether a type has a sign, and its bits.

    Raises:
        KindError: There is no such type.
    """
    letter, digits = str(dtype)[:1], str(dtype)[1:]
    bits = int(digits) if digits.isascii() and digits.isdecimal() and not digits.startswith("0") else 0
    if letter not in ("u", "i") or bits % 2 or not 0 < bits <= _MOST_BITS:
        raise KindError(
            f"no type is named {dtype!r}; take bool, or u or i and an even number of up to {_MOST_BITS} bits, such as "
            "u8 or i32",
            code="type_unknown",
            dtype=str(dtype),
        )
    return letter == "i", bits


def utf8(text: str) -> bytes:
    """Returns the bytes of a text.

    Raises:
        RangeError: It has none: it holds half of a pair of surrogates. The error does not hold the text.
    """
    try:
        return text.encode()
    except UnicodeEncodeError:
        pass
    raise RangeError("the text has no form in UTF-8", code="not_text")
