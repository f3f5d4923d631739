//! The speed of the hand: how soon the help is on the screen after its key while the workers of the run keep all cores
//! busy, and how much a view writes on a small and on a large screen. The time is measured again beside a busy loop a
//! core, as if another program wanted all cores too; that has no target, as such loops get half of the cores.
//!
//! The terminal is this process, which has to wait for a core like all others, where that of a user is another machine. As
//! root, `chrt --reset-on-fork --fifo 10 cargo test --release --test battery -- hand` lets it have one at once; the view
//! that is measured, and all else that begins here, are as without.

use super::child::{NO_SETTINGS, PROGRAM};
use crate::failed;
use destrier::cli::bench::{Bench, BenchRow, cores, median};
use destrier::job::{Failure, running};
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// The search that is watched: it does not end by itself.
const ARGS: [&str; 7] = ["watch", "8x8", "--solver", "path", "--tempo", "off", "--threads"];
/// Its workers.
const WORKERS: &str = "64";
/// Screens, and the kilobytes a second that a view may write on them.
const SCREENS: [(u16, u16, f64); 2] = [(80, 24, 6.0), (200, 60, 16.0)];
/// The time in which the help is painted in 99 of 100 cases, in milliseconds.
const PAINTED_MS: f64 = 30.0;
/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(20);
/// Time for the screen to settle before the next key: a little more than a frame.
const BETWEEN_KEYS: Duration = Duration::from_millis(130);
/// The beginning of a frame.
const FRAME: &[u8] = b"\x1b[?2026h";
/// In the lower border of the help.
const HELP: &str = " searches ";
/// A question of the program, and the answer of a terminal.
const QUESTION: &[u8] = b"\x1b[5n";
const ANSWER: &[u8] = b"\x1b[0n";

/// A view in a pseudo-terminal that answers as terminals do. A view that is silent for long is ended.
struct Viewed {
    child: Box<dyn Child + Send + Sync>,
    keyboard: Box<dyn Write + Send>,
    reader: Box<dyn Read + Send>,
    /// What it has written since this was emptied; and its screen, as a terminal shows it.
    bytes: Vec<u8>,
    parser: vt100::Parser,
    /// The end of what was read last, where a question may have begun.
    tail: Vec<u8>,
    /// Tells the thread that would end the view that it has written something.
    alive: Sender<()>,
    _master: Box<dyn MasterPty + Send>,
}

impl Viewed {
    /// Starts a view on a screen of this size, and waits for its first frame.
    fn start(columns: u16, rows: u16) -> Result<Viewed, Failure> {
        let pair = native_pty_system()
            .openpty(PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 })
            .map_err(running)?;
        let mut command = CommandBuilder::new(PROGRAM);
        command.args(ARGS);
        command.arg(WORKERS);
        command.cwd(std::env::current_dir().map_err(failed)?);
        for (name, value) in [("TERM", "xterm-256color"), ("LC_ALL", "C.UTF-8"), NO_SETTINGS[0], NO_SETTINGS[1]] {
            command.env(name, value);
        }
        ["NO_COLOR", "COLORTERM"].into_iter().for_each(|name| command.env_remove(name));
        let reader = pair.master.try_clone_reader().map_err(running)?;
        let keyboard = pair.master.take_writer().map_err(running)?;
        let child = pair.slave.spawn_command(command).map_err(running)?;
        let side = |cells: u16| NonZero::new(cells).ok_or_else(|| running("a screen has rows and columns"));
        let parser = vt100::Parser::new(side(rows)?, side(columns)?, 0);
        let (bytes, tail) = (Vec::new(), Vec::new());
        let (alive, heard) = mpsc::channel();
        let mut killer = child.clone_killer();
        thread::Builder::new()
            .spawn(move || {
                while heard.recv_timeout(PATIENCE).is_ok() {}
                // It may have ended by itself.
                let _ = killer.kill();
            })
            .map_err(failed)?;
        let mut viewed = Viewed { child, keyboard, reader, bytes, parser, tail, alive, _master: pair.master };
        viewed.wait_for("q quit", true)?;
        Ok(viewed)
    }

    /// Reads what the view writes next, which it does ten times a second, and answers its questions.
    fn read(&mut self) -> Result<(), Failure> {
        let mut buffer = [0; 1 << 16];
        let read = self.reader.read(&mut buffer).map_err(failed)?;
        if read == 0 {
            return Err(running("the view has ended, or was silent for long"));
        }
        // Where that thread has ended, so has the view.
        let _ = self.alive.send(());
        self.bytes.extend_from_slice(&buffer[..read]);
        self.parser.process(&buffer[..read]);
        // A question may come in two reads.
        self.tail.extend_from_slice(&buffer[..read]);
        let asked = count(&self.tail, QUESTION);
        self.tail.drain(..self.tail.len().saturating_sub(QUESTION.len() - 1));
        self.press(&ANSWER.repeat(asked))
    }

    /// Reads for a while.
    fn read_for(&mut self, time: Duration) -> Result<(), Failure> {
        let since = Instant::now();
        while since.elapsed() < time {
            self.read()?;
        }
        Ok(())
    }

    fn press(&mut self, keys: &[u8]) -> Result<(), Failure> {
        self.keyboard.write_all(keys).and_then(|()| self.keyboard.flush()).map_err(failed)
    }

    /// Waits until the screen has a text, or no longer; answers how long that took.
    fn wait_for(&mut self, text: &str, is_there: bool) -> Result<Duration, Failure> {
        let since = Instant::now();
        while self.parser.screen().contents().contains(text) != is_there {
            if since.elapsed() > PATIENCE {
                let screen = self.parser.screen().contents();
                return Err(running(format!("the screen does not come to be with or without '{text}':\n{screen}")));
            }
            self.read()?;
        }
        Ok(since.elapsed())
    }
}

