//! The wire forms of evaluation keys, alone and as a set: for each key a seed and the half that is
//! not uniform.
//!
//! A relinearisation key is one switching key, whose length determines its level. Galois keys are
//! their number, then each key after its element, in ascending order. The set states which of its
//! keys there are before these forms and the encryption of zero.

use super::poly::key_of;
use super::switching_key::{
    galois_len, key_len, levels_below, read_count, read_galois, read_key, read_level, write_galois,
    write_key,
};
use crate::Error;
use crate::rlwe::{
    Ciphertext, Encoding, EvaluationKeys, GaloisKeys, Level, MetaCodec, Params, RelinearizationKey,
};
use crate::wire::frame::Frame;
use crate::wire::reader::{Reader, at_most};
use crate::wire::{Header, Kind, Trust, Wire, WireError, WireObject};
use std::sync::Arc;

impl<S: Encoding> Wire for RelinearizationKey<S> {
    type Context = Params<S>;
    const KIND: Kind = Kind::RelinearizationKey;
    const SCHEME: &'static str = S::NAME;

    fn read(params: &Params<S>, frame: &mut Frame<'_>, _: Trust) -> Result<Self, Error> {
        frame.plain()?.belongs(params.id())?;
        // The length determines the level.
        let (context, top, got) = (params.context(), params.top_level(), frame.payload.len());
        let level = (0..=top.get()).map(Level::new).find(|&level| key_len(context, level) == got);
        let level = level.unwrap_or(top);
        frame.expect(params.id(), key_len(context, level))?;
        let switching = Arc::new(read_key(&mut frame.payload, context, level, None)?);
        Ok(RelinearizationKey { params: params.clone(), key: key_of(params, frame)?, switching })
    }
}

impl<S: Encoding> WireObject for RelinearizationKey<S> {
    fn header(&self) -> Header {
        Header::of_key(*self.params.id(), self.key)
    }

    fn payload_len(&self) -> usize {
        key_len(self.params.context(), self.switching.level())
    }

    fn write(&self, out: &mut Vec<u8>) {
        write_key(&self.switching, out);
    }

    fn has_no_content(&self) -> bool {
        self.params.context().is_simulated()
    }
}

/// Length of the number of Galois keys.
const COUNT_BYTES: usize = 4;

/// Elements that are even or not in ascending order are refused.
impl<S: Encoding> Wire for GaloisKeys<S> {
    type Context = Params<S>;
    const KIND: Kind = Kind::GaloisKeys;
    const SCHEME: &'static str = S::NAME;

    fn read(params: &Params<S>, frame: &mut Frame<'_>, _: Trust) -> Result<Self, Error> {
        frame.plain()?.belongs(params.id())?;
        let count = read_count(params, &mut frame.payload)?;
        let keys = read_galois(&mut frame.payload, params, count, None)?;
        Ok(GaloisKeys { params: params.clone(), key: key_of(params, frame)?, keys })
    }
}

impl<S: Encoding> WireObject for GaloisKeys<S> {
    fn header(&self) -> Header {
        Header::of_key(*self.params.id(), self.key)
    }

    fn payload_len(&self) -> usize {
        COUNT_BYTES + galois_len(&self.params, &self.keys)
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.extend((self.keys.len() as u32).to_le_bytes());
        write_galois(&self.params, &self.keys, out);
    }

    fn has_no_content(&self) -> bool {
        self.params.context().is_simulated()
    }
}

/// Bits of the first byte, each for a key of which there is at most one.
const RELINEARIZATION: u8 = 1;
const ZERO: u8 = 2;
/// The relinearisation key is for a level below the top one. How many levels below follows the
/// counts.
const LOWER: u8 = 4;

/// Length of the first byte and of the number of Galois keys.
const COUNTS_BYTES: usize = 1 + COUNT_BYTES;
/// Length of the field that precedes the encryption of zero.
const LENGTH_BYTES: usize = 8;

/// Galois elements that are even or not in ascending order are refused.
impl<S: MetaCodec> Wire for EvaluationKeys<S> {
    type Context = Params<S>;
    const KIND: Kind = Kind::EvaluationKeys;
    const SCHEME: &'static str = S::NAME;

