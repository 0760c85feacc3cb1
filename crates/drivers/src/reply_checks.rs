//! Checks of the limits of each reply, before any of its fields is used.

use std::collections::HashSet;

use super::limits::{self, Limit, Violation, violation};
use super::protocol::{
    Character, Decrypted, Encoded, Encrypted, Hello, KeyBytes, Keys, LibraryInfo, NoiseStep,
    ParamsInfo, Prepared, PublishedKeys, SchemeInfo, Timed, TorusInfo, TorusKey,
};

/// A reply whose fields have ranges.
pub(super) trait Limited {
    /// Checks every field on its own.
    ///
    /// # Errors
    /// The first field outside its range.
    fn check(&self) -> Result<(), Violation>;
}

impl Limited for Hello {
    fn check(&self) -> Result<(), Violation> {
        self.library.check()?;
        limits::SCHEMES.entries(self.schemes.len())?;
        distinct(limits::SCHEMES.field, self.schemes.iter().map(|found| &found.scheme))?;
        self.schemes.iter().try_for_each(Limited::check)
    }
}

impl Limited for LibraryInfo {
    fn check(&self) -> Result<(), Violation> {
        limits::LIBRARY_NAME.text(&self.name)?;
        if self.name.chars().any(|c| c.is_ascii_uppercase() || c == ':') {
            let field = limits::LIBRARY_NAME.field;
            return Err(violation(field, &self.name, "lower case, without `:`"));
        }
        limits::LIBRARY_VERSION.text(&self.version)?;
        limits::LIBRARY_BUILD.text(&self.build)?;
        limits::LIBRARY_ISA.text(&self.isa_used)
    }
}

impl Limited for SchemeInfo {
    fn check(&self) -> Result<(), Violation> {
        limits::SCHEME.text(&self.scheme)?;
        names(limits::PRESETS, limits::PRESET, &self.params)?;
        names(limits::OPERATIONS, limits::OPERATION, &self.ops)
    }
}

impl Limited for Prepared {
    fn check(&self) -> Result<(), Violation> {
        self.params.check()
    }
}

impl Limited for ParamsInfo {
    fn check(&self) -> Result<(), Violation> {
        limits::PARAMS_NAME.text(&self.name)?;
        limits::DEGREE.whole(self.n as u64)?;
        limits::SLOTS.whole(self.slots as u64)?;
        limits::LOG_Q.real(self.log_q)?;
        limits::LOG_QP.real(self.log_qp)?;
        limits::LEVELS.whole(self.levels.into())?;
        limits::DEPTH.whole(self.depth.into())?;
        limits::SECRET.text(&self.secret)?;
        limits::SIGMA.real(self.sigma)?;
        self.p_fail_log2.map_or(Ok(()), |log2| limits::FAILURE.real(log2))?;
        self.explanation.as_ref().map_or(Ok(()), |text| limits::EXPLANATION.text(text))?;
        self.check_values()?;
        self.check_relations()?;
        self.character.as_ref().map_or(Ok(()), Limited::check)?;
        self.torus.as_ref().map_or(Ok(()), Limited::check)
    }
}

impl ParamsInfo {
    /// Checks that exact schemes have `plain_modulus`, CKKS `scale_bits`, and schemes of wide
    /// integers `word_bits`.
    fn check_values(&self) -> Result<(), Violation> {
        match (self.scale_bits, self.word_bits) {
            (None, None) => limits::PLAIN_MODULUS.whole(self.plain_modulus),
            (Some(bits), None) if self.plain_modulus == 0 => limits::SCALE_BITS.real(bits),
            (None, Some(bits)) if self.plain_modulus == 0 => limits::WORD_BITS.whole(bits.into()),
            (Some(_), _) | (_, Some(_)) => {
                let found = format!("{} beside `scale_bits` or `word_bits`", self.plain_modulus);
                let allowed = "one of the three: `scale_bits` in CKKS, `word_bits` with wide \
                               integers, `plain_modulus` elsewhere";
                Err(violation(limits::PLAIN_MODULUS.field, found, allowed))
            }
        }
    }

    /// Checks relations between fields: `log_qp` is at least `log_q`, a ciphertext holds at most
    /// `n` values, the error leaves room in the modulus, and the weight of a sparse secret is at
    /// most `n`.
    fn check_relations(&self) -> Result<(), Violation> {
        if self.log_qp < self.log_q {
            let allowed = format!("at least log_q, which is {}", self.log_q);
            return Err(violation(limits::LOG_QP.field, self.log_qp, allowed));
        }
        if self.slots > self.n {
            let allowed = format!("at most n, which is {}", self.n);
            return Err(violation(limits::SLOTS.field, self.slots, allowed));
        }
        if self.sigma.log2() > self.log_q - 2.0 {
            let allowed = format!("at most a quarter of the modulus, 2^{}", self.log_q - 2.0);
            return Err(violation(limits::SIGMA.field, self.sigma, allowed));
        }
        check_weight(limits::SECRET, "sparse_ternary:", &self.secret, 1, self.n)
    }
}

impl Limited for Character {
    fn check(&self) -> Result<(), Violation> {
        let texts = [&self.semantics, &self.assumption, &self.badge, &self.keys];
        texts.into_iter().try_for_each(|text| limits::CHARACTER.text(text))
    }
}

