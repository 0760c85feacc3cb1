//! Chooses the parameters and draws the secret key.

use fathom::wide::Form;
use zn_multiplication::files::Files;
use zn_multiplication::{Outcome, choose, single, vectors};

fn main() -> Outcome {
    let (files, instance) = Files::of_arguments()?;
    match choose(&instance)? {
        Form::Integers(params) => single::generate_keys(&files, &params),
        Form::Vectors(params) => vectors::generate_keys(&files, &params),
    }
}
