//! A terminal that can go away under a program: a pseudo-terminal of which the test alone holds the other end.

use super::harness::cpu_time;
use crate::common::PATIENCE;
use crate::common::process::Running;
use crate::common::{PROGRAM, heedful, shell_line};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags};
use rustix::io::{FdFlags, fcntl_setfd};
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Termios, Winsize, tcgetattr, tcsetwinsize};
use std::ffi::CString;
use std::fs::File;
use std::io::{Read, Write};
use std::num::NonZero;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

/// A program that leads a session on such a terminal, which is read only while something is waited for on it.
pub struct Line {
    child: Running,
    master: Option<File>,
    /// The name of its other end.
    name: CString,
    screen: vt100::Parser,
}

/// This program's name and its arguments.
pub fn destrier(args: &str) -> Vec<&str> {
    [&**PROGRAM].into_iter().chain(args.split_whitespace()).collect()
}

/// A line for the shell, with this program for `DESTRIER`.
pub fn shell(line: &str) -> Vec<String> {
    ["sh", "-c", &shell_line(line)].map(str::to_owned).into()
}

impl Line {
    /// Starts a program with its arguments on 24 rows of 80 columns.
    pub fn spawn(words: &[impl AsRef<std::ffi::OsStr>]) -> Line {
        Line::sized(words, (24, 80))
    }

    /// Starts a program on a terminal that says to be of this size; what is seen of it are 24 rows of 80 columns.
    pub fn sized(words: &[impl AsRef<std::ffi::OsStr>], (rows, cols): (u16, u16)) -> Line {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pseudo-terminal");
        fcntl_setfd(&master, FdFlags::CLOEXEC).expect("it is ours");
        grantpt(&master).and_then(|()| unlockpt(&master)).expect("it is ours");
        let name = ptsname(&master, Vec::new()).expect("it has a name");
        let size = Winsize { ws_row: rows, ws_col: cols, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&master, size).expect("it takes a size");
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
        let user = File::from(rustix::fs::open(&name, flags, Mode::empty()).expect("its other end"));
        let shared = || user.try_clone().expect("another descriptor");
        // It needs no fork here: the program takes its place, and its number.
        let mut command = heedful("setsid");
        command.arg("--ctty").args(words).stdin(shared()).stdout(shared()).stderr(shared());
        command.env("TERM", "xterm-256color").env("LC_ALL", "C.UTF-8").env_remove("NO_COLOR");
        command.current_dir(std::env::temp_dir());
        let child = Running::start(&mut command);
        let side = |cells| NonZero::new(cells).expect("a screen has rows and columns");
        Line { child, master: Some(master.into()), name, screen: vt100::Parser::new(side(24), side(80), 0) }
    }

    /// Waits until the screen is as wanted.
    ///
    /// # Panics
    /// With the screen, when that takes too long.
    pub fn wait(&mut self, what: &str, wanted: impl Fn(&vt100::Screen) -> bool) {
        let began = Instant::now();
        while !wanted(self.screen.screen()) {
            let text = self.screen.screen().contents();
            assert!(began.elapsed() < PATIENCE, "no {what} on the screen:\n{text}");
            self.read(Duration::from_millis(100));
        }
    }

    /// Waits until the screen shows a text.
    pub fn wait_for(&mut self, text: &str) {
        self.wait(text, |screen| screen.contents().contains(text));
    }

    /// Reads for a while.
    pub fn read_for(&mut self, time: Duration) {
        let began = Instant::now();
        while began.elapsed() < time {
            self.read(time.saturating_sub(began.elapsed()));
        }
    }

    fn read(&mut self, at_most: Duration) {
        let mut master = self.master.as_ref().expect("the terminal is there");
        let mut polled = [PollFd::new(&master, PollFlags::IN)];
        let time = Timespec::try_from(at_most).expect("a short time");
        if poll(&mut polled, Some(&time)).is_ok_and(|ready| ready > 0) {
            let mut bytes = [0; 1 << 16];
            // An error is the end of the program, whose last words have been read.
            let n = master.read(&mut bytes).unwrap_or(0);
            self.screen.process(&bytes[..n]);
        }
    }

    /// Presses keys.
    pub fn press(&mut self, keys: &str) {
        self.master.as_ref().expect("the terminal is there").write_all(keys.as_bytes()).expect("it takes keys");
    }

    /// How the terminal treats what is typed and what is written.
    pub fn modes(&self) -> Termios {
        tcgetattr(self.master.as_ref().expect("the terminal is there")).expect("a terminal has modes")
    }

    /// Whether the terminal takes more output before it is read.
    pub fn takes_output(&self) -> bool {
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
        let user = rustix::fs::open(&self.name, flags, Mode::empty()).expect("its other end");
        let mut polled = [PollFd::new(&user, PollFlags::OUT)];
        poll(&mut polled, Some(&Timespec::default())).expect("a terminal can be polled") > 0
    }

    /// The process that the program has started and waits for, if there is one.
    pub fn started(&self) -> Option<Pid> {
        let children = self.proc(&format!("task/{}/children", self.child.id()));
        Pid::from_raw(children.split_whitespace().next()?.parse().ok()?)
    }

    /// Takes the terminal away.
    pub fn hang_up(&mut self) {
        self.master = None;
    }

    /// Sends a signal.
    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).expect("it is ours");
    }

    /// What `/proc` says of the program in a file there.
    pub fn proc(&self, file: &str) -> String {
        std::fs::read_to_string(format!("/proc/{}/{file}", self.child.id())).unwrap_or_default()
    }

    /// The CPU time that the program's first thread has used.
    pub fn cpu_of_first_thread(&self) -> Duration {
        cpu_time(&self.proc(&format!("task/{}/stat", self.child.id())))
    }

    /// How often the program's first thread has waited for something.
    pub fn rests(&self) -> String {
        let status = self.proc(&format!("task/{}/status", self.child.id()));
        status.lines().find(|line| line.starts_with("voluntary")).unwrap_or_default().to_owned()
    }

    /// Whether the program still runs.
    pub fn runs(&mut self) -> bool {
        self.child.try_wait().expect("it is ours").is_none()
    }

    /// Reads until the program has ended.
    pub fn read_to_the_end(&mut self) {
        let began = Instant::now();
        while self.runs() {
            assert!(began.elapsed() < PATIENCE, "it does not end");
            self.read(Duration::from_millis(20));
        }
    }

    /// Number of the process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Reads until the program's first thread has done something and rests again: it has taken what was sent to it.
    pub fn read_until_it_rests(&mut self, before: &str) {
        let began = Instant::now();
        while self.rests() == before {
            assert!(began.elapsed() < PATIENCE, "it takes no notice");
            self.read(Duration::from_millis(5));
        }
    }

    /// Waits for the end.
    ///
    /// # Panics
    /// When it does not come.
    pub fn status(&mut self) -> ExitStatus {
        let began = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("it is ours") {
                return status;
            }
            assert!(began.elapsed() < PATIENCE, "it does not end; its first thread: {:?}", self.cpu_of_first_thread());
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}
