//! Updates the model of the live view from an event, and returns what it asks for. This file uses no clock, terminal or
//! thread.

use super::model::LiveModel;
use super::view::{LivePane, hires, strip, threads};
use super::wishes::{ask_threads, compare, control, detach, next_down, next_up, restart, resume_with};
use crate::event::Event;
use crate::ui::kit::keys::{Action, digits};
use crate::ui::kit::screen_keys::{KeyList, Keys, PAGES, TimeView, Timeline, line};
use crate::ui::kit::workers::WorkerOrder;
use crate::ui::kit::{Effect, EventAnswer, InputKey, Pane, PaneFocus, ScreenEvent, UNITS};
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
pub fn update(model: &mut LiveModel, msg: ScreenEvent) -> Effect {
    match model.input.take(&msg) {
        InputKey::Usual => {}
        InputKey::Typed => return Effect::Stay,
        InputKey::Entered(text) => {
            find(model, &text);
            return Effect::Stay;
        }
    }
    match model.crew_input.take(&msg) {
        InputKey::Usual => {}
        InputKey::Typed => return Effect::Stay,
        InputKey::Entered(text) => return resume_with(model, &text),
    }
    let keys = model.keys();
    match model.playback.handle(msg, &mut model.common, keys, model.focus.zoomed) {
        Some(EventAnswer::Asked(action, _)) if model.may_perform(action) => return act(model, action),
        Some(EventAnswer::Agreed(action)) => return act(model, action),
        Some(EventAnswer::Clicked(at)) => click(model, at),
        Some(EventAnswer::Moved(from)) => model.show_moment(from),
        None | Some(EventAnswer::Asked(..) | EventAnswer::Passed(_)) => {}
    }
    Effect::Stay
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
            last => model.common.complain(format!("workers are numbered 0 to {last}")),
        }
        return;
    }
    match text.parse() {
        Ok(filter) => {
            model.filter = Some(filter);
            let ranked = model.ranked();
            show(model, ranked.first());
            model.common.say(format!("{} and enter show all again", Action::Find.key()));
        }
        Err(text) => model.common.complain(text),
    }
}

/// Selects a worker; if the filter hides it, shows all.
fn reveal(model: &mut LiveModel, worker: usize) {
    if !model.ranked().contains(&worker)
        && let Some(filter) = model.filter.take()
    {
        model.common.say(format!("worker {worker} does not pass the filter {}: all workers are shown", filter.name()));
    }
    show(model, Some(&worker));
}

/// Selects the worker of a cell of the strip; or the pane under a cell, and the worker there, or that of an event; the head of
/// a column orders the workers by it, and again the other way.
fn click(model: &mut LiveModel, at: Position) {
    let Some(layout) = model.layout() else { return };
    if let Some(worker) = strip::worker_at(model, &layout.page, at) {
        return reveal(model, worker);
    }
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
        let is_seen = self.layout().is_none_or(|layout| layout.rect(LivePane::Threads).is_some());
        let place = if is_seen { "" } else { ", in pane 1" };
        self.common.say(format!("workers in the order of their {}{reversed}{place}", self.order.name()));
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
            self.common.complain(if self.playback.is_recorded() {
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
            self.common.ask_or(format!("{lost} {compare} compares instead"), action, Action::Compare);
        } else if running {
            self.common.ask(lost, action);
        }
        !running
    }
}

fn act(model: &mut LiveModel, action: Action) -> Effect {
    let layout = model.layout();
    let page = layout.as_ref().and_then(|layout| layout.inner(model.focus.pane)).map_or(0, |inner| inner.height.into());
    let is_shown = |pane| layout.as_ref().is_some_and(|layout| layout.rect(pane).is_some());
    let is_of_workers = [LivePane::Threads, LivePane::OverTime].contains(&model.focus.pane);
    match action {
        Action::LargerBoard if model.is_demonstrated() => return Effect::Do(action),
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
            model.common.say(format!("{name}; the setting panes keeps what is chosen"));
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
            // A race has no hires, and its workers may find one tour many times.
            let is_none = |order| matches!(order, WorkerOrder::Hires | WorkerOrder::Donations | WorkerOrder::Tours);
            (model.order, model.grouped) = (model.order.next(), None);
            while model.about.finds && is_none(model.order) {
                model.order = model.order.next();
            }
            model.put_in_order();
        }
        Action::Group => model.group_next(),
        Action::Reverse => {
            (model.is_reversed, model.grouped) = (!model.is_reversed, None);
            model.put_in_order();
        }
        Action::Timeline if !model.has_timeline() => {
            model.common.say("only workers that share a tree are shown over time")
        }
        Action::Timeline if is_shown(LivePane::Threads) && is_shown(LivePane::OverTime) => {
            model.common.say("both are shown");
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
            model.common.say(model.window.zoom_and_say(action == Action::Larger));
        }
        Action::RefreshFaster => refresh(model, next_up(&REFRESH_RATES, model.fps)),
        Action::RefreshSlower => refresh(model, next_down(&REFRESH_RATES, model.fps)),
        Action::NextScheduler if model.playback.goes_on_alone() => {
            model.common.complain("this run goes on without this view, and is not started again here");
        }
        Action::NextScheduler => return restart(model),
        Action::Threads => ask_threads(model),
        Action::Compare => return compare(model),
        Action::Detach => return detach(model),
        Action::Tour | Action::Explain => return Effect::Do(action),
        Action::Play | Action::Step | Action::Slower | Action::Faster | Action::ToggleRule => {
            return control(model, action);
        }
        other => return model.common.perform(other),
    }
    Effect::Stay
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
    model.common.say(format!("{} frames a second", model.fps));
}
