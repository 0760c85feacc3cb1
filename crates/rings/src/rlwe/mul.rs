//! Products of ciphertexts, of pairs and of lists.
//!
//! The tensor product of `(a_0, a_1)` and `(b_0, b_1)` is `(a_0 b_0, a_0 b_1 + a_1 b_0, a_1 b_1)`.
//! Its phase in `1, s, s^2` is the product of both phases, so that it holds the product of the
//! messages with the product of their factors. Relinearisation switches the key of the last
//! component from `s^2` to `s`. The switch of the modulus then divides by the last prime, which
//! divides the noise as well.
//!
//! *One division instead of two.* Relinearisation ends with a division by the special primes `P`,
//! the switch of the modulus is a division by a prime `q`. [`Evaluator::mul`] does both at once, by
//! `P q`, with `P` times the first two components added before: one base conversion and one
//! rounding error instead of two of each (`docs/maths/key_switch.md`). A list of products is added
//! up before it is relinearised, so that an inner product of any length takes one key switch.
//! [`Evaluator::tensor`] leaves out both, for callers who add first.
//!
//! *Noise.* A product is refused before anything is computed if its noise would not fit: the bound
//! depends on the metadata of the operands alone (theorem 3 of docs/maths/noise.md). Operands that
//! share randomness have another bound than independent ones, because coefficients of their product
//! may have a nonzero mean; the lineage decides (docs/decisions/0006-norms-and-lineage.md).
//!
//! Where the switched result would not fit, or at the last level, the division by `q` is left out.

use super::{
    AlignedPair, Ciphertext, Evaluator, Facts, Known, Level, LimbCount, Lineage, Mechanics, Noise,
};
use crate::Error;
use fathom_ring::{Eval, Poly};

impl<S: Mechanics> Evaluator<S> {
    /// Multiplies two ciphertexts, relinearises the product and switches it to the next level in
    /// one division: `decrypt(out) = decrypt(a) * decrypt(b)`, in every slot.
    ///
    /// At level 0, or where the switched result would not fit, the level stays.
    ///
    /// Transforms at `l` limbs with `d` digits and `K` special primes:
    /// `l + (d(l + K) - l) + 2(K + 1) + 2(l - 1)`. Source: Gentry, Halevi, Smart, eprint 2012/099;
    /// `docs/maths/key_switch.md` for the joint division.
    ///
    /// # Errors
    /// [`Error::NoiseExhausted`] before any work is done; [`Error::LevelMismatch`] (BGV),
    /// [`Error::Components`], [`Error::ParamsMismatch`], [`Error::KeyMismatch`],
    /// [`Error::MissingRelinearizationKey`], [`Error::KeyLevel`].
    pub fn mul(&self, a: &Ciphertext<S>, b: &Ciphertext<S>) -> Result<Ciphertext<S>, Error> {
        self.sum_of_products("mul", &[(a, b)])
    }

    /// Squares a ciphertext as [`Evaluator::mul`] multiplies two: `decrypt(out) = decrypt(a)^2`.
    ///
    /// # Errors
    /// As [`Evaluator::mul`].
    pub fn square(&self, a: &Ciphertext<S>) -> Result<Ciphertext<S>, Error> {
        self.mul(a, a)
    }

    /// Multiplies without relinearisation: the product has three components and the level of the
    /// operands, and takes no transforms. Such products can be added and relinearised together.
    ///
    /// # Errors
    /// [`Error::NoiseExhausted`], [`Error::LevelMismatch`] (BGV), [`Error::Components`],
    /// [`Error::Transparent`].
    pub fn tensor(&self, a: &Ciphertext<S>, b: &Ciphertext<S>) -> Result<Ciphertext<S>, Error> {
        self.tensor_of("tensor", &[(a, b)])
    }

    /// Relinearises from three components to two, at the same level.
    ///
    /// # Errors
    /// [`Error::NoiseExhausted`], [`Error::Components`], [`Error::MissingRelinearizationKey`],
    /// [`Error::KeyLevel`].
    pub fn relinearize(&self, a: &Ciphertext<S>) -> Result<Ciphertext<S>, Error> {
        self.check_key(&[a])?;
        let [c0, c1, c2] = a.triple("relinearize")?;
        let key = self.relinearization(a.level())?;
        let switched = key.vector.product(c2);
        let parts = self.divided_by_special(switched, [c0, c1]);
        let noise = self.params.context().model.key_switched(a.noise, a.limb_count());
        self.check_noise_and_mask(a.with(parts.into(), noise), "relinearize", &[a])
    }

