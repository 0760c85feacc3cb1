//! Whole programs: which library runs which task, its phases in separate processes, and the record.

mod choice;
mod contestant;
mod measure;
mod predictions;
mod record;
mod run;

pub use choice::{ApplicationCase, Wanted, choose};
pub use contestant::{Contestant, greet};
pub use measure::{Effort, Watcher};
pub use predictions::Predictions;
pub use run::run;
