"""The DESILO FHE library as the server sees it: its description, and its sessions."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from fathom_driver import Library, Session, bad_request, unsupported
from fathom_driver.fields import Fields

from .parameters import MOST_LEVELS, SCALE_BITS, choose
from .session import DesiloSession


class Desilo(Library):
    """The DESILO FHE library on the CPU."""

    def info(self) -> dict[str, str]:
        return {
            "name": "desilo",
            "version": version("desilofhe"),
            # The licence requires the last sentence wherever results are published.
            "build": "wheel of PyPI, closed source. This work uses the DESILO FHE library"
            " developed by DESILO Inc. (https://desilo.ai)",
            "isa_used": "not stated by the library",
        }

    def schemes(self) -> list[dict[str, Any]]:
        return [{"scheme": "ckks", "params": [], "ops": sorted(DesiloSession.operands)}]

    def open(self, request: Fields) -> tuple[Session[Any, Any], dict[str, Any]]:
        params = request.object("params")
        if request.text("scheme") != "ckks":
            raise unsupported("the library has CKKS only")
        if request.integer("threads", 1) > 1:
            raise unsupported(
                "`threads` above 1: the library keeps the interpreter's lock during a call"
            )
        if request.integer("seed", None) is not None:
            raise unsupported("the driver takes all randomness from the library, without a seed")
        if params.text("preset", None) is not None:
            raise unsupported("the library has no named parameters; ask by depth")
        depth = params.integer("depth")
        if depth > 64:
            raise bad_request("`depth` must be at most 64")
        if depth > MOST_LEVELS:
            raise unsupported(f"the driver knows engines of up to {MOST_LEVELS} levels")
        choice = choose(params, request.integer("op_threads", 1))
        levels = choice.engine.max_level
        return DesiloSession(choice), {
            "name": f"ckks-n{choice.n}-l{levels}-scale{SCALE_BITS}",
            "n": choice.n,
            "log_q": choice.log_q,
            "log_qp": choice.log_qp,
            "scale_bits": SCALE_BITS,
            "slots": choice.n // 2,
            "levels": levels,
            "secret": "ternary",
            "sigma": 3.2,
            "depth": depth,
            "explanation": f"Engine(max_level={levels}); moduli read from serialized keys, secret "
            "and error assumed to be those of the standard, as the library states neither",
        }
