//! Relinearisation keys.

use super::poly::key_of;
use super::switching_key::{key_len, read_key, write_key};
use crate::Error;
use crate::rlwe::{Encoding, Level, Params, RelinearizationKey};
use crate::wire::frame::Frame;
use crate::wire::{Header, Kind, Trust, Wire, WireObject};
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
