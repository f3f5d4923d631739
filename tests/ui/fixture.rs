//! A run that is always the same: snapshots made of numbers, not of threads and clocks.

use destrier::board::{Board, Ending, Square};
use destrier::event::{Event, EventKind};
use destrier::ranged::Ranged;
use destrier::run::{Body, End, Frame, SearchEnd, TreeFrame};
use destrier::schedule::{
    ContextSwitches, Forecast, Levels, Overhead, Scheduler, SharingCounts, Simulated, Snapshot, StopReason, WaitCounts,
    WorkerSnapshot, WorkerState,
};
use destrier::search::{DEPTHS, Drawing, HandOver, TreeSample};
use destrier::system::CpuLevel;
use destrier::ui::kit::Effect;
use destrier::ui::kit::{self, Action, Common};
use destrier::ui::{About, LiveModel, Model, RunModel, Theme};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Cell;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Size;
use ratatui::style::Modifier;
use std::time::Duration;

/// A terminal with everything.
pub const THEME: Theme = Theme::RICH;

/// What is drawn on a screen of this size, as text.
pub fn drawn(size: Size, draw: impl FnOnce(&mut ratatui::Frame<'_>)) -> String {
    let mut terminal = Terminal::new(TestBackend::new(size.width, size.height)).expect("no terminal fails less");
    terminal.draw(draw).expect("it draws");
    terminal.backend().to_string()
}

/// What a model draws, and below each line that has reversed cells a line of `^` under them: a text has no styles.
pub fn marked(model: &LiveModel) -> String {
    let Size { width, height } = model.common.screen;
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("no terminal fails less");
    terminal.draw(|frame| model.draw(frame)).expect("it draws");
    let buffer = terminal.backend().buffer();
    let line = |y: u16, letter: &dyn Fn(&Cell) -> String| {
        (0..width).map(|x| letter(&buffer[(x, y)])).collect::<String>().trim_end().to_owned()
    };
    let mark = |cell: &Cell| if cell.modifier.contains(Modifier::REVERSED) { "^".to_owned() } else { " ".to_owned() };
    let lines = (0..height).flat_map(|y| [line(y, &|cell| cell.symbol().to_owned()), line(y, &mark)]);
    lines.enumerate().filter(|(place, line)| place % 2 == 0 || !line.is_empty()).map(|(_, line)| line + "\n").collect()
}

/// Something that looks random and is the same everywhere.
pub fn noise(a: usize, b: usize) -> usize {
    let mixed = (a as u64 * 0x9e37_79b9 + b as u64 * 0x85eb_ca6b + 0x1234_5678).wrapping_mul(0x2545_f491_4f6c_dd1d);
    (mixed >> 40) as usize
}

/// A worker among `workers` at frame `frame`: most are busy, each depth moves from frame to frame.
fn worker(id: usize, workers: usize, frame: usize) -> WorkerSnapshot {
    let state = match noise(id, 1) % 16 {
        _ if workers == 1 => WorkerState::Busy,
        0 => WorkerState::Waiting,
        1 => WorkerState::Idle,
        2 => WorkerState::Descheduled,
        _ => WorkerState::Busy,
    };
    let at = elapsed(frame);
    let busy = at * (90 + noise(id, 2) as u32 % 10) / 100;
    WorkerSnapshot {
        state,
        nodes: frame as u64 * (400_000 + noise(id, 3) as u64 % 50_000),
        tours: frame as u64 * (noise(id, 4) as u64 % 40) / 4,
        depth: 38 + noise(id, frame) % 20,
        level: Some(3 + noise(id, frame / 8) % 9),
        sharing: SharingCounts { hires: noise(id, 5) as u64 % 30, donations: noise(id, 6) as u64 % 3 },
        attempts: 0,
        busy,
        idle: at - busy,
        cpu: busy * 98 / 100,
        overhead: Overhead::default(),
        switches: Some(ContextSwitches { voluntary: 20, forced: frame as u32 * 4, migrations: Some(id as u32 % 3) }),
        waits_at: (state == WorkerState::Waiting).then_some(id / 2),
        on: Some(id),
    }
}

/// The waits of a worker: four of five are short.
fn waits(id: usize, frame: usize) -> WaitCounts {
    let mut waits = WaitCounts { in_vain: noise(id, 8) as u64 % 5, ..WaitCounts::default() };
    let micros =
        |wait: usize| if wait.is_multiple_of(5) { 2000 + noise(id, wait) as u64 % 9000 } else { 20 + wait as u64 };
    (0..frame + noise(id, 7) % 9).for_each(|wait| waits.add(Duration::from_micros(micros(wait))));
    waits
}

pub fn elapsed(frame: usize) -> Duration {
    Duration::from_millis(100) * frame as u32
}

/// The run at frame `frame`, ten frames a second.
pub fn snapshot(workers: usize, frame: usize) -> Snapshot {
    let bell = |most: usize, top: i64| {
        (0..DEPTHS as i64).map(|depth| (most >> ((depth - top).abs() / 2).min(60)) as u64 * frame as u64).collect()
    };
    Snapshot {
        elapsed: elapsed(frame),
        stood: Duration::ZERO,
        stop: None,
        paused: false,
        pace: None,
        hand_over: HandOver::Shallowest,
        workers: (0..workers).map(|id| worker(id, workers, frame)).collect(),
        waits: (0..workers).map(|id| waits(id, frame)).collect(),
        groups: Vec::new(),
        earlier: None,
        nodes_by_depth: bell(1 << 20, 47),
        pruned_by_depth: bell(1 << 18, 21),
        levels: Levels::Sampled,
        depths_since: Duration::ZERO,
        outlook: Forecast {
            estimate: Some(TreeSample { nodes: Ranged { mean: 4e13, low: 3e13, high: 5e13 }, tours: None }),
            ..Forecast::default()
        },
        events_lost: 0,
        cores: None,
        quota: None,
        simulated: None,
    }
}

/// A path by Warnsdorff's rule: the neighbour with the fewest free ones is next.
fn path(board: Board, squares: usize) -> Vec<u8> {
    let mut path: Vec<Square> = board.at(0).into_iter().collect();
    while path.len() < squares {
        let free = |square: Square| board.neighbours(square).filter(|next| !path.contains(next)).collect::<Vec<_>>();
        let next = free(path[path.len() - 1]).into_iter().min_by_key(|&square| free(square).len());
        let Some(next) = next else { break };
        path.push(next);
    }
    path.iter().map(|square| square.index() as u8).collect()
}

/// A position that moves a little from frame to frame.
pub fn drawing(board: Board, frame: usize) -> Drawing {
    let mut drawing = Drawing::default();
    let path = path(board, 38 + noise(0, frame) % 20);
    drawing.path(path.into_iter().map(u32::from), Some(board.squares() / 2));
    drawing
}

/// Four chains, as a search by edges or by quarter-turns has them.
pub fn fragments(board: Board) -> Drawing {
    let whole = path(board, board.squares() as usize);
    let mut drawing = Drawing::default();
    drawing.fragments(whole.chunks(12).take(4).map(<[u8]>::to_vec));
    drawing
}

/// A model of `workers` workers after three seconds.
pub fn model(width: u16, height: u16, workers: usize, theme: Theme) -> LiveModel {
    let board = Board::new(8, 8).expect("a board");
    let about = About {
        faster: Some("edges"),
        shape: board.into(),
        ending: Ending::Closed,
        convention: "undirected".into(),
        method: "radley".into(),
        detail: "prune all-isolated".into(),
        finds: false,
        may_restart: true,
    };
    let common = Common::new(theme, Size { width, height });
    let mut model = LiveModel::new(about, common, Scheduler::HIRE, 10, snapshot(workers, 0));
    for frame in 1..=30 {
        let hired = (frame % 3 == 0 && workers > 1).then(|| hired(workers, frame));
        let tour = Event { at: elapsed(21), worker: 0, kind: EventKind::FirstTour };
        let events = hired.into_iter().chain((frame == 30).then_some(tour)).collect();
        let drawing = (frame == 30).then(|| drawing(board, 30));
        model.take(seen(snapshot(workers, frame), events, drawing));
    }
    model
}

/// A run was looked at: what happened before, and the position of worker 0.
pub fn seen(snapshot: Snapshot, events: Vec<Event>, drawing: Option<Drawing>) -> Frame {
    let positions = drawing.into_iter().map(|drawing| (0, drawing)).collect();
    Frame { body: Body::Tree(Box::new(TreeFrame { snapshot, positions })), events }
}

/// Presses a key.
pub fn press(model: &mut LiveModel, code: KeyCode) -> Effect {
    model.update(kit::ScreenEvent::Key(KeyEvent::new(code, KeyModifiers::NONE)))
}

/// A model of a simulation, 3000 nodes after its beginning, whose clock goes on by 345 nodes a second.
pub fn simulated(width: u16, height: u16, workers: usize, theme: Theme) -> LiveModel {
    let mut model = model(width, height, workers, theme);
    let simulated = Some(Simulated { node_ns: 6.2, nodes_per_s: 345.0 });
    // Of many workers not every look is shown.
    for _ in 0..3 {
        model.take(seen(Snapshot { simulated, ..snapshot(workers, 30) }, Vec::new(), None));
    }
    model
}

/// A model of workers on a machine with so many groups of cores, where they have not stayed in their order.
pub fn grouped(width: u16, height: u16, workers: usize, groups: usize) -> LiveModel {
    let mut model = model(width, height, workers, THEME);
    let about = model.about.clone();
    model.begin(about, model.scheduler);
    // Sixteen CPUs share a cache, and half of the caches are in a socket.
    let cpus = |first: usize, each: usize| format!("{}-{}", first * each, (first + 1) * each - 1);
    let half = groups.div_ceil(2);
    let levels = vec![
        (CpuLevel::Cache, (0..groups).map(|cache| cpus(cache, 16)).collect()),
        (CpuLevel::Socket, (0..groups.div_ceil(half)).map(|socket| cpus(socket, 16 * half)).collect()),
    ];
    for frame in (0..30).chain([30; 3]) {
        let mut look = snapshot(workers, frame);
        look.groups.clone_from(&levels);
        for (id, worker) in look.workers.iter_mut().enumerate() {
            worker.on = Some(noise(id, 9) % groups * 16 + id % 16);
        }
        let hires = (1..40).map(|hire| Event { at: elapsed(30), ..hired(workers, hire) });
        let events = hires.filter(|_| workers > 1 && frame == 30).collect();
        model.take(seen(look, events, (frame == 30).then(|| drawing(model.about.shape.board(), 30))));
    }
    model
}

/// The end of a search after this time.
pub fn ended(stopped: Option<StopReason>, elapsed: Duration) -> End {
    End::Run(SearchEnd { stopped, elapsed, pruned: None, answer: None, tour: None })
}

/// The hire of a frame.
pub fn hired(workers: usize, frame: usize) -> Event {
    let (worker, by) = (noise(frame, 7) % workers, noise(frame, 8) % workers);
    Event {
        at: elapsed(frame),
        worker,
        kind: EventKind::Hired { by, depth: 3 + frame % 5, left: None, company: Vec::new(), entered: None },
    }
}

/// The key of an action, as it is pressed.
pub fn key_of(action: Action) -> KeyEvent {
    let (control, name) = match action.key().strip_prefix("ctrl-") {
        Some(name) => (KeyModifiers::CONTROL, name),
        None => (KeyModifiers::NONE, action.key()),
    };
    let code = match name {
        "enter" => KeyCode::Enter,
        "esc" => KeyCode::Esc,
        "tab" => KeyCode::Tab,
        "backtab" => KeyCode::BackTab,
        letter => KeyCode::Char(letter.parse().expect("a letter")),
    };
    KeyEvent::new(code, control)
}

/// Asserts that `q` asks before it ends what the model shows, that a key that is held down ends nothing, and that then `q`,
/// `y` and enter each leave.
pub fn asks_before_it_ends<M: Model>(model: impl Fn() -> M) {
    let press = |model: &mut M, code| model.update(kit::ScreenEvent::Key(KeyEvent::new(code, KeyModifiers::NONE)));
    let quit = KeyCode::Char('q');
    for confirms in [quit, KeyCode::Char('y'), KeyCode::Enter] {
        let mut model = model();
        for _ in 0..50 {
            assert!(press(&mut model, quit) == Effect::Stay && model.takes_keys());
            model.update(kit::ScreenEvent::Passed(Duration::from_millis(500)));
        }
        model.update(kit::ScreenEvent::Passed(Duration::from_millis(500)));
        assert!(press(&mut model, confirms) == Effect::Leave, "{confirms:?}");
    }
    let mut model = model();
    press(&mut model, quit);
    assert!(press(&mut model, KeyCode::Char('n')) == Effect::Stay && !model.takes_keys());
}
