package main

import (
	"encoding/json"
	"math/rand/v2"

	"github.com/tuneinsight/lattigo/v6/core/rlwe"
)

// marginBits of noise budget must remain after the promised depth; the budget varies by less.
const marginBits = 2

// openIntegers returns the first chain on which a chain of products decrypts correctly, tested with
// random full vectors and Lattigo's own keys.
func openIntegers(chains []chain, a aim, invariant bool, lanes int) (*integers, chain, error) {
	for _, c := range chains {
		s, err := newIntegers(c, a.plainModulus, invariant, lanes)
		if err == nil && a.exceeded(&s.keys) {
			c = c.shortened()
			s, err = newIntegers(c, a.plainModulus, invariant, lanes)
		}
		if err != nil {
			continue // no primes of these lengths, or no full slots
		}
		holds, err := s.holds(a.depth)
		if err != nil {
			return nil, c, err
		}
		if holds {
			return s, c, nil
		}
	}
	return nil, chain{}, unsupported(
		"no parameters of Lattigo up to degree 2^15 hold %d products of full slots modulo %d with "+
			"%d bits of security", a.depth, a.plainModulus, a.security)
}

// holds tests the depth, and plans for BFV after which products a prime can be dropped.
func (s *integers) holds(depth int) (bool, error) {
	if err := s.generateKeys(); err != nil {
		return false, err
	}
	every := make([]bool, depth)
	for i := range every {
		every[i] = !s.invariant
	}
	budgets, err := s.chainBudgets(every)
	if err != nil || len(budgets) <= depth || budgets[depth] < marginBits {
		return false, err
	}
	s.switchAfter = every
	if !s.invariant {
		return true, nil
	}
	plan, err := s.planSwitching(budgets)
	if err != nil {
		return false, err
	}
	if budgets, err = s.chainBudgets(plan); err != nil {
		return false, err
	}
	if len(budgets) > depth && budgets[depth] >= marginBits {
		s.switchAfter = plan
	}
	return true, nil
}

// chainBudgets returns the noise budgets of a fresh ciphertext and after each product of a chain
// with fresh factors; it stops when none is left.
func (s *integers) chainBudgets(plan []bool) ([]float64, error) {
	level := s.params.MaxLevel()
	value, err := s.random(level)
	if err != nil {
		return nil, err
	}
	budgets := []float64{*s.noiseBudget(value)}
	eval, _ := s.evaluator(0)
	for _, drop := range plan {
		factor, err := s.random(level)
		if err != nil {
			return nil, err
		}
		if value, err = eval.MulRelinNew(value, factor); err != nil {
			return nil, err
		}
		if drop {
			level--
			product := value
			value = s.blank(1, level)
			if err := s.rescale(product, value, 0)(); err != nil {
				return nil, err
			}
		}
		budgets = append(budgets, *s.noiseBudget(value))
		if budgets[len(budgets)-1] < 1 {
			break
		}
	}
	return budgets, nil
}

// planSwitching drops a prime if the budget of a fresh ciphertext at the next level exceeds the
// cost of the remaining products.
func (s *integers) planSwitching(budgets []float64) ([]bool, error) {
	depth := len(budgets) - 1
	cost := 0.0
	for i := range depth {
		cost = max(cost, budgets[i]-budgets[i+1])
	}
	level, budget := s.params.MaxLevel(), budgets[0]
	plan := make([]bool, depth)
	for i := range plan {
		budget -= cost
		if level == 0 {
			continue
		}
		fresh, err := s.random(level - 1)
		if err != nil {
			return nil, err
		}
		ceiling := *s.noiseBudget(fresh) - 1
		if needed := float64(depth-i-1)*cost + marginBits; min(budget, ceiling) >= needed {
			plan[i] = true
			budget = min(budget, ceiling)
			level--
		}
	}
	return plan, nil
}

// random returns a ciphertext of random slots at a level.
func (s *integers) random(level int) (*rlwe.Ciphertext, error) {
	values := make([]uint64, s.params.N())
	for i := range values {
		values[i] = rand.Uint64N(s.params.PlaintextModulus())
	}
	text, err := json.Marshal(values)
	if err != nil {
		return nil, err
	}
	pt, err := s.encode(text, "slots", &level)
	if err != nil {
		return nil, err
	}
	return s.encrypt(pt, "pk")
}
