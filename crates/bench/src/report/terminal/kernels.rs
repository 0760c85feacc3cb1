//! The verdict of the suite of kernels: each operation on its fastest instruction set, and how near
//! it comes to the limits of the machine.

use std::collections::BTreeSet;

use fathom_cases::record::{Case, Roofline, Status};

use crate::report::terminal::table::duration;

/// A verified kernel with its time and its limits.
struct Kernel<'a> {
    case: &'a Case,
    ns: u64,
    roofline: Roofline,
}

/// Returns the lines on kernels, at most `most`; `None` if a case is more than a kernel.
pub(super) fn lines(cases: &[Case], most: usize) -> Option<Vec<String>> {
    if cases.iter().any(|case| case.scheme != "kernel") {
        return None;
    }
    let kernels: Vec<Kernel<'_>> = cases.iter().filter_map(kernel).collect();
    if kernels.is_empty() {
        return None;
    }
    let mut lines = vec![format!(
        "{:<24}{:<16}{:>9}  {:>10}  {:<15}",
        "operation", "fastest kernel", "time", "% of limit", "nearest limit"
    )];
    // Every operation comes with its longest rows, where applications spend their time; shorter
    // rows follow as long as there is room.
    let mut sizes: Vec<(usize, &str, usize)> = Vec::new();
    for Kernel { case, .. } in &kernels {
        let known = sizes.iter().any(|(_, op, size)| (*op, *size) == (&*case.op, degree(case)));
        if !known {
            let own = kernels.iter().filter(|other| other.case.op == case.op);
            let longer: BTreeSet<usize> =
                own.map(|k| degree(k.case)).filter(|size| *size > degree(case)).collect();
            sizes.push((longer.len(), &case.op, degree(case)));
        }
    }
    sizes.sort_by_key(|(longer, ..)| *longer);
    for (_, op, size) in sizes.into_iter().take(most.saturating_sub(1)) {
        let own = kernels.iter().filter(|k| k.case.op == op && degree(k.case) == size);
        lines.extend(own.min_by_key(|kernel| kernel.ns).map(line));
    }
    Some(lines)
}

fn kernel(case: &Case) -> Option<Kernel<'_>> {
    let ns = case.time_ns.as_ref()?.median;
    let known = case.derived.roofline.filter(|_| case.verify.status == Status::Ok);
    known.map(|roofline| Kernel { case, ns, roofline })
}

fn line(Kernel { case, ns, roofline }: &Kernel<'_>) -> String {
    let (limit, share) = roofline.nearest((*ns).max(1) as f64);
    let share = format!("{:.0} %", share * 100.0);
    let time = duration(*ns);
    let (op, params) = (&case.op, params(case));
    format!("{op:<24}{params:<16}{time:>9}  {share:>10}  {:<15}", limit.name())
}

/// Returns the instruction set and the size: `ifma-n4096`.
fn params(case: &Case) -> &str {
    case.id.split('/').nth(2).unwrap_or_default()
}

fn degree(case: &Case) -> usize {
    let size = params(case).rsplit_once("-n").map_or("", |(_, size)| size);
    size.parse().unwrap_or(0)
}
