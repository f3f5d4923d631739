//! Signals that whoever started the program told it to ignore.

/// Whether a signal is ignored. Asked before the signal is caught, this tells what was inherited: `nohup` ignores
/// SIGHUP, and a shell without job control SIGINT and SIGQUIT of what it runs in the background. To catch such a signal
/// would be to override its user.
///
/// Only Linux says it without asking for the signal's handler, which needs unsafe code; elsewhere nothing is known of
/// it and no signal counts as ignored.
pub fn is_ignored(signal: i32) -> bool {
    std::fs::read_to_string("/proc/self/status").is_ok_and(|status| says_ignored(&status, signal))
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
    fn what_is_not_said_is_not_ignored() {
        for status in ["", "SigIgn:\n", "SigIgn:\tnoise\n", "SigCgt:\t0000000000000001\n"] {
            assert!(!says_ignored(status, SIGHUP), "{status:?}");
        }
        for signal in [-1, 0, 65, i32::MAX, i32::MIN] {
            assert!(!says_ignored("SigIgn:\tffffffffffffffff\n", signal), "{signal}");
        }
    }
}
