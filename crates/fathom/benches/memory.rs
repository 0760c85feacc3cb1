//! New memory of results: `add` of BFV with every result freed at once, assigned over the last one,
//! or kept. Prints the time and the page faults of a result.
//!
//! A result of `e1` has 4 rows of 32 KB, one of `e2` 12 of 64 KB. Freed rows are taken again while
//! they are in the cache: no fault, and the time of the sum alone. A kept result needs new memory,
//! which the system clears: 128 KB at about 10 GB/s are 13 us, and 32 faults of 4 KB each cost
//! about 20 us more, or one fault of 2 MB for 16 results where the system grants huge pages.

use fathom::bfv::{Ciphertext, Evaluator, Params, Preset, SecretKey};
use fathom::{Error, SecretRng};
use std::hint::black_box;
use std::time::Instant;

/// Number of results that are kept at the same time.
const KEPT: usize = 1000;

/// Returns the page faults of this process so far that took no disk, or none where the system does
/// not say.
fn faults() -> Option<u64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let (_, fields) = stat.rsplit_once(')')?;
    fields.split_whitespace().nth(7)?.parse().ok()
}

/// Runs the operation, prints what one of its results took, and returns what it kept.
fn measured<T>(
    name: &str,
    count: usize,
    mut operation: impl FnMut() -> Result<T, Error>,
) -> Result<T, Error> {
    let (before, start) = (faults(), Instant::now());
    let kept = operation()?;
    let micros = start.elapsed().as_secs_f64() * 1e6 / count as f64;
    let faults = before.zip(faults()).map_or("unknown".to_owned(), |(before, after)| {
        format!("{:.2}", (after - before) as f64 / count as f64)
    });
    println!("{name}: {micros:.1} us, {faults} page faults a result");
    Ok(kept)
}

fn sums(preset: Preset, count: usize) -> Result<(), Error> {
    let params = Params::preset(preset)?;
    let mut rng = SecretRng::insecure_from_seed(1);
    let secret = SecretKey::generate(&params, &mut rng);
    let plain = params.encode(&[1, 2, 3])?;
    let [a, b] = [secret.encrypt(&plain, &mut rng)?, secret.encrypt(&plain, &mut rng)?];
    let server = Evaluator::without_keys(&params);
    let name = |what: &str| format!("add/bfv/{}/{what}", preset.name());
    let freed =
        |count: usize| (0..count).try_for_each(|_| server.add(&a, &b).map(|c| drop(black_box(c))));
    freed(16)?;
    measured(&name("freed"), count, || freed(count))?;
    let out = measured(&name("assigned"), count, || {
        let mut out = server.add(&a, &b)?;
        for _ in 1..count {
            out = server.add(&out, &b)?;
        }
        Ok(out)
    })?;
    drop(out);
    let add_all = || (0..count).map(|_| server.add(&a, &b)).collect::<Result<Vec<Ciphertext>, _>>();
    let all = measured(&name("kept"), count, add_all)?;
    let sum = server.add(&a, &b)?;
    let last = secret.decrypt(&all[count - 1])?;
    assert!(last == secret.decrypt(&sum)? && last.slots()?[..3] == [2, 4, 6]);
    drop(all);
    let again = measured(&name("kept again"), count, add_all)?;
    drop(again);
    Ok(())
}

fn main() -> Result<(), Error> {
    // As a test, one small run.
    let count = if std::env::args().any(|argument| argument == "--test") { 16 } else { KEPT };
    [Preset::E1, Preset::E2].into_iter().try_for_each(|preset| sums(preset, count))
}
