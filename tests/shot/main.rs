//! Takes pictures of the program as it runs in a terminal.
//!
//! `cargo test --release --test shot -- --write screenshots` writes those of the READMEs.
//! `cargo test --release --test shot -- --one FILE.svg COLSxROWS 'SECONDS:KEYS ..' COMMAND ARG ..` takes one of any
//! program: each KEYS is pressed that many seconds after the start, the picture is taken at the last, whose KEYS may be
//! empty and in which ⏎ is the enter key. Without either it does nothing, so that it does not hold up the tests.

/// What the harness takes from the tests.
mod common {
    /// How long a picture is waited for.
    pub const PATIENCE: std::time::Duration = std::time::Duration::from_secs(120);
}
#[path = "../pty/harness.rs"]
#[expect(dead_code, reason = "a picture waits for nothing but time")]
mod harness;
mod parts;
mod svg;

use harness::Pty;
use parts::{PARTS, PartsFolder};
use portable_pty::CommandBuilder;
use std::path::Path;
use std::time::{Duration, Instant};

/// A picture: its name, the size of the screen, the keys to press and when, the command and its arguments.
type Shot<'a> = (&'a str, (u16, u16), &'a str, &'a [&'a str]);

/// The pictures of the READMEs, of runs with as many threads as a small machine has cores.
const SHOTS: &[Shot<'_>] = &[
    ("compare-80x24", (80, 24), "12:", COMPARED),
    ("count-80x24", (80, 24), "4:", &["count", "8x8", "--watch", "--threads=2"]),
    ("campaign-80x24", (80, 24), "3:", &["merge", "--watch", PARTS]),
    ("show-80x24", (80, 24), "1:40⏎ 2:", &["show", KURAPATI]),
    ("step-120x36", (120, 36), "1:60s 1.2:x 2:", &["step", "8x8", "--prune=all-isolated"]),
    ("cycles-200x60", (200, 60), "1:30s 2:", CYCLES),
];
/// The first picture of the README moves: its name and size, the second at which it begins, how many it plays, and the
/// screens of each.
const MOVING: (&str, (u16, u16), f64, f64, u32) = ("demonstration", (80, 24), 22.0, 10.0, 2);
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
            let parts = PartsFolder::new();
            for &(name, size, keys, args) in SHOTS {
                let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_destrier"));
                command.args(args.iter().map(|&arg| parts.word(arg)));
                command.env("TERM", "xterm-256color");
                command.env("LC_ALL", "C.UTF-8");
                take(&Path::new(folder).join(name).with_extension("svg"), size, keys, command);
            }
            play(Path::new(folder));
        }
        ["--one", file, size, keys, program, args @ ..] => {
            let (cols, rows) = size.split_once('x').expect("a size is COLSxROWS");
            let side = |text: &str| text.parse().expect("a size is two numbers");
            let mut command = CommandBuilder::new(program);
            command.args(args);
            take(Path::new(file), (side(cols), side(rows)), keys, command);
        }
        _ => {}
    }
}

/// Takes the picture that moves.
fn play(folder: &Path) {
    let (name, size, from_s, plays_s, each_s) = MOVING;
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_destrier"));
    command.env("TERM", "xterm-256color");
    command.env("LC_ALL", "C.UTF-8");
    let mut pty = Pty::spawn(command, size.1, size.0);
    let began = Instant::now();
    let screens: Vec<String> = (0..(plays_s * f64::from(each_s)) as u32)
        .map(|index| {
            let at = Duration::from_secs_f64(from_s + f64::from(index) / f64::from(each_s));
            std::thread::sleep(at.saturating_sub(began.elapsed()));
            svg::content(pty.seen().parser.screen())
        })
        .collect();
    pty.press("qy");
    let file = folder.join(name).with_extension("svg");
    let picture = svg::moving(size, &screens, plays_s);
    assert!(picture.len() < 1 << 20, "{} bytes are too many", picture.len());
    std::fs::write(&file, picture).expect("the picture can be written");
    println!("{}", file.display());
}

fn take(file: &Path, (cols, rows): (u16, u16), keys: &str, mut command: CommandBuilder) {
    command.cwd(std::env::current_dir().expect("there is a folder"));
    let mut pty = Pty::spawn(command, rows, cols);
    let began = Instant::now();
    for step in keys.split_whitespace() {
        let (seconds, keys) = step.split_once(':').expect("a step is SECONDS:KEYS");
        let at = Duration::from_secs_f64(seconds.parse().expect("seconds are a number"));
        std::thread::sleep(at.saturating_sub(began.elapsed()));
        pty.press(&keys.replace('⏎', "\r").replace('↓', "\x1b[B").replace('→', "\x1b[C"));
    }
    let picture = svg::picture(pty.seen().parser.screen());
    std::fs::write(file, picture).expect("the picture can be written");
    println!("{} ({} bytes of output in {:.1?})", file.display(), pty.seen().bytes, began.elapsed());
}
