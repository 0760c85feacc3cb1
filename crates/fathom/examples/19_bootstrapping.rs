//! A chain of products without end: CKKS with bootstrapping.
//!
//! `cargo run --release -p fathom --example bootstrap_ckks [set]` with set `boot-c` (default),
//! `boot-a13` or `boot-a`; the last two take 16 GB of memory.

use fathom::SecretRng;
use fathom::ckks::{BootstrapSet, Bootstrapper, Complex64, Params, SecretKey};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let set: BootstrapSet = std::env::args().nth(1).as_deref().unwrap_or("boot-c").parse()?;
    let params = Params::bootstrappable(set)?;
    let mut rng = SecretRng::from_os()?;
    let secret = SecretKey::generate(&params, &mut rng);
    let started = Instant::now();
    let keys = secret.bootstrapping_keys(&mut rng)?;
    println!("{set}: keys in {:.1} s", started.elapsed().as_secs_f64());
    let started = Instant::now();
    let server = Bootstrapper::new(keys)?;
    println!("prepared in {:.1} s", started.elapsed().as_secs_f64());

    // Complex numbers in every slot, up to 1 in absolute value.
    let angle = |i: usize| i as f64 * 0.618;
    let values: Vec<_> =
        (0..params.slot_count()).map(|i| Complex64::from_polar(1.0, angle(i))).collect();
    let x = secret.encrypt(&params.encode(&values)?, &mut rng)?;
    for round in 1..=2 {
        let started = Instant::now();
        let fresh = server.bootstrap(&x)?;
        let seconds = started.elapsed().as_secs_f64();
        let result = secret.decrypt(&fresh)?;
        let slots = result.slots_complex();
        let distance = slots.iter().zip(&values).map(|(a, b)| (a - b).norm());
        let worst = distance.clone().fold(0.0, f64::max);
        let mean = (distance.map(|d| d * d).sum::<f64>() / values.len() as f64).sqrt();
        println!(
            "round {round}: {seconds:.2} s to level {}, worst error 2^{:.1} (rms 2^{:.1}), bound \
             2^{:.1}",
            fresh.level(),
            worst.log2(),
            mean.log2(),
            result.error_bound().log2()
        );
        assert!(worst <= result.error_bound());
    }
    Ok(())
}
