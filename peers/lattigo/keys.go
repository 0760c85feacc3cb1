package main

import (
	"math"

	"github.com/tuneinsight/lattigo/v6/core/rlwe"
)

// keys holds the keys of a session, with encryptors and decryptors, one per lane.
type keys struct {
	params     rlwe.Parameters
	lanes      int
	generator  *rlwe.KeyGenerator
	secret     *rlwe.SecretKey
	public     *rlwe.PublicKey
	set        *rlwe.MemEvaluationKeySet
	galois     []uint64
	byPublic   []*rlwe.Encryptor
	bySecret   []*rlwe.Encryptor
	decryptors []*rlwe.Decryptor
}

// published is nil: security is computed from the largest modulus of the parameters.
func (k *keys) published() []fields { return nil }

func (k *keys) generate() {
	k.generator = rlwe.NewKeyGenerator(k.params)
	k.secret, k.public = k.generator.GenKeyPairNew()
	k.set = rlwe.NewMemEvaluationKeySet(k.generator.GenRelinearizationKeyNew(k.secret))
	k.galois, k.byPublic = nil, nil
}

// generateGalois generates rotation keys for steps to the left, and for the swap of the rows.
func (k *keys) generateGalois(steps []int, rowSwap bool) error {
	var elements []uint64
	for _, step := range steps {
		if err := k.checkSteps(step); err != nil {
			return err
		}
		elements = append(elements, k.params.GaloisElement(step))
	}
	if rowSwap {
		elements = append(elements, k.params.GaloisElementOrderTwoOrthogonalSubgroup())
	}
	made := k.generator.GenGaloisKeysNew(elements, k.secret)
	k.set = rlwe.NewMemEvaluationKeySet(k.set.RelinearizationKey, made...)
	k.galois = elements
	return nil
}

func (k *keys) checkSteps(steps int) error {
	if row := k.params.N() / 2; steps%row == 0 {
		return badRequest("a rotation by %d steps turns a row of %d onto itself", steps, row)
	}
	return nil
}

// rotation returns the steps of a rotation; it refuses those without a key.
func (k *keys) rotation(op operation) (int, error) {
	steps, err := op.rotation()
	if err != nil {
		return 0, err
	}
	if err := k.checkSteps(steps); err != nil {
		return 0, err
	}
	return steps, k.requireGalois(k.params.GaloisElement(steps))
}

// requireGalois refuses an automorphism without a key.
func (k *keys) requireGalois(element uint64) error {
	if _, err := k.set.GetGaloisKey(element); err != nil {
		return badRequest("there is no key for this rotation; name its steps in `keygen`")
	}
	return nil
}

// requireSum refuses the sum of all slots of a row without the keys for powers of two.
func (k *keys) requireSum() error {
	for step := 1; step < k.params.N()/2; step *= 2 {
		if err := k.requireGalois(k.params.GaloisElement(step)); err != nil {
			return err
		}
	}
	return nil
}

// keyBytes returns the lengths of Lattigo's serialisations; evaluation keys are sent compressed,
// with a seed in place of their uniform half.
func (k *keys) keyBytes() (sizes keyBytes, err error) {
	compressed := rlwe.EvaluationKeyParameters{Compressed: true}
	relin := k.generator.GenRelinearizationKeyNew(k.secret, compressed)
	if sizes.Secret, err = serialized(k.secret); err != nil {
		return sizes, err
	}
	if sizes.Public, err = serialized(k.public); err != nil {
		return sizes, err
	}
	if sizes.Relin, err = serialized(relin); err != nil {
		return sizes, err
	}
	for _, element := range k.galois {
		key := k.generator.GenGaloisKeyNew(element, k.secret, compressed)
		size, err := serialized(key)
		if err != nil {
			return sizes, err
		}
		sizes.Galois += size
	}
	return sizes, nil
}

func (k *keys) encryptor(mode string, lane int) *rlwe.Encryptor {
	if k.byPublic == nil {
		k.byPublic = make([]*rlwe.Encryptor, k.lanes)
		k.bySecret = make([]*rlwe.Encryptor, k.lanes)
		k.decryptors = make([]*rlwe.Decryptor, k.lanes)
		for i := range k.lanes {
			k.byPublic[i] = rlwe.NewEncryptor(k.params, k.public)
			k.bySecret[i] = rlwe.NewEncryptor(k.params, k.secret)
			k.decryptors[i] = rlwe.NewDecryptor(k.params, k.secret)
		}
	}
	if mode == "pk" {
		return k.byPublic[lane]
	}
	return k.bySecret[lane]
}

func (k *keys) decryptor(lane int) *rlwe.Decryptor {
	k.encryptor("sk", lane) // makes the decryptors too
	return k.decryptors[lane]
}

func (k *keys) encrypt(pt *rlwe.Plaintext, mode string) (*rlwe.Ciphertext, error) {
	return k.encryptor(mode, 0).EncryptNew(pt)
}

func (k *keys) decrypt(ct *rlwe.Ciphertext) *rlwe.Plaintext {
	return k.decryptor(0).DecryptNew(ct)
}

// bindCrypt prepares encryption and decryption; ok is false for other operations.
func (k *keys) bindCrypt(op operation, operand *item, lane int) (made bound, ok bool) {
	switch op.name {
	case "encrypt_pk", "encrypt_sk":
		out := rlwe.NewCiphertext(k.params, 1, operand.pt.Level())
		encryptor, pt := k.encryptor(op.name[len("encrypt_"):], lane), operand.pt
		call := func() error { return encryptor.Encrypt(pt, out) }
		return bound{call, &item{ct: out}}, true
	case "decrypt":
		out := rlwe.NewPlaintext(k.params, operand.ct.Level())
		decryptor, ct := k.decryptor(lane), operand.ct
		call := func() error {
			decryptor.Decrypt(ct, out)
			return nil
		}
		return bound{call, &item{pt: out}}, true
	}
	return bound{}, false
}

func (k *keys) level(level *int) (int, error) {
	asked := orElse(level, k.params.MaxLevel())
	if asked < 0 || asked > k.params.MaxLevel() {
		return 0, unsupported("there is no level %d; the top is %d", asked, k.params.MaxLevel())
	}
	return asked, nil
}

func (k *keys) theoryBytes(ct *rlwe.Ciphertext) int {
	bits := float64((ct.Degree()+1)*k.params.N()) * k.logQ(ct.Level())
	return int(math.Round(bits / 8))
}

// logQ returns log2 of the ciphertext modulus at a level.
func (k *keys) logQ(level int) float64 {
	sum := 0.0
	for _, prime := range k.params.Q()[:level+1] {
		sum += math.Log2(float64(prime))
	}
	return sum
}

// logQP returns log2 of the modulus of the keys.
func (k *keys) logQP() float64 {
	sum := k.logQ(k.params.MaxLevel())
	for _, prime := range k.params.P() {
		sum += math.Log2(float64(prime))
	}
	return sum
}
