//! Programmable bootstrapping: key switch, modulus switch, blind rotation, sample extraction.
//!
//! A block is an LWE ciphertext under the large key, the coefficients of the GLWE key. The key
//! switch brings it to the small key, which has fewer words, so that the rotation has fewer steps.
//! The modulus switch rounds each word to an exponent modulo twice the degree. The rotation starts
//! from the test polynomial, whose coefficients are the values of the table, times `X^-body`, and
//! multiplies it by `X^(a_i s_i)` in one external product a step; its constant coefficient is then
//! the value at the message, with the noise of the key instead of that of the input (Chillotti,
//! Gama, Georgieva, Izabachène, eprint 2018/421, section 4).
//!
//! *Bounds.* A bootstrap reads a wrong value if the noise of the exponent exceeds `2^-(bits + 1)`
//! of the torus, for a message space of `bits` bits. The noise is that of the input, the key switch
//! and both roundings; the variances and the probability are those of
//! [`crate::tfhe::Params::noise`]. Operands whose noise variance exceeds the limit of the set are
//! refused before they come here.
//!
//! *Several outputs.* One rotation gives several functions of its argument: side by side, each in a
//! part of the test polynomial, without more noise; or as products of the rotated polynomial with
//! the jumps of each function (multi-value), whose noise grows with the squares of the jumps
//! (docs/maths/tfhe.md).
//!
//! *Speed.* Nearly all time is in the rotation, which reads the whole key once. Up to
//! [`MAX_PRODUCTS`] products therefore share each step's key while it is in the cache; batches of
//! that size run on the threads of a pool, and a single ciphertext on a [`Team`], which divides
//! each step. Three bootstraps shared by two threads step by step took 16.3 ms where one thread
//! with two of them and the other with one took 13.9, because reading what the other thread wrote
//! costs 5 us a step; so only a single bootstrap is divided. Accumulators are reals in units of `q
//! / B`, `B` being the base of the digits, because the transforms are those of floating point;
//! their buffers are reused from batch to batch.

use crate::tfhe::modulus_switch::switch_modulus;
#[cfg(test)]
mod noise;

use super::task::{Bootstrap, Input, Outputs, Table, Task};
use super::team::{Running, Team};
use crate::lwe::LweCiphertext;
use crate::tfhe::EvaluationKeys;
use crate::tfhe::Params;
use crate::tfhe::keys::merge::Merge;
use crate::tfhe::keys::table_shape::{spread, width};
use crate::tfhe::table::lut::{Lut, Sharing, jumps};
use crate::threads::Pool;
use crate::{CancelToken, Error};
use fathom_ring::{
    CoefficientSum, ProductShape, RealRow, Rotation, SharedRotation, extend_from_reals,
    multiply_monomial, multiply_window, rotated_steps, write_reals,
};
use std::sync::{Arc, Mutex, PoisonError};

/// The greatest number of external products that share the key of a step. The accumulators and
/// spectra of more would not fit the L2 cache. A ciphertext needs as many products as the extension
/// of the test polynomial.
const MAX_PRODUCTS: usize = 8;

/// Bootstraps under an evaluation key, in batches on a thread pool.
pub(in crate::tfhe) struct Bootstrapper {
    key: Arc<EvaluationKeys>,
    threads: Pool,
    team: Team,
    scratch: Mutex<Vec<Scratch>>,
}

/// The buffers of one batch.
struct Scratch {
    exponents: Vec<u32>,
    accumulators: RealRow,
    spectra: RealRow,
    words: Vec<u64>,
    switch: RealRow,
}

impl std::fmt::Debug for Bootstrapper {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Bootstrapper")
            .field("params", &self.key.params.name())
            .finish_non_exhaustive()
    }
}

impl Bootstrapper {
    /// Returns a bootstrapper that runs batches on `threads`. A single bootstrap runs on a team of
    /// as many threads, the caller's included, but at most one for each polynomial of a ciphertext.
    pub(in crate::tfhe) fn new(
        key: Arc<EvaluationKeys>,
        threads: Pool,
    ) -> Result<Bootstrapper, Error> {
        let columns = key.params.product_shape().columns();
        let team = Team::new(threads.threads().min(columns))?;
        Ok(Bootstrapper { key, threads, team, scratch: Mutex::default() })
    }

