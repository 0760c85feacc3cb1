//! Encrypts both operands.

use fathom::wide::Form;
use zn_multiplication::files::Files;
use zn_multiplication::{Outcome, read_form, single, vectors};

fn main() -> Outcome {
    let (files, _) = Files::of_arguments()?;
    match read_form(&files)? {
        Form::Integers(params) => single::encrypt(&files, &params),
        Form::Vectors(params) => vectors::encrypt(&files, &params),
    }
}
