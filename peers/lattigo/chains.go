package main

import (
	"math/bits"
	"slices"
)

// chain is a ring degree with the sizes of its primes in bits.
type chain struct {
	logN int
	logQ []int
	logP []int
}

// shortened returns the chain with one bit less in its last special prime. Lattigo picks primes on
// both sides of a power of two, so that a modulus can slightly exceed the sum of its sizes.
func (c chain) shortened() chain {
	c.logP = slices.Clone(c.logP)
	c.logP[len(c.logP)-1]--
	return c
}

// shape describes Lattigo's example parameters of one degree.
type shape struct {
	first    int // bits of the first prime
	scale    int // bits of every further prime
	special  int // bits of a special prime
	specials int // number of special primes
	most     int // number of primes in Q
}

// The examples of Lattigo v6 (examples/params.go, `BGVParamsN12QP109` and so on), by log2 of the
// degree. Their moduli have 109, 218, 438 and 881 bits, for which current estimates give 125 to 126
// bits of security.
var (
	bgvShapes = map[int]shape{
		12: {39, 31, 39, 1, 2}, 13: {42, 33, 44, 1, 5}, 14: {44, 34, 44, 2, 10},
		15: {47, 34, 47, 4, 20},
	}
	bfvShapes = map[int]shape{
		12: {39, 39, 31, 1, 2}, 13: {55, 55, 55, 1, 3}, 14: {55, 55, 55, 2, 6},
		15: {58, 58, 60, 3, 12},
	}
)

const largestPrime = 60

// aim states the requirements on a chain.
type aim struct {
	depth        int
	plainModulus uint64
	logN         int // 0 if it is not given
	security     int
	defaults     bool
}

// exceeded reports whether a modulus exceeds the limit of the requested security.
func (a aim) exceeded(k *keys) bool {
	return !a.defaults && k.logQP() > float64(limits[a.security][k.params.LogN()])
}

func (a aim) degrees() []int {
	if a.logN != 0 {
		return []int{a.logN}
	}
	return []int{12, 13, 14, 15}
}

// bgvChains lists chains with one prime for each product, the smallest degree first and for each
// degree the largest primes first: those of the examples, extended by the difference of the
// plaintext moduli, and shortened until they meet the security limit.
func bgvChains(a aim) []chain {
	if a.defaults {
		return bgvExamples(a)
	}
	longer := bits.Len64(a.plainModulus) - bits.Len64(65537)
	var chains []chain
	for _, logN := range a.degrees() {
		example, known := bgvShapes[logN]
		for shorter := 0; known && shorter <= 4; shorter++ {
			scale := min(example.scale+longer-shorter, largestPrime)
			room := limits[a.security][logN] - a.depth*scale
			first := min(example.first+longer, room/(example.specials+1), largestPrime)
			if scale < bits.Len64(a.plainModulus) || first < scale-5 {
				continue
			}
			special := min(example.special+longer, (room-first)/example.specials, largestPrime)
			chains = append(chains, chain{
				logN: logN,
				logQ: append([]int{first}, slices.Repeat([]int{scale}, a.depth)...),
				logP: slices.Repeat([]int{special}, example.specials),
			})
		}
	}
	return chains
}

// bfvChains lists chains of as few primes as may suffice, with the lengths of the examples; and,
// for a depth that needs slightly more, longer ones with a smaller special prime.
func bfvChains(a aim) []chain {
	if a.defaults {
		return bfvExamples(a)
	}
	var chains []chain
	for _, logN := range a.degrees() {
		example, known := bfvShapes[logN]
		for count := 1; known && count <= example.most; count++ {
			longest := example.scale
			if count == example.most {
				longest = largestPrime
			}
			for size := example.scale; size <= longest; size++ {
				room := limits[a.security][logN] - count*size
				special := min(example.special, room/example.specials)
				if special >= size-20 && special >= 20 {
					chains = append(chains, chain{
						logN: logN,
						logQ: slices.Repeat([]int{size}, count),
						logP: slices.Repeat([]int{special}, example.specials),
					})
				}
			}
		}
	}
	return chains
}

