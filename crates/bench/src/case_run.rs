//! A case during its measurement: rounds of fresh inputs, samples and verified results.

use std::time::{Duration, Instant};

use crate::drivers::process::Fault;
use crate::drivers::protocol::{
    Args, Bootstraps, CiphertextBytes, Code, Encoding, Handle, KeyKind, Keygen, LibraryInfo,
    NoiseStep, ParamsInfo, Run, Timed, Variance,
};
use crate::measure::{Effort, LONG_CALL, Series};
use crate::ops::{Op, Work};
use crate::record::{
    Bytes, Case, Derived, FailureProbability, Lane, NoiseVariance, Observed, Security, Semantics,
    Status, TimeNs, Verify, round1,
};
use crate::stats;
use crate::suite::CaseSpec;
use crate::torus::{BlockOp, Gate};
use crate::verify::{self, Values};
use crate::workbench::{Batch, Checked, Workbench};

/// Number of products after which a chain ends if the library never refuses.
const LONGEST_CHAIN: usize = 40;

/// A case between its first and its last round.
#[derive(Debug)]
pub struct CaseRun {
    /// The specification of the case.
    pub spec: CaseSpec,
    effort: Effort,
    series: Series,
    rounds: usize,
    spent: Duration,
    checked: Checked,
    noise: NoiseStep,
    bootstraps: Option<Bootstraps>,
    variance: Option<Variance>,
    bytes: Bytes,
    own_session: Option<u64>,
    fault: Option<Fault>,
    depth_reached: Option<usize>,
    done: bool,
}

impl CaseRun {
    /// Creates a case that has not begun.
    pub fn new(spec: CaseSpec, effort: Effort) -> Self {
        Self {
            spec,
            effort,
            series: Series::default(),
            rounds: 0,
            spent: Duration::ZERO,
            checked: Checked::default(),
            noise: NoiseStep::default(),
            bootstraps: None,
            variance: None,
            bytes: Bytes::default(),
            own_session: None,
            fault: None,
            depth_reached: None,
            done: false,
        }
    }

    /// Returns true if the case needs no more rounds.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// Returns true if the case was stopped before its first round.
    pub fn was_never_begun(&self) -> bool {
        self.rounds == 0 && self.fault.is_none()
    }

    /// Returns the median of the samples so far, in nanoseconds per call.
    pub fn median_ns(&self) -> Option<f64> {
        self.series.summary().map(|summary| summary.median)
    }

    /// Returns the median of each round so far, in nanoseconds per call.
    pub fn round_medians(&self) -> Vec<f64> {
        stats::medians_of_parts(&self.series.samples, &self.series.rounds)
    }

    /// Ends the case because of `fault`; samples taken so far are kept but never ranked.
    pub fn fail(&mut self, fault: Fault) {
        self.fault = Some(fault);
        self.done = true;
    }

    /// Ends the case before it is complete.
    pub fn interrupt(&mut self) {
        self.series.interrupted = true;
        self.done = true;
    }

    /// Runs one round: makes fresh inputs, takes samples and checks every result.
    ///
    /// # Errors
    /// Any fault; the caller then ends the case with [`CaseRun::fail`].
    pub fn round(&mut self, bench: &mut Workbench) -> Result<(), Fault> {
        let start = Instant::now();
        bench.inputs = self.spec.inputs;
        match self.spec.op.work() {
            Work::Keygen => self.keygen_round(bench, false)?,
            Work::RotateKeygen => self.keygen_round(bench, true)?,
            Work::CiphertextSize | Work::KeySize => self.measure_sizes(bench)?,
            Work::PastBudget => self.chain(bench)?,
            Work::Encrypt(_)
            | Work::Decrypt
            | Work::Add
            | Work::Sub
            | Work::Mul
            | Work::MulBatch(_)
            | Work::MulPlain
            | Work::AddPlain
            | Work::Square
            | Work::Relin
            | Work::Rotate
            | Work::RotateSum
            | Work::Depth(_)
            | Work::DecryptDepth(_)
            | Work::Dot(_)
            | Work::PackedDot(_)
            | Work::Polynomial
            | Work::DotSlots
            | Work::ModSwitch
            | Work::Gate(_)
            | Work::Block(_)
            | Work::Integer(_) => self.timed_round(bench)?,
        }
        self.rounds += 1;
        self.series.end_round();
        self.spent += start.elapsed();
        let untimed = self.series.samples.is_empty();
        let wrong = self.checked.mismatches > 0;
        let turns = self.effort.are_enough_rounds(self.rounds, self.spent);
        let enough =
            (turns || self.call_is_long()) && self.effort.is_enough(&self.series, self.spent);
        self.done |= untimed || wrong || enough;
        Ok(())
    }

