#!/usr/bin/env python3
"""Regenerates estimates.json: python3 crates/security/vectors/regenerate.py

Needs nothing but Python 3. Two sources go into each row:

- `block_size`, `dimension`, `usvp_bits`: computed here, by walking over every block size and every
  dimension instead of bisecting as the crate does, so that a wrong bisection shows;
- `reference`: what another implementation says, typed in from one run of it. It is the lattice
  estimator of Albrecht and others (github.com/malb/lattice-estimator, commit 27a581b, 2026-06-06),
  functions primal_usvp, primal_bdd and dual_hybrid with cost model MATZOV, ternary secret,
  error deviation 3.19 and unlimited samples.

The script refuses to write where its own primal figures differ from the reference: the block size
or the dimension at all, or the cost by more than 0.1 bit.
"""

import json
import math
import pathlib

SECRET_DEVIATION = math.sqrt(2 / 3)
ERROR_DEVIATION = 3.19

# degree, log2 q: (usvp bits, block size, dimension), bdd bits, dual hybrid bits
REFERENCE = {
    (1024, 26): ((134.08, 366, 1938), 132.14, 131.3),
    (2048, 53): ((129.73, 346, 3957), 128.78, 128.91),
    (2048, 40): ((176.04, 513, 3892), 174.56, 173.07),
    (2048, 36): ((197.48, 590, 3917), 195.87, 193.23),
    (2048, 27): ((270.53, 852, 3828), 268.09, 261.65),
    (4096, 109): ((125.55, 327, 8005), 125.1, 125.72),
    (4096, 106): ((129.41, 341, 7906), 128.91, 129.58),
    (4096, 73): ((194.71, 576, 7882), 193.81, 193.22),
    (4096, 56): ((262.25, 818, 7826), 260.98, 258.02),
    (8192, 218): ((126.0, 325, 15724), 125.75, 126.54),
    (8192, 214): ((128.5, 334, 15730), 128.25, 128.97),
    (8192, 147): ((193.81, 569, 15764), 193.3, 193.49),
    (8192, 114): ((258.33, 800, 16044), 257.81, 256.86),
    (16384, 430): ((128.42, 330, 31865), 128.34, 129.21),
    (16384, 230): ((257.12, 792, 31698), 256.63, 256.67),
    (32768, 868): ((128.04, 325, 63434), 128.03, 129.17),
    (65536, 1747): ((128.2, 322, 125668), 127.99, 128.96),
}


def root_hermite(block):
    """Root Hermite factor of BKZ (Chen 2013)."""
    return (block / (2 * math.pi * math.e) * (math.pi * block) ** (1 / block)) ** (
        1 / (2 * (block - 1))
    )


def gates(block, dimension):
    """Log2 of the gates of progressive BKZ in the model of MATZOV, list decoding."""
    slope, offset = 0.29613500308205365, 20.387885985467914
    progressive = 1 / (1 - 2**-slope)
    free = block * math.log(4 / 3) / math.log(block / (2 * math.pi * math.e))
    calls = progressive * max(dimension - block, 1)
    return math.log2(calls) + math.log2(progressive) + slope * (block - max(free, 0)) + offset


def smallest_dimension(degree, log_modulus, block):
    """First dimension in which the block size finds the target, walking upwards, or None."""
    log_delta = math.log2(root_hermite(block))
    log_stretch = math.log2(max(1, ERROR_DEVIATION / SECRET_DEVIATION))
    target = math.log2(ERROR_DEVIATION * math.sqrt(block))
    best_gap = -math.inf
    for dimension in range(degree + 1, 8 * degree):
        volume = (
            (dimension - degree - 1) * log_modulus
            + degree * log_stretch
            + math.log2(ERROR_DEVIATION)
        )
        gap = (2 * block - dimension - 1) * log_delta + volume / dimension - target
        if gap >= 0:
            return dimension
        if gap < best_gap:
            return None
        best_gap = gap
    return None


def unique_svp(degree, log_modulus, start):
    """Cheapest attack: (bits, block size, dimension), walking up from a block that fails."""
    assert smallest_dimension(degree, log_modulus, start) is None
    block = start
    while smallest_dimension(degree, log_modulus, block) is None:
        block += 1
    tries = []
    for size in range(block, block + 12):
        dimension = smallest_dimension(degree, log_modulus, size)
        tries.append((gates(size, dimension), size, dimension))
    return min(tries)


def row(key, reference):
    """One row of the file."""
    degree, log_modulus = key
    (usvp_bits, block_size, dimension), bdd_bits, dual_bits = reference
    bits, block, size = unique_svp(degree, log_modulus, block_size - 40)
    assert (block, size) == (block_size, dimension), (key, block, size)
    assert abs(bits - usvp_bits) < 0.1, (key, bits)
    return {
        "degree": degree,
        "log_modulus": log_modulus,
        "block_size": block,
        "dimension": size,
        "usvp_bits": round(bits, 4),
        "reference": {"usvp_bits": usvp_bits, "bdd_bits": bdd_bits, "dual_bits": dual_bits},
    }


def main():
    document = {
        "provenance": "vectors/regenerate.py; reference: malb/lattice-estimator 27a581b, MATZOV",
        "secret": "ternary",
        "error_deviation": ERROR_DEVIATION,
        "rows": [row(key, reference) for key, reference in REFERENCE.items()],
    }
    path = pathlib.Path(__file__).with_name("estimates.json")
    path.write_text(json.dumps(document, indent=1) + "\n")
    print(f"{path}: {len(document['rows'])} rows")


if __name__ == "__main__":
    main()
