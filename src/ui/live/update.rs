//! Updates the model of the live view from an event, and returns what it asks for. This file uses no clock, terminal or
//! thread.

use super::model::{LiveModel, Phase};
use super::view::{LivePane, hires, threads};
use crate::bounded::in_range;
use crate::event::Event;
use crate::run::{Tempo, Wish};
use crate::schedule::{Scheduler, Snapshot, THREADS_MAX};
use crate::search::HandOver;
use crate::ui::kit::keys::{Action, digits};
use crate::ui::kit::screen_keys::{KeyList, Keys, PAGES, TimeView, Timeline, line};
use crate::ui::kit::{EventAnswer, InputKey, Pane, PaneFocus, ScreenEvent, Turn, UNITS};
use crate::ui::playing::RunModel;
use ratatui::layout::Position;

/// The key table of the live view.
pub const KEYS: Keys = Keys {
    own: &[
        line(&[Action::Quit], "quit, with the summary", "quit"),
        line(&[Action::ToggleRule], "again, by the other rule", "again, other rule").only(NEXT),
        line(&[Action::LargerBoard], "8x8 at full speed", "8x8, full speed").only(NEXT),
        line(&[Action::Tour], "step through a tour", "step through a tour").only(NEXT),
        line(&[Action::Play], "pause, go on", "pause").only(RUNS).first_in(&["threads"]),
        line(&[Action::NextPane, Action::PreviousPane], "next pane, pane before", "pane"),
        line(&[Action::Zoom], "zoom the pane, and back", "zoom"),
        line(&[Action::Slower, Action::Faster], "slower, faster", "slow motion").only(RUNS),
        line(&[Action::PreviousEvent, Action::NextEvent], "event before, event after", "back in time").first_in(HIRES),
        line(&[Action::Left, Action::Down, Action::Up, Action::Right], "select a worker or a hire", "select")
            .first_in(&["threads", "over time", "worker", "board", "hires"]),
        line(&[Action::Open], "page of a worker or hire", "page").first_in(&["threads", "over time", "hires"]),
        line(&[Action::Order], "order: nodes, depth, ..", "order").first_in(&["threads"]),
        line(&[Action::Find], "find by number, or filter", "filter").first_in(&["threads"]),
        line(&[Action::Timeline], "workers over time, or now", "time").first_in(&["threads"]),
        line(&[Action::Why], "why workers do not search", "why").first_in(&["balance"]),
        line(&[Action::Larger, Action::Smaller], "less time, more", "less, more time").first_in(&["over time"]),
        line(&[Action::Tour], "view what is on the board", "view tour").only(BOARDS).first_in(&["board"]),
        line(&[Action::Explain], "step on from the worker", "explain").first_in(&["board"]),
        line(digits(LivePane::LIST.len()), "zoom the pane so numbered", "zoom a pane"),
        line(&[Action::Arrange], "panes: all, story, search", "panes"),
        line(&[Action::Step], "a node of each worker", "step").only(RUNS),
        line(&[Action::ToggleRule], "the other hand-over rule", "rule").only(&[TimeView::Now]).first_in(&["hires"]),
        line(&[Action::NextScheduler], "again, by next scheduler", "scheduler").only(PRESENT),
        line(&[Action::Threads], "go on with .. threads", "").only(&[TimeView::Now]),
        line(&[Action::Compare], "compared with another run", "compare")
            .only(&[TimeView::Now, TimeView::Ended, TimeView::Past, TimeView::Demonstrated])
            .first_in(&["balance", "hires"]),
        line(&[Action::Detach], "leave; the run goes on", "detach").only(&[TimeView::Now, TimeView::Past]),
        line(&[Action::Reverse], "the order the other way", ""),
        line(&[Action::Group], "rows by groups of CPUs", "groups").first_in(&["threads", "over time"]),
        line(&[Action::First, Action::Last], "first worker, last", ""),
        line(PAGES, "a page on, a page back", ""),
        line(&[Action::RefreshFaster, Action::RefreshSlower], "more frames, fewer", ""),
    ],
    times: &[],
    timeline: Timeline::Events,
    pane_key: LivePane::key_of,
    words: &[include_str!("help.txt"), UNITS],
};

