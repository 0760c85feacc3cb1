//! The plan of a run: which cases, for which libraries, in which order.

pub mod application_group;
pub mod libraries;
pub mod order;
pub mod suite;
