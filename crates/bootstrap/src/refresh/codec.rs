//! The bytes of the keys of a refresh.

use super::keys::{RefreshKeys, refresh_stages};
use super::set::RefreshSet;
use crate::keys::Parts;
use crate::stages::Stages;
use fathom_base::Error;
use fathom_base::wire::frame::Frame;
use fathom_base::wire::reader::Reader;
use fathom_base::wire::{Header, Kind, Trust, Wire, WireError, WireObject};
use fathom_rings::internals::{key_len, key_of, read_key, write_key};
use fathom_rings::rlwe::Params;
use fathom_rings::rlwe::modular::Modular;
use std::sync::Arc;

/// Reading expands the uniform halves, so that the keys take about twice their bytes in memory.
impl<S: Modular> Wire for RefreshKeys<S> {
    type Context = Params<S>;
    const KIND: Kind = Kind::RefreshKeys;
    const SCHEME: &'static str = S::NAME;

    fn read(params: &Params<S>, frame: &mut Frame<'_>, _: Trust) -> Result<Self, Error> {
        frame.plain()?.belongs(params.id())?;
        let key = key_of(params, frame)?;
        let tag = Reader::u8(&mut frame.payload.clone())?;
        let set = set_of(tag)?;
        let stages = refresh_stages(params, set)?;
        frame.expect(params.id(), payload_len(&stages))?;
        frame.payload.u8()?;
        let parts = Arc::new(Parts::read(&stages, &mut frame.payload)?);
        let back = read_key(&mut frame.payload, &stages.low, stages.back_level(), None)?;
        Ok(RefreshKeys { params: params.clone(), set, key, stages, parts, back: Arc::new(back) })
    }
}

impl<S: Modular> WireObject for RefreshKeys<S> {
    fn header(&self) -> Header {
        Header::of_key(*self.params.id(), self.key)
    }

    fn payload_len(&self) -> usize {
        payload_len(&self.stages)
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.push(tag_of(self.set));
        self.parts.write(out);
        write_key(&self.back, out);
    }
}

/// Returns the length of the set and the keys.
pub(super) fn payload_len(stages: &Stages) -> usize {
    1 + stages.keys_len() + key_len(&stages.low, stages.back_level())
}

/// Returns the byte of a set.
fn tag_of(set: RefreshSet) -> u8 {
    match set {
        RefreshSet::Noise => 0,
        RefreshSet::Tables => 1,
    }
}

/// Returns the set of a byte.
fn set_of(tag: u8) -> Result<RefreshSet, WireError> {
    let set = RefreshSet::ALL.into_iter().find(|set| tag_of(*set) == tag);
    set.ok_or(WireError::Range { field: "set", value: tag.into(), limit: 1 })
}
