"""The package as the server sees it: its description, its schemes, and their sessions."""

from __future__ import annotations

from typing import Any

import fathom
from fathom_driver import Library, Session, bad_request, unsupported
from fathom_driver.fields import Fields

from .parameters import Chosen, Purpose, described, kernel
from .session import OPERANDS, VectorSession

_SCHEMES = ("bfv", "ckks")


class FathomPython(Library):
    """Fathom as its users call it from Python."""

    def __init__(self) -> None:
        fathom.set_threads(1)

    def info(self) -> dict[str, str]:
        return {
            "name": "fathom-python",
            "version": fathom.__version__,
            "build": "wheel; encryption encodes and decryption decodes, in the timed call",
            "isa_used": kernel(),
        }

    def schemes(self) -> list[dict[str, Any]]:
        return [{"scheme": name, "params": [], "ops": sorted(OPERANDS)} for name in _SCHEMES]

    def open(self, request: Fields) -> tuple[Session[Any, Any], dict[str, Any]]:
        scheme = request.text("scheme")
        if scheme not in _SCHEMES:
            raise unsupported(f"the package has no vectors of the scheme `{scheme}`")
        for name in ("threads", "op_threads"):
            if request.integer(name, 1) > 1:
                raise unsupported(
                    f"`{name}` above 1: threads of the package share the ciphertexts of long "
                    "vectors, and a vector of a session has one"
                )
        if request.integer("seed", None) is not None:
            raise unsupported("the package takes all randomness from the system, without a seed")
        params = request.object("params")
        if params.text("preset", None) is not None:
            raise unsupported("ask by depth and plaintext modulus or scale, not by name")
        if params.integer("depth") > 64:
            raise bad_request("`depth` must be at most 64")
        purpose = Purpose.parse(scheme, params)
        chosen = Chosen.for_purpose(purpose)
        return VectorSession(chosen), described(chosen, purpose)
