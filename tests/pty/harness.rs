//! A program in a pseudo-terminal, and its screen as a terminal shows it, which answers when it is asked whether it is
//! there, once it has come to the question.

use crate::common::PATIENCE;
use crate::common::process::{MARK, end_all, mark};
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::num::NonZero;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// A program on a screen.
pub struct Pty {
    child: Box<dyn Child + Send + Sync>,
    mark: String,
    master: Box<dyn MasterPty + Send>,
    /// Its modes before the program came.
    found: String,
    keyboard: Keyboard,
    seen: Arc<Mutex<Seen>>,
}

/// Where keys come from, and answers.
type Keyboard = Arc<Mutex<Box<dyn Write + Send>>>;

/// Is a terminal there?
const QUESTION: &[u8] = b"\x1b[5n";
/// It is.
const ANSWER: &[u8] = b"\x1b[0n";

/// What came out of the program so far.
pub struct Seen {
    /// The terminal.
    pub parser: vt100::Parser,
    /// Number of bytes.
    pub bytes: usize,
}

fn size(rows: u16, cols: u16) -> PtySize {
    PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }
}

/// Keys of a terminal, such as that which interrupts.
const KEYS: usize = 17;

/// What the operating system knows of a terminal: line discipline, echo and the like.
fn modes(master: &dyn MasterPty) -> String {
    let modes = master.get_termios().expect("a terminal has modes");
    // A C library may have room for more keys than the system fills.
    let keys = &modes.control_chars[..KEYS];
    format!("{:?}", (modes.input_flags, modes.output_flags, modes.control_flags, modes.local_flags, keys))
}

/// The CPU time in a `stat` file.
pub fn cpu_time(stat: &str) -> Duration {
    let ticks = stat
        .rsplit_once(") ")
        .map_or(0, |(_, rest)| rest.split(' ').skip(11).take(2).map(|ticks| ticks.parse::<u64>().unwrap_or(0)).sum());
    Duration::from_millis(ticks * 1000 / rustix::param::clock_ticks_per_second())
}

fn side(cells: u16) -> NonZero<u16> {
    NonZero::new(cells).expect("a screen has rows and columns")
}

impl Pty {
    /// Starts a program on a screen of this size.
    pub fn spawn(mut command: CommandBuilder, rows: u16, cols: u16) -> Pty {
        let pair = native_pty_system().openpty(size(rows, cols)).expect("a pseudo-terminal");
        let found = modes(&*pair.master);
        let mark = mark();
        command.env(MARK, &mark);
        let child = pair.slave.spawn_command(command).expect("the program starts");
        let mut output = pair.master.try_clone_reader().expect("a reader");
        let keyboard: Keyboard = Arc::new(Mutex::new(pair.master.take_writer().expect("a writer")));
        let seen = Arc::new(Mutex::new(Seen { parser: vt100::Parser::new(side(rows), side(cols), 0), bytes: 0 }));
        let (filled, answering) = (seen.clone(), keyboard.clone());
        std::thread::spawn(move || {
            let (mut buffer, mut asked) = ([0; 1 << 16], Vec::new());
            while let Ok(n @ 1..) = output.read(&mut buffer) {
                let mut seen = filled.lock().expect("no reader panics");
                seen.parser.process(&buffer[..n]);
                seen.bytes += n;
                drop(seen);
                asked.extend_from_slice(&buffer[..n]);
                let questions = asked.windows(QUESTION.len()).filter(|bytes| *bytes == QUESTION).count();
                // A question may come in two pieces.
                asked.drain(..asked.len().saturating_sub(QUESTION.len() - 1));
                // The program may have ended, and then needs no answer.
                let _ = answering.lock().expect("no holder panics").write_all(&ANSWER.repeat(questions));
            }
        });
        Pty { child, mark, master: pair.master, found, keyboard, seen }
    }

