//! What the live view makes of workers: the look of a state, which are shown, and their figures a second.

use crate::run::{TimePart, TimeUse};
use crate::schedule::{EarlierRun, Snapshot, WorkerSnapshot, WorkerState};
use crate::ui::kit::{LinePart, Role, Theme, WorkerLook, fit, put, put_line};
use crate::words;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::cmp::Ordering;
use std::collections::{BTreeSet, VecDeque};
use std::str::FromStr;
use std::time::Duration;

/// Every look, in the order of the legend.
pub const LOOKS: [WorkerLook; 7] = [
    WorkerLook::new("B", Role::Busy, "searching"),
    WorkerLook::new("w", Role::Waiting, "waiting"),
    WorkerLook::new("n", Role::Descheduled, "no processor"),
    WorkerLook::new("p", Role::Held, "paused"),
    WorkerLook::new("x", Role::Done, "done"),
    WorkerLook::new("H", Role::Hired, "handing over"),
    WorkerLook::new("s", Role::Good, "saving"),
];

/// The marks beside the letter of a worker that has just given a branch, or got one: not states.
pub const GAVE: WorkerLook = WorkerLook::new(">", Role::Hired, "gave");
pub const GOT: WorkerLook = WorkerLook::new("<", Role::Hired, "got");

pub fn look_of(state: WorkerState) -> WorkerLook {
    LOOKS[match state {
        WorkerState::Busy => 0,
        WorkerState::Idle | WorkerState::Waiting => 1,
        WorkerState::Descheduled => 2,
        WorkerState::Paused => 3,
        WorkerState::Done => 4,
        WorkerState::HandingOver => 5,
        WorkerState::Saving => 6,
    }]
}

/// A figure of a worker. The filter, the columns of the pane and the copied text follow from the table of them.
pub struct WorkerFigure {
    /// Its name in a filter and in the copied text.
    name: &'static str,
    /// The heading of its column. `depth` and `give` are drawn apart.
    heading: Option<&'static str>,
    /// The unit behind the copied number.
    unit: &'static str,
    /// `None` where it is not known. Exact up to 2^53.
    of: fn(&WorkerSnapshot) -> Option<f64>,
}

const fn figure(
    name: &'static str,
    heading: Option<&'static str>,
    unit: &'static str,
    of: fn(&WorkerSnapshot) -> Option<f64>,
) -> WorkerFigure {
    WorkerFigure { name, heading, unit, of }
}

/// Every figure. The columns stand in this order, as far as there is room.
const FIGURES: [WorkerFigure; 10] = [
    figure("nodes", Some("nodes"), "", |worker| Some(worker.nodes as f64)),
    figure("tours", Some("tours"), "", |worker| Some(worker.tours as f64)),
    figure("depth", None, "", |worker| Some(worker.depth as f64)),
    figure("give", None, "", |worker| Some(worker.level? as f64)),
    figure("hires", Some("hires"), "", |worker| Some(worker.sharing.hires as f64)),
    figure("donations", Some("passed"), "", |worker| Some(worker.sharing.donations as f64)),
    figure("waited", None, " s", |worker| Some(worker.idle.saturating_sub(worker.overhead.save).as_secs_f64())),
    figure("slept", None, "", |worker| Some(worker.switches?.voluntary.into())),
    figure("forced", None, "", |worker| Some(worker.switches?.forced.into())),
    figure("moved", None, "", |worker| Some(worker.switches?.migrations?.into())),
];

/// Columns of a table that is too narrow for all.
const COLUMNS_MIN: usize = 3;
/// How a filter compares a figure with a number.
const SIGNS: [(char, Ordering); 3] = [('<', Ordering::Less), ('=', Ordering::Equal), ('>', Ordering::Greater)];
/// Letters of a figure at most.
const COLUMN: usize = 5;

impl WorkerFigure {
    /// The figures with columns: all where there is room; in a race, which has no hires and finds tours again, the nodes alone.
    pub fn columns(has_room: bool, is_race: bool) -> impl Iterator<Item = (&'static WorkerFigure, &'static str)> {
        let columns = FIGURES.iter().filter_map(|figure| Some((figure, figure.heading?)));
        let most = if has_room { FIGURES.len() } else { COLUMNS_MIN };
        columns.take(if is_race { 1 } else { most })
    }

    /// The width of its column, with a blank before it.
    pub fn width(heading: &str) -> usize {
        heading.len().max(COLUMN) + 1
    }

