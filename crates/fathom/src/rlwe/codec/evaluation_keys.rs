//! Evaluation keys: their number and kinds, then for each key a seed and the half that is not
//! uniform.

use super::switching_key::{
    check_count, galois_len, key_len, read_galois, read_key, write_galois, write_key,
};
use crate::Error;
use crate::rlwe::{Ciphertext, EvaluationKeys, MetaCodec, Params};
use crate::wire::frame::Frame;
use crate::wire::reader::{Reader, at_most};
use crate::wire::{Header, Kind, Trust, Wire, WireError, WireObject};
use std::sync::Arc;

/// Bits of the first byte, each for a key of which there is at most one.
const RELINEARIZATION: u8 = 1;
const ZERO: u8 = 2;

/// Length of the first byte and of the number of Galois keys.
const COUNTS_BYTES: usize = 1 + 4;
/// Length of the field that precedes the encryption of zero.
const LENGTH_BYTES: usize = 8;

/// Galois elements that are even or not in ascending order are refused.
impl<S: MetaCodec> Wire for EvaluationKeys<S> {
    type Context = Params<S>;
    const KIND: Kind = Kind::EvaluationKeys;
    const SCHEME: &'static str = S::NAME;

    fn read(params: &Params<S>, frame: &mut Frame<'_>, _: Trust) -> Result<Self, Error> {
        frame.plain()?.belongs(params.id())?;
        let payload = &mut frame.payload;
        let present = payload.u8()?;
        at_most("key set", present.into(), (RELINEARIZATION | ZERO).into())?;
        let count = check_count(params, payload.u32()?)?;
        let with_relinearization = present & RELINEARIZATION != 0;
        let keys = usize::from(with_relinearization) * key_len(params) + galois_len(params, count);
        let (needed, got) = (keys, payload.len());
        if got < needed {
            return Err(WireError::Truncated { needed, got }.into());
        }
        let relinearization =
            if with_relinearization { Some(read_key(payload, params, None)?) } else { None };
        let tables = relinearization.as_ref().map(|key| &key.vector);
        let galois = read_galois(payload, params, count, tables)?;
        let zero = if present & ZERO != 0 { Some(read_zero(payload, params)?) } else { None };
        let (relinearization, zero) = (relinearization.map(Arc::new), zero.map(Arc::new));
        let key = frame.key_id;
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
        let key = key_len(&self.params);
        let relinearization = self.relinearization.as_ref().map_or(0, |_| key);
        let galois = galois_len(&self.params, self.galois.len());
        let zero = self.zero.as_ref().map_or(0, |zero| LENGTH_BYTES + zero.byte_len());
        COUNTS_BYTES + relinearization + galois + zero
    }

    fn write(&self, out: &mut Vec<u8>) {
        let relinearization = if self.relinearization.is_some() { RELINEARIZATION } else { 0 };
        let zero = if self.zero.is_some() { ZERO } else { 0 };
        out.push(relinearization | zero);
        out.extend((self.galois.len() as u32).to_le_bytes());
        self.relinearization.iter().for_each(|key| write_key(key, out));
        write_galois(&self.galois, out);
        if let Some(zero) = &self.zero {
            out.extend((zero.byte_len() as u64).to_le_bytes());
            out.extend(zero.to_bytes());
        }
    }

    fn has_no_content(&self) -> bool {
        self.params.context().is_simulated()
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
