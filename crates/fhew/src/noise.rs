//! Measures the noise of the family's sets on fresh keys and compares it with the model.
//!
//!     NOISE_SETS=fhew_ginx,fhew_ap NOISE_SAMPLES=10000 \
//!         cargo test --release -p fathom-fhew --lib noise::record -- --ignored --nocapture
//!
//! Without the variables, it measures every set with 10 000 gates, which takes minutes per set on
//! one core. The rows of these sets in docs/maths/fhew-noise.csv are replaced, from which
//! `docs/maths/tfhe_parameters.py` makes a table.

use super::ciphertext::QUARTER;
use super::params::{FAILURE_LIMIT, LWE_SHIFT};
use super::rotation_key::turn_bits;
use super::tests::{GATES, insecure};
use super::{FhewBit, FhewEvaluationKeys, FhewParams, FhewSecretKey, Method};
use crate::record::{BATCHES, Failures, variance_interval, write_row};
use fathom_ring::SecretRng;

const RECORD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/maths/fhew-noise.csv");
const ROWS: &str = include_str!("../../../docs/maths/fhew-noise.csv");
const COLUMNS: &str = "set,keys,gates,errors,variance,low,high,model,\
    inputs,input_variance,input_low,input_high,input_model,\
    failures,expected,failure_log2,failure_log2_high";

/// Number of fresh keys per set, each for the same number of batches.
const KEYS: usize = 10;

#[test]
#[ignore = "minutes a set"]
fn record() {
    let wanted = std::env::var("NOISE_SETS").unwrap_or_default();
    let gates = std::env::var("NOISE_SAMPLES").map_or(10_000, |text| text.parse().unwrap());
    let presets = FhewParams::presets();
    let names: Vec<_> = presets.iter().map(FhewParams::name).collect();
    for params in &presets {
        if wanted.split(',').any(|prefix| params.name().starts_with(prefix)) {
            let row = measure(params, gates);
            println!("{row}");
            write_row(RECORD, COLUMNS, &names, &row);
        }
    }
}

/// Runs the measurement on few samples of small dimensions.
#[test]
fn a_measurement_of_every_method_agrees_with_the_model() {
    for method in [Method::Ginx, Method::Lmkcdey { window: 10 }, Method::Ap { base_log: 3 }] {
        let params = insecure(method);
        let mut readings = Readings::default();
        let mut server = Server::new(&params, 9);
        (0..10).for_each(|_| server.add_batch(&mut readings, 40, 200));
        let ratio = |squares: &[f64], model: f64| {
            squares.iter().sum::<f64>() / squares.len() as f64 / model
        };
        let outputs = ratio(&readings.outputs, output_variance(&params));
        let inputs = ratio(&readings.inputs, params.input_variance());
        // Five standard deviations of 400 outputs, whose sums are the inputs. The model is an upper
        // bound.
        for ratio in [outputs, inputs] {
            assert!((0.6..1.35).contains(&ratio), "{method:?}: {outputs}, {inputs}");
        }
        assert_eq!(readings.errors, 0, "{method:?}");
    }
}

/// Checks the record: 99.9 % intervals, the number of inputs beyond a bound, and failed gates.
#[test]
fn recorded_noise_is_at_most_that_of_the_model() {
    let presets = FhewParams::presets();
    assert_eq!(ROWS.lines().next(), Some(COLUMNS));
    assert_eq!(ROWS.lines().count(), 1 + presets.len());
    for (line, params) in ROWS.lines().skip(1).zip(&presets) {
        let at = |column: &str| {
            let mut named = COLUMNS.split(',').zip(line.split(','));
            named.find(|&(name, _)| name == column).unwrap().1
        };
        let number = |column: &str| at(column).parse::<f64>().unwrap();
        assert_eq!(at("set"), params.name());
        assert!(number("keys") >= 2.0 && number("gates") >= 10_000.0, "{line}");
        assert_eq!(at("errors"), "0", "{line}");
        for (variance, low, high, recorded, model) in [
            ("variance", "low", "high", "model", output_variance(params)),
            ("input_variance", "input_low", "input_high", "input_model", params.input_variance()),
        ] {
            // The record must have been made with the current model.
            assert!((number(recorded) / model - 1.0).abs() < 1e-3, "{line}: {model:e}");
            assert!(number(low) < number(variance) && number(variance) < number(high), "{line}");
            assert!(number(low) < model && model < UPPER_BOUND * number(high), "{line}: {model:e}");
        }
        let expected = number("expected");
        assert!(number("inputs") >= 20_000.0, "{line}");
        assert!(number("failures") < expected + 3.3 * expected.sqrt(), "{line}");
        assert!(number("failure_log2_high") < params.failure_log2(), "{line}");
    }
}

/// Greatest ratio of the model to the upper end of the measured interval. The model assumes that
/// the top digits are as wide as the others and that no digit of an exponent is 0.
const UPPER_BOUND: f64 = 1.25;

/// Returns the variance of a gate's output in the model.
fn output_variance(params: &FhewParams) -> f64 {
    params.output_variances().iter().sum()
}

