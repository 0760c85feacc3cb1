//! The homomorphism laws of each operation, for all schemes, presets and seeds.

use crate::common::{Setup, difference, product, rotated, sum, zip};
use crate::ring::lists::{inner_products_in_one_pass, weighted_sums};
use fathom::Error;
use fathom::bfv::Bfv;
use fathom::bgv::Bgv;
use fathom::rlwe::modular::{
    Ciphertext, Evaluator, Levels, Modular, Params, Preset, Rotations, RowSwap, Spec,
};
use fathom::wire::{Wire, WireObject};

const STEPS: [i64; 4] = [1, -3, 100, -1024];

fn keys() -> Rotations {
    Rotations { steps: STEPS.to_vec(), row_swap: RowSwap::With }
}

/// Runs a law for both schemes on every preset; the seed follows from the index of the preset.
macro_rules! laws {
    ($($law:ident),* $(,)?) => {
        $(mod $law {
            use super::*;

            #[test]
            fn in_bgv() {
                everywhere::<Bgv>(super::$law);
            }

            #[test]
            fn in_bfv() {
                everywhere::<Bfv>(super::$law);
            }
        })*
    };
}

fn everywhere<S: Modular>(law: fn(&mut Setup<S>)) {
    for (i, preset) in Preset::ALL.into_iter().enumerate() {
        let seed = 1000 + i as u64;
        println!("{} {} seed {seed}", S::NAME, preset.name());
        law(&mut Setup::new(preset, &keys(), seed));
    }
}

laws!(
    sums_and_differences,
    products_and_relinearization,
    operations_with_plaintexts,
    operations_with_integers,
    rotations,
    mod_switching,
    encryptions,
    inner_products,
    weighted_sums,
    inner_products_in_one_pass,
    three_components,
    transparent_results,
    masks_of_zero,
    coefficient_encoders,
);

fn sums_and_differences<S: Modular>(s: &mut Setup<S>) {
    let (x, y) = (s.random(), s.random());
    let (a, b) = (s.encrypt(&x), s.encrypt_public(&y));
    let e = s.evaluator.clone();
    s.check("add", &e.add(&a, &b).unwrap(), &sum(s.t, &x, &y));
    s.check("sub", &e.sub(&a, &b).unwrap(), &difference(s.t, &x, &y));
    s.check("negate", &e.neg(&a).unwrap(), &difference(s.t, &vec![0; x.len()], &x));
    let many = [a.clone(), b.clone(), a, b];
    s.check("sum", &e.sum(&many).unwrap(), &zip(s.t, &x, &y, |x, y| 2 * (x + y)));
}

fn products_and_relinearization<S: Modular>(s: &mut Setup<S>) {
    let (x, y) = (s.random(), s.random());
    let (a, b) = (s.encrypt(&x), s.encrypt(&y));
    let expected = product(s.t, &x, &y);
    let e = s.evaluator.clone();
    let multiplied = e.mul(&a, &b).unwrap();
    s.check("mul", &multiplied, &expected);
    assert_eq!(multiplied.level(), s.top - 1);
    s.check("square", &e.square(&a).unwrap(), &product(s.t, &x, &x));
    let tensor = e.tensor(&a, &b).unwrap();
    assert_eq!((tensor.component_count(), tensor.level().get()), (3, s.top));
    s.check("tensor", &tensor, &expected);
    let relinearized = e.relinearize(&tensor).unwrap();
    assert_eq!((relinearized.component_count(), relinearized.level().get()), (2, s.top));
    s.check("relinearize", &relinearized, &expected);
    s.check("relinearize_and_switch", &e.relinearize_and_switch(&tensor).unwrap(), &expected);
}