    /// Returns the record of the case on library `lib`.
    pub fn record(&self, lib: &LibraryInfo, bench: Option<&Workbench>) -> Case {
        let CaseSpec { scheme, op, threads, .. } = &self.spec;
        let params = bench.map(|bench| bench.params.clone());
        let time_ns = TimeNs::of(&self.series);
        let timed = time_ns.is_some();
        let slots = params.as_ref().map_or(0, |params| self.values_of(params));
        let mut bytes = self.bytes;
        if let Some(bench) = bench {
            let keys = bench.keys;
            bytes.sk = Some(keys.sk);
            if bench.params.torus.is_some() {
                bytes.bootstrapping = Some(keys.bootstrapping).filter(|bytes| *bytes > 0);
                let memory = Some(keys.bootstrapping_memory);
                bytes.bootstrapping_memory = memory.filter(|bytes| *bytes > 0);
            } else {
                (bytes.pk, bytes.relin) = (Some(keys.pk), Some(keys.relin));
                bytes.galois = bytes.galois.or(Some(keys.galois));
            }
            bytes.peak_rss = Some(bench.driver.peak_rss()).filter(|bytes| *bytes > 0);
        }
        let scenario = if *threads > 1 { "batch" } else { "latency" };
        Case {
            kind: "case".into(),
            id: self.spec.id(&lib.name),
            lib: lib.clone(),
            scheme: scheme.clone(),
            op: op.name().into(),
            scenario: timed.then(|| scenario.into()),
            question: Some(self.spec.question()),
            division: Some(self.spec.division),
            lane: Lane {
                pack: pack(op, params.as_ref()).into(),
                slots,
                threads: *threads,
                op_threads: self.spec.op_threads,
                inputs: self.spec.inputs,
            },
            semantics: Semantics::of(op.encoding(), params.as_ref()),
            security: params.as_ref().and_then(Security::of),
            verify: self.verdict(params.as_ref()),
            derived: derived(time_ns.as_ref(), slots, op),
            params,
            time_ns,
            bytes,
            provenance: "measured".into(),
        }
    }

    fn values_of(&self, params: &ParamsInfo) -> usize {
        let packed = self.spec.op.encoding() == Encoding::Coefficients;
        if packed { params.n } else { params.slots }
    }

