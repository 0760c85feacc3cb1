//! All operations: by name, in lists, and as requests of the protocol.

use super::op::Op;
use super::row::Row;
use super::table::ROWS;
use super::torus::{BlockOp, Gate, IntegerKind, IntegerOp, IntegerType};
use super::torus_rows;
use crate::protocol::{Args, Code, Refusal};

impl Op {
    /// Reads a name such as `mul`, `depth3` or `dot16`.
    pub fn parse(name: &str) -> Option<Self> {
        let vectors = ROWS.iter().enumerate().find_map(|(rank, row)| row.parse(rank, name));
        vectors.or_else(|| torus_rows::parse(name))
    }

    /// Returns the usual operations, in table order; those of integers for 64 bits.
    pub fn catalog() -> Vec<Self> {
        let vectors = ROWS.iter().enumerate().flat_map(|(rank, row)| row.listed(rank));
        let gates = Gate::ALL.into_iter().map(Op::from);
        let blocks = BlockOp::ALL.into_iter().map(Op::from);
        vectors.chain(gates).chain(blocks).chain(wide_integers().map(Op::from)).collect()
    }
}

/// Iterates over the operations on unsigned integers of 64 bits, one per kind.
fn wide_integers() -> impl Iterator<Item = IntegerOp> {
    let of = |ty| IntegerKind::all().map(move |kind| IntegerOp::new(kind, ty));
    IntegerType::unsigned(64).into_iter().flat_map(of)
}

/// An operation as a request names it; `docs/driver-protocol.md` defines each of them.
#[derive(Clone, Copy, Debug)]
pub enum Operation {
    /// An operation on vectors.
    Vectors(&'static Row),
    /// A gate on bits.
    Gate(Gate),
    /// An operation on blocks.
    Block(BlockOp),
    /// An operation on machine integers.
    Integer(IntegerOp),
}

impl Operation {
    /// Iterates over the names of all operations on vectors.
    pub fn vectors() -> impl Iterator<Item = &'static str> {
        ROWS.iter().filter_map(Row::protocol_name)
    }

    /// Parses the operation that a request of the driver protocol names.
    ///
    /// # Errors
    /// A [`Refusal`] with the code `unsupported` for an unknown name, or `bad_request` for a
    /// missing argument.
    pub fn parse(name: &str, args: &Args) -> Result<Self, Refusal> {
        if let Some(row) = ROWS.iter().find(|row| row.protocol_name() == Some(name)) {
            return match row.arguments.missing(args) {
                None => Ok(Self::Vectors(row)),
                Some(what) => {
                    let message = format!("`{name}` needs the argument `{what}`");
                    Err(Refusal::new(Code::BadRequest, message))
                }
            };
        }
        let gate = || Gate::parse(name).map(Self::Gate);
        let block = || BlockOp::parse(name).map(Self::Block);
        let torus = gate().or_else(block).or_else(|| IntegerOp::parse(name).map(Self::Integer));
        torus.ok_or_else(|| Refusal::unsupported(format!("there is no operation `{name}`")))
    }

    /// Returns the name in requests.
    pub fn name(&self) -> String {
        match self {
            Self::Vectors(row) => row.name.to_owned(),
            Self::Gate(gate) => gate.name().to_owned(),
            Self::Block(op) => op.name().to_owned(),
            Self::Integer(op) => op.to_string(),
        }
    }

    /// Checks that `count` operands suit the operation.
    ///
    /// # Errors
    /// `bad_request` with the expected number.
    pub fn check_operands(&self, count: usize) -> Result<(), Refusal> {
        let (fits, wanted) = match self {
            Self::Vectors(row) => (row.takes(count), row.arity()),
            Self::Gate(gate) => (count == gate.arity(), gate.arity().to_string()),
            Self::Block(op) => (count == op.arity(), op.arity().to_string()),
            Self::Integer(op) => (count == op.kind.arity(), op.kind.arity().to_string()),
        };
        let message = || format!("`{}` takes {wanted} operands and got {count}", self.name());
        if fits { Ok(()) } else { Err(Refusal::new(Code::BadRequest, message())) }
    }

