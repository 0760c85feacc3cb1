//! The operations of all schemes.

use crate::calls::{Answer, Call};
use crate::noise_search::shape::Pattern;
use crate::noise_search::subject::{Keys, Row, Searched, Subject};
use fathom::rlwe::{Ciphertext, Evaluator, Scheme};
use fathom::wire::{Wire, WireFresh, WireObject};
use fathom_circuits::{Formula, Operation};
use fathom_verbs::Verb;

/// The name of the step that reads a result as an encryption of an untrusted sender.
pub(crate) const FRESH: &str = "travel_fresh";

/// The verbs that are drawn more often than once in a hundred steps, as sums and products bring
/// errors near their bounds.
const WEIGHTS: [(&str, usize); 11] = [
    ("add", 11),
    ("sub", 8),
    ("tensor", 20),
    ("mul", 5),
    ("neg", 2),
    ("swap_rows", 8),
    ("rotate", 3),
    ("mul_plain", 7),
    ("add_plain", 3),
    ("mul_scalar", 8),
    ("relinearize", 3),
];

/// Returns all operations of a scheme.
pub(crate) fn all<S: Searched>() -> Vec<Row<S>> {
    let verbs = S::verbs().into_iter().filter_map(of_verb);
    let common = [
        dot(2),
        dot(4),
        dot(6),
        Operation::drawn("mod_switch_to", 1, |_, dice| {
            let down = 1 + dice.below(3);
            formula(format!("{down} lower"), move |e, c| {
                e.mod_switch_to(c[0], c[0].level().get().saturating_sub(down))
            })
        })
        .weight(6),
        row("relinearize_and_switch", 1, |e, c| e.relinearize_and_switch(c[0])).weight(3),
        travel(false).weight(2),
        travel(true),
    ];
    verbs.chain(common).chain(S::rows()).collect()
}

pub(crate) type Apply<S> = fn(&Evaluator<S>, &[&Ciphertext<S>]) -> Answer<S>;

/// Returns an operation without arguments.
pub(crate) fn row<S: Searched>(name: &'static str, arity: usize, apply: Apply<S>) -> Row<S> {
    Operation::new(name, arity, move |keys: &Keys<S>, c| apply(&keys.evaluator, c), |_| ())
}

pub(crate) fn formula<S: Searched>(
    arguments: String,
    apply: impl Fn(&Evaluator<S>, &[&Ciphertext<S>]) -> Answer<S> + 'static,
) -> Formula<Subject<S>> {
    Formula::new(arguments, move |keys: &Keys<S>, c: &[&_]| apply(&keys.evaluator, c), |_| ())
}

fn dot<S: Searched>(operands: usize) -> Row<S> {
    row("dot", operands, |e, c| {
        let all: Vec<_> = c.iter().map(|&operand| operand.clone()).collect();
        let (left, right) = all.split_at(all.len() / 2);
        e.dot(left, right)
    })
}

/// Returns a step that writes to bytes and reads back: the encryptions that a computed ciphertext
/// comes from become unknown.
pub(crate) fn travel<S: Searched>(fresh: bool) -> Row<S> {
    Operation::new(
        if fresh { FRESH } else { "travel" },
        1,
        move |keys: &Keys<S>, c: &[&Ciphertext<S>]| {
            let bytes = c[0].to_bytes();
            if fresh {
                return Ciphertext::from_bytes_fresh(&keys.params, &bytes);
            }
            Ciphertext::from_bytes(&keys.params, &bytes)
        },
        |_| (),
    )
}

/// Returns a product with a message.
pub(crate) fn factor<S: Searched>(pattern: Pattern) -> Formula<Subject<S>> {
    Formula::new(
        format!("{pattern:?}"),
        move |keys: &Keys<S>, c: &[&Ciphertext<S>]| {
            let message = S::message(&keys.params, pattern);
            keys.evaluator.mul_plain(c[0], &S::to_factor(&message, c[0].level())?)
        },
        |_| (),
    )
}

/// Returns the operation of a verb; none if its scheme alone knows what it takes.
fn of_verb<S: Searched>((verb, call): (&'static Verb, Call<S>)) -> Option<Row<S>> {
    let name = verb.name;
    let row = match call {
        Call::One(call) | Call::Product(call) | Call::Unscaled(call) => {
            Operation::drawn(name, 1, move |_, _| formula(String::new(), move |e, c| call(e, c[0])))
        }
        Call::Pair(call) => Operation::drawn(name, 2, move |_, _| {
            formula(String::new(), move |e, c| call(e, c[0], c[1]))
        }),
        Call::Message(call) => Operation::drawn(name, 1, move |keys: &Keys<S>, dice| {
            let pattern = Pattern::random(dice);
            let message = S::message(&keys.params, pattern);
            formula(format!("{pattern:?}"), move |e, c| call(e, c[0], &message))
        }),
        Call::Factor(_) => Operation::drawn(name, 1, |_, dice| factor(Pattern::random(dice))),
        Call::Number(call) => Operation::drawn(name, 1, move |keys: &Keys<S>, dice| {
            let number = S::number(&keys.params, dice.below(16) as u32);
            formula(format!("{number:?}"), move |e, c| {
                call(e, c[0], <S as Scheme>::Scalar::from(number.clone()))
            })
        }),
        Call::Numbers(call) => Operation::drawn(name, 1, move |keys: &Keys<S>, dice| {
            let number = |_| S::number(&keys.params, dice.below(16) as u32);
            let numbers: Vec<S::Value> = (0..verb.numbers.len()).map(number).collect();
            formula(format!("{numbers:?}"), move |e, c| call(e, c[0], numbers.clone()))
        }),
        Call::Steps(call) => Operation::drawn(name, 1, move |_, dice| {
            let steps = 1 << dice.below(4);
            formula(steps.to_string(), move |e, c| call(e, c[0], steps))
        }),
        Call::ByHand => return None,
    };
    let weight = WEIGHTS.iter().find(|(verb, _)| *verb == name).map_or(1, |(_, weight)| *weight);
    Some(row.weight(weight))
}
