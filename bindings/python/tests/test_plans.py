"""Plans choose schemes, parameters and keys, and their functions compute what Python computes."""

import copy
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fathom as fhe
from fathom import _fathom, _simulation


def dot(x: Any, y: Any) -> Any:
    return x @ y


def times(x: Any, y: Any) -> Any:
    return x * y


def test_a_dot_product_takes_no_number() -> None:
    a, b = np.arange(100, dtype=np.uint8), np.arange(100, dtype=np.uint8)[::-1].copy()
    plan = fhe.plan(dot, a, b)
    key = plan.keygen()
    x, y = plan.encrypt(key, a, b)
    result = plan.run(x, y)
    assert plan.scheme == "bfv" and plan.security_bits >= 128
    assert result.range == (0, 100 * 255 * 255)
    assert plan.decrypt(key, result) == int(a.astype(int) @ b.astype(int))
    assert key.decrypt(key.encrypt(a) @ key.encrypt(b)) == int(a.astype(int) @ b.astype(int))


def test_sizes_are_those_of_keys_and_ciphertexts() -> None:
    plan = fhe.plan(dot, fhe.Integers(5000, bits=3), fhe.Integers(5000, bits=3))
    key = plan.keygen()
    x, y = plan.encrypt(key, [1] * 5000, [2] * 5000)
    assert abs(plan.key_bytes - key.server.nbytes) < 0.01 * key.server.nbytes
    assert plan.input_bytes == x.nbytes + y.nbytes
    result = plan(x, y)
    assert plan.output_bytes == result.nbytes and plan.decrypt(key, result) == 10_000


def test_reals_come_back_with_a_bound() -> None:
    def spread(t: Any) -> Any:
        return ((t - t.mean()) ** 2).mean()

    plan = fhe.plan(spread, [20.5, 21.0, 20.0, 19.5], magnitude=32)
    key = plan.keygen()
    value, error = plan.decrypt(key, plan(plan.encrypt(key, [20.5, 21.0, 20.0, 19.5])))
    assert plan.scheme == "ckks"
    assert abs(value - np.var([20.5, 21.0, 20.0, 19.5])) <= error <= 2.0**-20


@pytest.mark.parametrize("function", [lambda x: x**4 + 3 * x, lambda x: x * x * x - 5, lambda x: (x + 1) * (x - 1)])
def test_polynomials_have_the_depth_they_take(function: Any) -> None:
    plan = fhe.plan(function, fhe.Integers(3, low=0, high=15))
    key = plan.keygen()
    values = np.array([0, 7, 15])
    assert plan.decrypt(key, plan(plan.encrypt(key, values))) == function(values).tolist()


@pytest.mark.parametrize("depth", [1, 2])
def test_precise_inner_products_take_vector_units(depth: int) -> None:
    def function(x: Any, y: Any) -> Any:
        product = x * y
        for _ in range(depth - 1):
            product = product * y
        return product, x @ y, x.sum()

    values = np.linspace(-1, 1, 4096)
    plan: Any = fhe.plan(function, fhe.Reals(4096), fhe.Reals(4096), precision=20)
    assert plan.params.scale_bits <= 45.8
    key = plan.keygen()
    results = plan.decrypt(key, plan(*plan.encrypt(key, values, values)))
    for (found, error), wanted in zip(results, function(values, values), strict=True):
        assert np.max(np.abs(found - wanted)) <= error <= 2.0**-20


def test_parameters_state_their_moduli() -> None:
    exact, real = fhe.Params.preset("bfv", "e1d2"), fhe.Params.preset("ckks", "e3s")
    assert exact.scale_bits is None and real.scale_bits == 38
    for params in (exact, real):
        moduli = [params.log2_modulus_at(level) for level in range(params.top_level + 1)]
        assert moduli == sorted(moduli) and 0 < moduli[0] and moduli[-1] < params.log2_modulus
        assert params.failure_log2 == -128 and params.kernel
        for level in (-1, params.top_level + 1, 0.5):
            with pytest.raises(fhe.ParamsError, match="level"):
                params.log2_modulus_at(level)  # type: ignore[arg-type, unused-ignore]


def test_results_keep_their_structure() -> None:
    matrix = np.arange(15).reshape(3, 5)
    plan = fhe.plan(lambda x: {"product": matrix @ x, "both": (x.sum(), x - 1)}, fhe.Integers(5, bits=3))
    key = plan.keygen()
    result = plan.decrypt(key, plan(plan.encrypt(key, [1, 2, 3, 4, 5])))
    assert result == {"product": (matrix @ [1, 2, 3, 4, 5]).tolist(), "both": (15, [0, 1, 2, 3, 4])}


