//! Tests with a made-up folder and made-up times.

use super::Campaign;
use super::folder::PartsFolder;
use super::gathering::Gathering;
use super::judge::Judge;
use super::pace::PartFigures;
use super::states::PartState;
use crate::board::Ending;
use crate::run::checkpoint::Checkpoint;
use crate::run::frame::Body;
use crate::run::part;
use crate::run::question::{Plan, Question};
use crate::run::source::{End, Source};
use crate::run::whole::Sample;
use crate::saved::ReplacedFile;
use crate::schedule::{RunOutcome, Shard, Totals};
use crate::search::{Tally, Task};
use crate::solve::{Problem, solver_by_name};
use PartState::{Done, Missing, Running, Stale, Wrong};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

const OF: u32 = 6;

/// A folder, its reader and its judge.
struct Looked {
    place: TempDir,
    folder: PartsFolder,
    judge: Judge,
    second: u64,
}

fn checkpoint(board: &str, index: u32, of: u32, nodes: u64, ended: bool) -> Checkpoint {
    let problem = Problem::new(board.parse().unwrap(), Ending::Closed);
    let question = Question::Search(solver_by_name("path").unwrap(), problem);
    let plan = Plan { shard: Shard::new(index, of), ..Plan::of(question, 1) };
    let tally = Tally { nodes, tours: nodes / 10, ..Tally::default() };
    let worker = Totals { tally, busy: Duration::from_secs(nodes / 100), ..Totals::default() };
    let rest = if ended { Vec::new() } else { vec![Task { choices: [1, 2].into(), share: 0.5 }] };
    let so_far = RunOutcome { workers: vec![worker], rest, ..RunOutcome::default() };
    Checkpoint { plan, every: Duration::from_secs(30), tours: None, so_far, ended }
}

fn save(checkpoint: &Checkpoint, path: &Path) {
    checkpoint.save(&ReplacedFile::new(path).unwrap()).unwrap();
    let _ = fs::remove_file(crate::saved::older(path));
}

/// Sets the time of change of a file to `seconds` ago.
fn age(path: &Path, seconds: u64) {
    let file = File::options().write(true).open(path).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(seconds)).unwrap();
}

impl Looked {
    fn new() -> Looked {
        let place = tempfile::tempdir().unwrap();
        let folder = PartsFolder::new(place.path().to_owned());
        Looked { place, folder, judge: Judge::default(), second: 0 }
    }

    fn path(&self, index: u32, ended: bool) -> PathBuf {
        let path = part::path(self.place.path(), Shard::new(index, OF).unwrap());
        if ended { path } else { path.with_extension("checkpoint") }
    }

    /// A complete part, or a checkpoint of a part.
    fn put(&self, index: u32, nodes: u64, ended: bool) -> PathBuf {
        let path = self.path(index, ended);
        save(&checkpoint("6x6", index, OF, nodes, ended), &path);
        path
    }

    /// The state some seconds later.
    fn look(&mut self, later: u64) -> Campaign {
        self.second += later;
        let at = Duration::from_secs(self.second);
        self.folder.look(&|| at, &mut |_, _| ());
        self.judge.whole(&self.folder, at)
    }
}

fn names(campaign: &Campaign) -> Vec<&str> {
    campaign.wrong.iter().map(|wrong| wrong.name.as_str()).collect()
}

#[test]
fn parts_come_and_tell_of_the_whole() {
    let mut looked = Looked::new();
    let empty = looked.look(0);
    assert!(empty.parts.is_empty() && empty.question.is_empty() && !empty.complete, "{empty:?}");
    let mut nodes = Vec::new();
    for index in [4, 1, 6, 2, 5, 3] {
        nodes.push(1000 + 100 * u64::from(index));
        looked.put(index, nodes[nodes.len() - 1], true);
        let seen = looked.look(1);
        assert_eq!((seen.question.as_str(), seen.convention.as_str()), ("6x6 closed tours by path", "undirected"));
        assert_eq!((seen.parts[index as usize - 1], seen.count(Done)), (Done, nodes.len()));
        assert_eq!(seen.figures.nodes, nodes.iter().sum::<u64>());
        assert_eq!(seen.complete, nodes.len() == OF as usize);
        let told = (nodes.len() > 1).then(|| nodes.iter().map(|&n| n as f64).collect::<Sample>().whole(OF));
        assert_eq!(seen.estimate.map(|estimate| estimate.nodes), told);
        let trend: Vec<u32> = seen.trend.iter().map(|point| point.parts).collect();
        assert_eq!(trend, (2..=nodes.len() as u32).collect::<Vec<u32>>(), "one after the other, as they came");
        let last = seen.trend.last().map(|point| (point.tours, point.error));
        assert_eq!(last, seen.estimate.map(|estimate| (estimate.tours.sum, estimate.tours.error)));
    }
}

