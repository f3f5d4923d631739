//! The themes: which colour each role has in which of them, on a dark and on a light background.
//!
//! The theme of a new user is `colour-blind`: its hues are those of Okabe and Ito, which colour-blind viewers can tell
//! apart, in the nearest colours of the 256 palette.
//!
//! # Source
//! M. Okabe and K. Ito, "Color Universal Design", 2008.

use crate::table::table;
use ratatui::style::Color;

/// The colours of a role, each by its number among 256 and among sixteen: hues for a dark and for a light background, high
/// contrast for a dark and for a light background.
type Paints = [(u8, u8); 4];

table! {
    /// The meaning of a text or a mark.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Role(paints: Paints) {
        /// A worker that searches.
        Busy: [(74, 6), (25, 6), (51, 14), (18, 4)];
        /// A worker without work.
        Idle: [(245, 8), (242, 8), (252, 7), (236, 0)];
        /// A worker that has just been hired.
        Hired: [(214, 3), (130, 3), (226, 11), (88, 1)];
        /// A worker that waits at a busy worker.
        Waiting: [(175, 5), (132, 5), (213, 13), (90, 5)];
        /// A worker that is paused or in slow motion.
        Held: [(36, 2), (29, 2), (46, 10), (22, 0)];
        /// A worker that has work but no CPU.
        Descheduled: [(31, 4), (67, 4), (153, 12), (53, 5)];
        /// A worker that has finished.
        Done: [(245, 8), (242, 8), (252, 7), (236, 0)];
        /// Frames and axes.
        Border: [(240, 8), (250, 8), (252, 7), (236, 0)];
        /// The frame of the focused pane.
        Focus: [(110, 6), (24, 6), (226, 11), (18, 4)];
        /// Names of figures.
        Label: [(245, 8), (242, 8), (252, 7), (236, 0)];
        /// Figures and text.
        Text: [OWN, OWN, (231, 15), (16, 0)];
        /// Titles and keys.
        Strong: [OWN, OWN, (231, 15), (16, 0)];
        /// Cut branches.
        Pruned: [(166, 1), (166, 1), (210, 9), (88, 1)];
        /// Efficiency.
        Good: [(36, 2), (29, 2), (46, 10), (22, 0)];
        /// A fault.
        Bad: [(166, 1), (166, 1), (210, 9), (88, 1)];
    }
}

table! {
    /// The names of the themes, in the order of the key that changes them.
    /// `name`: the name in the file of settings.
    #[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
    pub enum ThemeName(name: &'static str) {
        /// Hues that colour-blind viewers can tell apart.
        #[default]
        ColourBlind: "colour-blind";
        /// The same hues for a dark background, whatever the terminal says of it.
        Dark: "dark";
        /// The same hues for a light background, whatever the terminal says of it.
        Light: "light";
        /// Few hues, and nothing grey: for weak eyes, beamers and bright rooms.
        HighContrast: "high-contrast";
        /// No colours: bold, dim and reverse only.
        Mono: "mono";
    }
}

impl ThemeName {
    /// The next theme in the cycle.
    pub fn next(self) -> ThemeName {
        ThemeName::ALL[(self as usize + 1) % ThemeName::ALL.len()]
    }

    /// The colours of the theme on a background that is `light` or dark.
    pub fn palette(self, light: bool) -> Palette {
        let light = self == ThemeName::Light || light && self != ThemeName::Dark;
        Palette { light, has_high_contrast: self == ThemeName::HighContrast }
    }
}

/// The colours of a theme: one of each four.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Palette {
    /// Whether the background is light.
    pub light: bool,
    has_high_contrast: bool,
}

impl Palette {
    /// The colours of a new user on a dark background.
    pub const USUAL: Palette = Palette { light: false, has_high_contrast: false };

    /// The colour of a role.
    pub fn role(self, role: Role) -> Paint {
        self.paint(role.paints())
    }

    /// The colour of the moves of a path, newest first.
    pub fn moves(self, step: usize) -> Paint {
        self.paint(MOVES[step])
    }