impl Drop for Viewed {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn count(bytes: &[u8], wanted: &[u8]) -> usize {
    bytes.windows(wanted.len()).filter(|window| *window == wanted).count()
}

/// Prints the rows.
///
/// # Errors
/// [`Failure`] when a view fails.
pub fn run(bench: &mut Bench) -> Result<(), Failure> {
    for (columns, rows, kilobytes) in SCREENS {
        let mut viewed = Viewed::start(columns, rows)?;
        // The first frames draw every cell.
        viewed.read_for(Duration::from_secs(bench.pick(1, 3)))?;
        viewed.bytes.clear();
        let since = Instant::now();
        viewed.read_for(Duration::from_secs(bench.pick(1, 20)))?;
        let (seconds, written) = (since.elapsed().as_secs_f64(), std::mem::take(&mut viewed.bytes));
        let rate = written.len() as f64 / seconds;
        let met = if rate <= kilobytes * 1000.0 { "met" } else { "not met" };
        let row = BenchRow::new(format!("8x8 path x{WORKERS} on {columns}x{rows}, 10 frames/s"));
        let row = row.figure("bytes_per_s", rate).figure("frames_per_s", count(&written, FRAME) as f64 / seconds);
        bench.add(row.remark(format!("target {kilobytes} KB/s: {met}")))?;
    }
    SCREENS.into_iter().try_for_each(|screen| paint(bench, screen, Some(PAINTED_MS), &format!("x{WORKERS}")))?;
    let busy = AtomicBool::new(true);
    thread::scope(|scope| {
        for _ in 0..cores() {
            scope.spawn(|| {
                while busy.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let painted =
            SCREENS.into_iter().try_for_each(|screen| paint(bench, screen, None, &format!("x{WORKERS} and others")));
        busy.store(false, Ordering::Relaxed);
        painted
    })
}

/// Opens and closes the help, and prints how long it took to be painted, with a target if there is one.
fn paint(
    bench: &mut Bench,
    (columns, rows, _): (u16, u16, f64),
    target: Option<f64>,
    busy: &str,
) -> Result<(), Failure> {
    let mut viewed = Viewed::start(columns, rows)?;
    viewed.read_for(Duration::from_secs(1))?;
    let mut took = Vec::new();
    for _ in 0..bench.pick(5, 100) {
        viewed.press(b"?")?;
        took.push(1000.0 * viewed.wait_for(HELP, true)?.as_secs_f64());
        viewed.press(b"?")?;
        viewed.wait_for(HELP, false)?;
        viewed.read_for(BETWEEN_KEYS)?;
    }
    took.sort_by(f64::total_cmp);
    let most = took[(took.len() * 99).div_ceil(100) - 1];
    let row = BenchRow::new(format!("? to paint on {columns}x{rows}, {busy} busy"));
    let row = row.figure("median_ms", median(took.iter().copied())).figure("p99_ms", most);
    bench.add(match target {
        Some(target) => {
            let met = if most <= target { "met" } else { "not met" };
            row.remark(format!("target {target} ms in 99 of 100: {met}"))
        }
        None => row,
    })
}
