#!/usr/bin/env python3
"""Known answers for the exact schemes, from an independent slow implementation.

Everything is done with Python's integers by the definitions: polynomials are lists of
coefficients, products are schoolbook products modulo X^N + 1, slots are values found by
evaluation, divisions are done on whole integers. Nothing here knows residue systems or transforms.

Sources: Brakerski, Gentry, Vaikuntanathan (eprint 2011/277); modulus switching after Gentry, Halevi,
Smart (eprint 2012/099, appendix D); Fan and Vercauteren (eprint 2012/144).

Usage: python3 crates/rings/vectors/bgv.py > crates/rings/tests/data/known-answers.json
"""

import json
import platform


class Stream:
    """Reproducible integers: a 64-bit linear congruential generator, its high half."""

    def __init__(self, seed):
        self.state = seed

    def below(self, bound):
        value = 0
        for _ in range(4):
            self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
            value = value << 32 | self.state >> 32
        return value % bound

    def list(self, count, bound):
        return [self.below(bound) for _ in range(count)]


def centred(x, m):
    """The representative of x modulo an odd m that is closest to zero."""
    x %= m
    return x - m if 2 * x > m else x


def value_at(coefficients, point, modulus):
    total = 0
    for c in reversed(coefficients):
        total = (total * point + c) % modulus
    return total


def times(a, b, modulus):
    """The product modulo X^N + 1 and the modulus."""
    n = len(a)
    out = [0] * n
    for i, x in enumerate(a):
        if x == 0:
            continue
        for j, y in enumerate(b):
            if i + j < n:
                out[i + j] += x * y
            else:
                out[i + j - n] -= x * y
    return [c % modulus for c in out]


def plus(a, b, modulus):
    return [(x + y) % modulus for x, y in zip(a, b)]


def automorphism(coefficients, g, modulus):
    """p(X^g) modulo X^N + 1."""
    n = len(coefficients)
    out = [0] * n
    for i, c in enumerate(coefficients):
        at = i * g % (2 * n)
        if at < n:
            out[at] = (out[at] + c) % modulus
        else:
            out[at - n] = (out[at - n] - c) % modulus
    return out


def smallest_root(n, t):
    """The smallest primitive 2N-th root of unity modulo the prime t."""
    return next(r for r in range(2, t) if pow(r, n, t) == t - 1)


