//! Galois keys: their number, then each key after its element.

use super::poly::{key_of, seal_object};
use super::switching_key::{check_count, galois_len, read_galois, write_galois};
use crate::Error;
use crate::rlwe::{Encoding, GaloisKeys, Params};
use crate::wire::frame::{Fields, Label, OVERHEAD, open};
use crate::wire::kind::Kind;

const COUNT_BYTES: usize = 4;

impl<S: Encoding> GaloisKeys<S> {
    /// Returns the wire form. The uniform half of every key is replaced by its seed.
    pub fn to_bytes(&self) -> Vec<u8> {
        let label = Label {
            kind: Kind::GaloisKeys,
            scheme: S::NAME,
            params_id: self.params.id(),
            key_id: Some(self.key),
        };
        seal_object(&self.params, label, Fields::default(), self.payload_len(), |out| {
            out.extend((self.keys.len() as u32).to_le_bytes());
            write_galois(&self.keys, out);
        })
    }

    /// Returns the length of [`GaloisKeys::to_bytes`] in bytes.
    pub fn byte_len(&self) -> usize {
        OVERHEAD + self.payload_len()
    }

    /// Reads Galois keys of these parameters. They cannot be verified; wrong keys make the results
    /// of their owner wrong.
    ///
    /// # Errors
    /// [`Error::Wire`], among them Galois elements that are even or not in ascending order;
    /// [`Error::ParamsMismatch`].
    pub fn from_bytes(params: &Params<S>, bytes: &[u8]) -> Result<Self, Error> {
        let frame = open(bytes, Kind::GaloisKeys, S::NAME)?.plain()?;
        frame.belongs(params.id())?;
        let mut payload = frame.payload;
        let count = check_count(params, payload.u32()?)?;
        frame.expect(params.id(), COUNT_BYTES + galois_len(params, count))?;
        let keys = read_galois(&mut payload, params, count, None)?;
        payload.finish()?;
        Ok(GaloisKeys { params: params.clone(), key: key_of(params, &frame)?, keys })
    }

    fn payload_len(&self) -> usize {
        COUNT_BYTES + galois_len(&self.params, self.keys.len())
    }
}