/// The times at which the run goes on or is past; at which its boards are shown; which are no past; and the end of the
/// demonstration.
const RUNS: &[TimeView] = &[TimeView::Now, TimeView::Past, TimeView::Recording];
const BOARDS: &[TimeView] = &[TimeView::Now, TimeView::Ended, TimeView::ReadOnly, TimeView::Past, TimeView::Recording];
const PRESENT: &[TimeView] = &[TimeView::Now, TimeView::Ended, TimeView::Demonstrated];
const NEXT: &[TimeView] = &[TimeView::Demonstrated];

/// The panes in which the hires of before are looked for.
const HIRES: &[&str] = &["threads", "hires", "over time"];

/// The arrangements of the panes, each with the chosen ones; none for all.
const ARRANGEMENTS: [(&str, &[LivePane]); 3] = [
    ("all panes", &[]),
    ("the story: threads, and over time", &[LivePane::Threads, LivePane::OverTime]),
    ("the search: board and depths", &[LivePane::Board, LivePane::Depths]),
];

/// Lines by which a key scrolls the balance report.
const READ: i32 = 3;
/// The frame rates to choose from, in frames a second.
const REFRESH_RATES: [u32; 8] = [1, 2, 5, 10, 15, 20, 30, 60];

/// Updates the model from an event; returns what it asks for.
pub fn update(model: &mut LiveModel, msg: ScreenEvent) -> Turn {
    match model.input.take(&msg) {
        InputKey::Usual => {}
        InputKey::Typed => return Turn::Stay,
        InputKey::Entered(text) => {
            find(model, &text);
            return Turn::Stay;
        }
    }
    match model.crew_input.take(&msg) {
        InputKey::Usual => {}
        InputKey::Typed => return Turn::Stay,
        InputKey::Entered(text) => return go_on_with(model, &text),
    }
    let keys = model.keys();
    match model.playback.handle(msg, &mut model.surface, keys, model.focus.zoomed) {
        Some(EventAnswer::Asked(action, _)) if model.may_perform(action) => return act(model, action),
        Some(EventAnswer::Agreed(action)) => return act(model, action),
        Some(EventAnswer::Clicked(at)) => click(model, at),
        Some(EventAnswer::Moved(from)) => model.show_moment(from),
        None | Some(EventAnswer::Asked(..) | EventAnswer::Passed(_)) => {}
    }
    Turn::Stay
}

/// Selects the worker of a number, or shows only the workers that pass a filter; an empty text shows all.
fn find(model: &mut LiveModel, text: &str) {
    if text.is_empty() {
        model.filter = None;
        return;
    }
    if let Ok(number) = text.parse::<usize>() {
        match model.snapshot.workers.len().saturating_sub(1) {
            last if number <= last => {
                reveal(model, number);
                if !model.focus.zoomed {
                    model.focus.pane = LivePane::Threads;
                    model.refocus();
                }
            }
            last => model.surface.complain(format!("workers are numbered 0 to {last}")),
        }
        return;
    }
    match text.parse() {
        Ok(filter) => {
            model.filter = Some(filter);
            let ranked = model.ranked();
            show(model, ranked.first());
            model.surface.say(format!("{} and enter show all again", Action::Find.key()));
        }
        Err(text) => model.surface.complain(text),
    }
}

/// Selects a worker; if the filter hides it, shows all.
fn reveal(model: &mut LiveModel, worker: usize) {
    if !model.ranked().contains(&worker)
        && let Some(filter) = model.filter.take()
    {
        model.surface.say(format!("worker {worker} does not pass the filter {}: all workers are shown", filter.name()));
    }
    show(model, Some(&worker));
}

