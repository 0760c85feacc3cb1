//! The noise model: a public bound on the phase of a ciphertext.
//!
//! The phase of a ciphertext is its decryption before reduction modulo `t`: message plus noise, as
//! an integer polynomial. Decryption is correct as long as every coefficient is below half of the
//! modulus. [`Noise`] bounds it in three parts: the part that depends on messages alone, of which
//! norms are known; sums of independent small variables, which are sub-Gaussian; and everything
//! else, of which only norms are known.
//!
//! *Why three parts.* A worst-case norm of the coefficients is multiplied by `N` in every product
//! and soon leaves no room. A variance for everything is close on average, but it is no bound: at
//! degree 16384 with primes of 30 bits, every chain of six squares decrypted wrongly within it
//! (docs/decisions/0005-bound-at-every-root.md). So randomness counts as such where independence is
//! known, and norms count elsewhere.
//!
//! *Why roots.* A product of polynomials is a product of values at the roots of `X^N + 1`. The
//! largest absolute value of a product at a root is at most the product of those of its factors,
//! without a factor of `N`. Every polynomial therefore has three norms: the largest coefficient,
//! the Euclidean norm, and the largest value at a root (docs/decisions/0006-norms-and-lineage.md).
//!
//! *Failure.* The factors by which random parts may exceed their deviation ([`Tails`]) are chosen
//! so that the probability that any coefficient or root exceeds its bound is the failure
//! probability of the parameters, 2^-128 for the presets.
//!
//! The theorems behind each rule are in docs/maths/noise.md. `cargo xtask noise-search` looks for
//! circuits whose measured noise exceeds the bound.

use super::Tails;
use fathom_ring::RootValues;

/// A random polynomial that is sub-Gaussian: for every unit vector `w`, the inner product `<w, v>`
/// has tails at most those of a Gaussian of deviation `direction`; for the coefficients themselves,
/// of deviation `coefficient`; and for the real part of a value at a root of `X^N + 1`, turned by
/// any angle, of deviation `sqrt(N/2)` times `root`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Random {
    /// Sub-Gaussian parameter of each coefficient.
    pub coefficient: f64,
    /// Sub-Gaussian parameter in any direction, at least each of the others.
    pub direction: f64,
    /// Sub-Gaussian parameter of the value at each root, in units of `sqrt(N/2)`.
    pub root: f64,
}

impl Random {
    /// Creates a polynomial of independent coefficients with this sub-Gaussian parameter.
    pub fn white(parameter: f64) -> Random {
        Random::turned(parameter, parameter)
    }

    /// Creates a polynomial of which nothing better is known at the roots than in any direction.
    pub fn turned(coefficient: f64, direction: f64) -> Random {
        Random { coefficient, direction, root: direction }
    }

    /// Creates a polynomial of which nothing better is known for a coefficient than in any
    /// direction.
    pub fn at_roots(direction: f64, root: f64) -> Random {
        Random { coefficient: direction, direction, root: root.min(direction) }
    }

    /// Returns the parameters in the order of their fields.
    pub(crate) fn numbers(self) -> [f64; 3] {
        [self.coefficient, self.direction, self.root]
    }

    /// Combines the parameters of two polynomials one by one.
    pub(crate) fn zip(self, other: Random, f: impl Fn(f64, f64) -> f64) -> Random {
        Random {
            coefficient: f(self.coefficient, other.coefficient),
            direction: f(self.direction, other.direction),
            root: f(self.root, other.root),
        }
    }

    /// Returns the parameters, none of which is above that of all directions: rounding can leave
    /// one a last place above.
    fn ordered(self) -> Random {
        let Random { coefficient, direction, root } = self;
        Random { coefficient: coefficient.min(direction), direction, root: root.min(direction) }
    }

    /// Tells whether no parameter is above that of all directions.
    pub(crate) fn is_consistent(self) -> bool {
        self.coefficient <= self.direction && self.root <= self.direction
    }

    /// Bounds the sum with an independent polynomial.
    pub fn plus_independent(self, other: Random) -> Random {
        self.zip(other, f64::hypot)
    }

    /// Bounds the sum with a polynomial that may depend on this one in any way.
    fn plus_any(self, other: Random) -> Random {
        self.zip(other, |left, right| left + right)
    }

    /// Bounds the product with a fixed number.
    pub fn times(self, factor: f64) -> Random {
        self.zip(self, |parameter, _| parameter * factor)
    }

    /// Bounds the product with a fixed polynomial of these norms.
    pub(crate) fn times_polynomial(self, norms: Norms) -> Random {
        let by_coefficients = norms.absolute * self.coefficient;
        Random {
            coefficient: by_coefficients.min(norms.euclidean * self.direction),
            direction: norms.root * self.direction,
            root: norms.root * self.root,
        }
    }

