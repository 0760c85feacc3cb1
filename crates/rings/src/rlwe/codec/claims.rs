//! The metadata of a ciphertext: its shape, its noise bound and what its encoding needs.

use super::MetaCodec;
use crate::Error;
use crate::rlwe::{Bounds, Encoding, Level, Noise, Params, Random};
use crate::wire::WireError;
use crate::wire::frame::{FRESH, Fields, SEEDED};
use crate::wire::reader::{Reader, at_most};

/// The metadata of a ciphertext: on the wire, claims of its sender.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Claims<S: Encoding> {
    pub(crate) level: Level,
    pub(crate) components: usize,
    pub(crate) meta: S::Meta,
    pub(crate) facts: S::Facts,
    pub(crate) noise: Noise,
}

impl<S: MetaCodec> Claims<S> {
    /// Returns the bytes: level, number of components, noise bound, metadata of the scheme.
    pub(crate) fn to_bytes(self) -> Vec<u8> {
        let mut out = Vec::with_capacity(Self::BYTES + size_of::<S::Meta>());
        out.extend((self.level.get() as u32).to_le_bytes());
        out.push(self.components as u8);
        out.extend(
            noise_numbers(self.noise.ordered()).iter().flat_map(|number| number.to_le_bytes()),
        );
        out.extend(S::write_meta(self.meta));
        out.extend(S::write_facts(self.facts));
        out
    }

    /// Number of bytes before the metadata of the scheme.
    const BYTES: usize = 4 + 1 + 9 * 8;

    /// Reads the metadata of a frame and checks every field, but for the noise bound: that is for
    /// [`Claims::within_limits`].
    ///
    /// # Errors
    /// [`WireError::Range`] and [`WireError::Malformed`], with the field.
    pub(crate) fn read(params: &Params<S>, fields: &Fields<'_>) -> Result<Claims<S>, WireError> {
        at_most("flags", fields.flags.into(), (SEEDED | FRESH).into())?;
        let fresh = fields.flags & FRESH != 0;
        if fields.flags == SEEDED {
            return Err(WireError::Malformed { field: "flags" });
        }
        let mut reader = Reader::new(fields.meta);
        if reader.len() < Self::BYTES {
            return Err(WireError::Malformed { field: "metadata" });
        }
        let top = params.top_level().get() as u64;
        let level = Level::new(at_most("level", reader.u32()?.into(), top)? as usize);
        let most = if fresh { 2 } else { 3 };
        let components = at_most("component count", reader.u8()?.into(), most)? as usize;
        if components < 2 {
            return Err(WireError::Malformed { field: "component count" });
        }
        let noise = read_noise(&mut reader)?;
        let missing = WireError::Malformed { field: "metadata" };
        let meta_len = reader.len().checked_sub(S::FACTS_BYTES).ok_or(missing)?;
        let meta = S::read_meta(params, level, reader.take(meta_len)?)?;
        let facts = S::read_facts(reader.take(S::FACTS_BYTES)?)?;
        if fresh && !(S::is_fresh_meta(params, level, meta) && S::are_fresh_facts(facts)) {
            return Err(WireError::Malformed { field: S::META_FIELD });
        }
        Ok(Claims { level, components, meta, facts, noise })
    }

    /// Refuses a noise bound that is no bound, or beyond the limit of the level.
    ///
    /// # Errors
    /// [`WireError::Malformed`], [`WireError::NoiseBound`].
    pub(crate) fn within_limits(self, params: &Params<S>) -> Result<Claims<S>, Error> {
        if !is_noise_bound(self.noise) {
            return Err(WireError::Malformed { field: "noise bound" }.into());
        }
        let left_bits = params.budget_bits(self.noise, self.level);
        let bound_bits = params.context().model.bound_bits(self.noise);
        if left_bits >= 0.0 {
            return Ok(self);
        }
        let limit_bits = bound_bits + left_bits;
        Err(WireError::NoiseBound { bound_bits, limit_bits }.into())
    }
}

/// Returns whether a number can be a bound: zero, or positive, finite and of full precision.
pub(crate) fn is_bound(number: f64) -> bool {
    number.is_sign_positive() && (number.is_normal() || number == 0.0)
}

/// Returns the norms in ascending order.
fn norms(rest: Bounds) -> [f64; 3] {
    [rest.coefficient, rest.euclidean, rest.root]
}

/// Returns the numbers of a noise bound in the order of the format.
pub(crate) fn noise_numbers(Noise { message, random, rest, .. }: Noise) -> Vec<f64> {
    [norms(message), random.numbers(), norms(rest)].concat()
}

/// Reads the numbers that [`noise_numbers`] returns. What a bound rests on is counted from here on.
pub(crate) fn read_noise(reader: &mut Reader<'_>) -> Result<Noise, WireError> {
    let message = read_norms(reader)?;
    let [coefficient, direction] = [reader.f64()?, reader.f64()?];
    let random = Random { coefficient, direction, root: reader.f64()? };
    Ok(Noise { message, random, rest: read_norms(reader)?, ..Noise::default() })
}

/// Returns whether the numbers can be those of a noise bound: each is a bound, norms ascend, and
/// the parameter of all directions is at least each of the others.
pub(crate) fn is_noise_bound(noise: Noise) -> bool {
    let ascending = [noise.message, noise.rest].into_iter().all(|rest| norms(rest).is_sorted());
    let bounds = noise_numbers(noise).into_iter().all(is_bound);
    bounds && ascending && noise.random.is_consistent()
}

fn read_norms(reader: &mut Reader<'_>) -> Result<Bounds, WireError> {
    Ok(Bounds { coefficient: reader.f64()?, euclidean: reader.f64()?, root: reader.f64()? })
}