/// Selects the pane under a cell, and the worker under it, or the one that an event there is about; the head of a column orders
/// the workers by it, and again the other way.
fn click(model: &mut LiveModel, at: Position) {
    let Some(layout) = model.layout() else { return };
    let Some(&(pane, _)) = layout.panes.iter().find(|(_, rect)| rect.contains(at)) else { return };
    model.focus.pane = pane;
    let Some(inner) = layout.inner(pane).filter(|inner| inner.contains(at)) else { return };
    if let Some(order) = threads::order_at(model, inner, at).filter(|_| pane == LivePane::Threads) {
        (model.is_reversed, model.order) = (model.order == order && !model.is_reversed, order);
        return model.put_in_order();
    }
    let ranked = model.ranked();
    let place = || model.grid().and_then(|grid| grid.place_at(inner, at, ranked.len()));
    let worker = match pane {
        LivePane::Threads if model.grouped.is_some() => model.group_under(inner, at.y),
        LivePane::Threads => place().map(|place| ranked[place]),
        LivePane::Hires => {
            let event = hires::event_at(model, inner, at).cloned();
            model.hire = event.clone().filter(hires::is_hire).or(model.hire.take());
            event.filter(hires::is_of_worker).map(|event| event.worker)
        }
        _ => None,
    };
    worker.into_iter().for_each(|worker| reveal(model, worker));
}

impl LiveModel {
    /// Says the order, and selects its first worker, whose page says why it is that.
    fn put_in_order(&mut self) {
        show(self, self.ranked().first());
        self.follows_selection = false;
        let reversed = if self.is_reversed { ", reversed" } else { "" };
        self.surface.say(format!("workers in the order of their {}{reversed}", self.order.name()));
    }

    /// Shows these panes, none for all, and puts the focus on one of them.
    pub(super) fn choose(&mut self, panes: Vec<LivePane>) {
        (self.chosen, self.focus.zoomed) = (panes, false);
        self.refocus();
    }

    /// Puts the focus on the first pane if its own is not shown.
    fn refocus(&mut self) {
        let layout = self.unzoomed().filter(|layout| !self.focus.zoomed && layout.rect(self.focus.pane).is_none());
        self.focus.pane = match layout {
            None => self.focus.pane,
            Some(layout) if self.focus.pane == LivePane::Hire && layout.rect(LivePane::Hires).is_some() => {
                LivePane::Hires
            }
            Some(layout) => layout.panes[0].0,
        };
    }

    /// Selects the hire so many further down in the log, or the newest one. Returns whether hires are what is selected.
    fn select_hire(&mut self, by: isize) -> bool {
        let is_of_hires = [LivePane::Hires, LivePane::Hire].contains(&self.focus.pane);
        let hires: Vec<&Event> = hires::lines(self).filter(|event| hires::is_hire(event)).collect();
        if let Some(last) = hires.len().checked_sub(1).filter(|_| is_of_hires) {
            let place = hires.iter().position(|event| Some(*event) == self.hire.as_ref());
            self.hire = Some(hires[place.map_or(0, |place| place.saturating_add_signed(by).min(last))].clone());
        }
        is_of_hires
    }

    /// The keys at the time that is shown, for the pane with the focus.
    pub fn keys(&self) -> KeyList {
        // The page of a hire has the keys and the words of all hires.
        let pane = if self.focus.pane == LivePane::Hire { LivePane::Hires } else { self.focus.pane };
        self.playback.keys(&KEYS).focused(pane.name())
    }

