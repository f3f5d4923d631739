//! Whatever stands twice on the screens of one moment is the same both times: the letters of the rows and the heading, the bar,
//! the balance, the verdicts and the page of a worker, the sentence, the log, the clocks. The crews are made up from seeds; the
//! screens are read as text, as a user reads them.

use super::fixture::{THEME, drawing, elapsed, ended, model, noise, press, seen, snapshot};
use super::tape::{Played, Tape};
use destrier::event::{Event, EventKind};
use destrier::run::{Frame, TimePart};
use destrier::schedule::{Forecast, Overhead, SharingCounts, Simulated, Snapshot, WorkerSnapshot, WorkerState};
use destrier::ui::kit::{Playback, ScreenEvent};
use destrier::ui::{LiveModel, Model as _, RunModel, screen_text};
use ratatui::crossterm::event::KeyCode;
use std::collections::BTreeMap;
use std::time::Duration;

/// How a run is shown.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Mode {
    Live,
    Paused,
    Slow,
    Simulated,
    /// In another process, which sees one frame of three with the events of all.
    Attached,
    /// Saved at some looks, the last one among them.
    Saved,
    Ended,
    /// So many frames before the end of a run that is over.
    Past(usize),
    /// The same of a run that was in slow motion.
    SlowPast,
    /// At an event of it, between two looks.
    AtEvent,
    /// In the middle of a recording.
    Replayed,
}

impl Mode {
    fn is_over(self) -> bool {
        !matches!(self, Mode::Live | Mode::Paused | Mode::Slow | Mode::Simulated | Mode::Attached | Mode::Saved)
    }
}

/// When a run ends: the last look comes a little after that.
fn over() -> Duration {
    elapsed(FRAMES) - Duration::from_micros(30)
}

const MODES: [Mode; 13] = [
    Mode::Live,
    Mode::Paused,
    Mode::Slow,
    Mode::Simulated,
    Mode::Attached,
    Mode::Ended,
    Mode::Past(1),
    Mode::Past(4),
    Mode::Past(13),
    Mode::SlowPast,
    Mode::AtEvent,
    Mode::Replayed,
    Mode::Saved,
];
const SIZES: [(u16, u16); 5] = [(40, 10), (80, 24), (100, 30), (120, 40), (200, 60)];
const CREWS: [usize; 6] = [2, 4, 16, 17, 64, 256];
const FRAMES: usize = 64;
/// The first frame of a pause, and the first one behind it.
const PAUSED: usize = 20;
const RESUMED: usize = 23;
/// Frames from one save to the next, at which all workers with a branch have put it down.
const SAVED_EVERY: usize = 8;
/// The frame from which on no worker of some crews is hired any more, so that the sentence is of that.
const QUIET: usize = 8;

/// A crew that is made up: what has happened to each worker so far.
struct Crew {
    seed: usize,
    workers: Vec<WorkerSnapshot>,
}

impl Crew {
    fn new(seed: usize, workers: usize) -> Crew {
        Crew { seed, workers: vec![WorkerSnapshot { state: WorkerState::Busy, ..WorkerSnapshot::default() }; workers] }
    }

    fn dice(&self, worker: usize, frame: usize, sides: usize) -> usize {
        noise(worker * 1009 + self.seed, frame * 31 + sides) % sides
    }

    /// The events of a frame: some workers have run dry and been hired, a few microseconds apart.
    fn events(&mut self, frame: usize) -> Vec<Event> {
        let all = self.workers.len();
        let is_quiet = self.seed.is_multiple_of(3) && frame > QUIET;
        let hires = (0..self.dice(all, frame, 4)).filter(|_| frame > 0 && !is_quiet).flat_map(|hire| {
            let worker = self.dice(hire, frame, all);
            let by = (worker + 1 + self.dice(hire, frame, all - 1)) % all;
            let at = elapsed(frame) - Duration::from_micros((90 - 20 * (hire / 2)) as u64);
            self.workers[by].sharing.hires += 1;
            let nodes = 1000 * (1 + self.dice(hire, frame, 77)) as u64;
            let dry = EventKind::Idle { nominee: Some(by), level: Some(3), nodes, put_down: false };
            let hired = EventKind::Hired { by, depth: 3 + hire, left: None, company: Vec::new(), entered: None };
            [Event { at: at - Duration::from_micros(7), worker, kind: dry }, Event { at, worker, kind: hired }]
        });
        hires.collect::<Vec<_>>()
    }

