//! Ciphertexts of two or three polynomials, one of which may be given by a seed.

use super::frame::{FRESH, Fields, Label, OVERHEAD, SEEDED, open, seal, transparent};
use super::kind::Kind;
use super::poly::{poly_len, read_poly, write_poly};
use super::reader::{Reader, at_most};
use super::{WireError, frame::Frame};
use crate::rlwe::exact::Scheme;
use crate::rlwe::{Ciphertext, Level, LimbCount, Lineage, Noise, Params, Random, Rest, source};
use crate::{Error, KeyId};
use fathom_ring::{Domain, Eval, Limbs, Poly, Seed, uniform_eval};

const SEED_BYTES: usize = 32;

/// Number of bytes of the bounds on that part of the noise of which only norms are known.
pub(super) const REST_BYTES: usize = 24;

impl<S: Scheme> Ciphertext<S> {
    /// Returns the wire form. A ciphertext that still has its seed takes about half the bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let components = self.component_count();
        let fields = fields(&self.params, self.level(), components, (self.meta, self.noise));
        let seeded = if self.is_seeded() { SEEDED } else { 0 };
        let flags = seeded | if self.is_fresh() { FRESH } else { 0 };
        let label = label(&self.params, self.key);
        seal(label, Fields { flags, ..fields }, self.payload_len(), |out| {
            write_rest(self.noise.rest, out);
            let explicit = if self.is_seeded() { components - 1 } else { components };
            self.parts[..explicit].iter().for_each(|part| write_poly(part, out));
            out.extend(self.seed.iter().flat_map(|seed| seed.0));
        })
    }

    /// Returns the length of [`Ciphertext::to_bytes`] in bytes.
    pub fn byte_len(&self) -> usize {
        OVERHEAD + self.payload_len()
    }

    /// Reads a ciphertext of these parameters.
    ///
    /// Its noise bound is a claim of the sender (see [`crate::wire`]). Use
    /// [`Ciphertext::from_bytes_fresh`] for the inputs of untrusted senders.
    ///
    /// # Errors
    /// All [`WireError`]s but [`WireError::Params`]; [`WireError::NoiseBound`] if the bound exceeds
    /// the limit of the level.
    pub fn from_bytes(params: &Params<S>, bytes: &[u8]) -> Result<Ciphertext<S>, Error> {
        let mut frame = open(bytes, Kind::Ciphertext, S::NAME)?;
        frame.belongs(params.id())?;
        let claims = Claims::read(params, &mut frame)?;
        read(params, &claims, &frame)
    }

    /// Reads a ciphertext that its header declares as fresh. The sender's noise bound is ignored;
    /// the ciphertext gets the bound of the noisier kind of fresh encryption.
    ///
    /// This bound holds for an honest encryption. A sender who encrypts with more noise, or
    /// declares a computed ciphertext as fresh, spoils the results that depend on this input, and
    /// no others.
    ///
    /// # Errors
    /// As [`Ciphertext::from_bytes`]; [`WireError::NotFresh`] for the result of a computation.
    pub fn from_bytes_fresh(params: &Params<S>, bytes: &[u8]) -> Result<Ciphertext<S>, Error> {
        let mut frame = open(bytes, Kind::Ciphertext, S::NAME)?;
        frame.belongs(params.id())?;
        if frame.fields.flags & FRESH == 0 {
            return Err(WireError::NotFresh.into());
        }
        let shape = Shape::read(params, &frame.fields)?;
        // The sender's claims are skipped.
        frame.payload.take(REST_BYTES)?;
        let noise = noisier(params.secret_key_noise(), params.public_key_noise());
        read(params, &Claims::checked(params, shape, noise)?, &frame)
    }

    fn payload_len(&self) -> usize {
        let ring = &self.params.context().ring;
        payload_len(poly_len(ring, self.limbs()), self.component_count(), self.is_seeded().into())
    }
}

fn payload_len(poly: usize, components: usize, seeds: usize) -> usize {
    REST_BYTES + (components - seeds) * poly + seeds * SEED_BYTES
}

fn label<S: Scheme>(params: &Params<S>, key: KeyId) -> Label<'_> {
    let (kind, scheme) = (Kind::Ciphertext, S::NAME);
    Label { kind, scheme, params_id: params.id(), key_id: Some(key) }
}

fn read<S: Scheme>(
    params: &Params<S>,
    claims: &Claims,
    frame: &Frame<'_>,
) -> Result<Ciphertext<S>, Error> {
    let ring = &params.context().ring;
    let Claims { shape, noise } = *claims;
    let seeds = usize::from(frame.fields.flags & SEEDED);
    let poly = poly_len(ring, shape.limbs);
    // The bounds have already been read.
    frame.expect(params.id(), payload_len(poly, shape.components, seeds) - REST_BYTES)?;
    let mut payload = frame.payload;
    let mut parts = read_parts(&mut payload, params, shape, shape.components - seeds)?;
    let seed = if seeds == 1 { Some(payload.seed()?) } else { None };
    parts.extend(seed.map(|seed: Seed| uniform_eval(ring, shape.limbs, &seed)));
    refuse_transparent(&parts)?;
    payload.finish()?;
    let fresh = frame.fields.flags & FRESH != 0;
    Ok(Ciphertext {
        params: params.clone(),
        key: frame.key()?,
        meta: shape.factor,
        noise,
        lineage: if fresh { Lineage::of(source(&parts[1])) } else { Lineage::Unknown },
        fresh,
        seed,
        parts,
    })
}

