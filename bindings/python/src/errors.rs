//! Errors of the library as exceptions: one class, code and set of numbers for each variant.
//!
//! The classes stand in `fathom/errors.py`. A variant that is missing in the table below is found
//! by `tests/test_errors.py`, which reads the definitions of the enumerations.

use crate::words::in_python;
use fathom::ckks::{BootstrapError, DomainError, FloodError, ScaleError};
use fathom::tfhe::integer::ValueType;
use fathom::tfhe::{ListError, TableError};
use fathom::wide::WideError;
use fathom::wire::{Kind, WireError};
use fathom::{Error, ErrorKind, KeyId, rlwe::Level};
use fathom_columns::{Error as ColumnError, Use};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::fmt::Display;

/// A field of an error.
#[derive(Clone, Debug)]
pub enum Detail {
    /// A name or an explanation.
    Text(String),
    /// A number of something.
    Integer(i128),
    /// A number of bits, or a bound.
    Real(f64),
    /// A yes or no.
    Truth(bool),
    /// A field without a value.
    Absent,
}

/// An exception to be raised: what Python needs to construct it.
#[derive(Clone, Debug)]
pub struct Refusal {
    class: &'static str,
    code: String,
    message: String,
    details: Vec<(&'static str, Detail)>,
}

impl Refusal {
    /// Describes a refusal of the binding itself.
    pub fn new(class: &'static str, code: &str, message: impl Into<String>) -> Refusal {
        Refusal { class, code: code.to_owned(), message: message.into(), details: Vec::new() }
    }

    /// Describes an object of another type than the one that is shown.
    pub fn of_type(shown: &str, expected: &'static str, value: &Bound<'_, PyAny>) -> Refusal {
        let name = value.get_type().name();
        let got = name.map_or_else(|_| "?".to_owned(), |name| name.to_string());
        let message = format!("expected {shown}, got {got}");
        let refusal = Refusal::new("KindError", "type_mismatch", message);
        refusal.with("expected", expected).with("got", got)
    }

    /// Adds a field.
    #[must_use]
    pub fn with(mut self, name: &'static str, detail: impl ToDetail) -> Refusal {
        self.details.push((name, detail.to_detail()));
        self
    }

    /// Sets the message, and puts the fields into the words of the package.
    fn translated(mut self, message: String) -> Refusal {
        for (_, detail) in &mut self.details {
            if let Detail::Text(text) = detail {
                *text = in_python(text);
            }
        }
        Refusal { message, ..self }
    }

    /// Constructs the exception.
    pub fn into_exception(self, py: Python<'_>) -> PyErr {
        self.construct(py).unwrap_or_else(|failure| failure)
    }

