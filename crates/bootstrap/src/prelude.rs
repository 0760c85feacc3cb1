//! The names that most programs on rings need, bootstrapping included; users have them from
//! `fathom::prelude`.

pub use crate::ckks;
pub use crate::refresh::{RefreshParams, RefreshSecret};
pub use crate::{BootstrapEvaluator, BootstrapParams, BootstrapSecret};
pub use fathom_rings::prelude::*;
