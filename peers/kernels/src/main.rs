//! Prints the ratios of the times of the peer's transforms to those of Fathom's.
//!
//! Measurements are interleaved: a round times one batch of each transform, so that a disturbance
//! of the machine affects all of them. The ratio is the median over rounds of the ratio within a
//! round.

use peer_kernels::{Contestant, DEGREES, Unavailable, forward, inverse};
use std::process::ExitCode;
use std::time::Instant;

/// Number of rounds for each degree and direction, unless the first argument sets it.
const ROUNDS: usize = 201;
/// Approximate duration of a batch, in seconds.
const BATCH: f64 = 100e-6;

fn main() -> ExitCode {
    let rounds = match std::env::args().nth(1).map(|rounds| rounds.parse()) {
        None => ROUNDS,
        Some(Ok(rounds)) if rounds > 0 => rounds,
        Some(_) => {
            eprintln!("usage: peer-kernels [ROUNDS]");
            return ExitCode::FAILURE;
        }
    };
    match compare(rounds) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn compare(rounds: usize) -> Result<(), Unavailable> {
    println!("median over n = {rounds} rounds; time of one transform; ratio to tfhe-ntt-49bit\n");
    println!("| direction | N | contestant | us | times faster |");
    println!("|---|---:|---|---:|---:|");
    for degree in DEGREES {
        for (direction, heat) in [("forward", forward(degree)?), ("inverse", inverse(degree)?)] {
            let (names, times) = race(heat, rounds);
            for (name, own) in names.iter().zip(&times) {
                let ratios = times[0].iter().zip(own).map(|(peer, own)| peer / own).collect();
                let (time, ratio) = (median(own.clone()) * 1e6, median(ratios));
                println!("| {direction} | {degree} | {name} | {time:.2} | {ratio:.2} |");
            }
        }
    }
    Ok(())
}

/// Returns the time of one transform in each round, for each contestant.
fn race(mut heat: Vec<Contestant>, rounds: usize) -> (Vec<&'static str>, Vec<Vec<f64>>) {
    let sizes: Vec<_> = heat.iter_mut().map(batch_size).collect();
    let mut times = vec![Vec::with_capacity(rounds); heat.len()];
    for _ in 0..rounds {
        for ((contestant, &size), times) in heat.iter_mut().zip(&sizes).zip(&mut times) {
            contestant.run();
            times.push(time_batch(contestant, size));
        }
    }
    (heat.iter().map(|contestant| contestant.name).collect(), times)
}

/// Returns the number of transforms in a batch.
fn batch_size(contestant: &mut Contestant) -> u32 {
    let mut size = 1;
    while time_batch(contestant, size) * f64::from(size) < BATCH {
        size *= 2;
    }
    size
}

fn time_batch(contestant: &mut Contestant, size: u32) -> f64 {
    let start = Instant::now();
    for _ in 0..size {
        contestant.run();
    }
    start.elapsed().as_secs_f64() / f64::from(size)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