#[test]
fn a_part_that_is_begun_is_running_while_it_changes_and_then_it_is_stale() {
    let mut looked = Looked::new();
    (1..=2).for_each(|index| drop(looked.put(index, 1000, true)));
    looked.look(0);
    looked.put(3, 100, false);
    let seen = looked.look(1);
    assert_eq!((seen.parts[2], seen.figures.nodes), (Running, 2100));
    assert_eq!((seen.running[0].done, seen.running[0].age_s), (Some(0.1), 0.0));
    assert_eq!(looked.look(119).parts[2], Running);
    let seen = looked.look(2);
    assert_eq!((seen.parts[2], seen.running[0].stale, seen.running[0].age_s), (Stale, true, 121.0));
    looked.put(3, 500, false);
    let seen = looked.look(1);
    assert_eq!((seen.parts[2], seen.running[0].figures.nodes, seen.running[0].age_s), (Running, 500, 0.0));
    // The part is complete, and its checkpoint is still there.
    looked.put(3, 900, true);
    let seen = looked.look(1);
    assert_eq!((seen.parts[2], seen.figures.nodes, seen.running.len()), (Done, 2900, 0));
    fs::remove_file(looked.path(3, false)).unwrap();
    assert_eq!(looked.look(1).parts[2], Done);
}

/// The age of a file counts from the newest file, not from this machine's clock.
#[test]
fn old_checkpoints_are_stale_at_once_where_something_is_newer() {
    let mut looked = Looked::new();
    let (old, young) = (looked.put(1, 100, false), looked.put(2, 100, false));
    age(&old, 90_000);
    age(&young, 86_400);
    let seen = looked.look(0);
    assert_eq!(seen.parts[..2], [Stale, Running]);
    assert_eq!(seen.running.iter().map(|running| running.part).collect::<Vec<_>>(), [2, 1], "who runs comes first");
    assert!((3590.0..3610.0).contains(&seen.running[1].age_s), "{seen:?}");
    // The clock of one machine is ahead: the other file looks old until it changes.
    let ahead = looked.put(3, 100, false);
    File::options()
        .write(true)
        .open(ahead)
        .unwrap()
        .set_modified(SystemTime::now() + Duration::from_secs(9000))
        .unwrap();
    assert_eq!(looked.look(1).parts[..3], [Stale, Stale, Running]);
    looked.put(2, 200, false);
    assert_eq!(looked.look(1).parts[..3], [Stale, Running, Running]);
    // A single checkpoint counts as new for the longest possible time.
    let mut alone = Looked::new();
    age(&alone.put(1, 100, false), 90_000);
    assert_eq!([alone.look(0), alone.look(121)].map(|seen| seen.parts[0]), [Running, Stale]);
}

#[test]
fn what_is_no_part_is_named_and_does_not_end_it() {
    let mut looked = Looked::new();
    (1..=OF - 1).for_each(|index| drop(looked.put(index, 1000, true)));
    let folder = looked.place.path().to_owned();
    // Half of the file is visible.
    let whole = { fs::read(looked.put(OF, 1000, true)).unwrap() };
    let half = looked.path(OF, true);
    fs::write(&half, &whole[..whole.len() / 2]).unwrap();
    save(&checkpoint("5x6", 1, OF, 7, true), &folder.join("1-of-6 of 5x6.part"));
    save(&checkpoint("6x6", 2, 9, 7, true), &folder.join("2-of-9.part"));
    fs::copy(looked.path(3, true), folder.join("copy of 3.part")).unwrap();
    fs::write(folder.join("modulo-101.part"), "destrier count 1\n").unwrap();
    fs::write(folder.join("4-of-6.checkpoint"), "").unwrap();
    fs::create_dir(folder.join("folder.part")).unwrap();
    fs::write(folder.join("notes.txt"), "not looked at").unwrap();
    fs::write(folder.join(".destrier-x.part"), "not written to its end").unwrap();
    let seen = looked.look(0);
    let wrong = [
        "1-of-6 of 5x6.part",
        "2-of-9.part",
        "4-of-6.checkpoint",
        "6-of-6.part",
        "copy of 3.part",
        "folder.part",
        "modulo-101.part",
    ];
    assert_eq!(names(&seen), wrong);
    let why = |at: usize| seen.wrong[at].why.as_str();
    assert!(why(0).contains("5x6 closed tours by path, part 1/6, the others are not"), "{}", why(0));
    assert!(why(3).contains("damaged") && why(4).contains("its name is wrong"), "{} {}", why(3), why(4));
    assert!(why(5).contains("is a folder") && why(6).contains("is a checkpoint of a count"), "{}", why(5));
    assert_eq!((seen.count(Done), seen.parts[OF as usize - 1], seen.figures.nodes), (5, Wrong, 5000));
    // Now the whole file is visible and all parts are there, but another file is too.
    fs::write(&half, &whole).unwrap();
    let seen = looked.look(1);
    assert_eq!((seen.count(Done), seen.complete, names(&seen).len()), (6, false, 6));
    for name in wrong.into_iter().filter(|name| name.ends_with(".part") && *name != "6-of-6.part") {
        let path = folder.join(name);
        fs::remove_file(&path).or_else(|_| fs::remove_dir(&path)).unwrap();
    }
    let seen = looked.look(1);
    assert!(seen.complete && names(&seen) == ["4-of-6.checkpoint"], "a checkpoint is no complete part: {seen:?}");
    // A part whose file disappears is missing again.
    fs::remove_file(looked.path(2, true)).unwrap();
    let seen = looked.look(1);
    assert_eq!((seen.parts[1], seen.complete, seen.figures.nodes, seen.trend.len()), (Missing, false, 5000, 4));
}

