package main

import (
	"encoding"
	"math"
	"runtime"
	"time"
)

func (s *server) run(opened *open, r *request) (fields, error) {
	op, err := opened.operations().parse(r.Op, r.Args)
	if err != nil {
		return nil, err
	}
	p, err := planOf(r, opened.lanes)
	if err != nil {
		return nil, err
	}
	operations := make([]bound, len(r.Inputs))
	calls := make([]func() error, len(r.Inputs))
	var first []*item
	for i, handles := range r.Inputs {
		operands, err := opened.operands(op, handles)
		if err != nil {
			return nil, err
		}
		if first == nil {
			first = operands
		}
		if operations[i], err = opened.bind(op, operands, i%opened.lanes); err != nil {
			return nil, err
		}
		calls[i] = operations[i].call
	}
	runtime.GOMAXPROCS(opened.lanes)
	result, called, err := measure(calls, p)
	runtime.GOMAXPROCS(1)
	if err != nil {
		return nil, err
	}
	samples := make([]int64, len(result.samples))
	for i, sample := range result.samples {
		samples[i] = sample.Nanoseconds()
	}
	outputs := make([]*uint64, len(calls))
	for i, made := range called {
		if made {
			handle := s.keep(opened, operations[i].output)
			outputs[i] = &handle
		}
	}
	reply := fields{
		"samples_ns": samples, "iterations": p.iterations, "cpu_ns": result.cpu.Nanoseconds(),
		"involuntary_switches": result.switches, "outputs": outputs,
	}
	return reply, opened.describe(reply, first, operations[0].output)
}

func planOf(r *request, lanes int) (plan, error) {
	p := plan{
		warmup:     r.Warmup,
		iterations: orElse(r.Iterations, 1),
		samples:    orElse(r.Samples, 1),
		budget:     time.Duration(min(orElse(r.BudgetNanos, math.MaxInt64), math.MaxInt64)),
		lanes:      lanes,
	}
	if p.warmup < 0 || p.iterations < 1 || p.samples < 1 {
		return p, badRequest("`run` needs at least one iteration and one sample")
	}
	if len(r.Inputs) < lanes {
		return p, badRequest("`run` needs an input set for each of %d threads", lanes)
	}
	return p, nil
}

func (o *open) operands(op operation, handles []uint64) ([]*item, error) {
	if err := o.operations().checkCount(op, len(handles)); err != nil {
		return nil, err
	}
	operands := make([]*item, len(handles))
	for i, handle := range handles {
		kept, known := o.items[handle]
		if !known {
			return nil, badRequest("there is no handle %d", handle)
		}
		operands[i] = kept
	}
	if err := checkKinds(op, operands); err != nil {
		return nil, err
	}
	return operands, checkDegrees(op, operands)
}

// describe adds size, level and noise of a result to a reply.
func (o *open) describe(reply fields, inputs []*item, output *item) error {
	var before, after *float64
	for _, input := range inputs {
		if input.ct == nil {
			continue
		}
		budget := o.noiseBudget(input.ct)
		if before == nil || (budget != nil && *budget < *before) {
			before = budget
		}
	}
	reply["bytes_out"], reply["level"] = 0, nil
	if output.ct != nil {
		after = o.noiseBudget(output.ct)
		size, err := serialized(output.ct)
		if err != nil {
			return err
		}
		reply["bytes_out"], reply["level"] = size, output.ct.Level()
	}
	reply["noise_budget_bits"] = fields{
		"before": before, "after": after, "predicted_after": nil,
	}
	return nil
}

// serialized returns the length of Lattigo's serialisation of a value.
func serialized(value encoding.BinaryMarshaler) (int, error) {
	text, err := value.MarshalBinary()
	return len(text), err
}
