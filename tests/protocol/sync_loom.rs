//! The primitives of the protocol and the threads of the model, by loom.

pub use loom::{
    hint::spin_loop,
    sync::{
        Arc, Condvar, Mutex, MutexGuard,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    thread::{spawn, yield_now},
};

/// Stands for the padding, which a model does not need.
pub struct CachePadded<T>(T);

impl<T> CachePadded<T> {
    pub fn new(value: T) -> CachePadded<T> {
        CachePadded(value)
    }
}

impl<T> std::ops::Deref for CachePadded<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}
