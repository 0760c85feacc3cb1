//! Programs that are generic over the scheme: encryption, sums and products with plaintexts and
//! numbers mean the same in each.

use fathom::prelude::*;
use fathom::rlwe::{
    Ciphertext, Evaluator, Level, LinearMap, Mapped, Packed, Params, Scheme, SecretKey,
};
use std::collections::BTreeMap;
use std::fmt::Debug;

/// A value that the laws compare with an integer.
trait Number: Clone + Debug + PartialEq {
    /// Returns the value as an integer, if it is one but for the error of the scheme.
    fn integer(&self) -> i64;
}

impl Number for i64 {
    fn integer(&self) -> i64 {
        *self
    }
}

impl Number for f64 {
    fn integer(&self) -> i64 {
        assert!((self - self.round()).abs() < 1e-2, "{self} is far from an integer");
        self.round() as i64
    }
}

impl Number for wide::Integer {
    fn integer(&self) -> i64 {
        self.to_i64().unwrap()
    }
}

struct Party<S: Scheme> {
    secret: SecretKey<S>,
    server: Evaluator<S>,
    rng: SecretRng,
}

impl<S: Scheme<Value: Number>> Party<S> {
    fn new(params: &Params<S>) -> Self {
        let mut rng = SecretRng::from_os().unwrap();
        let secret = SecretKey::generate(params, &mut rng);
        Party { secret, server: Evaluator::without_keys(params), rng }
    }

    fn plain(&self, values: &[i32]) -> S::Plaintext {
        let values: Vec<S::Value> = values.iter().map(|&value| value.into()).collect();
        S::encode(self.server.params(), &values).unwrap()
    }

    #[track_caller]
    fn check(&self, result: &Ciphertext<S>, expected: &[i64]) {
        let decrypted = S::decode(&self.secret.decrypt(result).unwrap()).unwrap();
        let first = decrypted.iter().take(expected.len());
        assert_eq!(first.map(Number::integer).collect::<Vec<_>>(), expected);
    }
}

/// Checks every operation of the interface, on `count` values, at levels from `lowest` on.
fn laws<S: Scheme<Value: Number>>(params: &Params<S>, lowest: Level, count: usize) {
    let mut party = Party::new(params);
    let (values, others) = (&[3, -7, 12][..count], &[-2, 5, 4][..count]);
    let expected = |op: fn(i64, i64) -> i64| -> Vec<i64> {
        values.iter().zip(others).map(|(&a, &b)| op(a.into(), b.into())).collect()
    };
    let (message, other) = (party.plain(values), party.plain(others));
    let number = |value: i32| S::Value::from(value);

    let public = party.secret.public_key(&mut party.rng);
    let encryptions = [
        party.secret.encrypt(&message, &mut party.rng).unwrap(),
        public.encrypt(&message, &mut party.rng).unwrap(),
    ];
    for x in &encryptions {
        let server = &party.server;
        party.check(x, &expected(|a, _| a));
        party.check(&server.add_plain(x, &other).unwrap(), &expected(|a, b| a + b));
        party.check(&server.sub_plain(x, &other).unwrap(), &expected(|a, b| a - b));
        let factor = S::to_factor(&other, x.level()).unwrap();
        party.check(&server.mul_plain(x, &factor).unwrap(), &expected(|a, b| a * b));
        party.check(&server.mul_scalar(x, number(-3)).unwrap(), &expected(|a, _| -3 * a));
        party.check(&server.add_scalar(x, number(9)).unwrap(), &expected(|a, _| a + 9));
        party.check(&server.sub_scalar(x, number(9)).unwrap(), &expected(|a, _| a - 9));
    }

    let top = params.top_level();
    for level in (lowest.get()..=top.get()).map(Level::new) {
        let x = party.secret.encrypt_at(&message, level, &mut party.rng).unwrap();
        assert_eq!(x.level(), level);
        party.check(&x, &expected(|a, _| a));
        party.check(&party.server.add_plain(&x, &other).unwrap(), &expected(|a, b| a + b));
        // With an encryption that was brought to the level, where the evaluator or the caller
        // brings operands to one level and one factor.
        let y = party.secret.encrypt(&other, &mut party.rng).unwrap();
        let y = party.server.mod_switch_to(&y, level).unwrap();
        party.check(&party.server.add(&x, &y).unwrap(), &expected(|a, b| a + b));
    }
    let above = Level::new(top.get() + 1);
    assert!(matches!(
        party.secret.encrypt_at(&message, above, &mut party.rng),
        Err(Error::NoSuchLevel { .. })
    ));
    assert!(matches!(S::to_factor(&message, above), Err(Error::NoSuchLevel { .. })));
}

#[test]
fn bfv_and_bgv_compute_modulo_t() {
    for preset in [Preset::E1, Preset::E2] {
        // At level 0 nothing is left for the factors that a sum after a division needs.
        laws(&bfv::Params::preset(preset).unwrap(), Level::new(1), 3);
        laws(&bgv::Params::preset(preset).unwrap(), Level::new(1), 3);
    }
}

#[test]
fn ckks_computes_on_reals_in_both_modes() {
    let spec = ckks::Spec { magnitude: 16.0, ..ckks::Preset::E3Small.spec() };
    let params = ckks::Params::new(spec.clone()).unwrap();
    laws(&params, params.last_level(), 3);
    let params = ckks::explicit::Params::new(spec).unwrap();
    laws(&params, params.last_level(), 3);
}

#[test]
fn wide_integers_are_one_value() {
    for preset in wide::Preset::ALL {
        let params = wide::Params::preset(preset).unwrap();
        laws(&params, Level::new(0), 1);
        let two = [1, 2].map(wide::Integer::from);
        let refused = <wide::Wide as Scheme>::encode(&params, &two).unwrap_err();
        assert_eq!(refused, Error::TooManyValues { given: 2, capacity: 1 });
        assert_eq!(refused.kind(), fathom::ErrorKind::Input);
        let none = <wide::Wide as Scheme>::encode(&params, &[]).unwrap();
        assert_eq!(none.value().to_i64(), Some(0));
    }
}

/// Multiplies by the map of one size that doubles every value and adds the next but one.
fn map_by_diagonals<S: Mapped + Scheme<Value: Number>>(params: &Params<S>) {
    let mut party = Party::new(params);
    let top = params.top_level();
    let number = |value: i32| vec![S::Value::from(value); params.degree() / 2];
    let diagonals = BTreeMap::from([(0, number(2)), (2, number(1))]);
    let map = LinearMap::of_diagonals(params, params.degree() / 2, &diagonals, top).unwrap();
    let keys = party.secret.evaluation_keys(&map.rotations(), &mut party.rng).unwrap();
    let message = party.plain(&[3, -7, 12, 0, 1]);
    let x = party.secret.encrypt(&message, &mut party.rng).unwrap();
    let result = Evaluator::new(keys).transform(&map, &Packed::assume(map.size(), x)).unwrap();
    party.check(result.value(), &[18, -14, 25, 0, 2]);
    let refused = LinearMap::of_diagonals(params, 3, &diagonals, top);
    assert!(matches!(refused, Err(Error::Shape { .. })));
}

#[test]
fn maps_by_diagonals_are_the_same_in_every_scheme_with_slots() {
    map_by_diagonals(&bfv::Params::preset(Preset::E1Depth2).unwrap());
    map_by_diagonals(&bgv::Params::preset(Preset::E1Depth2).unwrap());
    let spec = ckks::Spec { magnitude: 16.0, ..ckks::Preset::E3Small.spec() };
    map_by_diagonals(&ckks::Params::new(spec).unwrap());
}
