//! A batch of blind rotations that threads compute together.
//!
//! A step has two phases. In one, each thread has polynomials of its own: it brings products back
//! to them, and cuts and transforms the digits of the next step. In the other, it has places of the
//! spectra of its own, which it multiplies by the key. So a thread reads only its part of the key,
//! and hands over to the others twice a step.

use super::lanes::Line;
use super::product::{MAX_EXTENSION, MAX_SELECTORS, ProductShape, Rotation};
use std::hint::spin_loop;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A batch of blind rotations, to be computed by one or more threads at a time; see
/// [`super::TorusKernel::rotate`].
#[derive(Debug)]
pub struct SharedRotation<'a> {
    rotation: Rotation<'a>,
    accumulators: Cells<'a>,
    scratch: Cells<'a>,
    ciphertexts: usize,
    threads: usize,
    seats: AtomicUsize,
    barrier: Barrier,
}

impl<'a> SharedRotation<'a> {
    /// For `threads` threads, of which at most one for each polynomial of a ciphertext has work.
    ///
    /// Shapes: `accumulators` are whole multiples of [`ProductShape::accumulator_len`], in units of
    /// `q / B` and within `[-B/2, B/2]`, as are the results; `scratch` has as many multiples of
    /// [`ProductShape::scratch_len`], and `rotation` as many exponents for each step and selector.
    pub fn new(
        rotation: Rotation<'a>,
        accumulators: &'a mut [f64],
        scratch: &'a mut [f64],
        threads: usize,
    ) -> SharedRotation<'a> {
        let shape = rotation.shape;
        assert!(shape.degree.is_power_of_two() && (256..=1 << 17).contains(&shape.degree));
        assert!((1..=3).contains(&shape.rank) && (1..=MAX_SELECTORS).contains(&shape.selectors));
        assert!(shape.extension.is_power_of_two() && shape.extension <= MAX_EXTENSION);
        assert!([shape.mask, shape.body].iter().all(|digits| (1..=64).contains(&digits.levels)));
        let ciphertexts = accumulators.len() / shape.accumulator_len();
        assert_eq!(accumulators.len(), ciphertexts * shape.accumulator_len());
        assert_eq!(scratch.len(), ciphertexts * shape.scratch_len());
        let steps = rotation.key.len() / shape.step_len();
        assert_eq!(rotation.exponents.len(), ciphertexts * steps * shape.selectors);
        SharedRotation {
            rotation,
            accumulators: Cells::new(accumulators),
            scratch: Cells::new(scratch),
            ciphertexts,
            threads: threads.clamp(1, shape.columns()),
            seats: AtomicUsize::new(0),
            barrier: Barrier::default(),
        }
    }

    /// Threads that must take part: as many as asked for, or as there are polynomials.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// How long threads waited for others beyond the fraction of a step that is usual, in sum:
    /// nearly no time, unless other work keeps one of them from running.
    pub fn held_up(&self) -> Duration {
        Duration::from_nanos(self.barrier.held_up_ns.load(Ordering::Relaxed))
    }

    pub(super) fn rotation(&self) -> &Rotation<'a> {
        &self.rotation
    }

    /// Products with the key of a step: `E` for each ciphertext.
    pub(super) fn products(&self) -> usize {
        self.ciphertexts * self.rotation.shape.extension
    }

    /// A part of the work, unless all are taken.
    pub(super) fn take_part(&self) -> Option<Columns<'_>> {
        let next = |index: usize| (index < self.threads).then_some(index + 1);
        let index = self.seats.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next).ok()?;
        Some(Columns(Part { whole: self, index, round: 0 }))
    }
}

/// Doubles that threads take turns to own.
#[derive(Debug)]
struct Cells<'a> {
    start: *mut f64,
    len: usize,
    borrow: PhantomData<&'a mut [f64]>,
}

// SAFETY: it gives out slices only through `Cells::slice`, whose callers keep them apart.
unsafe impl Send for Cells<'_> {}
// SAFETY: as above.
unsafe impl Sync for Cells<'_> {}

impl<'a> Cells<'a> {
    fn new(values: &'a mut [f64]) -> Cells<'a> {
        Cells { start: values.as_mut_ptr(), len: values.len(), borrow: PhantomData }
    }

    /// Some of the values.
    ///
    /// # Safety
    /// While the slice lives, nobody else may have one that overlaps it.
    #[inline(always)]
    #[allow(clippy::mut_from_ref)]
    unsafe fn slice(&self, at: usize, len: usize) -> &mut [f64] {
        assert!(at <= self.len && len <= self.len - at);
        // SAFETY: within the borrowed values, which are initialised; exclusive by the contract.
        unsafe { std::slice::from_raw_parts_mut(self.start.add(at), len) }
    }
}

/// The share of one thread.
struct Part<'a> {
    whole: &'a SharedRotation<'a>,
    index: usize,
    /// Handings over so far.
    round: usize,
}

