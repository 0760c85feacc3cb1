package main

import (
	"encoding/json"
	"slices"
)

// operation is an operation of the protocol, with its arguments.
type operation struct {
	name         string
	steps        int
	coefficients json.RawMessage
}

// takesPairs is the arity of operations on any number of pairs.
const takesPairs = -1

// arities maps the operations that the driver offers to their numbers of operands.
var arities = map[string]int{
	"encrypt_pk": 1, "encrypt_sk": 1, "decrypt": 1, "square": 1, "relin": 1, "rotate": 1,
	"rotate_sum": 1, "polynomial": 1, "mod_switch": 1,
	"add": 2, "sub": 2, "mul": 2, "mul_no_relin": 2, "mul_switch": 2, "mul_plain": 2,
	"add_plain": 2, "dot_slots": 2,
	"dot": takesPairs,
}

func operationNames() []string {
	names := make([]string, 0, len(arities))
	for name := range arities {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func parseOperation(name string, args arguments) (operation, error) {
	if _, known := arities[name]; !known {
		return operation{}, unsupported("there is no operation `%s`", name)
	}
	if name == "rotate" && args.Steps == nil {
		return operation{}, badRequest("`rotate` needs the argument `steps`")
	}
	if name == "polynomial" && len(args.Coefficients) == 0 {
		return operation{}, badRequest("`polynomial` needs the argument `coefficients`")
	}
	return operation{name, orElse(args.Steps, 0), args.Coefficients}, nil
}

func (o operation) checkOperands(count int) error {
	arity := arities[o.name]
	if arity == takesPairs {
		if count < 2 || count%2 != 0 {
			return badRequest("`%s` takes an even number of operands and got %d", o.name, count)
		}
		return nil
	}
	if count != arity {
		return badRequest("`%s` takes %d operands and got %d", o.name, arity, count)
	}
	return nil
}
