//! Tables of the coefficients of exact schemes.
//!
//! With `f` for the factor of the message `m` of a ciphertext with the phase `v = f m + t e` modulo
//! `q`, and `k = -1/q` modulo `t`, the ciphertext times `s/t` modulo `q` has the phase
//!
//! ```text
//! s v / t + q s k f m / t,    because 1/t = (1 + q k) / t modulo q.
//! ```
//!
//! For `s = g / (k f)` modulo `t`, the message is `g m / t` turns, and the noise at most half of
//! what it was in units of the modulus. A sum of powers of the exponential that passes through the
//! values at these angles gives a ciphertext `w` of `(Q'/t) (F(m) + d)`, and `-t w` has the message
//! `F(m)` with the factor `Q'` and the noise `Q' d`.

use super::convert::{interleaved, separated};
use super::model::{Evaluated, RefreshError};
use super::refresher::{LEAST_BUDGET, Refresher, check_budget, lineage_of};
use super::set::RefreshSet;
use crate::program::{Signs, Sums};
use crate::series::Series;
use fathom_base::Error;
use fathom_base::error::BootstrapError;
use fathom_ring::{Eval, Poly, Scalar};
use fathom_rings::internals::{
    CiphertextInternals, Lineage, ModularParamsInternals, ParamsInternals,
};
use fathom_rings::rlwe::modular::Modular;
use fathom_rings::rlwe::{Ciphertext, Level, Params};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// A function of small integers, which [`Refresher::apply`] applies to every coefficient of a
/// message.
///
/// That the coefficients are among the arguments of the table is promised by whoever applies it:
/// at others, results are anything. Only where the arguments are all numbers modulo the plaintext
/// modulus ([`CoefficientTable::modulo`]) is there nothing to promise.
///
/// Interpolated by trigonometric polynomials: Bae, Kim, Stehle, Suvanto, eprint 2024/1637; Chung,
/// Kim, Kim, Lee, eprint 2024/274.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoefficientTable {
    first: i64,
    values: Vec<i64>,
}

impl CoefficientTable {
    /// Most bits of an argument.
    pub const MOST_BITS: u32 = 8;

    /// Makes the table of a function of the integers `0..2^bits`. Its values count modulo the
    /// plaintext modulus.
    ///
    /// # Errors
    /// [`Error::Spec`] for a number of bits that is not in 1 to 8.
    pub fn new(bits: u32, f: impl Fn(u32) -> i64) -> Result<CoefficientTable, Error> {
        check_bits(bits)?;
        Ok(CoefficientTable { first: 0, values: (0..1 << bits).map(f).collect() })
    }

    /// Makes the table of a function of the integers `-2^(bits - 1)..2^(bits - 1)`.
    ///
    /// # Errors
    /// As [`CoefficientTable::new`].
    pub fn signed(bits: u32, f: impl Fn(i32) -> i64) -> Result<CoefficientTable, Error> {
        check_bits(bits)?;
        let half = 1 << (bits - 1);
        Ok(CoefficientTable { first: -i64::from(half), values: (-half..half).map(f).collect() })
    }

    /// Makes the table of a function of the integers `0..count`, at most 256 of them: for this
    /// number as plaintext modulus, a function of every number.
    ///
    /// # Errors
    /// [`Error::Spec`] for a count that is not in 2 to 256.
    pub fn modulo(count: u32, f: impl Fn(u32) -> i64) -> Result<CoefficientTable, Error> {
        if !(2..=1 << CoefficientTable::MOST_BITS).contains(&count) {
            let reason = format!("{count} is not between 2 and 256");
            return Err(Error::Spec { field: "count", reason });
        }
        Ok(CoefficientTable { first: 0, values: (0..count).map(f).collect() })
    }

    /// Returns the arguments: the first one and how many there are.
    fn domain(&self) -> (i64, usize) {
        (self.first, self.values.len())
    }

