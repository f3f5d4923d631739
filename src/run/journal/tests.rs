use super::read::LINE_MAX;
use super::title::{Head, JournalLine, seal};
use super::*;
use crate::board::{Board, Ending, Shape};
use crate::bounded::FileKind;
use crate::event::{Event, EventKind};
use crate::run::frame::{Body, EVENTS_MAX, FORMAT, Frame, TreeFrame};
use crate::run::question::{Plan, Question};
use crate::run::sampler::{round_event, round_workers};
use crate::run::source::End;
use crate::schedule::{Snapshot, WorkerSnapshot, WorkerState};
use crate::search::Drawing;
use crate::solve::{self, Problem};
use proptest::prelude::*;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

fn subject() -> Subject {
    let problem = Problem::new("6x6".parse::<Shape>().unwrap(), Ending::Closed);
    let question = Question::Search(solve::solver_by_name("path").unwrap(), problem);
    Subject::Run(Plan::of(question, 3))
}

/// Frames of a crew of three whose third worker is hired late; every fifth has the position of one of them.
fn frames(count: u64) -> Vec<Frame> {
    let worker = |k: u64, worker: u64| WorkerSnapshot {
        state: if worker == 2 && k < 7 { WorkerState::Waiting } else { WorkerState::Busy },
        nodes: k * (1000 + worker),
        depth: (k * 7 % 30) as usize,
        level: (!k.is_multiple_of(3)).then_some(4),
        busy: Duration::from_micros(k * 100_017),
        waits_at: (worker == 2 && k < 7).then_some(0),
        ..WorkerSnapshot::default()
    };
    let frame = |k: u64| {
        let workers = (0..3).map(|id| worker(k, id)).collect();
        let snapshot = Snapshot { elapsed: Duration::from_millis(k * 100), workers, ..Snapshot::default() };
        let chain = (0..k as u32 % 36).collect();
        let drawing = Drawing { chains: vec![chain], ..Drawing::default() };
        let positions = k.is_multiple_of(5).then_some((k as usize % 3, drawing)).into_iter().collect();
        let kind = EventKind::Hired { by: 0, depth: 3, left: Some(5), company: vec![1], entered: None };
        let events = (k == 7).then_some(Event { at: snapshot.elapsed, worker: 2, kind });
        Frame { body: Body::Tree(Box::new(TreeFrame { snapshot, positions })), events: events.into_iter().collect() }
    };
    (0..count).map(frame).collect()
}

/// A journal of these frames, with its last line unless it was cut off.
fn journal(folder: &Path, name: &str, frames: &[Frame], ends: bool) -> PathBuf {
    let path = folder.join(name);
    let recorder = Recorder::new(File::create(&path).unwrap(), &path, false, subject()).unwrap();
    for frame in frames {
        recorder.take(frame);
        // The queue is short, and no frame may be lost here.
        while recorder.lost() == 0 && !recorder.is_idle() {
            std::thread::yield_now();
        }
    }
    if ends {
        let report = serde_json::json!({ "tours": "9862" });
        let written = recorder.finish(Some(End::Map), Some(report)).unwrap();
        assert_eq!(written, JournalTotals { frames: frames.len() as u64, lost: 0 });
    }
    path
}

/// The frames of a journal, its damaged lines, and whether it has its last line.
fn read(path: &Path) -> Result<(Vec<Frame>, Vec<Damage>, bool), JournalError> {
    let (mut frames, mut damage, mut ends) = (Vec::new(), Vec::new(), false);
    for item in Reader::open(path)? {
        match item {
            Item::Frames { frames: read, .. } => frames.extend(read),
            Item::Damaged(damaged) => damage.push(damaged),
            Item::Ended(LastLine { end, report, lost, .. }) => {
                ends = true;
                assert_eq!((end, report.unwrap()["tours"].as_str(), lost), (Some(End::Map), Some("9862"), 0));
            }
        }
    }
    Ok((frames, damage, ends))
}

