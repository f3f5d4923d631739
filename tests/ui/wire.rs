//! What a run costs on the line to the terminal.

use super::fixture::{THEME, drawing, hired, model, seen, snapshot};
use destrier::ui::{RunModel, Wire, view};
use ratatui::Terminal;
use ratatui::layout::Size;

/// Bytes a second at ten frames a second, on a screen of 80x24, every depth moving in every frame.
fn bytes_per_s(workers: usize) -> usize {
    const FRAMES: usize = 100;
    let mut sent = Vec::new();
    let mut model = model(80, 24, workers, THEME);
    let board = model.about.board;
    let mut terminal = Terminal::new(Wire::new(&mut sent, Size::new(80, 24))).expect("a vector takes everything");
    for frame in 31..31 + FRAMES {
        let (events, drawing) = (vec![hired(workers, frame)], Some(drawing(board, frame)));
        model.take(seen(snapshot(workers, frame), events, drawing));
        terminal.draw(|frame| view(&model, frame)).expect("a vector takes everything");
    }
    drop(terminal);
    sent.len() * 10 / FRAMES
}

#[test]
fn at_80x24_a_second_takes_less_than_8_kilobytes() {
    for workers in [1, 2, 8, 24, 64] {
        let bytes = bytes_per_s(workers);
        assert!((1000..8000).contains(&bytes), "{workers} threads: {bytes} bytes a second");
    }
}

#[test]
fn with_256_threads_it_is_not_much_more() {
    let bytes = bytes_per_s(256);
    assert!((1000..12_000).contains(&bytes), "{bytes} bytes a second");
}
