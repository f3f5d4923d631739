//! The text of the help: the words of the selected pane, the keys, and the words of the other panes; or of all that only
//! what is searched. A wide screen has the keys in a column of their own.

use super::screen_keys::{KeyList, PaneWords};
use crate::words::wrapped;

/// A row of the help.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HelpRow {
    /// An empty row.
    Blank,
    /// What the rows below are.
    Heading(String),
    /// A key or a word, and what it means or the rest of that.
    Entry(String, String),
}

/// The keys and their meanings take so many columns.
pub const KEYS_WIDTH: u16 = 46;
/// Columns of a key or a word.
pub const NAME_WIDTH: u16 = 16;
/// Least width of a screen for two columns.
const WIDE: u16 = 110;
/// Greatest width of the words: longer lines are hard to read.
const WORDS_MAX: u16 = 88;

/// The widths of the columns on a screen of this width, without the frame.
pub fn widths(width: u16) -> Vec<u16> {
    match width.saturating_sub(2) {
        room if width >= WIDE => vec![(room - KEYS_WIDTH).min(WORDS_MAX), KEYS_WIDTH],
        room => vec![room.min(WORDS_MAX)],
    }
}

/// The columns of the help on a screen of this width; the words of pane `first` come first. A line of which every key is
/// among the `taken` letters is left out.
pub fn columns(keys: KeyList, first: &str, sought: &str, taken: &[char], width: u16) -> Vec<Vec<HelpRow>> {
    let widths = widths(width);
    let is_first = |words: &&PaneWords| words.pane == first;
    let words = keys.keys.words;
    let section = |words: &PaneWords| {
        let entries = words.words.iter().map(|&(word, text)| (word.to_owned(), text));
        rows(words.pane, entries, sought, widths[0])
    };
    let selected = words.iter().filter(is_first).flat_map(section);
    let others = words.iter().filter(|words| !is_first(words)).flat_map(section);
    let lines = keys.lines().map(|line| (line.shown(taken), line.help));
    let lines = lines.filter(|(shown, _)| taken.is_empty() || !shown.is_empty());
    let keys = rows(keys.view.heading(), lines, sought, *widths.last().unwrap_or(&KEYS_WIDTH));
    match widths.len() {
        1 => vec![selected.chain(keys).chain(others).collect()],
        _ => vec![selected.chain(others).collect(), keys],
    }
}

/// The number of rows.
pub fn height(keys: KeyList, sought: &str, taken: &[char], width: u16) -> u16 {
    columns(keys, "", sought, taken, width).iter().map(Vec::len).max().unwrap_or(0) as u16
}

/// The rows under a heading of which the name or the text has what is sought.
fn rows<'a>(heading: &str, entries: impl Iterator<Item = (String, &'a str)>, sought: &str, width: u16) -> Vec<HelpRow> {
    let sought = sought.to_lowercase();
    let is_sought = |(name, text): &(String, &str)| format!("{name} {text}").to_lowercase().contains(&sought);
    let entry = |(name, text): (String, &str)| {
        let lines = wrapped(text, usize::from(width.saturating_sub(NAME_WIDTH + 1)));
        let names = std::iter::once(name).chain(std::iter::repeat(String::new()));
        names.zip(lines).map(|(name, line)| HelpRow::Entry(name, line)).collect::<Vec<_>>()
    };
    let entries: Vec<HelpRow> = entries.filter(is_sought).flat_map(entry).collect();
    if entries.is_empty() {
        return entries;
    }
    [HelpRow::Heading(heading.to_owned())].into_iter().chain(entries).chain([HelpRow::Blank]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::SCREENS;
    use crate::ui::kit::keys::Action;
    use crate::ui::kit::screen_keys::{Keys, Timeline, line};

    const SEARCHED: Keys = Keys {
        own: &[line(&[Action::Step], "until a node is entered", "")],
        times: &[],
        timeline: Timeline::None,
        words: &[
            PaneWords { pane: "first", words: &[("node", "A square that was entered."), ("tree", "All nodes.")] },
            PaneWords { pane: "second", words: &[("left", "Time until the end.")] },
        ],
    };

    #[test]
    fn every_screen_explains_its_words_and_their_names_have_room() {
        for screen in SCREENS {
            assert!(!screen.words.is_empty());
            for (name, text) in screen.words.iter().flat_map(|pane| pane.words) {
                assert!(name.chars().count() < usize::from(NAME_WIDTH) - 1, "{name}");
                let is_sentence = text.ends_with(['.', ':']) || name.is_empty();
                assert!(is_sentence, "{name}: {text}");
            }
        }
    }

    #[test]
    fn what_is_searched_is_found_in_names_and_sentences_of_all_columns() {
        let keys = SEARCHED.now();
        for width in [40, 80, 200] {
            let all = columns(keys, "second", "", &[], width);
            assert_eq!(all[0].first(), Some(&HelpRow::Heading("second".to_owned())));
            let found = columns(keys, "", "ENTERED", &[], width).concat();
            let names =
                found.iter().filter_map(|row| if let HelpRow::Entry(name, _) = row { Some(&**name) } else { None });
            let names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
            assert!(names == ["s", "node"] || names == ["node", "s"], "{names:?}");
            assert!(columns(keys, "", "no such word", &[], width).concat().is_empty());
            assert_eq!(usize::from(height(keys, "", &[], width)), all.iter().map(Vec::len).max().unwrap());
            let taken = columns(keys, "", "entered", &['s'], width).concat();
            assert!(!taken.contains(&HelpRow::Heading("keys".to_owned())), "{taken:?}");
        }
    }
}
