//! A batch of blind rotations that threads compute together.
//!
//! A step has two phases. In one, each thread has polynomials of its own: it brings products back
//! to them, and cuts and transforms the digits of the next step. In the other, it has places of the
//! spectra of its own, which it multiplies by the key. So a thread reads only its part of the key,
//! and hands over to the others twice a step.
//!
//! That pays where each thread has a core to itself. Where other work takes a core, every hand-over
//! would wait for that work's time slice. So threads that come too late are left out, and once the
//! others have waited too long in all, the first thread does the rest alone.

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
    patience: Patience,
    /// Parts taken so far, and the bit [`CLOSED`] once no more are given out.
    seats: AtomicUsize,
    /// The hand-over after which the first thread goes on alone.
    last_round: AtomicUsize,
    barrier: Barrier,
}

/// A bit of the seats that says that who is not there yet is left out.
const CLOSED: usize = 1 << (usize::BITS - 1);

/// How long threads wait for others before the first of them goes on alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// For the others to come, once the first is there.
    pub to_start: Duration,
    /// At all hand-overs together, beyond the fraction of a step that is usual.
    pub in_all: Duration,
}

impl Default for Patience {
    /// Longer than a thread takes to wake up on a free core, and shorter than the time slice that
    /// other work gets on a taken one.
    fn default() -> Patience {
        Patience { to_start: Duration::from_micros(200), in_all: Duration::from_millis(1) }
    }
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
            patience: Patience::default(),
            seats: AtomicUsize::new(0),
            last_round: AtomicUsize::new(usize::MAX),
            barrier: Barrier::default(),
        }
    }

    /// The same with another patience.
    #[must_use]
    pub fn with_patience(self, patience: Patience) -> Self {
        SharedRotation { patience, ..self }
    }

    /// The most threads that take part: as many as asked for, or as there are polynomials.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Returns whether the first thread did some of the work of others, because other work kept
    /// them from their cores.
    pub fn was_held_up(&self) -> bool {
        let seats = self.seats.load(Ordering::Relaxed);
        let left_out = seats & CLOSED != 0 && seats & !CLOSED < self.threads;
        left_out || self.last_round.load(Ordering::Relaxed) != usize::MAX
    }

    pub(super) fn rotation(&self) -> &Rotation<'a> {
        &self.rotation
    }

    /// Products with the key of a step: `E` for each ciphertext.
    pub(super) fn products(&self) -> usize {
        self.ciphertexts * self.rotation.shape.extension
    }

    /// A part of the work, unless all are taken or it is too late. Waits for the other threads.
    pub(super) fn take_part(&self) -> Option<Columns<'_>> {
        // No seat is free when they are closed, as that bit is the highest.
        let next = |seats: usize| (seats < self.threads).then_some(seats + 1);
        let index = self.seats.fetch_update(Ordering::AcqRel, Ordering::Acquire, next).ok()?;
        let threads = self.meet(index);
        Some(Columns(Part { whole: self, index, threads, round: 0 }))
    }

    /// Waits for the other threads, and returns how many take part.
    fn meet(&self, index: usize) -> usize {
        let mut pause = Pause::default();
        loop {
            let seats = self.seats.load(Ordering::Acquire);
            if seats & CLOSED != 0 || seats == self.threads {
                return seats & !CLOSED;
            }
            if index == 0 && pause.waited >= self.patience.to_start {
                return self.seats.fetch_or(CLOSED, Ordering::AcqRel) & !CLOSED;
            }
            pause.once();
        }
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
    #[cfg_attr(optimized, inline(always))]
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
    /// Threads that share the work.
    threads: usize,
    /// Handings over so far.
    round: usize,
}

impl Part<'_> {
    /// This thread's share of `count` things.
    #[cfg_attr(optimized, inline(always))]
    fn share(&self, count: usize) -> Range<usize> {
        count * self.index / self.threads..count * (self.index + 1) / self.threads
    }

    /// Waits until all threads have come here as often. From the last round on the first thread has
    /// all shares, and the others have none.
    fn hand_over(mut self) -> Option<Self> {
        self.round += 1;
        if self.threads == 1 {
            return Some(self);
        }
        let whole = self.whole;
        if self.index == 0 && whole.barrier.held_up() >= whole.patience.in_all {
            // The others look at it once they have seen this thread arrive.
            whole.last_round.store(self.round, Ordering::Release);
        }
        whole.barrier.wait(self.round * self.threads);
        if whole.last_round.load(Ordering::Acquire) <= self.round {
            if self.index > 0 {
                return None;
            }
            self.threads = 1;
        }
        Some(self)
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
pub(crate) struct Columns<'a>(Part<'a>);

impl<'a> Columns<'a> {
    /// The columns of the ciphertexts that are this thread's.
    #[cfg_attr(optimized, inline(always))]
    pub(super) fn range(&self) -> Range<usize> {
        self.0.share(self.0.whole.rotation.shape.columns())
    }

    /// Ciphertexts of the batch.
    #[cfg_attr(optimized, inline(always))]
    pub(super) fn ciphertexts(&self) -> usize {
        self.0.whole.ciphertexts
    }

