package main

import (
	"encoding/json"

	"github.com/tuneinsight/lattigo/v6/core/rlwe"
)

// item is what a handle stands for: a ciphertext, or else a plaintext.
type item struct {
	ct *rlwe.Ciphertext
	pt *rlwe.Plaintext
	// products counts the products one after another that led to a ciphertext.
	products int
}

// bound is an operation on one set of operands, laid out so that call is the library's work.
type bound struct {
	call   func() error
	output *item
}

// session is one set of parameters and its keys.
type session interface {
	// generateKeys replaces all keys by a fresh secret, public and relinearisation key.
	generateKeys()
	// generateRotationKeys makes keys that turn rows to the left, and one that swaps the rows.
	generateRotationKeys(steps []int, rowSwap bool) error
	// keyBytes are the sizes of the keys as they are sent.
	keyBytes() (keyBytes, error)
	// encode encodes at a level, or at the top.
	encode(values json.RawMessage, encoding string, level *int) (*rlwe.Plaintext, error)
	// decode gives all values of a plaintext.
	decode(pt *rlwe.Plaintext, encoding string) (any, error)
	// encrypt encrypts under the key `pk` or `sk` at the level of the plaintext.
	encrypt(pt *rlwe.Plaintext, mode string) (*rlwe.Ciphertext, error)
	// decrypt decrypts.
	decrypt(ct *rlwe.Ciphertext) *rlwe.Plaintext
	// bind lays out an operation for one lane; lanes may call at the same time.
	bind(op operation, operands []*item, lane int) (bound, error)
	// theoryBytes is the size of a ciphertext without headers, its residues packed.
	theoryBytes(ct *rlwe.Ciphertext) int
	// noiseBudget is in bits, measured with the secret key; nil where there is no such limit.
	noiseBudget(ct *rlwe.Ciphertext) *float64
}

// checkKinds refuses plaintexts where an operation wants ciphertexts, and the reverse.
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

// checkDegrees refuses products that are not relinearised where they cannot be worked with.
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

// lowest is the lowest level among ciphertexts.
func lowest(operands []*item) int {
	level := operands[0].ct.Level()
	for _, operand := range operands[1:] {
		if operand.ct != nil {
			level = min(level, operand.ct.Level())
		}
	}
	return level
}
