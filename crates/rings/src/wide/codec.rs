//! Wire forms of exact integers: parameters, and factor and width of a ciphertext.

use super::factor::MOST_PRIMES;
use super::{Content, Factor, Params, Product, Spec, Wide, Width};
use crate::Error;
use crate::rlwe::{Encoding, Level, MetaCodec};
use crate::wire::frame::Frame;
use crate::wire::reader::{Reader, at_most};
use crate::wire::{Header, Kind, Trust, Wire, WireError, WireObject};
use crate::{Gadget, SecurityLevel};

impl MetaCodec for Wide {
    const META_FIELD: &'static str = "factor or width";

    fn write_meta(Content { factor, width }: Content) -> Vec<u8> {
        let exponents = factor.exponents.iter().flat_map(|e| e.to_le_bytes());
        let width = match width {
            Width::Bits(bits) => (bits * WIDTH_UNITS).ceil() as u32,
            Width::Wrapping => WRAPPING,
        };
        let sign = [u8::from(factor.negative)].into_iter();
        sign.chain(exponents).chain(width.to_le_bytes()).collect()
    }

    fn read_meta(params: &Params, _: Level, bytes: &[u8]) -> Result<Content, WireError> {
        let mut reader = Reader::new(bytes);
        let negative = at_most("sign of the factor", reader.u8()?.into(), 1)? == 1;
        let mut exponents = [0; MOST_PRIMES];
        for (index, exponent) in exponents.iter_mut().enumerate() {
            *exponent = reader.u16()?.cast_signed();
            // More products than this have no noise budget.
            let limit = if index < params.chain().len() { 64 } else { 0 };
            at_most("exponent of the factor", exponent.unsigned_abs().into(), limit)?;
        }
        let width = reader.u32()?;
        reader.finish()?;
        let factor = Factor { negative, exponents };
        if width == WRAPPING {
            return Ok(Content { factor, width: Width::Wrapping });
        }
        let limit = f64::from(params.widest_bits()) * WIDTH_UNITS;
        at_most("width", width.into(), limit as u64)?;
        Ok(Content { factor, width: Width::Bits(f64::from(width) / WIDTH_UNITS) })
    }

    /// A fresh encryption has the factor of its level, and the width of any type.
    fn is_fresh_meta(params: &Params, level: Level, content: Content) -> bool {
        content.factor == params.fresh_factor(level)
    }
}

/// Parts of a bit in which widths travel.
const WIDTH_UNITS: f64 = 4096.0;
/// The width of a residue.
const WRAPPING: u32 = u32::MAX;

/// Length of the fields before the sizes of the primes, without the name.
const FIXED_BYTES: usize = 2 + 4 + 1 + 1 + 4 + 2 + 8 + 1 + 1;

impl Params {
    /// Reads a description, searches for its primes again and repeats every check of
    /// [`Params::new`].
    ///
    /// # Errors
    /// The [`WireError`]s of a frame; the errors of [`Params::new`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Params, Error> {
        <Self as Wire>::from_bytes(&(), bytes)
    }
}

impl Wire for Params {
    type Context = ();
    const KIND: Kind = Kind::Params;
    const SCHEME: &'static str = <Wide as Encoding>::NAME;

    fn read((): &(), frame: &mut Frame<'_>, _: Trust) -> Result<Params, Error> {
        frame.plain()?.keyless()?;
        let spec = read_spec(&mut frame.payload)?;
        frame.payload.finish()?;
        let params = Params::new(spec)?;
        frame.belongs(params.id())?;
        Ok(params)
    }
}

impl WireObject for Params {
    fn header(&self) -> Header {
        Header::of_params(*self.id())
    }

    fn payload_len(&self) -> usize {
        let spec = self.spec();
        FIXED_BYTES + spec.name.len() + 8 * (spec.chain_bits.len() + spec.special_bits.len())
    }

    fn write(&self, out: &mut Vec<u8>) {
        let spec = self.spec();
        out.extend((spec.name.len() as u16).to_le_bytes());
        out.extend(spec.name.bytes());
        out.extend((spec.degree as u32).to_le_bytes());
        let (kind, size) = match spec.gadget {
            Gadget::Hybrid { limbs } => (0, limbs as u32),
            Gadget::Positional { base_log } => (1, base_log),
        };
        out.extend([u8::from(spec.product == Product::ScaleInvariant), kind]);
        out.extend(size.to_le_bytes());
        out.extend((spec.security.bits() as u16).to_le_bytes());
        out.extend(spec.failure_log2.to_le_bytes());
        out.extend([spec.chain_bits.len() as u8, spec.special_bits.len() as u8]);
        for bits in spec.chain_bits.iter().chain(&spec.special_bits) {
            out.extend(bits.to_le_bytes());
        }
    }
}

fn read_spec(payload: &mut Reader<'_>) -> Result<Spec, WireError> {
    let name_len = at_most("name length", payload.u16()?.into(), Spec::LONGEST_NAME as u64)?;
    let name = String::from_utf8(payload.take(name_len as usize)?.to_vec())
        .map_err(|_| WireError::Malformed { field: "name" })?;
    let degree = at_most("degree", payload.u32()?.into(), 1 << 17)? as usize;
    let product = match at_most("product", payload.u8()?.into(), 1)? {
        0 => Product::Tensor,
        _ => Product::ScaleInvariant,
    };
    let kind = at_most("gadget", payload.u8()?.into(), 1)?;
    let size = payload.u32()?;
    let gadget = match kind {
        0 => Gadget::Hybrid { limbs: size as usize },
        _ => Gadget::Positional { base_log: size },
    };
    let security = SecurityLevel::try_from(u32::from(payload.u16()?))
        .map_err(|_| WireError::Malformed { field: "security level" })?;
    let failure_log2 = payload.f64()?;
    let most = MOST_PRIMES as u64;
    let chain = at_most("chain length", payload.u8()?.into(), most)?;
    let special = at_most("special primes", payload.u8()?.into(), most)?;
    let mut sizes = |count| (0..count).map(|_| payload.f64()).collect::<Result<Vec<_>, _>>();
    let (chain_bits, special_bits) = (sizes(chain)?, sizes(special)?);
    Ok(Spec { name, degree, chain_bits, special_bits, gadget, product, security, failure_log2 })
}
