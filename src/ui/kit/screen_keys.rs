//! The keys of a screen: its actions in the order of the help, what each does, and the words of the footer. Which of them
//! have an effect depends on the time that is shown of a run.

use super::keymap::is_taken;
use super::keys::Action;

/// Which time a screen shows of a run. Help and footer list only keys that have an effect there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeView {
    /// The present.
    Now,
    /// The end of a run, which takes no more wishes.
    Ended,
    /// The present, or the end, of a run that the viewer may only look at.
    ReadOnly,
    /// An earlier moment of a run that is running or has just ended.
    Past,
    /// A moment of a recording, which has no present.
    Recording,
    /// The end of a demonstration, which says what to do next.
    Demonstrated,
}

impl TimeView {
    /// The heading above the keys in the help.
    pub(super) fn heading(self) -> &'static str {
        match self {
            TimeView::Past => "keys, in the past",
            TimeView::Recording => "keys, in a recording",
            _ => "keys",
        }
    }
}

/// A line of the help, usually of one action, or of two opposite ones.
#[derive(Debug)]
pub struct HelpLine {
    actions: &'static [Action],
    /// Further actions with the same effect on this screen.
    same: &'static [Action],
    /// The description.
    pub help: &'static str,
    footer: &'static str,
    /// The times in which the actions have an effect.
    views: &'static [TimeView],
    /// The panes whose first keys these are while they have the focus.
    panes: &'static [&'static str],
}

pub(super) const ANY_TIME: [TimeView; 6] =
    [TimeView::Now, TimeView::Ended, TimeView::ReadOnly, TimeView::Past, TimeView::Recording, TimeView::Demonstrated];
/// The actions of a screen with pages: a page on, a page back.
pub const PAGES: &[Action] = &[Action::ScrollDown, Action::ScrollUp];

/// A line of the help: actions, description, and a word for the footer, which may be empty.
pub const fn line(actions: &'static [Action], help: &'static str, footer: &'static str) -> HelpLine {
    HelpLine { actions, same: &[], help, footer, views: &ANY_TIME, panes: &[] }
}

impl HelpLine {
    /// Adds actions with the same effect on this screen.
    pub const fn or(self, same: &'static [Action]) -> HelpLine {
        HelpLine { same, ..self }
    }

    /// Limits the line to the given times.
    pub const fn only(self, views: &'static [TimeView]) -> HelpLine {
        HelpLine { views, ..self }
    }

    /// Puts the line first while one of these panes has the focus.
    pub const fn first_in(self, panes: &'static [&'static str]) -> HelpLine {
        HelpLine { panes, ..self }
    }

    /// The actions, each with words of its own: those of the line, if it has one action.
    pub(super) fn commands(&self) -> impl Iterator<Item = (Action, &'static str)> {
        let is_told = |action| self.actions == [action];
        self.all().map(move |action| (action, if is_told(action) { self.help } else { action.about() }))
    }

    pub fn all(&self) -> impl Iterator<Item = Action> {
        self.actions.iter().chain(self.same).copied()
    }

    /// The keys in the help that are not `taken`: `- +`, `hjkl arrows`, `1..6`.
    pub fn shown(&self, taken: &[char]) -> String {
        let own = |action: Action| Some(action.key().to_owned()).filter(|key| !is_taken(key, taken));
        // Another action that does the same needs no further key.
        let further = |action: Action| if self.same.is_empty() { action.free_key(taken) } else { None };
        let keys = self.all().filter_map(|action| own(action).or_else(|| further(action)));
        let mut words = match self.actions {
            [Action::Digit(_), ..] => vec![joined(self.actions)],
            [_] | [_, _] => keys.collect(),
            _ => vec![keys.collect()],
        };
        for also in self.all().map(Action::other_key) {
            if !also.is_empty() && !is_taken(also, taken) && !words.iter().any(|word| word == also) {
                words.push(also.to_owned());
            }
        }
        words.join(" ")
    }

    /// The keys and the word in the footer, if the footer shows the line and not all its keys are `taken`.
    pub fn in_footer(&self, taken: &[char]) -> Option<(String, &'static str)> {
        let is_free = |action: &Action| !is_taken(action.key(), taken);
        let free: Vec<Action> = self.actions.iter().copied().filter(is_free).collect();
        (!self.footer.is_empty() && !free.is_empty()).then(|| (joined(&free), self.footer))
    }
}

