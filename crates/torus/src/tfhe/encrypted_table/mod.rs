//! Lookup tables of encrypted values, read at encrypted places.
//!
//! The values become the coefficients of a bootstrap's test polynomial; each is repeated once for
//! every exponent that stands for its place. A blind rotation by the index then leaves the value at
//! the constant coefficient and its neighbours at the others, so that any number of them can be
//! read at once. Source: Guimarães, Borin, Aranha, "Revisiting the functional bootstrap in TFHE",
//! TCHES 2021(2), section 3.2, where the values come from bootstraps too; here they are merged by
//! automorphisms.

mod read;

pub use read::TableRead;

use super::keys::table_shape::{table_shape, width};
use crate::lwe::LweCiphertext;
use crate::tfhe::TableError;
use crate::tfhe::accumulator::Accumulator;
use crate::tfhe::bootstrap::task::{Input, Table, Task};
use crate::tfhe::{Block, Error, Evaluator, Params, Space, Span};

/// Values in consecutive places from 0 on, up to half the message space; vacant places hold 0.
/// Places in the upper half hold the negated values.
#[derive(Clone, Debug)]
pub(crate) struct EncryptedTable {
    slots: Vec<Block>,
    /// The GLWE ciphertext of the test polynomial; empty in a simulation.
    words: Vec<u64>,
    /// Hashes that identify the ciphertexts of the values, up to the last that is not 0.
    identity: Vec<u64>,
    /// Noise variance that reading adds to a value's own, in units of the variance of a bootstrap's
    /// output.
    noise_variance: u32,
}

/// A set of places to be read from one encrypted table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lookup<'a> {
    /// The encrypted index, which is added to the places: any integer.
    pub(crate) index: &'a Block,
    /// The table of values.
    pub(crate) table: &'a EncryptedTable,
    /// The places to be read, each below half the number of messages.
    pub(crate) places: &'a [usize],
}

impl Evaluator {
    /// Merges values into tables, each with at most half as many values as there are messages.
    ///
    /// # Errors
    /// [`Error::Spec`] if the parameters do not provide for tables; [`TableError::Domain`] for too
    /// many values; [`Error::ParamsMismatch`].
    pub(crate) fn tables(&self, tables: Vec<Vec<Block>>) -> Result<Vec<EncryptedTable>, Error> {
        let params = self.params();
        let shape = table_shape(params).ok_or_else(|| Error::Spec {
            field: "message_bits",
            reason: "encrypted tables need 2 bits of message and 2 of carry".to_owned(),
        })?;
        let half = params.space().half();
        for slots in &tables {
            slots.iter().try_for_each(|slot| self.check_block(slot))?;
            if slots.len() > half as usize {
                let (high, bits) = (slots.len() as i32 - 1, params.space().bits());
                return Err(TableError::Domain { low: 0, high, outputs: 1, bits }.into());
            }
        }
        let noise = params.noise();
        let added = noise.packing_window(shape.for_noise(), shape.doublings, width(params).ilog2());
        let noise_variance = 1 + (added / noise.variances().blind_rotation).ceil() as u32;
        let filled = tables.iter().filter(|slots| !is_zero(slots));
        let ciphertexts: Vec<Vec<&LweCiphertext>> =
            filled.map(|slots| slots.iter().map(Block::lwe).collect()).collect();
        let mut words = self.test_polynomials(&ciphertexts)?.into_iter();
        let table = |slots: Vec<Block>| {
            let words = if is_zero(&slots) {
                Vec::new()
            } else {
                words.next().expect("one ciphertext for each table that is not 0")
            };
            // Clear zeros at the end change nothing in the test polynomial, and so not in its name
            // either.
            let last = slots.iter().rposition(|slot| !is_zero(std::slice::from_ref(slot)));
            let held = &slots[..last.map_or(0, |last| last + 1)];
            let identity = held.iter().map(|slot| slot.argument().name()).collect();
            EncryptedTable { slots, words, identity, noise_variance }
        };
        Ok(tables.into_iter().map(table).collect())
    }

