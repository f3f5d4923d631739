//! `destrier shards BOARD --for ENGINE`: the job file that has an engine make all parts of a search.
//!
//! A job file is text for another program, with comments for the user who submits it. Each stands beside this file as
//! it is printed, but for words between `@` signs. All rest on two things that `search --shard` promises: a part that is
//! there is not made again, and one that was stopped or killed goes on by the same command. So an engine has nothing to
//! know of parts but their numbers, and a file is submitted again when anything is missing.

use super::args::QuestionArgs;
use crate::board::Shape;
use crate::job::{Answer, CommandLine, Failure, put, refuse_if, shell_word, usage, write_json};
use crate::run::Plan;
use crate::schedule::Shard;
use crate::table::table;
use crate::words::{grouped, is_obeyed, number_in, number_of};
use clap::{Args, ValueEnum};
use std::path::{Component, Path, PathBuf};

/// Parts, if nothing is said: Slurm takes an array of so many as it comes; of 8x8 closed tours one takes a minute and a
/// half, and a hundred cores do ten each, so that the last ones to end are not long alone.
const PARTS: u32 = 1000;
/// The highest index of an array of Slurm, where MaxArraySize is 1001, as it comes.
const SLURM_TASKS: u32 = 1000;
/// Indexes of a job of Kubernetes that keeps a record of each one's failures.
const KUBERNETES_INDEXES: u32 = 100_000;

/// Pods at once, few enough until the user chooses a number.
const PODS: u32 = 16;

/// `destrier shards`.
#[derive(Args)]
pub struct ShardsArgs {
    /// ROWSxCOLS, such as 6x6 or 3x10; 8 alone means 8x8
    board: Shape,
    /// The engine that makes the parts
    #[arg(long = "for", value_name = "ENGINE", value_enum)]
    engine: Engine,
    /// How many parts; one should take minutes
    #[arg(long, value_name = "N", default_value_t = PARTS, value_parser = number_in::<u32>(1..=u64::from(Shard::MOST)))]
    parts: u32,
    /// The folder of the parts, on a disk that all machines share
    ///
    /// For kubernetes: where its pods find the claim's volume.
    #[arg(long, value_name = "D", default_value = "parts", help_heading = "Saving and dividing")]
    out_dir: PathBuf,
    /// The image of the pods, with destrier and sh in its PATH (kubernetes); without it destrier:VERSION
    #[arg(long, value_name = "IMAGE")]
    image: Option<String>,
    #[command(flatten)]
    asked: QuestionArgs,
}

table! {
    /// Whose job file it is.
    /// `template`: its job file, with words between `@` signs, and two of them for one; `part`: how the number of a part is
    /// written in its command.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
    enum Engine(template: &'static str, part: &'static str) {
        /// An array job for sbatch
        Slurm: include_str!("shards/slurm.sh"), "\"$part\"";
        /// A script for hq submit
        Hyperqueue: include_str!("shards/hyperqueue.sh"), "\"$HQ_TASK_ID\"";
        /// A script that calls GNU parallel, on this machine and others
        Parallel: include_str!("shards/parallel.sh"), "{}";
        /// An indexed Job, its volume claim, and a pod that looks at the parts, for kubectl
        Kubernetes: include_str!("shards/kubernetes.yaml"), "$((JOB_COMPLETION_INDEX + 1))";
    }
}

/// Prints the job file.
///
/// # Errors
/// [`Failure::Usage`] when a part of this question could not be searched, or the engine could not be told to.
pub fn run(args: &ShardsArgs) -> Result<Answer, Failure> {
    // Machines are busy with as many parts as they have cores, and one thread wastes nothing on sharing.
    let plan = args.asked.clone().by(1).plan(&args.board)?;
    args.check()?;
    let file = filled(args.engine.template(), |word| args.word(&plan, word));
    put(file).map(|()| Answer::Yes)
}

