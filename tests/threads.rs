//! Threads that the system refuses: whichever it is, the run goes on without it, or ends with what to do.

use crate::common::{HALT, destrier, is_halted, json, names, object, path, said, side_by_side};
use std::fs;
use tempfile::tempdir;

/// More threads than any of the commands below starts.
const THREADS_MAX: usize = 40;

/// Commands that start threads of every kind. `FOLDER` is an empty folder for each run.
const COMMANDS: &[&str] = &[
    "search 5x6 --threads 2",
    "search 5x6 --threads 2 --record FOLDER/journal",
    "search 5x6 --threads 2 --trace FOLDER/trace",
    "search 5x6 --threads 1 --balance",
    "search 5x6 --threads 2 --checkpoint FOLDER/saved",
    "search 5x6 --threads 2 --scheduler rayon",
    "search 5x6 --threads 2 --scheduler static",
    "count 5x6 --threads 2",
    "count 5x6 --threads 2 --record FOLDER/journal",
    "count 5x6 --symmetry half-turn --threads 2",
    "count 8x8 --estimate --samples 2000 --threads 2",
    "find 6x6 --threads 2",
    "find 6x6 --threads 2 --record FOLDER/journal",
    "find 5..6x6 --threads 2",
    "find 6x6 --method gpu-cycles --adapter cpu --start a1",
    "unrank 5x6 3 --threads 2",
    "simulate 5x5 --open --workers 4 --costs measured",
    "compare 5x6 --with --threads=2 --with --scheduler=static",
    "doctor --calibrate",
    "gpu map 5x5 --adapter cpu --threads 2",
];

#[test]
fn a_thread_that_is_refused_ends_a_run_with_what_to_do_or_is_done_without() {
    side_by_side(2, COMMANDS, |command| {
        let mut failed = 0;
        let is_over = (1..=THREADS_MAX).any(|nth| {
            let folder = tempdir().unwrap();
            let words: Vec<String> =
                command.split(' ').map(|word| word.replace("FOLDER", &path(&folder, ""))).collect();
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let output = destrier(&words).env(HALT, format!("refuse@thread:{nth}")).output().unwrap();
            let (code, printed, message) = said(&output);
            if !is_halted(&output) {
                assert!(matches!(code, Some(0 | 1)), "{command}: {code:?} {message}");
                return true;
            }
            assert!(!message.contains("fault of the program"), "{command}, thread {nth}: {message}");
            match code {
                Some(0 | 1) => {}
                Some(3) => {
                    failed += 1;
                    let advice = ["raise the limit of processes", "use --threads "];
                    let says_it = message.contains("could not be started: Resource temporarily unavailable");
                    assert!(says_it && advice.iter().any(|advice| message.contains(advice)), "{command}: {message}");
                    assert!(printed.is_empty() || command.contains("--symmetry"), "{command}: {printed}");
                    // A run whose workers are refused has begun: its journal is whole up to there.
                    let begun = names(folder.path()).iter().any(|name| name != "saved");
                    let is_worker = !message.contains(" thread could not be started");
                    assert!(is_worker || !begun, "{command}, thread {nth} left a file behind: {message}");
                }
                _ => panic!("{command}, thread {nth}: {code:?} {message}"),
            }
            false
        });
        assert!(is_over && failed > 0, "{command}: {failed} threads of {THREADS_MAX}");
    });
}

/// The object says it too.
#[test]
fn a_thread_that_is_refused_is_in_the_object_of_a_recorded_run() {
    let folder = tempdir().unwrap();
    let journal = path(&folder, "journal");
    let failed = (1..=THREADS_MAX).find_map(|nth| {
        let mut command = destrier(&["search", "5x6", "--threads", "2", "--record", &journal, "--json"]);
        let output = command.env(HALT, format!("refuse@thread:{nth}")).output().unwrap();
        let _ = fs::remove_file(&journal);
        let is_sampling = said(&output).2.contains("the sampling thread could not be started");
        is_sampling.then(|| object(&output))
    });
    let failed = failed.expect("no run was refused the thread that takes frames");
    assert!(failed["complete"] == false && failed["error"].as_str().unwrap().contains("sampling thread"), "{failed}");
    assert_eq!(json(&["search", "5x6", "--threads", "2", "--record", &journal, "--json"])["complete"], true);
}

#[cfg(all(feature = "tui", target_os = "linux"))]
#[test]
fn a_screen_whose_thread_is_refused_says_so() {
    use crate::pty::line::{Line, destrier};
    for (command, nth) in [("watch 6x6 --solver radley --threads 2", 1), ("count 6x6 --watch --threads 1", 2)] {
        let refusing = ["env".to_owned(), format!("{HALT}=refuse@thread:{nth}")];
        let words = destrier(command).into_iter().map(str::to_owned);
        let mut line = Line::spawn(&refusing.into_iter().chain(words).collect::<Vec<_>>());
        line.wait_for("could not be started");
        let status = line.status();
        assert_eq!(status.code(), Some(3), "{command}: {status}");
    }
}
