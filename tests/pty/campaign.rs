//! The view of a campaign in a real pseudo-terminal, while its parts are being done.

use super::begin;
use super::harness::Pty;
use crate::common::{assert_refused, json, path, run};
use rustix::process::Signal;

const OF: usize = 5;

fn watched(folder: &str, more: &str) -> Pty {
    begin(&format!("merge --watch {folder} {more}"))
}

fn make(folder: &str, index: usize) {
    let shard = format!("{index}/{OF}");
    json(&["search", "6x7", "--solver", "path", "--shard", &shard, "--out-dir", folder, "--json"]);
}

/// It waits for the folder and for the first part, sees every other one come, and says in the end what merging says.
#[test]
fn it_comes_to_its_end_as_the_parts_do() {
    let place = tempfile::tempdir().unwrap();
    let folder = path(&place, "parts");
    let mut pty = watched(&folder, "");
    pty.wait_for("WAITING");
    pty.wait_for("is not there yet");
    std::fs::create_dir(&folder).unwrap();
    pty.wait_for("no part is here yet");
    for index in [3, 1, 5, 2] {
        make(&folder, index);
    }
    pty.wait_for("4 of 5 parts");
    std::fs::write(format!("{folder}/4-of-5.part"), "half").unwrap();
    pty.wait_for("4-of-5.part is no checkpoint of a search");
    make(&folder, 4);
    pty.wait_for("DONE");
    let merged = json(&["merge", &folder, "--json"]);
    assert_eq!(merged["tours"], 1_067_638);
    pty.wait_for("1,067,638 undirected");
    pty.press("?");
    pty.wait_for("scroll the list");
    pty.press("\x1b");
    pty.wait("view without help", |screen| !screen.contents().contains("scroll the list"));
    pty.quit();
    pty.wait_restored();
    pty.wait_for("sharing");
}

#[test]
fn left_in_the_middle_it_says_how_far_it_was_or_gives_the_object() {
    let place = tempfile::tempdir().unwrap();
    let folder = path(&place, "parts");
    [1, 2].into_iter().for_each(|index| make(&folder, index));
    let mut pty = watched(&folder, "");
    pty.wait_for("2 of 5 parts");
    pty.escape_in_vain();
    pty.quit();
    pty.wait_restored();
    pty.wait_for("6x7 closed tours by path: 2 of 5 parts done");
    pty.wait_for("to look again: destrier merge --watch");
    let mut pty = watched(&folder, "--json");
    pty.wait_for("2 of 5 parts");
    pty.quit();
    pty.wait_for("\"tours_estimate\":");
    let mut pty = watched(&folder, "");
    pty.wait_for("2 of 5 parts");
    pty.signal(Signal::TERM);
    assert_eq!(pty.exit_code(), 143);
    pty.wait_restored();
}

#[test]
fn what_it_cannot_show_is_refused_with_what_can_be_done() {
    let place = tempfile::tempdir().unwrap();
    let folder = path(&place, "parts");
    make(&folder, 1);
    assert_refused(&["merge", "--watch", &folder], "merge --estimate");
    assert_refused(&["merge", "--watch", "--estimate", &folder], "cannot be used with");
    let counted = path(&place, "counted");
    assert!(run(&["count", "4x5", "--open", "--modulus", "101", "--out-dir", &counted]).status.success());
    // What is said first is what can be done about it.
    assert_refused(&["merge", "--watch", &counted], "destrier merge");
    assert_refused(&["merge", &path(&place, "none")], "name a folder");
    let file = path(&place, "file");
    std::fs::write(&file, "no folder").unwrap();
    for (folder, says) in [(&counted, "shows the parts of a search"), (&file, "is no folder")] {
        let mut pty = watched(folder, "");
        assert_eq!(pty.exit_code(), 2);
        pty.wait_restored();
        pty.wait_for(says);
    }
}
