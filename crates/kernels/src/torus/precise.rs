//! The transform of a key in fixed-point arithmetic, more precise than doubles.
//!
//! A key is transformed once, and the errors of its spectrum enter every product. Transformed in
//! doubles, the key would cause nearly half of the error of a product (measured:
//! docs/maths/fourier.md); therefore it is transformed in 64-bit integers.

use super::octet::lines_mut;

/// The real and imaginary part of a number, in units of `2^-62`.
type Fixed = (i64, i64);

/// Number of fractional bits.
const POINT: u32 = 62;

/// The transform of [`super::TorusKernel::forward`] for torus words in fixed point, with an error
/// of a few times `2^-62` on values of about `N^(-1/2)`.
#[derive(Clone, Debug)]
pub struct PreciseTransform {
    degree: usize,
    /// The roots of the nodes of each level, see [`super::FourierTable`].
    roots: Vec<Vec<Fixed>>,
}

impl PreciseTransform {
    /// Creates the transform for polynomials of `degree` coefficients, a power of two of at least
    /// 256.
    pub fn new(degree: usize) -> PreciseTransform {
        assert!(degree.is_power_of_two() && degree >= 256);
        let levels = degree.ilog2() - 1;
        let root = |level: u32, node: u32| {
            let reverse = if level == 0 { 0 } else { node.reverse_bits() >> (32 - level) };
            // A circle has `2 N` parts; the angle of the root is
            // `(1 + 4 reverse) / 2^(level + 3)` circles.
            let part = (2 * degree) >> (level + 3);
            root_of_unity((1 + 4 * reverse as usize) * part, degree)
        };
        let level = |level: u32| (0..1 << level).map(|node| root(level, node)).collect();
        let roots = (0..levels).map(level).collect();
        PreciseTransform { degree, roots }
    }

    /// Computes the spectrum of `words`, read as signed integers, times `scale`. Shapes: `degree`
    /// words and `degree` doubles, each rounded once. The words are overwritten.
    pub fn transform(&self, words: &mut [u64], scale: f64, spectrum: &mut [f64]) {
        assert!(words.len() == self.degree && spectrum.len() == self.degree);
        for word in words.iter_mut() {
            // Halved at the start and at every level, so that no sum of two values overflows 64
            // bits. The last bit that this drops is below the noise of the key.
            *word = (*word as i64 >> 1) as u64;
        }
        let (re, im) = words.split_at_mut(self.degree / 2);
        let mut block = self.degree / 2;
        for roots in &self.roots {
            let blocks = re.chunks_exact_mut(block).zip(im.chunks_exact_mut(block));
            for ((re, im), &root) in blocks.zip(roots) {
                let (x_re, y_re) = re.split_at_mut(block / 2);
                let (x_im, y_im) = im.split_at_mut(block / 2);
                let pairs = x_re.iter_mut().zip(x_im).zip(y_re.iter_mut().zip(y_im));
                for (x, y) in pairs {
                    let signed = |(re, im): (&u64, &u64)| (*re as i64, *im as i64);
                    let halves = split(signed((x.0, x.1)), signed((y.0, y.1)), root);
                    for (to, (re, im)) in [x, y].into_iter().zip(<[Fixed; 2]>::from(halves)) {
                        (*to.0, *to.1) = (re as u64, im as u64);
                    }
                }
            }
            block /= 2;
        }
        // The start and every level halved the values.
        let scale = scale * f64::from(self.roots.len() as u32 + 1).exp2();
        let values = re.chunks_exact(64).zip(im.chunks_exact(64));
        for (group, (re, im)) in lines_mut(spectrum).chunks_exact_mut(8).zip(values) {
            for (node, (&re, &im)) in re.iter().zip(im).enumerate() {
                let line = &mut group[node % 8];
                line[0][node / 8] = re as i64 as f64 * scale;
                line[1][node / 8] = im as i64 as f64 * scale;
            }
        }
    }
}

/// Returns half of `x + root y` and of `x - root y`, whose absolute values are at most the larger
/// one of `x` and `y`.
fn split(x: Fixed, y: Fixed, root: Fixed) -> (Fixed, Fixed) {
    let wide = |a: i64, b: i64| i128::from(a) * i128::from(b);
    // Returns half of the product, rounded to the nearest integer.
    // Rounded to the nearest: truncation would add a mean to every value of the spectrum.
    let half = |product: i128| ((product + (1 << POINT)) >> (POINT + 1)) as i64;
    let re = half(wide(root.0, y.0) - wide(root.1, y.1));
    let im = half(wide(root.0, y.1) + wide(root.1, y.0));
    let x = (x.0 >> 1, x.1 >> 1);
    ((x.0 + re, x.1 + im), (x.0 - re, x.1 - im))
}

