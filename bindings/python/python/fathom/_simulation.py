"""Runs of a function without data, which tell the keys that it needs, its noise and its operations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from . import _fathom
from ._layout import period_of
from .errors import KindError
from .inputs import Integers, Numbers, Reals
from .params import Params
from .server import Server
from .vector import Vector


def run(
    core: _fathom.Evaluator,
    params: Params,
    function: Callable[..., Any],
    inputs: Sequence[Numbers],
    encryption: str = "secret",
) -> Any:
    """Returns the results of a function under a simulated evaluator, on encryptions that hold no data."""
    server = Server._of(params, core)
    with server:
        return function(*(stand_in(core, params, stated, encryption) for stated in inputs))


def keys_of(params: Params, function: Callable[..., Any], inputs: Sequence[Numbers]) -> _fathom.KeyPlan:
    """Returns the keys that a function needs, each for the highest level at which it is used.

    Raises:
        FathomError: The function refuses its inputs, or the parameters do not hold its results.
    """
    core = _fathom.Evaluator.simulated(params._core)
    run(core, params._within(core.params), function, inputs)
    return core.used_keys()


def stand_in(core: _fathom.Evaluator, params: Params, stated: Numbers, encryption: str) -> Vector:
    """Returns an encryption without data, with what is stated about an input.

    Raises:
        KindError: The parameters are for other values.
    """
    magnitude = stated.magnitude if isinstance(stated, Reals) else None
    if isinstance(stated, Integers) != params.is_exact:
        kind = "integers" if params.is_exact else "real numbers"
        raise KindError(f"the parameters are for {kind}, not for {stated!r}", code="type_mismatch", expected=kind)
    count, period = stated.length or 1, period_of(stated.length, params._row)
    parts = core.simulated_encryption(count, period, magnitude, encryption)
    return Vector._of(params, parts, stated.length, stated._range if isinstance(stated, Integers) else None)
