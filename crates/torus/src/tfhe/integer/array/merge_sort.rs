//! Sorting of lists: parts of up to 16 elements in one of two ways, then merges of the parts.
//!
//! A part is sorted by counting (`counting_sort.rs`) or by comparing all pairs (`rank_sort.rs`),
//! whichever takes fewer bootstraps. Each of them does for some lists:
//!
//! | elements | bits | counting | comparing |
//! |---|---|---|---|
//! | 4 | 8 | 50 | 38 |
//! | 8 | 8 | 102 | 132 |
//! | 16 | 8 | 222 | 488 |
//! | 4 | 16 | 104 | 70 |
//! | 16 | 16 | 476 | 856 |
//! | 16 | 64 | 2000 | 3544 |
//!
//! Comparing also serves signed keys and lists with copies, which counting does not take. Longer
//! lists have no table of their ranks, which exceed 15: Batcher's network of exchanges merges their
//! parts.

use super::counting_sort;
use super::rank_sort::MOST;
use super::sort::{Element, Key};
use crate::tfhe::integer::blocks::constant;
use crate::tfhe::integer::value::digits::DIGIT_MAX;
use crate::tfhe::integer::{CANONICAL_NOISE_VARIANCE, Integers};
use crate::tfhe::{Block, Error};

impl Integers {
    /// Sorts elements: parts by counting or by ranks, then merges of these parts.
    ///
    /// Source of the merges: Batcher, "Sorting networks and their applications", AFIPS 1968.
    pub(super) fn sorted(&self, elements: Vec<Element>, key: Key) -> Result<Vec<Element>, Error> {
        let parts: Vec<&[Element]> = elements.chunks(MOST).collect();
        let sorted = if counting_sort::is_better(&parts, key) {
            self.map(&parts, |integers, part| integers.counting_sort(part, key))?
        } else {
            self.rank_sort(&parts, key)?
        };
        let mut list: Vec<Element> = sorted.into_iter().flatten().collect();
        // Runs double in length until one of them is the list; each merge compares at the distances
        // of one run, half of it, and so on down to 1.
        let mut run = MOST;
        while run < list.len() {
            let mut distance = run;
            while distance > 0 {
                self.exchange(&mut list, &exchanges(elements.len(), run, distance), key)?;
                distance /= 2;
            }
            run *= 2;
        }
        self.canonical(&mut list)?;
        Ok(list)
    }

    /// Brings each pair of elements in order.
    fn exchange(
        &self,
        list: &mut [Element],
        pairs: &[(usize, usize)],
        key: Key,
    ) -> Result<(), Error> {
        self.quieten(list, pairs, key)?;
        let compared: Vec<_> =
            pairs.iter().map(|&(i, j)| (&list[i][..key.length], &list[j][..key.length])).collect();
        let flags = self.map(&compared, |integers, (a, b)| {
            integers.order(a, b, key.signed, &integers.tables.greater)
        })?;
        self.exchanged(list, pairs, &flags)
    }
}

/// Returns the pairs that are compared at this distance when runs of `run` elements, each sorted,
/// are merged in twos. The elements of a shorter last run are those before the missing ones, which
/// count as greater than all others.
fn exchanges(length: usize, run: usize, distance: usize) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for start in ((distance % run)..length.saturating_sub(distance)).step_by(2 * distance) {
        for i in start..(start + distance).min(length - distance) {
            if i / (2 * run) == (i + distance) / (2 * run) {
                pairs.push((i, i + distance));
            }
        }
    }
    pairs
}

impl Integers {
    /// Exchanges the pairs whose flag is set.
    ///
    /// With `f = flag (a - b)`, the lesser element is `a - f` and the greater one `b + f`, so that
    /// one bootstrap per digit gives both.
    fn exchanged(
        &self,
        list: &mut [Element],
        pairs: &[(usize, usize)],
        flags: &[Block],
    ) -> Result<(), Error> {
        let mut jobs = Vec::new();
        for (&(i, j), flag) in pairs.iter().zip(flags) {
            let digits = list[i].iter().zip(&list[j]);
            // A difference of digits is from -3 to 3, so that eight times the flag tells both cases
            // apart in one argument from -3 to 11.
            jobs.extend(digits.map(|(a, b)| {
                (a.unchecked_sub(b).unchecked_add_scaled(flag, 8), &self.tables.select)
            }));
        }
        let mut products = self.layer(&jobs)?.into_iter().flatten();
        for &(i, j) in pairs {
            for digit in 0..list[i].len() {
                let product = products.next().expect("there is a product for each digit");
                let (a, b) = (&list[i][digit], &list[j][digit]);
                let either = a.span().hull(b.span());
                let lesser = a.unchecked_sub(&product).within(either.low, either.high);
                let greater = b.unchecked_add(&product).within(either.low, either.high);
                (list[i][digit], list[j][digit]) = (lesser, greater);
            }
        }
        Ok(())
    }

