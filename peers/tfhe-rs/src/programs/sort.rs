//! `sort`: Batcher's network of comparisons and conditional exchanges.

use fathom_workloads::{Data, Error, Task};
use rayon::prelude::*;
use tfhe::FheUint;
use tfhe::prelude::{FheOrd, Flip};

use super::columns::{Encrypted, Field, Kind};
use super::program::Program;
use super::width::{Width, with_width};

/// The program.
pub(super) const PROGRAM: Program = Program {
    method: "Batcher's network of comparisons and conditional exchanges, a layer in parallel",
    supports,
    inputs: keys,
    outputs: keys,
    circuit: |task, _: &Data, inputs| {
        let elements = task.number("elements")?;
        with_width!(task.number("bits")?, Id => circuit::<Id>(inputs, elements))
    },
};

/// Exchanges do not keep the order of equal keys, which variant `payload` asks for.
fn supports(task: &Task) -> Result<(), Error> {
    if task.variant != "plain" {
        let reason = "a network does not keep the order of pairs with equal keys".into();
        return Err(Error::Unsupported { scheme: "tfhe", reason });
    }
    with_width!(task.number("bits")?, _Id => Ok(()))
}

fn keys(task: &Task) -> Result<Vec<Field>, Error> {
    let count = task.number("arrays")? * task.number("elements")?;
    Ok(vec![Field::new("keys", Kind::Integer(task.number("bits")?), count)])
}

fn circuit<N: Width>(inputs: &Encrypted, elements: usize) -> Result<Encrypted, Error> {
    let mut keys = inputs.column::<FheUint<N>>("keys")?.to_vec();
    let network = network(elements);
    keys.par_chunks_mut(elements).for_each(|list| {
        for layer in &network {
            let exchange = |&(low, high): &(usize, usize)| {
                let (a, b) = (&list[low], &list[high]);
                a.gt(b).flip(a, b)
            };
            let exchanged: Vec<_> = layer.par_iter().map(exchange).collect();
            for (&(low, high), (least, greatest)) in layer.iter().zip(exchanged) {
                (list[low], list[high]) = (least, greatest);
            }
        }
    });
    Ok(Encrypted::default().with("keys", keys))
}

/// Returns the layers of Batcher's network for any number of elements, each a list of disjoint
/// pairs: merge exchange, algorithm 5.2.2M of Knuth's "The Art of Computer Programming".
fn network(elements: usize) -> Vec<Vec<(usize, usize)>> {
    let mut layers = Vec::new();
    let first = elements.next_power_of_two() / 2;
    let mut part = first;
    while part > 0 {
        let (mut next, mut remainder, mut distance) = (first, 0, part);
        loop {
            let lows = (0..elements.saturating_sub(distance)).filter(|low| low & part == remainder);
            layers.push(lows.map(|low| (low, low + distance)).collect());
            if next == part {
                break;
            }
            (distance, remainder) = (next - part, part);
            next /= 2;
        }
        part /= 2;
    }
    layers
}

#[cfg(test)]
mod tests {
    use super::network;

    #[test]
    fn networks_sort_every_list_of_bits() {
        for elements in 1..=11 {
            let layers = network(elements);
            for bits in 0..1_u32 << elements {
                let mut list: Vec<_> = (0..elements).map(|index| bits >> index & 1).collect();
                for &(low, high) in layers.iter().flatten() {
                    if list[low] > list[high] {
                        list.swap(low, high);
                    }
                }
                assert!(list.is_sorted(), "{elements} elements, {bits:b}");
            }
        }
        assert_eq!(network(16).concat().len(), 63);
    }

    #[test]
    fn the_pairs_of_a_layer_are_disjoint() {
        for layer in network(16) {
            let mut ends: Vec<_> = layer.iter().flat_map(|&(low, high)| [low, high]).collect();
            ends.sort_unstable();
            ends.dedup();
            assert_eq!(ends.len(), 2 * layer.len());
        }
    }
}
