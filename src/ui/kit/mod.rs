//! The parts from which screens are built. Screens import from here and never from one another.
//!
//! * [`keys`] lists actions and their usual keys, [`keymap`] says which keys hold; a [`Common`] is the part of a model that all screens share, and handles the keys
//!   that mean the same everywhere
//! * a [`Playback`] is the past of a run, and `timeline.rs` draws it; a [`Clock`] runs while something moves, and a
//!   [`Pace`] says how many steps are due; a [`TextInput`] is a text that is typed
//! * a [`Page`] divides a screen into panes, one of which has the [focus](PaneFocus); a [`Sheet`] lays out a board, a
//!   [`Grid`] the workers
//! * `draw.rs` draws texts, titles, meters, frames and columns; `workers.rs` draws workers; `board.rs` draws lines and names
//!   pieces of a tour; `heat.rs` draws pictures; `footer.rs` and `help.rs` draw the keys of a screen; all use the colours of a [`Theme`]

pub mod board;
mod clock;
mod common;
mod draw;
pub(super) mod footer;
pub(super) mod heat;
pub(super) mod help;
mod input;
pub mod keymap;
pub mod keys;
mod message;
mod page;
pub mod palette;
mod places;
mod playback;
pub mod screen_keys;
mod sheet;
pub mod theme;
mod timeline;
pub mod workers;

pub(super) use crate::words::wrapped;
pub use board::chains_text;
pub use clock::{Clock, Pace, TimeWindow};
pub use common::Common;
pub(super) use draw::{
    LinePart, badge, columns, fit, fitted, header_line, meter, metered, padded, put, put_line, put_reason, titled,
};
pub use help::{COMPASS, PaneWords, RANKS, SHADER_MOVES, UNITS};
pub use input::{InputKey, TextInput};
pub use keys::Action;
pub use message::{Clip, Effect, EventAnswer, Notice, ScreenEvent};
pub use page::{Page, Pane, PaneEntry, PaneFocus, PaneFrame, PaneLayout, PanePlace, SCREEN_MIN};
pub(super) use page::{draw_pane, too_small};
pub use palette::Role;
pub use playback::Playback;
pub use screen_keys::{KeyList, Keys, TimeView, Timeline};
pub use sheet::{BoardLook, Sheet};
pub(super) use sheet::{draw_ground, draw_names};
pub use theme::{Colours, Signs, Theme};
pub use workers::{Density, Grid};
pub(super) use workers::{WorkerCells, WorkerLook};
