//! Produces every error of decoding on purpose.

use crate::wire::sample::{
    CHECKSUM, HEADER, Sample, encodings, recoded, recoded_msb, sealed, small, with, with_payload,
};
use fathom::Error;
use fathom::SecretRng;
use fathom::bfv::{Bfv, Ciphertext, Params};
use fathom::bgv::Bgv;
use fathom::rlwe::modular::Preset;
use fathom::wire::{Kind, VERSION, Wire, WireError, WireFresh, WireObject, summary};

const VERSION_AT: usize = 6;
const TYPE_AT: usize = 8;
const FLAGS_AT: usize = 9;
const META_LEN_AT: usize = 10;
const SCHEME_AT: usize = 12;
const ID_AT: usize = 16;
const KEY_AT: usize = 48;
const LENGTH_AT: usize = 64;
// The metadata of a ciphertext.
const LEVEL_AT: usize = HEADER;
const COMPONENTS_AT: usize = HEADER + 4;
const MESSAGE_AT: usize = HEADER + 5;
const COEFFICIENT_AT: usize = MESSAGE_AT + 24;
const DIRECTION_AT: usize = COEFFICIENT_AT + 8;
const ROOT_AT: usize = DIRECTION_AT + 8;
const REST_AT: usize = ROOT_AT + 8;
const FACTOR_AT: usize = REST_AT + 24;
const CONTENT_AT: usize = FACTOR_AT + 8;

/// Returns field, value and limit of an error.
fn range(error: Error) -> (&'static str, u64, u64) {
    let Error::Wire(WireError::Range { field, value, limit }) = error else { panic!("{error:?}") };
    (field, value, limit)
}

/// Returns the field of an error.
fn malformed(error: Error) -> &'static str {
    let Error::Wire(WireError::Malformed { field }) = error else { panic!("{error:?}") };
    field
}

struct Target {
    sample: Sample<Bfv>,
    /// The frame with two components and no seed.
    full: Vec<u8>,
}

impl Target {
    fn new() -> Target {
        let sample = Sample::<Bfv>::new(small());
        let full = sample.evaluator().neg(&sample.ciphertext).unwrap().to_bytes();
        Target { sample, full }
    }

    /// Returns the error for the full ciphertext with `new` at `offset`.
    fn refusal(&self, offset: usize, new: &[u8]) -> Error {
        self.read(&with(&self.full, offset, new)).unwrap_err()
    }

    fn read(&self, bytes: &[u8]) -> Result<Ciphertext, Error> {
        Ciphertext::from_bytes(&self.sample.params, bytes)
    }
}

#[test]
fn every_prefix_is_truncated() {
    let s = Sample::<Bfv>::new(small());
    for (kind, bytes) in encodings(&s) {
        for len in (0..bytes.len()).filter(|len| *len < 200 || len % 97 == 0) {
            let refused = recoded(kind, &s.params, &bytes[..len]);
            let needed = if len < HEADER + CHECKSUM { HEADER + CHECKSUM } else { bytes.len() };
            assert_eq!(
                refused,
                Err(Error::Wire(WireError::Truncated { needed, got: len })),
                "{kind}"
            );
        }
        let longer = [bytes.as_slice(), &[0; 3]].concat();
        let refused = recoded(kind, &s.params, &longer);
        assert_eq!(refused, Err(Error::Wire(WireError::TrailingBytes { extra: 3 })));
    }
}

#[test]
fn every_flipped_bit_is_noticed() {
    let s = Sample::<Bfv>::new(small());
    for (kind, bytes) in encodings(&s) {
        for at in (0..bytes.len()).filter(|at| *at < 300 || at % 41 == 0) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << (at % 8);
            assert!(recoded(kind, &s.params, &damaged).is_err(), "{kind}, byte {at}");
        }
    }
}

