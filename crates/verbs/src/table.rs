//! The table of verbs, and their clear forms below it.

use crate::RotationKeys::{Powers, Steps, Swap};
use crate::Work::{Add, ModSwitch, Mul, MulPlain, MulScalar, Rotate, Tensor};
use crate::{Cost, RotationKeys, Schemes, Takes, Verb};

/// Calls `$then!` with the verbs of all ring schemes, after the tokens that follow its name.
#[macro_export]
macro_rules! ring_verbs {
    ($then:ident $($before:tt)*) => { $then! { $($before)*
        add(Pair) {
            call: |e, a, b| e.add(a, b),
            clear: add,
            numbers: [],
            keys: RotationKeys::None,
            cost: |_, _| Cost::of_terms(2, &[(Add, 1)]),
            driver: Some("add"),
            meaning: "sum of two ciphertexts",
        }
        sub(Pair) {
            call: |e, a, b| e.sub(a, b),
            clear: sub,
            numbers: [],
            keys: RotationKeys::None,
            cost: |_, _| Cost::of_terms(2, &[(Add, 1)]),
            driver: Some("sub"),
            meaning: "difference of two ciphertexts",
        }
        neg(One) {
            call: |e, a| e.neg(a),
            clear: neg,
            numbers: [],
            keys: RotationKeys::None,
            cost: |_, _| Cost::of(&[]),
            driver: Some("neg"),
            meaning: "negation of a ciphertext",
        }
        add_plain(Message) {
            call: |e, a, m| e.add_plain(a, m),
            clear: add,
            numbers: [],
            keys: RotationKeys::None,
            cost: |_, _| Cost::of(&[(Add, 1)]),
            driver: Some("add_plain"),
            meaning: "ciphertext plus plaintext",
        }
        sub_plain(Message) {
            call: |e, a, m| e.sub_plain(a, m),
            clear: sub,
            numbers: [],
            keys: RotationKeys::None,
            cost: |_, _| Cost::of(&[(Add, 1)]),
            driver: None,
            meaning: "ciphertext minus plaintext",
        }
        add_scalar(Number) {
            call: |e, a, n| e.add_scalar(a, n),
            clear: add_number,
            numbers: [3],
            keys: RotationKeys::None,
            cost: |_, _| Cost::of(&[(Add, 1)]),
            driver: None,
            meaning: "ciphertext plus {numbers} in every slot",
        }
        sub_scalar(Number) {
            call: |e, a, n| e.sub_scalar(a, n),
            clear: sub_number,
            numbers: [3],
            keys: RotationKeys::None,
            cost: |_, _| Cost::of(&[(Add, 1)]),
            driver: None,
            meaning: "ciphertext minus {numbers} in every slot",
        }
        mul(Pair) {
            call: |e, a, b| e.mul(a, b),
            clear: product,
            numbers: [],
            keys: RotationKeys::None,
            cost: |_, _| Cost::of(&[(Mul, 1)]),
            driver: Some("mul"),
            meaning: "product of two ciphertexts, relinearised",
        }
        tensor(Pair) {
            call: |e, a, b| e.tensor(a, b),
            clear: product,
            numbers: [],
            keys: RotationKeys::None,
            cost: |_, _| Cost::of(&[(Tensor, 1)]),
            driver: Some("mul_no_relin"),
            meaning: "product of two ciphertexts, without relinearisation",
        }
        mul_plain(Factor) {
            call: |e, a, f| e.mul_plain(a, f),
            clear: product,
            numbers: [],
            keys: RotationKeys::None,
            cost: |_, _| Cost::of(&[(MulPlain, 1)]),
            driver: Some("mul_plain"),
            meaning: "ciphertext times plaintext",
        }
        mul_scalar(Number) {
            call: |e, a, n| e.mul_scalar(a, n),
            clear: mul_number,
            numbers: [3],
            keys: RotationKeys::None,
            cost: |_, _| Cost::of(&[(MulScalar, 1)]),
            driver: None,
            meaning: "ciphertext times {numbers}",
        }
        square(One) {
            call: |e, a| e.square(a),
            clear: square,
            numbers: [],
            keys: RotationKeys::None,
            cost: |_, _| Cost::of(&[(Mul, 1)]),
            driver: Some("square"),
            meaning: "square, relinearised",
        }
        relinearize(Product) {
            call: |e, a| e.relinearize(a),
            clear: product,
            numbers: [],
            keys: RotationKeys::None,
            cost: |_, _| Cost::of(&[(Mul, 1)]),
            driver: Some("relin"),
            meaning: "relinearisation of a product",
        }
    } };
}

