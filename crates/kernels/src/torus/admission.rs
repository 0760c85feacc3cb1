//! Admission of the threads that compute a rotation together.
//!
//! Threads arrive in any order and get the indices 0, 1, 2, ... The first starts at once and alone.
//! Between two steps it admits those that have arrived since, at most once, by a word that holds
//! the step and their number. It writes the word after its work so far and releases it; the others
//! wait for the word and acquire it, so that they see this work. From then on all of them
//! synchronise by the [barrier](super::barrier).

use super::barrier::Pause;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Bit of `arrived`: threads that have not yet arrived do not take part.
const CLOSED: usize = 1 << (usize::BITS - 1);

/// The first thread still works alone.
const NOT_YET: u64 = 0;

/// The moment from which several threads share the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Admission {
    /// The first step that they share; the first thread has computed those before it.
    pub(super) step: usize,
    /// Number of threads that take part. 0: the first thread has done all the work.
    pub(super) threads: usize,
}

impl Admission {
    const THREADS_BITS: u32 = 16;

    /// Returns a word other than [`NOT_YET`].
    fn to_word(self) -> u64 {
        (self.step as u64 + 1) << Self::THREADS_BITS | self.threads as u64
    }

    fn of_word(word: u64) -> Option<Admission> {
        let threads = (word & ((1 << Self::THREADS_BITS) - 1)) as usize;
        let step = (word >> Self::THREADS_BITS).checked_sub(1)? as usize;
        Some(Admission { step, threads })
    }
}

/// The place where threads arrive and wait.
#[derive(Debug, Default)]
pub(super) struct Entrance {
    /// Number of threads that have arrived, and the bit [`CLOSED`] once no more are accepted.
    arrived: AtomicUsize,
    /// The [`Admission`] as a word.
    admitted: AtomicU64,
}

impl Entrance {
    /// Returns the index of a thread that arrives, unless it is too late or `most` have.
    pub(super) fn arrive(&self, most: usize) -> Option<usize> {
        // Once it is closed nobody arrives, because `CLOSED` is the highest bit.
        let next = |arrived: usize| (arrived < most).then_some(arrived + 1);
        self.arrived.fetch_update(Ordering::AcqRel, Ordering::Acquire, next).ok()
    }

    /// Waits until the first thread admits others or has done all the work.
    pub(super) fn wait(&self) -> Admission {
        let mut pause = Pause::default();
        loop {
            if let Some(admission) = Admission::of_word(self.admitted.load(Ordering::Acquire)) {
                return admission;
            }
            pause.once();
        }
    }

    /// Called by the first thread before `step` while it works alone. Admits the threads that have
    /// arrived if they are `most`, or from `steps_alone` on if there is any; returns how many take
    /// part, 1 if it admits none.
    pub(super) fn admit(&self, step: usize, most: usize, steps_alone: usize) -> usize {
        if most == 1 || self.admitted.load(Ordering::Relaxed) != NOT_YET {
            return 1;
        }
        let arrived = self.arrived.load(Ordering::Acquire);
        if arrived == 1 || (arrived < most && step < steps_alone) {
            return 1;
        }
        let threads = self.arrived.fetch_or(CLOSED, Ordering::AcqRel);
        self.admitted.store(Admission { step, threads }.to_word(), Ordering::Release);
        threads
    }

    /// Called by the first thread after its last step: the threads that still wait stop.
    pub(super) fn finish(&self) {
        if self.admitted.load(Ordering::Relaxed) == NOT_YET {
            self.arrived.fetch_or(CLOSED, Ordering::AcqRel);
            self.admitted.store(Admission { step: 0, threads: 0 }.to_word(), Ordering::Release);
        }
    }

    /// Returns true if fewer than `most` threads took part.
    pub(super) fn left_some_out(&self, most: usize) -> bool {
        let arrived = self.arrived.load(Ordering::Relaxed);
        arrived & CLOSED != 0 && arrived & !CLOSED < most
    }

    /// Waits until `count` threads have arrived.
    #[cfg(test)]
    pub(super) fn wait_for_arrivals(&self, count: usize) {
        while self.arrived.load(Ordering::Relaxed) != count {
            std::thread::yield_now();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn admissions_are_words_other_than_none() {
        assert_eq!(Admission::of_word(NOT_YET), None);
        for (step, threads) in [(0, 0), (0, 2), (1, 4), (1_000_000, 3)] {
            let admission = Admission { step, threads };
            assert_ne!(admission.to_word(), NOT_YET);
            assert_eq!(Admission::of_word(admission.to_word()), Some(admission));
        }
    }

    #[test]
    fn all_are_admitted_at_once_and_some_after_the_steps_alone() {
        let all = Entrance::default();
        assert_eq!([all.arrive(3), all.arrive(3)], [Some(0), Some(1)]);
        assert_eq!([all.admit(1, 3, 9), all.admit(8, 3, 9)], [1, 1]);
        assert_eq!([all.arrive(3), all.arrive(3)], [Some(2), None]);
        assert_eq!(all.admit(2, 3, 9), 3);
        assert_eq!(all.wait(), Admission { step: 2, threads: 3 });
        assert!(!all.left_some_out(3));

        let some = Entrance::default();
        assert_eq!([some.arrive(3), some.arrive(3)], [Some(0), Some(1)]);
        assert_eq!(some.admit(9, 3, 9), 2);
        assert_eq!((some.arrive(3), some.admit(10, 3, 9)), (None, 1), "there is one admission");
        assert!(some.left_some_out(3));
    }

    #[test]
    fn nobody_is_admitted_after_the_end() {
        let entrance = Entrance::default();
        assert_eq!([entrance.arrive(2), entrance.arrive(2)], [Some(0), Some(1)]);
        entrance.finish();
        assert_eq!(entrance.wait().threads, 0);
        assert_eq!((entrance.arrive(2), entrance.admit(1, 2, 0)), (None, 1));
    }
}