    fn verdict(&self, params: Option<&ParamsInfo>) -> Verify {
        let past_budget = self.spec.op.work() == Work::PastBudget;
        let status = match &self.fault {
            _ if self.checked.mismatches > 0 => Status::Wrong,
            None if self.checked.values > 0 => Status::Ok,
            Some(Fault::Refused(refusal)) => match refusal.code {
                Code::NoiseExhausted => Status::NoiseExhausted,
                Code::Unsupported | Code::Insecure => Status::Unsupported,
                Code::BadRequest | Code::Internal => Status::Failed,
            },
            None
            | Some(
                Fault::NotStarted(_)
                | Fault::Crashed { .. }
                | Fault::Hung { .. }
                | Fault::Flooded { .. }
                | Fault::Violation(_)
                | Fault::Nonsense { .. },
            ) => Status::Failed,
        };
        let remark = match status {
            Status::Failed => Some("no result was checked".to_owned()),
            Status::Ok if past_budget => {
                Some(format!("no refusal within {LONGEST_CHAIN} products, all correct"))
            }
            Status::Ok | Status::Wrong | Status::NoiseExhausted | Status::Unsupported => None,
        };
        let wanted = if past_budget { Status::NoiseExhausted } else { Status::Ok };
        Verify {
            status,
            expected: status == wanted,
            checked: self.checked.values,
            mismatches: self.checked.mismatches,
            reason: self.fault.as_ref().map(reason).or(remark),
            depth_reached: self.depth_reached,
            noise_budget_bits: NoiseStep {
                before: self.noise.before.map(round1),
                after: self.noise.after.map(round1),
                predicted_after: self.noise.predicted_after.map(round1),
            },
            bootstraps: self.bootstraps.map(|Bootstraps { count, layers }| Bootstraps {
                count: round1(count),
                layers: round1(layers),
            }),
            noise_variance: self.variance.map(NoiseVariance::of),
            precision_bits: self.checked.precision_bits.map(round1),
            p_fail_log2: params.and_then(|params| params.p_fail_log2).map(|each| {
                // Union bound: the probability that any bootstrap fails is at most the sum.
                let bootstraps = self.bootstraps.map_or(1.0, |found| found.count.max(1.0));
                let observed = Observed { fail: self.checked.mismatches, n: self.checked.values };
                FailureProbability { predicted: round1(each + bootstraps.log2()), observed }
            }),
        }
    }

    fn timed_round(&mut self, bench: &mut Workbench) -> Result<(), Fault> {
        let op = self.spec.op.clone();
        let sets = op.input_sets(bench.threads);
        let batch = bench.make(&op, sets)?;
        self.note_input(batch.bytes);
        if let Some(calls) = op.calls_a_sample() {
            self.series.iterations = calls.div_ceil(bench.threads);
        }
        let long =
            if self.series.iterations == 0 { self.calibrate(bench, &op, &batch)? } else { None };
        let iterations = self.series.iterations;
        let slice = self.effort.slice();
        let warmup = if self.call_is_long() { 0 } else { sets.div_ceil(bench.threads) };
        let request = Run {
            warmup,
            samples: self.samples_a_round(),
            budget_ns: Some(slice.as_nanos() as u64),
            ..request(iterations)
        };
        let timed = match long {
            Some(timed) => timed,
            None => bench.time(&op, &batch, request)?,
        };
        self.series.extend(&timed, iterations * bench.threads * op.results_a_call());
        let decrypted = batch.product.filter(|_| matches!(op.work(), Work::DecryptDepth(_)));
        let (bytes, theory) = decrypted.unwrap_or((timed.bytes_out, timed.theory_out));
        self.bytes.ct_out = Some(bytes).filter(|bytes| *bytes > 0);
        self.bytes.ct_theory_out = theory;
        self.noise = timed.noise_budget_bits;
        self.bootstraps = timed.bootstraps;
        if let Some(variance) = timed.variance {
            self.variance = Some(self.variance.map_or(variance, |known| known.join(variance)));
        }
        self.checked += bench.check(&op, &batch, &timed.outputs)?;
        bench.clear(batch, &timed.outputs)
    }

    /// Determines the number of calls in a sample: 1 if the first call is long enough to be a
    /// sample, which is returned, or much longer than the minimum duration; else from the shortest
    /// of three single calls, each on its own inputs, and then from one longer sample.
    fn calibrate(
        &mut self,
        bench: &mut Workbench,
        op: &Op,
        batch: &Batch,
    ) -> Result<Option<Timed>, Fault> {
        self.series.iterations = 1;
        let first = bench.time(op, batch, request(1))?;
        let call = Duration::from_nanos(first.samples_ns[0]);
        if call >= LONG_CALL {
            return Ok(Some(first));
        }
        bench.driver.forget(first.outputs.into_iter().flatten().collect())?;
        if call >= 20 * self.effort.sample {
            return Ok(None);
        }
        let mut iterations = 1;
        for samples in [3, 1] {
            let timed = bench.time(op, batch, Run { warmup: 1, samples, ..request(iterations) })?;
            let fastest = timed.samples_ns.iter().min().copied().unwrap_or(0);
            if bench.threads == 1 {
                // With several threads, a single call consists mostly of waking them.
                let first = fastest / op.results_a_call() as u64;
                self.series.first_call_ns.get_or_insert(first);
            }
            bench.driver.forget(timed.outputs.into_iter().flatten().collect())?;
            let call = Duration::from_nanos(fastest / iterations as u64);
            iterations = self.effort.iterations_for(call);
        }
        self.series.iterations = iterations;
        Ok(None)
    }

