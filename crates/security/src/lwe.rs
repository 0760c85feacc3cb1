//! The LWE problem.

/// An instance of learning with errors; the number of samples is not limited.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lwe {
    /// Number of secret coefficients `n`.
    pub(crate) degree: f64,
    /// Log2 of the modulus `q`.
    pub(crate) log_modulus: f64,
    /// Standard deviation of a secret coefficient.
    pub(crate) secret_deviation: f64,
    /// Standard deviation of an error coefficient.
    pub(crate) error_deviation: f64,
}

impl Lwe {
    /// Returns the instance with secret and error exchanged if that makes the secret the smaller of
    /// the two; the exchange costs `n` samples.
    pub(crate) fn normal_form(self) -> Self {
        Self { secret_deviation: self.secret_deviation.min(self.error_deviation), ..self }
    }

    /// Returns the instance that remains once `zeros` coordinates of the secret are known to be
    /// zero; `weight` of the secret's coordinates are nonzero.
    pub(crate) fn without_zeros(self, zeros: u32, weight: u32) -> Self {
        let degree = (self.degree - f64::from(zeros)).max(1.0);
        let secret_deviation = (f64::from(weight) / degree).min(1.0).sqrt();
        Self { degree, secret_deviation, ..self }
    }
}
