//! Lookup tables, the functions that a bootstrap applies.

use crate::tfhe::TableError;
use crate::tfhe::{Error, Space, Span};
use std::ops::RangeInclusive;

/// The method by which several functions share one blind rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sharing {
    /// Each function has a segment of the test polynomial of its own, and the outputs are read at
    /// different coefficients (`PBSmanyLUT`). A single function is the usual programmable
    /// bootstrapping.
    ManyLut,
    /// The blind rotation rotates a constant polynomial, and each output is its product with a
    /// sparse polynomial (multi-value bootstrapping).
    MultiValue,
}

/// One function of a lookup table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Output {
    /// Twice the value for each of the `half` messages, which is that of the coefficients of the
    /// test polynomial. With [`Sharing::ManyLut`], the first output holds the values of all
    /// outputs.
    pub(crate) entries: Vec<i32>,
    /// Twice the constant to be added after sample extraction.
    pub(crate) offset: i32,
    /// Least and greatest value over the domain.
    pub(crate) range: Span,
    /// Noise variance of the output, in units of the variance of a bootstrap with one function.
    pub(crate) noise_variance: u32,
}

/// One or more functions of one small integer, evaluated by one blind rotation.
///
/// Arguments count modulo `2^bits`; let `half = 2^(bits-1)`. A function `f` is allowed on a domain
/// within `-2^bits < x < 2^bits` if `f(x) + f(x + half)` has the same value for all `x` for which
/// both arguments are in the domain. The bootstrap then computes `f` less half of this constant,
/// which is negacyclic as the torus requires, and adds the constant afterwards. A domain of at most
/// `half` arguments allows every function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lut {
    space: Space,
    output_space: Space,
    domain: Span,
    sharing: Sharing,
    outputs: Vec<Output>,
}

/// A function of a lookup table.
pub type Function<'a> = &'a dyn Fn(i32) -> i32;

impl Lut {
    /// Returns the table of one function, whose output has the noise of a bootstrap.
    ///
    /// # Errors
    /// [`TableError::NotNegacyclic`] or [`TableError::Domain`]; [`TableError::ValueTooLarge`] for
    /// values beyond `2^24`.
    pub fn new(
        space: Space,
        domain: RangeInclusive<i32>,
        f: impl Fn(i32) -> i32,
    ) -> Result<Lut, Error> {
        Lut::many(space, domain, &[&f])
    }