def points(n, t, root):
    """Where the slots are: root^(3^i) in the first row, its inverse in the second."""
    first = [pow(3, i, 2 * n) for i in range(n // 2)]
    return [pow(root, e, t) for e in first] + [pow(root, 2 * n - e, t) for e in first]


def from_slots(values, t, root):
    """The polynomial with these slots: c_k = 1/N sum_i v_i x_i^-k."""
    n = len(values)
    inverses = [pow(x, -1, t) for x in points(n, t, root)]
    scale = pow(n, -1, t)
    return [
        scale * sum(v * pow(x, k, t) for v, x in zip(values, inverses)) % t for k in range(n)
    ]


def switch(x, kept, dropped, t):
    """(x - d) / D modulo the kept modulus, d = x mod D, d = 0 mod t, |d| <= t D / 2."""
    d = t * centred(x * pow(t, -1, dropped), dropped)
    assert (x - d) % dropped == 0 and d % t == 0 and 2 * abs(d) <= t * dropped
    return (x - d) // dropped % kept


def is_prime(n):
    return n > 1 and all(n % d for d in range(2, int(n**0.5) + 1))


def primes(bits, step, count):
    """The largest primes below 2^bits that are 1 modulo step."""
    found, candidate = [], (2**bits - 2) // step * step + 1
    while len(found) < count:
        if is_prime(candidate):
            found.append(candidate)
        candidate -= step
    return found


def slot_cases():
    cases = []
    for n, t, seed in [(64, 257, 1), (64, 65537, 2), (128, 786433, 3)]:
        root = smallest_root(n, t)
        values = Stream(seed).list(n, t)
        coefficients = from_slots(values, t, root)
        assert [value_at(coefficients, x, t) for x in points(n, t, root)] == values
        images = []
        for g in [3, 9, pow(3, n // 2 - 5, 2 * n), 2 * n - 1, 2 * n - 3]:
            moved = automorphism(coefficients, g, t)
            slots = [value_at(moved, x, t) for x in points(n, t, root)]
            images.append({"galois_element": g, "coefficients": moved, "slots": slots})
        cases.append({"degree": n, "plain_modulus": t, "root": root, "slots": values,
                      "coefficients": coefficients, "automorphisms": images})
    return cases


def spot_cases():
    """Degree 4096: slots of a polynomial with few coefficients."""
    n, t = 4096, 65537
    root = smallest_root(n, t)
    stream = Stream(4)
    cases = []
    for count in [1, 3, 40]:
        terms = [[stream.below(n), stream.below(t)] for _ in range(count)]
        coefficients = [0] * n
        for i, c in terms:
            coefficients[i] = c
        where = points(n, t, root)
        spots = sorted({0, 1, 2, n // 2 - 1, n // 2, n // 2 + 1, n - 1, *stream.list(20, n)})
        slots = [[i, value_at(coefficients, where[i], t)] for i in spots]
        cases.append({"degree": n, "plain_modulus": t, "root": root,
                      "terms": [[i, coefficients[i]] for i, _ in terms], "slots": slots})
    return cases


def switch_cases():
    cases = []
    for n, sizes, dropped_count, t, seed in [
        (64, [30, 30], 1, 65537, 5),
        (64, [27, 27, 19], 1, 65537, 6),
        (64, [26, 30, 31, 38], 2, 257, 7),
        (64, [45, 45, 45], 1, 786433, 8),
        (64, [30, 30, 29, 28], 3, 1, 9),
    ]:
        chain = []
        for bits in sizes:
            chain.append(next(p for p in primes(bits, 2 * n, 3) if p not in chain))
        kept_primes, dropped_primes = chain[:-dropped_count], chain[-dropped_count:]
        kept, dropped = 1, 1
        for p in kept_primes:
            kept *= p
        for p in dropped_primes:
            dropped *= p
        x = Stream(seed).list(n, kept * dropped)
        x[:4] = [0, 1, kept * dropped - 1, dropped]
        y = [switch(v, kept, dropped, t) for v in x]
        cases.append({
            "degree": n, "kept": kept_primes, "dropped": dropped_primes, "plain_modulus": t,
            "before": [[v % p for v in x] for p in chain],
            "after": [[v % p for v in y] for p in kept_primes],
        })
    return cases


def tensor_case():
    n, chain = 64, primes(30, 128, 2)
    q = chain[0] * chain[1]
    stream = Stream(10)
    a0, a1, b0, b1 = [stream.list(n, q) for _ in range(4)]
    cross = plus(times(a0, b1, q), times(a1, b0, q), q)
    out = [times(a0, b0, q), cross, times(a1, b1, q)]
    rows = lambda p: [[c % prime for c in p] for prime in chain]
    return {"degree": n, "chain": chain, "operands": [rows(p) for p in [a0, a1, b0, b1]],
            "product": [rows(p) for p in out]}


def circuit_case():
    """A whole BGV computation at a toy size, from keys to decryption, and what it must decrypt to."""
    n, t = 64, 257
    chain = primes(40, 128, 2)
    q = chain[0] * chain[1]
    stream = Stream(11)
    s = [v - 1 for v in stream.list(n, 3)]
    encrypt = lambda m: (lambda a: [
        plus([centred(c, t) + t * (stream.below(7) - 3) for c in m],
             [-c for c in times(a, s, q)], q), a])(stream.list(n, q))
    m0, m1 = stream.list(n, t), stream.list(n, t)
    (a0, a1), (b0, b1) = encrypt(m0), encrypt(m1)
    cross = plus(times(a0, b1, q), times(a1, b0, q), q)
    tensor = [times(a0, b0, q), cross, times(a1, b1, q)]
    switched = [[switch(c, chain[0], chain[1], t) for c in part] for part in tensor]
    square = times(s, s, chain[0])
    phase = plus(plus(switched[0], times(switched[1], s, chain[0]), chain[0]),
                 times(switched[2], square, chain[0]), chain[0])
    factor = chain[1] % t
    decrypted = [centred(c, chain[0]) * factor % t for c in phase]
    assert decrypted == times(m0, m1, t)
    rows = lambda p: [[c % prime for c in p] for prime in chain]
    return {"degree": n, "plain_modulus": t, "chain": chain, "secret": s,
            "left": [rows(a0), rows(a1)], "right": [rows(b0), rows(b1)],
            "messages": [m0, m1], "switched": [part for part in switched],
            "product_of_messages": times(m0, m1, t)}


def main():
    answers = {
        "provenance": {
            "script": "crates/rings/vectors/bgv.py",
            "python": platform.python_version(),
            "method": "schoolbook arithmetic on Python integers, written from the papers",
        },
        "slots": slot_cases(),
        "spots": spot_cases(),
        "mod_switch": switch_cases(),
        "tensor": tensor_case(),
        "circuit": circuit_case(),
    }
    parts = [f" {json.dumps(k)}: {json.dumps(v, separators=(',', ':'))}" for k, v in answers.items()]
    print("{\n" + ",\n".join(parts) + "\n}")


if __name__ == "__main__":
    main()