    /// Whether an action may be performed now. An earlier moment takes no wishes, and a running run is ended only
    /// after a question to the user.
    fn may_perform(&mut self, action: Action) -> bool {
        if self.playback.shown().is_some() && is_of_now(action) {
            let (now, key) = (Action::Now.key(), action.key());
            self.surface.complain(if self.playback.is_recorded() {
                format!("{key} is for a run that goes on: this one was recorded")
            } else {
                format!("{key} is for what goes on now: {now} goes back there")
            });
            return false;
        }
        let lost = match action {
            Action::Quit => "leave, and end the run?",
            Action::NextScheduler if self.about.may_restart && !self.about.finds => "start again, and end this run?",
            _ => return true,
        };
        let running = self.playback.is_at_stake();
        if running && action == Action::NextScheduler && self.snapshot.simulated.is_none() {
            self.versus_rule = false;
            let compare = Action::Compare.key();
            self.surface.ask_or(format!("{lost} {compare} compares instead"), action, Action::Compare);
        } else if running {
            self.surface.ask(lost, action);
        }
        !running
    }
}

fn act(model: &mut LiveModel, action: Action) -> Turn {
    let layout = model.layout();
    let page = layout.as_ref().and_then(|layout| layout.inner(model.focus.pane)).map_or(0, |inner| inner.height.into());
    let is_shown = |pane| layout.as_ref().is_some_and(|layout| layout.rect(pane).is_some());
    let is_of_workers = [LivePane::Threads, LivePane::OverTime].contains(&model.focus.pane);
    match action {
        Action::LargerBoard if model.is_demonstrated() => return Turn::Do(action),
        Action::Open if is_of_workers && model.grouped.is_some() => model.open_group(),
        Action::Open if is_of_workers => {
            model.focus = PaneFocus { pane: LivePane::Worker, zoomed: true };
        }
        Action::Open if model.focus.pane == LivePane::Hires => {
            model.select_hire(0);
            model.focus = PaneFocus { pane: LivePane::Hire, zoomed: true };
        }
        action if model.focus.perform(action, is_shown) => model.refocus(),
        Action::Arrange => {
            let own =
                Some(("the panes of the settings", model.own_panes.as_slice())).filter(|(_, own)| !own.is_empty());
            let all: Vec<(&str, &[LivePane])> = ARRANGEMENTS.into_iter().chain(own).collect();
            let at = all.iter().position(|(_, panes)| *panes == model.chosen);
            let (name, panes) = all[at.map_or(0, |at| (at + 1) % all.len())];
            model.choose(panes.to_vec());
            model.surface.say(format!("{name}; the setting panes keeps what is chosen"));
        }
        Action::Up if model.scroll_report(-READ) => {}
        Action::Down if model.scroll_report(READ) => {}
        Action::ScrollUp if model.scroll_report(-page) => {}
        Action::ScrollDown if model.scroll_report(page) => {}
        Action::First if model.scroll_report(i32::MIN) => {}
        Action::Last if model.scroll_report(i32::MAX) => {}
        Action::Up if model.select_hire(-1) => {}
        Action::Down if model.select_hire(1) => {}
        Action::Left => select(model, -1, 0),
        Action::Right => select(model, 1, 0),
        Action::Up => select(model, 0, -1),
        Action::Down => select(model, 0, 1),
        Action::ScrollDown => turn_page(model, 1),
        Action::ScrollUp => turn_page(model, -1),
        Action::First if model.grouped.is_some() => select(model, 0, isize::MIN),
        Action::Last if model.grouped.is_some() => select(model, 0, isize::MAX),
        Action::First => show(model, model.ranked().first()),
        Action::Last => show(model, model.ranked().last()),
        Action::Order => {
            (model.order, model.grouped) = (model.order.next(), None);
            model.put_in_order();
        }
        Action::Group => model.group_next(),
        Action::Reverse => {
            (model.is_reversed, model.grouped) = (!model.is_reversed, None);
            model.put_in_order();
        }
        Action::Timeline if !model.has_timeline() => {
            model.surface.say("only workers that share a tree are shown over time")
        }
        Action::Timeline if is_shown(LivePane::Threads) && is_shown(LivePane::OverTime) => {
            model.surface.say("both are shown");
        }
        Action::Timeline => {
            (model.shows_timeline, model.focus.pane) = (!model.shows_timeline, LivePane::Threads);
            let other = |pane| match pane {
                LivePane::Threads => LivePane::OverTime,
                LivePane::OverTime => LivePane::Threads,
                pane => pane,
            };
            let swapped: Vec<LivePane> = model.chosen.iter().copied().map(other).collect();
            model.choose(if swapped == model.chosen { Vec::new() } else { swapped });
        }
        Action::Why => {
            (model.focus, model.reading) = (PaneFocus { pane: LivePane::Balance, zoomed: true }, 0);
        }
        Action::Find => model.input.open(""),
        Action::Larger | Action::Smaller => {
            model.surface.say(model.window.zoom_and_say(action == Action::Larger));
        }
        Action::RefreshFaster => refresh(model, next_up(&REFRESH_RATES, model.fps)),
        Action::RefreshSlower => refresh(model, next_down(&REFRESH_RATES, model.fps)),
        Action::NextScheduler if model.playback.goes_on_alone() => {
            model.surface.complain("this run goes on without this view, and is not started again here");
        }
        Action::NextScheduler => return restart(model),
        Action::Threads => ask_threads(model),
        Action::Compare => return compare(model),
        Action::Detach => return detach(model),
        Action::Tour | Action::Explain => return Turn::Do(action),
        Action::Play | Action::Step | Action::Slower | Action::Faster | Action::ToggleRule => {
            return control(model, action);
        }
        other => return model.surface.perform(other),
    }
    Turn::Stay
}

