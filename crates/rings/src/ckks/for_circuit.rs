//! The planner for circuits: the smallest parameters under which a simulated computation keeps its
//! precision.

use super::encoding::LARGEST_DEGREE;
use super::plan::{DEGREES, LARGEST_SCALE, LEAST_MARGIN_BITS, Sizes, WIDEST, limit_bits, scale_of};
use super::{Ckks, Mode, Spec};
use crate::Error;
use crate::rlwe::{Ciphertext, Evaluator, Params, Rotations, product_transforms};
use fathom_security::Level;
use std::cmp::Ordering;

/// Parameters planned for a circuit, with what it needs and gives under them.
#[derive(Clone, Debug)]
pub struct CircuitPlan<M: Mode> {
    params: Params<Ckks<M>>,
    rotations: Rotations,
    precision_bits: Vec<f64>,
    magnitudes: Vec<f64>,
}

/// Bits of the base prime above the results, for their errors and the sign.
const SPARE_BITS: f64 = 3.0;
/// The least number of bits of the base prime above the scale.
const LEAST_RANGE_BITS: f64 = 4.0;
/// Bits by which the base prime grows until the circuit has room.
const RANGE_STEP: f64 = 3.0;
/// Number of ranges that are tried.
const MOST_RANGES: u32 = 6;
/// The least scale that is tried, in bits.
const LEAST_SCALE: u32 = 22;
/// Bits of the special primes above a digit that are tried. The errors of key switches before a
/// product vanish in the division that follows it; those of sums of rotations stay, and with the
/// least margin they exceed all other errors by five bits, which a larger scale would have to hide.
const MARGINS: [f64; 2] = [LEAST_MARGIN_BITS, 7.0];
/// The scale at which they are found, in bits, unless the circuit needs a larger one.
const ORDINARY_SCALE: u32 = WIDEST as u32;

impl<M: Mode> CircuitPlan<M> {
    /// Returns the parameters.
    pub fn params(&self) -> &Params<Ckks<M>> {
        &self.params
    }

    /// Returns the rotations that the circuit needs keys for.
    pub fn rotations(&self) -> &Rotations {
        &self.rotations
    }

    /// Returns the number of bits behind the point that are correct in every slot of each result.
    pub fn precision_bits(&self) -> &[f64] {
        &self.precision_bits
    }

    /// Returns the bound on the absolute values of the slots of each result.
    pub fn magnitudes(&self) -> &[f64] {
        &self.magnitudes
    }
}

/// The outcome of a circuit under one set of parameters.
enum Trial<M: Mode> {
    Ran {
        results: Vec<Ciphertext<Ckks<M>>>,
        rotations: Rotations,
    },
    /// The set has too few levels, or too small a scale.
    TooSmall(Error),
}

impl<M: Mode> Params<Ckks<M>> {
    /// Returns the parameters of the smallest degree, and of the smallest scale at that degree,
    /// under which every result of the circuit has an error below `2^-precision_bits` in every
    /// slot. The depth is what the circuit takes, the base prime as large as its results need.
    /// Special primes are larger than products need if sums of rotations then take a smaller
    /// scale, and a product as little work.
    ///
    /// The circuit is a function of an evaluator, which computes without data
    /// ([`Evaluator::simulated`]): it makes its operands by
    /// [`Evaluator::simulated_encryption_within`], encodes plaintexts and matrices under
    /// [`Evaluator::params`], and returns its results. It is called some forty times.
    ///
    /// # Errors
    /// [`Error::Spec`] for a precision that is not from 1/8 to 40 bits, if no set has enough levels
    /// (with the refusal of the largest one) or none is precise enough (with the best precision);
    /// the circuit's own error, if it does not depend on the size of the parameters.
    pub fn for_circuit(
        circuit: impl Fn(&Evaluator<Ckks<M>>) -> Result<Vec<Ciphertext<Ckks<M>>>, Error>,
        precision_bits: f64,
        security: Level,
    ) -> Result<CircuitPlan<M>, Error> {
        if !(0.125..=40.0).contains(&precision_bits) {
            let reason = format!("{precision_bits} bits: the precision is 1/8 to 40 bits");
            return Err(Error::Spec { field: "precision_bits", reason });
        }
        let needs = Needs::of(security, &circuit)?;
        let mut best = f64::NEG_INFINITY;
        for degree in DEGREES {
            let mut plans = Vec::new();
            for margin_bits in MARGINS {
                let needs = Needs { margin_bits, ..needs };
                let mut tried = |bits: u32| -> Result<Option<CircuitPlan<M>>, Error> {
                    let Some(params) = needs.params(degree, bits, security) else {
                        return Ok(None);
                    };
                    let plan = CircuitPlan::of(params, &circuit)?;
                    let found =
                        plan.as_ref().map_or(f64::NEG_INFINITY, CircuitPlan::least_precision);
                    best = best.max(found);
                    Ok(plan.filter(|_| found >= precision_bits))
                };
                if let Some(most) = needs.largest_scale(degree, security) {
                    plans.extend(least_scale(most, &mut tried)?);
                }
            }
            if let Some(plan) = plans.into_iter().min_by(CircuitPlan::compare_work) {
                return Ok(plan);
            }
        }
        let reason = format!(
            "the circuit has {best:.1} of {precision_bits} bits at best, of depth {} at \
             {security}; promise tighter bounds with assume_magnitude, or lower the depth or the \
             precision",
            needs.depth
        );
        Err(Error::Spec { field: "precision_bits", reason })
    }
}

