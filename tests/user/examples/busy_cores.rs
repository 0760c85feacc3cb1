//! M2: compares the median time of single bootstraps on one and on two evaluator threads, in
//! alternation, on idle cores and with two busy threads in the background.
//!
//! `cargo run --release --example busy_cores`

use fathom::prelude::*;
use fathom_user::Outcome;
use std::hint::{black_box, spin_loop};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Number of bootstraps of each kind.
const ROUNDS: usize = 200;

fn main() -> Outcome {
    let mut rng = SecretRng::from_os()?;
    let client =
        tfhe::ClientKey::generate(&tfhe::Params::preset(tfhe::Params::INTEGERS)?, &mut rng);
    let seeded = client.seeded_evaluation_keys(&mut rng)?;
    let on = |threads| -> Result<ShortInts, Box<dyn std::error::Error + Send + Sync>> {
        Ok(ShortInts::new(tfhe::Evaluator::new(seeded.expand()?, threads)?)?)
    };
    let evaluators = [on(1)?, on(2)?];
    let x = client.encrypt(3, &mut rng)?;
    let measure = |name: &str| -> Outcome {
        let mut times = [Vec::new(), Vec::new()];
        for _ in 0..ROUNDS {
            for (ints, times) in evaluators.iter().zip(&mut times) {
                let start = Instant::now();
                black_box(ints.apply(&x, |x| 3 - x)?);
                times.push(start.elapsed().as_secs_f64() * 1e3);
            }
        }
        let [one, two] = times.map(|mut times| {
            times.sort_by(f64::total_cmp);
            (times[ROUNDS / 2], times.iter().sum::<f64>() / ROUNDS as f64)
        });
        println!(
            "{name}: one thread {:.1} ms (mean {:.1}), two {:.1} ms (mean {:.1}), ratio {:.2}",
            one.0,
            one.1,
            two.0,
            two.1,
            two.0 / one.0,
        );
        Ok(())
    };
    measure("cores as they are")?;
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    spin_loop();
                }
            });
        }
        let measured = measure("two busy threads beside");
        done.store(true, Ordering::Relaxed);
        measured
    })
}