fn operations_with_plaintexts<S: Modular>(s: &mut Setup<S>) {
    let (x, y) = (s.random(), s.random());
    let (a, p) = (s.encrypt(&x), s.plain(&y));
    let e = s.evaluator.clone();
    s.check("add_plain", &e.add_plain(&a, &p).unwrap(), &sum(s.t, &x, &y));
    s.check("sub_plain", &e.sub_plain(&a, &p).unwrap(), &difference(s.t, &x, &y));
    let mut ready = p.clone();
    ready.prepare_sums(s.top).unwrap();
    assert_eq!(ready, p, "preparation changes nothing that is encoded");
    s.check("add_plain, prepared", &e.add_plain(&a, &ready).unwrap(), &sum(s.t, &x, &y));
    s.check("sub_plain, prepared", &e.sub_plain(&a, &ready).unwrap(), &difference(s.t, &x, &y));
    let beyond = ready.prepare_sums(s.top + 1);
    assert_eq!(beyond, Err(Error::NoSuchLevel { from: s.top.into(), to: (s.top + 1).into() }));
    let multiplicand = p.to_multiplicand();
    let expected = product(s.t, &x, &y);
    let multiplied = e.mul_plain(&a, &multiplicand).unwrap();
    s.check("mul_plain", &multiplied, &expected);
    let lower = e.mod_switch_to(&multiplied, s.top - 1).unwrap();
    s.check("mul_plain, switched", &lower, &expected);
    // The factor differs from that of fresh ciphertexts.
    s.check(
        "switched, add_plain",
        &e.add_plain(&lower, &p).unwrap(),
        &zip(s.t, &x, &y, |x, y| x * y + y),
    );
    s.check(
        "switched, add_plain, prepared for another factor",
        &e.add_plain(&lower, &ready).unwrap(),
        &zip(s.t, &x, &y, |x, y| x * y + y),
    );
    s.check("switched, sub_plain", &e.sub_plain(&lower, &p).unwrap(), &{
        let minus = difference(s.t, &vec![0; y.len()], &y);
        sum(s.t, &expected, &minus)
    });
}

fn operations_with_integers<S: Modular>(s: &mut Setup<S>) {
    let x = s.random();
    let a = s.encrypt(&x);
    let lower = s.evaluator.mod_switch_to(&a, s.top - 1).unwrap();
    let e = s.evaluator.clone();
    let half = (s.t as i64 - 1) / 2;
    let wide = half.min(1 << 16);
    for c in [1, -1, 7, -1000, wide, -wide, s.t as i64 + 3, i64::from(i32::MIN)] {
        let c_mod = c.rem_euclid(s.t as i64) as u64;
        let all = vec![c_mod; x.len()];
        for a in [&a, &lower] {
            s.check("add_scalar", &e.add_scalar(a, c).unwrap(), &sum(s.t, &x, &all));
            let negated = vec![(s.t - c_mod) % s.t; x.len()];
            s.check("sub_scalar", &e.sub_scalar(a, c).unwrap(), &sum(s.t, &x, &negated));
        }
        let small = c_mod.min(s.t - c_mod) <= 1 << 16;
        if small {
            let scaled = e.mul_scalar(&a, c).unwrap();
            s.check("mul_scalar", &scaled, &product(s.t, &x, &all));
        }
    }
}

fn rotations<S: Modular>(s: &mut Setup<S>) {
    let x = s.random();
    let a = s.encrypt(&x);
    let e = s.evaluator.clone();
    let many = e.rotate_many(&a, &STEPS).unwrap();
    for (steps, many) in STEPS.into_iter().zip(many) {
        let expected = rotated(&x, steps);
        s.check("rotate", &e.rotate(&a, steps).unwrap(), &expected);
        s.check("rotate_many", &many, &expected);
    }
    let around = s.params.degree() as i64 / 2 + 1;
    s.check("rotate past the end", &e.rotate(&a, around).unwrap(), &rotated(&x, 1));
    s.check("rotate by nothing", &e.rotate(&a, 0).unwrap(), &x);
    let (low, high) = x.split_at(x.len() / 2);
    s.check("swap_rows", &e.swap_rows(&a).unwrap(), &[high, low].concat());
    for level in (0..s.top).rev() {
        let lower = e.mod_switch_to(&a, level).unwrap();
        match e.rotate(&lower, 1) {
            Ok(c) => _ = s.check("rotate lower", &c, &rotated(&x, 1)),
            Err(error) => assert!(matches!(error, Error::NoiseExhausted { .. }), "{error}"),
        }
    }
}

