//! The meeting point of operations that run in step, so that their layers of bootstraps form one
//! batch each.
//!
//! Every operation has a thread of its own, which computes until its next layer and then waits.
//! When all threads wait, one of them evaluates the layers of all of them at once. An operation
//! thus needs no code for batches of itself.
//!
//! A thread may not come: it waits for a lock that another one holds, for its turn, or for a result
//! of another operation, all of which are programs that users write. Once nothing has happened for
//! as long as the last batch took, but at least 20 ms, the batch is therefore evaluated without the
//! threads that are missing, which are no longer waited for until they come. A thread that is only
//! slow loses nothing but company. Each bootstrap computes the same in any batch, so that neither
//! results nor their noise depend on who came.

use super::Lut;
use super::bootstrap::task::{Input, Outputs, Table, Task};
use crate::lwe::LweCiphertext;
use std::collections::HashMap;
use std::panic::resume_unwind;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// A task that owns its ciphertexts, so that another thread can evaluate it.
struct OwnedTask {
    input: OwnedInput,
    table: OwnedTable,
}

enum OwnedInput {
    Big(LweCiphertext),
    Small(Vec<u64>),
}

enum OwnedTable {
    Clear(Lut),
    Encrypted { words: Vec<u64>, places: Vec<usize> },
}

impl OwnedTask {
    fn new(task: &Task<'_>) -> OwnedTask {
        let input = match task.input {
            Input::Big(lwe) => OwnedInput::Big(lwe.clone()),
            Input::Small(words) => OwnedInput::Small(words.to_vec()),
        };
        let table = match task.table {
            Table::Clear(lut) => OwnedTable::Clear(lut.clone()),
            Table::Encrypted { words, places } => {
                OwnedTable::Encrypted { words: words.to_vec(), places: places.to_vec() }
            }
        };
        OwnedTask { input, table }
    }

    fn borrowed(&self) -> Task<'_> {
        let input = match &self.input {
            OwnedInput::Big(lwe) => Input::Big(lwe),
            OwnedInput::Small(words) => Input::Small(words),
        };
        let table = match &self.table {
            OwnedTable::Clear(lut) => Table::Clear(lut),
            OwnedTable::Encrypted { words, places } => Table::Encrypted { words, places },
        };
        Task { input, table }
    }
}

/// The layer of a member that waits.
struct Waiting {
    ticket: usize,
    tasks: Vec<OwnedTask>,
}

/// The state of a member at a meeting point.
#[derive(Clone, Default)]
struct Seat {
    /// True once the operations of the member are done.
    left: bool,
    /// True if the others no longer wait for it, until its next layer.
    absent: bool,
    /// Number of its layers in the next batch: 0 or 1, or more if an operation has several threads.
    waiting: usize,
}

struct State {
    seats: Vec<Seat>,
    /// Number of layers handed in so far, which numbers them.
    tickets: usize,
    /// The layers that were handed in for the next batch.
    waiting: Vec<Waiting>,
    /// Number of bootstraps in the layers that wait.
    bootstraps: usize,
    /// True while a member evaluates a batch.
    running: bool,
    /// The time at which the last layer was handed in or the last batch was completed.
    quiet_since: Instant,
    /// The time for which a batch waits for members after that.
    patience: Duration,
    /// The outputs that have not been collected; `None` for those of a cancelled batch.
    done: HashMap<usize, Option<Outputs>>,
    /// True if a batch was not completed because its evaluation panicked.
    failed: bool,
}

/// The meeting point of operations in step.
pub(super) struct Lockstep {
    engine: Arc<dyn RunNow>,
    state: Mutex<State>,
    changed: Condvar,
}

impl std::fmt::Debug for Lockstep {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lockstep").finish_non_exhaustive()
    }
}

/// An evaluator that runs a batch of bootstraps at once.
pub(super) trait RunNow: Send + Sync {
    /// Evaluates tasks without waiting for other operations. `bootstraps` is their number, which a
    /// simulation counts. Returns `None` if it was cancelled.
    fn run_now(&self, tasks: &[Task<'_>], bootstraps: usize) -> Option<Outputs>;
}

/// A batch in evaluation. If this panics, the other members do not wait for ever.
struct Batch<'a> {
    lockstep: &'a Lockstep,
    layers: Vec<Waiting>,
    bootstraps: usize,
}

impl Drop for Batch<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.lockstep.lock().failed = true;
            self.lockstep.changed.notify_all();
        }
    }
}

impl Lockstep {
    /// The least time for which a batch waits for members: more than a thread needs to get a core.
    const LEAST_PATIENCE: Duration = Duration::from_millis(20);
    /// The greatest time for which a batch waits for members.
    const MOST_PATIENCE: Duration = Duration::from_secs(1);

