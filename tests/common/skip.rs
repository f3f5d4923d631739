//! What cannot be tested here is said, and counted in the last line of the tests. This file is part of the unit tests, too.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::io::Write;
use std::sync::{Mutex, PoisonError};

/// Set this variable where a test without a device is a failure.
const NEEDED: &str = "DESTRIER_TESTS_NEED_VULKAN";

/// Why tests were skipped, and which.
static SKIPPED: Mutex<BTreeSet<(String, String)>> = Mutex::new(BTreeSet::new());

/// Reports on stderr that this test, or a part of it, is skipped; libtest does not capture this. The last line of the tests
/// counts it.
pub fn skip(why: impl Display) {
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    // Without stderr the test is skipped silently.
    let _ = writeln!(std::io::stderr(), "skipped: {test}: {why}");
    let mut skipped = SKIPPED.lock().unwrap_or_else(PoisonError::into_inner);
    if skipped.is_empty() {
        print_at_exit();
    }
    skipped.insert((why.to_string(), test));
}

/// Skips a test that needs a device.
///
/// # Panics
/// When `DESTRIER_TESTS_NEED_VULKAN` is set: then a device must be there.
pub fn skip_without_device(why: impl Display) {
    assert!(std::env::var_os(NEEDED).is_none(), "{NEEDED} is set, but {why}");
    skip(why);
}

/// How many tests were skipped, and why.
fn summary(skipped: &BTreeSet<(String, String)>) -> String {
    let tests: BTreeSet<&String> = skipped.iter().map(|(_, test)| test).collect();
    let mut whys: BTreeMap<&String, u32> = BTreeMap::new();
    skipped.iter().for_each(|(why, _)| *whys.entry(why).or_default() += 1);
    let whys: Vec<String> = whys.into_iter().map(|(why, tests)| format!("{tests}: {why}")).collect();
    format!("skipped: {} tests, or parts of them; {}\n", tests.len(), whys.join("; "))
}

/// Prints the summary when the program ends: libtest has printed its own then, and runs nothing after it.
#[allow(
    unsafe_code,
    reason = "libtest calls nothing at its end, and no library registers a function for the end of a program"
)]
fn print_at_exit() {
    extern "C" fn print() {
        if let Ok(skipped) = SKIPPED.try_lock() {
            // It takes no lock of the standard library, which has ended by then.
            let _ = rustix::io::write(rustix::stdio::stdout(), summary(&skipped).as_bytes());
        }
    }
    // SAFETY: the function may be called at any time, and does not unwind.
    unsafe { libc::atexit(print) };
}

mod tests {
    use super::*;
    use std::process::Command;

    /// Set for the program that skips a test.
    const SKIPS: &str = "DESTRIER_TEST_SKIPS";

    /// What [`skipped_tests_are_counted_in_the_last_line`] starts; nothing when the test command runs it itself.
    #[test]
    fn skips() {
        if std::env::var_os(SKIPS).is_some() {
            skip("there is no abacus here");
            skip("there is no sextant here");
            skip("there is no abacus here");
        }
    }

    #[test]
    fn skipped_tests_are_counted_in_the_last_line() {
        let (_, module) = module_path!().split_once("::").unwrap();
        let mut command = Command::new(std::env::current_exe().unwrap());
        let output = command.args(["--exact", &format!("{module}::skips")]).env(SKIPS, "").output().unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        let last = "skipped: 1 tests, or parts of them; 1: there is no abacus here; 1: there is no sextant here";
        assert_eq!(printed.lines().last(), Some(last), "{printed}");
        assert!(printed.contains("test result: ok. 1 passed"), "{printed}");
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(errors.matches("skipped: ").count(), 3, "{errors}");
    }

    #[test]
    fn a_test_is_counted_once_for_each_reason() {
        let entry = |why: &str, test: &str| (why.to_owned(), test.to_owned());
        let skipped = [entry("no abacus", "a"), entry("no abacus", "b"), entry("no sextant", "b")];
        assert_eq!(summary(&skipped.into()), "skipped: 2 tests, or parts of them; 2: no abacus; 1: no sextant\n");
    }
}
