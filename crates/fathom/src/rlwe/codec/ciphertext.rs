//! Ciphertexts of two or three polynomials, one of which may be given by a seed.

use super::claims::Claims;
use super::meta::MetaCodec;
use super::poly::{key_of, poly_len, read_poly, seal_object, write_poly};
use crate::Error;
use crate::rlwe::{Bounds, Ciphertext, Encryption, Lineage, Noise, Params, source};
use crate::wire::WireError;
use crate::wire::frame::{FRESH, Fields, Frame, Label, OVERHEAD, SEEDED, open, transparent};
use crate::wire::kind::Kind;
use crate::wire::reader::Reader;
use fathom_ring::{Domain, Eval, Limbs, Poly, Seed, uniform_eval};

const SEED_BYTES: usize = 32;

impl<S: MetaCodec> Ciphertext<S> {
    /// Returns the wire form. A ciphertext that still has its seed takes about half the bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let label = Label {
            kind: Kind::Ciphertext,
            scheme: S::NAME,
            params_id: self.params.id(),
            key_id: Some(self.key),
        };
        let seeded = if self.is_seeded() { SEEDED } else { 0 };
        let flags = seeded | if self.is_fresh() { FRESH } else { 0 };
        let fields = Fields { flags, meta: &self.claims().to_bytes() };
        seal_object(&self.params, label, fields, self.payload_len(), |out| {
            let explicit = self.component_count() - usize::from(self.is_seeded());
            self.parts[..explicit].iter().for_each(|part| write_poly(part, out));
            out.extend(self.seed.iter().flat_map(|seed| seed.0));
        })
    }

    /// Returns the length of [`Ciphertext::to_bytes`] in bytes.
    pub fn byte_len(&self) -> usize {
        OVERHEAD + self.claims().to_bytes().len() + self.payload_len()
    }

    /// Reads a ciphertext of these parameters.
    ///
    /// Its noise bound is a claim of the sender (see [`crate::wire`]). Use
    /// [`Ciphertext::from_bytes_fresh`] for the inputs of untrusted senders.
    ///
    /// # Errors
    /// [`Error::Wire`]; [`WireError::NoiseBound`] if the bound exceeds the limit of the level;
    /// [`Error::ParamsMismatch`], [`Error::Transparent`].
    pub fn from_bytes(params: &Params<S>, bytes: &[u8]) -> Result<Ciphertext<S>, Error> {
        let frame = open(bytes, Kind::Ciphertext, S::NAME)?;
        frame.belongs(params.id())?;
        let claims = Claims::read(params, &frame.fields)?.within_limits(params)?;
        read(params, &claims, &frame)
    }

    /// Reads a ciphertext that its header declares as fresh. The sender's noise bound is ignored;
    /// the ciphertext gets the bound of the noisier kind of fresh encryption. Of a CKKS message,
    /// the larger one of the magnitudes that the sender and the parameters state is believed.
    ///
    /// This bound holds for an honest encryption. A sender who encrypts with more noise, or
    /// declares a computed ciphertext as fresh, spoils the results that depend on this input, and
    /// no others.
    ///
    /// # Errors
    /// As [`Ciphertext::from_bytes`], with [`WireError::NoiseBound`] for a magnitude that exceeds
    /// the modulus of the level; [`WireError::NotFresh`] for the result of a computation.
    pub fn from_bytes_fresh(params: &Params<S>, bytes: &[u8]) -> Result<Ciphertext<S>, Error> {
        let frame = open(bytes, Kind::Ciphertext, S::NAME)?;
        frame.belongs(params.id())?;
        if frame.fields.flags & FRESH == 0 {
            return Err(WireError::NotFresh.into());
        }
        let claims = Claims::read(params, &frame.fields)?;
        let noise = fresh_noise(params, claims.noise.message)?;
        let claims = Claims { noise, ..claims }.within_limits(params)?;
        read(params, &claims, &frame)
    }

    fn claims(&self) -> Claims<S> {
        Claims {
            level: self.level(),
            components: self.component_count(),
            meta: self.meta,
            facts: self.facts,
            noise: self.noise,
        }
    }

    fn payload_len(&self) -> usize {
        let poly = poly_len(self.params.context(), self.limbs());
        payload_len(poly, self.component_count(), self.is_seeded().into())
    }
}

fn payload_len(poly: usize, components: usize, seeds: usize) -> usize {
    (components - seeds) * poly + seeds * SEED_BYTES
}

fn read<S: MetaCodec>(
    params: &Params<S>,
    claims: &Claims<S>,
    frame: &Frame<'_>,
) -> Result<Ciphertext<S>, Error> {
    let ring = &params.context().ring;
    let limbs = claims.level.limbs().chain();
    let seeds = usize::from(frame.fields.flags & SEEDED);
    frame.expect(
        params.id(),
        payload_len(poly_len(params.context(), limbs), claims.components, seeds),
    )?;
    let mut payload = frame.payload;
    let mut parts = read_parts(&mut payload, params, limbs, claims.components - seeds)?;
    let seed = if seeds == 1 { Some(payload.seed()?) } else { None };
    parts.extend(seed.map(|seed: Seed| uniform_eval(ring, limbs, &seed)));
    refuse_transparent(&parts)?;
    payload.finish()?;
    let fresh = frame.fields.flags & FRESH != 0;
    Ok(Ciphertext {
        params: params.clone(),
        key: key_of(params, frame)?,
        meta: claims.meta,
        facts: claims.facts,
        noise: claims.noise,
        lineage: if fresh { Lineage::of(source(&parts[1])) } else { Lineage::Unknown },
        fresh,
        seed,
        parts,
    })
}

/// Returns the larger of the noises of secret-key and public-key encryption.
fn fresh_noise<S: MetaCodec>(params: &Params<S>, claimed: Bounds) -> Result<Noise, WireError> {
    let [message, rest] = S::received(params, claimed)?;
    let noise = Encryption::PublicKey.greatest_noise(params.context(), message);
    Ok(Noise { rest: noise.rest.plus(rest), ..noise })
}

/// Reads the first `count` components.
pub(crate) fn read_parts<D: Domain, S: MetaCodec>(
    payload: &mut Reader<'_>,
    params: &Params<S>,
    limbs: Limbs,
    count: usize,
) -> Result<Vec<Poly<D>>, WireError> {
    let ring = &params.context().ring;
    (0..count).map(|_| read_poly(payload, ring, limbs)).collect()
}

/// Refuses a ciphertext that anyone can read.
pub(crate) fn refuse_transparent(parts: &[Poly<Eval>]) -> Result<(), Error> {
    if parts[1..].iter().all(Poly::is_zero) { Err(transparent()) } else { Ok(()) }
}