/// With a corrected checksum, a change of the header is refused with its own error, or it is a
/// claim that can be made.
#[test]
fn every_flipped_bit_of_a_header_has_its_refusal() {
    let t = Target::new();
    // Bit 1 of the flags marks a ciphertext as fresh.
    let flags = |at: usize, bit: u32| at == FLAGS_AT && bit == 1;
    let bounds = (0..9).map(|i| MESSAGE_AT + 8 * i);
    let claims: Vec<usize> = bounds.chain([FACTOR_AT, KEY_AT, KEY_AT + 8]).collect();
    for at in 0..CONTENT_AT {
        for bit in 0..8 {
            let bytes = with(&t.full, at, &[t.full[at] ^ 1 << bit]);
            match t.read(&bytes) {
                Err(Error::Wire(WireError::Checksum)) => {
                    panic!("the checksum of byte {at} was put right")
                }
                Err(_) => {}
                Ok(read) => {
                    let claim = claims.iter().any(|c| (*c..c + 8).contains(&at));
                    assert!(claim || flags(at, bit), "byte {at} bit {bit}");
                    assert_eq!(read.to_bytes(), bytes);
                }
            }
        }
    }
}

#[test]
fn a_foreign_beginning_is_refused() {
    let t = Target::new();
    assert_eq!(t.refusal(0, b"P"), Error::Wire(WireError::Magic));
    assert_eq!(t.read(b"PK").unwrap_err(), Error::Wire(WireError::Magic));
    let newer = (VERSION + 1).to_le_bytes();
    assert_eq!(
        t.refusal(VERSION_AT, &newer),
        Error::Wire(WireError::Version { got: VERSION + 1, reads: VERSION })
    );
    let older = t.refusal(VERSION_AT, &2u16.to_le_bytes());
    assert_eq!(older, Error::Wire(WireError::Version { got: 2, reads: VERSION }));
    assert!(older.to_string().contains("version 2, this library reads version 4"));
    assert_eq!(malformed(t.refusal(KEY_AT, &[0; 16])), "key id");
    let plaintext = t.sample.plaintext.to_bytes();
    let expected = Kind::Ciphertext;
    let got = Kind::Plaintext.tag();
    assert_eq!(t.read(&plaintext).unwrap_err(), Error::Wire(WireError::Type { expected, got }));
    assert_eq!(t.refusal(TYPE_AT, &[99]), Error::Wire(WireError::Type { expected, got: 99 }));
    assert_eq!(range(summary(&with(&t.full, TYPE_AT, &[0])).unwrap_err()), ("type", 0, 18));
    let other = Sample::<Bgv>::new(small()).ciphertext.to_bytes();
    let scheme = Error::Wire(WireError::Scheme { expected: "bfv", got: *b"bgv\0" });
    assert_eq!(t.read(&other).unwrap_err(), scheme);
    assert_eq!(t.refusal(SCHEME_AT, b"bgv"), scheme);
    assert!(matches!(
        t.refusal(ID_AT + 31, &[t.full[ID_AT + 31] ^ 1]),
        Error::ParamsMismatch { .. }
    ));
    let mut unsealed = t.full.clone();
    unsealed[HEADER] ^= 1;
    assert_eq!(t.read(&unsealed).unwrap_err(), Error::Wire(WireError::Checksum));
}

