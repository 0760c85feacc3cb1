//! Figures that a document computes from two others: ratios, which are computed here from what was
//! measured for the two.

use super::beside::Beside;
use super::evidence::Samples;
use super::figure::Outcome;
use super::table::Row;

/// Fills in the rows for which `is_computed` holds: the figure of the row that the parameter `of`
/// names divided by that of the row `to`. A ratio is like for like if both figures are.
pub(super) fn fill_in(judged: &mut [Beside<'_>], is_computed: impl Fn(&Row) -> bool) {
    let found: Vec<_> = judged
        .iter()
        .enumerate()
        .filter(|(_, beside)| is_computed(beside.row))
        .filter_map(|(place, beside)| Some((place, computed(beside, judged)?)))
        .collect();
    for (place, beside) in found {
        judged[place] = beside;
    }
}

/// Returns the row with its ratio; `None` if it names no two rows.
fn computed<'a>(beside: &Beside<'a>, judged: &[Beside<'a>]) -> Option<Beside<'a>> {
    let named = |param: &str| {
        let name = beside.row.params.get(param)?;
        judged.iter().find(|other| other.row.name() == *name)
    };
    let [of, to] = [named("of")?, named("to")?];
    let outcome = of.outcome.max(to.outcome);
    let why: Vec<String> = [of, to].into_iter().filter_map(reason).collect();
    let figure = |of: &Beside<'_>| of.measured.map(|figure| of.row.unit.base(figure));
    let measured = figure(of).zip(figure(to)).map(|(of, to)| of / to);
    Some(Beside {
        outcome,
        measured: measured.filter(|ratio| ratio.is_finite()),
        samples: samples(of, to),
        why: why.join("; "),
        ..beside.clone()
    })
}

/// Returns why a figure is not like for like, under its name.
fn reason(of: &Beside<'_>) -> Option<String> {
    (of.outcome != Outcome::Verified)
        .then(|| format!("{} {}: {}", of.row.name(), of.outcome.word(), of.why))
}

/// Returns the fewer samples of two figures, and the interval of their ratio; `None` for sizes.
fn samples(of: &Beside<'_>, to: &Beside<'_>) -> Option<Samples> {
    let n = [of, to].iter().filter_map(|beside| beside.samples).map(|samples| samples.n).min()?;
    // A size is exact.
    let ends = |beside: &Beside<'_>| match beside.samples {
        Some(samples) => samples.interval,
        None => beside.measured.map(|figure| [figure, figure]),
    };
    let interval = ends(of).zip(ends(to)).map(|([a, b], [c, d])| {
        let [of, to] = [of, to].map(|beside| beside.row.unit.base(1.0));
        [a * of / (d * to), b * of / (c * to)]
    });
    Some(Samples { n, interval })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::read;

    fn table() -> Vec<Row> {
        let rows = "bfv,scalar,mul,8,,ms,,,\npvac,scalar,mul,64000,,us,,,\n\
                    bfv,scalar,add,1,,ms,,,\n\
                    ratio,bfv,mul,8,,x,,of=pvac/scalar/mul;to=bfv/scalar/mul,\n\
                    ratio,bfv,add,8,,x,,of=bfv/scalar/add;to=bfv/scalar/mul,\n";
        read(&format!("{}\n{rows}", crate::HEADER)).unwrap()
    }

    fn judged(rows: &[Row]) -> Vec<Beside<'_>> {
        let measured = |row, outcome, measured, samples| Beside {
            outcome,
            measured: Some(measured),
            samples,
            ..Beside::without(row, outcome, None, "an edge is merged".to_owned())
        };
        let samples = |n, interval| Some(Samples { n, interval });
        let mut judged = vec![
            measured(&rows[0], Outcome::Verified, 4.0, samples(9, Some([3.0, 5.0]))),
            measured(&rows[1], Outcome::StandsIn, 20_000.0, samples(6, Some([1.8e4, 2.1e4]))),
            Beside::without(&rows[2], Outcome::NotRun, None, "not asked for".to_owned()),
        ];
        let rest =
            rows[3..].iter().map(|row| Beside::without(row, Outcome::NotRun, None, String::new()));
        judged.extend(rest);
        fill_in(&mut judged, |row| row.scheme == "ratio");
        judged
    }

    #[test]
    fn a_ratio_has_the_units_the_interval_and_the_worse_outcome_of_its_figures() {
        let rows = table();
        let found = &judged(&rows)[3];
        assert_eq!((found.outcome, found.measured), (Outcome::StandsIn, Some(5.0)));
        let samples = found.samples.unwrap();
        let [low, high] = samples.interval.unwrap();
        assert_eq!(samples.n, 6);
        assert!((low - 3.6).abs() < 1e-9 && (high - 7.0).abs() < 1e-9, "{low} {high}");
        assert_eq!(found.why, "pvac/scalar/mul stands in: an edge is merged");
    }

    #[test]
    fn a_ratio_of_a_figure_that_was_not_measured_is_not_run() {
        let rows = table();
        let found = &judged(&rows)[4];
        assert_eq!((found.outcome, found.measured), (Outcome::NotRun, None));
        assert_eq!(found.why, "bfv/scalar/add not run: not asked for");
    }
}
