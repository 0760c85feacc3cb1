"""Means of a sensor's readings, with a bound on the error of every result.

The sensor encrypts with a public key, and could not decrypt its own readings. The server computes hourly means, the
mean of the day and the variance in real numbers.
"""

import math
from pathlib import Path
from typing import Any

import parties

import fathom as fhe

#: Readings of a day, four an hour.
READINGS = 96
#: Degrees are stated to be up to this.
LIMIT = 32.0
#: The means of each four readings, as a clear matrix.
HOURLY = [[0.25 if column // 4 == hour else 0.0 for column in range(READINGS)] for hour in range(READINGS // 4)]


def means(readings: Any) -> dict[str, Any]:
    """Computes the hourly means, the mean and the variance."""
    mean = readings.mean()
    return {"hourly": HOURLY @ readings, "mean": mean, "variance": ((readings - mean) ** 2).mean()}


def readings() -> list[float]:
    """Returns what the sensor measures."""
    return [19 - 6 * math.cos(math.tau * number / READINGS) for number in range(READINGS)]


def prepare(own: Path, server: Path) -> None:
    """Makes the keys as the owner, and encrypts as the sensor."""
    plan = fhe.plan(means, fhe.Reals(READINGS, magnitude=LIMIT), encryption="public")
    key = plan.keygen()
    parties.keep(key, own)
    key.server.save(server / "server.keys")
    (server / "readings").write_bytes(plan.encrypt(key.public_key(), readings()).to_bytes())


def compute(folder: Path) -> None:
    """Computes the means as the server."""
    server = fhe.Server.open(folder / "server.keys")
    for name, result in means(server.load((folder / "readings").read_bytes())).items():
        (folder / name).write_bytes(result.to_bytes())


def finish(own: Path, server: Path) -> None:
    """Reads the means as the owner."""
    key = fhe.SecretKey.from_secret_bytes((own / "secret.key").read_bytes())

    def read(name: str) -> tuple[Any, float]:
        result: tuple[Any, float] = key.decrypt(key.load((server / name).read_bytes()), with_error=True)
        return result

    (hourly, hourly_error), (mean, error), (variance, variance_error) = map(read, ("hourly", "mean", "variance"))
    print(f"mean {mean:.4f}, standard deviation {math.sqrt(variance):.4f}")
    print(f"from {min(hourly):.4f} to {max(hourly):.4f} by the hour")
    clear = readings()
    exact = sum(clear) / READINGS
    assert abs(mean - exact) <= error < 1e-5
    assert abs(variance - sum((value - exact) ** 2 for value in clear) / READINGS) <= variance_error < 1e-5
    expected = [sum(clear[4 * hour : 4 * hour + 4]) / 4 for hour in range(READINGS // 4)]
    assert max(abs(a - b) for a, b in zip(hourly, expected, strict=True)) <= hourly_error < 1e-5


if __name__ == "__main__":
    parties.run(__file__, prepare, compute, finish)
