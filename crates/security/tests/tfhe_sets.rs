//! Every parameter set of `docs/maths/tfhe-parameters.toml`: what the table claims holds.

use fathom_security::{
    Attack, AttackCost, BlindRotation, BootstrapNoise, Gadget, LweKey, LweSecret,
    STANDARD_ERROR_DEVIATION, estimate_lwe,
};
use std::collections::BTreeMap;
use toml::Value;

const SETS: &str = include_str!("../../../docs/maths/tfhe-parameters.toml");
const ESTIMATES: &str = include_str!("../../../docs/maths/tfhe-estimates.csv");
const NOISE: &str = include_str!("../../../docs/maths/tfhe-noise.csv");

/// Bits by which an attack may differ from the lattice estimator. It rounds sizes to whole numbers,
/// searches splits in steps of ten and guessed coordinates in steps of three or twelve.
const TOLERANCE: f64 = 1.0;

fn sets(kind: &str) -> Vec<Value> {
    let document: Value = toml::from_str(SETS).expect("valid TOML");
    document[kind].as_array().expect("an array").clone()
}

fn number(row: &Value, field: &str) -> f64 {
    let value = &row[field];
    value.as_float().or_else(|| value.as_integer().map(|v| v as f64)).expect("a number")
}

fn whole(row: &Value, field: &str) -> u32 {
    u32::try_from(row[field].as_integer().expect("a whole number")).expect("in range")
}

fn gadget(row: &Value, field: &str) -> Gadget {
    Gadget { log_base: whole(&row[field], "log_base"), levels: whole(&row[field], "levels") }
}

fn bootstrap(row: &Value) -> BootstrapNoise {
    let rotation = match row.get("block_length") {
        Some(_) => BlindRotation::Block { length: whole(row, "block_length") },
        None => BlindRotation::Grouped { group: whole(row, "group") },
    };
    BootstrapNoise {
        lwe_dimension: whole(row, "lwe_dimension"),
        glwe_dimension: whole(row, "glwe_dimension"),
        polynomial_degree: whole(row, "polynomial_degree"),
        extension: row.get("extension").map_or(1, |_| whole(row, "extension")),
        log_lwe_noise: number(row, "log_lwe_noise"),
        log_glwe_noise: number(row, "log_glwe_noise"),
        mask_gadget: gadget(row, "mask_gadget"),
        body_gadget: gadget(row, "body_gadget"),
        switch_gadget: gadget(row, "switch_gadget"),
        rotation,
    }
}

/// Every distinct key of the sets, with the name of one set that has it.
fn keys() -> Vec<(String, LweKey)> {
    let mut keys = BTreeMap::new();
    let mut add = |row: &Value, dimension: u32, log_modulus: u32, log_noise: f64, secret| {
        let name = row["name"].as_str().expect("a name").to_owned();
        let dimension = dimension as usize;
        let log_modulus = f64::from(log_modulus);
        let key = LweKey { dimension, log_modulus, log_noise, secret };
        keys.entry(format!("{key:?}")).or_insert((name, key));
    };
    for row in sets("set") {
        let secret = match row.get("block_length") {
            Some(_) => LweSecret::BlockBinary { length: whole(&row, "block_length") },
            None => LweSecret::Binary,
        };
        let noise = number(&row, "log_lwe_noise");
        add(&row, whole(&row, "lwe_dimension"), whole(&row, "log_lwe_modulus"), noise, secret);
        let dimension = whole(&row, "glwe_dimension") * whole(&row, "polynomial_degree");
        let noise = number(&row, "log_glwe_noise");
        add(&row, dimension, whole(&row, "log_glwe_modulus"), noise, LweSecret::Binary);
    }
    for row in sets("fhew") {
        for (dimension, modulus) in
            [("lwe_dimension", "log_lwe_modulus"), ("polynomial_degree", "log_ring_modulus")]
        {
            let log_modulus = whole(&row, modulus);
            let noise = STANDARD_ERROR_DEVIATION.log2() - f64::from(log_modulus);
            add(&row, whole(&row, dimension), log_modulus, noise, LweSecret::Ternary);
        }
    }
    keys.into_values().collect()
}

#[test]
fn every_set_fails_at_most_as_often_as_it_says() {
    for row in sets("set") {
        let norm = number(&row, "max_squared_norm");
        let failure = bootstrap(&row).log2_failure(whole(&row, "bits"), norm);
        let claim = number(&row, "log2_failure");
        assert!(failure <= claim, "{}: 2^{failure} instead of 2^{claim}", row["name"]);
        assert!(failure > 2.0 * claim, "{}: 2^{failure} is far below the claim", row["name"]);
    }
}

