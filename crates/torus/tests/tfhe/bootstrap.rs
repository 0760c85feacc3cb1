//! Lookup tables under real keys, at secure parameters.

use crate::tfhe::frame::with_bytes;
use crate::tfhe::keys;
use fathom::Error;
use fathom::SecretRng;
use fathom::tfhe::TableError;
use fathom::tfhe::{Block, ClientKey, Job, Lut, Params};
use fathom::wire::{Wire, WireValue};

/// Test polynomials of a higher degree than the key's, whose coefficients are spread over several
/// polynomials: values all over a table, and outputs from the whole rotated polynomial.
#[test]
fn extended_tables_give_the_clear_result() {
    let uniform = [("u_3_3_128", 3), ("u_3_3_40", 7), ("u_4_4_64", 61)];
    let blocks = [("b_3_3_128", 9), ("b_4_4_128", 200)];
    for (name, step) in uniform.into_iter().chain(blocks) {
        let (client, evaluator, mut rng) = keys(Params::preset(name).unwrap());
        let space = client.params().space();
        let (half, modulus) = (space.half(), client.params().message_modulus());
        let cube = |x: i32| (x * x * x + 3) % half;
        let low = |x: i32| x % modulus;
        let high = |x: i32| x / modulus;
        let one = Lut::new(space, 0..=half - 1, cube).unwrap();
        let square = |x: i32| x * x % half;
        let split = Lut::many(space, 0..=modulus - 1, &[&low, &cube, &square, &|_| 1]).unwrap();
        let digits = Lut::multi_value(space, 0..=half - 1, &[&low, &high]).unwrap();
        let mut cases = Vec::new();
        for value in (0..half).step_by(step) {
            let [x, y] = [low(value), high(value)].map(|message| message as u32);
            let [x, y] = [x, y].map(|message| client.encrypt::<Block>(message, &mut rng).unwrap());
            let input = x.add_scaled(&y, modulus).unwrap();
            cases.push((input.clone(), &one, vec![cube(value)]));
            cases.push((input, &digits, vec![low(value), high(value)]));
            let message = low(value);
            cases.push((x, &split, vec![message, cube(message), square(message), 1]));
        }
        let jobs: Vec<_> = cases.iter().map(|(input, lut, _)| Job { input, lut }).collect();
        let results = evaluator.bootstrap(&jobs).unwrap();
        for ((_, _, expected), outputs) in cases.iter().zip(&results) {
            let got: Vec<_> = outputs.iter().map(|o| client.decrypt(o).unwrap()).collect();
            assert_eq!(&got, expected, "{name}");
        }
    }
}

#[test]
fn every_kind_of_table_gives_the_clear_result() {
    for name in ["u_2_2_128", "tfhe_rs_2_2"] {
        let (client, evaluator, mut rng) = keys(Params::preset(name).unwrap());
        let space = client.params().space();
        let blocks: Vec<_> =
            (0..4).map(|m| client.encrypt::<Block>(m, &mut rng).unwrap()).collect();
        for (m, block) in blocks.iter().enumerate() {
            assert_eq!(client.decrypt(block).unwrap(), m as i32);
        }
        let square = Lut::new(space, 0..=15, |x| x * x % 16).unwrap();
        let split = Lut::many(space, 0..=7, &[&|x| x % 4, &|x| x / 4]).unwrap();
        let sign = Lut::new(space, -15..=15, i32::signum).unwrap();
        let digits = Lut::multi_value(space, 0..=15, &[&|x| x % 4, &|x| x / 4]).unwrap();
        let positive = Lut::new(space, -15..=16, |x| i32::from(x > 0)).unwrap();
        let mut cases = Vec::new();
        for a in 0..4_i32 {
            for b in 0..4_i32 {
                let (x, y) = (&blocks[a as usize], &blocks[b as usize]);
                cases.push((x.add(y).unwrap(), &split, vec![(a + b) % 4, (a + b) / 4]));
                let nibble = y.add_scaled(x, 4).unwrap();
                cases.push((nibble.clone(), &digits, vec![b, a]));
                cases.push((nibble, &square, vec![(4 * a + b).pow(2) % 16]));
                let signed = x.sub(y).unwrap().mul_scalar(4).add(y).unwrap().sub_scalar(2);
                let value = 4 * (a - b) + b - 2;
                cases.push((signed.clone(), &sign, vec![value.signum()]));
                cases.push((signed, &positive, vec![i32::from(value > 0)]));
            }
        }
        cases.retain(|(input, ..)| input.noise_variance() <= client.params().max_noise_variance());
        let jobs: Vec<_> = cases.iter().map(|(input, lut, _)| Job { input, lut }).collect();
        let results = evaluator.bootstrap(&jobs).unwrap();
        for ((_, _, expected), outputs) in cases.iter().zip(&results) {
            let got: Vec<_> = outputs.iter().map(|o| client.decrypt(o).unwrap()).collect();
            assert_eq!(&got, expected, "{name}");
        }
    }
}

