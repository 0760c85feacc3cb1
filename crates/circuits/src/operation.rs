//! Operations as rows of a table, and circuits of them.

use crate::Dice;
use std::fmt::{self, Display};
use std::rc::Rc;

/// The types of a scheme's operations.
pub trait Model: Sized + 'static {
    /// The side that runs operations: an evaluator, a client.
    type Server;
    /// A ciphertext, as operations take and return it.
    type Object;
    /// The clear value of a ciphertext.
    type Clear;
    /// The reason of a refusal.
    type Error: Display;
    /// A condition on the operands of a formula.
    type Domain: Clone;

    /// The number of servers; with one, programs do not name it.
    const SERVERS: usize = 1;
}

type Apply<S> = dyn Fn(
    &<S as Model>::Server,
    &[&<S as Model>::Object],
) -> Result<Vec<<S as Model>::Object>, <S as Model>::Error>;
type OnClear<S> = dyn Fn(&[&<S as Model>::Clear]) -> Vec<<S as Model>::Clear>;
type Draw<S> = dyn Fn(&<S as Model>::Server, &mut Dice) -> Formula<S>;

/// An operation with its arguments drawn: the call on ciphertexts, and the same on clear values.
pub struct Formula<S: Model> {
    /// The arguments as a program shows them after the operands.
    pub arguments: String,
    /// The condition on its operands; none if they may be anything.
    pub domain: Option<S::Domain>,
    apply: Rc<Apply<S>>,
    clear: Rc<OnClear<S>>,
}

impl<S: Model> Clone for Formula<S> {
    fn clone(&self) -> Formula<S> {
        let (apply, clear) = (Rc::clone(&self.apply), Rc::clone(&self.clear));
        let (arguments, domain) = (self.arguments.clone(), self.domain.clone());
        Formula { arguments, domain, apply, clear }
    }
}

impl<S: Model> Formula<S> {
    /// Returns a formula of one result.
    pub fn new(
        arguments: impl Into<String>,
        apply: impl Fn(&S::Server, &[&S::Object]) -> Result<S::Object, S::Error> + 'static,
        clear: impl Fn(&[&S::Clear]) -> S::Clear + 'static,
    ) -> Formula<S> {
        let apply = move |server: &S::Server, x: &[&S::Object]| apply(server, x).map(|y| vec![y]);
        Formula::of_many(arguments, apply, move |x: &[&S::Clear]| vec![clear(x)])
    }

    /// Returns a formula of any number of results.
    pub fn of_many(
        arguments: impl Into<String>,
        apply: impl Fn(&S::Server, &[&S::Object]) -> Result<Vec<S::Object>, S::Error> + 'static,
        clear: impl Fn(&[&S::Clear]) -> Vec<S::Clear> + 'static,
    ) -> Formula<S> {
        let (apply, clear) = (Rc::new(apply), Rc::new(clear));
        Formula { arguments: arguments.into(), domain: None, apply, clear }
    }

    /// Sets what operands have to be like.
    pub fn on(self, domain: S::Domain) -> Formula<S> {
        Formula { domain: Some(domain), ..self }
    }

    /// Computes on ciphertexts.
    ///
    /// # Errors
    /// The refusal of the scheme.
    pub fn apply(&self, server: &S::Server, x: &[&S::Object]) -> Result<Vec<S::Object>, S::Error> {
        (self.apply)(server, x)
    }

    /// Computes on clear values.
    pub fn clear(&self, x: &[&S::Clear]) -> Vec<S::Clear> {
        (self.clear)(x)
    }
}

/// A row of a scheme's table of operations.
pub struct Operation<S: Model> {
    /// The verb.
    pub name: &'static str,
    /// The operations that a scheme chooses between at once, such as those of one type.
    pub group: &'static str,
    /// The number of encrypted operands.
    pub arity: usize,
    /// The frequency among the operations of the group.
    pub weight: usize,
    draw: Box<Draw<S>>,
}

impl<S: Model> Operation<S> {
    /// Returns an operation of one result without arguments, of weight 1.
    pub fn new(
        name: &'static str,
        arity: usize,
        apply: impl Fn(&S::Server, &[&S::Object]) -> Result<S::Object, S::Error> + 'static,
        clear: impl Fn(&[&S::Clear]) -> S::Clear + 'static,
    ) -> Operation<S> {
        let formula = Formula::new("", apply, clear);
        Operation::drawn(name, arity, move |_, _| formula.clone())
    }

    /// Returns an operation whose arguments are drawn, of weight 1.
    pub fn drawn(
        name: &'static str,
        arity: usize,
        draw: impl Fn(&S::Server, &mut Dice) -> Formula<S> + 'static,
    ) -> Operation<S> {
        Operation { name, group: "", arity, weight: 1, draw: Box::new(draw) }
    }

    /// Sets the weight.
    pub fn weight(self, weight: usize) -> Operation<S> {
        Operation { weight, ..self }
    }

    /// Sets the group.
    pub fn group(self, group: &'static str) -> Operation<S> {
        Operation { group, ..self }
    }

    /// Draws arguments; those that belong to parameters are of this server's.
    pub fn formula(&self, server: &S::Server, dice: &mut Dice) -> Formula<S> {
        (self.draw)(server, dice)
    }

    /// Draws a step of the first server.
    pub fn step(&self, server: &S::Server, dice: &mut Dice, operands: Vec<Place>) -> Step<S> {
        let formula = self.formula(server, dice);
        Step { group: self.group, ..Step::new(self.name, formula, operands) }
    }
}

/// A result of a step: the number of the step, and which of its results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The number of the step.
    pub step: usize,
    /// The number of the result among those of the step.
    pub part: usize,
}

impl Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v{}", self.step)?;
        if self.part == 0 { Ok(()) } else { write!(f, ".{}", self.part) }
    }
}

/// A step of a circuit: an operation with its arguments on results of earlier steps.
pub struct Step<S: Model> {
    /// The verb.
    pub name: &'static str,
    /// The group of the operation.
    pub group: &'static str,
    /// The number of the server that takes it.
    pub by: usize,
    /// The server whose parameters clear arguments have, where that matters.
    pub guest: Option<usize>,
    /// The calls.
    pub formula: Formula<S>,
    /// The operands.
    pub operands: Vec<Place>,
}

impl<S: Model> Clone for Step<S> {
    fn clone(&self) -> Step<S> {
        let (formula, operands) = (self.formula.clone(), self.operands.clone());
        Step { formula, operands, ..*self }
    }
}

impl<S: Model> Step<S> {
    /// Returns a step of the first server.
    pub fn new(name: &'static str, formula: Formula<S>, operands: Vec<Place>) -> Step<S> {
        Step { name, group: "", by: 0, guest: None, formula, operands }
    }
}

impl<S: Model> Display for Step<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if S::SERVERS > 1 {
            write!(f, "party{}.", self.by)?;
        }
        let operands = self.operands.iter().map(ToString::to_string);
        let arguments = Some(self.formula.arguments.clone()).filter(|text| !text.is_empty());
        let guest = self.guest.map(|guest| format!("of party{guest}"));
        let all: Vec<String> = operands.chain(arguments).chain(guest).collect();
        write!(f, "{}({})", self.name, all.join(", "))
    }
}

/// Writes a circuit as a program, a line for each step.
pub fn program<S: Model>(steps: &[Step<S>]) -> String {
    let line = |(number, step)| format!("v{number} = {step}\n");
    steps.iter().enumerate().map(line).collect()
}
