//! A session of any library, as the server holds it.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use super::protocol::{
    Bootstraps, CiphertextBytes, Code, Decrypt, Decrypted, Encoded, Encrypt, Encrypted, Handle,
    Keygen, Keys, Noise, NoiseStep, Plaintext, Refusal, Run, Timed, Variance,
};
use super::session::{Item, ItemOf, Session};
use super::stopwatch::{self, Plan};
use crate::ops::Operation;

/// A session of any library, as the server holds it. The server chooses the handles of new items.
pub trait Served {
    /// Answers `keygen`; drops all items, because they belong to the old keys.
    ///
    /// # Errors
    /// Errors of the library.
    fn keygen(&mut self, request: &Keygen) -> Result<Keys, Refusal>;

    /// Answers `encrypt`.
    ///
    /// # Errors
    /// Errors of the library.
    fn encrypt(&mut self, request: &Encrypt, ct: Handle) -> Result<Encrypted, Refusal>;

    /// Answers `plaintext`.
    ///
    /// # Errors
    /// Errors of the library.
    fn plaintext(&mut self, request: &Plaintext, pt: Handle) -> Result<Encoded, Refusal>;

    /// Answers `decrypt`.
    ///
    /// # Errors
    /// Errors of the library; `bad_request` for an unknown handle.
    fn decrypt(&self, request: &Decrypt) -> Result<Decrypted, Refusal>;

    /// Answers `noise`.
    ///
    /// # Errors
    /// `bad_request` for an unknown handle.
    fn noise(&self, ct: Handle) -> Result<Noise, Refusal>;

    /// Answers `run`; the outputs get handles from `first_output` on, one per input set.
    ///
    /// # Errors
    /// Errors of the library; `bad_request` for a request that cannot be run.
    fn run(&mut self, request: &Run, first_output: Handle) -> Result<Timed, Refusal>;

    /// Drops an item; returns false if there is none.
    fn forget(&mut self, handle: Handle) -> bool;
}

/// Wraps a session whose `run` uses `threads` threads.
pub fn serving<S: Session + 'static>(session: S, threads: usize) -> Box<dyn Served> {
    Box::new(Open { session, threads, items: HashMap::new() })
}

struct Open<S: Session> {
    session: S,
    threads: usize,
    items: HashMap<Handle, ItemOf<S>>,
}

impl<S: Session> Served for Open<S> {
    fn noise(&self, ct: Handle) -> Result<Noise, Refusal> {
        Ok(self.session.noise(self.item(ct)?.ciphertext()?))
    }

    fn forget(&mut self, handle: Handle) -> bool {
        self.items.remove(&handle).is_some()
    }

    fn keygen(&mut self, request: &Keygen) -> Result<Keys, Refusal> {
        let (mut samples_ns, mut rotate_samples_ns) = (Vec::new(), Vec::new());
        for _ in 0..request.reps.max(1) {
            let start = Instant::now();
            self.session.generate_keys()?;
            samples_ns.push(start.elapsed().as_nanos() as u64);
            if !request.rotations.is_empty() || request.row_swap != 0 {
                let start = Instant::now();
                let row_swap = request.row_swap != 0;
                self.session.generate_rotation_keys(&request.rotations, row_swap)?;
                rotate_samples_ns.push(start.elapsed().as_nanos() as u64);
            }
        }
        self.items.clear();
        let (bytes, published) = (self.session.key_bytes(), self.session.published_keys());
        Ok(Keys { samples_ns, rotate_samples_ns, bytes, published })
    }

    fn encrypt(&mut self, request: &Encrypt, ct: Handle) -> Result<Encrypted, Refusal> {
        let plaintext = self.session.encode(&request.values, request.encoding)?;
        let ciphertext = self.session.encrypt(&plaintext, request.mode, request.level)?;
        let bytes = self.session.ciphertext_bytes(&ciphertext);
        let noise_budget_bits = self.session.noise(&ciphertext).tracked_budget_bits;
        self.items.insert(ct, Item::Ciphertext(ciphertext));
        Ok(Encrypted { ct, bytes, noise_budget_bits })
    }

    fn plaintext(&mut self, request: &Plaintext, pt: Handle) -> Result<Encoded, Refusal> {
        let plaintext = self.session.encode(&request.values, request.encoding)?;
        self.items.insert(pt, Item::Plaintext(plaintext));
        Ok(Encoded { pt })
    }

