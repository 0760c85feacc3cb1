//! Plaintexts: one packed row of coefficients.

use crate::Error;
use crate::rlwe::modular::{Modular, Params, Plaintext};
use crate::wire::WireError;
use crate::wire::frame::{Fields, Label, OVERHEAD, open, seal};
use crate::wire::kind::Kind;
use crate::wire::pack::{pack, packed_len, unpack};
use zeroize::Zeroizing;

impl<S: Modular> Plaintext<S> {
    /// Returns the wire form: the coefficients, lowest first. The bytes are the message; the caller
    /// is responsible for wiping them.
    pub fn to_bytes(&self) -> Vec<u8> {
        let params = self.params();
        let label =
            Label { kind: Kind::Plaintext, scheme: S::NAME, params_id: params.id(), key_id: None };
        seal(label, Fields::default(), payload_len(params), |out| {
            pack(self.coefficients(), params.plain().modulus().bits(), out);
        })
    }

    /// Returns the length of [`Plaintext::to_bytes`] in bytes.
    pub fn byte_len(&self) -> usize {
        OVERHEAD + payload_len(self.params())
    }

    /// Reads a plaintext of these parameters.
    ///
    /// # Errors
    /// The [`WireError`]s of a frame; [`WireError::Malformed`] for a coefficient that is not below
    /// `t`.
    pub fn from_bytes(params: &Params<S>, bytes: &[u8]) -> Result<Plaintext<S>, Error> {
        let frame = open(bytes, Kind::Plaintext, S::NAME)?.plain()?.keyless()?;
        frame.expect(params.id(), payload_len(params))?;
        let mut payload = frame.payload;
        let t = params.plain().modulus();
        let mut coefficients = Zeroizing::new(vec![0; params.degree()]);
        let packed = payload.take(payload_len(params))?;
        payload.finish()?;
        unpack(packed, t.bits(), t.value() - 1, &mut coefficients)
            .map_err(|_| WireError::Malformed { field: "coefficient" })?;
        Ok(Plaintext::from_coefficients(params, std::mem::take(&mut *coefficients)))
    }
}

fn payload_len<S: Modular>(params: &Params<S>) -> usize {
    packed_len(params.degree(), params.plain().modulus().bits())
}
