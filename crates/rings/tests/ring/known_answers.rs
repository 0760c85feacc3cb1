//! Known answers of an independent slow implementation, `vectors/bgv.py`.

use crate::common::Setup;
use fathom::bgv::Bgv;
use fathom::rlwe::modular::{Preset, Rotations};
use fathom_ring::{
    Automorphism, Coeff, ErrorFactor, Eval, Limbs, ModDown, PlainRing, Poly, Ring, ToPlain,
};
use serde_json::Value;
use std::sync::Arc;

fn answers() -> Value {
    serde_json::from_str(include_str!("../data/known-answers.json")).unwrap()
}

fn number(v: &Value) -> u64 {
    v.as_u64().unwrap()
}

fn size(v: &Value) -> usize {
    number(v) as usize
}

fn list(v: &Value) -> Vec<u64> {
    v.as_array().unwrap().iter().map(number).collect()
}

fn cases(v: &Value) -> &[Value] {
    let cases = v.as_array().unwrap();
    assert!(!cases.is_empty());
    cases
}

/// Returns a polynomial from its coefficients modulo each prime.
fn poly(ring: &Arc<Ring>, rows: &Value) -> Poly<Eval> {
    let rows = cases(rows);
    let mut p = Poly::<Coeff>::zero(ring, limbs(ring, rows.len()));
    for (i, row) in rows.iter().enumerate() {
        p.row_mut(i).copy_from_slice(&list(row));
    }
    p.into_eval()
}

fn limbs(ring: &Ring, count: usize) -> Limbs {
    Limbs::extended(count.min(ring.chain_len()), count.saturating_sub(ring.chain_len()))
}

fn rows(p: Poly<Eval>) -> Vec<Vec<u64>> {
    let p = p.into_coeff();
    (0..p.limbs().len()).map(|row| p.row(row).to_vec()).collect()
}

fn expected(v: &Value) -> Vec<Vec<u64>> {
    cases(v).iter().map(list).collect()
}

/// Returns the value of a polynomial at a point modulo the prime.
fn value_at(m: &fathom_ring::Modulus, coefficients: &[u64], point: u64) -> u64 {
    coefficients.iter().rev().fold(0, |acc, &c| m.add(m.mul(acc, point), c))
}

/// Returns the root of unity at which the polynomial has the value of slot 0.
fn root_of(plain: &PlainRing) -> u64 {
    let n = plain.degree();
    let mut x = vec![0; n];
    x[1] = 1;
    // The polynomial X has the point itself as its value.
    plain.coefficients_to_slots(x).unwrap()[0]
}

#[test]
fn provenance_is_stated() {
    let answers = answers();
    let provenance = &answers["provenance"];
    assert_eq!(provenance["script"], "crates/rings/vectors/bgv.py");
    assert!(provenance["python"].as_str().unwrap().starts_with("3."));
}

/// Returns the slots for the root of the known answers, in the order of the library's root: `root =
/// library^e`.
fn slots_at_root(plain: &PlainRing, coefficients: &[u64], root: u64) -> Vec<u64> {
    let (n, m) = (plain.degree(), plain.modulus());
    let own = root_of(plain);
    let exponent = (1..2 * n).step_by(2).find(|&e| m.pow(own, e as u64) == root).unwrap();
    let moved = moved_coefficients(coefficients, exponent, m);
    plain.coefficients_to_slots(moved).unwrap()
}

/// Computes `p(X^g)` on coefficients.
fn moved_coefficients(p: &[u64], g: usize, m: &fathom_ring::Modulus) -> Vec<u64> {
    let n = p.len();
    let mut out = vec![0; n];
    for (i, &c) in p.iter().enumerate() {
        let at = i * g % (2 * n);
        out[at % n] = if at < n { c } else { m.neg(c) };
    }
    out
}

#[test]
fn slots_and_their_automorphisms() {
    let answers = answers();
    for case in cases(&answers["slots"]) {
        let plain = PlainRing::new(size(&case["degree"]), number(&case["plain_modulus"])).unwrap();
        let root = number(&case["root"]);
        let coefficients = list(&case["coefficients"]);
        let slots = list(&case["slots"]);
        assert_eq!(slots_at_root(&plain, &coefficients, root), slots);
        assert_eq!(value_at(plain.modulus(), &coefficients, root), slots[0]);
        for image in cases(&case["automorphisms"]) {
            let moved = list(&image["coefficients"]);
            assert_eq!(slots_at_root(&plain, &moved, root), list(&image["slots"]));
        }
    }
}

#[test]
fn automorphisms_of_ring_elements() {
    let answers = answers();
    for case in cases(&answers["slots"]) {
        let (n, t) = (size(&case["degree"]), number(&case["plain_modulus"]));
        let ring = Ring::new(n, &[t], &[]).unwrap();
        let mut p = Poly::<Coeff>::zero(&ring, ring.all_limbs());
        p.row_mut(0).copy_from_slice(&list(&case["coefficients"]));
        let p = p.into_eval();
        for image in cases(&case["automorphisms"]) {
            let moved = Automorphism::new(n, size(&image["galois_element"])).apply(&p);
            assert_eq!(rows(moved), [list(&image["coefficients"])]);
        }
    }
}