impl Limited for TorusInfo {
    fn check(&self) -> Result<(), Violation> {
        limits::FAMILY.text(&self.family)?;
        limits::MESSAGE_BITS.whole(self.message_bits.into())?;
        limits::CARRY_BITS.whole(self.carry_bits.into())?;
        self.lwe.check()?;
        self.glwe.check()
    }
}

impl Limited for TorusKey {
    fn check(&self) -> Result<(), Violation> {
        limits::DIMENSION.whole(self.dimension as u64)?;
        limits::TORUS_LOG_Q.real(self.log_q)?;
        limits::DEVIATION.real(self.deviation_log2)?;
        limits::TORUS_SECRET.text(&self.secret)?;
        check_weight(limits::TORUS_SECRET, "block_binary:", &self.secret, 2, self.dimension)
    }
}

impl Limited for Keys {
    fn check(&self) -> Result<(), Violation> {
        limits::SAMPLES.entries(self.samples_ns.len())?;
        limits::ROTATE_SAMPLES.entries(self.rotate_samples_ns.len())?;
        let KeyBytes { sk, pk, relin, galois, bootstrapping, bootstrapping_memory } = self.bytes;
        let sizes = [sk, pk, relin, galois, bootstrapping, bootstrapping_memory];
        sizes.into_iter().try_for_each(|bytes| limits::BYTES.whole(bytes))?;
        limits::PUBLISHED.entries(self.published.len())?;
        self.published.iter().try_for_each(Limited::check)
    }
}

impl Limited for PublishedKeys {
    fn check(&self) -> Result<(), Violation> {
        limits::PUBLISHED_PURPOSE.text(&self.purpose)?;
        limits::PUBLISHED_SECRET.text(&self.secret)?;
        limits::PUBLISHED_LOG_Q.real(self.log_q)?;
        let most = limits::MOST_VALUES;
        check_weight(limits::PUBLISHED_SECRET, "sparse_ternary:", &self.secret, 1, most)
    }
}

impl Limited for Encrypted {
    fn check(&self) -> Result<(), Violation> {
        let sizes = [self.bytes.packed, self.bytes.theory, self.bytes.seeded.unwrap_or(0)];
        sizes.into_iter().try_for_each(|bytes| limits::BYTES.whole(bytes))?;
        self.noise_budget_bits.map_or(Ok(()), |bits| limits::BUDGET.real(bits))
    }
}

impl Limited for Encoded {
    fn check(&self) -> Result<(), Violation> {
        Ok(())
    }
}

impl Limited for Decrypted {
    fn check(&self) -> Result<(), Violation> {
        limits::VALUES.entries(self.values.len())
    }
}

impl Limited for Timed {
    fn check(&self) -> Result<(), Violation> {
        limits::SAMPLES.entries(self.samples_ns.len())?;
        self.samples_ns.iter().try_for_each(|&ns| limits::SAMPLE.whole(ns))?;
        limits::OUTPUTS.entries(self.outputs.len())?;
        limits::BYTES.whole(self.bytes_out)?;
        limits::BYTES.whole(self.theory_out.unwrap_or(0))?;
        limits::SWITCHES.whole(self.involuntary_switches.unwrap_or(0))?;
        limits::LEVEL.whole(self.level.unwrap_or(0).into())?;
        self.noise_budget_bits.check()?;
        if let Some(found) = self.bootstraps {
            limits::BOOTSTRAPS.real(found.count)?;
            limits::LAYERS.real(found.layers)?;
        }
        if let Some(found) = self.variance {
            limits::VARIANCE_COUNT.whole(found.n)?;
            limits::VARIANCE.real(found.measured)?;
            limits::VARIANCE.real(found.model)?;
        }
        Ok(())
    }
}

impl Limited for NoiseStep {
    fn check(&self) -> Result<(), Violation> {
        let budgets = [self.before, self.after, self.predicted_after];
        budgets.into_iter().flatten().try_for_each(|bits| limits::BUDGET.real(bits))
    }
}

/// Checks the names of one list, which must all be different.
fn names(list: Limit, each: Limit, names: &[String]) -> Result<(), Violation> {
    list.entries(names.len())?;
    names.iter().try_for_each(|name| each.text(name))?;
    distinct(list.field, names)
}

fn distinct<'a>(field: &str, names: impl IntoIterator<Item = &'a String>) -> Result<(), Violation> {
    let mut seen = HashSet::new();
    match names.into_iter().find(|name| !seen.insert(*name)) {
        Some(twice) => {
            let found = format!("`{}` twice", limits::printable(twice, 80));
            Err(violation(field, found, "each name once"))
        }
        None => Ok(()),
    }
}

/// Checks the number after the colon of a secret such as `sparse_ternary:64`.
fn check_weight(
    limit: Limit,
    prefix: &str,
    secret: &str,
    least: usize,
    most: usize,
) -> Result<(), Violation> {
    let Some(number) = secret.strip_prefix(prefix) else { return Ok(()) };
    match number.parse::<usize>() {
        Ok(weight) if (least..=most).contains(&weight) => Ok(()),
        Ok(_) | Err(_) => {
            let allowed = format!("{prefix} and a number from {least} to {most}");
            Err(violation(limit.field, format!("`{secret}`"), allowed))
        }
    }
}
