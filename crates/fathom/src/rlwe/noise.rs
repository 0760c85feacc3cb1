//! The noise model: a public bound on the phase of a ciphertext.
//!
//! The phase of a ciphertext is its decryption before reduction modulo `t`: message plus noise, as
//! integers. It is bounded by two numbers. `fixed` bounds the part that depends on messages,
//! whatever these are. `sigma` is the standard deviation of a coefficient of the rest, which sums
//! many independent small values. The whole stays below `fixed + tail * sigma` except with the
//! failure probability that sets `tail`. Derivation: docs/maths/noise.md.

/// A bound on the coefficients of a phase.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Noise {
    /// Bound on the absolute value of the deterministic part.
    pub(crate) fixed: f64,
    /// Standard deviation of a coefficient of the random part.
    pub(crate) sigma: f64,
    /// Degree of the random part as a polynomial in independent small polynomials, the secret among
    /// them.
    pub(crate) order: u32,
}

impl Noise {
    /// The noise of a fresh ciphertext.
    pub(crate) fn fresh(fixed: f64, sigma: f64) -> Noise {
        Noise { fixed, sigma, order: 1 }
    }

    /// What no coefficient exceeds.
    pub(crate) fn bound(self, tail: f64) -> f64 {
        self.fixed + tail * self.sigma
    }

    /// Of a sum. The deviations add up even if the operands are the same.
    pub(crate) fn plus(self, other: Noise) -> Noise {
        Noise {
            fixed: self.fixed + other.fixed,
            sigma: self.sigma + other.sigma,
            order: self.order.max(other.order),
        }
    }

    /// Of a sum with an independent random term.
    pub(crate) fn plus_independent(self, sigma: f64) -> Noise {
        Noise { sigma: self.sigma.hypot(sigma), ..self }
    }

    /// Of a product with an integer.
    pub(crate) fn times(self, factor: f64) -> Noise {
        Noise { fixed: self.fixed * factor, sigma: self.sigma * factor, ..self }
    }

    /// Of a product with a known polynomial of these norms.
    pub(crate) fn times_polynomial(self, l1: f64, l2: f64) -> Noise {
        Noise { fixed: self.fixed * l1, sigma: self.sigma * l2, ..self }
    }

    /// Of a product of two ciphertexts of degree `n`.
    ///
    /// The binomial covers operands that share their randomness, as all share the secret: for `u`
    /// of order `j` and `v` of order `k` in the same variables,
    /// `E|u v|^2 <= binomial(j+k, j)^2 E|u|^2 E|v|^2`.
    pub(crate) fn multiplied(self, other: Noise, n: usize) -> Noise {
        let n = n as f64;
        let order = self.order + other.order;
        let shared = binomial(order, self.order);
        let mixed = self.fixed * other.sigma + other.fixed * self.sigma;
        Noise {
            fixed: n * self.fixed * other.fixed,
            sigma: n.sqrt() * (mixed + shared * self.sigma * other.sigma),
            order,
        }
    }

    /// After division by `divisor` with an independent rounding error of deviation `floor`.
    pub(crate) fn divided(self, divisor: f64, floor: f64) -> Noise {
        let sigma = self.sigma / divisor;
        let order = if sigma > floor { self.order } else { 1 };
        Noise { fixed: self.fixed / divisor, sigma: sigma.hypot(floor), order }
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
        let noise = Noise { fixed: 1e9, sigma: 1e9, order: 4 }.divided(1e9, 100.0);
        assert!((noise.sigma - 100.0).abs() < 0.1 && noise.order == 1);
    }

    #[test]
    fn a_product_of_messages_alone_is_bounded_by_the_worst_case() {
        let message = Noise { fixed: 8.0, sigma: 0.0, order: 1 };
        assert!((message.multiplied(message, 64).bound(14.0) - 64.0 * 64.0).abs() < 1e-9);
    }
}
