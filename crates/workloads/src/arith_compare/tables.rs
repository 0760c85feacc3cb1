//! `arith-compare` on CKKS: one tuple in each slot, and tables that a bootstrapping applies.
//!
//! All comparisons are the sign of an integer `v` from `-2^w` on: of `a - b - 1` or of a difference
//! of products less 1. Up to 8 bits, one table gives it. Of wider integers, a first table gives the
//! lowest digit; what is left is divided by its size, and a second table of 9 bits gives the sign.

use fathom::SecretRng;
use fathom::ckks::{self, BootstrapParams, BootstrapSet, Ckks, SecretKey, Table};
use fathom::rlwe::{Ciphertext, EvaluationKeys, Params, Rotations};
use fathom_planner::RingOperation;

use crate::schemes::ring::{Circuit, Counted, Counts, Function, Kept, Numbers, keys, read_keys};
use crate::{Data, Error, Task};

/// Products in slots, comparisons by tables.
#[derive(Clone, Copy)]
pub(super) struct Tabulated;

/// Fewest tuples for which keys of a gigabyte are made.
const FEWEST_TUPLES: usize = 1024;
/// Widest operands: the sign is not precise enough to select wider ones.
const MOST_BITS: usize = 8;
/// Bits of the table that gives the sign.
const SIGN_BITS: usize = 9;
/// Bits behind the binary point of a result, which is rounded to an integer.
const PRECISION_BITS: f64 = 1.1;

/// The function, and the numbers of a task.
struct Shape {
    products: Products,
    /// True if the result is one of the operands, or zero.
    selects: bool,
    tuples: usize,
    bits: usize,
}

/// The operands of a comparison, by the number of products on its sides.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Products {
    /// `a` with `b`.
    None,
    /// `a b` with `c`.
    One,
    /// `a b` with `c d`.
    Two,
}

impl Shape {
    fn of(task: &Task) -> Result<Self, Error> {
        let (products, selects) = match task.variant.as_str() {
            "w2" => (Products::None, true),
            "w1" => (Products::One, false),
            "w3-select" => (Products::One, true),
            _ => (Products::Two, false),
        };
        let (tuples, bits) = (task.number("tuples")?, task.number("bits")?);
        Ok(Self { products, selects, tuples, bits })
    }

    /// Returns the columns, each with the width of its values.
    fn columns(&self) -> Vec<(&'static str, usize)> {
        let bits = self.bits;
        let wide = if self.products == Products::One { 2 * bits } else { bits };
        let mut columns = vec![("a", bits), ("b", bits), ("c", wide)];
        if self.products == Products::Two || (self.selects && self.products == Products::One) {
            columns.push(("d", bits));
        }
        columns
    }

    /// Returns the width of the integer whose sign is the comparison.
    fn width(&self) -> usize {
        if self.products == Products::None { self.bits } else { 2 * self.bits }
    }

    /// Returns the bits of the lowest digit; 0 if one table is enough.
    fn low_bits(&self) -> usize {
        (self.width() + 1).saturating_sub(SIGN_BITS)
    }

    /// Returns the tables: that of the lowest digit, if there is one, and that of the sign.
    fn functions(&self) -> Result<Vec<Function>, Error> {
        let (width, low) = (self.width(), self.low_bits());
        let integers = |bits: usize| (bits as f64).exp2();
        let sign = Table::signed((width - low + 1) as u32, |v| f64::from(u8::from(v < 0)))?;
        let mut all = Vec::new();
        if low > 0 {
            let digit = Table::new(low as u32, f64::from)?;
            all.push(Function::table(digit.for_slots_up_to(integers(width))));
        }
        all.push(Function::table(sign.for_slots_up_to(integers(width - low))));
        Ok(all)
    }
}

