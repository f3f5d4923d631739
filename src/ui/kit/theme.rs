//! What the terminal can show, and the look of every role on it: style and characters.
//!
//! A colour repeats the state letter and adds nothing, so that a screen without colours loses nothing. Text and
//! background are the terminal's own. The colours are those of a [`Palette`].

use super::palette::{Paint, Palette, Role, ThemeName};
use crate::table::table;
use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::border;

/// The number of colours of the terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Colours {
    /// No colours: bold, dim and reverse only.
    None,
    /// The sixteen named colours.
    Sixteen,
    /// The palette of 256 colours.
    #[default]
    Palette,
}

table! {
    /// What boards, meters and charts are drawn with.
    /// `name`: the name in the file of settings.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub enum Signs(name: &'static str) {
        /// Lines of boards are braille dots.
        #[default]
        Braille: "braille";
        /// Lines of boards are quarters of a cell: some fonts have no braille.
        Blocks: "blocks";
        Ascii: "ascii";
    }
}

/// Parts of the names that terminals with 256 colours call themselves, in small letters.
const MANY_COLOURS: [&str; 10] =
    ["256", "direct", "kitty", "ghostty", "alacritty", "foot", "wezterm", "contour", "iterm", "ms-terminal"];

/// Roles with colours that are easy to tell apart.
pub const SERIES: [Role; 6] = [Role::Busy, Role::Hired, Role::Good, Role::Waiting, Role::Pruned, Role::Descheduled];

/// The upper limits of the age of a move for its colours; older moves have the last colour.
const TRAIL_AGES: [u32; 3] = [2, 8, 32];

/// The capabilities of the terminal, and the colours of the theme.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Theme {
    pub colours: Colours,
    /// The colours of the theme.
    pub palette: Palette,
    pub signs: Signs,
}