    /// Bounds the product with an independent polynomial of which these norms are known.
    fn times_rest(self, other: Bounds) -> Random {
        Random {
            coefficient: other.euclidean * self.direction,
            direction: other.root * self.direction,
            root: other.root * self.root,
        }
    }
}

/// Norms of a known polynomial, or bounds on them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Norms {
    /// Sum of the absolute values of the coefficients.
    pub(crate) absolute: f64,
    /// Square root of the sum of their squares.
    pub euclidean: f64,
    /// Largest absolute value at a root of `X^N + 1`.
    pub root: f64,
}

impl Norms {
    /// Returns the norms of an integer of this absolute value.
    pub(crate) fn of_integer(value: f64) -> Norms {
        Norms { absolute: value, euclidean: value, root: value }
    }

    /// Returns the norms of a multiple.
    pub(crate) fn times(self, factor: f64) -> Norms {
        Norms {
            absolute: self.absolute * factor,
            euclidean: self.euclidean * factor,
            root: self.root * factor,
        }
    }

    /// Returns the maximum of each norm.
    pub(crate) fn greatest(self, other: Norms) -> Norms {
        Norms {
            absolute: self.absolute.max(other.absolute),
            euclidean: self.euclidean.max(other.euclidean),
            root: self.root.max(other.root),
        }
    }

    /// Returns the norms of the polynomial with these coefficients.
    pub(crate) fn of(coefficients: &[i64], roots: &RootValues) -> Norms {
        Norms {
            absolute: coefficients.iter().map(|c| c.unsigned_abs() as f64).sum(),
            euclidean: coefficients.iter().map(|&c| (c as f64).powi(2)).sum::<f64>().sqrt(),
            root: roots.largest(coefficients),
        }
    }
}

/// Bounds on a polynomial of which nothing else is known: a message, or the rest of a phase.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bounds {
    /// Bound on every coefficient.
    pub coefficient: f64,
    /// Bound on the Euclidean norm of the coefficients.
    pub euclidean: f64,
    /// Bound on the value at every root of `X^N + 1`.
    pub root: f64,
}

impl Bounds {
    /// Bounds any polynomial of degree `n` with coefficients up to `bound`.
    pub fn of_coefficients(bound: f64, n: usize) -> Bounds {
        let n = n as f64;
        Bounds { coefficient: bound, euclidean: n.sqrt() * bound, root: n * bound }
    }

    /// Bounds any polynomial with values up to `bound` at the roots of `X^N + 1`, such as a
    /// constant: a coefficient is a mean of values times roots of unity, and the Euclidean norm is
    /// their root mean square.
    pub fn of_root_values(bound: f64) -> Bounds {
        Bounds { coefficient: bound, euclidean: bound, root: bound }
    }

    /// Returns the norms in ascending order: a coefficient is at most the Euclidean norm, which is
    /// at most the largest value at a root. Rounding, and a difference of bounds, can leave a norm
    /// above the next.
    fn ordered(self) -> Bounds {
        let euclidean = self.euclidean.min(self.root);
        Bounds { coefficient: self.coefficient.min(euclidean), euclidean, root: self.root }
    }

    /// Returns the maximum of each norm.
    pub(crate) fn greatest(self, other: Bounds) -> Bounds {
        Bounds {
            coefficient: self.coefficient.max(other.coefficient),
            euclidean: self.euclidean.max(other.euclidean),
            root: self.root.max(other.root),
        }
    }

    /// Returns the norms of a product with it; `n` bounds the sum of the coefficients by
    /// Cauchy-Schwarz.
    pub(crate) fn norms(self, n: usize) -> Norms {
        let absolute = (n as f64).sqrt() * self.euclidean;
        Norms { absolute, euclidean: self.euclidean, root: self.root }
    }

    pub(crate) fn plus(self, other: Bounds) -> Bounds {
        Bounds {
            coefficient: self.coefficient + other.coefficient,
            euclidean: self.euclidean + other.euclidean,
            root: self.root + other.root,
        }
    }

    /// Takes off a part of the sum that this bounds.
    pub(crate) fn minus(self, part: Bounds) -> Bounds {
        Bounds {
            coefficient: (self.coefficient - part.coefficient).max(0.0),
            euclidean: (self.euclidean - part.euclidean).max(0.0),
            root: (self.root - part.root).max(0.0),
        }
    }

    pub(crate) fn times(self, factor: f64) -> Bounds {
        Bounds {
            coefficient: self.coefficient * factor,
            euclidean: self.euclidean * factor,
            root: self.root * factor,
        }
    }

