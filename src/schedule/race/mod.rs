//! A race: many attempts at a tour side by side, and one answer that does not depend on which attempt was fastest.
//!
//! | file | holds |
//! | --- | --- |
//! | `attempts.rs` | [`Race`](attempts::Race): the workers run attempts; the one that finds the last tour stops the others |
//! | `judge.rs` | the judge, which accepts tours in the order of the attempts |

pub mod attempts;
pub mod judge;
