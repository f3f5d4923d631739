//! The form of what commands print for people: labelled entries, wrapped to 80 columns.

use crate::job::Report;
use crate::words::wrapped;
use std::fmt::Display;

/// Width of a sheet, in columns.
pub const WIDTH: usize = 80;

/// Columns of the longest bar.
pub(super) const BAR: usize = 24;

/// Where entries begin, in columns.
const INDENT: usize = 15;

/// A report whose text is a sheet.
impl Report {
    /// Adds a line: a label (or none), and words that stand beside it as they are.
    pub(super) fn beside(&mut self, label: &str, words: impl Display) {
        self.text(format_args!("{label:<INDENT$}{words}"));
    }

    /// Adds words behind a label, wrapped to the width of the sheet; lines after the first are indented by so many columns.
    pub(super) fn hanging(&mut self, label: &str, words: &str, indent: usize) {
        let lines = wrapped(words, WIDTH - indent).join(&format!("\n{:indent$}", ""));
        self.text(format_args!("{label}{lines}"));
    }

    /// Adds words beside a label, wrapped between words to the width of the sheet; leading blanks indent all their lines.
    pub(super) fn entry(&mut self, label: &str, words: impl Display) {
        let (text, mut label) = (words.to_string(), label);
        let indent = text.len() - text.trim_start().len();
        let mut current = " ".repeat(indent);
        for word in text.split_whitespace() {
            let gap = usize::from(current.len() > indent);
            if INDENT + current.len() + gap + word.len() > WIDTH && gap > 0 {
                self.beside(label, &current);
                label = "";
                current.truncate(indent);
            } else if gap > 0 {
                current.push(' ');
            }
            current.push_str(word);
        }
        self.beside(label, current);
    }

    /// Adds entries below one another, the first of them beside a label.
    pub(super) fn entries(&mut self, label: &str, entries: impl IntoIterator<Item = impl Display>) {
        let labels = std::iter::once(label).chain(std::iter::repeat(""));
        entries.into_iter().zip(labels).for_each(|(words, label)| self.entry(label, words));
    }
}

/// A bar of at most `width` columns for a share from 0 to 1: full for 1 alone, and empty for 0 alone.
pub(super) fn bar(share: f64, width: usize) -> String {
    let cells = (share.clamp(0.0, 1.0) * width as f64).floor().max(f64::from(u8::from(share > 0.0)));
    "#".repeat(cells as usize)
}

/// Columns of a sparkline, at most.
const SPARKS: usize = 56;

/// One character for each value, or for the mean of several, full at `max`.
pub(super) fn sparkline(values: &[f64], max: f64) -> String {
    let each = values.len().div_ceil(SPARKS);
    let height = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64 / max * 8.0;
    let bar = |values: &[f64]| ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'][(height(values) as usize).min(7)];
    values.chunks(each.max(1)).map(bar).collect()
}

/// The places below a sparkline of so many values, at every eighth column.
pub(super) fn sparkline_ticks(values: usize) -> String {
    let each = values.div_ceil(SPARKS).max(1);
    let ticks: String = (0..values).step_by(8 * each).map(|place| format!("{place:<8}")).collect();
    ticks.trim_end().to_owned()
}

/// A number with four digits after the point, less the zeros at its end.
pub(super) fn decimal(value: f64) -> String {
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_wrapped_between_words() {
        let entry = |label: &str, words: &str| {
            let mut report = Report::default();
            report.entries(label, [words]);
            report.to_string()
        };
        let (exact, long) = ("x".repeat(WIDTH - INDENT), "y".repeat(WIDTH));
        assert_eq!(entry("label", "a b"), "label          a b");
        assert_eq!(entry("", &exact), format!("{:INDENT$}{exact}", ""));
        assert_eq!(
            entry("label", &format!("  a {exact} b {long}")),
            format!("label            a\n{0:INDENT$}  {exact}\n{0:INDENT$}  b\n{0:INDENT$}  {long}", "")
        );
    }

    #[test]
    fn numbers_and_bars_are_written_for_people() {
        assert_eq!(
            [0.0, 1e-9, 0.5, 63.0 / 64.0, 1.0, f64::NAN].map(|share| bar(share, BAR).len()),
            [0, 1, 12, 23, 24, 0]
        );
        assert_eq!([5.25, 40.0 / 9.0, 100.0, 0.0].map(decimal), ["5.25", "4.4444", "100", "0"]);
    }

    #[test]
    fn a_sparkline_is_short_and_full_at_the_top() {
        assert_eq!(sparkline(&[0.0, 50.0, 99.0, 100.0], 100.0), "▁▅██");
        assert_eq!(sparkline(&[1.0; 1000], 8.0).chars().count(), 56);
        assert_eq!(sparkline_ticks(18), "0       8       16");
        assert_eq!(sparkline_ticks(100), "0       16      32      48      64      80      96");
    }
}