    /// Returns a meeting point of `members` operations, whose batches `engine` evaluates.
    pub(super) fn of(members: usize, engine: Arc<dyn RunNow>) -> Lockstep {
        let state = State {
            seats: vec![Seat::default(); members],
            tickets: 0,
            waiting: Vec::new(),
            bootstraps: 0,
            running: false,
            quiet_since: Instant::now(),
            patience: Self::LEAST_PATIENCE,
            done: HashMap::new(),
            failed: false,
        };
        Lockstep { engine, state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Counts one operation out, for which the others no longer wait.
    pub(super) fn leave(&self, member: usize) {
        self.lock().seats[member].left = true;
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Evaluates tasks of a member together with those of the others. Returns `None` if it was
    /// cancelled.
    pub(super) fn run(
        &self,
        member: usize,
        tasks: &[Task<'_>],
        bootstraps: usize,
    ) -> Option<Outputs> {
        let tasks = tasks.iter().map(OwnedTask::new).collect();
        let mut state = self.lock();
        let ticket = state.hand_in(member, tasks, bootstraps);
        loop {
            if let Some(outputs) = state.done.remove(&ticket) {
                return outputs;
            }
            // Nobody else can compute the outputs that the panic lost, so that every member that
            // waits ends too instead of hanging. The panic was reported where it happened: resuming
            // it does not report it again.
            if state.failed {
                drop(state);
                resume_unwind(Box::new("a batch of bootstraps was not completed"));
            }
            if let Some((layers, bootstraps)) = state.next_batch() {
                drop(state);
                // The state is unlocked meanwhile, so that other members hand in layers of the next
                // batch.
                self.evaluate(Batch { lockstep: self, layers, bootstraps });
                state = self.lock();
            } else if state.running {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            } else {
                // Whoever wakes first after this time takes the batch without the missing members.
                // Members need not be woken when a layer is handed in, since the one that completes
                // a batch takes it itself.
                let rest = state.patience.saturating_sub(state.quiet_since.elapsed());
                let woken = self.changed.wait_timeout(state, rest);
                state = woken.unwrap_or_else(PoisonError::into_inner).0;
            }
        }
    }

    /// Evaluates a batch. Other members hand in layers of the next one meanwhile.
    fn evaluate(&self, mut batch: Batch<'_>) {
        let start = Instant::now();
        let tasks = batch.layers.iter().flat_map(|layer| &layer.tasks).map(OwnedTask::borrowed);
        let outputs = self.engine.run_now(&tasks.collect::<Vec<_>>(), batch.bootstraps);
        let mut outputs = outputs.map(Vec::into_iter);
        let mut state = self.lock();
        for Waiting { ticket, tasks } in batch.layers.drain(..) {
            let own = outputs.as_mut().map(|outputs| outputs.take(tasks.len()).collect());
            state.done.insert(ticket, own);
        }
        state.running = false;
        state.quiet_since = Instant::now();
        // A wait in vain takes as long as the last batch did at most, or the least patience.
        state.patience = start.elapsed().clamp(Self::LEAST_PATIENCE, Self::MOST_PATIENCE);
        self.changed.notify_all();
    }
}

impl State {
    /// Adds a layer to the next batch and returns its number.
    fn hand_in(&mut self, member: usize, tasks: Vec<OwnedTask>, bootstraps: usize) -> usize {
        let ticket = self.tickets;
        self.tickets += 1;
        let seat = &mut self.seats[member];
        seat.absent = false;
        seat.waiting += 1;
        self.waiting.push(Waiting { ticket, tasks });
        self.bootstraps += bootstraps;
        self.quiet_since = Instant::now();
        ticket
    }

    /// Takes the layers of the next batch and the number of their bootstraps, if it is time for it:
    /// every member waits, or nothing has changed for a while. In that case, the others are no
    /// longer waited for until they come.
    fn next_batch(&mut self) -> Option<(Vec<Waiting>, usize)> {
        let awaited = |seat: &Seat| !seat.left && !seat.absent && seat.waiting == 0;
        if self.running || self.waiting.is_empty() {
            return None;
        }
        if self.seats.iter().any(awaited) {
            if self.quiet_since.elapsed() < self.patience {
                return None;
            }
            self.seats.iter_mut().filter(|seat| awaited(seat)).for_each(|seat| seat.absent = true);
        }
        self.seats.iter_mut().for_each(|seat| seat.waiting = 0);
        self.running = true;
        Some((std::mem::take(&mut self.waiting), std::mem::take(&mut self.bootstraps)))
    }
}
