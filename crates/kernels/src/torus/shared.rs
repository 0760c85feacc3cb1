//! Batches of blind rotations that several threads compute together.
//!
//! A step has two phases. In the first, each thread owns some polynomials: it transforms the
//! products back, adds them to the polynomials, and decomposes and transforms these for the next
//! step. In the second, each thread owns some places of all spectra, which it multiplies by the
//! key. Each thread thus reads only its part of the key, and all threads synchronise twice per
//! step.
//!
//! This is efficient if each thread has its own core. A thread that sleeps takes long to wake up,
//! from a few microseconds to a millisecond. Therefore the first thread starts alone, and
//! [admits](super::admission) the others between two steps once they have arrived. If other work
//! occupies a core, every synchronisation would wait for the end of its time slice. Therefore, if
//! the waits exceed a limit, the first thread completes the work alone.

use super::admission::{Admission, Entrance};
use super::barrier::{Barrier, Member, Passed};
use super::octet::Line;
use super::product::{MAX_EXTENSION, MAX_SELECTORS, ProductShape, Rotation};
use std::marker::PhantomData;
use std::ops::Range;
use std::time::Duration;

/// A batch of blind rotations, computed by one or more threads; see [`super::TorusKernel::rotate`].
#[derive(Debug)]
pub struct SharedRotation<'a> {
    rotation: Rotation<'a>,
    accumulators: Cells<'a>,
    scratch: Cells<'a>,
    ciphertexts: usize,
    threads: usize,
    patience: Patience,
    entrance: Entrance,
    barrier: Barrier,
}

/// Limits of the time for which threads wait for others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// Number of steps that the first thread computes alone until all others have arrived. After
    /// them it admits those that have, if any, and no more.
    pub steps_alone: usize,
    /// Total wait at all synchronisations, apart from short waits, in which a thread only spins,
    /// before the first thread continues alone.
    pub in_all: Duration,
}

impl Default for Patience {
    /// Returns limits that exceed the time in which a thread wakes up on a free core, and a total
    /// that is shorter than a time slice of other work.
    fn default() -> Patience {
        Patience { steps_alone: 16, in_all: Duration::from_millis(1) }
    }
}

impl<'a> SharedRotation<'a> {
    /// Creates the batch for at most `threads` threads; more than the number of polynomials in a
    /// ciphertext have no work.
    ///
    /// Shapes: the length of `accumulators` is a multiple of [`ProductShape::accumulator_len`],
    /// with values in units of `q / B` within `[-B/2, B/2]`, as are the results; `scratch` has the
    /// same multiple of [`ProductShape::scratch_len`], and `rotation` one exponent for each
    /// ciphertext, step and selector.
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
            // A thread without a polynomial of its own would only wait at the barriers.
            threads: threads.clamp(1, shape.columns()),
            patience: Patience::default(),
            entrance: Entrance::default(),
            barrier: Barrier::default(),
        }
    }

    /// Replaces the limits of waiting.
    #[must_use]
    pub fn with_patience(self, patience: Patience) -> Self {
        SharedRotation { patience, ..self }
    }

    /// Returns the maximum number of threads: the number requested, but at most the number of
    /// polynomials in a ciphertext.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Returns true if the first thread did work of other threads, because these did not get a core
    /// in time.
    pub fn was_held_up(&self) -> bool {
        self.entrance.left_some_out(self.threads) || self.barrier.ended_early()
    }

    pub(super) fn rotation(&self) -> &Rotation<'a> {
        &self.rotation
    }

    /// Returns the number of products with the key of a step: `E` for each ciphertext.
    pub(super) fn products(&self) -> usize {
        self.ciphertexts * self.rotation.shape.extension
    }

    /// Takes a part of the work, unless all are taken or it is too late. The first thread has all
    /// of it until it admits others, which wait for this.
    pub(super) fn take_part(&self) -> Option<Columns<'_>> {
        let index = self.entrance.arrive(self.threads)?;
        let alone = Admission { step: 0, threads: 1 };
        let Admission { step, threads } = if index == 0 { alone } else { self.entrance.wait() };
        (index < threads).then_some(Columns(Part { whole: self, index, threads, step, round: 0 }))
    }
}

/// Doubles of which threads own disjoint parts in turn.
#[derive(Debug)]
struct Cells<'a> {
    start: *mut f64,
    len: usize,
    borrow: PhantomData<&'a mut [f64]>,
}

// SAFETY: slices are created only by `Cells::slice`, whose callers keep them disjoint.
unsafe impl Send for Cells<'_> {}
// SAFETY: slices are created only by `Cells::slice`, whose callers keep them disjoint.
unsafe impl Sync for Cells<'_> {}

