//! A session of a driver: makes operands from random clear values, requests the timing of an
//! operation, and compares its results with the clear results.

use fathom_drivers::client::Driver;
use fathom_drivers::ops::torus::{Gate, IntegerOp, IntegerType};
use fathom_drivers::ops::{Inputs, Op, Operand, SchemeKind};
use fathom_drivers::process::Fault;
use fathom_drivers::protocol::{
    Args, CiphertextBytes, Encoding, Encrypt, Handle, KeyBytes, KeyKind, ParamsInfo, Refusal, Run,
    Timed,
};
use fathom_drivers::random::SplitMix64;

use crate::verify::{self, Expected, Values};

/// A driver with an open session and generated keys.
#[derive(Debug)]
pub struct Workbench {
    /// The driver.
    pub driver: Driver,
    /// Session number in requests.
    pub session: u64,
    /// Parameters of the session.
    pub params: ParamsInfo,
    /// Sizes of the session's keys.
    pub keys: KeyBytes,
    /// Names of the operations that the library supports in this scheme.
    pub operations: Vec<String>,
    /// Number of parallel operations, each thread with its own inputs.
    pub threads: usize,
    /// Number of threads that one operation may use.
    pub op_threads: usize,
    /// Key that encrypts the inputs of operations.
    pub inputs: KeyKind,
    /// Pseudorandom generator of the clear inputs.
    pub random: SplitMix64,
}

/// Operands of several calls and the expected results.
#[derive(Debug, Default)]
pub struct Batch {
    /// Input sets, the operands of one call each.
    pub sets: Vec<Vec<Handle>>,
    /// Size of the first fresh ciphertext, if there is one.
    pub bytes: Option<CiphertextBytes>,
    /// Size of the last product of a chain, measured and in theory.
    pub product: Option<(u64, Option<u64>)>,
    expected: Vec<Expected>,
}

/// Result of a comparison with clear values.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Checked {
    /// Values compared.
    pub values: u64,
    /// Number of wrong values.
    pub mismatches: u64,
    /// Bits of precision of the least precise result, in approximate schemes.
    pub precision_bits: Option<f64>,
}

/// One operand of every set, with its clear values.
struct Column {
    handles: Vec<Handle>,
    factors: Vec<Vec<Values>>,
    level: Option<u32>,
}

impl Workbench {
    /// Makes fresh operands for `sets` calls of `op`.
    ///
    /// # Errors
    /// Any [`Fault`] of the driver; a refusal says why the operands cannot be made.
    pub fn make(&mut self, op: &Op, sets: usize) -> Result<Batch, Fault> {
        let mut batch = Batch { sets: vec![Vec::new(); sets], ..Batch::default() };
        let mut inputs: Vec<Vec<Values>> = vec![Vec::new(); sets];
        let mut level = None;
        match op.inputs() {
            Inputs::Packed(length) => {
                let kind = self.params.kind();
                if !kind.packs_coefficients() || self.params.n < length {
                    let message = "packed products need an exact scheme on a ring";
                    return Err(Fault::Refused(Refusal::unsupported(message)));
                }
                let packed = self.packed_columns(length, sets, &mut batch)?;
                join(packed, &mut batch, &mut inputs);
            }
            Inputs::TruthTable(gate) => {
                let columns = truth_table(gate, sets, &mut self.random);
                self.chosen_columns(op, columns, &mut batch, &mut inputs)?;
            }
            Inputs::Integers(integer) => {
                let columns = integer_operands(integer, sets, &mut self.random);
                self.chosen_columns(op, columns, &mut batch, &mut inputs)?;
            }
            Inputs::Random => {
                for operand in op.operands() {
                    let column = self.column(*operand, sets, level, &mut batch)?;
                    level = column.level;
                    join([column], &mut batch, &mut inputs);
                }
            }
        }
        let t = self.params.plain_modulus;
        batch.expected = inputs.iter().map(|set| verify::expected(op, set, t)).collect();
        Ok(batch)
    }

    /// Requests the timing of `op` on `batch`.
    ///
    /// # Errors
    /// Any [`Fault`] of the driver.
    pub fn time(&mut self, op: &Op, batch: &Batch, request: Run) -> Result<Timed, Fault> {
        let Some((name, args)) = op.request() else { return self.driver.run(request) };
        let inputs = batch.sets.clone();
        let session = self.session;
        let (op, args) = (name.clone(), args.clone());
        self.driver.run(Run { session, op, args, inputs, ..request })
    }

    /// Decrypts `outputs` and compares them with the expected results of `batch`. A set without an
    /// output had no call: [`Driver::run`] refuses a reply without the output of a call.
    ///
    /// # Errors
    /// Any [`Fault`] of the driver.
    pub fn check(
        &mut self,
        op: &Op,
        batch: &Batch,
        outputs: &[Option<Handle>],
    ) -> Result<Checked, Fault> {
        let mut checked = Checked::default();
        for (output, expected) in outputs.iter().zip(&batch.expected) {
            if let Some(handle) = output {
                checked += self.compare(*handle, expected, op.encoding())?;
            }
        }
        Ok(checked)
    }

