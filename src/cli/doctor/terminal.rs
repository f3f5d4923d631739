//! The terminal: its size, colours and characters, and what stands between it and this program.

#[cfg(feature = "tui")]
use crate::job::object;
use crate::job::{Report, keys};
#[cfg(feature = "tui")]
use crate::ui::{Colours, SCREEN_MIN, Theme, settings::kept};

/// What the variables say that `get` answers, where stdout is a terminal of `size`, columns and rows, or none; and what would
/// make the screens better there.
pub fn terminal(get: impl Fn(&str) -> Option<String>, size: Option<(u16, u16)>) -> (Report, Vec<String>) {
    let set = |name: &str| get(name).filter(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set);
    let charset = locale.as_deref().unwrap_or_default().to_lowercase();
    let utf8 = charset.ends_with("utf-8") || charset.ends_with("utf8");
    let ssh = ["SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"].into_iter().any(|name| set(name).is_some());
    let multiplexers = [("TMUX", "tmux"), ("STY", "screen"), ("ZELLIJ", "zellij")];
    let multiplexer = multiplexers.into_iter().find(|(name, _)| set(name).is_some()).map(|(_, name)| name);
    let mut report = Report::default();

    let mut words = match size {
        Some((columns @ 1.., rows)) => format!("{columns} columns, {rows} rows"),
        Some(_) => "of unknown size".to_owned(),
        None => "none: stdout leads elsewhere".to_owned(),
    };
    words += &multiplexer.map_or(String::new(), |name| format!(", in {name}"));
    report.entry("terminal", words + if ssh { ", over SSH" } else { "" });
    report.key("is_terminal", size.is_some());
    let (columns, rows) = size.unzip();
    keys!(report, columns, rows);
    let [term, colorterm, named] =
        [set("TERM"), set("COLORTERM"), locale.clone()].map(|value| value.unwrap_or_else(|| "not set".to_owned()));
    report.entry("variables", format_args!("TERM {term}, COLORTERM {colorterm}"));
    keys!(report, "term" => set("TERM"), "colorterm" => set("COLORTERM"));
    report.entry("locale", format_args!("{named}, {}", if utf8 { "UTF-8" } else { "not UTF-8" }));
    keys!(report, locale, utf8);
    // Without screens nothing is to be made better.
    #[cfg(not(feature = "tui"))]
    let advice = Vec::new();
    #[cfg(feature = "tui")]
    let advice = {
        let theme = Theme::from_env(&get);
        tell_screens(&mut report, theme);
        size.map_or(Vec::new(), |size| advice(size, utf8, theme, multiplexer.is_some()))
    };
    // What it is a window of.
    keys!(report, ssh, multiplexer);
    (report, advice)
}

/// The report with the look of screens that a key has kept, if one has.
#[cfg(feature = "tui")]
pub fn with_kept(mut report: Report) -> Report {
    if let Some((kept, file)) = kept() {
        report.entry("kept by a key", format_args!("{kept}, in {}", file.display()));
        keys!(report, kept, "kept_in" => file.display().to_string());
    }
    report
}

/// How the screens would look there.
#[cfg(feature = "tui")]
fn tell_screens(report: &mut Report, theme: Theme) {
    let (colours, number) = match theme.colours {
        Colours::None => (0, "no"),
        Colours::Sixteen => (16, "16"),
        Colours::Palette => (256, "256"),
    };
    let characters = if theme.ascii() { "ASCII" } else { "UTF-8" };
    let ground = if theme.light() { "light" } else { "dark" };
    report.entry("screens", format_args!("{number} colours on {ground} ground, {characters} characters"));
    let unicode = !theme.ascii();
    // Light: whether the background is taken for light.
    report.key("screens", object!(colours, unicode, theme.light()));
}

/// What would make the screens better on a terminal of this size.
#[cfg(feature = "tui")]
fn advice((columns, rows): (u16, u16), utf8: bool, theme: Theme, in_multiplexer: bool) -> Vec<String> {
    let small = (columns < SCREEN_MIN.width || rows < SCREEN_MIN.height).then(|| {
        format!("enlarge the terminal: screens need {} columns and {} rows", SCREEN_MIN.width, SCREEN_MIN.height)
    });
    let ascii = (!utf8).then(|| "set LANG=C.UTF-8 if the terminal shows UTF-8; screens keep to ASCII".to_owned());
    let few = (theme.colours == Colours::Sixteen).then(|| {
        let term = if in_multiplexer { "tmux-256color" } else { "xterm-256color" };
        format!("set TERM={term} if the terminal has 256 colours; screens use 16")
    });
    [small, ascii, few].into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// The object and the advice.
    fn found(variables: &[(&str, &str)], size: Option<(u16, u16)>) -> (Value, Vec<String>) {
        let get = |name: &str| variables.iter().find(|(n, _)| *n == name).map(|(_, value)| value.to_string());
        let (report, advice) = terminal(get, size);
        (serde_json::to_value(&report).unwrap(), advice)
    }

    #[test]
    fn what_stands_between_is_named() {
        let (plain, advice) = found(&[("TERM", "xterm-256color"), ("LANG", "C.UTF-8"), ("TMUX", "")], Some((80, 24)));
        assert_eq!((&plain["ssh"], &plain["multiplexer"], &plain["utf8"]), (&false.into(), &Value::Null, &true.into()));
        assert_eq!(advice, [""; 0]);
        let far = [("SSH_TTY", "/dev/pts/1"), ("STY", "12.pts"), ("LC_ALL", "C"), ("LANG", "C.UTF-8")];
        let (far, _) = found(&far, Some((80, 24)));
        assert_eq!(
            [&far["ssh"], &far["multiplexer"], &far["utf8"], &far["locale"]],
            [&json!(true), &json!("screen"), &json!(false), &json!("C")]
        );
    }

    #[test]
    #[cfg(feature = "tui")]
    fn screens_are_drawn_as_the_theme_decides_and_better_ones_are_advised() {
        let (poor, advice) = found(&[("TERM", "screen"), ("TMUX", "/tmp/tmux")], Some((80, 24)));
        assert_eq!(poor["screens"], json!({ "colours": 16, "unicode": false, "light": false }));
        let advice = advice.join("; ");
        assert!(advice.contains("LANG=C.UTF-8") && advice.contains("TERM=tmux-256color"), "{advice}");
        let plain = [("TERM", "xterm-256color"), ("LANG", "de_DE.utf8"), ("NO_COLOR", "1")];
        let (object, advice) = found(&plain, Some((80, 24)));
        assert_eq!(
            (&object["screens"]["colours"], &object["screens"]["unicode"], advice.len()),
            (&0.into(), &true.into(), 0)
        );
        assert_eq!(found(&plain, Some((30, 24))).1, ["enlarge the terminal: screens need 40 columns and 10 rows"]);
        assert_eq!(found(&plain, None).1, [""; 0], "no terminal");
    }
}