#[test]
fn slots_at_degree_4096() {
    let answers = answers();
    for case in cases(&answers["spots"]) {
        let (n, t) = (size(&case["degree"]), number(&case["plain_modulus"]));
        let plain = PlainRing::new(n, t).unwrap();
        let mut coefficients = vec![0; n];
        for term in cases(&case["terms"]) {
            coefficients[size(&term[0])] = number(&term[1]);
        }
        let slots = slots_at_root(&plain, &coefficients, number(&case["root"]));
        for spot in cases(&case["slots"]) {
            assert_eq!(slots[size(&spot[0])], number(&spot[1]), "slot {}", spot[0]);
        }
    }
}

#[test]
fn modulus_switching_of_given_residues() {
    let answers = answers();
    for case in cases(&answers["mod_switch"]) {
        let n = size(&case["degree"]);
        let t = number(&case["plain_modulus"]);
        let (kept, dropped) = (list(&case["kept"]), list(&case["dropped"]));
        let to = Limbs::chain(kept.len());
        let after = expected(&case["after"]);
        // The dropped primes are once at the end of the chain and once special primes.
        let chain: Vec<u64> = kept.iter().chain(&dropped).copied().collect();
        let all_chain = Ring::new(n, &chain, &[]).unwrap();
        let with_special = Ring::new(n, &kept, &dropped).unwrap();
        for ring in [all_chain, with_special] {
            let before = poly(&ring, &case["before"]);
            let down = ModDown::new(&ring, before.limbs(), to, ErrorFactor::Integer(t));
            assert_eq!(rows(down.apply(before)), after);
        }
    }
}

#[test]
fn tensor_products_of_given_residues() {
    let answers = answers();
    let case = &answers["tensor"];
    let ring = Ring::new(size(&case["degree"]), &list(&case["chain"]), &[]).unwrap();
    let p: Vec<_> = cases(&case["operands"]).iter().map(|rows| poly(&ring, rows)).collect();
    let product = Poly::tensor(&[([&p[0], &p[1]], [&p[2], &p[3]])], ring.all_limbs());
    for (part, answer) in product.into_iter().zip(cases(&case["product"])) {
        assert_eq!(rows(part), expected(answer));
    }
}

#[test]
fn a_whole_bgv_product_with_given_keys_and_noise() {
    let answers = answers();
    let case = &answers["circuit"];
    let (n, t) = (size(&case["degree"]), number(&case["plain_modulus"]));
    let ring = Ring::new(n, &list(&case["chain"]), &[]).unwrap();
    let [left, right] = ["left", "right"]
        .map(|side| cases(&case[side]).iter().map(|rows| poly(&ring, rows)).collect::<Vec<_>>());
    let product = Poly::tensor(&[([&left[0], &left[1]], [&right[0], &right[1]])], ring.all_limbs());
    let one = Limbs::chain(1);
    let down = ModDown::new(&ring, ring.all_limbs(), one, ErrorFactor::Integer(t));
    let parts = product.map(|p| down.apply(p));
    for (part, answer) in parts.iter().zip(cases(&case["switched"])) {
        assert_eq!(rows(part.clone()), [list(answer)]);
    }
    let secret: Vec<i64> = cases(&case["secret"]).iter().map(|v| v.as_i64().unwrap()).collect();
    let s = Poly::<Coeff>::from_signed(&ring, one, &secret).into_eval();
    let [mut phase, c1, c2] = parts;
    phase.mul_add_assign(&c1, &s);
    phase.mul_add_assign(&c2, &Poly::product(&s, &s, one));
    let plain = fathom_ring::Modulus::new(t).unwrap();
    let factor = plain.reduce(ring.modulus(1).value());
    let decrypted = ToPlain::new(&ring, 1, &plain).apply(&phase);
    let message: Vec<u64> = decrypted.iter().map(|&c| plain.mul(c, factor)).collect();
    assert_eq!(message, list(&case["product_of_messages"]));
}

/// The messages of the known answers are encrypted by the schemes at a secure size.
#[test]
fn sparse_messages_through_encryption() {
    let answers = answers();
    let mut s = Setup::<Bgv>::new(Preset::E1, &Rotations::none(), 12);
    for case in cases(&answers["spots"]) {
        let mut coefficients = vec![0; size(&case["degree"])];
        for term in cases(&case["terms"]) {
            coefficients[size(&term[0])] = number(&term[1]);
        }
        let plain = s.params.encode_coefficients(&coefficients).unwrap();
        let c = s.public.encrypt(&plain, &mut s.rng).unwrap();
        let decrypted = s.secret.decrypt(&c).unwrap();
        assert_eq!(decrypted.coefficients(), coefficients);
        let ring = PlainRing::new(coefficients.len(), s.t).unwrap();
        let own = root_of(&ring);
        let slots = decrypted.slots().unwrap();
        assert_eq!(value_at(ring.modulus(), &coefficients, own), slots[0]);
    }
}
