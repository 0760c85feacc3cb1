package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"time"
)

// serve answers requests, one line each, until `bye` or the end of the input.
func serve(input io.Reader, output io.Writer) error {
	server := server{sessions: map[uint64]*open{}}
	lines := bufio.NewReaderSize(input, 1<<20)
	for {
		line, err := lines.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			reply, last := server.reply(line)
			if _, err := output.Write(append(reply, '\n')); err != nil {
				return err
			}
			if last {
				return nil
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// server holds the sessions and counts handles, which are never reused.
type server struct {
	sessions map[uint64]*open
	issued   uint64
}

// open is a session with its items.
type open struct {
	session
	lanes   int
	items   map[uint64]*item
	hasKeys bool
}

// reply returns the line that answers a line, and whether it is the last one.
func (s *server) reply(line []byte) ([]byte, bool) {
	var r request
	id := any(nil)
	answer, err := fields(nil), error(nil)
	if fault := json.Unmarshal(line, &r); fault != nil {
		id, err = idOf(line), badRequest("not a request: %v", fault)
	} else if r.ID == nil {
		err = badRequest("the field `id` is missing")
	} else {
		id = *r.ID
		answer, err = s.guarded(&r)
	}
	if err == nil {
		answer["id"], answer["ok"] = id, true
		text, fault := json.Marshal(answer)
		if fault == nil {
			return text, r.Verb == "bye"
		}
		err = &refusal{Code: "internal", Message: fault.Error()}
	}
	var refused *refusal
	if !errors.As(err, &refused) {
		refused = &refusal{Code: "internal", Message: err.Error()}
	}
	text, _ := json.Marshal(fields{"id": id, "ok": false, "error": refused})
	return text, false
}

func idOf(line []byte) any {
	var partial struct {
		ID any `json:"id"`
	}
	_ = json.Unmarshal(line, &partial) // best effort: the line is known to be malformed
	return partial.ID
}

// guarded answers a request; a panic of the library becomes a refusal.
func (s *server) guarded(r *request) (answer fields, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("the library panics: %v", fault)
		}
	}()
	return s.answer(r)
}

func (s *server) answer(r *request) (fields, error) {
	switch r.Verb {
	case "hello":
		hello := fields{"protocol": protocolName, "library": libraryInfo(), "schemes": schemes()}
		return hello, nil
	case "prepare":
		return s.prepare(r)
	case "drop":
		return s.drop(r.Handles)
	case "bye":
		return fields{}, nil
	}
	verbs := map[string]func(*open, *request) (fields, error){
		"keygen": s.keygen, "encrypt": s.encrypt, "plaintext": s.plaintext, "run": s.run,
		"decrypt": s.decrypt, "noise": s.noise,
	}
	verb, known := verbs[r.Verb]
	if !known {
		return nil, badRequest("there is no verb `%s`", r.Verb)
	}
	opened, known := s.sessions[r.Session]
	if !known {
		return nil, badRequest("there is no session %d", r.Session)
	}
	if !opened.hasKeys && r.Verb != "keygen" && r.Verb != "plaintext" {
		return nil, badRequest("the session has no keys yet; ask for `keygen` first")
	}
	return verb(opened, r)
}

func (s *server) prepare(r *request) (fields, error) {
	lanes, opThreads := orElse(r.Threads, 1), orElse(r.OpThreads, 1)
	if lanes < 1 || opThreads < 1 {
		return nil, badRequest("`threads` and `op_threads` must be at least 1")
	}
	if lanes > 1024 {
		return nil, unsupported("`threads` above 1024")
	}
	if opThreads > 1 {
		return nil, unsupported("Lattigo computes an operation on one thread")
	}
	if r.Seed != nil {
		return nil, unsupported("the driver takes all randomness from Lattigo, without a seed")
	}
	made, params, err := openSession(r.Scheme, r.Params, lanes)
	if err != nil {
		return nil, err
	}
	handle := s.fresh()
	s.sessions[handle] = &open{session: made, lanes: lanes, items: map[uint64]*item{}}
	return fields{"session": handle, "params": params}, nil
}

func (s *server) fresh() uint64 {
	s.issued++
	return s.issued
}

func (s *server) keep(opened *open, kept *item) uint64 {
	handle := s.fresh()
	opened.items[handle] = kept
	return handle
}

// drop drops items; if one of them is unknown, none is dropped.
func (s *server) drop(handles []uint64) (fields, error) {
	for _, handle := range handles {
		found := false
		for _, opened := range s.sessions {
			_, here := opened.items[handle]
			found = found || here
		}
		if !found {
			return nil, badRequest("there is no handle %d", handle)
		}
	}
	for _, opened := range s.sessions {
		for _, handle := range handles {
			delete(opened.items, handle)
		}
	}
	return fields{}, nil
}

func (s *server) keygen(opened *open, r *request) (fields, error) {
	samples, rotationSamples := []int64{}, []int64{}
	reps := orElse(r.Reps, 1)
	if reps < 1 {
		return nil, badRequest("`reps` must be at least 1")
	}
	runtime.GOMAXPROCS(1)
	for range reps {
		start := time.Now()
		if err := opened.generateKeys(); err != nil {
			return nil, err
		}
		samples = append(samples, time.Since(start).Nanoseconds())
		opened.hasKeys = true
		clear(opened.items)
		if len(r.Rotations) > 0 || bool(r.RowSwap) {
			start = time.Now()
			if err := opened.generateRotationKeys(r.Rotations, bool(r.RowSwap)); err != nil {
				return nil, err
			}
			rotationSamples = append(rotationSamples, time.Since(start).Nanoseconds())
		}
	}
	sizes, err := opened.keyBytes()
	if err != nil {
		return nil, err
	}
	made := fields{
		"samples_ns": samples, "rotate_samples_ns": rotationSamples, "bytes": sizes,
	}
	if published := opened.published(); published != nil {
		made["published"] = published
	}
	return made, nil
}

func (s *server) encrypt(opened *open, r *request) (fields, error) {
	if r.Mode != "pk" && r.Mode != "sk" {
		return nil, badRequest("`mode` must be `pk` or `sk`")
	}
	pt, err := opened.encode(r.Values, orElse(r.Encoding, "slots"), r.Level)
	if err != nil {
		return nil, err
	}
	ct, err := opened.encrypt(pt, r.Mode)
	if err != nil {
		return nil, err
	}
	packed, err := serialized(ct)
	if err != nil {
		return nil, err
	}
	sizes := fields{"packed": packed, "seeded": nil, "theory": opened.theoryBytes(ct)}
	handle := s.keep(opened, &item{ct: ct})
	return fields{"ct": handle, "bytes": sizes, "noise_budget_bits": nil}, nil
}

func (s *server) plaintext(opened *open, r *request) (fields, error) {
	pt, err := opened.encode(r.Values, orElse(r.Encoding, "slots"), nil)
	if err != nil {
		return nil, err
	}
	return fields{"pt": s.keep(opened, &item{pt: pt})}, nil
}

func (s *server) decrypt(opened *open, r *request) (fields, error) {
	kept, known := opened.items[r.Ciphertext]
	if !known {
		return nil, badRequest("there is no handle %d", r.Ciphertext)
	}
	pt := kept.pt
	if kept.ct != nil {
		pt = opened.session.decrypt(kept.ct)
	}
	values, err := opened.decode(pt, orElse(r.Encoding, "slots"))
	if err != nil {
		return nil, err
	}
	return fields{"values": values}, nil
}

func (s *server) noise(opened *open, r *request) (fields, error) {
	kept, known := opened.items[r.Ciphertext]
	if !known || kept.ct == nil {
		return nil, badRequest("there is no ciphertext %d", r.Ciphertext)
	}
	measured := opened.noiseBudget(kept.ct)
	return fields{"measured_budget_bits": measured, "tracked_budget_bits": nil}, nil
}
