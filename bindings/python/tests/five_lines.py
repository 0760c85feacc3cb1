"""The programs of the documentation that need no NumPy."""

import fathom as fhe


def inner_product() -> int:
    """Computes an exact inner product."""
    key = fhe.keygen(int)
    x, y = key.encrypt([1, 2, 3]), key.encrypt([4, 5, 6])
    result: int = key.decrypt(x @ y)
    return result


def weighted_mean() -> tuple[float, float]:
    """Computes a weighted mean of real numbers, and the bound on its error."""
    key = fhe.keygen(float, depth=2, magnitude=32)
    t = key.encrypt([20.5, 21.0, 19.75])
    mean = (t * [0.5, 0.25, 0.25]).sum()
    result: tuple[float, float] = key.decrypt(mean, with_error=True)
    return result


def arrays() -> str:
    """Computes on arrays of NumPy, where it is installed."""
    try:
        import numpy
    except ImportError:
        return "no NumPy"
    key = fhe.keygen(int)
    x = key.encrypt(numpy.array([1, 2, 3], numpy.int16))
    result = numpy.asarray(key.decrypt_buffer(x * numpy.array([4, 5, 6])))
    assert result.tolist() == [4, 10, 18] and result.dtype == numpy.int64
    return f"NumPy {numpy.__version__}"


if __name__ == "__main__":
    assert inner_product() == 32
    value, error = weighted_mean()
    assert abs(value - 20.4375) <= error < 1e-4, (value, error)
    print("32,", value, "within", error, "and", arrays())
