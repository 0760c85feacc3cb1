//! `statistics` on vectors in the slots of BFV and CKKS: the same circuit.
//!
//! A column fills as many ciphertexts as it needs, and every other slot is zero. Sums of products
//! over the ciphertexts of two columns take one relinearisation; then rotations add up the slots.
//! From the sums of all products of two features, and of a feature and the target, the client
//! computes the step: its weights are not needed on the server, and integers stay small enough to
//! be exact in BFV. The client divides by the number of rows.

use fathom::bfv::{self, Bfv};
use fathom::ckks::{self, Ckks};
use fathom::rlwe::{Ciphertext, Encryption, Params, Rotations, RowSwap};

use super::columns::{MOMENTS, checked, features};
use super::specification::SPEC;
use crate::schemes::ring::{
    Circuit, CkksShape, Counted, Counts, Layout, Numbers, bfv_params, ckks_params,
};
use crate::{Data, Error, Task};

/// The moments and the regression step as a circuit on vectors of slots.
#[derive(Clone, Copy)]
pub(super) struct Statistic;

/// Bits of the scale of CKKS: error bounds are then below the tolerance of the workload.
const SCALE_BITS: f64 = 43.0;

/// The numbers of a task.
struct Shape {
    rows: usize,
    features: usize,
    bits: u32,
    moments: bool,
}

impl Shape {
    fn of(task: &Task) -> Result<Self, Error> {
        let (rows, bits) = (task.number("rows")?.max(1), task.number("bits")? as u32);
        Ok(Self { rows, features: features(task)?, bits, moments: task.variant == MOMENTS })
    }

    /// Returns the number of ciphertexts of a column.
    fn chunks(&self, slots: usize) -> usize {
        self.rows.div_ceil(slots)
    }
}

/// The search for the parameters of a sum of products.
pub(super) trait StatisticParams: Numbers {
    /// Returns the parameters for sums of the products of two columns.
    fn of(rows: usize, bits: u32) -> Result<Params<Self>, Error>;
}

impl StatisticParams for Bfv {
    fn of(rows: usize, bits: u32) -> Result<bfv::Params, Error> {
        let circuit = bfv::Circuit {
            products: 1,
            rotations: rows.next_power_of_two().ilog2() as usize,
            // No parameters have fewer slots than half of this.
            terms: rows.div_ceil(4096),
            results: rows,
            encryption: Encryption::PublicKey,
        };
        bfv_params(circuit, 2 * bits + ceil_log2(rows))
    }
}

impl StatisticParams for Ckks {
    fn of(rows: usize, _: u32) -> Result<ckks::Params, Error> {
        let range_bits = f64::from(ceil_log2(rows));
        ckks_params(CkksShape { depth: 1, scale_bits: SCALE_BITS, range_bits })
    }
}

/// Returns the base-2 logarithm, rounded up, of a number of at least 1.
fn ceil_log2(number: usize) -> u32 {
    number.next_power_of_two().ilog2()
}

