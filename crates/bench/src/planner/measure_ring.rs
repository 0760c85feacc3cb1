//! Measures the unit costs of BFV and CKKS with the engine's public interface.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Barrier;
use std::thread::ScopedJoinHandle;
use std::time::{Duration, Instant, SystemTime};

use fathom::bfv::Bfv;
use fathom::ckks::Ckks;
use fathom::rlwe::{
    Ciphertext, Encoding, EvaluationKeys, Evaluator, LinearMap, MetaCodec, Packed, Params,
    Rotations, Scheme, SecretKey,
};
use fathom::{Error, SecretRng};
use fathom_workloads::{RingOperation, RingParams};

use super::ring_costs::RingCosts;
use super::timed::timed;
use crate::drivers::resident_bytes;
use crate::measure::machine::rfc3339;
use crate::measure::stats::{lower_quartile, median};

/// Repetitions of what has to do with keys, and of everything else.
const KEY_REPEATS: usize = 3;
const REPEATS: usize = 9;
/// How long a measurement goes on.
#[derive(Clone, Copy)]
struct Rounds {
    least: usize,
    /// After this time it ends.
    time: Duration,
}

/// Rounds of the measurement of unit costs.
const ROUNDS: Rounds = Rounds { least: REPEATS, time: Duration::ZERO };
/// Rounds of a measurement of the present speed, which outlast disturbances of a moment.
const ROUNDS_AGAIN: Rounds = Rounds { least: 5, time: Duration::from_millis(250) };
/// The rotations for which keys are made: as many keys as circuits have, so that they compete for
/// the caches as they do there.
const STEPS: [i64; 7] = [1, 2, 4, 8, 16, 32, 64];

/// The shape of a matrix and of the layout of its operands.
struct MatrixShape {
    rows: usize,
    columns: usize,
    size: usize,
}

/// The prepared matrices of the operations that have one, by operation and level.
type Matrices<S> = BTreeMap<(RingOperation, usize), LinearMap<S>>;

/// Prepares the matrices of operations.
fn matrices<S: Vectors>(
    params: &Params<S>,
    operations: &BTreeSet<(RingOperation, usize)>,
) -> Result<Matrices<S>, Error> {
    let mut all = BTreeMap::new();
    for &(operation, level) in operations {
        if let RingOperation::Transform { rows, columns, size } = operation {
            let [rows, columns, size] = [rows, columns, size].map(|length| length as usize);
            let shape = MatrixShape { rows, columns, size };
            all.insert((operation, level), S::dense(params, shape, level)?);
        }
    }
    Ok(all)
}

/// Returns the rotations for measurements: those of the matrices, and others.
fn rotations<S: Vectors>(matrices: &Matrices<S>) -> Rotations {
    let all = matrices.values().map(LinearMap::rotations);
    all.fold(Rotations::steps(&STEPS), |all, more| all.and(&more))
}

/// A scheme whose vectors can be encrypted and decrypted.
trait Vectors: Scheme + MetaCodec {
    /// Encrypts ones.
    fn encrypt(secret: &SecretKey<Self>, rng: &mut SecretRng) -> Result<Ciphertext<Self>, Error>;

    /// Decrypts and decodes.
    fn decrypt(secret: &SecretKey<Self>, ciphertext: &Ciphertext<Self>) -> Result<(), Error>;

    /// Multiplies by a number.
    fn mul_scalar(
        evaluator: &Evaluator<Self>,
        a: &Ciphertext<Self>,
    ) -> Result<Ciphertext<Self>, Error>;

    /// Prepares a dense matrix for operands of a level in the layout of a size.
    fn dense(
        params: &Params<Self>,
        shape: MatrixShape,
        level: usize,
    ) -> Result<LinearMap<Self>, Error>;
}

impl Vectors for Bfv {
    fn encrypt(secret: &SecretKey<Self>, rng: &mut SecretRng) -> Result<Ciphertext<Self>, Error> {
        let ones = vec![1; secret.params().degree()];
        secret.encrypt(&secret.params().encode_signed(&ones)?, rng)
    }

    fn decrypt(secret: &SecretKey<Self>, ciphertext: &Ciphertext<Self>) -> Result<(), Error> {
        secret.decrypt(ciphertext)?.slots_signed().map(drop)
    }

    fn mul_scalar(
        evaluator: &Evaluator<Self>,
        a: &Ciphertext<Self>,
    ) -> Result<Ciphertext<Self>, Error> {
        evaluator.mul_scalar(a, 3)
    }

    fn dense(
        params: &Params<Self>,
        shape: MatrixShape,
        _: usize,
    ) -> Result<LinearMap<Self>, Error> {
        LinearMap::with_size(params, &vec![vec![1; shape.columns]; shape.rows], shape.size)
    }
}

impl Vectors for Ckks {
    fn encrypt(secret: &SecretKey<Self>, rng: &mut SecretRng) -> Result<Ciphertext<Self>, Error> {
        let ones = vec![0.5; secret.params().degree() / 2];
        secret.encrypt(&secret.params().encode(&ones)?, rng)
    }

