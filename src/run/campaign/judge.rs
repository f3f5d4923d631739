//! Makes the state of a campaign from the files of its folder: which files are its parts, and what they say about the
//! whole.
//!
//! The question of the campaign is that of most files, as for `merge`. A part counts if it is complete and has its
//! name, a checkpoint only until its part is there.

use super::folder::{HeldPart, KnownFile, PartsFolder, is_checkpoint, shard_of_name, visible_name};
use super::pace::{CampaignRates, PaceNotes, PartFigures};
use super::state::{Campaign, Estimates, Running, Trend, WrongFile};
use super::states::PartState;
use crate::run::part::{fault, of_most};
use crate::run::question::Plan;
use crate::run::whole::Sample;
use std::ffi::OsStr;
use std::time::Duration;

/// Fewest parts for an estimate.
const ESTIMATE_MIN: u32 = 2;
/// Most points of the trend.
const POINTS: usize = 256;
/// Most wrong files that are listed.
const WRONG_MAX: usize = 100;
/// Largest share visible_name of an incomplete part, whatever the estimate says.
const ALMOST: f64 = 0.99;

/// Makes the states of one folder, look by look.
#[derive(Default)]
pub struct Judge {
    pace: PaceNotes,
    /// The estimate from the complete parts, and the state of the folder that it is for.
    told: Option<((u64, usize), JudgedPart)>,
}

#[derive(Clone, Default)]
struct JudgedPart {
    trend: Vec<Trend>,
    estimate: Option<Estimates>,
}

/// A file that is a part of the campaign, or a checkpoint of one.
struct Member<'f> {
    part: u32,
    known: &'f KnownFile,
    held: &'f HeldPart,
}

impl Judge {
    /// The state while the files are still being read.
    pub fn partly(&mut self, folder: &PartsFolder, at: Duration) -> Campaign {
        self.judge(folder, at).0
    }

    /// The state after a complete look at the folder.
    pub fn whole(&mut self, folder: &PartsFolder, at: Duration) -> Campaign {
        let (mut campaign, every) = self.judge(folder, at);
        // An unreadable folder does not mean that the parts have stopped.
        if campaign.trouble.is_none() {
            campaign.rates = self.pace.take(at, campaign.figures, every);
        }
        if let (Some(CampaignRates { nodes_per_s, .. }), Some(estimate)) = (campaign.rates, &campaign.estimate)
            && nodes_per_s > 0.0
        {
            let rest = estimate.nodes.sum - campaign.figures.nodes as f64;
            campaign.left_s = Some(rest.max(0.0) / nodes_per_s);
        }
        campaign
    }

    /// The state without the rates, and the longest interval of saves of the running parts.
    fn judge(&mut self, folder: &PartsFolder, at: Duration) -> (Campaign, Duration) {
        let mut campaign = Campaign {
            at,
            reading: folder.reading,
            trouble: folder.trouble.clone(),
            absent: folder.absent,
            ..Campaign::default()
        };
        let asked = question(folder);
        let (mut parts, mut begun) = (Vec::new(), Vec::new());
        for (name, known) in &folder.files {
            match member(folder, asked, name, known) {
                Ok(member) if is_checkpoint(name) => begun.push(member),
                Ok(member) => parts.push(member),
                Err(why) => campaign.wrong.push(WrongFile { name: visible_name(name), why }),
            }
        }
        let Some((place, plan, of)) = asked else {
            shorten(&mut campaign);
            return (campaign, Duration::ZERO);
        };
        campaign.question = plan.subject();
        campaign.convention = plan.question.convention().to_owned();
        campaign.parts = vec![PartState::Missing; of as usize];
        for member in &parts {
            campaign.parts[member.part as usize - 1] = PartState::Done;
            campaign.figures.add(member.held.figures);
        }
        self.tell(&mut campaign, parts, (folder.changes, place));
        let every = run(&mut campaign, begun, folder, at);
        let spoilt = spoil(&mut campaign);
        let looked = campaign.reading.is_none() && campaign.trouble.is_none();
        campaign.complete = looked && !spoilt && campaign.parts.iter().all(|part| *part == PartState::Done);
        shorten(&mut campaign);
        (campaign, every)
    }

    /// Adds the estimate from the complete parts, which is computed again when the parts have changed.
    fn tell(&mut self, campaign: &mut Campaign, mut parts: Vec<Member<'_>>, state: (u64, usize)) {
        let told = match self.told.take() {
            Some((of, told)) if of == state => told,
            _ => {
                parts.sort_by_key(|member| (member.known.came(), member.part));
                estimate_of(parts.iter().map(|member| member.held.figures), campaign.parts.len() as u32)
            }
        };
        campaign.trend = told.trend.clone();
        campaign.estimate = told.estimate;
        self.told = Some((state, told));
    }
}