    /// Drops the ciphertexts of `batch` and `outputs` in the driver.
    ///
    /// # Errors
    /// Any [`Fault`] of the driver.
    pub fn clear(&mut self, batch: Batch, outputs: &[Option<Handle>]) -> Result<(), Fault> {
        let inputs = batch.sets.into_iter().flatten();
        self.driver.forget(inputs.chain(outputs.iter().flatten().copied()).collect())
    }

    /// Compares one result with its clear values.
    ///
    /// # Errors
    /// Any [`Fault`] of the driver.
    pub fn compare(
        &mut self,
        handle: Handle,
        expected: &Expected,
        encoding: Encoding,
    ) -> Result<Checked, Fault> {
        let found = self.driver.decrypt(self.session, handle, encoding)?;
        let compared = verify::compare(&found, expected, self.params.plain_modulus);
        Ok(Checked {
            values: expected.values.len() as u64,
            mismatches: compared.mismatches as u64,
            precision_bits: compared.precision_bits,
        })
    }

    /// Encrypts random slots at `level`; returns handle, values and sizes.
    ///
    /// # Errors
    /// Any [`Fault`] of the driver.
    pub fn encrypt_random(
        &mut self,
        mode: KeyKind,
        level: Option<u32>,
    ) -> Result<(Handle, Values, CiphertextBytes), Fault> {
        let values = self.random_values(self.params.slots);
        let (handle, bytes) = self.encrypt(&values, mode, Encoding::Slots, level)?;
        Ok((handle, values, bytes))
    }

    /// Calls an operation once on every set, untimed.
    ///
    /// # Errors
    /// Any [`Fault`] of the driver.
    pub fn apply(
        &mut self,
        op: &str,
        sets: Vec<Vec<Handle>>,
    ) -> Result<(Vec<Handle>, Timed), Fault> {
        let iterations = sets.len().div_ceil(self.threads);
        let mut timed = self.driver.run(Run {
            session: self.session,
            op: op.into(),
            args: Args::default(),
            inputs: sets,
            warmup: 0,
            iterations,
            samples: 1,
            budget_ns: None,
        })?;
        // Every set has a call, so each has an output.
        Ok((timed.outputs.drain(..).flatten().collect(), timed))
    }

    fn column(
        &mut self,
        operand: Operand,
        sets: usize,
        level: Option<u32>,
        batch: &mut Batch,
    ) -> Result<Column, Fault> {
        match operand {
            Operand::Fresh => self.fresh_column(sets, None, batch),
            Operand::AtLevelOf(_) => self.fresh_column(sets, level, batch),
            Operand::Encoded => {
                let mut column = Column { handles: Vec::new(), factors: Vec::new(), level };
                for _ in 0..sets {
                    let values = self.random_values(self.params.slots);
                    let numbers = values.to_numbers();
                    let session = self.session;
                    let handle = self.driver.plaintext(session, numbers, Encoding::Slots)?;
                    column.handles.push(handle);
                    column.factors.push(vec![values]);
                }
                Ok(column)
            }
            Operand::Product => {
                let column = self.fresh_column(sets, None, batch)?;
                self.multiply_on(column, "mul_no_relin", batch)
            }
            Operand::Unscaled => {
                let column = self.fresh_column(sets, None, batch)?;
                self.multiply_on(column, "mul_no_rescale", batch)
            }
            Operand::Chain(products) => {
                let mut column = self.fresh_column(sets, None, batch)?;
                for _ in 0..products {
                    column = self.multiply_on(column, "mul_switch", batch)?;
                }
                Ok(column)
            }
        }
    }

    fn fresh_column(
        &mut self,
        sets: usize,
        level: Option<u32>,
        batch: &mut Batch,
    ) -> Result<Column, Fault> {
        let mut column = Column { handles: Vec::new(), factors: Vec::new(), level };
        for _ in 0..sets {
            let (handle, values, bytes) = self.encrypt_random(self.inputs, level)?;
            batch.bytes.get_or_insert(bytes);
            column.handles.push(handle);
            column.factors.push(vec![values]);
        }
        Ok(column)
    }

    /// Multiplies a column by a fresh one at its level and drops both.
    fn multiply_on(&mut self, left: Column, op: &str, batch: &mut Batch) -> Result<Column, Fault> {
        let right = self.fresh_column(left.handles.len(), left.level, batch)?;
        let pairs = left.handles.iter().zip(&right.handles).map(|(a, b)| vec![*a, *b]).collect();
        let (handles, timed) = self.apply(op, pairs)?;
        batch.product = Some((timed.bytes_out, timed.theory_out));
        self.driver.forget([left.handles, right.handles].concat())?;
        let factors = left.factors.into_iter().zip(right.factors);
        let factors = factors.map(|(a, b)| [a, b].concat()).collect();
        Ok(Column { handles, factors, level: timed.level })
    }

    /// Makes every operand from the given values.
    fn chosen_columns(
        &mut self,
        op: &Op,
        columns: Vec<Chosen>,
        batch: &mut Batch,
        inputs: &mut [Vec<Values>],
    ) -> Result<(), Fault> {
        for (operand, values) in op.operands().iter().zip(columns) {
            let column = self.chosen_column(*operand, values, batch)?;
            join([column], batch, inputs);
        }
        Ok(())
    }

