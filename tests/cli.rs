//! The command line as a contract: exit codes, what goes to stdout, bad input, signals, files.

use crate::common::{
    assert_refused, destrier, is_written_to, json, names, object, path, remarks, run, send, spawn, stderr, stdout,
    wait_until,
};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

#[test]
fn bad_input_is_refused_with_a_clear_error() {
    for (args, says) in [
        (&["search", "0x5"][..], "at least one row and one column"),
        (&["search", "6x"], "write ROWSxCOLS"),
        (&["search", "-3"], ""),
        (&["search", "9999999x9999999"], "too large"),
        (&["search", "12x12"], "up to 128"),
        (&["search", "6x6", "--solver", "no-solver"], "possible values"),
        (&["search", "6x6", "--solver", "brute"], "open tours only"),
        (&["search", "6x6", "--solver", "radley", "--open"], "closed tours only"),
        (&["search", "6x6", "--solver", "edges", "--open"], "closed tours only"),
        (&["search", "5x6", "--solver", "quarter-turn"], "square"),
        (&["search", "6x6", "--closed", "--open"], "cannot be used with"),
        (&["search", "6x6", "--threads", "0"], "from 1 to 4096"),
        (&["search", "6x6", "--threads", "5000"], "from 1 to 4096"),
        (&["search", "6x6", "--threads", "2", "--scheduler", "serial"], "takes 1 thread"),
        (&["search", "6x6", "--scheduler", "magic"], "possible values"),
        (&["search", "6x6", "--start", "z9"], "--start"),
        (&["search", "6x6", "--solver", "radley", "--start", "c3"], "corner"),
        (&["search", "6x6", "--start", "a1", "--unique"], "cannot be used with"),
        (&["search", "6x6", "--prune", "region"], "--solver radley"),
        (&["search", "6x6", "--solver", "radley", "--prune-from", "9"], "--prune"),
        (
            &["search", "6x6", "--solver", "radley", "--prune", "region", "--prune-from", "9", "--prune-to", "8"],
            "no depth",
        ),
        (&["search", "6x6", "--threads", "banana"], "'--threads <N>': write a number from 1 to 4096"),
        (&["search", "6x6", "--limit", "0"], "limit"),
        (&["search", "6x6", "--deadline", "soon"], "30s"),
        (&["search", "6x6", "--deadline", "5 parsecs"], "unit of time"),
        (&["search", "6x6", "--out", "-", "--json"], "stdout"),
        (&["search", "6x6", "--out", "/nowhere/at/all"], "the folder /nowhere/at is not there: make it"),
        (&["search", "6x6", "--out", "/"], "folder"),
        (&["search", "6x6", "--solver", "gpu"], "the solver gpu was removed: "),
        (&["watch", "6x6", "--solver", "gpu"], "use --solver edges for closed tours or path for open ones"),
        (&["search", "6x6", "--adapter", "cpu"], "'--adapter' is an option of step, find"),
        (
            &["watch", "6x6"],
            "destrier: watch needs a terminal for its keys and its screen; destrier search prints figures",
        ),
        (&["board", "nine"], "write ROWSxCOLS"),
        (&["reproduce", "nothing"], "possible values"),
        (&["reproduce", "radley", "--show"], "the same tables and bars are printed"),
        (&["bench", "nothing"], "possible values"),
        (&["bench", "prunes", "--windows"], "cargo test --release --test battery -- prunes"),
        (&["bench", "delivery"], "cargo test --release --test battery -- delivery"),
        (&["bench", "speed", "--charts", "x"], "bench speedup squares --charts DIR"),
        (&["bench", "squares", "--charts", "/dev/null/x"], "--charts /dev/null/x"),
        (&["frobnicate"], "no command 'frobnicate'"),
        (&["6", "x", "6"], "destrier watch 6x6 (see it)"),
    ] {
        assert_refused(args, says);
    }
}

