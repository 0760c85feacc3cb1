//! The schemes give bit-identical results on every kernel of this CPU and on any number of threads.
//!
//! A process uses one kernel, named by the variable `FATHOM_KERNEL`, so this test starts itself
//! again for each of them.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

use crate::common::{Setup, product, rotated, sum};
use fathom::bfv::Bfv;
use fathom::bgv::Bgv;
use fathom::rlwe::modular::{Ciphertext, Modular, Preset, Rotations};
use fathom::tfhe::integer::{FheUint8, Integers};
use fathom::tfhe::{self, ClientKey};
use fathom::wire::WireObject;
use fathom::{SecretRng, ckks, wide};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::process::Command;

/// Set in the processes that compute a digest.
const CHILD: &str = "FATHOM_TEST_CHILD";

const PRESETS: [Preset; 4] = [Preset::E1, Preset::E1Bits192, Preset::E1Bits256, Preset::E1Depth2];

/// Computes every operation once and checks it by decryption.
fn results<S: Modular>(preset: Preset) -> Vec<Ciphertext<S>> {
    let mut s = Setup::<S>::new(preset, &Rotations::steps(&[1, -5]), 99);
    let (x, y) = (s.random(), s.random());
    let (a, b) = (s.encrypt(&x), s.encrypt_public(&y));
    let c = s.encrypt(&y);
    let e = s.evaluator.clone();
    let plain = s.plain(&y).to_multiplicand();
    let xy = product(s.t, &x, &y);
    let cases = [
        (a.clone(), x.clone()),
        (b.clone(), y.clone()),
        (e.add(&a, &b).unwrap(), sum(s.t, &x, &y)),
        (e.mul(&a, &c).unwrap(), xy.clone()),
        (e.relinearize(&e.tensor(&a, &c).unwrap()).unwrap(), xy.clone()),
        (e.mul_plain(&a, &plain).unwrap(), xy.clone()),
        (e.mod_switch_to(&a, 0).unwrap(), x.clone()),
        (e.rotate(&a, -5).unwrap(), rotated(&x, -5)),
        (e.dot(&[a.clone(), c.clone()], &[c.clone(), a.clone()]).unwrap(), sum(s.t, &xy, &xy)),
    ];
    for (i, (c, expected)) in cases.iter().enumerate() {
        s.check(&format!("case {i} on {}", s.params.kernel_name()), c, expected);
        s.secret.debug_noise_budget_bits(c, &s.plain(expected)).unwrap();
    }
    cases.into_iter().map(|(c, _)| c).collect()
}

/// Computes with real numbers and checks the results by decryption.
fn reals() -> Vec<ckks::Ciphertext> {
    let mut rng = SecretRng::insecure_from_seed(5);
    let params = ckks::Params::preset(ckks::Preset::E3Small).unwrap();
    let secret = ckks::SecretKey::generate(&params, &mut rng);
    let rotations = Rotations::steps(&[1]);
    let server = ckks::Evaluator::new(secret.evaluation_keys(&rotations, &mut rng).unwrap());
    let (x, y) = ([0.5, -0.25, 1.0, 0.75], [-1.0, 0.125, 0.5, 0.25]);
    let mut encrypt = |slots| secret.encrypt(&params.encode(slots).unwrap(), &mut rng).unwrap();
    let (a, b) = (encrypt(&x), encrypt(&y));
    let product = server.mul(&a, &b).unwrap();
    let cases = [
        (a.clone(), x),
        (server.sub(&a, &b).unwrap(), [1.5, -0.375, 0.5, 0.5]),
        (product.clone(), [-0.5, -0.03125, 0.5, 0.1875]),
        (server.mul(&product, &b).unwrap(), [0.5, -0.003_906_25, 0.25, 0.046_875]),
        (server.rotate(&a, 1).unwrap(), [-0.25, 1.0, 0.75, 0.0]),
    ];
    for (at, (ciphertext, expected)) in cases.iter().enumerate() {
        let found = secret.decrypt(ciphertext).unwrap();
        for (slot, expected) in found.slots().iter().zip(expected) {
            assert!((slot - expected).abs() <= found.error_bound(), "case {at}: {slot}");
        }
    }
    cases.into_iter().map(|(ciphertext, _)| ciphertext).collect()
}

