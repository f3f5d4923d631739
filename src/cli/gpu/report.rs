//! What `gpu map` says: the JSON object of the contract, a text with the map in characters, a line for each start.

use crate::cli::sheet::{self, BAR, bar};
use crate::gpu::map::{Map, MapOutcome};
use crate::gpu::{DeviceKind, DoneBy, GpuError};
use crate::job::{Answer, NoReason};
use crate::run::Filled;
use crate::words::{grouped, number_of, percent, rate, visible, wrapped};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};

/// Columns of the map at most.
const WIDTH: usize = 78;
/// Lines of the table of orders.
const LINES: usize = 16;
/// Between the names of a device that gave up and of what did the rest.
const THEN: &str = ", then ";

/// The JSON object; it has a type, because `replay` reads it back from a journal.
#[derive(Serialize, Deserialize)]
pub struct MapReport {
    board: String,
    orders: u32,
    starts: u32,
    knights: u64,
    complete: u64,
    /// By row and column of the start: orders that complete.
    map: Vec<Vec<u32>>,
    /// The first of the orders that complete from the most starts; nothing when none was tried from all.
    best_order: Option<String>,
    best_complete: Option<u32>,
    /// Orders by the number of starts from which they complete.
    histogram: BTreeMap<u32, u32>,
    /// What moved the knights; two names where a device gave up in the middle.
    device: String,
    /// Why it is not the device that was wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    moves: u64,
    moves_per_s: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    compare: Option<Compared>,
    /// Knights that have come to their ends; the figures are about them.
    tried: u64,
    elapsed_s: f64,
    /// Why not all of them have: `signal`.
    stopped: Option<String>,
    /// Whether a device moved the knights, or began to.
    #[serde(skip)]
    by_device: bool,
    /// Whether that gave up, and the CPU did the rest.
    #[serde(skip)]
    gave_up: bool,
}

/// What the CPU says to the device.
#[derive(Serialize, Deserialize)]
struct Compared {
    device: String,
    moves_per_s: f64,
    knights: u64,
    unequal: u64,
    /// Whether they agree on every knight of the batch; nothing when not all were compared and none differs.
    equal: Option<bool>,
}

impl MapReport {
    /// The report of work that has ended; it was stopped if it is not over.
    pub fn new(outcome: &MapOutcome) -> MapReport {
        let map = &outcome.map;
        let batch = map.batch();
        let best = map.best();
        MapReport {
            board: batch.board().to_string(),
            orders: batch.orders(),
            starts: batch.board().squares(),
            knights: batch.knights(),
            complete: map.complete(),
            map: map.by_start().chunks(batch.board().cols() as usize).map(<[u32]>::to_vec).collect(),
            best_order: best.map(|(order, _)| order.to_string()),
            best_complete: best.map(|(_, complete)| complete),
            histogram: map.histogram(),
            device: match &outcome.failed_device {
                Some(gone) => format!("{gone}{THEN}{}", outcome.done_by.label),
                None => outcome.done_by.label.to_string(),
            },
            why: outcome.done_by.instead.as_ref().map(GpuError::to_string),
            moves: map.moves(),
            moves_per_s: outcome.moves_per_s(),
            compare: outcome.compared.as_ref().map(|compared| Compared {
                device: compared.label.to_string(),
                moves_per_s: compared.moves_per_s(),
                knights: compared.knights,
                unequal: compared.unequal,
                equal: (compared.unequal > 0 || compared.knights == batch.knights()).then_some(compared.unequal == 0),
            }),
            tried: map.tried(),
            elapsed_s: outcome.took.as_secs_f64(),
            stopped: (!outcome.is_over()).then(|| "signal".to_owned()),
            by_device: outcome.done_by.label.kind != DeviceKind::Cpu || outcome.failed_device.is_some(),
            gave_up: outcome.failed_device.is_some(),
        }
    }

