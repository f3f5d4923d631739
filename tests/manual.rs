//! The manual, completions, and the version: what packagers and shells read.

use crate::common::{run, stdout};
use crate::examples::Place;
use crate::skip::skip;
use destrier::cli::pages::pages;
use std::fs;
use std::process::Command;

/// Whether a program is there; without it a test says that it skips.
fn is_there(program: &str) -> bool {
    let found = Command::new("sh").args(["-c", &format!("command -v {program}")]).output().unwrap().status.success();
    if !found {
        skip(format_args!("there is no {program} here"));
    }
    found
}

#[test]
fn the_manual_has_a_page_for_every_command() {
    let place = Place::new();
    assert!(place.sh("destrier man --dir man1").status.success());
    for page in pages() {
        let name = if page.name == "destrier" { page.name.to_owned() } else { format!("destrier-{}", page.name) };
        let text = fs::read_to_string(place.folder().join(format!("man1/{name}.1"))).unwrap();
        let words = page.name.replace('-', " ");
        let asked = if words == "destrier" { String::new() } else { words };
        assert_eq!(stdout(&place.sh(&format!("destrier man {asked}"))), text, "{name}");
        assert!(text.contains(&format!(".TH {}", name.to_uppercase())), "{name}");
        for section in ["NAME", "SYNOPSIS", "EXAMPLES", "EXIT STATUS", "SEE ALSO"] {
            let quoted = if section.contains(' ') { format!("\"{section}\"") } else { section.to_owned() };
            assert!(text.contains(&format!(".SH {quoted}\n")), "{name}: {section}");
        }
        assert!(page.files.is_empty() != text.contains(".SH FILES\n"), "{name}");
        assert!(!text.contains("hosted"), "{name}");
    }
    let again = place.sh("destrier man --dir man1");
    assert_eq!(again.status.code(), Some(2), "pages that are there are not replaced");
    assert!(place.sh("destrier man --dir man1 --force").status.success());
    assert_eq!(place.sh("destrier man frobnicate").status.code(), Some(2));
}

#[test]
fn readers_of_manuals_find_nothing_wrong() {
    let place = Place::new();
    assert!(place.sh("destrier man --dir man1").status.success());
    // Without git the date of a page is unknown, and mandoc says so.
    let dated = stdout(&run(&["--version"])).contains(" of 20");
    let names = fs::read_dir(place.folder().join("man1")).unwrap().map(|entry| entry.unwrap().file_name());
    for name in names.map(|name| name.into_string().unwrap()) {
        if is_there("mandoc") {
            let said = stdout(&place.sh(&format!("mandoc -Tlint man1/{name}")));
            let wrong: Vec<&str> = said.lines().filter(|line| dated || !line.contains("date")).collect();
            assert!(wrong.is_empty(), "{name}: {wrong:?}");
        }
        if is_there("man") {
            let read = place.sh(&format!("man --warnings -l man1/{name} | cat"));
            let said = String::from_utf8_lossy(&read.stderr).into_owned();
            assert!(said.is_empty() && stdout(&read).contains("NAME"), "{name}: {said}");
        }
    }
}

/// What a shell offers for a line, when the program's script is loaded.
fn completed(shell: &str, line: &str) -> Option<String> {
    if !is_there(shell) {
        return None;
    }
    let place = Place::new();
    fs::write(place.folder().join("tours.txt"), "").unwrap();
    let begun = place.sh("destrier search 5x6 --detach");
    assert!(begun.status.success(), "{begun:?}");
    let words: Vec<&str> = line.split(' ').collect();
    let (last, typed) = (words[words.len() - 1], words.iter().map(|word| format!("'{word}' ")).collect::<String>());
    let script = match shell {
        "bash" => format!(
            "source <(destrier completions bash)\nCOMP_WORDS=({typed})\nCOMP_CWORD={}\nCOMP_TYPE=9\n\
             _clap_complete_destrier destrier '{last}'\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"\n",
            words.len() - 1
        ),
        // What zsh would show goes to stdout.
        "zsh" => format!(
            "compdef() {{ }}\n_describe() {{ print -rl -- $other $dirs }}\nsource <(destrier completions zsh)\n\
             words=({typed})\nCURRENT={}\n_clap_dynamic_completer_destrier\n",
            words.len()
        ),
        _ => format!("destrier completions fish | source\ncomplete --do-complete '{line}'\n"),
    };
    fs::write(place.folder().join("script"), script).unwrap();
    let output = place.sh(&format!("HOME=$PWD {shell} script"));
    Some(format!("{}{}", stdout(&output), String::from_utf8_lossy(&output.stderr)))
}

#[test]
fn shells_complete_boards_runs_and_files() {
    for shell in ["bash", "zsh", "fish"] {
        for (line, offers) in [
            ("destrier search 6x", "6x6"),
            ("destrier count ", "8x8"),
            ("destrier runs ", "1"),
            ("destrier attach ", "1"),
            ("destrier verify to", "tours.txt"),
            ("destrier show ", "tours.txt"),
            ("destrier sea", "search"),
            ("destrier search 6x6 --sched", "--scheduler"),
            ("destrier search 6x6 --scheduler ", "static-blocks"),
        ] {
            let Some(offered) = completed(shell, line) else { break };
            let has = offered.split(|c: char| c.is_whitespace() || c == ':').any(|word| word == offers);
            assert!(has, "{shell} offers for '{line}': {offered}");
        }
        let Some(offered) = completed(shell, "destrier search 6x6 --hos") else { continue };
        assert!(!offered.contains("hosted"), "{shell}: {offered}");
    }
}

#[test]
fn the_version_says_what_was_built() {
    let short = stdout(&run(&["-V"]));
    let long = stdout(&run(&["--version"]));
    assert_eq!(short.trim(), concat!("destrier ", env!("CARGO_PKG_VERSION")));
    assert!(long.starts_with(short.trim()) && long.contains("commit "), "{long}");
    assert!(long.contains("built with  ") && long.contains(std::env::consts::ARCH), "{long}");
}
