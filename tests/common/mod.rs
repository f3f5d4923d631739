//! What tests of the program from outside share: where it stands, how it is run, what it said, and what is in a folder
//! that it writes to.

pub mod process;
pub mod shapes;
pub mod tours;

use process::Running;
use serde_json::Value;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Read};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The 8x8 tour that Suraj N. Kurapati prints.
pub const KURAPATI: &str = include_str!("../../src/board/kurapati.txt");

/// The program that is tested.
pub static PROGRAM: LazyLock<String> = of_cargo!("CARGO_BIN_EXE_destrier");
/// The folder of the project.
pub static PROJECT: LazyLock<String> = of_cargo!("CARGO_MANIFEST_DIR");
/// A folder for what tests write.
pub static SCRATCH: LazyLock<String> = of_cargo!("CARGO_TARGET_TMPDIR");

/// What cargo says of the build of the tests, unless the variable says otherwise: tests may be run where their build is gone, of a
/// program that was built in another way.
macro_rules! of_cargo {
    ($name:literal) => {
        LazyLock::new(|| std::env::var($name).unwrap_or_else(|_| env!($name).to_owned()))
    };
}
use of_cargo;

/// An open tour of 3x4, as the program writes it.
pub const LINE_3X4: &str = "3x4 a3 c2 a1 b3 d2 b1 c3 d1 b2 d3 c1 a2\n";

/// How long any test waits for anything, on a machine that is as busy as it may be.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// What random tests draw from: one seed for each run of the tests, unless the variable that proptest reads has another one.
pub fn random() -> fastrand::Rng {
    let seed = std::env::var("PROPTEST_RNG_SEED").ok().and_then(|seed| seed.parse().ok());
    fastrand::Rng::with_seed(seed.unwrap_or(1))
}

/// Does the same with every item, some of them side by side, for tests that mostly wait for the program.
///
/// # Panics
/// When it panics with an item, after the items that were begun.
pub fn side_by_side<T: Sync>(at_once: usize, items: &[T], each: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            each(item);
        }
    };
    std::thread::scope(|scope| (0..at_once).for_each(|_| drop(scope.spawn(work))));
}

/// The variable that names the point at which the program ends, for tests.
pub const HALT: &str = "DESTRIER_TEST_HALT";

/// Keeps the program from the settings of the user who runs the tests: each start has a home of its own for settings, which
/// exists once the program remembers something.
pub fn of_no_user(mut set: impl FnMut(&str, Option<&Path>)) {
    static STARTS: AtomicU32 = AtomicU32::new(0);
    let start = STARTS.fetch_add(1, Ordering::Relaxed);
    let home = Path::new(&*SCRATCH).join(format!("settings-{}-{start}", std::process::id()));
    set("XDG_CONFIG_HOME", Some(&home));
    set("XDG_STATE_HOME", Some(&home));
    for name in ["DESTRIER_CONFIG", "DESTRIER_THREADS", "SLURM_CPUS_PER_TASK", "COLORFGBG"] {
        set(name, None);
    }
}

/// A command to which signals do what they usually do. A test that was started in the background, or by nohup, ignores
/// some, and so would all that it starts.
pub fn heedful(program: &str) -> Command {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    let [hup, int, term] = [1, 2, 15].map(|signal| 1u64 << (signal - 1));
    let mut command = match ignored.is_none_or(|ignored| ignored & (hup | int | term) == 0) {
        true => Command::new(program),
        false => {
            let mut command = Command::new("env");
            command.args(["--default-signal", program]);
            command
        }
    };
    of_no_user(|name, value| {
        match value {
            Some(folder) => command.env(name, folder),
            None => command.env_remove(name),
        };
    });
    command
}

/// The program with these arguments and nothing to read.
pub fn destrier(args: &[&str]) -> Command {
    let mut command = heedful(&PROGRAM);
    command.args(args).stdin(Stdio::null());
    command
}

/// A line for the shell, with the program for `DESTRIER`, wherever its folder is and however that is called.
pub fn shell_line(line: &str) -> String {
    assert!(!PROGRAM.contains('\''), "the shell could not be told of it");
    line.replace("DESTRIER", &format!("'{}'", *PROGRAM))
}

/// The shell with such a line, and nothing to read.
pub fn shell(line: &str) -> Command {
    let mut command = heedful("sh");
    command.args(["-c", &shell_line(line)]).stdin(Stdio::null());
    command
}

/// The program with these arguments, and so many KiB of address space.
pub fn limited(kib: u32, args: &[&str]) -> Command {
    let mut command = shell(&format!("ulimit -v {kib} && exec DESTRIER \"$@\""));
    // A trace would want memory, where there is none. The first word behind the line is the name of the shell.
    command.arg("sh").args(args).env("RUST_BACKTRACE", "0");
    command
}

/// Runs the program to its end.
pub fn run(args: &[&str]) -> Output {
    destrier(args).output().expect("the program starts")
}

/// Runs the program, which ends by itself at this point of its life: `kill@save:2`.
///
/// # Panics
/// When it does not get there.
pub fn halted(args: &[&str], halt: &str) -> Output {
    let output = destrier(args).env(HALT, halt).output().expect("the program starts");
    assert!(is_halted(&output), "{args:?} never comes to {halt}: {}", stderr(&output));
    output
}

