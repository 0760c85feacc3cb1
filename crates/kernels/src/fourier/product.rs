//! What a blind rotation multiplies by.

/// Signed digits: `levels` of them in base `2^base_log`, from the most significant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decomposition {
    /// Bits of a digit, 1 to 32.
    pub base_log: u32,
    /// Number of digits, at least 1.
    pub levels: usize,
}

impl Decomposition {
    /// The base.
    pub fn base(&self) -> f64 {
        f64::from(self.base_log).exp2()
    }
}

/// What a blind rotation multiplies by in one step.
///
/// With one selector, a step is a CMUX: `ACC += K * ((X^a - 1) ACC)`. With more, it takes a group
/// of key bits at once. Of its encrypted monomials at most one is chosen:
/// `ACC += sum_j (X^(a_j) - 1) (K_j * ACC)`, with one set of transforms for the group.
///
/// An accumulator may have a degree of `E N` where the key has `N`: each of its polynomials is then
/// `E` components of degree `N` in `Y = X^E`, of the coefficients whose places agree modulo `E`.
/// The key, in `Y` alone, is multiplied by each of them; a monomial in `X` moves them about too.
///
/// Source: Chillotti et al., ASIACRYPT 2016, for the CMUX; Lee, Min, Seo, Song, eprint 2023/958,
/// section 3, for block-binary keys; Zhou et al., ASIACRYPT 2017, for groups of uniform bits; Lee,
/// Yoon, PKC 2023, for accumulators of a higher degree ("extended bootstrapping").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProductShape {
    /// Degree `N` of the polynomials.
    pub degree: usize,
    /// Degree of the accumulators over `N`, `E`: a power of two, at most [`MAX_EXTENSION`].
    pub extension: usize,
    /// Mask polynomials `k` of a ciphertext, 1 to 3.
    pub rank: usize,
    /// Digits of a mask polynomial. What they leave over is multiplied by the key.
    pub mask: Decomposition,
    /// Digits of the body. What they leave over is noise as it is, so that they can be fewer.
    pub body: Decomposition,
    /// Encrypted monomials of a step, at least 1.
    pub selectors: usize,
}

impl ProductShape {
    /// Polynomials of a ciphertext: `k + 1`.
    pub fn columns(&self) -> usize {
        self.rank + 1
    }

    /// Digit polynomials of a ciphertext: those of the masks, then those of the body.
    pub fn rows(&self) -> usize {
        self.rank * self.mask.levels + self.body.levels
    }

    /// How polynomial `column` of a ciphertext is decomposed; its unit is `q / B`.
    pub fn decomposition(&self, column: usize) -> Decomposition {
        if column < self.rank { self.mask } else { self.body }
    }

    /// Encryptions that the key of one step consists of: for each selector, a row for each digit.
    pub fn rows_of_step(&self) -> usize {
        self.selectors * self.rows()
    }

    /// Doubles of an accumulator: the `k` masks and the body, each in units of its `q / B`. Of each
    /// the coefficients at places that are 0 modulo `E` come first, then those that are 1, and so
    /// on.
    pub fn accumulator_len(&self) -> usize {
        self.columns() * self.extension * self.degree
    }

    /// Doubles of the key of one step.
    pub fn step_len(&self) -> usize {
        self.rows_of_step() * self.columns() * self.degree
    }

    /// Doubles of scratch for one ciphertext.
    pub fn scratch_len(&self) -> usize {
        self.extension * self.rows() * self.degree
    }

    /// Where the 16 doubles of line `line` of the spectrum of one polynomial of a step's key start.
    pub fn key_offset(&self, line: usize, selector: usize, row: usize, column: usize) -> usize {
        let row = (line * self.selectors + selector) * self.rows() + row;
        (row * self.columns() + column) * 16
    }
}

/// The most polynomials that one polynomial of an accumulator consists of.
pub const MAX_EXTENSION: usize = 64;

/// The most monomials that a step selects from.
pub const MAX_SELECTORS: usize = 8;

/// A batch of blind rotations under one key.
#[derive(Clone, Copy, Debug)]
pub struct Rotation<'a> {
    /// What a step multiplies by.
    pub shape: ProductShape,
    /// The keys of all steps, one after the other, each laid out by [`ProductShape::key_offset`].
    pub key: &'a [f64],
    /// For each ciphertext, step and selector, an exponent below `2 E N`.
    pub exponents: &'a [u32],
}
