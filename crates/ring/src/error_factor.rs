//! The factor of which the errors of a scheme are multiples.

/// The public factor `f` such that a phase is a message plus `f` times an error.
///
/// Divisions with rounding ([`ModDown`](crate::ModDown)) and encryption under a public key
/// ([`MaskedProduct`](crate::MaskedProduct)) keep what they add a multiple of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorFactor {
    /// Errors are arbitrary integers, as in schemes whose messages are approximate.
    One,
    /// Errors are multiples of the plaintext modulus `t`, so that messages are exact modulo `t`.
    Integer(u64),
    /// Errors are multiples of the polynomial `X - b`, so that messages are exact modulo
    /// `b^N + 1` (Chen, Laine, Player, Xia, eprint 2018/1285). `b` is at least 2.
    Linear(u32),
}

impl ErrorFactor {
    /// Returns the integer part `t` of the factor, which is `t` times the polynomial part.
    pub fn integer(self) -> u64 {
        match self {
            ErrorFactor::One | ErrorFactor::Linear(_) => 1,
            ErrorFactor::Integer(t) => t,
        }
    }
}