    fn construct(self, py: Python<'_>) -> PyResult<PyErr> {
        let class = py.import("fathom.errors")?.getattr(self.class)?;
        let fields = PyDict::new(py);
        fields.set_item("code", self.code)?;
        for (name, detail) in self.details {
            match detail {
                Detail::Text(text) => fields.set_item(name, text)?,
                Detail::Integer(number) => fields.set_item(name, number)?,
                Detail::Real(number) => fields.set_item(name, number)?,
                Detail::Truth(truth) => fields.set_item(name, truth)?,
                Detail::Absent => fields.set_item(name, py.None())?,
            }
        }
        Ok(PyErr::from_value(class.call((self.message,), Some(&fields))?))
    }
}

/// The calling thread holds the interpreter's lock, or takes it.
impl From<Refusal> for PyErr {
    fn from(refusal: Refusal) -> PyErr {
        Python::attach(|py| refusal.into_exception(py))
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        described(&error).translated(in_python(&error.to_string()))
    }
}

impl From<ColumnError> for Refusal {
    fn from(error: ColumnError) -> Refusal {
        let message = in_python(&error.to_string());
        let mut refusal = of_columns(&error).translated(message);
        // The ends of a range of integers are integers; those of other types are text.
        for (_, detail) in
            refusal.details.iter_mut().filter(|(name, _)| ["low", "high"].contains(name))
        {
            if let Detail::Text(text) = detail
                && let Ok(number) = text.parse()
            {
                *detail = Detail::Integer(number);
            }
        }
        refusal
    }
}

/// A value that an attribute of an exception can hold.
pub trait ToDetail {
    /// Converts the value to the detail of an exception.
    fn to_detail(&self) -> Detail;
}

macro_rules! details {
    ($($kind:ident: $($type:ty),+;)+) => {
        $($(impl ToDetail for $type {
            fn to_detail(&self) -> Detail {
                Detail::$kind((*self).into())
            }
        })+)+
    };
}

details! {
    Integer: u16, u32, i32, u8, i64, u64, i128;
    Real: f64;
    Truth: bool;
    Text: &'static str;
}

impl ToDetail for usize {
    fn to_detail(&self) -> Detail {
        Detail::Integer(*self as i128)
    }
}

impl ToDetail for String {
    fn to_detail(&self) -> Detail {
        Detail::Text(self.clone())
    }
}

impl ToDetail for Level {
    fn to_detail(&self) -> Detail {
        Detail::Integer(self.get() as i128)
    }
}

impl ToDetail for [u8; 4] {
    fn to_detail(&self) -> Detail {
        Detail::Text(String::from_utf8_lossy(self).trim_end_matches('\0').to_owned())
    }
}

impl<T: Display> ToDetail for Option<T> {
    fn to_detail(&self) -> Detail {
        self.as_ref().map_or(Detail::Absent, |value| Detail::Text(value.to_string()))
    }
}

macro_rules! displayed {
    ($($type:ty),+) => {
        $(impl ToDetail for $type {
            fn to_detail(&self) -> Detail {
                Detail::Text(self.to_string())
            }
        })+
    };
}

displayed!(KeyId, ValueType, Kind, Use);

/// Returns the name of a variant in snake case.
fn snake_case(variant: &str) -> String {
    let mut code = String::with_capacity(variant.len() + 4);
    for letter in variant.chars() {
        if letter.is_ascii_uppercase() && !code.is_empty() {
            code.push('_');
        }
        code.push(letter.to_ascii_lowercase());
    }
    code
}

/// Matches variants with their fields, and returns their class, code and fields.
macro_rules! classes {
    (
        $error:expr, $type:ident;
        $($class:ident: $($variant:ident $({ $($field:ident),* })?),+;)+
        $(@inner $($wrapper:ident => $describe:expr),+;)?
        @otherwise $otherwise:expr;
    ) => {
        match $error {
            $($($type::$variant $({ $($field,)* .. })? => Refusal {
                class: stringify!($class),
                code: snake_case(stringify!($variant)),
                message: String::new(),
                details: vec![$($((stringify!($field), $field.to_detail())),*)?],
            },)+)+
            $($($type::$wrapper(inner) => $describe(inner),)+)?
            other => Refusal::new($otherwise, "other", other.to_string()),
        }
    };
}

/// Describes an error: its kind and its details, without the message.
fn described(error: &Error) -> Refusal {
    classes! { error, Error;
        NoiseError:
            NoiseExhausted { operation, level, needed_bits, left_bits, remedy },
            PrecisionExhausted { operation, error_bits, allowed_bits, remedy },
            NoiseExceeded { noise_variance, limit, params },
            NotCanonical { blocks, top, noise_variance };
        LevelError:
            LevelMismatch { left, right },
            NoSuchLevel { from, to },
            Components { operation, expected, got },
            FactorMismatch,
            Transparent { operation, remedy };
        KeyMismatchError:
            ParamsMismatch { left, right },
            KeyMismatch { left, right },
            OtherMessage;
        MissingKeyError:
            MissingRelinearizationKey,
            MissingGaloisKey { exponent, rotation },
            KeyLevel { operation, key, needed },
            NoScope;
        RangeError:
            MagnitudeExceeded { index, magnitude },
            ValueOutOfRange { index, low, high },
            MessageOutOfRange { low, high },
            ClearOutOfRange { bits, signed },
            DecryptedOutsideRange { low, high };
        ShapeError:
            TooManyValues { given, capacity },
            ListLength { operation, left, right },
            Count { operation, count, limit },
            Shape { operation, wanted, got };
        KindError:
            TypeMismatch { expected, got },
            TypeUnknown,
            Simulated { operation };
        ParamsError:
            NoSlots { plain_modulus, degree, step },
            UnknownPreset { name },
            Spec { field, reason },
            IntegerBits { bits };
        DivisionError: DivisionByZero;
        ResourceError:
            TooManyThreads { threads, limit },
            Threads { threads, reason },
            File { path, reason };
        Interrupted: Cancelled;
        @inner
            Wire => of_wire,
            Flood => of_flood,
            Scale => of_scale,
            CkksDomain => of_domain,
            Bootstrap => of_bootstrap,
            Table => of_table,
            List => of_list,
            Wide => of_wide,
            Insecure => |_| Refusal::new("ParamsError", "insecure", ""),
            InsecureKey => |_| Refusal::new("ParamsError", "insecure_key", ""),
            Ring => |_| Refusal::new("ParamsError", "ring", ""),
            Kernel => |_| Refusal::new("ResourceError", "kernel", "");
        @otherwise class_of(error.kind());
    }
}

/// Returns the class of an error that the table does not know.
fn class_of(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Noise => "NoiseError",
        ErrorKind::Key => "KeyMismatchError",
        ErrorKind::Input => "RangeError",
        ErrorKind::Parameters => "ParamsError",
        ErrorKind::Bytes => "WireError",
        _ => "ResourceError",
    }
}

