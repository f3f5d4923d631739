//! Memory in large pieces, asked for so that a refusal can be said.
//!
//! The collections of the standard library abort the program where the system refuses memory: nothing is saved, nothing
//! is printed but a trace. That may do for a name. A piece as large as a board, a layer or a file is asked for here: who
//! can answer for a refusal gets it as an error, and from deep inside a kernel it unwinds, as a panic does but without
//! a report, to whoever runs the kernel: a crew makes it its failure, the command line its exit code.

use std::io;

/// The system refuses memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the system refuses {} MiB of memory", .bytes.div_ceil(1 << 20))]
pub struct MemoryRefused {
    /// How much was asked for.
    pub bytes: u64,
}

impl MemoryRefused {
    fn of<T>(len: usize) -> MemoryRefused {
        MemoryRefused { bytes: (size_of::<T>() as u64).saturating_mul(len as u64) }
    }

    /// Leaves what cannot go on without the memory.
    pub fn unwind(self) -> ! {
        std::panic::resume_unwind(Box::new(self))
    }
}

impl From<MemoryRefused> for io::Error {
    fn from(refused: MemoryRefused) -> io::Error {
        io::Error::new(io::ErrorKind::OutOfMemory, refused)
    }
}

/// So many zeros. Pages that are not written to are never handed over by the system: what is not used costs nothing.
///
/// # Errors
/// [`MemoryRefused`].
pub fn zeroed<T: bytemuck::Zeroable>(len: usize) -> Result<Vec<T>, MemoryRefused> {
    bytemuck::allocation::try_zeroed_vec(len).map_err(|()| MemoryRefused::of::<T>(len))
}

/// As [`zeroed`]; a refusal unwinds.
pub fn zeros<T: bytemuck::Zeroable>(len: usize) -> Vec<T> {
    zeroed(len).unwrap_or_else(|refused| refused.unwind())
}

/// So many times the same; a refusal unwinds.
pub fn filled<T: Clone>(value: T, len: usize) -> Vec<T> {
    let mut all = room(len);
    all.resize(len, value);
    all
}

/// Nothing yet, and room for so many; a refusal unwinds.
pub fn room<T>(len: usize) -> Vec<T> {
    let mut none = Vec::new();
    match none.try_reserve_exact(len) {
        Ok(()) => none,
        Err(_) => MemoryRefused::of::<T>(len).unwind(),
    }
}

/// Makes room for so many more, and as a list that grows does for some beyond; a refusal unwinds.
#[inline]
pub fn reserve<T>(list: &mut Vec<T>, more: usize) {
    if list.try_reserve(more).is_err() {
        MemoryRefused::of::<T>(list.len() + more).unwind();
    }
}

/// Everything that comes, of which there will be so many; a refusal unwinds.
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
    fn what_is_had_is_zero_and_as_long_as_was_asked() {
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
        // What nobody looks at is not asked for, once it is optimised.
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