    /// At a save all workers put their branches down, and a little later they go on with them.
    fn saved(&self, frame: usize) -> impl Iterator<Item = Event> {
        let kind = match frame % SAVED_EVERY {
            0 if frame > 0 => {
                Some((elapsed(frame), EventKind::Idle { nominee: None, level: None, nodes: 9, put_down: true }))
            }
            1 if frame > 1 => Some((elapsed(frame - 1) + Duration::from_millis(1), EventKind::Began { depth: 3 })),
            _ => None,
        };
        let all = self.workers.len();
        kind.into_iter()
            .flat_map(move |(at, kind)| (0..all).map(move |worker| Event { at, worker, kind: kind.clone() }))
    }

    /// The look at a frame. How large the parts of the time are is another thing of each crew.
    fn look(&mut self, frame: usize, mode: Mode) -> Snapshot {
        let is_saved = mode == Mode::Saved && frame.is_multiple_of(SAVED_EVERY);
        let (all, wait) = (self.workers.len(), [1, 4, 16, 40][self.seed % 4]);
        for id in 0..all {
            let state = match self.dice(id, frame, 16) {
                0 => WorkerState::Idle,
                1 | 2 => WorkerState::Waiting,
                _ if is_saved => WorkerState::Saving,
                3 => WorkerState::Descheduled,
                _ => WorkerState::Busy,
            };
            let idle = Duration::from_micros((1000 * self.dice(id, frame, wait) + self.dice(id, frame, 777)) as u64);
            let away = Duration::from_micros(100 * self.dice(id, frame, [2, 300][self.seed / 4 % 2]) as u64);
            let (nodes, drawn) = (self.dice(id, frame, 60_000) as u64, self.dice(id, frame, 20));
            let worker = &mut self.workers[id];
            if frame > 0 {
                worker.idle += idle;
                worker.busy = elapsed(frame) - worker.idle;
                worker.cpu = (worker.cpu + elapsed(1)).saturating_sub(idle + away).min(worker.busy);
                let Overhead { hand_over, save, .. } = worker.overhead;
                let saved = if state == WorkerState::Saving { idle } else { Duration::ZERO };
                worker.overhead =
                    Overhead { hand_over: hand_over + away / 64, save: save + saved, ..Overhead::default() };
                worker.nodes += nodes;
            }
            (worker.state, worker.waits_at) = (state, (state == WorkerState::Waiting).then_some((id + 1) % all));
            (worker.depth, worker.level) =
                (38 + if id == 0 { noise(0, frame) % 20 } else { drawn }, Some(3 + drawn % 9));
            worker.sharing = SharingCounts { donations: frame as u64 / 7, ..worker.sharing };
        }
        Snapshot { workers: self.workers.clone(), cores: Some(2), ..snapshot(self.workers.len(), frame) }
    }

    fn frame(&mut self, frame: usize, mode: Mode) -> Frame {
        let mut events = self.events(frame);
        // A pause that begins and ends between two looks.
        let has_pause = self.seed % 2 == 1 && mode != Mode::Simulated;
        let held = |kind, before| Event { at: elapsed(frame) - Duration::from_millis(before), worker: 0, kind };
        match frame {
            PAUSED if has_pause => events.insert(0, held(EventKind::Paused, 37)),
            RESUMED if has_pause => events.insert(0, held(EventKind::Resumed, 41)),
            _ if mode == Mode::Saved => {
                events.extend(self.saved(frame));
                events.sort_by_key(|event| event.at);
            }
            FRAMES if mode.is_over() => events.push(Event { at: over(), worker: 0, kind: EventKind::Finished }),
            _ => {}
        }
        let look = Snapshot {
            paused: (mode == Mode::Paused && frame + 3 > FRAMES) || (has_pause && (PAUSED..RESUMED).contains(&frame)),
            pace: (matches!(mode, Mode::Slow | Mode::SlowPast | Mode::AtEvent) && frame > FRAMES / 2).then_some(1000),
            simulated: (mode == Mode::Simulated).then_some(Simulated { node_ns: 6.2, nodes_per_s: 345.0 }),
            // Without an estimate nothing is known of the whole tree before the end.
            outlook: if self.seed.is_multiple_of(2) { snapshot(1, frame).outlook } else { Forecast::default() },
            ..self.look(frame, mode)
        };
        let board = "8x8".parse().expect("a board");
        seen(look, events, frame.is_multiple_of(5).then(|| drawing(board, frame)))
    }
}