fn mod_switching<S: Modular>(s: &mut Setup<S>) {
    let x = s.random();
    let fresh = [s.encrypt(&x), s.encrypt_public(&x)];
    for a in fresh {
        for level in 0..=s.top {
            let switched = s.evaluator.mod_switch_to(&a, level).unwrap();
            assert_eq!(switched.level(), level);
            s.check("mod_switch_to", &switched, &x);
            for lower in 0..level {
                let again = s.evaluator.mod_switch_to(&switched, lower).unwrap();
                s.check("mod_switch_to twice", &again, &x);
            }
        }
    }
}

fn encryptions<S: Modular>(s: &mut Setup<S>) {
    let x = s.random();
    let p = s.plain(&x);
    for level in 0..=s.top {
        let c = s.secret.encrypt_at(&p, level, &mut s.rng).unwrap();
        assert!(c.level() == level && c.is_seeded());
        s.check("encrypt_at", &c, &x);
    }
    let c = s.encrypt_public(&x);
    assert!(c.level() == s.top && !c.is_seeded());
    s.check("public key", &c, &x);
    assert_eq!(s.params.encode(&[]).unwrap(), s.params.zero_plaintext());
    let signed: Vec<i64> = x.iter().map(|&v| v as i64 - (s.t as i64 - 1) / 2).collect();
    let signed: Vec<i64> = signed.into_iter().filter(|v| *v <= (s.t as i64 - 1) / 2).collect();
    let encoded = s.params.encode_signed(&signed).unwrap();
    let c = s.secret.encrypt(&encoded, &mut s.rng).unwrap();
    assert_eq!(s.secret.decrypt(&c).unwrap().slots_signed().unwrap()[..signed.len()], signed);
}

fn inner_products<S: Modular>(s: &mut Setup<S>) {
    let count = 5;
    let x: Vec<Vec<u64>> = (0..count).map(|_| s.random()).collect();
    let y: Vec<Vec<u64>> = (0..count).map(|_| s.random()).collect();
    let a: Vec<_> = x.iter().map(|x| s.encrypt(x)).collect();
    let b: Vec<_> = y.iter().map(|y| s.encrypt(y)).collect();
    let zero = vec![0; x[0].len()];
    let dot = |pairs: &[usize]| {
        pairs.iter().fold(zero.clone(), |acc, &i| sum(s.t, &acc, &product(s.t, &x[i], &y[i])))
    };
    let e = s.evaluator.clone();
    for n in 1..=count {
        let expected = dot(&(0..n).collect::<Vec<_>>());
        s.check("dot", &e.dot(&a[..n], &b[..n]).unwrap(), &expected);
    }
    if s.top < 2 {
        return;
    }
    // The factors differ, and for automatic levels the levels too.
    let lower = e.mul(&a[0], &b[0]).unwrap();
    let switched = e.mod_switch_to(&a[1], lower.level()).unwrap();
    let other = match S::LEVELS {
        Levels::Automatic => b[1].clone(),
        Levels::Explicit => e.mod_switch_to(&b[1], lower.level()).unwrap(),
    };
    let expected = zip(s.t, &product(s.t, &dot(&[0]), &x[1]), &dot(&[1]), |u, v| u + v);
    let mixed = e.dot(&[lower.clone(), switched.clone()], &[switched.clone(), other.clone()]);
    check_if_affordable(s, "dot of unlike operands", mixed, &expected);
    let added = e.add(&lower, &other).unwrap();
    s.check("add of unlike depths", &added, &sum(s.t, &dot(&[0]), &y[1]));
    let subtracted = e.sub(&other, &lower).unwrap();
    s.check("sub of unlike depths", &subtracted, &difference(s.t, &y[1], &dot(&[0])));
    let multiplied = e.mul(&lower, &other).unwrap();
    s.check("multiply of unlike depths", &multiplied, &product(s.t, &dot(&[0]), &y[1]));
}

