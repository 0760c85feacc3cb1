//! Multiplies the encrypted operands.

use fathom::wide::Form;
use zn_multiplication::files::Files;
use zn_multiplication::{Outcome, read_form, single, vectors};

fn main() -> Outcome {
    let (files, _) = Files::of_arguments()?;
    match read_form(&files)? {
        Form::Integers(params) => single::multiply(&files, &params),
        Form::Vectors(params) => vectors::multiply(&files, &params),
    }
}
