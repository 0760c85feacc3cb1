//! Circuits as expressions: a step and the circuits of its operands.

use crate::noise_search::Dice;
use crate::noise_search::shape::Pattern;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

/// One step of a circuit. Every step has operands but encryptions and sums of computed encryptions.
#[derive(Clone, Copy, Debug, PartialEq, Hash)]
pub(crate) enum Step {
    /// Encrypts under the secret key, a number of levels below the top. Encryptions of one pattern
    /// differ by their number.
    Encrypt {
        pattern: Pattern,
        below_top: u8,
        number: u8,
    },
    EncryptPublic {
        pattern: Pattern,
        number: u8,
    },
    /// The sum of `2^log_count` rotations of encryptions of one pattern, all under one key.
    RotatedSum {
        pattern: Pattern,
        log_count: u8,
    },
    /// The sum of as many relinearised products of two such encryptions.
    ProductSum {
        pattern: Pattern,
        log_count: u8,
    },
    Add,
    Sub,
    Tensor,
    Mul,
    /// The product of the BFV paper; BFV only.
    MulScaleInvariant,
    /// An inner product of the first half of the operands with the second.
    Dot,
    Neg,
    RowSwap,
    Rotate(u8),
    /// One of several rotations that share a decomposition.
    RotateMany(u8),
    SumRotations(u8),
    SumSlots,
    MulPlain(Pattern),
    AddPlain(Pattern),
    MulScalar(u8),
    AddScalar(u8),
    Switch(u8),
    Relinearize,
    RelinearizeAndSwitch,
    /// A polynomial of a degree from 1 to 6.
    Polynomial {
        degree: u8,
        kind: u8,
    },
    /// A matrix of four rows.
    LinearMap(u8),
    /// Converts to the form of the BFV paper and back, directly or as bytes; BFV only.
    Msb {
        wire: bool,
    },
    /// Writes to bytes and reads back: the encryptions that a computed ciphertext comes from become
    /// unknown.
    Travel,
    /// Does the same as [`Step::Travel`], read as an encryption of an untrusted sender.
    TravelFresh,
}

impl Step {
    pub(crate) fn is_encryption(&self) -> bool {
        matches!(self, Step::Encrypt { .. } | Step::EncryptPublic { .. })
    }

    fn encryption(dice: &mut Dice) -> Step {
        let (pattern, number) = (Pattern::random(dice), dice.below(3) as u8);
        if dice.below(4) == 0 {
            return Step::EncryptPublic { pattern, number };
        }
        // Lower levels are quicker, and obey the same rules.
        let below_top = if dice.below(3) == 0 { 0 } else { dice.below(16) as u8 };
        Step::Encrypt { pattern, below_top, number }
    }

    /// Returns a sum of what was computed from many encryptions under one key.
    fn sum(dice: &mut Dice) -> Step {
        let (pattern, log_count) = (Pattern::random(dice), 4 + dice.below(3) as u8);
        match dice.below(3) {
            0 => Step::ProductSum { pattern, log_count },
            _ => Step::RotatedSum { pattern, log_count },
        }
    }

    /// Returns a random step with operands, and their number.
    fn random(dice: &mut Dice, border: bool) -> (Step, usize) {
        let small = dice.below(16) as u8;
        let step = match dice.below(100) {
            0..11 => (Step::Add, 2),
            11..19 => (Step::Sub, 2),
            33..38 => (Step::Mul, 2),
            38..41 => (Step::Dot, 2 * (1 + dice.below(3) as usize)),
            41..43 => (Step::Neg, 1),
            43..51 => (Step::RowSwap, 1),
            51..54 => (Step::Rotate(small % 4), 1),
            54..57 => (Step::RotateMany(small % 4), 1),
            57..59 => (Step::SumRotations(small % 3), 1),
            59 => (Step::SumSlots, 1),
            60..67 => (Step::MulPlain(Pattern::random(dice)), 1),
            67..70 => (Step::AddPlain(Pattern::random(dice)), 1),
            70..77 => (Step::MulScalar(small), 1),
            77 => (Step::AddScalar(small), 1),
            78..84 => (Step::Switch(1 + small % 3), 1),
            84..87 => (Step::Relinearize, 1),
            87..90 => (Step::RelinearizeAndSwitch, 1),
            90 => (Step::Polynomial { degree: 1 + small % 6, kind: dice.below(5) as u8 }, 1),
            91..93 => (Step::LinearMap(small % 6), 1),
            93..95 => (Step::Travel, 1),
            95 => (Step::TravelFresh, 1),
            96..98 if border => (Step::MulScaleInvariant, 2),
            98.. if border => (Step::Msb { wire: small & 1 == 1 }, 1),
            // Numbers from 19 to 32, and those of the border where there is none.
            _ => (Step::Tensor, 2),
        };
        if small == 15 && step.1 == 1 { (Step::MulScalar(dice.below(16) as u8), 1) } else { step }
    }
}

