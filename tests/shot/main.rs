//! Takes pictures of the program as it runs in a terminal.
//!
//! `cargo test --release --test shot -- --write screenshots` writes those of the READMEs.
//! `cargo test --release --test shot -- --one FILE.svg COLSxROWS 'SECONDS:KEYS ..' COMMAND ARG ..` takes one of any
//! program: each KEYS is pressed that many seconds after the start, the picture is taken at the last, whose KEYS may be
//! empty. ⏎ is the enter key, ␣ the space bar, ⇥ the tab key, ↓ and → are arrows. `cargo test` builds and runs it only by its name.

/// What the harness takes from the tests.
mod common {
    pub(crate) use crate::process;

    /// How long a picture is waited for.
    pub const PATIENCE: std::time::Duration = std::time::Duration::from_secs(120);
}
#[path = "../pty/harness.rs"]
#[expect(dead_code, reason = "a picture waits for time, or for a word")]
mod harness;
#[path = "../common/process.rs"]
#[expect(dead_code, reason = "no picture runs a program without a terminal")]
mod process;
mod svg;

use harness::Pty;
use portable_pty::CommandBuilder;
use std::path::Path;
use std::time::{Duration, Instant};

/// A picture: its name, the size of the screen, the keys to press and when, the command and its arguments.
type Shot<'a> = (&'a str, (u16, u16), &'a str, &'a [&'a str]);

/// The pictures of the READMEs, of runs with as many threads as a small machine has cores, and of many workers.
const SHOTS: &[Shot<'_>] = &[
    ("compare-80x24", (80, 24), "12:", COMPARED),
    ("count-80x24", (80, 24), "4:", &["count", "8x8", "--watch", "--threads=2"]),
    ("show-80x24", (80, 24), "1:40⏎ 2:", &["show", KURAPATI]),
    ("step-120x36", (120, 36), "1:60s 1.2:x 2:", &["step", "8x8", "--prune=all-isolated"]),
    ("holes-80x24", (80, 24), "2:60s 3:", &["find", "8x8-d4,d5,e4,e5", "--show"]),
    ("cycles-200x60", (200, 60), "1:30s 2:", CYCLES),
    ("workers-64-200x60", (200, 60), "4:", &["watch", "7x8", "--threads=64", "--tempo=off"]),
    ("workers-256-120x36", (120, 36), "4:", &["watch", "7x8", "--threads=256", "--tempo=off"]),
];
/// A sheet of screens of one size: its name, their size, how many stand side by side, and the commands, each with the
/// keys to press and when. A screen is taken at each ◉.
type ScreenSheet<'a> = (&'a str, (u16, u16), u16, &'a [(&'a str, &'a [&'a str])]);

/// The sheets: the lessons of the tutorial, and searches by pieces, step by step.
const SHEETS: &[ScreenSheet<'_>] = &[
    ("tutorial-80x24", (80, 24), 2, &[(LESSONS, &["tutorial"])]),
    (
        "pieces-120x36",
        (120, 36),
        1,
        &[
            ("1:60s 2:◉", &["step", "6x6", "--solver=edges"]),
            ("1:60s 1.5:x 2:◉", &["step", "6x6", "--solver=quarter-turn"]),
        ],
    ),
];
/// The lessons, each a moment after it has begun.
const LESSONS: &str = "8:◉␣ ?FINISHED 1:[[[ 2:◉␣ 3: ?DONE 1:◉␣ 2: ?DONE 1:◉␣⇥ 2: ?DONE 1:◉␣ 2:40s 3:◉␣ 4:30s 5:◉␣ \
    6:30s 7:◉␣ 11:◉␣ 12:++++++++++ ?complete 1:! 2:◉";
