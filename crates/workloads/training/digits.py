"""Trains the two models of the workload `inference` and writes them with a set of test images.

Usage: python3 digits.py digits.csv.gz OUTPUT_FOLDER   (needs numpy)

digits.csv.gz is `sklearn/datasets/data/digits.csv.gz` of the package scikit-learn 1.5.2 on PyPI: 1797 images of
handwritten digits, 8x8 pixels from 0 to 16, each with its class. It is the test set of "Optical Recognition of
Handwritten Digits" (E. Alpaydin, C. Kaynak, UCI Machine Learning Repository, doi:10.24432/C50P49, CC BY 4.0).

The quantized model has pixels of one bit, weights -1, 0 and 1, hidden neurons of one bit and integer scores:

    x_i = [pixel_i >= 8],  h_j = [sum_i w_ji x_i + b_j > 0],  score_k = sum_j v_kj h_j + c_k

Every sum of the first layer is from -15 to 15 and every score from 0 to 31, whatever the image is. The gradient of a
step is that of a clipped identity (straight-through estimator: Hubara et al., "Binarized neural networks", 2016).

The real model has a hidden layer with the square as its activation: score = V (W x / 16 + b)^2 + c.
"""

import gzip
import json
import pathlib
import sys

import numpy as np

TEST_IMAGES = 300
THRESHOLD = 8
HIDDEN = 64
REAL_HIDDEN = 32
MOST_OF_A_SIGN = 12  # weights of one sign in a neuron of the first layer
MOST_BIAS = 3
MOST_VOTES = 15  # weights of one sign in a score


def ternary(latent, most):
    """Keeps the `most` greatest and the `most` least entries of each row, if they exceed a third of the mean size."""
    order = np.argsort(latent, axis=1)
    result = np.zeros_like(latent)
    rows = np.arange(len(latent))[:, None]
    result[rows, order[:, -most:]] = 1
    result[rows, order[:, :most]] = -1
    small = np.abs(latent) < np.abs(latent).mean(axis=1, keepdims=True) / 3
    wrong_sign = np.sign(latent) != result
    result[small | wrong_sign] = 0
    return result


class Adam:
    def __init__(self, values, rate):
        self.values, self.rate, self.steps = values, rate, 0
        self.first = [np.zeros_like(v) for v in values]
        self.second = [np.zeros_like(v) for v in values]

    def step(self, gradients, rate):
        self.steps += 1
        for value, gradient, first, second in zip(self.values, gradients, self.first, self.second):
            first += 0.1 * (gradient - first)
            second += 0.001 * (gradient**2 - second)
            corrected = first / (1 - 0.9**self.steps)
            value -= rate * self.rate * corrected / (np.sqrt(second / (1 - 0.999**self.steps)) + 1e-8)


def softmax_gradient(scores, classes):
    scores = scores - scores.max(axis=1, keepdims=True)
    odds = np.exp(scores)
    odds /= odds.sum(axis=1, keepdims=True)
    odds[np.arange(len(classes)), classes] -= 1
    return odds / len(classes)


def quantized(latent):
    w, b, v, c = latent
    return ternary(w, MOST_OF_A_SIGN), np.round(np.clip(b, -MOST_BIAS, MOST_BIAS)), ternary(v, MOST_VOTES), np.round(c)


def scores_of(model, x):
    w, b, v, c = model
    return (x @ w.T + b > 0) @ v.T + c


def legal_bias(v, c):
    """Returns the biases, shifted so that every score is from 0 to 31."""
    least, most = (v < 0).sum(axis=1), (v > 0).sum(axis=1)
    c = c - np.round(np.mean(c)) + 15
    return np.clip(c, least, 31 - most)


