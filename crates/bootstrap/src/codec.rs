//! The bytes of the keys of a bootstrapping.
//!
//! The parameters determine which keys there are and for which levels, so that seeds and the halves
//! that are not uniform are all that is written; keys of sparse slots also state their number.

use super::first_factor::FirstKeys;
use super::keys::{BootstrappingKeys, Parts};
use super::slot_map::GaloisMap;
use super::stages::{Stages, stages};
use fathom_base::Error;
use fathom_base::wire::frame::{Fields, Frame};
use fathom_base::wire::reader::{Reader, SEED_BYTES};
use fathom_base::wire::{Header, Kind, Trust, Wire, WireError, WireObject};
use fathom_ring::{Automorphism, GadgetVector};
use fathom_rings::ckks::{Ckks, Mode};
use fathom_rings::internals::{
    Context, Galois, key_len, key_of, poly_len, read_key, read_poly, write_key, write_poly,
};
use fathom_rings::rlwe::{Encoding, Level, Params};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Reading expands the uniform halves, so that the keys take about twice their bytes in memory.
impl<M: Mode> Wire for BootstrappingKeys<M> {
    type Context = Params<Ckks<M>>;
    const KIND: Kind = Kind::BootstrappingKeys;
    const SCHEME: &'static str = <Ckks<M> as Encoding>::NAME;

    fn read(params: &Params<Ckks<M>>, frame: &mut Frame<'_>, _: Trust) -> Result<Self, Error> {
        frame.belongs(params.id())?;
        let key = key_of(params, frame)?;
        let stages = stages_of(params, frame.fields)?;
        frame.expect(params.id(), stages.keys_len())?;
        let parts = Arc::new(Parts::read(&stages, &mut frame.payload)?);
        Ok(BootstrappingKeys { params: params.clone(), key, stages, parts })
    }
}

impl<M: Mode> WireObject for BootstrappingKeys<M> {
    fn header(&self) -> Header {
        let meta = self.stages.keys_meta();
        Header { meta, ..Header::of_key(*self.params.id(), self.key) }
    }

    fn payload_len(&self) -> usize {
        self.stages.keys_len()
    }

    fn write(&self, out: &mut Vec<u8>) {
        self.parts.write(out);
    }
}

/// Returns the stages of keys with this metadata, which only those of sparse slots have.
fn stages_of<M: Mode>(
    params: &Params<Ckks<M>>,
    Fields { flags, meta }: Fields<'_>,
) -> Result<Arc<Stages>, Error> {
    let dense = stages(params)?;
    match (flags, meta.len()) {
        (0, 0) => Ok(dense),
        (0, SLOTS_BYTES) => {
            let slots = Reader::new(meta).u32()? as usize;
            let stages = dense.repeating(slots);
            Ok(Arc::new(stages.map_err(|_| WireError::Malformed { field: "slots" })?))
        }
        _ => Err(WireError::Malformed { field: "header" }.into()),
    }
}

/// Length of the number of slots of sparse keys.
const SLOTS_BYTES: usize = 4;

impl Stages {
    /// Returns the metadata of the keys: the number of slots, if they are sparse.
    pub(super) fn keys_meta(&self) -> Vec<u8> {
        if self.is_sparse() { (self.slots() as u32).to_le_bytes().to_vec() } else { Vec::new() }
    }

    /// Returns the length of the keys.
    pub(super) fn keys_len(&self) -> usize {
        let all = |context: &Context, keys: BTreeMap<usize, Level>| -> usize {
            keys.into_values().map(|level| key_len(context, level)).sum()
        };
        let first = poly_len(&self.raised, self.first_limbs());
        key_len(&self.capsule, self.last_level())
            + key_len(&self.raised, self.exponential_level())
            + all(&self.low, self.out_keys())
            + all(&self.raised, self.raised_keys())
            + SEED_BYTES
            + self.first_count() * first
    }
}

impl Parts {
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        let Parts { out: low, capsule, first, raised, relinearization } = self;
        let galois = low.values().chain(raised.values()).map(|galois| &galois.key);
        [capsule, relinearization].into_iter().chain(galois).for_each(|key| write_key(key, out));
        out.extend(first.seed.0);
        first.pairs.iter().for_each(|[half, _]| write_poly(half, out));
    }

    pub(super) fn read(stages: &Stages, payload: &mut Reader<'_>) -> Result<Parts, Error> {
        let capsule = read_key(payload, &stages.capsule, stages.last_level(), None)?;
        let level = stages.exponential_level();
        let relinearization = read_key(payload, &stages.raised, level, None)?;
        let tables = Some(&relinearization.vector);
        let out = read_galois(payload, &stages.low, stages.out_keys(), None)?;
        let raised = read_galois(payload, &stages.raised, stages.raised_keys(), tables)?;
        let (seed, limbs) = (payload.seed()?, stages.first_limbs());
        let halves = (0..stages.first_count())
            .map(|_| read_poly(payload, &stages.raised.ring, limbs))
            .collect::<Result<_, _>>()?;
        let first = FirstKeys::from_halves(stages, seed, halves);
        Ok(Parts { out, capsule, first, raised, relinearization })
    }
}

/// Reads keys of these exponents and levels.
fn read_galois(
    payload: &mut Reader<'_>,
    context: &Context,
    levels: BTreeMap<usize, Level>,
    tables: Option<&GadgetVector>,
) -> Result<GaloisMap, Error> {
    let mut keys = GaloisMap::new();
    for (exponent, level) in levels {
        let first = keys.values().next().map(|galois: &Galois| &galois.key.vector);
        let key = read_key(payload, context, level, tables.or(first))?;
        let automorphism = Automorphism::new(context.degree(), exponent);
        keys.insert(exponent, Galois { automorphism, key });
    }
    Ok(keys)
}
