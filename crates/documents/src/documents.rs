//! The published tables that come with the testbed, each figure with the line that states it.

use super::table::{Row, read};

/// A published table.
#[derive(Clone, Copy, Debug)]
pub struct Document {
    /// The number by which commands name the document.
    pub name: &'static str,
    /// Subject of the document.
    pub title: &'static str,
    csv: &'static str,
}

/// All documents.
pub const ALL: [Document; 5] = [
    Document {
        name: "000",
        title: "PVAC-HFHE beside OpenFHE",
        csv: include_str!("../data/000-pvac-hfhe.csv"),
    },
    Document { name: "001", title: "H33 BFV tiers", csv: include_str!("../data/001-h33-bfv.csv") },
    Document {
        name: "002",
        title: "tfhe-rs on a CPU",
        csv: include_str!("../data/002-tfhe-rs.csv"),
    },
    Document {
        name: "003",
        title: "whole programs on tfhe-rs",
        csv: include_str!("../data/003-tfhe-workloads.csv"),
    },
    Document { name: "004", title: "NINE65", csv: include_str!("../data/004-nine65.csv") },
];

/// Returns the document with this number.
pub fn find(name: &str) -> Option<Document> {
    ALL.into_iter().find(|document| document.name == name)
}

impl Document {
    /// Returns the rows of the document.
    pub fn rows(&self) -> Vec<Row> {
        read(self.csv).expect("a test reads every document")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_document_is_a_table_that_quotes_its_lines() {
        for document in ALL {
            let rows = read(document.csv).unwrap();
            assert!(rows.len() > 10, "{}", document.name);
            assert!(rows.iter().all(|row| row.source.is_some()), "{}", document.name);
        }
        assert!(find("005").is_none());
    }
}