impl Part<'_> {
    /// This thread's share of `count` things.
    #[inline(always)]
    fn share(&self, count: usize) -> Range<usize> {
        let threads = self.whole.threads;
        count * self.index / threads..count * (self.index + 1) / threads
    }

    /// Waits until all threads have come here as often.
    #[inline(always)]
    fn hand_over(&mut self) {
        self.round += 1;
        if self.whole.threads > 1 {
            self.whole.barrier.wait(self.round * self.whole.threads);
        }
    }
}

impl Drop for Part<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.whole.barrier.abandon();
        }
    }
}

/// A thread's polynomials, between two products.
pub(super) struct Columns<'a>(Part<'a>);

impl<'a> Columns<'a> {
    /// The columns of the ciphertexts that are this thread's.
    #[inline(always)]
    pub(super) fn range(&self) -> Range<usize> {
        self.0.share(self.0.whole.rotation.shape.columns())
    }

    /// Ciphertexts of the batch.
    #[inline(always)]
    pub(super) fn ciphertexts(&self) -> usize {
        self.0.whole.ciphertexts
    }

    /// The accumulator's polynomials of a column, and the places of the spectra of the digits of
    /// polynomial `component` of them. At the first of these is the product of the last step.
    #[inline(always)]
    pub(super) fn get(
        &mut self,
        ciphertext: usize,
        column: usize,
        component: usize,
    ) -> (&mut [f64], &mut [f64]) {
        let whole = self.0.whole;
        let shape = whole.rotation.shape;
        assert!(ciphertext < whole.ciphertexts && self.range().contains(&column));
        assert!(component < shape.extension);
        let length = shape.extension * shape.degree;
        let at = (ciphertext * shape.columns() + column) * length;
        let product = ciphertext * shape.extension + component;
        let row = product * shape.rows() + first_row(&shape, column);
        let levels = shape.decomposition(column).levels;
        // SAFETY: a column and its rows belong to one thread until it hands over, and handing over
        // takes `self`, which the slices borrow.
        unsafe {
            (
                whole.accumulators.slice(at, length),
                whole.scratch.slice(row * shape.degree, levels * shape.degree),
            )
        }
    }

    /// When all threads are done with their polynomials: this thread's places of the spectra.
    #[inline(always)]
    pub(super) fn hand_over(mut self) -> Places<'a> {
        self.0.hand_over();
        let range = self.0.share(self.0.whole.rotation.shape.degree / GROUP);
        Places { part: self.0, range }
    }
}

/// The digit row that a column starts with.
#[inline(always)]
pub(super) fn first_row(shape: &ProductShape, column: usize) -> usize {
    column * shape.mask.levels
}

/// A thread's places of all spectra, in groups of 64, during a product.
pub(super) struct Places<'a> {
    part: Part<'a>,
    /// The groups of places that are this thread's.
    range: Range<usize>,
}

impl<'a> Places<'a> {
    /// The groups of places that are this thread's.
    #[inline(always)]
    pub(super) fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// Products with the key: `E` for each ciphertext of the batch, its polynomials in order.
    #[inline(always)]
    pub(super) fn products(&self) -> usize {
        self.part.whole.products()
    }

    /// The columns that are this thread's between two products.
    pub(super) fn columns(&self) -> Range<usize> {
        self.part.share(self.part.whole.rotation.shape.columns())
    }

    /// This thread's part of the key of a step.
    #[inline(always)]
    pub(super) fn part_of<'k>(&self, key: &'k [Line]) -> &'k [Line] {
        let group = key.len() / (self.part.whole.rotation.shape.degree / GROUP);
        &key[self.range.start * group..self.range.end * group]
    }

    /// One group of places, in the spectra of all `rows` digits of some products: those of the
    /// first, then those of the next.
    #[inline(always)]
    pub(super) fn group(&mut self, products: Range<usize>, group: usize, rows: usize) -> Group<'_> {
        let whole = self.part.whole;
        assert!(products.start <= products.end && products.end <= whole.products());
        assert!(self.range.contains(&group));
        let shape = &whole.rotation.shape;
        assert!(rows == shape.rows());
        assert!(whole.scratch.len == whole.products() * rows * shape.degree);
        let at = products.start * rows * shape.degree + group * GROUP;
        // SAFETY: `at` is in the scratch or at its end, by the lengths just compared.
        let start = unsafe { whole.scratch.start.add(at) };
        Group { start, rows: products.len() * rows, degree: shape.degree, borrow: PhantomData }
    }

    /// When all threads are done with their places: this thread's polynomials.
    #[inline(always)]
    pub(super) fn hand_over(mut self) -> Columns<'a> {
        self.part.hand_over();
        Columns(self.part)
    }
}

