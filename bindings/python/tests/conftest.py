"""Keys that tests share: making them takes longer than most tests."""

import signal
from collections.abc import Iterator

import pytest

import fathom as fhe


@pytest.fixture(autouse=True)
def ctrl_c() -> Iterator[None]:
    """Lets Ctrl-C raise, also where the tests were started in the background, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def integers() -> fhe.SecretKey:
    """Returns a key for integers of 8 bits, one product and sums of 64 terms."""
    return fhe.keygen(int)


@pytest.fixture(scope="session")
def reals() -> fhe.SecretKey:
    """Returns a key for real numbers up to 256, two products and sums of 64 terms."""
    return fhe.keygen(float, depth=2, magnitude=256)


@pytest.fixture(scope="session")
def sums() -> fhe.SecretKey:
    """Returns a key for sums of 20,000 integers of 4 bits, without products."""
    return fhe.keygen(int, bits=4, depth=0, terms=20_000)


@pytest.fixture(scope="session")
def levels() -> fhe.SecretKey:
    """Returns a key of BGV, where levels are in the caller's hands."""
    return fhe.keygen(int, bits=4, depth=2, terms=1, scheme="bgv")
