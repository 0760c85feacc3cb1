//! Order finding and factoring of small numbers by classical arithmetic. Not encrypted.

use std::collections::HashMap;
use std::hint::black_box;

use fathom_cases::program::Meter;
use fathom_cases::program::Program;

/// Returns the programs of the document.
pub(super) fn programs() -> Vec<Program> {
    let mut programs = Vec::new();
    for (n, a) in [(63u64, 2u64), (1000, 3)] {
        let text = format!("multiplicative order of {a} modulo {n} by baby and giant steps");
        programs.push(Program::infallible("plain", format!("n{n}"), "order", text, move |meter| {
            order_of(meter, a, n);
        }));
    }
    for (n, factors) in [(15u64, [3u64, 5]), (3233, [53, 61])] {
        let text = format!("factors of {n} from the order of a number");
        programs.push(Program::infallible(
            "plain",
            format!("n{n}"),
            "factor",
            text,
            move |meter| {
                let found = meter.time_plain(1, || factor(black_box(n)));
                meter.check(found, factors);
            },
        ));
    }
    programs
}

fn order_of(meter: &mut Meter, a: u64, n: u64) {
    let found = meter.time_plain(1, || order(black_box(a), n));
    let powers = std::iter::successors(Some(a % n), |x| Some(x * a % n));
    let expected = 1 + powers.take_while(|x| *x != 1).count() as u64;
    meter.check([found], [expected]);
}

/// Returns the least `r > 0` with `a^r = 1` modulo `n`; `a` and `n` are coprime.
///
/// Source: Shanks's baby and giant steps, with `r = i s - j` below `n`.
fn order(a: u64, n: u64) -> u64 {
    let steps = n.isqrt() + 1;
    let mut baby = HashMap::new();
    let mut power = 1;
    for j in 0..steps {
        // A later `j` makes a smaller `i s - j`.
        baby.insert(power, j);
        power = power * a % n;
    }
    let giant = power;
    let mut reached = 1;
    for i in 1..=steps {
        reached = reached * giant % n;
        if let Some(j) = baby.get(&reached)
            && i * steps > *j
        {
            return i * steps - j;
        }
    }
    0
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Returns two factors of a product of two primes, the smaller first.
fn factor(n: u64) -> [u64; 2] {
    for a in 2..n {
        let shared = gcd(a, n);
        if shared > 1 {
            return pair(shared, n);
        }
        let r = order(a, n);
        let half = (0..r / 2).fold(1, |x, _| x * a % n);
        if r.is_multiple_of(2) && half != n - 1 {
            return pair(gcd(half + n - 1, n), n);
        }
    }
    [1, n]
}

fn pair(factor: u64, n: u64) -> [u64; 2] {
    let other = n / factor;
    [factor.min(other), factor.max(other)]
}