    /// The report of a recorded map: the one at the end of the journal, or else what the last frame says, if it has a map.
    pub fn recorded(report: Option<&Value>, last: Filled, by_device: bool, gave_up: bool) -> Option<MapReport> {
        if let Some(report) = report.and_then(|report| MapReport::deserialize(report).ok()) {
            return Some(MapReport { by_device, gave_up, ..report });
        }
        let ((label, why), map) = (last.placed?, last.map?);
        let done_by = DoneBy { label, instead: None };
        let outcome = MapOutcome { map, done_by, took: last.took, failed_device: None, compared: None };
        Some(MapReport {
            why: Some(why).filter(|why| !why.is_empty()),
            stopped: None,
            by_device,
            gave_up,
            ..MapReport::new(&outcome)
        })
    }

    /// No when two engines do not agree; unknown when one gave up before that was known.
    pub fn answer(&self) -> Answer {
        match &self.compare {
            Some(Compared { equal: Some(false), .. }) => Answer::No(NoReason::Disagrees),
            Some(Compared { equal: None, .. }) if self.gave_up => Answer::Unknown,
            _ => Answer::Yes,
        }
    }

    /// The same for people, with or without colours.
    pub fn text(&self, coloured: bool) -> String {
        let (starts, orders) = (number_of(self.starts, "start"), number_of(self.orders, "order"));
        let knights = number_of(self.knights, "knight");
        let mut text = visible(&format!("{}: {starts}, {orders} of the moves, {knights}\n", self.board));
        let block = self.map.iter().map(Vec::len).max().unwrap_or(0).max(self.map.len()).div_ceil(WIDTH).max(1);
        let each = if block > 1 { format!("each for {block} x {block} starts; ") } else { String::new() };
        let what = if self.orders == 1 { "# a tour, . none" } else { "# a tour with every order, . with none" };
        text += &draw_map(&self.shares(block), &(each + what), coloured);
        for (label, fact) in self.facts() {
            text += visible(&format!("{label:<11}{fact}")).trim_end();
            text.push('\n');
        }
        text
    }

    /// By row and column of blocks of starts: the share of the orders tried that complete; no number where none was.
    fn shares(&self, block: usize) -> Vec<Vec<f64>> {
        let starts = u64::from(self.starts).max(1);
        let (whole, begun) = ((self.tried / starts) as f64, self.tried % starts);
        let cols = self.map.first().map_or(0, Vec::len);
        let share = |across: usize, down: usize, rows: &[Vec<u32>]| {
            let (mut complete, mut tried) = (0.0, 0.0);
            for (row, values) in (down * block..).zip(rows) {
                for (col, &value) in values.iter().enumerate().skip(across * block).take(block) {
                    complete += f64::from(value);
                    tried += whole + f64::from(u8::from(((row * cols + col) as u64) < begun));
                }
            }
            complete / tried
        };
        let bands = self.map.chunks(block).enumerate();
        bands.map(|(down, rows)| (0..cols.div_ceil(block)).map(|across| share(across, down, rows)).collect()).collect()
    }

    /// The lines below the map, by their labels.
    fn facts(&self) -> Vec<(&'static str, String)> {
        let share = self.complete as f64 / self.tried.max(1) as f64;
        let of = format!("{} of {}", grouped(self.complete), number_of(self.tried, "knight"));
        let mut facts = vec![("complete", format!("{of}, {}  {}", percent(share), bar(share, BAR)))];
        if self.orders > 1 {
            facts.extend(self.by_order());
        }
        let per_s = rate(self.moves_per_s);
        facts.push(("moves", format!("{} in {:.3} s, {per_s} a second", grouped(self.moves), self.elapsed_s)));
        facts.push(("device", self.device.clone()));
        let because = self.why.iter().flat_map(|why| wrapped(&format!("because {why}"), sheet::WIDTH - 11));
        facts.extend(because.map(|line| ("", line)));
        facts.extend(self.compare.iter().flat_map(|compared| self.comparison(compared)));
        let [tried, knights] = [self.tried, self.knights].map(grouped);
        facts.extend(match &self.stopped {
            Some(reason) => Some(("NOT complete: ", format!("stopped by {reason}"))),
            None if self.tried < self.knights => Some(("NOT complete: ", format!("{tried} of {knights} knights"))),
            None => None,
        });
        facts
    }

