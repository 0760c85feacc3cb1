//! Calls into the library: without the interpreter's lock, with panics caught, and ended by Ctrl-C.

use crate::errors::Refusal;
use fathom::{CancelToken, Error};
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::{Builder, scope};
use std::time::Duration;

/// The time between two looks for a signal in a call that may take long.
const POLL: Duration = Duration::from_millis(50);

/// The number of ciphertexts from which an operation takes long enough for Ctrl-C to end it.
const MANY: usize = 16;

/// The largest degree of a ring in which an operation on one ciphertext takes milliseconds.
pub const BRIEF_DEGREE: usize = 1 << 13;

/// Stack of a thread that computes: as much as a main thread has.
const STACK_BYTES: usize = 8 << 20;

/// Runs work of milliseconds with the lock released.
///
/// # Errors
/// The refusal of the work; `InternalError` if it panics.
pub fn briefly<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, Refusal> + Send,
) -> PyResult<T> {
    py.detach(|| caught(work)).map_err(|refusal| refusal.into_exception(py))
}

/// Runs work that may take seconds on a thread of its own, while this one waits for it and for
/// signals. A signal whose handler raises, such as Ctrl-C, cancels the token that the work reads.
///
/// # Errors
/// The exception of the handler; otherwise as [`briefly`].
pub fn interruptibly<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&CancelToken) -> Result<T, Refusal> + Send,
) -> PyResult<T> {
    watched(py, work, |_| Ok(()))
}

/// Runs work that may take seconds and reads no token, such as the generation of keys, on a thread
/// of its own. A signal whose handler raises, such as Ctrl-C, abandons it: the exception is raised
/// at once, and the thread ends with its work, whose result is dropped there.
///
/// # Errors
/// The exception of the handler; otherwise as [`briefly`].
pub fn abandonable<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> PyResult<T> {
    let (sender, mut receiver) = channel();
    let run = move || {
        // Nobody receives the result of abandoned work.
        let _ = sender.send(caught(work));
    };
    if let Err(failure) = Builder::new().stack_size(STACK_BYTES).spawn(run) {
        return Err(not_started(&failure, py));
    }
    loop {
        let (received, back) = py.detach(move || {
            let received = receiver.recv_timeout(POLL);
            (received, receiver)
        });
        match received {
            Ok(result) => return result.map_err(|refusal| refusal.into_exception(py)),
            Err(RecvTimeoutError::Disconnected) => return Err(internal("no result", py)),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
        }
        receiver = back;
    }
}

/// Runs work on so many ciphertexts: as [`briefly`] if they are few, because the other thread
/// starts some milliseconds late on a busy machine, and otherwise as [`interruptibly`].
///
/// # Errors
/// As [`interruptibly`].
pub fn by_count<T: Send>(
    py: Python<'_>,
    ciphertexts: usize,
    work: impl FnOnce(&CancelToken) -> Result<T, Refusal> + Send,
) -> PyResult<T> {
    if ciphertexts < MANY {
        return briefly(py, || work(&CancelToken::new()));
    }
    interruptibly(py, work)
}

/// Runs work as [`interruptibly`] does, and calls `look` whenever this thread looks for signals. If
/// that fails, the work is cancelled too.
///
/// # Errors
/// The exception of a handler or of `look`; otherwise as [`briefly`].
pub fn watched<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&CancelToken) -> Result<T, Refusal> + Send,
    look: impl Fn(Python<'_>) -> PyResult<()>,
) -> PyResult<T> {
    let token = CancelToken::new();
    let shared = &token;
    scope(|scope| {
        let (sender, mut receiver) = channel();
        let run = move || {
            // The receiver waits until it has the result.
            let _ = sender.send(caught(|| work(shared)));
        };
        if let Err(failure) = Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, run) {
            return Err(not_started(&failure, py));
        }
        let mut raised = None;
        loop {
            let (received, back) = py.detach(move || {
                let received = receiver.recv_timeout(POLL);
                (received, receiver)
            });
            match received {
                Ok(result) => {
                    let result = result.map_err(|refusal| refusal.into_exception(py));
                    return raised.map_or(result, Err);
                }
                Err(RecvTimeoutError::Disconnected) => return Err(internal("no result", py)),
                Err(RecvTimeoutError::Timeout) => {}
            }
            let looked = py.check_signals().and_then(|()| look(py));
            if let (Err(exception), None) = (looked, &raised) {
                shared.cancel();
                raised = Some(exception);
            }
            receiver = back;
        }
    })
}

/// Runs work as [`interruptibly`] does, and reports the steps that it counts.
///
/// # Errors
/// As [`watched`]; the exception of a report.
pub fn reported<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&CancelToken, &AtomicUsize) -> Result<T, Refusal> + Send,
) -> PyResult<T> {
    let done = AtomicUsize::new(0);
    let report = |py: Python<'_>, ended: bool| -> PyResult<()> {
        let steps = done.load(Ordering::Relaxed);
        py.import("fathom._progress")?.call_method1("report", (steps, ended))?;
        Ok(())
    };
    let result = watched(py, |token| work(token, &done), |py| report(py, false))?;
    report(py, true)?;
    Ok(result)
}

/// Refuses to go on once a token is cancelled.
///
/// # Errors
/// `Interrupted`.
pub fn go_on(token: &CancelToken) -> Result<(), Refusal> {
    if token.is_cancelled() { Err(Error::Cancelled.into()) } else { Ok(()) }
}

fn not_started(failure: &std::io::Error, py: Python<'_>) -> PyErr {
    let message = format!("a thread could not be started: {failure}");
    Refusal::new("ResourceError", "threads", message).into_exception(py)
}

fn internal(what: &str, py: Python<'_>) -> PyErr {
    Refusal::new("InternalError", "panic", what).into_exception(py)
}

/// Turns a panic into a refusal.
fn caught<T>(work: impl FnOnce() -> Result<T, Refusal>) -> Result<T, Refusal> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        let message = format!("a defect of Fathom, please report it: {text}");
        Err(Refusal::new("InternalError", "panic", message))
    })
}
