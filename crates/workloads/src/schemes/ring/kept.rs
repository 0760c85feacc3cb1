//! Public values that a server prepares once for all of its computations.

use std::any::Any;
use std::sync::OnceLock;

use crate::Error;

/// Public values of a circuit in the form in which it uses them, made by the first computation.
#[derive(Default)]
pub(crate) struct Kept(OnceLock<Box<dyn Any + Send + Sync>>);

impl Kept {
    /// Returns what `make` returned in the first call.
    ///
    /// # Errors
    /// Those of `make`, which the next call then tries again.
    ///
    /// # Panics
    /// If a call asks for another type than the first one.
    pub(crate) fn get_or_make<T: Any + Send + Sync>(
        &self,
        make: impl FnOnce() -> Result<T, Error>,
    ) -> Result<&T, Error> {
        let found = if let Some(found) = self.0.get() {
            found
        } else {
            let made = make()?;
            self.0.get_or_init(|| Box::new(made))
        };
        Ok(found.downcast_ref().expect("a server runs one circuit"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_made_once_and_again_after_an_error() {
        let kept = Kept::default();
        let failed = kept.get_or_make::<u32>(|| Err(Error::Order("nothing")));
        assert!(failed.is_err());
        for made in [7, 8] {
            assert_eq!(kept.get_or_make(|| Ok(made)).unwrap(), &7);
        }
    }
}
