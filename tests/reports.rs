//! What every command reports, as text and as its object: held as a whole, so that a word, a key or the order of keys
//! changes only where it is meant to.

use crate::common::{said, shell};
use insta::assert_snapshot;
use serde::de::IgnoredAny;
use std::fmt::Write;
use std::fs;
use tempfile::TempDir;

/// Commands, each in the folder in which those before it have left their files.
const COMMANDS: &str = include_str!("data/reports.txt");

/// What a number is followed by where it differs from run to run.
const UNITS: [&str; 7] = [" s", " ms", "s", " million a second", " a second", "k a second", "M a second"];

/// Keys whose values differ from run to run; those of seconds end in `_s`.
const UNSTEADY: [&str; 9] = [
    "frames",
    "switches",
    "cpu_s_estimate",
    "cpu_left_s_estimate",
    "peak_bytes",
    "memory_limit",
    "nodes_per_cpu_s",
    "occupancy",
    "live",
];

/// Replaces numbers that differ from run to run by `_`.
fn steady_text(line: &str) -> String {
    let (mut steady, mut rest) = (String::new(), line);
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let digits = rest[at..].find(|c: char| !(c.is_ascii_digit() || ",.".contains(c))).unwrap_or(rest.len() - at);
        let number = rest[at..at + digits].trim_end_matches([',', '.']);
        let (before, mut behind) = (&rest[..at], &rest[at + number.len()..]);
        let after =
            |unit: &&str| Some(behind.strip_prefix(*unit)?).filter(|after| !after.starts_with(char::is_alphanumeric));
        let unsteady = UNITS.iter().find_map(|unit| Some((unit, after(unit)?)));
        steady.push_str(before);
        match unsteady {
            // A rate is told by the thousand or by the million.
            Some((unit, after)) => {
                steady.push_str(if unit.ends_with("a second") { "_ a second" } else { "_" });
                behind = if unit.ends_with("a second") { after } else { behind };
            }
            None => steady.push_str(number),
        }
        rest = behind;
    }
    steady + rest
}

/// Replaces values that differ from run to run by `_`.
fn steady_object(object: &str) -> String {
    let (mut steady, mut rest) = (String::new(), object);
    while let Some(at) = rest.find("\":") {
        let key = rest[..at].rsplit('"').next().unwrap_or_default();
        steady.push_str(&rest[..at + 2]);
        rest = &rest[at + 2..];
        if key.ends_with("_s") || UNSTEADY.contains(&key) {
            let mut value = serde_json::Deserializer::from_str(rest).into_iter::<IgnoredAny>();
            value.next();
            steady.push('_');
            rest = &rest[value.byte_offset()..];
        }
    }
    steady + rest
}

#[test]
#[cfg_attr(
    target_env = "musl",
    ignore = "a static program says otherwise why there is no device, and has another 17th digit of a logarithm"
)]
fn reports_are_as_they_were() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("wrong.lines"), "5x5 a1 b3 c5 a4\n4x4 a1 b3\n1x1 a1\n").unwrap();
    fs::write(folder.path().join("holes.txt"), "......\n.#....\n......\n......\n....#.\n").unwrap();
    let mut all = String::new();
    for line in COMMANDS.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let mut command = shell(&line.replace("destrier ", "DESTRIER "));
        command.current_dir(folder.path()).env("DESTRIER_THREADS", "1").env("VK_DRIVER_FILES", "/nonexistent");
        command.env("DESTRIER_RUNS", folder.path().join("runs"));
        let (code, stdout, stderr) = said(&command.output().unwrap());
        writeln!(all, "$ {line}").unwrap();
        for line in stdout.lines() {
            let steady = if line.starts_with('{') { steady_object(line) } else { steady_text(line) };
            // What a process took of memory, how busy it was and how often it was looked at differs from run to run.
            let is_unsteady = match line.split_at_checked(9) {
                Some(("at work  " | "sharing  " | "frames   ", _)) => true,
                Some(("memory   ", taken)) => taken.ends_with("at most"),
                _ => false,
            };
            writeln!(all, "{}", if is_unsteady { &line[..9] } else { steady.trim_end() }).unwrap();
        }
        stderr.lines().for_each(|line| writeln!(all, "! {}", steady_text(line)).unwrap());
        writeln!(all, "-> {}\n", code.unwrap_or(-1)).unwrap();
    }
    assert_snapshot!(all);
}
