//! The figures of a run as short text: three digits and a unit, so that a counter says what matters and changes few
//! cells. Where exactness matters there are all the digits, [`grouped`].

mod figures;
mod nouns;
mod visible;

pub use figures::{
    about, bytes, clock, count, known, moment, percent, progress, ranged, rate, share, short, span, spans, threads,
};
pub use nouns::{by_convention, grouped, noun, number_of, tours, wrapped};
pub use visible::visible;
