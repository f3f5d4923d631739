//! `destrier simulate` from outside: its figures, its forms, and what it refuses.

use super::common::{assert_refused, destrier, json, run, said, spawn, stderr, stdout};
use serde_json::Value;

/// All open tours of 5x6 from a corner, 98,742,288 nodes.
const TREE: [&str; 7] = ["simulate", "5x6", "--open", "--solver", "brute", "--start", "a5"];

fn with<'a>(args: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [args, more].concat()
}

fn rows(report: &Value) -> &Vec<Value> {
    report["rows"].as_array().expect("rows")
}

#[test]
fn hire_is_at_0_98_with_1024_workers_and_the_figures_are_those_of_every_machine() {
    let report = json(&with(&TREE, &["--workers", "2,1024", "--balance", "--json"]));
    let rows = rows(&report);
    for row in rows {
        assert_eq!(row["nodes"], 98_742_288);
        let product = row["efficiency"].as_f64().unwrap() * row["workers"].as_f64().unwrap();
        assert!((product - row["speedup"].as_f64().unwrap()).abs() < 1e-9);
    }
    let [two, many] = &rows[..] else { panic!("two rows") };
    assert!(two["hires"].as_u64().unwrap() < 10, "{two}");
    assert_eq!(two["balance"]["verdicts"][0]["name"], "healthy", "{two}");
    assert!(many["efficiency"].as_f64().unwrap() > 0.98, "{many}");
    assert_eq!((&many["workers"], &many["hires"]), (&1024.into(), &7622.into()));
    let waits = &many["balance"]["waits"];
    assert_eq!((&waits["count"], waits["histogram"].as_array().map(Vec::len)), (&many["hires"], Some(27)));
    assert_eq!(
        (&waits["in_vain"], &waits["p50_s"], &waits["p99_s"]),
        (&7632.into(), &1e-6.into(), &3.416e-6.into()),
        "{waits}"
    );
}

/// A crew has nothing to share then.
#[test]
fn a_board_without_a_tour_says_why() {
    let text = stdout(&run(&["simulate", "5x5", "--workers", "4"]));
    let said = "of 0 nodes each: there is no tour, both sides are odd, so the number of squares is odd";
    assert!(text.replace('\n', " ").contains(said), "{text}");
    let args = ["simulate", "5x5", "--open", "--solver", "brute", "--start", "a1", "--workers", "4"];
    assert!(stdout(&run(&args)).ends_with(" nodes each\n"));
}

#[test]
fn the_json_object_keeps_the_contract() {
    let args = ["simulate", "5x5", "--open", "--solver", "brute", "--start", "a1", "--workers", "1,2,..8", "--json"];
    let report = json(&args);
    for (key, value) in [
        ("board", Value::from("5x5")),
        ("ending", "open".into()),
        ("solver", "brute".into()),
        ("scheduler", "hire".into()),
        ("hand_over", "shallowest".into()),
        ("complete", true.into()),
    ] {
        assert_eq!(report[key], value, "{key}");
    }
    let workers: Vec<&Value> = rows(&report).iter().map(|row| &row["workers"]).collect();
    assert_eq!(workers, [1, 2, 4, 8]);
    for key in ["speedup", "efficiency", "hires", "idle_longest_s"] {
        assert!(rows(&report).iter().all(|row| row[key].is_number()), "{key}");
    }
    assert_eq!(report, json(&args), "one seed, one simulation");
}

