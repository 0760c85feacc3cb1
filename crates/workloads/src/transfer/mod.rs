//! `transfer`: an amount moves between two balances if the payer has it.

mod tfhe;

use std::sync::LazyLock;

use crate::{Data, Error, Implementation, Inputs, Random, Spec, Task, Workload};

/// Transfers of encrypted amounts between encrypted balances, of which only covered ones happen.
pub(crate) struct Transfer;

impl Workload for Transfer {
    fn spec(&self) -> &Spec {
        static SPEC: LazyLock<Spec> =
            LazyLock::new(|| Spec::parse(include_str!("../../specs/transfer.toml")));
        &SPEC
    }

    fn generate(&self, task: &Task, random: &mut Random) -> Result<Inputs, Error> {
        let (transfers, bits) = (task.number("transfers")?, task.number("bits")? as u32);
        let greatest = u64::MAX >> (64 - bits);
        let mut columns = [const { Vec::new() }; 3];
        for transfer in 0..transfers {
            let [from, to] = [random.bits(bits), random.bits(bits)];
            // Half of the amounts are covered; then the edges of that condition and of the range.
            let covered = random.below(from.saturating_add(1));
            let row = match transfer % 8 {
                1 | 3 => [from, to, random.bits(bits)],
                4 => [from, to, from],
                5 => [from, to, from.saturating_add(1).min(greatest)],
                6 => [greatest, greatest, greatest],
                7 => [0, to, 0],
                _ => [from, to, covered],
            };
            for (column, value) in columns.iter_mut().zip(row) {
                column.push(value);
            }
        }
        let [from, to, amount] = columns;
        let secret = Data::new()
            .with_integers("from", from)
            .with_integers("to", to)
            .with_integers("amount", amount);
        Ok(Inputs { public: Data::new(), secret })
    }

    fn reference(&self, task: &Task, inputs: &Inputs) -> Result<Data, Error> {
        let greatest = u64::MAX >> (64 - task.number("bits")?);
        let mut from = inputs.secret.integers("from")?.to_vec();
        let mut to = inputs.secret.integers("to")?.to_vec();
        let amounts = inputs.secret.integers("amount")?;
        for ((from, to), &amount) in from.iter_mut().zip(&mut to).zip(amounts) {
            if amount <= *from {
                *from -= amount;
                *to = to.wrapping_add(amount) & greatest;
            }
        }
        Ok(Data::new().with_integers("from", from).with_integers("to", to))
    }

    fn implementations(&self) -> Vec<Box<dyn Implementation>> {
        vec![Box::new(tfhe::PROGRAM)]
    }
}
