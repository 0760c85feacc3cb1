//! Octets and lines: the memory of spectra and polynomials.

/// Eight doubles.
pub(crate) type Octet = [f64; 8];

/// A line of a spectrum: eight real parts, then the eight imaginary parts.
pub(crate) type Line = [Octet; 2];

/// A part of a line: the lanes that one register of the instruction set holds.
#[derive(Clone, Copy)]
pub(super) struct LinePart {
    pub(super) line: usize,
    pub(super) part: usize,
}

/// A part of every line in a group of 64 values.
#[derive(Clone, Copy)]
pub(super) struct GroupPart {
    pub(super) group: usize,
    pub(super) part: usize,
}

/// Returns the lines of a spectrum.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn lines(spectrum: &[f64]) -> &[Line] {
    spectrum.as_chunks().0.as_chunks().0
}

/// Returns the mutable lines of a spectrum.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn lines_mut(spectrum: &mut [f64]) -> &mut [Line] {
    spectrum.as_chunks_mut().0.as_chunks_mut().0
}

/// Splits a polynomial into the coefficients that fold to real parts and those that fold to
/// imaginary parts.
#[cfg_attr(optimized, inline(always))]
pub(super) fn halves(polynomial: &[f64]) -> [&[Octet]; 2] {
    let (re, im) = polynomial.split_at(polynomial.len() / 2);
    [re.as_chunks().0, im.as_chunks().0]
}

/// Splits a mutable polynomial like [`halves`].
#[cfg_attr(optimized, inline(always))]
pub(super) fn halves_mut(polynomial: &mut [f64]) -> [&mut [Octet]; 2] {
    let (re, im) = polynomial.split_at_mut(polynomial.len() / 2);
    [re.as_chunks_mut().0, im.as_chunks_mut().0]
}
