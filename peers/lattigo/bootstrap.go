package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/tuneinsight/lattigo/v6/circuits/ckks/bootstrapping"
	"github.com/tuneinsight/lattigo/v6/circuits/ckks/dft"
	"github.com/tuneinsight/lattigo/v6/core/rlwe"
	"github.com/tuneinsight/lattigo/v6/ring"
	"github.com/tuneinsight/lattigo/v6/schemes/ckks"
)

// bootstrapSet is a set of Lattigo that can be bootstrapped.
type bootstrapSet struct {
	name    string
	scheme  ckks.ParametersLiteral
	circuit bootstrapping.ParametersLiteral
}

// bootstrapSets are the default sets of Lattigo (circuits/ckks/bootstrapping/default_parameters.go)
// at scales of 31 to 45 bits, the smallest first.
var bootstrapSets = []bootstrapSet{
	{
		"n15qp880h16384h32",
		bootstrapping.N15QP880H16384H32.SchemeParams,
		bootstrapping.N15QP880H16384H32.BootstrappingParams,
	},
	{
		"n16qp1546h192h32",
		bootstrapping.N16QP1546H192H32.SchemeParams,
		bootstrapping.N16QP1546H192H32.BootstrappingParams,
	},
	{
		"n16qp1767h32768h32",
		bootstrapping.N16QP1767H32768H32.SchemeParams,
		bootstrapping.N16QP1767H32768H32.BootstrappingParams,
	},
	{
		"n16qp1788h32768h32",
		bootstrapping.N16QP1788H32768H32.SchemeParams,
		bootstrapping.N16QP1788H32768H32.BootstrappingParams,
	},
}

// bootstrapSetNames returns the names that `hello` announces.
func bootstrapSetNames() []string {
	names := make([]string, len(bootstrapSets))
	for i, set := range bootstrapSets {
		names[i] = set.name
	}
	return names
}

// refreshed is a session of a set that can be bootstrapped. A ciphertext at level 0 is one that a
// bootstrap takes.
type refreshed struct {
	keys
	user    ckks.Parameters
	circuit bootstrapping.Parameters
	encoder *ckks.Encoder
	eval    *bootstrapping.Evaluator
	evk     *bootstrapping.EvaluationKeys
}

// openRefreshed opens the set of a name.
func openRefreshed(name string, lanes int) (session, fields, error) {
	at := slices.IndexFunc(bootstrapSets, func(set bootstrapSet) bool { return set.name == name })
	if at < 0 {
		return nil, nil, unsupported("Lattigo has no set `%s`; ask by depth", name)
	}
	if lanes > 1 {
		return nil, nil, unsupported("bootstraps run on one thread here")
	}
	set := bootstrapSets[at]
	// The special primes and the secret are those of the set, and not the defaults of the circuit,
	// with which moduli are larger or smaller than the name of the set says.
	set.circuit.LogP, set.circuit.Xs = set.scheme.LogP, set.scheme.Xs
	user, err := ckks.NewParametersFromLiteral(set.scheme)
	if err != nil {
		return nil, nil, err
	}
	circuit, err := bootstrapping.NewParametersFromLiteral(user, set.circuit)
	if err != nil {
		return nil, nil, err
	}
	s := &refreshed{
		keys:    keys{params: user.Parameters, lanes: lanes},
		user:    user,
		circuit: circuit,
		encoder: ckks.NewEncoder(user),
	}
	weight, err := s.weight()
	if err != nil {
		return nil, nil, err
	}
	return s, fields{
		"name": name, "n": user.N(), "log_q": s.logQ(user.MaxLevel()), "log_qp": s.raisedLogQP(),
		"levels": user.MaxLevel(), "secret": sparse(weight), "sigma": 3.2,
		"depth": user.MaxLevel(), "scale_bits": user.LogDefaultScale(), "slots": user.MaxSlots(),
		"explanation": fmt.Sprintf("Lattigo's set for bootstrapping: primes of %v bits for users, "+
			"%d primes at the top of a bootstrap, special primes of %v bits",
			set.scheme.LogQ, circuit.BootstrappingParameters.QCount(), set.scheme.LogP),
	}, nil
}

// weight returns the number of nonzero coefficients of the main secret.
func (s *refreshed) weight() (int, error) {
	ternary, ok := s.user.Xs().(ring.Ternary)
	if !ok || ternary.H == 0 {
		return 0, unsupported("the secret of the set has no fixed weight")
	}
	return ternary.H, nil
}

func sparse(weight int) string { return fmt.Sprintf("sparse_ternary:%d", weight) }

// raisedLogQP returns log2 of the modulus of the keys of a bootstrap.
func (s *refreshed) raisedLogQP() float64 {
	raised := s.circuit.BootstrappingParameters
	return sumLog2(raised.Q()) + sumLog2(raised.P())
}

func sumLog2(primes []uint64) float64 {
	sum := 0.0
	for _, prime := range primes {
		sum += math.Log2(float64(prime))
	}
	return sum
}

// generateKeys makes the keys of users and those of a bootstrap.
func (s *refreshed) generateKeys() error {
	if err := s.requireMemory(); err != nil {
		return err
	}
	// The keys are most of the memory and stay: with the usual setting the collector would let the
	// heap grow to twice their size.
	debug.SetGCPercent(5)
	s.eval, s.evk = nil, nil
	debug.FreeOSMemory()
	s.generate()
	var err error
	if s.evk, _, err = s.circuit.GenEvaluationKeys(s.secret); err != nil {
		return err
	}
	s.eval, err = bootstrapping.NewEvaluator(s.circuit, s.evk)
	return err
}

