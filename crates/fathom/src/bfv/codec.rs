//! BFV ciphertexts in coefficient form with the message in the most significant bits, as in the BFV
//! paper. This form is used to exchange ciphertexts with other libraries.

use super::{Bfv, MsbCiphertext, Params};
use crate::Error;
use crate::rlwe::codec::{
    Claims, key_of, poly_len, read_parts, refuse_transparent, seal_object, write_poly,
};
use crate::rlwe::{Encoding, Lineage};
use crate::wire::frame::{Fields, Label, OVERHEAD, open};
use crate::wire::kind::Kind;
use crate::wire::reader::at_most;
use fathom_ring::{Coeff, Poly};

impl MsbCiphertext {
    /// Returns the wire form: all components as coefficients, lowest first, modulo each prime of
    /// the level.
    pub fn to_bytes(&self) -> Vec<u8> {
        let label = Label {
            kind: Kind::MsbCiphertext,
            scheme: Bfv::NAME,
            params_id: self.params.id(),
            key_id: Some(self.key),
        };
        let fields = Fields { flags: 0, meta: &self.claims().to_bytes() };
        seal_object(&self.params, label, fields, self.payload_len(), |out| {
            for part in self.components() {
                write_poly(&part.clone().into_coeff(), out);
            }
        })
    }

    /// Returns the length of [`MsbCiphertext::to_bytes`] in bytes.
    pub fn byte_len(&self) -> usize {
        OVERHEAD + self.claims().to_bytes().len() + self.payload_len()
    }

    /// Reads a ciphertext of these parameters. Its noise bound is a claim of the sender; see
    /// [`crate::wire`].
    ///
    /// # Errors
    /// As [`Ciphertext::from_bytes`](crate::bfv::Ciphertext::from_bytes).
    pub fn from_bytes(params: &Params, bytes: &[u8]) -> Result<MsbCiphertext, Error> {
        let frame = open(bytes, Kind::MsbCiphertext, Bfv::NAME)?;
        frame.belongs(params.id())?;
        at_most("flags", frame.fields.flags.into(), 0)?;
        let claims = Claims::read(params, &frame.fields)?.within_limits(params)?;
        let limbs = claims.level.limbs().chain();
        frame.expect(params.id(), claims.components * poly_len(params.context(), limbs))?;
        let mut payload = frame.payload;
        let parts = read_parts::<Coeff, Bfv>(&mut payload, params, limbs, claims.components)?;
        let parts: Vec<_> = parts.into_iter().map(Poly::into_eval).collect();
        refuse_transparent(&parts)?;
        payload.finish()?;
        Ok(MsbCiphertext {
            params: params.clone(),
            key: key_of(params, &frame)?,
            parts,
            factor: claims.meta,
            noise: claims.noise,
            lineage: Lineage::Unknown,
        })
    }

    fn claims(&self) -> Claims<Bfv> {
        let components = self.components().len();
        let (level, meta) = (self.level(), self.factor());
        Claims { level, components, meta, facts: (), noise: self.noise }
    }

    fn payload_len(&self) -> usize {
        self.components().iter().map(|part| poly_len(self.params.context(), part.limbs())).sum()
    }
}
