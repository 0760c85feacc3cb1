//! The attestation stage of document 001: a hash of the scores and a signature over it. It says who
//! computed, and proves nothing about the computation. Nothing here is encrypted.

use fathom::SecretRng;
use fathom_cases::program::Meter;
use fathom_cases::program::Program;
use ml_dsa::{ExpandedSigningKey, MlDsa65, Seed, VerifyingKey};
use sha3::{Digest, Sha3_256};

/// Context of the signatures.
const CONTEXT: &[u8] = b"fathom bench h33";

/// A signer and its verifier, with ML-DSA-65 (FIPS 204).
pub(super) struct Attestation {
    key: ExpandedSigningKey<MlDsa65>,
    verifier: VerifyingKey<MlDsa65>,
}

impl Attestation {
    pub(super) fn new(rng: &mut SecretRng) -> Self {
        let mut seed = Seed::default();
        rng.fill(&mut seed[..]);
        let key = ExpandedSigningKey::from_seed(&seed);
        let verifier = key.verifying_key();
        Self { key, verifier }
    }

    fn sign(&self, digest: &[u8]) -> ml_dsa::Signature<MlDsa65> {
        self.key.sign_deterministic(digest, CONTEXT).expect("the context has under 256 bytes")
    }

    /// Hashes the scores, signs the hash and verifies the signature.
    pub(super) fn attests(&self, scores: &[i64]) -> bool {
        let digest = hash(&bytes(scores));
        let signature = self.sign(&digest);
        self.verifier.verify_with_context(&digest, CONTEXT, &signature)
    }
}

fn bytes(scores: &[i64]) -> Vec<u8> {
    scores.iter().flat_map(|score| score.to_le_bytes()).collect()
}

fn hash(bytes: &[u8]) -> [u8; 32] {
    Sha3_256::digest(bytes).into()
}

/// Returns the stages on their own.
pub(super) fn programs() -> Vec<Program> {
    let of = |op: &str, text: &str, work: fn(&mut Meter, &Attestation)| {
        Program::new("attestation", "mldsa65", op, text, move |meter| {
            work(meter, &Attestation::new(&mut SecretRng::from_os()?));
            Ok(())
        })
    };
    vec![
        of("sha3_256", "SHA3-256 of the scores of 32 users: attestation, not proof", |meter, _| {
            let scores: Vec<i64> = (0..32).collect();
            let found = meter.time_plain(1, || hash(&bytes(&scores)));
            let mut parts = Sha3_256::new();
            for score in &scores {
                parts.update(score.to_le_bytes());
            }
            let expected: [u8; 32] = parts.finalize().into();
            meter.check(found, expected);
        }),
        of(
            "mldsa65_sign",
            "ML-DSA-65 signature of a hash: attestation, not proof",
            |meter, own| {
                let signature = meter.time_plain(1, || own.sign(&[7; 32]));
                let right = own.verifier.verify_with_context(&[7; 32], CONTEXT, &signature);
                let wrong = own.verifier.verify_with_context(&[8; 32], CONTEXT, &signature);
                meter.check([right, wrong], [true, false]);
            },
        ),
        of(
            "mldsa65_verify",
            "verification of a signature: attestation, not proof",
            |meter, own| {
                let signature = own.sign(&[7; 32]);
                let verify =
                    |digest: &[u8]| own.verifier.verify_with_context(digest, CONTEXT, &signature);
                let right = meter.time_plain(1, || verify(&[7; 32]));
                meter.check([right, verify(&[8; 32])], [true, false]);
            },
        ),
    ]
}
