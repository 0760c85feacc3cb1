"""Predicted times: counted operations, multiplied by unit costs that are measured on this machine once."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

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


class Recorder:
    """A simulated evaluator that counts its operations by the level of their operands."""

    def __init__(self, core: _fathom.Evaluator, threads: int) -> None:
        self._core = core
        self._threads = threads
        self._counts: defaultdict[tuple[str, tuple[int, int, int], int], list[float]] = defaultdict(lambda: [0, 0.0])

    def __getattr__(self, name: str) -> Any:
        return getattr(self._core, name)

    def counted(self) -> list[tuple[str, tuple[int, int, int], int, int, float]]:
        """Returns every operation with its level, its number, and its number on the critical path."""
        return [(*key, int(count), span) for key, (count, span) in self._counts.items()]

    def _count(
        self, name: str, level: int, times: int, *, parallel: bool = True, shape: tuple[int, int, int] = (0, 0, 0)
    ) -> None:
        entry = self._counts[name, shape, level]
        entry[0] += times
        entry[1] += -(-times // self._threads) if parallel else times

    def _pair(self, name: str, a: Any, b: Any) -> int:
        if a.level != b.level:
            self._count("mod_switch", max(a.level, b.level), len(a if a.level > b.level else b))
        level = min(a.level, b.level)
        self._count(name, level, max(len(a), len(b)))
        return int(level)

    def add(self, a: Any, b: Any) -> Any:
        """Adds vectors."""
        self._pair("add", a, b)
        return self._core.add(a, b)

    def sub(self, a: Any, b: Any) -> Any:
        """Subtracts vectors."""
        self._pair("add", a, b)
        return self._core.sub(a, b)

    def mul(self, a: Any, b: Any) -> Any:
        """Multiplies vectors."""
        self._pair("mul", a, b)
        return self._core.mul(a, b)

    def call(self, verb: str, a: Any, numbers: list[Any]) -> Any:
        """Calls a verb of the table."""
        work, _ = _fathom.verb_work(verb, self._core.params.slots, len(numbers))
        for unit, times in work:
            self._count(unit, a.level, times * len(a))
        return self._core.call(verb, a, numbers)

    def polynomial(self, a: Any, coefficients: list[Any]) -> Any:
        """Evaluates a polynomial, by about as many products as give every power of two and every part above one."""
        degree = len(coefficients) - 1
        steps = degree.bit_length()
        for step in range(steps):
            self._count("mul", max(0, a.level - step), len(a) * (1 + (1 << max(0, steps - 2 - step) >> 1)))
        return self._core.polynomial(a, coefficients)

    def fill_rest(self, a: Any, count: int, period: int, filler: float) -> Any:
        """Multiplies by a mask, and adds a number to what it clears."""
        self._count("mul_plain", a.level, len(a))
        return self._core.fill_rest(a, count, period, filler)

    def inverse_sqrt(self, a: Any, low: float, high: float, iterations: int) -> Any:
        """Computes inverse square roots: two products with a number, and three products in each step but the first."""
        self._count("mul_scalar", a.level, 2 * len(a))
        for step in range(1, iterations):
            self._count("mul", max(0, a.level - 2 * step + 1), 3 * len(a))
        return self._core.inverse_sqrt(a, low, high, iterations)

    def mul_values(self, a: Any, values: Any, period: int) -> Any:
        """Multiplies by clear values."""
        self._count("mul_plain", a.level, len(a))
        return self._core.mul_values(a, values, period)

    def fold(self, a: Any) -> Any:
        """Adds up ciphertexts."""
        self._count("add", a.level, len(a) - 1, parallel=False)
        return self._core.fold(a)

    def dot(self, a: Any, b: Any) -> Any:
        """Adds up products of ciphertexts."""
        level = min(a.level, b.level)
        self._count("mul", level, 1)
        self._count("tensor", level, len(a) - 1, parallel=False)
        return self._core.dot(a, b)

    def sum_slots(self, a: Any, period: int) -> Any:
        """Adds up slots."""
        steps = (period or self._core.params.slots).bit_length() - 1
        self._count("rotate", a.level, steps, parallel=False)
        self._count("add", a.level, steps, parallel=False)
        return self._core.sum_slots(a, period)

    def rotate(self, a: Any, steps: int) -> Any:
        """Rotates slots, by sums of powers of two."""
        self._count("rotate", a.level, (steps ^ (3 * steps)).bit_count(), parallel=False)
        return self._core.rotate(a, steps)

    def transform(self, map: _fathom.LinearMap, a: Any) -> Any:
        """Multiplies by a matrix."""
        shape = (map.result_size, map.size, max(map.size, map.result_size))
        self._count("transform", a.level, 1, shape=shape)
        return self._core.transform(map, a)


def as_evaluator(recorder: Recorder) -> _fathom.Evaluator:
    """Returns a recorder as the evaluator that it stands for."""
    return cast(_fathom.Evaluator, recorder)


def of_ring(params: _fathom.Params, threads: int, counted: Sequence[Any], sizes: Sequence[int]) -> Prediction:
    """Predicts operations on vectors.

    Raises:
        KindError: The scheme has no unit costs.
    """
    return _read(*_fathom.predict_ring(_machine(), _kept(), params, threads, counted, sizes))


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
