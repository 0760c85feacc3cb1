//! The outcomes of the circuits that ran under one key.

use crate::noise_search::recipe::Recipe;
use crate::noise_search::subject::Subject;
use std::collections::HashMap;
use std::rc::Rc;

/// The result of a circuit, and the bits between its measured noise and its bound; none for a fresh
/// encryption.
pub(crate) struct Outcome<T: Subject> {
    pub(crate) ciphertext: T::Ciphertext,
    pub(crate) slack: Option<f64>,
}

/// Keys, and the outcomes of the circuits that ran under them: parts that circuits share are
/// evaluated once. A circuit that was refused has no outcome.
pub(crate) struct Bench<T: Subject> {
    subject: T,
    outcomes: HashMap<u64, Option<Rc<Outcome<T>>>>,
}

/// Bytes of ciphertexts that are kept, as encoded.
const MEMORY: usize = 40 << 20;

impl<T: Subject> Bench<T> {
    pub(crate) fn new(set: &T::Set, seed: u64) -> Bench<T> {
        Bench { subject: T::new(set, seed), outcomes: HashMap::new() }
    }

    /// Returns the outcome of a circuit, and calls `seen` with every part of it that was not yet
    /// known and whose noise was measured.
    pub(crate) fn outcome(
        &mut self,
        recipe: &Rc<Recipe>,
        seen: &mut impl FnMut(&Rc<Recipe>, f64),
    ) -> Option<Rc<Outcome<T>>> {
        if let Some(known) = self.outcomes.get(&recipe.name) {
            return known.clone();
        }
        let operands: Option<Vec<_>> =
            recipe.operands.iter().map(|operand| self.outcome(operand, seen)).collect();
        let computed = operands.and_then(|operands| {
            let operands: Vec<_> = operands.iter().map(|outcome| &outcome.ciphertext).collect();
            self.subject.step(recipe.step, &operands)
        });
        let outcome = computed.map(|ciphertext| {
            let slack = self.subject.slack(&ciphertext);
            if let Some(slack) = slack {
                seen(recipe, slack);
            }
            Rc::new(Outcome { ciphertext, slack })
        });
        self.outcomes.insert(recipe.name, outcome.clone());
        outcome
    }

    /// Returns whether the outcomes take so much memory that new keys are due.
    pub(crate) fn is_full(&self) -> bool {
        let all = self.outcomes.values().flatten();
        all.map(|outcome| T::byte_len(&outcome.ciphertext)).sum::<usize>() > MEMORY
    }

    /// Returns the level of a circuit's result, if it is known.
    pub(crate) fn level(&self, recipe: &Recipe) -> Option<usize> {
        let known = self.outcomes.get(&recipe.name)?.as_ref()?;
        Some(T::level(&known.ciphertext))
    }
}
