//! Random operations of an evaluator on operands of any client.

use crate::common::{difference, product, rotated, sum};
use crate::mixing::border::Border;
use crate::mixing::{Known, Outcome, ROWS, SETS, World};
use fathom::rlwe::modular::Packed;

/// The arguments of an operation beside its operands.
struct Chosen {
    /// Places of the operands in the pool.
    operands: [usize; 2],
    /// The client whose evaluator works, whose plaintext and whose matrix is used.
    by: usize,
    plain_of: usize,
    kind: usize,
    scalar: i64,
}

impl<S: Border> World<S> {
    pub(crate) fn operation(&mut self) {
        let operands = [(); 2].map(|()| self.below(self.pool.len()));
        let owner = self.pool[operands[0]].owner;
        let by = if self.below(4) == 0 { self.below(self.clients.len()) } else { owner };
        let plain_of = if self.below(8) == 0 { self.below(self.clients.len()) } else { by };
        let (kind, scalar) = (self.below(24), self.below(4001) as i64 - 2000);
        let chosen = Chosen { operands, by, plain_of, kind, scalar };
        let (owners, outcome) = match kind {
            0..13 => self.linear(&chosen),
            _ => self.product(&chosen),
        };
        self.settle(&owners, outcome);
    }

    /// Sums, rotations, and operations with clear operands. Returns the clients of the operands.
    fn linear(&mut self, chosen: &Chosen) -> (Vec<usize>, Outcome<S>) {
        let Chosen { operands: [i, j], by, plain_of, kind, scalar } = *chosen;
        let (values, plain) = self.values(plain_of);
        let (a, b, e) = (&self.pool[i], &self.pool[j], &self.clients[by].evaluator);
        let t = self.clients[a.owner].params.plain_modulus();
        let (x, y, c, d) = (&a.slots, &b.slots, &a.ciphertext, &b.ciphertext);
        let (one, two) = (vec![by, a.owner], vec![by, a.owner, b.owner]);
        let with_plain = vec![by, a.owner, Self::of_set(plain_of, by)];
        let constant = vec![scalar.rem_euclid(t as i64) as u64; x.len()];
        let (half, zero) = (x.len() / 2, vec![0; x.len()]);
        match kind {
            0 | 1 => (two, (e.add(c, d), sum(t, x, y))),
            2 => (two, (e.sub(c, d), difference(t, x, y))),
            3 => (one, (e.mul_scalar(c, scalar), product(t, x, &constant))),
            4 => (one, (e.add_scalar(c, scalar), sum(t, x, &constant))),
            5 => (with_plain, (e.add_plain(c, &plain), sum(t, x, &values))),
            6 => (with_plain, (e.sub_plain(c, &plain), difference(t, x, &values))),
            7 => {
                let result = e.mul_plain(c, &plain.to_multiplicand());
                (with_plain, (result, product(t, x, &values)))
            }
            8 => (one, (e.rotate(c, 1), rotated(x, 1))),
            9 => {
                let all = e.rotate_many(c, &[1, 2, 3]);
                (one, (all.map(|mut all| all.swap_remove(1)), rotated(x, 2)))
            }
            10 => (one, (e.swap_rows(c), [&x[half..], &x[..half]].concat())),
            11 => (one, (e.neg(c), difference(t, &zero, x))),
            _ => (one, (e.mod_switch_to(c, 0), x.clone())),
        }
    }

    /// Products, sums of products, and the border of BFV.
    fn product(&mut self, chosen: &Chosen) -> (Vec<usize>, Outcome<S>) {
        let Chosen { operands: [i, j], by, plain_of, kind, scalar } = *chosen;
        let (a, b, e) = (&self.pool[i], &self.pool[j], &self.clients[by].evaluator);
        let t = self.clients[a.owner].params.plain_modulus();
        let (x, y, c, d) = (&a.slots, &b.slots, &a.ciphertext, &b.ciphertext);
        let (one, two) = (vec![by, a.owner], vec![by, a.owner, b.owner]);
        let tensor = e.tensor(c, d);
        match kind {
            13..16 => (two, (e.mul(c, d), product(t, x, y))),
            16 => {
                let all = [c.clone(), d.clone()];
                (two, (e.dot(&all, &all), sum(t, &product(t, x, x), &product(t, y, y))))
            }
            17 => (two, (tensor.and_then(|z| e.relinearize(&z)), product(t, x, y))),
            18 => {
                let result = tensor.and_then(|z| e.relinearize_and_switch(&z));
                (two, (result, product(t, x, y)))
            }
            19 => {
                let coefficients = [7, scalar.rem_euclid(t as i64) as u64, 1];
                let value = |&v: &u64| (7 + v * coefficients[1] % t + v * v % t) % t;
                let result = e.evaluate_polynomial(c, &coefficients);
                (one, (result, x.iter().map(value).collect()))
            }
            20 => {
                let matrix = &self.clients[plain_of];
                let result = e.transform(&matrix.map, &Packed::assume(ROWS, c.clone()));
                let expected = mapped(t, &matrix.matrix, x);
                let with_map = vec![by, a.owner, Self::of_set(plain_of, by)];
                (with_map, (result.map(Packed::into_value), expected))
            }
            21 | 22 => (two, (S::mul_scale_invariant(e, c, d), product(t, x, y))),
            _ => self.border(a, chosen),
        }
    }

    /// Crosses the border of BFV with the parameters of a client; keys do not matter.
    fn border(&self, a: &Known<S>, chosen: &Chosen) -> (Vec<usize>, Outcome<S>) {
        let reader = &self.clients[chosen.plain_of];
        let result = S::msb(&reader.params, &a.ciphertext, chosen.scalar % 2 == 0);
        (vec![a.owner, Self::of_set(chosen.plain_of, a.owner)], (result, a.slots.clone()))
    }

    /// Returns `other` if it has the parameters of `client`, and a client of another set otherwise:
    /// plaintexts and matrices belong to parameters, not to keys.
    fn of_set(client: usize, other: usize) -> usize {
        if client % SETS.len() == other % SETS.len() { other } else { client }
    }
}

/// Returns the matrix times every run of [`ROWS`] slots, which begins at any slot of a row.
fn mapped(t: u64, matrix: &[Vec<u64>], x: &[u64]) -> Vec<u64> {
    let mut all = vec![0; x.len()];
    for step in 0..ROWS {
        let diagonal: Vec<u64> =
            (0..x.len()).map(|i| matrix[i % ROWS][(i + step) % ROWS]).collect();
        all = sum(t, &all, &product(t, &diagonal, &rotated(x, step as i64)));
    }
    all
}