    /// Computes one batch, of at most [`MAX_PRODUCTS`] products per step, on this thread or by the
    /// team.
    fn batch(&self, jobs: &[Task<'_>], team: Option<&Team>) -> Outputs {
        let (key, params) = (&*self.key, &self.key.params);
        let shape = params.product_shape();
        let mut scratch = self.take(jobs.len());
        scratch.exponents.clear();
        for (index, job) in jobs.iter().enumerate() {
            let body = match job.input {
                Input::Big(lwe) => {
                    let small = key_switch(key, lwe, &mut scratch);
                    switch_modulus(params, &small, &mut scratch.exponents)
                }
                Input::Small(words) => switch_modulus(params, words, &mut scratch.exponents),
            };
            let accumulators = &mut scratch.accumulators[index * shape.accumulator_len()..];
            let accumulator = &mut accumulators[..shape.accumulator_len()];
            match job.table {
                Table::Clear(lut) => start(params, lut, body, accumulator),
                Table::Encrypted { words, .. } => {
                    scratch.words.clear();
                    scratch.words.extend(words);
                    start_encrypted(params, &mut scratch.words, body, accumulator);
                }
            }
        }
        let rotation = Rotation { shape, key: &key.rotation, exponents: &scratch.exponents };
        let work = SharedRotation::new(
            rotation,
            &mut scratch.accumulators[..jobs.len() * shape.accumulator_len()],
            &mut scratch.spectra[..jobs.len() * shape.scratch_len()],
            team.map_or(1, Team::threads),
        );
        let rotate = || key.ring.kernel().rotate(key.ring.table(), &work);
        match team {
            Some(team) => team.run(&work, rotate),
            None => rotate(),
        }
        let outputs = jobs.iter().enumerate().map(|(index, job)| {
            let at = index * shape.accumulator_len();
            let accumulator = &scratch.accumulators[at..at + shape.accumulator_len()];
            to_words(params, accumulator, &mut scratch.words);
            match job.table {
                Table::Clear(lut) => extract_outputs(params, lut, &scratch.words),
                Table::Encrypted { places, .. } => read(params, places, &scratch.words),
            }
        });
        let outputs = outputs.collect();
        self.scratch.lock().unwrap_or_else(PoisonError::into_inner).push(scratch);
        outputs
    }

    fn take(&self, batch: usize) -> Scratch {
        let shape = self.key.params.product_shape();
        let free = self.scratch.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut scratch = free.unwrap_or_else(|| Scratch {
            exponents: Vec::new(),
            accumulators: RealRow::default(),
            spectra: RealRow::default(),
            words: Vec::new(),
            switch: RealRow::zeroed(self.key.switch_table.scratch_len()),
        });
        if scratch.accumulators.len() < batch * shape.accumulator_len() {
            scratch.accumulators = RealRow::zeroed(batch * shape.accumulator_len());
            scratch.spectra = RealRow::zeroed(batch * shape.scratch_len());
        }
        scratch
    }
}

impl Bootstrap for Bootstrapper {
    fn bootstrap(&self, jobs: &[Task<'_>], token: Option<&CancelToken>) -> Option<Outputs> {
        let running = self.team.enter();
        // Batches are of equal length: a last short one would leave threads idle while the key is
        // read for few products.
        let share = jobs.len().div_ceil(self.threads.threads());
        let most = (MAX_PRODUCTS / self.key.params.spec().extension).max(1);
        let batch = share.div_ceil(share.div_ceil(most));
        if batch == jobs.len() {
            // Dividing the steps of several rotations among threads costs more than giving each
            // thread whole rotations.
            let team = if jobs.len() == 1 { running.team() } else { None };
            return Some(self.batch(jobs, team));
        }
        let batches = self.threads.map(jobs.chunks(batch), |jobs| {
            let cancelled = token.is_some_and(CancelToken::is_cancelled);
            (!cancelled).then(|| self.batch(jobs, None))
        });
        let batches: Option<Vec<_>> = batches.into_iter().collect();
        Some(batches?.into_iter().flatten().collect())
    }

    fn test_polynomials(&self, rows: &[Vec<&LweCiphertext>]) -> Vec<Vec<u64>> {
        let (key, params) = (&*self.key, &self.key.params);
        let merge = |row: &Vec<&LweCiphertext>| {
            let doublings = params.spec().degree.ilog2();
            let (ring, keys) = (&key.ring, &key.automorphisms);
            let merge = Merge { ring, keys, ciphertexts: &spread(row, params), doublings };
            let words = params.big_dimension() + params.spec().degree;
            // Zeros have no ciphertexts.
            merge.run().unwrap_or_else(|| vec![0; words])
        };
        let _running = self.team.enter();
        self.threads.map(rows.iter(), merge)
    }

    fn threads(&self) -> (&Pool, Running<'_>) {
        (&self.threads, self.team.enter())
    }
}

/// Switches a ciphertext to the small key and returns its mask, then its body.
fn key_switch(key: &EvaluationKeys, lwe: &LweCiphertext, scratch: &mut Scratch) -> Vec<u64> {
    let input: Vec<u64> = lwe.mask_words().chain([lwe.body()]).collect();
    let mut output = vec![0; key.params.spec().small_dimension + 1];
    let (kernel, switch) = (key.ring.kernel(), &mut scratch.switch);
    kernel.key_switch(&key.switch_table, &key.switch, &input, &mut output, switch);
    output
}

/// Writes the trivial GLWE ciphertext of `X^-body` times the test polynomial of `lut`.
fn start(params: &Params, lut: &Lut, body: usize, accumulator: &mut [f64]) {
    let (degree, extension) = (params.test_degree(), params.spec().extension);
    let (masks, polynomial) = accumulator.split_at_mut(accumulator.len() - degree);
    masks.fill(0.0);
    // Half of the distance between messages, in units of `q / B`.
    let bits = lut.output_space().bits() as i32;
    let half_step = f64::from(params.spec().body.base_log as i32 - bits - 1);
    let half_step = half_step.exp2();
    // A constant polynomial needs no centring.
    let (entries, centred) = match lut.sharing() {
        Sharing::ManyLut => (&lut.outputs()[0].entries[..], true),
        Sharing::MultiValue => (&[1][..], false),
    };
    let values: Vec<_> = entries.iter().map(|&value| f64::from(value) * half_step).collect();
    // Half a place to the left, so that every argument lies in the middle of the coefficients that
    // stand for it, and noise of either sign reads the same value.
    let centre = if centred { degree / entries.len() / 2 } else { 0 };
    rotated_steps(&values, (body + centre) % (2 * degree), extension, polynomial);
}

/// Writes an encrypted test polynomial times `X^-body`. Each value is repeated in all coefficients
/// that stand for its place. `words` is modified.
fn start_encrypted(params: &Params, words: &mut [u64], body: usize, accumulator: &mut [f64]) {
    let (degree, shape, width) = (params.spec().degree, params.product_shape(), width(params));
    multiply_window(degree, width, words);
    let centred = 4 * degree - body - width / 2;
    multiply_monomial(degree, centred % (2 * degree), words);
    let columns = words.chunks_exact(degree).zip(accumulator.chunks_exact_mut(degree));
    for (column, (words, reals)) in columns.enumerate() {
        write_reals(words, log_range(&shape, column), reals);
    }
}

/// Extracts the coefficients at these places from the rotated accumulator.
fn read(params: &Params, places: &[usize], accumulator: &[u64]) -> Vec<LweCiphertext> {
    let (masks, body) = accumulator.split_at(params.big_dimension());
    let read = |&place: &usize| {
        let mut sum = CoefficientSum::new(masks, body);
        sum.add(place * width(params), 1);
        let (mask, body) = sum.finish();
        LweCiphertext::rounded(&mask, body)
    };
    places.iter().map(read).collect()
}

/// Returns the logarithm of the range of the accumulator's reals, which are in units of `q / B` and
/// at most `B / 2`.
fn log_range(shape: &ProductShape, column: usize) -> i32 {
    shape.decomposition(column).base_log as i32 - 1
}

/// Converts the accumulator to torus elements.
fn to_words(params: &Params, accumulator: &[f64], words: &mut Vec<u64>) {
    let shape = params.product_shape();
    words.clear();
    for (column, polynomial) in accumulator.chunks_exact(params.test_degree()).enumerate() {
        extend_from_reals(words, polynomial, log_range(&shape, column));
    }
}

/// Extracts the outputs of a job from the rotated accumulator.
fn extract_outputs(params: &Params, lut: &Lut, accumulator: &[u64]) -> Vec<LweCiphertext> {
    let (degree, extension) = (params.test_degree(), params.spec().extension);
    let (masks, body) = accumulator.split_at(accumulator.len() - degree);
    let extract = |(index, output): (usize, &crate::tfhe::table::lut::Output)| {
        let mut sum = CoefficientSum::extended(masks, body, extension);
        match lut.sharing() {
            Sharing::ManyLut => sum.add(index * (degree / lut.functions()), 1),
            Sharing::MultiValue => {
                let width = degree / output.entries.len();
                for (edge, jump) in jumps(&output.entries) {
                    let power = (edge * width + 2 * degree - width / 2) % (2 * degree);
                    sum.add_turned(power, jump.into());
                }
            }
        }
        let (mask, body) = sum.finish();
        let mut lwe = LweCiphertext::rounded(&mask, body);
        // A negacyclic function is the wanted one less half of its constant, which is added back
        // here.
        lwe.add_message(lut.output_space().encode_half(output.offset.into()));
        lwe
    };
    lut.outputs().iter().enumerate().map(extract).collect()
}
