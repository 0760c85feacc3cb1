//! The table of operations on vectors: one row each, in the order in which reports rank them, with
//! the name in the protocol and the oracle, which is a function of this file.

use super::arithmetic::{Arithmetic, Machine, Modulo, Real, VectorOracle};
use super::op::Operand::{AtLevelOf, Chain, Encoded, Fresh, Product, Unscaled};
use super::op::{Inputs, Measure, Operand, RotationKeys};
use super::row::{Arguments, Count, Request, Row};
use crate::protocol::Encoding;

/// The polynomial of the case `polynomial`, constant coefficient first: 3x^3 + 2x^2 + 5x + 7.
const POLYNOMIAL: [i64; 4] = [7, 5, 2, 3];

/// The operation of sets that can be bootstrapped.
pub const BOOTSTRAP: &str = "bootstrap";

/// The operation of sets that apply functions of small integers while they bootstrap.
pub const TABLE: &str = "table";

/// Makes a [`VectorOracle`] of a function that is generic over its arithmetic.
macro_rules! oracle {
    ($name:ident) => {
        VectorOracle { residues: $name::<Modulo>, reals: $name::<Real>, words: $name::<Machine> }
    };
}

const fn upto(most: usize, listed: &'static [usize]) -> Count {
    Count { most, listed }
}

fn encoded(_: usize) -> Vec<Operand> {
    vec![Encoded]
}

fn two(_: usize) -> Vec<Operand> {
    vec![Fresh, Fresh]
}

fn with_plain(_: usize) -> Vec<Operand> {
    vec![Fresh, Encoded]
}

/// A timed operation on one fresh ciphertext, which other rows start from.
const CALL: Row = Row {
    name: "",
    count: None,
    meaning: "",
    measure: Measure::Calls,
    request: Request::Own,
    arguments: Arguments::None,
    needs: &[],
    operands: |_| vec![Fresh],
    inputs: Inputs::Random,
    encoding: Encoding::Slots,
    keys: RotationKeys::None,
    oracle: oracle!(same),
    counts_calls: false,
};

/// A case in which `run` times nothing.
const UNTIMED: Row = Row { request: Request::Nothing, operands: |_| Vec::new(), ..CALL };