/// The keys of actions in a compact form: `-+`, `1..6`, but `tab`.
fn joined(actions: &[Action]) -> String {
    match actions {
        [Action::Digit(first), .., Action::Digit(last)] => format!("{first}..{last}"),
        [first, ..] if first.key().len() > 1 => first.key().to_owned(),
        actions => actions.iter().map(|action| action.key()).collect(),
    }
}

/// Lines of every help, before and after those of the screen.
const FIRST: &[HelpLine] = &[line(&[Action::Quit], "leave", "quit"), line(&[Action::Help], "this help", "help")];
const LAST: &[HelpLine] = &[
    line(&[Action::Save], "write screen to a file", "write"),
    line(&[Action::Palette], "all commands by name", "commands"),
    line(&[Action::Copy], "copy what the pane shows", "copy"),
    line(&[Action::Mouse], "use the mouse, or not", ""),
    line(&[Action::Theme, Action::Signs], "next colours, next signs", ""),
    line(&[Action::Keep], "keep colours and signs", ""),
    line(&[Action::Close], "close what is open", ""),
    line(&[Action::Redraw], "draw everything again", ""),
    line(&[Action::Suspend], "to background, until fg", ""),
    line(&[Action::Interrupt], "stop; leave a detached run", ""),
];

/// Help lines of every screen with a [`Playback`](super::Playback), while it shows the present.
const THEN: &[HelpLine] = &[
    line(&[Action::Begin, Action::Now], "to the beginning, to now", ""),
    line(&[Action::Jump], "to a time, share or event", ""),
];

/// Help lines to go back in time, for a run with events.
const BACK_TO_EVENTS: &[HelpLine] = &[
    line(&[Action::PreviousEvent, Action::NextEvent], "event before, event after", "back in time"),
    line(&[Action::PreviousWait, Action::NextWait], "long wait before, after", "waits"),
    line(&[Action::Back], "a frame back in time", ""),
];

/// Help line to go back in time, for a run without events.
const BACK_TO_FRAMES: &[HelpLine] = &[line(&[Action::Back], "a frame back in time", "back in time")];

/// Help lines of a screen with a [`Playback`](super::Playback), while it shows an earlier moment. They replace the
/// screen's own lines for these actions.
const PAST: &[HelpLine] = &[
    line(&[Action::Back, Action::Step], "frame before, frame after", "frame"),
    line(&[Action::Play], "play from here, hold", "play"),
    line(&[Action::Begin, Action::Now], "to the beginning, to now", "beginning, now").only(&[TimeView::Past]),
    line(&[Action::Begin, Action::Now], "to the beginning, the end", "beginning, end").only(&[TimeView::Recording]),
    line(&[Action::Jump], "to a time, share or event", "go to"),
    line(&[Action::Slower, Action::Faster], "play slower, faster", "speed"),
];

/// Help lines for the events of an earlier moment, for a run with events.
const PAST_EVENTS: &[HelpLine] = &[
    line(&[Action::PreviousEvent, Action::NextEvent], "event before, event after", "event"),
    line(&[Action::PreviousWait, Action::NextWait], "long wait before, after", "wait"),
];

#[derive(Debug)]
pub struct Keys {
    /// The screen's own lines, those most used first: help and footer list them in this order, behind those of the pane
    /// with the focus. A line for an action of every screen replaces the common line.
    pub own: &'static [HelpLine],
    /// The actions that a typed number repeats, with a word for each; empty if digits have another meaning.
    pub times: &'static [(Action, &'static str)],
    /// The kind of time line.
    pub timeline: Timeline,
    /// The digit key of the pane of a name, if it has one.
    pub pane_key: fn(&str) -> Option<u8>,
    /// What the words on the screen mean, pane by pane: texts for [`PaneWords::read`](super::PaneWords::read).
    pub words: &'static [&'static str],
}