    /// Relinearises from three components to two and switches to the next level, as
    /// [`Evaluator::mul`] does.
    ///
    /// # Errors
    /// As [`Evaluator::relinearize`].
    pub fn relinearize_and_switch(&self, a: &Ciphertext<S>) -> Result<Ciphertext<S>, Error> {
        self.check_key(&[a])?;
        self.relinearized_and_switched("relinearize_and_switch", a, &[a])
    }

    /// Computes the sum of the products of at least one pair: all tensor products are accumulated,
    /// then relinearised and switched once.
    pub(crate) fn sum_of_tensors(
        &self,
        operation: &'static str,
        pairs: &[(&Ciphertext<S>, &Ciphertext<S>)],
    ) -> Result<Ciphertext<S>, Error> {
        let operands: Vec<_> = pairs.iter().flat_map(|(a, b)| [*a, *b]).collect();
        // Products with equal factors are accumulated in one pass over the rows; others are
        // multiplied one by one, and brought to a common factor by the sum.
        let product = if self.same_meta(pairs) {
            self.tensor_of(operation, pairs)?
        } else {
            let products: Result<Vec<_>, _> =
                pairs.iter().map(|(a, b)| self.tensor(a, b)).collect();
            self.sum(&products?)?
        };
        self.relinearized_and_switched(operation, &product, &operands)
    }

    /// Returns whether all operands have one level and all products can be added.
    pub(crate) fn same_meta(&self, pairs: &[(&Ciphertext<S>, &Ciphertext<S>)]) -> bool {
        let level = pairs[0].0.level();
        let meta =
            |(a, b): &(&Ciphertext<S>, &Ciphertext<S>)| S::multiplied(&self.params, a.meta, b.meta);
        let leveled =
            |(a, b): &(&Ciphertext<S>, &Ciphertext<S>)| a.level() == level && b.level() == level;
        pairs.iter().all(|pair| leveled(pair) && S::addable(meta(pair), meta(&pairs[0])))
    }

    /// Computes the sum of the tensor products of pairs of equal level whose products can be
    /// added.
    pub(crate) fn tensor_of(
        &self,
        operation: &'static str,
        pairs: &[(&Ciphertext<S>, &Ciphertext<S>)],
    ) -> Result<Ciphertext<S>, Error> {
        let mut aligned = Vec::with_capacity(pairs.len());
        for (a, b) in pairs {
            a.pair(operation)?;
            b.pair(operation)?;
            aligned.push(self.same_level(a, b)?);
        }
        let (first, _) = &aligned[0];
        let meta = self.meta_of_products(&aligned);
        S::check_range(&self.params, operation, meta)?;
        let TensorSum { noise, lineage, facts } = self.tensor_sum(&aligned);
        let noise = noise.with_relative_error(S::META_ERROR);
        let operands: Vec<_> = pairs.iter().flat_map(|(a, b)| [*a, *b]).collect();
        self.params.check_budget(operation, meta, first.level(), noise, &operands)?;
        let rows: Vec<_> = aligned
            .iter()
            .map(|(a, b)| ([&a.parts[0], &a.parts[1]], [&b.parts[0], &b.parts[1]]))
            .collect();
        let parts = Poly::tensor(&rows, first.limbs()).into();
        let sum = Ciphertext { meta, facts, lineage, ..first.with(parts, noise) };
        self.check_noise_and_mask(sum, operation, &operands)
    }

