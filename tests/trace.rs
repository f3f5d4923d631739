//! `--trace` and `--balance` from outside: what was written is read back and held against the report.

use crate::common::{assert_refused, destrier, json_of, names, object, run, said, send, spawn, wait_until};
use serde_json::Value;
use std::collections::HashMap;
use std::fs;
use tempfile::TempDir;

fn folder() -> (TempDir, impl Fn(&str) -> String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_owned();
    (folder, move |name: &str| path.join(name).to_str().unwrap().to_owned())
}

/// A trace, read back.
struct Trace(Value);

impl Trace {
    fn of(file: &str) -> Trace {
        Trace(serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap())
    }

    /// The events of a kind.
    fn kind(&self, ph: &str) -> Vec<&Value> {
        self.0["traceEvents"].as_array().unwrap().iter().filter(|event| event["ph"] == ph).collect()
    }

    fn tasks(&self) -> Vec<&Value> {
        self.kind("X").into_iter().filter(|event| event["cat"] == "task").collect()
    }

    /// Every worker has its row, in which nothing overlaps; every arrow has both ends, in its order.
    fn assert_is_whole(&self, workers: usize) {
        let named = self.kind("M").into_iter().filter(|event| event["name"] == "thread_name");
        let is_worker = |event: &&Value| event["args"]["name"].as_str().unwrap().starts_with("worker ");
        assert_eq!(named.filter(is_worker).count(), workers);
        let mut rows: HashMap<u64, Vec<(u64, u64)>> = HashMap::new();
        for event in self.kind("X") {
            let [tid, ts, dur] = ["tid", "ts", "dur"].map(|name| event[name].as_u64().unwrap());
            rows.entry(tid).or_default().push((ts, ts + dur));
        }
        let deciding = rows.keys().filter(|&&tid| tid > workers as u64).count();
        assert_eq!(deciding, usize::from(self.kind("X").iter().any(|event| event["cat"] == "deciding")));
        for mut row in rows.into_values() {
            row.sort_unstable();
            assert!(row.windows(2).all(|two| two[0].1 <= two[1].0), "{row:?}");
        }
        let ends = |ph: &str| -> HashMap<u64, u64> {
            let end = |event: &&Value| (event["id"].as_u64().unwrap(), event["ts"].as_u64().unwrap());
            self.kind(ph).iter().map(end).collect()
        };
        let (gave, got) = (ends("s"), ends("f"));
        assert_eq!((gave.len(), self.kind("s").len(), self.kind("f").len()), (got.len(), got.len(), got.len()));
        assert!(gave.iter().all(|(id, at)| got.get(id) == Some(at)));
        assert!(self.kind("C").iter().any(|event| event["name"] == "workers with a branch"));
    }

    /// The waits that ended with a hire, in microseconds, the shortest first. One of no length is not drawn.
    fn waits(&self) -> Vec<u64> {
        let bars = self.kind("X").into_iter().filter(|bar| bar["cat"] == "waiting");
        let end = |bar: &Value| bar["ts"].as_u64().unwrap() + bar["dur"].as_u64().unwrap();
        let ends: HashMap<_, _> =
            bars.map(|bar| ((bar["tid"].as_u64(), end(bar)), bar["dur"].as_u64().unwrap())).collect();
        let hired = self.tasks().into_iter().filter(|task| !task["args"]["by"].is_null());
        let wait = |task: &Value| ends.get(&(task["tid"].as_u64(), task["ts"].as_u64().unwrap())).copied();
        let mut waits: Vec<u64> = hired.map(|task| wait(task).unwrap_or(0)).collect();
        waits.sort_unstable();
        waits
    }

    fn lost(&self) -> u64 {
        self.0["otherData"]["events_lost"].as_u64().unwrap()
    }
}

fn sum<'a>(figures: impl IntoIterator<Item = &'a Value>) -> u64 {
    figures.into_iter().map(|figure| figure.as_u64().unwrap()).sum()
}

