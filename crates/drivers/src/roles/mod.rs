//! Whole programs in separate processes: a client with the secret key, a server without it, and a
//! verifier, which exchange messages through the testbed.

mod connection;
mod message;
mod serve;

pub use connection::{Connection, Received};
pub use message::{Fields, Offered, PAYLOAD_LIMIT, Reply, Request, Role, Step, Verdict};
pub use serve::{Offer, offered, serve};