    /// The best order, and how many orders complete from how many starts.
    fn by_order(&self) -> impl Iterator<Item = (&'static str, String)> {
        let best = self.best_order.iter().zip(self.best_complete).map(|(order, complete)| {
            ("best", format!("{order} completes from {} of {} starts", grouped(complete), grouped(self.starts)))
        });
        let most = self.histogram.values().copied().max().unwrap_or(1);
        let width = grouped(self.histogram.keys().copied().max().unwrap_or(0)).len();
        let rows = self.histogram.iter().rev().take(LINES).map(move |(&complete, &orders)| {
            let bar = bar(f64::from(orders) / f64::from(most), BAR);
            format!("{:>7} from {:>width$} starts  {bar}", grouped(orders), grouped(complete))
        });
        let fewer: u64 = self.histogram.values().rev().skip(LINES).map(|&orders| u64::from(orders)).sum();
        let fewer = (fewer > 0).then(|| format!("{:>7} from fewer", grouped(fewer)));
        best.chain(std::iter::once("orders").chain(std::iter::repeat("")).zip(rows.chain(fewer)))
    }

    fn comparison(&self, compared: &Compared) -> Vec<(&'static str, String)> {
        let mut facts = Vec::new();
        if !self.by_device {
            facts.push(("compared", "without a device: the CPU's workers with a plain twin of the rule".to_owned()));
        }
        if compared.knights > 0 {
            let beside = format!("{}: {} moves a second", compared.device, rate(compared.moves_per_s));
            // What was done after the device gave up says nothing about its speed.
            let end = if self.gave_up { "" } else { ";" };
            facts.push(("beside", beside + end));
            if !self.gave_up {
                let who = if self.by_device { "the device" } else { "the workers" };
                let times = self.moves_per_s / compared.moves_per_s.max(1e-9);
                facts.push(("", format!("{who} {times:.2} times that")));
            }
        }
        let [knights, all, unequal] = [compared.knights, self.knights, compared.unequal].map(grouped);
        let why = if self.gave_up { "the device gave up" } else { "it was stopped" };
        facts.push(match compared.equal {
            Some(true) => ("equal", format!("all {knights} knights that both moved")),
            Some(false) => ("NOT EQUAL", format!("{unequal} of the {knights} knights that both moved")),
            None if compared.knights == 0 => {
                ("NOT KNOWN", format!("whether they agree: {why} before the first of {all}"))
            }
            None => ("NOT KNOWN", format!("whether they agree: equal so far, {knights} of {all} knights; then {why}")),
        });
        facts
    }
}

/// A character for each share, and below them the legend.
fn draw_map(shares: &[Vec<f64>], legend: &str, coloured: bool) -> String {
    let known = || shares.iter().flatten().copied().filter(|share| !share.is_nan());
    let (least, most) = (known().fold(f64::INFINITY, f64::min), known().fold(0.0, f64::max));
    let mark = |share: f64| {
        let level = ((share - least) / (most - least).max(1e-12) * 10.0).clamp(0.0, 9.0) as u32;
        let (mark, colour) = match share {
            share if share.is_nan() => (' ', None),
            0.0 => ('.', Some(166)),
            1.0.. => ('#', None),
            _ => (char::from_digit(level, 10).unwrap_or('9'), [166, 172].get(level as usize / 3).copied()),
        };
        let colour = colour.filter(|_| coloured);
        colour.map_or_else(|| mark.to_string(), |colour| format!("\x1b[38;5;{colour}m{mark}\x1b[0m"))
    };
    let gap = if shares.iter().all(|row| 2 * row.len() <= WIDTH) { " " } else { "" };
    let mut drawn = String::new();
    for row in shares {
        drawn += &row.iter().map(|&share| mark(share)).collect::<Vec<_>>().join(gap);
        drawn.push('\n');
    }
    drawn += legend;
    if known().any(|share| share > 0.0 && share < 1.0) {
        let _ = write!(drawn, "; 0..9 from {:.2} % to {:.2} % of them", 100.0 * least, 100.0 * most);
    }
    drawn + "\n\n"
}

