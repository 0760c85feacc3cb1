package main

import (
	"encoding/json"
	"math"
	"math/bits"

	"github.com/tuneinsight/lattigo/v6/circuits/ckks/polynomial"
	"github.com/tuneinsight/lattigo/v6/core/rlwe"
	"github.com/tuneinsight/lattigo/v6/schemes/ckks"
	"github.com/tuneinsight/lattigo/v6/utils/bignum"
)

// reals is a session of CKKS. Products are rescaled.
type reals struct {
	keys
	params     ckks.Parameters
	encoder    *ckks.Encoder
	evaluators []*ckks.Evaluator
}

func newReals(c chain, scaleBits, lanes int) (*reals, error) {
	params, err := ckks.NewParametersFromLiteral(ckks.ParametersLiteral{
		LogN: c.logN, LogQ: c.logQ, LogP: c.logP, LogDefaultScale: scaleBits,
	})
	if err != nil {
		return nil, unsupported("Lattigo refuses the parameters: %v", err)
	}
	return &reals{
		keys:    keys{params: params.Parameters, lanes: lanes},
		params:  params,
		encoder: ckks.NewEncoder(params),
	}, nil
}

func (s *reals) generateKeys() error {
	s.generate()
	s.evaluators = nil
	return nil
}

// generateRotationKeys ignores the swap of rows: there is one row.
func (s *reals) generateRotationKeys(steps []int, _ bool) error {
	s.evaluators = nil
	return s.generateGalois(steps, false)
}

func (s *reals) evaluator(lane int) *ckks.Evaluator {
	if s.evaluators == nil {
		s.evaluators = make([]*ckks.Evaluator, s.lanes)
		for i := range s.lanes {
			s.evaluators[i] = ckks.NewEvaluator(s.params, s.set)
		}
	}
	return s.evaluators[lane]
}

func (s *reals) encode(values json.RawMessage, encoding string, level *int,
) (*rlwe.Plaintext, error) {
	if encoding != "slots" {
		return nil, unsupported("there is no encoding `%s`", encoding)
	}
	asked, err := s.level(level)
	if err != nil {
		return nil, err
	}
	var numbers []float64
	if err := json.Unmarshal(values, &numbers); err != nil {
		return nil, badRequest("`values` must be a list of numbers: %v", err)
	}
	slots := s.params.MaxSlots()
	if len(numbers) > slots {
		return nil, badRequest("`values` must be at most %d, and are %d", slots, len(numbers))
	}
	pt := ckks.NewPlaintext(s.params, asked)
	return pt, s.encoder.Encode(append(numbers, make([]float64, slots-len(numbers))...), pt)
}

func (s *reals) decode(pt *rlwe.Plaintext, encoding string) (any, error) {
	if encoding != "slots" {
		return nil, unsupported("there is no encoding `%s`", encoding)
	}
	values := make([]float64, s.params.MaxSlots())
	if err := s.encoder.Decode(pt, values); err != nil {
		return nil, err
	}
	return values, finite(values)
}

func (s *reals) noiseBudget(*rlwe.Ciphertext) *float64 { return nil }

// realOperations are those of CKKS.
var realOperations = arities{
	"encrypt_pk": 1, "encrypt_sk": 1, "decrypt": 1, "square": 1, "relin": 1, "rotate": 1,
	"rotate_sum": 1, "polynomial": 1, "mod_switch": 1,
	"add": 2, "sub": 2, "mul": 2, "mul_no_relin": 2, "mul_switch": 2, "mul_plain": 2,
	"add_plain": 2, "dot_slots": 2,
	"dot": takesPairs,
}

func (s *reals) operations() arities { return realOperations }

func (s *reals) bind(op operation, operands []*item, lane int) (bound, error) {
	if made, ok := s.bindCrypt(op, operands[0], lane); ok {
		return made, nil
	}
	eval := s.evaluator(lane)
	a, b := operands[0].ct, operands[len(operands)-1].ct
	level, degree := lowest(operands), a.Degree()
	if b != nil {
		degree = max(degree, b.Degree())
	}
	out := s.blank(degree, level)
	made := func(call func() error) (bound, error) { return bound{call, &item{ct: out}}, nil }
	switch op.name {
	case "add":
		return made(func() error { return eval.Add(a, b, out) })
	case "sub":
		return made(func() error { return eval.Sub(a, b, out) })
	case "add_plain":
		pt := operands[1].pt
		return made(func() error { return eval.Add(a, pt, out) })
	case "relin":
		out = s.blank(1, level)
		return made(func() error { return eval.Relinearize(a, out) })
	case "mul_no_relin":
		out = s.blank(2, level)
		return made(func() error { return eval.Mul(a, b, out) })
	case "rotate":
		steps, err := s.rotation(op)
		if err != nil {
			return bound{}, err
		}
		return made(func() error { return eval.Rotate(a, steps, out) })
	case "rotate_sum":
		call, err := s.sumOfSlots(a, out, lane)
		return bound{call, &item{ct: out}}, err
	case "mod_switch":
		if level == 0 {
			return bound{}, unsupported("there is no prime left to drop")
		}
		out = s.blank(a.Degree(), level-1)
		return made(func() error { return lower(a, out) })
	case "polynomial":
		return s.polynomial(op, a, lane)
	}
	if level == 0 {
		return bound{}, exhausted("there is no prime left to rescale a product by")
	}
	return s.bindProduct(op, operands, level, lane)
}

