//! The meeting point of operations that run in step, so that their layers of bootstraps form one
//! batch each.
//!
//! Every operation has a thread of its own, which computes until its next layer and then waits.
//! When all threads wait, one of them evaluates the layers of all of them at once. An operation
//! thus needs no code for batches of itself.

use super::Lut;
use super::bootstrap::task::{Input, Table, Task};
use crate::lwe::LweCiphertext;
use std::collections::HashMap;
use std::panic::resume_unwind;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// The outputs of a member's tasks.
type Outputs = Vec<Vec<LweCiphertext>>;

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
    member: usize,
    tasks: Vec<OwnedTask>,
}

#[derive(Default)]
struct State {
    /// Number of members that have not left.
    members: usize,
    /// Number of layers handed in so far, which numbers them.
    tickets: usize,
    /// The layers that were handed in for the next batch.
    waiting: Vec<Waiting>,
    /// Number of bootstraps in them, which a simulation counts without computing them.
    bootstraps: usize,
    /// The outputs that have not been collected.
    done: HashMap<usize, Outputs>,
    /// True if a batch was not completed because its evaluation panicked.
    failed: bool,
}

/// The meeting point of operations in step.
pub(super) struct Lockstep {
    state: Mutex<State>,
    changed: Condvar,
}

impl std::fmt::Debug for Lockstep {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lockstep").finish_non_exhaustive()
    }
}

/// Marks a batch as failed if its evaluation panics, so that the other members do not wait forever.
struct Batch<'a>(&'a mut State);

impl Drop for Batch<'_> {
    fn drop(&mut self) {
        self.0.failed |= thread::panicking();
    }
}

/// An evaluator that runs a batch of bootstraps at once.
pub(super) trait RunNow {
    /// Evaluates tasks without waiting for other operations. `bootstraps` is their number, which a
    /// simulation counts.
    fn run_now(&self, tasks: &[Task<'_>], bootstraps: usize) -> Outputs;
}

impl Lockstep {
    /// Returns a meeting point of `members` operations.
    pub(super) fn of(members: usize) -> Lockstep {
        let state = State { members, ..State::default() };
        Lockstep { state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Counts one operation out, for which the others no longer wait.
    pub(super) fn leave(&self, engine: &impl RunNow) {
        let mut state = self.lock();
        state.members -= 1;
        self.run_if_all_wait(engine, &mut state);
        // After a panic, the others are still to be woken.
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Evaluates tasks together with those of all other members.
    pub(super) fn run(
        &self,
        engine: &impl RunNow,
        tasks: &[Task<'_>],
        bootstraps: usize,
    ) -> Outputs {
        let tasks = tasks.iter().map(OwnedTask::new).collect();
        let mut state = self.lock();
        let ticket = state.tickets;
        state.tickets += 1;
        state.waiting.push(Waiting { member: ticket, tasks });
        state.bootstraps += bootstraps;
        self.run_if_all_wait(engine, &mut state);
        loop {
            if let Some(outputs) = state.done.remove(&ticket) {
                return outputs;
            }
            if state.failed {
                drop(state);
                resume_unwind(Box::new("a batch of bootstraps was not completed"));
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Evaluates all layers if every member waits for its own. The other members need the lock for
    /// nothing else meanwhile.
    fn run_if_all_wait(&self, engine: &impl RunNow, state: &mut State) {
        if state.waiting.is_empty() || state.waiting.len() < state.members {
            return;
        }
        let waiting = std::mem::take(&mut state.waiting);
        let bootstraps = std::mem::take(&mut state.bootstraps);
        let batch = Batch(state);
        let tasks = waiting.iter().flat_map(|layer| &layer.tasks).map(OwnedTask::borrowed);
        let mut outputs = engine.run_now(&tasks.collect::<Vec<_>>(), bootstraps).into_iter();
        for Waiting { member, tasks } in waiting {
            batch.0.done.insert(member, outputs.by_ref().take(tasks.len()).collect());
        }
        drop(batch);
        self.changed.notify_all();
    }
}
