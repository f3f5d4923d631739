//! The settings of the screens in a real pseudo-terminal: keys and themes of the file, and what is remembered.

use super::destrier;
use super::harness::Pty;
use crate::common::wait_until;
use portable_pty::CommandBuilder;
use std::fs;
use tempfile::{TempDir, tempdir};

/// The program with its settings in this folder.
fn in_home(args: &str, home: &TempDir) -> CommandBuilder {
    let mut command = destrier(args);
    for name in ["XDG_CONFIG_HOME", "XDG_STATE_HOME"] {
        command.env(name, home.path());
    }
    command
}

fn write(home: &TempDir, name: &str, text: &str) {
    fs::create_dir_all(home.path().join("destrier")).unwrap();
    fs::write(home.path().join("destrier").join(name), text).unwrap();
}

/// The board of `destrier step` on a screen, whose first step has been taken.
fn stepping(command: CommandBuilder) -> Pty {
    let pty = Pty::spawn(command, 24, 80);
    pty.wait_for("step 0");
    pty
}

#[test]
fn changed_keys_are_those_of_footer_help_and_messages() {
    let home = tempdir().unwrap();
    write(&home, "config.toml", "[keys]\nquit = 'ctrl-q'\nstep = ['q', 'f5']\nhelp = 'f2'\n");
    let mut pty = stepping(in_home("step 6x6", &home));
    pty.wait_for("ctrl-q quit  f2 help  q step");
    pty.press("q\x1b[15~");
    pty.wait_for("step 2");
    pty.press("?");
    pty.wait_for("? does nothing here; f2 lists the keys");
    pty.press("\x11");
    assert_eq!(pty.exit_code(), 0);
}

#[test]
fn letters_of_another_layout_are_the_keys_at_their_places() {
    let mut pty = stepping(in_home("step 6x6", &tempdir().unwrap()));
    pty.press("ы");
    pty.wait_for("step 1");
    pty.press("й");
    assert_eq!(pty.exit_code(), 0);
}

#[test]
fn what_a_key_changes_is_remembered_and_the_file_of_the_user_is_not_written() {
    let home = tempdir().unwrap();
    write(&home, "config.toml", "frames = 7\n");
    let watch = "watch 6x6 --threads 2 --paused";
    let mut pty = Pty::spawn(in_home(watch, &home), 24, 80);
    pty.wait_for("PAUSED");
    pty.press("t");
    pty.wait_for("theme dark");
    pty.press("U");
    pty.wait_for("signs blocks");
    pty.press("A");
    pty.wait_for("kept for later: theme dark, signs blocks");
    pty.press("t");
    pty.wait_for("theme light");
    pty.press("oo");
    pty.wait_for("in the order of their depth");
    pty.press("fqy");
    assert_eq!(pty.exit_code(), 0);
    assert_eq!(fs::read_to_string(home.path().join("destrier/config.toml")).unwrap(), "frames = 7\n");
    let state = fs::read_to_string(home.path().join("destrier/state.toml")).unwrap();
    for line in ["theme = \"dark\"", "signs = \"blocks\"", "frames = 10"] {
        assert!(state.contains(line), "{state}");
    }
    assert!(!state.contains("order"), "{state}");
    let mut pty = Pty::spawn(in_home(&format!("{watch} --signs ascii"), &home), 24, 80);
    pty.press("t");
    pty.wait_for("theme light");
    pty.press("U");
    pty.wait_for("signs braille");
    pty.press("f");
    assert!(!pty.seen().parser.screen().contents().contains("by depth"), "the order is that of a new run");
    pty.press("qy");
    assert_eq!(pty.exit_code(), 0);
    // What no key has kept lasted for that view, as what the option asked for.
    let after = fs::read_to_string(home.path().join("destrier/state.toml")).unwrap();
    let kept =
        |text: &str| text.lines().filter(|line| !line.starts_with("frames")).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(kept(&after), kept(&state));
    let mut pty = Pty::spawn(in_home("doctor", &home), 60, 120);
    pty.wait_for("kept by a key  theme dark, signs blocks, in ");
    assert_eq!(pty.exit_code(), 0);
}

#[test]
fn what_cannot_be_read_of_it_is_a_notice() {
    let home = tempdir().unwrap();
    write(&home, "state.toml", "theme = 7\n");
    let mut pty = stepping(in_home("step 6x6", &home));
    pty.wait_for("what was remembered is not used");
    pty.press("s");
    pty.wait_for("step 1");
    pty.quit();
    assert_eq!(fs::read_to_string(home.path().join("destrier/state.toml")).unwrap(), "theme = 7\n");
}

