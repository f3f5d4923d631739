//! The primitives of the hire protocol, in one file, so that a model checker can replace them by its own.

pub use crossbeam_utils::CachePadded;
pub use std::{
    hint::spin_loop,
    sync::{
        Condvar, Mutex, MutexGuard,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    thread::yield_now,
};
