//! Parent and child of `fork` never draw the same secrets.
//!
//! Generators are made before the fork, as those of a server that starts workers are. Both
//! processes then encrypt the same messages under the same keys, and no mask and no error may
//! agree: the difference of two ciphertexts with one mask is that of the messages. Threads would
//! not survive the fork, so this program has a `main` function in place of the harness.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

#[cfg(unix)]
#[path = "forked.rs"]
mod forked;

#[cfg(unix)]
mod unix {
    use crate::forked::{Case, named, rng, run, words};
    use fathom::tfhe::integer::{FheBytes, FheUint8, FheValue};
    use fathom::tfhe::{self, ClientKey};
    use fathom::wire::WireObject;
    use fathom::{bfv, bgv, ckks, wide};

    fn reals(numbers: &[f64]) -> Vec<u8> {
        words(numbers.iter().map(|x| x.to_bits()))
    }

    /// The samplers that all schemes draw from: the errors of ciphertexts.
    fn samplers() -> Case {
        let mut rng = rng();
        let ring = fathom_ring::Ring::new(64, &[7681], &[]).unwrap();
        let gaussian = fathom_ring::Gaussian::new(3.19).unwrap();
        Box::new(move || {
            let part = |c: fathom_ring::SecretCoefficients| {
                c.expose().iter().map(|c| c.cast_unsigned() as u8).collect()
            };
            named(
                "samplers",
                [
                    ("Gaussian", part(gaussian.sample(&mut rng, &ring, 64))),
                    ("binomial", part(fathom_ring::centered_binomial(&mut rng, 64))),
                    ("ternary", part(fathom_ring::ternary(&mut rng, 256))),
                    ("binary", part(fathom_ring::binary(&mut rng, 256))),
                    ("uniform", part(fathom_ring::uniform_noise(&mut rng, 64, 1 << 17))),
                    ("seed", rng.next_seed().0.to_vec()),
                    ("of a thread", rng.fork().next_seed().0.to_vec()),
                ],
            )
        })
    }

    macro_rules! exact_ring {
        ($scheme:ident) => {{
            let mut rng = rng();
            let params = $scheme::Params::preset(fathom::rlwe::modular::Preset::E1).unwrap();
            let secret = $scheme::SecretKey::generate(&params, &mut rng);
            let public = secret.public_key(&mut rng);
            let message = params.encode(&[1, 2, 3]).unwrap();
            Box::new(move || {
                let own = secret.encrypt(&message, &mut rng).unwrap();
                let others = public.encrypt(&message, &mut rng).unwrap();
                let key = secret.relinearization_key(&mut rng);
                named(
                    stringify!($scheme),
                    [
                        ("secret key", own.to_bytes()),
                        ("public key", others.to_bytes()),
                        ("relinearisation key", key.to_bytes()),
                    ],
                )
            }) as Case
        }};
    }

    fn ckks() -> Case {
        let mut rng = rng();
        let params = <ckks::Params>::preset(ckks::Preset::E3Depth1).unwrap();
        let secret = ckks::SecretKey::generate(&params, &mut rng);
        let public = secret.public_key(&mut rng);
        let message = params.encode(&[0.5, -0.25]).unwrap();
        Box::new(move || {
            let own = secret.encrypt(&message, &mut rng).unwrap();
            let others = public.encrypt(&message, &mut rng).unwrap();
            // A decryption is the message plus the error.
            let errors = |c: &ckks::Ciphertext| reals(&secret.decrypt(c).unwrap().slots()[..8]);
            named(
                "ckks",
                [
                    ("secret key", own.to_bytes()),
                    ("error under the secret key", errors(&own)),
                    ("public key", others.to_bytes()),
                    ("error under the public key", errors(&others)),
                ],
            )
        })
    }

    fn integers() -> Case {
        let mut rng = rng();
        let params = wide::Params::preset(wide::Preset::E4).unwrap();
        let secret = wide::SecretKey::generate(&params, &mut rng);
        let message = params.encode(7_u64).unwrap();
        let circuit = wide::Circuit::products_of::<u64>(4);
        let planned = wide::VectorParams::plan(&circuit).unwrap();
        let vectors = wide::VectorSecretKey::generate(&planned, &mut rng);
        Box::new(move || {
            let one = secret.encrypt(&message, &mut rng).unwrap();
            let vector = vectors.encrypt(&[1_u64, 2], &mut rng).unwrap();
            named("exact", [("integer", one.to_bytes()), ("vector", vector.to_bytes())])
        })
    }

    fn torus() -> Case {
        let mut rng = rng();
        let params = tfhe::Params::preset(tfhe::Params::INTEGERS).unwrap();
        let client = ClientKey::generate(&params, &mut rng);
        let public = client.public_key(&mut rng).unwrap();
        Box::new(move || {
            let integer: FheUint8 = client.encrypt(200_u8, &mut rng).unwrap();
            let masks = integer.blocks().iter().flat_map(|b| b.lwe().mask().to_vec());
            let masks = masks.flat_map(u32::to_le_bytes).collect();
            let phases = words(integer.blocks().iter().map(|b| client.phase(b.lwe()).unwrap()));
            let text: FheBytes = client.encrypt(b"text".to_vec(), &mut rng).unwrap();
            let text = words(text.blocks().iter().map(|b| client.phase(b.lwe()).unwrap()));
            let seeded = client.encrypt_list::<FheUint8>([1_u8, 2], &mut rng).unwrap();
            let compact = public.encrypt_list::<FheUint8>([1_u8, 2], &mut rng).unwrap();
            // Without the zeros that fill its last words.
            let compact = compact.to_bytes()[..4096].to_vec();
            named(
                "tfhe",
                [
                    ("masks", masks),
                    ("phases", phases),
                    ("phases of a string", text),
                    ("seeded list", seeded.to_bytes()),
                    ("compact list", compact),
                ],
            )
        })
    }

    pub(crate) fn main() {
        run(vec![samplers(), exact_ring!(bfv), exact_ring!(bgv), ckks(), integers(), torus()]);
    }
}

fn main() {
    #[cfg(unix)]
    unix::main();
}
