//! Measures the noise of the parameter sets on fresh keys and compares it with the model.
//!
//!     NOISE_SETS=u_2_2,b_bool_128 NOISE_SAMPLES=10000 \
//!         cargo test --release -p fathom --lib noise::record -- --ignored --nocapture
//!
//! Without the variables, it measures every set with 10 000 outputs. A set takes seconds (gates) to
//! two minutes (`3_3`, `4_4`) on one core. The rows of these sets in docs/maths/tfhe-noise.csv are
//! replaced; `docs/maths/tfhe_parameters.py` makes a table of them, and `fathom-security` tests the
//! file.

use super::{Bootstrapper, Scratch, key_switch};
use crate::lwe::LweCiphertext;
use crate::tfhe::Function;
use crate::tfhe::bootstrap::task::{Bootstrap, Input, Table, Task};
use crate::tfhe::modulus_switch::switch_modulus;
use crate::tfhe::noise::record::{BATCHES, Failures, Interval, variance_interval, write_row};
use crate::tfhe::{Block, ClientKey, EvaluationKeys, KeyFamily, Lut, Params, Span};
use crate::threads::Pool;
use fathom_ring::SecretRng;
use std::sync::Arc;

/// Number of batches that share a key.
const BATCHES_OF_KEY: usize = 2;

const RECORD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/maths/tfhe-noise.csv");
const COLUMNS: &str = "set,keys,outputs,variance,low,high,model,\
    norm,inputs,input_variance,input_low,input_high,input_model,\
    failures,expected,failure_log2,failure_log2_high";

#[test]
#[ignore = "minutes a set"]
fn record() {
    let wanted = std::env::var("NOISE_SETS").unwrap_or_default();
    let outputs = std::env::var("NOISE_SAMPLES").map_or(10_000, |text| text.parse().unwrap());
    let presets = Params::presets();
    let names: Vec<_> = presets.iter().map(Params::name).collect();
    for params in &presets {
        if wanted.split(',').any(|prefix| params.name().starts_with(prefix)) {
            let row = measure(params, outputs);
            println!("{row}");
            write_row(RECORD, COLUMNS, &names, &row);
        }
    }
}

/// Runs the measurement on few samples of three sets, under 10 keys each. The intervals have a
/// confidence of 99.9 %, and a variance above the model by more than their width is refused.
#[test]
fn measured_variances_are_not_above_the_model() {
    for (name, outputs) in [("u_bool_128", 1600), ("u_1_1_64", 1200), ("u_2_2_64", 1200)] {
        let params = Params::preset(name).unwrap();
        let mut readings = Readings::new(&params, outputs, 4_000);
        (0..BATCHES).for_each(|batch| readings.add_batch(batch));
        let model = params.noise().variances();
        let inputs = model.total(f64::from(params.max_noise_variance()));
        let cases = [(&readings.outputs, model.blind_rotation), (&readings.inputs, inputs)];
        for (squares, model) in cases {
            let Interval { low, estimate, high } = variance_interval(squares);
            println!("{name}: {:.3} of the model, n {}", estimate / model, squares.len());
            assert!(low <= model, "{name}: {estimate:e} is above {model:e}");
            // Terms for the transform are rounded up.
            assert!(model < 1.2 * high, "{name}: {estimate:e} is far below {model:e}");
            assert!(high < 1.5 * low, "{name}: too few samples to tell");
        }
    }
}

/// Measures a set and returns its line of the record, with the fields of [`COLUMNS`].
fn measure(params: &Params, outputs: usize) -> String {
    let mut readings = Readings::new(params, outputs, 2 * outputs);
    for batch in 0..BATCHES {
        readings.add_batch(batch);
        eprint!(".");
    }
    let noise = params.noise().variances();
    let noise_variance = f64::from(params.max_noise_variance());
    let outputs = variance_interval(&readings.outputs);
    let inputs = variance_interval(&readings.inputs);
    let limit = (-f64::from(params.space().bits()) - 1.0).exp2();
    let failures = Failures::count(&readings.inputs, noise.total(noise_variance), limit);
    format!(
        "{},{},{},{outputs},{:.4e},{noise_variance},{},{inputs},{:.4e},{failures}",
        params.name(),
        readings.keys,
        readings.outputs.len(),
        noise.blind_rotation,
        readings.inputs.len(),
        noise.total(noise_variance),
    )
}

/// Squared errors of a parameter set: of the outputs of blind rotations, and of the exponents to
/// which a bootstrap rounds inputs with the greatest noise variance.
struct Readings {
    params: Params,
    outputs: Vec<f64>,
    inputs: Vec<f64>,
    /// Number of fresh keys so far.
    keys: usize,
    outputs_of_batch: usize,
    inputs_of_batch: usize,
    server: Option<Server>,
}

impl Readings {
    fn new(params: &Params, outputs: usize, inputs: usize) -> Readings {
        Readings {
            params: params.clone(),
            outputs: Vec::new(),
            inputs: Vec::new(),
            keys: 0,
            outputs_of_batch: outputs.div_ceil(BATCHES),
            inputs_of_batch: inputs.div_ceil(BATCHES),
            server: None,
        }
    }

    fn add_batch(&mut self, batch: usize) {
        if batch.is_multiple_of(BATCHES_OF_KEY) {
            // The old key is dropped first, since two keys may not fit in memory.
            self.server = None;
            self.server = Some(Server::new(&self.params, batch as u64));
            self.keys += 1;
        }
        let Some(server) = &mut self.server else { return };
        let outputs = server.rotate(self.outputs_of_batch);
        self.outputs.extend(outputs.iter().map(|output| server.output_error(output).powi(2)));
        let factors = factors(self.params.max_noise_variance());
        for _ in 0..self.inputs_of_batch {
            let input = server.combination(&outputs, &factors);
            self.inputs.push(server.input_error(&input).powi(2));
        }
    }
}

