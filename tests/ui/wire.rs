//! What a run costs on the line to the terminal.

use super::fixture::{THEME, drawing, hired, model, seen, snapshot};
use destrier::ui::{RunModel, Wire, view};
use ratatui::Terminal;
use ratatui::layout::Size;

/// Bytes a second at ten frames a second, every depth moving in every frame.
fn bytes_per_s((width, height): (u16, u16), workers: usize) -> usize {
    const FRAMES: usize = 100;
    let mut sent = Vec::new();
    let mut model = model(width, height, workers, THEME);
    let board = model.about.shape.board();
    let mut terminal =
        Terminal::new(Wire::new(&mut sent, Size::new(width, height))).expect("a vector takes everything");
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
        let bytes = bytes_per_s((80, 24), workers);
        assert!((1000..8000).contains(&bytes), "{workers} threads: {bytes} bytes a second");
    }
}

#[test]
fn with_256_threads_it_is_not_much_more() {
    let bytes = bytes_per_s((80, 24), 256);
    assert!((1000..12_000).contains(&bytes), "{bytes} bytes a second");
}

/// Figures that change faster than they can be read are not all sent.
#[test]
fn looks_at_many_workers_are_shown_some_at_a_time_and_at_few_at_once() {
    for (workers, apart) in [(16, 1), (64, 3)] {
        let mut model = model(200, 60, workers, THEME);
        let mut renewed = Vec::new();
        for frame in 31..51 {
            let before = model.snapshot.elapsed;
            model.take(seen(snapshot(workers, frame), Vec::new(), None));
            renewed.extend((model.snapshot.elapsed != before).then_some(frame));
        }
        assert!(renewed.windows(2).all(|pair| pair[1] - pair[0] == apart), "{workers} workers: {renewed:?}");
        assert_eq!(renewed.len(), 20 / apart);
    }
    // More than of a search: here every depth moves in every frame.
    let bytes = bytes_per_s((200, 60), 64);
    assert!((1000..24_000).contains(&bytes), "{bytes} bytes a second");
}
