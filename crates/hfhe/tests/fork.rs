//! Parent and child of `fork` never draw the same secrets: crates/fathom/tests/fork.rs says why.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

#[cfg(unix)]
#[path = "../../fathom/tests/forked.rs"]
mod forked;

#[cfg(unix)]
fn cases() -> Vec<forked::Case> {
    use fathom::wire::WireObject;
    use fathom_hfhe::{Fp, Workers, compat, native};
    let mut rng = forked::rng();
    let compat = compat::SecretKey::generate(&mut rng, &Workers::one()).unwrap();
    let native = native::SecretKey::generate(&mut rng);
    vec![Box::new(move || {
        let value = Fp::from(5_u64);
        let compat = compat.encrypt(value, &mut rng).to_bytes();
        let native = native.encrypt(value, &mut rng).to_bytes();
        forked::named("hfhe", [("compat", compat), ("native", native)])
    })]
}

fn main() {
    #[cfg(unix)]
    forked::run(cases());
}
