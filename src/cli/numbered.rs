//! Tours by number, for the commands that ask for them: where the layers are kept, how far the work is, and what is said
//! where it cannot be done.

use super::count::settings;
use crate::cli::args::{ThreadsArgs, parse_size};
use crate::count::number::{NumberError, TourNumbers};
use crate::count::{CountQuestion, CountWatch, Settings};
use crate::job::say::{print_failed, print_object, say_leftovers};
use crate::job::{Failure, by_signal, progress, running, usage, with_signals};
use clap::Args;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// Where the layers are, and what the work may take.
#[derive(Args, Clone, Default)]
pub struct LayersArgs {
    /// Keep the layers of the count in DIR
    ///
    /// DIR is made if it is not there. If the layers are there already, nothing is counted. Without DIR they are made in
    /// memory every time.
    #[arg(long, value_name = "DIR")]
    pub layers: Option<PathBuf>,
    /// Memory that it may take: 3G, 1500M, 2.5GiB; without it what is available now
    #[arg(long, value_name = "SIZE", value_parser = parse_size, allow_negative_numbers = true)]
    pub memory: Option<u64>,
    #[command(flatten)]
    pub by: ThreadsArgs,
}

/// What is called after every step of a walk: whether to go on.
pub type StepDone<'a> = &'a (dyn Fn() -> bool + Sync);

impl LayersArgs {
    /// Numbers the tours of a question and does `work` with them, which asks for none behind the number `last` if that is
    /// known; the exit code instead where a signal came first.
    ///
    /// # Errors
    /// [`Failure::Usage`] where the tours cannot be numbered, or `work` asked for what is not there; [`Failure::Running`]
    /// where something failed.
    pub fn numbered<T>(
        &self,
        question: &CountQuestion,
        last: Option<u128>,
        json: bool,
        work: impl FnOnce(&TourNumbers, StepDone<'_>) -> Result<T, NumberError>,
    ) -> Result<Result<T, u8>, Failure> {
        if let Some(folder) = &self.layers {
            say_leftovers(folder)?;
        }
        let settings = settings(self.by.threads, self.memory, None, None)?;
        let settings = Settings { memory: settings.usable_memory(), ..settings };
        let (watch, stopped) = (CountWatch::new(settings.threads), AtomicBool::new(false));
        let (steps, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let step_done = || {
            done.fetch_add(1, Relaxed);
            !stopped.load(Relaxed)
        };
        let line = || match steps.load(Relaxed) {
            0 => progress::count(&watch.snapshot()),
            steps => format!("tours by number, layer {} of {steps}", done.load(Relaxed).min(steps)),
        };
        let stop = || {
            stopped.store(true, Relaxed);
            watch.stop();
        };
        let body = || {
            let numbers = TourNumbers::new(question, &settings, self.layers.as_deref(), last, &watch)?;
            steps.store(numbers.steps(), Relaxed);
            work(&numbers, &step_done)
        };
        let (worked, signal) = with_signals(stop, line, body)?;
        match worked {
            Ok(worked) => Ok(Ok(worked)),
            Err(error) if error.is_stopped() => {
                let board = question.board.to_string();
                match json {
                    true => {
                        print_object(&serde_json::json!({ "board": board, "complete": false, "stopped": "signal" }))
                    }
                    false => writeln!(io::stdout(), "{board}: NOT numbered: stopped by signal"),
                }?;
                Ok(Err(signal.map_or(1, by_signal)))
            }
            Err(error) if error.is_usage() => Err(usage(error)),
            Err(error) => {
                if json {
                    print_failed(question.board, &error)?;
                }
                Err(running(error))
            }
        }
    }
}
