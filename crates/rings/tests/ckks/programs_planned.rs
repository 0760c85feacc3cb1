//! Plans of whole programs: they carry their program, and no smaller preset does.

use super::normalizations::NORMALIZATIONS;
use fathom::ckks::{
    Approximation, Automatic, Ciphertext, CircuitPlan, Encryption, Evaluator, Interval, LinearMap,
    Packed, Params, Preset, SignApproximation,
};
use fathom::{Error, SecurityLevel};
use std::time::Instant;

type Outcome = Result<Ciphertext, Error>;

/// A program on fresh ciphertexts whose values are up to 1, with the bits that it is planned for.
struct Program {
    name: &'static str,
    bits: f64,
    run: Box<dyn Fn(&Evaluator) -> Outcome>,
}

fn program(
    name: &'static str,
    bits: f64,
    run: impl Fn(&Evaluator) -> Outcome + 'static,
) -> Program {
    Program { name, bits, run: Box::new(run) }
}

fn fresh(server: &Evaluator) -> Outcome {
    let top = server.params().top_level();
    server.simulated_encryption_within(Encryption::SecretKey, 1.0, top)
}

fn square_repeatedly(server: &Evaluator, times: usize) -> Outcome {
    (0..times).try_fold(fresh(server)?, |x, _| server.square(&x))
}

fn mapped(server: &Evaluator, x: &Ciphertext, rows: usize, columns: usize) -> Outcome {
    let entry = |i: usize, j: usize| ((i * 7 + j * 3) % 11) as f64 / 11.0 / columns as f64;
    let matrix: Vec<Vec<f64>> =
        (0..rows).map(|i| (0..columns).map(|j| entry(i, j)).collect()).collect();
    let map = LinearMap::for_level(server.params(), &matrix, x.level())?;
    Ok(server.transform(&map, &Packed::assume(map.size(), x.clone()))?.into_value())
}

fn sign() -> SignApproximation {
    SignApproximation::new(0.05, &[7, 15]).unwrap()
}

fn sums_and_products() -> Vec<Program> {
    vec![
        program("a sum", 12.0, |s| s.add(&fresh(s)?, &fresh(s)?)),
        program("a product", 12.0, |s| s.mul(&fresh(s)?, &fresh(s)?)),
        program("a precise product", 24.0, |s| s.mul(&fresh(s)?, &fresh(s)?)),
        program("two squares", 16.0, |s| square_repeatedly(s, 2)),
        program("five squares", 12.0, |s| square_repeatedly(s, 5)),
        program("ten squares", 10.0, |s| square_repeatedly(s, 10)),
        program("ten precise squares", 24.0, |s| square_repeatedly(s, 10)),
        program("a difference of squares", 14.0, |s| {
            let (a, b) = (fresh(s)?, fresh(s)?);
            s.sub(&s.square(&a)?, &s.square(&b)?)
        }),
        program("an inner product of lists", 14.0, |s| {
            let list = |_| fresh(s);
            let [a, b] = [(); 2].map(|()| (0..8).map(list).collect::<Result<Vec<_>, _>>());
            s.dot(&a?, &b?)
        }),
        program("an inner product of slots", 10.0, |s| {
            s.sum_rotations(&s.mul(&fresh(s)?, &fresh(s)?)?, 128)
        }),
        program("a weighted sum", 14.0, |s| {
            let list: Vec<_> = (0..16).map(|_| fresh(s)).collect::<Result<_, _>>()?;
            s.weighted_sum(&list, &[0.3; 16])
        }),
        program("a real part", 16.0, |s| s.twice_real_part(&fresh(s)?)),
    ]
}

fn statistics() -> Vec<Program> {
    vec![
        program("a mean", 16.0, |s| s.sum_rotations(&s.mul_scalar(&fresh(s)?, 1.0 / 256.0)?, 256)),
        program("a variance", 12.0, |s| {
            let mean = |x: &Ciphertext| s.sum_rotations(&s.mul_scalar(x, 1.0 / 256.0)?, 256);
            let x = fresh(s)?;
            s.sub(&mean(&s.square(&x)?)?, &s.square(&mean(&x)?)?)
        }),
        program("a line through points", 10.0, |s| {
            let (x, y) = (fresh(s)?, fresh(s)?);
            let [xy, xx] = [s.mul(&x, &y)?, s.square(&x)?];
            s.sub(&s.sum_rotations(&xy, 64)?, &s.sum_rotations(&xx, 64)?)
        }),
        program("a narrow matrix", 12.0, |s| mapped(s, &fresh(s)?, 8, 40)),
        program("a layer of a network", 10.0, |s| s.square(&mapped(s, &fresh(s)?, 16, 64)?)),
        program("two layers", 8.0, |s| {
            let hidden = s.square(&mapped(s, &fresh(s)?, 16, 64)?)?;
            mapped(s, &hidden, 4, 16)
        }),
    ]
}

