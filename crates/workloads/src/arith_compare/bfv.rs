//! `arith-compare` on BFV: one tuple in each slot, one ciphertext for each bit.
//!
//! Of two bits, `a (1 - b)` says that the first is greater and `1 - (a - b)^2` that they are equal;
//! a tree joins them to the comparison of two numbers. A product of two numbers is a sum of the
//! products of their bits. With the complement of the bits of `c` among its terms, it reaches
//! `2^(2 n)` if and only if `a b > c`, so that one carry is the comparison.

use fathom::bfv::{self, Bfv};
use fathom::rlwe::{Ciphertext, Encryption, Params, Rotations};

use super::bits::{Group, carry_out, complement, joined, product_columns, product_depth};
use crate::schemes::ring::{Circuit, Counted, Counts, Numbers, bfv_params};
use crate::{Data, Error, Task};

/// Products, comparisons and selections as a circuit on encrypted bits.
#[derive(Clone, Copy)]
pub(super) struct Bitwise;

/// Widest operands of a comparison.
const MOST_BITS: usize = 16;

/// Widest operands of a product: wider ones take a depth that no parameters have.
const MOST_PRODUCT_BITS: usize = 8;

/// The function, the number of tuples, and the bits of `a` and `b`.
struct Shape {
    function: Function,
    tuples: usize,
    bits: usize,
}

/// The functions that are computed on bits.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Function {
    /// `a <= b ? c : 0`.
    Select,
    /// `a * b <= c`.
    CompareProduct,
    /// `a * b <= c ? d : 0`.
    SelectByProduct,
}

impl Shape {
    fn of(task: &Task) -> Result<Self, Error> {
        let function = match task.variant.as_str() {
            "w2" => Function::Select,
            "w1" => Function::CompareProduct,
            "w3-select" => Function::SelectByProduct,
            other => {
                let reason = format!("{other} subtracts products, which are not available as bits");
                return Err(Error::Unsupported { scheme: "bfv", reason });
            }
        };
        let (tuples, bits) = (task.number("tuples")?, task.number("bits")?.max(1));
        Ok(Self { function, tuples, bits })
    }

    /// Returns the columns that are encrypted bit by bit, with the width of each.
    fn bit_columns(&self) -> Vec<(&'static str, usize)> {
        let mut columns = vec![("a", self.bits), ("b", self.bits)];
        if self.function != Function::Select {
            columns.push(("c", 2 * self.bits));
        }
        columns
    }

    /// Returns the column that is selected from.
    fn value_column(&self) -> Option<&'static str> {
        match self.function {
            Function::Select => Some("c"),
            Function::CompareProduct => None,
            Function::SelectByProduct => Some("d"),
        }
    }

    /// Returns the number of ciphertexts of a tuple.
    fn ciphertexts(&self) -> usize {
        let bits: usize = self.bit_columns().iter().map(|(_, bits)| bits).sum();
        bits + usize::from(self.value_column().is_some())
    }

    /// Returns the number of products in a row.
    fn depth(&self) -> Result<usize, Error> {
        Ok(match self.function {
            // The comparison of bits, the tree, and the selection.
            Function::Select => 2 + self.bits.next_power_of_two().ilog2() as usize,
            Function::CompareProduct => product_depth(self.bits)?,
            Function::SelectByProduct => product_depth(self.bits)? + 1,
        })
    }
}

