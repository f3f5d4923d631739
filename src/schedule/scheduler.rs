//! A scheduler: how the workers of a crew share a tree. All that is asked of one stands on its card, so what asks names none.
//!
//! The card, its constant such as [`Scheduler::HIRE`] and the search stand in a file of `schedulers`, whose `mod.rs` has the row;
//! `schedulers/README.md` says how to add one.

use super::rule::{NominationRule, TreeCut};
use crate::search::HandOver;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::ops::Deref;

/// How virtual workers share a tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sharing {
    /// Idle workers nominate busy ones and are hired, by this rule.
    Hire(NominationRule),
    /// An idle worker steals the oldest branch of a worker drawn at random.
    Steal,
    /// Prefixes of the tree are dealt out once, by this cut.
    Deal(TreeCut),
}

/// What callers know of a scheduler.
pub struct SchedulerCard {
    /// The name on the command line and in files.
    pub name: &'static str,
    /// One line for help texts.
    pub summary: &'static str,
    /// Whether it takes one worker only.
    pub is_single: bool,
    /// Whether a worker hires by the protocol of this room, so that a rule of hand-over can be chosen.
    pub has_rules: bool,
    /// Whether work moves among workers, and each move is told as a hire: the view has a place for hires.
    pub tells_hires: bool,
    /// Whether the work is dealt out once, and no worker can give any of it away.
    pub deals: bool,
    /// Whether the time of its hand-overs is measured.
    pub times_hand_overs: bool,
    /// What the view says where there are no hires.
    pub without_hires: &'static str,
    /// How it is simulated, if a worker hires by this rule.
    pub simulated: fn(NominationRule) -> Sharing,
}

impl SchedulerCard {
    /// A card of a scheduler under which no work moves.
    pub const fn new(name: &'static str, summary: &'static str) -> SchedulerCard {
        SchedulerCard {
            name,
            summary,
            is_single: false,
            has_rules: false,
            tells_hires: false,
            deals: false,
            times_hand_overs: true,
            without_hires: "no hire yet",
            simulated: Sharing::Hire,
        }
    }
}

/// How the workers of a crew share a tree: one of the rows of `schedulers/mod.rs`.
#[derive(Clone, Copy)]
pub struct Scheduler(&'static SchedulerCard);

impl Scheduler {
    /// The scheduler of a card.
    pub(super) const fn of(card: &'static SchedulerCard) -> Scheduler {
        Scheduler(card)
    }

    /// Name of the scheduler on the command line.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// Its name with the rule of hand-over, where it has rules.
    pub fn name_by(self, rule: HandOver) -> String {
        if self.has_rules { format!("{} {}", self.name, rule.name()) } else { self.name.to_owned() }
    }

    /// The number of workers: as many as are `asked` for, or the `usual` number; one where it takes no more.
    ///
    /// # Errors
    /// A sentence, when it is asked for more than one.
    pub fn threads(self, asked: Option<usize>, usual: usize) -> Result<usize, String> {
        let threads = asked.unwrap_or(if self.is_single { 1 } else { usual });
        self.takes(threads, "thread").map(|()| threads)
    }

    /// Whether it takes so many workers, which the user calls by this noun.
    ///
    /// # Errors
    /// A sentence, when it does not.
    pub fn takes(self, workers: usize, noun: &str) -> Result<(), String> {
        if self.is_single && workers > 1 {
            let name = self.name;
            return Err(format!("the {name} scheduler takes 1 {noun}, not {workers}; hire, rayon or static take more"));
        }
        Ok(())
    }

    /// The number of workers at work where a plan has so many.
    pub fn workers(self, planned: usize) -> usize {
        if self.is_single { 1 } else { planned }
    }
}

impl Deref for Scheduler {
    type Target = SchedulerCard;

    fn deref(&self) -> &SchedulerCard {
        self.0
    }
}

impl PartialEq for Scheduler {
    fn eq(&self, other: &Scheduler) -> bool {
        self.name == other.name
    }
}

impl Eq for Scheduler {}

impl fmt::Debug for Scheduler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// A scheduler is written by its name.
impl Serialize for Scheduler {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name)
    }
}

impl<'de> Deserialize<'de> for Scheduler {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Scheduler, D::Error> {
        let name = String::deserialize(deserializer)?;
        Scheduler::ALL.into_iter().find(|scheduler| scheduler.name == name).ok_or_else(|| {
            let names = Scheduler::ALL.map(|scheduler| format!("`{}`", scheduler.name)).join(", ");
            D::Error::custom(format!("unknown variant `{name}`, expected one of {names}"))
        })
    }
}
