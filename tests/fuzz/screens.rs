//! What is shown on a screen of a journal, and of a stream that says the same.

use destrier::run::journal::{Reader, Subject};
use destrier::run::{End, Frame, Recorded, Rival};
use destrier::schedule::Snapshot;
use destrier::ui::compare::CompareModel;
use destrier::ui::kit::{Common, Playback, ScreenEvent};
use destrier::ui::{self, About, Model, RunModel, Theme, WorkerOrder, count};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Size;
use std::io::Cursor;

const SIZE: Size = Size { width: 100, height: 40 };
/// Keys that go to the first moment and the last, to events and back, and that show one pane alone.
pub const KEYS: &str = "{]][[}z";

/// Every pane and every order of the workers before the first frame, at it and at the end; then every key before the first
/// frame, and what it opened is closed by escape, for which `~` stands.
pub fn every_key() -> String {
    let orders = WorkerOrder::ALL.map(|_| "o").concat();
    let moments = ["{[", "{", "}"].map(|moment| format!("{moment}112233445566{orders}"));
    let letters = (' '..'~').map(|letter| format!("{letter}~~{{["));
    moments.into_iter().chain(["oo{[".to_owned()]).chain(letters).collect()
}

fn common() -> Common {
    Common::new(Theme::RICH, SIZE)
}

fn draw(view: impl FnOnce(&mut ratatui::Frame<'_>)) {
    Terminal::new(TestBackend::new(SIZE.width, SIZE.height)).unwrap().draw(view).unwrap();
}

/// Presses keys, and draws what is then seen; not behind those that only close something.
fn look_through(model: &mut impl Model, keys: &str) {
    draw(|frame| model.draw(frame));
    for key in keys.chars() {
        let code = if key == '~' { KeyCode::Esc } else { KeyCode::Char(key) };
        model.update(ScreenEvent::Key(KeyEvent::new(code, KeyModifiers::NONE)));
        if key != '~' {
            draw(|frame| model.draw(frame));
        }
    }
}

/// Shows a journal whose first line can be read, and then its frames as they come over a socket; presses keys on both.
pub fn show(journal: &[u8], subject: &Subject, frames: &[Frame], keys: &str) {
    let recording = || Playback::recorded(&mut Recorded::new(Reader::new(Cursor::new(journal.to_vec())).unwrap()));
    for is_recorded in [true, false] {
        let frames = || frames.iter().filter(|_| !is_recorded).cloned();
        match subject {
            Subject::Run(plan) => {
                let about = About::new(&plan.question, false);
                let mut model = ui::LiveModel::new(about, common(), plan.scheduler, 10, Snapshot::default());
                if is_recorded {
                    model.replay(recording());
                }
                frames().for_each(|frame| model.take(frame));
                look_through(&mut model, keys);
                if is_recorded {
                    continue;
                }
                let runs = ["one", "other"].map(|name| Rival::new(name, plan.scheduler)).into();
                let mut model = CompareModel::new("both", runs, common());
                while model.begin().is_some() {
                    frames().for_each(|frame| model.take(&frame));
                    model.end(&End::Cut);
                }
                look_through(&mut model, keys);
            }
            Subject::Count(counted) => {
                let mut model = count::CountModel::new(&counted.question, counted.threads, common());
                if is_recorded {
                    model.replay(recording());
                }
                frames().for_each(|frame| model.take(frame));
                look_through(&mut model, keys);
            }
            // A map is printed: see `record.rs`.
            Subject::Map(_) => {}
        }
    }
}
