//! The keys of the step view.

use crate::ui::kit::keys::{Action, DIGITS, Keys, Timeline, line};

/// The key table of the step view.
pub const KEYS: Keys = Keys {
    own: &[
        line(&[Action::Step], "a step on", "step").or(&[Action::Right]),
        line(&[Action::Back], "a step back", "back").or(&[Action::Left]),
        line(&[Action::Play], "play, stop", "play"),
        line(&[Action::Move, Action::MoveBack], "next node, node before", "node"),
        line(&[Action::Event], "next cut, dead end or tour", "any event"),
        line(&[Action::NextTour], "next tour", "next tour"),
        line(&[Action::DeadEnd], "next dead end", "dead end"),
        line(&[Action::Cut], "next move that is cut", "cut"),
        line(&[Action::Exhaust], "until this one is exhausted", "up"),
        line(&[Action::Slower, Action::Faster], "slower, faster", "speed"),
        line(&[Action::First], "back to the beginning", "beginning"),
        line(&[Action::Up, Action::Down], "older lines, later ones", "log"),
        line(&[Action::Look], "numbers, lines", "lines"),
        line(DIGITS, "so many times the next key", ""),
    ],
    times: &[
        (Action::Step, "steps"),
        (Action::Move, "nodes"),
        (Action::Back, "back"),
        (Action::Event, "events"),
        (Action::NextTour, "tours"),
        (Action::DeadEnd, "dead ends"),
        (Action::Cut, "cuts"),
        (Action::MoveBack, "nodes back"),
        (Action::Exhaust, "up"),
    ],
    timeline: Timeline::None,
};
