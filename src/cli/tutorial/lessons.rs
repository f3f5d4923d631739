//! The lessons: what each says, and the run that it shows.

use crate::board::{Board, Ending, Route};
use crate::cli::args::cores;
use crate::cli::count::{count_for_view, settings};
use crate::count::{CountPlan, CountQuestion, CountWatch};
use crate::run::{
    Beginning, Continuation, CountSource, End, Frame, Live, Outbox, Plan, Question, SimulatedScene, Simulation,
    SimulationOutcome, Source, Tempo, Wish, demonstration,
};
use crate::schedule::rule::NominationRule;
use crate::schedule::{Scheduler, Sharing};
use crate::search::{HandOver, Prune};
use crate::simulate::{Costs, SimulationPlan};
use crate::solve::{self, Problem, Request};
use crate::system;
use crate::ui::compare::{self, ComparedRun};
use crate::ui::count::CountModel;
use crate::ui::kit::Common;
use crate::ui::screen::Screen;
use crate::ui::step::{self, CyclesSubject, StepSubject};
use crate::ui::tutorial::{Lesson, OpenLesson, live_lesson};
use crate::ui::{Launch, Session, playing};
use std::sync::Arc;
use std::time::Duration;

/// Workers of the simulated crew.
const SIMULATED: usize = 1024;
/// Nodes a second of each simulated worker at first.
const PACE: u32 = 4000;
/// Nanoseconds of a node on the simulated machine: as many as on the simulated clock, so that there is one time. A faster
/// machine has done its work before it could be judged how the work was shared.
const NODE_NS: f64 = 1e6;

type Opened = Result<Box<dyn Screen>, String>;

/// What the lessons say. A line `== title` begins one, `> ` its line of keys, and `$ ` a command that tells the like in lines.
const TEXT: &str = include_str!("lessons.txt");

/// The lesson of this title, which opens so.
///
/// # Panics
/// If the text has no such lesson.
fn lesson(title: &'static str, open: OpenLesson) -> Lesson {
    let said = TEXT.split("== ").find_map(|said| said.strip_prefix(title)).and_then(|said| said.split_once("\n> "));
    let (text, keys) = said.unwrap_or_else(|| unreachable!("every lesson has a text"));
    let keys = keys.lines().next().unwrap_or_default().to_owned();
    Lesson { title, text: text.trim().replace('\n', " "), keys, open }
}

/// Every lesson as lines, for those who have no screen: what it says, and the command that tells the like.
pub fn texts() -> Vec<String> {
    let lessons: Vec<&str> = TEXT.split("== ").filter(|said| said.contains("\n> ")).collect();
    let text = |(number, said): (usize, &&str)| {
        let lines = said.trim().lines().filter(|line| !line.starts_with("> "));
        format!("{} of {}: {}\n", number + 1, lessons.len(), lines.collect::<Vec<_>>().join("\n"))
    };
    lessons.iter().enumerate().map(text).collect()
}

/// All lessons, in their order.
pub fn all() -> Vec<Lesson> {
    vec![
        lesson("Who hires whom", Box::new(who_hires_whom)),
        lesson("Back to a hire", Box::new(back_to_a_hire)),
        lesson("An uneven division", Box::new(uneven_division)),
        lesson("The rule of 2002", Box::new(rule_of_2002)),
        lesson("What a prune test saves", Box::new(prune_tests)),
        lesson("A search, step by step", Box::new(|| steps(search("radley", "6x6", Prune::AnyIsolated, 1).question))),
        lesson("Warnsdorff's rule", Box::new(warnsdorff)),
        lesson("Three cycles of a GPU", Box::new(three_cycles)),
        lesson("Counting without listing", Box::new(counting)),
        lesson("A thousand workers", Box::new(thousand_workers)),
    ]
}

fn board(name: &str) -> Board {
    name.parse().unwrap_or_else(|_| unreachable!("the boards of the lessons are boards"))
}

/// A search of all closed tours.
///
/// # Panics
/// If there is no such solver.
fn search(solver: &str, on: &str, prune: Prune, threads: usize) -> Plan {
    let solver = solve::solver_by_name(solver).unwrap_or_else(|| unreachable!("it is in the list of methods"));
    Plan::of(Question::Search(solver, Problem { prune, ..Problem::new(board(on), Ending::Closed) }), threads)
}

/// The live view of a run.
fn live(plan: Plan, beginning: Beginning, launch: Launch) -> Opened {
    let prepare_detach = Box::new(|| Err("a lesson is not detached: try `destrier search 8x8 --detach`".to_owned()));
    let session = Session { plan, may_restart: false, fps: None, beginning, launch, prepare_detach };
    Ok(live_lesson(session))
}

/// Starts a search that ends with its screen.
fn launch() -> Launch {
    Box::new(|plan, beginning| {
        Box::new(OwnRun(Live::start(plan, beginning, Continuation::default(), None, Outbox::default())))
    })
}

fn who_hires_whom() -> Opened {
    let (plan, tempo) = demonstration(cores(), Some(4));
    live(plan, Beginning { tempo, ..Beginning::default() }, launch())
}

fn back_to_a_hire() -> Opened {
    let plan = search("radley", "6x6", Prune::AnyIsolated, 4);
    live(plan, Beginning { tempo: Tempo::Full, ..Beginning::default() }, launch())
}

