//! Recorded runs in a real pseudo-terminal.

use super::{begin, sized};
use crate::common::{json_of, run};
use rustix::process::Signal;

#[test]
fn the_header_of_a_stopped_run_says_the_word_of_its_report() {
    let folder = tempfile::tempdir().unwrap();
    for word in ["signal", "request", "deadline", "limit"] {
        let file = folder.path().join(word);
        let file = file.to_str().unwrap();
        let option = match word {
            "deadline" => "--deadline 200ms",
            "limit" => "--limit 3",
            _ => "",
        };
        let mut live = sized(&format!("watch 8x8 --solver path --threads 2 --record {file} {option}"), 24, 80);
        live.wait_for("REC");
        match word {
            "signal" => {
                live.signal(Signal::TERM);
                assert_eq!(live.exit_code(), 143);
            }
            "request" => live.give_up(),
            _ => {
                live.wait_for(&format!("STOPPED: {word}"));
                live.quit();
            }
        }
        assert_eq!(json_of(&["replay", file, "--json"], 0)["report"]["stopped"], word);
        let mut again = sized(&format!("replay {file}"), 24, 80);
        again.wait_for("q quit");
        again.press("}");
        again.wait_for(&format!("STOPPED: {word}"));
        again.quit();
    }
}

#[test]
fn a_watched_run_tells_how_it_was_shared() {
    let folder = tempfile::tempdir().unwrap();
    let [file, journal] = ["trace.json", "run.zst"].map(|name| folder.path().join(name).to_str().unwrap().to_owned());
    let mut live = sized(&format!("watch 6x6 --threads 2 --balance --trace {file} --record {journal}"), 24, 80);
    live.wait_for("FINISHED");
    live.press("4");
    live.wait_for("until every worker had had a branch");
    live.quit();
    let trace: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    assert!(trace["traceEvents"].as_array().is_some_and(|events| events.len() > 5));
    let mut again = sized(&format!("replay {journal}"), 24, 80);
    again.wait_for("q quit");
    again.press("4}");
    again.wait_for("until every worker had had a branch");
    again.quit();
}

#[test]
fn a_recorded_map_is_printed_and_one_that_was_cut_off_says_how_far_it_came() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("map.jsonl");
    let path = file.to_str().unwrap();
    assert!(run(&["gpu", "map", "8x8", "--orders", "2", "--adapter", "cpu", "--record", path]).status.success());
    let mut whole = begin(&format!("replay {path}"));
    whole.wait_for("127 of 128 knights, 99%");
    whole.wait_for("1 from 64 starts  ####");
    assert_eq!(whole.exit_code(), 0);
    // The first line and the first frame, before any knight has moved.
    let lines: Vec<String> = std::fs::read_to_string(&file).unwrap().lines().map(|line| format!("{line}\n")).collect();
    std::fs::write(&file, lines[..2].concat()).unwrap();
    let mut begun = begin(&format!("replay {path}"));
    begun.wait_for("NOT complete: 0 of 128 knights");
    begun.wait_for("NOT complete: it was cut off");
    assert_eq!(begun.exit_code(), 0);
}
