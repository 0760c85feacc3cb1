//! The noise model: a public bound on the phase of a ciphertext.
//!
//! The phase of a ciphertext is its decryption before reduction modulo `t`: message plus noise, as
//! integers. It is a sum of two parts. `fixed` bounds the coefficients of the part that depends on
//! messages alone, whatever these are. The rest sums many small random values: `sigma` is the
//! standard deviation of its coefficients, and `peak` bounds its values at the complex roots of
//! `X^N + 1`. Products act on each root by itself, so that one large value can outgrow its
//! neighbours long before the deviation shows it. Derivation: docs/maths/noise.md.

/// A bound on the coefficients of a phase.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Noise {
    /// Bound on the absolute value of the deterministic part.
    pub(crate) fixed: f64,
    /// Standard deviation of a coefficient of the random part.
    pub(crate) sigma: f64,
    /// `2/N` times a bound on the random part at any root: what one root and its conjugate can add
    /// to a coefficient.
    pub(crate) peak: f64,
    /// Degree of the random part as a polynomial in independent small polynomials, the secret among
    /// them.
    pub(crate) order: u32,
}

/// A small random polynomial that is independent of what it is added to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Independent {
    /// Standard deviation of a coefficient.
    pub(crate) sigma: f64,
    /// As [`Noise::peak`].
    pub(crate) peak: f64,
    /// What it reaches at a root where something else is at its peak already.
    pub(crate) usual: f64,
}

impl Independent {
    /// Nothing.
    pub(crate) const ZERO: Independent = Independent { sigma: 0.0, peak: 0.0, usual: 0.0 };

    /// Divided by a number.
    pub(crate) fn divided(self, divisor: f64) -> Independent {
        Independent {
            sigma: self.sigma / divisor,
            peak: self.peak / divisor,
            usual: self.usual / divisor,
        }
    }
}

impl Noise {
    /// Of a message without noise, with coefficients up to `fixed`.
    pub(crate) fn of_message(fixed: f64) -> Noise {
        Noise { fixed, sigma: 0.0, peak: 0.0, order: 0 }
    }

    /// The noise of a fresh ciphertext.
    pub(crate) fn fresh(fixed: f64, error: Independent) -> Noise {
        Noise { fixed, sigma: error.sigma, peak: error.peak, order: 1 }
    }

    /// What no coefficient exceeds, except with the failure probability. A large deviation and a
    /// large peak at once are far less likely than either.
    pub(crate) fn bound(self, tail: f64) -> f64 {
        self.fixed + (tail * self.sigma).hypot(self.peak)
    }

    /// Of a sum. The deviations add up even if the operands are the same.
    pub(crate) fn plus(self, other: Noise) -> Noise {
        Noise {
            fixed: self.fixed + other.fixed,
            sigma: self.sigma + other.sigma,
            peak: self.peak + other.peak,
            order: self.order.max(other.order),
        }
    }

    /// Of a sum with an independent random term. At any root at most one of them is extreme.
    pub(crate) fn plus_independent(self, term: Independent) -> Noise {
        Noise {
            sigma: self.sigma.hypot(term.sigma),
            peak: (self.peak + term.usual).max(term.peak),
            ..self
        }
    }

    /// Of a product with an integer.
    pub(crate) fn times(self, factor: f64) -> Noise {
        self.times_polynomial(factor, factor)
    }

    /// Of a product with a known polynomial of these norms.
    pub(crate) fn times_polynomial(self, l1: f64, l2: f64) -> Noise {
        Noise { fixed: self.fixed * l1, sigma: self.sigma * l2, peak: self.peak * l1, ..self }
    }

    /// Of a product of two ciphertexts of degree `n`.
    ///
    /// The binomial covers operands that share their randomness, as all share the secret: for `u`
    /// of order `j` and `v` of order `k` in the same variables,
    /// `E|u v|^2 <= binomial(j+k, j)^2 E|u|^2 E|v|^2`. Peaks multiply root by root.
    pub(crate) fn multiplied(self, other: Noise, n: usize) -> Noise {
        let n = n as f64;
        let order = self.order + other.order;
        let shared = binomial(order, self.order);
        let mixed = |a: f64, b: f64| self.fixed * b + other.fixed * a;
        Noise {
            fixed: n * self.fixed * other.fixed,
            sigma: n.sqrt() * (mixed(self.sigma, other.sigma) + shared * self.sigma * other.sigma),
            peak: n * (mixed(self.peak, other.peak) + self.peak * other.peak / 2.0),
            order,
        }
    }

    /// After division by `divisor` with an independent rounding error.
    pub(crate) fn divided(self, divisor: f64, rounding: Independent) -> Noise {
        let sigma = self.sigma / divisor;
        let order = if sigma > rounding.sigma { self.order } else { 1 };
        let (fixed, peak) = (self.fixed / divisor, self.peak / divisor);
        Noise { fixed, sigma, peak, order }.plus_independent(rounding)
    }
}

fn binomial(n: u32, k: u32) -> f64 {
    (0..k).map(|i| f64::from(n - i) / f64::from(k - i)).product()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binomials_are_right() {
        assert!((binomial(2, 1) - 2.0).abs() < 1e-12);
        assert!((binomial(6, 3) - 20.0).abs() < 1e-9);
        assert!((binomial(5, 0) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn division_leaves_the_floor() {
        let rounding = Independent { sigma: 100.0, peak: 50.0, usual: 20.0 };
        let noise = Noise { fixed: 1e9, sigma: 1e9, peak: 1e9, order: 4 }.divided(1e9, rounding);
        assert!((noise.sigma - 100.0).abs() < 0.1 && noise.order == 1);
        assert!((noise.peak - 50.0).abs() < 0.1);
    }

    #[test]
    fn a_chain_of_squares_runs_away_unless_the_divisor_is_large() {
        let rounding = Independent { sigma: 1.0, peak: 1.0, usual: 0.4 };
        let after = |divisor: f64| {
            let square = |x: Noise| x.multiplied(x, 64).divided(divisor, rounding);
            (0..8).fold(Noise::fresh(0.0, rounding), |x, _| square(x)).bound(10.0)
        };
        assert!(after(64.0) < 20.0 && after(24.0) > 1e6);
    }

    #[test]
    fn a_product_of_messages_alone_is_bounded_by_the_worst_case() {
        let message = Noise::of_message(8.0);
        assert!((message.multiplied(message, 64).bound(14.0) - 64.0 * 64.0).abs() < 1e-9);
    }
}
