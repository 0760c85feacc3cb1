//! Parameter sets with and without keys, and values in them.

use fathom::tfhe::boolean::{Bit, Gates};
use fathom::tfhe::integer::{
    FheBool, FheInt8, FheInt16, FheInteger, FheUint8, FheUint32, FheValue, Integers, Typed,
};
use fathom::tfhe::shortint::{ShortInt, ShortInts};
use fathom::tfhe::{Block, ClientKey, Evaluator, Params, PublicKey};
use fathom::{Error, SecretRng};

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

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.word() % bound
    }
}

/// An encrypted value of any type.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Short(ShortInt),
    Bit(Bit),
    Bool(FheBool),
    U8(FheUint8),
    I8(FheInt8),
    I16(FheInt16),
    U32(FheUint32),
}

impl Value {
    pub(crate) fn blocks(&self) -> &[Block] {
        match self {
            Value::Short(x) => std::slice::from_ref(x.block()),
            Value::Bit(x) => std::slice::from_ref(x.block()),
            Value::Bool(x) => x.blocks(),
            Value::U8(x) => x.blocks(),
            Value::I8(x) => x.blocks(),
            Value::I16(x) => x.blocks(),
            Value::U32(x) => x.blocks(),
        }
    }
}

/// A value, its expected decryption, and its world.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) value: Value,
    pub(crate) clear: i64,
    pub(crate) world: usize,
}

/// A parameter set and an evaluator, which has a key or is simulated.
pub(crate) struct World {
    pub(crate) name: String,
    pub(crate) params: Params,
    pub(crate) client: Option<ClientKey>,
    pub(crate) evaluator: Evaluator,
    pub(crate) ints: Option<ShortInts>,
    pub(crate) gates: Gates,
    public: Option<PublicKey>,
    rng: SecretRng,
}

/// Returns worlds with two keys of one set, with sets of equal and of other dimensions, and
/// simulations.
pub(crate) fn worlds(seed: u64) -> Vec<World> {
    let sets = ["u_2_2_128", "u_2_2_128", "u_2_2_64", "u_bool_128", "u_1_1_128"];
    let real = sets.iter().enumerate().map(|(i, set)| World::new(set, Some(seed + i as u64)));
    let simulated = ["u_2_2_128", "b_2_2_64", "u_bool_128", "u_3_3_40", "u_1_1_128"];
    real.chain(simulated.iter().map(|set| World::new(set, None))).collect()
}

impl World {
    fn new(set: &str, seed: Option<u64>) -> World {
        let params = Params::preset(set).unwrap();
        let mut rng = SecretRng::insecure_from_seed(seed.unwrap_or(99));
        let client = seed.map(|_| ClientKey::generate(&params, &mut rng));
        let evaluator = match &client {
            Some(client) => {
                let seeded = client.seeded_evaluation_keys(&mut rng).unwrap();
                let key = seeded.expand().unwrap();
                let packing = client.seeded_packing_keys(&mut rng).unwrap();
                let packing = packing.expand().unwrap();
                Evaluator::new(key, 1).unwrap().with_packing_keys(packing).unwrap()
            }
            None => Evaluator::simulated(&params),
        };
        let ints = ShortInts::new(evaluator.clone()).ok();
        // Sets of a rank above one have no public keys.
        let public = client.as_ref().and_then(|key| key.public_key(&mut rng).ok());
        let gates = Gates::new(evaluator.clone()).unwrap();
        let kind = if client.is_some() { "under keys" } else { "simulated" };
        World { name: format!("{set} {kind}"), params, client, evaluator, ints, gates, public, rng }
    }

    /// Returns the public key, if there is one, and what its encryptions draw from.
    pub(crate) fn public_key(&mut self) -> Option<(&PublicKey, &mut SecretRng)> {
        Some((self.public.as_ref()?, &mut self.rng))
    }

    /// Returns the operations on integers, which only a set for integers has.
    pub(crate) fn integers(&self) -> Result<Integers, Error> {
        Integers::new(self.evaluator.clone())
    }

    /// Returns whether it is a set for integers.
    pub(crate) fn has_integers(&self) -> bool {
        self.params.name().contains("_2_2_")
    }

