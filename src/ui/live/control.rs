//! The keys that control the running search: pause, step, slow motion, hand-over rule, detach, restart, compare. The
//! footer says why an action is impossible.

use super::model::{LiveEffect, LiveModel, Phase};
use crate::run::{Tempo, Wish};
use crate::schedule::{Scheduler, Snapshot};
use crate::search::HandOver;
use crate::ui::kit;
use crate::ui::kit::keys::Action;

/// Speeds of slow motion, in nodes a second per worker.
const PACES: [u32; 16] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000];
/// The speed at which slow motion starts.
const PACE_FIRST: u32 = 1000;

/// Translates a key into a wish for the run. A run that has ended takes no wishes.
pub fn control(model: &mut LiveModel, action: Action) -> Option<LiveEffect> {
    if model.playback.only_looks() {
        model.surface.complain("this view only looks: attach without --read-only changes the run");
        return None;
    }
    if model.phase != Phase::Running {
        if action == Action::ToggleRule && model.is_demonstrated() {
            return Some(LiveEffect::Again(other(model.snapshot.hand_over)));
        }
        let [again, quit] = [Action::NextScheduler, Action::Quit].map(Action::key);
        let next = [
            (model.about.may_restart && !model.about.finds).then(|| format!("{again} starts it again")),
            (!is_lesson(model)).then(|| format!("{quit} prints the summary")),
        ];
        let next: Vec<String> = next.into_iter().flatten().collect();
        let behind = if next.is_empty() { String::new() } else { format!(": {}", next.join(", ")) };
        model.surface.say(format!("the run has ended{behind}"));
        return None;
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
            model.versus_rule = model.scheduler == Scheduler::Hire;
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
    Some(LiveEffect::Wish(wish))
}

/// Detaches the run into a process without a screen, or explains why that is impossible.
pub fn detach(model: &mut LiveModel) -> Option<LiveEffect> {
    let complaint = match () {
        () if model.playback.goes_on_alone() => return Some(LiveEffect::Stage(kit::StageWish::Leave)),
        () if model.snapshot.simulated.is_some() => "a simulation does not go on without this view",
        () if model.playback.is_recorded() => "this run was recorded, and is over",
        () if model.ended().is_some() => "the run has ended, and has nothing to go on with",
        () if !model.about.may_detach => "only a search on the CPU can go on without this view",
        () => return Some(LiveEffect::Detach),
    };
    model.surface.complain(complaint);
    None
}

/// Whether the run is one of the tutorial, which keeps letters for itself.
fn is_lesson(model: &LiveModel) -> bool {
    !model.surface.taken.is_empty()
}

/// What keeps a run from being started again or replaced.
pub fn kept_by(model: &LiveModel) -> &'static str {
    match () {
        () if is_lesson(model) => "in a lesson",
        () if model.snapshot.simulated.is_some() => "in this simulation",
        () => "while this run is written to a file",
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
pub fn restart(model: &mut LiveModel) -> Option<LiveEffect> {
    if model.about.finds {
        let choose = Action::Choose.key();
        model.surface.complain(format!("attempts are raced whatever the scheduler: {choose} asks something else"));
        return None;
    }
    if !model.about.may_restart {
        let kept = kept_by(model);
        model.surface.complain(format!("the scheduler cannot change {kept}"));
        return None;
    }
    if model.snapshot.lanes.is_some() {
        if model.phase == Phase::Running {
            let choose = Action::Choose.key();
            let lanes = "lanes have no scheduler, they take what lies in their queue";
            model.surface.complain(format!("{lanes}: {choose} asks something else"));
            return None;
        }
        model.surface.say("started again");
        return Some(LiveEffect::Restart(model.scheduler));
    }
    let next = next(model.scheduler);
    model.surface.say(format!("started again under {}: {}", next.name(), next.summary()));
    Some(LiveEffect::Restart(next))
}

/// Compares the search with itself under another scheduler or rule, or explains why that is impossible.
pub fn compare(model: &mut LiveModel) -> Option<LiveEffect> {
    let complaint = match () {
        () if model.snapshot.simulated.is_some() => {
            "a simulation is compared by simulate: give it --workers of several sizes"
        }
        () if model.playback.is_recorded() => "recordings are compared by: destrier compare FILE FILE",
        () if model.playback.goes_on_alone() => "this run goes on without this view, and is not compared here",
        () if model.about.finds => "attempts are raced whatever the scheduler: there is nothing to compare",
        () if model.snapshot.lanes.is_some() => "lanes have no scheduler: there is nothing to compare",
        () if model.versus_rule => return Some(LiveEffect::Compare(model.scheduler, other(model.snapshot.hand_over))),
        () => return Some(LiveEffect::Compare(next(model.scheduler), model.snapshot.hand_over)),
    };
    model.surface.complain(complaint);
    None
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