/// Measures a set and returns its line of the record, with the fields of [`COLUMNS`].
fn measure(params: &FhewParams, gates: usize) -> String {
    // A sum needs two different outputs.
    let gates = gates.div_ceil(BATCHES).max(2);
    let mut readings = Readings::default();
    for key in 0..KEYS {
        let mut server = Server::new(params, 1_000 + key as u64);
        for _ in 0..BATCHES / KEYS {
            server.add_batch(&mut readings, gates, 2 * gates);
            eprint!(".");
        }
    }
    let input_variance = params.input_variance();
    format!(
        "{},{KEYS},{},{},{},{:.4e},{},{},{input_variance:.4e},{}",
        params.name(),
        readings.outputs.len(),
        readings.errors,
        variance_interval(&readings.outputs),
        output_variance(params),
        readings.inputs.len(),
        variance_interval(&readings.inputs),
        Failures::count(&readings.inputs, input_variance, FAILURE_LIMIT),
    )
}

/// The measurements of a set.
#[derive(Default)]
struct Readings {
    /// Squared errors of the phases of gate outputs.
    outputs: Vec<f64>,
    /// Squared errors of the exponents that the blind rotation reads for the sum of two outputs.
    inputs: Vec<f64>,
    /// Number of gates whose output decrypted to the wrong bit.
    errors: usize,
}

/// A ciphertext and its bit.
struct Known {
    bit: FhewBit,
    value: bool,
}

/// Client and server with one key.
struct Server {
    secret: FhewSecretKey,
    evaluation: FhewEvaluationKeys,
    rng: SecretRng,
    /// Fresh encryptions, then outputs of gates.
    bits: Vec<Known>,
}

impl Server {
    fn new(params: &FhewParams, seed: u64) -> Server {
        let mut rng = SecretRng::insecure_from_seed(seed);
        let secret = FhewSecretKey::generate(params, &mut rng);
        let evaluation = secret.evaluation_keys(&mut rng).unwrap();
        let fresh = (0..16).map(|index| {
            let value = index % 2 == 1;
            Known { bit: secret.encrypt(value, &mut rng), value }
        });
        let bits = fresh.collect();
        Server { secret, evaluation, rng, bits }
    }

    fn add_batch(&mut self, readings: &mut Readings, gates: usize, inputs: usize) {
        let first = self.bits.len();
        for _ in 0..gates {
            let output = self.random_gate(readings);
            let error = self.secret.phase(&output.bit).unwrap().wrapping_sub(message(output.value));
            readings.outputs.push(torus_fraction(error).powi(2));
            self.bits.push(output);
        }
        for _ in 0..inputs {
            let [a, b] = self.two_of(first);
            let (sum, message) = self.sum(a, b);
            readings.inputs.push(self.input_error(&sum, message).powi(2));
        }
    }

    /// Evaluates a random gate and counts an error if the output is wrong. The stored value is the
    /// decrypted one, so that an error is not counted again.
    fn random_gate(&mut self, readings: &mut Readings) -> Known {
        let [a, b] = self.two_of(0);
        let (gate, function) = GATES[self.below(GATES.len())];
        let (a, b) = (&self.bits[a], &self.bits[b]);
        let bit = self.evaluation.gate(gate, &a.bit, &b.bit).unwrap();
        let value = self.secret.decrypt(&bit).unwrap();
        readings.errors += usize::from(value != function(a.value, b.value));
        Known { bit, value }
    }

    /// Returns the sum of two bits and a random message, and its message.
    fn sum(&mut self, a: usize, b: usize) -> (FhewBit, u16) {
        let random = (self.rng.next_word() as u16) << LWE_SHIFT;
        let (a, b) = (&self.bits[a], &self.bits[b]);
        let mut sum = a.bit.scaled_sum(&b.bit, 1);
        *sum.words.last_mut().unwrap() = sum.words.last().unwrap().wrapping_add(random);
        (sum, message(a.value).wrapping_add(message(b.value)).wrapping_add(random))
    }

    /// Returns the error of the exponents that the blind rotation reads for a sum, as a fraction of
    /// the torus.
    fn input_error(&self, sum: &FhewBit, message: u16) -> f64 {
        let (mask, body) = self.evaluation.exponents(sum, 0);
        let terms = mask.iter().zip(self.secret.lwe.expose()).map(|(&a, &s)| a as i64 * s);
        let exponent = body as i64 - terms.sum::<i64>();
        let shift = u16::BITS - turn_bits(self.secret.params());
        torus_fraction(((exponent << shift) as u16).wrapping_sub(message))
    }

    /// Returns two different random indices of bits, from `first` on.
    fn two_of(&mut self, first: usize) -> [usize; 2] {
        let count = self.bits.len() - first;
        let a = self.below(count);
        let b = (a + 1 + self.below(count - 1)) % count;
        [first + a, first + b]
    }

    /// Returns a random number below a small bound.
    fn below(&mut self, bound: usize) -> usize {
        (self.rng.next_word() % bound as u64) as usize
    }
}

/// Returns the encoding of a bit.
fn message(value: bool) -> u16 {
    u16::from(value) * QUARTER
}

/// Returns a torus element as a fraction, from -1/2 to 1/2.
fn torus_fraction(word: u16) -> f64 {
    f64::from(word.cast_signed()) / 65536.0
}
