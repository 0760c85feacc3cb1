//! The findings of a search in one set.

use super::circuit::{Ending, Outcome};
use std::collections::BTreeMap;

/// Circuits that ended in each way, and the errors beyond their bounds.
pub(super) struct Tally {
    set: String,
    circuits: u64,
    steps: u64,
    /// The largest ratio of an error to its bound.
    worst: f64,
    /// Circuits whose result has ten bits and was returned.
    pub(super) precise: u64,
    refused: u64,
    /// Refused circuits whose result would have ten bits.
    pub(super) refused_wrongly: u64,
    /// The number of findings and the first one, by the name of the step.
    findings: BTreeMap<String, (u64, String)>,
    /// The same for wrong refusals.
    wrong: BTreeMap<String, (u64, String)>,
    skipped: BTreeMap<String, u64>,
}

impl Tally {
    pub(super) fn new(set: &str) -> Tally {
        Tally {
            set: set.to_owned(),
            circuits: 0,
            steps: 0,
            worst: 0.0,
            precise: 0,
            refused: 0,
            refused_wrongly: 0,
            findings: BTreeMap::new(),
            wrong: BTreeMap::new(),
            skipped: BTreeMap::new(),
        }
    }

    pub(super) fn count(&mut self, number: u64, outcome: Outcome) {
        self.circuits += 1;
        self.steps += outcome.steps;
        self.worst = self.worst.max(outcome.worst);
        for reason in outcome.skipped {
            *self.skipped.entry(reason).or_default() += 1;
        }
        let note = |all: &mut BTreeMap<String, (u64, String)>, step: String, text: String| {
            let text = format!("circuit {number}: {text}");
            all.entry(step).or_insert((0, text)).0 += 1;
        };
        match outcome.ending {
            Ending::Precise => self.precise += 1,
            Ending::Imprecise => {}
            Ending::Refused => self.refused += 1,
            Ending::RefusedWrongly { step, text } => {
                self.refused += 1;
                self.refused_wrongly += 1;
                note(&mut self.wrong, step, text);
            }
            Ending::Found { step, text } => note(&mut self.findings, step, text),
        }
    }

    pub(super) fn print_head() {
        println!(
            "| set | circuits | steps | worst error / bound | beyond | ten bits | refused | \
             wrongly | share |"
        );
        println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|");
    }

    /// Prints a row of the table, and what was found by the step.
    pub(super) fn print(&self) {
        let found: u64 = self.findings.values().map(|(count, _)| count).sum();
        let all = self.precise + self.refused_wrongly;
        println!(
            "| {} | {} | {} | {:.3} | {found} | {} | {} | {} | {:.1} % |",
            self.set,
            self.circuits,
            self.steps,
            self.worst,
            self.precise,
            self.refused,
            self.refused_wrongly,
            100.0 * self.refused_wrongly as f64 / all.max(1) as f64
        );
        for (step, (count, text)) in &self.findings {
            println!("  beyond its bound, {count} times: {step}: {text}");
        }
        for (step, (count, text)) in &self.wrong {
            println!("  refused wrongly, {count} times: {step}: {text}");
        }
        for (reason, count) in &self.skipped {
            println!("  not applicable, {count} times: {reason}");
        }
    }

    /// Returns the errors beyond their bounds.
    pub(super) fn findings(&self) -> Vec<String> {
        let line = |(step, (count, text)): (&String, &(u64, String))| {
            format!("{} {step}, {count} times: {text}", self.set)
        };
        self.findings.iter().map(line).collect()
    }
}
