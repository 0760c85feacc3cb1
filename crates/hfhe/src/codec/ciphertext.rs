//! Ciphertexts in this library's format: the polynomial in normal form.

use super::element;
use crate::Error;
use crate::polynomial::{Factor, Polynomial, Terms};
use crate::{Ciphertext, Fp, KeyId, Mode, Seed};
use fathom::building::{Fields, Label, OVERHEAD, open, seal};
use fathom::building::{Reader, at_most};
use fathom::wire::Kind;
use fathom::wire::WireError;

const ELEMENT_BYTES: usize = 16;
const COUNT_BYTES: usize = 4;
const SEED_BYTES: usize = 24;
const FACTOR_BYTES: usize = 8;

impl<M: Mode> Ciphertext<M> {
    /// Encodes the ciphertext as a frame. In place of a parameter identifier, the header has that
    /// of the key.
    pub fn to_bytes(&self) -> Vec<u8> {
        let label = Label {
            kind: Kind::Ciphertext,
            scheme: M::SCHEME,
            params_id: &self.key().0,
            key_id: None,
        };
        let polynomial = self.polynomial();
        seal(label, Fields::default(), self.information_len(), |out| write(polynomial, out))
    }

    /// Returns the length of [`Ciphertext::to_bytes`] in bytes.
    pub fn byte_len(&self) -> usize {
        OVERHEAD + self.information_len()
    }

    /// Returns the encoded length of the polynomial alone, which is all that decryption needs.
    pub fn information_len(&self) -> usize {
        let Polynomial { seeds, terms, .. } = self.polynomial();
        ELEMENT_BYTES
            + 2 * COUNT_BYTES
            + SEED_BYTES * seeds.len()
            + (ELEMENT_BYTES + COUNT_BYTES) * terms.len()
            + FACTOR_BYTES * terms.factor_count()
    }

    /// Reads a ciphertext of this key. It may be any polynomial;
    /// [`SecretKey::decrypt`](crate::SecretKey::decrypt) checks that it is the result of the
    /// expected computation.
    ///
    /// # Errors
    /// The [`WireError`]s of a frame; [`WireError::Malformed`] unless the polynomial is in normal
    /// form.
    pub fn from_bytes(key: KeyId, bytes: &[u8]) -> Result<Self, Error> {
        let frame = open(bytes, Kind::Ciphertext, M::SCHEME)?.plain()?.keyless()?;
        frame.belongs(&key.0)?;
        let mut payload = frame.payload;
        let polynomial = read(&mut payload)?;
        payload.finish()?;
        Ok(Ciphertext::new(polynomial, key))
    }
}

fn write(polynomial: &Polynomial, out: &mut Vec<u8>) {
    let Polynomial { constant, seeds, terms } = polynomial;
    out.extend(constant.value().to_le_bytes());
    out.extend((seeds.len() as u32).to_le_bytes());
    out.extend((terms.len() as u32).to_le_bytes());
    out.extend(seeds.iter().flat_map(|seed| seed.0).flat_map(u64::to_le_bytes));
    for (weight, monomial) in terms.iter() {
        out.extend(weight.value().to_le_bytes());
        out.extend((monomial.len() as u32).to_le_bytes());
        for factor in monomial {
            out.extend(factor.seed.to_le_bytes());
            out.extend(factor.exponent.to_le_bytes());
        }
    }
}

fn read(reader: &mut Reader<'_>) -> Result<Polynomial, Error> {
    let constant = element(reader, "constant")?;
    let (seeds, terms) = (reader.u32()?, reader.u32()?);
    let seeds = read_seeds(reader, seeds)?;
    let room = reader.len() / (ELEMENT_BYTES + COUNT_BYTES + FACTOR_BYTES);
    at_most("terms", terms.into(), room as u64)?;
    let factors = reader.len() - terms as usize * (ELEMENT_BYTES + COUNT_BYTES);
    let mut out = Terms::with_capacity(terms as usize, factors / FACTOR_BYTES);
    let mut used = vec![false; seeds.len()];
    for term in 0..terms as usize {
        read_term(reader, &mut out, &mut used)?;
        if term > 0 && out.monomial(term - 1) >= out.monomial(term) {
            return Err(WireError::Malformed { field: "order of monomials" }.into());
        }
    }
    if used.contains(&false) {
        return Err(WireError::Malformed { field: "seed without monomial" }.into());
    }
    Ok(Polynomial { constant, seeds, terms: out })
}

fn read_seeds(reader: &mut Reader<'_>, count: u32) -> Result<Vec<Seed>, Error> {
    at_most("seeds", count.into(), (reader.len() / SEED_BYTES) as u64)?;
    let mut seeds = Vec::with_capacity(count as usize);
    for _ in 0..count {
        seeds.push(Seed([reader.u64()?, reader.u64()?, reader.u64()?]));
    }
    if !seeds.is_sorted_by(|a, b| a < b) {
        return Err(WireError::Malformed { field: "order of seeds" }.into());
    }
    Ok(seeds)
}

fn read_term(reader: &mut Reader<'_>, out: &mut Terms, used: &mut [bool]) -> Result<(), Error> {
    let weight = element(reader, "weight")?;
    let count = reader.u32()?;
    at_most("factors", count.into(), (reader.len() / FACTOR_BYTES) as u64)?;
    let mut monomial: Vec<Factor> = Vec::with_capacity(count as usize);
    for _ in 0..count {
        let factor = Factor { seed: reader.u32()?, exponent: reader.u32()? };
        let ascends = monomial.last().is_none_or(|last| last.seed < factor.seed);
        if !ascends || factor.exponent == 0 {
            return Err(WireError::Malformed { field: "monomial" }.into());
        }
        let place = used.get_mut(factor.seed as usize);
        *place.ok_or(WireError::Malformed { field: "seed of a factor" })? = true;
        monomial.push(factor);
    }
    if weight == Fp::ZERO || monomial.is_empty() {
        return Err(WireError::Malformed { field: "term" }.into());
    }
    out.push(weight, monomial);
    Ok(())
}
