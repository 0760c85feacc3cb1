//! The table of operations on vectors, in the order in which reports rank them: the verbs of
//! `fathom_verbs`, and cases that are more or less than one verb, which are rows of this file.

use std::sync::LazyLock;

use fathom_verbs::clear::{Vector, Vectors, product, row_length, same, sum_slots, zip};
use fathom_verbs::{
    RotationKeys, Takes, Verb, clear, exact_verbs, real_verbs, ring_verbs, slot_verbs, verbs,
};

use super::arithmetic::{Arithmetic, Clear, Given, Machine, Modulo, Real, VectorOracle};
use super::op::Operand::{AtLevelOf, Chain, Encoded, Fresh, Product, Unscaled};
use super::op::{Inputs, Measure, Operand};
use super::row::{Arguments, Count, Request, Row};
use crate::protocol::Encoding;

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
    numbers: &[],
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
pub static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let named = verbs().filter_map(|verb| Some(row(verb, verb.driver?)));
    BEFORE.iter().copied().chain(named).chain(AFTER.iter().copied()).collect()
});

/// Keys, encryption and decryption.
const BEFORE: &[Row] = &[
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
];

/// Other names of verbs, families of operations, sizes, chains and bootstrappings.
const AFTER: &[Row] = &[
    Row {
        name: "mul_switch",
        operands: two,
        oracle: oracle!(product),
        meaning: "product, relinearised and switched to the next level; rescaled in CKKS",
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

/// Returns the row of a verb.
fn row(verb: &Verb, name: &'static str) -> Row {
    let (operands, needs): (fn(usize) -> Vec<Operand>, _) = match verb.takes {
        Takes::Pair => (two, &[][..]),
        Takes::Message | Takes::Factor => (with_plain, &[][..]),
        Takes::Product => (|_| vec![Product], &["mul_no_relin"][..]),
        Takes::Unscaled => (|_| vec![Unscaled], &["mul_no_rescale"][..]),
        Takes::One
        | Takes::Number
        | Takes::Numbers
        | Takes::Steps
        | Takes::Coefficients
        | Takes::Level => (|_| vec![Fresh], &[][..]),
    };
    let arguments = match verb.takes {
        Takes::Steps => Arguments::Steps,
        Takes::Numbers | Takes::Coefficients => Arguments::Coefficients,
        Takes::One
        | Takes::Pair
        | Takes::Product
        | Takes::Unscaled
        | Takes::Message
        | Takes::Factor
        | Takes::Number
        | Takes::Level => Arguments::None,
    };
    let (numbers, keys, meaning) = (verb.numbers, verb.keys, verb.meaning);
    let words = words(verb.name).expect("every verb is a row of the four macros");
    let oracle = VectorOracle { residues: verb.residues, reals: verb.reals, words };
    Row { name, meaning, arguments, numbers, needs, operands, keys, oracle, ..CALL }
}

/// Returns the clear form of a verb on machine integers.
fn words(name: &str) -> Option<Clear<Machine>> {
    macro_rules! find {
        ($($verb:ident($takes:ident) {
            call: $call:expr,
            clear: $clear:ident,
            $($facts:tt)*
        })*) => {
            $(if name == stringify!($verb) {
                return Some(clear::$clear);
            })*
        };
    }
    ring_verbs!(find);
    slot_verbs!(find);
    exact_verbs!(find);
    real_verbs!(find);
    None
}

/// Adds the products of the first `count` operands with the others.
fn dot<A: Arithmetic>(a: &A, x: Vectors<'_, A>, given: Given<'_>) -> Vector<A> {
    let zeros = vec![a.constant(0); x[0].len()];
    x[..given.count].iter().zip(&x[given.count..]).fold(zeros, |sum, (x, y)| {
        let products = zip(x, y, |x, y| a.mul(x, y));
        zip(&sum, &products, |x, y| a.add(x, y))
    })
}

/// Multiplies, then adds all slots, in every slot.
fn dot_slots<A: Arithmetic>(a: &A, x: Vectors<'_, A>, given: Given<'_>) -> Vector<A> {
    let products = product(a, x, given);
    sum_slots(a, &[&products], given)
}

/// Multiplies, then adds the `count` values of each row at the distance of a `count`-th of the row:
/// of as many vectors as that distance, which lie side by side.
fn inner_product<A: Arithmetic>(a: &A, x: Vectors<'_, A>, given: Given<'_>) -> Vector<A> {
    let mut products = product(a, x, given);
    let row = row_length::<A>(&products);
    let distance = (row / given.count).max(1);
    for row in products.chunks_mut(row) {
        let (first, others) = row.split_at_mut(distance);
        for others in others.chunks(distance) {
            first.iter_mut().zip(others).for_each(|(sum, value)| *sum = a.add(*sum, *value));
        }
        others.chunks_mut(distance).for_each(|other| other.copy_from_slice(first));
    }
    products
}

/// Multiplies two polynomials modulo X^n + 1.
fn negacyclic<A: Arithmetic>(a: &A, x: Vectors<'_, A>, _: Given<'_>) -> Vector<A> {
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
