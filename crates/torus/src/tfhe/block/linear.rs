//! Linear operations on blocks, which need no bootstrap: they update range and noise.

use super::Block;
use crate::lwe::LweCiphertext;
use crate::tfhe::noise::Noise;
use crate::tfhe::{Error, Space, Span};

impl Block {
    /// Adds two blocks.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`], [`Error::KeyMismatch`] or [`Error::Simulated`] if the blocks
    /// cannot be added.
    pub fn add(&self, other: &Block) -> Result<Block, Error> {
        self.add_scaled(other, 1)
    }

    /// Subtracts `other` from the block.
    ///
    /// # Errors
    /// As [`Block::add`].
    pub fn sub(&self, other: &Block) -> Result<Block, Error> {
        self.add_scaled(other, -1)
    }

    /// Computes `self + other * factor`.
    ///
    /// # Errors
    /// As [`Block::add`].
    pub fn add_scaled(&self, other: &Block, factor: i32) -> Result<Block, Error> {
        self.check_summand(other)?;
        Ok(self.unchecked_add_scaled(other, factor))
    }

    /// Refuses a block of another message space, key or parameter set.
    fn check_summand(&self, other: &Block) -> Result<(), Error> {
        if self.space != other.space {
            let [left, right] =
                [self, other].map(|block| format!("a block of {} bits", block.space.bits()));
            return Err(Error::ParamsMismatch { left, right });
        }
        match (self.owner, other.owner) {
            (Some(owner), Some(other)) => owner.same(other),
            (None, None) => Ok(()),
            (Some(_), None) if other.is_clear() => Ok(()),
            (None, Some(_)) if self.is_clear() => Ok(()),
            _ => Err(Error::Simulated { operation: "addition" }),
        }
    }

    /// Computes `self + other * factor` for blocks that were checked to have one space, key and
    /// parameter set.
    ///
    /// # Panics
    /// If the message spaces or the lengths of the masks differ.
    #[inline]
    pub(crate) fn unchecked_add_scaled(&self, other: &Block, factor: i32) -> Block {
        assert_eq!(self.space, other.space, "blocks of different message spaces");
        debug_assert!(self.check_summand(other).is_ok());
        let range = self.range.sum(other.range.scaled(factor));
        let noise = self.noise.add_scaled(&other.noise, factor);
        let lwe = self.lwe.add_scaled(&other.lwe, factor.into());
        let depth = self.depth.max(other.depth);
        let owner = self.owner.or(other.owner);
        let sum = Block { lwe, space: self.space, range, noise, depth, fresh: false, owner };
        if sum.noise.is_none() || sum.lwe.mask().first() == Some(&0) { sum.cleared() } else { sum }
    }

    /// Computes `self + other`; see [`Block::unchecked_add_scaled`].
    #[inline]
    pub(crate) fn unchecked_add(&self, other: &Block) -> Block {
        self.unchecked_add_scaled(other, 1)
    }

    /// Computes `self - other`; see [`Block::unchecked_add_scaled`].
    #[inline]
    pub(crate) fn unchecked_sub(&self, other: &Block) -> Block {
        self.unchecked_add_scaled(other, -1)
    }

    /// Computes `constant - self` in one pass.
    pub(crate) fn sub_from(&self, constant: i32) -> Block {
        Block::trivial(self.space, constant).unchecked_sub(self)
    }

    /// Returns the negation; the noise variance stays.
    pub fn neg(&self) -> Block {
        self.mul_scalar(-1)
    }

    /// Multiplies the block by a clear integer without a bootstrap; the noise variance grows by the
    /// square of `factor`.
    pub fn mul_scalar(&self, factor: i32) -> Block {
        let lwe = self.lwe.mul_scalar(factor.into());
        let (range, noise) = (self.range.scaled(factor), self.noise.scaled(factor));
        Block { lwe, range, noise, fresh: false, ..*self }.cleared()
    }

