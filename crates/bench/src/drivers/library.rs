//! The interface of a library that is served as a driver: two small traits.

use super::protocol::{
    Args, Bootstraps, CiphertextBytes, Code, Encoding, KeyBytes, KeyKind, LibraryInfo, Noise,
    ParamsInfo, Prepare, Refusal, SchemeInfo, Variance,
};
use super::server::Served;
use crate::torus::{BlockOp, Gate, IntegerOp};

/// A homomorphic-encryption library.
pub trait Library {
    /// Returns name, version and build.
    fn info(&self) -> LibraryInfo;

    /// Returns the schemes with their presets and operations.
    fn schemes(&self) -> Vec<SchemeInfo>;

    /// Chooses parameters, without keys. [`serving`](super::server::serving) wraps the session.
    ///
    /// # Errors
    /// `unsupported`, `insecure` or `bad_request`.
    fn open(&self, request: &Prepare) -> Result<(Box<dyn Served>, ParamsInfo), Refusal>;
}

/// A parameter set and its keys. Before the first [`Session::generate_keys`], everything that needs
/// a key is refused with `bad_request`.
pub trait Session: Sync {
    /// An encrypted vector.
    type Ciphertext: Send + Sync;
    /// An encoded vector.
    type Plaintext: Send + Sync;

    /// Replaces all keys by a fresh secret, public and relinearisation key. Timed by the server.
    ///
    /// # Errors
    /// `internal` if the system provides no randomness.
    fn generate_keys(&mut self) -> Result<(), Refusal>;

    /// Adds rotation keys: row rotations by `steps` to the left, and the swap of the two rows if
    /// `row_swap`. Timed by the server.
    ///
    /// # Errors
    /// `unsupported` for steps that the parameters do not have.
    fn generate_rotation_keys(&mut self, steps: &[i64], row_swap: bool) -> Result<(), Refusal>;

    /// Returns the serialised sizes of the keys.
    fn key_bytes(&self) -> KeyBytes;

    /// Encodes at most as many values as there are slots or coefficients.
    ///
    /// # Errors
    /// `bad_request` for too many values.
    fn encode(&self, values: &[i64], encoding: Encoding) -> Result<Self::Plaintext, Refusal>;

    /// Decodes all values of a plaintext.
    ///
    /// # Errors
    /// `unsupported` for an encoding that the parameters do not support.
    fn decode(&self, plaintext: &Self::Plaintext, encoding: Encoding) -> Result<Vec<i64>, Refusal>;

    /// Encrypts at `level`, or at the top level.
    ///
    /// # Errors
    /// `unsupported` for a level that does not exist.
    fn encrypt(
        &self,
        plaintext: &Self::Plaintext,
        key: KeyKind,
        level: Option<u32>,
    ) -> Result<Self::Ciphertext, Refusal>;

    /// Decrypts.
    ///
    /// # Errors
    /// `noise_exhausted` if the library knows that the result would be wrong.
    fn decrypt(&self, ciphertext: &Self::Ciphertext) -> Result<Self::Plaintext, Refusal>;

    /// Prepares one operation on one set of operands, untimed. The returned function may be called
    /// any number of times and does the whole work in each call; these calls are timed.
    ///
    /// # Errors
    /// `unsupported`, or `bad_request` for operands of the wrong kind; the call itself may refuse
    /// with `noise_exhausted`.
    fn bind<'a>(
        &'a self,
        operation: &'a Operation,
        inputs: &[&'a ItemOf<Self>],
    ) -> Result<Call<'a, Self>, Refusal>;

    /// Returns the sizes of a ciphertext.
    fn ciphertext_bytes(&self, ciphertext: &Self::Ciphertext) -> CiphertextBytes;

    /// Returns the level of a ciphertext; `None` if the scheme has no levels.
    fn level(&self, ciphertext: &Self::Ciphertext) -> Option<u32>;

    /// Returns the noise budget of a ciphertext.
    fn noise(&self, ciphertext: &Self::Ciphertext) -> Noise;

    /// Returns the noise variance of a ciphertext, measured and predicted; `None` if not measured.
    fn variance(&self, _ciphertext: &Self::Ciphertext) -> Option<Variance> {
        None
    }

