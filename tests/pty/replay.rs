//! Recorded runs in a real pseudo-terminal.

use super::sized;
use crate::common::json_of;
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
