package main

import (
	"fmt"
	"math/bits"
	"runtime"
	"runtime/debug"
	"strings"
)

const modulePath = "github.com/tuneinsight/lattigo/v6"

// libraryInfo returns the field `library` of `hello`, as the build recorded it.
func libraryInfo() fields {
	version, target := "unknown", runtime.GOARCH
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, module := range info.Deps {
			if module.Path == modulePath {
				version = strings.TrimPrefix(module.Version, "v")
			}
		}
		for _, setting := range info.Settings {
			if setting.Key == "GOAMD64" {
				target += " " + setting.Value
			}
		}
	}
	return fields{
		"name": "lattigo", "version": version,
		"build": runtime.Version() + " " + target, "isa_used": target + " scalar",
	}
}

// schemes returns the field `schemes` of `hello`.
func schemes() []fields {
	offer := func(scheme string, sets, operations []string) fields {
		return fields{"scheme": scheme, "params": sets, "ops": operations}
	}
	reals := append(realOperations.names(), bootstrapOperations.names()...)
	return []fields{
		offer("bfv", []string{}, integerOperations.names()),
		offer("bgv", []string{}, integerOperations.names()),
		offer("ckks", bootstrapSetNames(), reals),
	}
}

// openSession chooses parameters for a purpose, or a set for bootstrapping by its name.
func openSession(scheme string, p purpose, lanes int) (session, fields, error) {
	if p.Preset != nil && scheme == "ckks" {
		return openRefreshed(*p.Preset, lanes)
	}
	a, err := aimOf(p)
	if err != nil {
		return nil, nil, err
	}
	switch scheme {
	case "bgv":
		return openExact(scheme, bgvChains(a), a, lanes)
	case "bfv":
		return openExact(scheme, bfvChains(a), a, lanes)
	case "ckks":
		return openReals(a, orElse(p.ScaleBits, 40), lanes)
	}
	return nil, nil, unsupported("Lattigo has no scheme `%s`", scheme)
}

func aimOf(p purpose) (aim, error) {
	if p.Preset != nil {
		return aim{}, unsupported("Lattigo has named sets for bootstrapping only; ask by depth")
	}
	if p.Depth == nil || *p.Depth < 0 || *p.Depth > 64 {
		return aim{}, badRequest("`depth` must be between 0 and 64")
	}
	level, err := standardLevel(orElse(p.Security, 128))
	if err != nil {
		return aim{}, err
	}
	a := aim{
		depth: *p.Depth, plainModulus: orElse(p.PlainModulus, 65537), security: level,
		defaults: p.Defaults,
	}
	if n := orElse(p.N, 0); p.N != nil {
		a.logN = bits.Len(uint(max(n, 0))) - 1
		if n < 1<<12 || n > 1<<15 || n != 1<<a.logN {
			return aim{}, unsupported("the driver knows no parameters of degree %d", n)
		}
	}
	if a.plainModulus < 3 || bits.Len64(a.plainModulus) > 50 {
		return aim{}, unsupported("`plain_modulus` must have between 2 and 50 bits")
	}
	return a, nil
}

func openExact(scheme string, chains []chain, a aim, lanes int) (session, fields, error) {
	s, c, err := openIntegers(chains, a, scheme == "bfv", lanes)
	if err != nil {
		return nil, nil, err
	}
	params := describeKeys(&s.keys, c, a)
	params["name"] = fmt.Sprintf("%s-n%d-d%d-t%d-s%d",
		scheme, s.params.N(), a.depth, a.plainModulus, a.security)
	params["plain_modulus"] = a.plainModulus
	params["slots"] = s.params.MaxSlots()
	return s, params, nil
}

func openReals(a aim, scaleBits, lanes int) (session, fields, error) {
	if scaleBits < 20 || scaleBits > 50 {
		return nil, nil, unsupported("`scale_bits` must be between 20 and 50")
	}
	c, scale, err := ckksChain(a, scaleBits)
	if err != nil {
		return nil, nil, err
	}
	s, err := newReals(c, scale, lanes)
	if err == nil && a.exceeded(&s.keys) {
		c = c.shortened()
		s, err = newReals(c, scale, lanes)
	}
	if err != nil {
		return nil, nil, err
	}
	params := describeKeys(&s.keys, c, a)
	params["name"] = fmt.Sprintf("ckks-n%d-d%d-scale%d-s%d",
		s.params.N(), a.depth, scale, a.security)
	params["scale_bits"] = scale
	params["slots"] = s.params.MaxSlots()
	return s, params, nil
}

// describeKeys returns the fields of `params` that all schemes share.
func describeKeys(k *keys, c chain, a aim) fields {
	source := "shaped like Lattigo's examples, held to the security limit"
	if a.defaults {
		source = "Lattigo's example"
	}
	return fields{
		"n": k.params.N(), "log_q": k.logQ(k.params.MaxLevel()), "log_qp": k.logQP(),
		"levels": k.params.MaxLevel(), "secret": "ternary", "sigma": 3.2, "depth": a.depth,
		"explanation": fmt.Sprintf("%s: primes of %v and %v bits, the latter special",
			source, c.logQ, c.logP),
	}
}
