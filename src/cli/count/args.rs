//! What a count is asked for: the options as typed, and the question and the settings that they mean.

use super::estimate::EstimateArgs;
use super::symmetry::Which;
use crate::board::Ending;
use crate::cli::args::{ResumeArgs, ThreadsArgs, parse_size, square, threads, with_holes};
use crate::cli::boards::AskedBoards;
use crate::count::{BoardRange, CountQuestion, Modulus, SavedCount, SavedQuestion, Settings};
use crate::job::detached::Detaching;
use crate::job::limits::available_and_most;
use crate::job::saving::{CountFiles, PartFiles};
use crate::job::{Failure, MetricsOptions, ObserveOptions, RunOptions, refuse_if, shell_word, usage};
use crate::run::part;
use crate::saved::{self, is_near};
use crate::words::{number_in, parse_time};
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

/// What [`CountArgs::primes_below`] may be: below fewer primes there is not enough, and remainders by larger ones do not add
/// up in 64 bits.
const PRIMES_BELOW: std::ops::RangeInclusive<u64> = 1 << 30..=1 << 56;

/// `destrier count`.
#[derive(Args, Clone)]
pub struct CountArgs {
    /// ROWSxCOLS, such as 8x8 or 3x10; 8 alone means 8x8. 8x1..40: every board from 8x1 to 8x40
    ///
    /// The shorter side decides how much time and memory the count takes; of a range, which is counted at once, the fixed side. That
    /// may also stand behind, 1..40x8, and is at most 9. 8x8-a1,h8 leaves two squares out.
    board: AskedBoards,
    /// Closed tours, each counted once whatever its start and direction (the default)
    #[arg(long, conflicts_with = "open")]
    closed: bool,
    /// Open tours, each counted once per direction
    #[arg(long)]
    open: bool,
    /// With --open: only tours whose ends are not a knight's move apart
    #[arg(long, requires = "open", conflicts_with = "closed")]
    strict: bool,
    /// Leave out the squares that a file names, or name them in the board: 8x8-a1,h8
    ///
    /// The file is a picture of the board (# x * 1 a hole, . o _ 0 s a square), or a list of squares.
    #[arg(long, value_name = "FILE")]
    holes: Option<PathBuf>,
    /// Open tours: only those that begin here. Closed tours visit every square: the number is the same
    #[arg(long, value_name = "SQUARE", conflicts_with = "unique")]
    start: Option<String>,
    /// With --open: how many tours begin on each square
    #[arg(long, requires = "open", conflicts_with_all = ["start", "unique", "strict", "modulus", "plan", "kept", "record",
          "watch", "detach"])]
    pub per_start: bool,
    /// How many tours a symmetry of the board maps to themselves
    ///
    /// The direction of a tour does not matter. Boards may be of any width.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["start", "unique", "per_start", "modulus", "plan", "kept",
          "spill", "record", "watch", "detach", "estimate"])]
    pub symmetry: Option<Which>,
    /// Classes of tours under symmetry and reversal, each counted once
    #[arg(long)]
    unique: bool,
    #[command(flatten)]
    pub by: ThreadsArgs,
    /// Memory that the count may take: 3G, 1500M, 2.5GiB
    ///
    /// Without it, what is available now. The program itself takes up to 16M more, and the plan of a count that is refused up to
    /// 512M. A refusal names what the widest counters take; most counts end with less. K, M, G and T are powers of 1024; KB, MB, GB and TB of 1000; a number alone is bytes.
    #[arg(long, value_name = "SIZE", value_parser = parse_size, allow_negative_numbers = true, help_heading = "Limits")]
    memory: Option<u64>,
    /// Count the remainder modulo this prime, below 2^31
    ///
    /// One pass, and enough to refute a published number.
    #[arg(long, value_name = "PRIME", value_parser = number_in::<u32>(2..=i32::MAX as u64),
          conflicts_with_all = ["unique", "watch"], help_heading = "Method")]
    modulus: Option<u32>,
    /// Count modulo primes below P alone, from 1073741824 to 72057594037927936
    ///
    /// Two runs with different primes confirm each other. Not with --checkpoint or --out-dir.
    #[arg(long, value_name = "P", value_parser = number_in::<u64>(PRIMES_BELOW), conflicts_with_all = ["modulus", "kept"],
          help_heading = "Method")]
    primes_below: Option<u64>,
    /// Print the states, memory and time it would take; count nothing
    #[arg(long, conflicts_with = "watch", help_heading = "Limits")]
    pub plan: bool,
    /// Save the count to FILE; if it exists, resume from it
    ///
    /// `destrier resume FILE` resumes it as well. A count that is done prints its report again.
    #[arg(long, value_name = "FILE", group = "kept", help_heading = "Saving and dividing")]
    checkpoint: Option<PathBuf>,
    /// How often the count is saved, at most: 500ms, 30s, 5m, 2h
    #[arg(long, value_name = "TIME", value_parser = parse_time, requires = "kept", default_value = "30s",
          help_heading = "Saving and dividing")]
    every: Duration,
    /// With --modulus: write the remainder into DIR, for `destrier merge DIR`
    ///
    /// A part that was stopped is resumed; a part that exists is not counted again.
    #[arg(long, value_name = "DIR", group = "kept", requires = "modulus", conflicts_with_all = ["checkpoint", "plan"],
          help_heading = "Saving and dividing")]
    out_dir: Option<PathBuf>,
    /// Keep states that memory does not hold in files in DIR
    ///
    /// Each thread then holds a part of them, which may be more than all of a small count: that stays in memory if it fits.
    #[arg(long, value_name = "DIR", help_heading = "Limits")]
    spill: Option<PathBuf>,
    /// Record the count in FILE, for `destrier replay`
    ///
    /// The file is compressed when its name ends in .zst.
    #[arg(long, value_name = "FILE", conflicts_with = "plan", help_heading = "Recording and measuring")]
    record: Option<PathBuf>,
    #[command(flatten)]
    metrics: MetricsOptions,
    /// Replace FILE if it exists
    #[arg(long, requires = "record", help_heading = "Output")]
    force: bool,
    /// See it on the screen: threads, rows, memory, progress
    #[arg(long, help_heading = "Screen")]
    pub watch: bool,
    #[command(flatten)]
    pub detach: Detaching,
    #[command(flatten)]
    pub estimate: EstimateArgs,
    /// Print one JSON object instead of text
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

