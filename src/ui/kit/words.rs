//! What words and marks on a screen mean: the text of its help.
//!
//! The text lies beside the screen, in `help.txt`. It begins with what the screen shows. A line `== pane` begins the words of
//! a pane; every other line has a word in its first sixteen columns, and behind it the sentence. Without a word a line is
//! one of a picture.

/// Columns of a key or a word.
pub const NAME_WIDTH: u16 = 16;

/// The beginning of a line that names a pane.
const PANE: &str = "== ";

/// Ranks of squares. What follows adds the moves: [`COMPASS`] or [`SHADER_MOVES`].
pub const RANKS: &str = include_str!("ranks.txt");
/// The eight moves by the compass and by their numbers in [`MOVES`](crate::board::MOVES).
pub const COMPASS: &str = include_str!("compass.txt");
/// The eight moves by the numbers of the shaders.
pub const SHADER_MOVES: &str = include_str!("shader_moves.txt");
/// The units of numbers and of short times.
pub const UNITS: &str = include_str!("units.txt");

/// The words and figures of a pane, and a sentence for each.
#[derive(Debug)]
pub struct PaneWords {
    pub pane: &'static str,
    /// The words, in the order of the help.
    pub words: Vec<(&'static str, &'static str)>,
}

impl PaneWords {
    /// What the screen shows: the beginning of the texts.
    pub fn about(texts: &[&str]) -> String {
        let first = texts.first().map_or("", |text| text);
        first.lines().take_while(|line| !line.is_empty() && !line.starts_with(PANE)).collect::<Vec<_>>().join(" ")
    }

    /// Reads the words of texts, one behind the other.
    pub fn read(texts: &[&'static str]) -> Vec<PaneWords> {
        let mut panes: Vec<PaneWords> = Vec::new();
        for line in texts.iter().flat_map(|text| text.lines()).filter(|line| !line.is_empty()) {
            match (line.strip_prefix(PANE), panes.last_mut()) {
                (Some(pane), _) => panes.push(PaneWords { pane, words: Vec::new() }),
                (None, Some(PaneWords { words, .. })) => {
                    let (word, sentence) = line.split_at_checked(NAME_WIDTH.into()).unwrap_or((line, ""));
                    words.push((word.trim_end(), sentence));
                }
                (None, None) => {}
            }
        }
        panes
    }
}