/// Calls `$then!` with the verbs of BFV, BGV and CKKS, as [`ring_verbs!`].
#[macro_export]
macro_rules! slot_verbs {
    ($then:ident $($before:tt)*) => { $then! { $($before)*
        rotate(Steps) {
            call: |e, a, s| e.rotate(a, s),
            clear: rotate,
            numbers: [1],
            keys: Steps(&[1]),
            cost: |_, _| Cost::of(&[(Rotate, 1)]),
            driver: Some("rotate"),
            meaning: "rotation of the rows of slots to the left by {numbers}",
        }
        sum_slots(One) {
            call: |e, a| e.sum_slots(a),
            clear: sum_slots,
            numbers: [],
            keys: Powers,
            cost: |slots, _| {
                let steps = slots.ilog2() as usize;
                Cost::of_terms(slots, &[(Rotate, steps), (Add, steps)])
            },
            driver: Some("rotate_sum"),
            meaning: "sum of all slots, in every slot",
        }
        convolve(Numbers) {
            call: |e, a, kernel| e.convolve(a, &kernel),
            clear: convolve,
            numbers: [1, 4, 6, 4, 1],
            keys: Steps(&[-1, -2, -3, -4]),
            cost: |_, kernel| Cost::of_terms(kernel, &[(MulPlain, kernel), (Rotate, kernel)]),
            driver: Some("convolve"),
            meaning: "cyclic convolution of every row with the kernel {numbers}",
        }
        mod_switch_to(Level) {
            call: (),
            clear: same,
            numbers: [],
            keys: RotationKeys::None,
            cost: |_, _| Cost::of(&[(ModSwitch, 1)]),
            driver: Some("mod_switch"),
            meaning: "switch to the next level",
        }
        evaluate_polynomial(Coefficients) {
            call: (),
            clear: polynomial,
            numbers: [7, 5, 2, 3],
            keys: RotationKeys::None,
            cost: |_, coefficients| {
                // About a product for every power of two, and one for every two terms above.
                let squares = coefficients.saturating_sub(1).max(1).ilog2() as usize + 1;
                Cost::of_terms(coefficients, &[(Mul, squares), (MulScalar, coefficients)])
            },
            driver: Some("polynomial"),
            meaning: "polynomial with the coefficients {numbers}, constant first",
        }
    } };
}

/// Calls `$then!` with the verbs of BFV and BGV, as [`ring_verbs!`].
#[macro_export]
macro_rules! exact_verbs {
    ($then:ident $($before:tt)*) => { $then! { $($before)*
        swap_rows(One) {
            call: |e, a| e.swap_rows(a),
            clear: conjugate,
            numbers: [],
            keys: Swap,
            cost: |_, _| Cost::of(&[(Rotate, 1)]),
            driver: None,
            meaning: "the rows of slots in the other order",
        }
    } };
}

/// Calls `$then!` with the verbs of CKKS, as [`ring_verbs!`].
#[macro_export]
macro_rules! real_verbs {
    ($then:ident $($before:tt)*) => { $then! { $($before)*
        conjugate(One) {
            call: |e, a| e.conjugate(a),
            clear: conjugate,
            numbers: [],
            keys: Swap,
            cost: |_, _| Cost::of(&[(Rotate, 1)]),
            driver: Some("conjugate"),
            meaning: "complex conjugates of the slots",
        }
        rescale(Unscaled) {
            call: |e, a| e.rescale(a),
            clear: product,
            numbers: [],
            keys: RotationKeys::None,
            cost: |_, _| Cost::of(&[(ModSwitch, 1)]),
            driver: Some("rescale"),
            meaning: "division of a product by the scale, to the next level",
        }
    } };
}

/// Makes the data of rows.
macro_rules! facts {
    ($schemes:ident: $($name:ident($takes:ident) {
        call: $call:expr,
        clear: $clear:ident,
        numbers: $numbers:expr,
        keys: $keys:expr,
        cost: $cost:expr,
        driver: $driver:expr,
        meaning: $meaning:expr,
    })*) => {
        &[$(Verb {
            name: stringify!($name),
            schemes: Schemes::$schemes,
            takes: Takes::$takes,
            numbers: &$numbers,
            keys: $keys,
            cost: $cost,
            driver: $driver,
            meaning: $meaning,
            residues: clear::$clear,
            reals: clear::$clear,
        }),*]
    };
}

const RING: &[Verb] = ring_verbs!(facts Ring:);
const SLOTS: &[Verb] = slot_verbs!(facts Slots:);
const EXACT: &[Verb] = exact_verbs!(facts Exact:);
const REALS: &[Verb] = real_verbs!(facts Reals:);

/// Iterates over the verbs of the table, in the order in which reports rank them.
pub fn verbs() -> impl Iterator<Item = &'static Verb> {
    [RING, SLOTS, EXACT, REALS].into_iter().flatten()
}

/// Returns the verb with a name.
pub fn verb(name: &str) -> Option<&'static Verb> {
    verbs().find(|verb| verb.name == name)
}

/// The clear forms of verbs: what each of them computes, slot by slot.
pub mod clear {
    use crate::{Arithmetic, Given};

