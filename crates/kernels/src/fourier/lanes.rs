//! What an instruction set must offer for real arithmetic.

/// A line of a real row: eight doubles.
pub(crate) type Octet = [f64; 8];

/// Arithmetic on eight doubles at a time. A value is proof that the CPU can run it.
///
/// On instruction sets with fused multiply-add the results are the same to the last bit, whatever
/// the width of their registers.
pub(crate) trait Doubles: Copy {
    /// Eight doubles.
    type Vector: Copy;

    /// Reads a line.
    fn load(self, line: &Octet) -> Self::Vector;
    /// Reads eight numbers of single precision.
    fn load_single(self, line: &[f32; 8]) -> Self::Vector;
    /// Writes a line.
    fn store(self, line: &mut Octet, x: Self::Vector);
    /// Eight copies.
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
    /// Transposes an 8 x 8 matrix.
    fn transpose(self, rows: [Self::Vector; 8]) -> [Self::Vector; 8];
    /// Asks for a line that will be read some microseconds later.
    fn prefetch(self, line: &Octet);
}

/// Eight complex numbers.
pub(crate) type Complex<D> = (<D as Doubles>::Vector, <D as Doubles>::Vector);

/// `a b`.
#[inline(always)]
pub(crate) fn multiply<D: Doubles>(d: D, a: Complex<D>, b: Complex<D>) -> Complex<D> {
    let re = d.sub_mul(d.mul(a.0, b.0), a.1, b.1);
    let im = d.add_mul(d.mul(a.0, b.1), a.1, b.0);
    (re, im)
}

/// `sum + a b`.
#[inline(always)]
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