#[test]
fn what_cannot_be_decrypted_is_refused() {
    let params = Params::preset("u_bool_128").unwrap();
    let mut rng = SecretRng::insecure_from_seed(3);
    let client = ClientKey::generate(&params, &mut rng);
    let one = client.encrypt::<Block>(1, &mut rng).unwrap();
    // The space has four messages: 0 to 3 can be told apart, 0 to 4 cannot.
    assert_eq!(client.decrypt(&one.mul_scalar(3)).unwrap(), 3);
    let wide = client.decrypt(&one.mul_scalar(4)).unwrap_err();
    assert_eq!(
        wide,
        Error::Table(TableError::OutsideDomain { low: 0, high: 4, domain_low: 0, domain_high: 3 }),
        "{wide}"
    );
    // Decryption allows more noise than a bootstrap, but not any amount. The block is a fresh zero
    // that claims the range 0 to 0.
    let frame = client.encrypt::<Block>(0, &mut rng).unwrap().to_bytes(&params).unwrap();
    let nothing = Block::from_bytes(&params, &with_bytes(&frame, 0, &[0; 8])).unwrap();
    let simulated = Block::simulated(params.space(), 0, (0, 0));
    assert!(matches!(client.decrypt(&simulated), Err(Error::Simulated { .. })));
    assert!(params.max_noise_variance() < 9);
    assert_eq!(client.decrypt(&nothing.mul_scalar(3)).unwrap(), 0);
    let noisy = client.decrypt(&nothing.mul_scalar(1000)).unwrap_err();
    assert!(
        matches!(
            noisy,
            Error::NoiseExceeded { noise_variance: 1_000_000, limit: 9..1_000_000, .. }
        ),
        "{noisy}"
    );
}

#[test]
fn tables_of_values_beyond_all_spaces_are_refused() {
    let space = Params::preset(Params::INTEGERS).unwrap().space();
    let far = |x: i32| if x == 1 { (1 << 24) + 1 } else { 0 };
    let limit = 1 << 24;
    let refused = Error::Table(TableError::ValueTooLarge { argument: 1, limit });
    assert_eq!(Lut::new(space, 0..=15, far).unwrap_err(), refused);
    assert_eq!(Lut::many(space, 0..=7, &[&|x| x, &far]).unwrap_err(), refused);
    assert_eq!(Lut::multi_value(space, 0..=15, &[&far]).unwrap_err(), refused);
    assert_eq!(Lut::negacyclic(space, 0, &[&|x| -far(x)]).unwrap_err(), refused);
    let refused = Error::Table(TableError::ConstantTooLarge { limit });
    assert_eq!(Lut::negacyclic(space, i32::MIN, &[&|x| x]).unwrap_err(), refused);
    let edge =
        Lut::multi_value(space, 0..=15, &[&|x| if x % 2 == 0 { 1 << 24 } else { -(1 << 24) }]);
    assert_eq!(edge.unwrap().noise_variance(0), Ok(u32::MAX));
    // No function is called for an impossible domain.
    let never = |_: i32| -> i32 { panic!("called") };
    for (low, high) in [(-5, i32::MAX), (i32::MIN, 5), (3, 2), (0, 32), (-32, -1)] {
        let refused = Lut::new(space, low..=high, never).unwrap_err();
        assert!(matches!(refused, Error::Table(TableError::Domain { .. })), "{refused}");
    }
    assert!(matches!(
        Lut::multi_value(space, 0..=15, &[]),
        Err(Error::Table(TableError::NoFunction))
    ));
}