    /// Removes the mask if it has cancelled, which leaves a clear integer: the noise of what was
    /// taken from itself has cancelled too, even if the copies had unlike names.
    ///
    /// If the noises cancel by their names and the masks do not, or a multiple beyond all bounds
    /// left no mask, nothing is known of the noise.
    fn cleared(self) -> Block {
        let masked = self.lwe.mask().iter().any(|&word| word != 0);
        let simulated = self.lwe.is_trivial() && !self.noise.is_none();
        if masked && self.noise.is_none() {
            return Block { noise: Noise::new(u32::MAX), ..self };
        }
        if masked || simulated || self.noise_variance() == u32::MAX {
            return self;
        }
        let lwe = LweCiphertext::trivial(self.lwe.body());
        Block { lwe, noise: Noise::default(), owner: None, ..self }
    }

    /// Returns the integer modulo `2^bits`, in the space of that many bits.
    ///
    /// The distance between messages grows by the same factor as the noise. If all terms of a sum
    /// have the same noise variance, the failure probability of the next bootstrap does not
    /// increase.
    pub(crate) fn modulo(&self, bits: u32) -> Block {
        debug_assert!((1..=self.space.bits()).contains(&bits));
        let space = Space::within_params(bits);
        Block {
            space,
            range: Span::new(0, 2 * space.half() - 1),
            ..self.mul_scalar(1 << (self.space.bits() - bits))
        }
    }

    /// Adds a clear integer without a bootstrap: the range shifts by `constant`, the noise stays.
    pub fn add_scalar(&self, constant: i32) -> Block {
        self.shifted(constant.into())
    }

    /// Subtracts a clear integer without a bootstrap: the range shifts by `-constant`, the noise
    /// stays.
    pub fn sub_scalar(&self, constant: i32) -> Block {
        self.shifted(-i64::from(constant))
    }

    fn shifted(&self, constant: i64) -> Block {
        let mut lwe = self.lwe.clone();
        lwe.add_message(self.space.encode(constant));
        Block { lwe, range: self.range.shifted(constant), fresh: false, ..self.clone() }
    }

