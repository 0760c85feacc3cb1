"""Homomorphic encryption with tracked noise and ranges.

    import fathom as fhe

    key = fhe.keygen(int)
    x, y = key.encrypt([1, 2, 3]), key.encrypt([4, 5, 6])
    print(key.decrypt(x @ y))

Keys are made by `keygen` for what is computed. Operators compute on encrypted vectors. A result that could decrypt
wrongly, for its noise or because an integer could wrap around, is refused with an exception of `fathom.errors`.
"""

from __future__ import annotations

import os as _os
from typing import TYPE_CHECKING as _TYPE_CHECKING

from . import _fathom, tfhe, wide
from ._choice import where
from ._plan_base import Approximate, Plan
from ._prediction import Prediction
from ._progress import progress
from ._values import whole as _whole
from .errors import (
    DivisionError,
    FathomError,
    ForkError,
    InternalError,
    Interrupted,
    KeyMismatchError,
    KindError,
    LevelError,
    MissingKeyError,
    NoiseError,
    NoServerError,
    ParamsError,
    QueryError,
    RangeError,
    ResourceError,
    ShapeError,
    WireError,
)
from .inputs import Integers, Reals, Truth
from .keys import PublicKey, SecretKey, keygen
from .params import Params
from .plans import plan
from .server import Server
from .vector import Vector

__version__ = "0.2.0"

__all__ = [
    "Approximate",
    "DivisionError",
    "FathomError",
    "ForkError",
    "Integers",
    "InternalError",
    "Interrupted",
    "KeyMismatchError",
    "KindError",
    "LevelError",
    "MissingKeyError",
    "NoServerError",
    "NoiseError",
    "Params",
    "ParamsError",
    "Plan",
    "Prediction",
    "PublicKey",
    "QueryError",
    "RangeError",
    "Reals",
    "ResourceError",
    "SecretKey",
    "Server",
    "ShapeError",
    "Truth",
    "Vector",
    "WireError",
    "columns",
    "keygen",
    "plan",
    "progress",
    "set_threads",
    "tfhe",
    "thread_count",
    "where",
    "wide",
]


if _TYPE_CHECKING:
    from . import columns
else:

    def __getattr__(name: str) -> object:
        # Tables take as long to import as all the rest, and most programs have none.
        if name == "columns":
            from importlib import import_module

            return import_module("fathom.columns")
        raise AttributeError(f"module 'fathom' has no attribute {name!r}")


def set_threads(count: int) -> None:
    """Sets the number of threads that share the ciphertexts of long vectors; by default all cores.

    The variable `FATHOM_THREADS` sets it for a process.

    Raises:
        ResourceError: `count` is less than 1 or more than the library starts.
    """
    count = _whole(count, "a number of threads")
    if count < 1:
        raise ResourceError(f"{count} threads were requested, at least 1 is needed", code="threads", threads=count)
    _fathom.set_threads(count)


def thread_count() -> int:
    """Returns the number of threads that share the ciphertexts of long vectors."""
    return _fathom.thread_count()


if _wanted := _os.environ.get("FATHOM_THREADS"):
    try:
        set_threads(int(_wanted))
    except (ValueError, OverflowError):
        raise ResourceError(f"FATHOM_THREADS={_wanted}: state a number of threads", code="threads") from None
