//! The wire forms of what only exact schemes have: their parameters, plaintexts and factors.
//!
//! Parameters are their description and the primes found for it, a plaintext is one packed row of
//! coefficients, and the factor of a message has 8 bytes.

use crate::Error;
use crate::rlwe::modular::{Modular, Params, Plaintext, Spec};
use crate::wire::frame::{Frame, open};
use crate::wire::pack::{pack, packed_len, unpack};
use crate::wire::reader::{Reader, at_most};
use crate::wire::{Header, Kind, Trust, Wire, WireError, WireObject};
use fathom_ring::Gadget;
use fathom_security::Level;
use zeroize::Zeroizing;

/// Length of the fixed-length fields, from the length of the name to the number of special primes.
const FIXED_BYTES: usize = 2 + 4 + 8 + 1 + 4 + 4 + 2 + 8 + 1 + 1;
/// Length of one prime: its size in bits as described, and the prime itself.
const PRIME_BYTES: usize = 16;
/// Size of the tables per coefficient and prime: the constants of two transforms with their
/// quotients.
const BYTES_OF_A_VALUE: usize = 32;
/// The weight that stands for a uniform ternary secret.
const UNIFORM_TERNARY: u32 = 0;
/// The greatest number of primes of either kind.
const MOST_PRIMES: u64 = 64;

impl<S: Modular> Params<S> {
    /// The greatest size of tables that [`Params::from_bytes`] accepts. It allows a product of
    /// degree and number of primes of `2^21`, which all presets satisfy, and all planned sets up to
    /// a depth of about 15.
    pub const TABLE_BYTES: usize = 1 << 26;

    /// Reads a description, searches for its primes again and repeats every check of
    /// [`Params::new`], including that of security. Parameters whose tables would exceed
    /// [`Params::TABLE_BYTES`] are refused before the tables are built.
    ///
    /// # Errors
    /// The [`WireError`]s of a frame; the errors of [`Params::new`];
    /// [`WireError::Contradiction`] if the stated primes are not those found,
    /// [`Error::ParamsMismatch`] if the stated identifier is another;
    /// [`WireError::TableBytes`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Params<S>, Error> {
        <Self as Wire>::from_bytes(&(), bytes)
    }

    /// Reads parameters like [`Params::from_bytes`], with another limit for the size of the tables.
    ///
    /// # Errors
    /// As [`Params::from_bytes`].
    pub fn from_bytes_within(bytes: &[u8], table_bytes: usize) -> Result<Params<S>, Error> {
        let mut frame = open(bytes, Kind::Params, S::NAME)?;
        read(&mut frame, table_bytes)
    }
}

fn read<S: Modular>(frame: &mut Frame<'_>, table_bytes: usize) -> Result<Params<S>, Error> {
    frame.plain()?.keyless()?;
    let payload = &mut frame.payload;
    let spec = read_spec(payload)?;
    let primes = (0..spec.chain_bits.len() + spec.special_bits.len())
        .map(|_| payload.u64())
        .collect::<Result<Vec<_>, _>>()?;
    payload.finish()?;
    let needed = BYTES_OF_A_VALUE * spec.degree * primes.len();
    if needed > table_bytes {
        return Err(WireError::TableBytes { needed, limit: table_bytes }.into());
    }
    let params = Params::<S>::new(spec)?;
    let found = params.chain().iter().chain(params.special());
    if !found.eq(&primes) {
        return Err(WireError::Contradiction { field: "primes" }.into());
    }
    frame.belongs(params.id())?;
    Ok(params)
}

/// The form is the [`Spec`], and the primes for readers that do not search for them.
impl<S: Modular> Wire for Params<S> {
    type Context = ();
    const KIND: Kind = Kind::Params;
    const SCHEME: &'static str = S::NAME;

    fn read((): &(), frame: &mut Frame<'_>, _: Trust) -> Result<Self, Error> {
        read(frame, Self::TABLE_BYTES)
    }
}

impl<S: Modular> WireObject for Params<S> {
    fn header(&self) -> Header {
        Header::of_params(*self.id())
    }

    fn payload_len(&self) -> usize {
        payload_len(self.spec())
    }

    fn write(&self, out: &mut Vec<u8>) {
        write_spec(self.spec(), out);
        for prime in self.chain().iter().chain(self.special()) {
            out.extend(prime.to_le_bytes());
        }
    }
}

fn payload_len(spec: &Spec) -> usize {
    let primes = spec.chain_bits.len() + spec.special_bits.len();
    FIXED_BYTES + spec.name.len() + PRIME_BYTES * primes
}

