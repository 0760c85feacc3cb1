package main

import (
	"encoding/json"
	"math/bits"

	"github.com/tuneinsight/lattigo/v6/circuits/bgv/polynomial"
	"github.com/tuneinsight/lattigo/v6/core/rlwe"
	"github.com/tuneinsight/lattigo/v6/schemes/bgv"
)

// integerOperations are those of BFV and BGV.
var integerOperations = arities{
	"encrypt_pk": 1, "encrypt_sk": 1, "decrypt": 1, "square": 1, "relin": 1, "rotate": 1,
	"rotate_sum": 1, "polynomial": 1, "mod_switch": 1,
	"add": 2, "sub": 2, "mul": 2, "mul_no_relin": 2, "mul_switch": 2, "mul_plain": 2,
	"add_plain": 2, "dot_slots": 2,
	"dot": takesPairs,
}

func (s *integers) operations() arities { return integerOperations }

func (s *integers) bind(op operation, operands []*item, lane int) (bound, error) {
	if made, ok := s.bindCrypt(op, operands[0], lane); ok {
		return made, nil
	}
	eval, _ := s.evaluator(lane)
	a, b, other := operands[0].ct, operands[0].ct, any(nil)
	if len(operands) == 2 {
		b = operands[1].ct
		if other = b; b == nil {
			other = operands[1].pt
		}
	}
	level, done := lowest(operands), products(operands)
	degree := a.Degree()
	if b != nil {
		degree = max(degree, b.Degree())
	}
	out := s.blank(degree, level)
	plain := func(call func() error) (bound, error) {
		return bound{call, &item{ct: out, products: done}}, nil
	}
	switch op.name {
	case "add":
		return plain(func() error { return eval.Add(a, b, out) })
	case "sub":
		return plain(func() error { return eval.Sub(a, b, out) })
	case "add_plain":
		return plain(func() error { return eval.Add(a, other, out) })
	case "mul_plain":
		return plain(func() error { return eval.Mul(a, other, out) })
	case "rotate":
		steps, err := s.rotation(op)
		if err != nil {
			return bound{}, err
		}
		return plain(func() error { return eval.RotateColumns(a, steps, out) })
	case "rotate_sum":
		call, err := s.sumOfSlots(a, out, lane)
		return bound{call, &item{ct: out, products: done}}, err
	case "mod_switch":
		if level == 0 {
			return bound{}, unsupported("there is no prime left to drop")
		}
		return plain(s.rescale(a, s.shrunk(&out, a.Degree(), level-1), lane))
	}
	return s.bindProduct(op, operands, lane)
}

// bindProduct prepares the operations that multiply ciphertexts.
func (s *integers) bindProduct(op operation, operands []*item, lane int) (bound, error) {
	eval, _ := s.evaluator(lane)
	a, b := operands[0].ct, operands[len(operands)-1].ct
	level, done := lowest(operands), products(operands)+1
	out := s.blank(1, level)
	made := func(call func() error) (bound, error) {
		return bound{call, &item{ct: out, products: done}}, nil
	}
	switch op.name {
	case "mul", "square":
		return made(func() error { return eval.MulRelin(a, b, out) })
	case "mul_no_relin":
		out = s.blank(2, level)
		return made(func() error { return eval.Mul(a, b, out) })
	case "relin":
		done--
		return made(func() error { return eval.Relinearize(a, out) })
	case "mul_switch":
		return made(s.mulSwitch(a, b, &out, done, lane))
	case "dot":
		return made(s.dot(operands, out, lane))
	case "dot_slots":
		return s.dotSlots(a, b, done, lane)
	case "polynomial":
		return s.polynomial(op, operands[0], lane)
	}
	return bound{}, unsupported("the driver has no operation `%s`", op.name)
}

