//! `arith-compare` on BFV: one tuple in each slot, one ciphertext for each bit.
//!
//! Of two bits, `a (1 - b)` says that the first is greater and `1 - (a - b)^2` that they are equal.
//! Of two groups of bits, the upper one decides unless it is equal: with `g` for greater and `e`
//! for equal, the group of both has `g = g_upper + e_upper g_lower` and `e = e_upper e_lower`. A
//! tree of such steps compares `n` bits in a depth of `1 + ceil(log2 n)`; the selection is one more
//! product.

use fathom::bfv::{self, Bfv};
use fathom::rlwe::{Ciphertext, Encryption, Params, Rotations};

use crate::schemes::ring::{Circuit, Counted, Counts, Numbers, bfv_params};
use crate::{Data, Error, RingOperation, Task};

/// The circuit.
#[derive(Clone, Copy)]
pub(super) struct Bitwise;

/// Widest operands.
const MOST_BITS: usize = 16;

/// Bits of two operands and a value, and the number of tuples.
struct Shape {
    tuples: usize,
    bits: usize,
}

impl Shape {
    fn of(task: &Task) -> Result<Self, Error> {
        Ok(Self { tuples: task.number("tuples")?, bits: task.number("bits")?.max(1) })
    }

    /// Returns the number of ciphertexts of a tuple: the bits of `a` and `b`, and `c`.
    fn columns(&self) -> usize {
        2 * self.bits + 1
    }
}

impl Circuit<Bfv> for Bitwise {
    fn method(&self) -> &'static str {
        "one tuple a slot and one ciphertext a bit; a tree of comparisons, then a product"
    }

    fn supports(&self, task: &Task) -> Result<(), Error> {
        let Shape { bits, .. } = Shape::of(task)?;
        let reason = if task.variant != "w2" {
            "products are not available as bits, so only w2 is computed".into()
        } else if bits > MOST_BITS {
            format!("operands have up to {MOST_BITS} bits, not {bits}")
        } else {
            return Ok(());
        };
        Err(Error::Unsupported { scheme: "bfv", reason })
    }

    fn params(&self, task: &Task) -> Result<bfv::Params, Error> {
        let Shape { bits, .. } = Shape::of(task)?;
        let layers = bits.next_power_of_two().ilog2() as usize;
        let circuit = bfv::Circuit {
            products: layers + 2,
            rotations: 0,
            // A sum of terms from different levels multiplies the noise of one factor of the next
            // product by up to sqrt(t): as much as a sum of t^(1/4) terms does in both factors. The
            // factor 2 is for the sum itself.
            terms: 2 << (modulus_bits(bits) / 4),
            results: 1,
            encryption: Encryption::PublicKey,
        };
        bfv_params(circuit, bits as u32)
    }

    fn rotations(&self, _: &Task, _: &Params<Bfv>) -> Result<Rotations, Error> {
        Ok(Rotations::none())
    }

    fn counts(&self, task: &Task, params: &Params<Bfv>) -> Result<Counts, Error> {
        let shape = Shape::of(task)?;
        let chunks = shape.tuples.div_ceil(Bfv::slots(params));
        Ok(Counts { inputs: chunks * shape.columns(), results: chunks })
    }

    fn pack(
        &self,
        task: &Task,
        params: &Params<Bfv>,
        secret: &Data,
    ) -> Result<Vec<Vec<i64>>, Error> {
        let Shape { tuples, bits } = Shape::of(task)?;
        let column = |name| -> Result<&[u64], Error> {
            let values = secret.integers(name)?;
            if values.len() != tuples {
                let problem = format!("has {} values in place of {tuples}", values.len());
                return Err(Error::column(name, problem));
            }
            match values.iter().find(|value| **value >> bits != 0) {
                None => Ok(values),
                Some(value) => {
                    Err(Error::column(name, format!("holds {value}: more than {bits} bits")))
                }
            }
        };
        let slots = Bfv::slots(params);
        let [a, b, c] = [column("a")?, column("b")?, column("c")?];
        let mut vectors = Vec::new();
        for ((a, b), c) in a.chunks(slots).zip(b.chunks(slots)).zip(c.chunks(slots)) {
            for operand in [a, b] {
                let bit = |bit| operand.iter().map(|value| (value >> bit & 1) as i64).collect();
                vectors.extend((0..bits).map(bit));
            }
            vectors.push(c.iter().map(|value| *value as i64).collect());
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
        inputs.chunks(shape.columns()).map(|tuple| selected(server, tuple, shape.bits)).collect()
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

/// Returns a bound on the bits of the plaintext modulus for values of `bits` bits: the smallest one
/// with slots has up to 17 bits.
fn modulus_bits(bits: usize) -> usize {
    (bits + 2).max(17)
}

/// Computes `c` where `a <= b`, and 0 elsewhere, from the bits of `a`, those of `b`, and `c`.
fn selected(
    server: &Counted<Bfv>,
    tuple: &[Ciphertext<Bfv>],
    bits: usize,
) -> Result<Ciphertext<Bfv>, Error> {
    let (a, rest) = tuple.split_at(bits);
    let (b, c) = rest.split_at(bits);
    let mut groups = server.map(&(0..bits).collect::<Vec<_>>(), |bit| {
        let greater = server.mul(&a[*bit], &complement(server, &b[*bit])?)?;
        let difference = server.sub(&a[*bit], &b[*bit])?;
        let equal = (*bit > 0).then(|| {
            let unequal = server.mul(&difference, &difference)?;
            complement(server, &unequal)
        });
        Ok(Group { greater, equal: equal.transpose()? })
    })?;
    while groups.len() > 1 {
        let pairs: Vec<_> = groups.chunks(2).collect();
        groups = server.map(&pairs, |pair| joined(server, pair))?;
    }
    let not_greater = complement(server, &groups[0].greater)?;
    server.mul(&not_greater, &c[0])
}

/// The comparison of a group of neighbouring bits.
#[derive(Clone)]
struct Group {
    greater: Ciphertext<Bfv>,
    /// `None` for the group of the lowest bit, for which nothing needs it.
    equal: Option<Ciphertext<Bfv>>,
}

/// Joins a lower and an upper group; a group without an upper one stays as it is.
fn joined(server: &Counted<Bfv>, pair: &[Group]) -> Result<Group, Error> {
    let [lower, Group { greater, equal: Some(equal) }] = pair else {
        return Ok(pair[0].clone());
    };
    let decided = server.mul(equal, &lower.greater)?;
    let both = lower.equal.as_ref().map(|lower| server.mul(equal, lower));
    Ok(Group { greater: server.add(greater, &decided)?, equal: both.transpose()? })
}

/// Computes `1 - x`.
fn complement(server: &Counted<Bfv>, x: &Ciphertext<Bfv>) -> Result<Ciphertext<Bfv>, Error> {
    server.count(RingOperation::Add, x.level().get(), 1);
    let evaluator = server.evaluator();
    Ok(evaluator.add_scalar(&evaluator.neg(x)?, 1)?)
}