    /// The accumulator's polynomials of a column, and the places of the spectra of the digits of
    /// polynomial `component` of them. At the first of these is the product of the last step.
    #[cfg_attr(optimized, inline(always))]
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

    /// When all threads are done with their polynomials: this thread's places of the spectra, if it
    /// still takes part.
    #[cfg_attr(optimized, inline(always))]
    pub(super) fn hand_over(self) -> Option<Places<'a>> {
        let part = self.0.hand_over()?;
        let range = part.share(part.whole.rotation.shape.degree / GROUP);
        Some(Places { part, range })
    }
}

/// The digit row that a column starts with.
#[cfg_attr(optimized, inline(always))]
pub(super) fn first_row(shape: &ProductShape, column: usize) -> usize {
    column * shape.mask.levels
}

/// A thread's places of all spectra, in groups of 64, during a product.
pub(crate) struct Places<'a> {
    part: Part<'a>,
    /// The groups of places that are this thread's.
    range: Range<usize>,
}

impl<'a> Places<'a> {
    /// The groups of places that are this thread's.
    #[cfg_attr(optimized, inline(always))]
    pub(super) fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// Products with the key: `E` for each ciphertext of the batch, its polynomials in order.
    #[cfg_attr(optimized, inline(always))]
    pub(super) fn products(&self) -> usize {
        self.part.whole.products()
    }

    /// The columns that are this thread's between two products.
    pub(super) fn columns(&self) -> Range<usize> {
        self.part.share(self.part.whole.rotation.shape.columns())
    }

    /// This thread's part of the key of a step.
    #[cfg_attr(optimized, inline(always))]
    pub(super) fn part_of<'k>(&self, key: &'k [Line]) -> &'k [Line] {
        let group = key.len() / (self.part.whole.rotation.shape.degree / GROUP);
        &key[self.range.start * group..self.range.end * group]
    }

    /// One group of places, in the spectra of all `rows` digits of some products: those of the
    /// first, then those of the next.
    #[cfg_attr(optimized, inline(always))]
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

    /// When all threads are done with their places: this thread's polynomials, if it still takes
    /// part.
    #[cfg_attr(optimized, inline(always))]
    pub(super) fn hand_over(self) -> Option<Columns<'a>> {
        self.part.hand_over().map(Columns)
    }
}

/// Doubles of a group of places: 64 complex values.
const GROUP: usize = 128;

/// The same group of places in the spectra of all digits of some products.
pub(crate) struct Group<'a> {
    /// Of the first spectrum; those of the others follow at distances of `degree`.
    start: *mut f64,
    rows: usize,
    degree: usize,
    borrow: PhantomData<&'a mut [f64]>,
}

impl Group<'_> {
    /// The lines of one spectrum.
    #[cfg_attr(optimized, inline(always))]
    pub(super) fn row(&mut self, row: usize) -> &mut [Line; 8] {
        assert!(row < self.rows);
        // SAFETY: `Places::group` checked that all rows lie within the scratch. A group of places
        // belongs to one thread until it hands over, which takes the `Places` that `self` borrows;
        // and only one row of it can borrow `self`.
        unsafe { &mut *self.start.add(row * self.degree).cast() }
    }
}

/// The pauses of a thread that waits for others: it spins for a while, and then offers its core to
/// them.
#[derive(Default)]
struct Pause {
    turns: usize,
    start: Option<Instant>,
    waited: Duration,
}

impl Pause {
    /// How long a thread spins: several steps.
    const SPIN: Duration = Duration::from_micros(50);

    /// Turns of the loop between two looks at the clock.
    const TURNS: usize = 64;

    fn once(&mut self) {
        self.turns += 1;
        if self.waited > Self::SPIN {
            std::thread::yield_now();
        }
        if self.waited > Self::SPIN || self.turns.is_multiple_of(Self::TURNS) {
            self.waited = self.start.get_or_insert_with(Instant::now).elapsed();
        }
        spin_loop();
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
    /// A bit of the arrivals that says that a thread will not come.
    const ABANDONED: usize = 1 << (usize::BITS - 1);

    /// How long threads waited for others, in sum, but for waits in which they only spun.
    fn held_up(&self) -> Duration {
        Duration::from_nanos(self.held_up_ns.load(Ordering::Relaxed))
    }

    /// Arrives, and waits until `count` arrivals have happened in all.
    ///
    /// # Panics
    /// If another thread has panicked, and so will not come.
    fn wait(&self, count: usize) {
        let mut arrived = self.arrived.fetch_add(1, Ordering::AcqRel) + 1;
        let mut pause = Pause::default();
        while arrived < count {
            pause.once();
            arrived = self.arrived.load(Ordering::Acquire);
        }
        if pause.waited > Pause::SPIN {
            self.held_up_ns.fetch_add(pause.waited.as_nanos() as u64, Ordering::Relaxed);
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
                std::thread::sleep(4 * Pause::SPIN);
                barrier.wait(2);
            });
            barrier.held_up() > Duration::ZERO
        };
        // The thread that waits may itself be held up, and then see no wait.
        assert!((0..100).any(|_| noticed()));
    }
}