impl<'a> Cells<'a> {
    fn new(values: &'a mut [f64]) -> Cells<'a> {
        Cells { start: values.as_mut_ptr(), len: values.len(), borrow: PhantomData }
    }

    /// Returns a range of the values.
    ///
    /// # Safety
    /// While the slice exists, no other slice may overlap it.
    #[cfg_attr(optimized, inline(always))]
    #[allow(clippy::mut_from_ref)]
    unsafe fn slice(&self, at: usize, len: usize) -> &mut [f64] {
        assert!(at <= self.len && len <= self.len - at);
        // SAFETY: within the borrowed values, which are initialised; exclusive by the contract.
        unsafe { std::slice::from_raw_parts_mut(self.start.add(at), len) }
    }
}

/// The part of one thread.
struct Part<'a> {
    whole: &'a SharedRotation<'a>,
    index: usize,
    /// Number of threads that share the work.
    threads: usize,
    /// The step for which the digits are computed next, or whose products are.
    step: usize,
    /// Number of synchronisations so far.
    round: usize,
}

impl Part<'_> {
    /// Returns this thread's range of `count` items.
    #[cfg_attr(optimized, inline(always))]
    fn share(&self, count: usize) -> Range<usize> {
        count * self.index / self.threads..count * (self.index + 1) / self.threads
    }

    /// Waits until all threads have reached the same synchronisation. From the last round on, the
    /// first thread owns all items and the other threads stop.
    fn hand_over(mut self) -> Option<Self> {
        if self.threads == 1 {
            return Some(self);
        }
        // Rounds are numbered and never reset, so that a slow thread cannot take a later round for
        // its own.
        self.round += 1;
        let member = Member { index: self.index, threads: self.threads };
        match self.whole.barrier.pass(member, self.round, self.whole.patience.in_all) {
            Passed::Together => {}
            // With one thread its share is everything, so that it takes over the parts of the
            // threads that did not come.
            Passed::Alone => self.threads = 1,
            Passed::Stopped => return None,
        }
        Some(self)
    }
}

impl Drop for Part<'_> {
    fn drop(&mut self) {
        // The others would wait for this thread forever.
        if std::thread::panicking() {
            self.whole.barrier.abandon();
        }
        if self.index == 0 {
            self.whole.entrance.finish();
        }
    }
}

/// A thread's polynomials, in the phase between two products.
pub(crate) struct Columns<'a>(Part<'a>);

impl<'a> Columns<'a> {
    /// Returns the index of the step for which the digits are computed next.
    pub(super) fn step(&self) -> usize {
        self.0.step
    }

    /// Returns the columns of the ciphertexts that this thread owns.
    #[cfg_attr(optimized, inline(always))]
    pub(super) fn range(&self) -> Range<usize> {
        self.0.share(self.0.whole.rotation.shape.columns())
    }

    /// Returns the number of ciphertexts in the batch.
    #[cfg_attr(optimized, inline(always))]
    pub(super) fn ciphertexts(&self) -> usize {
        self.0.whole.ciphertexts
    }

    /// Returns the components of the accumulator's polynomial in a column, and the spectra of the
    /// digits of its component `component`. The first of these holds the product of the last step.
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
        // SAFETY: a column and its rows belong to one thread until it synchronises, and `hand_over`
        // takes `self`, which the slices borrow.
        unsafe {
            (
                whole.accumulators.slice(at, length),
                whole.scratch.slice(row * shape.degree, levels * shape.degree),
            )
        }
    }

    /// Synchronises with the other threads and returns this thread's places of the spectra, if it
    /// still takes part.
    #[cfg_attr(optimized, inline(always))]
    pub(super) fn hand_over(self) -> Option<Places<'a>> {
        let part = self.0.hand_over()?;
        let range = part.share(part.whole.rotation.shape.degree / GROUP);
        Some(Places { part, range })
    }
}

/// Returns the first digit row of a column.
#[cfg_attr(optimized, inline(always))]
pub(super) fn first_row(shape: &ProductShape, column: usize) -> usize {
    column * shape.mask.levels
}

/// A thread's places of all spectra, in groups of 64, in the phase of the products.
pub(crate) struct Places<'a> {
    part: Part<'a>,
    /// The groups of places that this thread owns.
    range: Range<usize>,
}

impl<'a> Places<'a> {
    /// Returns the groups of places that this thread owns.
    #[cfg_attr(optimized, inline(always))]
    pub(super) fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// Returns the number of products with the key: `E` for each ciphertext of the batch, its
    /// components in order.
    #[cfg_attr(optimized, inline(always))]
    pub(super) fn products(&self) -> usize {
        self.part.whole.products()
    }

    /// Returns the columns that this thread owns in the phase between two products.
    pub(super) fn columns(&self) -> Range<usize> {
        self.part.share(self.part.whole.rotation.shape.columns())
    }

