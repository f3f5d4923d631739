//! What must be there before pictures are taken: a journal, runs without a screen, and a search whose parts are being made.

use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use tempfile::TempDir;

/// Stands for the journal.
pub const JOURNAL: &str = "JOURNAL";
/// Stands for the folder of the parts.
pub const PARTS: &str = "PARTS";

/// The folder in which all that is.
pub struct Set {
    folder: TempDir,
    over: Arc<AtomicBool>,
    maker: Option<JoinHandle<()>>,
}

impl Set {
    /// Makes it all.
    pub fn new() -> Set {
        let folder = tempfile::tempdir_in("/tmp").expect("there is room for it");
        let mut set = Set { folder, over: Arc::default(), maker: None };
        set.run("search 8x8 --threads 16 --deadline 6s --record JOURNAL");
        set.run("count 8x8 --detach --threads 1");
        set.run("search 6x8 --detach --threads 2");
        set.run("search 8x8 --detach --threads 16");
        let (over, parts, path) = (set.over.clone(), set.word(PARTS), set.runs());
        set.maker = Some(std::thread::spawn(move || {
            for part in (1..=400).take_while(|_| !over.load(Ordering::Relaxed)) {
                let args = ["search", "7x8", "--every=500ms", "--threads=1", "--out-dir", &parts];
                let shard = format!("--shard={part}/400");
                let made = program(&path).args(args).arg(shard).stdout(Stdio::null()).stderr(Stdio::null()).status();
                assert!(made.is_ok_and(|status| status.success()), "a part can be made");
            }
        }));
        set
    }

    /// An argument, with a path for what stands for one.
    pub fn word(&self, word: &str) -> String {
        let name = match word {
            JOURNAL => "run.zst",
            PARTS => "parts",
            other => return other.to_owned(),
        };
        self.folder.path().join(name).into_os_string().into_string().expect("its name is text")
    }

    /// The folder of the runs.
    pub fn runs(&self) -> String {
        self.folder.path().join("runs").into_os_string().into_string().expect("its name is text")
    }

    fn run(&self, args: &str) -> Output {
        let output = program(&self.runs()).args(args.split(' ').map(|word| self.word(word))).output();
        output.ok().filter(|output| output.status.success()).unwrap_or_else(|| panic!("{args} does not end well"))
    }
}

impl Drop for Set {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        let listed = serde_json::from_slice(&self.run("runs --json").stdout).unwrap_or(serde_json::Value::Null);
        for run in listed["runs"].as_array().into_iter().flatten().filter(|run| run["socket"].is_string()) {
            let _ = Command::new("kill").arg(run["pid"].to_string()).status();
        }
        let _ = self.maker.take().map(JoinHandle::join);
    }
}

fn program(runs: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_destrier"));
    command.env("DESTRIER_RUNS", runs).stdin(Stdio::null());
    command
}
