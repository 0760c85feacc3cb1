//! Evaluation keys: their number and kinds, then for each key a seed and the half that is not
//! uniform.

use super::poly::seal_object;
use super::switching_key::{
    check_count, galois_len, key_len, read_galois, read_key, write_galois, write_key,
};
use crate::Error;
use crate::rlwe::{Ciphertext, EvaluationKeys, MetaCodec, Params};
use crate::wire::WireError;
use crate::wire::frame::{Fields, Label, OVERHEAD, open};
use crate::wire::kind::Kind;
use crate::wire::reader::{Reader, at_most};
use std::sync::Arc;

/// Bits of the first byte, each for a key of which there is at most one.
const RELINEARIZATION: u8 = 1;
const ZERO: u8 = 2;

/// Length of the first byte and of the number of Galois keys.
const COUNTS_BYTES: usize = 1 + 4;
/// Length of the field that precedes the encryption of zero.
const LENGTH_BYTES: usize = 8;

impl<S: MetaCodec> EvaluationKeys<S> {
    /// Returns the wire form. The uniform half of every key is replaced by its seed, which halves
    /// the size.
    pub fn to_bytes(&self) -> Vec<u8> {
        let params = self.params();
        let label = Label {
            kind: Kind::EvaluationKeys,
            scheme: S::NAME,
            params_id: params.id(),
            key_id: self.key,
        };
        seal_object(&self.params, label, Fields::default(), self.payload_len(), |out| {
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
        })
    }

    /// Returns the length of [`EvaluationKeys::to_bytes`] in bytes.
    pub fn byte_len(&self) -> usize {
        OVERHEAD + self.payload_len()
    }

    /// Reads evaluation keys of these parameters. They cannot be verified; wrong keys make the
    /// results of their owner wrong.
    ///
    /// # Errors
    /// The [`WireError`]s of a frame and of the encryption of zero; [`WireError::Range`] for a
    /// residue that is not below its prime, [`WireError::Malformed`] for Galois elements that are
    /// even or not in ascending order.
    pub fn from_bytes(params: &Params<S>, bytes: &[u8]) -> Result<EvaluationKeys<S>, Error> {
        let frame = open(bytes, Kind::EvaluationKeys, S::NAME)?.plain()?;
        frame.belongs(params.id())?;
        let mut payload = frame.payload;
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
            if with_relinearization { Some(read_key(&mut payload, params, None)?) } else { None };
        let tables = relinearization.as_ref().map(|key| &key.vector);
        let galois = read_galois(&mut payload, params, count, tables)?;
        let zero = if present & ZERO != 0 { Some(read_zero(&mut payload, params)?) } else { None };
        payload.finish()?;
        let (relinearization, zero) = (relinearization.map(Arc::new), zero.map(Arc::new));
        let key = frame.key_id;
        let any = relinearization.is_some() || !galois.is_empty() || zero.is_some();
        if any != key.is_some() || zero.as_ref().is_some_and(|zero| Some(zero.key) != key) {
            return Err(WireError::Malformed { field: "key id" }.into());
        }
        Ok(EvaluationKeys { params: params.clone(), key, relinearization, galois, zero })
    }

    fn payload_len(&self) -> usize {
        let key = key_len(&self.params);
        let relinearization = self.relinearization.as_ref().map_or(0, |_| key);
        let galois = galois_len(&self.params, self.galois.len());
        let zero = self.zero.as_ref().map_or(0, |zero| LENGTH_BYTES + zero.byte_len());
        COUNTS_BYTES + relinearization + galois + zero
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
