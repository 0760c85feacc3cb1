package main

// limits holds the largest log2 of a modulus under a ternary secret, by bits of classical security
// and by log2 of the ring degree.
//
// Source: Bossuat et al., "Security Guidelines for Implementing Homomorphic Encryption", eprint
// 2024/463, table 5.2.
var limits = map[int]map[int]int{
	128: {12: 106, 13: 214, 14: 430, 15: 868},
	192: {12: 73, 13: 147, 14: 297, 15: 597},
	256: {12: 56, 13: 114, 14: 230, 15: 462},
}

// standardLevel returns the lowest level of the table that is at least the requested one.
func standardLevel(security int) (int, error) {
	for _, level := range []int{128, 192, 256} {
		if security <= level {
			return level, nil
		}
	}
	return 0, unsupported("there are no parameters of %d bits of security, only up to 256", security)
}
