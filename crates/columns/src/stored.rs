//! The integers that are stored for the values of a table's column.

use crate::array::{decoded, integers, not_integers, type_error};
use crate::units::{TimeUnit, parse_decimal, show_double};
use crate::{EncryptedType, Error};
use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Date32Type, Date64Type, Decimal32Type, Decimal64Type, Decimal128Type,
    Float32Type, Float64Type, TimestampMicrosecondType, TimestampMillisecondType,
    TimestampNanosecondType, TimestampSecondType,
};
use arrow_array::{Array, ArrayRef, Int64Array};
use arrow_schema::DataType;

/// The greatest integer up to which doubles do not leave any out: beyond, one may stand for
/// another that was rounded.
const MOST_WHOLE: f64 = 9_007_199_254_740_992.0;
const DAY_MILLISECONDS: i64 = 86_400_000;

/// Reads the values of a column of a table, which start at row `first`.
///
/// # Errors
/// [`Error::Type`] for an array of another type, or with a value that is none of the column, whose
/// row is named.
pub(crate) fn stored_values(
    name: &str,
    array: &ArrayRef,
    kind: EncryptedType,
    first: usize,
) -> Result<Int64Array, Error> {
    let array = &decoded(array).unwrap_or_else(|| array.clone());
    let found = match kind {
        EncryptedType::Int(_) => match doubles(array) {
            None => {
                let expected = kind.column();
                return integers(array).ok_or_else(|| not_integers(name, array, first, &expected));
            }
            Some(values) => Some(values.map(|value| value.map(whole)).collect()),
        },
        EncryptedType::Date => dates(array),
        EncryptedType::Timestamp(unit) => times(array, unit),
        EncryptedType::Decimal { scale, .. } => decimals(array, scale.into()),
    };
    let rows = found.ok_or_else(|| type_error(name, shown(array), &kind.column()))?;
    let is_unfit = |row: &Option<Option<i64>>| *row == Some(None);
    if let Some(row) = rows.iter().position(is_unfit) {
        let reason = match kind {
            EncryptedType::Int(_) => {
                "no integer, or beyond 2^53 (missing values are nulls): round the column \
                 beforehand, or declare an encrypted column of the type decimal(P,S), which keeps \
                 S digits after the point"
            }
            EncryptedType::Date => {
                "no whole day: cut the times off beforehand, or declare a timestamp"
            }
            EncryptedType::Timestamp(_) => {
                "no whole number of its unit in 64 bits: declare the unit of the table, or round \
                 the column beforehand"
            }
            EncryptedType::Decimal { .. } => {
                "no decimal number of its digits: round the column beforehand, or declare more \
                 digits after the point"
            }
        };
        let found =
            format!("{} with a value in row {} that is {reason}", shown(array), first + row);
        return Err(type_error(name, found, &kind.column()));
    }
    Ok(rows.into_iter().map(Option::flatten).collect())
}

/// The stored integer of each row; `Some(None)` for a value that the column cannot hold.
type Rows = Vec<Option<Option<i64>>>;

/// Names the type of an array, with what to do about it.
fn shown(array: &ArrayRef) -> String {
    let kind = array.data_type();
    if matches!(kind, DataType::Timestamp(_, Some(_))) {
        return format!("{kind}, whose zone is not stored: convert it to UTC without a zone");
    }
    kind.to_string()
}

/// Returns the values of a column in single or double precision.
fn doubles(array: &ArrayRef) -> Option<Box<dyn Iterator<Item = Option<f64>> + '_>> {
    if let Some(values) = array.as_primitive_opt::<Float64Type>() {
        return Some(Box::new(values.iter()));
    }
    let values = array.as_primitive_opt::<Float32Type>()?;
    Some(Box::new(values.iter().map(|value| value.map(f64::from))))
}

fn whole(value: f64) -> Option<i64> {
    (value.fract() == 0.0 && value.abs() <= MOST_WHOLE).then_some(value as i64)
}

fn mapped<T: ArrowPrimitiveType>(
    array: &ArrayRef,
    stored: impl Fn(T::Native) -> Option<i64>,
) -> Option<Rows> {
    let values = array.as_primitive_opt::<T>()?;
    Some(values.iter().map(|value| value.map(&stored)).collect())
}

fn dates(array: &ArrayRef) -> Option<Rows> {
    mapped::<Date32Type>(array, |days| Some(days.into())).or_else(|| {
        let days = |time: i64| (time % DAY_MILLISECONDS == 0).then_some(time / DAY_MILLISECONDS);
        mapped::<Date64Type>(array, days)
    })
}

fn times(array: &ArrayRef, unit: TimeUnit) -> Option<Rows> {
    let DataType::Timestamp(own, None) = array.data_type() else { return None };
    let own = TimeUnit::ALL.into_iter().find(|unit| arrow_schema::TimeUnit::from(*unit) == *own)?;
    let convert = |count: i64| {
        let exact = i128::from(count) * unit.per_second();
        let per_second = own.per_second();
        (exact % per_second == 0).then(|| i64::try_from(exact / per_second).ok())?
    };
    match own {
        TimeUnit::Second => mapped::<TimestampSecondType>(array, convert),
        TimeUnit::Millisecond => mapped::<TimestampMillisecondType>(array, convert),
        TimeUnit::Microsecond => mapped::<TimestampMicrosecondType>(array, convert),
        TimeUnit::Nanosecond => mapped::<TimestampNanosecondType>(array, convert),
    }
}

fn decimals(array: &ArrayRef, scale: u32) -> Option<Rows> {
    if let Some(values) = doubles(array) {
        let units = |value: f64| {
            let shown = (value.abs() <= MOST_WHOLE).then(|| show_double(value))?;
            parse_decimal(&shown, scale)?.whole()
        };
        return Some(values.map(|value| value.map(units)).collect());
    }
    let rescaled = |units: i128, own: i8| {
        let by = i64::from(scale) - i64::from(own);
        let factor = 10i128.checked_pow(u32::try_from(by.unsigned_abs()).ok()?)?;
        let exact = if by >= 0 {
            units.checked_mul(factor)?
        } else {
            (units % factor == 0).then_some(units / factor)?
        };
        i64::try_from(exact).ok()
    };
    if let DataType::Decimal128(_, own) = *array.data_type() {
        return mapped::<Decimal128Type>(array, |units| rescaled(units, own));
    }
    if let DataType::Decimal64(_, own) = *array.data_type() {
        return mapped::<Decimal64Type>(array, |units| rescaled(units.into(), own));
    }
    if let DataType::Decimal32(_, own) = *array.data_type() {
        return mapped::<Decimal32Type>(array, |units| rescaled(units.into(), own));
    }
    let values = integers(array)?;
    Some(values.iter().map(|value| value.map(|whole| rescaled(whole.into(), 0))).collect())
}
