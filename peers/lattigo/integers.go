package main

import (
	"encoding/json"
	"math"
	"math/big"

	"github.com/tuneinsight/lattigo/v6/core/rlwe"
	"github.com/tuneinsight/lattigo/v6/schemes/bgv"
)

// integers is a session of BGV, or of BFV, which in Lattigo is BGV with another product.
type integers struct {
	keys
	params    bgv.Parameters
	invariant bool // BFV's product
	encoder   *bgv.Encoder
	// evaluators multiply as the scheme does and rescalers rescale, one of each per lane. Lattigo's
	// evaluator of BFV does not rescale; that of BGV does, for ciphertexts of both.
	evaluators []*bgv.Evaluator
	rescalers  []*bgv.Evaluator
	// switchAfter states whether a prime can be dropped after the k-th product of the promised depth;
	// only BFV needs it, because BGV drops one after each.
	switchAfter []bool
}

func newIntegers(c chain, plainModulus uint64, invariant bool, lanes int) (*integers, error) {
	params, err := bgv.NewParametersFromLiteral(bgv.ParametersLiteral{
		LogN: c.logN, LogQ: c.logQ, LogP: c.logP, PlaintextModulus: plainModulus,
	})
	if err != nil {
		return nil, unsupported("Lattigo refuses the parameters: %v", err)
	}
	if params.MaxSlots() != params.N() {
		return nil, unsupported("modulus %d has no full slots at degree %d", plainModulus, params.N())
	}
	return &integers{
		keys:      keys{params: params.Parameters, lanes: lanes},
		params:    params,
		invariant: invariant,
		encoder:   bgv.NewEncoder(params),
	}, nil
}

func (s *integers) generateKeys() error {
	s.generate()
	s.evaluators = nil
	return nil
}

func (s *integers) generateRotationKeys(steps []int, rowSwap bool) error {
	s.evaluators = nil
	return s.generateGalois(steps, rowSwap)
}

// evaluator returns those of a lane; they use the keys present when they are created.
func (s *integers) evaluator(lane int) (own, rescaler *bgv.Evaluator) {
	if s.evaluators == nil {
		s.evaluators = make([]*bgv.Evaluator, s.lanes)
		s.rescalers = make([]*bgv.Evaluator, s.lanes)
		for i := range s.lanes {
			s.evaluators[i] = bgv.NewEvaluator(s.params, s.set, s.invariant)
			s.rescalers[i] = bgv.NewEvaluator(s.params, s.set)
		}
	}
	return s.evaluators[lane], s.rescalers[lane]
}

func (s *integers) encode(
	values json.RawMessage, encoding string, level *int,
) (*rlwe.Plaintext, error) {
	batched, err := isBatched(encoding)
	if err != nil {
		return nil, err
	}
	asked, err := s.level(level)
	if err != nil {
		return nil, err
	}
	var numbers []int64
	if err := json.Unmarshal(values, &numbers); err != nil {
		return nil, badRequest("`values` must be a list of integers: %v", err)
	}
	if len(numbers) > s.params.N() {
		return nil, badRequest("`values` must be at most %d, and are %d", s.params.N(), len(numbers))
	}
	pt := bgv.NewPlaintext(s.params, asked)
	pt.IsBatched = batched
	return pt, s.encoder.Encode(s.reduced(numbers), pt)
}

// reduced returns values modulo the plaintext modulus, padded with zeros to the ring degree.
func (s *integers) reduced(numbers []int64) []uint64 {
	modulus := int64(s.params.PlaintextModulus())
	values := make([]uint64, s.params.N())
	for i, number := range numbers {
		values[i] = uint64((number%modulus + modulus) % modulus)
	}
	return values
}

func (s *integers) decode(pt *rlwe.Plaintext, encoding string) (any, error) {
	batched, err := isBatched(encoding)
	if err != nil {
		return nil, err
	}
	if pt.IsBatched != batched {
		pt = pt.CopyNew()
		pt.IsBatched = batched
	}
	values := make([]uint64, s.params.N())
	return values, s.encoder.Decode(pt, values)
}

func isBatched(encoding string) (bool, error) {
	switch encoding {
	case "slots":
		return true, nil
	case "coefficients":
		return false, nil
	}
	return false, unsupported("there is no encoding `%s`", encoding)
}

// noiseBudget returns log2 of half the modulus divided by the largest coefficient of t times the
// phase: the message plus t times the noise, which must not wrap around.
func (s *integers) noiseBudget(ct *rlwe.Ciphertext) *float64 {
	pt := s.decrypt(ct)
	ring := s.params.RingQ().AtLevel(ct.Level())
	ring.INTT(pt.Value, pt.Value)
	ring.MulScalar(pt.Value, s.params.PlaintextModulus(), pt.Value)
	coefficients := make([]*big.Int, s.params.N())
	for i := range coefficients {
		coefficients[i] = new(big.Int)
	}
	ring.PolyToBigintCentered(pt.Value, 1, coefficients)
	largest := new(big.Int)
	for _, coefficient := range coefficients {
		if coefficient.CmpAbs(largest) > 0 {
			largest = coefficient
		}
	}
	magnitude, _ := new(big.Float).SetInt(largest).Float64()
	budget := math.Max(0, s.logQ(ct.Level())-1-math.Log2(math.Max(1, math.Abs(magnitude))))
	return &budget
}