/// What the balance says in sums is what the report says.
fn assert_balances(report: &Value) {
    let balance = &report["balance"];
    let list = |name: &str| balance[name].as_array().unwrap();
    assert_eq!((&balance["nodes"], &balance["task_nodes"]), (&report["nodes"], &report["nodes"]));
    assert_eq!(balance["hires"], report["hires"]);
    assert_eq!(sum(list("hires_by_depth")), report["hires"].as_u64().unwrap());
    assert_eq!(sum(list("pairs").iter().map(|pair| &pair[2])), report["hires"].as_u64().unwrap());
    assert_eq!(sum(list("tasks_by_nodes").iter().map(|class| &class[2])), balance["tasks"].as_u64().unwrap());
    for (key, part) in [("efficiency", "work"), ("idle", "wait"), ("descheduled", "no_cpu")] {
        assert_eq!(balance[key], balance["time"][part], "{balance}");
    }
    let shares = |figures: Vec<&Value>| figures.iter().map(|share| share.as_f64().unwrap()).sum::<f64>();
    assert!((shares(balance["time"].as_object().unwrap().values().collect()) - 1.0).abs() < 1e-9, "{balance}");
    assert_eq!(list("at_work").len() as u64, balance["workers"].as_u64().unwrap() + 1);
    assert!(!list("verdicts").is_empty() && balance["work"] == report["nodes"], "{balance}");
    let span = balance["span"].as_u64().unwrap();
    assert!(
        span <= balance["burdened_span"].as_u64().unwrap() && span <= report["nodes"].as_u64().unwrap(),
        "{balance}"
    );
    if report["scheduler"] == "hire" || report["scheduler"] == "serial" {
        assert_eq!(balance["span_exact"], true, "{balance}");
    }
    assert!((shares(list("at_work").iter().collect()) - 1.0).abs() < 1e-9, "{balance}");
    assert_eq!(list("by_worker").len() as u64, balance["workers"].as_u64().unwrap());
    for worker in list("by_worker") {
        let parts = worker["time"].as_object().unwrap().values().collect();
        assert!((shares(parts) - 1.0).abs() < 1e-9, "{worker}");
    }
    // Each hire of the chain is by the worker that was hired in the one before, deeper in the tree, and later.
    let deciding = &balance["deciding"];
    if let Some(hires) = deciding["hires"].as_array() {
        for two in hires.windows(2) {
            let [first, second] = [&two[0], &two[1]];
            assert_eq!(first["worker"], second["by"], "{deciding}");
            assert!(first["at_s"].as_f64() <= second["at_s"].as_f64(), "{deciding}");
            assert!(first["depth"].as_u64() < second["depth"].as_u64(), "{deciding}");
        }
        assert!(hires.last().is_none_or(|last| last["worker"] == deciding["worker"]), "{deciding}");
    }
}

/// The histograms are counted by the workers, and the trace is made of events.
fn assert_waits(report: &Value, trace: &Trace) {
    let (all, hires) = (&report["balance"]["waits"], report["hires"].as_u64().unwrap());
    let own = || report["balance"]["by_worker"].as_array().unwrap().iter().map(|worker| &worker["waits"]);
    let histogram = |waits: &Value| -> Vec<u64> {
        let classes: Vec<u64> =
            waits["histogram"].as_array().unwrap().iter().map(|count| count.as_u64().unwrap()).collect();
        assert_eq!((classes.len(), Some(classes.iter().sum())), (27, waits["count"].as_u64()), "{waits}");
        classes
    };
    let classes = histogram(all);
    (0..27)
        .for_each(|class| assert_eq!(own().map(|waits| histogram(waits)[class]).sum::<u64>(), classes[class], "{all}"));
    assert_eq!(all["count"], hires, "{all}");
    let s = |key: &str| all[key].as_f64();
    assert!(s("p50_s") <= s("p99_s") && s("p99_s") <= s("longest_s"), "{all}");
    assert_eq!(all["p50_s"].is_null() && all["nodes_p50"].is_null(), hires == 0, "{all}");
    if report["scheduler"] != "hire" || hires == 0 {
        let is_outside = report["scheduler"] == "rayon";
        return assert!(if is_outside { all["in_vain"].is_null() } else { all["in_vain"] == 0 }, "{all}");
    }
    let exact = trace.waits();
    // From the first second on events are told in tenths of a millisecond, and a wait has two of them.
    let apart = if report["elapsed_s"].as_f64() < Some(1.0) { 0 } else { 200 };
    for (share, key) in [(0.5, "p50_s"), (0.99, "p99_s"), (1.0, "longest_s")] {
        let exact = exact[((exact.len() as f64 * share).ceil() as usize).max(1) - 1];
        let told = (s(key).unwrap() * 1e6).round() as u64;
        assert!(told + apart >= exact && told <= (2 * (exact + apart)).max(1), "{key}: {told} and {exact}");
        assert!(share < 1.0 || told.abs_diff(exact) <= apart, "{key}: {told} and {exact}");
    }
    if apart == 0 {
        let mut by_hand = [0; 27];
        exact.iter().for_each(|wait| by_hand[(0..26).find(|class| *wait < 1 << class).unwrap_or(26)] += 1);
        assert_eq!(classes, by_hand, "{exact:?}");
    }
}