// bgvExamples lists the unchanged examples, with a prime for each product.
func bgvExamples(a aim) []chain {
	chains := examples(a, bgvShapes, func(s shape) []int {
		return append([]int{s.first}, slices.Repeat([]int{s.scale}, s.most-1)...)
	})
	return slices.DeleteFunc(chains, func(c chain) bool { return len(c.logQ) <= a.depth })
}

// bfvExamples lists the unchanged examples.
func bfvExamples(a aim) []chain {
	own := map[int][]int{
		12: {39, 39}, 13: {55, 54, 54}, 14: {55, 55, 55, 54, 54, 54},
		15: {60, 60, 59, 58, 58, 58, 58, 58, 58, 58, 58, 58},
	}
	chains := examples(a, bfvShapes, func(s shape) []int { return nil })
	for i := range chains {
		chains[i].logQ = own[chains[i].logN]
		if chains[i].logN == 14 {
			chains[i].logP = []int{56, 55}
		}
	}
	return chains
}

func examples(a aim, shapes map[int]shape, logQ func(shape) []int) []chain {
	var chains []chain
	for _, logN := range a.degrees() {
		if example, known := shapes[logN]; known && a.security == 128 {
			special := slices.Repeat([]int{example.special}, example.specials)
			chains = append(chains, chain{logN, logQ(example), special})
		}
	}
	return chains
}

// ckksExamples lists Lattigo's examples `CKKSComplexParamsN12QP109` and so on, with their scales.
var ckksExamples = []struct {
	chain
	scale int
}{
	{chain{12, []int{38, 32}, []int{39}}, 32},
	{chain{13, append([]int{33}, slices.Repeat([]int{30}, 5)...), []int{35}}, 30},
	{chain{14, append([]int{45}, slices.Repeat([]int{34}, 9)...), []int{44, 43}}, 34},
	{chain{15, append([]int{51}, slices.Repeat([]int{40}, 17)...), []int{50, 50, 50}}, 40},
}

// leastHeadroom is the least number of bits by which a first prime exceeds the scale, as in
// Lattigo's smallest example.
const leastHeadroom = 6

// ckksChain returns the smallest chain of a first prime 10 bits above the scale, one prime of the
// scale's length for each product, and special primes of the first one's length. If the security
// limit leaves no room for that, the first prime and the special ones get equal lengths, which
// keeps rotations precise, as in Lattigo's smallest example; else special primes of the scale's
// length.
func ckksChain(a aim, scale int) (chain, int, error) {
	if a.defaults {
		for _, example := range ckksExamples {
			fits := a.logN == 0 || a.logN == example.logN
			if fits && a.security == 128 && a.depth < len(example.logQ) {
				return example.chain, example.scale, nil
			}
		}
		return chain{}, 0, unsupported("Lattigo has no example parameters of depth %d", a.depth)
	}
	specials := map[int]int{12: 1, 13: 1, 14: 2, 15: 3}
	first := min(scale+10, largestPrime)
	for _, logN := range a.degrees() {
		count, known := specials[logN]
		if !known {
			continue
		}
		room := limits[a.security][logN] - a.depth*scale
		first := first
		if equal := room / (count + 1); equal >= scale+leastHeadroom {
			first = min(first, equal)
		}
		if special := min(first, (room-first)/count); special >= scale {
			return chain{
				logN: logN,
				logQ: append([]int{first}, slices.Repeat([]int{scale}, a.depth)...),
				logP: slices.Repeat([]int{special}, count),
			}, scale, nil
		}
	}
	return chain{}, 0, unsupported(
		"no ring degree up to 2^15 holds %d products at scale 2^%d with %d bits of security",
		a.depth, scale, a.security)
}
