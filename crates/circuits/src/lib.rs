//! Random circuits against clear models: the one engine of all searches for wrong results.
//!
//! A search draws circuits from the operations of a scheme, runs each step on ciphertexts and on
//! clear values, and judges the outcome: right, refused rightly, refused wrongly, or wrong. A wrong
//! circuit is shrunk to a minimal one that is still wrong, and printed as a program. The engine
//! knows no scheme. It owns the dice, the budget, the tally, the shrinking and the report.
//!
//! A scheme says three things:
//!
//! 1. which operations it has: rows of a table, [`Operation`], each with the call on ciphertexts
//!    and the same on clear values, so that a verb is written once;
//! 2. how a circuit grows: [`Scheme::draw`] picks operations and operands, and takes the steps;
//! 3. what is right: [`Scheme::compare`] for results, [`Scheme::judge_refusal`] for refusals.
//!
//! Everything random in a step is drawn before it is taken and stays with it. A step on the same
//! operands therefore does the same whenever it is taken again, which is what makes shrinking
//! exact, and a search with a seed repeats its circuits.
//!
//! [`Climber`] is the other search: it changes circuits to bring an error near its bound.
//!
//! The whole use, on numbers of eight bits that stand for ciphertexts and whose sum is wrong:
//!
//! ```
//! use fathom_circuits::{Formula, Model, Operation, Run, Scheme, Search, Step, Verdict};
//!
//! /// Adds up without carries.
//! struct Wrong(Vec<Operation<Wrong>>);
//!
//! impl Model for Wrong {
//!     type Server = ();
//!     type Object = u8;
//!     type Clear = u8;
//!     type Error = String;
//!     type Domain = ();
//! }
//!
//! impl Scheme for Wrong {
//!     type Value = (u8, u8);
//!
//!     fn draw(run: &mut Run<'_, Wrong>) {
//!         let operation = run.dice.weighted(&run.scheme.0, |operation| operation.weight);
//!         if run.pool().len() >= operation.arity {
//!             let step = operation.step(&(), &mut run.dice, Vec::new());
//!             let operands = (0..operation.arity).map(|_| run.any()).collect();
//!             run.take(Step { operands, ..step });
//!         }
//!     }
//!
//!     fn apply(
//!         &mut self,
//!         step: &Step<Wrong>,
//!         operands: &[&(u8, u8)],
//!     ) -> Result<Vec<(u8, u8)>, String> {
//!         let objects: Vec<_> = operands.iter().map(|value| &value.0).collect();
//!         let clear: Vec<_> = operands.iter().map(|value| &value.1).collect();
//!         let results = step.formula.apply(&(), &objects)?;
//!         Ok(results.into_iter().zip(step.formula.clear(&clear)).collect())
//!     }
//!
//!     fn compare(
//!         &mut self,
//!         _: &Step<Wrong>,
//!         _: &[&(u8, u8)],
//!         value: &(u8, u8),
//!     ) -> Result<f64, String> {
//!         let (found, expected) = value;
//!         let fault = format!("should be {expected}, is {found}");
//!         if found == expected { Ok(0.0) } else { Err(fault) }
//!     }
//!
//!     fn judge_refusal(
//!         &mut self,
//!         _: &Step<Wrong>,
//!         _: &[&(u8, u8)],
//!         error: &String,
//!     ) -> Verdict<(u8, u8)> {
//!         Verdict::Wrong(error.clone())
//!     }
//! }
//!
//! let operations = vec![
//!     Operation::<Wrong>::drawn("encrypt", 0, |_, dice| {
//!         let number = dice.below(256) as u8;
//!         Formula::new(number.to_string(), move |_, _| Ok(number), move |_| number)
//!     }),
//!     Operation::<Wrong>::new("add", 2, |_, x| Ok(x[0] ^ x[1]), |x| x[0].wrapping_add(*x[1])),
//! ];
//! let tally = Search::new("bytes", 1).circuits(0..40).draws(1..=20).run(&mut Wrong(operations));
//! let program = &tally.findings()[0];
//! assert!(program.contains("v2 = add(v0, v1)") || program.contains("v1 = add(v0, v0)"));
//! ```
//!
#![forbid(unsafe_code)]

mod climb;
mod dice;
mod operation;
mod run;
mod search;
mod shrink;
mod tally;
#[cfg(test)]
mod tests;

pub use climb::{Climb, Climber, Expression};
pub use dice::Dice;
pub use operation::{Formula, Model, Operation, Place, Step, program};
pub use run::{Run, Scheme, Verdict};
pub use search::{Search, replay, seed, sets, setting};
pub use tally::Tally;