    /// Bootstraps the elements of those pairs that are too noisy to be compared by nibbles or to be
    /// exchanged.
    fn quieten(
        &self,
        list: &mut [Element],
        pairs: &[(usize, usize)],
        key: Key,
    ) -> Result<(), Error> {
        let limit = self.params().max_noise_variance();
        let flag = Block::simulated(constant(0).space(), 0, (0, 1));
        let fits = |a: &[Block], b: &[Block]| {
            let digits: Vec<_> =
                a.iter().zip(b).map(|(a, b)| a.noise().add_scaled(b.noise(), -1)).collect();
            let nibbles = digits.windows(2).map(|pair| pair[0].add_scaled(&pair[1], 4));
            let selected = digits.iter().map(|noise| noise.add_scaled(flag.noise(), 8));
            // The digits with the signs are compared as one nibble.
            let top = key.length.checked_sub(1).filter(|_| key.signed);
            let signs = top.map(|top| b[top].noise().add_scaled(a[top].noise(), 4));
            nibbles.chain(selected).chain(signs).all(|noise| noise.variance() <= limit)
        };
        let noisy = pairs.iter().filter(|&&(i, j)| !fits(&list[i], &list[j]));
        let noisy: Vec<usize> = noisy.flat_map(|&(i, j)| [i, j]).collect();
        self.refreshed(list, &noisy)
    }

    /// Bootstraps the elements that have more noise than integers have.
    fn canonical(&self, list: &mut [Element]) -> Result<(), Error> {
        let is_noisy = |element: &Element| {
            element.iter().any(|d| d.noise_variance() > CANONICAL_NOISE_VARIANCE)
        };
        let noisy = list.iter().enumerate().filter(|(_, element)| is_noisy(element));
        let noisy: Vec<usize> = noisy.map(|(index, _)| index).collect();
        self.refreshed(list, &noisy)
    }

    fn refreshed(&self, list: &mut [Element], indices: &[usize]) -> Result<(), Error> {
        let digits = indices.iter().flat_map(|&index| list[index].iter().cloned());
        let mut fresh =
            self.apply_each(digits.collect::<Vec<_>>(), &self.tables.message)?.into_iter();
        for &index in indices {
            for digit in &mut list[index] {
                let block = fresh.next().expect("each digit was bootstrapped");
                *digit = block.within(0, DIGIT_MAX);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tfhe::integer::value::digits::SPACE;
    use crate::tfhe::{Error, Params, Policy};

    /// Each way of sorting a part takes the fewest bootstraps for some lists, and it is taken for
    /// those.
    #[test]
    fn parts_are_sorted_in_the_way_with_the_fewest_bootstraps() {
        let params = Params::preset(Params::INTEGERS).unwrap();
        let cost = |sort: &dyn Fn(&Integers) -> Result<(), Error>| {
            let integers = Integers::simulated(&params).unwrap().with_policy(Policy::Work);
            sort(&integers).unwrap();
            integers.counts().bootstraps
        };
        let costs = |count: usize, bits: usize| {
            let block = |index: usize| Block::simulated(SPACE, index as i32 % 4, (0, 3));
            let element = |index: usize| (0..bits / 2).map(|place| block(index + place)).collect();
            let elements: Vec<Element> = (0..count).map(element).collect();
            let key = Key { length: bits / 2, signed: false };
            [
                cost(&|integers| integers.counting_sort(&elements, key).map(drop)),
                cost(&|integers| integers.rank_sort(&[&elements], key).map(drop)),
                cost(&|integers| integers.sorted(elements.clone(), key).map(drop)),
            ]
        };
        for (count, bits, expected) in FIGURES {
            let [counting, ranks, chosen] = costs(count, bits);
            assert_eq!([counting, ranks], expected, "{count} elements of {bits} bits");
            assert_eq!(chosen, counting.min(ranks), "{count} elements of {bits} bits");
        }
    }

    /// Elements, bits, and the bootstraps by counting and by ranks, as the head of this file has
    /// them.
    const FIGURES: [(usize, usize, [u64; 2]); 6] = [
        (4, 8, [50, 38]),
        (8, 8, [102, 132]),
        (16, 8, [222, 488]),
        (4, 16, [104, 70]),
        (16, 16, [476, 856]),
        (16, 64, [2000, 3544]),
    ];

    /// By the 0-1 principle, a network that merges all runs of zeros and ones merges any runs.
    #[test]
    fn exchanges_merge_sorted_runs_of_any_length() {
        for run in [1_usize, 2, 4, 16] {
            for length in run + 1..=2 * run {
                for (zeros, others) in
                    (0..=run).flat_map(|a| (0..=length - run).map(move |b| (a, b)))
                {
                    let first = (0..run).map(|i| i >= zeros);
                    let mut list: Vec<bool> =
                        first.chain((0..length - run).map(|i| i >= others)).collect();
                    let mut distance = run;
                    while distance > 0 {
                        for (i, j) in exchanges(length, run, distance) {
                            (list[i], list[j]) = (list[i] & list[j], list[i] | list[j]);
                        }
                        distance /= 2;
                    }
                    assert!(list.is_sorted(), "{run} {length} {zeros} {others}");
                }
            }
        }
    }
}