/// Each time that a worker asks another one it is given a branch, or asked in vain: as the events of a journal add up.
#[test]
fn a_worker_asks_in_vain_as_often_as_it_asks_less_what_it_gets() {
    let (_folder, path) = folder();
    let file = path("run");
    // Of 250 workers many enter when the end of so small a search is known.
    let late = "3x4 --open --threads 250";
    for words in ["5x5 --open --solver brute --threads 7", "6x6 --threads 60", "6x6 --threads 9 --hand-over next", late]
    {
        let args: Vec<&str> = ["search"].into_iter().chain(words.split(' ')).collect();
        let report = object(&run(&[&args[..], &["--record", &file, "--balance", "--json", "--force"]].concat()));
        let (mut asked, mut in_vain) = (0, report["balance"]["waits"]["in_vain"].as_u64().unwrap());
        assert_eq!(report["balance"]["events_lost"], 0, "{words}");
        for line in fs::read_to_string(&file).unwrap().lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            for event in line["frame"]["events"].as_array().into_iter().flatten() {
                let kind = &event["kind"];
                asked += u64::from(kind["idle"]["nominee"].is_u64());
                asked += kind["hired"]["company"].as_array().map_or(0, Vec::len) as u64;
                asked += kind["donated"]["helpers"].as_u64().unwrap_or(0);
                in_vain += u64::from(kind["hired"].is_object());
            }
        }
        assert!(asked > 0, "{words}");
        assert_eq!(asked, in_vain, "{words}");
    }
}

#[test]
fn every_scheduler_tells_who_worked_when() {
    let (_folder, path) = folder();
    let (file, journal, again) = (path("trace.json"), path("run.zst"), path("again.json"));
    for words in [
        "5x5 --open --solver brute --threads 3",
        "5x5 --open --solver brute --start a1 --threads 3 --scheduler rayon",
        "5x5 --open --solver brute --start a1 --threads 3 --scheduler static",
        "5x5 --open --solver brute --start a1 --scheduler serial",
        "6x6 --threads 250",
    ] {
        let search = ["search"].into_iter().chain(words.split(' '));
        let args: Vec<&str> =
            search.chain(["--trace", &file, "--record", &journal, "--balance", "--json", "--force"]).collect();
        let report = object(&run(&args));
        let trace = Trace::of(&file);
        let workers = report["threads"].as_u64().unwrap() as usize;
        trace.assert_is_whole(workers);
        // What a slow machine had no room for is missing, and counted.
        if trace.lost() == 0 {
            assert_eq!(trace.kind("s").len() as u64, report["hires"].as_u64().unwrap(), "{words}");
            let nodes = sum(trace.tasks().into_iter().map(|task| &task["args"]["nodes"]));
            assert_eq!(Some(nodes), report["nodes"].as_u64(), "{words}");
            assert_balances(&report);
            assert_waits(&report, &trace);
            let deciding = trace.kind("X").into_iter().filter(|event| event["cat"] == "deciding").count();
            let told = report["balance"]["deciding"]["hires"].as_array().map_or(0, |hires| hires.len() + 1);
            assert_eq!(deciding, told, "{words}");
            // A worker that works more than once was given work in between.
            let begun = trace.tasks().into_iter().filter(|task| task["args"]["by"].is_null()).count();
            assert!(words.contains("static") || begun == 1, "{words}: {begun}");
        }
        // A recording comes to the same.
        let replayed = json_of(&["replay", &journal, "--trace", &again, "--balance", "--json", "--force"], 0);
        if replayed["lost"] == 0 {
            let converted = Trace::of(&again);
            converted.assert_is_whole(workers);
            assert_eq!(converted.0, trace.0, "{words}");
            assert_eq!(replayed["balance"], report["balance"], "{words}");
        }
    }
}

