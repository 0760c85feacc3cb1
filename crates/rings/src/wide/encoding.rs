//! Wide integers over the core of ring schemes: their encoding, the description of parameters, the
//! public metadata of a ciphertext, and the types that this makes of those of the core.

use super::{Content, Width};
use crate::SecurityLevel;
use crate::rlwe::sealed::Sealed;
use crate::rlwe::{self, Encoding, Level, Levels, Shortage};
use fathom_ring::Gadget;

/// Wide integers modulo `2^N + 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wide {}

impl Sealed for Wide {}

impl Encoding for Wide {
    /// The factor of the message in the phase, and its width.
    type Meta = Content;
    type Facts = ();
    type Tables = Tables;

    const NAME: &'static str = "int";
    const LEVELS: Levels = Levels::Automatic;

    fn remedy(_: &Tables, _: Content, _: Shortage) -> &'static str {
        "choose the form and the parameters for the circuit with wide::Circuit::choose"
    }
}

/// The part of checked parameters of wide integers beside the context: their description.
#[derive(Debug)]
pub struct Tables {
    pub(super) spec: Spec,
}

/// Checked parameters of wide integers.
pub type Params = rlwe::Params<Wide>;
/// The encryption of one integer.
pub type Ciphertext = rlwe::Ciphertext<Wide>;
/// The secret key, which encrypts and decrypts and generates all other keys.
pub type SecretKey = rlwe::SecretKey<Wide>;
/// The public key, with which anyone can encrypt and nobody can decrypt.
pub type PublicKey = rlwe::PublicKey<Wide>;
/// The public keys of an evaluator.
pub type EvaluationKeys = rlwe::EvaluationKeys<Wide>;
/// Computes on encrypted integers.
pub type Evaluator = rlwe::Evaluator<Wide>;

/// The algorithm that multiplies ciphertexts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Product {
    /// The product of the phases. It is the cheapest, but consumes the modulus in two or three
    /// products.
    Tensor,
    /// The product of the phases divided by the modulus. Each product adds about the same number of
    /// bits of noise, whatever the noise of its operands.
    ScaleInvariant,
}

/// A description of parameters, unchecked. Primes are described by their size in bits, from 14 to
/// 45.86: the largest ones below `2^bits` that fit are taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    /// A name for messages and result files.
    pub name: String,
    /// Ring degree `N`, a power of two from 1024 to 2^17. Messages are integers modulo `2^N + 1`.
    pub degree: usize,
    /// Sizes in bits of the chain primes, at most 4.
    pub chain_bits: Vec<f64>,
    /// Sizes in bits of the special primes.
    pub special_bits: Vec<f64>,
    /// Decomposition of the operand of key switching.
    pub gadget: Gadget,
    /// Algorithm that multiplies ciphertexts.
    pub product: Product,
    /// The security level to be met by the largest modulus.
    pub security: SecurityLevel,
    /// `log2` of the probability allowed that a ciphertext within its bound decrypts wrongly.
    pub failure_log2: f64,
}

impl Spec {
    /// Bytes of the longest name.
    pub(crate) const LONGEST_NAME: usize = 256;
}

impl Ciphertext {
    /// Returns `log2` of the public bound on the absolute value of the integer.
    pub fn value_bits(&self) -> f64 {
        match self.meta.width {
            Width::Bits(bits) => bits,
            Width::Wrapping => f64::from(self.params.widest_bits()),
        }
    }

    /// Returns whether it stands for a residue modulo `2^N + 1`: see [`Ciphertext::wrapping`].
    pub fn is_wrapping(&self) -> bool {
        self.meta.width == Width::Wrapping
    }

    /// Returns the same integer as a residue modulo `2^N + 1`, from `-2^(N-1)` to `2^(N-1)`:
    /// results of which it is an operand wrap around, as those of `std::num::Wrapping` do modulo a
    /// power of two, and are residues themselves. Other results that could leave the range are
    /// refused with [`WideError::Overflow`](super::WideError::Overflow).
    #[must_use]
    pub fn wrapping(&self) -> Ciphertext {
        let meta = Content { width: Width::Wrapping, ..self.meta };
        Ciphertext { meta, ..self.clone() }
    }
}

impl Params {
    /// Returns the metadata of a fresh encryption of an integer of this width in bits.
    pub(super) fn fresh_content(&self, level: Level, bits: u32) -> Content {
        Content { factor: self.fresh_factor(level), width: Width::Bits(f64::from(bits)) }
    }
}
