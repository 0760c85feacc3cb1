"""SEAL as the server sees it: its description, its schemes, and their sessions."""

from __future__ import annotations

import os
import tempfile
from importlib.metadata import version
from typing import Any

import tenseal.sealapi as sealapi
from fathom_driver import Library, Session, bad_request, unsupported
from fathom_driver.fields import Fields

from .bfv import open_bfv
from .ckks import open_ckks
from .session import SealSession

_SCHEMES = {"bfv": open_bfv, "ckks": open_ckks}


class Seal(Library):
    """Microsoft SEAL as included in the Python package TenSEAL."""

    def info(self) -> dict[str, str]:
        return {
            "name": "seal",
            "version": f"{_seal_version()} (tenseal {version('tenseal')})",
            "build": "wheel of PyPI, optimised, without Intel HEXL",
            "isa_used": "x86-64 scalar",
        }

    def schemes(self) -> list[dict[str, Any]]:
        operations = sorted(SealSession.operands)
        return [{"scheme": name, "params": [], "ops": operations} for name in sorted(_SCHEMES)]

    def open(self, request: Fields) -> tuple[Session[Any, Any], dict[str, Any]]:
        scheme = request.text("scheme")
        if scheme not in _SCHEMES:
            raise unsupported(f"the binding has no scheme `{scheme}`")
        for name in ("threads", "op_threads"):
            if request.integer(name, 1) > 1:
                raise unsupported(
                    f"`{name}` above 1: SEAL has no threads of its own, and its Python binding "
                    "keeps the interpreter's lock during a call"
                )
        if request.integer("seed", None) is not None:
            raise unsupported("the driver takes all randomness from SEAL, without a seed")
        params = request.object("params")
        if params.text("preset", None) is not None:
            raise unsupported("SEAL has no named parameters; ask by depth and plaintext modulus")
        if params.integer("depth") > 64:
            raise bad_request("`depth` must be at most 64")
        return _SCHEMES[scheme](params)


def _seal_version() -> str:
    """Returns major and minor version, from the header of SEAL's serialised objects."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "header")
        sealapi.Modulus(65537).save(path)
        with open(path, "rb") as file:
            header = file.read(16)
    return f"{header[3]}.{header[4]}"
