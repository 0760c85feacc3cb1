//! Packs blocks into a list.

use super::{CompressedList, Origin, Run};
use crate::lwe::LweCiphertext;
use crate::tfhe::PackingShape;
use crate::tfhe::noise::Noise;
use crate::tfhe::{Block, CompactList, Error, Evaluator, Job, ListError, Lut, Params, TableError};

impl Evaluator {
    /// Packs blocks of integers, small integers and truth values, in any order, into a list.
    ///
    /// Each block is packed with as many bits as its range needs, and neighbours of the same width
    /// share ciphertexts. A group that would have too much noise for a bootstrap is refreshed
    /// first.
    ///
    /// # Errors
    /// [`ListError::MissingPackingKeys`] without a packing key (a simulated evaluator needs none);
    /// [`TableError::OutsideDomain`] if a block may be negative or exceed message and carry;
    /// [`Error::ParamsMismatch`], [`Error::KeyMismatch`] or [`Error::Simulated`] if a block cannot
    /// be combined with this evaluator; [`Error::NoiseExceeded`] if it is too noisy to be
    /// refreshed; [`ListError::TooLong`] for more than [`CompactList::MOST`] blocks;
    /// [`Error::Cancelled`].
    pub fn compress(&self, blocks: &[Block]) -> Result<CompressedList, Error> {
        let params = self.params();
        let shape = PackingShape::new(params)?;
        if self.packing_key().is_none() && self.has_keys() {
            return Err(ListError::MissingPackingKeys.into());
        }
        CompactList::check_len(blocks.len())?;
        blocks.iter().try_for_each(|block| self.check_block(block))?;
        let widths: Result<Vec<u32>, Error> =
            blocks.iter().map(|block| width(params, block)).collect();
        let (runs, groups) = group(params, &shape, blocks, &widths?);
        let groups = self.refresh_groups(groups, &shape)?;
        let messages: Vec<LweCiphertext> = groups.iter().map(join).collect();
        let chunks = messages.chunks(shape.degree);
        let packed: Vec<_> = match self.packing_key() {
            Some(key) => self.on_threads(chunks, |chunk| key.pack(chunk))?,
            None => chunks.map(|chunk| clear(params, &shape, chunk)).collect(),
        };
        let (masks, bodies): (Vec<_>, Vec<_>) = packed.into_iter().unzip();
        let words = [masks.concat(), bodies.concat()];
        let origin = match self.owner() {
            None => Origin::Simulated,
            Some(_) if words[0].iter().all(|&word| word == 0) => Origin::Clear,
            Some(owner) => Origin::Encrypted(owner),
        };
        Ok(CompressedList::from_parts(params, origin, shape, runs, words))
    }

    /// Refreshes blocks of those groups that would have too much noise once packed: first the noisy
    /// ones; then, if blocks have noise in common, all but one.
    fn refresh_groups(
        &self,
        mut groups: Vec<Group>,
        shape: &PackingShape,
    ) -> Result<Vec<Group>, Error> {
        self.renew(&mut groups, shape, |_, block| (block.noise_variance() > 1).then_some(0))?;
        // Bootstraps of equal blocks by one function give equal blocks again, so that each one adds
        // a different constant.
        self.renew(&mut groups, shape, |slot, _| (slot > 0).then_some(slot as i32))?;
        Ok(groups)
    }

    /// Bootstraps those blocks of too noisy groups for which `added` returns a number. The lookup
    /// table adds this number, which is subtracted afterwards.
    fn renew(
        &self,
        groups: &mut [Group],
        shape: &PackingShape,
        added: impl Fn(usize, &Block) -> Option<i32>,
    ) -> Result<(), Error> {
        let (mut blocks, mut luts) = (Vec::new(), Vec::new());
        for group in
            groups.iter_mut().filter(|group| group.noise_variance() > shape.max_noise_variance)
        {
            let top = (1 << group.bits) - 1;
            for (slot, block) in group.blocks.iter_mut().enumerate() {
                if let Some(added) = added(slot, block) {
                    luts.push(Lut::new(block.space(), 0..=top, |x| x + added)?);
                    blocks.push((block, added));
                }
            }
        }
        let inputs = blocks.iter().zip(&luts);
        let jobs: Vec<_> = inputs.map(|((input, _), lut)| Job { input, lut }).collect();
        let fresh = self.bootstrap(&jobs)?.into_iter().flatten();
        for ((block, added), fresh) in blocks.into_iter().zip(fresh) {
            *block = fresh.add_scalar(-added);
        }
        Ok(())
    }
}

/// Blocks that share a ciphertext, as digits of `bits` bits.
struct Group {
    bits: u32,
    blocks: Vec<Block>,
}

impl Group {
    /// Returns the noise variance of the shared ciphertext, in units of the variance of a
    /// bootstrap's output.
    fn noise_variance(&self) -> u32 {
        let factor = |slot: usize| 1 << (self.bits as usize * slot);
        let terms = self.blocks.iter().enumerate();
        let sum = terms.fold(Noise::default(), |sum, (slot, block)| {
            sum.add_scaled(block.noise(), factor(slot))
        });
        sum.variance()
    }
}

/// Returns the number of bits that a block's range needs, at least 1.
fn width(params: &Params, block: &Block) -> Result<u32, Error> {
    let ((low, high), top) = (block.range(), params.space().half() - 1);
    if low < 0 || high > top {
        return Err(TableError::OutsideDomain { low, high, domain_low: 0, domain_high: top }.into());
    }
    Ok((32 - high.leading_zeros()).max(1))
}

/// Splits blocks into runs of one width, and the runs into groups that share a ciphertext.
fn group(
    params: &Params,
    shape: &PackingShape,
    blocks: &[Block],
    widths: &[u32],
) -> (Vec<Run>, Vec<Group>) {
    let (mut runs, mut groups, mut start) = (Vec::new(), Vec::new(), 0);
    for same in widths.chunk_by(|a, b| a == b) {
        let (bits, blocks) = (same[0], &blocks[start..start + same.len()]);
        runs.push(Run { count: same.len() as u32, bits });
        let slots = shape.slots(params, bits);
        groups.extend(blocks.chunks(slots).map(|blocks| Group { bits, blocks: blocks.to_vec() }));
        start += same.len();
    }
    (runs, groups)
}

/// Computes the sum of all `2^(bits slot) blocks[slot]`.
fn join(group: &Group) -> LweCiphertext {
    let mut sum = LweCiphertext::trivial(0);
    for (slot, block) in group.blocks.iter().enumerate() {
        sum.add_scaled_assign(block.lwe(), 1 << (group.bits as usize * slot));
    }
    sum
}

/// Packs clear messages.
fn clear(
    params: &Params,
    shape: &PackingShape,
    messages: &[LweCiphertext],
) -> (Vec<u32>, Vec<u32>) {
    let shift = 64 - params.compressed_bits();
    let bodies = messages.iter().map(|message| (message.body() >> shift) as u32);
    (vec![0; shape.mask_len()], bodies.collect())
}
