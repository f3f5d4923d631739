//! A search whose parts are being made while a picture of them is taken.

use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use tempfile::TempDir;

/// Stands for the folder of the parts.
pub const PARTS: &str = "PARTS";

/// The folder, and the thread that makes one part after another.
pub struct PartsFolder {
    folder: TempDir,
    over: Arc<AtomicBool>,
    maker: Option<JoinHandle<()>>,
}

impl PartsFolder {
    /// Begins to make parts.
    pub fn new() -> PartsFolder {
        let folder = tempfile::tempdir_in("/tmp").expect("there is room for it");
        let mut parts = PartsFolder { folder, over: Arc::default(), maker: None };
        let (over, place) = (parts.over.clone(), parts.word(PARTS));
        parts.maker = Some(std::thread::spawn(move || {
            for part in (1..=400).take_while(|_| !over.load(Ordering::Relaxed)) {
                let mut command = Command::new(env!("CARGO_BIN_EXE_destrier"));
                command.args(["search", "7x8", "--every=500ms", "--threads=1", "--out-dir", &place]);
                command.arg(format!("--shard={part}/400"));
                let made = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
                assert!(made.is_ok_and(|status| status.success()), "a part can be made");
            }
        }));
        parts
    }

    /// An argument, with the path of the folder for the word that stands for it.
    pub fn word(&self, word: &str) -> String {
        match word {
            PARTS => self.folder.path().join("parts").into_os_string().into_string().expect("its name is text"),
            other => other.to_owned(),
        }
    }
}

impl Drop for PartsFolder {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        let _ = self.maker.take().map(JoinHandle::join);
    }
}