/// Writes a line for each start, below one with the names of the columns.
///
/// # Errors
/// When it cannot be written.
pub fn write_csv(map: &Map, out: &mut impl Write) -> io::Result<()> {
    let board = map.batch().board();
    writeln!(out, "square,row,col,complete,orders")?;
    for (square, complete) in board.all().zip(map.by_start()) {
        let ((row, col), orders) = (board.row_col(square), map.tried_from(square));
        writeln!(out, "{},{row},{col},{complete},{orders}", board.name(square))?;
    }
    out.flush()
}

/// Whether stdout shows colours.
pub fn coloured() -> bool {
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    io::stdout().is_terminal() && !no_color && std::env::var_os("TERM").is_some_and(|term| term != "dumb")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::map::{Batch, MapWork};
    use crate::gpu::{self, DeviceLabel, DevicePlace};
    use crate::stop::Stop;
    use std::time::Duration;

    fn outcome(board: &str, orders: u32) -> MapOutcome {
        let batch = Batch::new(board.parse().unwrap(), orders).unwrap();
        let mut work = MapWork::new(batch, DevicePlace::Cpu(None), 1, false).unwrap();
        while !work.outcome().is_over() {
            work.advance(&Stop::default()).unwrap();
        }
        work.into_outcome()
    }

    fn text(outcome: &MapOutcome) -> String {
        let report = MapReport::new(outcome);
        let report = MapReport { elapsed_s: 0.25, moves_per_s: 1.5e6, ..report };
        report.text(false)
    }

    #[test]
    fn one_order_is_a_map_of_tours() {
        insta::assert_snapshot!(text(&outcome("5x5", 1)));
    }

    #[test]
    fn many_orders_are_a_map_of_shares_and_a_table() {
        insta::assert_snapshot!(text(&outcome("7x6", 720)));
    }

    #[test]
    fn a_comparison_says_who_is_faster_and_whether_they_agree() {
        let compared = gpu::map::MapComparison {
            label: DeviceLabel::cpu(),
            took: Duration::from_secs(2),
            knights: 64,
            moves: 4000,
            unequal: 3,
        };
        let mut outcome = MapOutcome { compared: Some(compared), ..outcome("8x8", 1) };
        assert_eq!(MapReport::new(&outcome).answer(), Answer::No(NoReason::Disagrees));
        insta::assert_snapshot!(text(&outcome));
        outcome.compared.as_mut().unwrap().unequal = 0;
        assert_eq!(MapReport::new(&outcome).answer(), Answer::Yes);
    }

    #[test]
    fn a_device_that_gave_up_agrees_with_none_and_has_no_speed() {
        let gone = DeviceLabel { name: "Big One".to_owned(), kind: gpu::DeviceKind::Discrete, driver: String::new() };
        let mut compared = gpu::map::MapComparison {
            label: DeviceLabel::cpu(),
            took: Duration::ZERO,
            knights: 0,
            moves: 0,
            unequal: 0,
        };
        let why = GpuError::Lost("it was frail".to_owned());
        for (knights, unequal, answer, equal, says) in [
            (0, 0, Answer::Unknown, None, "NOT KNOWN  whether they agree: the device gave up before the first of 64\n"),
            (
                40,
                0,
                Answer::Unknown,
                None,
                "whether they agree: equal so far, 40 of 64 knights; then the device gave up\n",
            ),
            (40, 1, Answer::No(NoReason::Disagrees), Some(false), "NOT EQUAL  1 of the 40 knights that both moved\n"),
        ] {
            (compared.knights, compared.unequal) = (knights, unequal);
            let (compared, failed_device) = (Some(compared.clone()), Some(gone.clone()));
            let mut outcome = MapOutcome { compared, failed_device, ..outcome("8x8", 1) };
            outcome.done_by.instead = Some(why.clone());
            let report = MapReport::new(&outcome);
            assert_eq!((report.answer(), report.compare.as_ref().unwrap().equal), (answer, equal));
            let shown = text(&outcome);
            assert!(shown.ends_with(says) && !shown.contains("times that"), "{shown}");
            let device = "Big One (discrete GPU), then CPU, 1 thread (no GPU)";
            assert!(shown.contains(&format!("device     {device}\n           because the device was lost")), "{shown}");
            assert_eq!(report.device, device);
            // A journal says it by the places of its frames.
            let recorded = serde_json::to_value(&report).unwrap();
            let filled = Filled { placed: None, map: None, took: Duration::ZERO };
            let again = MapReport::recorded(Some(&recorded), filled, true, true).unwrap();
            assert_eq!(again.text(false), report.text(false));
        }
    }

    #[test]
    fn a_comparison_that_was_stopped_knows_nothing_and_has_not_failed() {
        let compared = gpu::map::MapComparison {
            label: DeviceLabel::cpu(),
            took: Duration::ZERO,
            knights: 40,
            moves: 2520,
            unequal: 0,
        };
        let outcome = MapOutcome { compared: Some(compared), ..outcome("8x8", 1) };
        let report = MapReport::new(&outcome);
        assert_eq!(report.stopped.as_deref(), Some("signal"));
        let says = "40 of 64 knights; then it was stopped\nNOT complete: stopped by signal\n";
        assert!(text(&outcome).ends_with(says));
    }

    #[test]
    fn a_large_board_is_drawn_in_blocks() {
        let shown = text(&outcome("3x100", 1));
        assert!(shown.contains("each for 2 x 2 starts"), "{shown}");
        assert_eq!(shown.lines().nth(1).map(str::len), Some(50), "{shown}");
    }

    #[test]
    fn work_that_was_stopped_says_so() {
        let batch = Batch::new("8x8".parse().unwrap(), 40_320).unwrap();
        let outcome = MapWork::new(batch, DevicePlace::Cpu(None), 1, false).unwrap().into_outcome();
        let report = MapReport::new(&outcome);
        assert_eq!((report.stopped.as_deref(), &report.best_order), (Some("signal"), &None));
        let shown = text(&outcome);
        assert!(shown.contains("0 of 0 knights") && shown.ends_with("NOT complete: stopped by signal\n"), "{shown}");
    }

    #[test]
    fn a_recorded_map_says_what_its_report_said_or_how_far_its_last_frame_came() {
        let whole = outcome("7x6", 40);
        let report = MapReport { why: Some("none is here".to_owned()), ..MapReport::new(&whole) };
        let filled = |map: &Map| {
            let placed = Some((DeviceLabel::cpu(), "none is here".to_owned()));
            Filled { placed, map: Some(map.clone()), took: Duration::from_millis(250) }
        };
        let again =
            MapReport::recorded(Some(&serde_json::to_value(&report).unwrap()), filled(&whole.map), false, false)
                .unwrap();
        assert_eq!(again.text(false), report.text(false));

        let mut begun = Map::new(whole.map.batch());
        begun.add(&[42, 3, 42]);
        let again = MapReport::recorded(None, filled(&begun), false, false).unwrap().text(false);
        assert!(
            again.contains("\ncomplete   2 of 3 knights, 67%") && again.contains("because none is here"),
            "{again}"
        );
        assert!(again.ends_with("NOT complete: 3 of 1,680 knights\n"), "{again}");
        assert!(MapReport::recorded(None, Filled { map: None, ..filled(&begun) }, false, false).is_none());
    }

    /// A report in a file may hold anything.
    #[test]
    fn a_forged_report_is_printed_without_control_characters() {
        let mut report = serde_json::to_value(MapReport::new(&outcome("5x5", 2))).unwrap();
        report["map"] = serde_json::json!([[9, 9], [], [1, 1, 1]]);
        report["device"] = "\x1b[2J".into();
        (report["starts"], report["tried"]) = (0.into(), u64::MAX.into());
        let filled = Filled { placed: None, map: None, took: Duration::ZERO };
        let shown = MapReport::recorded(Some(&report), filled, false, false).unwrap().text(false);
        assert!(!shown.contains('\x1b') && shown.contains("device     \\x1b[2J\n"), "{shown}");
    }

    #[test]
    fn colours_mark_where_it_fails() {
        let outcome = outcome("5x5", 1);
        let shown = MapReport::new(&outcome).text(true);
        assert!(shown.contains("\x1b[38;5;166m.\x1b[0m") && !shown.contains("m#"), "{shown}");
    }
}