    /// The figure as text for its column.
    pub fn brief(&self, worker: &WorkerSnapshot) -> String {
        match ((self.of)(worker), self.unit) {
            (None, _) => "-".to_owned(),
            (Some(number), "") => words::count(number as u64),
            (Some(seconds), _) => words::moment(Duration::try_from_secs_f64(seconds).unwrap_or_default()),
        }
    }

    /// The figure of this name of a worker.
    pub fn number(name: &str, worker: &WorkerSnapshot) -> Option<f64> {
        FIGURES.iter().find(|figure| figure.name == name).and_then(|figure| (figure.of)(worker))
    }

    /// All known figures of a worker, for the clipboard.
    pub fn copied(worker: &WorkerSnapshot) -> String {
        let known = FIGURES.iter().filter_map(|figure| Some((figure, (figure.of)(worker)?)));
        let words = known.map(|(WorkerFigure { name, unit, .. }, number)| match *unit {
            "" => format!("  {name} {number}"),
            unit => format!("  {name} {number:.3}{unit}"),
        });
        words.collect()
    }
}

#[derive(Clone, PartialEq, Debug)]
pub enum WorkerFilter {
    State(&'static str),
    /// Those that were last seen on one of these CPUs, which have this name; of none, those that were seen on no CPU.
    Group(String, BTreeSet<usize>),
    /// Those whose figure is above, at or below a number.
    Figure {
        /// The place of the figure among those that a filter can name.
        figure: usize,
        /// How the figure compares with the number.
        is: Ordering,
        number: f64,
    },
}

impl FromStr for WorkerFilter {
    type Err = String;

    /// Reads `waiting` or the beginning of another state, `depth>40`, `hires>3`, `nodes<1M`, `waited>2` (seconds).
    fn from_str(text: &str) -> Result<WorkerFilter, String> {
        let text = text.trim().to_lowercase();
        let unknown = || {
            let states = LOOKS.map(|look| look.word).join(", ");
            let figures = FIGURES.map(|figure| figure.name).join(", ");
            format!("'{text}' is no number, none of {states}, and no comparison such as depth>40 of {figures}")
        };
        let Some(at) = text.find(['>', '<', '=']) else {
            let state = LOOKS.iter().map(|look| look.word).find(|word| !text.is_empty() && word.starts_with(&text));
            return state.map(WorkerFilter::State).ok_or_else(unknown);
        };
        let is = SIGNS.iter().find(|(sign, _)| text[at..].starts_with(*sign)).map_or(Ordering::Equal, |(_, is)| *is);
        let figure = FIGURES.iter().position(|figure| figure.name == text[..at].trim_end()).ok_or_else(unknown)?;
        let number = number(text[at + 1..].trim_start()).ok_or_else(unknown)?;
        Ok(WorkerFilter::Figure { figure, is, number })
    }
}

impl WorkerFilter {
    /// Whether a worker in the state of this name passes.
    pub fn passes(&self, worker: &WorkerSnapshot, state: &str) -> bool {
        match self {
            WorkerFilter::State(word) => *word == state,
            WorkerFilter::Group(_, cpus) => worker.on.map_or(cpus.is_empty(), |on| cpus.contains(&on)),
            WorkerFilter::Figure { figure, is, number } => {
                (FIGURES[*figure].of)(worker).is_some_and(|own| own.partial_cmp(number) == Some(*is))
            }
        }
    }

