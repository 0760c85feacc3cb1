//! The interface of a session: a parameter set of a library with its keys.
//!
//! Everything but keys, encryption and decryption is optional: what a driver does not implement is
//! refused with `unsupported`.

use super::protocol::{
    Args, Bootstraps, CiphertextBytes, Code, Encoding, KeyBytes, KeyKind, Noise, Numbers,
    PublishedKeys, Refusal, Variance,
};
use crate::ops::Operation;
use crate::ops::torus::{BlockOp, Gate, IntegerOp};

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

    /// Encodes at most as many values as there are slots or coefficients.
    ///
    /// # Errors
    /// `bad_request` for too many values, `unsupported` for an encoding that the parameters lack.
    fn encode(&self, values: &Numbers, encoding: Encoding) -> Result<Self::Plaintext, Refusal>;

    /// Decodes all values of a plaintext.
    ///
    /// # Errors
    /// `unsupported` for an encoding that the parameters do not support.
    fn decode(&self, plaintext: &Self::Plaintext, encoding: Encoding) -> Result<Numbers, Refusal>;

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

    /// Returns the sizes of a ciphertext.
    fn ciphertext_bytes(&self, ciphertext: &Self::Ciphertext) -> CiphertextBytes;

    /// Returns the operations on vectors that the library has, each with the function that binds
    /// it; see [`Session::bind`].
    fn vectors() -> Vec<(&'static str, Bind<Self>)>
    where
        Self: Sized,
    {
        Vec::new()
    }

    /// Binds a gate on bits.
    ///
    /// # Errors
    /// As [`Session::bind`].
    fn gate<'a>(
        &'a self,
        gate: Gate,
        _inputs: &[&'a ItemOf<Self>],
    ) -> Result<Call<'a, Self>, Refusal> {
        Err(Operation::Gate(gate).unsupported())
    }

    /// Binds an operation on blocks.
    ///
    /// # Errors
    /// As [`Session::bind`].
    fn block<'a>(
        &'a self,
        op: BlockOp,
        _inputs: &[&'a ItemOf<Self>],
    ) -> Result<Call<'a, Self>, Refusal> {
        Err(Operation::Block(op).unsupported())
    }

    /// Binds an operation on machine integers.
    ///
    /// # Errors
    /// As [`Session::bind`].
    fn integer<'a>(
        &'a self,
        op: IntegerOp,
        _inputs: &[&'a ItemOf<Self>],
    ) -> Result<Call<'a, Self>, Refusal> {
        Err(Operation::Integer(op).unsupported())
    }

    /// Prepares one operation on one set of operands, untimed. The returned function may be called
    /// any number of times and does the whole work in each call; these calls are timed.
    ///
    /// # Errors
    /// `unsupported`, or `bad_request` for operands of the wrong kind; the call itself may refuse
    /// with `noise_exhausted`.
    fn bind<'a>(
        &'a self,
        operation: Operation,
        args: &'a Args,
        inputs: &[&'a ItemOf<Self>],
    ) -> Result<Call<'a, Self>, Refusal>
    where
        Self: Sized,
    {
        match operation {
            Operation::Vectors(row) => {
                let found = Self::vectors().into_iter().find(|(name, _)| *name == row.name);
                let (_, bind) = found.ok_or_else(|| operation.unsupported())?;
                bind(self, inputs, args)
            }
            Operation::Gate(gate) => self.gate(gate, inputs),
            Operation::Block(op) => self.block(op, inputs),
            Operation::Integer(op) => self.integer(op, inputs),
        }
    }

    /// Adds rotation keys: row rotations by `steps` to the left, and the swap of the two rows if
    /// `row_swap`. Timed by the server.
    ///
    /// # Errors
    /// `unsupported` for steps that the parameters do not have.
    fn generate_rotation_keys(&mut self, _steps: &[i64], _row_swap: bool) -> Result<(), Refusal> {
        Err(Refusal::unsupported("a ciphertext has one slot, which does not rotate"))
    }

    /// Returns the serialised sizes of the keys.
    fn key_bytes(&self) -> KeyBytes {
        KeyBytes::default()
    }

    /// Returns all published keys of a set that can be bootstrapped.
    fn published_keys(&self) -> Vec<PublishedKeys> {
        Vec::new()
    }

    /// Returns the level of a ciphertext; `None` if the scheme has no levels.
    fn level(&self, _ciphertext: &Self::Ciphertext) -> Option<u32> {
        None
    }

    /// Returns the noise budget of a ciphertext, as far as it is known.
    fn noise(&self, _ciphertext: &Self::Ciphertext) -> Noise {
        Noise::default()
    }

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

/// Binds one operation of a session to operands and arguments.
pub type Bind<S> = for<'a> fn(&'a S, &[&'a ItemOf<S>], &'a Args) -> Result<Call<'a, S>, Refusal>;

/// Returns the names of the operations on vectors that a session type has.
pub fn vector_names<S: Session>() -> Vec<String> {
    S::vectors().into_iter().map(|(name, _)| name.to_owned()).collect()
}
