//! Row operations of torus schemes: transform, external product and blind rotation.

use std::hint::black_box;

use fathom_cases::program::Meter;
use fathom_cases::program::Program;
use fathom_documents::options::Options;
use fathom_kernels::RealRow;
use fathom_kernels::available_torus;
use fathom_kernels::torus::{
    Decomposition, FourierTable, ProductShape, Rotation, SharedRotation, TorusKernel,
};

use super::roofline::{Work, note};

/// Degree of the ring.
const DEGREE: usize = 2048;

/// Steps of a blind rotation: a key of dimension 918, two bits a step.
const STEPS: usize = 459;

/// Returns the operations on every kernel of this processor.
pub(super) fn programs(options: &Options) -> Vec<Program> {
    let mut programs = Vec::new();
    for kernel in available_torus() {
        let params = format!("{}-n{DEGREE}", kernel.name());
        let text = "negacyclic Fourier transform of one polynomial, and back";
        programs.push(Program::infallible(
            "kernel",
            params.clone(),
            "fourier",
            text,
            move |meter| {
                fourier(meter, kernel);
            },
        ));
        let steps = if options.quick { 16 } else { STEPS };
        let rotations = [
            ("external_product", 1, "one step of a blind rotation over two key bits"),
            ("blind_rotation", steps, "blind rotation over two key bits a step"),
        ];
        for (op, steps, text) in rotations {
            let text = format!("{text}, {steps} steps, checked by another kernel");
            programs.push(Program::infallible("kernel", params.clone(), op, text, move |meter| {
                rotation(meter, kernel, steps);
            }));
        }
    }
    programs
}

fn fourier(meter: &mut Meter, kernel: &'static dyn TorusKernel) {
    let table = FourierTable::new(DEGREE);
    let polynomial: Vec<f64> = (0..DEGREE).map(|i| (i * 911 % 1001) as f64 - 500.0).collect();
    let (mut spectrum, mut out) = (RealRow::zeroed(DEGREE), RealRow::zeroed(DEGREE));
    meter.time_plain(1, || {
        out.fill(0.0);
        kernel.forward(&table, black_box(&polynomial), &mut spectrum);
        kernel.inverse_add(&table, &mut spectrum, &mut out);
    });
    let scaled = out.iter().map(|x| (x / (DEGREE / 2) as f64).round() as i64);
    meter.check(scaled, polynomial.iter().map(|x| *x as i64));
    note(meter, kernel.name(), Work { multiplications: None, bytes: 32.0 * DEGREE as f64 });
}

/// The key, the exponents and the shape of a rotation.
struct Rotated {
    shape: ProductShape,
    key: RealRow,
    exponents: Vec<u32>,
}

impl Rotated {
    fn new(steps: usize) -> Self {
        let digits = Decomposition { base_log: 22, levels: 1 };
        let shape = ProductShape {
            degree: DEGREE,
            extension: 1,
            rank: 1,
            mask: digits,
            body: digits,
            selectors: 3,
        };
        let mut key = RealRow::zeroed(steps * shape.step_len());
        key.iter_mut().enumerate().for_each(|(i, x)| *x = ((i % 977) as f64 - 488.0) * 2e3);
        let exponents = (0..steps * 3).map(|i| (i * 911 % (2 * DEGREE)) as u32).collect();
        Self { shape, key, exponents }
    }

    /// Returns a coefficient of the accumulator before the rotation.
    fn start(index: usize) -> f64 {
        ((index % 251) as f64 - 125.0) * 1e15
    }

    /// Rotates the accumulator.
    fn run(&self, kernel: &dyn TorusKernel, table: &FourierTable, accumulator: &mut RealRow) {
        accumulator.iter_mut().enumerate().for_each(|(i, x)| *x = Self::start(i));
        let mut scratch = RealRow::zeroed(self.shape.scratch_len());
        let rotation = Rotation { shape: self.shape, key: &self.key, exponents: &self.exponents };
        kernel.rotate(table, &SharedRotation::new(rotation, accumulator, &mut scratch, 1));
    }
}

/// Times a rotation and compares it with that of a kernel of another kind.
fn rotation(meter: &mut Meter, kernel: &'static dyn TorusKernel, steps: usize) {
    let (own, table) = (Rotated::new(steps), FourierTable::new(DEGREE));
    let [mut found, mut expected] = [(); 2].map(|()| RealRow::zeroed(own.shape.accumulator_len()));
    meter.time_plain(1, || own.run(black_box(kernel), &table, &mut found));
    let other = available_torus().into_iter().rev().find(|other| other.name() != kernel.name());
    own.run(other.unwrap_or(kernel), &table, &mut expected);
    let most = expected.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
    let close = found.iter().zip(expected.iter()).map(|(a, b)| (a - b).abs() <= most * 1e-6);
    let size = found.len();
    // Every step adds about a thousandth of the accumulator, so a rotation that does nothing is
    // noticed.
    let moved = found.iter().enumerate();
    let moved = moved.filter(|(i, x)| (*x - Rotated::start(*i)).abs() > most * 1e-5).count();
    meter.check(close.chain([2 * moved > size]), std::iter::repeat_n(true, size + 1));
    let bytes = 8.0 * (own.key.len() + 2 * size) as f64;
    note(meter, kernel.name(), Work { multiplications: None, bytes });
}