    /// Returns the block with a narrower range, which the caller knows to hold.
    #[must_use]
    pub(crate) fn within(self, low: i32, high: i32) -> Block {
        debug_assert!(low <= high);
        Block { range: self.range.intersection(Span::new(low, high)), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::KeyId;
    use crate::tfhe::{Owner, Params};

    const SPACE: Space = Space::of::<5>();

    fn owner() -> Owner {
        let id = KeyId::generate(&mut fathom_ring::SecretRng::insecure_from_seed(1));
        Owner::new(id, &Params::preset(Params::INTEGERS).unwrap())
    }

    fn ciphertext(words: [u32; 3]) -> Block {
        let lwe = LweCiphertext::new(words.to_vec(), 9);
        Block::fresh(lwe, &Params::preset(Params::INTEGERS).unwrap(), owner(), Span::new(0, 3))
    }

    #[test]
    fn noise_of_one_block_adds_up_and_cancels() {
        let (a, b) = (ciphertext([1, 2, 3]), ciphertext([4, 5, 6]));
        assert_eq!(a.unchecked_add(&b).noise_variance(), 2);
        assert_eq!(a.unchecked_add(&a).noise_variance(), 4);
        assert_eq!(a.unchecked_add(&b).unchecked_add_scaled(&a, 14).noise_variance(), 226);
        assert_eq!(a.unchecked_add(&b).unchecked_sub(&a).noise_variance(), 1);
        assert!(a.is_copy_of(&a.clone()) && !a.is_copy_of(&b));
        let [x, y] = [0; 2].map(|_| Block::simulated(SPACE, 2, (0, 3)));
        assert!(x.is_copy_of(&x.clone()) && !x.is_copy_of(&y));
    }

    #[test]
    fn a_block_less_itself_is_a_clear_integer() {
        let a = ciphertext([1, 2, 3]);
        for nothing in [
            a.unchecked_sub(&a),
            a.mul_scalar(0),
            a.mul_scalar(2).unchecked_sub(&a).unchecked_sub(&a),
        ] {
            assert!(nothing.is_clear());
            assert_eq!((nothing.noise_variance(), nothing.lwe().body()), (0, 0));
        }
        assert!(a.unchecked_sub(&ciphertext([1, 2, 3])).is_clear());
    }

    /// Masks that agree in their first words only are not copies, and nothing is known of the
    /// noise.
    #[test]
    fn masks_that_only_look_alike_do_not_cancel() {
        let false_copy = ciphertext([1, 2, 3]).unchecked_sub(&ciphertext([1, 2, 4]));
        assert!(!false_copy.is_clear());
        assert_eq!(false_copy.noise_variance(), u32::MAX);
    }

    #[test]
    fn a_block_prints_in_a_line() {
        let text = format!("{:?}", ciphertext([1, 2, 3]));
        let key = owner().key();
        assert_eq!(text, format!("Block(0..=3, noise variance 1, depth 0, key {key})"));
        let text = format!("{:?}", Block::trivial(SPACE, 2));
        assert_eq!(text, "Block(2..=2, noise variance 0, depth 0, clear)");
    }

    #[test]
    fn a_range_that_left_its_type_does_not_come_back() {
        let a = ciphertext([1, 2, 3]);
        let far = a.add_scalar(i32::MAX);
        assert_eq!(far.span(), Span::UNBOUNDED);
        assert_eq!(far.add_scalar(-i32::MAX).span(), Span::UNBOUNDED);
        assert_eq!(
            far.unchecked_sub(&far).unchecked_add(&a).mul_scalar(-1).span(),
            Span::UNBOUNDED
        );
        assert_eq!(a.mul_scalar(i32::MIN).span(), Span::UNBOUNDED);
        assert_eq!(a.mul_scalar(i32::MIN).mul_scalar(0).range(), (0, 0));
        let last = a.add_scalar(i32::MAX - 4);
        assert_eq!(last.range(), (i32::MAX - 4, i32::MAX - 1));
        assert_eq!(last.mul_scalar(-1).unchecked_add(&last).range(), (-3, 3));
    }

    #[test]
    fn s3_s4_foreign_blocks_have_no_sum() {
        let a = ciphertext([1, 2, 3]);
        let space = a.add(&Block::trivial(Space::of::<3>(), 1)).unwrap_err();
        assert!(matches!(space, Error::ParamsMismatch { .. }), "{space}");
        let mut rng = fathom_ring::SecretRng::insecure_from_seed(2);
        let (params, other) =
            (Params::preset(Params::INTEGERS).unwrap(), Params::preset("u_2_2_64").unwrap());
        let id = KeyId::generate(&mut rng);
        let foreign = |params: &Params| {
            let lwe = LweCiphertext::new(vec![4, 5, 6], 9);
            Block::fresh(lwe, params, Owner::new(id, params), Span::new(0, 3))
        };
        let key = a.sub(&foreign(&params)).unwrap_err();
        assert_eq!(key, Error::KeyMismatch { left: owner().key(), right: id });
        let set = a.add_scaled(&foreign(&other), 2).unwrap_err();
        assert!(matches!(set, Error::ParamsMismatch { .. }), "{set}");
        let simulated = Block::simulated(SPACE, 1, (0, 3));
        assert_eq!(a.add(&simulated).unwrap_err(), Error::Simulated { operation: "addition" });
        assert_eq!(simulated.add(&a).unwrap_err(), Error::Simulated { operation: "addition" });
        let clear = Block::trivial(SPACE, 1);
        assert!(
            [(&a, &clear), (&clear, &a), (&simulated, &clear), (&clear, &simulated)]
                .iter()
                .all(|(x, y)| x.add(y).is_ok())
        );
    }
}