    fn call_is_long(&self) -> bool {
        self.median_ns().is_some_and(|ns| ns >= LONG_CALL.as_nanos() as f64)
    }

    fn samples_a_round(&self) -> usize {
        let floor = if self.call_is_long() { 1 } else { self.effort.floor.div_ceil(2) };
        let sample = self.median_ns().unwrap_or(0.0) * self.series.results.max(1) as f64;
        let slice = self.effort.slice().as_nanos() as f64;
        if sample > 0.0 { (slice / sample) as usize } else { floor }.clamp(floor, 50)
    }

    fn note_input(&mut self, bytes: Option<CiphertextBytes>) {
        if let Some(bytes) = bytes {
            self.bytes.ct_in = Some(bytes.packed);
            self.bytes.ct_theory = Some(bytes.theory);
            self.bytes.ct_seeded = bytes.seeded.or(self.bytes.ct_seeded);
        }
    }

    /// Generates keys in a session of their own, so that other cases keep theirs.
    fn keygen_round(&mut self, bench: &mut Workbench, rotations: bool) -> Result<(), Fault> {
        let session = match self.own_session {
            Some(session) => session,
            None => self.open_own_session(bench)?,
        };
        self.own_session = Some(session);
        let shared = std::mem::replace(&mut bench.session, session);
        let result = self.keygen_in_session(bench, rotations);
        bench.session = shared;
        result
    }

    fn open_own_session(&self, bench: &mut Workbench) -> Result<u64, Fault> {
        let CaseSpec { scheme, request, .. } = &self.spec;
        Ok(bench.driver.prepare(scheme, request.clone(), self.spec.lanes(), None)?.session)
    }

    fn keygen_in_session(&mut self, bench: &mut Workbench, rotations: bool) -> Result<(), Fault> {
        let (steps, row_swap) = self.spec.op.rotation_keys(bench.params.slots, bench.params.rows());
        let keys = bench.driver.keygen(Keygen {
            session: bench.session,
            rotations: steps,
            row_swap: u8::from(row_swap),
            reps: if self.series.samples.is_empty() { 1 } else { self.samples_a_round().min(20) },
        })?;
        let samples = if rotations { keys.rotate_samples_ns } else { keys.samples_ns };
        self.series.samples.extend(samples.iter().map(|&ns| ns as f64));
        self.series.iterations = 1;
        if rotations {
            self.bytes.galois = Some(keys.bytes.galois);
        }
        let (handle, values, bytes) = bench.encrypt_random(self.spec.inputs, None)?;
        self.note_input(Some(bytes));
        let (result, expected) = if rotations {
            let (outputs, _) = bench.apply("rotate_sum", vec![vec![handle]; bench.threads])?;
            let t = bench.params.plain_modulus;
            (outputs[0], verify::expected(Work::RotateSum, &[values], t))
        } else if bench.params.torus.is_some() {
            return self.check_bootstrap(bench, handle, values);
        } else {
            (handle, values)
        };
        self.checked += bench.compare(result, &expected, Encoding::Slots)?;
        Ok(())
    }