/// Whether an action concerns the current run and not the moment shown.
fn is_of_now(action: Action) -> bool {
    matches!(action, Action::ToggleRule | Action::NextScheduler | Action::Threads)
}

fn select(model: &mut LiveModel, right: isize, down: isize) {
    if model.grouped.is_some() {
        let worker = model.group_at(right + down);
        return show(model, worker.as_ref());
    }
    let ranked = model.ranked();
    let (workers, place) = (ranked.len(), ranked.iter().position(|&worker| worker == model.selected).unwrap_or(0));
    // If the workers are not visible, their order still counts.
    let place = match model.grid() {
        Some(grid) => grid.move_from(place, right, down, workers),
        None => place.saturating_add_signed(right + down).min(workers.saturating_sub(1)),
    };
    show(model, ranked.get(place));
}

/// Selects the worker that is a page further in the table, or the last one in that direction.
fn turn_page(model: &mut LiveModel, by: isize) {
    let ranked = model.ranked();
    let shown = model.grid().map_or(1, |grid| grid.page.map_or(ranked.len(), |(_, shown)| shown));
    let place = ranked.iter().position(|&worker| worker == model.selected).unwrap_or(0);
    let to = place.saturating_add_signed(by * shown as isize).min(ranked.len().saturating_sub(1));
    show(model, ranked.get(to));
}

/// Selects a worker and shows its position.
fn show(model: &mut LiveModel, worker: Option<&usize>) {
    model.selected = worker.copied().unwrap_or(0);
    model.follows_selection = true;
    model.redraw();
}

fn refresh(model: &mut LiveModel, fps: Option<u32>) {
    model.fps = fps.unwrap_or(model.fps);
    model.surface.say(format!("{} frames a second", model.fps));
}

/// Speeds of slow motion, in nodes a second per worker.
const PACES: [u32; 16] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000];
/// The speed at which slow motion starts.
const PACE_FIRST: u32 = 1000;