    /// Operands of one call: the values of each ciphertext or plaintext, or of each factor of a
    /// chain.
    pub type Vectors<'a, A> = &'a [&'a [<A as Arithmetic>::Value]];

    /// The values of a result.
    pub type Vector<A> = Vec<<A as Arithmetic>::Value>;

    /// Returns the first operand: encryptions, decryptions and switches change no value.
    pub fn same<A: Arithmetic>(_: &A, x: Vectors<'_, A>, _: Given<'_>) -> Vector<A> {
        x[0].to_vec()
    }

    /// Adds.
    pub fn add<A: Arithmetic>(a: &A, x: Vectors<'_, A>, _: Given<'_>) -> Vector<A> {
        zip(x[0], x[1], |x, y| a.add(x, y))
    }

    /// Subtracts.
    pub fn sub<A: Arithmetic>(a: &A, x: Vectors<'_, A>, _: Given<'_>) -> Vector<A> {
        zip(x[0], x[1], |x, y| a.sub(x, y))
    }

    /// Negates.
    pub fn neg<A: Arithmetic>(a: &A, x: Vectors<'_, A>, _: Given<'_>) -> Vector<A> {
        x[0].iter().map(|&x| a.sub(a.constant(0), x)).collect()
    }

    /// Squares.
    pub fn square<A: Arithmetic>(a: &A, x: Vectors<'_, A>, _: Given<'_>) -> Vector<A> {
        x[0].iter().map(|&x| a.mul(x, x)).collect()
    }

    /// Multiplies all operands, slot by slot.
    pub fn product<A: Arithmetic>(a: &A, x: Vectors<'_, A>, _: Given<'_>) -> Vector<A> {
        let ones = vec![a.constant(1); x[0].len()];
        x.iter().fold(ones, |product, x| zip(&product, x, |x, y| a.mul(x, y)))
    }

    /// Adds a number to every slot.
    pub fn add_number<A: Arithmetic>(a: &A, x: Vectors<'_, A>, given: Given<'_>) -> Vector<A> {
        x[0].iter().map(|&x| a.add(x, a.constant(given.numbers[0]))).collect()
    }

    /// Subtracts a number from every slot.
    pub fn sub_number<A: Arithmetic>(a: &A, x: Vectors<'_, A>, given: Given<'_>) -> Vector<A> {
        x[0].iter().map(|&x| a.sub(x, a.constant(given.numbers[0]))).collect()
    }

    /// Multiplies every slot by a number.
    pub fn mul_number<A: Arithmetic>(a: &A, x: Vectors<'_, A>, given: Given<'_>) -> Vector<A> {
        x[0].iter().map(|&x| a.mul(x, a.constant(given.numbers[0]))).collect()
    }

    /// Rotates every row to the left by the first number.
    pub fn rotate<A: Arithmetic>(_: &A, x: Vectors<'_, A>, given: Given<'_>) -> Vector<A> {
        let row = row_length::<A>(x[0]);
        let steps = given.numbers[0].rem_euclid(row as i64) as usize;
        let mut rotated = x[0].to_vec();
        rotated.chunks_mut(row).for_each(|row| row.rotate_left(steps));
        rotated
    }

    /// Conjugates every slot: real values stay. In two rows, which have no complex values, the same
    /// key swaps the rows.
    pub fn conjugate<A: Arithmetic>(_: &A, x: Vectors<'_, A>, _: Given<'_>) -> Vector<A> {
        let mut conjugated = x[0].to_vec();
        let row = conjugated.len() / A::ROWS;
        conjugated.rotate_left(if A::ROWS > 1 { row } else { 0 });
        conjugated
    }

    /// Adds all slots, in every slot.
    pub fn sum_slots<A: Arithmetic>(a: &A, x: Vectors<'_, A>, _: Given<'_>) -> Vector<A> {
        let sum = x[0].iter().fold(a.constant(0), |sum, &v| a.add(sum, v));
        vec![sum; x[0].len()]
    }

    /// Convolves every row cyclically with the numbers: value `i` is the sum over `j` of number `j`
    /// times value `i - j`.
    pub fn convolve<A: Arithmetic>(a: &A, x: Vectors<'_, A>, given: Given<'_>) -> Vector<A> {
        let row = row_length::<A>(x[0]);
        let convolved = |values: &[A::Value], i: usize| {
            given.numbers.iter().enumerate().fold(a.constant(0), |sum, (j, &number)| {
                let place = (i + row - j % row) % row;
                a.add(sum, a.mul(values[place], a.constant(number)))
            })
        };
        let convolved = &convolved;
        let rows = x[0].chunks(row);
        rows.flat_map(|row| (0..row.len()).map(move |i| convolved(row, i))).collect()
    }

    /// Evaluates the polynomial with the given coefficients, constant first, by Horner's rule.
    pub fn polynomial<A: Arithmetic>(a: &A, x: Vectors<'_, A>, given: Given<'_>) -> Vector<A> {
        let step = |x, value, &c: &i64| a.add(a.mul(value, x), a.constant(c));
        let at = |&x: &A::Value| {
            given.numbers.iter().rev().fold(a.constant(0), |value, c| step(x, value, c))
        };
        x[0].iter().map(at).collect()
    }

    /// Returns the number of slots of a row.
    pub fn row_length<A: Arithmetic>(x: &[A::Value]) -> usize {
        (x.len() / A::ROWS).max(1)
    }

    /// Applies a function to the values of two vectors, slot by slot.
    pub fn zip<T: Copy>(a: &[T], b: &[T], f: impl Fn(T, T) -> T) -> Vec<T> {
        a.iter().zip(b).map(|(&x, &y)| f(x, y)).collect()
    }
}
