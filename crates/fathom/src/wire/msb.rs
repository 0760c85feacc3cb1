//! BFV ciphertexts in coefficient form with the message in the most significant bits, as in the BFV
//! paper. This form is used to exchange ciphertexts with other libraries.

use super::ciphertext::{Claims, REST_BYTES, fields, read_parts, refuse_transparent, write_rest};
use super::frame::{Label, OVERHEAD, open, seal};
use super::kind::Kind;
use super::poly::{poly_len, write_poly};
use super::reader::at_most;
use crate::Error;
use crate::bfv::{Bfv, MsbCiphertext, Params};
use crate::rlwe::{Lineage, Scheme};
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
        let components = self.components().len();
        let claims = (self.factor(), self.noise);
        let fields = fields(&self.params, self.level(), components, claims);
        seal(label, fields, self.payload_len(), |out| {
            write_rest(self.noise.rest, out);
            for part in self.components() {
                write_poly(&part.clone().into_coeff(), out);
            }
        })
    }

    /// Returns the length of [`MsbCiphertext::to_bytes`] in bytes.
    pub fn byte_len(&self) -> usize {
        OVERHEAD + self.payload_len()
    }

    /// Reads a ciphertext of these parameters. Its noise bound is a claim of the sender; see
    /// [`crate::wire`].
    ///
    /// # Errors
    /// As [`Ciphertext::from_bytes`](crate::bfv::Ciphertext::from_bytes).
    pub fn from_bytes(params: &Params, bytes: &[u8]) -> Result<MsbCiphertext, Error> {
        let mut frame = open(bytes, Kind::MsbCiphertext, Bfv::NAME)?;
        frame.belongs(params.id())?;
        at_most("flags", frame.fields.flags.into(), 0)?;
        let Claims { shape, noise } = Claims::read(params, &mut frame)?;
        let poly = poly_len(&params.context().ring, shape.limbs);
        frame.expect(params.id(), shape.components * poly)?;
        let mut payload = frame.payload;
        let parts = read_parts::<Coeff, Bfv>(&mut payload, params, shape, shape.components)?;
        let parts: Vec<_> = parts.into_iter().map(Poly::into_eval).collect();
        refuse_transparent(&parts)?;
        payload.finish()?;
        Ok(MsbCiphertext {
            params: params.clone(),
            key: frame.key()?,
            parts,
            factor: shape.factor,
            noise,
            lineage: Lineage::Unknown,
        })
    }

    fn payload_len(&self) -> usize {
        let polynomials = self.components().iter();
        REST_BYTES + polynomials.map(|part| poly_len(part.ring(), part.limbs())).sum::<usize>()
    }
}