#[test]
fn what_is_recorded_is_read_again_compressed_or_not() {
    let folder = tempfile::tempdir().unwrap();
    let frames = frames(50);
    for name in ["run.jsonl", "run.jsonl.zst"] {
        let path = journal(folder.path(), name, &frames, true);
        let (again, damage, ends) = read(&path).unwrap();
        assert_eq!((again, damage.len(), ends), (frames.clone(), 0, true), "{name}");
        let Subject::Run(plan) = Reader::open(&path).unwrap().subject().clone() else { panic!("{name}") };
        assert_eq!(plan.question.method(), "path");
    }
    let [plain, zstd] =
        ["run.jsonl", "run.jsonl.zst"].map(|name| std::fs::metadata(folder.path().join(name)).unwrap().len());
    assert!(zstd * 3 < plain, "{zstd} of {plain}");
}

#[test]
fn a_damaged_line_is_named_and_costs_one_frame() {
    let folder = tempfile::tempdir().unwrap();
    let frames = frames(50);
    let path = journal(folder.path(), "run.jsonl", &frames, true);
    let text = std::fs::read_to_string(&path).unwrap();
    let damaged = |line: usize| {
        let mut lines: Vec<&str> = text.lines().collect();
        lines[line - 1] = "{\"frame\":{}";
        std::fs::write(&path, lines.join("\n") + "\n").unwrap();
        let (frames, damage, ends) = read(&path).unwrap();
        (frames, damage.iter().map(|damage| damage.line).collect::<Vec<_>>(), ends)
    };
    for line in [2, 5, 51] {
        let frame = line - 2;
        let others = [&frames[..frame], &frames[frame + 1..]].concat();
        assert!(damaged(line) == (others, vec![line as u64], true), "line {line}");
    }
}

#[test]
fn what_is_no_journal_of_this_version_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = journal(folder.path(), "run.jsonl", &frames(2), true);
    let text = std::fs::read_to_string(&path).unwrap();
    let refused = |text: &str| {
        // The first line of another program is complete too.
        let (head, rest) = text.split_once('\n').unwrap_or((text, ""));
        let members = head.rsplit_once(",\"crc\"").map_or(head, |(members, _)| members);
        std::fs::write(&path, format!("{members}{}\n{rest}", seal(members.as_bytes()))).unwrap();
        Reader::open(&path).err().map(|error| error.to_string()).unwrap()
    };
    let [own, other] = [FORMAT, FORMAT - 1].map(|format| format!("\"format\":{format}"));
    let says = format!("this is a journal of version {}, and this program reads version {FORMAT}", FORMAT - 1);
    assert!(refused(&text.replace(&own, &other)).contains(&says));
    assert!(refused(&text.replace("journal", "diary")).contains("a file of tours, not a journal"));
    assert!(refused(&text.replace("\"path\"", "\"x\"")).contains("no solver is called x"));
    assert!(refused("").contains("this is no journal") && refused("6x6 a1 b3\n").contains("not a journal"));
    assert!(refused("\u{0}\u{1}").contains("this is no journal"));
    std::fs::write(&path, FileKind::Search.first_line()).unwrap();
    let says = "this is a checkpoint of a search, not a journal: ";
    assert!(Reader::open(&path).err().unwrap().to_string().starts_with(says));
    std::fs::write(&path, text.replace("\"threads\":3", "\"threads\":4")).unwrap();
    assert!(Reader::open(&path).err().unwrap().to_string().contains("its first line is damaged"));
}

/// A journal of these lines after the first line of a search, each with its checksum.
fn made_up(lines: impl IntoIterator<Item = String>) -> Result<Reader, JournalError> {
    let mut text = serde_json::to_vec(&Head::new(subject())).unwrap();
    text.pop();
    text = sealed(&text);
    lines.into_iter().for_each(|line| text.extend(sealed(line.as_bytes())));
    Reader::new(std::io::Cursor::new(text))
}

