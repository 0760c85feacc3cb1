//! The base of a gadget decomposition.

/// `1.5 * 2^52`: adding and subtracting it rounds to the nearest integer, for magnitudes up to
/// `2^51`.
pub(super) const ROUNDER: f64 = 6_755_399_441_055_744.0;

/// A gadget base `B`; torus elements are represented in units of `q / B`.
#[derive(Clone, Copy)]
pub(super) struct Base {
    pub(super) base: f64,
    /// Adding and subtracting this constant rounds to the nearest multiple of the base.
    pub(super) rounder: f64,
}

impl Base {
    pub(super) fn new(base: f64) -> Base {
        Base { base, rounder: ROUNDER * base }
    }
}
