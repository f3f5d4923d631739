//! How a test that needs a device is skipped where there is none.

use std::fmt::Display;
use std::io::Write;

/// Set this variable where a test without a device is a failure.
const NEEDED: &str = "DESTRIER_TESTS_NEED_VULKAN";

/// Reports on stderr that a test is skipped; libtest does not capture this.
///
/// # Panics
/// When `DESTRIER_TESTS_NEED_VULKAN` is set: then a device must be there.
pub fn skip(why: impl Display) {
    assert!(std::env::var_os(NEEDED).is_none(), "{NEEDED} is set, but {why}");
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    // Without stderr the test is skipped silently.
    let _ = writeln!(std::io::stderr(), "skipped: {test}: {why}");
}