#[test]
fn the_json_object_of_a_search_keeps_the_contract() {
    let report = json(&["search", "5x6", "--solver", "radley", "--prune", "any-isolated", "--threads", "3", "--json"]);
    for (key, value) in [
        ("board", Value::from("5x6")),
        ("ending", "closed".into()),
        ("solver", "radley".into()),
        ("scheduler", "hire".into()),
        ("threads", 3.into()),
        ("tours", 8.into()),
        ("convention", "undirected".into()),
        ("events_lost", 0.into()),
        ("complete", true.into()),
    ] {
        assert_eq!(report[key], value, "{key}");
    }
    let sum = |array: &Value| array.as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).sum::<u64>();
    assert_eq!(sum(&report["nodes_by_depth"]), report["nodes"].as_u64().unwrap());
    assert_eq!(sum(&report["pruned_by_depth"]), report["pruned"].as_u64().unwrap());
    assert_eq!((&report["nodes_by_depth"][0], &report["nodes_by_depth"][1]), (&0.into(), &1.into()));
    let workers = report["workers"].as_array().unwrap();
    assert_eq!(workers.len(), 3);
    for key in ["nodes", "tours", "hires", "donations"] {
        let total: u64 = workers.iter().map(|worker| worker[key].as_u64().unwrap()).sum();
        assert_eq!(total, report[key].as_u64().unwrap(), "{key}");
    }
    assert!(workers.iter().all(|worker| worker["busy_s"].is_f64() && worker["idle_s"].is_f64()));
}

#[test]
fn conventions_follow_the_question() {
    for (args, convention, tours) in [
        (&["search", "6x6", "--json"][..], "undirected", 9862),
        (&["search", "5x5", "--open", "--json"], "directed", 1728),
        (&["search", "1x1", "--open", "--json"], "directed", 1),
        (&["search", "1x1", "--json"], "undirected", 0),
        (&["search", "6x6", "--unique", "--json"], "classes", 1245),
        (&["search", "5x6", "--open", "--start", "a1", "--json"], "directed", 4542),
        (&["search", "6x6", "--solver", "path", "--start", "c3", "--json"], "undirected", 9862),
    ] {
        let report = json(args);
        assert_eq!((&report["convention"], &report["tours"]), (&convention.into(), &tours.into()), "{args:?}");
        assert_eq!(report["nodes_by_depth"], Value::Null, "{args:?}: not exact for this solver");
    }
    let restricted = json(&["search", "6x6", "--solver", "quarter-turn", "--json"]);
    assert_eq!((&restricted["tours"], &restricted["restricted"]), (&10.into(), &true.into()));
}

#[test]
fn no_tour_is_a_result() {
    let output = run(&["search", "3x3", "--open"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).contains("tours    0 directed"), "{}", stdout(&output));
}

#[test]
fn the_summary_and_the_help_say_that_a_limit_and_a_deadline_are_no_failure() {
    for args in [&["search", "8x8", "--limit", "1"][..], &["search", "8x8", "--deadline", "10ms"]] {
        let output = run(args);
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        let says = format!("NOT complete: stopped by {}, which is no failure: exit code 0\n", args[2]);
        assert!(stdout(&output).ends_with(&says), "{}", stdout(&output));
    }
    let help = stdout(&run(&["search", "--help"]));
    let help: Vec<&str> = help.split_whitespace().collect();
    let text = help.join(" ");
    assert_eq!(text.matches("it is not complete; the exit code is 0").count(), 2, "{text}");
}

