//! Whether this process was started without a stdout, as by `>&-`.
//!
//! Before `main` the standard library opens `/dev/null` in its place, and what is written is lost without an error. From then
//! on nothing tells the two apart: other programs, such as those in Python, give their children a `/dev/null` that is open for
//! the same. So it is looked at before that, by a function that the loader calls.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

static IS_CLOSED: AtomicBool = AtomicBool::new(false);

#[cfg(target_os = "linux")]
#[used]
#[allow(
    unsafe_code,
    reason = "only the name of this section makes the loader call it; it is one system call and a store"
)]
#[unsafe(link_section = ".init_array")]
static LOOK: extern "C" fn() = look;

#[cfg(target_os = "linux")]
extern "C" fn look() {
    let is_closed = rustix::io::fcntl_getfd(rustix::stdio::stdout()) == Err(rustix::io::Errno::BADF);
    IS_CLOSED.store(is_closed, Relaxed);
}

/// Whether this process was started without a stdout; `false` where the system does not let it know.
pub fn is_stdout_closed() -> bool {
    IS_CLOSED.load(Relaxed)
}
