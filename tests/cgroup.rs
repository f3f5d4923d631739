//! What a control group allows: CPU time, and processes. Where no group can be made, as without root, nothing is tried.

use crate::common::{object, shell, stderr};
use crate::skip::skip;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::atomic::{AtomicU32, Ordering};

/// A control group of a test, without processes at the end.
struct Group(PathBuf);

impl Group {
    /// A group with these limits in either generation of control groups: files, and what is written to them.
    fn new(controller: &str, old: &[(&str, &str)], new: &[(&str, &str)]) -> Option<Group> {
        static GROUPS: AtomicU32 = AtomicU32::new(0);
        let name = format!("destrier-test-{}-{}", std::process::id(), GROUPS.fetch_add(1, Ordering::Relaxed));
        let root = Path::new("/sys/fs/cgroup");
        let made = [(root.join(controller), old), (root.to_owned(), new)].into_iter().find_map(|(tree, limits)| {
            let group = tree.join(&name);
            fs::create_dir(&group).ok()?;
            let group = Group(group);
            let written = limits.iter().all(|(file, text)| fs::write(group.0.join(file), text).is_ok());
            written.then_some(group)
        });
        if made.is_none() {
            skip("no control group can be made here");
        }
        made
    }

    /// Runs the program in it.
    fn run(&self, args: &str) -> Output {
        let procs = self.0.join("cgroup.procs");
        shell(&format!("echo $$ > {} && exec DESTRIER {args}", procs.display())).output().expect("the shell starts")
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // The processes of the test have ended.
        let _ = fs::remove_dir(&self.0);
    }
}

#[test]
fn a_quota_is_named_and_other_programs_are_not() {
    let old = [("cpu.cfs_period_us", "100000"), ("cpu.cfs_quota_us", "2000")];
    let Some(group) = Group::new("cpu", &old, &[("cpu.max", "2000 100000")]) else { return };
    let output = group.run("search 6x7 --solver path --threads 1 --limit 300000 --balance --json");
    let report = object(&output);
    // On a busy machine other programs have their share too.
    let verdicts = report["balance"]["verdicts"].as_array().unwrap();
    let quota = verdicts.iter().find(|verdict| verdict["name"] == "quota").unwrap_or_else(|| panic!("{verdicts:?}"));
    let sentence = quota["sentence"].as_str().unwrap();
    assert!(sentence.starts_with("Its control group allows the time of 0.02 cores: the worker was held back for "));
    let doctor = object(&group.run("doctor --json"));
    assert_eq!((&doctor["cores"]["quota"], &doctor["cores"]["available"]), (&0.02.into(), &1.into()));
}

/// A container may have a namespace of its own for control groups, and see the tree of its host.
#[test]
fn a_quota_is_seen_from_within_a_namespace_of_control_groups() {
    let old = [("cpu.cfs_period_us", "100000"), ("cpu.cfs_quota_us", "50000")];
    let Some(group) = Group::new("cpu", &old, &[("cpu.max", "50000 100000")]) else { return };
    let procs = group.0.join("cgroup.procs");
    let line = format!("echo $$ > {} && exec unshare --cgroup DESTRIER doctor --json", procs.display());
    let output = shell(&line).output().expect("the shell starts");
    if !output.status.success() && stderr(&output).contains("unshare") {
        skip("no namespace of control groups can be made here");
        return;
    }
    assert_eq!(object(&output)["cores"]["quota"], 0.5, "{}", stderr(&output));
}

/// What the message of a refused thread advises can be done.
#[test]
fn a_limit_of_processes_leads_to_fewer_threads() {
    let Some(group) = Group::new("pids", &[("pids.max", "12")], &[("pids.max", "12")]) else { return };
    for (args, code) in [
        ("search 6x6 --json", 3),
        ("search 6x6 --scheduler rayon --json", 3),
        ("search 6x6 --scheduler static --json", 3),
        ("count 6x8 --json", 3),
        ("find 3..10x3..10 --json", 3),
    ] {
        let output = group.run(&format!("{args} --threads 60"));
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{args}: {said}");
        let advice = said.rsplit_once("use --threads ").unwrap_or_else(|| panic!("{args}: {said}")).1;
        let threads: u32 = advice.trim().parse().unwrap_or_else(|error| panic!("{args}: {error}: {said}"));
        assert!(threads > 1, "{args}: {said}");
        let output = group.run(&format!("{args} --threads {threads}"));
        assert_eq!(output.status.code(), Some(0), "{args} --threads {threads}: {}", stderr(&output));
    }
}