fn sealed(members: &[u8]) -> Vec<u8> {
    [members, seal(members).as_bytes(), b"\n"].concat()
}

/// What is wrong with the lines of a journal.
fn faults(reader: Reader) -> Vec<String> {
    let fault = |item| if let Item::Damaged(damage) = item { Some(damage.why) } else { None };
    reader.filter_map(fault).collect()
}

/// A long first line in a few kilobytes.
#[test]
fn a_first_line_that_is_too_long_is_refused_before_anything_is_made_of_it() {
    let begin = format!("{}\"subject\":[0", FileKind::Journal.first_line());
    let line = |zeros: usize| sealed(&[begin.as_bytes(), &b",0".repeat(zeros), b"]"].concat());
    let compressed = |whole: &[u8]| zstd::encode_all(whole, 3).unwrap();
    let refused = |file| Reader::new(std::io::Cursor::new(file)).err().unwrap().to_string();
    let long = compressed(&line(32 << 20));
    assert!(long.len() < 20_000, "{} bytes", long.len());
    assert_eq!(refused(long), "this is no whole journal: its first line has more than 64 MiB");
    let many = line(2 << 20);
    for file in [compressed(&many), many] {
        let why = "this is no whole journal: its first line is invalid: it names more squares than a journal can hold";
        assert_eq!(refused(file), why);
    }
}

#[test]
fn a_count_of_no_threads_or_too_many_and_one_that_there_cannot_be_are_refused() {
    let count = |question: &str, threads: &str| {
        let said = format!(
            "{}\"subject\":{{\"count\":{{{question},\"open\":false,\"unique\":false,\"strict\":false,\
             \"threads\":{threads}}}}}",
            FileKind::Journal.first_line()
        );
        Reader::new(std::io::Cursor::new(sealed(said.as_bytes()))).err().map(|error| error.to_string())
    };
    assert_eq!([1, 4096].map(|threads| count("\"board\":\"6x6\"", &threads.to_string())), [None, None]);
    for threads in ["0", "4097", "300000000", "9223372036854775808"] {
        let refused = count("\"board\":\"6x6\"", threads).unwrap();
        assert!(refused.contains(&format!("threads must be 1 to 4096, not {threads}")), "{refused}");
    }
    for (board, says) in
        [("65535x65535", "too large for a count"), ("9x400000000", "too large for a count"), ("10x10", "too wide")]
    {
        let refused = count(&format!("\"board\":\"{board}\""), "1").unwrap();
        assert!(refused.contains(says), "{refused}");
    }
}

#[test]
fn what_lines_say_takes_bounded_memory_however_much_that_is() {
    let mut whole = serde_json::to_string(&JournalLine::Frame(&frames(1)[0])).unwrap();
    whole.pop();
    assert_eq!(faults(made_up([whole.clone()]).unwrap()), Vec::<String>::new(), "{whole}");
    // More values than any frame has.
    let many = faults(made_up([format!("{{\"frame\":[{}]", vec!["0"; 1 << 21].join(","))]).unwrap());
    assert_eq!(many, ["it holds more values than a frame can have"]);
    // A line longer than any, and the report of a long text.
    let long = "a".repeat(LINE_MAX as usize);
    let longest = faults(made_up([format!("{{\"frame\":\"{long}\"")]).unwrap());
    assert_eq!(longest, ["the rest of the file cannot be read: a line has more than 16384 KiB"]);
    let said = faults(made_up([format!("{{\"frame\":\"{}\"", &long[..1 << 20])]).unwrap());
    assert!(said[0].len() < 300 && said[0].ends_with(".."), "{} bytes", said[0].len());
    // A time later than any run.
    let late = "{\"frame\":{\"body\":{\"map\":{\"placed\":null,\"map\":null,\"took\":{\"secs\":18446744073709551615,\"nanos\":0}}}}";
    assert_eq!(faults(made_up([late.to_owned()]).unwrap()), ["its time is later than any run can last"]);
}

