//! The harness of the tests: a session that encrypts, computes and decrypts, operands, and widths.

use fathom::SecretRng;
use fathom::tfhe::integer::{
    Clear, FheBool, FheInteger, I256, Integers, RadixInt, Typed, U256, ValueType,
};
use fathom::tfhe::{Block, ClientKey, Params, Policy};
use std::cell::RefCell;
use std::sync::Arc;

/// An integers with a client, which encrypts digits and decrypts blocks. The tests run on any
/// session; most run on a simulated one.
pub(crate) struct Session {
    pub(crate) integers: Integers,
    encrypt: Box<dyn Fn(i32) -> Block>,
    decrypt: Box<dyn Fn(&Block) -> i32>,
}

impl Session {
    /// Returns a simulated session, which checks every range and noise bound.
    pub(crate) fn simulated() -> Session {
        Session::simulated_by(Params::preset(Params::INTEGERS).unwrap(), |block| block)
    }

    /// Returns a simulated session with other parameters, whose blocks have the greatest noise of
    /// an integer.
    pub(crate) fn simulated_with_noise(params: Params) -> Session {
        let space = params.space();
        let zero = move || Block::simulated(space, 0, (0, 0));
        Session::simulated_by(params, move |block| block.add(&zero()).unwrap())
    }

    /// Returns a simulated session whose blocks, of this noise variance, were computed elsewhere,
    /// so that their noise may depend on any other.
    pub(crate) fn simulated_received(params: Params, noise_variance: u32) -> Session {
        let space = params.space();
        let received =
            move |value, range| Block::simulated_received(space, value, range, noise_variance);
        Session::simulated_by(params, move |block| {
            received(space.decode(block.lwe().body()), block.range())
        })
    }

    #[expect(
        clippy::needless_pass_by_value,
        reason = "parameters are made in place by the callers"
    )]
    fn simulated_by(params: Params, change: impl Fn(Block) -> Block + 'static) -> Session {
        let space = params.space();
        Session {
            integers: Integers::simulated(&params).unwrap(),
            encrypt: Box::new(move |digit| change(Block::simulated(space, digit, (0, 3)))),
            decrypt: Box::new(move |block| {
                let value = space.decode(block.lwe().body());
                let (low, high) = block.range();
                assert!((low..=high).contains(&value), "{value} is not in {low}..={high}");
                value
            }),
        }
    }

    /// Returns a session with real keys, for the default parameters.
    pub(crate) fn encrypted() -> Session {
        Session::encrypted_with(Params::preset(Params::INTEGERS).unwrap())
    }

    /// Returns a session with real keys.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "parameters are made in place by the callers"
    )]
    pub(crate) fn encrypted_with(params: Params) -> Session {
        let mut rng = SecretRng::insecure_from_seed(11);
        let client = Arc::new(ClientKey::generate(&params, &mut rng));
        let seeded = client.seeded_evaluation_keys(&mut rng).unwrap();
        let key = seeded.expand().unwrap();
        let (owner, rng) = (Arc::clone(&client), RefCell::new(rng));
        Session {
            integers: Integers::with_keys(key, 2).unwrap(),
            encrypt: Box::new(move |digit| {
                owner.encrypt(digit as u32, &mut rng.borrow_mut()).unwrap()
            }),
            decrypt: Box::new(move |block| client.decrypt(block).unwrap()),
        }
    }

    /// Returns the session with another policy.
    pub(crate) fn with_policy(self, policy: Policy) -> Session {
        Session { integers: self.integers.with_policy(policy), ..self }
    }

    /// Encrypts the low bits of `bits`.
    pub(crate) fn encrypt<T: FheInteger + Typed>(&self, bits: U256) -> T {
        T::from_digits(clear::<T>(bits), &self.encrypt).unwrap()
    }

    /// Encrypts an integer of a type that is known at run time.
    pub(crate) fn encrypt_radix(&self, ty: ValueType, bits: U256) -> RadixInt {
        let digit = |index: u32| ((bits >> (2 * index)) & U256::from(3u8)).as_i32();
        let blocks = (0..u32::from(ty.bits()) / 2).map(|index| (self.encrypt)(digit(index)));
        RadixInt::from_blocks(ty, blocks.collect()).unwrap()
    }

    /// Returns a truth value with the noise of the session's blocks.
    pub(crate) fn received_bool(&self, value: bool) -> FheBool {
        let space = self.integers.params().space();
        let block = Block::simulated_received(space, value.into(), (0, 1), 2);
        FheBool::from_block(block).unwrap()
    }

    pub(crate) fn encrypt_bool(&self, value: bool) -> FheBool {
        let block = (self.encrypt)(value.into());
        let zero = Block::trivial(block.space(), 0);
        // It is a fresh encryption of a digit, reduced to a bit by a lookup.
        let lut = fathom::tfhe::Lut::new(block.space(), 0..=3, |x| x & 1).unwrap();
        FheBool::from_block(
            self.integers.evaluator().apply(&block.add(&zero).unwrap(), &lut).unwrap(),
        )
        .unwrap()
    }

    /// Decrypts the bits of a value and checks that its blocks are canonical.
    pub(crate) fn decrypt<T: FheInteger + Typed>(&self, value: &T) -> U256 {
        T::from_blocks(value.blocks().to_vec()).unwrap();
        self.decrypt_blocks(value.blocks())
    }

    /// Decrypts the bits of digits.
    pub(crate) fn decrypt_blocks(&self, blocks: &[Block]) -> U256 {
        let digits = blocks.iter().rev().map(|block| (self.decrypt)(block));
        digits.fold(U256::ZERO, |value, digit| (value << 2_u32) | U256::from(digit as u32))
    }

    pub(crate) fn decrypt_bool(&self, value: &FheBool) -> bool {
        FheBool::from_block(value.block().clone()).unwrap();
        (self.decrypt)(value.block()) == 1
    }
}

