//! What an instruction set must offer for real arithmetic.

/// Eight doubles.
pub(crate) type Octet = [f64; 8];

/// A line of a spectrum: eight real parts, then the eight imaginary parts.
pub(crate) type Line = [Octet; 2];

/// Arithmetic on vectors of doubles. A value is proof that the CPU can run it.
///
/// On instruction sets with fused multiply-add the results are the same to the last bit, whatever
/// the width of their registers.
pub(crate) trait Doubles: super::SharedParts + Copy {
    /// Eight doubles, or the part of an octet that fits a register.
    type Vector: Copy;

    /// Vectors of an octet: 1 or 2.
    const PARTS: usize;

    /// Whether loops over small counts are worth a copy of their code for each common count.
    const UNROLL: bool;

    /// Reads one part of an octet.
    fn load(self, octet: &Octet, part: usize) -> Self::Vector;
    /// Reads one part of eight integers.
    fn load_integers(self, octet: &[i32; 8], part: usize) -> Self::Vector;
    /// Writes one part of an octet.
    fn store(self, octet: &mut Octet, part: usize, x: Self::Vector);
    /// Copies in all lanes.
    fn splat(self, x: f64) -> Self::Vector;
    /// `a + b`.
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a - b`.
    fn sub(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a b`.
    fn mul(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `c + a b`, fused where the instruction set can.
    fn add_mul(self, c: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `c - a b`, fused where the instruction set can.
    fn sub_mul(self, c: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `-c - a b`, fused where the instruction set can.
    fn neg_mul(self, c: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Transposes square matrices, one after the other: of eight vectors in all, each matrix of as
    /// many as a vector has lanes.
    fn transpose(self, rows: [Self::Vector; 8]) -> [Self::Vector; 8];
    /// Asks for a line that will be read some microseconds later.
    fn prefetch(self, line: &Octet);
    /// `a + b` modulo `2^32` of eight words.
    fn add_short(self, sum: &mut [u32; 8], a: &[u32; 8], b: &[u32; 8]);
}

/// A complex number in each lane.
pub(crate) type Complex<D> = (<D as Doubles>::Vector, <D as Doubles>::Vector);

/// Reads one part of a line of a spectrum.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn load<D: Doubles>(d: D, [re, im]: &Line, part: usize) -> Complex<D> {
    (d.load(re, part), d.load(im, part))
}

/// Writes one part of a line of a spectrum.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn store<D: Doubles>(d: D, [re, im]: &mut Line, part: usize, x: Complex<D>) {
    d.store(re, part, x.0);
    d.store(im, part, x.1);
}

/// The lines of a spectrum.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn lines(spectrum: &[f64]) -> &[Line] {
    spectrum.as_chunks().0.as_chunks().0
}

/// The lines of a spectrum, to be changed.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn lines_mut(spectrum: &mut [f64]) -> &mut [Line] {
    spectrum.as_chunks_mut().0.as_chunks_mut().0
}

/// `a b`.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn multiply<D: Doubles>(d: D, a: Complex<D>, b: Complex<D>) -> Complex<D> {
    let re = d.sub_mul(d.mul(a.0, b.0), a.1, b.1);
    let im = d.add_mul(d.mul(a.0, b.1), a.1, b.0);
    (re, im)
}

/// `sum + a b`.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn multiply_add<D: Doubles>(
    d: D,
    sum: Complex<D>,
    a: Complex<D>,
    b: Complex<D>,
) -> Complex<D> {
    let re = d.sub_mul(d.add_mul(sum.0, a.0, b.0), a.1, b.1);
    let im = d.add_mul(d.add_mul(sum.1, a.0, b.1), a.1, b.0);
    (re, im)
}
