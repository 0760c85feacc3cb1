//! The timed loop of `run`: a monotonic clock around the calls of one operation.

use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::process_time::process_cpu;
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
    /// Time of each sample, from the start of the first thread until the end of the last one.
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
    let (cpu, involuntary_switches) = meter.stop();
    Ok(Outcome { samples, cpu, involuntary_switches, outputs: lane.outputs })
}

fn run_threads<S: Session>(calls: &[Call<'_, S>], plan: Plan) -> Result<Outcome<S>, Refusal> {
    let (start, end) = (Barrier::new(plan.threads + 1), Barrier::new(plan.threads + 1));
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let (start, end, done) = (&start, &end, &done);
        let workers: Vec<_> = (0..plan.threads)
            .map(|thread| {
                let lane = Lane::<S>::new(calls, thread, plan.threads);
                scope.spawn(move || lane.work(plan, start, end, done))
            })
            .collect();
        start.wait();
        end.wait(); // every thread has warmed up
        let meter = Meter::start();
        let began = Instant::now();
        for sample in 0..plan.samples {
            if sample > 0 && began.elapsed() >= plan.budget {
                break;
            }
            start.wait();
            end.wait();
        }
        let metered = meter.stop(); // before the threads end
        done.store(true, Ordering::SeqCst);
        start.wait();
        collect::<S>(calls.len(), workers, metered)
    })
}

/// Result of one thread. Every thread takes its own times, because the thread that counts the
/// samples may be preempted when the others start.
struct Worked<S: Session + ?Sized> {
    spans: Vec<[Instant; 2]>,
    outputs: Vec<Option<ItemOf<S>>>,
}

fn collect<S: Session>(
    sets: usize,
    workers: Vec<std::thread::ScopedJoinHandle<'_, Result<Worked<S>, Refusal>>>,
    (cpu, involuntary_switches): (Option<Duration>, Option<u64>),
) -> Result<Outcome<S>, Refusal> {
    let mut spans: Vec<[Instant; 2]> = Vec::new();
    let mut outcome = Outcome {
        samples: Vec::new(),
        cpu,
        involuntary_switches,
        outputs: (0..sets).map(|_| None).collect(),
    };
    for worker in workers {
        let done = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        if spans.is_empty() {
            spans.clone_from(&done.spans);
        }
        for ([start, end], [other_start, other_end]) in spans.iter_mut().zip(&done.spans) {
            (*start, *end) = ((*start).min(*other_start), (*end).max(*other_end));
        }
        for (slot, output) in outcome.outputs.iter_mut().zip(done.outputs) {
            *slot = output.or(slot.take());
        }
    }
    outcome.samples = spans.iter().map(|[start, end]| *end - *start).collect();
    Ok(outcome)
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
    fn work(
        mut self,
        plan: Plan,
        start: &Barrier,
        end: &Barrier,
        done: &AtomicBool,
    ) -> Result<Worked<S>, Refusal> {
        start.wait();
        let mut result = self.call(plan.warmup);
        end.wait();
        let mut spans = Vec::with_capacity(plan.samples);
        loop {
            start.wait();
            if done.load(Ordering::SeqCst) {
                break;
            }
            let begin = Instant::now();
            if result.is_ok() {
                result = self.call(plan.iterations);
            }
            spans.push([begin, Instant::now()]);
            end.wait();
        }
        result.map(|()| Worked { spans, outputs: self.outputs })
    }
}

/// Processor time and involuntary context switches of the whole process, which include the threads
/// that an operation itself uses.
struct Meter {
    cpu: Option<Duration>,
    switches: Option<u64>,
}

impl Meter {
    fn start() -> Self {
        let switches = involuntary_switches();
        Self { cpu: process_cpu(), switches }
    }

    fn stop(self) -> (Option<Duration>, Option<u64>) {
        let cpu = process_cpu().zip(self.cpu).map(|(now, then)| now.saturating_sub(then));
        let now = involuntary_switches();
        // The count of a thread that has ended is no longer included.
        let switches = now.zip(self.switches).map(|(now, then)| now.saturating_sub(then));
        (cpu.filter(|c| !c.is_zero()), switches)
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
    fn the_work_of_other_threads_counts() {
        let meter = Meter::start();
        std::thread::scope(|scope| {
            scope.spawn(|| work(Duration::from_millis(20)));
        });
        let (cpu, switches) = meter.stop();
        assert!(cpu.unwrap() >= Duration::from_millis(20));
        assert!(switches.is_some());
    }
}
