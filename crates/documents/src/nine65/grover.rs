//! Grover's search as a classical simulation of its amplitudes. Nothing here is a quantum
//! computation, and nothing is encrypted.

use std::hint::black_box;

use fathom_cases::program::Meter;
use fathom_cases::program::Program;

use crate::options::Options;

/// Returns the counts of iterations, and the simulations.
pub(super) fn programs(options: &Options) -> Vec<Program> {
    let sizes: &[u32] = if options.quick { &[10] } else { &[10, 15, 20] };
    let mut programs = Vec::new();
    for &bits in sizes {
        let text = format!("number of Grover iterations for {bits} qubits, by integers");
        let count = move |meter: &mut Meter| {
            let found = meter.time_plain(1, || iterations(black_box(bits)));
            let exact = std::f64::consts::FRAC_PI_4 * f64::from(1u32 << bits).sqrt();
            meter.check([found], [exact as u64]);
        };
        programs.push(Program::infallible(
            "plain",
            format!("q{bits}"),
            "grover_iterations",
            text,
            count,
        ));
        let text = format!("Grover's search over {bits} qubits, simulated on a classical computer");
        let simulate = move |meter: &mut Meter| simulate(meter, bits);
        programs.push(Program::infallible(
            "plain",
            format!("q{bits}"),
            "grover_simulated",
            text,
            simulate,
        ));
    }
    programs
}

/// Returns `floor(pi / 4 sqrt(2^n))`, with the document's fraction 355/452 for `pi / 4`; the root
/// has eight more bits, so that the result is exact for the document's sizes.
fn iterations(bits: u32) -> u64 {
    (355 * (1u64 << (bits + 16)).isqrt() / 452) >> 8
}

fn simulate(meter: &mut Meter, bits: u32) {
    let size = 1usize << bits;
    let marked = meter.seed() as usize % size;
    let count = iterations(bits);
    let amplitudes = meter.time_plain(1, || search(size, black_box(marked), count));
    let largest = (0..size).max_by(|a, b| amplitudes[*a].abs().total_cmp(&amplitudes[*b].abs()));
    // The probability of the marked state is the square of the sine of an angle known in advance.
    let angle = (2 * count + 1) as f64 * (1.0 / (size as f64).sqrt()).asin();
    let close = (amplitudes[marked].powi(2) - angle.sin().powi(2)).abs() < 1e-8;
    meter.check([largest.unwrap_or(size) as u64, u64::from(close)], [marked as u64, 1]);
}

/// Returns the amplitudes after `count` iterations: a sign for the marked state, then the
/// reflection at the mean.
fn search(size: usize, marked: usize, count: u64) -> Vec<f64> {
    let mut amplitudes = vec![1.0 / (size as f64).sqrt(); size];
    for _ in 0..count {
        amplitudes[marked] = -amplitudes[marked];
        // Sums of sums: rounding would grow with the number of terms of a single one.
        let sums = amplitudes.chunks(1024).map(|part| part.iter().sum::<f64>());
        let twice_mean = 2.0 * sums.sum::<f64>() / size as f64;
        for amplitude in &mut amplitudes {
            *amplitude = twice_mean - *amplitude;
        }
    }
    amplitudes
}
