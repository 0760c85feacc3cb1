package main

import (
	"encoding/json"

	"github.com/tuneinsight/lattigo/v6/core/rlwe"
)

// item is the object of a handle: a ciphertext, or else a plaintext.
type item struct {
	ct *rlwe.Ciphertext
	pt *rlwe.Plaintext
	// products is the number of consecutive products that led to a ciphertext.
	products int
}

// bound is an operation on one set of operands, prepared so that call contains only the library's
// work.
type bound struct {
	call   func() error
	output *item
}

// session is a parameter set and its keys.
type session interface {
	// generateKeys replaces all keys by a fresh secret, public and relinearisation key.
	generateKeys() error
	// generateRotationKeys generates keys that rotate rows to the left, and one that swaps the rows.
	generateRotationKeys(steps []int, rowSwap bool) error
	// keyBytes returns the serialised sizes of the keys.
	keyBytes() (keyBytes, error)
	// published returns all published keys of a set that can be bootstrapped; nil for other sets.
	published() []fields
	// encode encodes at a level, or at the top level.
	encode(values json.RawMessage, encoding string, level *int) (*rlwe.Plaintext, error)
	// decode returns all values of a plaintext.
	decode(pt *rlwe.Plaintext, encoding string) (any, error)
	// encrypt encrypts under the key `pk` or `sk` at the level of the plaintext.
	encrypt(pt *rlwe.Plaintext, mode string) (*rlwe.Ciphertext, error)
	// decrypt decrypts a ciphertext.
	decrypt(ct *rlwe.Ciphertext) *rlwe.Plaintext
	// operations returns what the session offers.
	operations() arities
	// bind prepares an operation for one lane; lanes may call it concurrently.
	bind(op operation, operands []*item, lane int) (bound, error)
	// theoryBytes returns the size of a ciphertext without headers, with packed residues.
	theoryBytes(ct *rlwe.Ciphertext) int
	// noiseBudget returns the budget in bits, measured with the secret key; nil if there is no such
	// limit.
	noiseBudget(ct *rlwe.Ciphertext) *float64
}

// checkKinds refuses plaintexts as operands that must be ciphertexts, and the reverse.
func checkKinds(op operation, operands []*item) error {
	for i, operand := range operands {
		wantsPlain := op.name == "encrypt_pk" || op.name == "encrypt_sk" ||
			(i == 1 && (op.name == "add_plain" || op.name == "mul_plain"))
		if wantsPlain != (operand.ct == nil) {
			return badRequest("operand %d of `%s` is of the wrong kind", i+1, op.name)
		}
	}
	return nil
}

// checkDegrees refuses products without relinearisation where they are not supported.
func checkDegrees(op operation, operands []*item) error {
	for _, operand := range operands {
		if operand.ct == nil {
			continue
		}
		degree := operand.ct.Degree()
		switch op.name {
		case "relin":
			if degree != 2 {
				return badRequest("`relin` wants a product that is not relinearised")
			}
		case "decrypt", "add", "sub", "add_plain", "mod_switch":
		default:
			if degree != 1 {
				return badRequest("`%s` wants operands that are relinearised", op.name)
			}
		}
	}
	return nil
}

// lowest returns the lowest level among ciphertexts.
func lowest(operands []*item) int {
	level := operands[0].ct.Level()
	for _, operand := range operands[1:] {
		if operand.ct != nil {
			level = min(level, operand.ct.Level())
		}
	}
	return level
}
