//! Gates on encrypted bits.

/// A gate of one to three inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gate {
    /// `not (a and b)`.
    Nand,
    /// `a and b`.
    And,
    /// `a or b`.
    Or,
    /// `not (a or b)`.
    Nor,
    /// `a xor b`.
    Xor,
    /// `not (a xor b)`.
    Xnor,
    /// `(not a) and b`.
    AndNy,
    /// `a and (not b)`.
    AndYn,
    /// `(not a) or b`.
    OrNy,
    /// `a or (not b)`.
    OrYn,
    /// `not a`.
    Not,
    /// `b` if `a`, else `c`.
    Mux,
    /// The majority: true if at least two of three inputs are.
    Majority,
    /// `a xor b xor c`.
    Xor3,
}

impl Gate {
    /// All gates, in the order in which tables show them.
    pub const ALL: [Gate; 14] = [
        Gate::Nand,
        Gate::And,
        Gate::Or,
        Gate::Nor,
        Gate::Xor,
        Gate::Xnor,
        Gate::AndNy,
        Gate::AndYn,
        Gate::OrNy,
        Gate::OrYn,
        Gate::Not,
        Gate::Mux,
        Gate::Majority,
        Gate::Xor3,
    ];

    /// Returns the name of the operation.
    pub fn name(self) -> &'static str {
        self.describe().0
    }

    /// Returns a description in one line.
    pub fn meaning(self) -> String {
        format!("{}, for encrypted bits", self.describe().1)
    }

    /// Parses a name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|gate| gate.name() == name)
    }

    /// Returns the number of inputs.
    pub fn arity(self) -> usize {
        match self {
            Gate::Not => 1,
            Gate::Mux | Gate::Majority | Gate::Xor3 => 3,
            Gate::Nand
            | Gate::And
            | Gate::Or
            | Gate::Nor
            | Gate::Xor
            | Gate::Xnor
            | Gate::AndNy
            | Gate::AndYn
            | Gate::OrNy
            | Gate::OrYn => 2,
        }
    }

    /// Computes the output of the gate, for [`Gate::arity`] inputs.
    pub fn of(self, inputs: &[bool]) -> bool {
        let at = |index: usize| inputs[index];
        match self {
            Gate::Nand => !(at(0) && at(1)),
            Gate::And => at(0) && at(1),
            Gate::Or => at(0) || at(1),
            Gate::Nor => !(at(0) || at(1)),
            Gate::Xor => at(0) != at(1),
            Gate::Xnor => at(0) == at(1),
            Gate::AndNy => !at(0) && at(1),
            Gate::AndYn => at(0) && !at(1),
            Gate::OrNy => !at(0) || at(1),
            Gate::OrYn => at(0) || !at(1),
            Gate::Not => !at(0),
            Gate::Mux => at(if at(0) { 1 } else { 2 }),
            Gate::Majority => inputs.iter().filter(|bit| **bit).count() >= 2,
            Gate::Xor3 => at(0) ^ at(1) ^ at(2),
        }
    }

    fn describe(self) -> (&'static str, &'static str) {
        match self {
            Gate::Nand => ("nand", "not (a and b)"),
            Gate::And => ("and", "a and b"),
            Gate::Or => ("or", "a or b"),
            Gate::Nor => ("nor", "not (a or b)"),
            Gate::Xor => ("xor", "a xor b"),
            Gate::Xnor => ("xnor", "not (a xor b)"),
            Gate::AndNy => ("and_ny", "(not a) and b"),
            Gate::AndYn => ("and_yn", "a and (not b)"),
            Gate::OrNy => ("or_ny", "(not a) or b"),
            Gate::OrYn => ("or_yn", "a or (not b)"),
            Gate::Not => ("not", "not a"),
            Gate::Mux => ("mux", "b if a, else c"),
            Gate::Majority => ("majority", "at least two of a, b, c"),
            Gate::Xor3 => ("xor3", "a xor b xor c"),
        }
    }
}