// requireMemory refuses a set that would exceed the memory that is available.
func (s *refreshed) requireMemory() error {
	needed := 1.1 * (s.keyMemory() + s.transformMemory())
	available, known := availableMemory()
	if !known || available >= needed {
		return nil
	}
	return unsupported("the set needs %.1f GB of memory, of which %.1f GB are available",
		needed/1e9, available/1e9)
}

// keyMemory returns the bytes of the keys of a bootstrap.
func (s *refreshed) keyMemory() float64 {
	raised := s.circuit.BootstrappingParameters
	limbs, specials := raised.QCount()+raised.PCount(), raised.PCount()
	digits := (raised.QCount() + specials - 1) / specials
	// The relinearization key and the one back from the sparse secret stand beside the rotations.
	count := len(s.circuit.GaloisElements(raised)) + 2
	return float64(count * digits * 2 * limbs * raised.N() * 8)
}

// transformMemory returns about the bytes of the encoded transforms while they are made: a factor
// of v layers has up to 2^(v+1) diagonals, and their numbers take as much as three limbs.
func (s *refreshed) transformMemory() float64 {
	raised, sum := s.circuit.BootstrappingParameters, 0
	for _, matrix := range []dft.MatrixLiteral{
		s.circuit.CoeffsToSlotsParameters, s.circuit.SlotsToCoeffsParameters,
	} {
		factors := matrix.Depth(false)
		layers := (s.circuit.LogMaxSlots() + factors - 1) / factors
		limbs := matrix.LevelQ + 1 + raised.PCount() + 3
		sum += (factors << (layers + 1)) * limbs * raised.N() * 8
	}
	return float64(sum)
}

// availableMemory returns the bytes that the system has left; known is false where it cannot say.
func availableMemory() (bytes float64, known bool) {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(text)) {
		var kibibytes float64
		if _, err := fmt.Sscanf(line, "MemAvailable: %f kB", &kibibytes); err == nil {
			return 1024 * kibibytes, true
		}
	}
	return 0, false
}

func (s *refreshed) generateRotationKeys([]int, bool) error {
	return unsupported("a set for bootstrapping is asked for bootstraps only")
}

// keyBytes returns the lengths of Lattigo's serialisations. It generates the keys of a bootstrap in
// full only, without a seed in place of their uniform half.
func (s *refreshed) keyBytes() (sizes keyBytes, err error) {
	if sizes, err = s.keys.keyBytes(); err != nil {
		return sizes, err
	}
	sizes.Bootstrapping = s.evk.BinarySize()
	return sizes, nil
}

// published returns all published keys.
func (s *refreshed) published() []fields {
	raised := s.circuit.BootstrappingParameters
	weight, _ := s.weight() // the session was refused without one
	capsule := sumLog2(raised.Q()[:1]) + sumLog2(raised.P()[:1])
	return []fields{
		{"purpose": "raised modulus", "secret": sparse(weight), "log_q": s.raisedLogQP()},
		{"purpose": "keys of users", "secret": sparse(weight), "log_q": s.logQP()},
		{
			"purpose": "to the sparse secret",
			"secret":  sparse(s.circuit.EphemeralSecretWeight), "log_q": capsule,
		},
	}
}

func (s *refreshed) encode(values json.RawMessage, encoding string, level *int,
) (*rlwe.Plaintext, error) {
	if encoding != "complex" {
		return nil, unsupported("a set for bootstrapping has no encoding `%s`", encoding)
	}
	asked, err := s.level(level)
	if err != nil {
		return nil, err
	}
	var parts []float64
	if err := json.Unmarshal(values, &parts); err != nil {
		return nil, badRequest("`values` must be a list of numbers: %v", err)
	}
	slots := make([]complex128, s.user.MaxSlots())
	if len(parts)%2 != 0 || len(parts) > 2*len(slots) {
		return nil, badRequest("`values` must be pairs, at most %d of them", len(slots))
	}
	for i := range len(parts) / 2 {
		slots[i] = complex(parts[2*i], parts[2*i+1])
	}
	pt := ckks.NewPlaintext(s.user, asked)
	return pt, s.encoder.Encode(slots, pt)
}

func (s *refreshed) decode(pt *rlwe.Plaintext, encoding string) (any, error) {
	if encoding != "complex" {
		return nil, unsupported("a set for bootstrapping has no encoding `%s`", encoding)
	}
	slots := make([]complex128, s.user.MaxSlots())
	if err := s.encoder.Decode(pt, slots); err != nil {
		return nil, err
	}
	parts := make([]float64, 0, 2*len(slots))
	for _, slot := range slots {
		parts = append(parts, real(slot), imag(slot))
	}
	return parts, finite(parts)
}

func (s *refreshed) noiseBudget(*rlwe.Ciphertext) *float64 { return nil }

// bootstrapOperations are those of a set for bootstrapping.
var bootstrapOperations = arities{"bootstrap": 1}

func (s *refreshed) operations() arities { return bootstrapOperations }

func (s *refreshed) bind(_ operation, operands []*item, _ int) (bound, error) {
	input := operands[0].ct
	output := &item{}
	return bound{func() (err error) {
		// The bootstrap works in its argument.
		output.ct, err = s.eval.Bootstrap(input.CopyNew())
		return err
	}, output}, nil
}
