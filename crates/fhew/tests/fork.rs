//! Parent and child of `fork` never draw the same secrets: crates/fathom/tests/fork.rs says why.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

#[cfg(unix)]
#[path = "../../fathom/tests/forked.rs"]
mod forked;

#[cfg(unix)]
fn cases() -> Vec<forked::Case> {
    use fathom::wire::WireValue;
    use fathom_fhew::{FhewParams, FhewSecretKey};
    /// Length of the header of a frame.
    const HEADER: usize = 72;
    let mut rng = forked::rng();
    let params = FhewParams::preset("fhew_lmkcdey_128").unwrap();
    let key = FhewSecretKey::generate(&params, &mut rng);
    vec![Box::new(move || {
        let bits: Vec<_> = (0..64).map(|_| key.encrypt(true, &mut rng)).collect();
        let phases = bits.iter().flat_map(|bit| key.phase(bit).unwrap().to_le_bytes()).collect();
        let bytes = bits.iter().map(|bit| bit.to_bytes(&params).unwrap());
        let frames = bytes.flat_map(|frame| frame[HEADER..].to_vec()).collect();
        forked::named("fhew", [("bits", frames), ("phases", phases)])
    })]
}

fn main() {
    #[cfg(unix)]
    forked::run(cases());
}