#[test]
fn colours_of_a_former_file_are_a_notice() {
    let home = tempdir().unwrap();
    write(&home, "config.toml", "[colours]\nstrong = 'green'\n");
    let mut pty = stepping(in_home("step 6x6", &home));
    pty.wait_for("[colours] in the settings is no longer used: choose a theme instead");
    pty.press("s");
    pty.wait_for("step 1");
    pty.wait_for("q quit");
    pty.quit();
}

#[test]
fn what_cannot_be_replaced_is_not_said_to_be() {
    let home = tempdir().unwrap();
    fs::create_dir_all(home.path().join("destrier/state.toml")).unwrap();
    let mut pty = stepping(in_home("step 6x6", &home));
    pty.wait_for("nor can it be replaced: remove it");
    assert!(!pty.text().contains("it is replaced"), "{}", pty.text());
    pty.quit();
}

#[test]
fn a_file_that_is_wrong_is_refused_before_the_screen() {
    let home = tempdir().unwrap();
    write(&home, "config.toml", "them = 'dark'\n");
    let mut pty = Pty::spawn(in_home("step 6x6", &home), 24, 200);
    assert_eq!(pty.exit_code(), 2);
    pty.wait_for("destrier/config.toml:1: them: did you mean theme?");
}

/// A terminal that says that its background is light gets colours for it, and one that says nothing is not waited for.
#[test]
fn the_background_is_what_the_terminal_says() {
    let home = tempdir().unwrap();
    let label = |pty: &Pty| {
        let seen = pty.seen();
        let screen = seen.parser.screen();
        let at = (0..80).find(|&col| screen.cell(23, col).is_some_and(|cell| cell.contents() == "u"));
        screen.cell(23, at.unwrap_or(0)).map(|cell| cell.fgcolor())
    };
    let [light, dark] = [242, 245].map(|n| Some(vt100::Color::Idx(n)));
    let mut pty = stepping(in_home("step 6x6", &home));
    pty.wait_for("q quit");
    assert_eq!(label(&pty), dark);
    pty.press("\x1b]11;rgb:ffff/ffff/dddd\x1b\\");
    wait_until("colours for a light background", || label(&pty) == light);
    pty.quit();
}

#[test]
fn the_mouse_selects_while_it_is_on_and_what_is_copied_is_said() {
    let home = tempdir().unwrap();
    let mut pty = Pty::spawn(in_home("watch 8x8 --threads 64 --paused --mouse", &home), 24, 80);
    pty.wait_for("m mouse off; shift selects text");
    pty.wait_for("board, worker 0");
    // The third worker of the first column.
    pty.press("\x1b[<0;5;7M");
    pty.wait_for("board, worker 2");
    pty.press("y");
    pty.wait_for("sent to the clipboard: the figures of worker 2");
    // A click on what is said, and one on the first key of the footer.
    pty.press("\x1b[<0;2;24M\x1b[<0;2;24M");
    pty.wait_for("the mouse selects text again");
    pty.press(":wor\x7f\x7f\x7forder\r");
    pty.wait_for("in the order of their nodes");
    pty.press("qy");
    assert_eq!(pty.exit_code(), 0);
    pty.wait_restored();
}

#[test]
fn chosen_panes_are_shown_and_a_key_shows_others_for_that_view() {
    let home = tempdir().unwrap();
    write(&home, "config.toml", "panes = ['threads', 'timeline', 'hires']\n");
    for _ in 0..2 {
        let mut pty = Pty::spawn(in_home("watch 6x6 --threads 2 --paused", &home), 24, 80);
        for shown in ["1 threads", "6 over time", "5 hires", "PAUSED"] {
            pty.wait_for(shown);
        }
        assert!(!pty.text().contains("2 board"), "{}", pty.text());
        for (said, shown) in [("all panes", "2 board"), ("the story", "6 over time"), ("the search", "3 depths")] {
            pty.press("L");
            pty.wait_for(said);
            pty.wait_for(shown);
        }
        pty.press("qy");
        assert_eq!(pty.exit_code(), 0);
    }
}

#[test]
fn the_tutorial_is_named_at_the_very_first_start_and_never_again() {
    let home = tempdir().unwrap();
    for hints in [1, 0] {
        let mut pty = Pty::spawn(in_home("", &home), 24, 80);
        pty.wait_for("demonstration, slowed to 1/");
        pty.give_up();
        // The summary comes last.
        pty.wait_for("closed tours by radley");
        let text = pty.text();
        assert_eq!(text.matches("destrier tutorial").count(), hints, "{text}");
    }
}