def test_long_rotations_take_more_slots() -> None:
    plan = fhe.plan(lambda x: x.roll(1), fhe.Integers(3000, bits=3))
    key = plan.keygen()
    values = np.arange(3000) % 8
    assert plan.decrypt(key, plan(plan.encrypt(key, values))) == np.roll(values, 1).tolist()


def test_comparisons_take_machine_integers() -> None:
    byte = fhe.Integers(low=0, high=255)
    plan = fhe.plan(lambda a, b: fhe.where(a > b, a - b, b - a), byte, byte)
    assert plan.scheme == "tfhe" and "i10" in str(plan)
    key = plan.keygen()
    for a, b in [(200, 77), (77, 200), (0, 255)]:
        assert plan.decrypt(key, plan(*plan.encrypt(key, a, b))) == abs(a - b)


@pytest.mark.parametrize(
    "function, inputs, dtype",
    [
        (lambda a, b: a.max(b), [(0, 1000), (0, 3)], "u10"),
        (lambda a, b: a + b, [(0, 255), (0, 1)], "u10"),
        (lambda a, b: a - b, [(0, 3), (0, 3)], "i4"),
        (lambda a, b: a * b, [(-4, 3), (0, 15)], "i8"),
        (lambda a, b: a.div(b), [(0, 200), (1, 9)], "u8"),
        (lambda a, b: a.rem(b), [(-200, 200), (1, 9)], "i10"),
        (lambda a, b: ~a & b, [(0, 15), (0, 15)], "i6"),
        (lambda a, b: -a ^ b, [(0, 7), (0, 1)], "i4"),
        (lambda a, b: {"least": a.min(b), "less": a < 7}, [(0, 3), (0, 3)], "u4"),
    ],
)
def test_types_hold_every_value_on_the_way(function: Any, inputs: list[tuple[int, int]], dtype: str) -> None:
    plan = fhe.plan(function, *(fhe.Integers(low=low, high=high) for low, high in inputs), scheme="tfhe")
    assert plan.dtype == dtype


@pytest.mark.parametrize(
    "function, inputs, values",
    [
        (lambda x, y: x @ y, [(3, 60)] * 2, [[2**60 - 1, 1, 0], [5, -(2**59), 7]]),
        (lambda x, y: x * y - 1, [(2, 31)] * 2, [[2**31 - 1, 3], [-(2**31) + 1, 4]]),
        (lambda x: {"sum": x.sum(), "scaled": (x * 2**40, -x)}, [(1000, 40)], [list(range(1000))]),
        (lambda x, y: x * y + 10**18, [(None, 64)] * 2, [2**64 - 1, -3]),
        (lambda x: x**3 * 5, [(None, 90)], [-(3**50)]),
    ],
)
def test_results_beyond_one_modulus_take_wide_integers(function: Any, inputs: list[Any], values: list[Any]) -> None:
    plan = fhe.plan(function, *(fhe.Integers(length, bits=bits) for length, bits in inputs))
    assert plan.scheme == "wide" and plan.security_bits >= 128
    key = plan.keygen()
    encrypted = plan.encrypt(key, *values)
    result = plan.run(*(encrypted if isinstance(encrypted, tuple) else [encrypted]))
    clear = [np.array(value, object) if isinstance(value, list) else value for value in values]
    expected = function(*clear)

    def listed(found: Any) -> Any:
        if isinstance(found, dict):
            return {name: listed(part) for name, part in found.items()}
        if isinstance(found, tuple):
            return tuple(map(listed, found))
        return found.tolist() if isinstance(found, np.ndarray) else found

    assert plan.decrypt(key, result) == listed(expected)
    assert plan.key_bytes == key.server.nbytes and plan.input_bytes > 0 and plan.output_bytes > 0
    assert "wide" in str(plan) and "<table>" in plan._repr_html_()
    with pytest.raises(fhe.KindError) as caught:
        plan.predict()
    assert caught.value.code == "no_unit_costs"


def test_wide_integers_are_asked_for() -> None:
    plan = fhe.plan(lambda x: x * x + 1, fhe.Integers(2, bits=8), scheme="wide")
    key = plan.keygen()
    assert plan.scheme == "wide" and plan.decrypt(key, plan(plan.encrypt(key, [200, -3]))) == [40_001, 10]
    for code, function in (("no_operation", lambda x: x.roll(1)), ("no_comparison", lambda x: x < 3)):
        with pytest.raises(fhe.KindError) as caught:
            fhe.plan(function, fhe.Integers(2), scheme="wide")
        assert caught.value.code == code
    with pytest.raises(fhe.KindError):
        fhe.plan(lambda x: x, fhe.Reals(2), scheme="wide")