    /// Returns the bootstraps since the keys were generated; `None` if they are not counted.
    fn bootstraps(&self) -> Option<Bootstraps> {
        None
    }
}

/// An object that a handle refers to.
#[derive(Clone, Debug)]
pub enum Item<C, P> {
    /// An encrypted vector.
    Ciphertext(C),
    /// An encoded vector.
    Plaintext(P),
}

/// An [`Item`] of a session.
pub type ItemOf<S> = Item<<S as Session>::Ciphertext, <S as Session>::Plaintext>;

/// An operation bound to its operands.
pub type Call<'a, S> = Box<dyn Fn() -> Result<ItemOf<S>, Refusal> + Send + Sync + 'a>;

impl<C, P> Item<C, P> {
    /// Returns the ciphertext.
    ///
    /// # Errors
    /// `bad_request` if it is a plaintext.
    pub fn ciphertext(&self) -> Result<&C, Refusal> {
        match self {
            Self::Ciphertext(ciphertext) => Ok(ciphertext),
            Self::Plaintext(_) => Err(wrong_operand("a ciphertext", "a plaintext")),
        }
    }

    /// Returns the plaintext.
    ///
    /// # Errors
    /// `bad_request` if it is a ciphertext.
    pub fn plaintext(&self) -> Result<&P, Refusal> {
        match self {
            Self::Plaintext(plaintext) => Ok(plaintext),
            Self::Ciphertext(_) => Err(wrong_operand("a plaintext", "a ciphertext")),
        }
    }
}

fn wrong_operand(wanted: &str, found: &str) -> Refusal {
    Refusal::new(Code::BadRequest, format!("the operation needs {wanted} here, found {found}"))
}

/// The operations of protocol version 1; `docs/driver-protocol.md` defines each of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Public-key encryption of an encoded vector.
    EncryptPk,
    /// Secret-key encryption of an encoded vector.
    EncryptSk,
    /// Decryption to a plaintext, without decoding.
    Decrypt,
    /// Sum of two ciphertexts.
    Add,
    /// Difference of two ciphertexts.
    Sub,
    /// Relinearised product of two ciphertexts at the level of its inputs.
    Mul,
    /// Product of two ciphertexts without relinearisation.
    MulNoRelin,
    /// Relinearised product, switched to the next level if there is one.
    MulSwitch,
    /// Product of a ciphertext and a plaintext.
    MulPlain,
    /// Sum of a ciphertext and a plaintext.
    AddPlain,
    /// Relinearised square.
    Square,
    /// Relinearisation of a product.
    Relin,
    /// Rotation of both rows of slots to the left.
    Rotate {
        /// Number of steps.
        steps: i64,
    },
    /// The sum of all slots, in every slot.
    RotateSum,
    /// Sum of the products of the first half of the inputs with the second half, relinearised.
    Dot,
    /// Product of two ciphertexts, then the sum of all slots in every slot.
    DotSlots,
    /// A polynomial of the encrypted values.
    Polynomial {
        /// Coefficients, the constant one first.
        coefficients: Vec<i64>,
    },
    /// Modulus switching to the next level.
    ModSwitch,
    /// A gate on bits.
    Gate(Gate),
    /// An operation on blocks.
    Block(BlockOp),
    /// An operation on machine integers.
    Integer(IntegerOp),
}

impl Operation {
    /// Names of all operations on vectors, as in requests.
    pub const NAMES: [&str; 18] = [
        "encrypt_pk",
        "encrypt_sk",
        "decrypt",
        "add",
        "sub",
        "mul",
        "mul_no_relin",
        "mul_switch",
        "mul_plain",
        "add_plain",
        "square",
        "relin",
        "rotate",
        "rotate_sum",
        "dot",
        "dot_slots",
        "polynomial",
        "mod_switch",
    ];

