//! BFV and BGV: slots of integers, of two parameter sets.

use crate::calls::border::Border;
use crate::calls::{exact, keys};
use crate::common::{product, rotated, sum};
use crate::mixing::mixer::{CLEAR, KEYLESS, Key, Mixer, Party, Reading, mix};
use crate::mixing::rows::{RingParty, verb_row};
use crate::mixing::{operations, seed};
use fathom::bfv::Bfv;
use fathom::bgv::Bgv;
use fathom::rlwe::modular::{
    Ciphertext, Evaluator, LinearMap, Modular, Packed, Params, Plaintext, Preset, PublicKey,
    Rotations, RowSwap, SecretKey,
};
use fathom::wire::{Wire, WireError, WireFresh, WireObject};
use fathom::{Error, SecretRng};
use fathom_circuits::{Dice, Formula, Operation};
use fathom_verbs::{Given, Modulo, Schemes, Verb};

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

const SETS: [Preset; 2] = [Preset::E1, Preset::E1Depth2];

/// Number of rows of the matrices.
const ROWS: usize = 4;

/// Slots, and the modulus of their arithmetic.
#[derive(Clone)]
struct Slots {
    t: u64,
    x: Vec<u64>,
}

type Row<S> = Operation<Mixer<Client<S>>>;
type Apply<S> = fn(&Evaluator<S>, &[&Ciphertext<S>]) -> Result<Ciphertext<S>, Error>;
/// The modulus and the slots of the operands.
type OnClear = fn(u64, &[&[u64]]) -> Vec<u64>;

/// Returns a row without arguments.
fn row<S: Border>(name: &'static str, arity: usize, apply: Apply<S>, clear: OnClear) -> Row<S> {
    Operation::new(
        name,
        arity,
        move |client: &Client<S>, c| apply(&client.evaluator, c),
        move |x| on_slots(x, clear),
    )
}

fn on_slots(slots: &[&Slots], clear: impl FnOnce(u64, &[&[u64]]) -> Vec<u64>) -> Slots {
    let all: Vec<&[u64]> = slots.iter().map(|slots| slots.x.as_slice()).collect();
    Slots { t: slots[0].t, x: clear(slots[0].t, &all) }
}

/// Returns a row for a matrix, which belongs to parameters, not to keys.
fn transform<S: Border>() -> Row<S> {
    let row = Operation::drawn("transform", 1, |client: &Client<S>, _| {
        let (map, matrix) = (client.map.clone(), client.matrix.clone());
        let apply = move |client: &Client<S>, c: &[&Ciphertext<S>]| {
            let result = client.evaluator.transform(&map, &Packed::assume(ROWS, c[0].clone()));
            result.map(Packed::into_value)
        };
        Formula::new("", apply, move |x| on_slots(x, |t, x| mapped(t, &matrix, x[0])))
    });
    row.group(CLEAR)
}

/// Returns a row for a polynomial of degree 2.
fn evaluate_polynomial<S: Border>() -> Row<S> {
    Operation::drawn("evaluate_polynomial", 1, |client: &Client<S>, dice| {
        let t = client.params.plain_modulus();
        let coefficients = [7, dice.word() % t, 1];
        let value = move |&v: &u64| (7 + v * coefficients[1] % t + v * v % t) % t;
        Formula::new(
            format!("{coefficients:?}"),
            move |client: &Client<S>, c| client.evaluator.evaluate_polynomial(c[0], &coefficients),
            move |x| on_slots(x, |_, x| x[0].iter().map(value).collect()),
        )
    })
}

/// Returns a row for the border of BFV, which is crossed with the parameters of a reader.
fn receive_msb<S: Border>() -> Row<S> {
    let row = Operation::drawn("receive_msb", 1, |_, dice| {
        let wire = dice.once_in(2);
        let apply = move |client: &Client<S>, c: &[&_]| S::msb(&client.params, c[0], wire);
        Formula::new(if wire { "as bytes" } else { "" }, apply, |x: &[&Slots]| x[0].clone())
    });
    row.group(KEYLESS)
}

impl<S: Border> Client<S> {
    fn values(&self, dice: &mut Dice) -> Vec<u64> {
        let t = self.params.plain_modulus();
        (0..self.params.degree()).map(|_| dice.word() % t).collect()
    }
}

impl<S: Border> RingParty for Client<S> {
    type Scheme = S;

    const MOST: i32 = 2000;

    fn evaluator(&self) -> &Evaluator<S> {
        &self.evaluator
    }

    fn clear(verb: &Verb, x: &[&Slots], numbers: &[i64]) -> Slots {
        on_slots(x, |t, x| (verb.residues)(&Modulo(t), x, Given { count: 1, numbers }))
    }
}

impl<S: Border> Party for Client<S> {
    const NAME: &'static str = S::NAME;
    type Object = Ciphertext<S>;
    type Clear = Slots;
    type Plain = Plaintext<S>;

