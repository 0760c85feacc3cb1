//! Circuits, which describe the computations that a key holder expects others to have done.

use super::draw::Draws;
use super::{Ciphertext, Error, Fp, Mode, Seed};
use fathom_ring::SecretRng;
use std::collections::HashMap;

/// A value inside a [`Circuit`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wire(usize);

/// One step of a circuit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Input(usize),
    Add(Wire, Wire),
    Sub(Wire, Wire),
    Multiply(Wire, Wire),
    Scale(Wire, Fp),
    AddConstant(Wire, Fp),
}

/// An arithmetic circuit over field elements. The value of its last step is the result.
///
/// ```
/// use fathom_hfhe::{Circuit, Fp};
///
/// let mut circuit = Circuit::default();
/// let [x, y] = [circuit.input(0), circuit.input(1)];
/// let product = circuit.mul(x, y)?;
/// circuit.add_scalar(product, Fp::from(7u64))?; // x y + 7
/// assert_eq!(circuit.evaluate(&[2, 3].map(|v: u64| v.into()))?, Fp::from(13u64));
/// # Ok::<(), fathom_hfhe::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Circuit {
    steps: Vec<Step>,
}

impl Circuit {
    /// Returns the circuit whose result is its single input.
    pub fn identity() -> Circuit {
        Circuit { steps: vec![Step::Input(0)] }
    }

    /// Appends a step that reads input number `index`.
    pub fn input(&mut self, index: usize) -> Wire {
        self.steps.push(Step::Input(index));
        Wire(self.steps.len() - 1)
    }

    /// Appends the step `x + y`.
    ///
    /// # Errors
    /// [`Error::NoSuchWire`] for a wire of another circuit, here and below.
    pub fn add(&mut self, x: Wire, y: Wire) -> Result<Wire, Error> {
        self.push([x, y], Step::Add(x, y))
    }

    /// Appends the step `x - y`.
    ///
    /// # Errors
    /// [`Error::NoSuchWire`].
    pub fn sub(&mut self, x: Wire, y: Wire) -> Result<Wire, Error> {
        self.push([x, y], Step::Sub(x, y))
    }

    /// Appends the step `x * y`.
    ///
    /// # Errors
    /// [`Error::NoSuchWire`].
    pub fn mul(&mut self, x: Wire, y: Wire) -> Result<Wire, Error> {
        self.push([x, y], Step::Multiply(x, y))
    }

    /// Appends the step `factor * x`.
    ///
    /// # Errors
    /// [`Error::NoSuchWire`].
    pub fn mul_scalar(&mut self, x: Wire, factor: Fp) -> Result<Wire, Error> {
        self.push([x, x], Step::Scale(x, factor))
    }

    /// Appends the step `x + constant`.
    ///
    /// # Errors
    /// [`Error::NoSuchWire`].
    pub fn add_scalar(&mut self, x: Wire, constant: Fp) -> Result<Wire, Error> {
        self.push([x, x], Step::AddConstant(x, constant))
    }

    /// Appends the step `x - constant`.
    ///
    /// # Errors
    /// [`Error::NoSuchWire`].
    pub fn sub_scalar(&mut self, x: Wire, constant: Fp) -> Result<Wire, Error> {
        self.add_scalar(x, -constant)
    }

    fn push(&mut self, operands: [Wire; 2], step: Step) -> Result<Wire, Error> {
        let available = self.steps.len();
        if let Some(wire) = operands.iter().find(|wire| wire.0 >= available) {
            return Err(Error::NoSuchWire { what: "steps", available, wanted: wire.0 });
        }
        self.steps.push(step);
        Ok(Wire(available))
    }

    /// Computes the result for these inputs, which is zero for a circuit without steps.
    ///
    /// # Errors
    /// [`Error::NoSuchWire`] if there are too few inputs.
    pub fn evaluate(&self, inputs: &[Fp]) -> Result<Fp, Error> {
        let mut values: Vec<Fp> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let at = |wire: Wire| values[wire.0];
            let value = match *step {
                Step::Input(wanted) => {
                    let available = inputs.len();
                    let missing = Error::NoSuchWire { what: "inputs", available, wanted };
                    *inputs.get(wanted).ok_or(missing)?
                }
                Step::Add(x, y) => at(x) + at(y),
                Step::Sub(x, y) => at(x) - at(y),
                Step::Multiply(x, y) => at(x) * at(y),
                Step::Scale(x, factor) => at(x) * factor,
                Step::AddConstant(x, constant) => at(x) + constant,
            };
            values.push(value);
        }
        Ok(values.last().copied().unwrap_or(Fp::ZERO))
    }
}

/// The expected value of a ciphertext: a circuit applied to ciphertexts that the caller made or
/// checked.
#[derive(Clone, Copy, Debug)]
pub struct Expected<'a, M: Mode> {
    /// The circuit.
    pub circuit: &'a Circuit,
    /// The inputs of the circuit, as the key holder gave them out.
    pub inputs: &'a [Ciphertext<M>],
}

impl<M: Mode> Expected<'_, M> {
    /// Refuses `ciphertext` unless it is the expected polynomial. Both are compared at a random
    /// point.
    pub(crate) fn check(
        &self,
        ciphertext: &Ciphertext<M>,
        rng: &mut SecretRng,
    ) -> Result<(), Error> {
        let mut draws = Draws::new(rng);
        let mut point: HashMap<Seed, Fp> = HashMap::new();
        for input in self.inputs {
            input.same_key(ciphertext.key)?;
            for seed in &input.polynomial.seeds {
                point.entry(*seed).or_insert_with(|| draws.nonzero());
            }
        }
        let value = |ciphertext: &Ciphertext<M>| {
            let polynomial = &ciphertext.polynomial;
            let masks: Option<Vec<Fp>> =
                polynomial.seeds.iter().map(|seed| point.get(seed).copied()).collect();
            masks.map(|masks| polynomial.evaluate(&masks)).ok_or(Error::UnexpectedCircuit)
        };
        let inputs: Vec<Fp> = self.inputs.iter().map(value).collect::<Result<_, _>>()?;
        let agrees = value(ciphertext)? == self.circuit.evaluate(&inputs)?;
        if agrees { Ok(()) } else { Err(Error::UnexpectedCircuit) }
    }
}
