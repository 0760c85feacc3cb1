//! Parameters of the products in a blind rotation.

/// A signed gadget decomposition: `levels` digits in base `2^base_log`, from the most significant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decomposition {
    /// Bits of a digit, 1 to 32.
    pub base_log: u32,
    /// Number of digits, at least 1.
    pub levels: usize,
}

impl Decomposition {
    /// Returns the base.
    pub fn base(&self) -> f64 {
        f64::from(self.base_log).exp2()
    }
}

/// Parameters of one step of a blind rotation.
///
/// With one selector, a step is a CMUX: `ACC += K * ((X^a - 1) ACC)`. With several, it processes a
/// group of key bits at once, of whose encrypted monomials at most one is selected:
/// `ACC += sum_j (X^(a_j) - 1) (K_j * ACC)`, with one set of transforms for the group.
///
/// An accumulator may have degree `E N` where the key has degree `N`: each of its polynomials then
/// consists of `E` components of degree `N` in `Y = X^E`, where a component contains the
/// coefficients whose indices agree modulo `E`. The key is a polynomial in `Y` and multiplies each
/// component; a monomial in `X` also permutes the components.
///
/// Source: Chillotti et al., ASIACRYPT 2016, for the CMUX; Lee, Min, Seo, Song, eprint 2023/958,
/// section 3, for block-binary keys; Zhou et al., ASIACRYPT 2017, for groups of uniform bits; Lee,
/// Yoon, PKC 2023, for accumulators of a higher degree ("extended bootstrapping").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProductShape {
    /// Degree `N` of the polynomials.
    pub degree: usize,
    /// Extension factor `E`, the degree of the accumulators divided by `N`: a power of two, at most
    /// [`MAX_EXTENSION`].
    pub extension: usize,
    /// Number of mask polynomials `k` of a ciphertext, 1 to 3 (the GLWE dimension).
    pub rank: usize,
    /// Decomposition of a mask polynomial. Its rounding error is multiplied by the key.
    pub mask: Decomposition,
    /// Decomposition of the body. Its rounding error is added to the noise directly, so that fewer
    /// digits suffice.
    pub body: Decomposition,
    /// Number of encrypted monomials in a step, at least 1.
    pub selectors: usize,
}

impl ProductShape {
    /// Returns the number of polynomials in a ciphertext, `k + 1`.
    pub fn columns(&self) -> usize {
        self.rank + 1
    }

    /// Returns the number of digit polynomials of a ciphertext: those of the masks, then those of
    /// the body.
    pub fn rows(&self) -> usize {
        self.rank * self.mask.levels + self.body.levels
    }

    /// Returns the decomposition of polynomial `column` of a ciphertext; its unit is `q / B`.
    pub fn decomposition(&self, column: usize) -> Decomposition {
        if column < self.rank { self.mask } else { self.body }
    }

    /// Returns the number of encryptions in the key of one step: for each selector, a row for each
    /// digit.
    pub fn rows_of_step(&self) -> usize {
        self.selectors * self.rows()
    }

    /// Returns the number of doubles in an accumulator: the `k` masks and the body, each in units
    /// of its `q / B`. In each polynomial, the coefficients with indices 0 modulo `E` come first,
    /// then those with indices 1 modulo `E`, and so on.
    pub fn accumulator_len(&self) -> usize {
        self.columns() * self.extension * self.degree
    }

    /// Returns the number of doubles in the key of one step.
    pub fn step_len(&self) -> usize {
        self.rows_of_step() * self.columns() * self.degree
    }

    /// Returns the number of doubles of scratch memory for one ciphertext.
    pub fn scratch_len(&self) -> usize {
        self.extension * self.rows() * self.degree
    }

    /// Returns the offset of the 16 doubles of line `line` in the spectrum of one polynomial of a
    /// step's key.
    pub fn key_offset(&self, line: usize, selector: usize, row: usize, column: usize) -> usize {
        let row = (line * self.selectors + selector) * self.rows() + row;
        (row * self.columns() + column) * 16
    }
}

/// Largest extension factor.
pub const MAX_EXTENSION: usize = 64;

/// Largest number of monomials from which a step selects.
pub const MAX_SELECTORS: usize = 8;

/// A batch of blind rotations under one key.
#[derive(Clone, Copy, Debug)]
pub struct Rotation<'a> {
    /// Parameters of every step.
    pub shape: ProductShape,
    /// The keys of all steps, one after the other, each in the layout of
    /// [`ProductShape::key_offset`].
    pub key: &'a [f64],
    /// Exponents below `2 E N`, for each ciphertext, step and selector.
    pub exponents: &'a [u32],
}
