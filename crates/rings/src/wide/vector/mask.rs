//! Results whose components cancel, as those of `a - a`, and their masks.

use super::{Element, Encryption, Vector, VectorEvaluator};
use crate::Error;
use crate::rlwe::{Bounds, Noise};
use fathom_ring::{Eval, Poly};

impl VectorEvaluator {
    /// Refuses a result that could decrypt wrongly or has values that could wrap around. Every
    /// operation whose operands' masks can cancel or be multiplied by zero ends here: residues
    /// without a mask, which could be read without any key, get that of the encryption of zero.
    pub(super) fn checked<T: Element>(
        &self,
        result: Vector<T>,
        operation: &'static str,
        operands: &[&Vector<T>],
    ) -> Result<Vector<T>, Error> {
        let result = result.checked(operation, operands)?;
        if result.residues.iter().all(|parts| is_masked(parts)) {
            Ok(result)
        } else {
            self.masked(result, operation)
        }
    }

    /// Adds `t` times the encryption of zero to each residue without a mask, for its prime `t`,
    /// which keeps the values: the phase of zero is its error. Whoever has the keys can read such a
    /// result; to hide it from them, add a fresh encryption of zeros.
    fn masked<T: Element>(
        &self,
        mut result: Vector<T>,
        operation: &'static str,
    ) -> Result<Vector<T>, Error> {
        let remedy = "give the evaluator keys from SecretKey::evaluation_keys, which hold an \
                      encryption of zero";
        let zero = self.keys.zero.as_deref().ok_or(Error::Transparent { operation, remedy })?;
        let residues = &self.params().tables().residues;
        for (residue, parts) in residues.iter().zip(&mut result.residues) {
            if !is_masked(parts) {
                for (part, mask) in parts.iter_mut().zip(&zero.parts) {
                    part.mul_scalar_add_assign(mask, &residue.factor);
                }
            }
        }
        let (model, message) = (&self.params().tables().model, self.params().message_norms());
        let fresh = Encryption::SecretKey.noise(model, message);
        let mask = Noise { message: Bounds::default(), ..fresh };
        let noise = result.noise.plus(mask, result.lineage.relation(&zero.lineage));
        let lineage = result.lineage.union(&zero.lineage);
        Vector { noise, lineage, ..result }.checked("masking a transparent result", &[])
    }
}

/// Returns whether the components of a residue need the secret key to be read.
fn is_masked(parts: &[Poly<Eval>]) -> bool {
    parts[1..].iter().any(|part| !part.is_zero())
}
