//! Plaintexts: one packed row of coefficients.

use crate::Error;
use crate::rlwe::modular::{Modular, Params, Plaintext};
use crate::wire::frame::Frame;
use crate::wire::pack::{pack, packed_len, unpack};
use crate::wire::{Header, Kind, Trust, Wire, WireError, WireObject};
use zeroize::Zeroizing;

impl<S: Modular> Wire for Plaintext<S> {
    type Context = Params<S>;
    const KIND: Kind = Kind::Plaintext;
    const SCHEME: &'static str = S::NAME;

    fn read(params: &Params<S>, frame: &mut Frame<'_>, _: Trust) -> Result<Self, Error> {
        frame.plain()?.keyless()?.expect(params.id(), payload_len(params))?;
        let t = params.plain().modulus();
        let mut coefficients = Zeroizing::new(vec![0; params.degree()]);
        let packed = frame.payload.take(payload_len(params))?;
        unpack(packed, t.bits(), t.value() - 1, &mut coefficients)
            .map_err(|_| WireError::Malformed { field: "coefficient" })?;
        Ok(Plaintext::from_coefficients(params, std::mem::take(&mut *coefficients)))
    }
}

/// The bytes are the message: the caller is responsible for wiping them.
impl<S: Modular> WireObject for Plaintext<S> {
    fn header(&self) -> Header {
        Header::of_params(*self.params().id())
    }

    fn payload_len(&self) -> usize {
        payload_len(self.params())
    }

    fn write(&self, out: &mut Vec<u8>) {
        pack(self.coefficients(), self.params().plain().modulus().bits(), out);
    }
}

fn payload_len<S: Modular>(params: &Params<S>) -> usize {
    packed_len(params.degree(), params.plain().modulus().bits())
}