/// Whether a run has come to the point at which it was to end.
pub fn is_halted(output: &Output) -> bool {
    stderr(output).contains(HALT)
}

/// Starts it, with what it says kept for later.
pub fn spawn(mut command: Command) -> Running {
    Running::start(command.stdout(Stdio::piped()).stderr(Stdio::piped()))
}

/// Writes `input` to the program until it ends or stops reading.
pub fn feed(mut command: Command, mut input: impl Read) -> Output {
    command.stdin(Stdio::piped());
    let mut child = spawn(command);
    let mut stdin = child.stdin.take().unwrap();
    match io::copy(&mut input, &mut stdin) {
        Err(error) => assert_eq!(error.kind(), io::ErrorKind::BrokenPipe),
        Ok(_) => drop(stdin),
    }
    child.wait_with_output().unwrap()
}

/// The peak of a process's memory so far, in KiB; nothing once it has ended.
pub fn peak_kib(process: u32) -> Option<u64> {
    let status = fs::read_to_string(Path::new("/proc").join(process.to_string()).join("status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// Sends a signal to what still runs.
pub fn send(child: &Child, signal: &str) {
    let kill = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status();
    assert!(kill.is_ok_and(|status| status.success()), "SIG{signal} cannot be sent");
}

/// What the program printed, which is always text.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap_or_else(|error| panic!("{error}: {}", bytes.escape_ascii()))
}

/// What it printed on standard output.
pub fn stdout(output: &Output) -> String {
    text(&output.stdout)
}

/// What a program says on stderr, less the lines of progress that it prints every ten seconds (`0:10  ..`).
pub fn remarks(output: &Output) -> String {
    let is_progress = |line: &str| {
        let clock = line.split("  ").next().unwrap_or_default();
        clock.contains(':') && clock.chars().all(|c| c.is_ascii_digit() || c == ':')
    };
    stderr(output).lines().filter(|line| !is_progress(line)).map(|line| format!("{line}\n")).collect()
}

/// What it printed on standard error.
pub fn stderr(output: &Output) -> String {
    text(&output.stderr)
}

/// Exit code, stdout, and stderr less the lines of progress.
pub fn said(output: &Output) -> (Option<i32>, String, String) {
    (output.status.code(), stdout(output), remarks(output))
}

/// The JSON object that is all of its standard output.
pub fn object(output: &Output) -> Value {
    let printed = stdout(output);
    serde_json::from_str(&printed).unwrap_or_else(|error| panic!("{error}: {printed}{}", stderr(output)))
}

/// The object of a run that ends with this code.
pub fn json_of(args: &[&str], code: i32) -> Value {
    let output = run(args);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {}", stderr(&output));
    object(&output)
}

/// The object of a run that ends well.
pub fn json(args: &[&str]) -> Value {
    json_of(args, 0)
}

/// Bad input: exit code 2, nothing on stdout, and a message that says what would be right.
pub fn assert_refused(args: &[&str], says: &str) {
    let (code, printed, message) = said(&run(args));
    assert_eq!((code, printed.as_str()), (Some(2), ""), "{args:?}: {message}");
    assert!(message.contains(says), "{args:?} says: {message}");
}

/// The path of a file in a folder, as an argument.
pub fn path(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).to_str().expect("a plain name").to_owned()
}

/// Names in a folder, of which those of unfinished files begin with a dot.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

/// Whether a file in a folder, which may come and go meanwhile, holds something.
pub fn is_written_to(folder: &Path) -> bool {
    let mut entries = fs::read_dir(folder).unwrap().filter_map(Result::ok);
    entries.any(|entry| entry.metadata().is_ok_and(|data| data.len() > 0))
}

/// The lines of a file, in whatever order.
#[derive(PartialEq, Eq, Debug)]
pub struct Listing {
    /// How many.
    pub lines: u64,
    /// A hash of each, in rising order.
    hashes: Vec<u64>,
}

impl Listing {
    /// What a file has, which ends with the end of a line.
    pub fn of(file: &Path) -> Listing {
        let bytes = fs::read(file).unwrap();
        assert!(bytes.last().is_none_or(|&byte| byte == b'\n'), "its last line is torn");
        let hash = |line: &[u8]| {
            let mut hasher = DefaultHasher::new();
            line.hash(&mut hasher);
            hasher.finish()
        };
        let mut hashes: Vec<u64> = bytes.split_inclusive(|&byte| byte == b'\n').map(hash).collect();
        hashes.sort_unstable();
        Listing { lines: hashes.len() as u64, hashes }
    }

    /// How many lines there are of which none is there twice.
    pub fn different(&self) -> u64 {
        self.hashes.chunk_by(|one, next| one == next).count() as u64
    }
}

/// Waits for something.
///
/// # Panics
/// When it takes too long.
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < PATIENCE, "not after {PATIENCE:?}: {what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// A file locked as a run locks its own, until this is dropped. It is unlocked, not only closed: a child that another test is
/// just starting holds a copy of the descriptor, and with it the lock, until it is another program.
pub struct Locked(fs::File);

impl Locked {
    /// The lock, unless another holds it.
    pub fn try_new(path: impl AsRef<Path>) -> Option<Self> {
        let file = fs::File::open(path).ok()?;
        file.try_lock().is_ok().then_some(Self(file))
    }
}

impl Drop for Locked {
    fn drop(&mut self) {
        self.0.unlock().expect("it is locked");
    }
}