/// Translates a key into a wish for the run. A run that has ended takes no wishes.
pub fn control(model: &mut LiveModel, action: Action) -> Turn {
    if model.playback.only_looks() {
        model.surface.complain("this view only looks: attach without --read-only changes the run");
        return Turn::Stay;
    }
    if model.phase != Phase::Running {
        if action == Action::ToggleRule && model.is_demonstrated() {
            return Turn::Do(action);
        }
        let [again, quit] = [Action::NextScheduler, Action::Quit].map(Action::key);
        let next = [
            (model.about.may_restart && !model.about.finds).then(|| format!("{again} starts it again")),
            (!is_lesson(model)).then(|| format!("{quit} prints the summary")),
        ];
        let next: Vec<String> = next.into_iter().flatten().collect();
        let behind = if next.is_empty() { String::new() } else { format!(": {}", next.join(", ")) };
        model.surface.say(format!("the run has ended{behind}"));
        return Turn::Stay;
    }
    // A user who sets the pace, or steps, has ended the tempo; a pause only holds it.
    let tempo = match action {
        Action::Step | Action::Slower | Action::Faster => std::mem::take(&mut model.tempo),
        _ => Tempo::Full,
    };
    // The screen shows the new state at once; the next sample confirms it.
    let seen = &mut model.snapshot;
    let wish = match action {
        Action::Step => {
            seen.paused = true;
            Wish::Step
        }
        Action::Slower => {
            let slower = speed_limit(seen).map_or(PACE_FIRST, |n| next_down(&PACES, n).unwrap_or(PACES[0]));
            pace(seen, Some(slower))
        }
        Action::Faster if tempo != Tempo::Full => pace(seen, None),
        Action::Faster => {
            let faster = speed_limit(seen).and_then(|n| next_up(&PACES, n));
            pace(seen, faster)
        }
        Action::ToggleRule => {
            seen.hand_over = other(seen.hand_over);
            let rule = seen.hand_over;
            model.versus_rule = model.scheduler.has_rules;
            if model.versus_rule {
                let compare = Action::Compare.key();
                model.surface.say(format!("rule '{}': {}; {compare} compares the two", rule.name(), meaning(rule)));
            } else {
                model.surface.say(format!("rule '{}', once the scheduler is hire", rule.name()));
            }
            Wish::Rule(rule)
        }
        _ => {
            seen.paused = !seen.paused;
            Wish::Pause(seen.paused)
        }
    };
    Turn::Run(wish)
}

/// Detaches the run into a process without a screen, or explains why that is impossible.
pub fn detach(model: &mut LiveModel) -> Turn {
    let complaint = if model.playback.goes_on_alone() {
        return Turn::Leave;
    } else if model.snapshot.simulated.is_some() {
        "a simulation does not go on without this view"
    } else if model.playback.is_recorded() {
        "this run was recorded, and is over"
    } else if model.ended().is_some() {
        "the run has ended, and has nothing to go on with"
    } else if model.about.finds {
        "only a search of all tours can go on without this view"
    } else {
        return Turn::Do(Action::Detach);
    };
    model.surface.complain(complaint);
    Turn::Stay
}

/// Whether the run is one of the tutorial, which keeps letters for itself.
fn is_lesson(model: &LiveModel) -> bool {
    !model.surface.taken.is_empty()
}

/// What keeps a run from being started again.
fn kept_by(model: &LiveModel) -> &'static str {
    if is_lesson(model) {
        "in a lesson"
    } else if model.snapshot.simulated.is_some() {
        "in this simulation"
    } else {
        "while this run is written to a file"
    }
}

/// The speed limit in nodes a second per worker: that of slow motion, or that of a simulated clock.
fn speed_limit(seen: &Snapshot) -> Option<u32> {
    seen.pace.or(seen.simulated.map(|simulated| simulated.nodes_per_s as u32))
}

fn pace(seen: &mut Snapshot, pace: Option<u32>) -> Wish {
    seen.pace = pace;
    Wish::Pace(pace)
}

/// Restarts the run under the next scheduler, or explains why that is impossible.
pub fn restart(model: &mut LiveModel) -> Turn {
    let complaint = if model.about.finds {
        "attempts are raced whatever the scheduler".to_owned()
    } else if !model.about.may_restart {
        format!("the scheduler cannot change {}", kept_by(model))
    } else {
        let next = model.next_scheduler();
        model.surface.say(format!("started again under {}: {}", next.name(), next.summary));
        return Turn::Do(Action::NextScheduler);
    };
    model.surface.complain(complaint);
    Turn::Stay
}