    /// Returns the table as a sum of powers of the exponential for a plaintext modulus.
    fn series(&self, t: u64) -> Result<Series, Error> {
        let count = self.values.len() as u64;
        if count > t {
            let reason = format!("{count} arguments are more than the plaintext modulus {t} has");
            return Err(Error::Spec { field: "table", reason });
        }
        let centred = |&value: &i64| {
            let residue = value.rem_euclid(t as i64);
            let negative = residue > (t / 2) as i64;
            (if negative { residue - t as i64 } else { residue }) as f64
        };
        let values: Vec<f64> = self.values.iter().map(centred).collect();
        Series::through(&values, self.first, (t / count) as f64 / t as f64).ok_or_else(|| {
            let reason = format!(
                "{count} arguments do not divide the plaintext modulus {t} nearly enough; take a \
                 table of all numbers modulo {t}, or fewer bits"
            );
            Error::Spec { field: "table", reason }
        })
    }
}

fn check_bits(bits: u32) -> Result<(), Error> {
    if (1..=CoefficientTable::MOST_BITS).contains(&bits) {
        return Ok(());
    }
    let reason = format!("{bits} is not between 1 and {}", CoefficientTable::MOST_BITS);
    Err(Error::Spec { field: "bits", reason })
}

/// `N` tables of the same arguments, prepared to be applied together. Cheap to clone.
#[derive(Clone, Debug)]
pub struct PreparedTables<S: Modular, const N: usize> {
    params: Params<S>,
    /// The set whose levels and errors they were prepared for.
    set: RefreshSet,
    functions: Arc<[Function; N]>,
    /// The turns that a step of the argument is, times the plaintext modulus.
    step: u64,
    /// The level of results.
    level: Level,
    /// The least noise budget of an operand.
    needed_bits: f64,
}

/// A table divided by a power of two, so that its constants are at most 1.
#[derive(Debug)]
struct Function {
    series: Series,
    unit: u64,
    error: RefreshError,
}

impl<S: Modular, const N: usize> PreparedTables<S, N> {
    /// Returns the level of results: the one at which a product of two of them leaves the largest
    /// noise budget.
    pub fn level(&self) -> Level {
        self.level
    }

    /// Returns the least noise budget, in bits, that an operand must have at the level from which
    /// it is taken, of at most 125 bits.
    pub fn needed_budget_bits(&self) -> f64 {
        self.needed_bits
    }

    /// Returns the noise budget of results, in bits, of an operand with this one.
    pub fn noise_budget_bits(&self, operand_bits: f64) -> f64 {
        budget(&self.params, self.level, self.functions.as_slice(), operand_bits)
    }
}

impl<S: Modular> Refresher<S> {
    /// Prepares tables of the same arguments that are applied together, out of one evaluation.
    /// Takes seconds.
    ///
    /// # Errors
    /// [`Error::Spec`] for no table, for more arguments than the plaintext modulus has or a modulus
    /// that they do not nearly divide, and for values so large that results would have no noise
    /// budget; [`BootstrapError::Domains`] for tables of different arguments;
    /// [`BootstrapError::Levels`] for tables of more than 4 bits with keys of
    /// [`RefreshSet::Noise`](super::RefreshSet::Noise).
    pub fn prepare<const N: usize>(
        &self,
        tables: &[CoefficientTable; N],
    ) -> Result<PreparedTables<S, N>, Error> {
        let Some(first) = tables.first() else {
            let reason = "there are none".to_owned();
            return Err(Error::Spec { field: "functions", reason });
        };
        if tables.iter().any(|table| table.domain() != first.domain()) {
            return Err(BootstrapError::Domains { count: N }.into());
        }
        let (stages, params) = (self.stages(), self.params());
        let t = params.plain_modulus();
        let whole = tables.iter().map(|table| table.series(t)).collect::<Result<Vec<_>, _>>()?;
        let needed = whole.iter().map(Series::depth).max().unwrap_or_default();
        let available = stages.series_depth(&whole);
        if needed > available {
            return Err(BootstrapError::Levels { needed, available }.into());
        }
        // Constants are added at the square of a scale of up to 62 bits.
        let unit = |series: &Series| series.largest_anywhere().max(1.0).log2().ceil().exp2();
        let units: Vec<f64> = whole.iter().map(unit).collect();
        let divided = whole.iter().zip(&units).map(|(series, unit)| series.clone().divided(*unit));
        let divided: Vec<Series> = divided.collect();
        let evaluations = stages.evaluations(&divided, stages.result_scale());
        let largest: Vec<f64> = whole.iter().map(|series| series.largest).collect();
        let each = divided.into_iter().zip(units).zip(evaluations.into_iter().zip(largest));
        let functions = each.map(|((series, unit), (evaluation, largest))| {
            let evaluated = Evaluated { series: &series, evaluation, unit, largest };
            let error = RefreshError::new(stages, params, evaluated);
            Function { series, unit: unit as u64, error }
        });
        let functions: Vec<Function> = functions.collect();
        let levels = functions.iter().map(|f| f.error.best_level(params));
        let level = levels.min().unwrap_or(Level::ZERO);
        let best = budget(params, level, &functions, MOST_BUDGET);
        let fits = best >= LEAST_BUDGET;
        if !fits {
            let reason = format!(
                "the noise budget of results would be {best:.1} bits; take a smaller plaintext \
                 modulus, smaller values or fewer bits"
            );
            return Err(Error::Spec { field: "values", reason });
        }
        let needed_bits = least_operand(|bits| budget(params, level, &functions, bits));
        let functions = functions.try_into().expect("every table has a function");
        Ok(PreparedTables {
            params: params.clone(),
            set: self.keys.set(),
            functions: Arc::new(functions),
            step: t / first.values.len() as u64,
            level,
            needed_bits,
        })
    }

