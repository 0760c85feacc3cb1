//! Sample objects, and functions that damage their encodings.

use fathom::bfv::{Bfv, MsbCiphertext};
use fathom::rlwe::modular::{
    Ciphertext, EvaluationKeys, Evaluator, GaloisKeys, Modular, Params, Plaintext, PublicKey,
    RelinearizationKey, Rotations, SecretKey, Spec,
};
use fathom::wire::{Kind, Wire, WireObject};
use fathom::{Gadget, SecretRng, SecurityLevel};

/// Lengths of the header and of the checksum.
pub(crate) const HEADER: usize = 72;
pub(crate) const CHECKSUM: usize = 16;

/// One object of each kind.
pub(crate) struct Sample<S: Modular> {
    pub(crate) params: Params<S>,
    pub(crate) secret: SecretKey<S>,
    pub(crate) public: PublicKey<S>,
    pub(crate) keys: EvaluationKeys<S>,
    pub(crate) values: Vec<u64>,
    pub(crate) plaintext: Plaintext<S>,
    pub(crate) ciphertext: Ciphertext<S>,
    pub(crate) rng: SecretRng,
}

impl<S: Modular> Sample<S> {
    pub(crate) fn new(spec: Spec) -> Sample<S> {
        let mut rng = SecretRng::insecure_from_seed(11);
        let params: Params<S> = Params::new(spec).unwrap();
        let secret = SecretKey::generate(&params, &mut rng);
        let public = secret.public_key(&mut rng);
        // The smallest set has no slots, and its keys travel all the same.
        let galois = secret.galois_keys(&Rotations::steps(&[1, 3]), &mut rng);
        let keys = secret.evaluation_keys(&Rotations::none(), &mut rng).unwrap();
        let keys = keys.with_galois_keys(&galois).unwrap();
        let t = params.plain_modulus();
        let values: Vec<u64> = (0..params.degree()).map(|_| rng.next_word() % t).collect();
        let plaintext = params.encode_coefficients(&values).unwrap();
        let ciphertext = secret.encrypt(&plaintext, &mut rng).unwrap();
        Sample { params, secret, public, keys, values, plaintext, ciphertext, rng }
    }

    pub(crate) fn evaluator(&self) -> Evaluator<S> {
        Evaluator::new(self.keys.clone())
    }
}

/// Returns the smallest secure parameters, for tests that decode thousands of damaged objects.
pub(crate) fn small() -> Spec {
    Spec {
        name: "small".to_owned(),
        degree: 1024,
        plain_modulus: 257,
        chain_bits: vec![26.0],
        special_bits: Vec::new(),
        gadget: Gadget::Positional { base_log: 9 },
        secret_weight: None,
        security: SecurityLevel::Bits128,
        failure_log2: -64.0,
    }
}

/// Corrects the checksum.
pub(crate) fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.len().saturating_sub(CHECKSUM);
    let sum = blake3::hash(&bytes[..end]);
    let len = bytes.len() - end;
    bytes[end..].copy_from_slice(&sum.as_bytes()[..len]);
    bytes
}

/// Returns the frame with `new` at `offset` and a valid checksum.
pub(crate) fn with(bytes: &[u8], offset: usize, new: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[offset..offset + new.len()].copy_from_slice(new);
    sealed(bytes)
}

/// Returns the frame with another payload, a valid length and a valid checksum.
pub(crate) fn with_payload(bytes: &[u8], edit: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let start = HEADER + usize::from(u16::from_le_bytes([bytes[10], bytes[11]]));
    let mut payload = bytes[start..bytes.len() - CHECKSUM].to_vec();
    edit(&mut payload);
    let mut out = bytes[..start].to_vec();
    out[HEADER - 8..HEADER].copy_from_slice(&(payload.len() as u64).to_le_bytes());
    out.extend(payload);
    out.extend([0; CHECKSUM]);
    sealed(out)
}

/// Decodes an object of `kind` and encodes it again.
pub(crate) fn recoded<S: Modular>(
    kind: Kind,
    params: &Params<S>,
    bytes: &[u8],
) -> Result<Vec<u8>, fathom::Error> {
    Ok(match kind {
        Kind::Params => Params::<S>::from_bytes(bytes)?.to_bytes(),
        Kind::SecretKey => SecretKey::from_secret_bytes(params, bytes)?.to_secret_bytes().to_vec(),
        Kind::PublicKey => PublicKey::from_bytes(params, bytes)?.to_bytes(),
        Kind::EvaluationKeys => EvaluationKeys::from_bytes(params, bytes)?.to_bytes(),
        Kind::RelinearizationKey => RelinearizationKey::from_bytes(params, bytes)?.to_bytes(),
        Kind::GaloisKeys => GaloisKeys::from_bytes(params, bytes)?.to_bytes(),
        Kind::Ciphertext => Ciphertext::from_bytes(params, bytes)?.to_bytes(),
        Kind::Plaintext => Plaintext::from_bytes(params, bytes)?.to_bytes(),
        other => unreachable!("{other} belongs to one scheme"),
    })
}

pub(crate) fn recoded_msb(params: &Params<Bfv>, bytes: &[u8]) -> Result<Vec<u8>, fathom::Error> {
    Ok(MsbCiphertext::from_bytes(params, bytes)?.to_bytes())
}

/// Returns an encoding of each kind that both schemes have.
pub(crate) fn encodings<S: Modular>(s: &Sample<S>) -> Vec<(Kind, Vec<u8>)> {
    vec![
        (Kind::Params, s.params.to_bytes()),
        (Kind::SecretKey, s.secret.to_secret_bytes().to_vec()),
        (Kind::PublicKey, s.public.to_bytes()),
        (Kind::EvaluationKeys, s.keys.to_bytes()),
        (Kind::Ciphertext, s.ciphertext.to_bytes()),
        (Kind::Plaintext, s.plaintext.to_bytes()),
        (Kind::RelinearizationKey, s.keys.relinearization_key().unwrap().to_bytes()),
        (Kind::GaloisKeys, s.keys.galois_keys().unwrap().to_bytes()),
    ]
}
