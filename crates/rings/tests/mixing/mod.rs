//! Random operations that mix schemes, parameters, keys and encodings on purpose: every result is
//! right, or there is a typed error.
//!
//! `FATHOM_MIXING_OPERATIONS` is the number of operations for each of BFV, BGV and exact integers;
//! vectors and CKKS run a quarter of it. `cargo xtask mixing` runs these and those of FHEW and TFHE
//! at length.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

mod border;
mod integers;
mod mixer;
mod operate;
mod reals;
mod vectors;

use border::Border;
use fathom::bfv::Bfv;
use fathom::bgv::Bgv;
use fathom::rlwe::modular::{
    Ciphertext, Evaluator, LinearMap, Modular, Params, Plaintext, Preset, PublicKey, Rotations,
    RowSwap, SecretKey,
};
use fathom::wire::{Wire, WireError, WireFresh, WireObject};
use fathom::{Error, SecretRng};

/// One client with one parameter set.
struct Client<S: Modular> {
    params: Params<S>,
    secret: SecretKey<S>,
    public: PublicKey<S>,
    evaluator: Evaluator<S>,
    /// A matrix of small integers, and its rows.
    map: LinearMap<S>,
    matrix: Vec<Vec<u64>>,
}

/// A ciphertext, its owner and its expected slots.
struct Known<S: Modular> {
    ciphertext: Ciphertext<S>,
    owner: usize,
    slots: Vec<u64>,
}

struct World<S: Modular> {
    clients: Vec<Client<S>>,
    pool: Vec<Known<S>>,
    rng: SecretRng,
    right: u64,
    refused: u64,
}

/// The result of an operation, and the expected slots if its operands are compatible.
type Outcome<S> = (Result<Ciphertext<S>, Error>, Vec<u64>);

const SETS: [Preset; 2] = [Preset::E1, Preset::E1Depth2];

/// Number of rows of the matrices.
const ROWS: usize = 4;

