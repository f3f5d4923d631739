//! Names of files that a terminal would obey: no command prints them as they are, in text or in JSON, and what it prints to be typed
//! can be pasted.

use crate::common::process::end_all;
use crate::common::{HALT, PROGRAM, destrier, heedful, stderr, stdout};
use destrier::words::is_obeyed;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use tempfile::TempDir;

/// A title, a colour by the one-byte introducer, the end of a line, and writing from right to left.
const NAME: &str = "\x1b]0;pwn\x07 it's\n\u{9b}31m\u{202e}\u{2066}";

/// A folder of this name, in which commands are typed, and a folder of runs.
struct Folder {
    whole: TempDir,
}

impl Folder {
    fn new() -> Folder {
        // The name of a socket is short.
        let whole = tempfile::tempdir_in("/tmp").unwrap();
        fs::create_dir(whole.path().join(NAME)).unwrap();
        Folder { whole }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.whole.path().join(NAME).join(name.replace("NAME", NAME))
    }

    fn runs(&self) -> PathBuf {
        self.whole.path().join("runs")
    }

    /// Runs a command, in which NAME stands for that name, and looks at all that it prints.
    fn run(&self, line: &str, halt: Option<&str>) -> Output {
        let words: Vec<String> = line.split(' ').map(|word| word.replace("NAME", NAME)).collect();
        let mut command = destrier(&words.iter().map(String::as_str).collect::<Vec<_>>());
        command.current_dir(self.at("")).env("DESTRIER_RUNS", self.runs()).envs(halt.map(|halt| (HALT, halt)));
        let output = command.output().expect("the program starts");
        for text in [stdout(&output), stderr(&output)] {
            let obeyed: Vec<char> = text.chars().filter(|&c| c != '\n' && is_obeyed(c)).collect();
            assert!(obeyed.is_empty(), "{line} prints {obeyed:?}: {text}");
        }
        if line.contains("--json") && !output.stdout.is_empty() {
            serde_json::from_slice::<Value>(&output.stdout).unwrap();
        }
        assert!(matches!(output.status.code(), Some(0..=3 | 128..)), "{line}: {}: {}", output.status, stderr(&output));
        output
    }

    /// Types a line that was printed, with the program in PATH.
    fn paste(&self, line: &str) {
        let bin = Path::new(&*PROGRAM).parent().unwrap().to_str().unwrap();
        let mut command = heedful("bash");
        command.args(["-c", line]).stdin(Stdio::null()).env("DESTRIER_RUNS", self.runs());
        command.env("PATH", [bin, &std::env::var("PATH").unwrap()].join(":"));
        let output = command.current_dir(self.at("")).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{line}: {}", stderr(&output));
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        end_all("DESTRIER_RUNS", &self.runs().to_string_lossy());
    }
}

#[test]
fn no_command_prints_a_name_as_it_is() {
    let folder = Folder::new();
    fs::write(folder.at("holes-NAME"), "a1 NAME").unwrap();
    fs::write(folder.at("bad-NAME"), "3x4 a3 c2 a1 b3 d2 b1 c3 d1 b2 d3 c1 a1\n3x4 NAME\n").unwrap();
    for line in [
        "search 5x6 --open --out tours-NAME",
        "search 5x6 --open --out tours-NAME",
        "search 5x6 --out NAME/tours --json",
        "search 5x6 --checkpoint kept-NAME --json",
        "resume kept-NAME --out NAME",
        "search 5x6 --record journal-NAME --trace trace-NAME",
        "replay journal-NAME",
        "replay journal-NAME --json",
        "compare journal-NAME journal-NAME",
        "compare journal-NAME journal-NAME --json",
        "count 5x6 --checkpoint count-NAME",
        "resume count-NAME --json --deadline 1s",
        "verify tours-NAME",
        "verify bad-NAME --json",
        "verify NAME",
        "rank bad-NAME",
        "find 5x6 --open --method lookup --library tours-NAME",
        "find 5x6 --open --method lookup --library bad-NAME --json",
        "find 5x6 --out found-NAME",
        "find 5x6 --out found-NAME --json",
        "find 5x6 --holes holes-NAME",
        "find 5x6 --must holes-NAME",
        "unrank 3x10 0 --layers layers-NAME",
        "unrank 3x10 0 --layers layers-NAME --json",
        "count 5x6 --spill spill-NAME --json",
        "gpu map 4x4 --adapter cpu --csv map-NAME --json",
        "shards 5x6 --for kubernetes --parts 2 --image image-NAME",
        "shards 5x6 --for slurm --parts 2 --out-dir NAME",
        "merge NAME",
        "resume NAME",
        "doctor --config NAME",
    ] {
        folder.run(line, None);
    }
    let pods = stdout(&folder.run("shards 5x6 --for kubernetes --parts 2 --image image-NAME", None));
    assert!(pods.contains(r"image-\u001b]0;pwn\u0007 it's\n\u009b31m\u202e\u2066"), "{pods}");
}

