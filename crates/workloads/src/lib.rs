//! Whole programs on encrypted data, each specified once and implemented on the schemes that suit
//! it.
//!
//! A [`Workload`] has a specification in `specs/`, a generator of seeded inputs and a function on
//! clear data that defines its result. An [`Implementation`] computes the same function on
//! ciphertexts of one scheme, in two roles that exchange bytes: a [`Client`], which has the secret
//! key, and a [`Server`], which never receives it.
//!
//! ```
//! use fathom_workloads::{Roles, Task, find};
//!
//! let workload = find("arith-compare").expect("it is one of the workloads");
//! let task = Task::new(workload.spec(), "w2", "tiny")?;
//! let inputs = workload.inputs(&task, 1)?;
//! let implementation = &workload.implementations()[0];
//! let mut roles = Roles::new(implementation.as_ref(), &task, 2)?;
//! let outputs = roles.run(&inputs)?;
//! workload.verify(&task, &inputs, &outputs)?;
//! # Ok::<(), fathom_workloads::Error>(())
//! ```

#![forbid(unsafe_code)]

mod arith_compare;
mod biometric_match;
mod data;
mod decision_tree;
mod error;
mod implementation;
mod inference;
pub mod message;
mod private_db;
mod random;
mod registry;
mod roles;
mod schemes;
mod shortest_paths;
mod sort;
mod spec;
mod statistics;
mod task;
mod training;
mod transfer;
mod verify;
mod work;
mod workload;

pub use data::{Column, Data, Inputs};
pub use error::Error;
pub use implementation::{Client, Implementation, Parameters, Server};
pub use random::Random;
pub use registry::{all, find};
pub use roles::Roles;
pub use schemes::ring::Layout;
pub use spec::{Shape, Size, Spec, Variant};
pub use task::Task;
pub use work::{Operations, Work};
pub use workload::Workload;
