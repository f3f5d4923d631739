//! A request to save (SIGUSR1): the run that has a checkpoint saves at its next break, and continues.
//!
//! The flag is one for the process, as the signal is. A run without a checkpoint never looks at it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// Created when the signal is caught.
static ASKED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// The flag, for the handler of the signal to set.
pub fn flag() -> &'static Arc<AtomicBool> {
    ASKED.get_or_init(Arc::default)
}

/// Whether a save was requested since the last call. Cheap enough for every burst.
#[inline]
pub fn take() -> bool {
    ASKED.get().is_some_and(|asked| asked.load(Ordering::Relaxed) && asked.swap(false, Ordering::Relaxed))
}
