//! `biometric-match` on vectors in the slots of BFV and CKKS: the same circuit.
//!
//! The values of a template lie in one row of slots, as far apart as the row has templates. A
//! difference, a square and rotations add up to the distance in each of its slots.

use fathom::bfv::{self, Bfv};
use fathom::ckks::{self, Ckks};
use fathom::rlwe::{Ciphertext, Encryption, Params, Rotations};

use super::columns::{GREATEST, one_probe, outputs};
use crate::schemes::ring::{
    Circuit, CkksShape, Counted, Counts, Layout, Numbers, bfv_params, ckks_params,
};
use crate::{Data, Error, Task};

/// The distances of probes to templates as a circuit on vectors of slots.
#[derive(Clone, Copy)]
pub(super) struct Matching;

/// Bits of a value.
const VALUE_BITS: u32 = 4;

/// Most values of a template: distances then have 15 bits.
const MOST_DIMENSIONS: usize = 128;

/// Bits of the greatest distance.
const DISTANCE_BITS: u32 = 15;

/// Bits behind the binary point of a distance of fractions with which it rounds to the right
/// integer.
const PRECISION_BITS: f64 = (2 * VALUE_BITS + 2) as f64;

/// The search for the parameters.
pub(super) trait MatchingParams: Numbers {
    /// Returns the parameters for a square and the sum of the values of a template.
    fn of(dimensions: usize) -> Result<Params<Self>, Error>;
}

impl MatchingParams for Bfv {
    fn of(dimensions: usize) -> Result<bfv::Params, Error> {
        let circuit = bfv::Circuit {
            products: 1,
            rotations: dimensions.ilog2() as usize,
            terms: 2,
            results: dimensions,
            encryption: Encryption::PublicKey,
        };
        bfv_params(circuit, DISTANCE_BITS)
    }
}

impl MatchingParams for Ckks {
    fn of(dimensions: usize) -> Result<ckks::Params, Error> {
        // The difference of two slots is known to be below 2 in absolute value.
        let range_bits = f64::from(dimensions.ilog2()) + 2.0;
        ckks_params(CkksShape { depth: 1, scale_bits: 40.0, range_bits })
    }
}

/// The numbers of a task, and the place of its templates.
struct Place {
    users: usize,
    dimensions: usize,
    row: usize,
    /// Templates in one ciphertext.
    together: usize,
}

impl Place {
    fn of<S: Numbers>(task: &Task, params: &Params<S>) -> Result<Self, Error> {
        let (users, dimensions) = (task.number("users")?, task.number("dimensions")?);
        let (row, together) = (S::row(params), S::slots(params) / dimensions);
        Ok(Self { users, dimensions, row, together })
    }

    fn chunks(&self) -> usize {
        self.users.div_ceil(self.together)
    }

    fn slot(&self, user: usize, term: usize) -> usize {
        Layout::Strided.slot(self.row, self.dimensions, [user, term])
    }

    /// Returns the slots of the vectors of one ciphertext.
    fn slots<S: Numbers>(&self, vectors: &[&[u64]]) -> Vec<S::Value> {
        let mut slots = vec![S::fraction(0, VALUE_BITS); self.together * self.dimensions];
        for (user, vector) in vectors.iter().enumerate() {
            for (term, value) in vector.iter().enumerate() {
                slots[self.slot(user, term)] = S::fraction(*value as i64, VALUE_BITS);
            }
        }
        slots
    }
}

impl<S: MatchingParams> Circuit<S> for Matching {
    fn method(&self) -> &'static str {
        "templates strided in slots; a difference, a square and rotations"
    }

    fn supports(&self, task: &Task) -> Result<(), Error> {
        let dimensions = task.number("dimensions")?;
        if dimensions.is_power_of_two() && dimensions <= MOST_DIMENSIONS {
            return Ok(());
        }
        let reason =
            format!("{dimensions} dimensions are not a power of two up to {MOST_DIMENSIONS}");
        Err(Error::Unsupported { scheme: S::NAME, reason })
    }

    fn params(&self, task: &Task) -> Result<Params<S>, Error> {
        S::of(task.number("dimensions")?)
    }

    fn rotations(&self, task: &Task, params: &Params<S>) -> Result<Rotations, Error> {
        let Place { row, dimensions, .. } = Place::of(task, params)?;
        Ok(Rotations::steps(&Layout::Strided.steps(row, dimensions)))
    }

    fn counts(&self, task: &Task, params: &Params<S>) -> Result<Counts, Error> {
        let chunks = Place::of(task, params)?.chunks();
        let probes = if one_probe(task) { 1 } else { chunks };
        Ok(Counts { inputs: chunks + probes, results: chunks })
    }

    fn pack(
        &self,
        task: &Task,
        params: &Params<S>,
        secret: &Data,
    ) -> Result<Vec<Vec<S::Value>>, Error> {
        let place = Place::of(task, params)?;
        let column = |name, users| -> Result<Vec<&[u64]>, Error> {
            let values = secret.integers(name)?;
            let count = users * place.dimensions;
            if values.len() != count {
                let problem = format!("has {} values in place of {count}", values.len());
                return Err(Error::column(name, problem));
            }
            if let Some(value) = values.iter().find(|value| **value > GREATEST) {
                let problem = format!("holds {value}: more than {GREATEST}");
                return Err(Error::column(name, problem));
            }
            Ok(values.chunks(place.dimensions).collect())
        };
        let templates = column("templates", place.users)?;
        let probes = if one_probe(task) {
            // Every template of a ciphertext has the probe beside it.
            vec![column("probes", 1)?[0]; place.together]
        } else {
            column("probes", place.users)?
        };
        let vectors = templates.chunks(place.together).chain(probes.chunks(place.together));
        Ok(vectors.map(|vectors| place.slots::<S>(vectors)).collect())
    }

    fn compute(
        &self,
        server: &Counted<S>,
        task: &Task,
        _: &Data,
        inputs: &[Ciphertext<S>],
    ) -> Result<Vec<Ciphertext<S>>, Error> {
        let place = Place::of(task, server.evaluator().params())?;
        let steps = Layout::Strided.steps(place.row, place.dimensions);
        let (templates, probes) = inputs.split_at(place.chunks());
        let pairs: Vec<_> = templates.iter().zip(probes.iter().cycle()).collect();
        server.map(&pairs, |(template, probe)| {
            let difference = server.sub(template, probe)?;
            server.sum_rotated(&server.mul(&difference, &difference)?, &steps)
        })
    }

    fn unpack(
        &self,
        task: &Task,
        params: &Params<S>,
        _: &Data,
        results: &[Vec<S::Value>],
    ) -> Result<Data, Error> {
        let place = Place::of(task, params)?;
        let unit = f64::from(2 * VALUE_BITS).exp2();
        let distance = |user: usize| -> Result<u64, Error> {
            let value = results[user / place.together][place.slot(user % place.together, 0)];
            let distance = (S::number(value, VALUE_BITS, 2) * unit).round();
            if (0.0..=f64::from(1 << DISTANCE_BITS)).contains(&distance) {
                return Ok(distance as u64);
            }
            Err(Error::Message(format!("{distance} is not a distance")))
        };
        let distances = (0..place.users).map(distance).collect::<Result<Vec<_>, _>>()?;
        Ok(outputs(task, distances))
    }

    fn precision_bits(&self, _: &Task) -> f64 {
        PRECISION_BITS
    }
}