impl CountArgs {
    /// The range of boards, if it is one.
    ///
    /// # Errors
    /// [`Failure::Usage`] when there is no such range, and for options that are of one board.
    pub fn range(&self) -> Result<Option<BoardRange>, Failure> {
        let AskedBoards::Many(boards) = self.board else { return Ok(None) };
        let (first, last) = boards.ends();
        let range = BoardRange::new(first, last).map_err(|error| usage(format!("{boards}: {error}")))?;
        let of_one_board = [
            ("--holes", self.holes.is_some()),
            ("--start", self.start.is_some()),
            ("--per-start", self.per_start),
            ("--symmetry", self.symmetry.is_some()),
            ("--unique", self.unique),
            ("--estimate", self.estimate.estimate),
            ("--watch", self.watch),
            ("--out-dir", self.out_dir.is_some()),
            ("--record", self.record.is_some()),
            ("--metrics", self.metrics.metrics.is_some()),
            ("--detach", self.detach.detach),
        ];
        let instead = format!("leave it out, or name one board, such as {last}");
        of_one_board.into_iter().try_for_each(|(name, is_typed)| {
            refuse_if(is_typed, format_args!("{name}: does not go with a range of boards ({range}): {instead}"))
        })?;
        Ok(Some(range))
    }

    /// The question; of a range, that of its largest board.
    ///
    /// # Errors
    /// [`Failure::Usage`] when the start is no square of the board, and for holes that cannot be read.
    pub fn question(&self) -> Result<CountQuestion, Failure> {
        let &CountArgs { unique, strict, .. } = self;
        let shape = match &self.board {
            AskedBoards::One(shape) => with_holes(shape, self.holes.as_deref())?,
            AskedBoards::Many(boards) => boards.ends().1.into(),
        };
        let ending = Ending::open_if(self.open);
        let start = square(shape.board(), "--start", self.start.as_deref())?;
        if let Some(hole) = start.filter(|&start| shape.holes().contains(start)) {
            return Err(usage(format!("--start: {} is a hole", shape.board().name(hole))));
        }
        // A closed tour starts on every square: from one of them there are as many as from anywhere.
        let start = start.filter(|_| ending == Ending::Open);
        Ok(CountQuestion { start, unique, strict, ..CountQuestion::new(shape, ending) })
    }