    /// Makes one operand of every set from the given values.
    fn chosen_column(
        &mut self,
        operand: Operand,
        operands: Chosen,
        batch: &mut Batch,
    ) -> Result<Column, Fault> {
        let mut column = Column { handles: Vec::new(), factors: Vec::new(), level: None };
        for (encoding, values) in operands {
            let handle = if operand == Operand::Encoded {
                self.driver.plaintext(self.session, values.to_numbers(), encoding)?
            } else {
                let (handle, bytes) = self.encrypt(&values, self.inputs, encoding, None)?;
                batch.bytes.get_or_insert(bytes);
                handle
            };
            column.handles.push(handle);
            column.factors.push(vec![values]);
        }
        Ok(column)
    }

    fn packed_columns(
        &mut self,
        length: usize,
        sets: usize,
        batch: &mut Batch,
    ) -> Result<[Column; 2], Fault> {
        let empty = || Column { handles: Vec::new(), factors: Vec::new(), level: None };
        let mut columns = [empty(), empty()];
        for _ in 0..sets {
            let (x, y) = (self.random_residues(length), self.random_residues(length));
            let t = self.params.plain_modulus;
            let packed = verify::pack_for_dot(&x, &y, self.params.n, t);
            for (column, values) in columns.iter_mut().zip(packed.map(Values::Residues)) {
                let (handle, bytes) =
                    self.encrypt(&values, self.inputs, Encoding::Coefficients, None)?;
                batch.bytes.get_or_insert(bytes);
                column.handles.push(handle);
                column.factors.push(vec![values]);
            }
        }
        Ok(columns)
    }

    fn encrypt(
        &mut self,
        values: &Values,
        mode: KeyKind,
        encoding: Encoding,
        level: Option<u32>,
    ) -> Result<(Handle, CiphertextBytes), Fault> {
        let session = self.session;
        let values = values.to_numbers();
        let encrypted = self.driver.encrypt(Encrypt { session, values, mode, encoding, level })?;
        Ok((encrypted.ct, encrypted.bytes))
    }

    /// Returns random residues, reals in -1..1 with 20 binary places, which are short in JSON, or
    /// integers of the width that the scheme states.
    fn random_values(&mut self, count: usize) -> Values {
        match self.params.kind() {
            SchemeKind::Residues | SchemeKind::Torus | SchemeKind::Scalars => {
                Values::Residues(self.random_residues(count))
            }
            SchemeKind::Reals => {
                let real = |random: &mut SplitMix64| {
                    random.below((1 << 21) + 1) as f64 / f64::from(1 << 20)
                };
                Values::Reals((0..count).map(|_| real(&mut self.random) - 1.0).collect())
            }
            SchemeKind::WideIntegers => {
                let unused = 64 - self.params.word_bits.unwrap_or(64);
                let words = (0..count).map(|_| (self.random.next_u64() >> unused).into());
                Values::WideIntegers(IntegerType::widest(), words.collect())
            }
        }
    }

    fn random_residues(&mut self, count: usize) -> Vec<u64> {
        let t = self.params.plain_modulus as usize;
        (0..count).map(|_| self.random.below(t) as u64).collect()
    }
}

impl std::ops::AddAssign for Checked {
    fn add_assign(&mut self, other: Self) {
        self.values += other.values;
        self.mismatches += other.mismatches;
        let worst = self.precision_bits.into_iter().chain(other.precision_bits);
        self.precision_bits = worst.reduce(f64::min);
    }
}

/// The values of one operand in every set, with their encoding.
type Chosen = Vec<(Encoding, Values)>;

/// Returns the inputs of a gate, which run through its truth table from a random row on.
fn truth_table(gate: Gate, sets: usize, random: &mut SplitMix64) -> Vec<Chosen> {
    let first = random.below(1 << gate.arity());
    let bit = |row: usize, place: usize| (row >> place & 1) as u64;
    let column = |place| {
        let rows = first..first + sets;
        rows.map(|row| (Encoding::Slots, Values::Residues(vec![bit(row, place)]))).collect()
    };
    (0..gate.arity()).map(column).collect()
}

/// Returns random operands of an operation on integers.
fn integer_operands(op: IntegerOp, sets: usize, random: &mut SplitMix64) -> Vec<Chosen> {
    let mut columns = vec![Vec::with_capacity(sets); op.kind.arity()];
    for _ in 0..sets {
        let operands = op.operands(random).into_iter().zip([op.ty, op.right_type()]);
        for (column, (value, ty)) in columns.iter_mut().zip(operands) {
            column.push((Encoding::Integer(ty), Values::WideIntegers(ty, vec![value])));
        }
    }
    columns
}

fn join(columns: impl IntoIterator<Item = Column>, batch: &mut Batch, inputs: &mut [Vec<Values>]) {
    for column in columns {
        for (set, handle) in batch.sets.iter_mut().zip(column.handles) {
            set.push(handle);
        }
        for (input, factors) in inputs.iter_mut().zip(column.factors) {
            input.extend(factors);
        }
    }
}