/// The first picture of the README moves: its name and size, the second at which it begins, how many it plays, and the
/// screens of each.
const MOVING: (&str, (u16, u16), f64, f64, u32) = ("demonstration", (80, 24), 22.0, 10.0, 2);
/// The program of which pictures are taken.
const PROGRAM: &str = env!("CARGO_BIN_EXE_destrier");
/// The 8x8 tour printed by Kurapati, "Knight's Tour in Cg", 2007.
const KURAPATI: &str = "src/board/kurapati.txt";
/// The three-cycle board by its twin, whose pictures need no device.
const CYCLES: &[&str] = &["step", "--method=gpu-cycles", "--adapter=cpu"];
/// One tree in four ways.
const COMPARED: &[&str] = &[
    "compare",
    "6x7",
    "--with=--solver path --threads 2",
    "--with=--solver path --threads 2 --scheduler rayon",
    "--with=--solver path --threads 2 --scheduler static",
    "--with=--solver path --threads 2 --hand-over next",
];

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["--write", folder] => {
            for &(name, size, keys, args) in SHOTS {
                let mut command = command(PROGRAM);
                command.args(args);
                take(&Path::new(folder).join(name).with_extension("svg"), size, keys, command);
            }
            for sheet in SHEETS {
                write_sheet(Path::new(folder), sheet);
            }
            play(Path::new(folder));
        }
        ["--one", file, size, keys, program, args @ ..] => {
            let (cols, rows) = size.split_once('x').expect("a size is COLSxROWS");
            let side = |text: &str| text.parse().expect("a size is two numbers");
            let mut command = command(program);
            command.args(args);
            take(Path::new(file), (side(cols), side(rows)), keys, command);
        }
        _ => panic!("--write FOLDER or --one FILE SIZE KEYS COMMAND: see the beginning of tests/shot/main.rs"),
    }
}

/// Writes a sheet.
fn write_sheet(folder: &Path, &(name, size, across, runs): &ScreenSheet<'_>) {
    let mut screens = Vec::new();
    for &(keys, args) in runs {
        let mut command = command(PROGRAM);
        command.args(args);
        let mut pty = Pty::spawn(command, size.1, size.0);
        press_each(&mut pty, keys, |pty| screens.push(svg::content(pty.seen().parser.screen())));
        pty.press("qy");
    }
    write(&folder.join(name).with_extension("svg"), &svg::sheet(size, &screens, across));
}

/// A program in a terminal of many colours, in this folder.
fn command(program: &str) -> CommandBuilder {
    let mut command = CommandBuilder::new(program);
    command.env("TERM", "xterm-256color");
    command.env("LC_ALL", "C.UTF-8");
    command.cwd(std::env::current_dir().expect("there is a folder"));
    command
}

/// Presses keys at their seconds after now, and takes a screen at each ◉. A step ?WORD waits until the word is on the
/// screen; from then on the seconds count anew.
fn press_each(pty: &mut Pty, keys: &str, mut take: impl FnMut(&Pty)) {
    let mut began = Instant::now();
    for step in keys.split(' ').filter(|step| !step.is_empty()) {
        if let Some(word) = step.strip_prefix('?') {
            pty.wait_for(word);
            began = Instant::now();
            continue;
        }
        let (seconds, keys) = step.split_once(':').expect("a step is SECONDS:KEYS");
        let at = Duration::from_secs_f64(seconds.parse().expect("seconds are a number"));
        std::thread::sleep(at.saturating_sub(began.elapsed()));
        for key in keys.chars() {
            match key {
                '◉' => take(pty),
                '⏎' => pty.press("\r"),
                '␣' => pty.press(" "),
                '⇥' => pty.press("\t"),
                '↓' => pty.press("\x1b[B"),
                '→' => pty.press("\x1b[C"),
                key => pty.press(&key.to_string()),
            }
        }
    }
}

/// Writes a picture.
fn write(file: &Path, picture: &str) {
    assert!(picture.len() < 1 << 20, "{} bytes are too many", picture.len());
    std::fs::write(file, picture).expect("the picture can be written");
    println!("{} ({} bytes)", file.display(), picture.len());
}

/// Takes the picture that moves.
fn play(folder: &Path) {
    let (name, size, from_s, plays_s, each_s) = MOVING;
    let mut pty = Pty::spawn(command(PROGRAM), size.1, size.0);
    let began = Instant::now();
    let screens: Vec<String> = (0..(plays_s * f64::from(each_s)) as u32)
        .map(|index| {
            let at = Duration::from_secs_f64(from_s + f64::from(index) / f64::from(each_s));
            std::thread::sleep(at.saturating_sub(began.elapsed()));
            svg::content(pty.seen().parser.screen())
        })
        .collect();
    pty.press("qy");
    write(&folder.join(name).with_extension("svg"), &svg::moving(size, &screens, plays_s));
}

fn take(file: &Path, (cols, rows): (u16, u16), keys: &str, command: CommandBuilder) {
    let mut pty = Pty::spawn(command, rows, cols);
    press_each(&mut pty, keys, |_| {});
    let picture = svg::picture(pty.seen().parser.screen());
    write(file, &picture);
}
