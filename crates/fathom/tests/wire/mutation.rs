//! Thousands of damaged encodings: a decoder refuses them, or the object that it returns encodes to
//! the same bytes and can be used.

use crate::wire::sample::{HEADER, Sample, encodings, recoded, recoded_msb, sealed, small};
use fathom::SecretRng;
use fathom::bfv::Bfv;
use fathom::rlwe::modular::{Ciphertext, EvaluationKeys, Evaluator, Modular};
use fathom::wire::{Kind, Wire, WireObject, summary};

const ROUNDS: usize = 4000;

/// Words at the limits of lengths and numbers.
const EXTREMES: [u64; 8] = [
    0,
    1,
    u64::MAX,
    1 << 63,
    u64::MAX >> 1,
    0x7FF0_0000_0000_0000, // infinity
    0x7FF8_0000_0000_0000, // not a number
    0xFFFF_FFFF,
];

pub(crate) struct Vandal(pub(crate) SecretRng);

impl Vandal {
    fn below(&mut self, bound: usize) -> usize {
        (self.0.next_word() % bound as u64) as usize
    }

    /// Returns a position; those in the header are as likely as all others together.
    fn position(&mut self, len: usize) -> usize {
        let reach = if self.below(2) == 0 { len } else { len.min(HEADER + 16) };
        self.below(reach.max(1))
    }

    fn damage(&mut self, bytes: &mut Vec<u8>) {
        let at = self.position(bytes.len());
        match self.below(6) {
            0 => bytes[at] ^= 1 << self.below(8),
            1 => bytes[at] = self.0.next_word() as u8,
            2 => bytes.truncate(at),
            3 => bytes.extend(std::iter::repeat_n(self.0.next_word() as u8, at % 64)),
            4 => {
                let word = EXTREMES[self.below(EXTREMES.len())].to_le_bytes();
                bytes.iter_mut().skip(at).zip(word).for_each(|(b, w)| *b = w);
            }
            _ => {
                let end = (at + self.below(64)).min(bytes.len());
                let copied = bytes[at..end].to_vec();
                let target = self.below(bytes.len());
                bytes.iter_mut().skip(target).zip(copied).for_each(|(b, c)| *b = c);
            }
        }
        if bytes.is_empty() {
            bytes.push(0);
        }
    }

    /// Returns a copy that is damaged one to three times. In three of four cases, length and
    /// checksum are corrected.
    pub(crate) fn damaged(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        for _ in 0..=self.below(3) {
            self.damage(&mut bytes);
        }
        if self.below(4) == 0 || bytes.len() < HEADER + 16 {
            return bytes;
        }
        if self.below(2) == 0 {
            let payload = (bytes.len() - HEADER - 16) as u64;
            bytes[HEADER - 8..HEADER].copy_from_slice(&payload.to_le_bytes());
        }
        sealed(bytes)
    }
}

/// Applies operations, which must return a result or an error whatever the decoder accepted.
fn used<S: Modular>(s: &Sample<S>, kind: Kind, bytes: &[u8]) {
    match kind {
        Kind::Ciphertext => {
            let c = Ciphertext::from_bytes(&s.params, bytes).unwrap();
            assert!(c.noise_budget_bits() >= 0.0);
            let e = s.evaluator();
            let _ = (e.add(&c, &s.ciphertext), e.mul(&c, &c), s.secret.decrypt(&c));
        }
        Kind::EvaluationKeys => {
            let keys = EvaluationKeys::from_bytes(&s.params, bytes).unwrap();
            let e = Evaluator::new(keys);
            let c = &s.ciphertext;
            let _ = (e.mul(c, c), e.rotate(c, 1), e.sub(c, c));
        }
        _ => {}
    }
}

fn survivors<S: Modular>(kind: Kind, rounds: usize) -> usize {
    let s = Sample::<S>::new(small());
    let (_, valid) = encodings(&s).into_iter().find(|e| e.0 == kind).unwrap();
    let mut vandal = Vandal(SecretRng::insecure_from_seed(kind as u64));
    let mut accepted = 0;
    for round in 0..rounds {
        let bytes = vandal.damaged(&valid);
        let _ = summary(&bytes);
        if let Ok(again) = recoded(kind, &s.params, &bytes) {
            assert_eq!(again, bytes, "round {round}: {kind} is not canonical");
            used(&s, kind, &bytes);
            accepted += 1;
        }
    }
    accepted
}

#[test]
fn damaged_ciphertexts_do_no_harm() {
    // Residues are dense, so that some damage goes unnoticed after the checksum was corrected.
    assert!(survivors::<Bfv>(Kind::Ciphertext, ROUNDS) > ROUNDS / 50);
}

#[test]
fn damaged_keys_do_no_harm() {
    assert!(survivors::<Bfv>(Kind::PublicKey, ROUNDS) > ROUNDS / 50);
    assert!(survivors::<Bfv>(Kind::EvaluationKeys, ROUNDS / 4) > ROUNDS / 200);
    survivors::<Bfv>(Kind::SecretKey, ROUNDS);
}

#[test]
fn damaged_plaintexts_and_parameters_do_no_harm() {
    survivors::<Bfv>(Kind::Plaintext, ROUNDS);
    survivors::<Bfv>(Kind::Params, ROUNDS);
}

#[test]
fn damaged_ciphertexts_of_the_border_form_do_no_harm() {
    let s = Sample::<Bfv>::new(small());
    let valid = s.ciphertext.to_msb().to_bytes();
    let mut vandal = Vandal(SecretRng::insecure_from_seed(77));
    for round in 0..ROUNDS {
        let bytes = vandal.damaged(&valid);
        if let Ok(again) = recoded_msb(&s.params, &bytes) {
            assert_eq!(again, bytes, "round {round}");
            let read = fathom::bfv::MsbCiphertext::from_bytes(&s.params, &bytes).unwrap();
            assert!(s.params.from_msb(&read).is_ok());
        }
    }
}

#[test]
fn noise_is_no_object() {
    let s = Sample::<Bfv>::new(small());
    let mut rng = SecretRng::insecure_from_seed(5);
    for _ in 0..ROUNDS {
        let mut bytes = vec![0; (rng.next_word() % 400) as usize];
        rng.fill(&mut bytes);
        for (kind, _) in encodings(&s) {
            assert!(recoded(kind, &s.params, &bytes).is_err());
        }
    }
}
