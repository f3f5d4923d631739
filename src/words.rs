//! Numbers, times and sentences as short text for reports and screens.
//!
//! Most figures have three digits and a unit, so a counter on the screen changes few cells. [`grouped`] gives all digits
//! where the exact number matters. [`parse_time`] reads a time that was typed, [`number_in`] a number. [`visible()`] makes text
//! from outside safe to print.

mod figures;
mod text;

pub use figures::{
    about, age, bytes, clock, count, estimate, exact, moment, moments, number_in, of_cores, parse_time, percent,
    percent_tenths, progress, ranged, rate, reported_share, share, short, significant, span, spans, threads,
};
pub use text::{by_convention, grouped, is_obeyed, nearest, noun, number_of, slips, tours, visible, wrapped};