    /// Applies tables to every coefficient of ciphertexts at any levels:
    /// [`Refresher::capacity`] ciphertexts share an evaluation. The results have little noise, as
    /// after a refresh, at [`PreparedTables::level`].
    ///
    /// Source: docs/maths/bootstrap.md, "Tables of coefficients".
    ///
    /// # Errors
    /// [`BootstrapError::Budget`] for an operand with a noise budget below
    /// [`PreparedTables::needed_budget_bits`], before any work; [`Error::Spec`] for tables that
    /// were prepared for keys of another set; [`Error::ParamsMismatch`],
    /// [`Error::KeyMismatch`], [`Error::Components`], [`Error::Simulated`], [`Error::Cancelled`].
    pub fn apply<const N: usize>(
        &self,
        all: &[Ciphertext<S>],
        tables: &PreparedTables<S, N>,
    ) -> Result<Vec<[Ciphertext<S>; N]>, Error> {
        self.params().same(&tables.params)?;
        if self.keys.set() != tables.set {
            let (prepared, own) = (tables.set, self.keys.set());
            let reason = format!(
                "they were prepared for keys of the set {prepared}, and these are of {own}; \
                 prepare them with the refresher that applies them"
            );
            return Err(Error::Spec { field: "tables", reason });
        }
        for a in all {
            self.check("apply", a)?;
        }
        let (top, remedy) = (self.params().top_level(), "refresh them before");
        let operand = |a: &Ciphertext<S>| -> Result<_, Error> {
            let lowered = self.lowered(a, top);
            check_budget("the table", &lowered, tables.needed_bits, remedy)?;
            Ok(lowered)
        };
        let operands = all.iter().map(operand).collect::<Result<Vec<_>, _>>()?;
        let batches = operands.chunks(self.capacity()).map(|batch| self.applied(batch, tables));
        Ok(batches.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
    }

    fn applied<const N: usize>(
        &self,
        operands: &[Ciphertext<S>],
        tables: &PreparedTables<S, N>,
    ) -> Result<Vec<[Ciphertext<S>; N]>, Error> {
        let stages = self.stages();
        let turned: Vec<_> = operands.iter().map(|a| tables.turned(a)).collect();
        let parts: Vec<_> = turned.iter().map(|[c0, c1]| [c0, c1]).collect();
        let joined = interleaved(&parts, &stages.capsule);
        // Coefficients come to the slots as they are, so that no signs alternate.
        let series = || tables.functions.iter().map(|f| f.series.coefficients.as_slice());
        let sums = [(); 2].map(|()| Sums {
            series: series().collect(),
            depth: stages.series_depth(&[]),
            cleaning: None,
            scale: stages.result_scale(),
            signs: Signs::Equal,
        });
        let pairs = self.engine.evaluated(&joined, true, &sums)?;
        self.count.fetch_add(1, Ordering::Relaxed);
        let (users, limbs) = (self.params().context(), tables.level.limbs().chain());
        let lineage = lineage_of(operands);
        let mut results: Vec<Vec<_>> = operands.iter().map(|_| Vec::with_capacity(N)).collect();
        for (mut pair, function) in pairs.into_iter().zip(tables.functions.iter()) {
            let unit = Scalar::new(&stages.raised.ring, |m| m.reduce(function.unit));
            for part in &mut pair {
                part.mul_scalar_assign(&unit);
            }
            let [w0, w1] = self.in_coefficients(pair)?;
            let [w0, w1] = [w0, w1].map(|w| separated(&w, operands.len(), users, limbs));
            let each = operands.iter().zip(w0.into_iter().zip(w1)).zip(&mut results);
            for ((a, (w0, w1)), results) in each {
                results.push(tables.finished(a, function, [w0, w1], &lineage)?);
            }
        }
        let whole = |each: Vec<_>| each.try_into().expect("every table has a result");
        Ok(results.into_iter().map(whole).collect())
    }
}

impl<S: Modular, const N: usize> PreparedTables<S, N> {
    /// Returns `s/t` times the components of an operand.
    fn turned(&self, a: &Ciphertext<S>) -> [Poly<Eval>; 2] {
        let (params, t) = (&self.params, self.params.plain().modulus());
        let present = &params.chain()[..a.level().limbs().get()];
        let modulus = present.iter().fold(1, |q, &prime| t.mul(q, t.reduce(prime)));
        // s = g / (k f) = -g q / f.
        let inverse = t.inverse(a.meta()).expect("the factor of a message has an inverse");
        let s = t.neg(t.mul(t.mul(t.reduce(self.step), modulus), inverse));
        let negative = s > t.value() / 2;
        let size = if negative { t.value() - s } else { s };
        let factor = Scalar::new(&params.context().ring, |m| {
            let one =
                m.inverse(m.reduce(t.value())).expect("no prime divides the plaintext modulus");
            let product = m.mul(m.reduce(size), one);
            if negative { m.neg(product) } else { product }
        });
        [0, 1].map(|half| {
            let mut part = a.components()[half].clone();
            part.mul_scalar_assign(&factor);
            part
        })
    }

