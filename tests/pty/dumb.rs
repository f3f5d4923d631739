//! Terminals that move no cursor get no screen, but a sentence.

use super::destrier;
use super::harness::Pty;

#[test]
fn every_full_screen_view_refuses_a_terminal_without_a_cursor() {
    let place = tempfile::tempdir().unwrap();
    let file = |name: &str| place.path().join(name).display().to_string();
    let (tours, run) = (file("tours.txt"), file("run.jsonl"));
    std::fs::write(&tours, "1x1 a1\n").unwrap();
    crate::common::json(&["search", "5x6", "--record", &run, "--json"]);
    let commands = [
        String::new(),
        "watch 5x6".to_owned(),
        "step 5x6".to_owned(),
        "step --method gpu-cycles --adapter cpu".to_owned(),
        "count 5x6 --watch".to_owned(),
        "find 8x8 --method edges --watch".to_owned(),
        "find 8x8 --show".to_owned(),
        "simulate 5x6 --workers 4 --watch".to_owned(),
        "compare 5x6 --with --threads=1 --with --threads=2".to_owned(),
        format!("show {tours}"),
        format!("replay {run}"),
        format!("attach {}", file("socket")),
    ];
    for (command, term) in commands.iter().zip(["dumb", ""].into_iter().cycle()) {
        let mut words = destrier(command);
        words.env("TERM", term);
        let mut pty = Pty::spawn(words, 24, 80);
        assert_eq!(pty.exit_code(), 2, "{command}: {}", pty.text());
        let said = format!("TERM={term} is a terminal that shows no full screen");
        pty.wait(&format!("sentence of `{command}`"), |screen| screen.contents().contains(said.trim()));
        pty.wait_restored();
    }
}