#[test]
fn hostile_counts_are_refused_before_they_are_believed() {
    let t = Target::new();
    // Metadata without the factor, without the noise bound, and longer than the frame.
    for (len, field) in [(69, "metadata"), (68, "metadata"), (0, "metadata")] {
        let moved = (t.full.len() - CONTENT_AT - CHECKSUM + 85 - len) as u64;
        let mut bytes = with(&t.full, META_LEN_AT, &(len as u16).to_le_bytes());
        bytes = with(&bytes, LENGTH_AT, &moved.to_le_bytes());
        assert_eq!(malformed(t.read(&bytes).unwrap_err()), field);
    }
    let longer = t.refusal(META_LEN_AT, &[255, 255]);
    assert!(matches!(longer, Error::Wire(WireError::Truncated { .. })));
    assert_eq!(range(t.refusal(FLAGS_AT, &[4])), ("flags", 4, 3));
    assert_eq!(malformed(t.refusal(FLAGS_AT, &[1])), "flags");
    assert_eq!(range(t.refusal(COMPONENTS_AT, &[255])), ("component count", 255, 3));
    assert_eq!(malformed(t.refusal(COMPONENTS_AT, &[1])), "component count");
    assert_eq!(range(t.refusal(LEVEL_AT, &[255; 4])), ("level", u64::from(u32::MAX), 0));
    let fresh = with(&t.full, FLAGS_AT, &[3]);
    let three = t.read(&with(&fresh, COMPONENTS_AT, &[3])).unwrap_err();
    assert_eq!(range(three), ("component count", 3, 2));
    let (got, missing) = (t.full.len(), t.refusal(LENGTH_AT, &[255; 8]));
    assert_eq!(missing, Error::Wire(WireError::Truncated { needed: usize::MAX, got }));
    assert!(matches!(t.refusal(COMPONENTS_AT, &[3]), Error::Wire(WireError::Truncated { .. })));
    // A negation keeps the factor of a fresh message.
    let seeded = with(&t.full, FLAGS_AT, &[3]);
    assert_eq!(range(t.read(&seeded).unwrap_err()).0, "payload length");
}

#[test]
fn hostile_claims_are_refused() {
    let t = Target::new();
    assert_eq!(malformed(t.refusal(FACTOR_AT, &[0; 8])), "factor");
    assert_eq!(range(t.refusal(FACTOR_AT, &257u64.to_le_bytes())), ("factor", 257, 256));
    for at in (0..9).map(|i| MESSAGE_AT + 8 * i) {
        for wrong in [f64::NAN, f64::INFINITY, -1.0, -0.0] {
            assert_eq!(malformed(t.refusal(at, &wrong.to_le_bytes())), "noise bound");
        }
    }
    // The parameter of all directions is at least each of the others, and norms ascend.
    for at in [MESSAGE_AT, MESSAGE_AT + 8, COEFFICIENT_AT, ROOT_AT, REST_AT, REST_AT + 8] {
        assert_eq!(malformed(t.refusal(at, &1e30f64.to_le_bytes())), "noise bound");
    }
    for (at, numbers) in [(MESSAGE_AT, 3), (COEFFICIENT_AT, 3), (REST_AT, 3)] {
        let refused = t.refusal(at, &vec![1e30f64.to_le_bytes(); numbers].concat());
        let Error::Wire(WireError::NoiseBound { bound_bits, limit_bits }) = refused else {
            panic!("{refused:?}")
        };
        assert!(bound_bits > 99.0 && (limit_bits - 25.0).abs() < 0.1, "{limit_bits}");
    }
}

#[test]
fn hostile_contents_are_refused() {
    let t = Target::new();
    let row = 1024 * 26 / 8;
    let q = t.sample.params.chain()[0];
    let full_residue = t.refusal(CONTENT_AT, &[255; 4]);
    assert_eq!(range(full_residue), ("residue", (1 << 26) - 1, q - 1));
    assert!(matches!(t.refusal(CONTENT_AT + row, &vec![0; row]), Error::Transparent { .. }));
    let msb = t.sample.ciphertext.to_msb().to_bytes();
    let refused = recoded_msb(&t.sample.params, &with(&msb, CONTENT_AT + row, &vec![0; row]));
    assert!(matches!(refused, Err(Error::Transparent { .. })));
    let refused = recoded_msb(&t.sample.params, &with(&msb, FLAGS_AT, &[1]));
    assert_eq!(range(refused.unwrap_err()), ("flags", 1, 0));
    let encodings = encodings(&t.sample);
    let refusal = |kind: Kind, offset, new: &[u8]| {
        let bytes = &encodings.iter().find(|e| e.0 == kind).unwrap().1;
        recoded(kind, &t.sample.params, &with(bytes, offset, new)).unwrap_err()
    };
    // A coefficient of 2^9 - 1 for t = 257, and the two bits 11 in a secret key. Errors show
    // neither.
    assert_eq!(malformed(refusal(Kind::Plaintext, HEADER, &[255; 4])), "coefficient");
    assert_eq!(malformed(refusal(Kind::SecretKey, HEADER, &[255])), "secret key");
    assert_eq!(range(refusal(Kind::PublicKey, HEADER + 32, &[255; 4])).0, "residue");
    for kind in [Kind::SecretKey, Kind::PublicKey, Kind::EvaluationKeys, Kind::Plaintext] {
        assert_eq!(malformed(refusal(kind, FLAGS_AT, &[1])), "header");
    }
}