/// What merge prints makes the parts whole when it is pasted, whatever the names of the folder and of a stray file.
#[test]
fn commands_that_are_printed_can_be_pasted() {
    let folder = Folder::new();
    folder.run("search 5x6 --shard 1/3 --out-dir parts-NAME", None);
    fs::write(folder.at("parts-NAME/stray-NAME.part"), "junk").unwrap();
    folder.run("merge parts-NAME --estimate", None);
    let told: Value = serde_json::from_slice(&folder.run("merge parts-NAME --json", None).stdout).unwrap();
    assert_eq!(told["commands"].as_array().unwrap().len(), 3, "{told}");
    assert!(told["wrong"][0].as_str().unwrap().contains(NAME), "{told}");
    let output = folder.run("merge parts-NAME", None);
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    text.lines().filter_map(|line| line.strip_prefix("  ")).for_each(|line| folder.paste(line));
    assert!(folder.at("parts-NAME/stray-NAME.part.other").exists());
    assert_eq!(folder.run("merge parts-NAME", None).status.code(), Some(0));

    folder.run("count 5x6 --modulus 2147483647 --out-dir counts-NAME --threads 1", None);
    fs::write(folder.at("counts-NAME/stray-NAME.part"), "junk").unwrap();
    let text = stdout(&folder.run("merge counts-NAME", None));
    let typed = text.lines().filter_map(|line| line.strip_prefix("type     "));
    typed.filter(|line| !line.contains("merge")).for_each(|line| folder.paste(line));
    assert_eq!(folder.run("merge counts-NAME", None).status.code(), Some(0), "{text}");

    let output =
        folder.run("search 6x6 --solver path --checkpoint kept-NAME --out tours-NAME", Some("stop@nodes:1000"));
    let said = stderr(&output);
    folder.paste(said.lines().find_map(|line| line.split_once("to go on: ")).expect("it can be resumed").1);
    assert!(folder.at("tours-NAME").exists());
}

#[test]
fn the_list_of_runs_prints_no_name_as_it_is() {
    let folder = Folder::new();
    let begun = folder.run("search 8x8 --threads 1 --checkpoint kept-NAME --detach --json", None);
    assert_eq!(begun.status.code(), Some(0), "{}", stderr(&begun));
    for line in ["runs", "runs --json", "resume kept-NAME", "runs --stop 1", "runs", "runs --json", "attach 1"] {
        folder.run(line, None);
    }
    let listed: Value = serde_json::from_slice(&folder.run("runs --json", None).stdout).unwrap();
    let resume = listed["runs"][0]["resume"].as_str().unwrap();
    folder.paste(&format!("{resume} --deadline 0.000001ms"));
    folder.run("runs --forget 1", None);
    assert!(folder.at("kept-NAME").exists(), "its name was given, so it stays");
}
