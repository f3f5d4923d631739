//! What `gpu map` says: the JSON object of the contract, a text with the map in characters, a line for each start.

use crate::cli::sheet;
use crate::gpu::map::{Map, MapOutcome};
use crate::gpu::{DeviceKind, GpuError};
use crate::job::by_signal;
use crate::words::{grouped, number_of, percent, rate, wrapped};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, IsTerminal, Write};

/// Columns of the map at most.
const WIDTH: u32 = 78;
/// Lines of the table of orders.
const LINES: usize = 16;

/// The JSON object.
#[derive(Serialize)]
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
    /// Who moved the knights; two where a device gave up in the middle.
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
    /// Why not all of them have: `signal`, or `request` (the view was left).
    stopped: Option<&'static str>,
    #[serde(skip)]
    signal: Option<i32>,
    #[serde(skip)]
    gave_up: bool,
    /// Whether it was a device that moved the knights.
    #[serde(skip)]
    by_device: bool,
}

/// What the CPU says to the device.
#[derive(Serialize)]
struct Compared {
    device: String,
    moves_per_s: f64,
    knights: u64,
    unequal: u64,
    /// Whether they agree on every knight of the batch; nothing when not all were compared and none differs.
    equal: Option<bool>,
}

impl MapReport {
    /// The report of work that is over or was stopped; `why` there is no device, if one was hoped for.
    pub fn new(outcome: &MapOutcome, why: Option<&GpuError>, signal: Option<i32>) -> MapReport {
        let map = &outcome.map;
        let batch = map.batch();
        let best = map.best();
        let stopped = match signal {
            _ if outcome.is_over() => None,
            Some(_) => Some("signal"),
            None => Some("request"),
        };
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
                Some((gone, _)) => format!("{gone}, then {}", outcome.label),
                None => outcome.label.to_string(),
            },
            why: outcome.failed_device.as_ref().map(|(_, why)| why).or(why).map(GpuError::to_string),
            moves: map.moves(),
            moves_per_s: outcome.moves_per_s(),
            compare: outcome.compared.as_ref().map(|compared| Compared {
                device: compared.label.to_string(),
                moves_per_s: compared.moves_per_s(),
                knights: compared.knights,
                unequal: compared.unequal,
                equal: match compared.unequal {
                    0 => (compared.knights == batch.knights()).then_some(true),
                    _ => Some(false),
                },
            }),
            tried: map.tried(),
            elapsed_s: outcome.took.as_secs_f64(),
            stopped,
            signal,
            gave_up: outcome.failed_device.is_some(),
            by_device: outcome.failed_device.is_some() || outcome.label.kind != DeviceKind::Cpu,
        }
    }

    /// 0; 1 when two engines do not agree, 3 when one gave up before that was known; 128 + signal.
    pub fn exit_code(&self) -> u8 {
        match (&self.compare, self.signal) {
            (_, Some(signal)) => by_signal(signal),
            (Some(Compared { equal: Some(false), .. }), None) => 1,
            (Some(Compared { equal: None, .. }), None) if self.gave_up => 3,
            _ => 0,
        }
    }

    /// The same for people, with or without colours.
    pub fn text<'a>(&'a self, map: &'a Map, coloured: bool) -> Text<'a> {
        Text { report: self, map, coloured }
    }
}

/// See [`MapReport::text`].
pub struct Text<'a> {
    report: &'a MapReport,
    map: &'a Map,
    coloured: bool,
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MapReport { board, orders, starts, knights, complete, tried, moves, .. } = self.report;
        let (starts, orders) = (number_of(*starts, "start"), number_of(*orders, "order"));
        writeln!(f, "{board}: {starts}, {orders} of the moves, {}", number_of(*knights, "knight"))?;
        self.write_map(f)?;
        let share = percent(*complete as f64 / (*tried).max(1) as f64);
        writeln!(f, "complete   {} of {}, {share}", grouped(*complete), number_of(*tried, "knight"))?;
        self.write_orders(f)?;
        let (time, per_s) = (self.report.elapsed_s, rate(self.report.moves_per_s));
        writeln!(f, "moves      {} in {time:.3} s, {per_s} a second", grouped(*moves))?;
        writeln!(f, "device     {}", self.report.device)?;
        if let Some(why) = &self.report.why {
            let because = format!("because {why}");
            wrapped(&because, sheet::WIDTH - 11).iter().try_for_each(|line| writeln!(f, "           {line}"))?;
        }
        self.write_comparison(f)?;
        match self.report.stopped {
            Some(reason) => writeln!(f, "NOT complete: stopped by {reason}"),
            None => Ok(()),
        }
    }
}