#[test]
fn a_secret_key_of_another_weight_is_refused() {
    let spec = fathom::bfv::Spec { secret_weight: Some(2048), ..Preset::E1.spec() };
    let s = Sample::<Bfv>::new(spec);
    let bytes = s.secret.to_secret_bytes();
    let zero = [0b0101_0101];
    let at = (HEADER..bytes.len()).find(|&at| bytes[at] != zero[0]).unwrap();
    let refused = recoded(Kind::SecretKey, &s.params, &with(&bytes, at, &zero));
    assert_eq!(malformed(refused.unwrap_err()), "secret key");
}

#[test]
fn hostile_evaluation_keys_are_refused() {
    let t = Target::new();
    let valid = t.sample.keys.to_bytes();
    let refusal = |offset: usize, new: &[u8]| {
        let bytes = with(&valid, HEADER + offset, new);
        recoded(Kind::EvaluationKeys, &t.sample.params, &bytes).unwrap_err()
    };
    assert_eq!(range(refusal(0, &[8])), ("key set", 8, 7));
    // A lower level of no relinearisation key, and no lower level.
    assert_eq!(malformed(refusal(0, &[4])), "key set");
    let number = u32::from_le_bytes(valid[HEADER + 1..HEADER + 5].try_into().unwrap());
    let head = [&[7], &number.to_le_bytes()[..], &[0]].concat();
    assert_eq!(malformed(refusal(0, &head)), "key set");
    let head = [&[7], &number.to_le_bytes()[..], &[1]].concat();
    assert_eq!(range(refusal(0, &head)), ("levels of a key below the top", 1, 0));
    let count = u64::from(u32::MAX);
    assert_eq!(range(refusal(1, &[255; 4])), ("Galois key count", count, 1023));
    assert!(matches!(refusal(1, &[255, 3]), Error::Wire(WireError::Truncated { .. })));
    let key = 32 + 3 * 1024 * 26 / 8; // Three digits of 9 bits.
    let first = 5 + key;
    assert_eq!(range(refusal(first, &[255; 4])), ("levels of a key below the top", 255, 0));
    assert_eq!(range(refusal(first, &[255; 3])), ("Galois element", 0xff_ffff, 2047));
    assert_eq!(malformed(refusal(first, &[4])), "Galois element");
    assert_eq!(malformed(refusal(first, &[27])), "Galois element"); // The same twice.
    let zero = first + 2 * (4 + key);
    assert_eq!(range(refusal(zero, &[255; 8])).0, "length of the encryption of zero");
    let inner = valid.len() - CHECKSUM - t.sample.ciphertext.byte_len() - HEADER;
    assert_eq!(inner, zero + 8);
    assert_eq!(refusal(inner + LEVEL_AT, &[1]), Error::Wire(WireError::Checksum));
    let extended = with_payload(&valid, |payload| payload.push(0));
    let refused = recoded(Kind::EvaluationKeys, &t.sample.params, &extended);
    assert_eq!(refused, Err(Error::Wire(WireError::TrailingBytes { extra: 1 })));
}

#[test]
fn a_zero_that_does_not_fit_every_ciphertext_is_refused() {
    let s = Sample::<Bfv>::new(Preset::E1.spec());
    let e = s.evaluator();
    let c = &s.ciphertext;
    for wrong in [e.mod_switch_to(c, 0).unwrap(), e.tensor(c, c).unwrap()] {
        let bytes = with_payload(&s.keys.to_bytes(), |payload| {
            payload.truncate(payload.len() - c.byte_len() - 8);
            payload.extend((wrong.byte_len() as u64).to_le_bytes());
            payload.extend(wrong.to_bytes());
        });
        let refused = recoded(Kind::EvaluationKeys, &s.params, &bytes).unwrap_err();
        assert_eq!(malformed(refused), "encryption of zero");
    }
}

