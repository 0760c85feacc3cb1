//! A task: a workload, one of its functions, and a size.

use serde::{Deserialize, Serialize};

use crate::{Error, Shape, Spec};

/// The computation that is asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// Name of the workload.
    pub workload: String,
    /// Name of the function.
    pub variant: String,
    /// Name of the size.
    pub size: String,
    /// The numbers of the size.
    pub shape: Shape,
}

impl Task {
    /// Returns the task of a variant and a size of a specification.
    ///
    /// # Errors
    /// [`Error::Unknown`] if the specification has no variant or no size with that name.
    pub fn new(spec: &Spec, variant: &str, size: &str) -> Result<Self, Error> {
        let (variant, size) = (spec.variant(variant)?, spec.size(size)?);
        Ok(Self {
            workload: spec.name.clone(),
            variant: variant.name.clone(),
            size: size.name.clone(),
            shape: size.shape.clone(),
        })
    }

    /// Returns all tasks of a specification: every variant in every size.
    pub fn all(spec: &Spec) -> Vec<Self> {
        let tasks = spec.sizes.iter().flat_map(|size| {
            spec.variants.iter().map(|variant| Self::new(spec, &variant.name, &size.name))
        });
        tasks.map(|task| task.expect("the names are those of the specification")).collect()
    }

    /// Returns a number of the shape, such as `bits`.
    ///
    /// # Errors
    /// [`Error::Unknown`] if the shape has no number with that name.
    pub fn number(&self, name: &str) -> Result<usize, Error> {
        match self.shape.get(name) {
            Some(number) => Ok(*number as usize),
            None => Err(Error::Unknown {
                workload: self.workload.clone(),
                kind: "number of its shape",
                name: name.into(),
                known: self.shape.keys().cloned().collect::<Vec<_>>().join(", "),
            }),
        }
    }

    /// Returns `workload/variant/size`.
    pub fn id(&self) -> String {
        format!("{}/{}/{}", self.workload, self.variant, self.size)
    }
}
