//! Real numbers with CKKS: averages, a logistic function and a comparison of encrypted numbers,
//! each with a bound on its error.

use fathom::SecretRng;
use fathom::ckks::{Evaluator, Interval, Params, Preset, Rotations, SecretKey, SignApproximation};

fn main() -> Result<(), fathom::Error> {
    // Six products, 8192 slots, 128 bits of security.
    let params = Params::preset(Preset::E3)?;
    let mut rng = SecretRng::from_os()?;
    let secret = SecretKey::generate(&params, &mut rng);
    let rotations = Rotations::steps(&[1, 2]);
    let server = Evaluator::new(secret.evaluation_keys(&rotations, &mut rng)?);

    // Four measurements, repeated to fill all slots. Slots are at most 1 in absolute value.
    let x = [0.75, -0.5, 0.125, 0.875];
    let y = [0.25, 0.25, -0.5, 0.5];
    let encrypted = [x, y].map(|values| {
        let plain = params.encode_repeated(&values)?;
        secret.encrypt(&plain, &mut rng)
    });
    let [a, b] = encrypted;
    let (a, b) = (a?, b?);

    // The mean of the products: four slots are added with rotations by 1 and 2.
    let products = server.mul(&a, &b)?;
    let mean = server.mul_scalar(&server.sum_rotations(&products, 4)?, 0.25)?;

    // The logistic function, by a Chebyshev interpolation of degree 7.
    let logistic = server.sigmoid(&a, Interval::UNIT, 7)?;

    // 1 where a > b, 0 where a < b. Differences have to stay within -1..=1, so halves are compared.
    let sign = SignApproximation::new(0.1, &[3, 7])?;
    let (half_a, half_b) = (server.mul_scalar(&a, 0.5)?, server.mul_scalar(&b, 0.5)?);
    let greater = server.greater(&half_a, &half_b, &sign)?;

    for (name, result) in [("mean", &mean), ("logistic", &logistic), ("greater", &greater)] {
        let slots = secret.decrypt(result)?.slots();
        let bits = result.precision_bits();
        println!("{name:9} {:.4?}, {bits:.1} bits at level {}", &slots[..4], result.level());
    }

    let mean = secret.decrypt(&mean)?;
    let expected = (0.1875 - 0.125 - 0.0625 + 0.4375) / 4.0;
    assert!((mean.slots()[0] - expected).abs() <= mean.error_bound());
    let logistic = secret.decrypt(&logistic)?;
    let expected = 1.0 / (1.0 + (-x[0]).exp());
    assert!((logistic.slots()[0] - expected).abs() <= logistic.error_bound());
    let greater: Vec<f64> = secret.decrypt(&greater)?.slots().iter().map(|x| x.round()).collect();
    assert_eq!(greater[..4], [1.0, 0.0, 1.0, 1.0]);
    Ok(())
}
