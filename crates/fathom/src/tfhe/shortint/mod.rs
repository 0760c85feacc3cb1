//! Small integers: one block with a few bits of message and as many of carry.
//!
//! A [`ShortInt`] stands for an integer modulo `2^message_bits`. The block underneath may hold
//! more: sums and multiples are linear and leave their carries in it, down to negative values. Its
//! range and noise travel with it, and every block must stay one that a bootstrap takes.
//!
//! | form | what it does | result |
//! |---|---|---|
//! | `unchecked_add` ... `unchecked_scalar_mul` | linear, no bootstrap | carries kept |
//! | [`ShortInts::unchecked`] | one bootstrap | canonical |
//! | `add`, `lt`, ..., [`ShortInts::evaluate`] | refreshes first, one bootstrap | canonical |
//!
//! The unchecked forms return [`Error::OutsideDomain`] or [`Error::NoiseExceeded`] where the others
//! refresh. *Canonical* means a message without carry and the noise of a bootstrap. All functions
//! are functions of the message: carries do not change their results.
//!
//! [`Error::OutsideDomain`]: crate::tfhe::Error::OutsideDomain
//! [`Error::NoiseExceeded`]: crate::tfhe::Error::NoiseExceeded

mod encrypt;
mod evaluate;
mod extract;
mod linear;
mod lookup;
mod methods;
mod operation;
mod short_int;
#[cfg(test)]
mod tests;

pub use evaluate::Call;
pub use lookup::ShortInts;
pub use operation::Operation;
pub use short_int::ShortInt;
