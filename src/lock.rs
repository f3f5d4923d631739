//! Mutexes whose content stays in use after a thread panicked while it held the lock.
//!
//! A panic of a worker ends its run and is reported. The content of the mutexes is still sound: each change to it is
//! complete before anything that can panic. So the other threads continue to lock, finish, and save their results.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Locks a mutex whether or not a thread panicked while it held the lock.
pub trait LockAlways<T: ?Sized> {
    /// Locks the mutex; blocks until it is free.
    fn locked(&self) -> MutexGuard<'_, T>;

    /// The content; no lock is needed, because the mutex is borrowed mutably.
    fn unlocked(&mut self) -> &mut T;

    /// Takes the content out of the mutex.
    fn into_content(self) -> T
    where
        T: Sized;
}

impl<T: ?Sized> LockAlways<T> for Mutex<T> {
    fn locked(&self) -> MutexGuard<'_, T> {
        self.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn unlocked(&mut self) -> &mut T {
        self.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    fn into_content(self) -> T
    where
        T: Sized,
    {
        self.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits on `condvar`, and holds the lock again afterwards.
pub fn wait<'a, T>(condvar: &Condvar, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
    condvar.wait(guard).unwrap_or_else(PoisonError::into_inner)
}