#[test]
fn what_is_printed_for_people_fits_80_columns() {
    for args in [
        "board 8x8",
        "board 6x6",
        "count 6x6 --symmetry all",
        "count 6x6 --plan",
        "count 5x6 --open --per-start",
        "compare 5x6 --with --solver=radley --with --solver=path",
        "find 3..6x3..6",
        "gpu map 8x8 --orders 50",
        "search 6x6",
        "search 5x6 --solver radley --balance --threads 2",
        "simulate 5x6 --workers 1,2,4",
        "doctor",
    ] {
        let text = stdout(&run(&args.split(' ').collect::<Vec<_>>()));
        // A path is as long as it is; doctor names some.
        let has_path = |line: &str| args == "doctor" && line.split_whitespace().any(|word| word.starts_with('/'));
        let wide: Vec<&str> = text.lines().filter(|line| line.chars().count() > 80 && !has_path(line)).collect();
        assert!(!text.is_empty() && wide.is_empty(), "{args}: {wide:#?}");
    }
}

#[test]
fn prune_tests_mean_the_same_everywhere_and_defaults_that_differ_say_why() {
    let help = |command: &str| stdout(&run(&[command, "--help"])).split_whitespace().collect::<Vec<_>>().join(" ");
    for command in ["search", "watch", "step"] {
        let help = help(command);
        for prune in destrier::search::Prune::ALL {
            assert!(help.contains(&format!("{}: {}", prune.name(), prune.summary())), "{command}: {help}");
        }
    }
    assert!(help("search").contains("None is what its author shipped"));
    assert!(help("step").contains("So there are cuts to see: search prunes nothing unless asked"));
    assert!(help("reproduce").contains("with --prune all-isolated, which gives his figures"));
}

#[test]
fn a_limit_is_exact_and_says_so() {
    let report = json(&["search", "6x6", "--limit", "100", "--threads", "4", "--json"]);
    assert_eq!((&report["tours"], &report["complete"]), (&100.into(), &false.into()));
}

#[test]
fn tours_go_to_a_file_of_whole_lines_that_is_never_replaced_unasked() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(&folder, "tours.txt");
    let output = run(&["search", "6x6", "--threads", "64", "--out", &file]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = fs::read_to_string(&file).unwrap();
    assert_eq!(text.lines().count(), 9862);
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        assert_eq!((words.len(), words[0]), (37, "6x6"), "{line}");
    }
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o600, 0o600);

    assert_refused(&["search", "5x6", "--out", &file], "--force");
    assert_eq!(fs::read_to_string(&file).unwrap(), text, "a refused run changes nothing");

    assert_eq!(run(&["search", "5x6", "--out", &file, "--force"]).status.code(), Some(0));
    assert_eq!(fs::read_to_string(&file).unwrap().lines().count(), 8);
    assert_eq!(names(folder.path()), ["tours.txt"], "nothing is left beside the file");
}

#[test]
fn tours_as_grids_are_boards_of_move_numbers() {
    let output =
        run(&["search", "3x4", "--open", "--limit", "1", "--out", "-", "--format", "grid", "--scheduler", "serial"]);
    let numbers: Vec<u32> = stdout(&output).split_whitespace().map(|word| word.parse().unwrap()).collect();
    let mut sorted = numbers.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, (1..=12).collect::<Vec<u32>>(), "{}", stdout(&output));
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let mut child = spawn(destrier(&["search", "6x7", "--out", "-"]));
    let mut line = String::new();
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    reader.read_line(&mut line).unwrap();
    drop(reader);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), remarks(&output).as_str()), (Some(0), ""));
    assert!(line.starts_with("6x7 "), "{line}");
}

#[test]
fn a_signal_stops_the_run_saves_its_tours_and_prints_the_object() {
    for (signal, code) in [("INT", 130), ("TERM", 143), ("HUP", 129), ("XCPU", 152), ("USR2", 140)] {
        let folder = tempfile::tempdir().unwrap();
        let file = path(&folder, "tours.txt");
        let child = spawn(destrier(&["search", "8x8", "--json", "--threads", "2", "--out", &file]));
        // The search is under way once its file, still under another name, holds tours.
        wait_until("tours", || is_written_to(folder.path()));
        assert!(!Path::new(&file).exists(), "the file gets its name when the run ends");
        send(&child, signal);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{signal}");
        assert!(stderr(&output).contains(&format!("--out {file}: holds the tours found before the signal")));
        let report = object(&output);
        assert_eq!((&report["complete"], &report["stopped"]), (&false.into(), &"signal".into()));
        let text = fs::read_to_string(&file).unwrap();
        assert_eq!(text.lines().count() as u64, report["tours"].as_u64().unwrap(), "every tour counted is in the file");
        assert!(text.ends_with('\n'));
    }
}

