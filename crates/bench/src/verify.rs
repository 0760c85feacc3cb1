//! What each operation must give, computed on clear values in plain integer arithmetic.

use crate::drivers::protocol::KeyKind;
use crate::ops::{POLYNOMIAL, Work};
use crate::torus::{BlockOp, Gate, IntegerOp};

/// Values of one operand in the order of the encoding, each in `0..t`.
pub type Values = Vec<u64>;

/// The clear result of `work` on `inputs` modulo `t`: as many values as an operand has.
///
/// `inputs` are the values of the operands; for a chain of k products, those of all its k + 1
/// factors; for a product that is then relinearised, those of its two factors. Work that is not
/// an operation on values gives its first input back.
pub fn expected(work: Work, inputs: &[Values], t: u64) -> Values {
    let first = &inputs[0];
    match work {
        Work::Keygen
        | Work::RotateKeygen
        | Work::CiphertextSize
        | Work::KeySize
        | Work::Encrypt(KeyKind::Pk | KeyKind::Sk)
        | Work::Decrypt
        | Work::ModSwitch => first.clone(),
        Work::Add | Work::AddPlain => zip(first, &inputs[1], |a, b| add(a, b, t)),
        Work::Sub => zip(first, &inputs[1], |a, b| add(a, t - b, t)),
        Work::Mul | Work::MulBatch(_) | Work::MulPlain | Work::Relin => {
            zip(first, &inputs[1], |a, b| mul(a, b, t))
        }
        Work::Square => zip(first, first, |a, b| mul(a, b, t)),
        Work::Rotate => rotate_rows(first, 1),
        Work::RotateSum => sum_everywhere(first, t),
        Work::Depth(_) | Work::DecryptDepth(_) | Work::PastBudget => {
            let ones = vec![1 % t; first.len()];
            inputs.iter().fold(ones, |product, x| zip(&product, x, |a, b| mul(a, b, t)))
        }
        Work::Dot(n) => {
            let zeros = vec![0; first.len()];
            let pairs = inputs[..n].iter().zip(&inputs[n..]);
            pairs.fold(zeros, |sum, (x, y)| {
                let products = zip(x, y, |a, b| mul(a, b, t));
                zip(&sum, &products, |a, b| add(a, b, t))
            })
        }
        Work::PackedDot(_) => negacyclic_product(first, &inputs[1], t),
        Work::Polynomial => first.iter().map(|&x| evaluate(&POLYNOMIAL, x, t)).collect(),
        Work::DotSlots => sum_everywhere(&zip(first, &inputs[1], |a, b| mul(a, b, t)), t),
        Work::Gate(gate) => of_gate(gate, inputs),
        Work::Block(op) => of_block(op, inputs, t),
        Work::Integer(op) => of_integers(op, inputs),
    }
}

/// The bit that a gate gives for bits.
fn of_gate(gate: Gate, inputs: &[Values]) -> Values {
    let bits: Vec<bool> = inputs.iter().map(|values| values[0] == 1).collect();
    vec![u64::from(gate.of(&bits))]
}

/// The value that an operation on blocks gives, modulo the message modulus `t`.
fn of_block(op: BlockOp, inputs: &[Values], t: u64) -> Values {
    let values: Vec<u64> = inputs.iter().map(|values| values[0]).collect();
    vec![op.of(&values, t)]
}

/// The limbs that an operation gives for the limbs of integers.
fn of_integers(op: IntegerOp, inputs: &[Values]) -> Values {
    let types = [op.ty, op.right_type()];
    let operands = inputs.iter().zip(types).map(|(limbs, ty)| ty.of_limbs(limbs));
    op.of(&operands.collect::<Vec<_>>())
}

/// Two vectors of `n` coefficients whose negacyclic product has the dot product of `x` and `y` as
/// its constant coefficient: `x_0 + x_1 X + ...` and `y_0 - y_1 X^(n-1) - ...`
///
/// Source: Yasuda, Shimoyama, Kogure, Yokoyama, Koshiba, "Practical packing method in somewhat
/// homomorphic encryption", DPM 2013.
pub fn pack_for_dot(x: &[u64], y: &[u64], n: usize, t: u64) -> [Values; 2] {
    let (mut left, mut right) = (vec![0; n], vec![0; n]);
    left[..x.len()].copy_from_slice(x);
    for (i, &value) in y.iter().enumerate() {
        if i == 0 {
            right[0] = value;
        } else {
            right[n - i] = (t - value) % t;
        }
    }
    [left, right]
}

