package main

import (
	"encoding/json"
	"fmt"
)

const protocolName = "fathom.driver/2"

// refusal is a typed error of the protocol: the driver sends it and continues.
type refusal struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Details any    `json:"details"`
}

func (r *refusal) Error() string { return r.Code + ": " + r.Message }

func badRequest(format string, args ...any) error {
	return &refusal{Code: "bad_request", Message: fmt.Sprintf(format, args...)}
}

func unsupported(format string, args ...any) error {
	return &refusal{Code: "unsupported", Message: fmt.Sprintf(format, args...)}
}

func exhausted(format string, args ...any) error {
	return &refusal{Code: "noise_exhausted", Message: fmt.Sprintf(format, args...)}
}

// request holds the fields of every verb; those that a verb does not use are ignored.
type request struct {
	ID          *uint64         `json:"id"`
	Verb        string          `json:"verb"`
	Session     uint64          `json:"session"`
	Scheme      string          `json:"scheme"`
	Params      purpose         `json:"params"`
	Threads     *int            `json:"threads"`
	OpThreads   *int            `json:"op_threads"`
	Seed        *uint64         `json:"seed"`
	Rotations   []int           `json:"rotations"`
	RowSwap     flag            `json:"row_swap"`
	Reps        *int            `json:"reps"`
	Values      json.RawMessage `json:"values"`
	Mode        string          `json:"mode"`
	Encoding    *string         `json:"encoding"`
	Level       *int            `json:"level"`
	Op          string          `json:"op"`
	Args        arguments       `json:"args"`
	Inputs      [][]uint64      `json:"inputs"`
	Warmup      int             `json:"warmup"`
	Iterations  *int            `json:"iterations"`
	Samples     *int            `json:"samples"`
	BudgetNanos *uint64         `json:"budget_ns"`
	Ciphertext  uint64          `json:"ct"`
	Handles     []uint64        `json:"handles"`
}

// purpose states the requirements on parameters.
type purpose struct {
	Preset       *string `json:"preset"`
	Depth        *int    `json:"depth"`
	PlainModulus *uint64 `json:"plain_modulus"`
	ScaleBits    *int    `json:"scale_bits"`
	Security     *int    `json:"security"`
	N            *int    `json:"n"`
	Defaults     bool    `json:"defaults"`
}

// arguments holds the arguments of an operation.
type arguments struct {
	Steps        *int            `json:"steps"`
	Coefficients json.RawMessage `json:"coefficients"`
}

// flag is a truth value that may also be written as 0 or 1.
type flag bool

// UnmarshalJSON reads false, true, 0, 1 or null.
func (f *flag) UnmarshalJSON(text []byte) error {
	switch string(text) {
	case "0", "false", "null":
		*f = false
	case "1", "true":
		*f = true
	default:
		return fmt.Errorf("%s is neither 0 nor 1", text)
	}
	return nil
}

// fields holds the fields of a reply.
type fields map[string]any

// keyBytes holds the serialised sizes of keys.
type keyBytes struct {
	Secret int `json:"sk"`
	Public int `json:"pk"`
	Relin  int `json:"relin"`
	Galois int `json:"galois"`
	// Bootstrapping is the size of all keys of a bootstrap.
	Bootstrapping int `json:"bootstrapping,omitempty"`
}

// orElse returns the value behind a pointer, or a default.
func orElse[T any](value *T, otherwise T) T {
	if value == nil {
		return otherwise
	}
	return *value
}