impl<M: Mode> CircuitPlan<M> {
    /// Runs the circuit, which the largest set carries, and returns none if the parameters are too
    /// small for it: with rougher constants, values can leave the interval of a function too.
    fn of(
        params: Params<Ckks<M>>,
        circuit: impl Fn(&Evaluator<Ckks<M>>) -> Result<Vec<Ciphertext<Ckks<M>>>, Error>,
    ) -> Result<Option<CircuitPlan<M>>, Error> {
        let (results, rotations) = match trial(&params, circuit) {
            Ok(Trial::Ran { results, rotations }) => (results, rotations),
            Ok(Trial::TooSmall(_)) | Err(Error::CkksDomain(_)) => return Ok(None),
            Err(error) => return Err(error),
        };
        let precision_bits = results.iter().map(Ciphertext::precision_bits).collect();
        let magnitudes = results.iter().map(Ciphertext::magnitude_bound).collect();
        Ok(Some(CircuitPlan { params, rotations, precision_bits, magnitudes }))
    }

    fn least_precision(&self) -> f64 {
        self.precision_bits.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// Compares the work of a product: primes for vector kernels come before wider ones, then fewer
    /// transforms, then a smaller modulus.
    fn compare_work(&self, other: &CircuitPlan<M>) -> Ordering {
        let wide = |plan: &CircuitPlan<M>| plan.params.spec().scale_bits > WIDEST;
        let transforms = |plan: &CircuitPlan<M>| product_transforms(&plan.params.context().model);
        let modulus = |plan: &CircuitPlan<M>| plan.params.log2_largest_modulus();
        let narrow_first = wide(self).cmp(&wide(other));
        narrow_first
            .then_with(|| transforms(self).total_cmp(&transforms(other)))
            .then_with(|| modulus(self).total_cmp(&modulus(other)))
    }
}

/// Returns what `tried` finds at the least scale up to `most` at which it finds something.
fn least_scale<T>(
    most: u32,
    tried: &mut impl FnMut(u32) -> Result<Option<T>, Error>,
) -> Result<Option<T>, Error> {
    let Some(mut found) = tried(most)? else { return Ok(None) };
    // The precision grows with the scale.
    let (mut low, mut high) = (LEAST_SCALE, most);
    while low < high {
        let middle = u32::midpoint(low, high);
        match tried(middle)? {
            Some(smaller) => (found, high) = (smaller, middle),
            None => low = middle + 1,
        }
    }
    Ok(Some(found))
}

/// Runs a circuit without data.
fn trial<M: Mode>(
    params: &Params<Ckks<M>>,
    circuit: impl Fn(&Evaluator<Ckks<M>>) -> Result<Vec<Ciphertext<Ckks<M>>>, Error>,
) -> Result<Trial<M>, Error> {
    let evaluator = Evaluator::simulated(params)?;
    match circuit(&evaluator) {
        Ok(results) => Ok(Trial::Ran { results, rotations: evaluator.used_rotations() }),
        Err(error) if is_of_size(&error) => Ok(Trial::TooSmall(error)),
        Err(error) => Err(error),
    }
}

/// Tells whether larger parameters could avoid an error.
fn is_of_size(error: &Error) -> bool {
    matches!(
        error,
        Error::NoiseExhausted { .. }
            | Error::NoSuchLevel { .. }
            | Error::PrecisionExhausted { .. }
            | Error::Scale(_)
            | Error::TooManyValues { .. }
            | Error::Shape { .. }
            | Error::Count { .. }
    )
}

/// The levels and the range that any parameters must have for a circuit.
#[derive(Clone, Copy)]
struct Needs {
    depth: usize,
    /// Bits of the base prime above the scale.
    range_bits: f64,
    /// Bits of the special primes above a digit.
    margin_bits: f64,
}

impl Needs {
    /// Runs the circuit under the deepest parameters, and measures the levels that it takes.
    ///
    /// A circuit that an ordinary scale is too coarse for is tried with the largest one, which
    /// leaves fewer levels.
    fn of<M: Mode>(
        security: Level,
        circuit: impl Fn(&Evaluator<Ckks<M>>) -> Result<Vec<Ciphertext<Ckks<M>>>, Error>,
    ) -> Result<Needs, Error> {
        let mut refused = None;
        for scale_bits in [ORDINARY_SCALE, LARGEST_SCALE] {
            let deepest = Needs::deepest::<M>(scale_bits, security)?;
            match trial(&deepest, &circuit)? {
                Trial::Ran { results, .. } => {
                    return Needs::of_results(scale_bits, security, &deepest, &results, &circuit);
                }
                Trial::TooSmall(error) => _ = refused.get_or_insert((deepest.depth(), error)),
            }
        }
        let (depth, error) = refused.expect("the circuit was tried");
        let reason = format!(
            "the largest set, of degree {LARGEST_DEGREE} and depth {depth}, refuses the circuit: \
             {error}"
        );
        Err(Error::Spec { field: "circuit", reason })
    }