/// The question of most files that are parts: its index, its plan, and its number of parts.
fn question(folder: &PartsFolder) -> Option<(usize, &Plan, u32)> {
    let mut places: Vec<usize> =
        folder.files.values().filter_map(|known| Some(known.holds.as_ref().ok()?.question)).collect();
    places.retain(|&place| folder.questions[place].of.is_some());
    // The files have no order, but their questions have.
    places.sort_unstable();
    let place = of_most(places)?;
    let asked = &folder.questions[place];
    Some((place, &asked.plan, asked.of?))
}

/// The file as a part of the campaign, or why it is none.
fn member<'f>(
    folder: &PartsFolder,
    asked: Option<(usize, &Plan, u32)>,
    name: &OsStr,
    known: &'f KnownFile,
) -> Result<Member<'f>, String> {
    let held = known.holds.as_ref().map_err(String::clone)?;
    let mine = asked.is_some_and(|(place, ..)| place == held.question);
    match held.shard {
        Some(shard) if mine && held.fits => Ok(Member { part: shard.index(), known, held }),
        None if asked.is_none() => Err("is no part of a search".to_owned()),
        _ => {
            let plan = Plan { shard: held.shard, ..folder.questions[held.question].plan.clone() };
            let end = held.ended || is_checkpoint(name);
            Err(fault(name.as_ref(), &plan, end, mine).unwrap_or_default())
        }
    }
}

/// The estimate from some of `all` parts, in the order in which they came.
fn estimate_of(parts: impl ExactSizeIterator<Item = PartFigures>, all: u32) -> JudgedPart {
    let count = parts.len();
    let (mut tours, mut nodes, mut cpu_s) = (Sample::default(), Sample::default(), Sample::default());
    let mut trend: Vec<Trend> = Vec::new();
    for (n, figures) in (1..=count).zip(parts) {
        tours.take(figures.tours as f64);
        nodes.take(figures.nodes as f64);
        cpu_s.take(figures.cpu_s);
        // Each point of the trend is the last of its group, so that the newest estimate is included.
        let point = |n: usize| n * POINTS.min(count) / count;
        if n as u32 >= ESTIMATE_MIN && point(n) > point(n - 1) {
            let whole = tours.whole(all);
            trend.push(Trend { parts: n as u32, tours: whole.sum, error: whole.error });
        }
    }
    let estimate = (count >= ESTIMATE_MIN as usize).then(|| Estimates {
        tours: tours.whole(all),
        nodes: nodes.whole(all),
        cpu_s: cpu_s.whole(all),
    });
    JudgedPart { trend, estimate }
}

/// Adds the running and stale parts. Returns the longest interval of saves of the running parts.
fn run(campaign: &mut Campaign, begun: Vec<Member<'_>>, folder: &PartsFolder, at: Duration) -> Duration {
    let mean = campaign.estimate.map(|estimate| estimate.nodes.sum / campaign.parts.len() as f64);
    let mut slowest = Duration::ZERO;
    for Member { part, known, held } in begun {
        // The run was killed just after it had saved the complete part.
        if campaign.parts[part as usize - 1] == PartState::Done {
            continue;
        }
        let age = folder.age(known, at);
        let stale = PartsFolder::is_stale(held, age);
        campaign.parts[part as usize - 1] = if stale { PartState::Stale } else { PartState::Running };
        if !stale {
            slowest = slowest.max(held.every);
        }
        let done = mean.filter(|mean| *mean > 0.0).map(|mean| (held.figures.nodes as f64 / mean).min(ALMOST));
        campaign.figures.add(held.figures);
        campaign.running.push(Running { part, figures: held.figures, age_s: age.as_secs_f64(), stale, done });
    }
    campaign.running.sort_by_key(|running| (running.stale, running.part));
    slowest
}

/// Marks the parts whose files are wrong. Returns whether a wrong file is more than a checkpoint.
fn spoil(campaign: &mut Campaign) -> bool {
    let of = campaign.parts.len() as u32;
    let mut spoilt = false;
    for WrongFile { name, .. } in &campaign.wrong {
        let name: &OsStr = name.as_ref();
        spoilt |= !is_checkpoint(name);
        if let Some(shard) = shard_of_name(name).filter(|shard| shard.of() == of) {
            let part = &mut campaign.parts[shard.index() as usize - 1];
            if *part == PartState::Missing {
                *part = PartState::Wrong;
            }
        }
    }
    spoilt
}

/// Sorts the wrong files by name, and leaves out those beyond the limit.
fn shorten(campaign: &mut Campaign) {
    campaign.wrong.sort_by(|one, other| one.name.cmp(&other.name));
    campaign.more_wrong = campaign.wrong.len().saturating_sub(WRONG_MAX) as u64;
    campaign.wrong.truncate(WRONG_MAX);
}