    /// Checks the keys of a torus scheme by a bootstrap: a gate for sets on bits, else a table.
    fn check_bootstrap(
        &mut self,
        bench: &mut Workbench,
        handle: Handle,
        values: Values,
    ) -> Result<(), Fault> {
        let t = bench.params.plain_modulus;
        let work = if t == 2 { Work::Gate(Gate::Nand) } else { Work::Block(BlockOp::KsPbs) };
        let (name, operands) = if t == 2 { ("nand", 2) } else { ("ks_pbs", 1) };
        let (outputs, _) = bench.apply(name, vec![vec![handle; operands]; bench.threads])?;
        let expected = verify::expected(work, &vec![values; operands], t);
        self.checked += bench.compare(outputs[0], &expected, Encoding::Slots)?;
        Ok(())
    }

    fn measure_sizes(&mut self, bench: &mut Workbench) -> Result<(), Fault> {
        let character = bench.params.character.as_ref();
        let secret_only = bench.params.torus.is_some()
            || character.is_some_and(|found| found.keys == "secret-key");
        let has = |op: &str| bench.operations.iter().any(|own| own == op);
        let public = !secret_only && has("encrypt_pk");
        let secret = has("encrypt_sk") || !public;
        let modes = [(KeyKind::Sk, secret), (KeyKind::Pk, public)];
        for (mode, _) in modes.into_iter().filter(|(_, wanted)| *wanted) {
            let (handle, values, bytes) = bench.encrypt_random(mode, None)?;
            self.note_input(Some(bytes));
            self.checked += bench.compare(handle, &values, Encoding::Slots)?;
            bench.driver.forget(vec![handle])?;
        }
        Ok(())
    }

    /// Multiplies until the library refuses; checks every product before that.
    fn chain(&mut self, bench: &mut Workbench) -> Result<(), Fault> {
        let t = bench.params.plain_modulus;
        let (mut x, mut product, bytes) = bench.encrypt_random(self.spec.inputs, None)?;
        self.note_input(Some(bytes));
        let mut level = None;
        for depth in 0..LONGEST_CHAIN {
            self.depth_reached = Some(depth);
            let (y, factor, _) = bench.encrypt_random(self.spec.inputs, level)?;
            let (outputs, timed) = bench.apply("mul_switch", vec![vec![x, y]; bench.threads])?;
            product = verify::expected(Work::Mul, &[product, factor], t);
            self.noise = timed.noise_budget_bits;
            self.checked += bench.compare(outputs[0], &product, Encoding::Slots)?;
            if self.checked.mismatches > 0 {
                return Ok(());
            }
            bench.driver.forget(vec![x, y])?;
            (x, level) = (outputs[0], timed.level);
        }
        Ok(())
    }
}

/// Returns the message of a fault, without the kind that the status already states.
fn reason(fault: &Fault) -> String {
    match fault {
        Fault::Refused(refusal) => refusal.message.clone(),
        Fault::NotStarted(_)
        | Fault::Crashed { .. }
        | Fault::Hung { .. }
        | Fault::Flooded { .. }
        | Fault::Violation(_)
        | Fault::Nonsense { .. } => fault.to_string(),
    }
}

/// Returns the layout of the values in a ciphertext.
fn pack(op: &Op, params: Option<&ParamsInfo>) -> &'static str {
    if params.is_some_and(|params| params.torus.is_some()) {
        "scalar"
    } else if op.encoding() == Encoding::Coefficients {
        "coefficients"
    } else {
        "simd"
    }
}

/// Returns the parts of a request that do not depend on the operation.
fn request(iterations: usize) -> Run {
    Run {
        session: 0,
        op: String::new(),
        args: Args::default(),
        inputs: Vec::new(),
        warmup: 0,
        iterations,
        samples: 1,
        budget_ns: None,
    }
}

fn derived(time: Option<&TimeNs>, slots: usize, op: &Op) -> Derived {
    let Some(time) = time.filter(|time| time.median > 0) else { return Derived::default() };
    let per_value = op.has_lanes() && slots > 1 && op.encoding() == Encoding::Slots;
    let per_slot = (time.median as f64 / slots as f64 * 1e3).round() / 1e3;
    let per_second = 1e9 / time.median as f64;
    Derived { ns_per_slot: per_value.then_some(per_slot), ops_per_s: Some(round1(per_second)) }
}