#[test]
fn a_device_is_written_to_as_stdout_is() {
    for args in ["search 5x6 --json", "find 8x8", "find 8x8 --json", "gpu map 5x5 --orders 1"] {
        let option = if args.starts_with("gpu") { "--csv" } else { "--out" };
        let args: Vec<&str> = args.split(' ').chain([option, "/dev/null"]).collect();
        assert_eq!(run(&args).status.code(), Some(0), "{args:?}");
    }
    let folder = tempfile::tempdir().unwrap();
    let saved = ["search", "6x6", "--out", "/dev/null", "--checkpoint", &path(&folder, "run")];
    assert_refused(&saved, "--out /dev/null cannot be taken back");
}

#[test]
fn links_and_pipes_as_files_are_refused_before_any_work() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| path(&folder, name);
    std::os::unix::fs::symlink("nowhere", path("dangling")).unwrap();
    assert!(Command::new("mkfifo").arg(path("pipe")).status().unwrap().success());
    for (name, says) in [("dangling", "leads nowhere"), ("pipe", "no regular file")] {
        assert_refused(&["search", "6x6", "--out", &path(name), "--force"], says);
    }
    assert_refused(&["search", "6x6", "--record", &path("pipe"), "--force"], "no regular file");
    assert_refused(&["search", "6x6", "--out", "/proc/self/exe", "--force"], "/proc/self/exe: is below /proc");
    fs::write(path("old"), "old").unwrap();
    std::os::unix::fs::symlink("old", path("link")).unwrap();
    assert_eq!(run(&["search", "5x6", "--out", &path("link"), "--force"]).status.code(), Some(0));
    assert_eq!(fs::read_to_string(path("old")).unwrap().lines().count(), 8, "a link is followed");
    assert!(fs::symlink_metadata(path("link")).unwrap().is_symlink());
}

/// No process reads the pipe: the run cannot stop at the first signal, and ends at the second.
#[test]
fn a_second_signal_ends_a_run_whose_reader_sleeps() {
    let mut child = spawn(destrier(&["search", "8x8", "--out", "-", "--threads", "2"]));
    // The first block has been written: the pipe is about to fill.
    let mut reader = child.stdout.take().unwrap();
    reader.read_exact(&mut [0; 4096]).unwrap();
    wait_until("its end", || {
        let runs = child.try_wait().unwrap().is_none();
        if runs {
            send(&child, "TERM");
        }
        !runs
    });
    assert!(!child.wait().unwrap().success());
}

#[test]
fn a_deadline_ends_a_long_search() {
    let report = json(&["search", "8x8", "--deadline", "0.000001ms", "--threads", "3", "--json"]);
    assert_eq!((&report["complete"], &report["stopped"]), (&false.into(), &"deadline".into()));
}