/// The largest crew on the largest board whose positions are all taken.
#[test]
fn the_most_events_that_a_frame_has_fit_into_a_line() {
    let kind = EventKind::Hired { by: 4095, depth: 63, left: Some(62), company: vec![1], entered: Some(u64::MAX) };
    let event = |worker| Event { at: Duration::from_secs(1 << 36), worker, kind: kind.clone() };
    let seen = WorkerSnapshot { nodes: 1 << 40, busy: Duration::from_micros(1), ..WorkerSnapshot::default() };
    let snapshot = Snapshot { workers: vec![seen; 4096], ..Snapshot::default() };
    let drawing = Drawing { chains: vec![(0..64).collect()], ..Drawing::default() };
    let positions = (0..4096).map(|worker| (worker, drawing.clone())).collect();
    let mut tree = TreeFrame { snapshot, positions };
    let whole = |tree: &TreeFrame, events: Vec<Event>| {
        let frame = Frame { body: Body::Tree(Box::new(tree.clone())), events };
        let mut line = serde_json::to_string(&JournalLine::Frame(&frame)).unwrap();
        line.pop();
        faults(made_up([line]).unwrap())
    };
    assert_eq!(whole(&tree, vec![event(4095); EVENTS_MAX]), Vec::<String>::new());
    assert!(whole(&tree, vec![event(4096)])[0].starts_with("no crew has a worker 4096"));
    tree.positions[0].0 = 4096;
    assert!(whole(&tree, Vec::new())[0].starts_with("no crew has a worker 4096"));
}

/// Empty lines, of which a few kilobytes of zstd hold millions.
#[test]
fn lines_that_cannot_be_read_are_told_up_to_a_number() {
    let mut text = serde_json::to_vec(&Head::new(subject())).unwrap();
    text.pop();
    text = sealed(&text);
    text.extend(b"\n".repeat(1 << 20));
    let faults = faults(Reader::new(std::io::Cursor::new(text)).unwrap());
    assert_eq!(faults.len(), 10_000);
    assert!(faults[9999].ends_with("too many lines are unreadable, so the rest is not read"), "{}", faults[9999]);
}

/// A crew of 64 whose workers run out of work and are hired again 2500 times a second, each at another depth. Each
/// frame has a third of the positions. A minute of it takes at most 2.5 MB.
#[test]
fn a_minute_of_a_busy_crew_fits_into_two_and_a_half_megabytes() {
    let folder = tempfile::tempdir().unwrap();
    let mut random = fastrand::Rng::with_seed(13);
    let mut workers = vec![WorkerSnapshot::default(); 64];
    let mut waiting: Vec<usize> = (0..64).collect();
    let mut frame = |k: u64| {
        let mut events = Vec::new();
        for hire in 0..250 {
            let at = Duration::from_nanos(k * 100_000_000 + hire * 400_000 + random.u64(..300_000));
            let worker = waiting.pop().unwrap();
            let kind = EventKind::Hired {
                by: 7,
                depth: random.usize(20..40),
                left: Some(4),
                company: Vec::new(),
                entered: None,
            };
            events.push(Event { at, worker, kind });
            let kind =
                EventKind::Idle { nominee: Some(7), level: Some(4), nodes: 1 << random.u32(4..30), put_down: false };
            events.push(Event { at: at + Duration::from_micros(random.u64(..60)), worker, kind });
            waiting.insert(waiting.len() - random.usize(..9), worker);
        }
        for worker in workers.iter_mut().skip(k as usize % 3).step_by(3) {
            worker.nodes += random.u64(..300_000);
            worker.busy += Duration::from_micros(random.u64(..100_000));
            worker.depth = random.usize(20..60);
        }
        for worker in &mut workers {
            worker.idle = Duration::from_millis(100 * (k + 1)).saturating_sub(worker.busy);
        }
        // Rounded as in a crew with a viewer.
        events.iter_mut().for_each(|event: &mut Event| event.at = round_event(event.at));
        let elapsed = Duration::from_millis(100 * (k + 1));
        let mut snapshot = Snapshot { elapsed, workers: workers.clone(), ..Snapshot::default() };
        round_workers(&mut snapshot);
        // All paths differ after their common beginning.
        let board: Board = "8x8".parse().unwrap();
        let mut path = |worker: usize| {
            let mut chain = vec![0];
            for k in 0..36 {
                let at = chain[chain.len() - 1];
                let next: Vec<u32> = board.neighbours(board.at(at).unwrap()).map(u32::from).collect();
                chain.push(next[if k < 20 { (k + worker / 8) % 2 } else { random.usize(..next.len()) }]);
            }
            (worker, Drawing { chains: vec![chain], ..Drawing::default() })
        };
        let positions = (0..64).step_by(if k.is_multiple_of(10) { 1 } else { 3 }).map(&mut path).collect();
        Frame { body: Body::Tree(Box::new(TreeFrame { snapshot, positions })), events }
    };
    let frames: Vec<Frame> = (0..100).map(&mut frame).collect();
    let path = journal(folder.path(), "busy.zst", &frames, true);
    let minute = std::fs::metadata(&path).unwrap().len() * 600 / 100;
    assert!(minute < 2_500_000, "{minute} bytes a minute");
}