    pub(crate) fn times_polynomial(self, norms: Norms) -> Bounds {
        let by_coefficients = norms.absolute * self.coefficient;
        Bounds {
            coefficient: by_coefficients.min(norms.euclidean * self.euclidean),
            euclidean: norms.root * self.euclidean,
            root: norms.root * self.root,
        }
    }

    /// Bounds the product of two such polynomials: Cauchy-Schwarz for the coefficients; values
    /// multiply root by root.
    fn times_rest(self, other: Bounds) -> Bounds {
        Bounds {
            coefficient: self.euclidean * other.euclidean,
            euclidean: (self.euclidean * other.root).min(self.root * other.euclidean),
            root: self.root * other.root,
        }
    }
}

/// The knowledge of how two ciphertexts' randomness is related.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// The operands were computed from different fresh encryptions.
    Independent,
    /// The operands may share randomness.
    Any,
}

/// Bounds on the parts of a phase `m + v + r`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Noise {
    /// Norms of `m`, which depends on messages alone.
    pub message: Bounds,
    /// Parameters of `v`, a sum of sub-Gaussian polynomials.
    pub random: Random,
    /// Norms of `r`: products of polynomials that may depend on each other.
    pub rest: Bounds,
    /// Number of tail bounds (theorem 1 of docs/maths/noise.md) on which the norms of `r` and the
    /// parameters of `v` rest: each fails with at most the failure probability, so that all hold
    /// but with this many times it.
    pub tails: f64,
}

/// Number of tail bounds that the three norms of a random polynomial take.
const NORMS_OF_RANDOM: f64 = 3.0;

impl Noise {
    /// Creates the bound of a message without noise, within these norms.
    pub(crate) fn of_message(message: Bounds) -> Noise {
        Noise { message, ..Noise::default() }
    }

    /// Returns the bound that no coefficient exceeds, except with the failure probability.
    pub(crate) fn bound(self, tails: Tails) -> f64 {
        self.message.coefficient
            + tails.coefficient * self.random.coefficient
            + self.rest.coefficient
    }

    /// Bounds the sum of two phases.
    pub fn plus(self, other: Noise, relation: Relation) -> Noise {
        let random = match relation {
            Relation::Independent => self.random.plus_independent(other.random),
            Relation::Any => self.random.plus_any(other.random),
        };
        Noise {
            message: self.message.plus(other.message),
            random,
            rest: self.rest.plus(other.rest),
            tails: self.tails + other.tails,
        }
    }

    /// Returns the number of tail bounds behind a result that uses the norms of the random part as
    /// well: those of this noise, and three more unless the random part is zero.
    pub(crate) fn tails_with_norms(self) -> f64 {
        let is_random = self.random.direction > 0.0;
        self.tails + if is_random { NORMS_OF_RANDOM } else { 0.0 }
    }

    /// Returns the same bound with the tail bounds of the norms of `other`, from which it was
    /// computed.
    pub fn resting_on(self, other: Noise) -> Noise {
        self.with_tails(other.tails_with_norms())
    }

    /// Returns the same bound with `count` more tail bounds.
    pub fn with_tails(self, count: f64) -> Noise {
        Noise { tails: self.tails + count, ..self }
    }

    /// Creates the bound of an error of the library's own: a random one.
    pub(crate) fn of_random(random: Random) -> Noise {
        Noise { random, ..Noise::default() }
    }

    /// Creates the bound of an error of which only norms are known.
    pub fn of_rest(rest: Bounds) -> Noise {
        Noise { rest, ..Noise::default() }
    }

    /// Bounds the sum with an independent error.
    pub fn plus_independent(self, error: Noise) -> Noise {
        self.plus(error, Relation::Independent)
    }

    /// Bounds the sum of `count` independent errors, each within this bound.
    pub(crate) fn of_independent(self, count: usize) -> Noise {
        let count = count as f64;
        let random = self.random.times(count.sqrt());
        Noise { random, tails: self.tails * count, ..self.times(count) }
    }

    /// Bounds the product with an integer of this absolute value.
    pub fn times(self, factor: f64) -> Noise {
        Noise {
            message: self.message.times(factor),
            random: self.random.times(factor),
            rest: self.rest.times(factor),
            ..self
        }
    }

    /// Bounds the product with a known polynomial of these norms, which differs by `error` from the
    /// polynomial that belongs to the message.
    pub(crate) fn times_inexact(self, norms: Norms, message: Bounds, error: Bounds) -> Noise {
        Noise {
            message: self.message.times_rest(message),
            random: self.random.times_polynomial(norms),
            rest: self.rest.times_polynomial(norms).plus(self.message.times_rest(error)),
            ..self
        }
    }