fn run((width, height): (u16, u16), workers: usize, seed: usize, mode: Mode) -> LiveModel {
    let mut model = model(width, height, workers, THEME);
    let about = model.about.clone();
    model.begin(about, model.scheduler);
    let mut crew = Crew::new(seed, workers);
    let frames: Vec<Frame> = (0..=FRAMES).map(|frame| crew.frame(frame, mode)).collect();
    let (back, end) = (|frames: usize| "b".repeat(frames), ended(None, over() + Duration::from_nanos(456)));
    let keys = match mode {
        Mode::Past(frames) => back(frames),
        Mode::SlowPast => back(9),
        Mode::AtEvent => "[".repeat(1 + seed % 5),
        Mode::Replayed => back(FRAMES / 2),
        _ => String::new(),
    };
    if mode == Mode::Replayed {
        model.replay(Playback::recorded(&mut Played::new(Tape { frames, end: Some(end.clone()) })));
        model.update(ScreenEvent::Passed(elapsed(2 * FRAMES)));
    } else if mode == Mode::Attached {
        for seen in frames.chunks(3) {
            let events = seen.iter().flat_map(|frame| frame.events.clone()).collect();
            model.take(Frame { events, ..seen[seen.len() - 1].clone() });
        }
    } else {
        frames.into_iter().for_each(|frame| model.take(frame));
    }
    if mode.is_over() {
        model.end(end);
    }
    keys.chars().for_each(|key| drop(press(&mut model, KeyCode::Char(key))));
    model
}

/// The number or share behind the last of these words on a line.
fn behind<'a>(text: &'a str, words: &str) -> Option<&'a str> {
    let at = text.rfind(words)?;
    text[at + words.len()..].split_whitespace().next()
}

/// Each part of the time of the crew, as it stands beside the bar of the header.
fn beside_the_bar(text: &str) -> BTreeMap<&'static str, String> {
    let bar = text.lines().nth(2).filter(|line| line.starts_with(['█', '▓', '░', '▒']) || line.contains("searching"));
    let bar = bar.unwrap_or_default();
    let share = |part: TimePart| Some((part.name(), behind(bar, &format!(" {} ", part.name()))?.to_owned()));
    TimePart::ALL.into_iter().filter_map(share).collect()
}

/// The numbers in the heading of the threads, by letter.
fn heading(text: &str) -> BTreeMap<char, usize> {
    let line = text.lines().find(|line| line.starts_with('╭') && line.contains(" threads ")).unwrap_or_default();
    let Some((_, line)) = line.split_once(" threads ") else { return BTreeMap::new() };
    let line = line.split('╮').next().unwrap_or_default();
    let words: Vec<&str> = line.split_whitespace().collect();
    let number = |place: usize| words[place + 1..].iter().take(3).find_map(|word| word.replace(',', "").parse().ok());
    let letter = |word: &str| Some(word.chars().next()?).filter(|_| word.chars().count() == 1 && word != "─");
    let known = |letter: &char| letter.is_alphabetic() || "<>".contains(*letter);
    (0..words.len()).filter_map(|place| Some((letter(words[place]).filter(known)?, number(place)?))).collect()
}

/// A row of the table of the workers.
struct Row<'a> {
    worker: usize,
    letter: char,
    mark: char,
    rest: Vec<&'a str>,
}

/// The rows of the table, in whatever number of columns.
fn rows(text: &str) -> Vec<Row<'_>> {
    // A number, with a blank or in a short cell without one, a letter that is no unit, and a mark.
    let begins = |line: &str, at: usize| {
        let digits = line[at..].chars().take_while(char::is_ascii_digit).count();
        let behind = &line[at + digits..];
        let mut letters = behind.strip_prefix(' ').unwrap_or(behind).chars();
        let is_row = line[..at].ends_with([' ', '│'])
            && letters.next().is_some_and(|letter| {
                let is_first = line[..at].trim_end() == "│";
                letter.is_alphabetic() && !"kMGTPEu".contains(letter) && (letter != 's' || is_first)
            })
            && letters.next().is_some_and(|mark| " <>".contains(mark));
        is_row.then_some(line[at..at + digits].parse::<usize>().ok()?)
    };
    let mut rows = Vec::new();
    for line in text.lines().filter(|line| line.starts_with('│')) {
        let places = line.char_indices().filter(|(_, letter)| letter.is_ascii_digit());
        let starts: Vec<(usize, usize)> = places.filter_map(|(at, _)| Some((at, begins(line, at)?))).collect();
        for (place, &(at, worker)) in starts.iter().enumerate() {
            let until = starts.get(place + 1).map_or(line.len(), |next| next.0);
            let mut letters =
                line[at..].trim_start_matches(|letter: char| letter.is_ascii_digit()).trim_start().chars();
            let (letter, mark) = (letters.next().unwrap_or(' '), letters.next().unwrap_or(' '));
            rows.push(Row { worker, letter, mark, rest: line[at..until].split_whitespace().skip(1).collect() });
        }
    }
    rows
}

