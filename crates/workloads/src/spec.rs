//! Specifications of workloads, read from `specs/*.toml`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Error;

/// The numbers that give a task its size, such as `elements = 16, bits = 8`.
pub type Shape = BTreeMap<String, u64>;

/// The machine-readable specification of a workload.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// Name in lower case with hyphens.
    pub name: String,
    /// A sentence on the result of the program.
    pub summary: String,
    /// The table of a source document that measures it, and what was changed; empty if none does.
    #[serde(default)]
    pub source: String,
    /// Columns that the server has in the clear, each with its meaning and range.
    #[serde(default)]
    pub public: BTreeMap<String, String>,
    /// Columns that the client encrypts, each with its meaning and range.
    pub secret: BTreeMap<String, String>,
    /// Columns of the result, each with its meaning and range.
    pub outputs: BTreeMap<String, String>,
    /// Greatest deviation of a real result, absolute; exact results have no tolerance.
    #[serde(default)]
    pub tolerance: f64,
    /// The meaning of each number of a shape.
    pub numbers: BTreeMap<String, String>,
    /// The functions that the workload has, the usual one first.
    #[serde(rename = "variant")]
    pub variants: Vec<Variant>,
    /// The sizes of tasks, the smallest first.
    #[serde(rename = "size")]
    pub sizes: Vec<Size>,
}

/// One of the functions that a workload computes.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Variant {
    /// Name in lower case with hyphens.
    pub name: String,
    /// The function, exactly.
    pub meaning: String,
}

/// A size: a name and its numbers.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Size {
    /// `tiny`, `small`, `medium`, `large`, or a name of the workload's own such as `b16`.
    pub name: String,
    /// The numbers of this size.
    pub shape: Shape,
}

impl Spec {
    /// Reads a specification that is part of this crate.
    pub(crate) fn parse(text: &str) -> Self {
        toml::from_str(text).expect("a test reads every specification of this crate")
    }

    /// Returns the variant with a name.
    ///
    /// # Errors
    /// [`Error::Unknown`] if there is none.
    pub fn variant(&self, name: &str) -> Result<&Variant, Error> {
        let found = self.variants.iter().find(|variant| variant.name == name);
        let known = self.variants.iter().map(|variant| variant.name.as_str());
        found.ok_or_else(|| self.unknown("variant", name, known))
    }

    /// Returns the size with a name.
    ///
    /// # Errors
    /// [`Error::Unknown`] if there is none.
    pub fn size(&self, name: &str) -> Result<&Size, Error> {
        let found = self.sizes.iter().find(|size| size.name == name);
        let known = self.sizes.iter().map(|size| size.name.as_str());
        found.ok_or_else(|| self.unknown("size", name, known))
    }

    /// Returns the error of a name that does not exist.
    pub(crate) fn unknown<'a>(
        &self,
        kind: &'static str,
        name: &str,
        known: impl Iterator<Item = &'a str>,
    ) -> Error {
        let known = known.collect::<Vec<_>>().join(", ");
        Error::Unknown { workload: self.name.clone(), kind, name: name.into(), known }
    }
}
