//! The keys of the tour view.

use crate::ui::kit::keys::{Action, DIGITS, Keys, Timeline, line};

/// The key table of the tour view.
pub const KEYS: Keys = Keys {
    own: &[
        line(&[Action::Step], "a move on", "move").or(&[Action::Right]),
        line(&[Action::Back], "a move back", "back").or(&[Action::Left]),
        line(&[Action::Up, Action::Down], "ten back, ten on", "ten"),
        line(&[Action::Play], "play, stop", "play"),
        line(&[Action::Slower, Action::Faster], "slower, faster", "speed"),
        line(DIGITS, "to a move, by its number", "to move"),
        line(&[Action::Find], "find a square", "find square"),
        line(&[Action::First, Action::Last], "the start, the end", ""),
        line(&[Action::Look], "numbers, lines", "numbers"),
        line(&[Action::NextTour, Action::PreviousTour], "next tour, tour before", "next tour"),
        line(&[Action::Smaller, Action::Larger], "smaller squares, larger", "size"),
        line(SCROLL, "scroll; shift-arrows too", ""),
        line(&[Action::Follow], "back to the knight", ""),
        line(&[Action::Picture], "write the tour, as an SVG", ""),
    ],
    times: &[],
    timeline: Timeline::None,
};

const SCROLL: &[Action] = &[Action::ScrollLeft, Action::ScrollDown, Action::ScrollUp, Action::ScrollRight];
