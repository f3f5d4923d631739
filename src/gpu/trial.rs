//! What tests say where there is no device for them.

use std::fmt::Display;
use std::io::Write;

/// Set where a test without a device is a failure: there is one, or should be.
const NEEDED: &str = "DESTRIER_TESTS_NEED_VULKAN";

/// Says that a test is skipped, past what keeps the output of tests that pass to itself.
///
/// # Panics
/// Where a device has to be there.
pub fn skip(why: impl Display) {
    assert!(std::env::var_os(NEEDED).is_none(), "{NEEDED} is set, but {why}");
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    // Where nobody can be told the test is skipped all the same.
    let _ = writeln!(std::io::stderr(), "skipped: {test}: {why}");
}
