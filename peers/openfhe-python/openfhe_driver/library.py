"""OpenFHE as the server sees it: its description, its schemes, and their sessions."""

from __future__ import annotations

import os
from importlib.metadata import version
from typing import Any

from fathom_driver import Library, Session, bad_request, unsupported
from fathom_driver.fields import Fields

from .parameters import Purpose, choose
from .session import RingSession

_RINGS = ("bfv", "bgv", "ckks")


class OpenFhe(Library):
    """OpenFHE as its wheel on PyPI contains it."""

    def info(self) -> dict[str, str]:
        # The version of the wheel ends with that of its binding and with the system's.
        library = ".".join(version("openfhe").split(".")[:3])
        return {
            "name": "openfhe-python",
            "version": f"{library} (wheel {version('openfhe')})",
            "build": "wheel of PyPI, for any x86-64, with OpenMP",
            "isa_used": "x86-64 baseline",
        }

    def schemes(self) -> list[dict[str, Any]]:
        operations = sorted(RingSession.operands)
        return [{"scheme": name, "params": [], "ops": operations} for name in _RINGS]

    def open(self, request: Fields) -> tuple[Session[Any, Any], dict[str, Any]]:
        scheme = request.text("scheme")
        if request.integer("threads", 1) > 1:
            raise unsupported("the binding keeps the interpreter's lock during a call")
        # OpenMP reads the variable when the library is loaded.
        threads, offered = request.integer("op_threads", 1), os.environ.get("OMP_NUM_THREADS", "1")
        if str(threads) != offered:
            raise unsupported(f"`op_threads` is {threads}, and OMP_NUM_THREADS {offered}")
        if request.integer("seed", None) is not None:
            raise unsupported("the driver takes all randomness from OpenFHE, without a seed")
        params = request.object("params")
        if scheme not in _RINGS:
            raise unsupported(f"the driver has no scheme `{scheme}`")
        if params.text("preset", None) is not None:
            raise unsupported("OpenFHE has no named parameters here; ask for a depth")
        if params.integer("depth") > 60:
            raise bad_request("`depth` must be at most 60")
        context = choose(Purpose.parse(scheme, params))
        return RingSession(context), context.describe()
