#!/usr/bin/env python3
"""Known answers for CKKS, from an independent slow implementation.

Everything is done with mpmath's numbers of 200 bits and Python's integers by the definitions: slot
j of a polynomial is its value at exp(i pi 3^j / N), an encoding is the closest integer polynomial
to the scaled inverse of that map, computed term by term; nothing here knows fast transforms.

Source: Cheon, Kim, Kim, Song (eprint 2016/421), section 3; the order of slots is that of the
powers of 3, as docs/maths/ckks.md states.

Usage: python3 crates/rings/vectors/ckks.py > crates/rings/tests/data/ckks-known-answers.json
"""

import json
import platform

import mpmath

mpmath.mp.prec = 200
GENERATOR = 3


def unit_roots(degree):
    """The values exp(i pi k / N) for k below 2N."""
    step = mpmath.pi / degree
    return [mpmath.expj(step * k) for k in range(2 * degree)]


def exponents(degree):
    """The exponent of the root of each slot."""
    return [pow(GENERATOR, j, 2 * degree) for j in range(degree // 2)]


def value(coefficients, exponent, roots):
    """The value of a polynomial at a power of the root of unity."""
    total = mpmath.mpc(0)
    for k, c in enumerate(coefficients):
        if c:
            total += c * roots[exponent * k % len(roots)]
    return total


def coefficient(slots, index, roots):
    """A coefficient of the real polynomial with these values: (2/N) sum Re(z_j conj(root_j)^k)."""
    degree = len(roots) // 2
    total = mpmath.mpf(0)
    for z, exponent in zip(slots, exponents(degree)):
        total += (z * mpmath.conj(roots[exponent * index % len(roots)])).real
    return 2 * total / degree


def dyadic(j, factor, offset, modulus):
    """A fraction with denominator 256 from -1/2 to 1/2, the same in every arithmetic."""
    return mpmath.mpf((factor * j * j + offset * j + 1) % modulus % 257 - 128) / 256


def slots_of(degree, kind):
    """Values in the slots, by a rule that the reader repeats."""
    real = [dyadic(j, 7, 3, 1009) for j in range(degree // 2)]
    if kind == "real":
        return [mpmath.mpc(x) for x in real]
    return [mpmath.mpc(x, dyadic(j, 5, 11, 2003)) for j, x in enumerate(real)]


def nearest(x):
    """The closest integer, refused near a tie, where double precision may decide otherwise."""
    rounded = int(mpmath.nint(x))
    distance = abs(abs(x - mpmath.floor(x)) - mpmath.mpf(1) / 2)
    return rounded if distance > mpmath.mpf("1e-3") else None


def encoding(degree, kind, scale_bits, indices):
    roots, slots = unit_roots(degree), slots_of(degree, kind)
    terms = []
    for k in indices:
        integer = nearest(coefficient(slots, k, roots) * 2**scale_bits)
        if integer is not None:
            terms.append([k, integer])
    return {"degree": degree, "kind": kind, "scale_bits": scale_bits, "coefficients": terms}


def automorphism(coefficients, exponent):
    """p(X^g) modulo X^N + 1."""
    degree = len(coefficients)
    out = [0] * degree
    for k, c in enumerate(coefficients):
        at = k * exponent % (2 * degree)
        out[at % degree] += c if at < degree else -c
    return out


def text(z):
    return [mpmath.nstr(z.real, 25), mpmath.nstr(z.imag, 25)]


def decoding(degree):
    """An integer polynomial, its slots at a scale, and its images under automorphisms."""
    scale_bits = 20
    roots = unit_roots(degree)
    coefficients = [(37 * k * k + 11 * k + 5) % 4001 - 2000 for k in range(degree)]

    def slots(p):
        return [text(value(p, e, roots) / 2**scale_bits) for e in exponents(degree)]

    images = []
    for steps in [1, 5, degree // 2 - 1]:
        element = pow(GENERATOR, steps, 2 * degree)
        p = automorphism(coefficients, element)
        images.append({"rotation": steps, "galois_element": element, "slots": slots(p)[:16]})
    conjugated = automorphism(coefficients, 2 * degree - 1)
    conjugate = {"galois_element": 2 * degree - 1, "slots": slots(conjugated)[:16]}
    return {
        "degree": degree,
        "scale_bits": scale_bits,
        "slots": slots(coefficients),
        "rotations": images,
        "conjugate": conjugate,
    }


def main():
    spread = [0, 1, 2, 3, 31, 64, 511, 1000, 1023, 1024, 1025, 2047, 2048, 2049, 3000, 4094, 4095]
    answers = {
        "provenance": {
            "script": "crates/rings/vectors/ckks.py",
            "python": platform.python_version(),
            "mpmath": mpmath.__version__,
            "method": "the definitions of CKKS term by term in 200-bit arithmetic",
        },
        "encodings": [
            encoding(256, "real", 30, range(256)),
            encoding(256, "complex", 40, range(256)),
            encoding(4096, "complex", 30, spread),
        ],
        "decodings": [decoding(256)],
    }
    lines = [f' "{key}": {json.dumps(v, separators=(",", ":"))}' for key, v in answers.items()]
    print("{\n" + ",\n".join(lines) + "\n}")


main()