    /// The background of the dark squares of a board.
    pub fn dark_squares(self) -> Paint {
        self.paint(DARK_SQUARES)
    }

    fn paint(self, paints: Paints) -> Paint {
        match paints[2 * usize::from(self.has_high_contrast) + usize::from(self.light)] {
            OWN => Paint { many: Color::Reset, few: Color::Reset },
            (many, few) => Paint { many: Color::Indexed(many), few: SIXTEEN[usize::from(few)] },
        }
    }
}

/// A colour of the 256 palette, and the nearest one of the sixteen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Paint {
    /// Where there are 256 colours or more.
    pub many: Color,
    /// Where there are sixteen.
    pub few: Color,
}

/// The sixteen named colours, in the order of their numbers.
pub const SIXTEEN: [Color; 16] = [
    Color::Black,
    Color::Red,
    Color::Green,
    Color::Yellow,
    Color::Blue,
    Color::Magenta,
    Color::Cyan,
    Color::Gray,
    Color::DarkGray,
    Color::LightRed,
    Color::LightGreen,
    Color::LightYellow,
    Color::LightBlue,
    Color::LightMagenta,
    Color::LightCyan,
    Color::White,
];

/// The terminal's own colour.
const OWN: (u8, u8) = (0, 0);
/// The colours of the moves of a path by age: the newest, recent ones, older ones, the oldest.
const MOVES: [Paints; 4] = [
    [(123, 15), (19, 0), (231, 15), (16, 0)],
    [(74, 6), (25, 6), (51, 14), (18, 4)],
    [(67, 6), (67, 6), (117, 14), (18, 4)],
    [(61, 4), (103, 4), (153, 12), (236, 0)],
];
/// The colours of the dark squares of a board, on terminals of 256 colours alone.
const DARK_SQUARES: Paints = [(235, 0), (254, 0), (237, 0), (252, 0)];

#[cfg(test)]
mod tests {
    use super::*;

    /// The relative luminance of a colour of the 256 palette, by WCAG 2.
    fn luminance(index: u8) -> f64 {
        let levels = [0.0, 95.0, 135.0, 175.0, 215.0, 255.0];
        let [r, g, b] = match index {
            232.. => [f64::from(index - 232) * 10.0 + 8.0; 3],
            _ => [36, 6, 1].map(|unit| levels[usize::from((index - 16) / unit % 6)]),
        };
        let linear = |level: f64| match level / 255.0 {
            part if part <= 0.04045 => part / 12.92,
            part => ((part + 0.055) / 1.055).powf(2.4),
        };
        0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
    }

    #[test]
    fn every_text_can_be_read_on_its_background_and_best_in_high_contrast() {
        for (theme, light) in ThemeName::ALL.into_iter().flat_map(|name| [(name, false), (name, true)]) {
            let palette = theme.palette(light);
            let least = if theme == ThemeName::HighContrast { 7.0 } else { 3.0 };
            for role in Role::ALL.into_iter().filter(|&role| role != Role::Border) {
                let Color::Indexed(index) = palette.role(role).many else { continue };
                let (text, ground) = (luminance(index), if palette.light { 1.0 } else { 0.0 });
                let contrast = (text.max(ground) + 0.05) / (text.min(ground) + 0.05);
                assert!(contrast >= least, "{theme:?} {role:?}: {contrast:.1}");
            }
        }
    }

    #[test]
    fn a_theme_is_followed_by_the_next_one() {
        assert_eq!(ThemeName::ColourBlind.next(), ThemeName::Dark);
        assert_eq!(ThemeName::Mono.next(), ThemeName::ColourBlind);
    }

    #[test]
    fn dark_and_light_do_not_follow_the_background() {
        for light in [false, true] {
            assert_eq!(ThemeName::Dark.palette(light), ThemeName::ColourBlind.palette(false));
            assert_eq!(ThemeName::Light.palette(light), ThemeName::ColourBlind.palette(true));
        }
    }
}
