//! The terminal: its size, colours and characters, and what stands between it and this program.

#[cfg(feature = "tui")]
use crate::ui::{Colours, SCREEN_MIN, Theme};
use serde::Serialize;

/// What stdout leads to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Terminal {
    /// Whether that is a terminal.
    pub is_terminal: bool,
    /// Its width in cells.
    pub columns: Option<u16>,
    /// Its height in cells.
    pub rows: Option<u16>,
    /// The variable `TERM`.
    pub term: Option<String>,
    /// The variable `COLORTERM`.
    pub colorterm: Option<String>,
    /// The locale of characters.
    pub locale: Option<String>,
    /// Whether that is UTF-8.
    pub utf8: bool,
    /// How the screens would look there.
    #[cfg(feature = "tui")]
    pub screens: Screens,
    /// Whether it is reached by SSH.
    pub ssh: bool,
    /// The multiplexer that it is a window of.
    pub multiplexer: Option<&'static str>,
}

/// How screens are drawn.
#[cfg(feature = "tui")]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Screens {
    /// Number of colours; 0 for none.
    pub colours: u16,
    /// Whether with characters beyond ASCII.
    pub unicode: bool,
    /// Whether the background is taken for light.
    pub light: bool,
}

impl Terminal {
    /// What the variables say that `get` answers, where stdout is a terminal of `size`, columns and rows, or none.
    pub fn of(get: impl Fn(&str) -> Option<String>, size: Option<(u16, u16)>) -> Terminal {
        let set = |name: &str| get(name).filter(|value| !value.is_empty());
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set);
        let charset = locale.as_deref().unwrap_or_default().to_lowercase();
        let multiplexers = [("TMUX", "tmux"), ("STY", "screen"), ("ZELLIJ", "zellij")];
        Terminal {
            is_terminal: size.is_some(),
            columns: size.map(|(columns, _)| columns),
            rows: size.map(|(_, rows)| rows),
            term: set("TERM"),
            colorterm: set("COLORTERM"),
            utf8: charset.ends_with("utf-8") || charset.ends_with("utf8"),
            locale,
            #[cfg(feature = "tui")]
            screens: Screens::of(Theme::from_env(&get)),
            ssh: ["SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"].into_iter().any(|name| set(name).is_some()),
            multiplexer: multiplexers.into_iter().find(|(name, _)| set(name).is_some()).map(|(_, name)| name),
        }
    }

    /// What would make the screens better there.
    #[cfg(feature = "tui")]
    pub fn advice(&self) -> Vec<String> {
        if !self.is_terminal {
            return Vec::new();
        }
        let small = self.columns.is_some_and(|columns| columns < SCREEN_MIN.width)
            || self.rows.is_some_and(|rows| rows < SCREEN_MIN.height);
        let small = small.then(|| {
            format!("enlarge the terminal: screens need {} columns and {} rows", SCREEN_MIN.width, SCREEN_MIN.height)
        });
        let ascii =
            (!self.utf8).then(|| "set LANG=C.UTF-8 if the terminal shows UTF-8; screens keep to ASCII".to_owned());
        let few = (self.screens.colours == 16).then(|| {
            let term = if self.multiplexer.is_some() { "tmux-256color" } else { "xterm-256color" };
            format!("set TERM={term} if the terminal has 256 colours; screens use 16")
        });
        [small, ascii, few].into_iter().flatten().collect()
    }

    /// Without screens nothing is to be made better.
    #[cfg(not(feature = "tui"))]
    pub fn advice(&self) -> Vec<String> {
        Vec::new()
    }
}

#[cfg(feature = "tui")]
impl Screens {
    fn of(theme: Theme) -> Screens {
        let colours = match theme.colours {
            Colours::None => 0,
            Colours::Sixteen => 16,
            Colours::Palette => 256,
        };
        Screens { colours, unicode: !theme.ascii, light: theme.light() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terminal(variables: &[(&str, &str)]) -> Terminal {
        let get = |name: &str| variables.iter().find(|(n, _)| *n == name).map(|(_, value)| value.to_string());
        Terminal::of(get, Some((80, 24)))
    }

    #[test]
    fn what_stands_between_is_named() {
        let plain = terminal(&[("TERM", "xterm-256color"), ("LANG", "C.UTF-8"), ("TMUX", "")]);
        assert_eq!((plain.ssh, plain.multiplexer, plain.utf8), (false, None, true));
        assert_eq!(plain.advice(), [""; 0]);
        let far = terminal(&[("SSH_TTY", "/dev/pts/1"), ("STY", "12.pts"), ("LC_ALL", "C"), ("LANG", "C.UTF-8")]);
        assert_eq!(
            (far.ssh, far.multiplexer, far.utf8, far.locale.as_deref()),
            (true, Some("screen"), false, Some("C"))
        );
    }

    #[test]
    #[cfg(feature = "tui")]
    fn screens_are_drawn_as_the_theme_decides_and_better_ones_are_advised() {
        let poor = terminal(&[("TERM", "screen"), ("TMUX", "/tmp/tmux")]);
        assert_eq!(poor.screens, Screens { colours: 16, unicode: false, light: false });
        let advice = poor.advice().join("; ");
        assert!(advice.contains("LANG=C.UTF-8") && advice.contains("TERM=tmux-256color"), "{advice}");
        let plain = terminal(&[("TERM", "xterm-256color"), ("LANG", "de_DE.utf8"), ("NO_COLOR", "1")]);
        assert_eq!((plain.screens.colours, plain.screens.unicode, plain.advice().len()), (0, true, 0));
        let small = Terminal { columns: Some(30), ..plain };
        assert_eq!(small.advice(), ["enlarge the terminal: screens need 40 columns and 10 rows"]);
        assert_eq!(Terminal { is_terminal: false, ..small }.advice(), [""; 0], "no terminal");
    }
}
