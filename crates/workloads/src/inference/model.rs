//! The two models and the test images, which `training/digits.py` makes.

use std::sync::LazyLock;

use serde::Deserialize;

/// Number of pixels of an image.
pub(crate) const PIXELS: usize = 64;
/// Number of classes.
pub(crate) const CLASSES: usize = 10;

/// Two dense layers; each row has the weights of one neuron.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Layers<T> {
    pub(crate) hidden: Vec<Vec<T>>,
    pub(crate) hidden_bias: Vec<T>,
    pub(crate) output: Vec<Vec<T>>,
    pub(crate) output_bias: Vec<T>,
}

/// Both models.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Models {
    /// The least pixel that the quantized model takes as 1, of 0 to 16.
    pub(crate) threshold: u64,
    /// Weights -1, 0 and 1. Sums of the hidden layer are from -15 to 15 and scores from 0 to 31,
    /// whatever the image is.
    pub(crate) quantized: Layers<i32>,
    /// Real weights, for pixels divided by 16.
    pub(crate) real: Layers<f64>,
}

impl Models {
    /// Returns the models that are part of this crate.
    pub(crate) fn shipped() -> &'static Self {
        static MODELS: LazyLock<Models> = LazyLock::new(|| {
            serde_json::from_str(include_str!("../../data/digits-model.json"))
                .expect("a test reads the models")
        });
        &MODELS
    }
}

impl Layers<i32> {
    /// Returns the scores of the classes for pixels of 0 or 1.
    pub(crate) fn scores(&self, pixels: &[u64]) -> Vec<i32> {
        let sum = |weights: &[i32], bias: i32, values: &[i32]| -> i32 {
            weights.iter().zip(values).map(|(weight, value)| weight * value).sum::<i32>() + bias
        };
        let pixels: Vec<i32> = pixels.iter().map(|&pixel| pixel as i32).collect();
        let hidden = self.hidden.iter().zip(&self.hidden_bias);
        let hidden: Vec<i32> =
            hidden.map(|(weights, &bias)| i32::from(sum(weights, bias, &pixels) > 0)).collect();
        let output = self.output.iter().zip(&self.output_bias);
        output.map(|(weights, &bias)| sum(weights, bias, &hidden)).collect()
    }
}

impl Layers<f64> {
    /// Returns the scores of the classes for pixels from 0 to 1.
    pub(crate) fn scores(&self, pixels: &[f64]) -> Vec<f64> {
        let sum = |weights: &[f64], bias: f64, values: &[f64]| -> f64 {
            weights.iter().zip(values).map(|(weight, value)| weight * value).sum::<f64>() + bias
        };
        let hidden = self.hidden.iter().zip(&self.hidden_bias);
        let hidden: Vec<f64> =
            hidden.map(|(weights, &bias)| sum(weights, bias, pixels).powi(2)).collect();
        let output = self.output.iter().zip(&self.output_bias);
        output.map(|(weights, &bias)| sum(weights, bias, &hidden)).collect()
    }
}

/// Returns the test images that are part of this crate: for each image [`PIXELS`] integers from 0
/// to 16, row by row, and the digit that was written.
pub(crate) fn test_images() -> &'static [Vec<u64>] {
    static IMAGES: LazyLock<Vec<Vec<u64>>> = LazyLock::new(|| {
        let cells = |line: &str| line.split(',').map(str::parse).collect::<Result<Vec<u64>, _>>();
        let lines = include_str!("../../data/digits-test.csv").lines();
        lines.map(cells).collect::<Result<_, _>>().expect("a test reads the images")
    });
    &IMAGES
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the place of the first greatest score.
    fn best<T: PartialOrd>(scores: &[T]) -> usize {
        (1..scores.len()).fold(0, |best, k| if scores[k] > scores[best] { k } else { best })
    }

    /// Returns the part of the test images whose class is right.
    fn accuracy(class: impl Fn(&[u64]) -> usize) -> f64 {
        let images = test_images();
        let right = images.iter().filter(|image| {
            let (pixels, digit) = image.split_at(PIXELS);
            class(pixels) as u64 == digit[0]
        });
        right.count() as f64 / images.len() as f64
    }

    #[test]
    fn both_models_classify_the_test_images() {
        let models = Models::shipped();
        let quantized = accuracy(|pixels| {
            let bits = pixels.iter().map(|&pixel| u64::from(pixel >= models.threshold));
            best(&models.quantized.scores(&bits.collect::<Vec<_>>()))
        });
        let real = accuracy(|pixels| {
            let pixels = pixels.iter().map(|&pixel| pixel as f64 / 16.0);
            best(&models.real.scores(&pixels.collect::<Vec<_>>()))
        });
        println!("{} test images: quantized {quantized:.3}, real {real:.3}", test_images().len());
        assert!(quantized >= 0.9 && real >= 0.95, "{quantized} {real}");
    }

    #[test]
    fn all_sums_of_the_quantized_model_are_in_their_ranges() {
        let layers = &Models::shipped().quantized;
        let range = |weights: &[i32], bias: i32| {
            let part = |sign: i32| weights.iter().map(|w| (w * sign).max(0)).sum::<i32>();
            (bias - part(-1), bias + part(1))
        };
        for (weights, &bias) in layers.hidden.iter().zip(&layers.hidden_bias) {
            let (low, high) = range(weights, bias);
            assert!(low >= -15 && high <= 15, "{low} {high}");
        }
        assert_eq!(layers.output.len(), CLASSES);
        for (weights, &bias) in layers.output.iter().zip(&layers.output_bias) {
            let (low, high) = range(weights, bias);
            assert!(low >= 0 && high <= 31, "{low} {high}");
        }
    }
}
