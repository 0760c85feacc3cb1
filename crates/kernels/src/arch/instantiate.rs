//! Implements [`crate::Kernel`] for every instruction set from its [`crate::lanes::Lanes`].

/// Implements `Kernel` for a token. Each operation is one function that enables the instruction set
/// and contains the whole algorithm, so that a row costs one indirect call.
macro_rules! kernel {
    ($token:ident, $name:literal, $(#[$feature:meta])?) => {
        impl $crate::KernelInfo for $token {
            fn name(&self) -> &'static str {
                $name
            }

            fn supports(&self, modulus: &$crate::Modulus) -> bool {
                let bound = <Self as $crate::lanes::Lanes>::MODULUS_BOUND;
                let odd_or_scalar = modulus.value() % 2 == 1 || bound > $crate::modulus::W46_MAX;
                modulus.value() < bound && odd_or_scalar
            }

            fn form(&self) -> $crate::Form {
                <Self as $crate::lanes::Lanes>::FORM
            }
        }

        impl $crate::Kernel for $token {
            fn permute(&self, out: &mut [u64], a: &[u64], indices: &[u32]) {
                $crate::generic::permute(out, a, indices);
            }

            $crate::arch::instantiate::operations! { $token, generic, $(#[$feature])?
                ntt_forward_lazy(table: &$crate::NttTable, row: &mut [u64]);
                ntt_forward(table: &$crate::NttTable, row: &mut [u64]);
                ntt_forward_centered(
                    table: &$crate::NttTable,
                    out: &mut [u64],
                    excess: &[u64],
                    p: &$crate::Modulus
                );
                ntt_forward_scaled(
                    table: &$crate::NttTable,
                    out: &mut [u64],
                    integers: &[i64],
                    factor: &$crate::Constant,
                    addend: Option<&[i64]>
                );
                ntt_inverse(
                    table: &$crate::NttTable, row: &mut [u64], scale: &$crate::InverseScale
                );
                ntt_inverse_excess(
                    table: &$crate::NttTable,
                    out: &mut [u64],
                    values: &[u64],
                    scale: &$crate::InverseScale
                );
                add(m: &$crate::Modulus, out: &mut [u64], a: &[u64], b: &[u64]);
                sub(m: &$crate::Modulus, out: &mut [u64], a: &[u64], b: &[u64]);
                neg(m: &$crate::Modulus, out: &mut [u64], a: &[u64]);
                add_assign(m: &$crate::Modulus, a: &mut [u64], b: &[u64]);
                sub_assign(m: &$crate::Modulus, a: &mut [u64], b: &[u64]);
                neg_assign(m: &$crate::Modulus, a: &mut [u64]);
                mul(m: &$crate::Modulus, out: &mut [u64], a: &[u64], b: &[u64]);
                mul_assign(m: &$crate::Modulus, a: &mut [u64], b: &[u64]);
                mul_add_assign(m: &$crate::Modulus, acc: &mut [u64], a: &[u64], b: &[u64]);
                mul_constant_assign(m: &$crate::Modulus, a: &mut [u64], c: &$crate::Constant);
                mul_constant_repeatedly_assign(
                    m: &$crate::Modulus, a: &mut [u64], c: &$crate::Constant, times: usize
                );
                mul_constant_add_assign(
                    m: &$crate::Modulus, acc: &mut [u64], a: &[u64], c: &$crate::Constant
                );
                dot(m: &$crate::Modulus, out: &mut [u64], x: &[&[u64]], k: &[&[u64]]);
                weighted_sums(
                    m: &$crate::Modulus,
                    out: &mut [&mut [u64]],
                    rows: &[&[u64]],
                    weights: &[&[i64]]
                );
                key_product(
                    table: &$crate::NttTable,
                    out: [&mut [u64]; 2],
                    digits: &mut [$crate::Digit<'_>],
                    key: &$crate::KeyRow
                );
                tensor(
                    m: &$crate::Modulus,
                    out: [&mut [u64]; 3],
                    pairs: &[$crate::TensorRows<'_>]
                );
                count_above_assign(words: &mut [u64], thresholds: &[u64]);
                weight_differences(row: &mut [u64]);
                ternary_digits(row: &mut [u64]);
                center_beside_assign(m: &$crate::Modulus, row: &mut [u64], small: &[i64]);
                mul_constant_centered(
                    m: &$crate::Modulus, out: &mut [i64], a: &[u64], c: &$crate::Constant
                );
                lift(m: &$crate::Modulus, out: &mut [u64], small: &[i64]);
                mul_small_add_assign(
                    m: &$crate::Modulus, acc: &mut [u64], small: &[i64], c: &$crate::Constant
                );
                round_quotient(out: &mut [u64], sources: &[&[u64]], inverses: &[f64]);
                base_convert(
                    m: &$crate::Modulus, out: &mut [u64], sources: &[&[u64]], weights: &[u64]
                );
                base_convert_small(
                    m: &$crate::Modulus,
                    out: &mut [u64],
                    sources: &[&[u64]],
                    small: &[&[i64]],
                    weights: &[u64]
                );
                mod_down_assign(
                    m: &$crate::Modulus,
                    acc: &mut [u64],
                    delta: &[u64],
                    inverse: &$crate::Constant,
                    addend: Option<(&[u64], &$crate::Constant)>
                );
            }
        }

        impl $crate::lanes::SharedPasses for $token {
            $crate::arch::instantiate::operations! { $token, generic, $(#[$feature])?
                pass_of_words(table: &$crate::NttTable, row: &mut [$crate::line::Line]);
                pass_of_centered(
                    table: &$crate::NttTable,
                    row: &mut [$crate::line::Line],
                    excess: &[u64],
                    p: &$crate::Modulus
                );
                later_passes(table: &$crate::NttTable, row: &mut [$crate::line::Line]);
                lazy_blocks(table: &$crate::NttTable, row: &mut [$crate::line::Line]);
                canonical_blocks(table: &$crate::NttTable, row: &mut [$crate::line::Line]);
            }
        }
    };
}

/// Implements `TorusKernel` for a token.
macro_rules! torus_kernel {
    ($token:ident, $name:literal, $(#[$feature:meta])?) => {
        impl $crate::torus::TorusKernel for $token {
            fn name(&self) -> &'static str {
                $name
            }

            $crate::arch::instantiate::operations! { $token, torus, $(#[$feature])?
                forward(
                    table: &$crate::torus::FourierTable, polynomial: &[f64], spectrum: &mut [f64]
                );
                inverse_add(
                    table: &$crate::torus::FourierTable,
                    spectrum: &mut [f64],
                    polynomial: &mut [f64]
                );
                multiply_add(sum: &mut [f64], a: &[f64], b: &[f64]);
                rotate(
                    table: &$crate::torus::FourierTable,
                    work: &$crate::torus::SharedRotation<'_>
                );
                key_switch(
                    table: &$crate::torus::KeySwitchTable,
                    key: &$crate::torus::SwitchKey,
                    inputs: &[u64],
                    outputs: &mut [u64],
                    scratch: &mut [f64]
                );
                binary_product(words: &[u64], bits: &[i64], sum: &mut u64);
                short_binary_product(words: &[u32], bits: &[i64], sum: &mut u64);
                short_sum(sum: &mut [u32], a: &[u32], b: &[u32]);
            }
        }

        impl $crate::torus::SharedParts for $token {
            $crate::arch::instantiate::operations! { $token, torus, $(#[$feature])?
                sweep_down(passes: &[$crate::torus::Pass], lines: &mut [$crate::torus::Line]);
                sweep_up(passes: &[$crate::torus::Pass], lines: &mut [$crate::torus::Line]);
                tails_down(
                    tails: &[$crate::torus::Tail],
                    lines: &mut [$crate::torus::Line],
                    fetch: Option<&$crate::torus::Fetch<'_>>
                );
                tails_up(
                    tails: &[$crate::torus::Tail],
                    lines: &mut [$crate::torus::Line],
                    fetch: Option<&$crate::torus::Fetch<'_>>
                );
                group_down(
                    tail: &$crate::torus::Tail,
                    group: &mut $crate::torus::Group<'_>,
                    rows: usize
                );
                group_up(
                    tail: &$crate::torus::Tail,
                    group: &mut $crate::torus::Group<'_>,
                    shape: &$crate::torus::ProductShape
                );
                transform_all(
                    steps: &[Option<$crate::torus::Step<'_>>; 2],
                    fetch: &$crate::torus::Fetch<'_>,
                    columns: &mut $crate::torus::Columns<'_>
                );
                multiply_all(
                    step: &$crate::torus::Step<'_>,
                    fetch: &$crate::torus::Fetch<'_>,
                    places: &mut $crate::torus::Places<'_>
                );
                turn_over_all(
                    steps: &[Option<$crate::torus::Step<'_>>; 2],
                    fetch: &$crate::torus::Fetch<'_>,
                    columns: &mut $crate::torus::Columns<'_>
                );
                multiply_groups(
                    step: &$crate::torus::Step<'_>,
                    fetch: &$crate::torus::Fetch<'_>,
                    places: &mut $crate::torus::Places<'_>
                );
                multiply_extended(
                    step: &$crate::torus::Step<'_>,
                    fetch: &$crate::torus::Fetch<'_>,
                    places: &mut $crate::torus::Places<'_>
                );
            }
        }
    };
}

/// Declares one trait method per line, each calling the algorithm of the same name in a module.
macro_rules! operations {
    (
        $token:ident, $module:ident, $(#[$feature:meta])?
        $operation:ident ( $($argument:ident : $kind:ty),* ); $($rest:tt)*
    ) => {
        fn $operation(&self, $($argument: $kind),*) {
            $(#[$feature])?
            fn run(lanes: $token, $($argument: $kind),*) {
                $crate::$module::$operation(lanes, $($argument),*);
            }
            $crate::arch::instantiate::enter!(
                $(#[$feature])? run(*self, $($argument),*)
            );
        }
        $crate::arch::instantiate::operations! {
            $token, $module, $(#[$feature])? $($rest)*
        }
    };
    ($token:ident, $module:ident, $(#[$feature:meta])?) => {};
}

/// Calls a function that may enable instruction sets.
macro_rules! enter {
    (#[$feature:meta] $call:expr) => {
        // SAFETY: the token exists only where its instruction set was detected.
        unsafe { $call }
    };
    ($call:expr) => {
        $call
    };
}

pub(crate) use {enter, kernel, operations, torus_kernel};
