//! The rows of the table of verbs, for every scheme that mixes.

use crate::calls::Call;
use crate::mixing::mixer::{CLEAR, Mixer, Party};
use fathom::Error;
use fathom::rlwe::{Ciphertext, Evaluator, Scheme};
use fathom_circuits::{Formula, Operation};
use fathom_verbs::Verb;

/// A client of one scheme of rings.
pub(crate) trait RingParty:
    Party<Object = Ciphertext<Self::Scheme>, Plain = <Self::Scheme as Scheme>::Plaintext>
{
    type Scheme: Scheme;

    /// The greatest of the random integers that verbs take.
    const MOST: i32;

    fn evaluator(&self) -> &Evaluator<Self::Scheme>;

    /// Returns the clear result of a verb on slots, or of a verb on slots and a message.
    fn clear(verb: &Verb, x: &[&Self::Clear], numbers: &[i64]) -> Self::Clear;
}

type Row<P> = Operation<Mixer<P>>;
type Answer<S> = Result<Ciphertext<S>, Error>;

/// Returns the row of a verb; none if it takes what its scheme alone knows. Products of three
/// components are operands of few verbs: the row of `relinearize` makes them.
pub(crate) fn verb_row<P: RingParty>(
    (verb, call): (&'static Verb, Call<P::Scheme>),
) -> Option<Row<P>> {
    if verb.name == "tensor" {
        return None;
    }
    let row = match call {
        Call::One(call) => of_ciphertexts(verb, 1, move |e, c| call(e, c[0])),
        Call::Pair(call) => of_ciphertexts(verb, 2, move |e, c| call(e, c[0], c[1])),
        Call::Product(call) => of_ciphertexts(verb, 2, move |e, c| call(e, &e.tensor(c[0], c[1])?)),
        Call::Unscaled(call) => {
            of_ciphertexts(verb, 2, move |e, c| call(e, &e.relinearize(&e.tensor(c[0], c[1])?)?))
        }
        Call::Message(call) => of_message(verb, call),
        Call::Factor(call) => of_message(verb, move |e, c, message| {
            // A factor of another client's set may lack the level.
            let factor = P::Scheme::to_factor(message, c.level());
            let factor = factor.or_else(|_| P::Scheme::to_factor(message, 0))?;
            call(e, c, &factor)
        }),
        Call::Number(call) => of_numbers(verb, 1, P::MOST, move |e, c, numbers| {
            call(e, c, <P::Scheme as Scheme>::Value::from(numbers[0]).into())
        }),
        Call::Numbers(call) => of_numbers(verb, verb.numbers.len(), 4, move |e, c, numbers| {
            call(e, c, numbers.iter().map(|&number| number.into()).collect())
        }),
        Call::Steps(call) => {
            let steps = verb.numbers;
            Row::new(
                verb.name,
                1,
                move |party: &P, c| call(party.evaluator(), c[0], steps[0]),
                move |x| P::clear(verb, x, steps),
            )
        }
        Call::ByHand => return None,
    };
    Some(row.weight(1 + usize::from(matches!(verb.name, "add" | "mul"))))
}

fn of_ciphertexts<P: RingParty>(
    verb: &'static Verb,
    arity: usize,
    apply: impl Fn(&Evaluator<P::Scheme>, &[&Ciphertext<P::Scheme>]) -> Answer<P::Scheme> + 'static,
) -> Row<P> {
    let clear = move |x: &[&P::Clear]| P::clear(verb, x, &[]);
    Row::new(verb.name, arity, move |party: &P, c| apply(party.evaluator(), c), clear)
}

/// Returns a row with so many random integers up to a bound.
fn of_numbers<P: RingParty>(
    verb: &'static Verb,
    count: usize,
    most: i32,
    apply: impl Fn(&Evaluator<P::Scheme>, &Ciphertext<P::Scheme>, &[i32]) -> Answer<P::Scheme>
    + Copy
    + 'static,
) -> Row<P> {
    Operation::drawn(verb.name, 1, move |_, dice| {
        let drawn = (0..count).map(|_| dice.below(2 * most as usize + 1) as i32 - most);
        let numbers: Vec<i32> = drawn.collect();
        let clear: Vec<i64> = numbers.iter().map(|&number| number.into()).collect();
        Formula::new(
            format!("{numbers:?}"),
            move |party: &P, c| apply(party.evaluator(), c[0], &numbers),
            move |x: &[&P::Clear]| P::clear(verb, x, &clear),
        )
    })
}

/// Returns a row with a random message, made by a client for the parameters of its own set.
fn of_message<P: RingParty>(
    verb: &'static Verb,
    apply: impl Fn(&Evaluator<P::Scheme>, &Ciphertext<P::Scheme>, &P::Plain) -> Answer<P::Scheme>
    + Copy
    + 'static,
) -> Row<P> {
    let row = Operation::drawn(verb.name, 1, move |guest: &P, dice| {
        let (message, clear) = guest.message(dice);
        Formula::new(
            "a message",
            move |party: &P, c| apply(party.evaluator(), c[0], &message),
            move |x: &[&P::Clear]| P::clear(verb, &[x[0], &clear], &[]),
        )
    });
    row.group(CLEAR)
}