fn functions() -> Vec<Program> {
    let wave = Approximation::new(|x| (3.0 * x).sin(), Interval::new(-1.0, 1.0), 31).unwrap();
    vec![
        program("a polynomial", 12.0, |s| {
            s.evaluate_polynomial(&fresh(s)?, &[0.1, -0.4, 0.0, 0.2, 0.0, 0.0, 0.0, 0.05])
        }),
        program("a sine", 10.0, move |s| s.evaluate_function(&fresh(s)?, &wave)),
        program("an exponential", 10.0, |s| s.exp(&fresh(s)?, Interval::new(-1.0, 1.0), 15)),
        program("a logistic function", 10.0, |s| s.sigmoid(&fresh(s)?, Interval::UNIT, 15)),
        program("a regression", 8.0, |s| {
            let score = s.sum_rotations(&s.mul_scalar(&fresh(s)?, 1.0 / 32.0)?, 32)?;
            s.sigmoid(&score, Interval::UNIT, 15)
        }),
        program("a sign", 4.0, |s| s.sign(&fresh(s)?, &sign())),
        program("a comparison", 4.0, |s| {
            let half = |x: Ciphertext| s.mul_scalar(&x, 0.5);
            s.gt(&half(fresh(s)?)?, &half(fresh(s)?)?, &sign())
        }),
        program("a maximum", 3.0, |s| {
            let half = |x: Ciphertext| s.mul_scalar(&x, 0.5);
            s.max(&half(fresh(s)?)?, &half(fresh(s)?)?, &sign())
        }),
        program("a search by similarity", 3.0, |s| {
            let product = s.mul_scalar(&s.mul(&fresh(s)?, &fresh(s)?)?, 1.0 / 128.0)?;
            let close = s.sign(&s.sum_rotations(&product, 128)?, &sign())?;
            s.mul(&close, &fresh(s)?)
        }),
    ]
}

fn normalizations() -> Vec<Program> {
    let all = NORMALIZATIONS.iter();
    all.map(|known| program(known.name, known.bits, |s| known.simulated(s))).collect()
}

/// Returns the bits of the result under some parameters, if they have room for the program.
fn precision(params: &Params, program: &Program) -> Option<f64> {
    let server = Evaluator::simulated(params).unwrap();
    (program.run)(&server).ok().map(|result| result.precision_bits())
}

/// The row of docs/programs.md for a plan.
fn row(program: &Program, plan: &CircuitPlan<Automatic>) -> String {
    let params = plan.params();
    format!(
        "| {} | {} | {} | {} | {} | {:.1} | {} |",
        program.name,
        program.bits,
        params.degree(),
        params.depth(),
        params.spec().scale_bits,
        plan.precision_bits()[0],
        plan.rotations().steps.len()
    )
}

fn assert_planned(programs: Vec<Program>) {
    let page = include_str!("../../../../docs/programs.md");
    let mut missing = Vec::new();
    for program in programs {
        let start = Instant::now();
        let run = |server: &Evaluator| Ok(vec![(program.run)(server)?]);
        let plan = Params::for_circuit(run, program.bits, SecurityLevel::Bits128).unwrap();
        let seconds = start.elapsed().as_secs_f64();
        let (params, name) = (plan.params(), program.name);
        let size =
            |params: &Params| (params.degree(), params.log2_modulus(params.top_level()).unwrap());
        println!(
            "{name}: {:?}, {:.1} bits, {seconds:.2} s",
            size(params),
            plan.precision_bits()[0]
        );
        let found = precision(params, &program).unwrap();
        assert!(found >= program.bits, "{name}: {found} bits");
        missing.extend(Some(row(&program, &plan)).filter(|row| !page.contains(row)));
        for preset in Preset::ALL {
            let preset = Params::preset(preset).unwrap();
            let (smaller, bits) = (size(&preset) < size(params), precision(&preset, &program));
            if let Some(bits) = bits.filter(|bits| smaller && *bits >= program.bits) {
                panic!("{name}: {} carries it with {bits} bits", preset.name());
            }
        }
    }
    assert!(missing.is_empty(), "docs/programs.md lacks\n{}", missing.join("\n"));
}

#[test]
fn sums_and_products_have_the_smallest_parameters() {
    assert_planned(sums_and_products());
}

#[test]
fn statistics_and_layers_have_the_smallest_parameters() {
    assert_planned(statistics());
}

#[test]
fn normalizations_have_the_smallest_parameters() {
    assert_planned(normalizations());
}

#[test]
fn functions_and_comparisons_have_the_smallest_parameters() {
    assert_planned(functions());
}
