//! The order of the workers is that of the column which is drawn, whichever moment is shown.

use super::fixture::{THEME, ended, hired, model, noise, press, seen, snapshot};
use destrier::schedule::{Snapshot, WorkerState};
use destrier::ui::{LiveModel, RunModel, WorkerOrder, screen_text};
use ratatui::crossterm::event::KeyCode;
use std::time::Duration;

/// Frames in slow motion, in which who waited is another one than at full speed.
const SLOW: usize = 10;
const FRAMES: usize = 33;

/// The run at a frame: little of the time in slow motion is time of the run, so that who waited longest by the clock of the
/// view is not who waited for the largest share.
fn at(workers: usize, frame: usize) -> Snapshot {
    let pace = (frame < SLOW).then_some(1000);
    let mut seen = Snapshot { pace, ..snapshot(workers, frame) };
    for (id, worker) in seen.workers.iter_mut().enumerate() {
        let waited = |frames: usize, seed, most: usize| frames * (noise(id, seed) % most);
        let idle_ms = waited(frame.min(SLOW), 20, 90) + waited(frame.saturating_sub(SLOW), 21, 30);
        let idle = Duration::from_millis(idle_ms as u64);
        (worker.idle, worker.busy) = (idle, seen.elapsed - idle);
        worker.cpu = worker.busy;
    }
    seen
}

fn watched(width: u16, height: u16, workers: usize) -> LiveModel {
    let mut model = model(width, height, workers, THEME);
    let about = model.about.clone();
    model.begin(about, model.scheduler);
    for frame in 0..=FRAMES {
        let events = if frame % 3 == 1 { vec![hired(workers, frame)] } else { Vec::new() };
        model.take(seen(at(workers, frame), events, None));
    }
    press(&mut model, KeyCode::Char('1'));
    model
}

/// What stands below a heading, from the top, and behind that what stands below the same heading further to the right.
fn column(text: &str, heading: &str) -> Vec<String> {
    let lines: Vec<Vec<char>> = text.lines().map(|line| line.chars().collect()).collect();
    let letters: Vec<char> = heading.chars().collect();
    let starts =
        |line: &Vec<char>| -> Vec<usize> { (0..line.len()).filter(|&at| line[at..].starts_with(&letters)).collect() };
    let top = lines.iter().position(|line| line.iter().collect::<String>().contains("#   depth")).expect("a heading");
    let ends = starts(&lines[top]).into_iter().map(|start| start + letters.len() - 1);
    let value = |line: &Vec<char>, end: usize| -> Option<String> {
        let begin = line[..=end].iter().rposition(|&letter| letter == ' ')? + 1;
        Some(line[begin..=end].iter().collect::<String>()).filter(|text| !text.is_empty() && !text.contains('─'))
    };
    // Below a worker may stand where its time went; below all how many are not on the page, and what a hire is.
    let is_worker = |line: &&Vec<char>| {
        let line: String = line.iter().collect();
        let mut words = line.trim_matches(['│', ' ']).split(' ');
        words.next().is_some_and(|id| id.parse::<usize>().is_ok())
            && words.next().is_some_and(|state| state.starts_with(['B', 'n', 'w', 'p', 'x']))
    };
    let in_pane = lines[top + 1..].iter().take_while(|line| line.first() != Some(&'╰'));
    let rows: Vec<&Vec<char>> = in_pane.filter(is_worker).collect();
    ends.flat_map(|end| rows.iter().map_while(move |line| value(line, end)).collect::<Vec<_>>()).collect()
}

/// A figure of a column: `-` is less than any other.
fn number(text: &str) -> f64 {
    let unit = text.chars().last().filter(|letter| !letter.is_ascii_digit());
    let scale = match unit {
        Some('k') => 1e3,
        Some('M') => 1e6,
        Some('G') => 1e9,
        Some('-') => return -1.0,
        _ => 1.0,
    };
    let digits = text.trim_start_matches('<').trim_end_matches(|letter: char| !letter.is_ascii_digit());
    scale * digits.parse::<f64>().unwrap_or_else(|_| panic!("{text} is a figure"))
}

/// Asserts that each order, in both directions, is that of its column.
fn assert_ordered(model: &mut LiveModel, moment: &str) {
    for (order, is_reversed) in WorkerOrder::ALL.into_iter().flat_map(|order| [(order, false), (order, true)]) {
        (model.order, model.is_reversed) = (order, is_reversed);
        let mark = if is_reversed != (order == WorkerOrder::Number) { '▲' } else { '▼' };
        let is_usual = order == WorkerOrder::Number && !is_reversed;
        let heading = if is_usual { "#".to_owned() } else { format!("{mark}{}", order.heading()) };
        let text = screen_text(model);
        let figures: Vec<f64> = column(&text, &heading).iter().map(|text| number(text)).collect();
        let falls = (order != WorkerOrder::Number) != is_reversed;
        let is_ordered = figures.is_sorted_by(|a, b| if falls { a >= b } else { a <= b });
        assert!(figures.len() > 3 && is_ordered, "{moment}, {order:?}, {is_reversed}: {figures:?}\n{text}");
        // Some of the figures differ, or the order would say nothing; on a page of many workers they may be alike.
        let is_over = order == WorkerOrder::Depth && model.ended().is_some() && model.playback.shown().is_none();
        let is_page = text.contains(" more:");
        assert!(is_over || is_page || figures.first() != figures.last(), "{moment}, {order:?}: {figures:?}");
    }
}

#[test]
fn every_order_is_that_of_the_column_which_is_drawn() {
    for (width, height, workers) in [(200, 60, 64), (80, 24, 16), (80, 24, 256), (120, 36, 16)] {
        let mut model = watched(width, height, workers);
        assert_ordered(&mut model, "live");
        let mut last = at(workers, FRAMES + 1);
        last.workers.iter_mut().for_each(|worker| worker.state = WorkerState::Done);
        model.take(seen(last, Vec::new(), None));
        model.end(ended(None, Duration::from_secs(3)));
        assert_ordered(&mut model, "finished");
        "[[[".chars().for_each(|key| drop(press(&mut model, KeyCode::Char(key))));
        assert!(model.playback.shown().is_some());
        assert_ordered(&mut model, "in the past");
    }
}
