//! What the live view costs the search under it, and how much it writes: the program in a pseudo-terminal.

use crate::child::{self, NO_SETTINGS, Whose};
use crate::failed;
use destrier::cli::bench::{Bench, BenchRow, LapTime, cores, median};
use destrier::job::{Failure, running};
use portable_pty::{Child, CommandBuilder, PtySize, native_pty_system};
use serde_json::Value;
use std::ffi::OsStr;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// What is searched: it does not end by itself.
const QUESTION: [&str; 3] = ["8x8", "--solver", "path"];
/// The terminal of the view.
const SCREEN: PtySize = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
/// How long the view may take to start or to leave.
const PATIENCE: Duration = Duration::from_secs(20);
/// What a program writes when it leaves the alternate screen.
const LEAVE: &[u8] = b"\x1b[?1049l";
/// Bytes a second that the view may write at 80x24 with 64 threads.
const BYTES_PER_S_MAX: f64 = 8192.0;

/// What a run printed at its end, and what it took.
pub struct ViewFigures {
    nodes: u64,
    elapsed_s: f64,
    time: LapTime,
    /// CPU time of the thread that estimates the tree, and of keys and screen.
    estimate_s: f64,
    screen_s: f64,
    bytes: usize,
}

impl ViewFigures {
    fn new(json: &str, time: LapTime) -> Result<ViewFigures, Failure> {
        let report: Value = serde_json::from_str(json).map_err(|error| running(format!("{error}: {json}")))?;
        let nodes_of = |object: &Value| object["nodes"].as_u64().unwrap_or(0);
        let nodes = nodes_of(&report);
        let by_workers: u64 = report["workers"].as_array().into_iter().flatten().map(nodes_of).sum();
        if nodes == 0 || nodes != by_workers || report["complete"] != Value::Bool(false) {
            return Err(running(format!("this is no report of a run that was stopped: {json}")));
        }
        let elapsed_s = report["elapsed_s"].as_f64().unwrap_or(0.0);
        Ok(ViewFigures { nodes, elapsed_s, time, estimate_s: 0.0, screen_s: 0.0, bytes: 0 })
    }

    /// How long the search took.
    pub fn elapsed_s(&self) -> f64 {
        self.elapsed_s
    }

    /// Nodes by CPU second of everything but the estimate.
    pub fn rate(&self) -> f64 {
        self.nodes as f64 / (self.time.cpu_s - self.estimate_s)
    }
}

/// Who used the CPU time of a live view.
struct ViewShares {
    /// All threads, those that have ended too.
    all_s: f64,
    /// The first thread: keys and screen.
    screen_s: f64,
    /// The workers.
    workers_s: f64,
}

impl ViewShares {
    /// Who used the CPU time of this running process so far.
    fn of(process: u32) -> ViewShares {
        let folder = PathBuf::from(format!("/proc/{process}"));
        let threads = fs::read_dir(folder.join("task")).into_iter().flatten().flatten().map(|entry| entry.path());
        let is_worker =
            |thread: &PathBuf| fs::read_to_string(thread.join("comm")).is_ok_and(|name| name.starts_with("worker-"));
        ViewShares {
            all_s: child::cpu_s(&folder, Whose::Own),
            screen_s: child::cpu_s(&folder.join(format!("task/{process}")), Whose::Own),
            workers_s: threads.filter(is_worker).map(|thread| child::cpu_s(&thread, Whose::Own)).sum(),
        }
    }
}

/// Prints the rows.
///
/// # Errors
/// [`Failure`] when a run fails.
pub fn run(bench: &mut Bench) -> Result<(), Failure> {
    if !Path::new("/proc/self/stat").exists() {
        return bench.add(BenchRow::new("skipped").remark("it needs /proc to know the CPU time of other processes"));
    }
    let cores = cores().to_string();
    let (milliseconds, rounds) = bench.pick((300, 1), (6_000, 5));
    let length = Duration::from_millis(milliseconds);
    let (mut off, mut on) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        off.push(headless(&cores, length, &[])?);
        on.push(in_terminal(&cores, length)?);
    }
    // Neighbours in time met the same machine.
    let cost = median(off.iter().zip(&on).map(|(off, on)| 100.0 * (1.0 - on.rate() / off.rate())));
    let share = |part: fn(&ViewFigures) -> f64| median(on.iter().map(|run| 100.0 * part(run) / run.time.cpu_s));
    let what = format!("8x8 path x{cores}, live view");
    bench.add(row(format!("{what} off"), &off))?;
    bench.add(
        row(format!("{what} on"), &on)
            .figure("cost_percent", cost)
            .figure("screen_percent", share(|run| run.screen_s))
            .figure("estimate_percent", share(|run| run.estimate_s))
            .remark("target: a cost within 2 %, the screen in it; the estimate, 1 s and then 1 %, is not in it"),
    )?;
    let many = in_terminal("64", length)?;
    let rate = many.bytes as f64 / many.elapsed_s;
    let met = if rate <= BYTES_PER_S_MAX { "met" } else { "not met" };
    let row = BenchRow::new("8x8 path x64 on 80x24, 10 frames/s").took(many.time);
    bench.add(row.figure("bytes_per_s", rate).remark(format!("target 8 KB/s: {met}; htop 14 KB/s at that rate")))
}

