"""TenSEAL as the server sees it: its description, its schemes, and their sessions."""

from __future__ import annotations

from typing import Any

import tenseal
from fathom_driver import Library, Session, bad_request, unsupported
from fathom_driver.fields import Fields

from .session import BfvSession, CkksSession, open_bfv, open_ckks

_SCHEMES = {"bfv": open_bfv, "ckks": open_ckks}


class TenSeal(Library):
    """The vectors of the Python package TenSEAL."""

    def info(self) -> dict[str, str]:
        return {
            "name": "tenseal",
            "version": tenseal.__version__,
            "build": "wheel of PyPI; encryption encodes and decryption decodes, in the timed call",
            "isa_used": "x86-64 scalar",
        }

    def schemes(self) -> list[dict[str, Any]]:
        sessions: dict[str, type[Session[Any, Any]]] = {"bfv": BfvSession, "ckks": CkksSession}
        return [
            {"scheme": scheme, "params": [], "ops": sorted(session.operands)}
            for scheme, session in sessions.items()
        ]

    def open(self, request: Fields) -> tuple[Session[Any, Any], dict[str, Any]]:
        scheme = request.text("scheme")
        if scheme not in _SCHEMES:
            raise unsupported(f"TenSEAL has no vectors of the scheme `{scheme}`")
        for name in ("threads", "op_threads"):
            if request.integer(name, 1) > 1:
                raise unsupported(
                    f"`{name}` above 1: TenSEAL's threads share the ciphertexts of long vectors, "
                    "and a vector of a session has one"
                )
        if request.integer("seed", None) is not None:
            raise unsupported("the driver takes all randomness from SEAL, without a seed")
        params = request.object("params")
        if params.text("preset", None) is not None:
            raise unsupported("TenSEAL has no named parameters; ask by depth and plaintext modulus")
        if params.integer("depth") > 64:
            raise bad_request("`depth` must be at most 64")
        return _SCHEMES[scheme](params)
