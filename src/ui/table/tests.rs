//! The screen of the tables: news and keys against what is shown, and pictures of the screen.

use super::{ShownTable, TablesModel, TablesState, update, view};
use crate::run::{TableChart, TableColumn, TableHead, TableNews, TableRow};
use crate::ui::kit::{ScreenEvent, StageWish, Surface};
use crate::ui::{Colours, Theme};
use insta::assert_snapshot;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Size;
use ratatui::style::Color;

/// The prunes of the depths 0 to 36 of a table as it is published.
const PUBLISHED: [u64; 37] = [
    0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 20, 266, 595, 4812, 9429, 57553, 97136, 447541, 636593, 2262119, 2634882, 7338566,
    6934413, 15166038, 11649971, 19722400, 12281111, 15476755, 7737518, 6661734, 2761306, 1257816, 541492, 53512,
    48652, 0, 0,
];

fn head(name: &'static str, columns: Vec<TableColumn>, chart: Option<TableChart>) -> TableHead {
    let about = "What the table shows, where its published figures come from, and how the figures here are computed.";
    TableHead { name, about: about.to_owned(), columns, chart }
}

fn depths() -> TableHead {
    let columns =
        vec![TableColumn::text("depth", 5), TableColumn::number("published", 10), TableColumn::number("pruned", 10)];
    head("by depth", columns, Some(TableChart::new(&["pruned"], false, "branches").with_mark("published")))
}

/// The row of a depth when this share of its prunes was met.
fn depth(at: usize, share: f64) -> TableRow {
    let here = (PUBLISHED[at] as f64 * share) as u64;
    TableRow {
        cells: vec![at.to_string(), PUBLISHED[at].to_string(), here.to_string()],
        values: vec![Some(here as f64), Some(PUBLISHED[at] as f64)],
        same: (share >= 1.0).then_some(here == PUBLISHED[at]),
    }
}

fn sizes() -> TableHead {
    let number = |name| TableColumn::number(name, 12);
    let columns = vec![
        TableColumn::text("board", 5),
        number("measured"),
        number("2^(N+1)-1"),
        number("8^N"),
        number("one more"),
        number("another"),
    ];
    head("tree sizes", columns, Some(TableChart::new(&["measured", "2^(N+1)-1", "8^N"], true, "nodes")))
}

fn size(board: &str, squares: i32, measured: f64) -> TableRow {
    let values = [measured, 2f64.powi(squares), 8f64.powi(squares - 1)];
    let cells = [board.to_owned()].into_iter().chain(values.map(|value| format!("{value:.2e}")));
    let cells = cells.chain(["1".to_owned(), "2".to_owned()]).collect();
    TableRow { cells, values: values.map(Some).into(), same: (board == "4x4").then_some(false) }
}

/// A model with a table that is being filled.
fn filling(width: u16, height: u16, theme: Theme) -> TablesModel {
    let mut model = TablesModel::new("radley", Surface::new(theme, Size { width, height }));
    model.take(TableNews::Table(depths()));
    (0..PUBLISHED.len()).for_each(|at| model.take(TableNews::Draft(at, depth(at, at as f64 / 50.0))));
    model
}

/// A model with two whole tables.
fn done(width: u16, height: u16, theme: Theme) -> TablesModel {
    let mut model = filling(width, height, theme);
    (0..PUBLISHED.len()).for_each(|at| model.take(TableNews::Row(depth(at, 1.0))));
    model.take(TableNews::Table(sizes()));
    for (board, squares, measured) in
        [("3x4", 12, 67.0), ("4x4", 16, 2223.0), ("5x5", 25, 1_735_079.0), ("8x8", 64, 4e21)]
    {
        model.take(TableNews::Row(size(board, squares, measured)));
    }
    model.take(TableNews::Note(
        "A sentence about what the figures of the table mean, which is wrapped where it is long.".into(),
    ));
    model.take(TableNews::End(true));
    model
}

fn press(model: &mut TablesModel, code: KeyCode) -> Option<StageWish> {
    update(model, ScreenEvent::Key(KeyEvent::new(code, KeyModifiers::NONE)))
}

