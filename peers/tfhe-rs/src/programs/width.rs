//! The widths of integers: each is a type of tfhe-rs.

use fathom_workloads::Error;
use tfhe::FheUintId;

/// A width whose integers can be shared among threads.
pub(super) trait Width: FheUintId + Send + Sync {}

impl<Id: FheUintId + Send + Sync> Width for Id {}

/// Evaluates an expression of type `Result<_, Error>` with `$id` as the type of a width in bits.
macro_rules! with_width {
    ($bits:expr, $id:ident => $body:expr) => {
        $crate::programs::width::with_width!(
            @each $bits, $id => $body,
            2 FheUint2Id, 4 FheUint4Id, 6 FheUint6Id, 8 FheUint8Id, 10 FheUint10Id,
            12 FheUint12Id, 14 FheUint14Id, 16 FheUint16Id, 24 FheUint24Id, 32 FheUint32Id,
            64 FheUint64Id
        )
    };
    (@each $bits:expr, $id:ident => $body:expr, $($width:literal $type:ident),*) => {
        match $bits {
            $($width => {
                type $id = tfhe::$type;
                $body
            })*
            bits => Err($crate::programs::width::missing(bits)),
        }
    };
}

pub(super) use with_width;

/// Returns the error of a width for which a program has no type.
pub(super) fn missing(bits: usize) -> Error {
    let reason = format!("it has integers of {bits} bits, for which there is no type");
    Error::Unsupported { scheme: "tfhe", reason }
}
