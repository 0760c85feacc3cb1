//! One verb to encrypt and one to decrypt, for every type of value.

use super::clear::Clear;
use super::{Block, ClientKey, Error};
use fathom_ring::SecretRng;

/// A type of encrypted values, for [`ClientKey::encrypt`]. Programs can implement it for types that
/// are made of others.
pub trait Encrypt: Sized {
    /// The clear type that is encrypted.
    type Message;

    /// Encrypts a message under the key of a client.
    ///
    /// # Errors
    /// As [`ClientKey::encrypt`].
    fn encrypt_under(
        client: &ClientKey,
        message: Self::Message,
        rng: &mut SecretRng,
    ) -> Result<Self, Error>;
}

/// A type of encrypted values, for [`ClientKey::decrypt`]. Programs can implement it for types that
/// are made of others.
pub trait Decrypt {
    /// The clear type that decryption returns.
    type Message;

    /// Decrypts the value under the key of a client.
    ///
    /// # Errors
    /// As [`ClientKey::decrypt`].
    fn decrypt_under(&self, client: &ClientKey) -> Result<Self::Message, Error>;
}

impl ClientKey {
    /// Encrypts a message as a value of type `T`: an integer (`FheUint`, `FheInt`), a small integer
    /// or a block of any primitive type, a truth value or a bit of `bool`.
    ///
    /// A fresh ciphertext reveals nothing beyond its type.
    ///
    /// # Errors
    /// [`Error::ClearOutOfRange`] or [`Error::ValueOutOfRange`] if the type cannot hold the
    /// message; [`Error::ParamsMismatch`] if the blocks of the key do not have the 2 bits of
    /// message and 2 of carry that integers and truth values need.
    pub fn encrypt<T: Encrypt>(
        &self,
        message: impl Into<T::Message>,
        rng: &mut SecretRng,
    ) -> Result<T, Error> {
        let message = message.into();
        rng.during(|rng| T::encrypt_under(self, message, rng))
    }

    /// Decrypts a value to the clear type of its own: an integer to the primitive type of its
    /// width, a small integer to its message, a block to the integer in its range.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`] or [`Error::KeyMismatch`] if the value belongs to another
    /// parameter set or key; [`Error::Simulated`] if it is simulated;
    /// [`TableError::OutsideDomain`](crate::tfhe::TableError::OutsideDomain) if the range of a
    /// block has more values than the message space, so that they cannot be told apart;
    /// [`Error::NoiseExceeded`] if its noise would be decoded wrongly more often than the failure
    /// probability of the parameters allows; [`Error::DecryptedOutsideRange`] if the value is not
    /// in its range, which happens for an honest value of this key with the parameters' failure
    /// probability at most.
    pub fn decrypt<T: Decrypt>(&self, value: &T) -> Result<T::Message, Error> {
        value.decrypt_under(self)
    }

    /// Encrypts messages as values of type `T`, in order. [`ClientKey::encrypt_list`] makes a list
    /// of them to be sent.
    ///
    /// # Errors
    /// As [`ClientKey::encrypt`].
    pub fn encrypt_many<T: Encrypt>(
        &self,
        messages: impl IntoIterator<Item = impl Into<T::Message>>,
        rng: &mut SecretRng,
    ) -> Result<Vec<T>, Error> {
        messages.into_iter().map(|message| self.encrypt(message, rng)).collect()
    }

    /// Decrypts values, in order.
    ///
    /// # Errors
    /// As [`ClientKey::decrypt`].
    pub fn decrypt_many<T: Decrypt>(&self, values: &[T]) -> Result<Vec<T::Message>, Error> {
        values.iter().map(|value| self.decrypt(value)).collect()
    }
}

impl Encrypt for Block {
    type Message = Clear;

    fn encrypt_under(
        client: &ClientKey,
        message: Clear,
        rng: &mut SecretRng,
    ) -> Result<Block, Error> {
        let high = client.params().message_modulus() - 1;
        let refused = Error::MessageOutOfRange { low: 0, high: high.into() };
        client.encrypt_block(message.try_into().map_err(|_| refused)?, rng)
    }
}

impl Decrypt for Block {
    type Message = i32;

    fn decrypt_under(&self, client: &ClientKey) -> Result<i32, Error> {
        client.decrypt_block(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tfhe::Params;
    use crate::tfhe::boolean::Bit;
    use crate::tfhe::integer::{FheBool, FheInt8, RadixInt, ValueType};
    use crate::tfhe::shortint::ShortInt;

    fn client(name: &str) -> (ClientKey, SecretRng) {
        let mut rng = SecretRng::insecure_from_seed(1);
        (ClientKey::generate(&Params::preset(name).unwrap(), &mut rng), rng)
    }

    /// A type that is made of others.
    struct Pair(FheInt8, FheBool);

    impl Encrypt for Pair {
        type Message = (i8, bool);

        fn encrypt_under(
            client: &ClientKey,
            (number, flag): (i8, bool),
            rng: &mut SecretRng,
        ) -> Result<Pair, Error> {
            Ok(Pair(client.encrypt(number, rng)?, client.encrypt(flag, rng)?))
        }
    }

    impl Decrypt for Pair {
        type Message = (i8, bool);

        fn decrypt_under(&self, client: &ClientKey) -> Result<(i8, bool), Error> {
            Ok((client.decrypt(&self.0)?, client.decrypt(&self.1)?))
        }
    }

    #[test]
    fn every_type_comes_back_as_its_clear_type() {
        let (client, mut rng) = client(Params::INTEGERS);
        let pair: Pair = client.encrypt((-100, true), &mut rng).unwrap();
        assert_eq!(client.decrypt(&pair), Ok((-100, true)));
        let block: Block = client.encrypt(3_u8, &mut rng).unwrap();
        assert_eq!(client.decrypt(&block), Ok(3));
        let short: ShortInt = client.encrypt(2, &mut rng).unwrap();
        assert_eq!(client.decrypt(&short), Ok(2_u32));
        let ty = ValueType::unsigned(16).unwrap();
        let int: RadixInt = client.encrypt_radix(ty, 300, &mut rng).unwrap();
        assert_eq!(client.decrypt(&int), Ok(300.into()));
        let (gates, mut rng) = self::client(Params::GATES);
        let bit: Bit = gates.encrypt(true, &mut rng).unwrap();
        assert_eq!(gates.decrypt(&bit), Ok(true));
    }

    #[test]
    fn messages_beyond_the_type_are_refused() {
        let (client, mut rng) = client(Params::INTEGERS);
        let refused = Error::MessageOutOfRange { low: 0, high: 3 };
        for message in [-1_i64, 4, 1 << 40] {
            assert_eq!(client.encrypt::<Block>(message, &mut rng).unwrap_err(), refused);
            assert_eq!(client.encrypt::<ShortInt>(message, &mut rng).unwrap_err(), refused);
        }
        let wide = client.encrypt::<FheInt8>(128, &mut rng).unwrap_err();
        assert_eq!(wide, Error::ClearOutOfRange { bits: 8, signed: true });
        let (gates, mut rng) = self::client(Params::GATES);
        let mismatch = gates.encrypt::<FheBool>(true, &mut rng).unwrap_err();
        assert!(matches!(mismatch, Error::ParamsMismatch { .. }));
    }
}