fn keys(model: &mut TablesModel, letters: &str) {
    letters.chars().for_each(|letter| assert_eq!(press(model, KeyCode::Char(letter)), None, "{letter}"));
}

fn drawn(model: &TablesModel) -> Terminal<TestBackend> {
    let Size { width, height } = model.surface.screen;
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("no terminal fails less");
    terminal.draw(|frame| view(model, frame)).expect("it draws");
    terminal
}

fn text(model: &TablesModel) -> String {
    let terminal = drawn(model);
    let cells = terminal.backend().buffer().content.chunks(model.surface.screen.width.max(1).into());
    let line = |cells: &[ratatui::buffer::Cell]| cells.iter().map(|cell| cell.symbol()).collect::<String>();
    cells.map(|cells| line(cells).trim_end().to_owned() + "\n").collect()
}

#[test]
fn screens() {
    for (width, height) in [(80, 24), (200, 60), (40, 10)] {
        let name = |what: &str| format!("{what}_{width}x{height}");
        assert_snapshot!(name("filling"), text(&filling(width, height, Theme::RICH)));
        let mut model = done(width, height, Theme::RICH);
        assert_snapshot!(name("filled"), text(&model));
        keys(&mut model, "2");
        assert_snapshot!(name("logarithmic"), text(&model));
        keys(&mut model, "#G");
        assert_snapshot!(name("figures"), text(&model));
    }
    assert_snapshot!(
        "before",
        text(&TablesModel::new("radley", Surface::new(Theme::RICH, Size { width: 80, height: 24 })))
    );
}

#[test]
fn in_ascii_and_without_colour_everything_is_still_said() {
    for (width, height) in [(80, 24), (200, 60), (40, 10)] {
        for pressed in ["", "2", "2#", "2##", "?"] {
            let mut model = done(width, height, Theme { ascii: true, ..Theme::RICH });
            keys(&mut model, pressed);
            assert!(text(&model).is_ascii(), "{pressed}");
            let mut model = filling(width, height, Theme { colours: Colours::None, ..Theme::RICH });
            keys(&mut model, pressed);
            let terminal = drawn(&model);
            let cells = &terminal.backend().buffer().content;
            assert!(cells.iter().all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset));
        }
    }
}

#[test]
fn drafts_become_rows_in_their_places() {
    let mut model = filling(80, 24, Theme::RICH);
    let shown = |model: &TablesModel| {
        let ShownTable { rows, whole, .. } = model.shown().expect("a table").clone();
        (rows.len(), whole, rows[25].clone())
    };
    assert_eq!(shown(&model), (37, 0, depth(25, 0.5)));
    assert!(text(&model).contains("RUNNING") && !text(&model).contains(" =\n"));
    (0..26).for_each(|at| model.take(TableNews::Row(depth(at, 1.0))));
    assert_eq!(shown(&model), (37, 26, depth(25, 1.0)));
    assert_eq!(shown(&model).2.same, Some(true));
}

#[test]
fn the_newest_table_is_shown_until_one_is_selected_and_at_the_end_the_first() {
    let mut model = filling(80, 24, Theme::RICH);
    model.take(TableNews::Table(sizes()));
    assert_eq!(model.at(), 1);
    keys(&mut model, "1");
    model.take(TableNews::Table(sizes()));
    assert_eq!(model.at(), 0);
    press(&mut model, KeyCode::BackTab);
    assert_eq!(model.at(), 2);
    press(&mut model, KeyCode::Tab);
    assert_eq!(model.at(), 0);
    keys(&mut model, "7");
    assert!(text(&model).contains("there is no table 7 yet"));
    assert_eq!(done(80, 24, Theme::RICH).at(), 0);
}

