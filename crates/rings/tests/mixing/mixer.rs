//! A pool of ciphertexts of several clients and parameter sets, and random operations on it.

use fathom::wire::WireError;
use fathom::{Error, SecretRng};

/// The number of parameter sets, each of which two clients have.
const SETS: usize = 2;
/// Ciphertexts that are kept.
const MOST: usize = 20;

/// One client with one parameter set, and its evaluator.
pub(crate) trait Party: Sized {
    const NAME: &'static str;
    /// A ciphertext.
    type Object;
    /// The value that a ciphertext should decrypt to.
    type Clear: Clone;

    fn new(set: usize, rng: &mut SecretRng) -> Self;

    /// Encrypts a random message, under either key.
    fn encrypt(&self, rng: &mut SecretRng) -> (Self::Object, Self::Clear);

    /// Applies a random operation of this client's evaluator; clear operands are those of `other`.
    fn operate(
        &self,
        other: &Self,
        operands: [Known<'_, Self>; 2],
        rng: &mut SecretRng,
    ) -> Outcome<Self>;

    /// Decrypts, and fails on another message than this one.
    fn check(&self, object: &Self::Object, clear: &Self::Clear) -> Result<(), Error>;

    /// Returns the wire form, and whether it is fresh.
    fn sent(object: &Self::Object) -> (Vec<u8>, bool);

    /// Reads a wire form, as a fresh one if `fresh` is not empty.
    fn receive(&self, bytes: &[u8], reading: Reading) -> Result<Self::Object, Error>;
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Reading {
    Any,
    Fresh,
}

/// A ciphertext with its message.
pub(crate) type Known<'a, P> = (&'a <P as Party>::Object, &'a <P as Party>::Clear);

/// The operands that an operation used.
#[derive(Clone, Copy)]
pub(crate) enum Used {
    First,
    Both,
    /// The first, and a clear operand of the other client.
    FirstAndClear,
}

pub(crate) struct Outcome<P: Party> {
    pub(crate) used: Used,
    pub(crate) result: Result<P::Object, Error>,
    pub(crate) clear: P::Clear,
}

struct Entry<P: Party> {
    object: P::Object,
    clear: P::Clear,
    owner: usize,
}

struct Mixer<P: Party> {
    clients: Vec<P>,
    pool: Vec<Entry<P>>,
    rng: SecretRng,
    right: u64,
    refused: u64,
}

pub(crate) fn below(rng: &mut SecretRng, bound: usize) -> usize {
    (rng.next_word() % bound as u64) as usize
}

/// Runs this many random operations.
pub(crate) fn mix<P: Party>(operations: u64, seed: u64) {
    let mut rng = SecretRng::insecure_from_seed(seed);
    let clients = (0..2 * SETS).map(|number| P::new(number % SETS, &mut rng)).collect();
    let mut mixer = Mixer::<P> { clients, pool: Vec::new(), rng, right: 0, refused: 0 };
    (0..2 * SETS).for_each(|owner| mixer.encrypt(owner));
    for _ in 0..operations {
        match below(&mut mixer.rng, 16) {
            0..3 => {
                let owner = below(&mut mixer.rng, 2 * SETS);
                mixer.encrypt(owner);
            }
            3 => mixer.travel(),
            _ => mixer.operation(),
        }
        if mixer.pool.len() > MOST {
            let oldest = below(&mut mixer.rng, MOST / 2);
            mixer.pool.swap_remove(oldest);
        }
    }
    let Mixer { right, refused, .. } = mixer;
    println!("{}: {operations} operations, {right} right, {refused} refused, 0 wrong", P::NAME);
    assert!(right > operations / 8 && refused > operations / 16);
}

impl<P: Party> Mixer<P> {
    fn encrypt(&mut self, owner: usize) {
        let (object, clear) = self.clients[owner].encrypt(&mut self.rng);
        self.pool.push(Entry { object, clear, owner });
    }

    fn operation(&mut self) {
        let rng = &mut self.rng;
        let [i, j] = [(); 2].map(|()| below(rng, self.pool.len()));
        let owner = self.pool[i].owner;
        let all = self.clients.len();
        let by = if below(rng, 5) == 0 { below(rng, all) } else { owner };
        let other = if below(rng, 8) == 0 { below(rng, all) } else { by };
        let [a, b] = [i, j].map(|k| &self.pool[k]);
        let operands = [(&a.object, &a.clear), (&b.object, &b.clear)];
        let outcome = self.clients[by].operate(&self.clients[other], operands, rng);
        let mut mixed = owner != by;
        match outcome.used {
            Used::First => {}
            Used::Both => mixed |= b.owner != by,
            Used::FirstAndClear => mixed |= other % SETS != by % SETS,
        }
        match outcome.result {
            Ok(object) => {
                assert!(!mixed, "objects of other clients were combined");
                self.settle(object, outcome.clear, owner);
            }
            Err(error) => {
                let foreign =
                    matches!(error, Error::KeyMismatch { .. } | Error::ParamsMismatch { .. });
                assert!(foreign == mixed, "{error}");
                assert!(!matches!(error, Error::Wire(_)), "{error}");
                self.refused += 1;
            }
        }
    }

    /// Checks a result with the keys of all clients.
    fn settle(&mut self, object: P::Object, clear: P::Clear, owner: usize) {
        for (number, client) in self.clients.iter().enumerate() {
            let seen = client.check(&object, &clear);
            if number == owner {
                seen.unwrap();
            } else {
                assert!(seen.is_err(), "client {number} decrypts what belongs to {owner}");
            }
        }
        self.right += 1;
        self.pool.push(Entry { object, clear, owner });
    }

    /// Sends a ciphertext to a client with the right or the wrong parameters.
    fn travel(&mut self) {
        let rng = &mut self.rng;
        let (i, reader) = (below(rng, self.pool.len()), below(rng, self.clients.len()));
        let reading = if below(rng, 2) == 0 { Reading::Fresh } else { Reading::Any };
        let Entry { object, clear, owner } = &self.pool[i];
        let (owner, clear, (bytes, was_fresh)) = (*owner, clear.clone(), P::sent(object));
        let fits = reader % SETS == owner % SETS;
        match self.clients[reader].receive(&bytes, reading) {
            Ok(object) => {
                assert!(fits && (was_fresh || reading == Reading::Any));
                self.settle(object, clear, owner);
            }
            Err(Error::ParamsMismatch { .. }) => assert!(!fits),
            Err(Error::Wire(WireError::NotFresh)) => {
                assert!(reading == Reading::Fresh && !was_fresh);
            }
            Err(error) => panic!("{error}"),
        }
    }
}
