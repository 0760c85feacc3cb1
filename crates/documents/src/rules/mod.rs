//! Checks of a published table of figures: what the table contradicts by itself, what its
//! parameters cannot do, and what it does not say.
//!
//! Every rule is a function from the rows to findings, one file for each subject. A rule states
//! what would settle its doubt; none of them needs a measurement.

mod arithmetic;
mod composition;
mod finding;
mod growth;
mod names;
mod parameters;
#[cfg(test)]
mod perturbed;
mod prints;
mod samples;
mod scaling;
mod units;

use crate::table::Row;

pub use finding::{Doubt, Finding};

/// Returns every doubt about `rows`, the most serious kind first.
pub fn check(rows: &[Row]) -> Vec<Finding> {
    type Rule = fn(&[Row]) -> Vec<Finding>;
    let rules: [Rule; 9] = [
        arithmetic::check,
        composition::check,
        growth::check,
        scaling::check,
        names::check,
        parameters::check,
        prints::check,
        samples::check,
        units::check,
    ];
    let mut findings: Vec<Finding> = rules.iter().flat_map(|rule| rule(rows)).collect();
    findings.sort_by_key(|finding| (finding.doubt, finding.lines.clone()));
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{documents, own, read};

    /// A table of which every figure agrees with the others.
    const HONEST: &str = "scheme,mode,op,mean,stddev,unit,n,params,line\n\
        bfv,set,encrypt,50,1,us,40,n=4096;log_q=80;t=65537;security=128;depth=1;also=9:0.05 ms,1\n\
        bfv,set,mul,200,9,us,40,n=4096;log_q=80;t=65537;security=128;depth=1,2\n\
        bfv,set,mul_throughput,5000,10,ops_per_sec,40,n=4096;log_q=80,3\n\
        bfv,set,mul_per_slot_us,0.05,0.001,us,40,slots=4096,4\n\
        bfv,set,chain_total,10,0.2,ms,40,count=50,5\n\
        bfv,set,ct_size_bytes,81976,0,bytes,1,n=4096;log_q=80,6\n\
        bfv,set,mul_again,4,,x,,of=bfv/set/mul;to=bfv/set/encrypt,9\n\
        tfhe,set,mul_u8,300,5,ms,40,set=a;method=ginx,7\n\
        tfhe,set,nand,12,0.3,ms,40,set=a;method=ginx,8\n";

    fn codes(table: &str) -> Vec<&'static str> {
        check(&read(table).unwrap()).iter().map(|finding| finding.doubt.code()).collect()
    }

    #[test]
    fn an_honest_table_raises_no_doubt() {
        assert_eq!(check(&read(HONEST).unwrap()), Vec::new());
    }

    #[test]
    fn a_table_perturbed_in_any_of_these_ways_is_caught() {
        for (from, to, code) in [
            ("mul,200,9,us,40", "mul,200,1249,us,40", "cached_work"),
            ("mul,200,9,us,40", "mul,200,400,us,5", "cached_work"),
            ("mul,200,9,us,40", "mul,200,90,us,40", "unstable"),
            ("encrypt,50,1,us,40", "encrypt,50,0,us,1", "single_shot"),
            ("encrypt,50,1,us,40", "encrypt,50,1,us,", "n_not_stated"),
            ("nand,12,0.3", "nand_derived,12,0.3", "derived"),
            ("ct_size_bytes,81976", "ct_size_bytes,60000", "size_mismatch"),
            ("ct_size_bytes,", "ct_size_est_bytes,", "estimated"),
            ("log_q=80;t=65537;security=128;depth=1,2", "log_q=130;security=128,2", "insecure"),
            ("t=65537;security=128;depth=1,2", "t=65537;security=128;depth=4,2", "too_deep"),
            ("chain_total,10,", "chain_total,4,", "sum_mismatch"),
            ("mul_again,4,", "mul_again,5,", "ratio_mismatch"),
            ("of=bfv/set/mul;", "of=bfv/set/square;", "ratio_mismatch"),
            ("also=9:0.05 ms", "also=9:0.06 ms", "repeat_mismatch"),
            ("mul_throughput,5000,", "mul_throughput,9000,", "rate_mismatch"),
            ("mul_per_slot_us,0.05,0.001,us", "mul_per_slot_us,0.05,0.001,ms", "unit_mismatch"),
            ("mul_u8,300,5,ms", "mul_u8,300,5,s", "implausible_unit"),
            ("tfhe,set,nand,12", "fhew,set,nand,12", "same_algorithm"),
        ] {
            let perturbed = HONEST.replace(from, to);
            assert_ne!(perturbed, HONEST, "{from}");
            assert_eq!(codes(&perturbed), [code], "{from} -> {to}");
        }
        for (from, to) in [
            ("mul,200,9,us", "mul,nan,9,us"),
            ("mul,200,9,us", "mul,inf,9,us"),
            ("mul,200,9,us", "mul,-200,9,us"),
            ("mul,200,9,us", "mul,200,-9,us"),
            ("mul,200,9,us", "mul,200,9,fortnights"),
            ("mul,200,9,us,40", "mul,200,9,us,0"),
        ] {
            let refused = read(&HONEST.replace(from, to)).unwrap_err().to_string();
            assert!(refused.starts_with("line 3"), "{to}: {refused}");
        }
    }

    #[test]
    fn what_a_table_explains_is_no_doubt_and_is_checked() {
        let explained = HONEST
            .replace(
                "ct_size_bytes,81976,0,bytes,1,",
                "ct_size_est_bytes,81976,0,bytes,1,measured=serialised;",
            )
            .replace(
                "tfhe,set,nand,12,0.3,ms,40,",
                "tfhe,set,nand_derived,600,15,ms,40,derived_from=mul_u8;count=2;",
            );
        assert_eq!(codes(&explained), [""; 0]);
        assert_eq!(codes(&explained.replace("count=2", "count=3")), ["sum_mismatch"]);
    }

    #[test]
    fn results_of_this_testbed_raise_no_doubt() {
        let text = include_str!("../../../../records/quick-2026-11-20.jsonl");
        let rows = own::rows(&fathom_cases::record::read(text).unwrap().1);
        assert!(rows.len() > 30, "{}", rows.len());
        assert!(rows.iter().filter(|row| row.number("log_q").is_some()).count() > 30);
        let found: Vec<String> = check(&rows).iter().map(Finding::text).collect();
        assert!(found.is_empty(), "{found:#?}");
        // The same rows with one figure changed are doubted.
        let mut wrong = rows.clone();
        let mul = wrong.iter_mut().find(|row| row.op == "mul" && row.scheme == "bfv").unwrap();
        (mul.n, mul.deviation) = (Some(25), Some(5.0 * mul.mean));
        assert_eq!(check(&wrong).iter().map(|f| f.doubt).collect::<Vec<_>>(), [Doubt::CachedWork]);
    }

    #[test]
    fn every_finding_says_where_and_what_would_settle_it() {
        for document in documents::ALL {
            let findings = check(&document.rows());
            assert!(!findings.is_empty(), "{}", document.name);
            for finding in findings {
                assert!(!finding.lines.is_empty(), "{finding:?}");
                assert!(finding.doubt.settled_by().len() > 20, "{finding:?}");
            }
        }
    }

    /// Returns the findings of one kind about a shipped document, as text.
    fn of(document: &str, doubt: Doubt) -> Vec<String> {
        let rows = documents::find(document).unwrap().rows();
        let found = check(&rows).into_iter().filter(|finding| finding.doubt == doubt);
        found.map(|finding| finding.text()).collect()
    }

    #[test]
    fn document_000_has_its_known_faults() {
        assert_eq!(of("000", Doubt::CachedWork).len(), 3);
        assert_eq!(of("000", Doubt::Unstable).len(), 4);
        assert_eq!(of("000", Doubt::SingleShot).len(), 34);
        assert_eq!(of("000", Doubt::Derived).len(), 4);
        let estimated = of("000", Doubt::Estimated);
        assert_eq!(estimated.iter().filter(|text| text.contains("_est")).count(), 7);
        assert!(estimated.iter().any(|text| text.contains("pk_size_bytes")), "{estimated:?}");
        let repeats = of("000", Doubt::RepeatMismatch);
        // 452480 bytes are 441.9 KiB: the program cut the figure off.
        assert!(repeats.len() == 2 && repeats.iter().all(|text| text.contains("441 KiB")));
        assert!(of("000", Doubt::RatioMismatch).is_empty());
        let same = of("000", Doubt::SameAlgorithm);
        assert!(same.len() == 1 && same[0].contains("fhew") && same[0].contains("tfhe"));
    }

    #[test]
    fn document_001_has_its_known_faults() {
        let sizes = of("001", Doubt::SizeMismatch);
        assert!(sizes.len() == 2 && sizes[0].contains("142") && sizes[1].contains("570"));
        let deep = of("001", Doubt::TooDeep).join("\n");
        for part in ["h0", "h33", "h2", "h-256", "inner_product128"] {
            assert!(deep.contains(part), "{part}: {deep}");
        }
        assert!(!deep.contains("inner_product512"), "{deep}");
        let rates = of("001", Doubt::RateMismatch);
        assert!(rates.iter().any(|text| text.contains("37 %")), "{rates:?}");
        assert!(rates.iter().any(|text| text.contains("scaling")), "{rates:?}");
        assert!(of("001", Doubt::SameAlgorithm)[0].contains("h1"));
    }

    #[test]
    fn documents_002_to_004_have_their_known_faults() {
        assert_eq!(of("002", Doubt::NotStated).len(), 1);
        assert!(of("002", Doubt::SingleShot).is_empty());
        assert!(of("002", Doubt::ImplausibleUnit).is_empty());
        let units = of("003", Doubt::ImplausibleUnit);
        assert!(units.iter().filter(|text| text.contains("workload")).count() == 12, "{units:?}");
        // The twelve figures sum to 89 minutes, and the document says 30 to 60.
        let sums = of("003", Doubt::SumMismatch);
        assert!(sums.len() == 1 && sums[0].contains("5339 s"), "{sums:?}");
        let sums = of("004", Doubt::SumMismatch);
        assert!(sums.len() == 2 && sums.iter().any(|text| text.contains("22.95 s")), "{sums:?}");
    }
}
