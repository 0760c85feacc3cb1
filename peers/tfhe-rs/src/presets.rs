//! The parameter sets of tfhe-rs that the driver offers.

use crate::failure;
use fathom_drivers::protocol::{ParamsInfo, TorusInfo, TorusKey};
use tfhe::boolean::parameters as boolean;
use tfhe::boolean::parameters::BooleanParameters;
use tfhe::core_crypto::prelude::{CastInto, DynamicDistribution, UnsignedInteger};
use tfhe::shortint::parameters::ClassicPBSParameters;
use tfhe::shortint::parameters::v1_8 as shortint;

/// A named parameter set.
pub(crate) struct Preset {
    pub(crate) name: &'static str,
    pub(crate) set: Set,
    /// log2 of the probability that one bootstrap fails.
    p_fail_log2: f64,
}

/// Parameters of one of the two engines of tfhe-rs.
#[derive(Clone, Copy)]
pub(crate) enum Set {
    /// Gates on bits.
    Gates(BooleanParameters),
    /// Blocks and, with 2 bits of message, integers.
    Blocks(ClassicPBSParameters),
}

/// Returns all sets. The failure probabilities of the sets for gates are stated in the comments of
/// the source of tfhe-rs; that of the set of TFHE-lib is computed with the same formulas.
pub(crate) fn all() -> impl Iterator<Item = Preset> {
    let gates = [
        ("boolean_default", boolean::DEFAULT_PARAMETERS, -64.344),
        ("boolean_default_ks_pbs", boolean::DEFAULT_PARAMETERS_KS_PBS, -64.017),
        ("boolean_2m165", boolean::PARAMETERS_ERROR_PROB_2_POW_MINUS_165, -165.434),
        ("boolean_2m165_ks_pbs", boolean::PARAMETERS_ERROR_PROB_2_POW_MINUS_165_KS_PBS, -166.826),
        (
            "boolean_tfhe_lib",
            boolean::TFHE_LIB_PARAMETERS,
            failure::log2(&boolean::TFHE_LIB_PARAMETERS),
        ),
    ];
    let blocks = [
        ("message_1_carry_1", shortint::V1_8_PARAM_MESSAGE_1_CARRY_1_KS_PBS_TUNIFORM_2M128),
        ("message_2_carry_2", shortint::V1_8_PARAM_MESSAGE_2_CARRY_2_KS_PBS_TUNIFORM_2M128),
        ("message_3_carry_3", shortint::V1_8_PARAM_MESSAGE_3_CARRY_3_KS_PBS_TUNIFORM_2M128),
        ("message_4_carry_4", shortint::V1_8_PARAM_MESSAGE_4_CARRY_4_KS_PBS_TUNIFORM_2M128),
        (
            "message_1_carry_1_gaussian",
            shortint::V1_8_PARAM_MESSAGE_1_CARRY_1_KS_PBS_GAUSSIAN_2M128,
        ),
        (
            "message_2_carry_2_gaussian",
            shortint::V1_8_PARAM_MESSAGE_2_CARRY_2_KS_PBS_GAUSSIAN_2M128,
        ),
        (
            "message_3_carry_3_gaussian",
            shortint::V1_8_PARAM_MESSAGE_3_CARRY_3_KS_PBS_GAUSSIAN_2M128,
        ),
        (
            "message_4_carry_4_gaussian",
            shortint::V1_8_PARAM_MESSAGE_4_CARRY_4_KS_PBS_GAUSSIAN_2M128,
        ),
    ];
    let gates = gates.into_iter().map(|(name, set, p_fail_log2)| Preset {
        name,
        set: Set::Gates(set),
        p_fail_log2,
    });
    let blocks = blocks.into_iter().map(|(name, set)| Preset {
        name,
        set: Set::Blocks(set),
        p_fail_log2: set.log2_p_fail,
    });
    gates.chain(blocks)
}

