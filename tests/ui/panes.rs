//! Which panes are shown, and that none is empty while another one has no room.

use super::fixture::{THEME, drawing, elapsed, hired, model, press, seen, snapshot};
use destrier::board::{Board, Ending};
use destrier::event::Event;
use destrier::ui::{LiveModel, LivePane, RunModel, screen_text, view};
use insta::assert_snapshot;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;

/// The sizes and the numbers of workers that are looked at.
const SIZES: [(u16, u16); 3] = [(80, 24), (120, 36), (200, 60)];
const CREWS: [usize; 4] = [4, 32, 64, 256];

fn panes(model: &LiveModel) -> Vec<LivePane> {
    model.layout().into_iter().flat_map(|layout| layout.panes).map(|(pane, _)| pane).collect()
}

/// A run with more hires than any pane has lines for.
fn busy(width: u16, height: u16, workers: usize) -> LiveModel {
    let mut model = model(width, height, workers, THEME);
    let board: Board = "8x8".parse().expect("a board");
    for frame in 31..=40 {
        let hires = (0..30).map(|hire| Event { at: elapsed(frame), ..hired(workers, 30 * frame + hire) });
        model.take(seen(snapshot(workers, frame), hires.collect(), Some(drawing(board, frame))));
    }
    model
}

#[test]
fn a_key_goes_through_three_arrangements_and_back() {
    use LivePane::{Board, Depths, OverTime, Threads};
    for (width, height) in [(40, 10), (80, 24), (120, 36), (200, 60)] {
        let mut model = busy(width, height, 4);
        let all = panes(&model);
        let mut chosen = |name: &str| {
            press(&mut model, KeyCode::Char('L'));
            let said = model.common.notice.take().map(|notice| notice.text).unwrap_or_default();
            assert!(said.starts_with(name), "{said}");
            assert!(panes(&model).contains(&model.focus.pane), "{:?} has the focus", model.focus.pane);
            if height < 60 {
                let name = name.rsplit(' ').next().unwrap_or_default();
                assert_snapshot!(format!("{name}_{width}x{height}"), screen_text(&model));
            }
            panes(&model)
        };
        assert_eq!(chosen("the story"), [Threads, OverTime]);
        // On the smallest screen the line of the depths is above.
        let mut search = chosen("the search");
        search.sort_by_key(|pane| *pane as u8);
        assert_eq!(search, [Board, Depths]);
        press(&mut model, KeyCode::Char('L'));
        assert_eq!(panes(&model), all);
    }
}

#[test]
fn the_story_has_a_line_for_what_happened_last() {
    for workers in CREWS {
        let mut model = busy(80, 24, workers);
        press(&mut model, KeyCode::Char('L'));
        let header = model.layout().map(|layout| layout.page.header.height);
        assert_eq!(header, Some(4), "{workers}");
        let mut model = busy(40, 10, workers);
        press(&mut model, KeyCode::Char('L'));
        let layout = model.layout().expect("it has room");
        let last = model.hires.log().next().map(|event| format!("{} ", event.worker));
        let line = screen_text(&model).lines().nth(2).unwrap_or_default().to_owned();
        assert!(last.is_none_or(|worker| line.contains(&worker)), "{line}");
        let lines = |pane| layout.rect(pane).map_or(0, |rect| rect.height);
        assert!(lines(LivePane::OverTime) >= 3 && lines(LivePane::Threads) >= 1, "{workers} {layout:?}");
    }
}

/// The words above the first worker.
fn headings(model: &LiveModel) -> Vec<String> {
    let text = screen_text(model);
    let heading = text.lines().find(|line| line.contains("#   depth")).unwrap_or_default().to_owned();
    let own = heading.split("││").next().unwrap_or_default().trim_matches('│');
    own.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn many_workers_on_a_large_screen_have_the_columns_of_few_on_a_small_one() {
    let few = headings(&model(80, 24, 4, THEME));
    assert_eq!(few.len(), 9, "{few:?}");
    let mut many = model(200, 60, 32, THEME);
    assert_eq!(headings(&many), few, "{}", screen_text(&many));
    assert!(panes(&many).contains(&LivePane::Board) && panes(&many).contains(&LivePane::Hires));
    // The time line takes two lines.
    press(&mut many, KeyCode::Char('['));
    assert_eq!(headings(&many), few);
}

/// The rows of a pane in which nothing stands.
fn blank_rows(model: &LiveModel, inner: Rect) -> u16 {
    let size = model.common.screen;
    let mut terminal = Terminal::new(TestBackend::new(size.width, size.height)).expect("no terminal fails less");
    terminal.draw(|frame| view(model, frame)).expect("it draws");
    let buffer = terminal.backend().buffer();
    let is_blank = |y: u16| (inner.left()..inner.right()).all(|x| buffer[(x, y)].symbol().trim().is_empty());
    (inner.top()..inner.bottom()).filter(|&y| is_blank(y)).count() as u16
}

/// Hires are always cut in a run with many of them, so that no pane may be empty by more than a third.
#[test]
fn no_pane_is_empty_while_another_one_is_cut() {
    for ((width, height), workers) in SIZES.into_iter().flat_map(|size| CREWS.map(|workers| (size, workers))) {
        let model = busy(width, height, workers);
        let layout = model.layout().expect("it has room");
        for (pane, rect) in layout.panes {
            let inner = layout.page.inner(rect);
            let (blank, all) = (blank_rows(&model, inner), inner.height);
            let place = format!("{width}x{height}, {workers} workers, {pane:?}");
            assert!(3 * blank <= all, "{place}: {blank} of {all}\n{}", screen_text(&model));
        }
    }
}

#[test]
fn hires_come_before_a_board_that_has_no_room_beside_them() {
    for (board, has_numbers) in [("8x8", true), ("5x10", true), ("10x12", false)] {
        let mut model = model(80, 24, 64, THEME);
        model.about.shape = board.parse().expect("a board");
        model.about.ending = Ending::Open;
        assert!(panes(&model).contains(&LivePane::Hires), "{board}");
        let inner = model.layout().and_then(|layout| layout.inner(LivePane::Board));
        let cols = model.about.shape.board().cols();
        assert_eq!(inner.is_some_and(|inner| u32::from(inner.width) >= 3 * cols), has_numbers, "{board}");
    }
}