    /// Returns the refusal of a driver that lacks the operation.
    pub fn unsupported(&self) -> Refusal {
        Refusal::unsupported(format!("there is no `{}` here", self.name()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args() -> Args {
        Args { steps: Some(1), terms: Some(1), coefficients: Some(vec![1]) }
    }

    #[test]
    fn every_timed_operation_is_one_of_the_protocol() {
        for op in Op::catalog() {
            assert!(!op.meaning().is_empty() && !op.meaning().contains('{'), "{op:?}");
            assert_eq!(Op::parse(op.name()).as_ref(), Some(&op));
            for name in op.needs() {
                assert!(Operation::parse(name, &args()).is_ok(), "{name}");
            }
            if let Some((name, args)) = op.request() {
                let operation = Operation::parse(name, args).unwrap();
                assert_eq!(operation.check_operands(op.operands().len()), Ok(()), "{name}");
            }
        }
    }

    #[test]
    fn ranks_follow_the_order_of_the_catalog() {
        let ranks: Vec<usize> = Op::catalog().iter().map(Op::rank).collect();
        assert!(ranks.is_sorted() && ranks[0] == 0, "{ranks:?}");
        let rank = |name| Op::parse(name).unwrap().rank();
        assert!(rank("add") < rank("mul") && rank("mul") < rank("nand"));
        assert_eq!((rank("depth3"), rank("div_u8")), (rank("depth5"), rank("div_u64_scalar")));
    }

    #[test]
    fn names_are_distinct() {
        let names: Vec<String> = Op::catalog().iter().map(|op| op.name().to_owned()).collect();
        let distinct: std::collections::HashSet<&String> = names.iter().collect();
        assert_eq!(distinct.len(), names.len());
    }

    #[test]
    fn counted_names_have_bounds() {
        assert_eq!(Op::parse("depth3").unwrap().depth(), 3);
        assert_eq!(Op::parse("decrypt_depth4").unwrap().depth(), 4);
        assert_eq!(Op::parse("dot16").unwrap().operands().len(), 32);
        assert_eq!(Op::parse("mul_batch512").unwrap().calls_a_sample(), Some(512));
        for name in ["depth0", "dot0", "dot9999999", "mul_batch0", "depthx", "dot", "", "nandy"] {
            assert_eq!(Op::parse(name), None, "{name}");
        }
    }

    #[test]
    fn a_full_sum_needs_every_power_of_two_below_the_row() {
        let (steps, swap) = Op::parse("rotate_sum").unwrap().rotation_keys(16, 2);
        assert_eq!((steps, swap), (vec![1, 2, 4], true));
        let (steps, swap) = Op::parse("rotate_sum").unwrap().rotation_keys(16, 1);
        assert_eq!((steps, swap), (vec![1, 2, 4, 8], false));
    }

    #[test]
    fn a_missing_argument_and_a_wrong_number_of_operands_are_refused() {
        for name in ["rotate", "polynomial"] {
            let refusal = Operation::parse(name, &Args::default()).unwrap_err();
            assert_eq!(refusal.code, Code::BadRequest);
        }
        let unknown = Operation::parse("frobnicate", &args()).unwrap_err();
        assert_eq!(unknown.code, Code::Unsupported);
        for (name, good, bad) in
            [("mul", 2, 3), ("dot", 8, 7), ("square", 1, 0), ("ks_pbs_batch8", 8, 4)]
        {
            let operation = Operation::parse(name, &args()).unwrap();
            assert_eq!(operation.check_operands(good), Ok(()));
            assert_eq!(operation.check_operands(bad).unwrap_err().code, Code::BadRequest);
        }
    }
}