/// All operations on vectors, in the order in which tables show them.
pub const ROWS: &[Row] = &[
    Row {
        name: "keygen",
        measure: Measure::Keygen,
        meaning: "secret, public and relinearisation key",
        ..UNTIMED
    },
    Row {
        name: "rotate_keygen",
        measure: Measure::RotationKeygen,
        needs: &["rotate_sum"],
        keys: RotationKeys::Powers,
        meaning: "all rotation keys that rotate_sum needs",
        ..UNTIMED
    },
    Row {
        name: "encrypt_pk",
        operands: encoded,
        meaning: "public-key encryption of an encoded vector",
        ..CALL
    },
    Row {
        name: "encrypt_sk",
        operands: encoded,
        meaning: "secret-key encryption of an encoded vector",
        ..CALL
    },
    Row { name: "decrypt", meaning: "decryption to an encoded vector", ..CALL },
    Row {
        name: "add",
        operands: two,
        oracle: oracle!(add),
        meaning: "sum of two ciphertexts",
        ..CALL
    },
    Row {
        name: "sub",
        operands: two,
        oracle: oracle!(sub),
        meaning: "difference of two ciphertexts",
        ..CALL
    },
    Row { name: "neg", oracle: oracle!(neg), meaning: "negation of a ciphertext", ..CALL },
    Row {
        name: "add_plain",
        operands: with_plain,
        oracle: oracle!(add),
        meaning: "ciphertext plus plaintext",
        ..CALL
    },
    Row {
        name: "mul",
        operands: two,
        oracle: oracle!(product),
        meaning: "product of two ciphertexts, relinearised",
        ..CALL
    },
    Row {
        name: "mul_switch",
        operands: two,
        oracle: oracle!(product),
        meaning: "product, relinearised and switched to the next level; rescaled in CKKS",
        ..CALL
    },
    Row {
        name: "mul_no_relin",
        operands: two,
        oracle: oracle!(product),
        meaning: "product of two ciphertexts, without relinearisation",
        ..CALL
    },
    Row {
        name: "mul_plain",
        operands: with_plain,
        oracle: oracle!(product),
        meaning: "ciphertext times plaintext",
        ..CALL
    },
    Row { name: "square", oracle: oracle!(square), meaning: "square, relinearised", ..CALL },
    Row {
        name: "relin",
        operands: |_| vec![Product],
        needs: &["mul_no_relin"],
        oracle: oracle!(product),
        meaning: "relinearisation of a product",
        ..CALL
    },
    Row {
        name: "rotate",
        arguments: Arguments::Steps(1),
        keys: RotationKeys::Step,
        oracle: oracle!(rotate),
        meaning: "rotation of the slots by one step",
        ..CALL
    },
    Row {
        name: "rotate_sum",
        keys: RotationKeys::Powers,
        oracle: oracle!(sum_slots),
        meaning: "sum of all slots, in every slot",
        ..CALL
    },
    Row { name: "mod_switch", meaning: "switch to the next level", ..CALL },
    Row {
        name: "conjugate",
        keys: RotationKeys::Swap,
        oracle: oracle!(conjugate),
        meaning: "complex conjugates of the slots",
        ..CALL
    },
    Row {
        name: "mul_no_rescale",
        operands: two,
        oracle: oracle!(product),
        meaning: "product, relinearised, at the scale of the product",
        ..CALL
    },
    Row {
        name: "rescale",
        operands: |_| vec![Unscaled],
        needs: &["mul_no_rescale"],
        oracle: oracle!(product),
        meaning: "division of a product by the scale, to the next level",
        ..CALL
    },
    Row {
        name: "simd_mul",
        request: Request::Named("mul"),
        operands: two,
        oracle: oracle!(product),
        meaning: "product of two ciphertexts, time per slot",
        ..CALL
    },
    Row {
        name: "dot_slots",
        operands: two,
        keys: RotationKeys::Powers,
        oracle: oracle!(dot_slots),
        meaning: "dot product over all slots of two ciphertexts",
        ..CALL
    },
    Row {
        name: "dot32_packed",
        request: Request::Named("mul"),
        operands: two,
        inputs: Inputs::Packed(32),
        encoding: Encoding::Coefficients,
        oracle: oracle!(negacyclic),
        meaning: "dot product of 32 values packed in coefficients",
        ..CALL
    },
    Row {
        name: "polynomial",
        arguments: Arguments::Coefficients(&POLYNOMIAL),
        oracle: oracle!(polynomial),
        meaning: "3x^3 + 2x^2 + 5x + 7 of an encrypted vector",
        ..CALL
    },
    Row {
        name: "ct_size_bytes",
        measure: Measure::Sizes,
        meaning: "serialised size of a fresh ciphertext",
        ..UNTIMED
    },
    Row {
        name: "pk_size_bytes",
        measure: Measure::Sizes,
        meaning: "serialised size of the keys",
        ..UNTIMED
    },
    Row {
        name: "chain_past_budget",
        measure: Measure::PastBudget,
        needs: &["mul_switch"],
        oracle: oracle!(product),
        meaning: "repeated multiplication until the library refuses",
        ..UNTIMED
    },
    Row {
        name: "depth",
        count: Some(upto(64, &[1, 2, 3, 4, 5])),
        request: Request::Named("mul_switch"),
        operands: |k| vec![Chain(k - 1), AtLevelOf(k - 1)],
        oracle: oracle!(product),
        meaning: "product {k} of a chain, relinearised, at the current level of the chain",
        ..CALL
    },
    Row {
        name: "decrypt_depth",
        count: Some(upto(64, &[1, 2, 3, 4, 5])),
        request: Request::Named("decrypt"),
        needs: &["mul_switch"],
        operands: |k| vec![Chain(k)],
        oracle: oracle!(product),
        meaning: "decryption after a chain of {k} products",
        ..CALL
    },
    Row {
        name: "dot",
        count: Some(upto(256, &[4, 8, 16, 32])),
        operands: |k| vec![Fresh; 2 * k],
        oracle: oracle!(dot),
        meaning: "sum of {k} products of {2k} separate ciphertexts",
        ..CALL
    },
    Row {
        name: "inner_product",
        count: Some(upto(4096, &[128, 256, 512])),
        arguments: Arguments::Terms,
        operands: two,
        keys: RotationKeys::Strides(0),
        oracle: oracle!(inner_product),
        meaning: "inner products of {k} terms of two ciphertexts, a {k}th of a row apart",
        ..CALL
    },
    Row {
        name: "inner_product_plain",
        count: Some(upto(4096, &[128, 256, 512])),
        arguments: Arguments::Terms,
        operands: with_plain,
        keys: RotationKeys::Strides(0),
        oracle: oracle!(inner_product),
        meaning: "inner products of {k} terms, a {k}th of a row apart, with clear vectors",
        ..CALL
    },
    Row {
        name: "mul_batch",
        count: Some(upto(65_536, &[512, 2048, 8192])),
        request: Request::Named("mul"),
        operands: two,
        counts_calls: true,
        oracle: oracle!(product),
        meaning: "product of two ciphertexts: time per product of {k} divided among all threads",
        ..CALL
    },
    Row {
        name: BOOTSTRAP,
        meaning: "the same values at the level that a bootstrapping leaves",
        ..CALL
    },
    Row {
        name: TABLE,
        meaning: "the entry of a table for every value, by a bootstrapping",
        ..CALL
    },
];