    /// Reads tables, by one bootstrap each, and returns for every place the value at the sum of
    /// that place and the index.
    ///
    /// The lookups of one call are independent of each other; large batches make better use of
    /// threads. A clear index, or a table of clear zeros, costs no bootstrap and adds no noise.
    ///
    /// # Errors
    /// [`Error::NoiseExceeded`] if an index is too noisy; [`Error::ParamsMismatch`].
    pub(crate) fn look_up(&self, lookups: &[Lookup<'_>]) -> Result<Vec<Vec<Block>>, Error> {
        let (params, half) = (self.params(), self.params().space().half() as usize);
        for lookup in lookups {
            debug_assert!(lookup.places.iter().all(|&place| place < half));
            self.check_block(lookup.index)?;
            self.check_noise(lookup.index)?;
        }
        let encrypted = lookups.iter().filter(|lookup| !lookup.is_trivial());
        let tasks: Vec<_> = encrypted
            .map(|lookup| Task {
                input: Input::Big(lookup.index.lwe()),
                table: Table::Encrypted { words: &lookup.table.words, places: lookup.places },
            })
            .collect();
        let bootstraps = lookups.iter().filter(|lookup| !lookup.is_clear()).count();
        let mut computed = self.run(&tasks, bootstraps)?.into_iter();
        let outputs = lookups.iter().map(|lookup| {
            if lookup.is_trivial() {
                let output = |&place| lookup.clear_output(params, place);
                return lookup.places.iter().map(output).collect();
            }
            let read = computed.next().expect("every task has its outputs");
            debug_assert_eq!(read.len(), lookup.places.len());
            let places = lookup.places.iter().zip(read);
            places.map(|(&place, lwe)| lookup.output(params, place, lwe)).collect()
        });
        Ok(outputs.collect())
    }
}

/// Returns whether all values are known to be 0.
fn is_zero(slots: &[Block]) -> bool {
    slots.iter().all(|slot| slot.is_clear() && slot.span() == Span::of(0))
}

impl Lookup<'_> {
    /// Returns whether the outputs are known in advance: the index is public, or all values are 0.
    fn is_clear(&self) -> bool {
        self.index.is_clear() || is_zero(&self.table.slots)
    }

    /// Returns whether no bootstrap is needed: the outputs are known in advance, or this is a
    /// simulation.
    fn is_trivial(&self) -> bool {
        self.index.lwe().is_trivial() || is_zero(&self.table.slots)
    }

    fn space(&self) -> Space {
        self.index.space()
    }

    /// Returns the value at a place of the whole message space and its sign there; `None` if it is
    /// 0.
    fn slot(&self, place: i32) -> Option<(&Block, i32)> {
        let half = self.space().half();
        let place = place.rem_euclid(2 * half);
        let slot = self.table.slots.get((place % half) as usize)?;
        Some((slot, if place < half { 1 } else { -1 }))
    }

    /// Returns the output that is read without a bootstrap.
    fn clear_output(&self, params: &Params, place: usize) -> Block {
        let index = self.space().decode(self.index.lwe().body());
        let slot = match self.slot(index + place as i32) {
            Some((slot, sign)) => slot.mul_scalar(sign),
            None => Block::trivial(self.space(), 0),
        };
        // The index of a simulation is clear but stands for an encrypted one: range and noise are
        // those of a value that is read.
        if self.is_clear() { slot } else { self.output(params, place, slot.lwe().clone()) }
    }