/// What stands on one screen of a run.
fn one_screen(text: &str, mode: Mode, workers: usize) {
    let (bar, heading) = (beside_the_bar(text), heading(text));
    let counted: usize = heading.iter().filter(|(letter, _)| !"<>".contains(**letter)).map(|(_, number)| number).sum();
    let is_whole = !text.contains(" and ") && text.contains(" threads ") && counted > 0;
    // The heading loses its last states where there is no room.
    assert!(!is_whole || counted <= workers, "{counted} of {workers}\n{text}");
    let rows = rows(text);
    if rows.len() == workers && !heading.is_empty() {
        for (letter, number) in &heading {
            let has = |row: &&Row<'_>| if "<>".contains(*letter) { row.mark == *letter } else { row.letter == *letter };
            assert_eq!(rows.iter().filter(has).count(), *number, "{letter}\n{text}");
        }
        // Of a small crew the last look is shown, which is that of a save.
        let is_shown = |letter: char| heading.contains_key(&letter);
        assert!(mode != Mode::Saved || !is_shown('x') && (workers > 4 || !is_shown('B')), "{text}");
        let is_named = |row: &Row<'_>| counted < workers || heading.contains_key(&row.letter);
        assert!(rows.iter().all(is_named), "{text}");
        if text.lines().nth(3).unwrap_or_default().chars().count() >= 100 {
            assert_eq!(counted, workers, "every worker has a state\n{text}");
        }
    }
    // The strip has a letter for each worker, in their order where they are in no groups.
    let strip: Vec<char> = text.lines().filter_map(|line| line.strip_prefix(" state ")).flat_map(str::chars).collect();
    let strip: Vec<char> = strip.into_iter().filter(|letter| *letter != ' ').collect();
    assert!(strip.is_empty() || strip.len() == workers, "{text}");
    for (letter, number) in heading.iter().filter(|(letter, _)| !strip.is_empty() && letter.is_alphabetic()) {
        assert_eq!(strip.iter().filter(|own| *own == letter).count(), *number, "{letter}\n{text}");
    }
    let is_alike = |row: &Row<'_>| strip.get(row.worker).is_none_or(|letter| *letter == row.letter);
    assert!(rows.len() != workers || rows.iter().all(is_alike), "{text}");
    // A sentence on what is now.
    if let (Some(said), Some(waiting)) = (behind(text, "no hire for"), heading.get(&'w')) {
        let number = text.split("no hire for ").nth(1).and_then(|said| said.split(": ").nth(1)).unwrap_or(said);
        let number = number.split(' ').next().and_then(|number| number.parse::<usize>().ok());
        assert_eq!(number.unwrap_or(0), *waiting, "{text}");
    }
    for line in text.lines().filter(|line| line.contains("(of ")) {
        // A verdict is a share of a part that stands on the screen.
        for part in TimePart::ALL {
            if let (Some(of), Some(share)) = (behind(line, &format!("(of {} ", part.name())), bar.get(part.name())) {
                assert_eq!(
                    of.trim_end_matches([')', ':', '│', '.']),
                    format!("{share})").trim_end_matches(')'),
                    "{text}"
                );
            }
        }
    }
    let share = |text: &str| text.trim_matches(['%', '<']).parse::<f64>().unwrap_or(100.0);
    if text.contains("no loss reaches 5%") {
        let lost = bar.iter().filter(|(part, _)| **part != "searching").map(|(_, text)| share(text));
        assert!(lost.fold(0.0, f64::max) < 5.05, "{text}");
    }
    let is_all = |share: &&String| share.as_str() == "100%";
    assert!(bar.len() < 2 || !bar.values().any(|share| is_all(&share)), "{text}");
    if let Mode::Past(_) | Mode::Replayed | Mode::SlowPast | Mode::AtEvent = mode {
        let clocks: Vec<&str> =
            text.split("PAST ").skip(1).filter_map(|behind| behind.trim_start().split("  ").next()).collect();
        let clocks: Vec<&str> = clocks.into_iter().filter_map(|clock| clock.lines().next()).map(str::trim).collect();
        assert!(clocks.windows(2).all(|pair| pair[0] == pair[1]) && !clocks.is_empty(), "{clocks:?}\n{text}");
        let is_large = text.lines().count() >= 24 && !text.contains("FINISHED");
        assert!(clocks.len() > 1 || !is_large, "header and line: {clocks:?}\n{text}");
        assert!(!text.contains("done  unknown"), "{text}");
    }
}

