//! The sections of the page. Each appears only if it has data.

mod bootstraps;
mod compare;
mod coverage;
mod depth;
mod growth;
mod integers;
mod latency;
mod method;
mod noise;
mod results;
mod security;
mod sizes;
mod threads;
mod verdict;

pub(crate) use method::Method;
pub(crate) use verdict::Verdict;

use super::catalog::Catalog;
use super::chart::Section;

/// Returns every section that has data, in the order of the page, between verdict and method.
pub(crate) fn all(catalog: &Catalog) -> Vec<Section> {
    let builders: [fn(&Catalog) -> Option<Section>; 13] = [
        latency::section,
        integers::section,
        bootstraps::section,
        compare::section,
        depth::section,
        growth::dot_products,
        growth::moduli,
        threads::section,
        sizes::section,
        noise::section,
        security::section,
        coverage::section,
        results::section,
    ];
    let mut sections: Vec<Section> = builders.iter().filter_map(|build| build(catalog)).collect();
    let one_library = (!catalog.several_libraries()).then_some("library");
    for section in &mut sections {
        let of_figures = section.figures.iter_mut().map(|figure| &mut figure.table);
        of_figures.chain(&mut section.table).for_each(|table| table.drop_columns(one_library));
    }
    sections.iter_mut().for_each(Section::share_legend);
    sections
}
