//! Evaluation keys: their number and kinds, then for each key a seed and the half that is not
//! uniform.

use super::poly::{poly_len, read_poly, write_poly};
use crate::Error;
use crate::rlwe::{Ciphertext, EvaluationKeys, MetaCodec, Params, Rotations};
use crate::rlwe::{Galois, SwitchingKey};
use crate::wire::WireError;
use crate::wire::frame::{Fields, Label, OVERHEAD, open, seal};
use crate::wire::kind::Kind;
use crate::wire::reader::{Reader, at_most};
use fathom_ring::{Automorphism, GadgetVector};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Bits of the first byte, each for a key of which there is at most one.
const RELINEARIZATION: u8 = 1;
const ZERO: u8 = 2;

/// Length of the first byte and of the number of Galois keys.
const COUNTS_BYTES: usize = 1 + 4;
/// Length of the Galois element that precedes its key.
const EXPONENT_BYTES: usize = 4;
/// Length of the field that precedes the encryption of zero.
const LENGTH_BYTES: usize = 8;
const SEED_BYTES: usize = 32;

impl<S: MetaCodec> EvaluationKeys<S> {
    /// Returns those of these keys that `rotations` need, with the relinearisation key and the
    /// encryption of zero, so that a server need not be sent any others.
    ///
    /// # Errors
    /// [`Error::MissingGaloisKey`] if there is no key for a rotation.
    pub fn select(&self, rotations: &Rotations) -> Result<EvaluationKeys<S>, Error> {
        let find = |exponent| {
            let rotation = "selection".to_owned();
            let missing = Error::MissingGaloisKey { exponent, rotation };
            Ok((exponent, Arc::clone(self.galois.get(&exponent).ok_or(missing)?)))
        };
        let exponents = rotations.exponents(self.params.degree());
        let galois = exponents.into_iter().map(find).collect::<Result<_, Error>>()?;
        Ok(EvaluationKeys { galois, ..self.clone() })
    }

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
        seal(label, Fields::default(), self.payload_len(), |out| {
            let relinearization = if self.relinearization.is_some() { RELINEARIZATION } else { 0 };
            let zero = if self.zero.is_some() { ZERO } else { 0 };
            out.push(relinearization | zero);
            out.extend((self.galois.len() as u32).to_le_bytes());
            self.relinearization.iter().for_each(|key| write_key(key, out));
            for (exponent, galois) in &self.galois {
                out.extend((*exponent as u32).to_le_bytes());
                write_key(&galois.key, out);
            }
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
        let count = payload.u32()?;
        // Galois elements are odd, below 2N and not 1.
        let count = at_most("Galois key count", count.into(), params.degree() as u64 - 1)? as usize;
        let with_relinearization = present & RELINEARIZATION != 0;
        let keys = usize::from(with_relinearization) * key_len(params)
            + count * (EXPONENT_BYTES + key_len(params));
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
        let galois = self.galois.len() * (EXPONENT_BYTES + key);
        let zero = self.zero.as_ref().map_or(0, |zero| LENGTH_BYTES + zero.byte_len());
        COUNTS_BYTES + relinearization + galois + zero
    }
}

fn digit_count<S: MetaCodec>(params: &Params<S>) -> usize {
    let context = params.context();
    context.gadget.digit_count(&context.ring, context.ring.chain_len())
}

fn key_len<S: MetaCodec>(params: &Params<S>) -> usize {
    let ring = &params.context().ring;
    SEED_BYTES + digit_count(params) * poly_len(ring, ring.all_limbs())
}

fn write_key(key: &SwitchingKey, out: &mut Vec<u8>) {
    out.extend(key.seed.0);
    key.vector.pairs().for_each(|[half, _]| write_poly(&half, out));
}

fn read_key<S: MetaCodec>(
    payload: &mut Reader<'_>,
    params: &Params<S>,
    tables: Option<&GadgetVector>,
) -> Result<SwitchingKey, Error> {
    let context = params.context();
    let limbs = context.ring.all_limbs();
    let seed = payload.seed()?;
    let halves = (0..digit_count(params))
        .map(|_| read_poly(payload, &context.ring, limbs))
        .collect::<Result<_, _>>()?;
    Ok(SwitchingKey::from_halves(context, seed, halves, tables))
}

fn read_galois<S: MetaCodec>(
    payload: &mut Reader<'_>,
    params: &Params<S>,
    count: usize,
    tables: Option<&GadgetVector>,
) -> Result<BTreeMap<usize, Arc<Galois>>, Error> {
    let mut galois: BTreeMap<usize, Arc<Galois>> = BTreeMap::new();
    let mut previous = 1;
    for _ in 0..count {
        let exponent = payload.u32()?;
        let largest = 2 * params.degree() as u64 - 1;
        let exponent = at_most("Galois element", exponent.into(), largest)? as usize;
        if exponent.is_multiple_of(2) || exponent <= previous {
            return Err(WireError::Malformed { field: "Galois element" }.into());
        }
        let first = galois.first_key_value().map(|(_, galois)| galois.key.vector.clone());
        let key = read_key(payload, params, tables.or(first.as_ref()))?;
        let automorphism = Automorphism::new(params.degree(), exponent);
        galois.insert(exponent, Arc::new(Galois { automorphism, key }));
        previous = exponent;
    }
    Ok(galois)
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
