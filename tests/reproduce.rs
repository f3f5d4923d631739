//! `destrier reproduce` as a process with processes of its own: none of them outlives it.

use crate::common::{destrier, send, spawn, stderr, stdout, wait_until};
use std::fs;
use std::path::Path;

/// The command of the row in work, once it is at work.
fn command_of(id: u32) -> u32 {
    let mut command = None;
    wait_until("its command", || {
        let children = fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap_or_default();
        command = children.split_whitespace().next().and_then(|id| id.parse().ok());
        command.is_some_and(|id: u32| fs::read_dir(format!("/proc/{id}/task")).map_or(0, Iterator::count) > 2)
    });
    command.unwrap()
}

/// Whether a process has ended, waited for or not.
fn has_ended(id: u32) -> bool {
    let status = fs::read_to_string(Path::new("/proc").join(id.to_string()).join("status")).unwrap_or_default();
    status.is_empty() || status.lines().any(|line| line.starts_with("State:\tZ"))
}

#[test]
fn a_signal_ends_a_table_which_says_what_is_left() {
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let child = spawn(destrier(&["reproduce", "radley"]));
        let command = command_of(child.id());
        send(&child, signal);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
        assert!(has_ended(command), "{signal}: its command goes on");
        let text = stdout(&output);
        let says = "\n0 figures are equal, 0 differ, 0 are only shown\n\
            NOT complete: stopped by signal, 24 rows left from: pruned at depth\n";
        assert!(text.ends_with(says), "{text}");
    }
}

#[test]
fn a_command_ends_with_the_table_however_that_ends() {
    let mut child = spawn(destrier(&["reproduce", "radley"]));
    let command = command_of(child.id());
    child.kill().unwrap();
    wait_until("the end of its command", || has_ended(command));
}
