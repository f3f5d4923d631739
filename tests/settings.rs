//! The settings of the screens, as the command line reads and prints them.

use crate::common::{assert_refused, destrier, path, run, said, stderr, stdout};
use std::fs;
use tempfile::tempdir;

#[test]
fn the_whole_file_is_printed_and_may_be_used_as_it_is() {
    let (code, printed, errors) = said(&run(&["--print-config"]));
    assert_eq!((code, errors.as_str()), (Some(0), ""));
    assert!(printed.contains("\ntheme = \"colour-blind\"\n") && printed.contains("\nstep = \"s\"\n"), "{printed}");
    assert!(printed.contains("\n# pause or play\nplay = [\"p\", \"space\"]\n"), "{printed}");
    let folder = tempdir().unwrap();
    let file = path(&folder, "mine.toml");
    fs::write(&file, printed.replace("colour-blind\"\n", "mono\"\n")).unwrap();
    let again = stdout(&run(&["--config", &file, "--print-config"]));
    assert_eq!(again, fs::read_to_string(&file).unwrap());
    assert_eq!(run(&["board", "8x8", "--config", &file]).status.code(), Some(0), "also behind a command");
    for signs in ["braille", "blocks", "ascii"] {
        let printed = stdout(&run(&["--signs", signs, "--print-config"]));
        assert!(printed.contains(&format!("\nsigns = \"{signs}\"\n")), "{printed}");
    }
    assert_refused(&["--signs", "dots", "board", "8x8"], "invalid value 'dots' for '--signs <SIGNS>'");
}

/// Option over environment over the user's own file over what was remembered.
#[test]
fn the_nearest_file_wins() {
    let folder = tempdir().unwrap();
    let [theme, frames] = [("config.toml", "theme = 'light'"), ("state.toml", "frames = 9\ntheme = 'mono'")];
    fs::create_dir(folder.path().join("destrier")).unwrap();
    for (name, text) in [theme, frames] {
        fs::write(folder.path().join("destrier").join(name), text).unwrap();
    }
    let other = path(&folder, "other.toml");
    fs::write(&other, "theme = 'dark'").unwrap();
    let printed = |args: &[&str], named: &str| {
        let mut command = destrier(args);
        command.arg("--print-config").env("XDG_CONFIG_HOME", folder.path()).env("XDG_STATE_HOME", folder.path());
        let output = command.env("DESTRIER_CONFIG", named).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let lines = stdout(&output);
        let of = |name: &str| lines.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
        (of("theme ="), of("frames ="))
    };
    let nine = "frames = 9".to_owned();
    assert_eq!(printed(&[], ""), ("theme = \"light\"".into(), nine.clone()));
    assert_eq!(printed(&[], &other), ("theme = \"dark\"".into(), nine.clone()));
    assert_eq!(printed(&["--config", &other], "/none"), ("theme = \"dark\"".into(), nine));
}

#[test]
fn what_is_wrong_with_a_file_is_said_with_its_line() {
    let folder = tempdir().unwrap();
    let file = path(&folder, "bad.toml");
    for (text, says) in [
        ("# a\nthem = 'dark'\n", "bad.toml:2: them: did you mean theme?"),
        ("theme = 'dark'\nframes = 0\n", "bad.toml:2: frames: a number from 1 to 60 is wanted"),
        ("[[keys]]\nstep = 'x'\n", "bad.toml:1: keys: a table of keys is wanted: [keys]"),
        ("zoom = 9\n", "bad.toml:1: zoom: a number from 0 to 8 is wanted"),
        ("[keys]\nstep = 'x'\n", "bad.toml:2: the key x is that of step and of next_cut"),
    ] {
        fs::write(&file, text).unwrap();
        assert_refused(&["--config", &file, "board", "8x8"], says);
        assert_refused(&["board", "8x8", "--config", &file], says);
    }
    let missing = path(&folder, "none.toml");
    assert_refused(&["--config", &missing, "board", "8x8"], "none.toml: No such file");
    let mut command = destrier(&["board", "8x8"]);
    let output = command.env("DESTRIER_CONFIG", &missing).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert_refused(&["--threads", "3", "board", "8x8"], "belongs behind the command");
}

/// Files of former versions have a table of colours.
#[test]
fn colours_of_a_former_file_are_not_refused() {
    let folder = tempdir().unwrap();
    let file = path(&folder, "former.toml");
    fs::write(&file, "theme = 'dark'\n[colours]\nbusy = '#56b4e9'\nwhat_there_was = 5\n").unwrap();
    assert_eq!(run(&["board", "8x8", "--config", &file]).status.code(), Some(0));
    let printed = stdout(&run(&["--config", &file, "--print-config"]));
    assert!(printed.contains("\ntheme = \"dark\"\n") && !printed.contains("colours]"), "{printed}");
}