/// How many of `found`, each reduced modulo `t`, differ from `expected`; all if the lengths do.
pub fn mismatches(found: &[i64], expected: &[u64], t: u64) -> usize {
    if found.len() != expected.len() {
        return expected.len().max(found.len());
    }
    let reduce = |v: i64| (i128::from(v).rem_euclid(i128::from(t))) as u64;
    found.iter().zip(expected).filter(|(f, e)| reduce(**f) != **e).count()
}

fn add(a: u64, b: u64, t: u64) -> u64 {
    ((u128::from(a) + u128::from(b)) % u128::from(t)) as u64
}

fn mul(a: u64, b: u64, t: u64) -> u64 {
    ((u128::from(a) * u128::from(b)) % u128::from(t)) as u64
}

fn zip(a: &[u64], b: &[u64], f: impl Fn(u64, u64) -> u64) -> Values {
    a.iter().zip(b).map(|(&x, &y)| f(x, y)).collect()
}

fn rotate_rows(values: &[u64], steps: usize) -> Values {
    let mut rotated = values.to_vec();
    for row in rotated.chunks_mut(values.len() / 2) {
        row.rotate_left(steps);
    }
    rotated
}

fn sum_everywhere(values: &[u64], t: u64) -> Values {
    let sum = values.iter().fold(0, |sum, &v| add(sum, v, t));
    vec![sum; values.len()]
}

fn evaluate(coefficients: &[i64], x: u64, t: u64) -> u64 {
    let lift = |c: i64| i128::from(c).rem_euclid(i128::from(t)) as u64;
    coefficients.iter().rev().fold(0, |value, &c| add(mul(value, x, t), lift(c), t))
}

fn negacyclic_product(a: &[u64], b: &[u64], t: u64) -> Values {
    let n = a.len();
    let mut product = vec![0; n];
    for (i, &x) in a.iter().enumerate().filter(|(_, x)| **x != 0) {
        for (j, &y) in b.iter().enumerate().filter(|(_, y)| **y != 0) {
            let term = mul(x, y, t);
            let signed = if i + j < n { term } else { t - term };
            let slot = &mut product[(i + j) % n];
            *slot = add(*slot, signed, t);
        }
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const T: u64 = 65537;

    fn values(n: usize) -> impl Strategy<Value = Values> {
        prop::collection::vec(0..T, n)
    }

    #[test]
    fn small_cases_by_hand() {
        let (x, y) = (vec![1, 2, 3, 4], vec![5, 6, 7, T - 8]);
        let of = |work| expected(work, &[x.clone(), y.clone()], T);
        assert_eq!(of(Work::Add), [6, 8, 10, T - 4]);
        assert_eq!(of(Work::Sub), [T - 4, T - 4, T - 4, 12]);
        assert_eq!(of(Work::Mul), [5, 12, 21, T - 32]);
        assert_eq!(of(Work::Rotate), [2, 1, 4, 3]);
        assert_eq!(of(Work::RotateSum), [10; 4]);
        assert_eq!(of(Work::DotSlots), [6; 4]);
        assert_eq!(of(Work::Polynomial), [17, 49, 121, 251]);
        assert_eq!(of(Work::Dot(1)), of(Work::Mul));
        assert_eq!(expected(Work::Depth(2), &[x.clone(), x.clone(), x], T), [1, 8, 27, 64]);
    }

    #[test]
    fn a_wrong_value_or_length_is_counted() {
        assert_eq!(mismatches(&[-1, 2, 70000], &[T - 1, 2, 70000 - T], T), 0);
        assert_eq!(mismatches(&[-1, 3, 5], &[T - 1, 2, 4], T), 2);
        assert_eq!(mismatches(&[1, 2], &[1, 2, 3], T), 3);
    }

    proptest! {
        #[test]
        fn packing_puts_the_dot_product_in_the_constant_coefficient(
            x in values(8),
            y in values(8),
        ) {
            let packed = pack_for_dot(&x, &y, 32, T);
            let product = expected(Work::PackedDot(8), &packed, T);
            let dot = x.iter().zip(&y).map(|(a, b)| a * b % T).sum::<u64>() % T;
            prop_assert_eq!(product[0], dot);
        }

        #[test]
        fn a_dot_is_the_sum_of_its_products(inputs in prop::collection::vec(values(4), 8)) {
            let dot = expected(Work::Dot(4), &inputs, T);
            let mut sum = vec![0; 4];
            for i in 0..4 {
                let pair = [inputs[i].clone(), inputs[i + 4].clone()];
                sum = expected(Work::Add, &[sum, expected(Work::Mul, &pair, T)], T);
            }
            prop_assert_eq!(dot, sum);
        }
    }
}
