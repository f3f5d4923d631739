//! `search --shard I/N --out-dir D`: one part of a search, which any machine can do, and the folder that parts lie in.
//!
//! A part that is done is one file, `I-of-N.part`: a [`Checkpoint`] with nothing left, put there in one piece. While it is
//! being done, and when it is stopped, there is `I-of-N.checkpoint` instead, from which the same command goes on.

use super::args::SearchArgs;
use super::failure::{Failure, usage};
use super::files::WrittenFiles;
use super::keep::{self, own_place, place};
use super::say::{say, shell_word};
use super::search;
use crate::run::part::{self as file, CHECKPOINT};
use crate::run::{Checkpoint, Plan, Question};
use crate::saved::RecordFault;
use crate::schedule::Shard;
use clap::Args;
use std::fs;
use std::path::{Path, PathBuf};

/// The options of a part.
#[derive(Args, Clone, Default, Debug)]
pub struct PartArgs {
    /// Do part I of N only, from 1/N to N/N, drawn from all over the tree; `destrier merge D` puts them together
    #[arg(long, value_name = "I/N", requires = "out_dir", conflicts_with = "checkpoint")]
    shard: Option<Shard>,
    /// The folder that the result of a part is written to; it is made
    #[arg(long, value_name = "D", requires = "shard")]
    out_dir: Option<PathBuf>,
}

impl PartArgs {
    /// The part that is wanted and its folder, if one is.
    pub fn wanted(&self) -> Option<(Shard, &Path)> {
        self.shard.zip(self.out_dir.as_deref())
    }
}

/// The command that makes a part.
pub fn command(plan: &Plan, folder: &Path) -> String {
    format!("destrier search {} --out-dir {}", words(plan), shell_word(folder))
}

/// The files of a part: the part, and its checkpoint.
pub fn files((shard, folder): (Shard, &Path)) -> WrittenFiles {
    let path = file::path(folder, shard);
    WrittenFiles::default().saved("--out-dir", Some(&path)).saved("--out-dir", Some(&checkpoint_of(&path)))
}

/// What a part is kept in while it is being done.
fn checkpoint_of(part: &Path) -> PathBuf {
    part.with_extension(&CHECKPOINT[1..])
}

/// Does a part, unless it is there; answers the exit code.
///
/// # Errors
/// [`Failure`] on bad input, or when the search or its output failed.
pub fn run(args: &SearchArgs, plan: Plan, (shard, folder): (Shard, &Path)) -> Result<u8, Failure> {
    keep::refuse_devices(&plan, "--shard")?;
    keep::refuse_stdout(&args.options)?;
    if matches!(&plan.question, Question::Search(_, problem) if problem.limit.is_some()) {
        return Err(usage("--limit is about all parts together, and they know nothing of each other: leave it out"));
    }
    let plan = Plan { shard: Some(shard), ..plan };
    fs::create_dir_all(folder).map_err(|error| usage(format!("--out-dir {}: {error}", folder.display())))?;
    let path = file::path(folder, shard);
    match Checkpoint::read(&path) {
        Ok(part) if part.ended && part.is_of(&plan) => {
            say(format_args!("{} is there", path.display()))?;
            keep::refuse_other_tours(&path, &part, &args.options)?;
            // Of a run that was killed when it had just put the part there.
            keep::remove(&checkpoint_of(&path));
            return search::print_ended(&part, args.options.json);
        }
        // Somebody has named it wrongly.
        Ok(part) if part.is_of(&Plan { shard: part.plan.shard, ..plan.clone() }) => {
            let done = if part.ended { "" } else { ", and not done" };
            say(format_args!("{} is of {}{done}; it is made again", path.display(), part.plan.subject()))?;
        }
        Ok(part) => {
            let (has, wanted) = (part.plan.subject(), plan.subject());
            return Err(usage(format!("{} is of {has}, not of {wanted}: name another folder", path.display())));
        }
        Err(RecordFault::Missing) => {}
        Err(error) => say(format_args!("{} {error}; it is made again", path.display()))?,
    }
    let recording = args.options.recording(&plan)?;
    let checkpoint = own_place("--out-dir", &checkpoint_of(&path))?;
    let file = checkpoint.path().to_owned();
    let begun = keep::kept_in(checkpoint, Some(place("--out-dir", &path)?), &plan, &args.options)?;
    let recording = search::hosted(recording, &begun, &args.detach, &plan, Some(&file))?;
    search::go(&plan, begun, recording, args.options.json)
}

/// The question of a plan, and its part, as they are typed.
pub fn words(plan: &Plan) -> String {
    let Question::Search(solver, problem) = &plan.question else { return plan.question.board().to_string() };
    let mut words = vec![problem.board.to_string(), format!("--{}", problem.ending.name())];
    words.push(format!("--solver {}", solver.name()));
    words.extend(problem.start.map(|start| format!("--start {}", problem.board.name(start))));
    words.extend(problem.unique.then(|| "--unique".to_owned()));
    if problem.prune != crate::search::Prune::None {
        words.push(format!("--prune {}", problem.prune.name()));
        let (from, to) = (*problem.window.start(), *problem.window.end());
        words.extend((from > 0).then(|| format!("--prune-from {from}")));
        words.extend((to < usize::MAX).then(|| format!("--prune-to {to}")));
    }
    words.extend(plan.shard.map(|shard| format!("--shard {shard}")));
    words.join(" ")
}
