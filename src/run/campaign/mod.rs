//! A campaign: a search in parts, done by whoever does one, looked at from the folder in which the parts gather.
//!
//! Nobody tells how a campaign goes but its files: `folder.rs` reads what is new in the folder, `judge.rs` says what that
//! comes to, `pace.rs` how fast it grows, and a [`Gathering`] is a [`Source`](super::Source) of [`Campaign`]s that looks on
//! a thread of its own, for the disk may be slow, and only looks: it writes nothing there.

mod folder;
mod gathering;
mod judge;
mod pace;
pub(in crate::run) mod state;
mod states;
#[cfg(test)]
mod tests;

pub use gathering::Gathering;
pub use pace::{CampaignRates, PartFigures};
pub use state::{Campaign, Estimates, Running, Trend, WrongFile};
pub use states::PartState;
