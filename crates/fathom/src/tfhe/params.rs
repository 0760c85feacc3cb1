//! Parameter sets.

use super::Space;

/// How the bits of the small LWE key are drawn and grouped for the blind rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyFamily {
    /// Independent uniform bits, the assumption of every TFHE library. The blind rotation takes
    /// `group` of them at a time, with `2^group - 1` keys each.
    Uniform {
        /// Bits taken at once: 1 or 2.
        group: usize,
    },
    /// Blocks of `length` bits of which at most one is set (eprint 2023/958). **A less studied
    /// assumption.**
    BlockBinary {
        /// Bits of a block: 2 to 4.
        length: usize,
    },
}

/// A decomposition into signed digits: `levels` digits in base `2^base_log`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decomposition {
    /// Bits of a digit.
    pub base_log: u32,
    /// Number of digits, from the most significant.
    pub levels: usize,
}

/// The plain description of a parameter set. Deviations are relative to the modulus.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    /// Stable name.
    pub name: String,
    /// Bits of message of a block.
    pub message_bits: u32,
    /// Bits of carry of a block.
    pub carry_bits: u32,
    /// Dimension of the small LWE key.
    pub small_dimension: usize,
    /// `log2` of the deviation of the small LWE noise.
    pub small_deviation_log2: f64,
    /// Family of the small LWE key.
    pub family: KeyFamily,
    /// Degree of the GLWE polynomials.
    pub degree: usize,
    /// Mask polynomials of a GLWE ciphertext.
    pub rank: usize,
    /// `log2` of the deviation of the GLWE noise.
    pub glwe_deviation_log2: f64,
    /// Digits of the external product.
    pub product: Decomposition,
    /// Digits of the key switch.
    pub key_switch: Decomposition,
    /// Degree of the key switch's ring; divides both dimensions.
    pub key_switch_degree: usize,
    /// Greatest variance of a bootstrap's input, in units of the variance of its output.
    pub max_norm: u32,
    /// `log2` of the probability that one bootstrap at `max_norm` errs.
    pub failure_log2: f64,
}

/// A parameter set.
#[derive(Clone, Debug, PartialEq)]
pub struct Params {
    spec: Spec,
}

impl Params {
    /// Stable name.
    pub fn name(&self) -> &str {
        &self.spec.name
    }

    /// The description.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// The message space of a block: message, carry and one bit more.
    pub fn space(&self) -> Space {
        Space::new(self.spec.message_bits + self.spec.carry_bits + 1)
    }

    /// Dimension of the LWE ciphertexts that blocks are made of: `rank * degree`.
    pub fn big_dimension(&self) -> usize {
        self.spec.rank * self.spec.degree
    }

    /// Greatest variance of a bootstrap's input, in units of the variance of its output.
    pub fn max_norm(&self) -> u32 {
        self.spec.max_norm
    }
}

impl Params {
    /// Messages of 2 bits with 2 bits of carry: the set of the encrypted integers.
    pub fn message_2_carry_2() -> Params {
        let spec = Spec {
            name: "u22".into(),
            message_bits: 2,
            carry_bits: 2,
            small_dimension: 896,
            small_deviation_log2: -19.2,
            family: KeyFamily::Uniform { group: 2 },
            degree: 2048,
            rank: 1,
            glwe_deviation_log2: -47.8,
            product: Decomposition { base_log: 23, levels: 1 },
            key_switch: Decomposition { base_log: 2, levels: 8 },
            key_switch_degree: 64,
            // The default set's limit: plan sums of blocks for it.
            max_norm: 170,
            failure_log2: -128.0,
        };
        Params { spec }
    }
}
