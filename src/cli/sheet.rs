//! The form of what commands print for people: labelled entries, wrapped to 80 columns.

use crate::job::Report;
use std::fmt;

/// Width of a sheet, in columns.
pub const WIDTH: usize = 80;

/// Columns of the longest bar.
pub(super) const BAR: usize = 24;

/// Where entries begin, in columns.
const INDENT: usize = 15;

/// Writes one line: a label (or none) and text that stands beside it as it is.
fn line(f: &mut fmt::Formatter<'_>, label: &str, text: &str) -> fmt::Result {
    writeln!(f, "{label:<INDENT$}{text}")
}

/// Writes text beside a label, wrapped between words to the width of the sheet; leading blanks indent all its lines.
pub(super) fn entry(f: &mut fmt::Formatter<'_>, label: &str, text: &str) -> fmt::Result {
    let indent = text.len() - text.trim_start().len();
    let mut label = label;
    let mut current = " ".repeat(indent);
    for word in text.split_whitespace() {
        let gap = usize::from(current.len() > indent);
        if INDENT + current.len() + gap + word.len() > WIDTH && gap > 0 {
            line(f, label, &current)?;
            label = "";
            current.truncate(indent);
        } else if gap > 0 {
            current.push(' ');
        }
        current.push_str(word);
    }
    line(f, label, &current)
}

/// Adds lines of a sheet to a report.
pub(super) trait ReportSheet {
    /// A line: a label (or none), and words that stand beside it as they are.
    fn beside(&mut self, label: &str, words: impl fmt::Display);

    /// Words beside a label, wrapped as [`entry`] does.
    fn entry(&mut self, label: &str, words: impl fmt::Display);
}

impl ReportSheet for Report {
    fn beside(&mut self, label: &str, words: impl fmt::Display) {
        self.text(format_args!("{label:<INDENT$}{words}"));
    }

    fn entry(&mut self, label: &str, words: impl fmt::Display) {
        let lines = fmt::from_fn(|f| entry(f, label, &words.to_string())).to_string();
        self.text(lines.trim_end_matches('\n'));
    }
}

/// Writes entries below one another, the first of them beside a label.
pub(super) fn entries(
    f: &mut fmt::Formatter<'_>,
    label: &str,
    texts: impl IntoIterator<Item = impl AsRef<str>>,
) -> fmt::Result {
    let labels = std::iter::once(label).chain(std::iter::repeat(""));
    texts.into_iter().zip(labels).try_for_each(|(text, label)| entry(f, label, text.as_ref()))
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

    struct Entry(&'static str, String);

    impl fmt::Display for Entry {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            entry(f, self.0, &self.1)
        }
    }

    #[test]
    fn entries_are_wrapped_between_words() {
        let (exact, long) = ("x".repeat(WIDTH - INDENT), "y".repeat(WIDTH));
        assert_eq!(Entry("label", "a b".into()).to_string(), "label          a b\n");
        assert_eq!(Entry("", exact.clone()).to_string(), format!("{:INDENT$}{exact}\n", ""));
        assert_eq!(
            Entry("label", format!("  a {exact} b {long}")).to_string(),
            format!("label            a\n{0:INDENT$}  {exact}\n{0:INDENT$}  b\n{0:INDENT$}  {long}\n", "")
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
