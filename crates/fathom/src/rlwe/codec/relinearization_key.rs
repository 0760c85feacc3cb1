//! Relinearisation keys.

use super::poly::{key_of, seal_object};
use super::switching_key::{key_len, read_key, write_key};
use crate::Error;
use crate::rlwe::{Encoding, Params, RelinearizationKey};
use crate::wire::frame::{Fields, Label, OVERHEAD, open};
use crate::wire::kind::Kind;
use std::sync::Arc;

impl<S: Encoding> RelinearizationKey<S> {
    /// Returns the wire form. The uniform half is replaced by its seed.
    pub fn to_bytes(&self) -> Vec<u8> {
        let label = Label {
            kind: Kind::RelinearizationKey,
            scheme: S::NAME,
            params_id: self.params.id(),
            key_id: Some(self.key),
        };
        seal_object(&self.params, label, Fields::default(), key_len(&self.params), |out| {
            write_key(&self.switching, out);
        })
    }

    /// Returns the length of [`RelinearizationKey::to_bytes`] in bytes.
    pub fn byte_len(&self) -> usize {
        OVERHEAD + key_len(&self.params)
    }

    /// Reads a relinearisation key of these parameters. It cannot be verified; a wrong key makes
    /// the results of its owner wrong.
    ///
    /// # Errors
    /// [`Error::Wire`], [`Error::ParamsMismatch`].
    pub fn from_bytes(params: &Params<S>, bytes: &[u8]) -> Result<Self, Error> {
        let frame = open(bytes, Kind::RelinearizationKey, S::NAME)?.plain()?;
        frame.expect(params.id(), key_len(params))?;
        let mut payload = frame.payload;
        let switching = Arc::new(read_key(&mut payload, params, None)?);
        payload.finish()?;
        Ok(RelinearizationKey { params: params.clone(), key: key_of(params, &frame)?, switching })
    }
}
