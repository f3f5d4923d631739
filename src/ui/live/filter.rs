//! A filter of workers: those in a state, or those with a figure above or below a number.

use super::look::LOOKS;
use crate::schedule::WorkerSnapshot;
use std::cmp::Ordering;
use std::str::FromStr;

/// A figure of a worker that a filter can name.
type WorkerFigure = (&'static str, fn(&WorkerSnapshot) -> f64);

const FIGURES: [WorkerFigure; 7] = [
    ("depth", |worker| worker.depth as f64),
    ("low", |worker| worker.level.unwrap_or(0) as f64),
    ("nodes", |worker| worker.nodes as f64),
    ("tours", |worker| worker.tours as f64),
    ("hires", |worker| worker.sharing.hires as f64),
    ("donations", |worker| worker.sharing.donations as f64),
    ("idle", |worker| worker.idle.as_secs_f64()),
];

/// Which workers are shown.
#[derive(Clone, PartialEq, Debug)]
pub enum WorkerFilter {
    /// Those in the state of this name.
    State(&'static str),
    /// Those whose figure is above, at or below a number.
    Figure {
        /// The place of the figure among those that a filter can name.
        figure: usize,
        /// How the figure compares with the number.
        is: Ordering,
        /// The number.
        number: f64,
    },
}

impl FromStr for WorkerFilter {
    type Err = String;

    /// Reads `busy` or the beginning of another state, `depth>40`, `hires>3`, `nodes<1M`, `idle>2` (seconds).
    fn from_str(text: &str) -> Result<WorkerFilter, String> {
        let text: String = text.to_lowercase().split_whitespace().collect();
        let unknown = || {
            let states = LOOKS.map(|look| look.word).join(", ");
            let figures = FIGURES.map(|(name, _)| name).join(", ");
            format!("'{text}' is no number, none of {states}, and no comparison such as depth>40 of {figures}")
        };
        let Some(at) = text.find(['>', '<', '=']) else {
            let state = LOOKS.iter().map(|look| look.word).find(|word| !text.is_empty() && word.starts_with(&text));
            return state.map(WorkerFilter::State).ok_or_else(unknown);
        };
        let is = match text.as_bytes()[at] {
            b'>' => Ordering::Greater,
            b'<' => Ordering::Less,
            _ => Ordering::Equal,
        };
        let figure = FIGURES.iter().position(|(name, _)| *name == &text[..at]).ok_or_else(unknown)?;
        let number = number(&text[at + 1..]).ok_or_else(unknown)?;
        Ok(WorkerFilter::Figure { figure, is, number })
    }
}

impl WorkerFilter {
    /// Whether a worker in the state of this name passes.
    pub fn passes(&self, worker: &WorkerSnapshot, state: &str) -> bool {
        match self {
            WorkerFilter::State(word) => *word == state,
            WorkerFilter::Figure { figure, is, number } => FIGURES[*figure].1(worker).partial_cmp(number) == Some(*is),
        }
    }

    /// The filter in words.
    pub fn name(&self) -> String {
        match self {
            WorkerFilter::State(word) => (*word).to_owned(),
            WorkerFilter::Figure { figure, is, number } => {
                let sign = match is {
                    Ordering::Greater => '>',
                    Ordering::Less => '<',
                    Ordering::Equal => '=',
                };
                format!("{}{sign}{number}", FIGURES[*figure].0)
            }
        }
    }
}

/// A number, also in thousands, millions or billions: `40`, `1.5k`, `3M`.
fn number(text: &str) -> Option<f64> {
    let (digits, unit) = match text.char_indices().last()? {
        (at, 'k') => (&text[..at], 1e3),
        (at, 'm') => (&text[..at], 1e6),
        (at, 'g') => (&text[..at], 1e9),
        _ => (text, 1.0),
    };
    Some(digits.parse::<f64>().ok().filter(|number| number.is_finite())? * unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_is_read_and_written_back() {
        for (text, name) in [
            ("busy", "busy"),
            ("wait", "waiting"),
            ("Depth > 40", "depth>40"),
            ("nodes<1.5M", "nodes<1500000"),
            ("hires=3", "hires=3"),
        ] {
            assert_eq!(text.parse::<WorkerFilter>().map(|filter| filter.name()), Ok(name.to_owned()));
        }
        for text in ["zz", "depth>", "size>3", ">3", "depth>x", "depth>nan", ""] {
            assert!(text.parse::<WorkerFilter>().is_err(), "{text}");
        }
    }
}
