"""Predicted times: counted operations, multiplied by unit costs that are measured on this machine once."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from . import _fathom

if TYPE_CHECKING:
    from pathlib import Path


class Prediction(NamedTuple):
    """The predicted costs of a plan on this machine; none is measured on the function itself.

    Attributes:
        keygen_s: Seconds to generate the evaluation keys.
        expand_s: Seconds of the server to read the keys.
        encrypt_s: Seconds to encrypt the inputs.
        read_s: Seconds of the server to read the inputs.
        compute_s: Seconds of the server to compute the function.
        write_s: Seconds of the server to write the results.
        decrypt_s: Seconds to decrypt the results.
        key_bytes: Bytes of the evaluation keys, sent once.
        input_bytes: Bytes of the encrypted inputs, in the most compact form.
        output_bytes: Bytes of the encrypted results.
    """

    keygen_s: float
    expand_s: float
    encrypt_s: float
    read_s: float
    compute_s: float
    write_s: float
    decrypt_s: float
    key_bytes: int
    input_bytes: int
    output_bytes: int


def of_ring(params: _fathom.Params, core: _fathom.Evaluator, threads: int, sizes: Sequence[int]) -> Prediction:
    """Predicts the operations of a simulated evaluator on vectors.

    Raises:
        KindError: The scheme has no unit costs.
    """
    return _read(*_fathom.predict_ring(_machine(), _kept(), params, core, threads, sizes))


def of_typed(core: _fathom.TfheEvaluator, threads: int, blocks: Sequence[int]) -> Prediction:
    """Predicts layers of bootstraps."""
    return _read(*_fathom.predict_typed(_machine(), _kept(), core, threads, blocks))


def _read(costs: str, text: str) -> Prediction:
    import json

    global _costs
    _costs = costs
    _keep(costs)
    found = json.loads(text)

    def seconds(phase: str) -> float:
        return float(found[f"{phase}_ns"]) / 1e9

    return Prediction(
        keygen_s=seconds("keygen"),
        expand_s=seconds("keys"),
        encrypt_s=seconds("encrypt"),
        read_s=seconds("load"),
        compute_s=seconds("compute"),
        write_s=seconds("answer"),
        decrypt_s=seconds("decrypt"),
        key_bytes=found["key_bytes"],
        input_bytes=found["upload_bytes"],
        output_bytes=found["download_bytes"],
    )


#: The unit costs that this process knows.
_costs: str | None = None


def _kept() -> str | None:
    path = _path()
    if _costs is not None or path is None:
        return _costs
    try:
        return path.read_text()
    except (OSError, ValueError):
        return None


def _keep(costs: str) -> None:
    """Writes unit costs to the user's cache, so that the next process need not measure; a failure costs time only."""
    # Modules that few plans need would lengthen the import of the package.
    from tempfile import NamedTemporaryFile

    path = _path()
    if path is None:
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile("w", dir=path.parent, delete=False) as file:
            file.write(costs)
        os.replace(file.name, path)
    except OSError:
        return


def _path() -> Path | None:
    from pathlib import Path

    cache = os.environ.get("XDG_CACHE_HOME")
    folder = Path(cache) if cache else Path("~/.cache").expanduser()
    return folder / "fathom" / "unit-costs-python.json" if folder.is_absolute() else None


def _machine() -> tuple[str, str]:
    """Returns the processor, and the build of this package, on which unit costs depend."""
    import platform

    kernel = os.stat(_fathom.__file__)
    return f"{platform.machine()} {platform.processor()} {platform.node()}", f"{kernel.st_size} {kernel.st_mtime_ns}"
