//! The choice between one integer a ciphertext and thousands in a vector.

use super::{Circuit, Params, Preset, Product, Relinearization, VectorParams};
use crate::Error;
use crate::rlwe::{Noise, Relation};

/// The form of ciphertexts in which a circuit takes the least work, and the reason.
#[derive(Clone, Debug)]
pub struct Choice {
    form: Form,
    reason: String,
}

/// A form of ciphertexts of wide integers.
#[derive(Clone, Debug)]
pub enum Form {
    /// One integer in each ciphertext, modulo `2^N + 1`: small ciphertexts and low latency.
    Integers(Params),
    /// Vectors of up to `N` integers per ciphertext, modulo several primes: high throughput.
    Vectors(VectorParams),
}

impl Circuit {
    /// Chooses the form that takes the least work for all elements of this circuit.
    ///
    /// # Errors
    /// [`Error::Spec`] if neither form serves it.
    pub fn choose(&self) -> Result<Choice, Error> {
        self.check()?;
        let integers = self.integers();
        let vectors = VectorParams::plan(self);
        let (params, vectors) = match (integers, vectors) {
            (Some(params), Ok(vectors)) => (params, vectors),
            (Some(params), Err(error)) => {
                let reason = format!("one integer a ciphertext, because vectors do not: {error}");
                return Ok(Choice { form: Form::Integers(params), reason });
            }
            (None, vectors) => {
                let reason = "vectors, because no ring for single integers survives the circuit";
                let form = Form::Vectors(vectors?);
                return Ok(Choice { form, reason: reason.to_owned() });
            }
        };
        let single = params.words() * self.elements.max(1) as f64;
        let batches = self.elements.div_ceil(vectors.capacity()).max(1) as f64;
        let batched = vectors.words() * batches;
        let numbers = format!(
            "{} elements take {single:.0} words of ciphertext as single integers of degree {} and \
             {batched:.0} as vectors of degree {} modulo {} primes",
            self.elements,
            params.degree(),
            vectors.degree(),
            vectors.vector_spec().moduli.len()
        );
        if single <= batched {
            let reason = format!("one integer a ciphertext: {numbers}");
            return Ok(Choice { form: Form::Integers(params), reason });
        }
        Ok(Choice { form: Form::Vectors(vectors), reason: format!("vectors: {numbers}") })
    }

    /// Returns the first preset for single integers that survives the circuit.
    fn integers(&self) -> Option<Params> {
        let presets = Preset::ALL.into_iter();
        let mut made = presets.filter_map(|preset| Params::preset(preset).ok());
        made.find(|params| params.survives(self))
    }
}

impl Choice {
    /// Returns the form with its parameters.
    pub fn form(&self) -> &Form {
        &self.form
    }

    /// Returns the form with its parameters, without the reason.
    pub fn into_form(self) -> Form {
        self.form
    }

    /// Returns the reason in numbers.
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

impl Params {
    /// Returns true if every result of the circuit is certain to decrypt: the check that a server
    /// makes before it starts.
    pub fn survives(&self, circuit: &Circuit) -> bool {
        circuit.check().is_ok()
            && circuit.result_bits() <= f64::from(self.widest_bits())
            && circuit.security <= self.spec().security
            && self.budget_after(circuit) >= 0.0
    }

    /// Returns the bits of noise budget that are left after the circuit, negative if it does not
    /// survive. Operands may share their noise.
    pub(crate) fn budget_after(&self, circuit: &Circuit) -> f64 {
        if circuit.depth > Circuit::GREATEST_DEPTH {
            return f64::NEG_INFINITY;
        }
        let (context, limbs) = (self.context(), self.top_level().limbs());
        let message = self.bound_of_width(circuit.input_bits);
        let mut noise = circuit.encryption.greatest_noise(&context.model, message);
        for _ in 0..circuit.depth {
            noise = match self.product() {
                Product::Tensor => context.model.multiplied(noise, noise, Relation::Any),
                Product::ScaleInvariant => {
                    let log2_modulus = context.model.log2_modulus(limbs);
                    super::mul::scaled_noise(
                        &context.model,
                        [noise, noise],
                        Relation::Any,
                        log2_modulus,
                    )
                }
            };
            if circuit.relinearization == Relinearization::With {
                noise = context.model.key_switched(noise, limbs);
            }
        }
        // The elements of a sum of slots are ciphertexts of their own.
        let noise: Noise = noise.times(circuit.terms());
        context.model.budget_bits(noise, limbs)
    }

    /// Words of a ciphertext.
    fn words(&self) -> f64 {
        (2 * self.degree() * self.chain().len()) as f64
    }
}

impl VectorParams {
    /// Returns true if every result of the circuit is certain to decrypt to itself: the check that
    /// a server makes before it starts.
    pub fn survives(&self, circuit: &Circuit) -> bool {
        circuit.check().is_ok()
            && circuit.input_bits <= self.input_bits()
            && circuit.summed_slots as usize <= self.capacity()
            && circuit.result_bits() <= self.value_bits()
            && circuit.security <= self.vector_spec().security
            && self.budget_after(circuit) >= 0.0
    }

    /// Returns the bits of noise budget that are left after the circuit, negative if it does not
    /// survive.
    pub(crate) fn budget_after(&self, circuit: &Circuit) -> f64 {
        circuit.budget(&self.tables().model, self.message_norms())
    }

    /// Words of a ciphertext.
    fn words(&self) -> f64 {
        let spec = self.vector_spec();
        (2 * spec.degree * spec.chain.len() * spec.moduli.len()) as f64
    }
}
