//! Data that a report shows in addition to its results.

use crate::record::History;

/// Data that the reader of a report adds to its results.
#[derive(Clone, Debug, Default)]
pub struct Extras {
    /// Price of the machine in US dollars an hour: adds the cost of operations.
    pub price_per_hour: Option<f64>,
    /// Earlier runs of the machine: adds a chart of the times over the runs.
    pub history: History,
}
