//! Failure probabilities of gates in tfhe-rs, by the noise formulas behind its parameters.

use std::f64::consts::{LN_2, PI};
use tfhe::boolean::parameters::{BooleanParameters, EncryptionKeyChoice};
use tfhe::core_crypto::prelude::DynamicDistribution;

/// Distance of a message from the nearest wrong one, and sum of the squared weights of the inputs,
/// for which tfhe-rs states its probabilities ("2-norm = 2.83").
const STATED: (f64, f64) = (1.0 / 16.0, 8.0);

/// Returns log2 of the probability that the noise exceeds the distance for which tfhe-rs states its
/// probabilities.
///
/// Source of the formulas: Bergerat et al., "Parameter optimization and larger precision for
/// (T)FHE", Journal of Cryptology 36 (2023), with binary keys.
pub(crate) fn log2(set: &BooleanParameters) -> f64 {
    log2_at(set, STATED)
}

fn log2_at(set: &BooleanParameters, (distance, weights): (f64, f64)) -> f64 {
    let q = f64::from(u32::BITS).exp2();
    let (n, degree) = (set.lwe_dimension.0 as f64, set.polynomial_size.0 as f64);
    let big = (set.glwe_dimension.0 * set.polynomial_size.0) as f64;
    let digit = |base_log: usize| ((2 * base_log) as f64).exp2();
    let levels = set.pbs_level.0 as f64;
    let base = digit(set.pbs_base_log.0);
    let cut = (digit(set.pbs_base_log.0 * set.pbs_level.0), q * q);
    let step = levels * (big + degree) * (base + 2.0) / 12.0
        * variance(set.glwe_noise_distribution)
        + (cut.1 - cut.0) / (24.0 * cut.0) * (1.0 + big / 2.0) / cut.1;
    let rotation = n * step;
    let (levels, base) = (set.ks_level.0 as f64, digit(set.ks_base_log.0));
    let digits = big * levels * variance(set.lwe_noise_distribution) * (base + 2.0) / 12.0;
    let cut = digit(set.ks_base_log.0 * set.ks_level.0);
    let switch = digits + big * ((q * q / cut - 1.0) / 24.0 + 1.0 / 16.0) / (q * q);
    let rounding = (1.0 + n / 2.0) / (12.0 * (2.0 * degree).powi(2));
    // With encryption under the big key, the key switch follows the weighted sum of the inputs.
    let switched = match set.encryption_key_choice {
        EncryptionKeyChoice::Big => weights * rotation + switch,
        EncryptionKeyChoice::Small => weights * (rotation + switch),
    };
    log2_erfc(distance / (2.0 * (switched + rounding)).sqrt())
}

fn variance(noise: DynamicDistribution<u32>) -> f64 {
    match noise {
        DynamicDistribution::Gaussian(gaussian) => gaussian.std.powi(2),
        DynamicDistribution::TUniform(uniform) => {
            let bound = f64::from(uniform.bound_log2()) - f64::from(u32::BITS);
            (2.0 * bound + 1.0).exp2() / 6.0
        }
    }
}

/// Returns log2 of the complementary error function for arguments above 3, by its asymptotic
/// series.
fn log2_erfc(x: f64) -> f64 {
    let square = x * x;
    let series = 1.0 - 0.5 / square + 0.75 / square.powi(2);
    (series / (x * PI.sqrt())).log2() - square / LN_2
}

#[cfg(test)]
mod tests {
    use super::*;
    use tfhe::boolean::parameters;

    #[test]
    fn the_formulas_give_what_the_source_of_tfhe_rs_states() {
        for (set, stated) in [
            (parameters::DEFAULT_PARAMETERS, -64.344),
            (parameters::DEFAULT_PARAMETERS_KS_PBS, -64.017),
            (parameters::PARAMETERS_ERROR_PROB_2_POW_MINUS_165, -165.434),
            (parameters::PARAMETERS_ERROR_PROB_2_POW_MINUS_165_KS_PBS, -166.826),
        ] {
            assert!((log2(&set) - stated).abs() < 0.1, "{} for {stated}", log2(&set));
        }
    }

    #[test]
    fn the_set_of_tfhe_lib_fails_most_often() {
        let own = log2(&parameters::TFHE_LIB_PARAMETERS);
        assert!((own + 23.6).abs() < 0.2, "{own}");
        // A gate of two inputs has twice the distance and a quarter of the squared weights.
        let gate = log2_at(&parameters::TFHE_LIB_PARAMETERS, (1.0 / 8.0, 2.0));
        assert!((gate + 296.8).abs() < 2.0, "{gate}");
    }
}
