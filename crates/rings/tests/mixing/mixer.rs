//! Clients of two parameter sets, whose ciphertexts are mixed at random.

use fathom::wire::WireError;
use fathom::{Error, SecretRng};
use fathom_circuits::{Dice, Formula, Model, Operation, Place, Run, Scheme, Search, Step, Verdict};
use std::rc::Rc;

/// The number of parameter sets, each of which two clients have.
const SETS: usize = 2;
/// Ciphertexts that are kept.
const MOST: usize = 20;
/// Draws for each circuit, after which its ciphertexts are thrown away.
const DRAWS: usize = 250;

/// The group of operations with a clear operand, which another client may have made.
pub(crate) const CLEAR: &str = "clear operand";
/// The group of operations that need no key, but parameters: those of a reader.
pub(crate) const KEYLESS: &str = "keyless";

/// One client with one parameter set, and its evaluator.
pub(crate) trait Party: Sized + 'static {
    const NAME: &'static str;
    /// A ciphertext.
    type Object;
    /// The value that a ciphertext should decrypt to.
    type Clear: Clone + 'static;
    /// An encoded value.
    type Plain: 'static;

    fn new(set: usize, rng: &mut SecretRng) -> Self;

    /// Draws a message.
    fn message(&self, dice: &mut Dice) -> (Self::Plain, Self::Clear);

    fn encrypt(
        &self,
        message: (Key, &Self::Plain),
        rng: &mut SecretRng,
    ) -> Result<Self::Object, Error>;

    /// Returns the table of operations.
    fn operations() -> Vec<Operation<Mixer<Self>>>;

    /// Decrypts, and says how the result differs from this one.
    fn check(&self, object: &Self::Object, clear: &Self::Clear) -> Result<Option<String>, Error>;

    /// Returns the wire form, and whether it is fresh.
    fn sent(object: &Self::Object) -> (Vec<u8>, bool);

    /// Reads a wire form.
    fn receive(&self, bytes: &[u8], reading: Reading) -> Result<Self::Object, Error>;

    /// Tells whether an operation may be refused to a client's own ciphertexts for this reason.
    fn may_refuse(error: &Error) -> bool {
        !matches!(error, Error::Wire(_))
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Key {
    Public,
    Secret,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Reading {
    Any,
    Fresh,
}

/// A ciphertext, its expected message and its owner.
pub(crate) struct Known<P: Party> {
    object: P::Object,
    clear: P::Clear,
    owner: usize,
}

/// The clients and their operations.
pub(crate) struct Mixer<P: Party> {
    clients: Vec<P>,
    operations: Rc<[Operation<Mixer<P>>]>,
}

/// Runs this many random operations, and returns an encryption of the first client.
pub(crate) fn mix<P: Party>(operations: u64, seed: u64) -> P::Object {
    let mut rng = SecretRng::insecure_from_seed(seed);
    let clients = (0..2 * SETS).map(|number| P::new(number % SETS, &mut rng)).collect();
    let mut mixer = Mixer { clients, operations: P::operations().into() };
    let search = Search::new(P::NAME, seed).operations(operations, DRAWS).pool(MOST);
    let tally = search.run(&mut mixer);
    tally.print();
    tally.assert_right();
    let computed = tally.right - tally.noted("right: encrypt");
    assert!(computed > operations / 8 && tally.refused > operations / 16);
    let first = &mixer.clients[0];
    let (plain, _) = first.message(&mut Dice::new(seed));
    first.encrypt((Key::Public, &plain), &mut rng).unwrap()
}

impl<P: Party> Mixer<P> {
    fn encrypt(run: &mut Run<'_, Mixer<P>>, owner: usize) {
        let (plain, clear) = run.scheme.clients[owner].message(&mut run.dice);
        let (key, seed) = (run.dice.pick(&[Key::Public, Key::Secret]), run.dice.word());
        let formula = Formula::new(
            format!("{key:?}, message of seed {seed:#x}"),
            move |client: &P, _| {
                client.encrypt((key, &plain), &mut SecretRng::insecure_from_seed(seed))
            },
            move |_| clear.clone(),
        );
        run.take(Step { by: owner, ..Step::new("encrypt", formula, Vec::new()) });
    }

    /// Draws an operation of an evaluator, mostly that of the first operand's owner.
    fn operation(run: &mut Run<'_, Mixer<P>>) {
        let operations = Rc::clone(&run.scheme.operations);
        let operation = run.dice.weighted(operations.iter(), |operation| operation.weight);
        let operands: Vec<Place> = (0..operation.arity).map(|_| run.any()).collect();
        let owner = run.value(operands[0]).owner;
        let all = 2 * SETS;
        let by = if run.dice.once_in(5) { run.dice.below(all) } else { owner };
        let other = if run.dice.once_in(8) { run.dice.below(all) } else { by };
        let step = operation.step(&run.scheme.clients[other], &mut run.dice, operands);
        let guest = (operation.group == CLEAR).then_some(other);
        run.take(Step { by, guest, ..step });
    }

    /// Sends a ciphertext to a client with the right or the wrong parameters.
    fn travel(run: &mut Run<'_, Mixer<P>>) {
        let (place, by) = (run.any(), run.dice.below(2 * SETS));
        let (name, reading) =
            run.dice.pick(&[("receive_fresh", Reading::Fresh), ("receive", Reading::Any)]);
        let formula = Formula::of_many(
            "",
            move |reader: &P, c| Ok(vec![reader.receive(&P::sent(c[0]).0, reading)?]),
            |x: &[&P::Clear]| vec![x[0].clone()],
        );
        run.take(Step { by, group: KEYLESS, ..Step::new(name, formula, vec![place]) });
    }

    /// Tells whether a step mixes what does not belong together.
    fn is_mixed(step: &Step<Mixer<P>>, operands: &[&Known<P>]) -> bool {
        let differ = |a: usize, b: usize| a % SETS != b % SETS;
        if step.group == KEYLESS {
            return differ(step.by, operands[0].owner);
        }
        let foreign = operands.iter().any(|known| known.owner != step.by);
        foreign || step.guest.is_some_and(|guest| differ(guest, step.by))
    }
}

impl<P: Party> Model for Mixer<P> {
    type Server = P;
    type Object = P::Object;
    type Clear = P::Clear;
    type Error = Error;
    type Domain = ();

    const SERVERS: usize = 2 * SETS;
}

impl<P: Party> Scheme for Mixer<P> {
    type Value = Known<P>;

    fn begin(run: &mut Run<'_, Mixer<P>>) {
        (0..2 * SETS).for_each(|owner| Mixer::encrypt(run, owner));
    }

    fn draw(run: &mut Run<'_, Mixer<P>>) {
        match run.dice.below(16) {
            0..3 => {
                let owner = run.dice.below(2 * SETS);
                Mixer::encrypt(run, owner);
            }
            3 => Mixer::travel(run),
            _ => Mixer::operation(run),
        }
    }

    fn apply(
        &mut self,
        step: &Step<Mixer<P>>,
        operands: &[&Known<P>],
    ) -> Result<Vec<Known<P>>, Error> {
        let objects: Vec<_> = operands.iter().map(|known| &known.object).collect();
        let results = step.formula.apply(&self.clients[step.by], &objects)?;
        let clear: Vec<_> = operands.iter().map(|known| &known.clear).collect();
        let owner = operands.first().map_or(step.by, |known| known.owner);
        let known = |(object, clear)| Known { object, clear, owner };
        Ok(results.into_iter().zip(step.formula.clear(&clear)).map(known).collect())
    }

    /// Checks a result with the keys of all clients.
    fn compare(
        &mut self,
        step: &Step<Mixer<P>>,
        operands: &[&Known<P>],
        known: &Known<P>,
    ) -> Result<f64, String> {
        if Mixer::is_mixed(step, operands) {
            return Err("objects of other clients were combined".to_owned());
        }
        if step.name == "receive_fresh" && !P::sent(&operands[0].object).1 {
            return Err("a result was read as an encryption".to_owned());
        }
        for (number, client) in self.clients.iter().enumerate() {
            match client.check(&known.object, &known.clear) {
                Ok(difference) if number == known.owner => difference.map_or(Ok(()), Err)?,
                Err(error) if number == known.owner => return Err(format!("no result: {error}")),
                Ok(_) => return Err(format!("party{number} decrypts what is not its own")),
                Err(_) => {}
            }
        }
        Ok(0.0)
    }

    fn judge_refusal(
        &mut self,
        step: &Step<Mixer<P>>,
        operands: &[&Known<P>],
        error: &Error,
    ) -> Verdict<Known<P>> {
        let is_foreign = matches!(error, Error::KeyMismatch { .. } | Error::ParamsMismatch { .. });
        let is_right = if matches!(error, Error::Wire(WireError::NotFresh)) {
            step.name == "receive_fresh" && !P::sent(&operands[0].object).1
        } else if Mixer::is_mixed(step, operands) {
            is_foreign
        } else {
            !is_foreign && step.group != KEYLESS && P::may_refuse(error)
        };
        if is_right {
            return Verdict::Refused(if is_foreign { "foreign" } else { "own" }.to_owned());
        }
        Verdict::Wrong(format!("refused: {error}"))
    }
}