/// The form of a ciphertext as its header states it, checked against the parameters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) limbs: Limbs,
    pub(super) components: usize,
    pub(super) factor: u64,
}

impl Shape {
    fn read<S: Scheme>(params: &Params<S>, fields: &Fields) -> Result<Shape, Error> {
        let malformed = |field| Err(WireError::Malformed { field }.into());
        at_most("flags", fields.flags.into(), (SEEDED | FRESH).into())?;
        let fresh = fields.flags & FRESH != 0;
        if fields.flags == SEEDED {
            return malformed("flags");
        }
        at_most("component count", fields.components.into(), if fresh { 2 } else { 3 })?;
        if fields.components < 2 {
            return malformed("component count");
        }
        let top = params.top_level().get() as u64;
        let level = Level::new(at_most("level", fields.level.into(), top)? as usize);
        at_most("factor", fields.factor, params.plain_modulus() - 1)?;
        if fields.factor == 0 || fresh && fields.factor != S::fresh_meta(params, level) {
            return malformed("factor");
        }
        let components = fields.components.into();
        Ok(Shape { limbs: level.limbs().chain(), components, factor: fields.factor })
    }
}

/// The claims of a frame about a ciphertext, checked against the parameters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Claims {
    pub(super) shape: Shape,
    pub(super) noise: Noise,
}

impl Claims {
    /// Checks every field of a header and the noise bounds at the beginning of the payload, which
    /// are consumed.
    pub(super) fn read<S: Scheme>(
        params: &Params<S>,
        frame: &mut Frame<'_>,
    ) -> Result<Claims, Error> {
        let shape = Shape::read(params, &frame.fields)?;
        let noise = noise(frame, params.degree())?;
        Claims::checked(params, shape, noise)
    }

    /// Refuses noise beyond the limit of the level.
    fn checked<S: Scheme>(params: &Params<S>, shape: Shape, noise: Noise) -> Result<Claims, Error> {
        let left_bits = params.context().budget_bits(noise, LimbCount::of(shape.limbs));
        let bound_bits = noise.bound(params.context().tails).log2();
        if left_bits < 0.0 {
            return Err(
                WireError::NoiseBound { bound_bits, limit_bits: bound_bits + left_bits }.into()
            );
        }
        Ok(Claims { shape, noise })
    }
}

/// Reads the noise bounds, which must be finite, nonnegative and in the order of the norms of one
/// polynomial.
fn noise(frame: &mut Frame<'_>, degree: usize) -> Result<Noise, Error> {
    let Fields { fixed, coefficient, direction, .. } = frame.fields;
    let [fixed, coefficient, direction] = [fixed, coefficient, direction].map(f64::from_bits);
    let payload = &mut frame.payload;
    let rest =
        Rest { coefficient: payload.f64()?, euclidean: payload.f64()?, root: payload.f64()? };
    let all = [fixed, coefficient, direction, rest.coefficient, rest.euclidean, rest.root];
    let numbers = all.iter().all(|x| x.is_finite() && x.is_sign_positive());
    let ascending = rest.coefficient <= rest.euclidean && rest.euclidean <= rest.root;
    if !numbers || coefficient > direction || !ascending {
        return Err(WireError::Malformed { field: "noise bound" }.into());
    }
    let message = Rest::of_coefficients(fixed, degree);
    Ok(Noise { message, random: Random { coefficient, direction }, rest })
}

pub(super) fn write_rest(rest: Rest, out: &mut Vec<u8>) {
    for bound in [rest.coefficient, rest.euclidean, rest.root] {
        out.extend(bound.to_le_bytes());
    }
}

fn noisier(a: Noise, b: Noise) -> Noise {
    let random = Random {
        coefficient: a.random.coefficient.max(b.random.coefficient),
        direction: a.random.direction.max(b.random.direction),
    };
    debug_assert_eq!(a.message, b.message);
    Noise::fresh(a.message, random)
}

/// Returns the header fields of a ciphertext, without flags.
pub(super) fn fields<S: Scheme>(
    params: &Params<S>,
    level: Level,
    components: usize,
    (factor, noise): (u64, Noise),
) -> Fields {
    debug_assert!(level <= params.top_level());
    Fields {
        flags: 0,
        components: components as u8,
        factor,
        fixed: noise.message.coefficient.to_bits(),
        coefficient: noise.random.coefficient.to_bits(),
        direction: noise.random.direction.to_bits(),
        level: level.get() as u32,
    }
}

/// Reads the first `count` components.
pub(super) fn read_parts<D: Domain, S: Scheme>(
    payload: &mut Reader<'_>,
    params: &Params<S>,
    shape: Shape,
    count: usize,
) -> Result<Vec<Poly<D>>, Error> {
    let ring = &params.context().ring;
    (0..count).map(|_| Ok(read_poly(payload, ring, shape.limbs)?)).collect()
}

/// Refuses a ciphertext that anyone can read.
pub(super) fn refuse_transparent(parts: &[Poly<Eval>]) -> Result<(), Error> {
    if parts[1..].iter().all(Poly::is_zero) { Err(transparent()) } else { Ok(()) }
}
