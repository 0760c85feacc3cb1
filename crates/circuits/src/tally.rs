//! The numbers and the findings of a search.

use std::collections::BTreeMap;

/// The counts and the findings of one search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// The name of the search.
    pub name: String,
    /// Circuits that were run.
    pub circuits: u64,
    /// Steps that were taken.
    pub steps: u64,
    /// Steps that were right.
    pub right: u64,
    /// Steps that were refused.
    pub refused: u64,
    /// Steps that were refused, and should not have been.
    pub refused_wrongly: u64,
    /// Circuits that were wrong.
    pub wrong: u64,
    /// The largest ratio of an error to its bound.
    pub worst: f64,
    /// Everything else that was counted, by its name.
    pub notes: BTreeMap<String, u64>,
    /// Programs that are wrong: the number of circuits and the first one, by the last operation.
    programs: BTreeMap<&'static str, (u64, String)>,
    /// The same for wrong refusals, with the reason in place of the program.
    refusals: BTreeMap<&'static str, (u64, String)>,
}

impl Tally {
    pub(crate) fn new(name: &str) -> Tally {
        Tally { name: name.to_owned(), ..Tally::default() }
    }

    pub(crate) fn right(&mut self, name: &str, ratio: f64) {
        self.right += 1;
        self.worst = self.worst.max(ratio);
        self.note(format!("right: {name}"));
    }

    pub(crate) fn passed(&mut self, what: &str) {
        self.right += 1;
        self.note(format!("right: {what}"));
    }

    pub(crate) fn refuse(&mut self, reason: &str) {
        self.refused += 1;
        self.note(format!("refused: {reason}"));
    }

    pub(crate) fn refuse_wrongly(&mut self, name: &'static str, text: &str) {
        self.refused += 1;
        self.refused_wrongly += 1;
        self.refusals.entry(name).or_insert((0, text.to_owned())).0 += 1;
    }

    pub(crate) fn note(&mut self, what: String) {
        *self.notes.entry(what).or_default() += 1;
    }

    /// Counts a wrong circuit; returns whether it is the first that ends with this operation.
    pub(crate) fn is_new(&mut self, name: &'static str) -> bool {
        self.wrong += 1;
        let known = self.programs.entry(name).or_default();
        known.0 += 1;
        known.0 == 1
    }

    pub(crate) fn describe(&mut self, name: &'static str, program: String) {
        self.programs.entry(name).or_default().1 = program;
    }

    /// Adds the numbers and the wrong refusals of circuit `number`.
    pub(crate) fn add(&mut self, number: u64, other: Tally) {
        self.circuits += 1;
        self.steps += other.steps;
        self.right += other.right;
        self.refused += other.refused;
        self.refused_wrongly += other.refused_wrongly;
        self.worst = self.worst.max(other.worst);
        for (what, count) in other.notes {
            *self.notes.entry(what).or_default() += count;
        }
        for (name, (count, text)) in other.refusals {
            let text = format!("circuit {number}: {text}");
            self.refusals.entry(name).or_insert((0, text)).0 += count;
        }
    }

    /// Returns how often something was counted.
    pub fn noted(&self, what: &str) -> u64 {
        self.notes.get(what).copied().unwrap_or_default()
    }

    /// Returns the different reasons of right refusals.
    pub fn reasons(&self) -> usize {
        self.notes.keys().filter(|note| note.starts_with("refused: ")).count()
    }

    /// Returns the minimal wrong programs, one for each operation that shows a fault.
    pub fn findings(&self) -> Vec<String> {
        let text = |(name, (count, program)): (&&str, &(u64, String))| {
            format!("{}: {count} circuits are wrong at `{name}`. The first:\n{program}", self.name)
        };
        self.programs.iter().map(text).collect()
    }

    /// Prints the head of a table of searches.
    pub fn print_head() {
        println!(
            "| search | circuits | steps | worst error / bound | wrong | right | refused | \
             wrongly |"
        );
        println!("|---|---:|---:|---:|---:|---:|---:|---:|");
    }

    /// Prints a row of the table, wrong refusals, and counts by name.
    pub fn print(&self) {
        let Tally { name, circuits, steps, wrong, right, refused, refused_wrongly, .. } = self;
        println!(
            "| {name} | {circuits} | {steps} | {:.3} | {wrong} | {right} | {refused} | \
             {refused_wrongly} |",
            self.worst
        );
        for (name, (count, text)) in &self.refusals {
            println!("  refused wrongly, {count} times: {name}: {text}");
        }
        for (what, count) in &self.notes {
            println!("  {count:>9}  {what}");
        }
    }

    /// Fails with the minimal programs if a circuit was wrong.
    ///
    /// # Panics
    /// If a circuit was wrong.
    pub fn assert_right(&self) {
        assert!(self.wrong == 0, "{}", self.findings().join("\n"));
    }
}
