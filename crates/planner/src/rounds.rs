//! Times of operations on ciphertexts of a ring scheme, in rounds over all of them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Barrier;
use std::thread::ScopedJoinHandle;
use std::time::{Duration, Instant};

use crate::work::RingOperation;
use fathom::Error;
use fathom::rlwe::{Ciphertext, Evaluator, LinearMap, Packed, Params, Rotations};

use crate::ring_costs::RingCosts;
use crate::vectors::{MatrixShape, Vectors, full};

/// The rounds of a measurement, which end after a time.
#[derive(Clone, Copy)]
pub(crate) struct Rounds {
    /// Number of rounds at least.
    pub(crate) least: usize,
    /// The time after which the measurement ends.
    pub(crate) time: Duration,
}

/// Number of results that live at once: those of a circuit leave the caches while others are
/// computed.
const LIVE: usize = 8;

/// The rotations that are measured in turn: as many keys as circuits have, so that they compete for
/// the caches as they do there.
const STEPS: [i64; 7] = [1, 2, 4, 8, 16, 32, 64];

/// The prepared matrices of the operations that have one, by operation and level.
pub(crate) type Matrices<S> = BTreeMap<(RingOperation, usize), LinearMap<S>>;

/// Prepares the matrices of operations.
pub(crate) fn matrices<S: Vectors>(
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
pub(crate) fn rotations<S: Vectors>(matrices: &Matrices<S>) -> Rotations {
    let all = matrices.values().map(LinearMap::rotations);
    all.fold(Rotations::steps(&STEPS), |all, more| all.and(&more))
}

/// Operations to measure, with the matrices and the operands that they take.
pub(crate) struct Measured<'a, S: Vectors> {
    pub(crate) operations: &'a BTreeSet<(RingOperation, usize)>,
    pub(crate) matrices: &'a Matrices<S>,
    /// Two ciphertexts of the top level.
    pub(crate) operands: [&'a Ciphertext<S>; 2],
}

/// Times in nanoseconds by [`RingCosts::key`].
type Samples = BTreeMap<String, Vec<f64>>;

impl<S: Vectors> Measured<'_, S> {
    /// Measures the operations in rounds over all of them, which finds the caches as a circuit
    /// does, and on as many threads at once as the server has, which share caches and memory.
    /// The result lacks operations that are not measured. `statistic` picks a time of the samples.
    pub(crate) fn on(
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
        let mut kept = VecDeque::with_capacity(LIVE);
        for round in 0.. {
            if round > rounds.least && begin.elapsed() >= rounds.time {
                break;
            }
            for &(operation, level) in self.operations {
                let step = STEPS[round % STEPS.len()];
                let start = Instant::now();
                let Some(result) = self.compute(evaluator, operation, level, &operands, step)?
                else {
                    continue;
                };
                // The first round fills the pool of buffers.
                if round > 0 {
                    let time = start.elapsed().as_nanos() as f64;
                    samples.entry(RingCosts::key(operation, level)).or_default().push(time);
                }
                if kept.len() == LIVE {
                    kept.pop_front();
                }
                kept.push_back(result);
            }
        }
        Ok(samples)
    }

    /// Computes an operation at a level, on operands by their level; `None` for one that is not
    /// measured.
    fn compute(
        &self,
        evaluator: &Evaluator<S>,
        operation: RingOperation,
        level: usize,
        operands: &BTreeMap<usize, [Ciphertext<S>; 2]>,
        step: i64,
    ) -> Result<Option<Ciphertext<S>>, Error> {
        let [a, b] = &operands[&level];
        Ok(Some(match operation {
            RingOperation::Add => evaluator.add(a, b)?,
            RingOperation::Mul => evaluator.mul(a, b)?,
            RingOperation::Tensor => evaluator.tensor(a, b)?,
            RingOperation::MulScalar => evaluator.mul_scalar(a, S::NUMBER)?,
            RingOperation::MulPlain => {
                let message = full(evaluator.params())?;
                evaluator.mul_plain(a, &S::to_factor(&message, a.level())?)?
            }
            RingOperation::Transform { size, .. } => {
                let matrix = &self.matrices[&(operation, level)];
                let operand = Packed::assume(size as usize, a.clone());
                evaluator.transform(matrix, &operand)?.into_value()
            }
            RingOperation::Rotate => evaluator.rotate(a, step)?,
            RingOperation::ModSwitch if level > 0 => evaluator.mod_switch_to(a, level - 1)?,
            // Bootstrappings are measured one by one.
            RingOperation::ModSwitch | RingOperation::Bootstrap { .. } => return Ok(None),
        }))
    }
}