impl<S: Border> World<S> {
    fn new(seed: u64) -> World<S> {
        let mut rng = SecretRng::insecure_from_seed(seed);
        let rotations = Rotations { steps: vec![1, 2, 3], row_swap: RowSwap::With };
        let mut client = |preset: &Preset| {
            let params = Params::<S>::preset(*preset).unwrap();
            let secret = SecretKey::generate(&params, &mut rng);
            let public = secret.public_key(&mut rng);
            let keys = secret.evaluation_keys(&rotations, &mut rng).unwrap();
            let mut row = |_| (0..ROWS).map(|_| rng.next_word() % 3).collect();
            let matrix: Vec<Vec<u64>> = (0..ROWS).map(&mut row).collect();
            let map = LinearMap::new(&params, &matrix).unwrap();
            Client { params, secret, public, evaluator: Evaluator::new(keys), map, matrix }
        };
        let clients = [SETS, SETS].concat().iter().map(&mut client).collect();
        let mut world = World { clients, pool: Vec::new(), rng, right: 0, refused: 0 };
        for owner in 0..world.clients.len() {
            world.encrypt(owner);
        }
        world
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.rng.next_word() % bound as u64) as usize
    }

    fn values(&mut self, owner: usize) -> (Vec<u64>, Plaintext<S>) {
        let params = &self.clients[owner].params;
        let t = params.plain_modulus();
        let slots: Vec<u64> = (0..params.degree()).map(|_| self.rng.next_word() % t).collect();
        let plain = params.encode(&slots).unwrap();
        (slots, plain)
    }

    fn encrypt(&mut self, owner: usize) {
        let (slots, plain) = self.values(owner);
        let public = self.below(2) == 0;
        let client = &self.clients[owner];
        let ciphertext = if public {
            client.public.encrypt(&plain, &mut self.rng)
        } else {
            client.secret.encrypt(&plain, &mut self.rng)
        };
        self.pool.push(Known { ciphertext: ciphertext.unwrap(), owner, slots });
    }

    /// Checks a result for operands of these owners.
    fn settle(&mut self, owners: &[usize], (result, slots): Outcome<S>) {
        let owner = owners[0];
        let mixed = owners.iter().any(|other| *other != owner);
        let Ok(ciphertext) = result else {
            let error = result.unwrap_err();
            let foreign = matches!(error, Error::KeyMismatch { .. } | Error::ParamsMismatch { .. });
            let exhausted = matches!(
                error,
                Error::NoiseExhausted { .. }
                    | Error::LevelMismatch { .. }
                    | Error::Components { .. }
            );
            assert!(foreign == mixed && (foreign || exhausted), "{error}, owners {owners:?}");
            self.refused += 1;
            return;
        };
        assert!(!mixed, "operands of {owners:?} were combined");
        let seen = self.clients[owner].secret.decrypt(&ciphertext).unwrap().slots().unwrap();
        assert!(seen == slots, "a wrong result of {owner}: {ciphertext:?}");
        for (other, client) in self.clients.iter().enumerate().filter(|(other, _)| *other != owner)
        {
            let refused = client.secret.decrypt(&ciphertext);
            assert!(refused.is_err(), "client {other} decrypts what belongs to {owner}");
        }
        self.right += 1;
        self.pool.push(Known { ciphertext, owner, slots });
    }

    /// Sends a ciphertext to a reader with the right or the wrong parameters.
    fn travel(&mut self) {
        let (i, reader) = (self.below(self.pool.len()), self.below(self.clients.len()));
        let fresh = self.below(2) == 0;
        let Known { ciphertext, owner, slots } = &self.pool[i];
        let (owner, slots, bytes) = (*owner, slots.clone(), ciphertext.to_bytes());
        let (params, was_fresh) = (&self.clients[reader].params, ciphertext.is_fresh());
        let read = if fresh {
            Ciphertext::from_bytes_fresh(params, &bytes)
        } else {
            Ciphertext::from_bytes(params, &bytes)
        };
        let fits = SETS[reader % 2] == SETS[owner % 2];
        match read {
            Ok(ciphertext) => {
                assert!(fits && (was_fresh || !fresh));
                self.settle(&[owner], (Ok(ciphertext), slots));
            }
            Err(Error::ParamsMismatch { .. }) => assert!(!fits),
            Err(Error::Wire(WireError::NotFresh)) => assert!(fresh && !was_fresh),
            Err(error) => panic!("{error}"),
        }
    }
}

/// Returns the seed of a run: another world for each caller, and for each seed of the environment.
pub(crate) fn seed(of: u64) -> u64 {
    let run: u64 = std::env::var("FATHOM_SEARCH_SEED").map_or(0, |n| n.parse().unwrap());
    run.wrapping_mul(1 << 20) + of
}

/// Returns the number of operations for each scheme.
pub(crate) fn operations() -> u64 {
    std::env::var("FATHOM_MIXING_OPERATIONS").map_or(1500, |n| n.parse().unwrap())
}

fn mix<S: Border, Other: Modular>(seed: u64) {
    let operations = operations();
    let mut world = World::<S>::new(seed);
    for _ in 0..operations {
        match world.below(16) {
            0 | 1 => {
                let owner = world.below(world.clients.len());
                world.encrypt(owner);
            }
            2 => world.travel(),
            _ => world.operation(),
        }
        if world.pool.len() > 24 {
            let oldest = world.below(12);
            world.pool.swap_remove(oldest);
        }
    }
    let World { right, refused, .. } = world;
    println!("{}: {operations} operations, {right} right, {refused} refused, 0 wrong", S::NAME);
    assert!(right > operations / 8 && refused > operations / 8);
    let foreign = Params::<Other>::preset(SETS[0]).unwrap();
    let refused = Ciphertext::from_bytes(&foreign, &world.pool[0].ciphertext.to_bytes());
    assert!(matches!(refused.unwrap_err(), Error::Wire(WireError::Scheme { .. })));
}

#[test]
fn bgv_is_right_or_refuses_whatever_is_mixed() {
    mix::<Bgv, Bfv>(seed(1));
}

#[test]
fn bfv_is_right_or_refuses_whatever_is_mixed() {
    mix::<Bfv, Bgv>(seed(2));
}
