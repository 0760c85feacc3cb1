//! Every error is produced, and says what is wrong with which number.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

use fathom_ring::{Error, PlainRing, Ring, available, primes_below};

fn refused(degree: usize, chain: &[u64], special: &[u64]) -> Error {
    Ring::new(degree, chain, special).unwrap_err()
}

#[test]
fn degrees_that_are_no_power_of_two_or_too_small_or_too_large() {
    for degree in [0, 1, 32, 63, 96, 1 << 18] {
        let error = refused(degree, &[7681], &[]);
        assert_eq!(error, Error::Degree(degree));
        let text = error.to_string();
        assert!(text.contains(&degree.to_string()) && text.contains("131072"), "{text}");
    }
}

#[test]
fn moduli_that_have_no_transform() {
    let large = primes_below(63.0, 128, 1, &[]).unwrap()[0];
    let cases =
        [(7680, "not prime"), (7681 * 257, "not prime"), (7687, "twice the degree"), (large, "")];
    for (modulus, why) in cases {
        for error in [refused(64, &[modulus], &[]), refused(64, &[7681], &[modulus])] {
            let Error::Modulus { modulus: named, degree: 64, reason } = &error else {
                panic!("{error}")
            };
            assert!(*named == modulus && reason.contains(why), "{reason}");
            assert!(error.to_string().contains(&modulus.to_string()), "{error}");
        }
    }
}

#[test]
fn plaintext_moduli_that_are_even_composite_or_too_large() {
    let large = primes_below(46.0, 128, 1, &[]).unwrap()[0];
    for t in [0, 1, 2, 4, 65535, large] {
        let error = PlainRing::new(64, t).unwrap_err();
        assert!(matches!(&error, Error::Modulus { modulus, .. } if *modulus == t), "{error}");
        assert!(error.to_string().contains("odd prime below 2^45"), "{error}");
    }
    assert_eq!(PlainRing::new(64, 7).unwrap().slot_count(), 0);
}

#[test]
fn primes_that_appear_twice() {
    assert_eq!(refused(64, &[7681, 7681], &[]), Error::RepeatedPrime(7681));
    let error = refused(64, &[257, 7681], &[257]);
    assert_eq!(error, Error::RepeatedPrime(257));
    assert!(error.to_string().contains("257"));
}

#[test]
fn sizes_that_have_too_few_primes() {
    let error = primes_below(20.0, 1 << 18, 40, &[]).unwrap_err();
    let Error::PrimeSupply { wanted: 40, found, step, .. } = error else { panic!("{error}") };
    assert!(found < 4 && step == 1 << 18);
    assert!(error.to_string().contains("of 40 primes"), "{error}");
}

#[test]
fn kernels_that_do_not_support_a_modulus() {
    let wide = primes_below(60.0, 128, 1, &[]).unwrap();
    let vector = available().into_iter().find(|k| k.name() != "portable");
    let Some(kernel) = vector else { return };
    let error = Ring::with_kernel(64, &wide, &[], Some(kernel)).unwrap_err();
    assert!(matches!(&error, Error::Kernel(_)));
    let text = error.to_string();
    assert!(text.contains(kernel.name()) && text.contains(&wide[0].to_string()), "{text}");
}

/// Set by the parent test for the child process that it starts.
const CHILD: &str = "FATHOM_TEST_CHILD";

#[test]
fn an_unknown_kernel_in_the_environment() {
    if std::env::var_os(CHILD).is_some() {
        let error = refused(64, &[7681], &[]);
        assert!(matches!(&error, Error::Kernel(_)));
        println!("child: {error}");
        return;
    }
    let output = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "errors::an_unknown_kernel_in_the_environment", "--nocapture"])
        .env(CHILD, "1")
        .env("FATHOM_KERNEL", "abacus")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    assert!(
        text.contains("child: no kernel: FATHOM_KERNEL=abacus") && text.contains("portable"),
        "{text}"
    );
}

/// An empty value is none, and a variable of a name that other programs use is not ours.
#[test]
fn m3_an_empty_name_in_the_environment_is_none() {
    if std::env::var_os(CHILD).is_some() {
        println!("child: {}", Ring::new(64, &[7681], &[]).unwrap().kernel().name());
        return;
    }
    let output = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "errors::m3_an_empty_name_in_the_environment_is_none", "--nocapture"])
        .env(CHILD, "1")
        .env("FATHOM_KERNEL", "")
        .env("KERNEL", "abacus")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let best = available()[0].name();
    assert!(output.status.success() && text.contains(&format!("child: {best}")), "{text}");
}

#[test]
fn a_system_without_randomness_is_named() {
    // No test can take the operating system's generator away, so this one checks the message alone.
    let error = Error::Entropy("not supported".to_owned());
    assert_eq!(error.to_string(), "the operating system's random generator failed: not supported");
}