    /// The filter in words.
    pub fn name(&self) -> String {
        match self {
            WorkerFilter::State(word) => (*word).to_owned(),
            WorkerFilter::Group(name, cpus) if cpus.is_empty() => name.clone(),
            WorkerFilter::Group(name, _) => format!("in {name}"),
            WorkerFilter::Figure { figure, is, number } => {
                let sign = SIGNS.iter().find(|(_, other)| other == is).map_or('=', |(sign, _)| *sign);
                format!("{}{sign}{number}", FIGURES[*figure].name)
            }
        }
    }
}

/// A number, also in thousands, millions or billions: `40`, `1.5k`, `3M`.
fn number(text: &str) -> Option<f64> {
    let (digits, unit) = match text.char_indices().last()? {
        (at, 'k') => (&text[..at], 1e3),
        (at, 'm') => (&text[..at], 1e6),
        (at, 'g') => (&text[..at], 1e9),
        _ => (text, 1.0),
    };
    Some(digits.parse::<f64>().ok().filter(|number| number.is_finite())? * unit)
}

/// The colour of a part of the time: that of the workers that spend it so.
pub fn role_of(part: TimePart) -> Role {
    match part {
        TimePart::Searching => Role::Busy,
        TimePart::HandingOver => Role::Hired,
        TimePart::Waiting => Role::Waiting,
        TimePart::NoProcessor => Role::Descheduled,
        TimePart::Saving => Role::Good,
        TimePart::Writing => Role::Pruned,
    }
}

/// The sign of a part of the time, by which it is told from the others without colours.
pub fn sign_of(part: TimePart, theme: Theme) -> String {
    match part {
        _ if theme.ascii() => part.sign().to_string(),
        TimePart::Searching => "\u{2588}".to_owned(),
        TimePart::HandingOver => "\u{2593}".to_owned(),
        TimePart::Waiting => "\u{2591}".to_owned(),
        TimePart::NoProcessor => "\u{2592}".to_owned(),
        TimePart::Saving | TimePart::Writing => part.sign().to_string(),
    }
}

/// Least width of a bar.
const BAR_MIN: u16 = 18;

/// Draws where a time went: a bar of the signs of its parts, with the share of each.
pub fn draw_shares(buf: &mut Buffer, area: Rect, theme: Theme, time: &TimeUse) {
    let mut parts: Vec<TimePart> = TimePart::ALL.into_iter().filter(|part| time[*part] > 0.0).collect();
    parts.sort_by(|a, b| time[*b].total_cmp(&time[*a]));
    let legend = parts.into_iter().zip((0..u8::MAX).rev()).map(|(part, worth)| {
        let sign = LinePart::new(worth).with(theme, role_of(part), sign_of(part, theme));
        let name = sign.with(theme, Role::Label, format!(" {} ", part.name()));
        name.with(theme, Role::Strong, time.percent(part))
    });
    let legend = fit(legend.collect(), area.width.saturating_sub(BAR_MIN + 2), 2);
    let bar = Rect { width: area.width.saturating_sub(legend.width() as u16 + 2), ..area };
    draw_bar(buf, bar, theme, time);
    put_line(buf, Rect { x: bar.right() + 2, width: area.right().saturating_sub(bar.right() + 2), ..area }, &legend);
}

/// Draws where a time went as a bar of the signs of its parts.
pub fn draw_bar(buf: &mut Buffer, bar: Rect, theme: Theme, time: &TimeUse) {
    let mut x = bar.x;
    for (cells, part) in time.bar(bar.width.into()).into_iter().zip(TimePart::ALL) {
        x = put(buf, bar, x, bar.y, &sign_of(part, theme).repeat(cells), theme.style(role_of(part)));
    }
}

/// Length of the window over which rates are averaged.
const WINDOW: Duration = Duration::from_secs(1);

/// The totals of one snapshot.
#[derive(Clone, PartialEq, Debug, Default)]
struct Sums {
    at: Duration,
    nodes: u64,
    tours: u64,
    hires: u64,
    by_worker: Vec<u64>,
}

/// Rates of the last second.
#[derive(Clone, Debug, Default)]
pub struct WorkerRates {
    window: VecDeque<Sums>,
}

impl WorkerRates {
    /// Adds the next snapshot of the run.
    pub fn take(&mut self, snapshot: &Snapshot) {
        let at = snapshot.elapsed;
        let [nodes, tours, hires] = [snapshot.nodes(), snapshot.tours(), snapshot.hires()];
        if snapshot.paused {
            // A pause is no time of a speed.
            self.window.clear();
        } else if self.window.is_empty() {
            let began = snapshot.earlier.unwrap_or_default();
            let EarlierRun { elapsed, nodes, tours, sharing } = began;
            let by_worker = vec![0; snapshot.workers.len()];
            self.window.push_back(Sums { at: elapsed, nodes, tours, hires: sharing.hires, by_worker });
        }
        let by_worker = snapshot.workers.iter().map(|worker| worker.nodes).collect();
        self.window.push_back(Sums { at, nodes, tours, hires, by_worker });
        while self.window.get(1).is_some_and(|second| at.saturating_sub(second.at) >= WINDOW) {
            self.window.pop_front();
        }
    }

    /// Nodes a second, over the last second.
    pub fn nodes_per_s(&self) -> f64 {
        self.per_s(|sums| sums.nodes)
    }

