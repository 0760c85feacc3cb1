//! Parameter sets with and without keys, and values in them.

use crate::tfhe_mixed::value::{Kind, Value, reduced};
use fathom::tfhe::boolean::{Bit, Gates};
use fathom::tfhe::integer::{
    FheBool, FheInt8, FheInt16, FheInteger, FheUint8, FheUint32, Integers, Typed,
};
use fathom::tfhe::shortint::{ShortInt, ShortInts};
use fathom::tfhe::{Block, ClientKey, Evaluator, Params, PublicKey};
use fathom::{Error, SecretRng};
use fathom_circuits::Dice;

/// A parameter set and an evaluator, which has a key or is simulated.
pub(crate) struct World {
    pub(crate) name: String,
    pub(crate) params: Params,
    pub(crate) client: Option<ClientKey>,
    pub(crate) evaluator: Evaluator,
    pub(crate) ints: Option<ShortInts>,
    pub(crate) gates: Gates,
    /// The public key, which sets of a rank above one do not have.
    pub(crate) public: Option<PublicKey>,
}

/// The bound of half of the numbers, so that some are equal, and divisors are zero.
pub(crate) const SMALL: usize = 4;

/// The way in which a value is made: in the clear, or encrypted with the randomness of a seed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fresh {
    Clear,
    Encrypted { seed: u64 },
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
        let public = client.as_ref().and_then(|key| key.public_key(&mut rng).ok());
        let gates = Gates::new(evaluator.clone()).unwrap();
        let kind = if client.is_some() { "under keys" } else { "simulated" };
        World { name: format!("{set} {kind}"), params, client, evaluator, ints, gates, public }
    }

    /// Returns the operations on integers, which only a set for integers has.
    pub(crate) fn integers(&self) -> Result<Integers, Error> {
        Integers::new(self.evaluator.clone())
    }

    /// Returns whether it is a set for integers.
    pub(crate) fn has_integers(&self) -> bool {
        self.params.name().contains("_2_2_")
    }

    /// Returns whether the set has operations on values of this kind.
    pub(crate) fn has(&self, kind: &str) -> bool {
        match kind {
            "short" => self.ints.is_some(),
            "bit" => true,
            _ => self.has_integers(),
        }
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
        space && value.blocks().iter().all(takes) && (same || value.is_clear())
    }

    /// Draws a number that values of this kind hold.
    pub(crate) fn number(&self, kind: &str, dice: &mut Dice) -> i64 {
        let bits = if dice.once_in(2) { dice.word() } else { dice.below(SMALL) as u64 };
        match kind {
            "short" => (bits % self.params.message_modulus() as u64) as i64,
            "u8" => reduced::<FheUint8>(bits as i64),
            "i8" => reduced::<FheInt8>(bits as i64),
            "i16" => reduced::<FheInt16>(bits as i64),
            "u32" => reduced::<FheUint32>(bits as i64),
            _ => (bits & 1) as i64,
        }
    }

    /// Returns a fresh value of a kind that the set has.
    pub(crate) fn fresh(&self, kind: &str, number: i64, fresh: Fresh) -> Result<Value, Error> {
        Ok(match kind {
            "short" => self.short(number as u32, fresh)?.wrapped(),
            "bit" => self.bit(number == 1, fresh)?.wrapped(),
            "bool" => self.truth(number == 1, fresh)?.wrapped(),
            "u8" => self.integer::<FheUint8>(number, fresh)?.wrapped(),
            "i8" => self.integer::<FheInt8>(number, fresh)?.wrapped(),
            "i16" => self.integer::<FheInt16>(number, fresh)?.wrapped(),
            _ => self.integer::<FheUint32>(number, fresh)?.wrapped(),
        })
    }

    fn short(&self, value: u32, fresh: Fresh) -> Result<ShortInt, Error> {
        match (fresh, &self.client) {
            (Fresh::Clear, _) => ShortInt::trivial(&self.params, value),
            (Fresh::Encrypted { seed }, Some(client)) => client.encrypt(value, &mut rng(seed)),
            (Fresh::Encrypted { .. }, None) => ShortInt::simulated(&self.params, value),
        }
    }

    fn bit(&self, value: bool, fresh: Fresh) -> Result<Bit, Error> {
        match (fresh, &self.client) {
            (Fresh::Clear, _) => Ok(Bit::trivial(&self.params, value)),
            (Fresh::Encrypted { seed }, Some(client)) => client.encrypt(value, &mut rng(seed)),
            (Fresh::Encrypted { .. }, None) => Ok(Bit::simulated(&self.params, value)),
        }
    }

    fn truth(&self, value: bool, fresh: Fresh) -> Result<FheBool, Error> {
        match (fresh, &self.client) {
            (Fresh::Clear, _) => Ok(FheBool::trivial(value)),
            (Fresh::Encrypted { seed }, Some(client)) => client.encrypt(value, &mut rng(seed)),
            (Fresh::Encrypted { .. }, None) => {
                FheBool::from_block(Block::simulated(self.params.space(), value.into(), (0, 1)))
            }
        }
    }

    fn integer<T: FheInteger + Typed>(&self, value: i64, fresh: Fresh) -> Result<T, Error> {
        let space = self.params.space();
        match (fresh, &self.client) {
            (Fresh::Clear, _) => T::trivial(value),
            (Fresh::Encrypted { seed }, Some(client)) => client.encrypt(value, &mut rng(seed)),
            (Fresh::Encrypted { .. }, None) => {
                T::from_digits(value, |digit| Block::simulated(space, digit, (0, 3)))
            }
        }
    }

    /// Returns the number by decryption, or that of the simulation.
    pub(crate) fn read(&self, value: &Value) -> Result<i64, String> {
        let digits: Result<Vec<i64>, String> =
            value.blocks().iter().map(|block| self.open(block).map(i64::from)).collect();
        let joined = digits?.iter().rev().fold(0_i64, |sum, digit| (sum << 2) + digit);
        Ok(match value {
            Value::I8(_) => i64::from(joined as i8),
            Value::I16(_) => i64::from(joined as i16),
            Value::Short(_) | Value::Bit(_) | Value::Bool(_) | Value::U8(_) | Value::U32(_) => {
                joined
            }
        })
    }

    fn open(&self, block: &Block) -> Result<i32, String> {
        if let Some(client) = &self.client {
            return client.decrypt(block).map_err(|error| error.to_string());
        }
        let (low, high) = block.range();
        let period = 2 * block.space().half();
        let value = low + (block.space().decode(block.lwe().body()) - low).rem_euclid(period);
        if value <= high { Ok(value) } else { Err(format!("{value} is not in {low}..={high}")) }
    }
}

fn rng(seed: u64) -> SecretRng {
    SecretRng::insecure_from_seed(seed)
}
