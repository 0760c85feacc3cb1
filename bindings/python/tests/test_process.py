"""Forks, signals, threads and the time of an import."""

import functools
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable

import pytest

import fathom as fhe


def in_child(work: Callable[[], bytes]) -> bytes:
    """Runs work in a forked process, for ten seconds at most, and returns its bytes."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(10)
        try:
            with os.fdopen(writing, "wb") as pipe:
                pipe.write(work())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        data = pipe.read()
    _, status = os.waitpid(child, 0)
    assert status == 0, f"the child ended with {status}"
    return data


def test_both_sides_of_a_fork_draw_different_numbers(integers: fhe.SecretKey) -> None:
    integers.encrypt([1])
    first = in_child(lambda: integers.encrypt([1]).to_bytes())
    second = in_child(lambda: integers.encrypt([1]).to_bytes())
    own = integers.encrypt([1]).to_bytes()
    # The last 16 bytes are a checksum; before them lies the polynomial, and before that the seed.
    assert len({bytes(data[-2000:-16]) for data in (first, second, own)}) == 3
    assert integers.decrypt(integers.load(first)) == [1]


def test_long_vectors_work_after_a_fork(sums: fhe.SecretKey) -> None:
    x = sums.encrypt([1] * 20_000)
    total = in_child(lambda: str(sums.decrypt(x.sum())).encode())
    assert total == b"20000"


@pytest.mark.timeout(120)
def test_ctrl_c_ends_long_work(sums: fhe.SecretKey) -> None:
    values = memoryview(bytes(4 * 2_000_000)).cast("i")
    pressed = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    before = time.monotonic()
    pressed.start()
    with pytest.raises(KeyboardInterrupt):
        for _ in range(1000):
            sums.encrypt(values)
    after = time.monotonic() - before - 0.3
    print(f"Ctrl-C took {after:.2f} s")
    assert after < 10, "the time depends on the load, but not on the work"
    assert sums.decrypt(sums.encrypt([1])) == [1]


@functools.cache
def deep_key() -> fhe.SecretKey:
    """Returns a key whose evaluation keys take most of a second."""
    return fhe.keygen(float, depth=8, magnitude=1)


def count_threads() -> int:
    """Returns the number of threads of this process, those that Python does not know included."""
    return len(os.listdir("/proc/self/task"))


MAKERS: dict[str, Callable[[], object]] = {
    "parameters": lambda: fhe.Params.for_reals(depth=8, magnitude=1),
    "keys of vectors": lambda: deep_key().make_server(),
    "keys of machine integers": lambda: fhe.tfhe.keygen().make_server(),
    "parameters of wide integers": lambda: fhe.wide.keygen(bits=64, depth=2, length=2000, sums=True),
}


@pytest.mark.timeout(120)
@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS.keys())
def test_ctrl_c_abandons_the_making_of_keys_and_parameters(make: Callable[[], object]) -> None:
    make()
    idle = count_threads()
    pressed = threading.Timer(0.1, lambda: os.kill(os.getpid(), signal.SIGINT))
    pressed.start()
    with pytest.raises(KeyboardInterrupt):
        for _ in range(1000):
            make()
    pressed.join()
    ended = time.monotonic() + 60
    while count_threads() > idle and time.monotonic() < ended:
        time.sleep(0.01)
    assert count_threads() <= idle, "the thread that worked goes on"


def test_progress_is_reported() -> None:
    key = fhe.tfhe.keygen()
    x = key.encrypt(list(range(8)), "u16")
    seen: list[tuple[int, int | None]] = []
    with fhe.progress(lambda done, total: seen.append((done, total)), total=10_000):
        x.sorted()
        first = seen[-1][0]
        ~x
        key.decrypt(x * x)
    assert seen == sorted(seen) and len(seen) > 3 and seen[-1][0] > first > 0
    assert {total for _, total in seen} == {10_000}
    count = len(seen)
    x + 1
    assert len(seen) == count, "what is outside of the block is not reported"


def test_what_a_report_computes_is_not_reported() -> None:
    key = fhe.tfhe.keygen()
    vectors = fhe.keygen(int)
    x, y = key.encrypt([1, 2, 3], "u8"), vectors.encrypt([4, 5])
    seen: list[int] = []

    def compute(done: int, total: int | None) -> None:
        seen.append(key.decrypt(x[0] + x[1]))
        y + y

    with fhe.progress(compute):
        x * x
        y * y
    assert len(seen) >= 2 and set(seen) == {3}


def test_operations_on_vectors_are_steps(integers: fhe.SecretKey) -> None:
    key = fhe.wide.keygen()
    x, p = integers.encrypt([1, 2, 3]), key.encrypt(7)
    seen: list[tuple[int, int | None]] = []
    with fhe.progress(lambda done, total: seen.append((done, total)), total=4):
        result = (x * x + 1).sum()
        fhe.plan(lambda x: x * x, fhe.Integers(3))
        p * p
    assert integers.decrypt(result) == 17 and seen == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_an_exception_of_a_report_ends_the_work() -> None:
    key = fhe.tfhe.keygen()
    a, b = key.encrypt(2**127, "u128"), key.encrypt(3, "u128")
    key.server

    def stop(done: int, total: int | None) -> None:
        raise ValueError(f"{total}")

    before = time.monotonic()
    with fhe.progress(stop), pytest.raises(ValueError, match="None"):
        a.div(b)
    assert time.monotonic() - before < 10
    assert key.decrypt(key.encrypt(1, "u8") + 1) == 2


def test_other_threads_run_meanwhile(sums: fhe.SecretKey) -> None:
    steps = 0
    done = threading.Event()

    def count() -> None:
        nonlocal steps
        while not done.is_set():
            steps += 1

    other = threading.Thread(target=count)
    other.start()
    for _ in range(3):
        sums.encrypt([1] * 200_000)
    done.set()
    other.join()
    assert steps > 1000


def test_threads_share_a_vector(integers: fhe.SecretKey) -> None:
    x = integers.encrypt([1, 2, 3])
    results: list[int] = []

    def compute() -> None:
        for _ in range(5):
            results.append(integers.decrypt((x * x + 1).sum()))

    threads = [threading.Thread(target=compute) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [17] * 40


def test_the_number_of_threads_is_set(sums: fhe.SecretKey) -> None:
    before = fhe.thread_count()
    fhe.set_threads(3)
    assert fhe.thread_count() == 3 and sums.decrypt(sums.encrypt([1] * 9000).sum()) == 9000
    fhe.set_threads(before)
    asked = "import fathom; print(fathom.thread_count())"
    run = subprocess.run([sys.executable, "-c", asked], env=os.environ | {"FATHOM_THREADS": "5"}, capture_output=True)
    assert run.stdout.strip() == b"5"


def test_an_import_takes_no_module_that_later_calls_need(capsys: pytest.CaptureFixture[str]) -> None:
    program = (
        "import sys, time; t = time.perf_counter(); import fathom; print(time.perf_counter() - t); "
        "assert not {'numpy', 'json', 'hashlib', 'pathlib', 'fathom.columns'} & sys.modules.keys()"
    )
    times = [float(subprocess.check_output([sys.executable, "-c", program])) for _ in range(5)]
    with capsys.disabled():
        print(f"\nimport fathom: {1000 * min(times):.1f} ms")