    fn decrypt(&self, request: &Decrypt) -> Result<Decrypted, Refusal> {
        let values = match self.item(request.ct)? {
            Item::Ciphertext(ciphertext) => {
                self.session.decode(&self.session.decrypt(ciphertext)?, request.encoding)?
            }
            Item::Plaintext(plaintext) => self.session.decode(plaintext, request.encoding)?,
        };
        Ok(Decrypted { values })
    }

    fn run(&mut self, request: &Run, first_output: Handle) -> Result<Timed, Refusal> {
        if request.inputs.len() < self.threads || request.iterations == 0 || request.samples == 0 {
            return Err(bad_request(format!(
                "`run` needs an input set for each of {} threads, and at least one iteration and \
                 one sample",
                self.threads
            )));
        }
        let operation = Operation::parse(&request.op, &request.args)?;
        let mut sets = Vec::with_capacity(request.inputs.len());
        for set in &request.inputs {
            operation.check_operands(set.len())?;
            sets.push(set.iter().map(|h| self.item(*h)).collect::<Result<Vec<_>, _>>()?);
        }
        let plan = Plan {
            warmup: request.warmup,
            iterations: request.iterations,
            samples: request.samples,
            budget: request.budget_ns.map_or(Duration::MAX, Duration::from_nanos),
            threads: self.threads,
        };
        let calls = sets.iter().map(|set| self.session.bind(operation, &request.args, set));
        let calls = calls.collect::<Result<Vec<_>, _>>()?;
        let before = self.session.bootstraps();
        let outcome = stopwatch::run::<S>(&calls, plan)?;
        drop(calls);
        let call_count =
            self.threads * (request.warmup + outcome.samples.len() * request.iterations);
        let bootstraps = before.zip(self.session.bootstraps()).map(|(before, after)| Bootstraps {
            count: (after.count - before.count) / call_count as f64,
            layers: (after.layers - before.layers) / call_count as f64,
        });
        let variance = self.variance(outcome.outputs.iter().flatten());
        let first = outcome.outputs.iter().flatten().next();
        let (bytes, level, noise_budget_bits) = self.describe(&sets[0], first);
        let mut handles = Vec::with_capacity(outcome.outputs.len());
        for (handle, output) in (first_output..).zip(outcome.outputs) {
            handles.push(output.is_some().then_some(handle));
            self.items.extend(output.map(|item| (handle, item)));
        }
        Ok(Timed {
            // A time of zero is reported as 1 ns, because it is below the resolution of the clock.
            samples_ns: outcome.samples.iter().map(|s| s.as_nanos().max(1) as u64).collect(),
            iterations: request.iterations,
            cpu_ns: outcome.cpu.map(|cpu| cpu.as_nanos() as u64),
            involuntary_switches: outcome.involuntary_switches,
            outputs: handles,
            bytes_out: bytes.packed,
            theory_out: Some(bytes.theory).filter(|bytes| *bytes > 0),
            level,
            noise_budget_bits,
            bootstraps,
            variance,
        })
    }
}

impl<S: Session> Open<S> {
    fn variance<'a>(&self, outputs: impl Iterator<Item = &'a ItemOf<S>>) -> Option<Variance>
    where
        S: 'a,
    {
        let of = |item: &ItemOf<S>| self.session.variance(item.ciphertext().ok()?);
        outputs.filter_map(of).reduce(Variance::join)
    }

    fn item(&self, handle: Handle) -> Result<&ItemOf<S>, Refusal> {
        self.items.get(&handle).ok_or_else(|| bad_request(format!("there is no handle {handle}")))
    }

    fn describe(
        &self,
        inputs: &[&ItemOf<S>],
        output: Option<&ItemOf<S>>,
    ) -> (CiphertextBytes, Option<u32>, NoiseStep) {
        let measured = |item: &ItemOf<S>| {
            item.ciphertext().ok().and_then(|c| self.session.noise(c).measured_budget_bits)
        };
        let before = inputs.iter().filter_map(|item| measured(item)).reduce(f64::min);
        let Some(Item::Ciphertext(output)) = output else {
            let step = NoiseStep { before, ..NoiseStep::default() };
            return (CiphertextBytes::default(), None, step);
        };
        let noise = self.session.noise(output);
        let step = NoiseStep {
            before,
            after: noise.measured_budget_bits,
            predicted_after: noise.tracked_budget_bits,
        };
        (self.session.ciphertext_bytes(output), self.session.level(output), step)
    }
}

fn bad_request(message: impl Into<String>) -> Refusal {
    Refusal::new(Code::BadRequest, message)
}