/// A ciphertext under the GLWE key and its message.
struct Known {
    lwe: LweCiphertext,
    message: u64,
}

/// Client and server with one key.
struct Server {
    client: ClientKey,
    key: Arc<EvaluationKeys>,
    bootstrapper: Bootstrapper,
    scratch: Scratch,
    rng: SecretRng,
}

impl Server {
    fn new(params: &Params, seed: u64) -> Server {
        let threads = Pool::new(1).unwrap();
        let mut rng = SecretRng::insecure_from_seed(1_000 + seed);
        let client = ClientKey::generate(params, &mut rng);
        let seeded = client.seeded_evaluation_keys(&mut rng).unwrap();
        let key = Arc::new(seeded.expand().unwrap());
        let bootstrapper = Bootstrapper::new(Arc::clone(&key), threads).unwrap();
        let scratch = bootstrapper.take(1);
        Server { client, key, bootstrapper, scratch, rng }
    }

    /// Returns at least `count` outputs of blind rotations of fresh encryptions.
    ///
    /// A rotation gives several outputs, far apart in its polynomial, if the message space allows
    /// it. The noise that they have in common widens the interval over batches.
    fn rotate(&mut self, count: usize) -> Vec<Known> {
        let params = self.key.params.clone();
        let (space, identity) = (params.space(), |x| x);
        let functions = if params.test_degree() > 8192 { 32 } else { 4.min(space.half() / 2) };
        let high = space.half() / functions - 1;
        let identities: Vec<Function<'_>> = vec![&identity; functions as usize];
        let lut = Lut::many(space, 0..=high, &identities).unwrap();
        let mut outputs = Vec::new();
        while outputs.len() < count {
            let batch = (count - outputs.len()).div_ceil(functions as usize).min(64);
            let mut fresh = || {
                let value = self.rng.next_word() as i64 & i64::from(high);
                let lwe = self.client.encrypt_torus(space.encode(value), &mut self.rng);
                (value, Block::fresh(lwe, &params, self.client.owner(), Span::new(0, high)))
            };
            let inputs: Vec<_> = (0..batch).map(|_| fresh()).collect();
            let inner = inputs.iter().map(|(_, block)| Input::Big(block.lwe()));
            let table = Table::Clear(&lut);
            let tasks: Vec<_> = inner.map(|input| Task { input, table }).collect();
            let results = self.bootstrapper.bootstrap(&tasks, None).unwrap();
            for ((value, _), results) in inputs.iter().zip(results) {
                let message = space.encode(*value);
                outputs.extend(results.into_iter().map(|lwe| Known { lwe, message }));
            }
        }
        outputs
    }

    /// Returns a random linear combination of outputs with these factors, plus a random message.
    fn combination(&mut self, outputs: &[Known], factors: &[i64]) -> Known {
        let mut sum = Known { lwe: LweCiphertext::trivial(0), message: 0 };
        for &factor in factors {
            let word = self.rng.next_word();
            let factor = if word & 1 == 1 { factor } else { -factor };
            let output = &outputs[(word >> 1) as usize % outputs.len()];
            sum.lwe.add_scaled_assign(&output.lwe, factor);
            sum.message = sum.message.wrapping_add(output.message.wrapping_mul(factor as u64));
        }
        let message = self.rng.next_word();
        sum.lwe.add_message(message);
        sum.message = sum.message.wrapping_add(message);
        sum
    }

    /// Returns the error of an output's phase as a fraction of the torus.
    fn output_error(&self, output: &Known) -> f64 {
        torus_fraction(self.client.phase(&output.lwe).unwrap().wrapping_sub(output.message))
    }

    /// Returns the error of the exponent that a bootstrap of this input rotates by, as a fraction
    /// of the torus.
    fn input_error(&mut self, input: &Known) -> f64 {
        let params = &self.key.params;
        let family = params.spec().family;
        let small = key_switch(&self.key, &input.lwe, &mut self.scratch);
        self.scratch.exponents.clear();
        let body = switch_modulus(params, &small, &mut self.scratch.exponents);
        let bits = self.client.small().expose().chunks_exact(family.step());
        let steps = self.scratch.exponents.chunks_exact(family.selectors().len());
        let turned: u64 = bits.zip(steps).map(|(bits, step)| turned(family, bits, step)).sum();
        let shift = 64 - (2 * params.test_degree()).ilog2();
        torus_fraction(((body as u64).wrapping_sub(turned) << shift).wrapping_sub(input.message))
    }
}

/// Returns the exponent of the selector that is 1, or 0 if none is.
fn turned(family: KeyFamily, bits: &[i64], exponents: &[u32]) -> u64 {
    let chosen = bits.iter().rev().fold(0, |mask, &bit| mask << 1 | bit as u32);
    let selectors = family.selectors().zip(exponents);
    selectors.filter(|&(selector, _)| selector == chosen).map(|(_, &e)| u64::from(e)).sum()
}

/// Returns a torus element as a fraction, from -1/2 to 1/2.
fn torus_fraction(word: u64) -> f64 {
    word as i64 as f64 * 0.5_f64.powi(64)
}

/// Returns about eight or more factors whose squares add up to `noise_variance`.
fn factors(noise_variance: u32) -> Vec<i64> {
    let usual = (f64::from(noise_variance) / 8.0).sqrt().round().max(1.0) as u32;
    let (mut left, mut factors) = (noise_variance, Vec::new());
    while left > 0 {
        let factor = usual.min(left.isqrt());
        factors.push(i64::from(factor));
        left -= factor * factor;
    }
    factors
}
