//! Large allocations that report a refusal instead of aborting the program.
//!
//! The collections of the standard library abort the program when the system refuses memory: no result is saved, and only a
//! trace is printed. That may do for a name. A large piece, such as a board, a layer or a file, is allocated here.
//!
//! A caller that can handle a refusal gets it as an error. Deep inside a kernel the refusal unwinds, as a panic does but
//! without a message, to the code that runs the kernel: a crew makes it the error of the run, the command line makes it the
//! exit code.

use std::io;

/// The system refuses memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the system refuses {} MiB of memory", .bytes.div_ceil(1 << 20))]
pub struct MemoryRefused {
    /// Number of bytes asked for.
    pub bytes: u64,
}

impl MemoryRefused {
    fn of<T>(len: usize) -> MemoryRefused {
        MemoryRefused { bytes: (size_of::<T>() as u64).saturating_mul(len as u64) }
    }

    /// Unwinds to the caller that catches refusals, because the work cannot continue without the memory.
    pub fn unwind(self) -> ! {
        std::panic::resume_unwind(Box::new(self))
    }
}

impl From<MemoryRefused> for io::Error {
    fn from(refused: MemoryRefused) -> io::Error {
        io::Error::new(io::ErrorKind::OutOfMemory, refused)
    }
}

/// `len` zeros. The system provides a page only when it is written to: memory that is not used costs nothing.
///
/// # Errors
/// [`MemoryRefused`].
pub fn zeroed<T: bytemuck::Zeroable>(len: usize) -> Result<Vec<T>, MemoryRefused> {
    bytemuck::allocation::try_zeroed_vec(len).map_err(|()| MemoryRefused::of::<T>(len))
}

/// `len` zeros, as [`zeroed`]; a refusal unwinds.
pub fn zeros<T: bytemuck::Zeroable>(len: usize) -> Vec<T> {
    zeroed(len).unwrap_or_else(|refused| refused.unwind())
}

/// `len` clones of `value`; a refusal unwinds.
pub fn filled<T: Clone>(value: T, len: usize) -> Vec<T> {
    let mut all = room(len);
    all.resize(len, value);
    all
}

/// An empty vector with capacity for `len` items; a refusal unwinds.
pub fn room<T>(len: usize) -> Vec<T> {
    let mut none = Vec::new();
    match none.try_reserve_exact(len) {
        Ok(()) => none,
        Err(_) => MemoryRefused::of::<T>(len).unwind(),
    }
}

/// Makes room for at least `more` further items, with the usual growth of a vector; a refusal unwinds.
#[inline]
pub fn reserve<T>(list: &mut Vec<T>, more: usize) {
    if list.try_reserve(more).is_err() {
        MemoryRefused::of::<T>(list.len() + more).unwind();
    }
}

/// A vector of all items, of which there are `len`; a refusal unwinds.
pub fn gathered<T>(items: impl IntoIterator<Item = T>, len: usize) -> Vec<T> {
    let mut all = room(len);
    all.extend(items);
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;

    /// More than any address space has.
    const TOO_MANY: usize = 1 << 60;

    #[test]
    fn memory_is_zero_and_has_the_length_asked_for() {
        assert_eq!(zeroed::<u32>(3), Ok(vec![0; 3]));
        assert_eq!((zeros::<u64>(0), filled(7u8, 2), gathered(1..4, 3)), (vec![], vec![7, 7], vec![1, 2, 3]));
        assert!(room::<u8>(100).capacity() >= 100);
    }

    #[test]
    fn a_refusal_is_an_error_that_says_how_much_was_asked_for() {
        let refused = zeroed::<u8>(TOO_MANY).unwrap_err();
        assert_eq!(refused.bytes, TOO_MANY as u64);
        assert_eq!(refused.to_string(), "the system refuses 1099511627776 MiB of memory");
        assert_eq!(zeroed::<u64>(usize::MAX).unwrap_err().bytes, u64::MAX);
        let error = io::Error::from(refused);
        assert_eq!((error.kind(), error.to_string()), (io::ErrorKind::OutOfMemory, refused.to_string()));
    }

    #[test]
    fn a_refusal_inside_a_kernel_unwinds_with_its_words() {
        // The optimiser would remove an allocation that is not used.
        let asked: [fn(); 3] = [
            || drop(black_box(zeros::<u8>(TOO_MANY))),
            || drop(black_box(filled(1u8, TOO_MANY))),
            || reserve(black_box(&mut vec![1u8]), TOO_MANY),
        ];
        for ask in asked {
            let said = std::panic::catch_unwind(ask).unwrap_err();
            assert!(said.downcast_ref::<MemoryRefused>().is_some_and(|refused| refused.bytes >= TOO_MANY as u64));
        }
    }
}
