//! The timed loop of `run`: a monotonic clock around the calls of one operation.

use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::process_usage::process_cpu;
use super::protocol::Refusal;
use super::session::{Call, ItemOf, Session};

/// Number of calls, samples and threads of a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// Calls of each thread before the first sample.
    pub(super) warmup: usize,
    /// Calls of each thread in a sample.
    pub(super) iterations: usize,
    /// Number of samples requested.
    pub(super) samples: usize,
    /// Time after which no further sample starts.
    pub(super) budget: Duration,
    /// Number of threads, each with its own input sets.
    pub(super) threads: usize,
}

/// Result of a run.
pub(super) struct Outcome<S: Session + ?Sized> {
    /// Time of each sample; of several threads, the harmonic mean of theirs.
    pub(super) samples: Vec<Duration>,
    /// Processor time of the whole process over all samples.
    pub(super) cpu: Option<Duration>,
    /// Involuntary context switches over all threads and samples.
    pub(super) involuntary_switches: Option<u64>,
    /// Result of the last call on each input set.
    pub(super) outputs: Vec<Option<ItemOf<S>>>,
}

/// Runs `calls`, one per input set, in turn, as `plan` specifies.
///
/// # Errors
/// The first refusal of any call.
pub(super) fn run<S: Session>(calls: &[Call<'_, S>], plan: Plan) -> Result<Outcome<S>, Refusal> {
    if plan.threads > 1 { run_threads(calls, plan) } else { run_alone(calls, plan) }
}

fn run_alone<S: Session>(calls: &[Call<'_, S>], plan: Plan) -> Result<Outcome<S>, Refusal> {
    let mut lane = Lane::<S>::new(calls, 0, 1);
    lane.call(plan.warmup)?;
    let mut samples = Vec::with_capacity(plan.samples);
    let meter = Meter::start();
    let mut spent = Duration::ZERO;
    while samples.len() < plan.samples && (samples.is_empty() || spent < plan.budget) {
        let start = Instant::now();
        lane.call(plan.iterations)?;
        let sample = start.elapsed();
        spent += sample;
        samples.push(sample);
    }
    let Metered { cpu, involuntary_switches } = meter.stop();
    Ok(Outcome { samples, cpu, involuntary_switches, outputs: lane.outputs })
}

/// Runs the threads side by side until one of them has its samples. They do not wait for each
/// other between samples, as little as threads with separate work do.
fn run_threads<S: Session>(calls: &[Call<'_, S>], plan: Plan) -> Result<Outcome<S>, Refusal> {
    let (turn, done) = (Barrier::new(plan.threads + 1), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let (turn, done) = (&turn, &done);
        let workers: Vec<_> = (0..plan.threads)
            .map(|thread| {
                let lane = Lane::<S>::new(calls, thread, plan.threads);
                scope.spawn(move || lane.work(plan, turn, done))
            })
            .collect();
        turn.wait(); // Every thread has warmed up.
        let meter = Meter::start();
        turn.wait(); // Every thread has its samples.
        let metered = meter.stop();
        turn.wait(); // The threads may end.
        collect::<S>(calls.len(), workers, metered)
    })
}

/// Result of one thread.
struct Worked<S: Session + ?Sized> {
    samples: Vec<Duration>,
    outputs: Vec<Option<ItemOf<S>>>,
}

fn collect<S: Session>(
    sets: usize,
    workers: Vec<std::thread::ScopedJoinHandle<'_, Result<Worked<S>, Refusal>>>,
    metered: Metered,
) -> Result<Outcome<S>, Refusal> {
    let mut samples = Vec::with_capacity(workers.len());
    let mut outputs: Vec<_> = (0..sets).map(|_| None).collect();
    for worker in workers {
        let done = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        samples.push(done.samples);
        for (slot, output) in outputs.iter_mut().zip(done.outputs) {
            *slot = output.or(slot.take());
        }
    }
    let (samples, kept) = joined(&samples);
    let Metered { cpu, involuntary_switches } = metered;
    Ok(Outcome { samples, cpu: cpu.map(|cpu| cpu.mul_f64(kept)), involuntary_switches, outputs })
}

/// Returns, for each sample that all threads have, the harmonic mean of their times, in which they
/// together have as many results as if each had taken that time; and the share of the time of all
/// samples that these take.
fn joined(threads: &[Vec<Duration>]) -> (Vec<Duration>, f64) {
    let count = threads.iter().map(Vec::len).min().unwrap_or_default();
    let mean = |sample: usize| {
        let rates = threads.iter().map(|own| own[sample].as_secs_f64().max(1e-9).recip());
        Duration::from_secs_f64(threads.len() as f64 / rates.sum::<f64>())
    };
    let total = |all: &[Duration]| all.iter().sum::<Duration>().as_secs_f64();
    let kept: f64 = threads.iter().map(|own| total(&own[..count])).sum();
    let taken: f64 = threads.iter().map(|own| total(own)).sum();
    ((0..count).map(mean).collect(), kept / taken.max(1e-9))
}

/// One thread's share of the input sets: `first`, `first + stride`, ...
struct Lane<'a, S: Session + ?Sized> {
    calls: &'a [Call<'a, S>],
    first: usize,
    stride: usize,
    next: usize,
    outputs: Vec<Option<ItemOf<S>>>,
}

