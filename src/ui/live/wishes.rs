//! What keys ask of the run: pause, steps and speed, another rule, scheduler or number of threads; or why it cannot be.

use super::model::{LiveModel, Phase};
use crate::bounded::in_range;
use crate::run::{Tempo, Wish};
use crate::schedule::{Scheduler, Snapshot, THREADS_MAX};
use crate::search::HandOver;
use crate::ui::kit::Effect;
use crate::ui::kit::keys::Action;

/// Speeds of slow motion, in nodes a second per worker.
const PACES: [u32; 16] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000];
/// The speed at which slow motion starts.
const PACE_FIRST: u32 = 1000;

/// Translates a key into a wish for the run. A run that has ended takes no wishes.
pub fn control(model: &mut LiveModel, action: Action) -> Effect {
    if model.playback.only_looks() {
        model.common.complain("this view only looks: attach without --read-only changes the run");
        return Effect::Stay;
    }
    if model.phase != Phase::Running {
        if action == Action::ToggleRule && model.is_demonstrated() {
            return Effect::Do(action);
        }
        let [again, quit] = [Action::NextScheduler, Action::Quit].map(Action::key);
        let next = [
            (model.about.may_restart && !model.about.finds).then(|| format!("{again} starts it again")),
            (!is_lesson(model)).then(|| format!("{quit} prints the summary")),
        ];
        let next: Vec<String> = next.into_iter().flatten().collect();
        let behind = if next.is_empty() { String::new() } else { format!(": {}", next.join(", ")) };
        model.common.say(format!("the run has ended{behind}"));
        return Effect::Stay;
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
                model.common.say(format!("rule '{}': {}; {compare} compares the two", rule.name(), meaning(rule)));
            } else {
                model.common.say(format!("rule '{}', once the scheduler is hire", rule.name()));
            }
            Wish::Rule(rule)
        }
        _ => {
            seen.paused = !seen.paused;
            Wish::Pause(seen.paused)
        }
    };
    Effect::Run(wish)
}

/// Detaches the run into a process without a screen, or explains why that is impossible.
pub fn detach(model: &mut LiveModel) -> Effect {
    let complaint = if model.playback.goes_on_alone() {
        return Effect::Leave;
    } else if model.snapshot.simulated.is_some() {
        "a simulation does not go on without this view"
    } else if model.playback.is_recorded() {
        "this run was recorded, and is over"
    } else if model.ended().is_some() {
        "the run has ended, and has nothing to go on with"
    } else if model.about.finds {
        "only a search of all tours can go on without this view"
    } else {
        return Effect::Do(Action::Detach);
    };
    model.common.complain(complaint);
    Effect::Stay
}

/// Whether the run is one of the tutorial, which keeps letters for itself.
fn is_lesson(model: &LiveModel) -> bool {
    !model.common.taken.is_empty()
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
pub fn restart(model: &mut LiveModel) -> Effect {
    let complaint = if model.about.finds {
        "attempts are raced whatever the scheduler".to_owned()
    } else if !model.about.may_restart {
        format!("the scheduler cannot change {}", kept_by(model))
    } else {
        let next = model.next_scheduler();
        model.common.say(format!("started again under {}: {}", next.name(), next.summary));
        return Effect::Do(Action::NextScheduler);
    };
    model.common.complain(complaint);
    Effect::Stay
}

/// Asks with how many threads the run is to go on, or explains why it cannot.
pub fn ask_threads(model: &mut LiveModel) {
    match keeps_threads(model) {
        Some(why) => model.common.complain(why),
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
pub fn resume_with(model: &mut LiveModel, text: &str) -> Effect {
    let threads = text.parse().map_err(|_| "a number of threads is wanted, such as 8".to_owned());
    let threads = threads.and_then(|threads| in_range(threads, 1..=THREADS_MAX, "the number of threads"));
    match keeps_threads(model).map_or(threads, Err) {
        Ok(threads) => {
            (model.wanted_threads, model.filter) = (threads, None);
            return Effect::Do(Action::Threads);
        }
        Err(why) => model.common.complain(why),
    }
    Effect::Stay
}

/// Compares the search with itself under another scheduler or rule, or explains why that is impossible.
pub fn compare(model: &mut LiveModel) -> Effect {
    let complaint = if model.snapshot.simulated.is_some() {
        "a simulation is compared by simulate: give it --workers of several sizes"
    } else if model.playback.is_recorded() {
        "recordings are compared by: destrier compare FILE FILE"
    } else if model.playback.goes_on_alone() {
        "this run goes on without this view, and is not compared here"
    } else if model.about.finds {
        "attempts are raced whatever the scheduler: there is nothing to compare"
    } else {
        return Effect::Do(Action::Compare);
    };
    model.common.complain(complaint);
    Effect::Stay
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
