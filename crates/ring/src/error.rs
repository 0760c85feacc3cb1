//! Errors of the ring layer.

/// Reason why a ring could not be built or an operation was refused. Contains no secret data.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The degree is not a power of two between 64 and 2^17.
    #[error("degree {0} is not a power of two between 64 and 131072")]
    Degree(usize),
    /// The degree of a torus ring is not a power of two between 256 and 65536.
    #[error("degree {0} is not a power of two between 256 and 65536")]
    TorusDegree(usize),
    /// A modulus is even, too large, not prime, or not 1 modulo twice the degree.
    #[error("modulus {modulus} does not fit degree {degree}: {reason}")]
    Modulus {
        /// The refused modulus.
        modulus: u64,
        /// The degree of the ring.
        degree: usize,
        /// Description of the violated condition.
        reason: String,
    },
    /// The same prime appears twice.
    #[error("prime {0} appears twice in the basis")]
    RepeatedPrime(u64),
    /// There are not enough primes of this size.
    #[error("only {found} of {wanted} primes below 2^{bits} are 1 modulo {step}")]
    PrimeSupply {
        /// Size of the primes in bits.
        bits: f64,
        /// The primes must be 1 modulo this number.
        step: u64,
        /// Number of primes requested.
        wanted: usize,
        /// Number of primes found.
        found: usize,
    },
    /// The parameter of a sampler of Gaussian errors is out of range.
    #[error("the Gaussian parameter {0} is not between 0.5 and 1024")]
    GaussianParameter(f64),
    /// The parameter of a wide Gaussian is out of range.
    #[error("the deviation {deviation:e} of a wide Gaussian is not between 0 and {largest:e}")]
    WideParameter {
        /// The requested deviation.
        deviation: f64,
        /// The greatest one.
        largest: f64,
    },
    /// A prime of the ring divides the norm of the error factor, so that residues modulo it cannot
    /// be divided by the factor.
    #[error("prime {prime} divides the norm of the error factor {factor:?}; take another prime")]
    FactorNotUnit {
        /// The factor.
        factor: crate::ErrorFactor,
        /// The prime.
        prime: u64,
    },
    /// No kernel of this CPU supports the moduli, or `FATHOM_KERNEL` names an unknown one.
    #[error("no kernel: {0}")]
    Kernel(String),
    /// The operating system provided no randomness.
    #[error("the operating system's random generator failed: {0}")]
    Entropy(String),
}
