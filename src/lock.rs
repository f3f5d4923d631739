//! Mutexes whose content stays in use when a thread panicked while it held one.
//!
//! A panic of a worker ends its run and is reported. What the mutexes hold is still sound then: each change to it is
//! complete before anything that can panic. So the other threads lock on, finish, and save what there is.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A mutex that is locked whether a thread panicked while it held it or not.
pub trait LockAlways<T: ?Sized> {
    /// Locks the mutex; blocks until it is free.
    fn locked(&self) -> MutexGuard<'_, T>;

    /// The content, without a lock.
    fn unlocked(&mut self) -> &mut T;
}

impl<T: ?Sized> LockAlways<T> for Mutex<T> {
    fn locked(&self) -> MutexGuard<'_, T> {
        self.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn unlocked(&mut self) -> &mut T {
        self.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits on `condvar`, and has the lock again then.
pub fn wait<'a, T>(condvar: &Condvar, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
    condvar.wait(guard).unwrap_or_else(PoisonError::into_inner)
}
