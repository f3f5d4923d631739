//! The map view: keys and news against what is shown, and pictures of the screen.

use crate::board::Board;
use crate::gpu::map::{Batch, Map};
use crate::gpu::{DeviceKind, DeviceLabel};
use crate::run::{Body, End, Filled, Frame};
use crate::ui::kit::{ScreenEvent, StageWish, Surface};
use crate::ui::map::{MapModel, update, view};
use crate::ui::{RunModel, Theme};
use insta::assert_snapshot;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Size;
use std::time::Duration;

/// A terminal with everything.
const THEME: Theme = Theme::RICH;

fn batch(board: &str, orders: u32) -> Batch {
    Batch::new(board.parse().expect("a board"), orders).expect("it is small")
}

fn model(batch: Batch, (width, height): (u16, u16), theme: Theme) -> MapModel {
    MapModel::new(batch, Surface::new(theme, Size { width, height }))
}

fn placed(why: &str) -> Filled {
    let label = DeviceLabel { name: "CPU, 2 threads".into(), kind: DeviceKind::Cpu, driver: String::new() };
    Filled { placed: Some((label, why.into())), map: None, took: Duration::ZERO }
}

/// The work was looked at.
fn seen(filled: Filled) -> Frame {
    Frame { body: Body::Map(Box::new(filled)), events: Vec::new() }
}

/// So many knights: from every start fewer and fewer orders complete, from the last one all.
fn moved(before: Filled, batch: Batch, knights: u64) -> Filled {
    let starts = u64::from(batch.board().squares());
    let visits = |k: u64| {
        let (order, start) = (k / starts, k % starts);
        let fails = start + 1 < starts && (order * 7 + start * 5) % 31 < start / 4;
        if fails { 1 } else { batch.board().squares() }
    };
    let mut map = Map::new(batch);
    map.add(&(0..knights).map(visits).collect::<Vec<u32>>());
    Filled { map: Some(map), took: Duration::from_millis(1500), ..before }
}

/// A batch of 8x8 in its middle.
fn filling(size: (u16, u16), theme: Theme) -> MapModel {
    let batch = batch("8x8", 1000);
    let mut model = model(batch, size, theme);
    let here = placed("no Vulkan adapter here is 'hardware'; there is llvmpipe (software Vulkan)");
    model.take(seen(moved(here, batch, 30_000)));
    model
}

fn press(model: &mut MapModel, code: KeyCode) -> Option<StageWish> {
    update(model, ScreenEvent::Key(KeyEvent::new(code, KeyModifiers::NONE)))
}

fn screen(model: &MapModel) -> String {
    let Size { width, height } = model.surface.screen;
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("no terminal fails less");
    terminal.draw(|frame| view(model, frame)).expect("it draws");
    terminal.backend().to_string()
}

fn name(model: &MapModel) -> String {
    model.map.batch().board().name(model.cursor)
}

#[test]
fn before_the_first_knight_there_is_a_board_and_no_figures() {
    assert_snapshot!(screen(&model(batch("8x8", 1000), (80, 24), THEME)));
}

#[test]
fn a_batch_in_its_middle() {
    assert_snapshot!(screen(&filling((100, 30), THEME)));
    assert_snapshot!("narrow", screen(&filling((40, 10), THEME)));
    assert_snapshot!("ascii", screen(&filling((80, 24), Theme::from_env(|_| None))));
}

#[test]
fn one_order_completes_or_fails() {
    let batch = batch("5x5", 1);
    let mut model = model(batch, (80, 24), THEME);
    model.take(seen(moved(placed(""), batch, 25)));
    model.end(End::Map);
    press(&mut model, KeyCode::Char('X'));
    assert_eq!(model.histogram.values().sum::<u32>(), 1);
    assert_snapshot!(screen(&model));
}

#[test]
fn the_cursor_goes_to_the_neighbours_and_to_the_worst_and_the_best() {
    let mut model = filling((100, 30), THEME);
    for (key, expected) in [
        ('l', "b8"),
        ('j', "b7"),
        ('h', "a7"),
        ('h', "a7"),
        ('k', "a8"),
        ('k', "a8"),
        ('G', "h1"),
        ('l', "h1"),
        ('j', "h1"),
        ('g', "a8"),
    ] {
        assert_eq!(press(&mut model, KeyCode::Char(key)), None);
        assert_eq!(name(&model), expected, "{key}");
    }
    press(&mut model, KeyCode::Char('X'));
    let [least, most] = model.range().expect("some were tried");
    assert_eq!(model.share(model.cursor), Some(least));
    press(&mut model, KeyCode::Char('B'));
    assert_eq!((model.share(model.cursor), most), (Some(most), 1.0));
    let answers = ['q', 'n', 'q', 'y'].map(|key| press(&mut model, KeyCode::Char(key)));
    assert_eq!(answers, [None, None, None, Some(StageWish::Leave)]);
    model.end(End::Map);
    assert_eq!(press(&mut model, KeyCode::Char('q')), Some(StageWish::Leave));
}

#[test]
fn a_moment_that_is_past_is_shown_while_the_work_goes_on() {
    let mut model = filling((80, 24), THEME);
    let (batch, here) = (model.map.batch(), placed(""));
    let later = |knights, seconds| {
        let filled = moved(here.clone(), batch, knights);
        seen(Filled { took: Duration::from_secs(seconds), ..filled })
    };
    model.take(later(40_000, 2));
    assert_eq!(press(&mut model, KeyCode::Char('b')), None);
    model.take(later(64_000, 3));
    model.end(End::Map);
    let text = screen(&model);
    assert!(text.contains("30,000 of 64,000") && text.contains("PAST 0:01.500  0:01"), "{text}");
    assert!(!model.is_over());
    assert_eq!(press(&mut model, KeyCode::Esc), None);
    assert!(model.is_over() && screen(&model).contains("64,000 of 64,000"));
}

#[test]
fn a_batch_that_is_written_down_says_so() {
    for mut model in [model(batch("8x8", 1000), (80, 24), THEME), filling((80, 24), THEME)] {
        assert!(!screen(&model).contains("REC"));
        model.playback.set_unrecorded(Some(0));
        assert!(screen(&model).contains(" REC ") && !screen(&model).contains("lost"), "{}", screen(&model));
        model.playback.set_unrecorded(Some(12));
        assert!(screen(&model).contains(" REC 12 frames lost "), "{}", screen(&model));
    }
}

#[test]
fn a_large_board_is_shown_whole_in_blocks() {
    let mut model = model(batch("300x300", 1), (80, 24), THEME);
    press(&mut model, KeyCode::End);
    let (sheet, side) = model.sheet().expect("the screen is large enough");
    assert!(sheet.is_whole());
    assert!((8..12).contains(&side) && sheet.board.rows() == 300u32.div_ceil(side), "{side}");
    assert!(screen(&model).contains(&format!("by {side}x{side}")));
    update(&mut model, ScreenEvent::Resized(Size { width: 39, height: 9 }));
    assert!(screen(&model).contains("need 40x10"));
}

#[test]
fn the_screen_of_any_size_can_be_drawn() {
    let board: Board = "13x7".parse().expect("a board");
    for (width, height) in [(40, 10), (72, 16), (71, 15), (200, 60), (41, 50), (300, 11)] {
        let batch = Batch::new(board, 40).expect("it is small");
        let mut model = model(batch, (width, height), THEME);
        model.take(seen(moved(placed(""), batch, 91 * 40)));
        assert!(screen(&model).contains("13x7"));
        press(&mut model, KeyCode::Char('?'));
        assert!(screen(&model).contains("help"));
    }
}
