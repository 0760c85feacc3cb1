//! Ciphertexts: two or three polynomials, or one and a seed.

use super::frame::{Fields, Kind, Label, OVERHEAD, SEEDED, open, seal};
use super::poly::{poly_len, read_poly, write_poly};
use super::reader::{Reader, at_most};
use super::{WireError, frame::Frame};
use crate::rlwe::Noise;
use crate::rlwe::exact::{Ciphertext, Params, Scheme};
use fathom_ring::{Domain, Eval, Limbs, Poly, Seed, uniform_eval};

const SEED_BYTES: usize = 32;

/// No noise that fits a modulus has a higher order: every product of orders `j` and `k` grows the
/// noise by the binomial of `j + k` over `j`, at least one bit for each unit of order, and 64
/// primes of 61 bits have 3904.
const HIGHEST_ORDER: u32 = 4096;

impl<S: Scheme> Ciphertext<S> {
    /// The wire form. A ciphertext that still carries its seed takes about half the bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let components = self.component_count();
        let fields = fields(&self.params, self.level(), components, (self.factor, self.noise));
        let flags = if self.is_seeded() { SEEDED } else { 0 };
        seal(label(&self.params), Fields { flags, ..fields }, self.payload_len(), |out| {
            let explicit = if self.is_seeded() { components - 1 } else { components };
            self.parts[..explicit].iter().for_each(|part| write_poly(part, out));
            out.extend(self.seed.iter().flat_map(|seed| seed.0));
        })
    }

    /// Length of [`Ciphertext::to_bytes`], computed.
    pub fn byte_len(&self) -> usize {
        OVERHEAD + self.payload_len()
    }

    /// Reads a ciphertext of these parameters.
    ///
    /// Its noise bound is what the sender claims, see [`crate::wire`]; use
    /// [`Ciphertext::from_bytes_fresh`] for the inputs of a sender who is not trusted.
    ///
    /// # Errors
    /// Every [`WireError`] but [`WireError::Params`]; [`WireError::NoiseBound`] if the bound is
    /// past the limit of the level.
    pub fn from_bytes(params: &Params<S>, bytes: &[u8]) -> Result<Ciphertext<S>, WireError> {
        let frame = open(bytes, Kind::Ciphertext, S::NAME)?;
        frame.belongs(params.id())?;
        let claims = Claims::read(params, &frame.fields)?;
        read(params, &claims, &frame)
    }

    /// Reads a ciphertext as encryption made it: two components with the factor of a fresh message.
    /// The bound that the sender claims is ignored; the ciphertext gets that of the noisier kind of
    /// fresh encryption.
    ///
    /// This bound holds for an honest encryption. A sender who encrypts with more noise than that
    /// spoils the results that depend on the input, and no others.
    ///
    /// # Errors
    /// As [`Ciphertext::from_bytes`]; [`WireError::Range`] for three components,
    /// [`WireError::Malformed`] for another factor.
    pub fn from_bytes_fresh(params: &Params<S>, bytes: &[u8]) -> Result<Ciphertext<S>, WireError> {
        let frame = open(bytes, Kind::Ciphertext, S::NAME)?;
        frame.belongs(params.id())?;
        at_most("component count", frame.fields.components.into(), 2)?;
        let level = level(params, &frame.fields)?;
        if frame.fields.factor != S::fresh_factor(params, level) {
            return Err(WireError::Malformed { field: "factor" });
        }
        let fresh = noisier(params.secret_key_noise(), params.public_key_noise());
        let [fixed, sigma, peak] = [fresh.fixed, fresh.sigma, fresh.peak].map(f64::to_bits);
        let fields = Fields { fixed, sigma, peak, order: fresh.order, ..frame.fields };
        let claims = Claims::read(params, &fields)?;
        read(params, &claims, &frame)
    }

    fn payload_len(&self) -> usize {
        let ring = &self.params.context().ring;
        payload_len(poly_len(ring, self.limbs()), self.component_count(), self.is_seeded().into())
    }
}

fn payload_len(poly: usize, components: usize, seeds: usize) -> usize {
    (components - seeds) * poly + seeds * SEED_BYTES
}

fn label<S: Scheme>(params: &Params<S>) -> Label<'_> {
    Label { kind: Kind::Ciphertext, scheme: S::NAME, params_id: params.id() }
}