/// A circuit: an expression whose leaves are encryptions.
#[derive(Debug)]
pub(crate) struct Recipe {
    pub(crate) step: Step,
    pub(crate) operands: Vec<Rc<Recipe>>,
    /// Equal circuits have equal names.
    pub(crate) name: u64,
    /// Number of steps, each use of a shared part counted.
    pub(crate) size: usize,
}

/// The greatest number of steps of a circuit.
const LARGEST: usize = 60;

impl Recipe {
    fn new(step: Step, operands: Vec<Rc<Recipe>>) -> Rc<Recipe> {
        let mut hasher = DefaultHasher::new();
        step.hash(&mut hasher);
        for operand in &operands {
            operand.name.hash(&mut hasher);
        }
        let size = 1 + operands.iter().map(|operand| operand.size).sum::<usize>();
        Rc::new(Recipe { step, operands, name: hasher.finish(), size })
    }

    /// Returns a circuit without operands: an encryption, which may have been received, or a sum
    /// under one key, which may be multiplied.
    pub(crate) fn leaf(dice: &mut Dice) -> Rc<Recipe> {
        if dice.below(2) == 0 {
            let step = Step::sum(dice);
            let sum = Recipe::new(step, Vec::new());
            let aligned = Pattern::aligned(dice, matches!(step, Step::RotatedSum { .. }).into());
            let product = Step::MulPlain(aligned);
            return if dice.below(3) == 0 { sum } else { Recipe::new(product, vec![sum]) };
        }
        let encryption = Recipe::new(Step::encryption(dice), Vec::new());
        match dice.below(8) {
            0 => Recipe::new(Step::TravelFresh, vec![encryption]),
            1 => Recipe::new(Step::Travel, vec![encryption]),
            _ => encryption,
        }
    }

    /// Returns a random step on members of a pool, chosen by `pick`, which takes the operands that
    /// have been chosen so far.
    pub(crate) fn extension(
        dice: &mut Dice,
        border: bool,
        mut pick: impl FnMut(&mut Dice, &[Rc<Recipe>]) -> Rc<Recipe>,
    ) -> Rc<Recipe> {
        let (step, count) = Step::random(dice, border);
        let mut operands: Vec<Rc<Recipe>> = Vec::with_capacity(count);
        for _ in 0..count {
            let next = pick(dice, &operands);
            operands.push(next);
        }
        let size: usize = operands.iter().map(|operand| operand.size).sum();
        if size > LARGEST { Recipe::leaf(dice) } else { Recipe::new(step, operands) }
    }

    /// Returns the circuit with one step changed: its parameters, its kind, or one of its operands,
    /// which becomes `other`.
    pub(crate) fn mutated(
        &self,
        dice: &mut Dice,
        (border, other): (bool, &Rc<Recipe>),
    ) -> Rc<Recipe> {
        if self.operands.is_empty() {
            return Recipe::leaf(dice);
        }
        if dice.below(3) > 0 {
            let place = dice.below(self.operands.len() as u64) as usize;
            let mut operands = self.operands.clone();
            operands[place] = operands[place].mutated(dice, (border, other));
            return Recipe::new(self.step, operands);
        }
        if dice.below(2) == 0 && other.size + self.size < LARGEST {
            let mut operands = self.operands.clone();
            let place = dice.below(operands.len() as u64) as usize;
            operands[place] = Rc::clone(other);
            return Recipe::new(self.step, operands);
        }
        // Another step on as many operands.
        let same = (0..50).map(|_| Step::random(dice, border));
        let same = same.filter(|(_, count)| *count == self.operands.len()).map(|(step, _)| step);
        let step = { same }.next().unwrap_or(self.step);
        Recipe::new(step, self.operands.clone())
    }
}

impl std::fmt::Display for Recipe {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.step)?;
        if self.operands.is_empty() {
            return Ok(());
        }
        let operands: Vec<String> = self.operands.iter().map(ToString::to_string).collect();
        write!(f, "({})", operands.join(", "))
    }
}
