//! The themes: which colour each role has in which of them, on a dark and on a light background.
//!
//! The theme of a new user is `colour-blind`: its hues are those of Okabe and Ito, which colour-blind viewers can tell
//! apart, in the nearest colours of the 256 palette.
//!
//! # Source
//! M. Okabe and K. Ito, "Color Universal Design", 2008.

use super::role::Role;
use ratatui::style::Color;
use std::sync::OnceLock;

/// The names of the themes, in the order of the key that changes them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum ThemeName {
    /// Hues that colour-blind viewers can tell apart.
    #[default]
    ColourBlind,
    /// Usual hues for a dark background.
    Dark,
    /// Usual hues for a light background.
    Light,
    /// Few hues, and nothing grey: for weak eyes, beamers and bright rooms.
    HighContrast,
    /// No colours: bold, dim and reverse only.
    Mono,
}

impl ThemeName {
    /// Every theme.
    pub const ALL: [ThemeName; 5] =
        [ThemeName::ColourBlind, ThemeName::Dark, ThemeName::Light, ThemeName::HighContrast, ThemeName::Mono];

    /// The name in the configuration.
    pub fn name(self) -> &'static str {
        match self {
            ThemeName::ColourBlind => "colour-blind",
            ThemeName::Dark => "dark",
            ThemeName::Light => "light",
            ThemeName::HighContrast => "high-contrast",
            ThemeName::Mono => "mono",
        }
    }

    /// The next theme in the cycle.
    pub fn next(self) -> ThemeName {
        let at = ThemeName::ALL.iter().position(|&name| name == self).map_or(0, |at| at + 1);
        ThemeName::ALL[at % ThemeName::ALL.len()]
    }

    /// The colours of the theme on a background that is `light` or dark.
    pub fn palette(self, light: bool) -> &'static Palette {
        match (self, light) {
            (ThemeName::Dark, _) => &DARK,
            (ThemeName::Light, _) => &LIGHT,
            (ThemeName::HighContrast, false) => &CONTRAST_DARK,
            (ThemeName::HighContrast, true) => &CONTRAST_LIGHT,
            (ThemeName::ColourBlind | ThemeName::Mono, false) => &SAFE_DARK,
            (ThemeName::ColourBlind | ThemeName::Mono, true) => &SAFE_LIGHT,
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

/// What has a colour of its own, beside the roles: the moves of a path by their age, and the dark squares of a board.
const OTHERS: [&str; 5] = ["newest_moves", "recent_moves", "older_moves", "oldest_moves", "dark_squares"];
const ROLES: usize = Role::ALL.len();
const PAINTS: usize = ROLES + OTHERS.len();

/// The colours of a theme.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Palette {
    /// Whether the background is light.
    pub light: bool,
    /// The colour of each role, of the moves of a path and of the dark squares; `None` is the terminal's own.
    paints: [Option<Paint>; PAINTS],
}

impl Palette {
    /// The colour of a role.
    pub fn role(&self, role: Role) -> Option<Paint> {
        self.paints[role as usize]
    }

    /// The colour of the moves of a path, newest first.
    pub fn moves(&self, step: usize) -> Option<Paint> {
        self.paints[ROLES + step]
    }

    /// The background of the dark squares of a board.
    pub fn dark_squares(&self) -> Option<Paint> {
        self.paints[PAINTS - 1]
    }

    /// The names of what has a colour.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Role::ALL.into_iter().map(Role::name).chain(OTHERS)
    }

    /// The colour under one of the [`Palette::names`].
    pub fn named(&self, name: &str) -> Option<Paint> {
        Palette::names().position(|other| other == name).and_then(|at| self.paints[at])
    }

    /// The palette with other colours under some of the [`Palette::names`]; a colour that sixteen do not have keeps the
    /// one that the theme has among these.
    fn with(&self, changes: &[(String, Color)]) -> Palette {
        let mut palette = self.clone();
        for (name, colour) in changes {
            if let Some(at) = Palette::names().position(|other| other == name) {
                let few = if matches!(colour, Color::Indexed(16..) | Color::Rgb(..)) {
                    self.paints[at].map_or(Color::Reset, |paint| paint.few)
                } else {
                    *colour
                };
                palette.paints[at] = Some(Paint { many: *colour, few });
            }
        }
        palette
    }
}