impl<S: StatisticParams> Circuit<S> for Statistic {
    fn method(&self) -> &'static str {
        "columns in slots; sums of products with one relinearisation each, then rotations"
    }

    fn supports(&self, task: &Task) -> Result<(), Error> {
        let Shape { bits, .. } = Shape::of(task)?;
        if (1..=8).contains(&bits) {
            return Ok(());
        }
        let reason = format!("integers have from 1 to 8 bits, not {bits}");
        Err(Error::Unsupported { scheme: S::NAME, reason })
    }

    fn params(&self, task: &Task) -> Result<Params<S>, Error> {
        let Shape { rows, bits, .. } = Shape::of(task)?;
        S::of(rows, bits)
    }

    fn rotations(&self, task: &Task, params: &Params<S>) -> Result<Rotations, Error> {
        let rows = Shape::of(task)?.rows;
        let steps = steps(rows, S::row(params));
        let swaps = rows > S::row(params) && S::ROWS == 2;
        let row_swap = if swaps { RowSwap::With } else { RowSwap::Without };
        Ok(Rotations { steps, row_swap })
    }

    fn counts(&self, task: &Task, params: &Params<S>) -> Result<Counts, Error> {
        let shape = Shape::of(task)?;
        let chunks = shape.chunks(S::slots(params));
        Ok(if shape.moments {
            Counts { inputs: chunks, results: 2 }
        } else {
            let results = pairs(shape.features).count();
            Counts { inputs: (shape.features + 1) * chunks, results }
        })
    }

    fn pack(
        &self,
        task: &Task,
        params: &Params<S>,
        secret: &Data,
    ) -> Result<Vec<Vec<S::Value>>, Error> {
        let Shape { rows, features, bits, moments } = Shape::of(task)?;
        let slots = S::slots(params);
        let fraction = |value: &i64| S::fraction(*value, bits);
        if moments {
            let x = checked(secret, "x", rows, bits)?;
            return Ok(x.chunks(slots).map(|part| part.iter().map(fraction).collect()).collect());
        }
        let x = checked(secret, "features", rows * features, bits)?;
        let column = |feature: usize| x.iter().skip(feature).step_by(features).copied().collect();
        let mut columns: Vec<Vec<i64>> = (0..features).map(column).collect();
        columns.push(checked(secret, "targets", rows, bits)?);
        let mut vectors = Vec::new();
        for column in &columns {
            vectors.extend(column.chunks(slots).map(|part| part.iter().map(fraction).collect()));
        }
        Ok(vectors)
    }

    fn compute(
        &self,
        server: &Counted<S>,
        task: &Task,
        _: &Data,
        inputs: &[Ciphertext<S>],
    ) -> Result<Vec<Ciphertext<S>>, Error> {
        let Shape { rows, features, moments, .. } = Shape::of(task)?;
        let total = |sum: &Ciphertext<S>| sum_of_rows(server, sum, rows);
        if moments {
            let (first, rest) =
                inputs.split_first().ok_or(Error::Message("there are no inputs".into()))?;
            let sum = rest.iter().try_fold(first.clone(), |sum, next| server.add(&sum, next))?;
            let squares = server.dot(inputs, inputs)?;
            // Rotations at the lower level take less time, and both totals take the same.
            let sum = server.mod_switch_to(&sum, squares.level().get())?;
            return server.map(&[sum, squares], total);
        }
        let columns: Vec<_> = inputs.chunks(inputs.len() / (features + 1)).collect();
        let pairs: Vec<_> = pairs(features).collect();
        server.map(&pairs, |(i, j)| total(&server.dot(columns[*i], columns[*j])?))
    }

    fn unpack(
        &self,
        task: &Task,
        _: &Params<S>,
        secret: &Data,
        results: &[Vec<S::Value>],
    ) -> Result<Data, Error> {
        let Shape { rows, features, bits, moments } = Shape::of(task)?;
        let rows = rows as f64;
        let number = |result: &Vec<S::Value>, factors| S::number(result[0], bits, factors);
        if moments {
            let [sum, squares] = results else {
                return Err(Error::Message("the result is not two sums".into()));
            };
            let mean = number(sum, 1) / rows;
            let variance = number(squares, 2) / rows - mean * mean;
            let data = Data::new().with_reals("mean", vec![mean]);
            return Ok(data.with_reals("variance", vec![variance]));
        }
        let unit = f64::from(bits).exp2();
        let weights = checked(secret, "weights", features, bits)?;
        let weights: Vec<f64> = weights.iter().map(|&weight| weight as f64 / unit).collect();
        let mut gradient = vec![0.0; features];
        for ((i, j), result) in pairs(features).zip(results) {
            let sum = number(result, 2);
            // The target counts as a feature with the weight -1.
            gradient[i] += sum * weights.get(j).unwrap_or(&-1.0);
            if i < j && j < features {
                gradient[j] += sum * weights[i];
            }
        }
        let step = |(weight, sum): (&f64, &f64)| weight - sum / (2.0 * rows);
        let stepped = weights.iter().zip(&gradient).map(step).collect();
        Ok(Data::new().with_reals("weights", stepped))
    }

    /// A variance has the errors of a sum of squares and of twice the mean; a step has half of the
    /// errors of the sums of one feature, and weights are below 1. The sums are divided by the
    /// number of rows.
    fn precision_bits(&self, task: &Task) -> f64 {
        let Ok(Shape { rows, features, .. }) = Shape::of(task) else { return f64::INFINITY };
        let errors = 3.0_f64.max((features + 1) as f64 / 2.0);
        (errors / (SPEC.tolerance * rows as f64)).log2()
    }
}

/// Returns the pairs of columns whose products are added up: two features, or a feature and the
/// target, which is the column after the features.
fn pairs(features: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..features).flat_map(move |i| (i..=features).map(move |j| (i, j)))
}

/// Returns the rotations that add up a row, of which the rows of the task fill the first slots.
fn steps(rows: usize, row: usize) -> Vec<i64> {
    Layout::Consecutive.steps(row, rows.min(row).next_power_of_two())
}

/// Adds up the slots of all rows of the task, in the first slot.
fn sum_of_rows<S: Numbers>(
    server: &Counted<S>,
    a: &Ciphertext<S>,
    rows: usize,
) -> Result<Ciphertext<S>, Error> {
    let row = S::row(server.evaluator().params());
    let sum = server.sum_rotated(a, &steps(rows, row))?;
    if rows <= row { Ok(sum) } else { server.sum_rows(&sum) }
}

#[cfg(test)]
mod tests {
    use crate::{Roles, Task, find};

    /// 8192 rows take both rows of slots of BFV and two ciphertexts of CKKS.
    #[test]
    fn columns_fill_both_rows_of_slots_and_several_ciphertexts() {
        let workload = find("statistics").unwrap();
        let task = Task::new(workload.spec(), "moments", "medium").unwrap();
        let inputs = workload.inputs(&task, 1).unwrap();
        for implementation in workload.implementations() {
            let outputs = Roles::new(implementation.as_ref(), &task, 2).unwrap().run(&inputs);
            workload.verify(&task, &inputs, &outputs.unwrap()).unwrap();
        }
    }
}