/// Pi, in units of `2^-62`.
const PI: i128 = 0xC90F_DAA2_2168_C235;

/// Returns `exp(i pi part / degree)` for `part` up to `degree`.
fn root_of_unity(part: usize, degree: usize) -> Fixed {
    // The series is used for the first eighth of the circle alone, where its terms decrease fast;
    // the rest follows by symmetry.
    if part > degree / 2 {
        let (re, im) = root_of_unity(degree - part, degree);
        return (-re, im);
    }
    if part > degree / 4 {
        let (re, im) = root_of_unity(degree / 2 - part, degree);
        return (im, re);
    }
    let angle = PI * part as i128 / degree as i128;
    // The loop alternates between the terms of the cosine series and of the sine series.
    let (mut sums, mut term, mut count) = ([0, 0], 1_i128 << POINT, 0);
    while term != 0 {
        let sign = if count / 2 % 2 == 0 { 1 } else { -1 };
        sums[count as usize % 2] += sign * term;
        count += 1;
        term = ((term * angle) >> POINT) / count;
    }
    (sums[0] as i64, sums[1] as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::available_torus;
    use crate::torus::FourierTable;

    fn words(count: usize) -> Vec<u64> {
        let mut state = 7_u64;
        let step = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state.wrapping_mul(0x2545_f491_4f6c_dd1d)
        };
        std::iter::repeat_with(step).take(count).collect()
    }

    #[test]
    fn roots_lie_on_the_circle_where_they_should() {
        for degree in [256, 2048] {
            for part in 0..=degree {
                let (re, im) = root_of_unity(part, degree);
                let square = i128::from(re).pow(2) + i128::from(im).pow(2);
                assert!((square - (1 << (2 * POINT))).abs() < 1 << (POINT + 7), "{part}");
                let angle = std::f64::consts::PI * part as f64 / degree as f64;
                let unit = f64::from(POINT).exp2();
                assert!((re as f64 / unit - angle.cos()).abs() < 4e-16, "{part}");
                assert!((im as f64 / unit - angle.sin()).abs() < 4e-16, "{part}");
            }
        }
        assert_eq!(root_of_unity(0, 256), (1 << POINT, 0));
        assert_eq!(root_of_unity(128, 256), (0, 1 << POINT));
        assert_eq!(root_of_unity(256, 256), (-(1 << POINT), 0));
    }

    /// Compares with the values by definition, in integers, and checks that the transform in
    /// doubles has a larger error.
    #[test]
    fn spectra_are_right_to_the_last_bits() {
        for degree in [256, 2048] {
            let words = words(degree);
            let unity: Vec<Fixed> = (0..2 * degree)
                .map(|part| match part.checked_sub(degree) {
                    None => root_of_unity(part, degree),
                    Some(part) => {
                        let (re, im) = root_of_unity(part, degree);
                        (-re, -im)
                    }
                })
                .collect();
            let mut precise = vec![0.0; degree];
            PreciseTransform::new(degree).transform(&mut words.clone(), 1.0, &mut precise);
            let reals: Vec<f64> = words.iter().map(|&word| word as i64 as f64).collect();
            let mut doubles = vec![0.0; degree];
            let table = FourierTable::new(degree);
            available_torus()[0].forward(&table, &reals, &mut doubles);

            let bits = (degree / 2).ilog2();
            let (mut errors, mut size) = ([0.0; 2], 0.0);
            for place in 0..degree / 2 {
                let reverse = (place as u32).reverse_bits() >> (32 - bits);
                let exponent = 1 + 4 * reverse as usize;
                let mut exact = [0_i128; 2];
                for (i, &word) in words.iter().enumerate() {
                    let (re, im) = unity[i * exponent % (2 * degree)];
                    exact[0] += (i128::from(word as i64) * i128::from(re)) >> 20;
                    exact[1] += (i128::from(word as i64) * i128::from(im)) >> 20;
                }
                let (group, node) = (place / 64, place % 64);
                let at = (8 * group + node % 8) * 16 + node / 8;
                for (part, exact) in exact.into_iter().enumerate() {
                    // The difference of a double and an integer, in units of 2^-42.
                    let error = |x: f64| ((x * 42_f64.exp2()) as i128 - exact) as f64;
                    let at = at + 8 * part;
                    for (sum, x) in errors.iter_mut().zip([precise[at], doubles[at]]) {
                        *sum += error(x).powi(2);
                    }
                    size += (exact as f64).powi(2);
                }
            }
            let [precise, doubles] = errors.map(|sum| 0.5 * (sum / size).log2());
            println!("{degree}: 2^{precise:.2}, by doubles 2^{doubles:.2}");
            assert!(precise < -54.0, "{degree}: 2^{precise}");
            assert!(doubles > -52.5, "{degree}: 2^{doubles}");
        }
    }
}
