//! Misuse that the types reject. Each example differs in one place from one that compiles.

/// Values times values:
///
/// ```
/// use fathom_ring::{Eval, Poly, Ring};
/// let ring = Ring::new(64, &[257], &[]).unwrap();
/// let mut values = Poly::<Eval>::zero(&ring, ring.all_limbs());
/// values.mul_assign(&Poly::<Eval>::zero(&ring, ring.all_limbs()));
/// ```
///
/// Values times coefficients:
///
/// ```compile_fail,E0308
/// use fathom_ring::{Coeff, Eval, Poly, Ring};
/// let ring = Ring::new(64, &[257], &[]).unwrap();
/// let mut values = Poly::<Eval>::zero(&ring, ring.all_limbs());
/// values.mul_assign(&Poly::<Coeff>::zero(&ring, ring.all_limbs()));
/// ```
///
/// Coefficients times coefficients:
///
/// ```compile_fail,E0599
/// use fathom_ring::{Coeff, Poly, Ring};
/// let ring = Ring::new(64, &[257], &[]).unwrap();
/// let mut coefficients = Poly::<Coeff>::zero(&ring, ring.all_limbs());
/// coefficients.mul_assign(&Poly::<Coeff>::zero(&ring, ring.all_limbs()));
/// ```
///
/// Sums across domains:
///
/// ```compile_fail,E0308
/// use fathom_ring::{Coeff, Eval, Poly, Ring};
/// let ring = Ring::new(64, &[257], &[]).unwrap();
/// let mut values = Poly::<Eval>::zero(&ring, ring.all_limbs());
/// values.add_assign(&Poly::<Coeff>::zero(&ring, ring.all_limbs()));
/// ```
pub struct Domains;

/// ```
/// use fathom_ring::{Eval, Poly, Ring};
/// let ring = Ring::new(64, &[257], &[]).unwrap();
/// let _ = Poly::<Eval>::zero(&ring, ring.all_limbs()).into_coeff();
/// ```
///
/// A polynomial that is already in the NTT domain:
///
/// ```compile_fail,E0599
/// use fathom_ring::{Eval, Poly, Ring};
/// let ring = Ring::new(64, &[257], &[]).unwrap();
/// let _ = Poly::<Eval>::zero(&ring, ring.all_limbs()).into_eval();
/// ```
///
/// A domain defined by the caller:
///
/// ```compile_fail,E0277
/// #[derive(Clone, Copy, Debug)]
/// struct Other;
/// impl fathom_ring::Domain for Other {}
/// ```
pub struct Transforms;
