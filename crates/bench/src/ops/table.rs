//! The table of operations on vectors, one row each.

use super::op::Operand::{AtLevelOf, Chain, Encoded, Fresh, Product, Unscaled};
use super::op::{Inputs, Measure, Operand, RotationKeys};
use super::row::{Arguments, CALL, Count, Request, Row, UNTIMED};
use crate::drivers::protocol::Encoding;
use crate::verify::vectors::{POLYNOMIAL, oracle};

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
];
