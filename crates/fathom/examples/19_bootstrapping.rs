//! A chain of products without end: CKKS whose evaluator bootstraps by itself.
//!
//! `cargo run --release -p fathom --example 19_bootstrapping [set] [products] [threads] [slots]`
//! with set `boot-c` (default), `boot-a13`, `boot-a` or `boot-b`. With fewer slots than there are,
//! numbers repeat: keys are smaller, and bootstrappings take less time.

use fathom::SecretRng;
use fathom::ckks::{
    BootstrapEvaluator, BootstrapParams, BootstrapSecret, BootstrapSet, Bootstrapper, Complex64,
    Evaluator, Params, Policy, Rotations, SecretKey,
};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let set: BootstrapSet = arguments.next().as_deref().unwrap_or("boot-c").parse()?;
    let products: usize = arguments.next().as_deref().unwrap_or("9").parse()?;
    let threads: usize = arguments.next().as_deref().unwrap_or("1").parse()?;
    let params = Params::bootstrappable(set)?;
    let all = params.slot_count();
    let slots: usize = arguments.next().map_or(Ok(all), |slots| slots.parse())?;
    let bytes = if slots == all {
        params.bootstrapping_keys_byte_len()?
    } else {
        params.sparse_bootstrapping_keys_byte_len(slots)?
    };
    println!("{set}, {slots} slots: keys of {:.0} MB on the wire", bytes as f64 / 1e6);
    let mut rng = SecretRng::from_os()?;
    let secret = SecretKey::generate(&params, &mut rng);
    let started = Instant::now();
    let keys = secret.evaluation_keys(&Rotations::none(), &mut rng)?;
    let bootstrapping = if slots == all {
        secret.bootstrapping_keys(&mut rng)?
    } else {
        secret.sparse_bootstrapping_keys(slots, &mut rng)?
    };
    println!("keys in {:.1} s", started.elapsed().as_secs_f64());
    let started = Instant::now();
    let bootstrapper = Bootstrapper::new(bootstrapping).with_threads(threads)?;
    let policy = if slots == all { Policy::Automatic } else { Policy::Explicit };
    let server = Evaluator::new(keys).with_bootstrapping(bootstrapper, policy)?;
    let lowest = params.top_level().get() - params.depth();
    println!("prepared in {:.1} s", started.elapsed().as_secs_f64());

    // Complex numbers of absolute value 1 in every slot: so are their products.
    let turns: Vec<_> = (0..slots).map(|i| Complex64::cis(0.618 * i as f64)).collect();
    let turn = secret.encrypt(&params.encode_repeated(&turns)?, &mut rng)?;
    let (mut x, mut values) = (turn.clone(), turns.clone());
    for product in 1..=products {
        let (started, before) = (Instant::now(), server.bootstrap_count());
        if slots < all && x.level().get() == lowest {
            // That numbers repeat is known here, and not to the evaluator.
            x = server.bootstrap(&x)?;
        }
        x = server.mul(&x, &turn)?;
        let seconds = started.elapsed().as_secs_f64();
        for (value, turn) in values.iter_mut().zip(&turns) {
            *value *= turn;
        }
        if server.bootstrap_count() == before && product < products {
            continue;
        }
        let result = secret.decrypt(&x)?;
        let found = result.slots_complex();
        let distance = found.iter().zip(values.iter().cycle()).map(|(a, b)| (a - b).norm());
        let worst = distance.clone().fold(0.0, f64::max);
        let mean = (distance.map(|d| d * d).sum::<f64>() / found.len() as f64).sqrt();
        println!(
            "product {product}: {seconds:.2} s, level {}, worst error 2^{:.1} (rms 2^{:.1}), bound \
             2^{:.1}",
            x.level(),
            worst.log2(),
            mean.log2(),
            result.error_bound().log2()
        );
        assert!(worst <= result.error_bound());
    }
    println!("{} bootstrappings", server.bootstrap_count());
    Ok(())
}
