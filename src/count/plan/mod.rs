//! What a count takes, before anything is counted.

pub mod count_plan;
pub mod disk;
pub mod forecast;
pub mod pace;
