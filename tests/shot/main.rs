//! Takes pictures of the program as it runs in a terminal.
//!
//! `cargo test --release --test shot -- --write screenshots` writes those of the README.
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
mod set;
mod svg;

use harness::Pty;
use portable_pty::CommandBuilder;
use set::{JOURNAL, PARTS, Set};
use std::path::Path;
use std::time::{Duration, Instant};

/// A picture: its name, the size of the screen, the keys to press and when, the command and its arguments.
type Shot<'a> = (&'a str, (u16, u16), &'a str, &'a [&'a str]);

/// The pictures of the README.
const SHOTS: &[Shot<'_>] = &[
    ("watch-120x36", (120, 36), "14:", &["watch", "8x8", "--threads", "2"]),
    (
        "watch-200x60",
        (200, 60),
        "13:r 14:r 14.5:j 16:",
        &["watch", RADLEY, "8x8", "--prune=all-isolated", "--threads=2"],
    ),
    ("watch-80x24", (80, 24), "4:", &["watch", "7x7", "--open", "--start=a1", "--threads", "8"]),
    ("watch-256-threads", (80, 24), "7:", &["watch", "8x8", "--threads", "256"]),
    ("watch-next-move", (80, 24), "13:", &["watch", RADLEY, "8x8", "--threads", "2", "--hand-over", "next"]),
    ("watch-slow-motion", (120, 36), "3:", &["watch", RADLEY, "6x6", "--threads", "8", "--slow", "5"]),
    ("watch-help", (80, 24), "1:? 2:", &["watch", "8x8", "--threads", "4"]),
    ("choose-80x24", (80, 24), "1:c 1.3:↓→ 1.6:↓↓→→→ 2:", &["watch", "8x8", "--threads", "4"]),
    ("find-watch-120x36", (120, 36), "1.5:", &["find", "24x24", "--method=edges", "--tours=1000000", "--watch"]),
    ("show-80x24", (80, 24), "1:40⏎ 2:", &["show", KURAPATI]),
    ("show-200x60", (200, 60), "1:40⏎# 2:", &["show", KURAPATI]),
    ("show-window-120x36", (120, 36), "1:600⏎ 2:", &["find", "1000x1000", "--show"]),
    ("show-four-paths-120x36", (120, 36), "1:G 2:", &["find", "10x10", "--method=quarter-turn", "--show"]),
    ("step-80x24", (80, 24), "1:e 1.2:ss 2:", &["step"]),
    ("step-120x36", (120, 36), "1:60s 1.2:x 2:", &["step", "8x8", "--prune=all-isolated"]),
    ("step-forced", (100, 30), "1:3000m 1.5:D 3:", &["step", "8x8", "--solver=path"]),
    ("cycles-80x24", (80, 24), "1:28s 2:", CYCLES),
    ("cycles-200x60", (200, 60), "1:30s 2:", CYCLES),
    ("cycles-64x64", (120, 36), "1:900m 2.5:", &["step", "64x64", "--method=gpu-cycles", "--adapter=cpu"]),
    ("map-80x24", (80, 24), "2:X 3:", &["gpu", "map", "8x8", "--orders=4000", "--watch", "--adapter=cpu"]),
    ("map-200x60", (200, 60), "4:", &["gpu", "map", "48x48", "--orders=40", "--watch", "--adapter=cpu"]),
    ("lanes-120x36", (120, 36), "3:", &["watch", "6x7", "--solver=gpu", "--adapter=cpu"]),
    ("count-80x24", (80, 24), "4:", &["count", "8x8", "--watch", "--threads=2"]),
    ("count-200x60", (200, 60), "4:", &["count", "8x8", "--watch", "--threads=2"]),
    ("count-answer-120x36", (120, 36), "3:", &["count", "7x8", "--watch", "--threads=2"]),
    ("time-80x24", (80, 24), "3:{ 3.2:] 3.4:] 3.6:] 5:", &["watch", "8x8", "--threads", "16"]),
    ("time-200x60", (200, 60), "3:{ 3.2:] 3.4:] 3.6:] 5:", &["watch", "8x8", "--threads", "16"]),
    ("runs-120x14", (120, 14), "1:", &["runs"]),
    ("attach-120x36", (120, 36), "1:{ 1.2:] 3:", &["attach", "3"]),
    ("replay-80x24", (80, 24), "1:@ 1.2:50%⏎ 2:", &["replay", JOURNAL]),
    ("replay-200x60", (200, 60), "1:+++ 2:", &["replay", JOURNAL]),
    ("balance-80x24", (80, 24), "1:4 1.2:}G 2:", &["replay", JOURNAL]),
    ("balance-200x60", (200, 60), "1:4 1.2:} 2:", &["replay", JOURNAL]),
    ("step-tour", (200, 60), "1:n 4:", &["step", "5x5", "--open"]),
    ("simulate-80x24", (80, 24), "5:", SIMULATED),
    ("simulate-200x60", (200, 60), "5:", SIMULATED),
    ("compare-80x24", (80, 24), "12:", COMPARED),
    ("compare-200x60", (200, 60), "12:", COMPARED),
    ("campaign-80x24", (80, 24), "3:", &["merge", "--watch", PARTS]),
    ("campaign-200x60", (200, 60), "6:", &["merge", "--watch", PARTS]),
];
/// The first picture of the README moves: its name and size, the second at which it begins, how many it plays, and the
/// screens of each.
const MOVING: (&str, (u16, u16), f64, f64, u32) = ("demonstration", (80, 24), 22.0, 10.0, 2);
/// Pictures that the program draws itself: their names, and the arguments.
const DRAWN: &[(&str, &[&str])] = &[
    ("tour-8x8", &["find", "8x8", "--format=svg"]),
    ("tour-four-paths", &["find", "10x10", "--method=quarter-turn", "--format=svg", "--numbers=false"]),
];
/// The 8x8 tour printed by Kurapati, "Knight's Tour in Cg", 2007.
const KURAPATI: &str = "src/board/kurapati.txt";
/// The three-cycle board by its twin, whose pictures need no device.
const CYCLES: &[&str] = &["step", "--method=gpu-cycles", "--adapter=cpu"];
/// The beginning among 1024 workers, in the middle of their being hired.
const SIMULATED: &[&str] = &["simulate", "5x6", "--open", "--solver=brute", "--start=a5", "--workers=1024", "--watch"];
/// One tree in four ways.
const COMPARED: &[&str] = &[
    "compare",
    "6x7",
    "--with=--solver path --threads 8",
    "--with=--solver path --threads 8 --scheduler rayon",
    "--with=--solver path --threads 8 --scheduler static",
    "--with=--solver path --threads 8 --hand-over next",
];
const RADLEY: &str = "--solver=radley";

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["--write", folder] => {
            let set = Set::new();
            for &(name, size, keys, args) in SHOTS {
                let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_destrier"));
                command.args(args.iter().map(|&arg| set.word(arg)));
                command.env("DESTRIER_RUNS", set.runs());
                command.env("TERM", "xterm-256color");
                command.env("LC_ALL", "C.UTF-8");
                take(&Path::new(folder).join(name).with_extension("svg"), size, keys, command);
            }
            play(Path::new(folder));
            for &(name, args) in DRAWN {
                let file = Path::new(folder).join(name).with_extension("svg");
                let drawn = std::process::Command::new(env!("CARGO_BIN_EXE_destrier")).args(args).output();
                let drawn = drawn.expect("the program starts");
                assert!(drawn.status.success(), "{}", String::from_utf8_lossy(&drawn.stderr));
                std::fs::write(&file, drawn.stdout).expect("the picture can be written");
                println!("{}", file.display());
            }
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