/// The positions to which a screen can go back in time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Timeline {
    /// The screen has no time line.
    None,
    /// Frames only: the run has no events.
    Frames,
    /// Frames and events.
    Events,
}

/// The keys of a screen at the time that it shows, while a pane has the focus.
#[derive(Clone, Copy, Debug)]
pub struct KeyList {
    /// The key table of the screen.
    pub keys: &'static Keys,
    pub view: TimeView,
    /// The name of the pane with the focus; empty if there is none.
    pub pane: &'static str,
    /// An action without effect on a screen of this size: neither help nor footer lists it.
    pub without: Option<Action>,
}

impl Keys {
    /// The keys of a screen that shows the present; most screens always do.
    pub fn now(&'static self) -> KeyList {
        KeyList { keys: self, view: TimeView::Now, pane: "", without: None }
    }

    /// The heading of the words of a pane, with its digit key if it has one.
    pub fn heading(&self, pane: &str) -> String {
        (self.pane_key)(pane).map_or_else(|| pane.to_owned(), |key| format!("pane {key}, {pane}"))
    }
}

impl KeyList {
    /// The keys without those of an action that has no effect on a screen of this size. The screen takes them all the
    /// same, and says why.
    pub fn without(self, without: Option<Action>) -> KeyList {
        KeyList { without, ..self }
    }

    /// The keys while the pane of this name has the focus.
    pub fn focused(self, pane: &'static str) -> KeyList {
        KeyList { pane, ..self }
    }