    /// Returns this thread's part of the key of a step.
    #[cfg_attr(optimized, inline(always))]
    pub(super) fn part_of<'k>(&self, key: &'k [Line]) -> &'k [Line] {
        let group = key.len() / (self.part.whole.rotation.shape.degree / GROUP);
        &key[self.range.start * group..self.range.end * group]
    }

    /// Returns one group of places in the spectra of all `rows` digits of a range of products,
    /// ordered by product.
    #[cfg_attr(optimized, inline(always))]
    pub(super) fn group(&mut self, products: Range<usize>, group: usize, rows: usize) -> Group<'_> {
        let whole = self.part.whole;
        assert!(products.start <= products.end && products.end <= whole.products());
        assert!(self.range.contains(&group));
        let shape = &whole.rotation.shape;
        assert!(rows == shape.rows());
        assert!(whole.scratch.len == whole.products() * rows * shape.degree);
        let at = products.start * rows * shape.degree + group * GROUP;
        // SAFETY: `at` is within the scratch memory or at its end, by the lengths just compared.
        let start = unsafe { whole.scratch.start.add(at) };
        Group { start, rows: products.len() * rows, degree: shape.degree, borrow: PhantomData }
    }

    /// Synchronises with the other threads and returns this thread's polynomials, if it still takes
    /// part. The first thread, while it works alone, admits others here.
    #[cfg_attr(optimized, inline(always))]
    pub(super) fn hand_over(self) -> Option<Columns<'a>> {
        let mut part = self.part.hand_over()?;
        part.step += 1;
        if part.threads == 1 {
            let (most, steps_alone) = (part.whole.threads, part.whole.patience.steps_alone);
            part.threads = part.whole.entrance.admit(part.step, most, steps_alone);
        }
        Some(Columns(part))
    }
}

/// Number of doubles in a group of places: 64 complex values.
const GROUP: usize = 128;

/// One group of places in the spectra of all digits of some products.
pub(crate) struct Group<'a> {
    /// Start of the first spectrum; the others follow at distances of `degree`.
    start: *mut f64,
    rows: usize,
    degree: usize,
    borrow: PhantomData<&'a mut [f64]>,
}

impl Group<'_> {
    /// Returns the lines of one spectrum.
    #[cfg_attr(optimized, inline(always))]
    pub(super) fn row(&mut self, row: usize) -> &mut [Line; 8] {
        assert!(row < self.rows);
        // SAFETY: `Places::group` checked that all rows lie within the scratch memory. A group of
        // places belongs to one thread until it synchronises, which takes the `Places` that `self`
        // borrows; and only one row of the group can borrow `self`.
        unsafe { &mut *self.start.add(row * self.degree).cast() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RealRow;
    use crate::torus::Decomposition;

    const STEPS: usize = 4;

    fn shape() -> ProductShape {
        let digits = Decomposition { base_log: 10, levels: 1 };
        ProductShape {
            degree: 256,
            rank: 1,
            mask: digits,
            body: digits,
            selectors: 1,
            extension: 1,
        }
    }

    /// Calls `test` with work for two threads.
    fn with_work(patience: Patience, test: impl FnOnce(&SharedRotation<'_>)) {
        let shape = shape();
        let key = RealRow::zeroed(STEPS * shape.step_len());
        let rotation = Rotation { shape, key: &key, exponents: &[0; STEPS] };
        let mut accumulators = RealRow::zeroed(shape.accumulator_len());
        let mut scratch = RealRow::zeroed(shape.scratch_len());
        let work = SharedRotation::new(rotation, &mut accumulators, &mut scratch, 2);
        test(&work.with_patience(patience));
    }

    /// Hands over twice: one step.
    fn step(columns: Columns<'_>) -> Columns<'_> {
        columns.hand_over().and_then(Places::hand_over).expect("no thread is late")
    }

    #[test]
    fn the_first_thread_works_alone_until_another_arrives_which_starts_at_its_step() {
        let patience = Patience { steps_alone: usize::MAX, in_all: Duration::MAX };
        with_work(patience, |work| {
            let mut first = work.take_part().unwrap();
            for _ in 0..2 {
                assert_eq!(first.range(), 0..2);
                first = step(first);
            }
            let (first, late) = std::thread::scope(|scope| {
                let late = scope.spawn(|| {
                    let columns = work.take_part().unwrap();
                    let (index, range) = (columns.step(), columns.range());
                    step(columns);
                    (index, range)
                });
                work.entrance.wait_for_arrivals(2);
                // One step alone, and one together.
                (step(step(first)), late.join().unwrap())
            });
            assert_eq!(late, (3, 1..2));
            assert_eq!((first.step(), first.range()), (4, 0..1));
            assert!(!work.was_held_up() && work.take_part().is_none());
        });
    }

    #[test]
    fn who_still_waits_when_the_work_is_done_stops() {
        with_work(Patience::default(), |work| {
            let first = work.take_part().unwrap();
            std::thread::scope(|scope| {
                let late = scope.spawn(|| work.take_part().is_none());
                work.entrance.wait_for_arrivals(2);
                drop(first);
                assert!(late.join().unwrap());
            });
            assert!(work.take_part().is_none());
        });
        with_work(Patience::default(), |work| {
            drop(work.take_part().unwrap());
            assert!(work.take_part().is_none() && work.was_held_up());
        });
    }
}