impl ShardsArgs {
    /// Refuses what the engine cannot be told.
    fn check(&self) -> Result<(), Failure> {
        let folder = self.out_dir.display();
        let refused = |why: &str| Err(usage(format!("--out-dir {folder}: {why}: name another folder")));
        let Some(name) = self.out_dir.to_str() else { return refused("its name is no text") };
        if name.is_empty() || name.contains(|c: char| is_obeyed(c) || "{}$".contains(c)) {
            return refused("engines take {, } and $ for words of their own, and a job file has names of one line");
        }
        if self.engine != Engine::Kubernetes {
            return refuse_if(self.image.is_some(), "--image is of pods: leave it out, or say --for kubernetes");
        }
        let outside = self.out_dir.components().any(|part| part == Component::ParentDir);
        if outside || name.contains(':') || self.mount() == Path::new("/") {
            return refused("no volume can be mounted there");
        }
        let (parts, most) = (self.parts, grouped(KUBERNETES_INDEXES));
        let why = format_args!("--parts {parts}: a Job of Kubernetes has up to {most} indexes");
        refuse_if(parts > KUBERNETES_INDEXES, why)
    }

    /// Where the volume is mounted in a pod.
    fn mount(&self) -> PathBuf {
        let plain = self.out_dir.components().filter(|part| matches!(part, Component::Normal(_)));
        Path::new("/").join(plain.collect::<PathBuf>())
    }

    /// The folder, as the machines see it.
    fn folder(&self) -> PathBuf {
        if self.engine == Engine::Kubernetes { self.mount() } else { self.out_dir.clone() }
    }

    /// What stands in the file for a word between `@` signs.
    fn word(&self, plan: &Plan, word: &str) -> String {
        match word {
            "TITLE" => format!("{} of {}", number_of(self.parts, "part"), plan.subject()),
            "NAME" => format!("destrier-{}-{}", self.board.board(), plan.question.ending().name()),
            "PARTS" => self.parts.to_string(),
            "TASKS" => self.parts.min(SLURM_TASKS).to_string(),
            "JOBS" => format!("{}%", (100 / plan.threads).max(1)),
            "ATONCE" => self.parts.min(PODS).to_string(),
            "THREADS" => plan.threads.to_string(),
            "FOLDER" => shell_word(&self.folder()),
            "SEARCH" => self.search(plan),
            "LINE" => shell_word(Path::new(&self.search(plan))),
            "SCRIPT" => quoted(&format!("exec {} > /dev/null", self.search(plan))),
            "MOUNT" => quoted(&self.mount().display().to_string()),
            "IMAGE" => quoted(self.image.as_deref().unwrap_or(concat!("destrier:", env!("CARGO_PKG_VERSION")))),
            "" => "@".to_owned(),
            _ => unreachable!("no job file has @{word}@"),
        }
    }

    /// The command that makes a part, as the engine's shell is to read it.
    fn search(&self, plan: &Plan) -> String {
        let (index, folder) = (self.engine.part(), shell_word(&self.folder()));
        format!("{} --shard {index}/{} --out-dir {folder}", CommandLine::search_by_crew(plan), self.parts)
    }
}

/// A text as JSON and YAML quote it.
fn quoted(text: &str) -> String {
    let mut quoted = Vec::new();
    // Writing to memory never fails.
    let _ = write_json(&mut quoted, &text);
    String::from_utf8_lossy(&quoted).into_owned()
}

/// A template with what stands for its words. What is put in is not looked at again: a folder may have an `@` in its name.
fn filled(template: &str, word: impl Fn(&str) -> String) -> String {
    let pieces = template.split('@').enumerate();
    pieces.map(|(n, piece)| if n % 2 == 0 { piece.to_owned() } else { word(piece) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_in_is_not_looked_at_again() {
        assert_eq!(filled("a @B@ c@D@\n", |word| format!("<{word}@E@>")), "a <B@E@> c<D@E@>\n");
    }

    #[test]
    fn every_job_file_has_words_between_its_signs() {
        for engine in Engine::value_variants() {
            let template = engine.template();
            assert!(template.split('@').count() > 8, "{engine:?}");
            let upper = |word: &str| word.bytes().all(|byte| byte.is_ascii_uppercase());
            assert!(template.split('@').skip(1).step_by(2).all(upper), "{engine:?}: a sign has no other");
        }
    }
}