impl Text<'_> {
    /// The map, a character for each start, or for as many as there is room for.
    fn write_map(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = self.map.batch().board();
        let block = board.cols().max(board.rows()).div_ceil(WIDTH);
        let gap = if 2 * board.cols().div_ceil(block) <= WIDTH { " " } else { "" };
        let shares = shares(self.map, block as usize);
        let known = || shares.iter().flatten().copied().filter(|share| !share.is_nan());
        let (least, most) = (known().fold(f64::INFINITY, f64::min), known().fold(0.0, f64::max));
        for row in &shares {
            let marks: Vec<String> = row.iter().map(|&share| self.mark(share, least, most)).collect();
            writeln!(f, "{}", marks.join(gap))?;
        }
        let scale = if known().any(|share| share > 0.0 && share < 1.0) {
            let [low, high] = [least, most].map(|share| format!("{:.2} %", 100.0 * share));
            format!("; 0..9 from {low} to {high} of them")
        } else {
            String::new()
        };
        let each = if block == 1 { String::new() } else { format!("each for {block} x {block} starts; ") };
        let what = if self.report.orders == 1 { "# a tour, . none" } else { "# a tour with every order, . with none" };
        writeln!(f, "{each}{what}{scale}\n")
    }

    /// The character for a share of the orders.
    fn mark(&self, share: f64, least: f64, most: f64) -> String {
        let level = ((share - least) / (most - least).max(1e-12) * 10.0).clamp(0.0, 9.0) as u32;
        let mark = match share {
            share if share.is_nan() => ' ',
            0.0 => '.',
            1.0.. => '#',
            _ => char::from_digit(level, 10).unwrap_or('9'),
        };
        match mark {
            '.' | '0'..='2' if self.coloured => format!("\x1b[38;5;166m{mark}\x1b[0m"),
            '3'..='5' if self.coloured => format!("\x1b[38;5;172m{mark}\x1b[0m"),
            _ => mark.to_string(),
        }
    }

    fn write_orders(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MapReport { best_order, best_complete, histogram, starts, orders, .. } = self.report;
        if *orders == 1 {
            return Ok(());
        }
        if let (Some(order), Some(complete)) = (best_order, best_complete) {
            writeln!(f, "best       {order} completes from {} of {} starts", grouped(*complete), grouped(*starts))?;
        }
        let mut label = "orders";
        for (complete, orders) in histogram.iter().rev().take(LINES) {
            writeln!(f, "{label:<11}{:>7} from {} starts", grouped(*orders), grouped(*complete))?;
            label = "";
        }
        let fewer: u32 = histogram.iter().rev().skip(LINES).map(|(_, orders)| orders).sum();
        if fewer > 0 { writeln!(f, "{:<11}{:>7} from fewer", "", grouped(fewer)) } else { Ok(()) }
    }

    fn write_comparison(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(compared) = &self.report.compare else { return Ok(()) };
        let (of_cpu, of_device) = (compared.moves_per_s, self.report.moves_per_s);
        if !self.report.by_device {
            writeln!(f, "compared   without a device: the CPU's workers with a plain twin of the rule")?;
        }
        if compared.knights > 0 {
            let who = if self.report.by_device { "the device" } else { "the workers" };
            write!(f, "beside     {}: {} moves a second", compared.device, rate(of_cpu))?;
            // What was done after the device gave up says nothing about its speed.
            if !self.report.gave_up {
                write!(f, ";\n           {who} {:.2} times that", of_device / of_cpu.max(1e-9))?;
            }
            writeln!(f)?;
        }
        let [knights, all, unequal] = [compared.knights, self.report.knights, compared.unequal].map(grouped);
        let why = if self.report.gave_up { "the device gave up" } else { "it was stopped" };
        match compared.equal {
            Some(true) => writeln!(f, "equal      all {knights} knights that both moved"),
            Some(false) => writeln!(f, "NOT EQUAL  {unequal} of the {knights} knights that both moved"),
            None if compared.knights == 0 => {
                writeln!(f, "NOT KNOWN  whether they agree: {why} before the first of {all}")
            }
            None => writeln!(f, "NOT KNOWN  whether they agree: equal so far, {knights} of {all} knights; then {why}"),
        }
    }
}