/// The variables count where no option names a number, within the cores; the doctor says which one decided.
#[test]
fn variables_say_how_many_workers_there_are() {
    let with = |args: &[&str], own: Option<&str>, slurm: Option<&str>| {
        let mut command = destrier(args);
        let variables = [("DESTRIER_THREADS", own), ("SLURM_CPUS_PER_TASK", slurm)];
        command.envs(variables.into_iter().filter_map(|(name, value)| Some((name, value?))));
        command.output().unwrap()
    };
    let doctor = |own, slurm| object(&with(&["doctor", "--json"], own, slurm))["cores"].clone();
    let cores = doctor(None, None)["available"].as_u64().unwrap();
    let decides = |name: &str| if cores > 1 { Value::from(name) } else { Value::Null };
    for (own, slurm, threads, variable) in [
        (None, None, cores, Value::Null),
        (Some("1"), None, 1, decides("DESTRIER_THREADS")),
        (Some("1"), Some("2"), 1, decides("DESTRIER_THREADS")),
        (None, Some("1"), 1, decides("SLURM_CPUS_PER_TASK")),
        (Some("4096"), Some("1"), cores, Value::Null),
        (None, Some("none"), cores, Value::Null),
    ] {
        let found = doctor(own, slurm);
        assert_eq!((&found["available"], &found["variable"]), (&threads.into(), &variable), "{own:?} {slurm:?}");
        for args in [&["search", "5x6", "--json"][..], &["find", "8x8", "--json"], &["count", "5x6", "--json"]] {
            let report = object(&with(args, own, slurm));
            assert_eq!(report["threads"], threads, "{args:?} {own:?} {slurm:?}");
        }
    }
    if cores > 1 {
        let text = stdout(&with(&["doctor"], Some("1"), None));
        assert!(text.contains("1 for this program as DESTRIER_THREADS says"), "{text}");
    }
    for bad in ["0", "many", "4097"] {
        for args in [&["search", "5x6"][..], &["verify"], &["count", "5x6"], &["find", "8x8"], &["doctor"]] {
            let output = with(args, Some(bad), Some("1"));
            assert_eq!(output.status.code(), Some(2), "{args:?} {bad}");
            assert!(
                stderr(&output).contains(&format!("DESTRIER_THREADS={bad}: write a number")),
                "{}",
                stderr(&output)
            );
        }
        let report = object(&with(&["search", "5x6", "--json", "--threads", "3"], Some(bad), Some("1")));
        assert_eq!(report["threads"], 3, "the option beats the variable");
    }
}

#[test]
fn help_lists_every_solver_and_scheduler() {
    let help = stdout(&run(&["search", "--help"]));
    for solver in destrier::solve::enumerators() {
        assert!(help.contains(solver.name()), "{}", solver.name());
    }
    for scheduler in destrier::schedule::Scheduler::ALL {
        assert!(help.contains(scheduler.name()), "{scheduler:?}");
    }
}

#[test]
fn help_lists_the_groups_of_the_bench() {
    assert!(stdout(&run(&["--help"])).contains("bench"));
    let help = stdout(&run(&["bench", "--help"]));
    for group in ["speed", "speedup", "squares", "machine", "--quick", "--json"] {
        assert!(help.contains(group), "{group}");
    }
    for group in ["kills", "conform", "delivery", "counting", "prunes", "quarter-turn", "--windows", "--layers"] {
        assert!(!help.contains(group), "{group} is of the battery");
    }
}

#[test]
fn the_facts_of_a_board_are_printed_and_are_json_on_request() {
    let text = stdout(&run(&["board", "8x8"]));
    assert!(text.contains("5.25"), "the mean degree: {text}");
    assert!(json(&["board", "8x8", "--json"]).is_object());
}

/// The form of one tour a line has one name everywhere, and the other one that `search` had for it.
#[test]
fn a_tour_a_line_is_list_everywhere_and_line_is_its_alias() {
    for words in ["search 5x6 --threads 1 --out -", "find 5x6", "unrank 5x6 3"] {
        let of = |format| run(&[&words.split(' ').collect::<Vec<_>>()[..], &["--format", format]].concat());
        let [list, line] = ["list", "line"].map(of);
        assert!(stdout(&list).starts_with("5x6 ") && list.status.success(), "{words}: {}", stderr(&list));
        assert_eq!(stdout(&list), stdout(&line), "{words}");
        let help = stdout(&run(&[words.split(' ').next().unwrap(), "--help"]));
        assert!(help.contains("list") && !help.contains("- line:"), "{help}");
        assert_refused(&[&words.split(' ').collect::<Vec<_>>()[..], &["--format", "lines"]].concat(), "list");
    }
}