#[test]
fn the_balance_is_printed_where_it_is_asked_for() {
    let (_folder, path) = folder();
    let journal = path("run.zst");
    let (code, text, _) = said(&run(&["search", "5x5", "--open", "--threads", "2", "--balance", "--record", &journal]));
    assert_eq!(code, Some(0));
    for words in
        ["\ncomplete\nbalance  2 threads", "\n    searching ", "\n  tail ", "until every worker had had a branch"]
    {
        assert!(text.contains(words), "{words}: {text}");
    }
    let (code, text, says) = said(&run(&["replay", &journal, "--balance"]));
    assert_eq!((code, says.as_str()), (Some(0), ""));
    assert!(text.contains("\ncomplete\nbalance  2 threads"), "{text}");
    let (_, text, _) = said(&run(&["search", "5x5", "--open", "--scheduler", "serial", "--balance"]));
    assert!(text.contains("note: with one worker there is no ramp-up"), "{text}");
    assert!(object(&run(&["search", "5x5", "--open", "--json"])).get("balance").is_none());
}

#[test]
fn a_trace_is_whole_or_not_there() {
    let (folder, path) = folder();
    let there = path("there");
    fs::write(&there, "mine").unwrap();
    let search = |file: &str, more: &[&str]| -> Vec<String> {
        ["search", "6x6", "--trace", file].iter().chain(more).map(|word| (*word).to_owned()).collect()
    };
    let refused = |args: Vec<String>, says: &str| {
        assert_refused(&args.iter().map(String::as_str).collect::<Vec<_>>(), says);
    };
    refused(search(&there, &[]), "the file exists; add --force");
    refused(search(folder.path().to_str().unwrap(), &[]), "is a folder");
    refused(search(&path("no/where"), &[]), "is not there: make it");
    refused(search("-", &[]), "give its name");
    refused(search(&path("both"), &["--out", &path("both")]), "name another file");
    refused(search(&path("both"), &["--record", &path("both")]), "name another file");
    assert_eq!((fs::read_to_string(&there).unwrap().as_str(), names(folder.path()).len()), ("mine", 1));
    // Of a count there is nothing to tell, and a journal is not written over by its trace.
    let (count, run_of) = (path("count.zst"), path("run.zst"));
    assert_eq!(run(&["count", "5x6", "--record", &count]).status.code(), Some(0));
    assert_eq!(run(&["search", "5x6", "--threads", "2", "--record", &run_of]).status.code(), Some(0));
    refused(["replay", &count, "--balance"].map(str::to_owned).to_vec(), "tell how a search is shared");
    refused(["replay", &run_of, "--trace", &run_of, "--force"].map(str::to_owned).to_vec(), "name another file");
    // A run that is stopped leaves a whole one, and one that is killed none.
    for (signal, whole) in [("TERM", true), ("KILL", false)] {
        let (file, journal) = (path(signal), path("going"));
        let args = ["search", "8x8", "--solver", "path", "--threads", "2", "--trace", &file, "--record", &journal];
        let mut child = spawn(destrier(&[&args[..], &["--balance", "--json", "--force"]].concat()));
        wait_until("it goes on", || fs::metadata(&journal).is_ok_and(|file| file.len() > 3000));
        send(&child, signal);
        if whole {
            let output = child.wait_with_output().unwrap();
            let report = object(&output);
            Trace::of(&file).assert_is_whole(2);
            let notes = report["balance"]["notes"].as_array().unwrap();
            assert!(notes.iter().any(|note| note.as_str().unwrap().starts_with("the run was stopped")), "{report}");
        } else {
            child.wait().unwrap();
            assert!(!fs::exists(&file).unwrap());
        }
        fs::remove_file(journal).unwrap();
    }
}
