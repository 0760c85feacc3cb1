//! Parameters: their description.

use super::SCHEME;
use crate::Error;
use crate::tfhe::{Decomposition, KeyFamily, Name, Params, Spec};
use crate::wire::frame::{Frame, open};
use crate::wire::reader::{Reader, at_most};
use crate::wire::{Header, Kind, Trust, Wire, WireError, WireObject};

/// Length of all fields but the name.
const FIXED_BYTES: usize = 1 + 2 + 4 + 8 + 2 + 4 + 1 + 1 + 8 + 6 + 2 + 4 + 8;

impl Params {
    /// Reads the description of a set that the library provides.
    ///
    /// # Errors
    /// Any [`WireError`] of a damaged frame; [`Error::Spec`] for any other set, which
    /// [`Params::from_bytes_assessing`] takes; [`Error::ParamsMismatch`] if the frame names another
    /// set than it describes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Params, Error> {
        <Self as Wire>::from_bytes(&(), bytes)
    }

    /// Reads the description of any parameter set. A set that the library does not provide goes
    /// through every check of [`Params::new`], including the estimate of its security. This takes
    /// seconds of computation for a frame of 200 bytes, so do not use it on untrusted bytes.
    ///
    /// # Errors
    /// As [`Params::from_bytes`]; the errors of [`Params::new`].
    pub fn from_bytes_assessing(bytes: &[u8]) -> Result<Params, Error> {
        read(&mut open(bytes, Kind::Params, SCHEME)?, Params::new)
    }
}

/// Reads a set; `other` makes those that the library does not provide.
fn read(frame: &mut Frame<'_>, other: fn(Spec) -> Result<Params, Error>) -> Result<Params, Error> {
    frame.plain()?.keyless()?;
    let spec = read_spec(&mut frame.payload)?;
    frame.payload.finish()?;
    let shipped = Params::preset(spec.name.as_str()).ok().filter(|set| *set.spec() == spec);
    let params = match shipped {
        Some(params) => params,
        None => other(spec)?,
    };
    frame.belongs(&params.id())?;
    Ok(params)
}

impl Wire for Params {
    type Context = ();
    const KIND: Kind = Kind::Params;
    const SCHEME: &'static str = SCHEME;

    fn read((): &(), frame: &mut Frame<'_>, _: Trust) -> Result<Params, Error> {
        read(frame, |spec| {
            let reason = format!(
                "no set of the library called {} has this description; \
                 Params::from_bytes_assessing estimates the security of others, which takes \
                 seconds",
                spec.name.as_str()
            );
            Err(Error::Spec { field: "name", reason })
        })
    }
}

impl WireObject for Params {
    fn header(&self) -> Header {
        Header::of_params(self.id())
    }

    fn payload_len(&self) -> usize {
        FIXED_BYTES + self.spec().name.as_str().len()
    }

    fn write(&self, out: &mut Vec<u8>) {
        write_spec(self.spec(), out);
    }
}

fn write_spec(spec: &Spec, out: &mut Vec<u8>) {
    out.push(spec.name.as_str().len() as u8);
    out.extend(spec.name.as_str().bytes());
    out.extend([spec.message_bits as u8, spec.carry_bits as u8]);
    out.extend((spec.small_dimension as u32).to_le_bytes());
    out.extend(spec.small_deviation_log2.to_le_bytes());
    let family = match spec.family {
        KeyFamily::Uniform { group } => [0, group as u8],
        KeyFamily::BlockBinary { length } => [1, length as u8],
    };
    out.extend(family);
    out.extend((spec.degree as u32).to_le_bytes());
    out.extend([spec.extension as u8, spec.rank as u8]);
    out.extend(spec.glwe_deviation_log2.to_le_bytes());
    for digits in [spec.mask, spec.body, spec.key_switch] {
        out.extend([digits.base_log as u8, digits.levels as u8]);
    }
    out.extend((spec.key_switch_degree as u16).to_le_bytes());
    out.extend(spec.max_noise_variance.to_le_bytes());
    out.extend(spec.failure_log2.to_le_bytes());
}

/// Reads the fields. Their ranges are checked when the set is built.
fn read_spec(payload: &mut Reader<'_>) -> Result<Spec, Error> {
    let length = at_most("name length", payload.u8()?.into(), Name::LONGEST as u64)? as usize;
    let name = std::str::from_utf8(payload.take(length)?).ok();
    let name = name.and_then(|text| Name::try_from(text).ok());
    let name = name.ok_or(WireError::Malformed { field: "name" })?;
    let [message_bits, carry_bits] = payload.array()?.map(u8::into);
    let small_dimension = payload.u32()? as usize;
    let small_deviation_log2 = payload.f64()?;
    let [family, step] = payload.array()?;
    let family = match family {
        0 => KeyFamily::Uniform { group: step.into() },
        1 => KeyFamily::BlockBinary { length: step.into() },
        _ => return Err(WireError::Malformed { field: "key family" }.into()),
    };
    let degree = payload.u32()? as usize;
    let [extension, rank] = payload.array()?.map(u8::into);
    let glwe_deviation_log2 = payload.f64()?;
    let mut digits = || -> Result<Decomposition, Error> {
        let [base_log, levels] = payload.array()?;
        Ok(Decomposition { base_log: base_log.into(), levels: levels.into() })
    };
    let [mask, body, key_switch] = [digits()?, digits()?, digits()?];
    let key_switch_degree = payload.u16()?.into();
    let (max_noise_variance, failure_log2) = (payload.u32()?, payload.f64()?);
    Ok(Spec {
        name,
        message_bits,
        carry_bits,
        small_dimension,
        small_deviation_log2,
        family,
        degree,
        extension,
        rank,
        glwe_deviation_log2,
        mask,
        body,
        key_switch,
        key_switch_degree,
        max_noise_variance,
        failure_log2,
    })
}