/// The log of the hires: two events that are not the same have not the same time beside each other.
fn log(text: &str, model: &LiveModel, mode: Mode) {
    // At full speed the log moves some times a second.
    if matches!(mode, Mode::Live | Mode::Simulated | Mode::Attached | Mode::Saved) {
        return;
    }
    let times: Vec<&str> = text
        .lines()
        .filter(|line| {
            [" at depth ", " → ", "s  paused", "s  went on", "s  the run ended"].iter().any(|is| line.contains(is))
        })
        .filter_map(|line| line.trim_start_matches(['│', ' ']).split_whitespace().next())
        .filter(|time| time.ends_with('s'))
        .collect();
    let at: Vec<Duration> = model.hires.log().map(|event| model.run_time(event.at)).collect();
    for (place, pair) in times.windows(2).enumerate() {
        let same = at.get(place) == at.get(place + 1);
        assert_eq!(pair[0] == pair[1], same, "{} at {place}\n{text}", pair[0]);
    }
}

/// A figure of three digits.
fn figure(text: &str) -> f64 {
    let text = text.trim_end_matches(|letter: char| !letter.is_ascii_alphanumeric()).replace(',', "");
    let unit = [("k", 1e3), ("M", 1e6), ("G", 1e9)].into_iter().find(|(unit, _)| text.ends_with(unit));
    text.trim_end_matches(['k', 'M', 'G']).parse::<f64>().unwrap_or(0.0) * unit.map_or(1.0, |(_, times)| times)
}

/// The page of a hire: its branch became what its worker entered, and what became of the branches given out of it.
fn one_hire(text: &str) {
    let page: String = text.lines().filter_map(|line| line.strip_prefix("│ ")).fold(String::new(), |all, line| {
        let line = line.trim_end_matches(['│', ' ']);
        if line.trim_start().starts_with("worker ") && line.contains(" <- ") {
            all + "\n" + line
        } else {
            all + " " + line
        }
    });
    let Some(became) = behind(&page, "it became ") else { return };
    let after = |words| page.split_once(words).and_then(|(_, rest)| rest.split(' ').next()).map_or(0.0, figure);
    let [own, given] = [" entered ", ", and "].map(after);
    let tree = page.lines().filter_map(|line| {
        let (who, rest) = line.split_once(", depth ")?;
        let nodes = rest.split_once(", ")?.1.split(' ').next()?;
        Some((
            who.len() - who.trim_start().len(),
            who.trim().to_owned(),
            rest.split(',').next()?.to_owned(),
            nodes.to_owned(),
        ))
    });
    let tree: Vec<_> = tree.collect();
    let (_, who, depth, nodes) = tree.first().unwrap_or_else(|| panic!("no tree\n{text}"));
    assert_eq!(nodes, became, "{text}");
    let (taker, giver) = who.split_once(" <- ").expect("a giver");
    assert!(page.contains(&format!("worker {giver} gave {taker} a branch at depth {depth}")), "{text}");
    let near = |a: f64, b: f64| (a - b).abs() <= 0.02 * a.max(b);
    assert!(near(own + given, figure(became)), "{own} + {given}\n{text}");
    let below: f64 = tree.iter().filter(|(indent, ..)| *indent == 2).map(|(.., nodes)| figure(nodes)).sum();
    assert!(near(below, given) || text.contains(" more ") || page.contains(" more"), "{below} of {given}\n{text}");
}