fn of_wire(error: &WireError) -> Refusal {
    classes! { error, WireError;
        WireError:
            Truncated { needed, got },
            TrailingBytes { extra },
            Magic,
            Version { got, reads },
            Type { expected, got },
            Scheme { expected, got },
            Contradiction { field },
            Checksum,
            Range { field, value, limit },
            Malformed { field },
            NoiseBound { bound_bits, limit_bits },
            NotFresh,
            ValueType { expected, got },
            TableBytes { needed, limit };
        @otherwise "WireError";
    }
}

fn of_flood(error: &FloodError) -> Refusal {
    classes! { error, FloodError;
        NoiseError: NotSimulated, WorstCase, NotAsPlanned { field, planned, got };
        @otherwise "NoiseError";
    }
}

fn of_scale(error: &ScaleError) -> Refusal {
    classes! { error, ScaleError;
        LevelError:
            Mismatch { left, right, remedy },
            OutOfReach { from, to },
            BelowOne { scale },
            TooLarge { scale };
        @otherwise "LevelError";
    }
}

fn of_domain(error: &DomainError) -> Refusal {
    classes! { error, DomainError;
        RangeError:
            Magnitude { operation, low, high, magnitude },
            Padding { operation, low, high, padding_low, padding_high },
            Difference { operation, left, right },
            NotPacked { operation, size, low, high },
            NotABound { bound },
            NotFinite { operation, index },
            FalsePromise { promised, padding },
            BrokenPromise { low, high, magnitude };
        KindError: Complex { operation };
        @otherwise "RangeError";
    }
}

fn of_bootstrap(error: &BootstrapError) -> Refusal {
    classes! { error, BootstrapError;
        ParamsError:
            NoSet { name },
            Levels { needed, available },
            Precision { error_bits, room_bits };
        RangeError:
            Magnitude { magnitude, limit, factor },
            Argument { magnitude, limit, remedy },
            Domains { count },
            Slots { prepared, slots },
            NotByItself { slots },
            Scale { scale, wanted };
        NoiseError:
            Tolerance { error_bits, allowed_bits, remedy },
            Budget { operation, budget_bits, needed_bits, remedy };
        @otherwise "RangeError";
    }
}

fn of_table(error: &TableError) -> Refusal {
    classes! { error, TableError;
        NoiseError: OutsideDomain { low, high, domain_low, domain_high };
        ParamsError:
            NotNegacyclic { first, second, bits, half },
            Domain { low, high, outputs, bits };
        ShapeError: NoFunction, FunctionCount { functions, most }, NoSuchOutput { index, outputs };
        RangeError: ValueTooLarge { argument, limit }, ConstantTooLarge { limit };
        @otherwise "ParamsError";
    }
}

fn of_list(error: &ListError) -> Refusal {
    classes! { error, ListError;
        MissingKeyError: MissingPackingKeys;
        ShapeError:
            LengthMismatch { left, right },
            EmptyList,
            OutsideList { start, end, length },
            Capacity { bytes, capacity },
            TooLong { requested, limit };
        @otherwise "ShapeError";
    }
}

fn of_wide(error: &WideError) -> Refusal {
    classes! { error, WideError;
        RangeError:
            TooWide { bits, widest },
            ValuesExceedModuli { operation, bits, limit_bits },
            Overflow { operation, bits, widest },
            BeyondWidth { bits },
            BeyondPlan { index, bits },
            BeyondBound { bits };
        @otherwise "RangeError";
    }
}

fn of_columns(error: &ColumnError) -> Refusal {
    classes! { error, ColumnError;
        QueryError:
            UnknownColumn { name, known },
            Unsupported { operation, column, reason },
            MissingUse { operation, column, needed, price, present, alternative },
            Groups { column, count, operation, limit, remedy };
        ParamsError: Schema { column, reason };
        KindError: Type { column, found, expected };
        RangeError:
            Cell { line, column, expected },
            ValueOutOfRange { row, column, low, high },
            Null { row, column },
            ImpossibleTotal { total, column, count };
        NoiseError: Depth { needed_bits, left_bits };
        MissingKeyError: MissingEvaluationKeys { column };
        WireError:
            Malformed { what, reason },
            Version { found, reads },
            Misplaced { column, block };
        KeyMismatchError: OtherKey { what, found, expected };
        ResourceError: File { path }, Threads { count, reason };
        @inner
            Fathom => described,
            Arrow => |_| Refusal::new("KindError", "arrow", "");
        @otherwise "QueryError";
    }
}