    /// Bounds a message with a relative error of at most `error`.
    pub fn with_relative_error(self, error: f64) -> Noise {
        Noise { rest: self.rest.plus(self.message.times(error)), ..self }
    }

    /// Bounds a phase that is read with `ratio` times its scale: the message of that scale is as
    /// many times as large, and the difference from the message in the phase is an error.
    pub(crate) fn read_with_scale(self, ratio: f64) -> Noise {
        let read = self.with_relative_error((ratio - 1.0).abs() + 2.0 * f64::EPSILON);
        Noise { message: self.message.times(ratio), ..read }
    }

    /// Bounds the product with a known polynomial of these norms.
    pub(crate) fn times_polynomial(self, norms: Norms) -> Noise {
        Noise {
            message: self.message.times_polynomial(norms),
            random: self.random.times_polynomial(norms),
            rest: self.rest.times_polynomial(norms),
            ..self
        }
    }

    /// Bounds the result of a function of the values, whose own noise this is, when the operand's
    /// noise comes in: its derivative is at most `slope` at every root, and nowhere known better.
    pub(crate) fn plus_mapped(self, operand: Noise, slope: f64, n: usize) -> Noise {
        let norms = Bounds::of_root_values(slope).norms(n);
        Noise {
            random: self.random.plus_any(operand.random.times_polynomial(norms)),
            rest: self.rest.plus(operand.rest.times_polynomial(norms)),
            tails: self.tails + operand.tails,
            ..self
        }
    }

    /// Returns the same bound with norms in ascending order, as readers of ciphertexts demand.
    pub(crate) fn ordered(self) -> Noise {
        let Noise { message, random, rest, .. } = self;
        let (message, random, rest) = (message.ordered(), random.ordered(), rest.ordered());
        Noise { message, random, rest, ..self }
    }

    /// Bounds the sum with an error of at most `bound` at every root.
    pub fn plus_root_values(self, bound: f64) -> Noise {
        Noise { rest: self.rest.plus(Bounds::of_root_values(bound)), ..self }
    }

    /// Bounds the product of two ciphertexts of degree `n`, whose random parts exceed their
    /// parameters by at most these factors.
    pub(crate) fn multiplied(
        self,
        other: Noise,
        relation: Relation,
        n: usize,
        tails: Tails,
    ) -> Noise {
        let [messages, others] = [self, other].map(|noise| noise.message.norms(n));
        let message = self.message.times_rest(other.message);
        // A message times the other operand's noise.
        let mut random = other.random.times_polynomial(messages);
        let other_way = self.random.times_polynomial(others);
        random = match relation {
            Relation::Independent => random.plus_independent(other_way),
            Relation::Any => random.plus_any(other_way),
        };
        let mut rest = other.rest.times_polynomial(messages);
        rest = rest.plus(self.rest.times_polynomial(others));
        // Noise times noise.
        let [left, right] = [self, other].map(|noise| noise.norms(n, tails));
        let tails = self.tails_with_norms() + other.tails_with_norms();
        if relation == Relation::Any {
            // Related operands: nothing is random about one of them given the other, so that norms
            // are multiplied.
            let rest = rest.plus(left.times_rest(right));
            return Noise { message, random, rest, tails };
        }
        // Given one operand, the random part of the other is sub-Gaussian; either may be given.
        let given_left = other.random.times_rest(left).plus_any(self.random.times_rest(other.rest));
        let given_right =
            self.random.times_rest(right).plus_any(other.random.times_rest(self.rest));
        // Both bounds hold for the same sum; the one with the smaller coefficients is kept, because
        // coefficients decide on decryption.
        let products =
            if given_left.coefficient < given_right.coefficient { given_left } else { given_right };
        random = random.plus_any(products);
        rest = rest.plus(self.rest.times_rest(other.rest));
        Noise { message, random, rest, tails }
    }

    /// Returns the norms of the part of degree `n` that does not depend on messages alone.
    pub(crate) fn norms(self, n: usize, tails: Tails) -> Bounds {
        let root_n = (n as f64).sqrt();
        let Random { coefficient, direction, root } = self.random;
        let random = Bounds {
            coefficient: tails.coefficient * coefficient,
            euclidean: root_n * coefficient + tails.euclidean * direction,
            root: tails.root * root_n * root,
        };
        self.rest.plus(random)
    }

    /// Bounds the result of a division by `divisor` with an independent rounding error.
    pub(crate) fn divided(self, divisor: f64, rounding: Noise) -> Noise {
        self.times(1.0 / divisor).plus_independent(rounding)
    }
}

#[cfg(test)]
mod tests;