@pytest.mark.parametrize(
    "scheme, function, inputs, steps",
    [
        ("bfv", lambda x, y: x @ y + 1, [fhe.Integers(3)] * 2, 3),
        ("ckks", lambda x: (x - x.mean()) ** 2, [fhe.Reals(4)], 4),
        ("wide", lambda x, y: x * y - 1, [fhe.Integers(bits=64)] * 2, 2),
        ("tfhe", lambda x, y: x < y, [fhe.Integers(bits=8)] * 2, None),
    ],
)
def test_every_plan_reports_its_steps(scheme: str, function: Any, inputs: list[Any], steps: int | None) -> None:
    plan = fhe.plan(function, *inputs)
    key = plan.keygen()
    values = [1 if given.length is None else [1] * given.length for given in inputs]
    encrypted = plan.encrypt(key, *values)
    encrypted = encrypted if len(inputs) > 1 else (encrypted,)
    seen: list[tuple[int, int | None]] = []
    for server in (None, key.server):
        plan.run(*encrypted, server=server, progress=lambda done, total: seen.append((done, total)))
        assert plan.scheme == scheme and seen[-1] == (plan.steps, plan.steps)
    assert steps in (None, plan.steps)


def test_inputs_of_wide_plans_are_those_stated() -> None:
    plan = fhe.plan(dot, fhe.Integers(2, low=0, high=2**40), fhe.Integers(2, low=0, high=2**40))
    again = pickle.loads(pickle.dumps(plan))
    key = again.keygen()
    assert str(again) == str(plan)
    for kind, values in (
        (fhe.RangeError, ([1, -1], [1, 2])),
        (fhe.RangeError, ([1, 2**40 + 1], [1, 2])),
        (fhe.ShapeError, ([1, 2, 3], [1, 2])),
        (fhe.KindError, (1, [1, 2])),
        (fhe.KindError, ([1, 2],)),
    ):
        with pytest.raises(kind):
            plan.encrypt(key, *values)
    with pytest.raises(fhe.KindError):
        plan.encrypt(fhe.wide.keygen(), [1, 2], [3, 4])
    server = fhe.wide.Server.from_bytes(key.server.to_bytes())
    sent = [server.load(x.to_bytes()) for x in plan.encrypt(key, [2**40, 1], [2**40, 0])]
    result = plan.run(*sent, server=server)
    assert plan.decrypt(key, key.load(result.to_bytes())) == 2**80


def test_public_keys_encrypt_for_wide_plans() -> None:
    plan = fhe.plan(dot, fhe.Integers(2, bits=40), fhe.Integers(2, bits=40), encryption="public")
    key = plan.keygen()
    x, y = plan.encrypt(key.public_key(), [2**40 - 1, -3], [5, 2**40 - 1])
    assert plan.scheme == "wide" and plan.decrypt(key, plan.run(x, y, server=key.server)) == 2 * (2**40 - 1)


def test_truth_values_are_planned() -> None:
    plan = fhe.plan(lambda a, b: a & ~b, True, False)
    key = plan.keygen()
    assert plan.decrypt(key, plan(*plan.encrypt(key, True, False))) is True


def test_a_choice_between_vectors_is_a_product() -> None:
    plan = fhe.plan(fhe.where, fhe.Integers(3, low=0, high=1), fhe.Integers(3, bits=4), fhe.Integers(3, bits=4))
    key = plan.keygen()
    result = plan(*plan.encrypt(key, [0, 1, 0], [1, 2, 3], [4, 5, 6]))
    assert result.range == (-15, 15) and plan.decrypt(key, result) == [4, 2, 6]


