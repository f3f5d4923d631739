//! Random tests with fresh seeds. `cargo test` draws their cases from the one seed in `.cargo/config.toml`; here each round has
//! a seed of its own, so that a thousand rounds try a thousand times the cases.
//!
//! A round that fails is printed with its seed, by which it can be run again, and with the smallest case that fails.

use crate::child;
use crate::failed;
use destrier::cli::bench::{Bench, BenchRow, LapClock, LapTime};
use destrier::job::Failure;
use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Rounds in the quick battery and in the full one.
const ROUNDS: (u64, u64) = (1, 1000);
/// The variable with the seed.
const SEED: &str = "PROPTEST_RNG_SEED";
/// Tests of the suite that draw from the seed, too.
const OF_THE_SUITE: [&str; 4] = [
    "forms::a_tour_alone_has_the_verdict_that_it_has_among_others",
    "forms::many_tours_at_once_are_counted_as_one_by_one",
    "leftovers::what_is_kept_in_a_break_comes_to_the_same",
    "leftovers::what_one_run_leaves_the_next_one_resumes",
];

/// Prints a row for each round that fails, and one for all.
///
/// # Errors
/// [`Failure`] when cargo cannot be started.
pub fn run(bench: &mut Bench) -> Result<(), Failure> {
    let of_the_library = random_tests(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "")?;
    let tests: Vec<&str> = of_the_library.iter().map(String::as_str).chain(OF_THE_SUITE).collect();
    let (rounds, mut passed) = (bench.pick(ROUNDS.0, ROUNDS.1), 0);
    let (clock, cpu_before) = (LapClock::start(), child::cpu_of_children_s());
    for round in 1..=rounds {
        let seed = fastrand::u64(..);
        eprintln!("round {round} of {rounds}: {SEED}={seed}");
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        let cargo = cargo.args(["test", "--release", "--lib", "--test", "suite", "--no-fail-fast", "--", "--exact"]);
        let output = cargo.args(&tests).env(SEED, seed.to_string()).output().map_err(failed)?;
        let said = String::from_utf8_lossy(&output.stdout);
        passed += said.lines().filter(|line| line.starts_with("test ") && line.ends_with(" ... ok")).count();
        if !output.status.success() {
            let said = [&said, &*String::from_utf8_lossy(&output.stderr)].concat();
            bench.add(BenchRow::new(format!("{SEED}={seed}")).must("passed", false).remark(said))?;
        }
    }
    let time = LapTime { cpu_s: child::cpu_of_children_s() - cpu_before, ..clock.time() };
    let row = BenchRow::new(format!("{} random tests", tests.len())).took(time).figure("rounds", rounds);
    bench.add(row.count("passed", passed as u64, rounds * tests.len() as u64))
}

/// The tests in `proptest!` in a folder, by the names that the harness gives them.
fn random_tests(folder: &Path, module: &str) -> Result<Vec<String>, Failure> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            found.extend(random_tests(&path, &format!("{module}{name}::"))?);
            continue;
        }
        if path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let tests = if ["tests", "mod"].contains(&&*name) {
            format!("{module}tests")
        } else {
            format!("{module}{name}::tests")
        };
        let (text, mut end) = (fs::read_to_string(&path).map_err(failed)?, None);
        for line in text.lines() {
            if let Some(indent) = line.strip_suffix("proptest! {") {
                end = Some(format!("{indent}}}"));
            } else if end.as_deref() == Some(line) {
                end = None;
            } else if let Some(end) = &end
                && let Some(function) = line.strip_prefix(&end.replace('}', "    fn "))
            {
                let name = function.split('(').next().unwrap_or_default();
                found.push(format!("{tests}::{name}"));
            }
        }
    }
    Ok(found)
}