fn write_spec(spec: &Spec, out: &mut Vec<u8>) {
    out.extend((spec.name.len() as u16).to_le_bytes());
    out.extend(spec.name.bytes());
    out.extend((spec.degree as u32).to_le_bytes());
    out.extend(spec.plain_modulus.to_le_bytes());
    let (kind, size) = match spec.gadget {
        Gadget::Hybrid { limbs } => (0, limbs as u32),
        Gadget::Positional { base_log } => (1, base_log),
    };
    out.push(kind);
    out.extend(size.to_le_bytes());
    // No secret has weight 0.
    let weight = match spec.secret_weight {
        Some(weight) => weight,
        None => UNIFORM_TERNARY,
    };
    out.extend(weight.to_le_bytes());
    out.extend((spec.security.bits() as u16).to_le_bytes());
    out.extend(spec.failure_log2.to_le_bytes());
    out.extend([spec.chain_bits.len() as u8, spec.special_bits.len() as u8]);
    for bits in spec.chain_bits.iter().chain(&spec.special_bits) {
        out.extend(bits.to_le_bytes());
    }
}

/// Reads the fields and checks everything that [`Params::new`] cannot check.
fn read_spec(payload: &mut Reader<'_>) -> Result<Spec, Error> {
    let name_len = at_most("name length", payload.u16()?.into(), Spec::LONGEST_NAME as u64)?;
    let name = String::from_utf8(payload.take(name_len as usize)?.to_vec())
        .map_err(|_| WireError::Malformed { field: "name" })?;
    let degree = at_most("degree", payload.u32()?.into(), 1 << 17)? as usize;
    if !degree.is_power_of_two() || degree < 64 {
        return Err(WireError::Malformed { field: "degree" }.into());
    }
    let plain_modulus = at_most("plaintext modulus", payload.u64()?, (1 << 45) - 1)?;
    let gadget = read_gadget(payload)?;
    let weight = at_most("secret weight", payload.u32()?.into(), degree as u64)? as u32;
    let security = Level::try_from(u32::from(payload.u16()?))
        .map_err(|_| WireError::Malformed { field: "security level" })?;
    let failure_log2 = payload.f64()?;
    let chain = at_most("chain length", payload.u8()?.into(), MOST_PRIMES)?;
    let special = at_most("special primes", payload.u8()?.into(), MOST_PRIMES - chain)?;
    let mut sizes = |count| (0..count).map(|_| payload.f64()).collect::<Result<Vec<_>, _>>();
    let (chain_bits, special_bits) = (sizes(chain)?, sizes(special)?);
    let secret_weight = (weight != UNIFORM_TERNARY).then_some(weight);
    Ok(Spec {
        name,
        degree,
        plain_modulus,
        chain_bits,
        special_bits,
        gadget,
        secret_weight,
        security,
        failure_log2,
    })
}

fn read_gadget(payload: &mut Reader<'_>) -> Result<Gadget, Error> {
    let kind = payload.u8()?;
    let size = payload.u32()?;
    match at_most("gadget", kind.into(), 1)? {
        0 => Ok(Gadget::Hybrid { limbs: size as usize }),
        _ => Ok(Gadget::Positional { base_log: size }),
    }
}

impl<S: Modular> Wire for Plaintext<S> {
    type Context = Params<S>;
    const KIND: Kind = Kind::Plaintext;
    const SCHEME: &'static str = S::NAME;

    fn read(params: &Params<S>, frame: &mut Frame<'_>, _: Trust) -> Result<Self, Error> {
        frame.plain()?.keyless()?.expect(params.id(), plaintext_len(params))?;
        let t = params.plain().modulus();
        let mut coefficients = Zeroizing::new(vec![0; params.degree()]);
        let packed = frame.payload.take(plaintext_len(params))?;
        unpack(packed, t.bits(), t.value() - 1, &mut coefficients)
            .map_err(|_| WireError::Malformed { field: "coefficient" })?;
        Ok(Plaintext::from_coefficients(params, std::mem::take(&mut *coefficients)))
    }
}

/// The bytes are the message: the caller is responsible for wiping them.
impl<S: Modular> WireObject for Plaintext<S> {
    fn header(&self) -> Header {
        Header::of_params(*self.params().id())
    }

    fn payload_len(&self) -> usize {
        plaintext_len(self.params())
    }

    fn write(&self, out: &mut Vec<u8>) {
        pack(self.coefficients(), self.params().plain().modulus().bits(), out);
    }
}

fn plaintext_len<S: Modular>(params: &Params<S>) -> usize {
    packed_len(params.degree(), params.plain().modulus().bits())
}

pub(crate) fn write_factor(factor: u64) -> Vec<u8> {
    factor.to_le_bytes().to_vec()
}

/// Reads a factor, which must be a unit modulo `t`.
pub(crate) fn read_factor<S: Modular>(params: &Params<S>, bytes: &[u8]) -> Result<u64, WireError> {
    let mut reader = Reader::new(bytes);
    if reader.len() != 8 {
        return Err(WireError::Malformed { field: "metadata" });
    }
    let factor = at_most("factor", reader.u64()?, params.plain_modulus() - 1)?;
    if factor == 0 { Err(WireError::Malformed { field: "factor" }) } else { Ok(factor) }
}
