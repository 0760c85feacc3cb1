"""Logistic inference: the server's weights are clear and stay there, the client's features are encrypted.

Each feature is a vector with one element for each patient, so that one run scores all of them. The sigmoid is a
polynomial of degree 3, the least squares fit on -8 to 8.
"""

import math
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import parties

import fathom as fhe

PATIENTS = 500
#: Features are scaled to -1 to 1.
FEATURES = ("age", "pressure", "sugar", "weight")
#: Weights and the bias are stated to be up to this, a fraction: products with integers would cost no level.
LARGEST = (1.99,) * 5
SIGMOID = (0.5, 0.15012, -0.001593)


def risk(features: Sequence[Any], model: Sequence[float]) -> Any:
    """Computes the predicted probabilities."""
    *weights, bias = model
    score = sum(feature * weight for feature, weight in zip(features, weights, strict=True)) + bias
    constant, linear, cubic = SIGMOID
    return score * linear + score * score * (score * cubic) + constant


def patients() -> list[list[float]]:
    """Returns the client's data: a list for each feature."""
    draw = random.Random(1)
    return [[draw.uniform(-1, 1) for _ in range(PATIENTS)] for _ in FEATURES]


def prepare(own: Path, server: Path) -> None:
    """Makes the keys and encrypts as the client, who does not know the weights: a plan takes the largest."""
    plan = fhe.plan(lambda *features: risk(features, LARGEST), *[fhe.Reals(PATIENTS)] * len(FEATURES))
    key = plan.keygen()
    parties.keep(key, own)
    key.server.save(server / "server.keys")
    for name, feature in zip(FEATURES, plan.encrypt(key, *patients()), strict=True):
        (server / name).write_bytes(feature.to_bytes())


def compute(folder: Path) -> None:
    """Scores the patients as the server, which has the model."""
    server = fhe.Server.open(folder / "server.keys")
    features = [server.load((folder / name).read_bytes()) for name in FEATURES]
    (folder / "risk").write_bytes(risk(features, model()).to_bytes())


def model() -> Sequence[float]:
    """Returns the weights and the bias of the server's model."""
    return 1.8, -0.7, 1.1, 0.4, -0.3


def finish(own: Path, server: Path) -> None:
    """Reads the probabilities as the client."""
    key = fhe.SecretKey.from_secret_bytes((own / "secret.key").read_bytes())
    found, error = key.decrypt(key.load((server / "risk").read_bytes()), with_error=True)
    rows = list(zip(*patients(), strict=True))
    scores = [sum(a * b for a, b in zip(row, model(), strict=False)) + model()[-1] for row in rows]
    exact = [1 / (1 + math.exp(-score)) for score in scores]
    same = sum((a > 0.5) == (b > 0.5) for a, b in zip(found, exact, strict=True))
    print(f"{PATIENTS} patients, {sum(value > 0.5 for value in found)} at risk; {same} as the exact sigmoid says")
    assert max(abs(a - risk(row, model())) for a, row in zip(found, rows, strict=True)) <= error < 1e-4
    assert same >= 0.99 * PATIENTS


if __name__ == "__main__":
    parties.run(__file__, prepare, compute, finish)