    /// What came out so far.
    pub fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().expect("the reader does not panic")
    }

    /// The screen as text.
    pub fn text(&self) -> String {
        self.seen().parser.screen().contents()
    }

    /// Waits until the screen is as wanted.
    ///
    /// # Panics
    /// With the screen, when that takes too long.
    pub fn wait(&self, what: &str, wanted: impl Fn(&vt100::Screen) -> bool) {
        let began = Instant::now();
        while !wanted(self.seen().parser.screen()) {
            assert!(began.elapsed() < PATIENCE, "no {what} on the screen:\n{}", self.text());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits until the screen shows a text.
    pub fn wait_for(&self, text: &str) {
        self.wait(text, |screen| screen.contents().contains(text));
    }

    /// Presses keys.
    pub fn press(&mut self, keys: &str) {
        let mut keyboard = self.keyboard.lock().expect("no holder panics");
        keyboard.write_all(keys.as_bytes()).and_then(|()| keyboard.flush()).expect("the terminal takes keys");
    }

    /// Gives the screen another size.
    pub fn resize(&self, rows: u16, cols: u16) {
        self.seen().parser.screen_mut().set_size(side(rows), side(cols));
        self.master.resize(size(rows, cols)).expect("the terminal can be resized");
    }

    /// Number of the process.
    pub fn process(&self) -> rustix::process::Pid {
        let id = self.child.process_id().expect("it runs") as i32;
        rustix::process::Pid::from_raw(id).expect("no process is number 0")
    }

    /// Sends a signal.
    pub fn signal(&self, signal: rustix::process::Signal) {
        rustix::process::kill_process(self.process(), signal).expect("it is ours");
    }

    /// The letter of the process state, `T` for stopped.
    pub fn state(&self) -> char {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.process())).unwrap_or_default();
        stat.rsplit_once(") ").and_then(|(_, rest)| rest.chars().next()).unwrap_or('?')
    }

    /// CPU time of the program's first thread.
    pub fn cpu_of_first_thread(&self) -> Duration {
        let process = self.process();
        cpu_time(&std::fs::read_to_string(format!("/proc/{process}/task/{process}/stat")).unwrap_or_default())
    }

    /// Holds a key down until the program has ended; answers what a shell says of it, which is 130 after Ctrl-C.
    ///
    /// A terminal that the program has just left makes a signal of Ctrl-C, and that which comes when the program no
    /// longer catches it ends it with no code of its own.
    pub fn hold(&mut self, key: &str) -> u32 {
        let began = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("it is ours") {
                return if status.signal() == Some("Interrupt") { 130 } else { status.exit_code() };
            }
            assert!(began.elapsed() < PATIENCE, "{key:?} does not end it:\n{}", self.text());
            if self.seen().parser.screen().alternate_screen() {
                // The program may have ended, and then its terminal takes no keys.
                let _ = self.keyboard.lock().expect("no holder panics").write_all(key.as_bytes());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Waits until the process is in a state.
    pub fn wait_state(&self, wanted: char) {
        let began = Instant::now();
        while self.state() != wanted {
            assert!(began.elapsed() < PATIENCE, "state {} instead of {wanted}", self.state());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits for the end; answers the exit code.
    pub fn exit_code(&mut self) -> u32 {
        let began = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("it is ours") {
                return status.exit_code();
            }
            assert!(began.elapsed() < PATIENCE, "it does not end:\n{}", self.text());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Presses the key that leaves every view, which then ends well: nothing goes on that would be lost.
    pub fn quit(&mut self) {
        self.press("q");
        let code = self.exit_code();
        assert_eq!(code, 0, "{}", self.text());
    }

    /// Presses escape where there is nothing that it could close: it never leaves.
    pub fn escape_in_vain(&mut self) {
        self.press("\x1b");
        self.wait_for("nothing is open; q leaves");
    }

    /// Presses a key by which what goes on is lost, and agrees to that.
    pub fn lose(&mut self, key: &str) {
        self.press(key);
        self.wait("question", |screen| screen.contents().lines().any(|line| line.trim_end().ends_with("y/n")));
        self.press("y");
    }

    /// Leaves what goes on; it then ends well.
    pub fn give_up(&mut self) {
        self.lose("q");
        assert_eq!(self.exit_code(), 0);
    }

    /// Waits until all has come out of a program that is stopped or gone, and the terminal is as it was found: main
    /// screen, cursor shown, pasted text not marked, keys echoed and taken line by line. Nothing is left on the
    /// alternate screen.
    pub fn wait_restored(&self) {
        self.wait("shell's terminal", |screen| {
            !screen.alternate_screen() && !screen.hide_cursor() && !screen.bracketed_paste()
        });
        assert_eq!(modes(&*self.master), self.found);
        let parser = &mut self.seen().parser;
        parser.process(b"\x1b[?47h");
        let left = parser.screen().contents();
        parser.process(b"\x1b[?47l");
        assert_eq!(left.trim(), "", "on the alternate screen");
    }
}

impl Drop for Pty {
    /// A program that a failed test leaves behind would go on for ever.
    fn drop(&mut self) {
        end_all(MARK, &self.mark);
        let _ = self.child.wait();
    }
}
