//! Parameters: their description.

use super::super::{BootstrapSet, Ckks, Mode, Spec};
use crate::Error;
use crate::rlwe::{Encoding, Params};
use crate::wire::frame::{Frame, open};
use crate::wire::reader::{Reader, at_most};
use crate::wire::{Header, Kind, Trust, Wire, WireError, WireObject};
use fathom_security::Level;

/// Length of the fixed-length fields.
const FIXED_BYTES: usize = 2 + 4 + 2 + 8 + 4 + 8 + 2 + 8 + 2;
/// Size of the tables per coefficient and prime.
const BYTES_OF_A_VALUE: usize = 32;
/// The greatest number of primes.
const MOST_PRIMES: u64 = 64;

impl<M: Mode> Params<Ckks<M>> {
    /// The size of the tables above which [`Params::from_bytes`] refuses parameters: that of `2^21`
    /// coefficients of all primes. Their first use builds the tables.
    pub const TABLE_BYTES: usize = 1 << 26;

    /// Reads a description, searches for its primes again and repeats every check of
    /// [`Params::new`], including that of security. Parameters whose tables would exceed
    /// [`Params::TABLE_BYTES`] are refused.
    ///
    /// # Errors
    /// [`Error::Wire`]; the errors of [`Params::new`]; [`Error::ParamsMismatch`] if the stated
    /// identifier is another.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        <Self as Wire>::from_bytes(&(), bytes)
    }

    /// Reads parameters like [`Params::from_bytes`], with another limit for the size of the tables.
    ///
    /// # Errors
    /// As [`Params::from_bytes`].
    pub fn from_bytes_within(bytes: &[u8], table_bytes: usize) -> Result<Self, Error> {
        let mut frame = open(bytes, Kind::Params, <Ckks<M> as Encoding>::NAME)?;
        read(&mut frame, table_bytes)
    }
}

fn read<M: Mode>(frame: &mut Frame<'_>, table_bytes: usize) -> Result<Params<Ckks<M>>, Error> {
    frame.plain()?.keyless()?;
    let spec = read_spec(&mut frame.payload)?;
    let set = read_set(&mut frame.payload, &spec)?;
    frame.payload.finish()?;
    let primes = spec.base_bits.len() + spec.depth + spec.special_bits.len();
    let needed = BYTES_OF_A_VALUE * spec.degree * primes;
    if needed > table_bytes {
        return Err(WireError::TableBytes { needed, limit: table_bytes }.into());
    }
    let params = match set {
        Some(set) => Params::bootstrappable(set)?,
        None => Params::new(spec)?,
    };
    frame.belongs(params.id())?;
    Ok(params)
}

impl<M: Mode> Wire for Params<Ckks<M>> {
    type Context = ();
    const KIND: Kind = Kind::Params;
    const SCHEME: &'static str = <Ckks<M> as Encoding>::NAME;

    fn read((): &(), frame: &mut Frame<'_>, _: Trust) -> Result<Self, Error> {
        read(frame, Self::TABLE_BYTES)
    }
}

impl<M: Mode> WireObject for Params<Ckks<M>> {
    fn header(&self) -> Header {
        Header::of_params(*self.id())
    }

    fn payload_len(&self) -> usize {
        payload_len(self.spec()) + usize::from(self.bootstrap_set().is_some())
    }

    fn write(&self, out: &mut Vec<u8>) {
        write_spec(self.spec(), out);
        out.extend(self.bootstrap_set().map(|set| set as u8 + 1));
    }
}

/// Reads the tag of the set that the parameters were made from, if they can be bootstrapped: the
/// description before it must be that of the set.
fn read_set(payload: &mut Reader<'_>, spec: &Spec) -> Result<Option<BootstrapSet>, Error> {
    if payload.len() == 0 {
        return Ok(None);
    }
    let tag = usize::from(payload.u8()?);
    let set = tag.checked_sub(1).and_then(|index| BootstrapSet::ALL.get(index));
    let set = set.filter(|set| set.spec() == *spec);
    let set = set.ok_or(WireError::Malformed { field: "set of bootstrapping" })?;
    Ok(Some(*set))
}

fn payload_len(spec: &Spec) -> usize {
    FIXED_BYTES + spec.name.len() + 8 * (spec.base_bits.len() + spec.special_bits.len())
}

fn write_spec(spec: &Spec, out: &mut Vec<u8>) {
    out.extend((spec.name.len() as u16).to_le_bytes());
    out.extend(spec.name.bytes());
    out.extend((spec.degree as u32).to_le_bytes());
    out.extend((spec.depth as u16).to_le_bytes());
    out.extend(spec.scale_bits.to_le_bytes());
    out.extend((spec.digit_limbs as u32).to_le_bytes());
    out.extend(spec.magnitude.to_le_bytes());
    out.extend((spec.security.bits() as u16).to_le_bytes());
    out.extend(spec.failure_log2.to_le_bytes());
    out.extend([spec.base_bits.len() as u8, spec.special_bits.len() as u8]);
    for bits in spec.base_bits.iter().chain(&spec.special_bits) {
        out.extend(bits.to_le_bytes());
    }
}

/// Reads the fields and checks everything that [`Params::new`] cannot check.
fn read_spec(payload: &mut Reader<'_>) -> Result<Spec, Error> {
    let name_len = at_most("name length", payload.u16()?.into(), Spec::LONGEST_NAME as u64)?;
    let name = String::from_utf8(payload.take(name_len as usize)?.to_vec())
        .map_err(|_| WireError::Malformed { field: "name" })?;
    let degree = at_most("degree", payload.u32()?.into(), 1 << 16)? as usize;
    let depth = at_most("depth", payload.u16()?.into(), MOST_PRIMES)? as usize;
    let scale_bits = payload.f64()?;
    let digit_limbs = at_most("digit", payload.u32()?.into(), MOST_PRIMES)? as usize;
    let magnitude = payload.f64()?;
    let security = Level::try_from(u32::from(payload.u16()?))
        .map_err(|_| WireError::Malformed { field: "security level" })?;
    let failure_log2 = payload.f64()?;
    let base = at_most("base primes", payload.u8()?.into(), MOST_PRIMES)?;
    let special = at_most("special primes", payload.u8()?.into(), MOST_PRIMES - base)?;
    let mut sizes = |count| (0..count).map(|_| payload.f64()).collect::<Result<Vec<_>, _>>();
    let (base_bits, special_bits) = (sizes(base)?, sizes(special)?);
    Ok(Spec {
        name,
        degree,
        base_bits,
        depth,
        scale_bits,
        special_bits,
        digit_limbs,
        magnitude,
        security,
        failure_log2,
    })
}