    /// Returns the block for a ciphertext that was read. It may be any value that the index can
    /// reach.
    fn output(&self, params: &Params, place: usize, lwe: LweCiphertext) -> Block {
        let Span { low, high } = self.index.span();
        // Places repeat after the whole message space.
        let high = high.min(low + 2 * self.space().half() - 1);
        let (mut range, mut noise_variance, mut depth) = (Span::EMPTY, 0, self.index.depth());
        for index in low..=high {
            let slot = self.slot(index + place as i32);
            let value = slot.map_or(Span::of(0), |(slot, sign)| slot.span().scaled(sign));
            range = range.hull(value);
            if let Some((slot, _)) = slot {
                (noise_variance, depth) =
                    (noise_variance.max(slot.noise_variance()), depth.max(slot.depth()));
            }
        }
        let argument = self.index.argument();
        let accumulator = Accumulator::of_encrypted(params, argument, &self.table.identity);
        let variance = noise_variance.saturating_add(self.table.noise_variance);
        let noise = accumulator.coefficient(place, variance);
        Block::with_noise(lwe, self.space(), range, noise, depth.saturating_add(1))
            .owned_by(self.index.owner())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tfhe::{ClientKey, Params};
    use fathom_ring::SecretRng;

    fn params() -> Params {
        Params::preset(Params::INTEGERS).unwrap()
    }

    /// Returns the value at a place of the whole message space.
    fn expected(values: &[i32], place: i32) -> i32 {
        let place = place.rem_euclid(32);
        let value = values.get(place as usize % 16).copied().unwrap_or(0);
        if place < 16 { value } else { -value }
    }

    fn values(count: i32) -> Vec<i32> {
        (0..count).map(|place| (place * place + 1) % 4).collect()
    }

    #[test]
    fn every_place_is_read_in_the_clear() {
        let (evaluator, space) = (Evaluator::simulated(&params()), params().space());
        for count in [0, 1, 7, 16] {
            let values = values(count);
            let slots = values.iter().map(|&value| Block::simulated(space, value, (0, 3)));
            let tables = evaluator.tables(vec![slots.collect()]).unwrap();
            let places: Vec<usize> = (0..16).collect();
            for value in -20..20 {
                let index = Block::simulated(space, value, (-20, 19));
                let lookup = Lookup { index: &index, table: &tables[0], places: &places };
                let read = evaluator.look_up(&[lookup]).unwrap().swap_remove(0);
                for (place, block) in read.iter().enumerate() {
                    let (low, high) = block.range();
                    let value = expected(&values, value + place as i32);
                    assert!((low..=high).contains(&value), "{value} in {low}..={high}");
                    assert_eq!(block.lwe().body(), space.encode(value.into()));
                    assert_eq!(block.noise_variance(), if count == 0 { 0 } else { 3 });
                }
            }
        }
    }

    /// Fault S4: values and indices of another client, and of a simulation.
    #[test]
    fn s4_foreign_values_and_indices_are_refused() {
        let mut rng = SecretRng::insecure_from_seed(3);
        let [client, other] = [(); 2].map(|()| ClientKey::generate(&params(), &mut rng));
        let key = client.seeded_evaluation_keys(&mut rng).unwrap().expand().unwrap();
        let evaluator = Evaluator::new(key, 1).unwrap();
        let [own, foreign] =
            [&client, &other].map(|client| client.encrypt::<Block>(1, &mut rng).unwrap());
        let simulated = Block::simulated(params().space(), 1, (0, 3));
        let table = evaluator.tables(vec![vec![own.clone()]]).unwrap().swap_remove(0);
        for (block, key) in [(foreign, true), (simulated, false)] {
            let refused = |error: Error| {
                let other_key = matches!(error, Error::KeyMismatch { .. });
                let no_key = matches!(error, Error::Simulated { .. });
                assert!(other_key == key && no_key != key, "{error}");
            };
            let slots = vec![vec![own.clone(), block.clone()]];
            refused(evaluator.tables(slots).map(drop).unwrap_err());
            let lookup = Lookup { index: &block, table: &table, places: &[0] };
            refused(evaluator.look_up(&[lookup]).map(drop).unwrap_err());
        }
    }

    #[test]
    fn every_set_of_integers_reads_with_the_noise_of_two_bootstraps() {
        let sets = Params::presets().into_iter().filter(|params| table_shape(params).is_some());
        for params in sets {
            let evaluator = Evaluator::simulated(&params);
            let table = evaluator.tables(vec![Vec::new()]).unwrap().swap_remove(0);
            assert_eq!(table.noise_variance, 2, "{}", evaluator.params().name());
        }
    }

    #[test]
    fn a_clear_index_reads_without_a_bootstrap() {
        let (evaluator, space) = (Evaluator::simulated(&params()), params().space());
        let slot = Block::simulated(space, 2, (0, 3));
        let table = evaluator.tables(vec![vec![slot.clone()]]).unwrap().swap_remove(0);
        for (value, expected) in [(0, slot.clone()), (-16, slot.mul_scalar(-1))] {
            let index = Block::trivial(space, value);
            let lookup = Lookup { index: &index, table: &table, places: &[0] };
            assert_eq!(evaluator.look_up(&[lookup]).unwrap(), [[expected]]);
        }
        assert_eq!(evaluator.counts().bootstraps, 0);
    }

    #[test]
    fn a_table_of_zeros_is_read_without_a_bootstrap() {
        let (evaluator, space) = (Evaluator::simulated(&params()), params().space());
        let zeros = vec![Block::trivial(space, 0); 3];
        let table = evaluator.tables(vec![zeros]).unwrap().swap_remove(0);
        let index = Block::simulated(space, 2, (0, 3));
        let lookup = Lookup { index: &index, table: &table, places: &[0, 9] };
        let read = evaluator.look_up(&[lookup]).unwrap().swap_remove(0);
        assert!(read.iter().all(|block| block.is_clear() && block.range() == (0, 0)));
        assert_eq!(evaluator.counts().bootstraps, 0);
    }

    #[test]
    fn the_range_is_that_of_what_the_index_may_reach() {
        let (evaluator, space) = (Evaluator::simulated(&params()), params().space());
        let slot = |high: i32| Block::simulated(space, 0, (0, high));
        let tables = evaluator.tables(vec![vec![slot(3), slot(1)]]).unwrap();
        let index = Block::simulated(space, 0, (-1, 0));
        let lookup = Lookup { index: &index, table: &tables[0], places: &[1, 2, 0] };
        let read = evaluator.look_up(&[lookup]).unwrap().swap_remove(0);
        let ranges: Vec<_> = read.iter().map(Block::range).collect();
        assert_eq!(ranges, [(0, 3), (0, 1), (0, 3)]);
    }

    #[test]
    fn what_cannot_be_read_is_refused() {
        let (evaluator, space) = (Evaluator::simulated(&params()), params().space());
        let slots = vec![Block::trivial(space, 1); 17];
        let refused = evaluator.tables(vec![slots]).unwrap_err();
        assert_eq!(
            refused,
            Error::Table(TableError::Domain { low: 0, high: 16, outputs: 1, bits: 5 })
        );
        let table = evaluator.tables(vec![Vec::new()]).unwrap().swap_remove(0);
        let noisy = Block::simulated(space, 0, (0, 3)).mul_scalar(15);
        let lookup = Lookup { index: &noisy, table: &table, places: &[0] };
        assert!(matches!(evaluator.look_up(&[lookup]), Err(Error::NoiseExceeded { .. })));
        let gates = Evaluator::simulated(&Params::preset(Params::GATES).unwrap());
        assert!(matches!(gates.tables(Vec::new()), Err(Error::Spec { .. })));
        let bit = Block::trivial(Params::preset(Params::GATES).unwrap().space(), 0);
        let refused = evaluator.tables(vec![vec![bit]]).unwrap_err();
        assert!(matches!(refused, Error::ParamsMismatch { .. }));
    }

    /// Reads fresh encryptions at every place. The noise is about that of a bootstrap: merging,
    /// which `merge.rs` tests, adds little.
    #[test]
    fn every_place_is_read_under_keys_with_the_noise_of_a_bootstrap() {
        let (mut rng, params) = (SecretRng::insecure_from_seed(3), params());
        let client = ClientKey::generate(&params, &mut rng);
        let seeded = client.seeded_evaluation_keys(&mut rng).unwrap();
        let key = seeded.expand().unwrap();
        let evaluator = Evaluator::new(key, 2).unwrap();
        let (space, values) = (params.space(), values(16));
        let slots = values.iter().map(|&value| client.encrypt(value as u32, &mut rng).unwrap());
        let table = evaluator.tables(vec![slots.collect()]).unwrap().swap_remove(0);
        let indices: Vec<Block> = (0..32)
            .map(|value| {
                let lwe = client.encrypt_torus(space.encode(value), &mut rng);
                Block::fresh(lwe, &params, client.owner(), Span::new(0, 31))
            })
            .collect();
        let places: Vec<usize> = (0..16).collect();
        let lookup = |index| Lookup { index, table: &table, places: &places };
        let lookups: Vec<_> = indices.iter().map(lookup).collect();
        let (mut squares, mut count) = (0.0, 0);
        for (value, read) in evaluator.look_up(&lookups).unwrap().iter().enumerate() {
            for (place, block) in read.iter().enumerate() {
                let message = space.encode(expected(&values, (value + place) as i32).into());
                let error = client.phase(block.lwe()).unwrap().wrapping_sub(message) as i64;
                squares += (error as f64 / 2_f64.powi(64)).powi(2);
                count += 1;
            }
        }
        let (shape, noise) = (table_shape(&params).unwrap(), params.noise());
        let added = noise.packing_window(shape.for_noise(), shape.doublings, 7);
        let ratio = squares / f64::from(count) / (noise.variances().blind_rotation + added);
        println!("{count} values read have {ratio:.3} of the model's noise");
        assert!((0.7..1.25).contains(&ratio), "{ratio}");
    }
}
