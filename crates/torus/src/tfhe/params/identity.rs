//! Every field of a description changes the identifier.

use super::set::{Spec, identify};
use super::{Decomposition, KeyFamily, Name, Params};

#[test]
fn every_field_changes_the_identifier() {
    let base = || *Params::presets()[0].spec();
    let digits = |d: Decomposition| Decomposition { levels: d.levels + 1, ..d };
    let bits = |d: Decomposition| Decomposition { base_log: d.base_log + 1, ..d };
    let other = Name::of("another");
    let specs = [
        base(),
        Spec { name: other, ..base() },
        Spec { message_bits: base().message_bits + 1, ..base() },
        Spec { carry_bits: base().carry_bits + 1, ..base() },
        Spec { small_dimension: base().small_dimension + 1, ..base() },
        Spec { small_deviation_log2: base().small_deviation_log2 + 0.1, ..base() },
        Spec { family: KeyFamily::Uniform { group: 7 }, ..base() },
        Spec { family: KeyFamily::BlockBinary { length: 7 }, ..base() },
        Spec { degree: 2 * base().degree, ..base() },
        Spec { extension: 2 * base().extension, ..base() },
        Spec { rank: base().rank + 1, ..base() },
        Spec { glwe_deviation_log2: base().glwe_deviation_log2 + 0.1, ..base() },
        Spec { mask: digits(base().mask), ..base() },
        Spec { mask: bits(base().mask), ..base() },
        Spec { body: digits(base().body), ..base() },
        Spec { body: bits(base().body), ..base() },
        Spec { key_switch: digits(base().key_switch), ..base() },
        Spec { key_switch: bits(base().key_switch), ..base() },
        Spec { key_switch_degree: base().key_switch_degree + 1, ..base() },
        Spec { max_noise_variance: base().max_noise_variance + 1, ..base() },
        Spec { failure_log2: base().failure_log2 - 1.0, ..base() },
    ];
    for (i, a) in specs.iter().enumerate() {
        assert!(specs[..i].iter().all(|b| identify(a) != identify(b)), "number {i}");
    }
}
