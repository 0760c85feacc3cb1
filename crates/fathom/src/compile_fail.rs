//! Programs that the types refuse. Each example differs from one that compiles in a single place.

/// A BGV ciphertext in a BGV evaluator:
///
/// ```
/// use fathom::bgv;
/// fn sum(e: &bgv::Evaluator, a: &bgv::Ciphertext) -> Result<bgv::Ciphertext, fathom::Error> {
///     e.add(a, a)
/// }
/// ```
///
/// A BFV ciphertext in a BGV evaluator:
///
/// ```compile_fail,E0308
/// use fathom::{bfv, bgv};
/// fn sum(e: &bgv::Evaluator, a: &bfv::Ciphertext) -> Result<bgv::Ciphertext, fathom::Error> {
///     e.add(a, a)
/// }
/// ```
///
/// A BFV key for a BGV ciphertext:
///
/// ```compile_fail,E0308
/// use fathom::{bfv, bgv};
/// fn read(key: &bfv::SecretKey, a: &bgv::Ciphertext) -> bool {
///     key.decrypt(a).is_ok()
/// }
/// ```
///
/// The scale-invariant product belongs to BFV:
///
/// ```compile_fail,E0599
/// use fathom::bgv;
/// fn product(e: &bgv::Evaluator, a: &bgv::Ciphertext) -> bool {
///     e.mul_scale_invariant(a, a).is_ok()
/// }
/// ```
///
/// Fault S6, a linear map of a vector in its layout:
///
/// ```
/// use fathom::bgv;
/// fn image(e: &bgv::Evaluator, m: &bgv::LinearMap, a: &bgv::Packed<bgv::Ciphertext>) -> bool {
///     e.transform(m, a).is_ok()
/// }
/// ```
///
/// and of any ciphertext:
///
/// ```compile_fail,E0308
/// use fathom::bgv;
/// fn image(e: &bgv::Evaluator, m: &bgv::LinearMap, a: &bgv::Ciphertext) -> bool {
///     e.transform(m, a).is_ok()
/// }
/// ```
pub struct Schemes;

/// An evaluator from evaluation keys:
///
/// ```
/// use fathom::bgv;
/// fn evaluator(keys: bgv::EvaluationKeys) -> bgv::Evaluator {
///     bgv::Evaluator::new(keys)
/// }
/// ```
///
/// From a secret key:
///
/// ```compile_fail,E0308
/// use fathom::bgv;
/// fn evaluator(keys: bgv::SecretKey) -> bgv::Evaluator {
///     bgv::Evaluator::new(keys)
/// }
/// ```
///
/// Decryption by an evaluator:
///
/// ```compile_fail,E0599
/// use fathom::bgv;
/// fn read(e: &bgv::Evaluator, a: &bgv::Ciphertext) -> bool {
///     e.decrypt(a).is_ok()
/// }
/// ```
///
/// The content of a secret key:
///
/// ```compile_fail,E0616
/// fn look(key: &fathom::bgv::SecretKey) -> bool {
///     key.s.expose().is_zero()
/// }
/// ```
pub struct Secrets;
