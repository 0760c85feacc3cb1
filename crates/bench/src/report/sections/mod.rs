//! The sections of the page. Each appears only if it has data.

mod bootstraps;
mod claims;
mod compare;
mod cost;
mod coverage;
mod depth;
mod growth;
mod history;
mod integers;
mod latency;
mod lookups;
mod method;
mod noise;
mod pareto;
mod programs;
mod race;
mod refreshes;
mod results;
mod roofline;
mod security;
mod sizes;
mod threads;
mod verdict;

pub(crate) use method::Method;
pub(crate) use race::Race;
pub(crate) use verdict::Verdict;

use super::catalog::Catalog;
use super::chart::Section;

/// Returns every section that has data, in the order of the page, between verdict and method.
pub(crate) fn all(catalog: &Catalog) -> Vec<Section> {
    let builders: [fn(&Catalog) -> Option<Section>; 21] = [
        latency::section,
        programs::section,
        integers::section,
        bootstraps::section,
        refreshes::section,
        lookups::section,
        compare::section,
        depth::section,
        growth::dot_products,
        growth::moduli,
        threads::section,
        roofline::section,
        sizes::section,
        pareto::section,
        cost::section,
        noise::section,
        security::section,
        coverage::section,
        claims::section,
        history::section,
        results::section,
    ];
    let mut sections: Vec<Section> = builders.iter().filter_map(|build| build(catalog)).collect();
    let one_library = (!catalog.several_libraries()).then_some("library");
    for section in &mut sections {
        let of_figures = section.figures.iter_mut().map(|figure| &mut figure.table);
        let tables = of_figures.chain(&mut section.table);
        let silent: usize = tables
            .map(|table| {
                table.drop_columns(one_library);
                table.drop_silent_rows()
            })
            .sum();
        if section.id == "results" && silent > 0 {
            section.notes.push(format!("{silent} cases without any figure are not listed."));
        }
    }
    let says_something = |section: &Section| {
        !section.figures.is_empty() || section.table.as_ref().is_some_and(|t| !t.rows.is_empty())
    };
    sections.retain(says_something);
    sections.iter_mut().for_each(Section::share_legend);
    sections
}