    fn new(set: usize, rng: &mut SecretRng) -> Client<S> {
        let params = Params::<S>::preset(SETS[set]).unwrap();
        let rotations = keys(params.degree(), 2, Schemes::Reals);
        let rotations = rotations.and(&Rotations { steps: vec![1, 2, 3], row_swap: RowSwap::With });
        let secret = SecretKey::generate(&params, rng);
        let public = secret.public_key(rng);
        let keys = secret.evaluation_keys(&rotations, rng).unwrap();
        let mut row = |_| (0..ROWS).map(|_| rng.next_word() % 3).collect();
        let matrix: Vec<Vec<u64>> = (0..ROWS).map(&mut row).collect();
        let map = LinearMap::new(&params, &matrix).unwrap();
        Client { params, secret, public, evaluator: Evaluator::new(keys), map, matrix }
    }

    fn message(&self, dice: &mut Dice) -> (Plaintext<S>, Slots) {
        let (x, t) = (self.values(dice), self.params.plain_modulus());
        (self.params.encode(&x).unwrap(), Slots { t, x })
    }

    fn encrypt(
        &self,
        (key, plain): (Key, &Plaintext<S>),
        rng: &mut SecretRng,
    ) -> Result<Ciphertext<S>, Error> {
        match key {
            Key::Public => self.public.encrypt(plain, rng),
            Key::Secret => self.secret.encrypt(plain, rng),
        }
    }

    fn operations() -> Vec<Row<S>> {
        let others = vec![
            row(
                "rotate_many",
                1,
                |e, c| Ok(e.rotate_many(c[0], &[1, 2, 3])?.swap_remove(1)),
                |_, x| rotated(x[0], 2),
            ),
            row("mod_switch_to_0", 1, |e, c| e.mod_switch_to(c[0], 0), |_, x| x[0].to_vec()),
            row(
                "dot",
                2,
                |e, c| {
                    let all = [c[0].clone(), c[1].clone()];
                    e.dot(&all, &all)
                },
                |t, x| sum(t, &product(t, x[0], x[0]), &product(t, x[1], x[1])),
            ),
            row(
                "tensor_relinearize_and_switch",
                2,
                |e, c| e.relinearize_and_switch(&e.tensor(c[0], c[1])?),
                |t, x| product(t, x[0], x[1]),
            ),
            row(
                "mul_scale_invariant",
                2,
                |e, c| S::mul_scale_invariant(e, c[0], c[1]),
                |t, x| product(t, x[0], x[1]),
            )
            .weight(2),
            evaluate_polynomial(),
            transform(),
            receive_msb(),
        ];
        exact().into_iter().filter_map(verb_row).chain(others).collect()
    }

    fn check(&self, object: &Ciphertext<S>, clear: &Slots) -> Result<Option<String>, Error> {
        let seen = self.secret.decrypt(object)?.slots()?;
        let place = seen.iter().zip(&clear.x).position(|(found, expected)| found != expected);
        Ok(place.map(|i| format!("slot {i} should be {}, is {}", clear.x[i], seen[i])))
    }

    fn sent(object: &Ciphertext<S>) -> (Vec<u8>, bool) {
        (object.to_bytes(), object.is_fresh())
    }

    fn receive(&self, bytes: &[u8], reading: Reading) -> Result<Ciphertext<S>, Error> {
        match reading {
            Reading::Any => Ciphertext::from_bytes(&self.params, bytes),
            Reading::Fresh => Ciphertext::from_bytes_fresh(&self.params, bytes),
        }
    }

    fn may_refuse(error: &Error) -> bool {
        matches!(
            error,
            Error::NoiseExhausted { .. } | Error::LevelMismatch { .. } | Error::Components { .. }
        )
    }
}

/// Returns the matrix times every run of [`ROWS`] slots, which begins at any slot of a row.
fn mapped(t: u64, matrix: &[Vec<u64>], x: &[u64]) -> Vec<u64> {
    let mut all = vec![0; x.len()];
    for step in 0..ROWS {
        let diagonal: Vec<u64> =
            (0..x.len()).map(|i| matrix[i % ROWS][(i + step) % ROWS]).collect();
        all = sum(t, &all, &product(t, &diagonal, &rotated(x, step as i64)));
    }
    all
}

/// Mixes clients of one scheme, and sends one of its ciphertexts to a client of the other.
fn mix_and_send<S: Border, Other: Modular>(of: u64) {
    let object = mix::<Client<S>>(operations(), seed(of));
    let foreign = Params::<Other>::preset(SETS[0]).unwrap();
    let refused = Ciphertext::from_bytes(&foreign, &object.to_bytes());
    assert!(matches!(refused.unwrap_err(), Error::Wire(WireError::Scheme { .. })));
}

#[test]
fn bgv_is_right_or_refuses_whatever_is_mixed() {
    mix_and_send::<Bgv, Bfv>(1);
}

#[test]
fn bfv_is_right_or_refuses_whatever_is_mixed() {
    mix_and_send::<Bfv, Bgv>(2);
}
