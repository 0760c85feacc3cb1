//! Operations of torus schemes: machine integers, small blocks and gates, each with the name that
//! suites, requests and records share and with its clear result.

mod block;
mod gate;
mod integer;

pub use crate::integer_type::IntegerType;
pub use block::BlockOp;
pub use gate::Gate;
pub use integer::{CarryMode, IntegerKind, IntegerOp};

/// Returns the names of all operations on torus ciphertexts, in the order in which tables show
/// them.
pub fn names() -> Vec<String> {
    let gates = Gate::ALL.iter().map(|gate| gate.name().to_owned());
    let blocks = BlockOp::ALL.iter().map(|op| op.name().to_owned());
    let integers = IntegerOp::all().into_iter().map(|op| op.to_string());
    gates.chain(blocks).chain(integers).collect()
}

/// Abbreviates names that differ only in width and sign: `add_{u,i}{2..256}[_scalar]`.
pub fn condensed<S: AsRef<str>>(names: &[S]) -> Vec<String> {
    let mut condensed: Vec<String> = Vec::new();
    for name in names {
        let name = name.as_ref();
        let short = IntegerOp::parse(name).map_or_else(|| name.to_owned(), IntegerOp::family);
        if !condensed.contains(&short) {
            condensed.push(short);
        }
    }
    condensed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_means_two_things() {
        let names = names();
        let distinct: std::collections::HashSet<&String> = names.iter().collect();
        assert_eq!(distinct.len(), names.len());
        for name in &names {
            let meanings = [
                IntegerOp::parse(name).is_some(),
                BlockOp::parse(name).is_some(),
                Gate::parse(name).is_some(),
            ];
            assert_eq!(meanings.iter().filter(|known| **known).count(), 1, "{name}");
        }
    }

    #[test]
    fn a_list_of_names_is_short_for_people() {
        let names = ["nand", "add_u8", "add_i64", "add_u64_scalar", "neg_u8"];
        assert_eq!(condensed(&names), ["nand", "add_{u,i}{2..256}[_scalar]", "neg_{u,i}{2..256}"]);
    }
}