impl Circuit<Ckks> for Tabulated {
    fn method(&self) -> &'static str {
        "one tuple a slot: products, and bootstrappings that apply tables of up to 9 bits"
    }

    fn supports(&self, task: &Task) -> Result<(), Error> {
        let Shape { tuples, bits, .. } = Shape::of(task)?;
        let reason = if tuples < FEWEST_TUPLES {
            format!("keys of a gigabyte are for {FEWEST_TUPLES} tuples and more, not for {tuples}")
        } else if bits > MOST_BITS {
            format!("operands have up to {MOST_BITS} bits, not {bits}")
        } else {
            return Ok(());
        };
        Err(Error::Unsupported { scheme: "ckks", reason })
    }

    fn params(&self, _: &Task) -> Result<ckks::Params, Error> {
        Ok(ckks::Params::bootstrappable(BootstrapSet::T)?)
    }

    fn rotations(&self, _: &Task, _: &Params<Ckks>) -> Result<Rotations, Error> {
        Ok(Rotations::none())
    }

    fn counts(&self, task: &Task, params: &Params<Ckks>) -> Result<Counts, Error> {
        let shape = Shape::of(task)?;
        let results = shape.tuples.div_ceil(Ckks::slots(params));
        Ok(Counts { inputs: results * shape.columns().len(), results })
    }

    fn keys(&self, _: &Task, secret: &SecretKey, rng: &mut SecretRng) -> Result<Vec<u8>, Error> {
        keys(secret, &Rotations::none(), rng)
    }

    fn read_keys(
        &self,
        task: &Task,
        params: &Params<Ckks>,
        message: &[u8],
        threads: usize,
        kept: &Kept,
    ) -> Result<EvaluationKeys<Ckks>, Error> {
        read_keys(params, message, &Shape::of(task)?.functions()?, threads, kept)
    }

    fn bootstrapping_key_bytes(&self, params: &Params<Ckks>) -> Result<usize, Error> {
        Ok(params.bootstrapping_keys_byte_len()?)
    }

    fn pack(
        &self,
        task: &Task,
        params: &Params<Ckks>,
        secret: &Data,
    ) -> Result<Vec<Vec<f64>>, Error> {
        let shape = Shape::of(task)?;
        let columns = shape.columns();
        let mut vectors = Vec::new();
        for first in (0..shape.tuples).step_by(Ckks::slots(params)) {
            let range = first..shape.tuples.min(first + Ckks::slots(params));
            for (name, bits) in &columns {
                let values = &secret.integers_within(name, shape.tuples, *bits)?[range.clone()];
                vectors.push(values.iter().map(|value| *value as f64).collect());
            }
        }
        Ok(vectors)
    }

    fn encode(
        &self,
        task: &Task,
        params: &Params<Ckks>,
        index: usize,
        vector: &[f64],
    ) -> Result<ckks::Plaintext, Error> {
        let columns = Shape::of(task)?.columns();
        let (_, bits) = columns[index % columns.len()];
        Ok(params.encode_within(vector, (bits as f64).exp2() - 1.0)?)
    }

    fn compute(
        &self,
        server: &Counted<Ckks>,
        task: &Task,
        _: &Data,
        inputs: &[Ciphertext<Ckks>],
    ) -> Result<Vec<Ciphertext<Ckks>>, Error> {
        let shape = Shape::of(task)?;
        let functions = shape.functions()?;
        // One after another: every bootstrapping uses all threads.
        let tuples = inputs.chunks(shape.columns().len());
        tuples.map(|tuple| computed(server, tuple, &shape, &functions)).collect()
    }

    fn unpack(
        &self,
        task: &Task,
        _: &Params<Ckks>,
        _: &Data,
        results: &[Vec<f64>],
    ) -> Result<Data, Error> {
        let Shape { tuples, .. } = Shape::of(task)?;
        let slots = results.iter().flatten().take(tuples);
        let value = |slot: &f64| match slot.round() {
            value if value >= 0.0 => Ok(value as u64),
            value => Err(Error::Message(format!("a slot holds {value}"))),
        };
        Ok(Data::new().with_integers("result", slots.map(value).collect::<Result<_, _>>()?))
    }

    fn precision_bits(&self, _: &Task) -> f64 {
        PRECISION_BITS
    }
}