REFUSED: list[tuple[str, type[fhe.FathomError], str, str, Any]] = [
    (
        "wrap",
        fhe.RangeError,
        "wrap",
        "70 bits",
        lambda: fhe.plan(dot, np.zeros(100, np.int32), np.zeros(100, np.int32), scheme="bfv"),
    ),
    ("wide rotation", fhe.RangeError, "wrap", "50 bits", lambda: fhe.plan(lambda x: x.roll(1), fhe.Integers(3, bits=49))),
    ("wide lengths", fhe.RangeError, "wrap", "bits", lambda: fhe.plan(times, fhe.Integers(3, bits=40), 7)),
    (
        "wide depth",
        fhe.RangeError,
        "wrap",
        "bits with the sign",
        lambda: fhe.plan(lambda x: x**1000, fhe.Integers(2, bits=40)),
    ),
    (
        "depth",
        fhe.ParamsError,
        "spec",
        "products in a row",
        lambda: fhe.plan(lambda x: x ** 2**70, fhe.Integers(low=0, high=1), scheme="bfv"),
    ),
    ("precision", fhe.ParamsError, "spec", "precision", lambda: fhe.plan(lambda x: x, [0.5], precision=50)),
    ("compared", fhe.KindError, "type_mismatch", "comparisons", lambda: fhe.plan(lambda x: x > 3, [1, 2])),
    ("reals compared", fhe.KindError, "no_comparison", "compared", lambda: fhe.plan(lambda x: x > 3, 0.5)),
    ("division", fhe.RangeError, "division", "zero", lambda: fhe.plan(lambda a, b: a.div(b), 1, 2)),
    ("wide type", fhe.RangeError, "wrap", "128 at most", lambda: fhe.plan(lambda a: a * a > 0, fhe.Integers(bits=100))),
    ("scheme", fhe.ParamsError, "unknown_scheme", "rsa", lambda: fhe.plan(dot, 1, 2, scheme="rsa")),
    ("no inputs", fhe.KindError, "inputs", "inputs", lambda: fhe.plan(dot)),
    ("clear result", fhe.KindError, "type_mismatch", "not int", lambda: fhe.plan(lambda x: 7, 1)),
    ("lengths", fhe.ShapeError, "list_length", "2 and 3", lambda: fhe.plan(dot, [1, 2], [1, 2, 3])),
    ("lengths of reals", fhe.ShapeError, "list_length", "2 and 3", lambda: fhe.plan(dot, [0.1, 0.2], [0.1, 0.2, 0.3])),
    ("kinds", fhe.KindError, "type_mismatch", "computes on integers", lambda: fhe.plan(dot, [0.5], [1], scheme="bfv")),
]


@pytest.mark.parametrize(
    "kind, code, words, refused", [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED]
)
def test_what_cannot_be_planned_is_refused(kind: type[fhe.FathomError], code: str, words: str, refused: Any) -> None:
    with pytest.raises(fhe.FathomError) as caught:
        refused()
    assert (type(caught.value), caught.value.code) == (kind, code) and words in str(caught.value)


def test_inputs_are_those_of_the_plan() -> None:
    plan = fhe.plan(dot, fhe.Integers(2, low=0, high=15), fhe.Integers(2, low=0, high=15))
    key = plan.keygen()
    with pytest.raises(fhe.RangeError):
        plan.encrypt(key, [1, 16], [1, 2])
    with pytest.raises(fhe.ShapeError):
        plan.encrypt(key, [1, 2, 3], [1, 2])
    with pytest.raises(fhe.KindError):
        plan.encrypt(key, [1, 2])
    with pytest.raises(fhe.KindError):
        plan.encrypt(fhe.keygen(int), [1, 2], [1, 2])
    typed = fhe.plan(lambda a: a > 3, fhe.Integers(low=0, high=15))
    with pytest.raises(fhe.RangeError):
        typed.encrypt(typed.keygen(), 16)


def test_a_plan_runs_on_a_server_without_the_secret() -> None:
    plan = fhe.plan(dot, fhe.Integers(3, bits=4), fhe.Integers(3, bits=4))
    key = plan.keygen()
    server = fhe.Server.from_bytes(key.server.to_bytes())
    sent = [v.to_bytes() for v in plan.encrypt(key, [1, 2, 3], [4, 5, 6])]
    result = plan.run(*map(server.load, sent), server=server)
    assert plan.decrypt(key, key.load(result.to_bytes())) == 32


def test_plans_are_copied_and_pickled() -> None:
    for plan in (fhe.plan(dot, fhe.Integers(2), fhe.Integers(2)), fhe.plan(fhe.where, True, 3, 4)):
        again = pickle.loads(pickle.dumps(plan))
        assert str(again) == str(plan) and again.function is plan.function
        assert copy.copy(plan) is plan and copy.deepcopy(plan) is plan
        assert "<table>" in plan._repr_html_() and plan.scheme in repr(plan)


def test_public_keys_encrypt_for_a_plan() -> None:
    plan = fhe.plan(lambda x: x * x, fhe.Integers(3, bits=4), encryption="public")
    key = plan.keygen()
    x = plan.encrypt(key.public_key(), [1, 2, 3])
    assert plan.decrypt(key, plan.run(x, server=key.server)) == [1, 4, 9]