// bindProduct prepares the operations whose result is rescaled.
func (s *reals) bindProduct(op operation, operands []*item, level, lane int) (bound, error) {
	eval := s.evaluator(lane)
	a, b := operands[0].ct, operands[len(operands)-1].ct
	product, out := s.blank(1, level), s.blank(1, level-1)
	rescale := func() error { return eval.Rescale(product, out) }
	multiply := func() error { return eval.MulRelin(a, b, product) }
	switch op.name {
	case "mul", "mul_switch", "square":
	case "mul_plain":
		pt := operands[1].pt
		multiply = func() error { return eval.Mul(a, pt, product) }
	case "dot":
		multiply = s.dot(operands, product, lane)
	case "dot_slots":
		summed := s.blank(1, level-1)
		sum, err := s.sumOfSlots(out, summed, lane)
		call := inOrder(inOrder(multiply, rescale), sum)
		return bound{call, &item{ct: summed}}, err
	default:
		return bound{}, unsupported("the driver has no operation `%s`", op.name)
	}
	return bound{inOrder(multiply, rescale), &item{ct: out}}, nil
}

func (s *reals) blank(degree, level int) *rlwe.Ciphertext {
	return ckks.NewCiphertext(s.params, degree, level)
}

// lower copies a ciphertext without its last prime.
func lower(a, out *rlwe.Ciphertext) error {
	for i := range out.Value {
		out.Value[i].CopyLvl(out.Level(), a.Value[i])
	}
	*out.MetaData = *a.MetaData
	return nil
}

// dot sums products and relinearises once.
func (s *reals) dot(operands []*item, out *rlwe.Ciphertext, lane int) func() error {
	eval := s.evaluator(lane)
	half := len(operands) / 2
	left, right := operands[:half], operands[half:]
	sum := s.blank(2, out.Level())
	return func() error {
		if err := eval.Mul(left[0].ct, right[0].ct, sum); err != nil {
			return err
		}
		for i := 1; i < half; i++ {
			if err := eval.MulThenAdd(left[i].ct, right[i].ct, sum); err != nil {
				return err
			}
		}
		return eval.Relinearize(sum, out)
	}
}

func (s *reals) sumOfSlots(a, out *rlwe.Ciphertext, lane int) (func() error, error) {
	if err := s.requireSum(); err != nil {
		return nil, err
	}
	eval, slots := s.evaluator(lane), s.params.MaxSlots()
	return func() error { return eval.InnerSum(a, 1, slots, out) }, nil
}

// polynomial uses Lattigo's own evaluator.
func (s *reals) polynomial(op operation, x *rlwe.Ciphertext, lane int) (bound, error) {
	var coefficients []float64
	if err := json.Unmarshal(op.coefficients, &coefficients); err != nil {
		return bound{}, badRequest("`coefficients` must be numbers: %v", err)
	}
	degree := len(coefficients) - 1
	for degree > 0 && coefficients[degree] == 0 {
		degree--
	}
	if degree <= 0 {
		return bound{}, badRequest("the polynomial is constant")
	}
	if x.Level() < bits.Len(uint(degree)) {
		return bound{}, exhausted("a polynomial of degree %d needs more levels than %d",
			degree, x.Level())
	}
	circuit := polynomial.NewEvaluator(s.params, s.evaluator(lane))
	wanted := bignum.NewPolynomial(bignum.Monomial, coefficients[:degree+1], nil)
	output := &item{}
	return bound{func() (err error) {
		output.ct, err = circuit.Evaluate(x, wanted, s.params.DefaultScale())
		return err
	}, output}, nil
}

// finite refuses values that JSON cannot represent.
func finite(values []float64) error {
	for _, value := range values {
		if math.IsNaN(value) || math.IsInf(value, 0) {
			return &refusal{Code: "internal", Message: "a decoded value is not finite"}
		}
	}
	return nil
}