/// Asks with how many threads the run is to go on, or explains why it cannot.
fn ask_threads(model: &mut LiveModel) {
    match keeps_threads(model) {
        Some(why) => model.surface.complain(why),
        None => model.crew_input.open(""),
    }
}

/// Why the run keeps its threads, if it does.
fn keeps_threads(model: &LiveModel) -> Option<String> {
    if model.phase != Phase::Running {
        Some("the run has ended, and has nothing to go on with".to_owned())
    } else if model.about.finds || model.playback.goes_on_alone() || model.snapshot.simulated.is_some() {
        Some("only a search that this view began can change its threads".to_owned())
    } else if model.demonstration.is_some() {
        Some("the demonstration keeps its threads: destrier --threads N has another number".to_owned())
    } else if is_lesson(model) {
        Some("a lesson keeps its threads".to_owned())
    } else {
        let is_kept = !model.about.may_restart;
        is_kept.then(|| format!("the threads stay {}; a checkpoint is resumed with --threads N", kept_by(model)))
    }
}

/// Asks for this number of threads for what is left of the run, unless it has ended meanwhile.
fn go_on_with(model: &mut LiveModel, text: &str) -> Turn {
    let threads = text.parse().map_err(|_| "a number of threads is wanted, such as 8".to_owned());
    let threads = threads.and_then(|threads| in_range(threads, 1..=THREADS_MAX, "the number of threads"));
    match keeps_threads(model).map_or(threads, Err) {
        Ok(threads) => {
            (model.wanted_threads, model.filter) = (threads, None);
            return Turn::Do(Action::Threads);
        }
        Err(why) => model.surface.complain(why),
    }
    Turn::Stay
}

/// Compares the search with itself under another scheduler or rule, or explains why that is impossible.
pub fn compare(model: &mut LiveModel) -> Turn {
    let complaint = if model.snapshot.simulated.is_some() {
        "a simulation is compared by simulate: give it --workers of several sizes"
    } else if model.playback.is_recorded() {
        "recordings are compared by: destrier compare FILE FILE"
    } else if model.playback.goes_on_alone() {
        "this run goes on without this view, and is not compared here"
    } else if model.about.finds {
        "attempts are raced whatever the scheduler: there is nothing to compare"
    } else {
        return Turn::Do(Action::Compare);
    };
    model.surface.complain(complaint);
    Turn::Stay
}

impl LiveModel {
    /// The scheduler under which the run is started again.
    pub fn next_scheduler(&self) -> Scheduler {
        next(self.scheduler)
    }

    /// The hand-over rule that the run does not have.
    pub fn other_rule(&self) -> HandOver {
        other(self.snapshot.hand_over)
    }

    /// The scheduler and the rule with which the run is compared.
    pub fn rival(&self) -> (Scheduler, HandOver) {
        if self.versus_rule {
            (self.scheduler, self.other_rule())
        } else {
            (next(self.scheduler), self.snapshot.hand_over)
        }
    }
}

fn next(scheduler: Scheduler) -> Scheduler {
    let next = Scheduler::ALL.iter().position(|&other| other == scheduler).map_or(0, |i| i + 1);
    Scheduler::ALL[next % Scheduler::ALL.len()]
}

/// What a worker gives by a rule.
fn meaning(rule: HandOver) -> &'static str {
    match rule {
        HandOver::Shallowest => "the largest branch is given",
        HandOver::Next => "the next branch is given, however small",
    }
}

fn other(rule: HandOver) -> HandOver {
    match rule {
        HandOver::Shallowest => HandOver::Next,
        HandOver::Next => HandOver::Shallowest,
    }
}

/// The smallest step greater than `from`.
pub fn next_up(steps: &[u32], from: u32) -> Option<u32> {
    steps.iter().copied().find(|&step| step > from)
}

/// The greatest step less than `from`.
pub fn next_down(steps: &[u32], from: u32) -> Option<u32> {
    steps.iter().rev().copied().find(|&step| step < from)
}