// dotSlots multiplies and sums the slots, in BGV after rescaling the product. In BFV the rotations
// need the noise budget that dropping a prime would cost.
func (s *integers) dotSlots(a, b *rlwe.Ciphertext, done, lane int) (bound, error) {
	eval, _ := s.evaluator(lane)
	product := s.blank(1, min(a.Level(), b.Level()))
	multiply := func() error { return eval.MulRelin(a, b, product) }
	if !s.invariant {
		multiply = s.mulSwitch(a, b, &product, done, lane)
	}
	out := s.blank(1, product.Level())
	sum, err := s.sumOfSlots(product, out, lane)
	return bound{inOrder(multiply, sum), &item{ct: out, products: done}}, err
}

func (s *integers) blank(degree, level int) *rlwe.Ciphertext {
	return bgv.NewCiphertext(s.params, degree, level)
}

// shrunk replaces a destination by one of another level.
func (s *integers) shrunk(out **rlwe.Ciphertext, degree, level int) *rlwe.Ciphertext {
	*out = s.blank(degree, level)
	return *out
}

// rescale divides by the last prime; out is one level below a.
func (s *integers) rescale(a, out *rlwe.Ciphertext, lane int) func() error {
	_, rescaler := s.evaluator(lane)
	return func() error { return rescaler.Rescale(a, out) }
}

// mulSwitch multiplies and drops a prime if there is one: always in BGV, and in BFV if the rest of
// the promised depth does not need it. The result, the done-th product of its chain, is stored in
// out, whose level it sets.
func (s *integers) mulSwitch(a, b *rlwe.Ciphertext, out **rlwe.Ciphertext, done, lane int,
) func() error {
	eval, _ := s.evaluator(lane)
	product := *out
	multiply := func() error { return eval.MulRelin(a, b, product) }
	drop := !s.invariant || (done <= len(s.switchAfter) && s.switchAfter[done-1])
	if !drop || product.Level() == 0 {
		return multiply
	}
	return inOrder(multiply, s.rescale(product, s.shrunk(out, 1, product.Level()-1), lane))
}

// dot sums products and relinearises once.
func (s *integers) dot(operands []*item, out *rlwe.Ciphertext, lane int) func() error {
	eval, _ := s.evaluator(lane)
	half := len(operands) / 2
	left, right := operands[:half], operands[half:]
	sum, term := s.blank(2, out.Level()), s.blank(2, out.Level())
	return func() error {
		if err := eval.Mul(left[0].ct, right[0].ct, sum); err != nil {
			return err
		}
		for i := 1; i < half; i++ {
			if err := s.mulThenAdd(eval, left[i].ct, right[i].ct, term, sum); err != nil {
				return err
			}
		}
		return eval.Relinearize(sum, out)
	}
}

// mulThenAdd adds a product to a sum. Lattigo's fused operation supports only BGV's product.
func (s *integers) mulThenAdd(eval *bgv.Evaluator, a, b, term, sum *rlwe.Ciphertext) error {
	if !s.invariant {
		return eval.MulThenAdd(a, b, sum)
	}
	if err := eval.Mul(a, b, term); err != nil {
		return err
	}
	return eval.Add(sum, term, sum)
}

// sumOfSlots sums each row and then the two rows.
func (s *integers) sumOfSlots(a, out *rlwe.Ciphertext, lane int) (func() error, error) {
	if err := s.requireSum(); err != nil {
		return nil, err
	}
	swap := s.params.GaloisElementOrderTwoOrthogonalSubgroup()
	if err := s.requireGalois(swap); err != nil {
		return nil, err
	}
	eval, _ := s.evaluator(lane)
	row, swapped := s.params.N()/2, s.blank(1, a.Level())
	return func() error {
		if err := eval.InnerSum(a, 1, row, out); err != nil {
			return err
		}
		if err := eval.RotateRows(out, swapped); err != nil {
			return err
		}
		return eval.Add(out, swapped, out)
	}, nil
}