/// Computes the function on the ciphertexts of as many tuples as there are slots.
fn computed(
    server: &Counted<Ckks>,
    tuple: &[Ciphertext<Ckks>],
    shape: &Shape,
    functions: &[Function],
) -> Result<Ciphertext<Ckks>, Error> {
    let [a, b, c, ..] = tuple else {
        return Err(Error::Message(format!("a tuple of {} ciphertexts", tuple.len())));
    };
    let difference = match shape.products {
        Products::None => server.sub(a, b)?,
        Products::One => server.sub(&server.mul(a, b)?, c)?,
        Products::Two => server.sub(&server.mul(a, b)?, &server.mul(c, &tuple[3])?)?,
    };
    let holds = negative(server, &difference, shape, functions)?;
    if !shape.selects {
        return Ok(holds);
    }
    server.mul(&holds, &tuple[tuple.len() - 1])
}

/// Computes 1 in the slots whose integer is at most zero, and 0 in the others.
fn negative(
    server: &Counted<Ckks>,
    difference: &Ciphertext<Ckks>,
    shape: &Shape,
    functions: &[Function],
) -> Result<Ciphertext<Ckks>, Error> {
    let (evaluator, width, low) = (server.evaluator(), shape.width() as f64, shape.low_bits());
    let level = difference.level().get();
    server.count(RingOperation::Add, level, 1);
    let value = evaluator.add_scalar(difference, -1.0)?;
    // Both sides are from 0 to 2^width - 1.
    let value = evaluator.assume_magnitude(&value, width.exp2())?;
    if low == 0 {
        return server.apply(&value, functions, 0);
    }
    let digit = server.apply(&value, functions, 0)?;
    let rest = server.sub(&value, &digit)?;
    server.count(RingOperation::MulScalar, rest.level().get(), 1);
    let rest = evaluator.mul_scalar(&rest, (-(low as f64)).exp2())?;
    let rest = evaluator.assume_magnitude(&rest, (width - low as f64).exp2())?;
    server.apply(&rest, functions, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(variant: &str, bits: u64) -> Shape {
        let workload = crate::find("arith-compare").unwrap();
        let mut task = Task::new(workload.spec(), variant, "wide").unwrap();
        task.shape.insert("bits".into(), bits);
        Shape::of(&task).unwrap()
    }

    /// The digits in the clear: every integer that a difference can be has the right sign, and its
    /// rest is an argument of the second table.
    #[test]
    fn tables_of_digits_give_the_sign_of_every_difference() {
        for (variant, bits) in [("w1", 2), ("w1", 5), ("w1", 8), ("w2", 8), ("w3-products", 6)] {
            let shape = shape(variant, bits);
            let (width, low) = (shape.width() as u32, shape.low_bits() as u32);
            assert!(width - low < SIGN_BITS as u32 && low <= 8);
            for v in -(1_i64 << width)..(1 << width) - 1 {
                let rest = (v - v.rem_euclid(1 << low)) >> low;
                let half = 1_i64 << (width - low);
                assert!((-half..half).contains(&rest), "{variant} {bits} {v}");
                assert_eq!(rest < 0, v < 0);
            }
            assert_eq!(shape.functions().unwrap().len(), if low > 0 { 2 } else { 1 });
        }
    }

    #[test]
    fn few_tuples_and_wide_operands_are_refused() {
        let workload = crate::find("arith-compare").unwrap();
        let refused = |size| {
            let task = Task::new(workload.spec(), "w1", size).unwrap();
            Tabulated.supports(&task).unwrap_err().to_string()
        };
        assert!(refused("small").contains("1024 tuples"), "{}", refused("small"));
        assert!(refused("large").contains("8 bits"), "{}", refused("large"));
        let wide = Task::new(workload.spec(), "w1", "wide").unwrap();
        Tabulated.supports(&wide).unwrap();
    }
}