    /// Returns the metadata of the sum of at least one product.
    pub(crate) fn meta_of_products(&self, pairs: &[AlignedPair<'_, S>]) -> S::Meta {
        let products = pairs.iter().map(|(a, b)| S::multiplied(&self.params, a.meta, b.meta));
        let sum = products.reduce(|sum, next| S::summed(&self.params, sum, next));
        sum.expect("a sum of products has at least one pair")
    }

    /// Returns the noise, the lineage and the facts of a sum of products that can be added.
    fn tensor_sum(&self, pairs: &[AlignedPair<'_, S>]) -> TensorSum<S> {
        let product = |(a, b): &AlignedPair<'_, S>| TensorSum {
            noise: self.params.context().model.multiplied(
                a.noise,
                b.noise,
                a.lineage.relation(&b.lineage),
            ),
            lineage: a.lineage.union(&b.lineage),
            facts: S::Facts::times(a.known(), b.known()),
        };
        let (first, rest) = pairs.split_first().expect("there is at least one pair");
        let meta = S::multiplied(&self.params, first.0.meta, first.1.meta);
        let known = |sum: &TensorSum<S>| Known {
            facts: sum.facts,
            magnitude: S::magnitude(meta, sum.noise.message),
        };
        rest.iter().map(product).fold(product(first), |sum, next| TensorSum {
            noise: sum.noise.plus(next.noise, sum.lineage.relation(&next.lineage)),
            facts: S::Facts::plus(known(&sum), known(&next)),
            lineage: sum.lineage.union(&next.lineage),
        })
    }

    /// Relinearises a sum of products and other terms to two components, at level `target`: that of
    /// the sum or the next. `operand` is a ciphertext from which the sum was computed.
    pub(crate) fn linearised(
        &self,
        operation: &'static str,
        sum: &Ciphertext<S>,
        target: Level,
        operand: &Ciphertext<S>,
    ) -> Result<Ciphertext<S>, Error> {
        match (sum.parts.len(), target < sum.level()) {
            (3, true) => self.relinearized_and_switched(operation, sum, &[operand]),
            (3, false) => self.relinearize(sum),
            _ => self.mod_switch_to(sum, target),
        }
    }

    fn relinearized_and_switched(
        &self,
        operation: &'static str,
        product: &Ciphertext<S>,
        operands: &[&Ciphertext<S>],
    ) -> Result<Ciphertext<S>, Error> {
        let level = product.level();
        let context = self.params.context();
        let fits = |to: Level| {
            let after = context.model.product_switched(product.noise, level.limbs(), to.limbs());
            (self.params.budget_bits(after, to) >= 0.0).then_some((to, after))
        };
        // The decision follows from bounds alone, so that it is the same for every ciphertext of
        // these metadata.
        let Some((to, noise)) = level.next().and_then(fits) else {
            let same = self.relinearize(product);
            return same.and_then(|c| c.checked(operation, operands));
        };
        let [c0, c1, c2] = product.triple(operation)?;
        // The products stay multiplied by P: one division by P and the last prime ends both
        // operations.
        let [x0, x1] = self.relinearization(level)?.vector.product(c2);
        let down = context.mod_down(x0.limbs(), to.limbs());
        let parts = vec![down.apply_with(x0, c0), down.apply_with(x1, c1)];
        let meta = S::switched(&self.params, product.meta, level, to);
        let noise = noise.with_relative_error(S::META_ERROR);
        self.check_noise_and_mask(
            Ciphertext { meta, ..product.with(parts, noise) },
            operation,
            operands,
        )
    }

    /// Computes `x / P + c` for the two components of a key switch.
    fn divided_by_special(&self, x: [Poly<Eval>; 2], c: [&Poly<Eval>; 2]) -> [Poly<Eval>; 2] {
        let context = self.params.context();
        let [x0, x1] = x;
        if context.special_count() == 0 {
            return [(x0, c[0]), (x1, c[1])].map(|(mut x, c)| {
                x.add_assign(c);
                x
            });
        }
        let down = context.mod_down(x0.limbs(), LimbCount::of(x0.limbs()));
        [down.apply_with(x0, c[0]), down.apply_with(x1, c[1])]
    }
}

/// The noise, the lineage and the facts of a sum of tensor products.
struct TensorSum<S: Mechanics> {
    noise: Noise,
    /// The encryptions it comes from.
    lineage: Lineage,
    facts: S::Facts,
}

impl<S: Mechanics> Evaluator<S> {
    /// Multiplies a list of at least one ciphertext, in `ceil(log2(n))` products in a row for `n`
    /// of them: pairs, then pairs of their products. One alone is returned as it is.
    ///
    /// # Errors
    /// As [`Evaluator::mul`]; [`Error::ListLength`] for an empty list.
    pub fn product(&self, all: &[Ciphertext<S>]) -> Result<Ciphertext<S>, Error> {
        if all.is_empty() {
            return Err(Error::ListLength { operation: "product", left: 0, right: 0 });
        }
        self.check_key(&all.iter().collect::<Vec<_>>())?;
        let mut factors = all.to_vec();
        while factors.len() > 1 {
            let pair = |pair: &[Ciphertext<S>]| match pair {
                [a, b] => self.mul(a, b),
                one => Ok(one[0].clone()),
            };
            factors = factors.chunks(2).map(pair).collect::<Result<_, _>>()?;
        }
        Ok(factors.remove(0))
    }
}