// polynomial uses Lattigo's own evaluator for BGV. For BFV that evaluator requires a level for each
// product, which BFV does not use, so the driver splits at powers of two itself.
func (s *integers) polynomial(op operation, x *item, lane int) (bound, error) {
	var numbers []int64
	if err := json.Unmarshal(op.coefficients, &numbers); err != nil {
		return bound{}, badRequest("`coefficients` must be integers: %v", err)
	}
	if len(numbers) > s.params.N() {
		return bound{}, badRequest("`coefficients` are too many")
	}
	coefficients := s.reduced(numbers)
	degree := len(coefficients) - 1
	for degree > 0 && coefficients[degree] == 0 {
		degree--
	}
	if degree == 0 {
		return bound{}, badRequest("the polynomial is constant modulo the plaintext modulus")
	}
	coefficients = coefficients[:degree+1]
	eval, _ := s.evaluator(lane)
	output := &item{products: x.products + bits.Len(uint(degree))}
	if s.invariant {
		return bound{func() (err error) {
			output.ct, err = evaluate(eval, x.ct, coefficients)
			return err
		}, output}, nil
	}
	if x.ct.Level() < bits.Len(uint(degree)) {
		return bound{}, exhausted("a polynomial of degree %d needs more levels than %d",
			degree, x.ct.Level())
	}
	circuit := polynomial.NewEvaluator(s.params, eval)
	wanted := polynomial.NewPolynomial(coefficients)
	return bound{func() (err error) {
		output.ct, err = circuit.Evaluate(x.ct, wanted, x.ct.Scale)
		return err
	}, output}, nil
}

// evaluate splits p(x) = high(x) x^(2^k) + low(x) down to degree 1.
func evaluate(eval *bgv.Evaluator, x *rlwe.Ciphertext, coefficients []uint64,
) (*rlwe.Ciphertext, error) {
	powers := []*rlwe.Ciphertext{x}
	for len(coefficients) > 1<<len(powers) {
		square, err := eval.MulRelinNew(powers[len(powers)-1], powers[len(powers)-1])
		if err != nil {
			return nil, err
		}
		powers = append(powers, square)
	}
	return split(eval, powers, coefficients, x.Scale)
}

// split returns its value at a scale, so that sums need no matching of scales, which costs noise:
// constants include the missing factor.
func split(eval *bgv.Evaluator, powers []*rlwe.Ciphertext, coefficients []uint64, goal rlwe.Scale,
) (value *rlwe.Ciphertext, err error) {
	k := bits.Len(uint(len(coefficients)-1)) - 1
	power, params := powers[k], *eval.GetParameters()
	high, low := coefficients[1<<k:], trimmed(coefficients[:1<<k])
	if len(high) == 1 {
		factor := goal.Div(power.Scale).Uint64()
		value, err = eval.MulNew(power, mulMod(high[0], factor, params.PlaintextModulus()))
	} else {
		unit := bgv.MulScaleInvariant(params, params.NewScale(1), power.Scale, power.Level())
		if value, err = split(eval, powers, high, goal.Div(unit)); err == nil {
			err = eval.MulRelin(value, power, value)
		}
	}
	if err != nil {
		return nil, err
	}
	value.Scale = goal
	if len(low) == 1 {
		return value, eval.Add(value, low[0], value)
	}
	rest, err := split(eval, powers, low, goal)
	if err != nil {
		return nil, err
	}
	return value, eval.Add(value, rest, value)
}

// mulMod returns a b modulo m, for a and b below m.
func mulMod(a, b, m uint64) uint64 {
	high, low := bits.Mul64(a, b)
	_, remainder := bits.Div64(high, low, m)
	return remainder
}

// trimmed drops leading coefficients that are zero, except the constant one.
func trimmed(coefficients []uint64) []uint64 {
	for len(coefficients) > 1 && coefficients[len(coefficients)-1] == 0 {
		coefficients = coefficients[:len(coefficients)-1]
	}
	return coefficients
}

// products returns the number of consecutive products that led to the operands.
func products(operands []*item) int {
	most := 0
	for _, operand := range operands {
		most = max(most, operand.products)
	}
	return most
}

func inOrder(first, second func() error) func() error {
	return func() error {
		if err := first(); err != nil {
			return err
		}
		return second()
	}
}
