//! The engine finds what is wrong in schemes that are wrong on purpose, and nothing else.

use crate::{Climb, Climber, Dice, Expression};
use crate::{Formula, Model, Operation, Run, Scheme, Search, Step, Tally, Verdict};
use std::rc::Rc;

/// Words of sixteen bits with the size of their noise, as an exact scheme tracks it.
type Word = (u16, f64);

/// Words whose operations may be wrong.
struct Words {
    operations: Vec<Operation<Words>>,
    /// The operations that have operands.
    rows: Rc<[Operation<Words>]>,
    /// The noise at which a result is refused.
    limit: f64,
    /// Every step, as it was taken.
    taken: Vec<String>,
}

/// A word, its clear value, and its real noise.
struct Known {
    word: Word,
    clear: (u16, f64),
}

type Add = fn(&Word, &Word) -> Result<Word, String>;

#[expect(clippy::unnecessary_wraps, reason = "an operation may be refused")]
fn sum(a: &Word, b: &Word) -> Result<Word, String> {
    Ok((a.0.wrapping_add(b.0), a.1 + b.1))
}

fn words(add: Add, limit: f64) -> Words {
    let rows = operations(add).split_off(1).into();
    Words { operations: operations(add), rows, limit, taken: Vec::new() }
}

fn operations(add: Add) -> Vec<Operation<Words>> {
    vec![
        Operation::<Words>::drawn("encrypt", 0, |(), dice| {
            let number = dice.pick(&[0, 1, 2, 0x00FF, 0x7FFF, 0xFFFF]);
            Formula::new(
                format!("{number}"),
                move |(), _| Ok((number, 1.0)),
                move |_| (number, 1.0),
            )
        })
        .weight(2),
        Operation::<Words>::new(
            "add",
            2,
            move |(), x| add(x[0], x[1]),
            |x| (x[0].0.wrapping_add(x[1].0), x[0].1 + x[1].1),
        )
        .weight(2),
        Operation::<Words>::new(
            "neg",
            1,
            |(), x| Ok((x[0].0.wrapping_neg(), x[0].1)),
            |x| (x[0].0.wrapping_neg(), x[0].1),
        ),
        Operation::<Words>::drawn("mul_scalar", 1, |(), dice| {
            let k = dice.below(5) as u16;
            let times = move |x: &Word| (x.0.wrapping_mul(k), x.1 * f64::from(k));
            Formula::new(format!("{k}"), move |(), x| Ok(times(x[0])), move |x| times(x[0]))
        }),
    ]
}

impl Model for Words {
    type Server = ();
    type Object = Word;
    type Clear = (u16, f64);
    type Error = String;
    type Domain = ();
}

impl Scheme for Words {
    type Value = Known;

    fn draw(run: &mut Run<'_, Words>) {
        let operation = run.dice.weighted(&run.scheme.operations, |operation| operation.weight);
        let (name, arity) = (operation.name, operation.arity);
        let formula = operation.formula(&(), &mut run.dice);
        if !run.pool().is_empty() || arity == 0 {
            let operands: Vec<_> = (0..arity).map(|_| run.any()).collect();
            run.call(name, formula, &operands);
        }
    }

    fn apply(&mut self, step: &Step<Words>, operands: &[&Known]) -> Result<Vec<Known>, String> {
        self.taken.push(step.to_string());
        let words: Vec<_> = operands.iter().map(|known| &known.word).collect();
        let clear: Vec<_> = operands.iter().map(|known| &known.clear).collect();
        let results = step.formula.apply(&(), &words)?;
        if results.iter().any(|word| word.1 > self.limit) {
            return Err("noise exhausted".to_owned());
        }
        let known = |(word, clear)| Known { word, clear };
        Ok(results.into_iter().zip(step.formula.clear(&clear)).map(known).collect())
    }

    fn compare(&mut self, _: &Step<Words>, _: &[&Known], known: &Known) -> Result<f64, String> {
        let (Known { word, clear }, ratio) = (known, known.clear.1 / known.word.1);
        if word.0 != clear.0 {
            return Err(format!("should be {}, is {}", clear.0, word.0));
        }
        if ratio.is_nan() || ratio <= 1.0 {
            return Ok(ratio.max(0.0));
        }
        Err(format!("noise {} exceeds its bound {}", clear.1, word.1))
    }

    fn judge_refusal(&mut self, _: &Step<Words>, of: &[&Known], error: &String) -> Verdict<Known> {
        let noise: f64 = of.iter().map(|known| known.clear.1).sum();
        if noise * 4.0 <= self.limit {
            return Verdict::RefusedWrongly(error.clone());
        }
        Verdict::Refused(error.clone())
    }
}

impl Climb for Words {
    fn rows(&self) -> Rc<[Operation<Words>]> {
        Rc::clone(&self.rows)
    }

    fn server(&self) -> &() {
        &()
    }

    /// Returns a word whose noise is a quarter of its bound.
    fn leaf(&self, dice: &mut Dice) -> Rc<Expression<Words>> {
        let number = dice.below(3) as u16;
        let formula = Formula::new(
            format!("{number}"),
            move |(), _: &[&_]| Ok((number, 4.0)),
            move |_| (number, 1.0),
        );
        Expression::new(Step::new("encrypt", formula, Vec::new()), Vec::new())
    }

    fn level(_: &Known) -> usize {
        0
    }

    fn byte_len(_: &Known) -> usize {
        size_of::<Known>()
    }
}

fn search(words: &mut Words, seed: u64) -> Tally {
    Search::new("words", seed).circuits(0..200).draws(10..=40).pool(12).run(words)
}

