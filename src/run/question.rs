//! The question of a run, the method that answers it, and how the work is shared.
//!
//! A question that is read from JSON has squares on the board, a known method, and settings that the method admits, unless the
//! method is one of an earlier version, which admits none. Settings that the command line refuses as meaningless are not
//! refused here. `solve/json.rs` has the form, with names.

use crate::board::{Board, Ending, Route, Shape, Square};
use crate::gpu::DoneBy;
use crate::schedule::{Crew, CrewPlan, HEAD_START, Levels, RunError, RunOutcome, Scheduler, Shard, read_threads};
use crate::search::HandOver;
use crate::solve::{
    self, FindAnswer, FindResult, Finder, GenerationListener, Problem, ProblemJson, Request, RequestJson,
    SearchedTours, Solver, TourOutput,
};
use serde::de::Error as _;
use serde::ser::Error as _;
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
    /// The board, and the squares that the tours leave out.
    pub fn shape(&self) -> &Shape {
        match self {
            Question::Search(_, problem) => &problem.shape,
            Question::Find(_, request) => &request.shape,
        }
    }

    pub fn board(&self) -> Board {
        self.shape().board()
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
        match self {
            Question::Search(_, problem) => problem.convention(),
            Question::Find(_, request) => request.convention(),
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
                let FindResult { answer, outcome, attempts, device } = finder.find(request, crew, generations)?;
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

    /// Whether the solver is one of an earlier version: a journal of it is read, but none can be searched.
    fn is_of_former_solver(&self) -> bool {
        matches!(self, Question::Search(..)) && solve::former_solvers().any(|solver| solver.name() == self.method())
    }

    /// The other settings of the question, in few words.
    pub fn detail(&self, names_holes: bool) -> String {
        match self {
            Question::Search(_, problem) => problem.detail(names_holes),
            Question::Find(_, request) => request.detail(names_holes),
        }
        .join(", ")
    }
}

/// The full result of a run.
#[derive(Default, Debug)]
pub struct RunDone {
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
        let (scheduler, hand_over) = (Scheduler::HIRE, HandOver::Shallowest);
        Plan { question, threads, scheduler, hand_over, deadline: None, shard: None, pin: false }
    }

    /// The question in words.
    pub fn subject(&self) -> String {
        let question = &self.question;
        let (board, ending, method) = (question.board(), question.ending().name(), question.method());
        format!("{board} {ending} tours by {method}{}", self.settings())
    }

    /// The other settings of the question, and the part, each after a comma.
    pub fn settings(&self) -> String {
        let detail = Some(self.question.detail(true)).filter(|detail| !detail.is_empty());
        let part = self.shard.map(|shard| format!("part {shard}"));
        [detail, part].into_iter().flatten().map(|words| format!(", {words}")).collect()
    }

    /// The plan of all parts together.
    pub fn undivided(&self) -> Plan {
        Plan { shard: None, ..self.clone() }
    }

    /// Why the number of tours of this run cannot be right, if it contradicts a known number, or a proof that there is none. An
    /// incomplete run and a part of a search have at most as many tours as the whole.
    pub fn contradiction(&self, outcome: &RunOutcome) -> Option<String> {
        let Question::Search(_, problem) = &self.question else { return None };
        if self.question.restricted() {
            return None;
        }
        let (tours, found) = (problem.counted_tours(), outcome.total().tours);
        let Some(board) = problem.whole_board() else {
            let reason = problem.why_impossible().filter(|_| found > 0)?;
            return Some(format!("it cannot be right: there is no such tour, and it has {found}: {reason}"));
        };
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
        let scheduler = if finds { Scheduler::HIRE } else { self.scheduler };
        let estimate = (!finds).then_some(HEAD_START);
        CrewPlan { scheduler, nice, estimate, ..self.crew(self.question.levels()) }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum QuestionJson {
    /// Search all tours.
    Search(ProblemJson<&'static dyn Solver>),
    /// Find one tour, or a few.
    Find(RequestJson<&'static dyn Finder>),
}

impl Serialize for Question {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Question::Search(solver, problem) => QuestionJson::Search(ProblemJson::new(*solver, problem)),
            Question::Find(finder, request) => {
                QuestionJson::Find(RequestJson::new(*finder, request).map_err(S::Error::custom)?)
            }
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Question {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Question, D::Error> {
        let question = match QuestionJson::deserialize(deserializer)? {
            QuestionJson::Search(problem) => problem.read().map(|(solver, problem)| Question::Search(solver, problem)),
            QuestionJson::Find(request) => request.read().map(|(finder, request)| Question::Find(finder, request)),
        };
        let question = question.map_err(D::Error::custom)?;
        let refusal = question.refusal().filter(|_| !question.is_of_former_solver());
        refusal.map_or(Ok(question), |refusal| Err(D::Error::custom(refusal)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Holes;
    use crate::schedule::{Scheduler, Shard, Totals};
    use crate::search::{HandOver, Prune, Tally};
    use crate::solve;
    use serde_json::{Value, from_value, to_value};
    use std::time::Duration;

    fn searched() -> Plan {
        let board: Board = "6x6".parse().unwrap();
        let mut problem = Problem::new(board, Ending::Closed);
        (problem.start, problem.prune, problem.window) = (board.parse_square("a1").ok(), Prune::Region, 3..=20);
        problem.limit = Some(7);
        let question = Question::Search(solve::solver_by_name("radley").unwrap(), problem);
        let (scheduler, hand_over, deadline) = (Scheduler::RAYON, HandOver::Next, Some(Duration::from_millis(1500)));
        Plan { question, threads: 3, scheduler, hand_over, deadline, shard: Shard::new(2, 5), pin: true }
    }

    fn found() -> Question {
        let board: Board = "8x8".parse().unwrap();
        let at = |name: &str| board.parse_square(name).unwrap();
        let request = Request {
            start: Some(at("a1")),
            must: vec![[at("a8"), at("b6")]],
            seed: 9,
            tours: 2,
            ..Request::new(Shape::new(board, Holes::new([at("c3"), at("d4")])), Ending::Open)
        };
        Question::Find(solve::finder_by_name("edges").unwrap(), request)
    }

    #[test]
    fn what_is_written_is_read_again() {
        let plan = to_value(searched()).unwrap();
        assert_eq!(plan["question"]["search"]["solver"], "radley", "{plan}");
        assert_eq!(to_value(from_value::<Plan>(plan.clone()).unwrap()).unwrap(), plan);
        let question = to_value(found()).unwrap();
        let Question::Find(_, read) = from_value(question.clone()).unwrap() else { panic!("{question}") };
        assert!(matches!(found(), Question::Find(_, request) if request == read), "{question}");
    }

    #[test]
    fn holes_are_kept_and_a_file_without_them_is_of_a_whole_board() {
        let problem = Problem::new("3x3-b2".parse::<Shape>().unwrap(), Ending::Closed);
        let question = Question::Search(solve::solver_by_name("edges").unwrap(), problem);
        let written = to_value(&question).unwrap();
        assert_eq!(written["search"]["holes"], serde_json::json!(["b2"]));
        assert!(from_value::<Question>(written.clone()).unwrap().shape() == question.shape());
        let holes = |names: Value| {
            let mut changed = written.clone();
            changed["search"]["holes"] = names;
            from_value::<Question>(changed)
                .map(|question| question.shape().to_string())
                .map_err(|error| error.to_string())
        };
        assert!(holes(serde_json::json!(["z9"])).unwrap_err().contains("z9"));
        let all: Vec<String> = "3x3".parse::<Board>().unwrap().all().map(|s| question.board().name(s)).collect();
        assert!(holes(all.into()).unwrap_err().contains("every square of 3x3 is a hole"));
        let whole = to_value(searched()).unwrap();
        assert!(whole["question"]["search"].get("holes").is_none(), "as earlier versions write it");
        assert!(!from_value::<Plan>(whole).unwrap().question.shape().has_holes());
    }

    #[test]
    fn tours_are_contradicted_where_the_holes_leave_none() {
        let found = |shape: &str, tours| {
            let problem = Problem::new(shape.parse::<Shape>().unwrap(), Ending::Closed);
            let plan = Plan::of(Question::Search(solve::solver_by_name("edges").unwrap(), problem), 1);
            let tally = Tally { tours, ..Tally::default() };
            plan.contradiction(&RunOutcome {
                workers: vec![Totals { tally, ..Totals::default() }],
                ..RunOutcome::default()
            })
        };
        assert_eq!([found("6x6-a1,f1", 51_504), found("6x6-a1,c1", 0)], [None, None]);
        let why = found("6x6-a1,c1", 51_504).unwrap();
        assert!(why.contains("there is no such tour, and it has 51504: a knight changes colour"), "{why}");
    }

    /// A third of a board of 90,000 squares, in a few lines of text.
    #[test]
    fn many_holes_are_written_as_runs() {
        let board: Board = "300x300".parse().unwrap();
        let holes = Holes::new(board.all().filter(|&square| board.row_col(square).1 >= 200));
        let request = Request::new(Shape::new(board, holes.clone()), Ending::Open);
        let question = Question::Find(solve::finder_by_name("warnsdorff").unwrap(), request);
        let text = serde_json::to_string(&question).unwrap();
        assert!(text.len() < 4000 && !text.contains("\"holes\""), "{text}");
        let Question::Find(_, read) = serde_json::from_str(&text).unwrap() else { panic!("{text}") };
        assert!(*read.holes() == holes);
        let refused = |runs: &str| {
            let mut wrong: Value = serde_json::from_str(&text).unwrap();
            wrong["find"]["hole_runs"] = runs.into();
            from_value::<Question>(wrong).err().map(|error| error.to_string()).unwrap()
        };
        ["A", "7", "9-7", "-1-7", "1-"].iter().for_each(|runs| assert!(refused(runs).contains("holes are no runs")));
        // No board has more squares than are written, because the reader takes no more.
        let large: Board = "4100x4100".parse().unwrap();
        let too_many = Request::new(Shape::new(large, Holes::new(large.all().skip(1))), Ending::Open);
        let too_many = Question::Find(solve::finder_by_name("warnsdorff").unwrap(), too_many);
        let why = serde_json::to_string(&too_many).unwrap_err().to_string();
        assert_eq!(why, "16777216 holes are the limit, not 16809999");
        // Runs with more squares than the board has, and with more than possible.
        assert!(refused("90000-90000").contains("a hole is not on the board"));
        assert!(refused("0-4294967290").contains("holes are no runs"));
    }

    /// serde and the command line take the names from two lists.
    #[test]
    fn rules_have_the_names_of_the_command_line() {
        Scheduler::ALL.iter().for_each(|each| assert_eq!(to_value(each).unwrap(), each.name()));
        HandOver::ALL.iter().for_each(|each| assert_eq!(to_value(each).unwrap(), each.name()));
        Prune::ALL.iter().for_each(|each| assert_eq!(to_value(each).unwrap(), each.name()));
    }

    #[test]
    fn what_could_not_be_typed_is_not_read() {
        let refused = |change: fn(&mut Value)| {
            let mut plan = to_value(searched()).unwrap();
            change(&mut plan);
            from_value::<Plan>(plan).err().map(|error| error.to_string()).unwrap()
        };
        assert!(refused(|plan| plan["threads"] = 0.into()).contains("threads must be 1 to 4096"));
        assert!(
            refused(|plan| plan["scheduler"] = "best".into())
                .contains("unknown variant `best`, expected one of `hire`,")
        );
        assert!(refused(|plan| plan["question"]["search"]["solver"] = "x".into()).contains("no solver is called x"));
        assert!(refused(|plan| plan["question"]["search"]["start"] = "z9".into()).contains("z9"));
        assert!(refused(|plan| plan["question"]["search"]["open"] = true.into()).contains("closed tours only"));
        assert!(refused(|plan| plan["question"]["search"]["board"] = "0x6".into()).contains("0x6"));
        assert!(refused(|plan| plan["question"]["search"]["prune"] = "x".into()).contains("expected one of `none`,"));
        assert!(refused(|plan| plan["hand_over"] = "x".into()).contains("expected `shallowest` or `next`"));
        assert!(refused(|plan| plan["deadline_s"] = (-1.0).into()).contains("negative"));
    }
}
