//! Parameter sets of programs, by the names that suites use.

use fathom::{Error, bfv};

use super::meter::Meter;
use crate::drivers::engine::{bfv_params, describe_bfv};

/// Returns the BFV parameters of that name and states them in the record.
///
/// # Errors
/// Those of the parameters.
pub(super) fn named(name: &str, meter: &mut Meter) -> Result<bfv::Params, Error> {
    let params = bfv_params(name)?;
    meter.params(describe_bfv(&params));
    Ok(params)
}