/// Most that the model of an output's variance may be above the interval of what was measured: its
/// terms for the transform are rounded up.
const ROUNDED_UP: f64 = 1.2;

/// The record of the measured noise: 99.9 % intervals, and how often inputs were past a bound.
#[test]
fn measured_noise_is_that_of_the_model() {
    let sets = sets("set");
    for line in NOISE.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let at = |column: usize| fields[column].parse::<f64>().expect("a number");
        let set = sets.iter().find(|row| row["name"].as_str() == Some(fields[0]));
        let set = set.expect("a measured set is in the table");
        let (variances, norm) = (bootstrap(set).variances(), number(set, "max_squared_norm"));
        let (output, input) = (variances.blind_rotation, variances.total(norm));
        // The record was made with the model and the norm of now.
        let recorded = [(at(6), output), (at(7), norm), (at(12), input)];
        assert!(recorded.iter().all(|(then, now)| (then / now - 1.0).abs() < 1e-3), "{line}");
        assert!(at(4) < output && output < ROUNDED_UP * at(5), "{line}: {output:e}");
        assert!(at(10) < input && input < at(11), "{line}: {input:e}");
        let [failures, expected] = [at(13), at(14)];
        assert!((failures - expected).abs() < 3.3 * expected.sqrt(), "{line}: {failures}");
    }
    assert!(NOISE.lines().count() > 1);
}

#[test]
fn the_dimensions_of_every_set_fit_together() {
    for row in sets("set") {
        let dimension = whole(&row, "lwe_dimension");
        assert_eq!(dimension % whole(&row, "switch_degree"), 0, "{}", row["name"]);
        assert!(whole(&row, "switch_degree").is_power_of_two());
        assert!(whole(&row, "polynomial_degree").is_power_of_two());
        let step = if row.get("group").is_some() { "group" } else { "block_length" };
        assert_eq!(whole(&row, "lwe_dimension") % whole(&row, step), 0, "{}", row["name"]);
    }
}

/// The attack that a row of the estimates names.
fn attack(name: &str) -> Option<Attack> {
    Some(match name {
        "usvp" => Attack::UniqueSvp,
        "bdd" => Attack::BoundedDistance,
        "dual_hybrid" => Attack::DualHybrid,
        "hybrid" => Attack::PrimalHybrid,
        "hybrid_babai" => Attack::PrimalHybridBabai,
        "hybrid_mitm" => Attack::PrimalHybridMeet,
        "optimistic" => Attack::PrimalHybridOptimistic,
        "block_optimistic" => Attack::BlockPrimalHybridOptimistic,
        _ => return None,
    })
}

/// The costs of every key of the sets, each computed once.
fn costs() -> BTreeMap<String, (String, Vec<AttackCost>)> {
    keys().into_iter().map(|(name, key)| (label(&key), (name, estimate_lwe(&key)))).collect()
}

/// A key as the file of estimates writes it.
fn label(key: &LweKey) -> String {
    let secret = match key.secret {
        LweSecret::Binary => "binary".into(),
        LweSecret::Ternary => "ternary".into(),
        LweSecret::Gaussian => "gaussian".into(),
        LweSecret::BlockBinary { length } => format!("block{length}"),
    };
    format!("{secret},{},{},{:.4}", key.dimension, key.log_modulus, key.log_noise)
}

#[test]
fn every_attack_costs_128_bits_and_agrees_with_the_lattice_estimator() {
    let costs = costs();
    assert!(costs.len() >= 25);
    for (label, (name, costs)) in &costs {
        for cost in costs {
            assert!(cost.bits >= 128.0, "{name}, {label}: {cost:?}");
        }
    }
    let mut compared = 0;
    for line in ESTIMATES.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let noise: f64 = fields[3].parse().expect("a noise");
        let label = format!("{},{noise:.4}", fields[..3].join(","));
        // The file may hold keys of sets that are no more.
        let Some((_, costs)) = costs.get(&label) else { continue };
        let attack = attack(fields[4]).expect("an attack's name");
        let ours = costs.iter().find(|cost| cost.attack == attack).expect("an attack").bits;
        let difference = ours - fields[5].parse::<f64>().expect("a number of bits");
        // A finer search may find a cheaper attack than the estimator's.
        let finer = matches!(fields[4], "optimistic" | "block_optimistic" | "hybrid_babai");
        let below = if finer { 2.0 * TOLERANCE } else { TOLERANCE };
        // Rounding in large dimensions: 156 bits of the estimator are 157.4 of ours.
        let above = if fields[4] == "hybrid_babai" { 1.5 * TOLERANCE } else { TOLERANCE };
        assert!((-below..=above).contains(&difference), "{line}: off by {difference} bits");
        compared += 1;
    }
    assert!(compared > 100, "{compared}");
}