    /// Those of some workers.
    pub fn nodes_per_s_of(&self, workers: &[usize]) -> f64 {
        self.per_s(|sums| workers.iter().filter_map(|&worker| sums.by_worker.get(worker)).sum())
    }

    /// Tours a second, over the last second.
    pub fn tours_per_s(&self) -> f64 {
        self.per_s(|sums| sums.tours)
    }

    /// Hires a second, over the last second.
    pub fn hires_per_s(&self) -> f64 {
        self.per_s(|sums| sums.hires)
    }

    fn per_s(&self, of: impl Fn(&Sums) -> u64) -> f64 {
        let (Some(first), Some(last)) = (self.window.front(), self.window.back()) else { return 0.0 };
        let time = last.at.saturating_sub(first.at).as_secs_f64();
        if time > 0.0 { of(last).saturating_sub(of(first)) as f64 / time } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::{Forecast, Levels, WorkerState};
    use crate::search::HandOver;

    #[test]
    fn a_filter_is_read_and_written_back() {
        for (text, name) in [
            ("search", "searching"),
            ("Wait", "waiting"),
            ("no processor", "no processor"),
            ("Depth > 40", "depth>40"),
            ("nodes<1.5M", "nodes<1500000"),
            ("hires=3", "hires=3"),
            ("waited>2", "waited>2"),
            ("moved>0", "moved>0"),
        ] {
            assert_eq!(text.parse::<WorkerFilter>().map(|filter| filter.name()), Ok(name.to_owned()));
        }
        for text in ["zz", "depth>", "size>3", ">3", "depth>x", "depth>nan", ""] {
            assert!(text.parse::<WorkerFilter>().is_err(), "{text}");
        }
        // What is not known is neither few nor many.
        let unknown = WorkerSnapshot::default();
        assert!(
            ["slept<9", "slept>9", "give<9"]
                .iter()
                .all(|text| !text.parse::<WorkerFilter>().unwrap().passes(&unknown, "searching"))
        );
    }

    /// Two workers at `at_ms`, each with the given times in ms and number of nodes.
    fn snapshot(at_ms: u64, cpu_ms: u64, idle_ms: u64, nodes: u64) -> Snapshot {
        let ms = Duration::from_millis;
        let worker = WorkerSnapshot {
            state: WorkerState::Busy,
            nodes,
            busy: ms(at_ms - idle_ms),
            idle: ms(idle_ms),
            cpu: ms(cpu_ms),
            ..WorkerSnapshot::default()
        };
        Snapshot {
            elapsed: ms(at_ms),
            stood: Duration::ZERO,
            stop: None,
            paused: false,
            pace: None,
            hand_over: HandOver::Shallowest,
            workers: vec![worker; 2],
            waits: Vec::new(),
            groups: Vec::new(),
            earlier: None,
            nodes_by_depth: Vec::new(),
            pruned_by_depth: Vec::new(),
            levels: Levels::Off,
            depths_since: Duration::ZERO,
            outlook: Forecast::default(),
            events_lost: 0,
            cores: None,
            quota: None,
            simulated: None,
        }
    }

    /// A run that was resumed after ten seconds with a million nodes: only the work of this crew counts.
    #[test]
    fn work_before_the_resume_is_not_in_the_rates() {
        let mut rates = WorkerRates::default();
        let earlier = EarlierRun { elapsed: Duration::from_secs(10), nodes: 1_000_000, ..EarlierRun::default() };
        let worker = WorkerSnapshot { idle: Duration::ZERO, busy: Duration::from_millis(500), ..Default::default() };
        let worker = WorkerSnapshot { cpu: worker.busy, nodes: 1000, ..worker };
        let seen = Snapshot { earlier: Some(earlier), workers: vec![worker; 2], ..snapshot(10_500, 0, 0, 0) };
        rates.take(&seen);
        assert_eq!(rates.nodes_per_s(), 4000.0);
    }

    #[test]
    fn rates_are_means_over_the_last_second() {
        let mut rates = WorkerRates::default();
        rates.take(&snapshot(500, 0, 0, 1000));
        assert_eq!(rates.nodes_per_s(), 4000.0);
        for (at_ms, nodes) in [(1000, 1000), (1500, 2000), (2000, 3000), (2500, 4000)] {
            rates.take(&snapshot(at_ms, 0, 0, nodes));
        }
        assert_eq!(rates.nodes_per_s(), 4000.0);
        rates.take(&snapshot(3500, 0, 0, 4000));
        assert_eq!(rates.nodes_per_s(), 0.0);
    }
}
