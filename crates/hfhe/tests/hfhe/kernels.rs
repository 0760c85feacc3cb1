//! Both modes give bit-identical results on every kernel of this CPU.
//!
//! A process uses one kernel, named by the variable `FATHOM_KERNEL`, so this test starts itself
//! again for each of them.

use super::{compat_key, native_key};
use fathom::SecretRng;
use fathom::wire::WireObject;
use fathom_hfhe::{Fp, Mode, SecretKey};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::process::Command;

/// Set in the processes that compute a digest.
const CHILD: &str = "FATHOM_TEST_CHILD";

/// Computes x^2 y + 1 and returns the bytes of the operands and the result.
fn bytes<M: Mode>(secret: &SecretKey<M>) -> [Vec<u8>; 3] {
    let mut rng = SecretRng::insecure_from_seed(11);
    let [x, y] = [17, -4].map(|value| secret.encrypt_i64(value, &mut rng));
    let result = x.square().unwrap().mul(&y).unwrap().add_scalar(Fp::from(1u64));
    assert_eq!(secret.decrypt_any_circuit(&result).unwrap().to_signed(), -1155);
    [x.to_bytes(), y.to_bytes(), result.to_bytes()]
}

#[test]
fn results_are_bit_identical_on_every_kernel() {
    if std::env::var_os(CHILD).is_some() {
        let mut hasher = DefaultHasher::new();
        (bytes(&native_key()), bytes(compat_key())).hash(&mut hasher);
        println!("\ndigest {}", hasher.finish());
        return;
    }
    let kernels = fathom_ring::available();
    let digests: Vec<String> = kernels.iter().map(|kernel| child(kernel.name())).collect();
    for (digest, kernel) in digests.iter().zip(&kernels) {
        assert_eq!(*digest, digests[0], "{} differs", kernel.name());
    }
}

/// Runs the test above with a kernel and returns the digest.
fn child(kernel: &str) -> String {
    let test = "hfhe::kernels::results_are_bit_identical_on_every_kernel";
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .env(CHILD, "1")
        .env("FATHOM_KERNEL", kernel)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{kernel}: {text}");
    text.lines().find_map(|line| line.strip_prefix("digest ")).unwrap().to_owned()
}
