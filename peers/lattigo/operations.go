package main

import (
	"encoding/json"
	"maps"
	"slices"
)

// operation is an operation of the protocol, with its arguments.
type operation struct {
	name         string
	steps        *int
	coefficients json.RawMessage
}

// takesPairs is the arity of operations on any number of pairs.
const takesPairs = -1

// arities maps the operations that a session offers to their numbers of operands.
type arities map[string]int

// names returns the names that `hello` announces.
func (a arities) names() []string {
	return slices.Sorted(maps.Keys(a))
}

// parse reads an operation; it refuses those that the session does not offer.
func (a arities) parse(name string, args arguments) (operation, error) {
	if _, known := a[name]; !known {
		return operation{}, unsupported("there is no operation `%s`", name)
	}
	return operation{name, args.Steps, args.Coefficients}, nil
}

// checkCount refuses a wrong number of operands.
func (a arities) checkCount(op operation, count int) error {
	arity := a[op.name]
	if arity == takesPairs {
		if count < 2 || count%2 != 0 {
			return badRequest("`%s` takes an even number of operands and got %d", op.name, count)
		}
		return nil
	}
	if count != arity {
		return badRequest("`%s` takes %d operands and got %d", op.name, arity, count)
	}
	return nil
}

// rotation returns the steps of a rotation; it refuses a request without them.
func (o operation) rotation() (int, error) {
	if o.steps == nil {
		return 0, badRequest("`%s` needs the argument `steps`", o.name)
	}
	return *o.steps, nil
}