def test_times_are_predicted_and_unit_costs_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("fathom._prediction._costs", None)
    matrix = np.ones((3, 8), int)
    plan = fhe.plan(lambda x, y: (matrix @ x, (x * 2) @ y, x.roll(3)), fhe.Integers(8, bits=2), fhe.Integers(8))
    found = plan.predict()
    assert all(0 < seconds < 10 for seconds in found[:7])
    assert (found.key_bytes, found.output_bytes) == (plan.key_bytes, plan.output_bytes)
    assert "predicted computation" in str(plan)
    kept = tmp_path / "fathom" / "unit-costs-python.json"
    assert "at level" in kept.read_text()
    # The next process reads them; a damaged file is measured again.
    monkeypatch.setattr("fathom._prediction._costs", None)
    assert fhe.plan(dot, fhe.Integers(8, bits=2), fhe.Integers(8)).predict().compute_s > 0
    kept.write_text("{")
    monkeypatch.setattr("fathom._prediction._costs", None)
    assert fhe.plan(lambda t: t.mean(), [0.5, 0.25]).predict().compute_s > 0
    bgv = fhe.plan(lambda x: x * x, fhe.Integers(3, bits=2), scheme="bgv")
    assert "predicted" not in str(bgv)
    with pytest.raises(fhe.KindError) as caught:
        bgv.predict()
    assert caught.value.code == "no_unit_costs"


def counted(params: fhe.Params, function: Callable[..., Any], *inputs: Any) -> dict[tuple[str, int], int]:
    """Returns the operations that a simulation of a function counts, by kind and level."""
    core = _fathom.Evaluator.simulated(params._core)
    _simulation.run(core, params._within(core.params), function, inputs)
    return {(kind, level): count for kind, level, count in core.operations}


def test_a_simulation_counts_the_operations_of_a_function() -> None:
    exact = fhe.Params.for_integers(bits=3, depth=2, terms=1 << 15)
    top = exact.top_level
    vector, many = fhe.Integers(8, bits=3), fhe.Integers(exact.slots * 3, bits=3)
    assert counted(exact, lambda x, y: x * y + x, vector, vector) == {
        ("Mul", top): 1,
        ("ModSwitch", top): 1,
        ("Add", top - 1): 1,
    }
    assert counted(exact, lambda x: (x * 2).sum(), vector) == {
        ("MulScalar", top): 1,
        ("Rotate", top): 3,
        ("Add", top): 3,
    }
    steps = exact.slots.bit_length() - 1
    assert counted(exact, lambda x, y: x @ y, many, many) == {
        ("Mul", top): 1,
        ("Tensor", top): 2,
        ("Rotate", top - 1): steps,
        ("Add", top - 1): steps,
    }
    shape = "Transform { rows: 4, columns: 8, size: 8 }"
    assert counted(exact, lambda x: np.ones((3, 8), int) @ x, vector) == {(shape, top): 1}
    # Seven places are one less than eight: rotations by 8 and by -1.
    assert counted(exact, lambda x: x.roll(-7), fhe.Integers(16, bits=3)) == {("Rotate", top): 2}
    real = fhe.Params.for_reals(depth=7, magnitude=1.0)
    top = real.top_level
    assert counted(real, lambda x: x.inverse_sqrt((0.5, 1.0), 2), fhe.Reals(3)) == {
        ("MulPlain", top): 1,
        ("MulScalar", top - 1): 2,
        ("Mul", top - 2): 3,
    }
    assert counted(real, lambda x: x.polyval([0.1] * 8), fhe.Reals(4)) == {
        ("Mul", top): 2,
        ("Mul", top - 1): 1,
        ("Mul", top - 2): 1,
    }
    assert _fathom.Evaluator.without_keys(real._core).operations == []


def test_inputs_of_typed_plans_are_single_values_in_their_range() -> None:
    plan = fhe.plan(lambda x, y: x + y, *[fhe.Integers(low=0, high=100)] * 2, scheme="tfhe")
    key = plan.keygen()
    for wrong in ([200], (200,), memoryview(b"\xc8")):
        with pytest.raises(fhe.errors.KindError):
            plan.encrypt(key, wrong, 100)


def test_numbers_of_numpy_do_not_wrap_in_the_ranges_of_a_plan() -> None:
    plan = fhe.plan(lambda x: x + np.uint8(200), fhe.Integers(low=0, high=255), scheme="tfhe")
    key = plan.keygen()
    assert plan.decrypt(key, plan(plan.encrypt(key, 100))) == 300
    stated = fhe.Integers(low=np.uint8(0), high=np.uint8(200))
    plan = fhe.plan(lambda x, y: x + y, stated, stated, scheme="tfhe")
    assert plan.decrypt(key, plan(*plan.encrypt(key, 200, 200))) == 400