fn three_components<S: Modular>(s: &mut Setup<S>) {
    let (x, y, z) = (s.random(), s.random(), s.random());
    let (a, b, c) = (s.encrypt(&x), s.encrypt(&y), s.encrypt(&z));
    let e = s.evaluator.clone();
    let (ab, bc) = (e.tensor(&a, &b).unwrap(), e.tensor(&b, &c).unwrap());
    let (xy, yz) = (product(s.t, &x, &y), product(s.t, &y, &z));
    let both = e.add(&ab, &bc).unwrap();
    s.check("add 3 + 3", &both, &sum(s.t, &xy, &yz));
    let together = e.relinearize_and_switch(&both).unwrap();
    s.check("one relinearisation", &together, &sum(s.t, &xy, &yz));
    for (what, c, expected) in [
        ("add 3 + 2", e.add(&ab, &c), sum(s.t, &xy, &z)),
        ("add 2 + 3", e.add(&c, &ab), sum(s.t, &xy, &z)),
        ("sub 3 - 2", e.sub(&ab, &c), difference(s.t, &xy, &z)),
        ("sub 2 - 3", e.sub(&c, &ab), difference(s.t, &z, &xy)),
    ] {
        let c = c.unwrap();
        assert_eq!(c.component_count(), 3);
        s.check(what, &c, &expected);
        s.check(what, &e.relinearize(&c).unwrap(), &expected);
    }
    // Rounding the third component adds noise that is multiplied by the square of the secret.
    check_if_affordable(s, "mod_switch_to of 3", e.mod_switch_to(&ab, s.top - 1), &xy);
}

/// Checks a result that only presets of some depth have the budget for: it is right or refused.
fn check_if_affordable<S: Modular>(
    s: &Setup<S>,
    what: &str,
    result: Result<Ciphertext<S>, Error>,
    expected: &[u64],
) {
    match result {
        Ok(c) => _ = s.check(what, &c, expected),
        Err(error) => {
            assert!(s.top <= 2 && matches!(error, Error::NoiseExhausted { .. }), "{what}: {error}");
        }
    }
}

fn transparent_results<S: Modular>(s: &mut Setup<S>) {
    let (x, y) = (s.random(), s.random());
    let (a, b) = (s.encrypt(&x), s.encrypt(&y));
    let minus = s.evaluator.neg(&a).unwrap();
    let product = s.evaluator.tensor(&a, &b).unwrap();
    let zeros = vec![0; x.len()];
    let nothing = s.plain(&zeros).to_multiplicand();
    let keyless = Evaluator::without_keys(&s.params);
    let [pair, twice] = [[a.clone(), minus], [b.clone(), b]];
    let results = |e: &Evaluator<S>| {
        [
            e.sub(&a, &a),
            e.mul_scalar(&a, 0),
            e.mul_plain(&a, &nothing),
            e.dot(&pair, &twice),
            e.sub(&product, &product),
            e.sub(&product, &product).and_then(|zero| e.relinearize(&zero)),
            e.mul_scalar(&product, 0).and_then(|zero| e.relinearize_and_switch(&zero)),
        ]
    };
    for result in results(&s.evaluator) {
        let masked = result.unwrap();
        s.check("masked zero", &masked, &zeros);
        assert!(Ciphertext::from_bytes(&s.params, &masked.to_bytes()).is_ok());
        // It can be used like any other ciphertext.
        let a = s.evaluator.mod_switch_to(&a, masked.level()).unwrap();
        match s.evaluator.add(&masked, &a) {
            Ok(sum) => {
                s.check("masked zero + a", &sum, &x);
            }
            Err(error) => assert!(matches!(error, Error::NoiseExhausted { .. }), "{error}"),
        }
    }
    for result in results(&keyless) {
        assert!(matches!(result, Err(Error::Transparent { .. })));
    }
    let sum = keyless.sub(&keyless.add(&a, &a).unwrap(), &a).unwrap();
    s.check("a + a - a", &sum, &x);
}

/// The holder of the evaluation keys can compute the first; the second has a mask of its own.
fn masks_of_zero<S: Modular>(s: &mut Setup<S>) {
    let (x, zeros) = (s.random(), vec![0; s.params.degree()]);
    let (a, b, fresh) = (s.encrypt(&x), s.encrypt(&zeros), s.encrypt_public(&zeros));
    let masked = s.evaluator.sub(&a, &a).unwrap();
    assert_eq!(masked.to_bytes(), s.evaluator.sub(&b, &b).unwrap().to_bytes());
    let hidden = s.evaluator.add(&masked, &fresh).unwrap();
    s.check("a zero under a fresh mask", &hidden, &zeros);
}