    /// Returns the needs of a circuit of this depth whose values may be large.
    fn roomy(depth: usize) -> Needs {
        let range_bits = 2.0 * WIDEST - f64::from(ORDINARY_SCALE);
        Needs { depth, range_bits, margin_bits: MARGINS[0] }
    }

    /// Returns the largest set with primes of this scale.
    fn deepest<M: Mode>(scale_bits: u32, security: Level) -> Result<Params<Ckks<M>>, Error> {
        let made = |depth| Needs::roomy(depth).params::<M>(LARGEST_DEGREE, scale_bits, security);
        let limit = limit_bits(LARGEST_DEGREE, security).unwrap_or(0.0);
        let mut depths = (1..=(limit / f64::from(scale_bits)) as usize).rev();
        depths.find_map(made).ok_or_else(|| {
            let reason = format!("no set of degree {LARGEST_DEGREE} has a level at {security}");
            Error::Spec { field: "security", reason }
        })
    }

    /// Returns the depth and the range that a circuit took under the deepest set.
    fn of_results<M: Mode>(
        scale_bits: u32,
        security: Level,
        deepest: &Params<Ckks<M>>,
        results: &[Ciphertext<Ckks<M>>],
        circuit: impl Fn(&Evaluator<Ckks<M>>) -> Result<Vec<Ciphertext<Ckks<M>>>, Error>,
    ) -> Result<Needs, Error> {
        let largest = results.iter().map(Ciphertext::magnitude_bound).fold(1.0, f64::max);
        let least = (largest.log2().ceil() + SPARE_BITS).max(LEAST_RANGE_BITS);
        // What is left of the levels is not needed.
        let lowest = results.iter().map(|c| c.level().get()).min().unwrap_or(0);
        let spare = lowest.saturating_sub(deepest.last_level().get());
        let depth = deepest.depth() - spare;
        // Values on the way may be larger than results.
        for range_bits in (0..MOST_RANGES).map(|step| least + RANGE_STEP * f64::from(step)) {
            let needs = Needs { depth, range_bits, margin_bits: MARGINS[0] };
            if let Some(params) = needs.params::<M>(LARGEST_DEGREE, scale_bits, security)
                && matches!(trial(&params, &circuit)?, Trial::Ran { .. })
            {
                return Ok(needs);
            }
        }
        Ok(Needs::roomy(depth))
    }

    /// Returns the largest scale, in bits, at which a set of this degree is secure.
    fn largest_scale(&self, degree: usize, security: Level) -> Option<u32> {
        let mut scales = (LEAST_SCALE..=LARGEST_SCALE).rev();
        scales.find(|&bits| self.spec(degree, bits, security).is_some())
    }

    /// Returns the description of a set, unless none of these sizes is secure.
    fn spec(&self, degree: usize, scale_bits: u32, security: Level) -> Option<Spec> {
        let Needs { depth, range_bits, margin_bits } = *self;
        let scale_bits = scale_of(scale_bits);
        Sizes { degree, depth, scale_bits, range_bits, margin_bits }.smallest(security)
    }

    /// Returns a set, unless none of these sizes is secure or there are too few primes.
    fn params<M: Mode>(
        &self,
        degree: usize,
        scale_bits: u32,
        security: Level,
    ) -> Option<Params<Ckks<M>>> {
        Params::new(self.spec(degree, scale_bits, security)?).ok()
    }
}