    /// Returns whether values of the other world can be used in this one: its own values, and
    /// simulated ones of the same space, which belong to no key.
    pub(crate) fn takes(&self, other: &World, value: &Value) -> bool {
        let space = value.blocks().iter().all(|block| block.space() == self.params.space());
        let takes = |block: &Block| match block.key_id() {
            Some(id) => self.evaluator.key_id() == Some(id),
            None => block.is_clear() || self.client.is_none(),
        };
        let same = self.params.id() == other.params.id() || self.client.is_none();
        space && value.blocks().iter().all(takes) && (same || all_clear(value))
    }

    /// Returns a fresh value of a random type that the set has.
    pub(crate) fn fresh(&mut self, world: usize, numbers: &mut Numbers) -> Item {
        let clear = numbers.word();
        let clear_value = numbers.below(12) == 0;
        let kinds = if self.has_integers() { 7 } else { 2 };
        let (value, clear) = match numbers.below(kinds) {
            0 if self.ints.is_some() => {
                let clear = (clear % self.params.message_modulus() as u64) as u32;
                (Value::Short(self.short(clear, clear_value)), i64::from(clear))
            }
            0 | 1 => (Value::Bit(self.bit(clear & 1 == 1, clear_value)), (clear & 1) as i64),
            2 => (Value::Bool(self.truth(clear & 1 == 1, clear_value)), (clear & 1) as i64),
            3 => {
                (Value::U8(self.integer(i64::from(clear as u8), clear_value)), (clear as u8).into())
            }
            4 => {
                (Value::I8(self.integer(i64::from(clear as i8), clear_value)), (clear as i8).into())
            }
            5 => (
                Value::I16(self.integer(i64::from(clear as i16), clear_value)),
                (clear as i16).into(),
            ),
            _ => (
                Value::U32(self.integer(i64::from(clear as u32), clear_value)),
                (clear as u32).into(),
            ),
        };
        Item { value, clear, world }
    }

    fn short(&mut self, value: u32, clear: bool) -> ShortInt {
        match &self.client {
            _ if clear => ShortInt::trivial(&self.params, value).unwrap(),
            Some(client) => client.encrypt::<ShortInt>(value, &mut self.rng).unwrap(),
            None => ShortInt::simulated(&self.params, value).unwrap(),
        }
    }

    fn bit(&mut self, value: bool, clear: bool) -> Bit {
        match &self.client {
            _ if clear => Bit::trivial(&self.params, value),
            Some(client) => client.encrypt::<Bit>(value, &mut self.rng).unwrap(),
            None => Bit::simulated(&self.params, value),
        }
    }

    fn truth(&mut self, value: bool, clear: bool) -> FheBool {
        match &self.client {
            _ if clear => FheBool::trivial(value),
            Some(client) => client.encrypt::<FheBool>(value, &mut self.rng).unwrap(),
            None => {
                let block = Block::simulated(self.params.space(), value.into(), (0, 1));
                FheBool::from_block(block).unwrap()
            }
        }
    }

    fn integer<T: FheInteger + Typed>(&mut self, value: i64, clear: bool) -> T {
        let space = self.params.space();
        match &self.client {
            _ if clear => T::trivial(value).unwrap(),
            Some(client) => client.encrypt(value, &mut self.rng).unwrap(),
            None => T::from_digits(value, |digit| Block::simulated(space, digit, (0, 3))).unwrap(),
        }
    }

    /// Returns the value by decryption, or that of the simulation.
    pub(crate) fn read(&self, value: &Value) -> i64 {
        let digits = value.blocks().iter().map(|block| self.open(block).into());
        let digits: Vec<i64> = digits.collect();
        let joined = digits.iter().rev().fold(0_i64, |sum, digit| (sum << 2) + digit);
        match value {
            Value::I8(_) => i64::from(joined as i8),
            Value::I16(_) => i64::from(joined as i16),
            Value::Short(_) | Value::Bit(_) | Value::Bool(_) | Value::U8(_) | Value::U32(_) => {
                joined
            }
        }
    }

    fn open(&self, block: &Block) -> i32 {
        if let Some(client) = &self.client {
            return client.decrypt(block).unwrap();
        }
        let (low, high) = block.range();
        let period = 2 * block.space().half();
        let value = low + (block.space().decode(block.lwe().body()) - low).rem_euclid(period);
        assert!(value <= high, "{value} is not in {low}..={high}");
        value
    }
}

fn all_clear(value: &Value) -> bool {
    value.blocks().iter().all(Block::is_clear)
}
