//! Ciphertexts of two or three polynomials, one of which may be given by a seed.

use super::claims::Claims;
use super::meta::MetaCodec;
use super::poly::{key_of, poly_len, read_poly, write_poly};
use crate::Error;
use crate::rlwe::{Bounds, Ciphertext, Encryption, Lineage, Noise, Params, source};
use crate::wire::frame::{FRESH, Frame, SEEDED, transparent};
use crate::wire::reader::{Reader, SEED_BYTES};
use crate::wire::{Header, Kind, Trust, Wire, WireError, WireFresh, WireObject};
use fathom_ring::{Domain, Eval, Limbs, Poly, Seed, uniform_eval};

/// A noise bound beyond the limit of the level is refused with [`WireError::NoiseBound`], and so is
/// the magnitude of a fresh CKKS message beyond the modulus of its level.
impl<S: MetaCodec> Wire for Ciphertext<S> {
    type Context = Params<S>;
    const KIND: Kind = Kind::Ciphertext;
    const SCHEME: &'static str = S::NAME;

    fn read(params: &Params<S>, frame: &mut Frame<'_>, trust: Trust) -> Result<Self, Error> {
        frame.belongs(params.id())?;
        if trust == Trust::FreshOnly && frame.fields.flags & FRESH == 0 {
            return Err(WireError::NotFresh.into());
        }
        let mut claims = Claims::read(params, &frame.fields)?;
        if trust == Trust::FreshOnly {
            // The second half of an encryption under the public key comes from no seed.
            let seeded = frame.fields.flags & SEEDED != 0;
            let encryption = if seeded { Encryption::SecretKey } else { Encryption::PublicKey };
            claims.noise = fresh_noise(params, encryption, claims.noise.message)?;
        }
        read(params, &claims.within_limits(params)?, frame)
    }
}

impl<S: MetaCodec> WireFresh for Ciphertext<S> {}

/// A ciphertext that still has its seed takes about half the bytes.
impl<S: MetaCodec> WireObject for Ciphertext<S> {
    fn header(&self) -> Header {
        let seeded = if self.is_seeded() { SEEDED } else { 0 };
        let flags = seeded | if self.is_fresh() { FRESH } else { 0 };
        let meta = self.claims().to_bytes();
        Header { flags, meta, ..Header::of_key(*self.params.id(), self.key) }
    }

    fn payload_len(&self) -> usize {
        let poly = poly_len(self.params.context(), self.limbs());
        payload_len(poly, self.component_count(), self.is_seeded().into())
    }

    fn write(&self, out: &mut Vec<u8>) {
        let explicit = self.component_count() - usize::from(self.is_seeded());
        self.parts[..explicit].iter().for_each(|part| write_poly(part, out));
        out.extend(self.seed.iter().flat_map(|seed| seed.0));
    }

    fn has_no_content(&self) -> bool {
        self.params.context().is_simulated()
    }
}

impl<S: MetaCodec> Ciphertext<S> {
    fn claims(&self) -> Claims<S> {
        Claims {
            level: self.level(),
            components: self.component_count(),
            meta: self.meta,
            facts: self.facts,
            noise: self.noise,
        }
    }
}

fn payload_len(poly: usize, components: usize, seeds: usize) -> usize {
    (components - seeds) * poly + seeds * SEED_BYTES
}

fn read<S: MetaCodec>(
    params: &Params<S>,
    claims: &Claims<S>,
    frame: &mut Frame<'_>,
) -> Result<Ciphertext<S>, Error> {
    let ring = &params.context().ring;
    let limbs = claims.level.limbs().chain();
    let seeds = usize::from(frame.fields.flags & SEEDED);
    frame.expect(
        params.id(),
        payload_len(poly_len(params.context(), limbs), claims.components, seeds),
    )?;
    let payload = &mut frame.payload;
    let mut parts = read_parts(payload, params, limbs, claims.components - seeds)?;
    let seed = if seeds == 1 { Some(payload.seed()?) } else { None };
    parts.extend(seed.map(|seed: Seed| uniform_eval(ring, limbs, &seed)));
    refuse_transparent(&parts)?;
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

/// Returns the noise of the noisiest honest encryption: under the secret key, or under either key.
fn fresh_noise<S: MetaCodec>(
    params: &Params<S>,
    encryption: Encryption,
    claimed: Bounds,
) -> Result<Noise, WireError> {
    let [message, rest] = S::received(params, claimed)?;
    let noise = encryption.greatest_noise(&params.context().model, message);
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