fn read<S: Scheme>(
    params: &Params<S>,
    claims: &Claims,
    frame: &Frame<'_>,
) -> Result<Ciphertext<S>, WireError> {
    let ring = &params.context().ring;
    let seeds = usize::from(frame.fields.flags & SEEDED);
    if seeds == 1 {
        at_most("component count", claims.components as u64, 2)?;
    }
    let poly = poly_len(ring, claims.limbs);
    frame.expect(params.id(), payload_len(poly, claims.components, seeds))?;
    let mut payload = frame.payload;
    let mut parts = read_parts(&mut payload, params, claims, claims.components - seeds)?;
    let seed = if seeds == 1 { Some(payload.seed()?) } else { None };
    parts.extend(seed.map(|seed: Seed| uniform_eval(ring, claims.limbs, &seed)));
    refuse_transparent(&parts)?;
    payload.finish()?;
    let Claims { factor, noise, .. } = *claims;
    Ok(Ciphertext { params: params.clone(), parts, factor, noise, seed })
}

/// What a header claims about a ciphertext, checked against the parameters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Claims {
    pub(super) limbs: Limbs,
    pub(super) components: usize,
    pub(super) factor: u64,
    pub(super) noise: Noise,
}

impl Claims {
    /// Checks every field of a header.
    pub(super) fn read<S: Scheme>(
        params: &Params<S>,
        fields: &Fields,
    ) -> Result<Claims, WireError> {
        at_most("flags", fields.flags.into(), SEEDED.into())?;
        at_most("component count", fields.components.into(), 3)?;
        if fields.components < 2 {
            return Err(WireError::Malformed { field: "component count" });
        }
        let level = level(params, fields)?;
        at_most("factor", fields.factor, params.plain_modulus() - 1)?;
        if fields.factor == 0 {
            return Err(WireError::Malformed { field: "factor" });
        }
        let noise = noise(fields)?;
        let left_bits = params.budget_bits(noise, level);
        let bound_bits = noise.bound(params.context().tail).log2();
        if left_bits < 0.0 {
            return Err(WireError::NoiseBound { bound_bits, limit_bits: bound_bits + left_bits });
        }
        let limbs = Limbs::chain(level + 1);
        let components = fields.components.into();
        Ok(Claims { limbs, components, factor: fields.factor, noise })
    }
}

fn level<S: Scheme>(params: &Params<S>, fields: &Fields) -> Result<usize, WireError> {
    Ok(at_most("level", fields.level.into(), params.top_level() as u64)? as usize)
}

/// Finite numbers without a sign, and an order that arithmetic can lead to.
fn noise(fields: &Fields) -> Result<Noise, WireError> {
    let [fixed, sigma, peak] = [fields.fixed, fields.sigma, fields.peak].map(f64::from_bits);
    if [fixed, sigma, peak].iter().any(|x| !x.is_finite() || x.is_sign_negative()) {
        return Err(WireError::Malformed { field: "noise bound" });
    }
    at_most("noise order", fields.order.into(), HIGHEST_ORDER.into())?;
    if fields.order == 0 {
        return Err(WireError::Malformed { field: "noise order" });
    }
    Ok(Noise { fixed, sigma, peak, order: fields.order })
}

fn noisier(a: Noise, b: Noise) -> Noise {
    let (fixed, sigma) = (a.fixed.max(b.fixed), a.sigma.max(b.sigma));
    Noise { fixed, sigma, peak: a.peak.max(b.peak), order: a.order.max(b.order) }
}

/// The header fields of a ciphertext without a seed.
pub(super) fn fields<S: Scheme>(
    params: &Params<S>,
    level: usize,
    components: usize,
    (factor, noise): (u64, Noise),
) -> Fields {
    debug_assert!(level <= params.top_level() && noise.order <= HIGHEST_ORDER);
    Fields {
        flags: 0,
        components: components as u8,
        factor,
        fixed: noise.fixed.to_bits(),
        sigma: noise.sigma.to_bits(),
        peak: noise.peak.to_bits(),
        order: noise.order,
        level: level as u32,
    }
}

/// The first `count` components.
pub(super) fn read_parts<D: Domain, S: Scheme>(
    payload: &mut Reader<'_>,
    params: &Params<S>,
    claims: &Claims,
    count: usize,
) -> Result<Vec<Poly<D>>, WireError> {
    let ring = &params.context().ring;
    (0..count).map(|_| read_poly(payload, ring, claims.limbs)).collect()
}

/// Refuses a ciphertext that shows its message to everybody.
pub(super) fn refuse_transparent(parts: &[Poly<Eval>]) -> Result<(), WireError> {
    if parts[1..].iter().all(Poly::is_zero) { Err(WireError::Transparent) } else { Ok(()) }
}
