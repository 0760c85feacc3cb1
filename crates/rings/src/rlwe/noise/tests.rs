//! The arithmetic of noise bounds.

use super::*;

const N: usize = 4096;

fn noise_of(message: Bounds, deviation: f64) -> Noise {
    Noise { message, ..Noise::of_random(Random::white(deviation)) }
}

fn tails() -> Tails {
    Tails::new(-128.0, N)
}

fn product(a: Noise, b: Noise, relation: Relation) -> Noise {
    a.multiplied(b, relation, N, tails())
}

#[test]
fn norms_that_rounding_left_out_of_order_are_ordered_downwards() {
    let above = 1.0 + f64::EPSILON;
    let norms = Bounds { coefficient: above, euclidean: 1.0, root: 1.0 };
    let random = Random { coefficient: above, direction: 1.0, root: above };
    let noise = Noise { message: norms, rest: norms, ..Noise::of_random(random) };
    let ordered = noise.ordered();
    assert_eq!([ordered.message, ordered.rest], [Bounds::of_root_values(1.0); 2]);
    assert_eq!(ordered.random, Random::white(1.0));
    let norms = Bounds { coefficient: 1.0, euclidean: 2.0, root: 3.0 };
    let fine = Noise { message: norms, ..ordered };
    assert_eq!(fine.ordered(), fine);
}

#[test]
fn division_leaves_the_rounding_error() {
    let rounding = Noise::of_random(Random::turned(100.0, 300.0));
    let message = Bounds::of_coefficients(1e9, N);
    let large = noise_of(message, 1e9).divided(1e9, rounding);
    assert!((large.random.coefficient - 100.0).abs() < 0.1);
    assert!((large.random.direction - 300.0).abs() < 0.1);
    assert!((large.message.coefficient - 1.0).abs() < 1e-9);
}

#[test]
fn a_product_of_messages_alone_is_bounded_by_the_worst_case() {
    let message = Noise::of_message(Bounds::of_coefficients(8.0, N));
    let square = product(message, message, Relation::Any);
    assert!((square.bound(tails()) - 64.0 * N as f64).abs() < 1e-9);
    assert_eq!(square, product(message, message, Relation::Independent));
}

/// Values multiply slot by slot, so bounds on values need no factor `N`.
#[test]
fn a_product_of_messages_bounded_at_the_roots_is_bounded_by_the_product() {
    let message = Noise::of_message(Bounds::of_root_values(8.0));
    let square = product(message, message, Relation::Any);
    assert_eq!(square.message, Bounds::of_root_values(64.0));
    // The random part grows in proportion to the message, in every direction alike.
    let noisy = Noise { random: Random::white(3.0), ..message };
    let noise = product(noisy, message, Relation::Independent);
    assert_eq!(noise.random, Random::white(24.0));
}

/// The mean of coefficient 0 of `v(X) v(1/X)` is `N sigma^2`.
#[test]
fn a_product_of_operands_that_may_be_related_covers_its_mean() {
    let fresh = noise_of(Bounds::default(), 3.0);
    let related = product(fresh, fresh, Relation::Any).bound(tails());
    let independent = product(fresh, fresh, Relation::Independent).bound(tails());
    assert!(related >= N as f64 * 9.0 && independent < related);
    assert!(independent >= 14.0 * (N as f64).sqrt() * 9.0);
}

#[test]
fn deviations_add_up_unless_operands_are_independent() {
    let fresh = noise_of(Bounds::of_coefficients(1.0, N), 3.0);
    let twice = fresh.plus(fresh, Relation::Any);
    assert_eq!(twice, fresh.times(2.0));
    let sum = fresh.plus(fresh, Relation::Independent);
    assert!((sum.random.coefficient - 3.0 * 2f64.sqrt()).abs() < 1e-12);
    assert!((sum.message.coefficient - 2.0).abs() < 1e-12);
}

/// The second product with a plaintext finds noise of dependent coefficients.
#[test]
fn a_second_product_with_a_structured_plaintext_counts_its_largest_root() {
    let norms = Norms { absolute: 64.0, euclidean: 8.0, root: 60.0 };
    let fresh = noise_of(Bounds::default(), 1.0);
    let once = fresh.times_polynomial(norms);
    let twice = once.times_polynomial(norms);
    assert!((once.random.coefficient - 8.0).abs() < 1e-12);
    assert!((twice.random.coefficient - 8.0 * 60.0).abs() < 1e-12);
    assert!((twice.random.direction - 3600.0).abs() < 1e-9);
}

/// A result rests on every bound that its operands rest on, and on the norms of random parts that
/// are multiplied by each other.
#[test]
fn bounds_that_a_result_rests_on_are_counted() {
    let counts = |noise: Noise| [noise.tails, noise.tails_with_norms()].map(|count| count as u64);
    let random = Noise::of_random(Random::white(3.0));
    let known = Noise::of_message(Bounds::of_root_values(5.0));
    assert_eq!([random, known].map(counts), [[0, 3], [0, 0]]);
    assert_eq!(counts(random.plus(random, Relation::Any)), [0, 3]);
    // A product of random parts that may depend on each other is no random part.
    for (relation, norms) in [(Relation::Any, 0), (Relation::Independent, 3)] {
        let square = product(random, random, relation);
        assert_eq!(counts(square), [6, 6 + norms]);
        assert_eq!(counts(product(square, known, relation))[0], 6 + norms);
        assert_eq!(counts(square.plus(square, relation).times(0.5))[0], 12);
    }
}