    fn decrypt(secret: &SecretKey<Self>, ciphertext: &Ciphertext<Self>) -> Result<(), Error> {
        secret.decrypt_with_precision(ciphertext, 0.0)?.slots();
        Ok(())
    }

    fn mul_scalar(
        evaluator: &Evaluator<Self>,
        a: &Ciphertext<Self>,
    ) -> Result<Ciphertext<Self>, Error> {
        evaluator.mul_scalar(a, 0.5)
    }

    fn dense(
        params: &Params<Self>,
        shape: MatrixShape,
        level: usize,
    ) -> Result<LinearMap<Self>, Error> {
        let matrix = vec![vec![0.5; shape.columns]; shape.rows];
        LinearMap::for_level_with_size(params, &matrix, shape.size, level)
    }
}

/// Returns the name of parameters in the costs, and their scheme.
pub(super) fn name(params: &RingParams) -> Option<String> {
    let named = |scheme: &str, id: &[u8; 32]| {
        let number = id.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte));
        Some(format!("{scheme} {number:016x}"))
    };
    match params {
        RingParams::Bfv(params) => named(<Bfv as Encoding>::NAME, params.id()),
        RingParams::Ckks(params) => named(<Ckks as Encoding>::NAME, params.id()),
        _ => None,
    }
}

/// Measures the operations of a circuit and all other unit costs of its parameters; `None` for a
/// scheme without a measurement. Operations that are not measured are missing in the result.
///
/// # Errors
/// Those of the random generator of the system and of the operations.
pub(super) fn measure(
    params: &RingParams,
    threads: usize,
    operations: &BTreeSet<(RingOperation, usize)>,
    report: &mut dyn FnMut(&str),
) -> Result<Option<RingCosts>, Error> {
    let Some(name) = name(params) else { return Ok(None) };
    report(&format!("unit costs of {name}"));
    match params {
        RingParams::Bfv(params) => measure_scheme(params, threads, name, operations).map(Some),
        RingParams::Ckks(params) => measure_scheme(params, threads, name, operations).map(Some),
        _ => Ok(None),
    }
}

fn measure_scheme<S: Vectors>(
    params: &Params<S>,
    threads: usize,
    name: String,
    operations: &BTreeSet<(RingOperation, usize)>,
) -> Result<RingCosts, Error> {
    let process_bytes = resident_bytes();
    let mut rng = SecretRng::from_os()?;
    let secret = SecretKey::generate(params, &mut rng);
    let matrices = matrices(params, operations)?;
    let rotations = rotations(&matrices);
    let (bytes, keygen_ns) =
        timed(KEY_REPEATS, || Ok(secret.evaluation_keys(&rotations, &mut rng)?.to_bytes()))?;
    let (keys, keys_ns) = timed(KEY_REPEATS, || EvaluationKeys::<S>::from_bytes(params, &bytes))?;
    let evaluator = Evaluator::new(keys);
    let (frame, encrypt_ns) = timed(REPEATS, || Ok(S::encrypt(&secret, &mut rng)?.to_bytes()))?;
    let (fresh, load_ns) = timed(REPEATS, || Ciphertext::from_bytes_fresh(params, &frame))?;
    let other = Ciphertext::from_bytes_fresh(params, &S::encrypt(&secret, &mut rng)?.to_bytes())?;
    let operations = Measured { operations, matrices: &matrices, operands: [&fresh, &other] };
    let operations = operations.on(&evaluator, threads, ROUNDS, lower_quartile)?;
    let result = evaluator.add(&fresh, &other)?;
    let (answer, answer_ns) = timed(REPEATS, || Ok(result.to_bytes()))?;
    let ((), decrypt_ns) =
        timed(REPEATS, || S::decrypt(&secret, &Ciphertext::from_bytes(params, &answer)?))?;
    let count = (rotations.steps.len() + 1) as f64;
    Ok(RingCosts {
        params: name,
        threads,
        measured: rfc3339(SystemTime::now()),
        operations,
        keygen_ns: keygen_ns / count,
        keys_ns: keys_ns / count,
        encrypt_ns,
        load_ns,
        answer_ns,
        decrypt_ns,
        ciphertext_bytes: (2 * params.chain().len() * params.degree() * 8) as u64,
        process_bytes,
    })
}

/// Measures operations again; returns their median times in nanoseconds by [`RingCosts::key`].
///
/// # Errors
/// Those of the random generator of the system and of the operations.
pub(super) fn measure_again(
    params: &RingParams,
    threads: usize,
    operations: &BTreeSet<(RingOperation, usize)>,
) -> Result<BTreeMap<String, f64>, Error> {
    match params {
        RingParams::Bfv(params) => operations_again(params, threads, operations),
        RingParams::Ckks(params) => operations_again(params, threads, operations),
        _ => Ok(BTreeMap::new()),
    }
}

