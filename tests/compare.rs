//! `destrier compare` from outside: reports side by side, from runs and from recordings, and what it refuses.

use super::common::{assert_refused, json, path, run, stdout};

#[test]
fn one_question_in_several_ways_has_a_report_for_each() {
    let args = ["compare", "5x6", "--with", "--scheduler static --threads 3", "--with", "--solver radley", "--json"];
    let report = json(&args);
    let runs = report["runs"].as_array().expect("runs");
    assert_eq!(report.as_object().map(|object| object.len()), Some(1));
    let of = |run: usize, key: &str| runs[run][key].clone();
    assert_eq!((of(0, "scheduler"), of(0, "threads"), of(0, "tours")), ("static".into(), 3.into(), 8.into()));
    assert_eq!((of(1, "solver"), of(1, "tours"), of(1, "complete")), ("radley".into(), 8.into(), true.into()));
    let text = stdout(&run(&args[..6]));
    assert!(
        text.starts_with("5x6 closed tours, undirected\n") && text.contains("run 1  --scheduler static --threads 3\n"),
        "{text}"
    );
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    // Why each of them was not quicker, and what was cut where, with the totals of the reports.
    for run in runs {
        // Which one it is depends on what else the machine does.
        let name = run["balance"]["verdicts"][0]["name"].as_str().expect("a verdict");
        let names = ["small_question", "oversubscribed", "other_load", "uneven", "tail", "ramp_up", "healthy"];
        assert!(names.contains(&name), "{run}");
    }
    assert!(text.contains("\nwhy workers did not search\n  1  "), "{text}");
    let chart = text.lines().skip_while(|line| !line.starts_with("nodes by depth, 0 to ")).skip(1);
    let bars: Vec<&str> = chart.take_while(|line| !line.trim_start().starts_with("0  ")).collect();
    for (run, bar) in runs.iter().zip(&bars) {
        let total = bar.split_whitespace().nth(1).map(|total| total.replace(',', ""));
        assert_eq!(total, run["nodes"].as_u64().map(|nodes| nodes.to_string()), "{text}");
    }
    assert_eq!(bars.len(), 2, "{text}");
    let said = ["The runs ", "Measured while other programs "];
    assert!(said.iter().any(|said| text.contains(&format!("\n\n{said}"))) || text.contains("\n\nRun "), "{text}");
}

#[test]
fn recordings_are_compared_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let files = ["a.zst", "b.jsonl"].map(|name| path(&folder, name));
    for (file, scheduler) in files.iter().zip(["hire", "rayon"]) {
        json(&["search", "5x6", "--solver", "path", "--scheduler", scheduler, "--record", file, "--json"]);
    }
    let report = json(&["compare", &files[0], &files[1], "--json"]);
    assert_eq!((&report["runs"][0]["scheduler"], &report["runs"][1]["tours"]), (&"hire".into(), &8.into()));
    let other = path(&folder, "c.zst");
    json(&["search", "3x10", "--record", &other, "--json"]);
    assert_refused(&["compare", &files[0], &other], "ask different questions");
    let text = std::fs::read_to_string(&files[1]).unwrap();
    let cut: Vec<&str> = text.lines().take(2).collect();
    std::fs::write(&other, cut.join("\n")).unwrap();
    assert_refused(&["compare", &files[0], &other, "--json"], "was cut off");
    let text = stdout(&run(&["compare", &files[0], &other]));
    assert!(text.contains("no report: cut off") && text.contains(" 8 "), "{text}");
    json(&["find", "8x8", "--method", "warnsdorff", "--record", &path(&folder, "f.zst"), "--json"]);
    assert_refused(&["compare", &files[0], &path(&folder, "f.zst")], "find looks for one tour");
    json(&[
        "search",
        "5x6",
        "--shard",
        "1/2",
        "--out-dir",
        &path(&folder, "parts"),
        "--record",
        &path(&folder, "p.zst"),
        "--json",
    ]);
    assert_refused(&["compare", &files[0], &path(&folder, "p.zst")], "ask different questions");
}

#[test]
fn what_cannot_be_compared_is_refused() {
    for (args, why) in [
        (&["compare", "5x6", "--with", "--threads 2"][..], "a board needs --with 2 to 4 times, as in: destrier"),
        (&["compare", "5x6"], "a board needs --with 2 to 4 times, as in: destrier"),
        (&["compare", "5x6", "--with", "--open", "--with", "--closed"], "ask different questions"),
        (&["compare", "5x6", "--with", "--out x", "--with", ""], "it takes the question and the crew of search"),
        (&["compare", "5x6", "6x6", "--with", "--open"], "--with is for one BOARD"),
        (&["compare", "5x6", "--with", "--solver 'path", "--with", ""], "a quotation mark has no end"),
        // One word, as a shell would make of it.
        (&["compare", "5x6", "--with", "--solver 'no such'", "--with", ""], "invalid value 'no such' for '--solver"),
        (&["compare", "0x6", "--with", "", "--with", ""], "0x6"),
        (&["compare", "nothing-here"], "name 2 to 4 journals, or a board and --with as often, as in: destrier"),
        (&["compare", "nothing", "here"], "nothing"),
    ] {
        assert_refused(args, why);
    }
}