    fn read(params: &Params<S>, frame: &mut Frame<'_>, _: Trust) -> Result<Self, Error> {
        frame.plain()?.belongs(params.id())?;
        // The keys of nothing name no secret key.
        let key = if frame.key_id.is_some() { Some(key_of(params, frame)?) } else { None };
        let payload = &mut frame.payload;
        let present = payload.u8()?;
        at_most("key set", present.into(), (RELINEARIZATION | ZERO | LOWER).into())?;
        let count = read_count(params, payload)?;
        let level = read_relinearization_level(params, present, payload)?;
        let relinearization = match present & RELINEARIZATION {
            0 => None,
            _ => Some(read_key(payload, params.context(), level, None)?),
        };
        let tables = relinearization.as_ref().map(|key| &key.vector);
        let galois = read_galois(payload, params, count, tables)?;
        let zero = if present & ZERO != 0 { Some(read_zero(payload, params)?) } else { None };
        let (relinearization, zero) = (relinearization.map(Arc::new), zero.map(Arc::new));
        let any = relinearization.is_some() || !galois.is_empty() || zero.is_some();
        if any != key.is_some() || zero.as_ref().is_some_and(|zero| Some(zero.key) != key) {
            return Err(WireError::Malformed { field: "key id" }.into());
        }
        Ok(EvaluationKeys { params: params.clone(), key, relinearization, galois, zero })
    }
}

impl<S: MetaCodec> WireObject for EvaluationKeys<S> {
    fn header(&self) -> Header {
        Header { key_id: self.key, ..Header::of_params(*self.params.id()) }
    }

    fn payload_len(&self) -> usize {
        let relinearization = self.relinearization.as_ref().map_or(0, |key| {
            usize::from(self.below() > 0) + key_len(self.params.context(), key.level())
        });
        let galois = galois_len(&self.params, &self.galois);
        let zero = self.zero.as_ref().map_or(0, |zero| LENGTH_BYTES + zero.byte_len());
        COUNTS_BYTES + relinearization + galois + zero
    }

    fn write(&self, out: &mut Vec<u8>) {
        let relinearization = if self.relinearization.is_some() { RELINEARIZATION } else { 0 };
        let zero = if self.zero.is_some() { ZERO } else { 0 };
        let below = self.below();
        out.push(relinearization | zero | if below > 0 { LOWER } else { 0 });
        out.extend((self.galois.len() as u32).to_le_bytes());
        out.extend((below > 0).then_some(below));
        self.relinearization.iter().for_each(|key| write_key(key, out));
        write_galois(&self.params, &self.galois, out);
        if let Some(zero) = &self.zero {
            out.extend((zero.byte_len() as u64).to_le_bytes());
            out.extend(zero.to_bytes());
        }
    }

    fn has_no_content(&self) -> bool {
        self.params.context().is_simulated()
    }
}

impl<S: MetaCodec> EvaluationKeys<S> {
    /// Returns the number of levels of the relinearisation key below the top one.
    fn below(&self) -> u8 {
        self.relinearization.as_ref().map_or(0, |key| levels_below(&self.params, key))
    }
}

/// Reads the level of the relinearisation key, which is stated if it is not the top one.
fn read_relinearization_level<S: MetaCodec>(
    params: &Params<S>,
    present: u8,
    payload: &mut Reader<'_>,
) -> Result<Level, WireError> {
    if present & LOWER == 0 {
        return Ok(params.top_level());
    }
    if present & RELINEARIZATION == 0 {
        return Err(WireError::Malformed { field: "key set" });
    }
    match payload.u8()? {
        0 => Err(WireError::Malformed { field: "key set" }),
        below => read_level(params, below.into()),
    }
}

/// Reads an encryption of zero at the top level, with two components, so that it can be added to
/// any linear ciphertext.
fn read_zero<S: MetaCodec>(
    payload: &mut Reader<'_>,
    params: &Params<S>,
) -> Result<Ciphertext<S>, Error> {
    let stated = payload.u64()?;
    let len = at_most("length of the encryption of zero", stated, payload.len() as u64)?;
    let zero = Ciphertext::from_bytes(params, payload.take(len as usize)?)?;
    if zero.level() != params.top_level() || zero.component_count() != 2 {
        return Err(WireError::Malformed { field: "encryption of zero" }.into());
    }
    Ok(zero)
}
