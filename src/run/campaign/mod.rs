//! A campaign: a search in parts on any number of machines, shown from the folder that receives the parts.
//!
//! The files are the only source. `folder.rs` reads what is new in the folder, `judge.rs` makes a state of it, and
//! `pace.rs` measures how fast it grows. A [`Gathering`] is a [`Source`](super::Source) of [`Campaign`]s. It looks on a
//! thread of its own, because the disk may be slow, and writes nothing.

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