impl Circuit<Bfv> for Bitwise {
    fn method(&self) -> &'static str {
        "one tuple a slot and one ciphertext a bit: trees of full adders and of comparisons"
    }

    fn supports(&self, task: &Task) -> Result<(), Error> {
        let Shape { bits, function, .. } = Shape::of(task)?;
        let most = if function == Function::Select { MOST_BITS } else { MOST_PRODUCT_BITS };
        if bits <= most {
            return Ok(());
        }
        let reason = format!("operands have up to {most} bits, not {bits}");
        Err(Error::Unsupported { scheme: "bfv", reason })
    }

    fn params(&self, task: &Task) -> Result<bfv::Params, Error> {
        let shape = Shape::of(task)?;
        let circuit = bfv::Circuit {
            products: shape.depth()?,
            rotations: 0,
            // The parity of two bits: x + y - 2 x y.
            terms: 4,
            // Carries at one level have different factors: a sum multiplies by up to sqrt(t).
            results: if shape.function == Function::Select { 1 } else { 1 << 10 },
            encryption: Encryption::PublicKey,
        };
        let value_bits = if shape.value_column().is_some() { shape.bits } else { 1 };
        bfv_params(circuit, value_bits as u32)
    }

    fn rotations(&self, _: &Task, _: &Params<Bfv>) -> Result<Rotations, Error> {
        Ok(Rotations::none())
    }

    fn counts(&self, task: &Task, params: &Params<Bfv>) -> Result<Counts, Error> {
        let shape = Shape::of(task)?;
        let chunks = shape.tuples.div_ceil(Bfv::slots(params));
        Ok(Counts { inputs: chunks * shape.ciphertexts(), results: chunks })
    }

    fn pack(
        &self,
        task: &Task,
        params: &Params<Bfv>,
        secret: &Data,
    ) -> Result<Vec<Vec<i64>>, Error> {
        let shape = Shape::of(task)?;
        let tuples = shape.tuples;
        let column = |name, bits| secret.integers_within(name, tuples, bits);
        let slots = Bfv::slots(params);
        let mut vectors = Vec::new();
        for first in (0..tuples).step_by(slots) {
            let range = first..tuples.min(first + slots);
            for (name, bits) in shape.bit_columns() {
                let values = &column(name, bits)?[range.clone()];
                let bit = |bit| values.iter().map(|value| (value >> bit & 1) as i64).collect();
                vectors.extend((0..bits).map(bit));
            }
            if let Some(name) = shape.value_column() {
                let values = &column(name, shape.bits)?[range];
                vectors.push(values.iter().map(|value| *value as i64).collect());
            }
        }
        Ok(vectors)
    }

    fn compute(
        &self,
        server: &Counted<Bfv>,
        task: &Task,
        _: &Data,
        inputs: &[Ciphertext<Bfv>],
    ) -> Result<Vec<Ciphertext<Bfv>>, Error> {
        let shape = Shape::of(task)?;
        inputs.chunks(shape.ciphertexts()).map(|tuple| computed(server, tuple, &shape)).collect()
    }

    fn unpack(
        &self,
        task: &Task,
        params: &Params<Bfv>,
        _: &Data,
        results: &[Vec<i64>],
    ) -> Result<Data, Error> {
        let Shape { tuples, .. } = Shape::of(task)?;
        let slots = Bfv::slots(params);
        let value = |tuple: usize| {
            let value = results[tuple / slots][tuple % slots];
            u64::try_from(value).map_err(|_| Error::Message(format!("a slot holds {value}")))
        };
        let values = (0..tuples).map(value).collect::<Result<_, _>>()?;
        Ok(Data::new().with_integers("result", values))
    }
}

/// Computes the function on the ciphertexts of as many tuples as there are slots.
fn computed(
    server: &Counted<Bfv>,
    tuple: &[Ciphertext<Bfv>],
    shape: &Shape,
) -> Result<Ciphertext<Bfv>, Error> {
    let (a, rest) = tuple.split_at(shape.bits);
    let (b, rest) = rest.split_at(shape.bits);
    let (greater, value) = if shape.function == Function::Select {
        (greater(server, a, b)?, rest.first())
    } else {
        let (c, value) = rest.split_at(2 * shape.bits);
        (product_exceeds(server, [a, b], c)?, value.first())
    };
    let selects = complement(server, &greater)?;
    match value {
        Some(value) => server.mul(&selects, value),
        None => Ok(selects),
    }
}

/// Computes 1 where `a > b`, from the bits of both.
fn greater(
    server: &Counted<Bfv>,
    a: &[Ciphertext<Bfv>],
    b: &[Ciphertext<Bfv>],
) -> Result<Ciphertext<Bfv>, Error> {
    let bits: Vec<_> = a.iter().zip(b).enumerate().collect();
    let groups = server.map(&bits, |(bit, (a, b))| {
        let generate = server.mul(a, &complement(server, b)?)?;
        let equal = (*bit > 0).then(|| {
            let difference = server.sub(a, b)?;
            complement(server, &server.mul(&difference, &difference)?)
        });
        Ok(Group { generate: Some(generate), propagate: equal.transpose()? })
    })?;
    joined(server, groups)?.ok_or_else(|| Error::Message("there are no bits".into()))
}

/// Computes 1 where `a * b > c`, from the bits of all: `a b + (2^(2 n) - 1 - c)` is at least
/// `2^(2 n)`.
fn product_exceeds(
    server: &Counted<Bfv>,
    [a, b]: [&[Ciphertext<Bfv>]; 2],
    c: &[Ciphertext<Bfv>],
) -> Result<Ciphertext<Bfv>, Error> {
    let complements = server.map(c, |bit| complement(server, bit))?;
    let factors: Vec<_> = a.iter().flat_map(|a| b.iter().map(move |b| (a, b))).collect();
    let products = server.map(&factors, |(a, b)| server.mul(a, b))?;
    carry_out(server, product_columns(a.len(), complements, products))
}

#[cfg(test)]
mod tests {
    use crate::{Roles, Task, find};

    /// Every function on narrow operands, so that most pairs of values occur.
    #[test]
    fn tuples_in_slots_are_right() {
        let workload = find("arith-compare").unwrap();
        let implementation =
            workload.implementations().into_iter().find(|own| own.scheme() == "bfv").unwrap();
        for (variant, bits) in [("w1", 2), ("w2", 3), ("w3-select", 2)] {
            let mut task = Task::new(workload.spec(), variant, "medium").unwrap();
            task.shape.extend([("bits".into(), bits), ("tuples".into(), 500)]);
            let inputs = workload.inputs(&task, 1).unwrap();
            let mut roles = Roles::new(implementation.as_ref(), &task, 2).unwrap();
            workload.verify(&task, &inputs, &roles.run(&inputs).unwrap()).unwrap();
        }
    }
}
