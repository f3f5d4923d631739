//! The question of a run, the method that answers it, and how the work is shared.

use crate::board::{Board, Ending, Route, Square};
use crate::schedule::{Crew, CrewPlan, HEAD_START, Levels, RunError, RunOutcome, Scheduler, Shard, read_threads};
use crate::search::{HandOver, Prune};
use crate::solve::{
    self, DoneBy, FindAnswer, FindResult, Finder, GenerationListener, Problem, Request, SearchedTours, Solver,
    TourOutput,
};
use crate::words::number_of;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A question, with the method that answers it.
#[derive(Clone)]
pub enum Question {
    /// Search all tours.
    Search(&'static dyn Solver, Problem),
    /// Find one tour, or a few.
    Find(&'static dyn Finder, Request),
}

impl Question {
    /// The board.
    pub fn board(&self) -> Board {
        match self {
            Question::Search(_, problem) => problem.board,
            Question::Find(_, request) => request.board,
        }
    }

    /// Open or closed tours.
    pub fn ending(&self) -> Ending {
        match self {
            Question::Search(_, problem) => problem.ending,
            Question::Find(_, request) => request.ending,
        }
    }

    /// The requested start.
    pub fn start(&self) -> Option<Square> {
        match self {
            Question::Search(_, problem) => problem.start,
            Question::Find(_, request) => request.start,
        }
    }

    /// The name of the method.
    pub fn method(&self) -> &'static str {
        match self {
            Question::Search(solver, _) => solver.name(),
            Question::Find(finder, _) => finder.name(),
        }
    }

    /// Whether the question looks for tours instead of counting all.
    pub fn finds(&self) -> bool {
        matches!(self, Question::Find(..))
    }

    /// The counting convention, one of the words of the command line's contract.
    pub fn convention(&self) -> &'static str {
        match (self, self.ending()) {
            (Question::Search(_, problem), _) => problem.convention(),
            (Question::Find(..), Ending::Closed) => "undirected",
            (Question::Find(..), Ending::Open) => "directed",
        }
    }

    /// Why no such tour exists, if a theorem or the colours tell.
    pub fn impossible(&self) -> Option<String> {
        match self {
            Question::Search(_, problem) => problem.why_impossible(),
            Question::Find(_, request) => solve::why_impossible(request),
        }
    }

    /// Whether only tours of some symmetry are counted.
    pub fn restricted(&self) -> bool {
        matches!(self, Question::Search(solver, _) if solver.card().tours != SearchedTours::All)
    }

    /// The solver that `search` takes for such a question, if it is another one than this, which has a step view.
    pub fn faster_solver(&self) -> Option<&'static str> {
        let Question::Search(solver, problem) = self else { return None };
        let fastest = solve::default_solver(problem.ending);
        let is_other = fastest.name() != solver.name() && !self.restricted() && solver.step_view(problem).is_ok();
        (is_other && fastest.admits(problem).is_ok()).then_some(fastest.name())
    }

    /// How exactly figures by depth can be counted.
    pub fn levels(&self) -> Levels {
        match self {
            Question::Search(solver, _) if solver.card().exact_levels => Levels::Exact,
            Question::Search(..) => Levels::Sampled,
            Question::Find(..) => Levels::Off,
        }
    }

    /// Answers the question with the crew, and returns when it is answered or stopped. `tours` receives the tours of a
    /// search, `generations` the generations that are bred.
    ///
    /// # Errors
    /// [`RunError`] when a worker failed.
    pub fn answer(
        &self,
        crew: Crew,
        tours: TourOutput,
        generations: &GenerationListener<'_>,
    ) -> Result<RunDone, RunError> {
        match self {
            Question::Search(solver, problem) => {
                let outcome = solver.solve(problem, crew, tours)?;
                Ok(RunDone { outcome, ..RunDone::default() })
            }
            Question::Find(finder, request) => {
                let FindResult { answer, outcome, attempts, device } =
                    finder.find_with_listener(request, crew, generations)?;
                Ok(RunDone { outcome, answer: Some(answer), attempts, device })
            }
        }
    }

    /// Why the method refuses the question, if it does.
    pub fn refusal(&self) -> Option<String> {
        let admitted = match self {
            Question::Search(solver, problem) => solver.admits(problem),
            Question::Find(finder, request) => finder.admits(request),
        };
        admitted.err().map(|refusal| refusal.to_string())
    }

    /// The other settings of the question, in few words.
    pub fn detail(&self) -> String {
        let board = self.board();
        let from = self.start().map(|start| format!("from {}", board.name(start)));
        let words = match self {
            Question::Search(_, problem) => vec![
                (problem.prune != Prune::None).then(|| format!("prune {}", problem.prune.name())),
                from,
                problem.unique.then(|| "unique".to_owned()),
                problem.limit.map(|tours| format!("limit {tours}")),
            ],
            Question::Find(_, request) => vec![
                request.tie.map(|tie| tie.to_string()),
                request.order.map(|order| format!("order {order}")),
                (request.hops > 1).then(|| format!("{} hops", request.hops)),
                from,
                request.end.map(|end| format!("to {}", board.name(end))),
                (!request.holes.is_empty()).then(|| number_of(request.holes.len(), "hole")),
                (!request.must.is_empty()).then(|| format!("{} given", number_of(request.must.len(), "move"))),
                (!request.must_not.is_empty())
                    .then(|| format!("{} forbidden", number_of(request.must_not.len(), "move"))),
                (request.tours > 1).then(|| format!("{} tours", request.tours)),
                (request.seed != 0).then(|| format!("seed {}", request.seed)),
            ],
        };
        words.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// The full result of a run.
#[derive(Default, Debug)]
pub struct RunDone {
    /// The counts.
    pub outcome: RunOutcome,
    /// The tours found, if the run looked for tours.
    pub answer: Option<FindAnswer>,
    /// Attempts begun at a tour.
    pub attempts: u64,
    /// The device that did the work, for a method that may use one.
    pub device: Option<DoneBy>,
}

impl RunDone {
    /// The tours found, if the run looked for tours.
    pub fn tours(&self) -> &[Arc<dyn Route>] {
        match &self.answer {
            Some(FindAnswer::Tours(tours)) => tours,
            _ => &[],
        }
    }
}

/// A question and how its work is shared.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The question.
    pub question: Question,
    /// Number of workers, 1..=4096.
    #[serde(deserialize_with = "read_threads")]
    pub threads: usize,
    /// How the workers share a search; attempts at a tour are raced in any case.
    pub scheduler: Scheduler,
    /// The rule for handing over branches.
    pub hand_over: HandOver,
    /// Time limit of the run.
    #[serde(
        rename = "deadline_s",
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "write_seconds",
        deserialize_with = "read_seconds"
    )]
    pub deadline: Option<Duration>,
    /// The part of the search to do; `None` for the whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// Whether every worker is pinned to a core.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pin: bool,
}

