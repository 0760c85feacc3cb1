//! The bytes of the keys of a refresh.

use super::super::keys::Parts;
use super::keys::RefreshKeys;
use crate::Error;
use crate::rlwe::Params;
use crate::rlwe::codec::{key_len, key_of, read_key, write_key};
use crate::rlwe::modular::Modular;
use crate::wire::frame::{Frame, OVERHEAD};
use crate::wire::{Header, Kind, Trust, Wire, WireObject};
use std::sync::Arc;

/// Reading expands the uniform halves, so that the keys take about twice their bytes in memory.
impl<S: Modular> Wire for RefreshKeys<S> {
    type Context = Params<S>;
    const KIND: Kind = Kind::RefreshKeys;
    const SCHEME: &'static str = S::NAME;

    fn read(params: &Params<S>, frame: &mut Frame<'_>, _: Trust) -> Result<Self, Error> {
        frame.plain()?.belongs(params.id())?;
        let key = key_of(params, frame)?;
        let stages = params.refresh_stages()?;
        let back_len = key_len(&stages.low, stages.back_level());
        frame.expect(params.id(), stages.keys_len() + back_len)?;
        let parts = Arc::new(Parts::read(&stages, &mut frame.payload)?);
        let back = read_key(&mut frame.payload, &stages.low, stages.back_level(), None)?;
        Ok(RefreshKeys { params: params.clone(), key, stages, parts, back: Arc::new(back) })
    }
}

impl<S: Modular> WireObject for RefreshKeys<S> {
    fn header(&self) -> Header {
        Header::of_key(*self.params.id(), self.key)
    }

    fn payload_len(&self) -> usize {
        self.stages.keys_len() + key_len(&self.stages.low, self.stages.back_level())
    }

    fn write(&self, out: &mut Vec<u8>) {
        self.parts.write(out);
        write_key(&self.back, out);
    }
}

impl<S: Modular> Params<S> {
    /// Returns the length in bytes of the keys of a refresh on the wire, before they are generated.
    ///
    /// # Errors
    /// [`Error::Insecure`] if the degree of the parameters is too small for a refresh.
    pub fn refresh_keys_byte_len(&self) -> Result<usize, Error> {
        let stages = self.refresh_stages()?;
        Ok(OVERHEAD + stages.keys_len() + key_len(&stages.low, stages.back_level()))
    }
}