    /// Returns the table of several functions on a domain of at most `half / functions.len()`
    /// arguments, without added noise. The number of functions is a power of two.
    ///
    /// Source: Chillotti, Ligier, Orfila, Tap, eprint 2021/729, section 4. Here the functions lie
    /// in consecutive segments, so that the modulus switch keeps its precision.
    ///
    /// # Errors
    /// [`TableError::NotNegacyclic`] or [`TableError::Domain`]; [`TableError::ValueTooLarge`] for
    /// values beyond `2^24`.
    pub fn many(
        space: Space,
        domain: RangeInclusive<i32>,
        functions: &[Function<'_>],
    ) -> Result<Lut, Error> {
        let domain = Span::new(*domain.start(), *domain.end());
        check(space, domain, functions)?;
        Lut::side_by_side(space, domain, functions)
    }

    fn side_by_side(space: Space, domain: Span, functions: &[Function<'_>]) -> Result<Lut, Error> {
        let segment = space.half() / functions.len().max(1) as i32;
        if !functions.len().is_power_of_two() {
            let (functions, most) = (functions.len(), space.half() as usize);
            return Err(TableError::FunctionCount { functions, most }.into());
        }
        if segment < 1 {
            return Err(out_of_domain(space, domain, functions.len()));
        }
        // If no pair of arguments determines the constant, it can be chosen freely. Segments of a
        // full table may overlap if a suitable constant makes them agree.
        let mut result = fill(space, domain, functions, 0);
        // Any constant may make overlapping segments agree. There are few to try, and a table is
        // made once.
        for free in 1..=FREE_CONSTANTS {
            if result.is_ok() || functions.len() == 1 {
                break;
            }
            result = fill(space, domain, functions, free);
        }
        let outputs = result?;
        Ok(Lut { space, output_space: space, domain, sharing: Sharing::ManyLut, outputs })
    }

    /// Returns the table of functions on all arguments, each given on `0..half` and continued by
    /// `f(x + half) = constant - f(x)`. Arguments count modulo `2^bits`, so each of them is in the
    /// domain.
    ///
    /// One function adds no noise; several share the blind rotation as in [`Lut::multi_value`].
    ///
    /// # Errors
    /// [`TableError::NoFunction`] if there is no function; [`TableError::ValueTooLarge`] or
    /// [`TableError::ConstantTooLarge`] beyond `2^24`.
    pub fn negacyclic(
        space: Space,
        constant: i32,
        functions: &[Function<'_>],
    ) -> Result<Lut, Error> {
        let domain = Span::new(-PERIODS * space.half(), PERIODS * space.half());
        let given = Span::new(0, space.half() - 1);
        check(space, given, functions)?;
        if constant.unsigned_abs() > MAX_VALUE.unsigned_abs() {
            return Err(TableError::ConstantTooLarge { limit: MAX_VALUE }.into());
        }
        let outputs = functions.iter().map(|f| {
            let entries: Vec<i32> = given.values().map(|x| 2 * f(x) - constant).collect();
            let values = image(given, f);
            let continued = Span::new(constant - values.high, constant - values.low);
            let range = values.hull(continued);
            let noise_variance =
                if functions.len() == 1 { 1 } else { greatest_noise_variance(&entries) };
            Output { entries, offset: constant, range, noise_variance }
        });
        let outputs = outputs.collect();
        let sharing = if functions.len() == 1 { Sharing::ManyLut } else { Sharing::MultiValue };
        Ok(Lut { space, output_space: space, domain, sharing, outputs })
    }

    /// Returns the table of several functions on any domain that allows each of them. The noise of
    /// an output grows with the values of its function and the differences between neighbours
    /// ([`Lut::noise_variance`]). Sums of outputs count with the noise that they have in common.
    ///
    /// Source: Carpov, Izabachène, Mollimard, "New techniques for multi-value input homomorphic
    /// evaluation and applications", CT-RSA 2019, section 3.
    ///
    /// # Errors
    /// [`TableError::NotNegacyclic`] or [`TableError::Domain`]; [`TableError::ValueTooLarge`] for
    /// values beyond `2^24`.
    pub fn multi_value(
        space: Space,
        domain: RangeInclusive<i32>,
        functions: &[Function<'_>],
    ) -> Result<Lut, Error> {
        let domain = Span::new(*domain.start(), *domain.end());
        check(space, domain, functions)?;
        let mut outputs = Vec::with_capacity(functions.len());
        for f in functions {
            // Without a pair of arguments at distance `half`, the constant is free. This choice
            // removes the jump from the last argument to the first.
            let free = domain.width() < space.half().into();
            let constant = if free { f(domain.low) + f(domain.high) } else { 0 };
            let mut single = Lut::side_by_side(space, domain, &[&|x| 2 * f(x) - constant])?;
            let mut output = single.outputs.swap_remove(0);
            for value in &mut output.entries {
                *value /= 2;
            }
            output.offset = output.offset / 2 + constant;
            output.range = image(domain, f);
            output.noise_variance = greatest_noise_variance(&output.entries);
            outputs.push(output);
        }
        Ok(Lut { space, output_space: space, domain, sharing: Sharing::MultiValue, outputs })
    }

    /// Returns the table of the same functions with values in another message space.
    #[must_use]
    pub(crate) fn with_output_space(self, output_space: Space) -> Lut {
        Lut { output_space, ..self }
    }

    /// Returns the message space of the argument.
    pub fn space(&self) -> Space {
        self.space
    }

    /// Returns the message space of the values.
    pub(crate) fn output_space(&self) -> Space {
        self.output_space
    }

    /// Returns the least and the greatest argument.
    pub fn domain(&self) -> (i32, i32) {
        self.domain.ends()
    }

    /// Returns the span of the arguments.
    pub(crate) fn domain_span(&self) -> Span {
        self.domain
    }

    /// Returns the number of functions.
    pub fn functions(&self) -> usize {
        self.outputs.len()
    }

    /// Returns the noise variance of output `index`, in units of the variance of a bootstrap with
    /// one function.
    ///
    /// For [`Lut::multi_value`] the variance depends on the parameters, and this is its maximum
    /// over all of them; [`Block::noise_variance`](crate::tfhe::Block::noise_variance) of an output
    /// is the actual value.
    ///
    /// # Errors
    /// [`TableError::NoSuchOutput`].
    pub fn noise_variance(&self, index: usize) -> Result<u32, Error> {
        let missing = TableError::NoSuchOutput { index, outputs: self.outputs.len() };
        Ok(self.outputs.get(index).ok_or(missing)?.noise_variance)
    }

    pub(crate) fn sharing(&self) -> Sharing {
        self.sharing
    }

    pub(crate) fn outputs(&self) -> &[Output] {
        &self.outputs
    }

    /// Returns whether output `index` has one value for all arguments, even outside the domain.
    pub(crate) fn is_constant(&self, index: usize) -> bool {
        let entries = match self.sharing() {
            Sharing::ManyLut => &self.outputs[0].entries,
            Sharing::MultiValue => &self.outputs[index].entries,
        };
        entries.iter().all(|&value| value == 0)
    }

    /// Returns the place of the coefficient at which output `index` of functions side by side is
    /// read.
    pub(crate) fn place(&self, index: usize) -> usize {
        index * (self.space.half() as usize / self.outputs.len())
    }

    /// Returns twice the value of output `index`, including the constant, for the argument
    /// `position`, which counts from 0 to `2^bits - 1`.
    pub(crate) fn lookup(&self, position: i32, index: usize) -> i64 {
        let half = self.space.half();
        let (entries, shift) = match self.sharing() {
            Sharing::ManyLut => (&self.outputs[0].entries, self.place(index) as i32),
            Sharing::MultiValue => (&self.outputs[index].entries, 0),
        };
        let position = (position + shift).rem_euclid(2 * half);
        let value = entries[(position % half) as usize];
        let value = if position < half { value } else { -value };
        i64::from(value + self.outputs[index].offset)
    }
}

/// Greatest value of a function, far beyond any message space.
const MAX_VALUE: i32 = 1 << 24;

/// The domain of a table on all arguments, in multiples of `half` in either direction.
const PERIODS: i32 = 64;

/// Number of free constants that are tried, in steps of one half.
const FREE_CONSTANTS: i32 = 4;

/// Returns the outputs of a table of several functions in consecutive segments. `free` is twice the
/// constant of a function whose constant is not determined by its domain.
fn fill(
    space: Space,
    domain: Span,
    functions: &[Function<'_>],
    free: i32,
) -> Result<Vec<Output>, Error> {
    let segment = space.half() / functions.len() as i32;
    let mut entries = Entries::new(space);
    let mut outputs = Vec::with_capacity(functions.len());
    for (index, f) in functions.iter().enumerate() {
        let shift = index as i32 * segment;
        let offset = turn_constant(space, domain, f)?.unwrap_or(free);
        for x in domain.values() {
            entries.set(x + shift, 2 * f(x) - offset).map_err(|()| {
                if functions.len() == 1 {
                    Error::Table(TableError::NotNegacyclic {
                        first: x,
                        second: x + space.half(),
                        bits: space.bits(),
                        half: space.half(),
                    })
                } else {
                    out_of_domain(space, domain, functions.len())
                }
            })?;
        }
        outputs.push(Output {
            entries: Vec::new(),
            offset,
            range: image(domain, f),
            noise_variance: 1,
        });
    }
    outputs[0].entries = entries.values();
    Ok(outputs)
}

/// Returns the maximum over all parameters of the variance of an output of a multi-value bootstrap.
///
/// If the coefficients of the accumulator are independent, it is the sum of the squared differences
/// of neighbouring values. If they have as much noise in common as possible, it is the mean of that
/// sum and of the mean squared value. See `noise::accumulator`.
fn greatest_noise_variance(entries: &[i32]) -> u32 {
    let square = |value: i32| u64::from(value.unsigned_abs()).pow(2);
    let jumps: u64 = jumps(entries).map(|(_, jump)| square(jump)).sum();
    let values: u64 = entries.iter().map(|&value| square(value)).sum();
    let shared = (jumps + values.div_ceil(entries.len() as u64)).div_ceil(2);
    u32::try_from(jumps.max(shared).max(1)).unwrap_or(u32::MAX)
}

/// Returns the positions at which a table of doubled values changes, with half the difference.
/// These are the coefficients of `(1 - X) f / 2` modulo `X^n + 1` for the `n` values.
pub(crate) fn jumps(entries: &[i32]) -> impl Iterator<Item = (usize, i32)> + '_ {
    let before = |i: usize| if i == 0 { -entries[entries.len() - 1] } else { entries[i - 1] };
    (0..entries.len())
        .map(move |i| (i, (entries[i] - before(i)) / 2))
        .filter(|&(_, jump)| jump != 0)
}

/// The values of a table while it is filled. A free position takes the value of its left neighbour
/// at the end.
struct Entries {
    half: i32,
    entries: Vec<Option<i32>>,
}

impl Entries {
    fn new(space: Space) -> Entries {
        Entries { half: space.half(), entries: vec![None; space.half() as usize] }
    }

    fn set(&mut self, position: i32, value: i32) -> Result<(), ()> {
        let position = position.rem_euclid(2 * self.half);
        let value = if position < self.half { value } else { -value };
        let slot = &mut self.entries[(position % self.half) as usize];
        match slot {
            Some(there) if *there != value => Err(()),
            _ => {
                *slot = Some(value);
                Ok(())
            }
        }
    }

    /// Returns the values; a free position repeats its neighbour, so that it adds no difference.
    fn values(self) -> Vec<i32> {
        let last = self.entries.iter().rev().flatten().next();
        let mut current = last.map_or(0, |value| -value);
        let fill = |value: Option<i32>| {
            current = value.unwrap_or(current);
            current
        };
        self.entries.into_iter().map(fill).collect()
    }
}

/// Returns `f(x) + f(x + half)`, which must be the same for all pairs in the domain; `None` without
/// pairs.
fn turn_constant(space: Space, domain: Span, f: Function<'_>) -> Result<Option<i32>, Error> {
    let half = space.half();
    let mut pairs = (domain.low..=domain.high - half).map(|x| (x, f(x) + f(x + half)));
    let Some((_, constant)) = pairs.next() else {
        return Ok(None);
    };
    match pairs.find(|&(_, sum)| sum != constant) {
        None => Ok(Some(constant)),
        Some((x, _)) => {
            Err(TableError::NotNegacyclic { first: x, second: x + half, bits: space.bits(), half }
                .into())
        }
    }
}

/// Checks that the domain is valid, that there are functions, and that their values are small
/// enough to be doubled and added.
fn check(space: Space, domain: Span, functions: &[Function<'_>]) -> Result<(), Error> {
    let period = 2 * space.half();
    let fits = domain.low > -period && (0..i64::from(period)).contains(&domain.width());
    if functions.is_empty() {
        return Err(TableError::NoFunction.into());
    }
    if !fits {
        return Err(out_of_domain(space, domain, functions.len()));
    }
    let far = |argument: &i32| {
        functions.iter().any(|f| f(*argument).unsigned_abs() > MAX_VALUE.unsigned_abs())
    };
    match domain.values().find(far) {
        Some(argument) => Err(TableError::ValueTooLarge { argument, limit: MAX_VALUE }.into()),
        None => Ok(()),
    }
}

fn out_of_domain(space: Space, Span { low, high }: Span, outputs: usize) -> Error {
    Error::Table(TableError::Domain { low, high, outputs, bits: space.bits() })
}

/// Returns the span of the values of `f` on the domain.
fn image(domain: Span, f: Function<'_>) -> Span {
    domain.values().map(f).fold(Span::EMPTY, |values, value| values.hull(Span::of(value)))
}
