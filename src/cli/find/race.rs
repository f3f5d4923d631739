//! A race for tours without a screen, with its files: new or resumed.

use super::report::{CUT_SHORT, FindReport, print_answer};
use super::shown::{Target, TourDisplay};
use crate::cli::adapter;
use crate::job::saving::{RaceCheckpoint, SaveOptions};
use crate::job::say::{print_failed, print_object};
use crate::job::{
    ActiveRuns, Attended, Failure, Job, Observation, RaceQuestion, RaceVerdict, Settled, WrittenFiles, progress,
    race_request, running, usage,
};
use crate::run::journal::Subject;
use crate::run::{End, Plan};
use crate::schedule::StopReason;
use crate::solve::FindAnswer;
use std::fs::File;
use std::io::{self, Write};

/// A race for tours of one board.
pub struct RaceJob {
    question: RaceQuestion,
    display: TourDisplay,
    /// Whether a number of tours was asked for.
    many: bool,
    /// Whether the seed was drawn, and is said before the race.
    seed_is_said: bool,
    save: SaveOptions,
    checkpoint: Option<RaceCheckpoint>,
    /// Where the tours go.
    target: Option<Target>,
    /// Whether stdout shows them.
    to_stdout: bool,
    json: bool,
}

impl RaceJob {
    /// A race that is not saved.
    pub fn new(question: RaceQuestion, display: TourDisplay, many: bool, seed_is_said: bool) -> RaceJob {
        let (save, checkpoint, target, to_stdout) = (SaveOptions::default(), None, None, true);
        let json = display.json;
        RaceJob { question, display, many, seed_is_said, save, checkpoint, target, to_stdout, json }
    }

    /// This race, saved as `save` says.
    pub fn saved(self, save: SaveOptions) -> RaceJob {
        RaceJob { save, ..self }
    }

    /// This race, resumed from a checkpoint. With `json` the report is JSON, wherever the tours go.
    pub fn resumed(self, checkpoint: RaceCheckpoint, json: bool) -> RaceJob {
        RaceJob { checkpoint: Some(checkpoint), json, ..self }
    }

    /// Finds tours and shows them. Returns too the signal that ended the view, if one did.
    fn find_and_show(&self, target: Target, runs: &ActiveRuns) -> Result<(RaceVerdict, Option<i32>), Failure> {
        let checkpoint = self.checkpoint.as_ref();
        let saving = checkpoint.map(|checkpoint| move |plan: &Plan| checkpoint.continuation(plan));
        let saving = saving.as_ref().map(|saving| saving as &dyn Fn(&Plan) -> _);
        let mut verdict = self.question.answer_saved(runs, 0, saving).map_err(running)?;
        // A race that is resumed later shows its tours then.
        if verdict.done.tours().is_empty() || (checkpoint.is_some() && !verdict.done.outcome.complete()) {
            return Ok((verdict, None));
        }
        // The tours of a race that was stopped are shown all the same; another signal ends the program.
        let anew = ActiveRuns::default();
        let stoppable = if verdict.done.outcome.complete() { runs } else { &anew };
        let whole = |file: &File| checkpoint.into_iter().for_each(|checkpoint| checkpoint.note_whole(file));
        match target.show_and_tell(&verdict, stoppable, whole) {
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
pub fn say_seed(plan: &Plan) -> io::Result<()> {
    writeln!(io::stderr(), "seed {}", race_request(plan).1.seed)
}

impl Job for RaceJob {
    type Work = RaceVerdict;
    type Done = RaceVerdict;
    type Report = FindReport;

    fn written_files(&self) -> WrittenFiles {
        let files = WrittenFiles::default().saved("--checkpoint", self.save.checkpoint.as_deref());
        // The files of a resumed race were checked when its own was read.
        files.file("--out", self.display.out.as_deref().filter(|_| self.checkpoint.is_none()))
    }

    fn subject(&self) -> Subject {
        Subject::Run(self.question.first().unwrap_or_else(|_| self.question.plan.clone()))
    }

    fn begin(&mut self) -> Result<Option<FindReport>, Failure> {
        if self.checkpoint.is_none() {
            let output = self.display.saved();
            self.checkpoint = RaceCheckpoint::begin(&mut self.question, &output, self.many, &self.save)?;
        }
        let target = self.display.target(&self.question.plan)?;
        if self.seed_is_said {
            say_seed(&self.question.plan)?;
        }
        let is_written = self.checkpoint.as_ref().is_some_and(RaceCheckpoint::is_written);
        self.to_stdout = !is_written && !matches!(target, Target::File(..));
        self.target = Some(target);
        self.checkpoint.as_ref().map_or(Ok(()), |checkpoint| checkpoint.write_first(&self.question))?;
        Ok(None)
    }

    fn withdraw(&mut self) {
        self.checkpoint.iter().for_each(RaceCheckpoint::withdraw);
    }

    fn attend(&mut self, observation: Observation) -> Result<Attended<RaceVerdict>, Failure> {
        let runs = ActiveRuns::observed(observation.observers());
        let target = self.target.take().unwrap_or(Target::Object);
        let body = || self.find_and_show(target, &runs);
        let (verdict, signal) = runs.attend(|| runs.progress(progress::race), body)?;
        let (verdict, left) = verdict.inspect_err(|failure| {
            if let Some(checkpoint) = &self.checkpoint {
                // The failure is reported all the same.
                let _ = checkpoint.say_at_the_end(true);
            }
            if self.json
                && let Failure::Running(error) = failure
            {
                // The reader of the object is told the rest by stderr and the exit code.
                let _ = print_failed(self.question.plan.question.board(), error);
            }
        })?;
        match &verdict.done.answer {
            Some(FindAnswer::Refused(refusal)) => Err(usage(refusal)),
            _ => Ok(Attended::without_screen(verdict, signal.or(left), observation)),
        }
    }

    fn report(
        &mut self,
        verdict: RaceVerdict,
        _: Option<i32>,
        _: &Observation,
    ) -> Result<(RaceVerdict, FindReport), Failure> {
        let report = FindReport::new(&verdict, self.many);
        Ok((verdict, report))
    }

    fn end(&self, verdict: &RaceVerdict) -> Option<End> {
        Some(verdict.end())
    }

    fn settle(&mut self, verdict: &RaceVerdict) -> Settled {
        Settled::well(verdict.done.outcome.complete())
    }

    fn print(&self, report: &FindReport, verdict: Option<&RaceVerdict>) -> Result<(), Failure> {
        let Some(verdict) = verdict else { return Ok(()) };
        adapter::tell_of(verdict.done.device.as_ref())?;
        Ok(if self.json { print_object(report) } else { print_answer(verdict, self.to_stdout) }?)
    }

    fn conclude(&mut self, _: &RaceVerdict, is_complete: bool) -> Result<(), Failure> {
        let Some(checkpoint) = &self.checkpoint else { return Ok(()) };
        checkpoint.say_at_the_end(!is_complete)?;
        if is_complete { checkpoint.note_shown() } else { Ok(()) }
    }

    fn exit_code(&self, verdict: &RaceVerdict, _: &FindReport) -> u8 {
        u8::from(verdict.done.tours().is_empty())
    }
}
