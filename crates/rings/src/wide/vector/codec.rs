//! Wire forms of vectors and of their parameters.

use super::encrypt::mask;
use super::{Element, Encryption, Residues, Vector, VectorParams, VectorSpec};
use crate::rlwe::codec::{
    is_bound, is_noise_bound, noise_numbers, poly_len, read_noise, read_parts, refuse_transparent,
    write_poly,
};
use crate::rlwe::{Encoding, Level, Lineage, MetaCodec, Noise, source};
use crate::wide::WideError;
use crate::wire::frame::{FRESH, Fields, Frame, SEEDED, open};
use crate::wire::reader::{Reader, SEED_BYTES, at_most};
use crate::wire::{Header, Kind, Trust, Wire, WireError, WireObject};
use crate::{Error, SecurityLevel};
use std::marker::PhantomData;

/// Keys have no metadata.
impl MetaCodec for Residues {
    const META_FIELD: &'static str = "metadata";

    fn write_meta((): ()) -> Vec<u8> {
        Vec::new()
    }

    fn read_meta(_: &VectorParams, _: Level, bytes: &[u8]) -> Result<(), WireError> {
        Reader::new(bytes).finish()
    }
}

/// Type of the elements, number of components, number of elements, greatest value, noise bound.
const META_BYTES: usize = 1 + 1 + 4 + 8 + 9 * 8;

/// The metadata of a vector, as its frame claims it.
struct Claims {
    components: usize,
    length: usize,
    largest: f64,
    noise: Noise,
}

/// The bounds on noise and values are claims of the sender: read the inputs of untrusted senders
/// with [`Vector::from_bytes_fresh`].
impl<T: Element> Wire for Vector<T> {
    type Context = VectorParams;
    const KIND: Kind = Kind::Ciphertext;
    const SCHEME: &'static str = Residues::NAME;

    fn read(params: &VectorParams, frame: &mut Frame<'_>, _: Trust) -> Result<Self, Error> {
        frame.belongs(params.id())?;
        let claims = Claims::read::<T>(params, &frame.fields)?;
        read(params, claims, frame)
    }
}

/// A vector that still has its seed takes about half the bytes.
impl<T: Element> WireObject for Vector<T> {
    fn header(&self) -> Header {
        let seeded = if self.seed.is_some() { SEEDED } else { 0 };
        let flags = seeded | if self.fresh { FRESH } else { 0 };
        Header { flags, meta: self.meta_bytes(), ..Header::of_key(*self.params.id(), self.key) }
    }

    fn payload_len(&self) -> usize {
        let seeds = usize::from(self.seed.is_some());
        payload_len(&self.params, self.component_count(), seeds)
    }

    fn write(&self, out: &mut Vec<u8>) {
        let explicit = self.component_count() - usize::from(self.seed.is_some());
        for parts in &self.residues {
            parts[..explicit].iter().for_each(|part| write_poly(part, out));
        }
        out.extend(self.seed.iter().flat_map(|seed| seed.0));
    }
}

impl<T: Element> Vector<T> {
    /// Reads a vector that its header declares as fresh. The bounds that the sender claims are
    /// ignored: it gets those of a fresh encryption of this kind, and of the planned inputs.
    ///
    /// They hold for an honest encryption. A sender who encrypts with more noise or greater values,
    /// or declares a computed vector as fresh, spoils the results that depend on this input, and no
    /// others; decryption refuses elements beyond the bound.
    ///
    /// # Errors
    /// As [`Vector::from_bytes`]; [`WireError::NotFresh`] for the result of a computation, or for
    /// one under the public key where the secret key is expected.
    pub fn from_bytes_fresh(
        params: &VectorParams,
        bytes: &[u8],
        encryption: Encryption,
    ) -> Result<Vector<T>, Error> {
        let mut frame = open(bytes, Kind::Ciphertext, Residues::NAME)?;
        frame.belongs(params.id())?;
        let seeded = frame.fields.flags & SEEDED != 0;
        let claims = Claims::read::<T>(params, &frame.fields)?;
        let fresh = frame.fields.flags & FRESH != 0;
        if !fresh || (encryption == Encryption::SecretKey && !seeded) {
            return Err(WireError::NotFresh.into());
        }
        let noise = encryption.greatest_noise(&params.tables().model, params.message_norms());
        let largest = params.largest_input::<T>();
        let vector = read(params, Claims { largest, noise, ..claims }, &mut frame)?;
        frame.payload.finish()?;
        Ok(vector)
    }

    fn meta_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(META_BYTES);
        out.extend([T::TAG, self.component_count() as u8]);
        out.extend((self.length as u32).to_le_bytes());
        let numbers = std::iter::once(self.largest).chain(noise_numbers(self.noise.ordered()));
        out.extend(numbers.flat_map(f64::to_le_bytes));
        out
    }
}

impl Claims {
    fn read<T: Element>(params: &VectorParams, fields: &Fields<'_>) -> Result<Claims, Error> {
        at_most("flags", fields.flags.into(), (SEEDED | FRESH).into())?;
        if fields.flags == SEEDED {
            return Err(WireError::Malformed { field: "flags" }.into());
        }
        let mut reader = Reader::new(fields.meta);
        if reader.u8()? != T::TAG {
            return Err(WireError::Malformed { field: "type of the elements" }.into());
        }
        let most = if fields.flags == 0 { 3 } else { 2 };
        let components = at_most("component count", reader.u8()?.into(), most)? as usize;
        if components < 2 {
            return Err(WireError::Malformed { field: "component count" }.into());
        }
        let capacity = params.capacity() as u64;
        let length = at_most("number of elements", reader.u32()?.into(), capacity)? as usize;
        let largest = reader.f64()?;
        let noise = read_noise(&mut reader)?;
        reader.finish()?;
        Ok(Claims { components, length, largest, noise })
    }

