//! Processes that do not outlive their test, however that ends.

use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::io;
use std::ops::{Deref, DerefMut};
use std::process::{Child, Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// The variable by which [`end_all`] knows what a test has started.
pub const MARK: &str = "DESTRIER_TEST_PROCESS";
/// How often [`end_all`] looks again, once a millisecond.
const LOOKS: u32 = 10_000;

/// A value of [`MARK`] that no other process has.
pub fn mark() -> String {
    static MARKS: AtomicU32 = AtomicU32::new(0);
    format!("{}-{}", std::process::id(), MARKS.fetch_add(1, Ordering::Relaxed))
}

/// Kills all processes that have a variable of this value in their environment, and waits until there is none: what a
/// process starts has its variables, in whatever session it is.
pub fn end_all(name: &str, value: &str) {
    let variable = format!("{name}={value}").into_bytes();
    let is_one = |environment: Vec<u8>| environment.split(|&byte| byte == 0).any(|one| one == variable);
    for _ in 0..LOOKS {
        let folders = fs::read_dir("/proc").into_iter().flatten().filter_map(Result::ok);
        let found = folders.filter(|folder| fs::read(folder.path().join("environ")).is_ok_and(is_one));
        let ids = found.filter_map(|folder| Pid::from_raw(folder.file_name().to_str()?.parse().ok()?));
        let ids: Vec<Pid> = ids.collect();
        if ids.is_empty() {
            return;
        }
        for id in ids {
            // It may end by itself meanwhile.
            let _ = kill_process(id, Signal::KILL);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// A process. When it is dropped, it is killed with all that it has started.
pub struct Running {
    child: Option<Child>,
    mark: String,
}

impl Running {
    /// Starts it.
    pub fn start(command: &mut Command) -> Running {
        let mark = mark();
        let child = command.env(MARK, &mark).spawn().expect("the program starts");
        Running { child: Some(child), mark }
    }

    /// Waits for its end, and for that of its output.
    pub fn wait_with_output(mut self) -> io::Result<Output> {
        self.child.take().expect("it is taken once").wait_with_output()
    }
}

impl Deref for Running {
    type Target = Child;

    fn deref(&self) -> &Child {
        self.child.as_ref().expect("it is taken at the end")
    }
}

impl DerefMut for Running {
    fn deref_mut(&mut self) -> &mut Child {
        self.child.as_mut().expect("it is taken at the end")
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            // Where there is no /proc, it alone.
            let _ = child.kill();
            let _ = child.wait();
        }
        end_all(MARK, &self.mark);
    }
}
