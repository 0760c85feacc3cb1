//! Whole programs in a suite file.

use serde::Deserialize;

/// Tasks of one program: every combination of variant, size and number of threads.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ApplicationGroup {
    /// Purpose of these tasks.
    pub reason: String,
    /// Name of the program.
    pub workload: String,
    /// Variants; all if absent.
    #[serde(default)]
    pub variants: Vec<String>,
    /// Schemes; all if absent.
    #[serde(default)]
    pub schemes: Vec<String>,
    /// Sizes.
    pub sizes: Vec<String>,
    /// Number of seeds; three if absent. Long tasks have fewer.
    #[serde(default)]
    pub seeds: Option<usize>,
    /// True if `--quick` keeps the group.
    #[serde(default)]
    pub quick: bool,
    /// True if only `--full` keeps the group, because it takes many minutes.
    #[serde(default)]
    pub full: bool,
}