fn write_seconds<S: Serializer>(time: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
    time.map(|time| time.as_secs_f64()).serialize(serializer)
}

fn read_seconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
    let seconds: Option<f64> = Deserialize::deserialize(deserializer)?;
    seconds.map(Duration::try_from_secs_f64).transpose().map_err(D::Error::custom)
}

impl Plan {
    /// A plan with the usual sharing and no time limit.
    pub fn of(question: Question, threads: usize) -> Plan {
        let (scheduler, hand_over) = (Scheduler::Hire, HandOver::Shallowest);
        Plan { question, threads, scheduler, hand_over, deadline: None, shard: None, pin: false }
    }

    /// The question in words.
    pub fn subject(&self) -> String {
        let question = &self.question;
        let detail = question.detail();
        let detail = if detail.is_empty() { String::new() } else { format!(", {detail}") };
        let shard = self.shard.map(|shard| format!(", part {shard}")).unwrap_or_default();
        format!("{} {} tours by {}{detail}{shard}", question.board(), question.ending().name(), question.method())
    }

    /// The plan of all parts together.
    pub fn undivided(&self) -> Plan {
        Plan { shard: None, ..self.clone() }
    }

    /// Why the number of tours of this run cannot be right, if it contradicts a known number. An incomplete run and a
    /// part of a search have at most as many tours as the whole.
    pub fn contradiction(&self, outcome: &RunOutcome) -> Option<String> {
        let Question::Search(_, problem) = &self.question else { return None };
        if self.question.restricted() {
            return None;
        }
        let (board, tours, found) = (problem.board, problem.counted_tours(), outcome.total().tours);
        let is_whole = outcome.complete() && outcome.rest.is_empty() && self.shard.is_none();
        let bounds = board.known_bounds(tours).filter(|bounds| is_whole || *bounds.end() < u128::from(found));
        bounds.and_then(|_| board.contradiction(tours, found))
    }

    /// The crew of a run without a screen.
    pub fn crew(&self, levels: Levels) -> CrewPlan {
        let deadline = self.deadline.and_then(|time| Instant::now().checked_add(time));
        CrewPlan {
            hand_over: self.hand_over,
            levels,
            deadline,
            shard: self.shard,
            pin: self.pin,
            ..CrewPlan::of(self.threads, self.scheduler)
        }
    }

    /// The crew of a run with a screen; its workers lower their priority by `nice`.
    pub fn watched(&self, nice: i32) -> CrewPlan {
        let finds = self.question.finds();
        let scheduler = if finds { Scheduler::Hire } else { self.scheduler };
        let estimate = (!finds).then_some(HEAD_START);
        CrewPlan { scheduler, nice, estimate, ..self.crew(self.question.levels()) }
    }
}