/// The panes of one moment beside each other.
fn every_screen(model: &mut LiveModel, mode: Mode, workers: usize) {
    let what = format!("{mode:?} {workers}");
    let mut zoomed = |key: char| {
        press(model, KeyCode::Char(key));
        let text = screen_text(model);
        one_screen(&text, mode, workers);
        if key == '5' {
            log(&text, model, mode);
        }
        press(model, KeyCode::Esc);
        text
    };
    let [threads, board, _, balance, hires, _, page] = ['1', '2', '3', '4', '5', '6', '7'].map(&mut zoomed);
    for key in ['5', 'j', 'j', 'j', '8'] {
        press(model, KeyCode::Char(key));
    }
    one_hire(&screen_text(model));
    press(model, KeyCode::Esc);
    model.hire = None;
    let whole = screen_text(model);
    one_screen(&whole, mode, workers);
    // Figures are those of a look; where states are of an event behind it, the header says so.
    if let (Mode::AtEvent, Some(moment)) = (mode, model.playback.shown()) {
        let look = model.playback.past().frame(moment).map(|frame| frame.at());
        let is_between = look.is_some_and(|look| model.run_time(look) != model.run_time(moment.at));
        let says = whole.lines().nth(1).is_some_and(|line| line.contains("figures ") && line.contains(" earlier"));
        assert_eq!(says, is_between, "{what}\n{whole}");
    }
    // The time of the crew is the same in the header and in the balance.
    let bar = beside_the_bar(&balance);
    for (part, share) in &bar {
        let line = balance.lines().find(|line| line.starts_with(&format!("│ {part:<12} ")));
        if let Some(line) = line {
            assert_eq!(behind(line, part), Some(share.as_str()), "{what} {part}\n{balance}");
        }
    }
    // The row and the page of a worker.
    let (rows, own) = (rows(&threads), model.selected);
    if let Some(row) = rows.iter().find(|row| row.worker == own) {
        let state = |letter: char| match letter {
            'B' => "searching",
            'w' => "waiting",
            'n' => "no processor",
            'p' => "paused",
            's' => "saving",
            _ => "done",
        };
        let title = page.lines().find(|line| line.starts_with('╭')).unwrap_or_default();
        assert!(title.contains(&format!("{} {}", row.letter, state(row.letter))), "{what}\n{threads}\n{page}");
        let inside = || page.lines().filter(|line| line.starts_with('│'));
        let nodes = inside().find(|line| line.contains("nodes ") && line.contains("tours "));
        let share = inside().rfind(|line| line.contains(" searching ") && line.contains('%'));
        let shown = [nodes.and_then(|line| behind(line, "nodes ")), share.and_then(|line| behind(line, " searching "))];
        for (place, shown) in shown.into_iter().enumerate().filter_map(|(place, shown)| Some((place, shown?))) {
            let heading = threads.lines().find(|line| line.contains("#   depth")).unwrap_or_default();
            let has_column = heading.contains([" search", " nodes"][1 - place]);
            assert!(!has_column || row.rest.contains(&shown), "{what}: {shown}\n{threads}\n{page}");
        }
        // The row and the board are of one sample, or the board says of which.
        if let (Mode::Past(_) | Mode::Replayed | Mode::AtEvent, Some(depth)) =
            (mode, model.snapshot.workers.get(own).map(|worker| worker.depth))
        {
            let says = board.contains(" earlier ─") || board.contains(" later ─");
            let drawn = model.drawing.chains.first().map_or(0, Vec::len);
            assert!(says || drawn == 0 || drawn == depth, "{what}: {drawn} on the board, at {depth}\n{board}");
        }
    }
    // Hires, and the nodes that one gave.
    let said = hires.lines().find(|line| line.contains("nodes each when done")).unwrap_or_default();
    let each = said.split_whitespace().rev().skip_while(|word| *word != "nodes").nth(1);
    let mean = balance.lines().find(|line| line.contains("│ handed over")).and_then(|line| behind(line, "handed over"));
    if let (Some(each), Some(mean)) = (each, mean) {
        assert_eq!(each, mean, "{what}\n{hires}\n{balance}");
    }
}

#[test]
fn whatever_stands_twice_on_a_screen_is_the_same() {
    for (place, mode) in MODES.into_iter().enumerate() {
        for (nth, workers) in CREWS.into_iter().enumerate() {
            for (k, size) in SIZES.into_iter().enumerate() {
                let mut model = run(size, workers, 8 * place + 3 * nth + k, mode);
                every_screen(&mut model, mode, workers);
                for letter in ['o', 'o', 'o', 'l', 'j'] {
                    press(&mut model, KeyCode::Char(letter));
                }
                every_screen(&mut model, mode, workers);
            }
        }
    }
}