/// Multiplies exact integers and checks the product by decryption.
fn wide_product() -> Vec<u8> {
    let mut rng = SecretRng::insecure_from_seed(6);
    let params = wide::Params::preset(wide::Preset::E4).unwrap();
    let secret = wide::SecretKey::generate(&params, &mut rng);
    let server = wide::Evaluator::new(secret.evaluation_keys(&mut rng).unwrap());
    let (x, y) = (u64::MAX - 58, 12_345_678_901_234_567_u64);
    let mut encrypt = |x: u64| secret.encrypt(&params.encode(x).unwrap(), &mut rng).unwrap();
    let product = server.mul(&encrypt(x), &encrypt(y)).unwrap();
    let found = secret.decrypt(&product).unwrap().value().to_u128();
    assert_eq!(found, Some(u128::from(x) * u128::from(y)));
    product.to_bytes()
}

/// Computes with machine integers. Bootstraps round differently without fused multiply-add, so
/// the results are decrypted and have no part in the digest.
fn check_torus() {
    let mut rng = SecretRng::insecure_from_seed(7);
    let params = tfhe::Params::preset(tfhe::Params::INTEGERS).unwrap();
    let client = ClientKey::generate(&params, &mut rng);
    let keys = client.evaluation_keys(&mut rng).unwrap();
    let integers = Integers::with_keys(keys, 2).unwrap();
    let mut encrypt = |x: u8| client.encrypt::<FheUint8>(x, &mut rng).unwrap();
    let (a, b) = (encrypt(201), encrypt(77));
    for (result, expected) in [
        (integers.add(&a, &b).unwrap(), 201_u8.wrapping_add(77)),
        (integers.mul(&a, &b).unwrap(), 201_u8.wrapping_mul(77)),
        (integers.max(&a, &b).unwrap(), 201),
    ] {
        assert_eq!(client.decrypt(&result).unwrap(), expected);
    }
}

/// Returns a digest of all words of the components, in the form of the BFV paper.
fn digest() -> u64 {
    let mut hasher = DefaultHasher::new();
    for ciphertext in reals() {
        ciphertext.to_bytes().hash(&mut hasher);
    }
    wide_product().hash(&mut hasher);
    check_torus();
    for preset in PRESETS {
        for c in results::<Bfv>(preset) {
            c.noise_bound_bits().to_bits().hash(&mut hasher);
            for part in c.to_msb().components() {
                part.words().hash(&mut hasher);
            }
        }
        for c in results::<Bgv>(preset) {
            c.to_bytes().hash(&mut hasher);
        }
    }
    hasher.finish()
}

#[test]
fn results_are_bit_identical_on_every_kernel() {
    if std::env::var_os(CHILD).is_some() {
        let setup = Setup::<Bgv>::new(Preset::E1, &Rotations::none(), 1);
        println!("\ndigest {} {}", setup.params.kernel_name(), digest());
        return;
    }
    let names: Vec<&str> = fathom_ring::available().iter().map(|k| k.name()).collect();
    println!("kernels of this CPU: {names:?}");
    let digests: Vec<(String, String)> = names.iter().map(|name| child(name)).collect();
    for ((ran, digest), name) in digests.iter().zip(&names) {
        assert_eq!(ran, name, "FATHOM_KERNEL is obeyed");
        assert_eq!(digest, &digests[0].1, "{name} differs from {}", names[0]);
    }
}

/// Runs the test above with a kernel, and returns the kernel's own name and the digest.
fn child(kernel: &str) -> (String, String) {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "kernels::results_are_bit_identical_on_every_kernel", "--nocapture"])
        .env(CHILD, "1")
        .env("FATHOM_KERNEL", kernel)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{kernel}: {text}");
    let line = text.lines().find_map(|l| l.strip_prefix("digest ")).unwrap();
    let (name, digest) = line.split_once(' ').unwrap();
    (name.to_owned(), digest.to_owned())
}

#[test]
fn an_evaluator_is_shared_by_many_threads() {
    let mut s = Setup::<Bfv>::new(Preset::E1, &Rotations::steps(&[1]), 17);
    let (x, y) = (s.random(), s.random());
    let (a, b) = (s.encrypt(&x), s.encrypt(&y));
    let work = |evaluator: &fathom::bfv::Evaluator| {
        let product = evaluator.mul(&a, &b).unwrap();
        let rotated = evaluator.rotate(&a, 1).unwrap();
        [product.to_msb(), rotated.to_msb()].map(|c| c.components().to_vec())
    };
    let expected = work(&s.evaluator);
    std::thread::scope(|scope| {
        let run = || (0..8).all(|_| work(&s.evaluator) == expected);
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(run)).collect();
        assert!(threads.into_iter().all(|t| t.join().unwrap()));
    });
}