    /// Returns `-t w` as the result of a function.
    fn finished(
        &self,
        a: &Ciphertext<S>,
        function: &Function,
        w: [Poly<Eval>; 2],
        lineage: &Lineage,
    ) -> Result<Ciphertext<S>, Error> {
        let (params, t) = (&self.params, self.params.plain().modulus());
        let minus_t = Scalar::new(&params.context().ring, |m| m.neg(m.reduce(t.value())));
        let parts = w.map(|mut w| {
            w.mul_scalar_assign(&minus_t);
            w
        });
        let all = &params.chain()[..self.level.limbs().get()];
        let meta = all.iter().fold(1, |factor, &prime| t.mul(factor, t.reduce(prime)));
        let noise = function.error.noise_with(params, self.level, argument(a.noise_budget_bits()));
        let noise = noise.resting_on(a.noise());
        let out = a.computed(parts.into(), noise).with_meta(meta).with_lineage(lineage.clone());
        out.checked("apply", &[a])
    }
}

/// The largest budget for which results are asked.
const MOST_BUDGET: f64 = 128.0;

/// Returns the largest error of an argument, in turns, of an operand with this noise budget: the
/// noise is at most `2^(-b-1)` of the modulus, and `s` at most half of `t`.
fn argument(budget_bits: f64) -> f64 {
    (-budget_bits - 2.0).exp2()
}

/// Returns the noise budget of the noisiest result, of an operand with this one.
fn budget<S: Modular>(
    params: &Params<S>,
    level: Level,
    functions: &[Function],
    operand_bits: f64,
) -> f64 {
    let of = |function: &Function| {
        let noise = function.error.noise_with(params, level, argument(operand_bits));
        params.budget_bits(noise, level)
    };
    functions.iter().map(of).fold(f64::INFINITY, f64::min)
}

/// Returns the least budget of an operand whose results have [`LEAST_BUDGET`].
fn least_operand(budget: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (0.0, MOST_BUDGET);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if budget(middle) >= LEAST_BUDGET { high = middle } else { low = middle }
    }
    high
}
