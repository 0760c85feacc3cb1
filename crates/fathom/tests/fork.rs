//! Parent and child of `fork` never draw the same secrets.
//!
//! Generators are made before the fork, as those of a server that starts workers are. Both
//! processes then encrypt the same messages under the same keys, and no mask and no error may
//! agree: the difference of two ciphertexts with one mask is that of the messages. Threads would
//! not survive the fork, so this program has a `main` function in place of the harness.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

#[cfg(unix)]
mod unix {
    use fathom::hfhe::{Fp, Workers, compat, native};
    use fathom::tfhe::fhew::{FhewParams, FhewSecretKey};
    use fathom::tfhe::integer::{AnyRadixValue, FheBytes, FheUint8};
    use fathom::tfhe::{self, ClientKey};
    use fathom::wire::{WireObject, WireValue};
    use fathom::{SecretRng, bfv, bgv, ckks, wide};
    use std::io::{PipeWriter, Read, Write, pipe};
    use std::process::exit;

    /// Length of the header of a frame.
    const HEADER: usize = 72;

    /// What a scheme draws: parts of its ciphertexts, each with the bits of its entropy.
    type Drawn = Vec<(String, Vec<u8>)>;
    type Case = Box<dyn FnOnce() -> Drawn>;

    fn named(name: &str, parts: impl IntoIterator<Item = (&'static str, Vec<u8>)>) -> Drawn {
        parts.into_iter().map(|(part, bytes)| (format!("{name}: {part}"), bytes)).collect()
    }

    fn words(numbers: impl IntoIterator<Item = u64>) -> Vec<u8> {
        numbers.into_iter().flat_map(u64::to_le_bytes).collect()
    }

    fn reals(numbers: &[f64]) -> Vec<u8> {
        words(numbers.iter().map(|x| x.to_bits()))
    }

    fn rng() -> SecretRng {
        SecretRng::from_os().unwrap()
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
                    ("binomial", part(fathom_ring::centred_binomial(&mut rng, 64))),
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

    fn fhew() -> Case {
        let mut rng = rng();
        let params = FhewParams::preset("fhew_lmkcdey_128").unwrap();
        let key = FhewSecretKey::generate(&params, &mut rng);
        Box::new(move || {
            let bits: Vec<_> = (0..64).map(|_| key.encrypt(true, &mut rng)).collect();
            let phases =
                bits.iter().flat_map(|bit| key.phase(bit).unwrap().to_le_bytes()).collect();
            let bytes = bits.iter().map(|bit| bit.to_bytes(&params).unwrap());
            let frames = bytes.flat_map(|frame| frame[HEADER..].to_vec()).collect();
            named("fhew", [("bits", frames), ("phases", phases)])
        })
    }

    fn hfhe() -> Case {
        let mut rng = rng();
        let compat = compat::SecretKey::generate(&mut rng, &Workers::one()).unwrap();
        let native = native::SecretKey::generate(&mut rng);
        Box::new(move || {
            let value = Fp::from(5_u64);
            let compat = compat.encrypt(value, &mut rng).to_bytes();
            named(
                "hfhe",
                [("compat", compat), ("native", native.encrypt(value, &mut rng).to_bytes())],
            )
        })
    }

    fn draw(cases: Vec<Case>) -> Drawn {
        cases.into_iter().flat_map(|case| case()).collect()
    }

    fn send(drawn: &Drawn, mut to: PipeWriter) {
        for (name, bytes) in drawn {
            for part in [name.as_bytes(), bytes] {
                to.write_all(&(part.len() as u32).to_le_bytes()).unwrap();
                to.write_all(part).unwrap();
            }
        }
    }

    fn receive(mut bytes: &[u8]) -> Drawn {
        let mut part = || {
            let (length, rest) = bytes.split_first_chunk()?;
            let (part, rest) = rest.split_at(u32::from_le_bytes(*length) as usize);
            bytes = rest;
            Some(part.to_vec())
        };
        let mut drawn = Vec::new();
        while let (Some(name), Some(bytes)) = (part(), part()) {
            drawn.push((String::from_utf8(name).unwrap(), bytes));
        }
        drawn
    }

    /// Returns the greatest number of equal bytes in a row at the same places.
    fn longest_agreement(left: &[u8], right: &[u8]) -> usize {
        let agree = left.iter().zip(right).map(|(a, b)| a == b);
        let (_, longest) = agree.fold((0, 0), |(now, longest), equal| {
            let now = if equal { now + 1 } else { 0 };
            (now, longest.max(now))
        });
        longest
    }

    pub(crate) fn main() {
        let cases: Vec<Case> = vec![
            samplers(),
            exact_ring!(bfv),
            exact_ring!(bgv),
            ckks(),
            integers(),
            torus(),
            fhew(),
            hfhe(),
        ];
        let (mut from_child, to_parent) = pipe().unwrap();
        match fork::fork().unwrap() {
            fork::Fork::Child => {
                drop(from_child);
                send(&draw(cases), to_parent);
                exit(0);
            }
            fork::Fork::Parent(child) => {
                drop(to_parent);
                let mut bytes = Vec::new();
                from_child.read_to_end(&mut bytes).unwrap();
                let (own, others) = (draw(cases), receive(&bytes));
                fork::waitpid(child).unwrap();
                compare(&own, &others);
            }
        }
    }

    fn compare(own: &Drawn, others: &Drawn) {
        assert_eq!(own.len(), others.len(), "the child failed");
        let mut equal = Vec::new();
        for ((name, left), (other, right)) in own.iter().zip(others) {
            assert_eq!(name, other);
            // Frames agree in their headers, of less than 200 bytes, and nowhere else.
            let skipped = if left.starts_with(b"FATHOM") { 200.min(left.len() / 2) } else { 0 };
            let rest = [left, right].map(|bytes| bytes.get(skipped..).unwrap_or_default());
            let agreement = longest_agreement(rest[0], rest[1]);
            println!("fork: {name}: {} bytes, {agreement} in a row agree", left.len());
            if left == right || agreement >= 32 {
                equal.push(name);
            }
        }
        assert!(equal.is_empty(), "parent and child drew the same: {equal:?}");
    }
}

fn main() {
    #[cfg(unix)]
    unix::main();
}