/// A crew whose run takes a moment on the simulated machine is not judged, however many workers wait.
#[test]
fn the_balance_says_why_the_workers_did_not_search() {
    let verdicts = |args: &[&str]| -> Vec<Vec<String>> {
        let name = |verdict: &Value| verdict["name"].as_str().unwrap().to_owned();
        let names = |row: &Value| row["balance"]["verdicts"].as_array().unwrap().iter().map(name).collect();
        rows(&json(args)).iter().map(names).collect()
    };
    assert_eq!(verdicts(&["simulate", "6x6", "--workers", "1024", "--balance", "--json"]), [["small_question"]]);
    let blocks = ["--workers", "2", "--scheduler", "static-blocks", "--balance", "--json"];
    assert_eq!(verdicts(&with(&TREE, &blocks)), [["uneven"]]);
    let source = ["--workers", "3", "--rule", "source", "--balance"];
    let (code, text, _) = said(&run(&with(&TREE, &source)));
    assert_eq!(code, Some(0));
    for words in [
        "\n  small handovers ",
        "(handing over and waiting between branches): Hires",
        "--hand-over shallowest.",
        "where the time of all workers went",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(rows(&json(&["simulate", "5x5", "--workers", "2", "--json"]))[0].get("balance").is_none());
}

#[test]
fn every_solver_and_scheduler_can_be_simulated_to_the_same_tree() {
    for (solver, ending) in
        [("brute", "--open"), ("path", "--open"), ("path", "--closed"), ("radley", "--closed"), ("edges", "--closed")]
    {
        let board = if solver == "brute" { "5x5" } else { "5x6" };
        let args = ["simulate", board, ending, "--solver", solver, "--workers", "1,3,100", "--json"];
        let small = with(&args, if solver == "brute" { &["--start", "c3"] } else { &[] });
        let mut nodes = Vec::new();
        for scheduler in ["hire", "rayon", "static", "static-blocks"] {
            let report = json(&with(&small, &["--scheduler", scheduler]));
            nodes.extend(rows(&report).iter().map(|row| row["nodes"].as_u64().unwrap()));
        }
        assert!(nodes[0] > 0 && nodes.iter().all(|&n| n == nodes[0]), "{solver} {ending}: {nodes:?}");
    }
    let report =
        json(&["simulate", "6x6", "--solver", "quarter-turn", "--workers", "2", "--scheduler", "rayon", "--json"]);
    assert_eq!(report["scheduler"], "rayon");
}

#[test]
fn earlier_rules_stay_selectable() {
    let args = ["simulate", "5x5", "--open", "--solver", "brute", "--start", "a1", "--workers", "64", "--json"];
    let efficiency = |more: &[&str]| {
        let report = json(&with(&args, more));
        rows(&report)[0]["efficiency"].as_f64().unwrap()
    };
    let rules = ["source", "open-level", "halving"].map(|rule| efficiency(&["--rule", rule]));
    assert!(rules.is_sorted() && rules[2] < efficiency(&[]), "{rules:?}");
    let source = json(&with(&args, &["--rule", "source"]));
    assert_eq!((&source["rule"], &source["hand_over"]), (&"source".into(), &"next".into()));
}

#[test]
fn a_table_for_people_and_values_for_programs() {
    let args = ["simulate", "5x5", "--open", "--solver", "brute", "--start", "a1", "--workers", "1,1024"];
    let text = stdout(&run(&args));
    assert!(text.contains("fixed costs") && text.contains("1,024") && text.contains("efficiency"), "{text}");
    let csv = stdout(&run(&with(&args, &["--csv"])));
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], "workers,speedup,efficiency,hires,idle_longest_s,nodes");
    assert_eq!(lines[1], "1,1,1,0,0,1735079");
    assert!(lines.len() == 3 && lines[2].starts_with("1024,"), "{csv}");
}

#[test]
fn measured_costs_are_above_nothing() {
    let args = ["simulate", "5x6", "--solver", "radley", "--workers", "1,2", "--costs", "measured", "--json"];
    let report = json(&args);
    for key in ["hand_over", "wake", "nominate", "look", "burst", "node_ns"] {
        assert!(report["prices"][key].as_f64().unwrap() > 0.0, "{key}: {report}");
    }
    assert_eq!(rows(&report)[0]["speedup"], 1.0);
    let report = json(&["doctor", "--calibrate", "--json"]);
    for key in ["node_ns", "hand_over_ns", "wake_ns", "nominate_ns", "look_ns", "burst"] {
        assert!(report["costs"][key].as_f64().unwrap() > 0.0, "{key}: {report}");
    }
    assert!(json(&["doctor", "--json"]).get("costs").is_none());
}

#[test]
fn a_signal_ends_it_with_the_rows_that_there_are() {
    let args = ["simulate", "8x8", "--workers", "2", "--json"];
    let child = spawn(destrier(&args));
    // It would take years.
    super::common::wait_until("the signal is heeded", || {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let caught = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigCgt:")?.trim(), 16).ok());
        caught.is_none_or(|caught| caught & 2 != 0)
    });
    super::common::send(&child, "INT");
    let output = child.wait_with_output().unwrap();
    let (code, out, err) = said(&output);
    assert_eq!(code, Some(130), "{err}");
    let report: Value = serde_json::from_str(&out).expect("one object");
    assert_eq!((&report["complete"], rows(&report).len()), (&false.into(), 0));
    assert!(stderr(&output).len() < 500);
}

#[test]
fn bad_input_is_refused_with_a_sentence() {
    for (more, says) in [
        (&["--workers", "0"] as &[&str], "write a number from 1 to 4096"),
        (&["--workers", "1,4097"], "write a number from 1 to 4096"),
        (&["--workers", "1,..7"], "doubling"),
        (&["--workers", ""], "1,2,4,..1024"),
        (&[], "--workers"),
        (&["--workers", "2", "--scheduler", "serial"], "takes 1 worker"),
        (&["--workers", "2", "--scheduler", "rayon", "--rule", "source"], "leave it out"),
        (&["--workers", "2", "--rule", "source", "--hand-over", "next"], "cannot be used with"),
        (&["--workers", "2", "--rule", "none"], "possible values"),
        (&["--workers", "2", "--costs", "free"], "possible values"),
        (&["--workers", "2", "--solver", "brute"], "open"),
        (&["--workers", "2", "--solver", "gpu"], "removed"),
        (&["--workers", "2", "--solver", "radley", "--start", "c3"], "corner"),
        (&["--workers", "2", "--json", "--csv"], "cannot be used with"),
        (&["--workers", "2,4", "--watch"], "--workers 2 say"),
        (&["--workers", "2", "--watch"], "--watch needs a terminal"),
    ] {
        assert_refused(&with(&["simulate", "6x6"], more), says);
    }
    assert_refused(&["simulate", "12x12", "--workers", "2"], "up to 128");
    assert_refused(&["reproduce", "carter", "--full"], "--full");
}
