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

/// Rotations of a scheme with slots:
///
/// ```
/// use fathom::bgv;
/// fn rotated(e: &bgv::Evaluator, a: &bgv::Ciphertext) -> bool {
///     e.rotate(a, 1).is_ok() && e.swap_rows(a).is_ok()
/// }
/// ```
///
/// Of integers, which have none:
///
/// ```compile_fail,E0599
/// use fathom::wide;
/// fn rotated(e: &wide::Evaluator, a: &wide::Ciphertext) -> bool {
///     e.rotate(a, 1).is_ok()
/// }
/// ```
///
/// Several rotations, a rotation of columns, and sums of slots of integers:
///
/// ```compile_fail,E0599
/// use fathom::wide;
/// fn rotated(e: &wide::Evaluator, a: &wide::Ciphertext) -> bool {
///     e.rotate_many(a, &[1]).is_ok()
/// }
/// ```
///
/// ```compile_fail,E0599
/// use fathom::wide;
/// fn swapped(e: &wide::Evaluator, a: &wide::Ciphertext) -> bool {
///     e.swap_rows(a).is_ok()
/// }
/// ```
///
/// ```compile_fail,E0599
/// use fathom::wide;
/// fn total(e: &wide::Evaluator, a: &wide::Ciphertext) -> bool {
///     e.sum_slots(a).is_ok()
/// }
/// ```
///
/// ```compile_fail,E0599
/// use fathom::wide;
/// fn total(e: &wide::Evaluator, a: &wide::Ciphertext) -> bool {
///     e.sum_rotations(a, 2).is_ok()
/// }
/// ```
///
/// ```compile_fail,E0599
/// use fathom::wide;
/// fn total(e: &wide::Evaluator, a: &wide::Ciphertext) -> bool {
///     e.sum_rows(a).is_ok()
/// }
/// ```
///
/// Keys for rotations of integers:
///
/// ```
/// use fathom::{SecretRng, wide};
/// fn keys(key: &wide::SecretKey, rng: &mut SecretRng) -> bool {
///     key.evaluation_keys(rng).is_ok()
/// }
/// ```
///
/// ```compile_fail,E0061
/// use fathom::wide::{Rotations, SecretKey};
/// fn keys(key: &SecretKey, rng: &mut fathom::SecretRng) -> bool {
///     key.evaluation_keys(&Rotations::none(), rng).is_ok()
/// }
/// ```
///
/// ```compile_fail,E0599
/// use fathom::wide::{Rotations, SecretKey};
/// fn keys(key: &SecretKey, rng: &mut fathom::SecretRng) -> usize {
///     key.galois_keys(&Rotations::steps(&[1]), rng).elements().count()
/// }
/// ```
///
/// A linear map of integers:
///
/// ```compile_fail,E0277
/// use fathom::wide::Exact;
/// fn rows(map: &fathom::rlwe::LinearMap<Exact>) -> usize {
///     map.rows()
/// }
/// ```
///
/// The keys of vectors in the evaluator of ciphertexts with slots, of which vectors are several:
///
/// ```compile_fail,E0599
/// use fathom::wide::Residues;
/// use fathom::rlwe::{Ciphertext, Evaluator};
/// fn rotated(e: &Evaluator<Residues>, a: &Ciphertext<Residues>) -> bool {
///     e.rotate(a, 1).is_ok()
/// }
/// ```
///
/// CKKS has one row, whose second is its conjugate:
///
/// ```
/// use fathom::ckks;
/// fn conjugated(e: &ckks::Evaluator, a: &ckks::Ciphertext) -> bool {
///     e.rotate(a, 1).is_ok() && e.conjugate(a).is_ok()
/// }
/// ```
///
/// ```compile_fail,E0599
/// use fathom::ckks;
/// fn swapped(e: &ckks::Evaluator, a: &ckks::Ciphertext) -> bool {
///     e.swap_rows(a).is_ok()
/// }
/// ```
///
/// ```compile_fail,E0599
/// use fathom::ckks::explicit;
/// fn swapped(e: &explicit::Evaluator, a: &explicit::Ciphertext) -> bool {
///     e.swap_rows(a).is_ok()
/// }
/// ```
///
/// Vectors have sums of their elements, and no rotations:
///
/// ```
/// use fathom::wide::{Vector, VectorEvaluator};
/// fn total(e: &VectorEvaluator, a: &Vector<u64>) -> bool {
///     e.sum_slots(a).is_ok()
/// }
/// ```
///
/// ```compile_fail,E0599
/// use fathom::wide::{Vector, VectorEvaluator};
/// fn rotated(e: &VectorEvaluator, a: &Vector<u64>) -> bool {
///     e.rotate(a, 1).is_ok()
/// }
/// ```
pub struct Slots;