impl<'a, S: Session> Lane<'a, S> {
    fn new(calls: &'a [Call<'a, S>], first: usize, stride: usize) -> Self {
        let outputs = (0..calls.len()).map(|_| None).collect();
        Self { calls, first, stride, next: first, outputs }
    }

    fn call(&mut self, count: usize) -> Result<(), Refusal> {
        for _ in 0..count {
            self.outputs[self.next] = Some(self.calls[self.next]()?);
            self.next += self.stride;
            if self.next >= self.calls.len() {
                self.next = self.first;
            }
        }
        Ok(())
    }

    /// Runs the calls of one thread. It reaches every barrier even after a refusal, so that no
    /// other thread waits for ever.
    fn work(mut self, plan: Plan, turn: &Barrier, done: &AtomicBool) -> Result<Worked<S>, Refusal> {
        let mut result = self.call(plan.warmup);
        turn.wait();
        let (mut samples, began) = (Vec::with_capacity(plan.samples), Instant::now());
        loop {
            let start = Instant::now();
            result = result.and_then(|()| self.call(plan.iterations));
            samples.push(start.elapsed());
            let is_last = samples.len() >= plan.samples || began.elapsed() >= plan.budget;
            if is_last || result.is_err() {
                done.store(true, Ordering::Relaxed);
            }
            if done.load(Ordering::Relaxed) {
                break;
            }
        }
        turn.wait();
        turn.wait();
        result.map(|()| Worked { samples, outputs: self.outputs })
    }
}

/// Processor time and involuntary context switches of the whole process, which include the threads
/// that an operation itself uses.
struct Meter {
    cpu: Option<Duration>,
    switches: Option<u64>,
}

/// The use of the processor by the whole process while a meter ran.
#[derive(Clone, Copy)]
struct Metered {
    cpu: Option<Duration>,
    involuntary_switches: Option<u64>,
}

impl Meter {
    fn start() -> Self {
        let switches = involuntary_switches();
        Self { cpu: process_cpu(), switches }
    }

    fn stop(self) -> Metered {
        let cpu = process_cpu().zip(self.cpu).map(|(now, then)| now.saturating_sub(then));
        let now = involuntary_switches();
        // The count of a thread that has ended is no longer included.
        let switches = now.zip(self.switches).map(|(now, then)| now.saturating_sub(then));
        Metered { cpu: cpu.filter(|c| !c.is_zero()), involuntary_switches: switches }
    }
}

/// Returns the involuntary context switches of all running threads; `None` if the system lacks the
/// files of Linux.
fn involuntary_switches() -> Option<u64> {
    let threads = std::fs::read_dir("/proc/self/task").ok()?.flatten();
    let of_thread = |thread: std::fs::DirEntry| -> Option<u64> {
        let text = std::fs::read_to_string(thread.path().join("status")).ok()?;
        let line = text.lines().find_map(|l| l.strip_prefix("nonvoluntary_ctxt_switches:"))?;
        line.trim().parse().ok()
    };
    Some(threads.filter_map(of_thread).sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;

    /// Works until the process has used `cpu` of additional processor time.
    fn work(cpu: Duration) {
        let start = process_cpu().unwrap();
        while process_cpu().unwrap().saturating_sub(start) < cpu {
            black_box((0..1000_u64).map(black_box).sum::<u64>());
        }
    }

    #[test]
    fn samples_of_threads_are_harmonic_means() {
        let ms = |all: &[u64]| all.iter().map(|ms| Duration::from_millis(*ms)).collect::<Vec<_>>();
        // In 2 ms the first thread has 1 result and the second 1/3: as many as two threads of 3 ms.
        let (samples, kept) = joined(&[ms(&[2, 2, 4]), ms(&[6, 2])]);
        assert_eq!(samples, ms(&[3, 2]));
        assert!((kept - 12.0 / 16.0).abs() < 1e-9);
        assert_eq!(joined(&[ms(&[5]), ms(&[5])]), (ms(&[5]), 1.0));
    }

    #[test]
    fn the_work_of_other_threads_counts() {
        let meter = Meter::start();
        std::thread::scope(|scope| {
            scope.spawn(|| work(Duration::from_millis(20)));
        });
        let Metered { cpu, involuntary_switches: switches } = meter.stop();
        assert!(cpu.unwrap() >= Duration::from_millis(20));
        assert!(switches.is_some());
    }
}