    /// The files of the part that the count is to make, if it is one.
    pub fn files(&self) -> CountFiles {
        let part = |(folder, prime): (&PathBuf, _)| PartFiles::new(folder, &part::modulo(prime));
        CountFiles { part: self.out_dir.as_ref().zip(self.modulus).map(part), ..CountFiles::default() }
    }

    /// How the count begins and is reported.
    pub fn run_options(&self) -> RunOptions {
        let observe =
            ObserveOptions { record: self.record.clone(), metrics: self.metrics.clone(), ..ObserveOptions::default() };
        RunOptions { observe, force: self.force, detaching: self.detach, json: self.json, ..RunOptions::default() }
    }

    /// Who counts, in what memory, and which files take part.
    ///
    /// # Errors
    /// [`Failure::Usage`] when a place for files is none, when the modulus is no prime, or when the system does not tell how much memory there is.
    pub fn settings(&self) -> Result<Settings, Failure> {
        if let Some(number) = self.modulus.filter(|&number| Modulus::prime(number).is_none()) {
            return Err(usage(format!("--modulus {number}: is no prime; write one below 2147483648, such as 65521")));
        }
        let settings = settings(self.by.threads, self.memory, self.spill.clone(), self.modulus)?;
        let (checkpoint, primes_below) = (self.checkpoint.clone(), self.primes_below);
        let settings = Settings { checkpoint, primes_below, save_interval: self.every, ..settings };
        // A count takes of what it is allowed only what it needs, so that more may be allowed than there is; what it is
        // refused for is what there is. A plan may be for another machine.
        Ok(if self.plan { settings } else { Settings { memory: settings.usable_memory(), ..settings } })
    }
}

/// The settings of a resumed count: those that were typed now, and else those in its file.
///
/// # Errors
/// [`Failure::Usage`] when the system does not tell how much memory there is, or the folder of its files is gone.
pub fn of_saved(args: &ResumeArgs, saved: &SavedCount) -> Result<Settings, Failure> {
    let SavedCount { question: SavedQuestion { modulus, .. }, options: wishes, .. } = saved;
    refuse_if(args.watch && modulus.is_some(), "--watch: a remainder is counted without a screen: leave it out")?;
    if let Some(folder) = wishes.spill.as_ref().filter(|folder| {
        args.spill.is_none() && ![&**folder, saved::folder(folder)].into_iter().any(|near| is_near(near, &args.file))
    }) {
        let (file, folder) = (args.file.display(), shell_word(folder));
        return Err(usage(format!(
            "{file} names a folder for its counts that is not there, or outside its own folder and this one: to use it, add \
             --spill {folder}"
        )));
    }
    let every = args.changes.every.unwrap_or(wishes.save_interval);
    let (memory, spill) = (args.memory.or(wishes.memory), args.spill.clone().or_else(|| wishes.spill.clone()));
    let settings = settings(args.changes.threads, memory, spill, *modulus)?;
    let checkpoint = Some(args.file.clone());
    Ok(Settings { memory: settings.usable_memory(), checkpoint, save_interval: every, ..settings })
}

/// Settings without a checkpoint.
///
/// # Errors
/// [`Failure::Usage`] when the folder for files is none, or the system does not tell how much memory there is.
pub fn settings(
    asked: Option<u32>,
    wanted: Option<u64>,
    spill: Option<PathBuf>,
    modulus: Option<u32>,
) -> Result<Settings, Failure> {
    if let Some(folder) = spill.as_deref() {
        std::fs::create_dir_all(folder).map_err(|error| {
            usage(format!("--spill {}: {error}: name a folder, which is made where there is none", folder.display()))
        })?;
    }
    let threads = threads(asked)?;
    let (available, ceiling) = available_and_most(threads);
    let memory = wanted
        .or(available)
        .ok_or_else(|| usage("this system does not say how much memory is available: add --memory SIZE, as in 3G"))?;
    Ok(Settings {
        threads,
        memory,
        available: available.unwrap_or(0),
        memory_option: wanted,
        ceiling,
        spill,
        modulus,
        ..Settings::default()
    })
}
