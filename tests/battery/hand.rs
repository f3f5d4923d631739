//! The speed of the hand: how soon the help is on the screen after its key while all cores are busy, and how much a view
//! writes on a small and on a large screen.

use super::child::{NO_SETTINGS, PROGRAM};
use destrier::cli::bench::{Bench, BenchRow, cores, median};
use destrier::job::{Failure, running};
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
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
/// In the lower border of the help, which has more lines than the screen.
const HELP: &str = "k j: lines ";
/// A question of the program, and the answer of a terminal.
const QUESTION: &[u8] = b"\x1b[5n";
const ANSWER: &[u8] = b"\x1b[0n";

/// What a view has written: its bytes, and its screen as a terminal shows it.
struct Seen {
    bytes: Vec<u8>,
    parser: vt100::Parser,
}

/// A view in a pseudo-terminal that answers as terminals do.
struct Viewed {
    child: Box<dyn Child + Send + Sync>,
    keyboard: Arc<Mutex<Box<dyn Write + Send>>>,
    seen: Arc<Mutex<Seen>>,
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
        command.cwd(std::env::current_dir()?);
        for (name, value) in [("TERM", "xterm-256color"), ("LC_ALL", "C.UTF-8"), NO_SETTINGS[0], NO_SETTINGS[1]] {
            command.env(name, value);
        }
        ["NO_COLOR", "COLORTERM"].into_iter().for_each(|name| command.env_remove(name));
        let mut reader = pair.master.try_clone_reader().map_err(running)?;
        let keyboard = Arc::new(Mutex::new(pair.master.take_writer().map_err(running)?));
        let child = pair.slave.spawn_command(command).map_err(running)?;
        let side = |cells: u16| NonZero::new(cells).ok_or_else(|| running("a screen has rows and columns"));
        let parser = vt100::Parser::new(side(rows)?, side(columns)?, 0);
        let seen = Arc::new(Mutex::new(Seen { bytes: Vec::new(), parser }));
        let (to, answering) = (seen.clone(), keyboard.clone());
        std::thread::Builder::new().spawn(move || {
            // A question may come in two reads.
            let (mut buffer, mut tail) = ([0; 1 << 16], Vec::new());
            while let Ok(n @ 1..) = reader.read(&mut buffer) {
                tail.extend_from_slice(&buffer[..n]);
                let asked = count(&tail, QUESTION);
                tail.drain(..tail.len().saturating_sub(QUESTION.len() - 1));
                let mut seen = to.lock().unwrap_or_else(PoisonError::into_inner);
                seen.bytes.extend_from_slice(&buffer[..n]);
                seen.parser.process(&buffer[..n]);
                drop(seen);
                let mut keyboard = answering.lock().unwrap_or_else(PoisonError::into_inner);
                // The view may have ended, and then needs no answer.
                let _ = keyboard.write_all(&ANSWER.repeat(asked));
            }
        })?;
        let viewed = Viewed { child, keyboard, seen, _master: pair.master };
        viewed.wait_for("q quit", true)?;
        Ok(viewed)
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn press(&self, keys: &[u8]) -> Result<(), Failure> {
        let mut keyboard = self.keyboard.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(keyboard.write_all(keys).and_then(|()| keyboard.flush())?)
    }

    /// Waits until the screen has a text, or no longer; answers how long that took.
    fn wait_for(&self, text: &str, is_there: bool) -> Result<Duration, Failure> {
        let (since, mut looked_at) = (Instant::now(), None);
        while since.elapsed() < PATIENCE {
            let seen = self.seen();
            if looked_at != Some(seen.bytes.len()) {
                looked_at = Some(seen.bytes.len());
                if seen.parser.screen().contents().contains(text) == is_there {
                    return Ok(since.elapsed());
                }
            }
            drop(seen);
            std::thread::sleep(Duration::from_micros(200));
        }
        let screen = self.seen().parser.screen().contents();
        Err(running(format!("the screen does not come to be with or without '{text}':\n{screen}")))
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
        let viewed = Viewed::start(columns, rows)?;
        // The first frames draw every cell.
        std::thread::sleep(Duration::from_secs(3));
        viewed.seen().bytes.clear();
        let since = Instant::now();
        std::thread::sleep(Duration::from_secs(bench.pick(2, 20)));
        let (seconds, written) = (since.elapsed().as_secs_f64(), std::mem::take(&mut viewed.seen().bytes));
        let rate = written.len() as f64 / seconds;
        let met = if rate <= kilobytes * 1000.0 { "met" } else { "not met" };
        let row = BenchRow::new(format!("8x8 path x{WORKERS} on {columns}x{rows}, 10 frames/s"));
        let row = row.figure("bytes_per_s", rate).figure("frames_per_s", count(&written, FRAME) as f64 / seconds);
        bench.add(row.remark(format!("target {kilobytes} KB/s: {met}")))?;
    }
    let busy = AtomicBool::new(true);
    std::thread::scope(|scope| {
        for _ in 0..cores() {
            scope.spawn(|| {
                while busy.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let painted = paint(bench, SCREENS[0]);
        busy.store(false, Ordering::Relaxed);
        painted
    })
}

/// Opens and closes the help, and prints how long it took to be painted.
fn paint(bench: &mut Bench, (columns, rows, _): (u16, u16, f64)) -> Result<(), Failure> {
    let viewed = Viewed::start(columns, rows)?;
    std::thread::sleep(Duration::from_secs(1));
    let mut took = Vec::new();
    for _ in 0..bench.pick(20, 100) {
        viewed.press(b"?")?;
        took.push(1000.0 * viewed.wait_for(HELP, true)?.as_secs_f64());
        viewed.press(b"?")?;
        viewed.wait_for(HELP, false)?;
        std::thread::sleep(BETWEEN_KEYS);
    }
    took.sort_by(f64::total_cmp);
    let most = took[(took.len() * 99).div_ceil(100) - 1];
    let met = if most <= PAINTED_MS { "met" } else { "not met" };
    let row = BenchRow::new(format!("? to paint on {columns}x{rows}, x{WORKERS} and all cores busy"));
    let row = row.figure("median_ms", median(took.iter().copied())).figure("p99_ms", most);
    bench.add(row.remark(format!("target {PAINTED_MS} ms in 99 of 100: {met}")))
}
