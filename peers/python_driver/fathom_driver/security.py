"""The largest moduli with 128, 192 and 256 bits of classical security for a ternary secret.

Source: Bossuat et al., "Security Guidelines for Implementing Homomorphic Encryption", eprint
2024/463, table 5.2. The limit holds for the largest modulus published under the key, which is
that of the key-switching keys, special primes included.
"""

from __future__ import annotations

from .refusal import unsupported

_LIMITS: dict[int, dict[int, int]] = {
    128: {
        1024: 26,
        2048: 53,
        4096: 106,
        8192: 214,
        16384: 430,
        32768: 868,
        65536: 1747,
        131072: 3523,
    },
    192: {2048: 36, 4096: 73, 8192: 147, 16384: 297, 32768: 597, 65536: 1199, 131072: 2411},
    256: {2048: 27, 4096: 56, 8192: 114, 16384: 230, 32768: 462, 65536: 929, 131072: 1866},
}


def standard_level(security: int) -> int:
    """Returns the lowest level of the table that is at least `security` bits."""
    for level in sorted(_LIMITS):
        if security <= level:
            return level
    raise unsupported(f"there are no parameters of {security} bits; at most 256 can be asked for")


def largest_log_qp(n: int, level: int) -> int:
    """Returns the largest log2 of the modulus for ring degree `n` at a `level` of the table; 0 if
    the table has no such degree."""
    return _LIMITS[level].get(n, 0)
