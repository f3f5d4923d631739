//! Whether the terminal has gone away: its window was closed, its connection cut, its server killed.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::BorrowedFd;
use rustix::fs::{FileType, fstat};
use rustix::io::Errno;
use rustix::stdio::{stderr, stdin, stdout};
use std::io;

/// Whether a terminal that the program was given has hung up. Such a terminal is no longer reported as a terminal. But it
/// stays a character device, unlike a file or a pipe whose other end is closed.
pub fn terminal_has_gone() -> bool {
    [stdin(), stdout(), stderr()].into_iter().any(has_hung_up)
}

/// Whether an error of reading or writing a terminal means that the terminal has gone away. Then the program can show no
/// message, and it ends as by SIGHUP, whether that signal was received, was ignored, or was sent to another process.
pub fn is_hangup(error: &io::Error) -> bool {
    let of_terminals = [Errno::IO, Errno::NXIO].map(|errno| Some(errno.raw_os_error()));
    of_terminals.contains(&error.raw_os_error()) && terminal_has_gone()
}

fn has_hung_up(descriptor: BorrowedFd<'_>) -> bool {
    let is_device =
        fstat(descriptor).is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::CharacterDevice);
    let mut polled = [PollFd::from_borrowed_fd(descriptor, PollFlags::empty())];
    is_device && poll(&mut polled, Some(&Timespec::default())).is_ok() && polled[0].revents().contains(PollFlags::HUP)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::os::fd::AsFd;

    #[test]
    fn a_device_a_file_and_a_closed_pipe_have_not_hung_up() {
        let null = File::open("/dev/null").unwrap();
        let file = tempfile::tempfile().unwrap();
        let (reader, writer) = io::pipe().unwrap();
        drop(writer);
        for descriptor in [null.as_fd(), file.as_fd(), reader.as_fd()] {
            assert!(!has_hung_up(descriptor));
        }
    }

    #[test]
    fn a_disk_that_fails_is_no_terminal_that_has_gone() {
        assert!(!is_hangup(&io::Error::from_raw_os_error(Errno::NOSPC.raw_os_error())));
        // The tests may run on a terminal that is still open, or on none.
        assert!(!is_hangup(&io::Error::from_raw_os_error(Errno::IO.raw_os_error())));
    }
}
