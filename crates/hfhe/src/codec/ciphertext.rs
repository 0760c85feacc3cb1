//! Ciphertexts in this library's format: the polynomial in normal form.

use super::element;
use crate::polynomial::{Factor, Polynomial, Terms};
use crate::{Ciphertext, Fp, KeyId, Mode, Seed};
use fathom_base::wire::frame::Frame;
use fathom_base::wire::reader::{Reader, at_most};
use fathom_base::wire::{Header, Kind, Trust, Wire, WireError, WireObject};

const ELEMENT_BYTES: usize = 16;
const COUNT_BYTES: usize = 4;
const SEED_BYTES: usize = 24;
const FACTOR_BYTES: usize = 8;

/// A ciphertext may be any polynomial in normal form; a secret key checks that it is the result of
/// the expected computation.
impl<M: Mode> Wire for Ciphertext<M> {
    type Context = KeyId;
    const KIND: Kind = Kind::Ciphertext;
    const SCHEME: &'static str = M::SCHEME;

    fn read(key: &KeyId, frame: &mut Frame<'_>, _: Trust) -> Result<Self, fathom::Error> {
        frame.plain()?.keyless()?.belongs(&key.0)?;
        Ok(Ciphertext::new(read(&mut frame.payload)?, *key))
    }
}

/// The header has the identifier of the key in place of that of parameters.
impl<M: Mode> WireObject for Ciphertext<M> {
    fn header(&self) -> Header {
        Header::of_params(self.key().0)
    }

    fn payload_len(&self) -> usize {
        self.information_len()
    }

    fn write(&self, out: &mut Vec<u8>) {
        write(self.polynomial(), out);
    }
}

impl<M: Mode> Ciphertext<M> {
    /// Returns the encoded length of the polynomial alone, which is all that decryption needs.
    pub fn information_len(&self) -> usize {
        let Polynomial { seeds, terms, .. } = self.polynomial();
        ELEMENT_BYTES
            + 2 * COUNT_BYTES
            + SEED_BYTES * seeds.len()
            + (ELEMENT_BYTES + COUNT_BYTES) * terms.len()
            + FACTOR_BYTES * terms.factor_count()
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

fn read(reader: &mut Reader<'_>) -> Result<Polynomial, WireError> {
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
            return Err(WireError::Malformed { field: "order of monomials" });
        }
    }
    if used.contains(&false) {
        return Err(WireError::Malformed { field: "seed without monomial" });
    }
    Ok(Polynomial { constant, seeds, terms: out })
}

fn read_seeds(reader: &mut Reader<'_>, count: u32) -> Result<Vec<Seed>, WireError> {
    at_most("seeds", count.into(), (reader.len() / SEED_BYTES) as u64)?;
    let mut seeds = Vec::with_capacity(count as usize);
    for _ in 0..count {
        seeds.push(Seed([reader.u64()?, reader.u64()?, reader.u64()?]));
    }
    if !seeds.is_sorted_by(|a, b| a < b) {
        return Err(WireError::Malformed { field: "order of seeds" });
    }
    Ok(seeds)
}

fn read_term(reader: &mut Reader<'_>, out: &mut Terms, used: &mut [bool]) -> Result<(), WireError> {
    let weight = element(reader, "weight")?;
    let count = reader.u32()?;
    at_most("factors", count.into(), (reader.len() / FACTOR_BYTES) as u64)?;
    let mut monomial: Vec<Factor> = Vec::with_capacity(count as usize);
    for _ in 0..count {
        let factor = Factor { seed: reader.u32()?, exponent: reader.u32()? };
        let ascends = monomial.last().is_none_or(|last| last.seed < factor.seed);
        if !ascends || factor.exponent == 0 {
            return Err(WireError::Malformed { field: "monomial" });
        }
        let place = used.get_mut(factor.seed as usize);
        *place.ok_or(WireError::Malformed { field: "seed of a factor" })? = true;
        monomial.push(factor);
    }
    if weight == Fp::ZERO || monomial.is_empty() {
        return Err(WireError::Malformed { field: "term" });
    }
    out.push(weight, monomial);
    Ok(())
}
