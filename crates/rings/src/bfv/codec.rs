//! BFV ciphertexts in coefficient form with the message in the most significant bits, as in the BFV
//! paper. This form is used to exchange ciphertexts with other libraries.

use super::{Bfv, MsbCiphertext, Params};
use crate::Error;
use crate::rlwe::codec::{Claims, key_of, poly_len, read_parts, refuse_transparent, write_poly};
use crate::rlwe::{Encoding, Lineage};
use crate::wire::frame::Frame;
use crate::wire::reader::at_most;
use crate::wire::{Header, Kind, Trust, Wire, WireObject};
use fathom_ring::{Coeff, Poly};

/// The form holds all components as coefficients, lowest first, modulo each prime of the level.
impl Wire for MsbCiphertext {
    type Context = Params;
    const KIND: Kind = Kind::MsbCiphertext;
    const SCHEME: &'static str = Bfv::NAME;

    fn read(params: &Params, frame: &mut Frame<'_>, _: Trust) -> Result<Self, Error> {
        frame.belongs(params.id())?;
        at_most("flags", frame.fields.flags.into(), 0)?;
        let claims = Claims::read(params, &frame.fields)?.within_limits(params)?;
        let limbs = claims.level.limbs().chain();
        frame.expect(params.id(), claims.components * poly_len(params.context(), limbs))?;
        let payload = &mut frame.payload;
        let parts = read_parts::<Coeff, Bfv>(payload, params, limbs, claims.components)?;
        let parts: Vec<_> = parts.into_iter().map(Poly::into_eval).collect();
        refuse_transparent(&parts)?;
        Ok(MsbCiphertext {
            params: params.clone(),
            key: key_of(params, frame)?,
            parts,
            factor: claims.meta,
            noise: claims.noise,
            lineage: Lineage::Unknown,
        })
    }
}

impl WireObject for MsbCiphertext {
    fn header(&self) -> Header {
        let meta = self.claims().to_bytes();
        Header { meta, ..Header::of_key(*self.params.id(), self.key) }
    }

    fn payload_len(&self) -> usize {
        self.components().iter().map(|part| poly_len(self.params.context(), part.limbs())).sum()
    }

    fn write(&self, out: &mut Vec<u8>) {
        for part in self.components() {
            write_poly(&part.clone().into_coeff(), out);
        }
    }

    fn has_no_content(&self) -> bool {
        self.params.context().is_simulated()
    }
}

impl MsbCiphertext {
    fn claims(&self) -> Claims<Bfv> {
        let components = self.components().len();
        let (level, meta) = (self.level(), self.factor());
        Claims { level, components, meta, facts: (), noise: self.noise }
    }
}
