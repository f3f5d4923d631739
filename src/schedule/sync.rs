//! The primitives the hire protocol is built from, in one place, so that a model checker can put its own in their stead.

pub use crossbeam_utils::CachePadded;
pub use std::{
    hint::spin_loop,
    sync::{
        Condvar, Mutex, MutexGuard,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    thread::yield_now,
};
