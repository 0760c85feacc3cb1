//! Makes the parameters and the secret key. No key is public: products are not relinearised.

use fathom::SecretRng;
use fathom::exact::VectorSecretKey;
use std::fs;
use zn_multiplication::files::Files;
use zn_multiplication::{Outcome, elements_of, parameters};

fn main() -> Outcome {
    let (files, instance) = Files::of_arguments()?;
    let params = parameters(elements_of(&instance)?)?;
    let secret = VectorSecretKey::generate(&params, &mut SecretRng::from_os()?);
    let (public, private) = (files.parameters(), files.secret_key());
    Files::make_room(&public)?;
    Files::make_room(&private)?;
    fs::write(public, params.to_bytes())?;
    fs::write(private, secret.to_secret_bytes())?;
    Ok(())
}