#[test]
fn a_part_that_is_there_is_not_read_again_and_one_that_is_replaced_is() {
    let mut looked = Looked::new();
    let path = looked.put(1, 1000, true);
    looked.look(0);
    let changed = fs::metadata(&path).unwrap().modified().unwrap();
    // Equal length and time of change, but another inode.
    let mut bytes = fs::read(&path).unwrap();
    bytes[30] ^= 1;
    fs::write(&path, bytes).unwrap();
    File::options().write(true).open(&path).unwrap().set_modified(changed).unwrap();
    assert_eq!(looked.look(1).parts[0], Done);
    looked.put(1, 2000, true);
    assert_eq!(looked.look(1).figures, PartFigures { tours: 200, nodes: 2000, cpu_s: 20.0 });
}

#[test]
fn a_folder_that_is_not_there_yet_is_waited_for() {
    let mut looked = Looked::new();
    let (here, there) = (looked.place.path().to_owned(), looked.place.path().with_extension("later"));
    fs::rename(&here, &there).unwrap();
    let seen = looked.look(0);
    assert!(seen.absent && seen.trouble.is_none() && seen.parts.is_empty() && !seen.complete, "{seen:?}");
    fs::rename(&there, &here).unwrap();
    looked.put(1, 1000, true);
    let seen = looked.look(1);
    assert!(!seen.absent && seen.count(Done) == 1, "{seen:?}");
}

#[test]
fn a_folder_that_goes_away_is_said_and_looked_for_again() {
    let mut looked = Looked::new();
    let path = looked.put(1, 1000, true);
    looked.look(0);
    let (here, there) = (looked.place.path().to_owned(), looked.place.path().with_extension("away"));
    fs::rename(&here, &there).unwrap();
    let seen = looked.look(1);
    assert!(seen.trouble.is_some() && seen.count(Done) == 1 && !seen.complete, "{seen:?}");
    fs::rename(&there, &here).unwrap();
    assert!(path.exists());
    let seen = looked.look(1);
    assert!(seen.trouble.is_none() && seen.count(Done) == 1, "{seen:?}");
}

#[test]
fn rates_and_what_is_left_follow_from_what_was_added() {
    let mut looked = Looked::new();
    looked.put(1, 1000, true);
    looked.put(2, 1000, true);
    assert_eq!(looked.look(0).rates, None);
    for (later, nodes) in [(5, 100), (30, 400)] {
        looked.put(3, nodes, false);
        let seen = looked.look(later);
        assert_eq!(seen.rates.is_some(), nodes == 400, "{seen:?}");
    }
    let seen = looked.look(0);
    let rates = seen.rates.unwrap();
    assert_eq!((rates.nodes_per_s, rates.tours_per_s, rates.cores), (10.0, 1.0, 0.1));
    assert_eq!(seen.left_s, Some((6000.0 - 2400.0) / 10.0));
}

#[test]
fn a_source_gives_frames_until_all_is_there() {
    let looked = Looked::new();
    (1..OF).for_each(|index| drop(looked.put(index, 1000, true)));
    let mut source = Gathering::start(looked.place.path().to_owned()).unwrap();
    let (mut last, mut end) = (None, None);
    while end.is_none() {
        if let Some(Body::Campaign(seen)) = source.look().map(|frame| frame.body) {
            if last.is_none() {
                looked.put(OF, 1000, true);
            }
            last = Some(seen);
        }
        end = source.end(Duration::ZERO);
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!((end, source.has_failed()), (Some(End::Campaign), false));
    assert!(last.is_some_and(|seen| seen.complete && seen.figures.nodes == 6000));
}