/// The medians of some runs.
pub fn row(what: String, runs: &[ViewFigures]) -> BenchRow {
    let of = |figure: fn(&ViewFigures) -> f64| median(runs.iter().map(figure));
    BenchRow::new(what)
        .took(LapTime::median(runs.iter().map(|run| run.time)))
        .figure("nodes_per_cpu_s", of(ViewFigures::rate).round() as u64)
        .figure("nodes_per_s", of(|run| run.nodes as f64 / run.elapsed_s).round() as u64)
}

/// A search by so many threads for so long, with these options more.
///
/// # Errors
/// [`Failure`] when it fails.
pub fn headless(threads: &str, length: Duration, options: &[&OsStr]) -> Result<ViewFigures, Failure> {
    let deadline = format!("{}ms", length.as_millis());
    let mut command = Command::new(child::PROGRAM);
    command.arg("search").args(QUESTION).args(["--threads", threads, "--deadline", &deadline, "--json"]).args(options);
    let (out, _, time) = child::run(&mut command)?;
    ViewFigures::new(&out, time)
}

/// Shows the search for a while, then presses `q`, and `y`, for it goes on; the summary follows the screen.
fn in_terminal(threads: &str, length: Duration) -> Result<ViewFigures, Failure> {
    let (before, began) = (child::cpu_of_children_s(), Instant::now());
    let pair = native_pty_system().openpty(SCREEN).map_err(running)?;
    let mut reader = pair.master.try_clone_reader().map_err(running)?;
    let mut keyboard = pair.master.take_writer().map_err(running)?;
    // What it says on the way stays off the screen and out of its bytes.
    let mut command = CommandBuilder::new("sh");
    command.args(["-c", r#"exec "$0" "$@" 2>/dev/null"#, child::PROGRAM, "watch"]);
    command.args(QUESTION);
    command.args(["--threads", threads, "--json"]);
    // Without this it would begin in the user's home, which not every user has.
    command.cwd(std::env::current_dir().map_err(failed)?);
    for (name, value) in [("TERM", "xterm-256color"), ("LC_ALL", "C.UTF-8"), NO_SETTINGS[0], NO_SETTINGS[1]] {
        command.env(name, value);
    }
    ["NO_COLOR", "COLORTERM"].into_iter().for_each(|name| command.env_remove(name));
    let mut view = pair.slave.spawn_command(command).map_err(running)?;
    let process = view.process_id().ok_or_else(|| running("the live view has no process"))?;
    // The user's end is the view's alone: reading would never end while it is open here.
    drop(pair.slave);
    let output = std::thread::Builder::new()
        .spawn(move || {
            let mut output = Vec::new();
            // The end of a pseudo-terminal is an error on Linux; all that came before it is there.
            let _ = reader.read_to_end(&mut output);
            output
        })
        .map_err(failed)?;
    std::thread::sleep(length);
    let shares = ViewShares::of(process);
    keyboard.write_all(b"qy").map_err(failed)?;
    let ended = wait(&mut *view);
    let output = output.join().map_err(|_| running("the reader of the terminal panicked"))?;
    if !ended? {
        return Err(running(format!("the live view failed: {}", String::from_utf8_lossy(&output))));
    }
    let time = LapTime { cpu_s: child::cpu_of_children_s() - before, wall_s: began.elapsed().as_secs_f64() };
    let left = output.windows(LEAVE.len()).rposition(|bytes| bytes == LEAVE).map_or(0, |at| at + LEAVE.len());
    let json = String::from_utf8_lossy(&output[left..]);
    let object = json.find('{').map_or("", |at| json[at..].trim_end());
    let estimate_s = shares.all_s - shares.screen_s - shares.workers_s;
    Ok(ViewFigures { estimate_s, screen_s: shares.screen_s, bytes: left, ..ViewFigures::new(object, time)? })
}

/// Waits for a process to end, and ends it when it does not; answers whether it ended well.
fn wait(process: &mut dyn Child) -> Result<bool, Failure> {
    let began = Instant::now();
    while began.elapsed() < PATIENCE {
        if let Some(status) = process.try_wait().map_err(failed)? {
            return Ok(status.success());
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    process.kill().map_err(failed)?;
    process.wait().map_err(failed)?;
    Err(running("the live view did not end when it was told to"))
}