impl Preset {
    /// Describes the parameters for the testbed's estimator.
    pub(crate) fn describe(&self) -> ParamsInfo {
        let torus = self.set.torus();
        let glwe = &torus.glwe;
        ParamsInfo {
            name: self.name.into(),
            n: self.set.degree(),
            log_q: glwe.log_q,
            log_qp: glwe.log_q,
            plain_modulus: 1 << torus.message_bits,
            scale_bits: None,
            word_bits: None,
            slots: 1,
            levels: 0,
            secret: "binary".into(),
            sigma: (glwe.log_q + glwe.deviation_log2).exp2(),
            depth: 0,
            p_fail_log2: Some(self.p_fail_log2),
            explanation: None,
            character: None,
            torus: Some(torus),
        }
    }
}

impl Set {
    /// Returns the number of values of a message, 2 for bits.
    pub(crate) fn message_modulus(&self) -> u64 {
        match self {
            Set::Gates(_) => 2,
            Set::Blocks(set) => set.message_modulus.0,
        }
    }

    /// Returns an upper bound of the memory for generating the keys, in bytes, for sets that need
    /// much: with 4 bits of message and of carry, more than 13 GB were observed.
    pub(crate) fn key_memory(&self) -> u64 {
        if self.degree() > 1 << 15 { 16 << 30 } else { 0 }
    }

    fn degree(&self) -> usize {
        match self {
            Set::Gates(set) => set.polynomial_size.0,
            Set::Blocks(set) => set.polynomial_size.0,
        }
    }

    fn torus(&self) -> TorusInfo {
        let (message_bits, carry_bits, lwe, glwe) = match self {
            Set::Gates(set) => {
                let big = set.glwe_dimension.0 * set.polynomial_size.0;
                let lwe = key(set.lwe_dimension.0, set.lwe_noise_distribution);
                (1, 0, lwe, key(big, set.glwe_noise_distribution))
            }
            Set::Blocks(set) => {
                let big = set.glwe_dimension.0 * set.polynomial_size.0;
                let lwe = key(set.lwe_dimension.0, set.lwe_noise_distribution);
                let (message, carry) = (set.message_modulus.0.ilog2(), set.carry_modulus.0.ilog2());
                (message, carry, lwe, key(big, set.glwe_noise_distribution))
            }
        };
        TorusInfo { family: "U".into(), message_bits, carry_bits, lwe, glwe }
    }
}

fn key<T: UnsignedInteger + CastInto<f64>>(
    dimension: usize,
    noise: DynamicDistribution<T>,
) -> TorusKey {
    let log_q = T::BITS as f64;
    let deviation_log2 = match noise {
        DynamicDistribution::Gaussian(gaussian) => gaussian.std.log2(),
        // Uniform on -2^b..=2^b, the two ends with half the weight: the variance is (2^(2b+1) + 1)
        // / 6.
        DynamicDistribution::TUniform(uniform) => {
            let variance = (f64::from(2 * uniform.bound_log2() + 1).exp2() + 1.0) / 6.0;
            variance.log2() / 2.0 - log_q
        }
    };
    TorusKey {
        dimension,
        log_q,
        secret: "binary".into(),
        deviation_log2,
        // The key switch of these sets uses plain LWE; the GLWE key has the ring degree of the set.
        ring_degree: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_distinct_and_noise_is_relative_to_the_modulus() {
        let names: std::collections::HashSet<_> = all().map(|preset| preset.name).collect();
        assert_eq!(names.len(), all().count());
        for preset in all() {
            let torus = preset.set.torus();
            assert!((-30.0..-10.0).contains(&torus.lwe.deviation_log2), "{}", preset.name);
            assert!(torus.glwe.deviation_log2 < torus.lwe.deviation_log2, "{}", preset.name);
        }
        let default = all().find(|preset| preset.name == "message_2_carry_2").map(|p| p.describe());
        let default = default.and_then(|info| info.torus);
        let small = default.as_ref().map(|torus| torus.lwe.clone());
        let expected = 45.0 - 64.0 - 3.0_f64.log2() / 2.0;
        assert!(small.is_some_and(|key| (key.deviation_log2 - expected).abs() < 1e-9));
    }
}