#[test]
fn a_full_queue_loses_frames_that_are_counted_and_no_event() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let recorder = Recorder::new(File::create(&path).unwrap(), &path, false, subject()).unwrap();
    let many = frames(3000);
    for frame in &many {
        let at = frame.at();
        recorder.take(&Frame { events: vec![Event { at, worker: 1, kind: EventKind::FirstTour }], ..frame.clone() });
    }
    while !recorder.is_idle() {
        std::thread::yield_now();
    }
    recorder.take(&many[0]);
    let written = recorder.finish(Some(End::Map), Some(serde_json::json!({ "tours": "9862" }))).unwrap();
    assert_eq!(written.frames + written.lost, 3001);
    let mut events = 0;
    let mut lost = 0;
    for item in Reader::open(&path).unwrap() {
        match item {
            Item::Frames { frames, .. } => events += frames.iter().map(|frame| frame.events.len()).sum::<usize>(),
            Item::Ended(last) => lost = last.lost,
            Item::Damaged(damage) => panic!("{damage:?}"),
        }
    }
    assert_eq!((events, lost), (3000, written.lost));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// A journal cut anywhere gives the frames before the cut, and a damaged one is read without a panic.
    #[test]
    fn a_journal_that_is_cut_off_or_damaged_gives_what_it_can(share in 0.0f64..1.0, byte: u8, compressed: bool) {
        let folder = tempfile::tempdir().unwrap();
        let frames = frames(45);
        let name = if compressed { "run.zst" } else { "run" };
        let path = journal(folder.path(), name, &frames, true);
        let bytes = std::fs::read(&path).unwrap();
        let at = (share * bytes.len() as f64) as usize;
        std::fs::write(&path, &bytes[..at]).unwrap();
        if let Ok((again, damage, ends)) = read(&path) {
            prop_assert!(frames.starts_with(&again) && damage.is_empty());
            prop_assert!(!ends);
        }
        let mut damaged = bytes;
        damaged[at] = byte;
        std::fs::write(&path, &damaged).unwrap();
        if let Ok((again, ..)) = read(&path) {
            // Every frame is one that was written.
            let mut written = frames.iter();
            prop_assert!(again.iter().all(|frame| written.any(|written| written == frame)));
        }
    }
}

#[test]
fn a_journal_without_a_frame_leaves_what_there_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    std::fs::write(&path, "mine").unwrap();
    let open = || File::options().write(true).open(&path).unwrap();
    drop(Recorder::new(open(), &path, false, subject()).unwrap());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine");
    drop(Recorder::new(open(), &path, true, subject()).unwrap());
    assert!(!path.exists());
}