/// Declares the characters, each as Unicode has it and in ASCII.
macro_rules! glyphs {
    ($($(#[$about:meta])* $name:ident: $type:ty = $unicode:expr, $ascii:expr;)+) => {
        /// The characters for meters and charts.
        #[derive(Debug)]
        pub struct Glyphs {
            $($(#[$about])* pub $name: $type,)+
        }

        static UNICODE: Glyphs = Glyphs { $($name: $unicode),+ };
        static ASCII: Glyphs = Glyphs { $($name: $ascii),+ };
    };
}

glyphs! {
    /// The border of a frame.
    border: border::Set<'static> = border::ROUNDED, ASCII_BORDER;
    /// Columns of 0..=8 eighths.
    column: [&'static str; 9] =
        [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"],
        [" ", ".", ".", ":", "-", "=", "+", "*", "#"];
    /// A meter: a full cell, half a cell, an empty cell.
    meter: [&'static str; 3] = ["━", "╸", "─"], ["=", "-", "."];
    /// An empty square, or a separator between words.
    dot: &'static str = "·", ".";
    /// The square reserved for the last move.
    reserved: &'static str = "◇", "R";
    knight: &'static str = "♞", "N";
    /// The first square of a tour.
    start: &'static str = "●", "S";
    /// The last square of a part of a tour.
    end: &'static str = "■", "E";
    /// The centre of a board.
    centre: &'static str = "┼", "+";
    /// A hole of the board.
    wall: &'static str = "▒", "#";
    /// An arrow between two workers.
    arrow: &'static str = "→", ">";
    /// A mark on a chart.
    mark: &'static str = "┊", "|";
    /// The axis under a chart.
    axis: &'static str = "─", "-";
    /// A value beside a chart.
    tick: &'static str = "┤", "+";
}

const ASCII_BORDER: border::Set<'static> = border::Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};

impl Theme {
    /// A terminal with everything and a dark background.
    pub const RICH: Theme = Theme { colours: Colours::Palette, palette: Palette::USUAL, signs: Signs::Braille };

    /// Reads the capabilities from environment variables; `get` returns the value of a variable.
    pub fn from_env(get: impl Fn(&str) -> Option<String>) -> Theme {
        let set = |name: &str| get(name).filter(|value| !value.is_empty());
        let term = set("TERM").unwrap_or_default();
        let has_many = |term: String| MANY_COLOURS.iter().any(|name| term.contains(name));
        let palette = set("COLORTERM").is_some() || has_many(term.to_lowercase());
        let colours = if set("NO_COLOR").is_some() || term == "dumb" {
            Colours::None
        } else if palette {
            Colours::Palette
        } else {
            Colours::Sixteen
        };
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set).unwrap_or_default().to_lowercase();
        let utf8 = locale.ends_with("utf-8") || locale.ends_with("utf8");
        let signs = if !utf8 || term == "linux" || term == "dumb" { Signs::Ascii } else { Signs::Braille };
        Theme { colours, palette: ThemeName::default().palette(is_light(&get).unwrap_or(false)), signs }
    }

    /// Whether the background is light.
    pub fn light(self) -> bool {
        self.palette.light
    }

    /// Whether only ASCII characters are shown.
    pub fn ascii(self) -> bool {
        self.signs == Signs::Ascii
    }

    /// The characters of this terminal.
    pub fn glyphs(self) -> &'static Glyphs {
        if self.ascii() { &ASCII } else { &UNICODE }
    }

    pub fn style(self, role: Role) -> Style {
        // The style starts from a reset, so that it does not depend on earlier drawing.
        let style = self.painted(self.palette.role(role));
        match role {
            // Of sixteen colours bold yellow is the faintest on light ground.
            Role::Hired if self.colours == Colours::Sixteen && self.light() => style,
            Role::Strong | Role::Bad | Role::Focus | Role::Hired => style.add_modifier(Modifier::BOLD),
            Role::Idle | Role::Border | Role::Label | Role::Done if self.colours == Colours::None => {
                style.add_modifier(Modifier::DIM)
            }
            _ => style,
        }
    }

    /// The colour of the `index`-th of several things to tell apart; the colours repeat after six.
    pub fn series(self, index: usize) -> Style {
        self.style(SERIES[index % SERIES.len()]).remove_modifier(Modifier::BOLD)
    }

    /// The style of a move of a path by its age, counted in moves from the end: the latest are bright, older ones
    /// fade.
    pub fn trail(self, age: u32) -> Style {
        let step = TRAIL_AGES.iter().position(|&most| age < most).unwrap_or(TRAIL_AGES.len());
        match self.colours {
            Colours::None if step == 0 => Style::reset().add_modifier(Modifier::BOLD),
            Colours::None if step == TRAIL_AGES.len() => Style::reset().add_modifier(Modifier::DIM),
            _ => self.painted(self.palette.moves(step)),
        }
    }

    /// The background of the dark squares of a board, if the terminal has a colour that is faint enough.
    pub fn dark_square(self) -> Option<Color> {
        (self.colours == Colours::Palette).then(|| self.palette.dark_squares().many)
    }

    /// Text in a colour, as far as the terminal has it.
    fn painted(self, paint: Paint) -> Style {
        match self.colours {
            Colours::None => Style::reset(),
            Colours::Sixteen => Style::reset().fg(paint.few),
            Colours::Palette => Style::reset().fg(paint.many),
        }
    }
}

/// Whether the environment says that the background is light; `None` if it says nothing. `COLORFGBG` is for example
/// "15;0", with the background last. 7 and the bright colours are light; black and dark grey are not.
pub fn is_light(get: impl Fn(&str) -> Option<String>) -> Option<bool> {
    let number = get("COLORFGBG")?.rsplit(';').next()?.parse::<u8>().ok()?;
    Some(number == 7 || number > 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn theme(variables: &[(&str, &str)]) -> Theme {
        Theme::from_env(|name| variables.iter().find(|(n, _)| *n == name).map(|(_, value)| value.to_string()))
    }

    #[test]
    fn an_empty_no_color_is_not_set() {
        assert_eq!(theme(&[("TERM", "xterm-256color"), ("NO_COLOR", "")]).colours, Colours::Palette);
        assert_eq!(theme(&[("TERM", "xterm-256color"), ("NO_COLOR", "1")]).colours, Colours::None);
        assert_eq!(theme(&[("TERM", "xterm")]).colours, Colours::Sixteen);
    }

    #[test]
    fn over_ssh_the_name_of_the_terminal_tells_that_it_has_many_colours() {
        for term in ["xterm-kitty", "xterm-ghostty", "Alacritty", "foot-extra", "wezterm", "contour", "iTerm2.app"] {
            assert_eq!(theme(&[("TERM", term)]).colours, Colours::Palette, "{term}");
        }
        for term in ["ms-terminal", "MS-TERMINAL", "xterm-direct", "konsole-direct"] {
            assert_eq!(theme(&[("TERM", term)]).colours, Colours::Palette, "{term}");
        }
        for term in ["screen", "rxvt", "vt220", "ansi"] {
            assert_eq!(theme(&[("TERM", term)]).colours, Colours::Sixteen, "{term}");
        }
    }

    #[test]
    fn nothing_is_bold_yellow_on_light_ground() {
        let theme = theme(&[("TERM", "xterm"), ("COLORFGBG", "0;15")]);
        for role in Role::ALL {
            let style = theme.style(role);
            let is_yellow = [Color::Yellow, Color::LightYellow].contains(&style.fg.unwrap_or_default());
            assert!(!is_yellow || !style.add_modifier.contains(Modifier::BOLD), "{role:?}");
        }
    }

    #[test]
    fn the_more_special_locale_wins() {
        assert!(!theme(&[("LANG", "C.UTF-8")]).ascii());
        assert!(theme(&[("LANG", "C.UTF-8"), ("LC_CTYPE", "C")]).ascii());
        assert!(!theme(&[("LC_ALL", "en_GB.utf8"), ("LC_CTYPE", "C")]).ascii());
        assert!(!theme(&[("LC_ALL", ""), ("LC_CTYPE", "de_DE.UTF-8")]).ascii());
        assert!(theme(&[]).ascii());
        assert!(theme(&[("LANG", "C.UTF-8"), ("TERM", "linux")]).ascii());
    }

    #[test]
    fn the_background_is_the_last_field_of_colorfgbg() {
        assert!(theme(&[("COLORFGBG", "0;15")]).light());
        assert!(!theme(&[("COLORFGBG", "15;0")]).light());
        assert!(!theme(&[]).light());
    }

    #[test]
    fn without_colour_no_role_has_one() {
        let plain = theme(&[("NO_COLOR", "1"), ("LANG", "C.UTF-8")]);
        for role in [Role::Busy, Role::Idle, Role::Hired, Role::Border, Role::Bad, Role::Text] {
            assert_eq!(plain.style(role).fg, Some(Color::Reset));
        }
    }
}