/// Returns the value of a `T` with these bits.
pub(crate) fn clear<T: Typed>(bits: U256) -> Clear {
    if T::SIGNED { Clear::from(signed::<T>(bits)) } else { Clear::from(bits & mask::<T>()) }
}

pub(crate) fn mask<T: Typed>() -> U256 {
    U256::MAX >> (256 - T::BITS) as u32
}

/// Returns the value in two's complement.
pub(crate) fn signed<T: Typed>(bits: U256) -> I256 {
    let unused = (256 - T::BITS) as u32;
    (bits << unused).as_i256() >> unused
}

/// Reproducible numbers (the generator is Steele, Lea, Flood, "splitmix64").
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn value(&mut self) -> U256 {
        (0..4).fold(U256::ZERO, |value, _| (value << 64u32) | U256::from(self.word()))
    }

    /// Returns a value whose length in bits is itself random.
    pub(crate) fn value_of_any_length(&mut self) -> U256 {
        let length = self.word() % 256;
        self.value() >> length as u32
    }
}

/// Returns pairs of operands: pairs of edge cases, equal and complementary ones, and random ones.
pub(crate) fn pairs<T: Typed>(random: usize) -> Vec<(U256, U256)> {
    let mut numbers = Numbers(T::BITS as u64);
    let top = U256::ONE << (T::BITS - 1) as u32;
    let edges = [U256::ZERO, U256::ONE, U256::MAX, top, top - 1, U256::MAX / 3, U256::MAX - 3];
    let mut pairs: Vec<_> = edges.iter().flat_map(|&a| edges.map(|b| (a, b))).collect();
    for _ in 0..random {
        let (a, b) = (numbers.value(), numbers.value());
        pairs.extend([(a, b), (a, a), (a, !a), (a, numbers.value_of_any_length())]);
        pairs.push((numbers.value_of_any_length(), b));
    }
    pairs.into_iter().map(|(a, b)| (a & mask::<T>(), b & mask::<T>())).collect()
}

/// Runs a generic check on every width, unsigned and signed, including widths that are not powers
/// of two.
#[macro_export]
macro_rules! on_all {
    ($check:ident) => {
        $crate::on_unsigned!($check);
        $crate::on_signed!($check);
    };
}

/// Runs a generic check on every width of unsigned integers.
#[macro_export]
macro_rules! on_unsigned {
    ($check:ident) => {{
        use fathom::tfhe::integer::FheUint;
        $check::<FheUint<2>>();
        $check::<FheUint<6>>();
        $check::<FheUint<8>>();
        $check::<FheUint<16>>();
        $check::<FheUint<26>>();
        $check::<FheUint<32>>();
        $check::<FheUint<64>>();
        $check::<FheUint<128>>();
        $check::<FheUint<256>>();
    }};
}

/// Runs a generic check on every width of signed integers.
#[macro_export]
macro_rules! on_signed {
    ($check:ident) => {{
        use fathom::tfhe::integer::FheInt;
        $check::<FheInt<2>>();
        $check::<FheInt<6>>();
        $check::<FheInt<8>>();
        $check::<FheInt<16>>();
        $check::<FheInt<26>>();
        $check::<FheInt<32>>();
        $check::<FheInt<64>>();
        $check::<FheInt<128>>();
        $check::<FheInt<256>>();
    }};
}

/// Checks the results of an operation with an encrypted and with a clear second operand.
macro_rules! agree {
    ($session:ident, $type:ty, $method:ident, $a:expr, $b:expr, $expected:expr) => {{
        let (x, y): ($type, $type) = ($session.encrypt($a), $session.encrypt($b));
        let expected: U256 = $expected & $crate::tfhe_integers::harness::mask::<$type>();
        let both = $session.integers.$method(&x, &y).unwrap();
        let name = stringify!($method);
        assert_eq!($session.decrypt(&both), expected, "{name} {} {}", $a, $b);
        let half = $session
            .integers
            .$method(&x, $crate::tfhe_integers::harness::clear::<$type>($b))
            .unwrap();
        assert_eq!($session.decrypt(&half), expected, "{name} {} clear {}", $a, $b);
    }};
}
pub(crate) use agree;