fn coefficient_encoders<S: Modular>(s: &mut Setup<S>) {
    let n = s.params.degree();
    let (x, y) = (s.random(), s.random());
    let encoded = s.params.encode_coefficients(&x).unwrap();
    assert_eq!(encoded.coefficients(), x);
    let a = s.secret.encrypt(&encoded, &mut s.rng).unwrap();
    assert_eq!(s.secret.decrypt(&a).unwrap().coefficients(), x);
    let signed: Vec<i64> = (0..n as i64).map(|i| i * 37 % 1001 - 500).collect();
    let p = s.params.encode_coefficients_signed(&signed).unwrap();
    let c = s.public.encrypt(&p, &mut s.rng).unwrap();
    assert_eq!(s.secret.decrypt(&c).unwrap().coefficients_signed(), signed);
    // Coefficient 0 of the product with the reversed list is the inner product.
    let reversed = s.params.encode_reversed(&y).unwrap();
    let b = s.secret.encrypt(&reversed, &mut s.rng).unwrap();
    let expected = product(s.t, &x, &y).iter().fold(0, |acc, &v| (acc + v) % s.t);
    let multiplied = s.evaluator.mul(&a, &b).unwrap();
    assert_eq!(s.secret.decrypt(&multiplied).unwrap().coefficients()[0], expected);
    let by_plain = s.evaluator.mul_plain(&a, &reversed.to_multiplicand()).unwrap();
    assert_eq!(s.secret.decrypt(&by_plain).unwrap().coefficients()[0], expected);
    s.slack("reversed product", &multiplied);
}

fn slot_sum<S: Modular>(preset: Preset) {
    let degree = Params::<S>::preset(preset).unwrap().degree();
    let mut s = Setup::<S>::new(preset, &Rotations::for_slot_sum(degree), 31);
    let x = s.random();
    let a = s.encrypt(&x);
    let total = x.iter().fold(0, |acc, &v| (acc + v) % s.t);
    s.check("sum_slots", &s.evaluator.sum_slots(&a).unwrap(), &vec![total; degree]);
    // The mask of a prefix takes 24 bits of budget.
    let prefixes = if preset == Preset::E2 { vec![1, degree / 2 + 7, degree - 1] } else { vec![] };
    for count in prefixes {
        let total = x[..count].iter().fold(0, |acc, &v| (acc + v) % s.t);
        let c = s.evaluator.sum_prefix(&a, count).unwrap();
        s.check("sum_prefix", &c, &vec![total; degree]);
    }
    for count in [1i64, 2, 3, 8, 11, 64] {
        let rotations: Vec<_> = (0..count).map(|k| rotated(&x, k)).collect();
        let expected = rotations[1..].iter().fold(rotations[0].clone(), |acc, r| sum(s.t, &acc, r));
        let c = s.evaluator.sum_rotations(&a, count as usize).unwrap();
        s.check("sum_rotations", &c, &expected);
    }
}

#[test]
fn slots_sum_up() {
    for preset in [Preset::E1, Preset::E1Bits192, Preset::E1Bits256, Preset::E2, Preset::E1Plain31]
    {
        slot_sum::<Bgv>(preset);
        slot_sum::<Bfv>(preset);
    }
}