    /// Refuses bounds that are no bounds, or beyond the limits of the parameters.
    fn within_limits(self, params: &VectorParams) -> Result<Claims, Error> {
        if !is_noise_bound(self.noise) || !is_bound(self.largest) {
            return Err(WireError::Malformed { field: "noise bound" }.into());
        }
        let left_bits = params.vector_budget(self.noise);
        let (bits, value_bits) = (self.largest.log2(), params.value_bits());
        if left_bits >= 0.0 && bits <= value_bits {
            return Ok(self);
        }
        if left_bits >= 0.0 {
            let (operation, limit_bits) = ("decoding", value_bits);
            return Err(WideError::ValuesExceedModuli { operation, bits, limit_bits }.into());
        }
        let bound_bits = self.noise.bound(params.context().model.tails).log2();
        let limit_bits = bound_bits + left_bits;
        Err(WireError::NoiseBound { bound_bits, limit_bits }.into())
    }
}

fn payload_len(params: &VectorParams, components: usize, seeds: usize) -> usize {
    let limbs = params.vector_level().limbs().chain();
    let poly = poly_len(params.context(), limbs);
    params.tables().residues.len() * (components - seeds) * poly + seeds * SEED_BYTES
}

fn read<T: Element>(
    params: &VectorParams,
    claims: Claims,
    frame: &mut Frame<'_>,
) -> Result<Vector<T>, Error> {
    let Claims { components, length, largest, noise } = claims.within_limits(params)?;
    let limbs = params.vector_level().limbs().chain();
    let seeds = usize::from(frame.fields.flags & SEEDED);
    frame.expect(params.id(), payload_len(params, components, seeds))?;
    let payload = &mut frame.payload;
    let count = params.tables().residues.len();
    let mut residues = Vec::with_capacity(count);
    for _ in 0..count {
        residues.push(read_parts(payload, params, limbs, components - seeds)?);
    }
    let seed = if seeds == 1 { Some(payload.seed()?) } else { None };
    if let Some(seed) = &seed {
        let masks = residues.iter_mut().enumerate();
        masks.for_each(|(i, parts)| parts.push(mask(params, seed, i)));
    }
    residues.iter().try_for_each(|parts| refuse_transparent(parts))?;
    let fresh = frame.fields.flags & FRESH != 0;
    let lineage = if fresh { Lineage::of(source(&residues[0][1])) } else { Lineage::Unknown };
    let key = frame.key()?;
    let params = params.clone();
    let word = PhantomData;
    Ok(Vector { params, key, residues, noise, lineage, largest, length, fresh, seed, word })
}

/// Degree, bits of inputs, lengths of the lists of primes, security, failure probability.
const FIXED_BYTES: usize = 4 + 2 + 3 + 2 + 8;

impl VectorParams {
    /// Reads parameters and repeats every check of their making.
    ///
    /// # Errors
    /// The [`WireError`]s of a frame; [`Error::Spec`].
    pub fn from_bytes(bytes: &[u8]) -> Result<VectorParams, Error> {
        <Self as Wire>::from_bytes(&(), bytes)
    }
}

/// The form is the description with all of its primes, so that a reader searches for none.
impl Wire for VectorParams {
    type Context = ();
    const KIND: Kind = Kind::Params;
    const SCHEME: &'static str = Residues::NAME;

    fn read((): &(), frame: &mut Frame<'_>, _: Trust) -> Result<Self, Error> {
        frame.plain()?.keyless()?;
        let payload = &mut frame.payload;
        let degree = at_most("degree", payload.u32()?.into(), 1 << 15)? as usize;
        let input_bits = payload.u16()?.into();
        let counts: [u8; 3] = payload.array()?;
        let security = SecurityLevel::try_from(u32::from(payload.u16()?))
            .map_err(|_| WireError::Malformed { field: "security level" })?;
        let failure_log2 = payload.f64()?;
        let mut primes = |count: u8, limit: u64| -> Result<Vec<u64>, WireError> {
            let count = at_most("number of primes", count.into(), limit)?;
            (0..count).map(|_| payload.u64()).collect()
        };
        let [moduli, chain, special] = counts;
        let (moduli, chain) = (primes(moduli, 64)?, primes(chain, 8)?);
        let special = primes(special, 1)?;
        payload.finish()?;
        let spec =
            VectorSpec { degree, input_bits, moduli, chain, special, security, failure_log2 };
        let params = VectorParams::from_spec(spec)?;
        frame.belongs(params.id())?;
        Ok(params)
    }
}

impl WireObject for VectorParams {
    fn header(&self) -> Header {
        Header::of_params(*self.id())
    }

    fn payload_len(&self) -> usize {
        FIXED_BYTES + 8 * lists(self.vector_spec()).map(Vec::len).into_iter().sum::<usize>()
    }

    fn write(&self, out: &mut Vec<u8>) {
        let spec = self.vector_spec();
        out.extend((spec.degree as u32).to_le_bytes());
        out.extend((spec.input_bits as u16).to_le_bytes());
        out.extend(lists(spec).map(|list| list.len() as u8));
        out.extend((spec.security.bits() as u16).to_le_bytes());
        out.extend(spec.failure_log2.to_le_bytes());
        out.extend(lists(spec).into_iter().flatten().flat_map(|prime| prime.to_le_bytes()));
    }
}

/// Returns the lists of primes in the order of the format.
fn lists(spec: &VectorSpec) -> [&Vec<u64>; 3] {
    [&spec.moduli, &spec.chain, &spec.special]
}