/// Doubles of a group of places: 64 complex values.
const GROUP: usize = 128;

/// The same group of places in the spectra of all digits of some products.
pub(super) struct Group<'a> {
    /// Of the first spectrum; those of the others follow at distances of `degree`.
    start: *mut f64,
    rows: usize,
    degree: usize,
    borrow: PhantomData<&'a mut [f64]>,
}

impl Group<'_> {
    /// The lines of one spectrum.
    #[inline(always)]
    pub(super) fn row(&mut self, row: usize) -> &mut [Line; 8] {
        assert!(row < self.rows);
        // SAFETY: `Places::group` checked that all rows lie within the scratch. A group of places
        // belongs to one thread until it hands over, which takes the `Places` that `self` borrows;
        // and only one row of it can borrow `self`.
        unsafe { &mut *self.start.add(row * self.degree).cast() }
    }
}

/// A meeting point of threads that never wait long: it spins.
#[derive(Debug, Default)]
#[repr(align(128))] // Apart from what the threads read all the time.
struct Barrier {
    arrived: AtomicUsize,
    held_up_ns: AtomicU64,
}

impl Barrier {
    /// How long a thread waits before it offers its core to others: several steps.
    const PATIENCE: Duration = Duration::from_micros(50);

    /// Turns of the loop between two looks at the clock.
    const TURNS: usize = 64;

    /// A bit of the arrivals that says that a thread will not come.
    const ABANDONED: usize = 1 << (usize::BITS - 1);

    /// Arrives, and waits until `count` arrivals have happened in all.
    ///
    /// # Panics
    /// If another thread has panicked, and so will not come.
    fn wait(&self, count: usize) {
        let mut arrived = self.arrived.fetch_add(1, Ordering::AcqRel) + 1;
        let (mut turns, mut start, mut waited) = (0, None, Duration::ZERO);
        while arrived < count {
            turns += 1;
            if waited > Self::PATIENCE {
                std::thread::yield_now();
            }
            if waited > Self::PATIENCE || turns % Self::TURNS == 0 {
                waited = start.get_or_insert_with(Instant::now).elapsed();
            }
            spin_loop();
            arrived = self.arrived.load(Ordering::Acquire);
        }
        if waited > Self::PATIENCE {
            self.held_up_ns.fetch_add(waited.as_nanos() as u64, Ordering::Relaxed);
        }
        assert!(arrived & Self::ABANDONED == 0, "another thread of the rotation panicked");
    }

    /// Ends all waiting: a thread that panics will not arrive.
    fn abandon(&self) {
        self.arrived.fetch_or(Self::ABANDONED, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_passes_the_barrier_before_all_have_come() {
        let (barrier, started) = (Barrier::default(), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for round in 1..200 {
                        started.fetch_add(1, Ordering::SeqCst);
                        barrier.wait(4 * round);
                        assert!(started.load(Ordering::SeqCst) >= 4 * round);
                    }
                });
            }
        });
    }

    #[test]
    fn nobody_waits_for_a_thread_that_panicked() {
        let barrier = Barrier::default();
        std::thread::scope(|scope| {
            let waiting = [0; 2].map(|_| scope.spawn(|| barrier.wait(3)));
            barrier.abandon();
            assert!(waiting.into_iter().all(|thread| thread.join().is_err()));
        });
    }

    #[test]
    fn waiting_long_is_noticed() {
        let noticed = || {
            let barrier = Barrier::default();
            std::thread::scope(|scope| {
                scope.spawn(|| barrier.wait(2));
                while barrier.arrived.load(Ordering::Relaxed) == 0 {}
                std::thread::sleep(4 * Barrier::PATIENCE);
                barrier.wait(2);
            });
            barrier.held_up_ns.load(Ordering::Relaxed) > 0
        };
        // The thread that waits may itself be held up, and then see no wait.
        assert!((0..100).any(|_| noticed()));
    }
}