/// By row and column of blocks of starts: the share of the orders tried that complete; no number where none was.
fn shares(map: &Map, block: usize) -> Vec<Vec<f64>> {
    let board = map.batch().board();
    let [rows, cols] = [board.rows(), board.cols()].map(|n| (n as usize).div_ceil(block));
    let mut sums = vec![vec![(0u64, 0u64); cols]; rows];
    for (square, &complete) in board.all().zip(map.by_start()) {
        let (row, col) = board.row_col(square);
        let (complete_here, tried_here) = &mut sums[row as usize / block][col as usize / block];
        *complete_here += u64::from(complete);
        *tried_here += u64::from(map.tried_from(square));
    }
    let share = |(complete, tried): (u64, u64)| complete as f64 / tried as f64;
    sums.into_iter().map(|row| row.into_iter().map(share).collect()).collect()
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

    fn text(outcome: &MapOutcome, signal: Option<i32>) -> String {
        let report = MapReport::new(outcome, None, signal);
        let report = MapReport { elapsed_s: 0.25, moves_per_s: 1.5e6, ..report };
        report.text(&outcome.map, false).to_string()
    }

    #[test]
    fn one_order_is_a_map_of_tours() {
        insta::assert_snapshot!(text(&outcome("5x5", 1), None));
    }

    #[test]
    fn many_orders_are_a_map_of_shares_and_a_table() {
        insta::assert_snapshot!(text(&outcome("7x6", 720), None));
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
        assert_eq!(MapReport::new(&outcome, None, None).exit_code(), 1);
        insta::assert_snapshot!(text(&outcome, None));
        outcome.compared.as_mut().unwrap().unequal = 0;
        assert_eq!(MapReport::new(&outcome, None, None).exit_code(), 0);
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
        let gave_up = Some((gone, GpuError::Lost("it was frail".to_owned())));
        for (knights, unequal, code, equal, says) in [
            (0, 0, 3, None, "NOT KNOWN  whether they agree: the device gave up before the first of 64\n"),
            (40, 0, 3, None, "whether they agree: equal so far, 40 of 64 knights; then the device gave up\n"),
            (40, 1, 1, Some(false), "NOT EQUAL  1 of the 40 knights that both moved\n"),
        ] {
            (compared.knights, compared.unequal) = (knights, unequal);
            let outcome =
                MapOutcome { compared: Some(compared.clone()), failed_device: gave_up.clone(), ..outcome("8x8", 1) };
            let report = MapReport::new(&outcome, None, None);
            assert_eq!((report.exit_code(), report.compare.as_ref().unwrap().equal), (code, equal));
            let shown = text(&outcome, None);
            assert!(shown.ends_with(says) && !shown.contains("times that"), "{shown}");
            let device = "Big One (discrete GPU), then CPU, 1 thread (no GPU)";
            assert!(shown.contains(&format!("device     {device}\n           because the device was lost")), "{shown}");
            assert_eq!(report.device, device);
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
        let report = MapReport::new(&outcome, None, None);
        assert_eq!((report.exit_code(), report.stopped), (0, Some("request")));
        let says = "40 of 64 knights; then it was stopped\nNOT complete: stopped by request\n";
        assert!(text(&outcome, None).ends_with(says));
    }

    #[test]
    fn a_large_board_is_drawn_in_blocks() {
        let shown = text(&outcome("3x100", 1), None);
        assert!(shown.contains("each for 2 x 2 starts"), "{shown}");
        assert_eq!(shown.lines().nth(1).map(str::len), Some(50), "{shown}");
    }

    #[test]
    fn work_that_was_stopped_says_so() {
        let batch = Batch::new("8x8".parse().unwrap(), 40_320).unwrap();
        let outcome = MapWork::new(batch, DevicePlace::Cpu(None), 1, false).unwrap().into_outcome();
        let report = MapReport::new(&outcome, None, Some(2));
        assert_eq!((report.exit_code(), report.stopped, &report.best_order), (130, Some("signal"), &None));
        let shown = text(&outcome, Some(2));
        assert!(shown.contains("0 of 0 knights") && shown.ends_with("NOT complete: stopped by signal\n"), "{shown}");
    }

    #[test]
    fn colours_mark_where_it_fails() {
        let outcome = outcome("5x5", 1);
        let shown = MapReport::new(&outcome, None, None).text(&outcome.map, true).to_string();
        assert!(shown.contains("\x1b[38;5;166m.\x1b[0m") && !shown.contains("m#"), "{shown}");
    }
}
