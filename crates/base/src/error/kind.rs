//! The six groups of errors.

use super::{BootstrapError, DomainError, Error, ListError, ScaleError, TableError, WideError};

/// The subject of an error, which tells who can do something about it. A binding to another
/// language, or a service that answers requests, needs these six cases instead of all variants of
/// [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The noise, precision, level or scale of an operand: take parameters of greater depth, or
    /// refresh the operand first.
    Noise,
    /// Another or a missing key: request it, or use the objects of one key.
    Key,
    /// Values, lengths, shapes or types of the operands, or what was promised of them.
    Input,
    /// Parameters that do not exist, are insecure, or belong to other objects.
    Parameters,
    /// Bytes of another party that cannot be decoded.
    Bytes,
    /// Threads, files, the processor, or a cancellation.
    Resources,
}

impl Error {
    /// Returns the group of the error.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Error::NoiseExhausted { .. }
            | Error::Flood(_)
            | Error::LevelMismatch { .. }
            | Error::NoSuchLevel { .. }
            | Error::Components { .. }
            | Error::PrecisionExhausted { .. }
            | Error::FactorMismatch
            | Error::NoiseExceeded { .. }
            | Error::NotCanonical { .. } => ErrorKind::Noise,
            Error::KeyMismatch { .. }
            | Error::OtherMessage
            | Error::MissingRelinearizationKey
            | Error::MissingGaloisKey { .. }
            | Error::KeyLevel { .. }
            | Error::NoScope => ErrorKind::Key,
            Error::MagnitudeExceeded { .. }
            | Error::TooManyValues { .. }
            | Error::ValueOutOfRange { .. }
            | Error::MessageOutOfRange { .. }
            | Error::ListLength { .. }
            | Error::Count { .. }
            | Error::Shape { .. }
            | Error::Transparent { .. }
            | Error::Simulated { .. }
            | Error::DivisionByZero
            | Error::ClearOutOfRange { .. }
            | Error::TypeUnknown
            | Error::DecryptedOutsideRange { .. }
            | Error::TypeMismatch { .. } => ErrorKind::Input,
            Error::ParamsMismatch { .. }
            | Error::NoSlots { .. }
            | Error::UnknownPreset { .. }
            | Error::Spec { .. }
            | Error::Insecure(_)
            | Error::Ring(_)
            | Error::InsecureKey(_)
            | Error::IntegerBits { .. } => ErrorKind::Parameters,
            Error::Wire(_) => ErrorKind::Bytes,
            Error::TooManyThreads { .. }
            | Error::Threads { .. }
            | Error::Cancelled
            | Error::File { .. }
            | Error::Kernel(_) => ErrorKind::Resources,
            Error::Scale(error) => of_scale(error),
            Error::CkksDomain(error) => of_domain(error),
            Error::Bootstrap(error) => of_bootstrap(error),
            Error::Table(error) => of_table(error),
            Error::List(error) => of_list(error),
            Error::Wide(error) => of_wide(error),
        }
    }
}

fn of_scale(error: &ScaleError) -> ErrorKind {
    match error {
        ScaleError::Mismatch { .. }
        | ScaleError::OutOfReach { .. }
        | ScaleError::BelowOne { .. }
        | ScaleError::TooLarge { .. } => ErrorKind::Noise,
    }
}

fn of_domain(error: &DomainError) -> ErrorKind {
    match error {
        DomainError::Magnitude { .. }
        | DomainError::Difference { .. }
        | DomainError::Complex { .. }
        | DomainError::NotPacked { .. }
        | DomainError::Padding { .. }
        | DomainError::NotABound { .. }
        | DomainError::NotFinite { .. }
        | DomainError::FalsePromise { .. }
        | DomainError::BrokenPromise { .. } => ErrorKind::Input,
    }
}

fn of_bootstrap(error: &BootstrapError) -> ErrorKind {
    match error {
        BootstrapError::NoSet { .. }
        | BootstrapError::Levels { .. }
        | BootstrapError::Precision { .. } => ErrorKind::Parameters,
        BootstrapError::NoKeys | BootstrapError::NotByItself { .. } => ErrorKind::Key,
        BootstrapError::Magnitude { .. }
        | BootstrapError::Domains { .. }
        | BootstrapError::Slots { .. }
        | BootstrapError::Argument { .. }
        | BootstrapError::Scale { .. } => ErrorKind::Input,
        BootstrapError::Tolerance { .. } | BootstrapError::Budget { .. } => ErrorKind::Noise,
    }
}

fn of_table(error: &TableError) -> ErrorKind {
    match error {
        TableError::NotNegacyclic { .. } | TableError::Domain { .. } => ErrorKind::Parameters,
        TableError::OutsideDomain { .. }
        | TableError::NoFunction
        | TableError::FunctionCount { .. }
        | TableError::ValueTooLarge { .. }
        | TableError::ConstantTooLarge { .. }
        | TableError::NoSuchOutput { .. } => ErrorKind::Input,
    }
}

fn of_list(error: &ListError) -> ErrorKind {
    match error {
        ListError::MissingPackingKeys => ErrorKind::Key,
        ListError::LengthMismatch { .. }
        | ListError::EmptyList
        | ListError::OutsideList { .. }
        | ListError::Capacity { .. }
        | ListError::TooLong { .. } => ErrorKind::Input,
    }
}

fn of_wide(error: &WideError) -> ErrorKind {
    match error {
        WideError::Overflow { .. } | WideError::ValuesExceedModuli { .. } => ErrorKind::Noise,
        WideError::TooWide { .. }
        | WideError::BeyondWidth { .. }
        | WideError::BeyondPlan { .. }
        | WideError::BeyondBound { .. } => ErrorKind::Input,
    }
}