#[test]
fn hostile_parameters_are_refused() {
    let valid = Params::preset(Preset::E1).unwrap().to_bytes();
    let refusal = |offset: usize, new: &[u8]| {
        let bytes = with(&valid, HEADER + offset, new);
        Params::from_bytes(&bytes).unwrap_err()
    };
    // Name "e1", degree, t, gadget, size, weight, security, failure, counts, sizes, primes.
    assert_eq!(range(refusal(0, &[1, 1])), ("name length", 257, 256));
    assert_eq!(malformed(refusal(2, &[255])), "name");
    assert_eq!(range(refusal(4, &[255; 4])), ("degree", u64::from(u32::MAX), 1 << 17));
    for degree in [0u32, 32, 4095] {
        assert_eq!(malformed(refusal(4, &degree.to_le_bytes())), "degree");
    }
    assert_eq!(range(refusal(8, &[255; 8])).0, "plaintext modulus");
    assert_eq!(range(refusal(16, &[2])), ("gadget", 2, 1));
    assert_eq!(range(refusal(21, &[255; 4])).0, "secret weight");
    assert_eq!(malformed(refusal(25, &[127])), "security level");
    assert_eq!(range(refusal(35, &[65])), ("chain length", 65, 64));
    assert_eq!(range(refusal(35, &[2, 63])), ("special primes", 63, 62));
    assert!(matches!(refusal(35, &[64, 0]), Error::Wire(WireError::Truncated { .. })));
    let insecure = refusal(25, &256u16.to_le_bytes());
    assert!(matches!(insecure, Error::Insecure(_)), "{insecure}");
    for (offset, field) in [(27, "failure_log2"), (37, "chain_bits")] {
        let refused = refusal(offset, &f64::NAN.to_le_bytes());
        assert!(matches!(refused, Error::Spec { field: f, .. } if f == field), "{refused}");
    }
    let prime_at = valid.len() - CHECKSUM - HEADER - 8;
    let contradiction = Error::Wire(WireError::Contradiction { field: "primes" });
    assert_eq!(refusal(prime_at, &[3]), contradiction);
    let other_id = Params::from_bytes(&with(&valid, ID_AT, &[!valid[ID_AT]]));
    assert!(matches!(other_id, Err(Error::ParamsMismatch { .. })));
}

#[test]
fn a_fresh_input_gets_the_bound_of_fresh_encryption_whatever_it_claims() {
    let mut s = Sample::<Bfv>::new(Preset::E1.spec());
    let public = s.public.encrypt(&s.plaintext, &mut s.rng).unwrap();
    // What has a seed is no encryption under the public key.
    let own = s.ciphertext.noise_bound_bits();
    let noisier = public.noise_bound_bits().max(own);
    assert!(own < noisier);
    for (bytes, bound) in [(s.ciphertext.to_bytes(), own), (public.to_bytes(), noisier)] {
        let modest = with(&bytes, COEFFICIENT_AT, &1e-9f64.to_le_bytes());
        let claimed = Ciphertext::from_bytes(&s.params, &modest).unwrap();
        let fresh = Ciphertext::from_bytes_fresh(&s.params, &modest).unwrap();
        assert!(claimed.noise_bound_bits() < fresh.noise_bound_bits());
        assert_eq!(fresh.noise_bound_bits(), bound);
        assert_eq!(s.secret.decrypt(&fresh).unwrap().coefficients(), s.values);
        let absurd = with(&bytes, MESSAGE_AT, &f64::NAN.to_le_bytes());
        assert!(Ciphertext::from_bytes_fresh(&s.params, &absurd).is_ok());
        let factor = with(&bytes, FACTOR_AT, &[bytes[FACTOR_AT] ^ 1]);
        let refused = Ciphertext::from_bytes_fresh(&s.params, &factor).unwrap_err();
        assert_eq!(malformed(refused), "factor");
    }
}

