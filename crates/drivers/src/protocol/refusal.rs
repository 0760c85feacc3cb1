//! Refusals of requests.

use serde::{Deserialize, Serialize};

/// A refusal of a request, in the field `error` of a reply.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[error("{code}: {message}")]
pub struct Refusal {
    /// Kind of the refusal, for programs.
    pub code: Code,
    /// One or two sentences for people, with the numbers.
    pub message: String,
    /// The numbers of the refusal, for programs: a JSON object, or null.
    #[serde(default)]
    pub details: serde_json::Value,
}

impl Refusal {
    /// Creates a refusal without details.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), details: serde_json::Value::Null }
    }

    /// Creates a refusal with the code `unsupported`.
    pub fn unsupported(message: impl Into<String>) -> Self {
        Self::new(Code::Unsupported, message)
    }
}

/// The kinds of refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// The operation could push the noise past the limit of correct decryption.
    NoiseExhausted,
    /// The library has no such scheme, parameters, operation or measure.
    Unsupported,
    /// The request is malformed or out of order.
    BadRequest,
    /// The parameters are below the requested security.
    Insecure,
    /// An internal error of the driver or its library.
    Internal,
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::NoiseExhausted => "noise_exhausted",
            Self::Unsupported => "unsupported",
            Self::BadRequest => "bad_request",
            Self::Insecure => "insecure",
            Self::Internal => "internal",
        })
    }
}
