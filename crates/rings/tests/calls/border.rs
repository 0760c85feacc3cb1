//! The operations that BFV has and BGV has not.

use fathom::Error;
use fathom::bfv::{Bfv, MsbCiphertext};
use fathom::bgv::Bgv;
use fathom::rlwe::modular::{Ciphertext, Evaluator, Modular, Params};
use fathom::wire::{Wire, WireObject};

pub(crate) trait Border: Modular {
    fn mul_scale_invariant(
        evaluator: &Evaluator<Self>,
        a: &Ciphertext<Self>,
        b: &Ciphertext<Self>,
    ) -> Result<Ciphertext<Self>, Error>;

    /// Converts to the form of the BFV paper and back, by a reader with these parameters.
    fn msb(
        params: &Params<Self>,
        a: &Ciphertext<Self>,
        wire: bool,
    ) -> Result<Ciphertext<Self>, Error>;
}

impl Border for Bfv {
    fn mul_scale_invariant(
        evaluator: &Evaluator<Bfv>,
        a: &Ciphertext<Bfv>,
        b: &Ciphertext<Bfv>,
    ) -> Result<Ciphertext<Bfv>, Error> {
        evaluator.mul_scale_invariant(a, b)
    }

    fn msb(
        params: &Params<Bfv>,
        a: &Ciphertext<Bfv>,
        wire: bool,
    ) -> Result<Ciphertext<Bfv>, Error> {
        let msb = a.to_msb();
        if !wire {
            return params.from_msb(&msb);
        }
        params.from_msb(&MsbCiphertext::from_bytes(params, &msb.to_bytes())?)
    }
}

/// BGV takes its nearest operation.
impl Border for Bgv {
    fn mul_scale_invariant(
        evaluator: &Evaluator<Bgv>,
        a: &Ciphertext<Bgv>,
        b: &Ciphertext<Bgv>,
    ) -> Result<Ciphertext<Bgv>, Error> {
        let product = evaluator.tensor(a, b)?;
        evaluator.relinearize(&product)
    }

    fn msb(params: &Params<Bgv>, a: &Ciphertext<Bgv>, _: bool) -> Result<Ciphertext<Bgv>, Error> {
        Ciphertext::from_bytes(params, &a.to_bytes())
    }
}
