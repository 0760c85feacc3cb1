//! The schemes give bit-identical results on every kernel of this CPU and on any number of threads.
//!
//! A process uses one kernel, named by the variable `FATHOM_KERNEL`, so this test starts itself
//! again for each of them.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

mod common;

use common::{Setup, product, rotated, sum};
use fathom::bfv::Bfv;
use fathom::bgv::Bgv;
use fathom::rlwe::modular::{Ciphertext, Modular, Preset, Rotations};
use fathom::wire::WireObject;
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

/// Returns a digest of all words of the components, in the form of the BFV paper.
fn digest() -> u64 {
    let mut hasher = DefaultHasher::new();
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
        .args(["--exact", "results_are_bit_identical_on_every_kernel", "--nocapture"])
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