    /// The lines of help and footer at this time, those most used first.
    pub fn lines(self) -> impl Iterator<Item = &'static HelpLine> {
        let KeyList { keys: Keys { own, timeline, .. }, view, pane, without } = self;
        let here = move |line: &&HelpLine| line.views.contains(&view);
        let (head, tail): (&'static [HelpLine], &'static [HelpLine]) = match (timeline, view) {
            (Timeline::None, _) => (&[], &[]),
            (Timeline::Frames, TimeView::Past | TimeView::Recording) => (&[], PAST),
            (Timeline::Frames, _) => (BACK_TO_FRAMES, THEN),
            (Timeline::Events, TimeView::Past | TimeView::Recording) => (PAST_EVENTS, PAST),
            (Timeline::Events, _) => (BACK_TO_EVENTS, THEN),
        };
        let of_timeline = move || head.iter().chain(tail).filter(here);
        let is_in =
            |lines: &'static [HelpLine], line: &HelpLine| lines.iter().any(|other| other.actions == line.actions);
        let first = FIRST.iter().map(|common| own.iter().find(|line| line.actions == common.actions).unwrap_or(common));
        // The keys of the time line come first; they replace the screen's own lines for the keys.
        let is_past = matches!(view, TimeView::Past | TimeView::Recording);
        let past = of_timeline().filter(move |_| is_past);
        let asks_past = move |line: &HelpLine| {
            let is_own = |action| line.all().any(|own| own == action);
            is_past && of_timeline().flat_map(HelpLine::all).any(is_own)
        };
        // What to do after a demonstration is asked in any pane.
        let is_first =
            move |line: &&HelpLine| line.panes.contains(&pane) || matches!(line.views, [TimeView::Demonstrated]);
        let by_use = own.iter().filter(is_first).chain(own.iter().filter(move |line| !is_first(line)));
        let own_lines = by_use.filter(here).filter(move |line| !is_in(FIRST, line) && !asks_past(line));
        let now = of_timeline().filter(move |line| !is_past && !is_in(own, line));
        let last = LAST.iter().filter(move |line| !is_in(own, line));
        let has_effect = move |line: &&HelpLine| without.is_none_or(|action| !line.actions.contains(&action));
        first.chain(past).chain(own_lines).chain(now).chain(last).filter(has_effect)
    }

    /// Whether page keys move a page here.
    pub fn has_pages(self) -> bool {
        self.keys.own.iter().any(|line| line.actions == PAGES)
    }

    /// Whether a number before the key of an action has a meaning here.
    pub fn repeats(self, action: Action) -> bool {
        self.keys.times.iter().any(|&(repeated, _)| repeated == action)
    }

    /// Whether the screen has the action at some time. If the action has no effect now, the screen says when it has. What
    /// only the end of a demonstration has is known there alone.
    pub fn knows(self, action: Action) -> bool {
        let views = ANY_TIME.iter().filter(|&&view| view != TimeView::Demonstrated || self.view == view);
        let mut lines = views.flat_map(|&view| KeyList { view, without: None, ..self }.lines());
        lines.any(|line| line.all().any(|known| known == action))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::SCREENS;
    use crate::ui::kit::keys::DIGITS;
    use std::collections::HashSet;

    #[test]
    fn every_screen_with_keys_is_listed() {
        let tables = |path: &std::path::Path| {
            let text = std::fs::read_to_string(path.join("mod.rs")).unwrap_or_default();
            text.matches("KEYS").count()
        };
        let ui = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/ui");
        let homes = std::fs::read_dir(ui).unwrap().map(|entry| entry.unwrap().path());
        assert_eq!(SCREENS.len(), homes.map(|home| tables(&home)).sum::<usize>());
    }

    #[test]
    fn a_screen_lists_no_action_twice_and_its_lines_have_room() {
        for (screen, view) in SCREENS.into_iter().flat_map(|screen| ANY_TIME.iter().map(move |&view| (screen, view))) {
            let mut listed = HashSet::new();
            for line in (KeyList { view, ..screen.now() }).lines() {
                assert!(line.all().all(|action| listed.insert(action)), "{line:?}");
                for keys in [&[][..], &[' ', 'n', 'b', 'q']].map(|taken| line.shown(taken)) {
                    assert!(keys.len() <= 12 && line.help.len() <= 27, "{line:?}: {keys}");
                }
            }
            assert!(screen.times.iter().all(|(action, _)| screen.now().knows(*action)));
        }
    }

    #[test]
    fn lines_show_their_keys() {
        let shown = |line: HelpLine| (line.shown(&[]), line.in_footer(&[]).map(|(keys, _)| keys));
        let pair = line(&[Action::Slower, Action::Faster], "slower, faster", "speed");
        assert_eq!(shown(pair), ("- +".into(), Some("-+".into())));
        let four = line(&[Action::Left, Action::Down, Action::Up, Action::Right], "select", "select");
        assert_eq!(shown(four), ("hjkl arrows".into(), Some("hjkl".into())));
        let step = line(&[Action::Step], "a step on", "step").or(&[Action::Right]);
        assert_eq!(shown(step), ("s l arrows".into(), Some("s".into())));
        let panes = line(&[Action::NextPane, Action::PreviousPane], "pane", "pane");
        assert_eq!(shown(panes), ("tab backtab".into(), Some("tab".into())));
        assert_eq!(shown(line(DIGITS, "so many times", "")), ("0..9".into(), None));
        // The screen around this one takes b.
        let frames = line(&[Action::Back, Action::Step], "frame before, frame after", "frame");
        assert_eq!(frames.in_footer(&['b', 'q']), Some(("s".into(), "frame")));
        assert_eq!(frames.shown(&['b', 'q']), "backspace s");
        let play = line(&[Action::Play], "play", "play");
        assert_eq!([&[][..], &[' ']].map(|taken| play.shown(taken)), ["p space", "p"]);
        assert_eq!(line(&[Action::Quit], "leave", "quit").shown(&['b', 'q']), "");
        assert_eq!(line(&[Action::Back], "a cycle back", "back").in_footer(&['b', 'q']), None);
    }
}