#[test]
fn levels_are_the_callers_in_bgv_and_automatic_in_bfv() {
    let mut bgv = Setup::<Bgv>::new(Preset::E2, &Rotations::none(), 5);
    let mut bfv = Setup::<Bfv>::new(Preset::E2, &Rotations::none(), 5);
    let (x, y) = (bgv.random(), bgv.random());
    let (a, b) = (bgv.encrypt(&x), bgv.encrypt(&y));
    let low = bgv.evaluator.mod_switch_to(&b, 2).unwrap();
    for result in [
        bgv.evaluator.add(&a, &low),
        bgv.evaluator.sub(&a, &low),
        bgv.evaluator.mul(&a, &low),
        bgv.evaluator.tensor(&low, &a),
    ] {
        let Err(Error::LevelMismatch { left, right }) = result else { panic!("not refused") };
        assert_eq!(left.get() + right.get(), 7);
    }
    let (a, b) = (bfv.encrypt(&x), bfv.encrypt(&y));
    let e = bfv.evaluator.clone();
    let low = e.mod_switch_to(&b, 2).unwrap();
    bfv.check("add", &e.add(&a, &low).unwrap(), &sum(bfv.t, &x, &y));
    bfv.check("sub", &e.sub(&low, &a).unwrap(), &difference(bfv.t, &y, &x));
    bfv.check("mul", &e.mul(&a, &low).unwrap(), &product(bfv.t, &x, &y));
}

#[test]
fn the_scale_invariant_product_keeps_the_level() {
    for preset in Preset::ALL {
        let mut s = Setup::<Bfv>::new(preset, &Rotations::none(), 77);
        let (x, y) = (s.random(), s.random());
        let (a, b) = (s.encrypt(&x), s.encrypt(&y));
        let c = s.evaluator.mul_scale_invariant(&a, &b).unwrap();
        assert_eq!(c.level(), s.top);
        let xy = product(s.t, &x, &y);
        s.check("scale invariant", &c, &xy);
        let low = s.evaluator.mod_switch_to(&a, s.top - 1).unwrap();
        match s.evaluator.mul_scale_invariant(&low, &c) {
            Ok(c) => _ = s.check("scale invariant, mixed", &c, &product(s.t, &xy, &x)),
            Err(error) => assert!(matches!(error, Error::NoiseExhausted { .. }), "{error}"),
        }
    }
}

#[test]
fn the_form_of_the_bfv_paper_comes_back_unchanged() {
    for preset in [Preset::E1, Preset::E1Bits256, Preset::E2, Preset::E1Plain31] {
        let mut s = Setup::<Bfv>::new(preset, &Rotations::none(), 78);
        let (x, y) = (s.random(), s.random());
        let (a, b) = (s.encrypt(&x), s.encrypt(&y));
        assert_eq!(a.to_msb().factor(), 1);
        let multiplied = s.evaluator.mul(&a, &b).unwrap();
        let tensor = s.evaluator.tensor(&a, &b).unwrap();
        for (c, expected) in
            [(&a, &x), (&multiplied, &product(s.t, &x, &y)), (&tensor, &product(s.t, &x, &y))]
        {
            let msb = c.to_msb();
            assert_eq!((msb.level(), msb.components().len()), (c.level(), c.component_count()));
            let back = s.params.from_msb(&msb).unwrap();
            s.check("from_msb", &back, expected);
            assert!((back.noise_budget_bits() - c.noise_budget_bits()).abs() < 1e-9);
        }
    }
}

/// A prime asked for at 60 bits has 60 bits, on the kernel that supports it.
#[test]
fn primes_beyond_the_vector_kernels_are_as_wide_as_they_were_asked_for() {
    let spec = Spec {
        name: "wide".to_owned(),
        chain_bits: vec![60.0, 60.0],
        special_bits: vec![61.0],
        ..Preset::E2.spec()
    };
    let params = match Params::<Bgv>::new(spec) {
        // The variable `FATHOM_KERNEL` may name a kernel that cannot serve the set.
        Err(Error::Ring(_)) if std::env::var_os("FATHOM_KERNEL").is_some() => return,
        params => params.unwrap(),
    };
    assert!(params.chain().iter().all(|&q| (59.9..60.0).contains(&(q as f64).log2())));
    assert_eq!(params.kernel_name(), "portable");
    let mut s = Setup::with(&params, &Rotations::steps(&[1]), 60);
    let (x, y) = (s.random(), s.random());
    let (a, b) = (s.encrypt(&x), s.encrypt(&y));
    let e = &s.evaluator;
    s.check("mul", &e.mul(&a, &b).unwrap(), &product(s.t, &x, &y));
    s.check("rotate", &e.rotate(&a, 1).unwrap(), &rotated(&x, 1));
}