/// The palettes of the themes with the colours of the user, made when first needed.
#[derive(Default, Debug)]
pub struct OwnColours {
    changes: Vec<(String, Color)>,
    made: [OnceLock<Palette>; 2 * ThemeName::ALL.len()],
}

impl OwnColours {
    /// Other colours under some of the [`Palette::names`].
    pub fn new(changes: Vec<(String, Color)>) -> OwnColours {
        OwnColours { changes, ..OwnColours::default() }
    }

    /// The colour that the user has set under a name.
    pub fn get(&self, name: &str) -> Option<Color> {
        self.changes.iter().find(|(other, _)| other == name).map(|&(_, colour)| colour)
    }

    /// The colours of a theme with those of the user.
    pub fn palette(&'static self, name: ThemeName, light: bool) -> &'static Palette {
        if self.changes.is_empty() {
            return name.palette(light);
        }
        self.made[2 * (name as usize) + usize::from(light)].get_or_init(|| name.palette(light).with(&self.changes))
    }
}

/// A theme from its colours in the order of [`Palette::names`], each with the nearest of the sixteen.
const fn palette(light: bool, paints: [Option<Paint>; PAINTS]) -> Palette {
    Palette { light, paints }
}

const fn paint(index: u8, few: Color) -> Option<Paint> {
    Some(Paint { many: Color::Indexed(index), few })
}

const OWN: Option<Paint> = None;

/// As on most terminals.
pub static SAFE_DARK: Palette = palette(
    false,
    [
        paint(74, Color::Cyan),
        paint(245, Color::DarkGray),
        paint(214, Color::Yellow),
        paint(175, Color::Magenta),
        paint(36, Color::Green),
        paint(31, Color::Blue),
        paint(245, Color::DarkGray),
        paint(240, Color::DarkGray),
        paint(110, Color::Cyan),
        paint(245, Color::DarkGray),
        OWN,
        OWN,
        paint(166, Color::Red),
        paint(36, Color::Green),
        paint(166, Color::Red),
        paint(123, Color::White),
        paint(74, Color::Cyan),
        paint(67, Color::Cyan),
        paint(61, Color::Blue),
        paint(235, Color::Reset),
    ],
);

static SAFE_LIGHT: Palette = palette(
    true,
    [
        paint(25, Color::Cyan),
        paint(242, Color::DarkGray),
        paint(130, Color::Yellow),
        paint(132, Color::Magenta),
        paint(29, Color::Green),
        paint(67, Color::Blue),
        paint(242, Color::DarkGray),
        paint(250, Color::DarkGray),
        paint(24, Color::Cyan),
        paint(242, Color::DarkGray),
        OWN,
        OWN,
        paint(166, Color::Red),
        paint(29, Color::Green),
        paint(166, Color::Red),
        paint(19, Color::White),
        paint(25, Color::Cyan),
        paint(67, Color::Cyan),
        paint(103, Color::Blue),
        paint(254, Color::Reset),
    ],
);

static DARK: Palette = palette(
    false,
    [
        paint(77, Color::Green),
        paint(245, Color::DarkGray),
        paint(220, Color::Yellow),
        paint(176, Color::Magenta),
        paint(80, Color::Cyan),
        paint(68, Color::Blue),
        paint(245, Color::DarkGray),
        paint(240, Color::DarkGray),
        paint(111, Color::Blue),
        paint(245, Color::DarkGray),
        OWN,
        OWN,
        paint(203, Color::Red),
        paint(77, Color::Green),
        paint(203, Color::Red),
        paint(157, Color::White),
        paint(77, Color::Green),
        paint(71, Color::Green),
        paint(65, Color::DarkGray),
        paint(235, Color::Reset),
    ],
);

static LIGHT: Palette = palette(
    true,
    [
        paint(28, Color::Green),
        paint(242, Color::DarkGray),
        paint(130, Color::Yellow),
        paint(127, Color::Magenta),
        paint(30, Color::Cyan),
        paint(26, Color::Blue),
        paint(242, Color::DarkGray),
        paint(250, Color::DarkGray),
        paint(25, Color::Blue),
        paint(242, Color::DarkGray),
        OWN,
        OWN,
        paint(160, Color::Red),
        paint(28, Color::Green),
        paint(160, Color::Red),
        paint(22, Color::Black),
        paint(28, Color::Green),
        paint(65, Color::Green),
        paint(101, Color::DarkGray),
        paint(254, Color::Reset),
    ],
);

static CONTRAST_DARK: Palette = palette(
    false,
    [
        paint(51, Color::LightCyan),
        paint(252, Color::Gray),
        paint(226, Color::LightYellow),
        paint(213, Color::LightMagenta),
        paint(46, Color::LightGreen),
        paint(153, Color::LightBlue),
        paint(252, Color::Gray),
        paint(252, Color::Gray),
        paint(226, Color::LightYellow),
        paint(252, Color::Gray),
        paint(231, Color::White),
        paint(231, Color::White),
        paint(210, Color::LightRed),
        paint(46, Color::LightGreen),
        paint(210, Color::LightRed),
        paint(231, Color::White),
        paint(51, Color::LightCyan),
        paint(117, Color::LightCyan),
        paint(153, Color::LightBlue),
        paint(237, Color::Reset),
    ],
);

static CONTRAST_LIGHT: Palette = palette(
    true,
    [
        paint(18, Color::Blue),
        paint(236, Color::Black),
        paint(88, Color::Red),
        paint(90, Color::Magenta),
        paint(22, Color::Black),
        paint(53, Color::Magenta),
        paint(236, Color::Black),
        paint(236, Color::Black),
        paint(18, Color::Blue),
        paint(236, Color::Black),
        paint(16, Color::Black),
        paint(16, Color::Black),
        paint(88, Color::Red),
        paint(22, Color::Black),
        paint(88, Color::Red),
        paint(16, Color::Black),
        paint(18, Color::Blue),
        paint(18, Color::Blue),
        paint(236, Color::Black),
        paint(252, Color::Reset),
    ],
);

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
            let is_read = |role: &Role| !matches!(role, Role::Border);
            for role in Role::ALL.into_iter().filter(is_read) {
                let Some(Paint { many: Color::Indexed(index), .. }) = palette.role(role) else { continue };
                let (text, ground) = (luminance(index), if palette.light { 1.0 } else { 0.0 });
                let contrast = (text.max(ground) + 0.05) / (text.min(ground) + 0.05);
                assert!(contrast >= least, "{theme:?} {role:?}: {contrast:.1}");
            }
        }
    }

    #[test]
    fn the_colours_of_the_user_replace_those_of_every_theme() {
        let own: &'static OwnColours = Box::leak(Box::new(OwnColours::new(vec![
            ("busy".into(), Color::Rgb(1, 2, 3)),
            ("bad".into(), Color::Blue),
        ])));
        for name in ThemeName::ALL {
            let (with, without) = (own.palette(name, false), name.palette(false));
            assert_eq!(with.named("busy").unwrap().many, Color::Rgb(1, 2, 3));
            assert_eq!(with.named("busy").unwrap().few, without.named("busy").unwrap().few);
            assert_eq!(with.named("bad"), Some(Paint { many: Color::Blue, few: Color::Blue }));
            assert_eq!(with.named("idle"), without.named("idle"));
        }
    }
}