#[test]
fn s1_a_computed_ciphertext_is_not_read_as_a_fresh_one() {
    let s = Sample::<Bfv>::new(Preset::E1.spec());
    let (e, c) = (s.evaluator(), &s.ciphertext);
    let computed = [
        e.add(c, c).unwrap(),
        e.mul_scalar(c, 30_000).unwrap(),
        e.neg(c).unwrap(),
        e.tensor(c, c).unwrap(),
        e.rotate(c, 1).unwrap(),
        e.add_plain(c, &s.plaintext).unwrap(),
        e.mod_switch_to(c, 0).unwrap(),
        s.params.from_msb(&c.to_msb()).unwrap(),
    ];
    for (i, c) in computed.iter().enumerate() {
        assert!(!c.is_fresh(), "{i}");
        let bytes = c.to_bytes();
        assert!(!Ciphertext::from_bytes(&s.params, &bytes).unwrap().is_fresh());
        let refused = Ciphertext::from_bytes_fresh(&s.params, &bytes).unwrap_err();
        assert_eq!(refused, Error::Wire(WireError::NotFresh), "{i}");
        assert!(refused.to_string().contains("from_bytes"));
    }
    let copy = Ciphertext::from_bytes_fresh(&s.params, &c.to_bytes()).unwrap();
    assert!(copy.is_fresh() && c.is_fresh());
    // A copy that was sent and received shares its noise with the original, so that the bounds add
    // up.
    let [bound, of_copy] = [c, &copy].map(|c| c.noise_bound_bits().exp2());
    let twice = e.add(&copy, c).unwrap().noise_bound_bits();
    assert!((twice - (bound + of_copy).log2()).abs() < 1e-9);
    let other = s.secret.encrypt(&s.plaintext, &mut SecretRng::insecure_from_seed(5)).unwrap();
    assert!(e.add(&copy, &other).unwrap().noise_bound_bits() < twice - 0.1);
}

/// A frame of 1158 bytes once took half a gigabyte and half a second.
#[test]
fn l4_parameters_of_large_tables_are_refused_before_these_are_made() {
    let spec = fathom::bfv::Spec { chain_bits: vec![26.0], ..small() };
    let modest = Params::new(spec).unwrap().to_bytes();
    let (degree, primes) = (1u32 << 17, 64u8);
    let large = with_payload(&modest, |payload| {
        let name = 2 + "small".len();
        payload[name..name + 4].copy_from_slice(&degree.to_le_bytes());
        let counts = payload.len() - 16 - 2;
        payload.truncate(counts);
        payload.extend([primes, 0]);
        payload.extend(vec![26f64.to_le_bytes(); primes.into()].concat());
        payload.extend(vec![7u64.to_le_bytes(); primes.into()].concat());
    });
    let needed = 32 * degree as usize * usize::from(primes);
    let limit = Params::TABLE_BYTES;
    let refused = Params::from_bytes(&large).unwrap_err();
    assert_eq!(refused, Error::Wire(WireError::TableBytes { needed, limit }));
    let few = Params::from_bytes_within(&modest, 32 * 1024 - 1).unwrap_err();
    assert_eq!(few, Error::Wire(WireError::TableBytes { needed: 32 * 1024, limit: 32 * 1024 - 1 }));
    assert!(Params::from_bytes_within(&modest, 32 * 1024).is_ok());
}

#[test]
fn refusals_say_what_is_wrong() {
    let t = Target::new();
    let text = t.refusal(TYPE_AT, &[Kind::SecretKey.tag()]).to_string();
    assert_eq!(text, "expected a ciphertext, got a secret key");
    assert_eq!(t.refusal(TYPE_AT, &[99]).to_string(), "expected a ciphertext, got unknown type 99");
    let text = t.refusal(COMPONENTS_AT, &[9]).to_string();
    assert_eq!(text, "component count is 9, the limit is 3");
    assert_eq!(sealed(t.full.clone()), t.full);
}
