//! A race for tours without a screen, with its output file.

use crate::cli::adapter;
use crate::cli::found::{CUT_SHORT, Target, TourDisplay, find_report, print_answer};
use crate::job::{
    ActiveRuns, Answer, AttendedWork, Failure, Job, NoReason, Observation, RaceQuestion, RaceVerdict, Report, Reported,
    SettledFiles, WrittenFiles, note, print_failed, print_object, progress, race_request, running, usage,
};
use crate::run::journal::Subject;
use crate::run::{End, Plan};
use crate::schedule::StopReason;
use crate::solve::FindAnswer;

/// A race for tours of one board.
pub struct RaceJob {
    question: RaceQuestion,
    display: TourDisplay,
    /// Whether a number of tours was asked for.
    many: bool,
    /// Whether the seed was drawn, and is said before the race.
    seed_is_said: bool,
    /// Where the tours go.
    target: Option<Target>,
    /// Whether stdout shows them.
    to_stdout: bool,
}

impl RaceJob {
    /// A race whose output file is not open yet.
    pub fn new(question: RaceQuestion, display: TourDisplay, many: bool, seed_is_said: bool) -> RaceJob {
        RaceJob { question, display, many, seed_is_said, target: None, to_stdout: true }
    }

    /// Finds tours and shows them. Returns too the signal that ended the view, if one did.
    fn find_and_show(&self, target: Target, runs: &ActiveRuns) -> Result<(RaceVerdict, Option<i32>), Failure> {
        let mut verdict = self.question.answer(runs, 0).map_err(running)?;
        if verdict.done.tours().is_empty() {
            return Ok((verdict, None));
        }
        // The tours of a race that was stopped are shown all the same; another signal ends the program.
        let anew = ActiveRuns::default();
        let stoppable = if verdict.done.outcome.complete() { runs } else { &anew };
        match target.show(&verdict, stoppable) {
            // A file of which a part is written is not worth keeping, and the one thing to say is why.
            Err(_) if runs.is_stopped() => {
                verdict.done.outcome.stopped = Some(StopReason::Asked);
                verdict.done.answer = Some(FindAnswer::NotFound(CUT_SHORT.to_owned()));
                Ok((verdict, None))
            }
            shown => Ok((verdict, shown?)),
        }
    }
}

/// Says the seed, of a race whose seed was drawn.
pub fn say_seed(plan: &Plan) -> Result<(), Failure> {
    note(format_args!("seed {}\n", race_request(plan).1.seed))
}

impl Job for RaceJob {
    type Work = RaceVerdict;
    type Done = RaceVerdict;

    fn written_files(&self) -> WrittenFiles {
        WrittenFiles::default().file("--out", self.display.out.as_deref())
    }

    fn subject(&self) -> Subject {
        Subject::Run(self.question.first().unwrap_or_else(|_| self.question.plan.clone()))
    }

    fn begin(&mut self) -> Result<Option<Report>, Failure> {
        let target = self.display.target(&self.question.plan)?;
        if self.seed_is_said {
            say_seed(&self.question.plan)?;
        }
        self.to_stdout = !matches!(target, Target::Named(..));
        self.target = Some(target);
        Ok(None)
    }

    fn attend(&mut self, observation: Observation) -> Result<AttendedWork<RaceVerdict>, Failure> {
        let runs = ActiveRuns::observed(observation.observers());
        let target = self.target.take().unwrap_or(Target::Object);
        let body = || self.find_and_show(target, &runs);
        let (verdict, signal) = runs.attend(|| runs.progress(progress::race), body)?;
        let (verdict, left) = verdict.inspect_err(|failure| {
            if self.display.json
                && let Failure::Running(error) = failure
            {
                // The reader of the object is told the rest by stderr and the exit code.
                let _ = print_failed(self.question.plan.question.board(), error);
            }
        })?;
        match &verdict.done.answer {
            Some(FindAnswer::Refused(refusal)) => Err(usage(refusal)),
            _ => Ok(AttendedWork::without_screen(verdict, signal.or(left), observation)),
        }
    }

    fn report(&mut self, verdict: RaceVerdict, _: Option<i32>, _: &Observation) -> Reported<RaceVerdict> {
        let report = find_report(&verdict, self.many);
        Ok((verdict, report))
    }

    fn end(&self, verdict: &RaceVerdict) -> Option<End> {
        Some(verdict.end())
    }

    fn settle(&mut self, verdict: &RaceVerdict) -> SettledFiles {
        SettledFiles::well(verdict.done.outcome.complete())
    }

    fn print(&self, report: &Report, verdict: Option<&RaceVerdict>) -> Result<(), Failure> {
        let Some(verdict) = verdict else { return Ok(()) };
        adapter::tell_of(verdict.done.device.as_ref())?;
        let TourDisplay { json, show, .. } = self.display;
        if json { print_object(report) } else { print_answer(verdict, self.to_stdout, show) }
    }

    fn answer(&self, verdict: &RaceVerdict) -> Answer {
        Answer::no_if(verdict.done.tours().is_empty(), NoReason::NoTour)
    }
}