fn uneven_division() -> Opened {
    let plan = |scheduler| Plan { scheduler, ..search("path", "6x8", Prune::None, 2) };
    compared("6x8 closed tours", [("blocks dealt out", plan(Scheduler::BLOCKS)), ("hire", plan(Scheduler::HIRE))])
}

fn rule_of_2002() -> Opened {
    let plan = |hand_over| Plan { hand_over, ..search("radley", "6x6", Prune::AnyIsolated, 2) };
    let runs = [("hand over the next branch", HandOver::Next), ("hand over the shallowest", HandOver::Shallowest)];
    compared("6x6 closed tours", runs.map(|(name, rule)| (name, plan(rule))))
}

fn prune_tests() -> Opened {
    let plan = |prune| search("radley", "6x6", prune, 2);
    let runs = [("all-isolated", plan(Prune::AllIsolated)), ("any-isolated", plan(Prune::AnyIsolated))];
    compared("6x6 closed tours", runs)
}

fn warnsdorff() -> Opened {
    let finder = solve::finder_by_name("order-by-avail").ok_or("there is no such method")?;
    steps(Question::Find(finder, Request::new(board("8x8"), Ending::Open)))
}

fn three_cycles() -> Opened {
    let subject = CyclesSubject::of(&Request::new(board("8x8"), Ending::Open), false)?;
    let source = subject.start();
    Ok(Box::new(step::cycles(subject, source)))
}

fn compared(question: &str, runs: [(&str, Plan); 2]) -> Opened {
    let runs = runs.map(|(name, plan)| ComparedRun { name: name.to_owned(), ..ComparedRun::of(plan) });
    Ok(Box::new(compare::screen(question, runs.into())))
}

fn steps(question: Question) -> Opened {
    Ok(Box::new(step::steps(StepSubject::of(&question)?)))
}

/// A count of 8x8, or of the largest board for which there is memory.
fn counting() -> Opened {
    let settings = settings(None, None, None, None).map_err(|failure| failure.to_string())?;
    let watch = Arc::new(CountWatch::new(settings.threads));
    let fits = |name: &&str| {
        let question = CountQuestion::new(board(name), Ending::Closed);
        CountPlan::new(&question, settings.usable_memory(), &watch).is_ok()
    };
    let name = ["8x8", "7x8", "6x8"].into_iter().find(fits).ok_or("there is too little memory free for a count")?;
    let question = CountQuestion::new(board(name), Ending::Closed);
    let (send, answer) = crossbeam_channel::bounded(1);
    let model = CountModel::new(&question, settings.threads, Common::for_session());
    let source = OwnRun(CountSource::new(Arc::clone(&watch), answer));
    let work = move || {
        let plan = CountPlan::new(&question, settings.usable_memory(), &watch);
        // Of a count that fails there is nothing to be shown.
        let _ = count_for_view(&question, || plan?.run(&settings, &watch, None), send);
    };
    system::start("count", work).map_err(|refused| refused.to_string())?;
    Ok(Box::new(playing::screen(model, Box::new(source) as Box<dyn Source>)))
}

fn thousand_workers() -> Opened {
    let solver = solve::solver_by_name("brute").ok_or("there is no such method")?;
    let problem = Problem { start: board("5x6").at(0), ..Problem::new(board("5x6"), Ending::Open) };
    let kernel = solver.tree(&problem, false).map_err(|refusal| refusal.to_string())?.kernel;
    let plan = Plan::of(Question::Search(solver, problem), SIMULATED);
    let launch: Launch = Box::new(move |plan, beginning| {
        let sharing = Sharing::Hire(NominationRule::of(SIMULATED, plan.hand_over));
        let costs = Costs { node_ns: NODE_NS, ..Costs::fixed() };
        let scene = SimulatedScene {
            plan: SimulationPlan { workers: SIMULATED, sharing, costs, seed: 0 },
            kernel: kernel.another(),
            board: plan.question.board(),
            hand_over: plan.hand_over,
        };
        Box::new(OwnRun(Simulation::start(scene, beginning, SimulationOutcome::default())))
    });
    live(plan, Beginning { pace: Some(PACE), ..Beginning::default() }, launch)
}

/// The run of a lesson, which is stopped when its screen is gone.
pub struct OwnRun<S: Source>(pub S);

impl<S: Source> Drop for OwnRun<S> {
    fn drop(&mut self) {
        self.0.wish(Wish::Stop);
    }
}

impl<S: Source> Source for OwnRun<S> {
    fn look(&mut self) -> Option<Frame> {
        self.0.look()
    }

    fn wish(&mut self, wish: Wish) {
        self.0.wish(wish);
    }

    fn end(&mut self, within: Duration) -> Option<End> {
        self.0.end(within)
    }

    fn tours(&self) -> Vec<Arc<dyn Route>> {
        self.0.tours()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::wrapped;

    /// A caption has three lines for the text and one for the keys, of 78 letters on the smallest screen.
    #[test]
    fn every_sentence_of_a_lesson_is_whole() {
        assert_eq!(TEXT.matches("== ").count(), all().len());
        for lesson in all() {
            assert!(wrapped(&lesson.text, 78).len() <= 3, "{}: {:?}", lesson.title, wrapped(&lesson.text, 78));
            assert!(lesson.keys.len() <= 78, "{}", lesson.keys);
        }
    }
}