def train_quantized(x, y, rng, epochs=400):
    w = rng.normal(0, 1, (HIDDEN, 64))
    v = rng.normal(0, 1, (10, HIDDEN))
    latent = [w, np.zeros(HIDDEN), v, np.zeros(10)]
    adam = Adam(latent, 0.02)
    for epoch in range(epochs):
        rate = 0.5 * (1 + np.cos(np.pi * epoch / epochs)) + 0.01
        order = rng.permutation(len(x))
        for batch in np.array_split(order, len(x) // 64):
            xb = x[batch]
            wq, bq, vq, cq = quantized(latent)
            before = xb @ wq.T + bq
            h = (before > 0).astype(float)
            gradient = softmax_gradient((h @ vq.T + cq) * 0.5, y[batch]) * 0.5
            back = (gradient @ vq) * (np.abs(before) < 4) / 4
            adam.step([back.T @ xb, back.sum(0), gradient.T @ h, gradient.sum(0)], rate)
            np.clip(w, -2, 2, out=w)
            np.clip(v, -2, 2, out=v)
    w, b, v, c = quantized(latent)
    return w, b, v, legal_bias(v, c)


def train_real(x, y, rng, epochs=300):
    values = [
        rng.normal(0, 0.2, (REAL_HIDDEN, 64)), np.zeros(REAL_HIDDEN),
        rng.normal(0, 0.2, (10, REAL_HIDDEN)), np.zeros(10),
    ]  # fmt: skip
    adam = Adam(values, 0.005)
    for epoch in range(epochs):
        rate = 0.5 * (1 + np.cos(np.pi * epoch / epochs)) + 0.01
        for batch in np.array_split(rng.permutation(len(x)), len(x) // 64):
            w, b, v, c = values
            before = x[batch] @ w.T + b
            h = before**2
            gradient = softmax_gradient(h @ v.T + c, y[batch])
            back = (gradient @ v) * 2 * before
            decay = 2e-3
            adam.step([back.T @ x[batch] + decay * w, back.sum(0), gradient.T @ h + decay * v, gradient.sum(0)], rate)
    return values


def accuracy(scores, y):
    return float((scores.argmax(axis=1) == y).mean())


def main():
    source, output = sys.argv[1], pathlib.Path(sys.argv[2])
    with gzip.open(source, "rt") as file:
        rows = np.array([[int(float(cell)) for cell in line.split(",")] for line in file])
    pixels, classes = rows[:, :64], rows[:, 64]
    rng = np.random.default_rng(1)
    order = rng.permutation(len(rows))
    test, train = order[:TEST_IMAGES], order[TEST_IMAGES:]
    bits = (pixels >= THRESHOLD).astype(float)
    # The best of a few starts on the training images; the test images choose nothing.
    starts = [train_quantized(bits[train], classes[train], rng) for _ in range(3)]
    model = max(starts, key=lambda model: accuracy(scores_of(model, bits[train]), classes[train]))
    w, b, v, c = model
    assert ((w > 0).sum(1) + b <= 15).all() and ((w < 0).sum(1) - b <= 15).all()
    assert (c - (v < 0).sum(1) >= 0).all() and (c + (v > 0).sum(1) <= 31).all()
    real = train_real(pixels[train] / 16, classes[train], rng)
    real = [np.round(value, 4) for value in real]
    real_scores = (pixels / 16 @ real[0].T + real[1]) ** 2 @ real[2].T + real[3]
    for name, chosen in [("training", train), ("test", test)]:
        print(name, "quantized", accuracy(scores_of(model, bits[chosen]), classes[chosen]),
              "real", accuracy(real_scores[chosen], classes[chosen]))  # fmt: skip
    names = ["hidden", "hidden_bias", "output", "output_bias"]
    text = {
        "threshold": THRESHOLD,
        "quantized": {name: layer.astype(int).tolist() for name, layer in zip(names, model)},
        "real": {name: layer.tolist() for name, layer in zip(names, real)},
    }
    (output / "digits-model.json").write_text(json.dumps(text, separators=(",", ":")).replace("],", "],\n") + "\n")
    lines = [",".join(map(str, rows[row])) for row in test]
    (output / "digits-test.csv").write_text("\n".join(lines) + "\n")


main()
