//! A weighted sum of encrypted vectors, written once for BFV, BGV, CKKS and wide integers.
//!
//! `cargo run --release -p fathom --example 18_any_scheme`

use fathom::prelude::*;
use fathom::rlwe::{Ciphertext, Evaluator, Params, Scheme, SecretKey};

/// The server's part: the sum of the vectors times their weights, which are clear, plus 100.
fn weighted_sum<S: Scheme>(
    server: &Evaluator<S>,
    vectors: &[Ciphertext<S>],
    weights: &[Vec<S::Value>],
) -> Result<Ciphertext<S>, Error> {
    let mut terms = Vec::new();
    for (vector, weights) in vectors.iter().zip(weights) {
        let weights = S::to_factor(&S::encode(server.params(), weights)?, vector.level())?;
        terms.push(server.mul_plain(vector, &weights)?);
    }
    server.add_scalar(&server.sum(&terms)?, S::Value::from(100))
}

/// The client's part. The vectors have `length` values, at most three.
fn run<S: Scheme>(params: &Params<S>, length: usize) -> Result<Vec<S::Value>, Error> {
    let vector = |values: [i32; 3]| values[..length].iter().map(|&v| S::Value::from(v)).collect();
    let vectors: [Vec<S::Value>; 2] = [[1, 2, 3], [4, 5, 6]].map(vector);
    let weights: [Vec<S::Value>; 2] = [[10, 20, 30], [-1, 0, 1]].map(vector);

    let mut rng = SecretRng::from_os()?;
    let secret = SecretKey::generate(params, &mut rng);
    let encrypt = |values: &Vec<S::Value>, rng: &mut SecretRng| {
        secret.encrypt(&S::encode(params, values)?, rng)
    };
    let inputs = [encrypt(&vectors[0], &mut rng)?, encrypt(&vectors[1], &mut rng)?];

    // Products with clear weights need no keys.
    let server = Evaluator::without_keys(params);
    let result = weighted_sum(&server, &inputs, &weights)?;

    let mut values = S::decode(&secret.decrypt(&result)?)?;
    values.truncate(length);
    Ok(values)
}

fn main() -> Result<(), Error> {
    let expected = [106, 140, 196];
    let bfv = run(&bfv::Params::preset(Preset::E1)?, 3)?;
    assert_eq!(bfv, expected);
    let bgv = run(&bgv::Params::preset(Preset::E1)?, 3)?;
    assert_eq!(bgv, expected);
    // Values and weights of up to 32 instead of 1.
    let spec = ckks::Spec { magnitude: 32.0, ..ckks::Preset::E3.spec() };
    let reals = run(&ckks::Params::new(spec)?, 3)?;
    assert!(reals.iter().zip(expected).all(|(real, exact)| (real - exact as f64).abs() < 0.01));
    let wide = run(&wide::Params::preset(wide::Preset::E4)?, 1)?;
    assert_eq!(wide, [wide::Integer::from(106)]);
    println!("BFV {bfv:?}, BGV {bgv:?}, CKKS {reals:.3?}, wide integers {:?}", wide[0].to_i64());
    Ok(())
}

#[test]
fn runs() -> Result<(), Error> {
    main()
}
