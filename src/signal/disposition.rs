//! What a signal does that asks for no end: signals that the program was started to ignore, the file size limit, and the
//! request to save.

use crate::save_request;
use signal_hook::consts::{SIGUSR1, SIGXFSZ};
use signal_hook::flag;
use std::fs::File;
use std::io::{self, Read};
use std::sync::{Arc, LazyLock};

/// More bytes than the status has on most machines. The system does not tell its length: without room for it the file takes
/// ten reads instead of two, at every start of the program.
const STATUS_BYTES: usize = 1 << 12;

/// Whether the program was started with a signal ignored: `nohup` ignores SIGHUP, and a shell without job control ignores
/// SIGINT and SIGQUIT of the programs that it runs in the background. To catch such a signal would override the user.
///
/// Only Linux tells it without a query for the signal's handler, which needs unsafe code. On other systems no signal counts
/// as ignored.
pub fn is_ignored(signal: i32) -> bool {
    // The program itself ignores no signal later, so the file is read once.
    static STATUS: LazyLock<String> = LazyLock::new(|| {
        let mut status = String::with_capacity(STATUS_BYTES);
        let read = File::open("/proc/self/status").and_then(|mut file| file.read_to_string(&mut status));
        read.map_or_else(|_| String::new(), |_| status)
    });
    says_ignored(&STATUS, signal)
}

/// Makes a write beyond the file size limit of the process (`ulimit -f`) fail like a write to a full disk. The write
/// returns an error, which its caller reports or tolerates, and the process continues. By default the system would kill the
/// process.
///
/// # Errors
/// When the operating system refuses.
pub fn outlive_limits() -> io::Result<()> {
    if !is_ignored(SIGXFSZ) {
        // The flag is never read: it is enough that the signal is caught.
        flag::register(SIGXFSZ, Arc::default())?;
    }
    Ok(())
}

/// Lets SIGUSR1 ask for a [save](save_request) in place of ending the program.
///
/// # Errors
/// When the operating system refuses.
pub fn catch_save_requests() -> io::Result<()> {
    if !is_ignored(SIGUSR1) {
        flag::register(SIGUSR1, Arc::clone(save_request::flag()))?;
    }
    Ok(())
}

/// Whether the mask of ignored signals in the text of a `status` file has a signal; bit 0 is signal 1.
fn says_ignored(status: &str, signal: i32) -> bool {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| (1..=64).contains(&signal) && mask >> (signal - 1) & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

    #[test]
    fn the_mask_is_read_from_its_lowest_bit() {
        let status =
            "Name:\tdestrier\nSigBlk:\tffffffffffffffff\nSigIgn:\t0000000000000003\nSigCgt:\t0000000000000000\n";
        assert_eq!([SIGHUP, SIGINT, SIGTERM].map(|signal| says_ignored(status, signal)), [true, true, false]);
        assert!(says_ignored("SigIgn:\t8000000000000000\n", 64));
    }

    #[test]
    fn a_signal_that_the_mask_does_not_have_is_not_ignored() {
        for status in ["", "SigIgn:\n", "SigIgn:\tnoise\n", "SigCgt:\t0000000000000001\n"] {
            assert!(!says_ignored(status, SIGHUP), "{status:?}");
        }
        for signal in [-1, 0, 65, i32::MAX, i32::MIN] {
            assert!(!says_ignored("SigIgn:\tffffffffffffffff\n", signal), "{signal}");
        }
    }
}