/// Operands of one call: the values of each ciphertext or plaintext, or of each factor of a chain.
type Vectors<'a, A> = &'a [&'a [<A as Arithmetic>::Value]];
type Vector<A> = Vec<<A as Arithmetic>::Value>;

/// Returns the first operand: encryptions, decryptions and switches change no value.
fn same<A: Arithmetic>(_: &A, x: Vectors<'_, A>, _: usize) -> Vector<A> {
    x[0].to_vec()
}

/// Adds.
fn add<A: Arithmetic>(a: &A, x: Vectors<'_, A>, _: usize) -> Vector<A> {
    zip(x[0], x[1], |x, y| a.add(x, y))
}

/// Subtracts.
fn sub<A: Arithmetic>(a: &A, x: Vectors<'_, A>, _: usize) -> Vector<A> {
    zip(x[0], x[1], |x, y| a.sub(x, y))
}

/// Negates.
fn neg<A: Arithmetic>(a: &A, x: Vectors<'_, A>, _: usize) -> Vector<A> {
    x[0].iter().map(|&x| a.sub(a.constant(0), x)).collect()
}

/// Squares.
fn square<A: Arithmetic>(a: &A, x: Vectors<'_, A>, _: usize) -> Vector<A> {
    x[0].iter().map(|&x| a.mul(x, x)).collect()
}

/// Multiplies all operands, slot by slot.
fn product<A: Arithmetic>(a: &A, x: Vectors<'_, A>, _: usize) -> Vector<A> {
    let ones = vec![a.constant(1); x[0].len()];
    x.iter().fold(ones, |product, x| zip(&product, x, |x, y| a.mul(x, y)))
}

/// Rotates every row by one step to the left.
fn rotate<A: Arithmetic>(_: &A, x: Vectors<'_, A>, _: usize) -> Vector<A> {
    let mut rotated = x[0].to_vec();
    let row = (rotated.len() / A::ROWS).max(1);
    rotated.chunks_mut(row).for_each(|row| row.rotate_left(1));
    rotated
}

/// Conjugates every slot: real values stay. In two rows, which have no complex values, the same key
/// swaps the rows.
fn conjugate<A: Arithmetic>(_: &A, x: Vectors<'_, A>, _: usize) -> Vector<A> {
    let mut conjugated = x[0].to_vec();
    let row = conjugated.len() / A::ROWS;
    conjugated.rotate_left(if A::ROWS > 1 { row } else { 0 });
    conjugated
}

/// Adds all slots, in every slot.
fn sum_slots<A: Arithmetic>(a: &A, x: Vectors<'_, A>, _: usize) -> Vector<A> {
    let sum = x[0].iter().fold(a.constant(0), |sum, &v| a.add(sum, v));
    vec![sum; x[0].len()]
}

/// Adds the products of the first `count` operands with the others.
fn dot<A: Arithmetic>(a: &A, x: Vectors<'_, A>, count: usize) -> Vector<A> {
    let zeros = vec![a.constant(0); x[0].len()];
    x[..count].iter().zip(&x[count..]).fold(zeros, |sum, (x, y)| {
        let products = zip(x, y, |x, y| a.mul(x, y));
        zip(&sum, &products, |x, y| a.add(x, y))
    })
}

/// Multiplies, then adds all slots, in every slot.
fn dot_slots<A: Arithmetic>(a: &A, x: Vectors<'_, A>, count: usize) -> Vector<A> {
    let products = product(a, x, count);
    sum_slots(a, &[&products], count)
}

/// Multiplies, then adds the `count` values of each row at the distance of a `count`-th of the row:
/// of as many vectors as that distance, which lie side by side.
fn inner_product<A: Arithmetic>(a: &A, x: Vectors<'_, A>, count: usize) -> Vector<A> {
    let mut products = product(a, x, count);
    let row = (products.len() / A::ROWS).max(1);
    let distance = (row / count).max(1);
    for row in products.chunks_mut(row) {
        let (first, others) = row.split_at_mut(distance);
        for others in others.chunks(distance) {
            first.iter_mut().zip(others).for_each(|(sum, value)| *sum = a.add(*sum, *value));
        }
        others.chunks_mut(distance).for_each(|other| other.copy_from_slice(first));
    }
    products
}

/// Evaluates [`POLYNOMIAL`] by Horner's rule.
fn polynomial<A: Arithmetic>(a: &A, x: Vectors<'_, A>, _: usize) -> Vector<A> {
    let step = |x, value, &c: &i64| a.add(a.mul(value, x), a.constant(c));
    let at =
        |&x: &A::Value| POLYNOMIAL.iter().rev().fold(a.constant(0), |value, c| step(x, value, c));
    x[0].iter().map(at).collect()
}

/// Multiplies two polynomials modulo X^n + 1.
fn negacyclic<A: Arithmetic>(a: &A, x: Vectors<'_, A>, _: usize) -> Vector<A> {
    let n = x[0].len();
    let mut product = vec![a.constant(0); n];
    for (i, &left) in x[0].iter().enumerate().filter(|(_, v)| !a.is_zero(**v)) {
        for (j, &right) in x[1].iter().enumerate().filter(|(_, v)| !a.is_zero(**v)) {
            let term = a.mul(left, right);
            let slot = &mut product[(i + j) % n];
            *slot = if i + j < n { a.add(*slot, term) } else { a.sub(*slot, term) };
        }
    }
    product
}

fn zip<T: Copy>(a: &[T], b: &[T], f: impl Fn(T, T) -> T) -> Vec<T> {
    a.iter().zip(b).map(|(&x, &y)| f(x, y)).collect()
}