/// Asserts that there is one finding, whose program is this one on the words of an operation.
fn assert_shrinks_to(tally: &Tally, program: &str) {
    let findings = tally.findings();
    assert_eq!(findings.len(), 1, "{findings:?}");
    let (_, found) = findings[0].split_once('\n').expect("a program follows its head");
    let (found, _) = found.rsplit_once(" (circuit ").expect("the number of the circuit follows");
    assert_eq!(found, program);
}

#[test]
fn a_right_scheme_shows_nothing() {
    let tally = search(&mut words(sum, 8.0), 1);
    tally.assert_right();
    assert_eq!(tally.refused_wrongly, 0);
    assert!(tally.right > 2000 && tally.refused > 100, "{tally:?}");
    assert_eq!(tally.steps, tally.right + tally.refused);
    assert!((tally.worst - 1.0).abs() < 1e-9, "the bound is tight: {}", tally.worst);
    assert_eq!((tally.reasons(), tally.noted("refused: noise exhausted")), (1, tally.refused));
}

/// A sum that is wrong for one pair of operands.
#[test]
fn a_sum_that_is_wrong_for_one_pair_shrinks_to_this_pair() {
    let add: Add = |a, b| match (a.0, b.0) {
        (0x7FFF, 2) => Ok((0x8000, a.1 + b.1)),
        _ => sum(a, b),
    };
    let tally = search(&mut words(add, 1e9), 1);
    assert!(tally.wrong > 3, "{tally:?}");
    assert_shrinks_to(
        &tally,
        "v0 = encrypt(32767)\nv1 = encrypt(2)\nv2 = add(v0, v1)\nwrong: should be 32769, is 32768",
    );
}

/// A sum of an operand with itself, whose noise is twice its own and is tracked as if it were
/// independent.
#[test]
fn a_bound_that_is_too_small_for_related_operands_shrinks_to_two_steps() {
    let add: Add = |a, b| Ok((sum(a, b)?.0, if a == b { a.1 * 2f64.sqrt() } else { a.1 + b.1 }));
    let tally = search(&mut words(add, 1e9), 3);
    let program = &tally.findings()[0];
    let lines: Vec<&str> = program.lines().skip(1).collect();
    assert_eq!(lines.len(), 3, "{program}");
    assert!(lines[0].starts_with("v0 = encrypt("), "{program}");
    assert_eq!(lines[1], "v1 = add(v0, v0)");
    assert!(lines[2].starts_with("wrong: noise 2 exceeds its bound 1.414"), "{program}");
}

#[test]
fn a_panic_is_a_finding() {
    let add: Add = |a, b| {
        assert!(a.0 != 0xFFFE, "a carry is lost");
        sum(a, b)
    };
    let tally = search(&mut words(add, 1e9), 1);
    let program = &tally.findings()[0];
    assert!(program.contains("wrong: panicked: a carry is lost"), "{program}");
    // Two steps make the operand from 65535, or from 2 as its negative, and one adds to it.
    assert!(program.lines().count() <= 5, "{program}");
}

#[test]
fn a_refusal_with_room_left_is_counted() {
    let add: Add = |a, b| if a.0 == 0x00FF { Err("full".to_owned()) } else { sum(a, b) };
    let tally = search(&mut words(add, 1e9), 1);
    tally.assert_right();
    assert!(tally.refused_wrongly > 20 && tally.refused_wrongly == tally.refused, "{tally:?}");
}

#[test]
fn a_seed_repeats_its_circuits_and_another_draws_others() {
    let run = |seed| {
        let mut words = words(sum, 30.0);
        let tally = search(&mut words, seed);
        (tally, words.taken)
    };
    assert_eq!(run(7), run(7));
    assert_ne!(run(7).1, run(8).1);
}

#[test]
fn circuits_do_not_depend_on_those_before_them() {
    let steps = |circuits| {
        let mut words = words(sum, 30.0);
        let _ = Search::new("words", 1).circuits(circuits).run(&mut words);
        words.taken
    };
    assert!(steps(0..10).ends_with(&steps(9..10)));
}

/// Returns a sum whose bound comes nearer to its noise where an operand is added to itself, up to a
/// limit.
fn doubling(a: &Word, b: &Word, limit: f64) -> Result<Word, String> {
    let (word, noise) = sum(a, b)?;
    let near = a == b && a.1 < limit;
    Ok((word, if near { 1.25 * a.1 } else { 2.0 * noise }))
}

/// Circuits that double a word twice come nearest to their bounds, of all.
#[test]
fn a_climb_finds_the_circuits_that_come_nearest_to_their_bounds() {
    let mut climber = Climber::new(1, |_| words(|a, b| doubling(a, b, 6.0), 1e9));
    climber.run_until(300);
    assert!(climber.fault().is_none(), "{:?}", climber.fault());
    assert!((300..310).contains(&climber.circuits()), "{}", climber.circuits());
    let (ratio, program) = climber.tightest().expect("circuits were counted");
    assert!((ratio - 0.64).abs() < 1e-9, "{ratio}: {program}");
}

/// The third doubling exceeds its bound.
#[test]
fn a_climb_shrinks_a_circuit_beyond_its_bound() {
    let mut climber = Climber::new(2, |_| words(|a, b| doubling(a, b, 1e9), 1e9));
    climber.run_until(1000);
    let program = climber.fault().expect("three steps are beyond their bound");
    let lines: Vec<&str> = program.lines().collect();
    assert_eq!(lines[1..4], ["v1 = add(v0, v0)", "v2 = add(v1, v1)", "v3 = add(v2, v2)"]);
    assert!(lines[4].starts_with("wrong: noise 8 exceeds its bound 7.8125"), "{program}");
    let found = climber.circuits();
    climber.run_until(2000);
    assert_eq!(climber.circuits(), found, "a search ends at a fault");
}