    /// Parses the operation of a request.
    ///
    /// # Errors
    /// `unsupported` for an unknown name, `bad_request` for a missing argument.
    pub fn parse(name: &str, args: &Args) -> Result<Self, Refusal> {
        let missing = |what: &str| {
            Refusal::new(Code::BadRequest, format!("`{name}` needs the argument `{what}`"))
        };
        Ok(match name {
            "encrypt_pk" => Self::EncryptPk,
            "encrypt_sk" => Self::EncryptSk,
            "decrypt" => Self::Decrypt,
            "add" => Self::Add,
            "sub" => Self::Sub,
            "mul" => Self::Mul,
            "mul_no_relin" => Self::MulNoRelin,
            "mul_switch" => Self::MulSwitch,
            "mul_plain" => Self::MulPlain,
            "add_plain" => Self::AddPlain,
            "square" => Self::Square,
            "relin" => Self::Relin,
            "rotate" => Self::Rotate { steps: args.steps.ok_or_else(|| missing("steps"))? },
            "rotate_sum" => Self::RotateSum,
            "dot" => Self::Dot,
            "dot_slots" => Self::DotSlots,
            "polynomial" => Self::Polynomial {
                coefficients: args.coefficients.clone().ok_or_else(|| missing("coefficients"))?,
            },
            "mod_switch" => Self::ModSwitch,
            _ => {
                let message = || format!("there is no operation `{name}`");
                Self::on_torus(name).ok_or_else(|| Refusal::new(Code::Unsupported, message()))?
            }
        })
    }

    /// Parses an operation of the torus schemes.
    fn on_torus(name: &str) -> Option<Self> {
        let gate = || Gate::parse(name).map(Self::Gate);
        let block = || BlockOp::parse(name).map(Self::Block);
        gate().or_else(block).or_else(|| IntegerOp::parse(name).map(Self::Integer))
    }

    /// Checks that `count` operands suit the operation.
    ///
    /// # Errors
    /// `bad_request` with the expected number.
    pub fn check_operands(&self, count: usize) -> Result<(), Refusal> {
        let (fits, wanted) = match self.arity() {
            Some(arity) => (count == arity, arity.to_string()),
            None => {
                (count >= 2 && count.is_multiple_of(2), "an even number of, at least 2,".into())
            }
        };
        let message = || format!("{self:?} takes {wanted} operands and got {count}");
        if fits { Ok(()) } else { Err(Refusal::new(Code::BadRequest, message())) }
    }

    /// Returns the number of operands; `None` for a dot product, which takes any even number.
    fn arity(&self) -> Option<usize> {
        Some(match self {
            Self::Gate(gate) => gate.arity(),
            Self::Block(op) => op.arity(),
            Self::Integer(op) => op.kind.arity(),
            Self::Add
            | Self::Sub
            | Self::Mul
            | Self::MulNoRelin
            | Self::MulSwitch
            | Self::MulPlain
            | Self::AddPlain
            | Self::DotSlots => 2,
            Self::Dot => return None,
            Self::EncryptPk
            | Self::EncryptSk
            | Self::Decrypt
            | Self::Square
            | Self::Relin
            | Self::Rotate { .. }
            | Self::RotateSum
            | Self::Polynomial { .. }
            | Self::ModSwitch => 1,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_an_operation_and_no_other_is() {
        let args = Args { steps: Some(1), coefficients: Some(vec![1]) };
        for name in Operation::NAMES {
            assert!(Operation::parse(name, &args).is_ok(), "{name}");
        }
        let refusal = Operation::parse("frobnicate", &args).unwrap_err();
        assert_eq!(refusal.code, Code::Unsupported);
    }

    #[test]
    fn a_missing_argument_and_a_wrong_number_of_operands_are_refused() {
        for name in ["rotate", "polynomial"] {
            let refusal = Operation::parse(name, &Args::default()).unwrap_err();
            assert_eq!(refusal.code, Code::BadRequest);
        }
        for (operation, good, bad) in [
            (Operation::Mul, 2, 3),
            (Operation::Dot, 8, 7),
            (Operation::Square, 1, 0),
            (Operation::Block(BlockOp::KsPbsBatch8), 8, 4),
        ] {
            assert_eq!(operation.check_operands(good), Ok(()));
            assert_eq!(operation.check_operands(bad).unwrap_err().code, Code::BadRequest);
        }
    }
}