#[test]
fn rows_and_columns_scroll_as_far_as_there_are_some() {
    let mut model = done(80, 24, Theme::RICH);
    let last_line = |model: &TablesModel| text(model).lines().nth(22).expect("a line").to_owned();
    keys(&mut model, &"j".repeat(99));
    assert!(last_line(&model).starts_with(" 36 "), "{}", last_line(&model));
    keys(&mut model, "k");
    assert!(last_line(&model).starts_with(" 35 "));
    keys(&mut model, "g");
    assert!(text(&model).contains("1 to 9 of 37"), "{}", text(&model));
    let mut model = done(40, 10, Theme::RICH);
    keys(&mut model, "2#");
    assert!(text(&model).contains("measured") && text(&model).contains("+4"));
    keys(&mut model, &"l".repeat(99));
    assert!(text(&model).contains("board") && text(&model).contains("another") && !text(&model).contains("+1"));
    keys(&mut model, "hhhh");
    assert!(text(&model).contains("measured"));
}

/// The scale stays on every screen; names of bars that have no room are counted.
#[test]
fn a_long_legend_keeps_its_scale() {
    let names = ["x1", "x4", "x8", "x16", "his serial", "his 4", "his 8", "his 16"];
    for (width, legend) in [
        (200, " 7 his 8  8 his 16  logarithmic, 10^-5 to 10^3 s"),
        (80, " 4 x16 5 his serial 6 his 4 7 his 8 8 his 16 10^-5 to 10^3"),
        (40, " 1 x1 2 x4 3 x8 4 x16 +4 10^-5 to 10^3"),
    ] {
        let mut model = TablesModel::new("carter", Surface::new(Theme::RICH, Size { width, height: 24 }));
        let chart = TableChart::new(&names, true, "s");
        model.take(TableNews::Table(head("times", vec![TableColumn::text("board", 5)], Some(chart))));
        let values = names.iter().zip(0..).map(|(_, n)| Some(10f64.powi(n - 5) * 5.0)).collect();
        model.take(TableNews::Row(TableRow { cells: vec!["3x4".into()], values, same: None }));
        assert!(text(&model).lines().any(|line| line.ends_with(legend)), "{}", text(&model));
    }
}

/// Sentences below the rows are reached by a key that the footer names, and the lines that are shown are counted.
#[test]
fn the_sentences_below_the_rows_are_announced() {
    let mut model = done(80, 24, Theme::RICH);
    keys(&mut model, "2");
    (0..6).for_each(|_| model.take(TableNews::Row(size("6x6", 36, 4e9))));
    assert!(text(&model).contains("jk rows, notes") && !text(&model).contains("A sentence about"), "{}", text(&model));
    assert!(text(&model).lines().nth(1).is_some_and(|line| line.ends_with("1 to 9 of 13")), "{}", text(&model));
    keys(&mut model, "jjjj");
    assert!(text(&model).contains("A sentence about") && text(&model).contains("5 to 13 of 13"), "{}", text(&model));
}

#[test]
fn a_figure_that_differs_is_said_in_the_row_and_above() {
    let mut model = done(80, 24, Theme::RICH);
    assert!(text(&model).contains("ALL AS EXPECTED"));
    keys(&mut model, "2");
    assert!(text(&model).lines().any(|line| line.contains("4x4") && line.ends_with("DIFFERS")), "{}", text(&model));
    model.take(TableNews::End(false));
    assert_eq!(model.state, TablesState::Done(false));
    assert!(text(&model).contains("A FIGURE DIFFERS"));
}

#[test]
fn work_is_not_ended_without_a_question() {
    let mut running = filling(80, 24, Theme::RICH);
    keys(&mut running, "q");
    assert!(text(&running).contains("leave, and end the work?"));
    assert_eq!(press(&mut running, KeyCode::Char('y')), Some(StageWish::Leave));
    assert_eq!(press(&mut done(80, 24, Theme::RICH), KeyCode::Char('q')), Some(StageWish::Leave));
}

#[test]
fn nothing_ever_panics_whatever_the_screen() {
    for (width, height) in [(0, 0), (1, 1), (39, 9), (40, 10), (41, 11), (60, 18), (500, 12), (40, 200)] {
        for mut model in [filling(width, height, Theme::RICH), done(width, height, Theme::RICH)] {
            for pressed in ["", "2", "#", "#", "jjGkgl", "?"] {
                keys(&mut model, pressed);
                text(&model);
            }
        }
    }
}