fn operations_again<S: Vectors>(
    params: &Params<S>,
    threads: usize,
    operations: &BTreeSet<(RingOperation, usize)>,
) -> Result<BTreeMap<String, f64>, Error> {
    let mut rng = SecretRng::from_os()?;
    let secret = SecretKey::generate(params, &mut rng);
    let matrices = matrices(params, operations)?;
    let keys = secret.evaluation_keys(&rotations(&matrices), &mut rng)?;
    let evaluator = Evaluator::new(keys);
    let [a, b] = [S::encrypt(&secret, &mut rng)?, S::encrypt(&secret, &mut rng)?];
    let measured = Measured { operations, matrices: &matrices, operands: [&a, &b] };
    measured.on(&evaluator, threads, ROUNDS_AGAIN, median)
}

/// Operations to measure, and what they take.
struct Measured<'a, S: Vectors> {
    operations: &'a BTreeSet<(RingOperation, usize)>,
    matrices: &'a Matrices<S>,
    /// Two ciphertexts of the top level.
    operands: [&'a Ciphertext<S>; 2],
}

/// Times in nanoseconds by [`RingCosts::key`].
type Samples = BTreeMap<String, Vec<f64>>;

impl<S: Vectors> Measured<'_, S> {
    /// Measures the operations in rounds over all of them, which finds the caches as a circuit
    /// does, and on as many threads at once as the server has, which share caches and memory.
    /// What is not measured is missing in the result. `statistic` picks a time of the samples.
    fn on(
        &self,
        evaluator: &Evaluator<S>,
        threads: usize,
        rounds: Rounds,
        statistic: impl Fn(&[f64]) -> Option<f64>,
    ) -> Result<BTreeMap<String, f64>, Error> {
        let start = Barrier::new(threads);
        let measured = || {
            start.wait();
            self.rounds(evaluator, rounds)
        };
        let all: Vec<Samples> = std::thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(measured)).collect();
            let first = measured();
            let join = |thread: ScopedJoinHandle<'_, Result<Samples, Error>>| {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            std::iter::once(first).chain(others.into_iter().map(join)).collect::<Result<_, _>>()
        })?;
        let mut samples = Samples::new();
        for (key, times) in all.into_iter().flatten() {
            samples.entry(key).or_default().extend(times);
        }
        let typical =
            samples.into_iter().filter_map(|(key, times)| Some((key, statistic(&times)?)));
        Ok(typical.collect())
    }

    /// Measures rounds on this thread.
    fn rounds(&self, evaluator: &Evaluator<S>, rounds: Rounds) -> Result<Samples, Error> {
        let mut operands = BTreeMap::new();
        for &(_, level) in self.operations {
            let [a, b] = self.operands.map(|operand| {
                if operand.level().get() == level {
                    Ok(operand.clone())
                } else {
                    evaluator.mod_switch_to(operand, level)
                }
            });
            operands.insert(level, [a?, b?]);
        }
        let mut samples = Samples::new();
        let begin = Instant::now();
        for round in 0.. {
            if round > rounds.least && begin.elapsed() >= rounds.time {
                break;
            }
            // Circuits keep most of their results, which therefore leave the caches.
            let mut kept = Vec::with_capacity(self.operations.len());
            for &(operation, level) in self.operations {
                let step = STEPS[round % STEPS.len()];
                let start = Instant::now();
                let Some(result) = self.compute(evaluator, (operation, level), &operands, step)?
                else {
                    continue;
                };
                // The first round fills the pool of buffers.
                if round > 0 {
                    let time = start.elapsed().as_nanos() as f64;
                    samples.entry(RingCosts::key(operation, level)).or_default().push(time);
                }
                kept.push(result);
            }
        }
        Ok(samples)
    }

    /// Computes an operation on operands by their level; `None` for one that is not measured.
    fn compute(
        &self,
        evaluator: &Evaluator<S>,
        (operation, level): (RingOperation, usize),
        operands: &BTreeMap<usize, [Ciphertext<S>; 2]>,
        step: i64,
    ) -> Result<Option<Ciphertext<S>>, Error> {
        let [a, b] = &operands[&level];
        Ok(Some(match operation {
            RingOperation::Add => evaluator.add(a, b)?,
            RingOperation::Mul => evaluator.mul(a, b)?,
            RingOperation::Tensor => evaluator.tensor(a, b)?,
            RingOperation::MulScalar => S::mul_scalar(evaluator, a)?,
            RingOperation::Transform { size, .. } => {
                let matrix = &self.matrices[&(operation, level)];
                let operand = Packed::assume(size as usize, a.clone());
                evaluator.transform(matrix, &operand)?.into_value()
            }
            RingOperation::Rotate => evaluator.rotate_rows(a, step)?,
            RingOperation::ModSwitch if level > 0 => evaluator.mod_switch_to(a, level - 1)?,
            RingOperation::ModSwitch | _ => return Ok(None),
        }))
    }
}
