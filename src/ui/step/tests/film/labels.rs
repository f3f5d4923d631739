//! The help explains every label of the view of the cycles.

use super::{Shown, THEME};
use crate::gpu::cycle::CycleReport;
use crate::gpu::{DeviceLabel, DoneBy, GpuError};
use crate::ui::step::FILM_KEYS;
use ratatui::crossterm::event::KeyCode;
use std::collections::BTreeSet;

/// Words of sentences and units, which explain themselves where they stand, and the name of the program.
const PLAIN: &[&str] = &["destrier", "and", "any", "already", "neither", "none", "not", "yes", "yet", "the", "without"];
/// Names of devices and messages of drivers.
const VALUES: &[&str] = &["llvmpipe", "llvm", "bits", "mesa", "unplugged", "was", "lost"];

/// The words of three letters or more in a text.
fn said(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !(c.is_ascii_alphabetic() || c == '-'));
    words.map(|word| word.trim_matches('-').to_lowercase()).filter(|word| word.len() > 2).collect()
}

#[test]
fn the_help_explains_every_label_that_is_drawn() {
    let explained = said(&FILM_KEYS.words.concat());
    let (mut seen, mut missing) = (0, BTreeSet::new());
    for size in [(80, 24), (200, 60), (40, 10), (120, 40)] {
        for keys in ["", "3s", "28s", "30s", "31s", "G", "30sbb", "p"] {
            for (start, fate) in
                [("2,4", "open"), ("0,2", "open"), ("2,4", "opening"), ("2,4", "lost"), ("2,4", "twin")]
            {
                let mut bench = Shown::new("8x8", start, size, THEME);
                match fate {
                    "open" | "lost" => bench.open(),
                    "twin" => bench.report(CycleReport::DoneBy(DoneBy { label: DeviceLabel::cpu(), instead: None })),
                    _ => {}
                }
                bench.keys(keys);
                if fate == "lost" {
                    bench.report(CycleReport::Failed(GpuError::Lost("it was unplugged".into())));
                }
                bench.model.common.notice = None;
                for _channel in 0..4 {
                    bench.press(KeyCode::Tab);
                    let text = bench.text();
                    let lines: Vec<&str> = text.lines().collect();
                    // The last two lines are a sentence and the keys.
                    for word in said(&lines[..lines.len().saturating_sub(2)].join("\n")) {
                        seen += 1;
                        let known = [PLAIN, VALUES].iter().any(|list| list.contains(&word.as_str()));
                        if !known && !explained.contains(&word) {
                            missing.insert(word);
                        }
                    }
                }
            }
        }
    }
    assert!(missing.is_empty(), "drawn and not explained: {missing:?}");
    assert!(seen > 1000, "{seen} words were read");
}
