//! The wire forms of the key pair: a public key is one polynomial and the seed of the other; a
//! secret key has two bits for each coefficient.

use super::poly::{key_of, poly_len, read_poly, write_poly};
use crate::Error;
use crate::rlwe::{Encoding, Params, PublicKey, SecretKey};
use crate::wire::frame::{Fields, Frame, Label, OVERHEAD, open, seal};
use crate::wire::pack::{pack, packed_len, unpack};
use crate::wire::{Header, Kind, Trust, Wire, WireError, WireObject};
use fathom_ring::{Limbs, SecretCoefficients, uniform_eval};
use fathom_security::SecretDistribution;
use zeroize::{Zeroize, Zeroizing};

/// The reader must verify whose key it is.
impl<S: Encoding> Wire for PublicKey<S> {
    type Context = Params<S>;
    const KIND: Kind = Kind::PublicKey;
    const SCHEME: &'static str = S::NAME;

    fn read(params: &Params<S>, frame: &mut Frame<'_>, _: Trust) -> Result<Self, Error> {
        frame.plain()?.expect(params.id(), public_len(params))?;
        let ring = &params.context().ring;
        let seed = frame.payload.seed()?;
        let b = read_poly(&mut frame.payload, ring, ring.all_limbs())?;
        let a = uniform_eval(ring, ring.all_limbs(), &seed);
        Ok(PublicKey { params: params.clone(), key: key_of(params, frame)?, b, a, seed })
    }
}

impl<S: Encoding> WireObject for PublicKey<S> {
    fn header(&self) -> Header {
        Header::of_key(*self.params().id(), self.key)
    }

    fn payload_len(&self) -> usize {
        public_len(self.params())
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.seed.0);
        write_poly(&self.b, out);
    }
}

fn public_len<S: Encoding>(params: &Params<S>) -> usize {
    let context = params.context();
    32 + poly_len(context, context.ring.all_limbs())
}

/// Number of bits that hold a coefficient plus one, which is 0, 1 or 2.
const COEFFICIENT_BITS: u32 = 2;

impl<S: Encoding> SecretKey<S> {
    /// Encodes the key, for storage that only its owner can read. The bytes are **secret** and
    /// wiped when dropped.
    pub fn to_secret_bytes(&self) -> Zeroizing<Vec<u8>> {
        let params = self.params();
        let label = Label {
            kind: Kind::SecretKey,
            scheme: S::NAME,
            params_id: params.id(),
            key_id: Some(self.id),
        };
        let mut poly = self.s.expose().restricted(Limbs::chain(1)).into_coeff();
        let modulus = params.context().ring.modulus(0).value();
        let shifted = |&word: &u64| {
            // Maps q - 1, 0, 1 to 0, 1, 2 without a branch.
            let next = word + 1;
            next - modulus * u64::from(next >= modulus)
        };
        let digits = Zeroizing::new(poly.row(0).iter().map(shifted).collect::<Vec<u64>>());
        poly.wipe();
        Zeroizing::new(seal(label, Fields::default(), secret_len(params), |out| {
            pack(&digits, COEFFICIENT_BITS, out);
        }))
    }

    /// Returns the length of [`SecretKey::to_secret_bytes`] in bytes.
    pub fn secret_byte_len(&self) -> usize {
        OVERHEAD + secret_len(self.params())
    }

    /// Reads a secret key of these parameters. The caller is responsible for wiping `bytes`.
    ///
    /// # Errors
    /// The [`WireError`]s of a frame; [`WireError::Malformed`] for coefficients that the
    /// distribution of the parameters cannot have, or that key generation would have rejected.
    pub fn from_secret_bytes(params: &Params<S>, bytes: &[u8]) -> Result<SecretKey<S>, Error> {
        let frame = open(bytes, Kind::SecretKey, S::NAME)?.plain()?;
        frame.expect(params.id(), secret_len(params))?;
        let mut payload = frame.payload;
        let packed = payload.take(secret_len(params))?;
        payload.finish()?;
        let mut digits = Zeroizing::new(vec![0; params.degree()]);
        let malformed = WireError::Malformed { field: "secret key" };
        unpack(packed, COEFFICIENT_BITS, 2, &mut digits).map_err(|_| malformed.clone())?;
        let weight: u64 = digits.iter().map(|&digit| u64::from(digit != 1)).sum();
        if !possible_weight(params, weight) {
            return Err(malformed.into());
        }
        let coefficients = digits.iter().map(|&digit| digit as i64 - 1).collect();
        digits.zeroize();
        let ring = &params.context().ring;
        let secret = SecretCoefficients::new(coefficients);
        if !params.context().model.secret.hold(secret.expose(), &params.context().roots) {
            return Err(malformed.into());
        }
        let s = secret.to_eval(ring, ring.all_limbs());
        Ok(SecretKey { params: params.clone(), id: frame.key()?, s })
    }
}

fn possible_weight<S: Encoding>(params: &Params<S>, weight: u64) -> bool {
    match params.context().spec.secret {
        SecretDistribution::SparseTernary { weight: expected } => weight == u64::from(expected),
        SecretDistribution::Ternary | SecretDistribution::Gaussian => weight > 0,
    }
}

fn secret_len<S: Encoding>(params: &Params<S>) -> usize {
    packed_len(params.degree(), COEFFICIENT_BITS)
}
