//! The screen as text, from fixed snapshots.

use super::fixture::{THEME, drawing, elapsed, ended, fragments, grouped, model, press, seen, simulated, snapshot};
use super::keys::click;
use destrier::board::{Board, Ending, Shape};
use destrier::event::{Event, EventKind};
use destrier::run::{Body, End, SearchEnd};
use destrier::schedule::{Levels, Scheduler, StopReason, WorkerState};
use destrier::solve::{Problem, enumerators};
use destrier::ui::kit::Effect;
use destrier::ui::{Colours, LiveModel, Model, RunModel, Signs, Theme, WorkerOrder, kit, screen_text, view};
use insta::assert_snapshot;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::KeyCode;
use ratatui::style::Color;
use std::collections::HashSet;
use std::time::Duration;

const ASCII: Theme = Theme { signs: Signs::Ascii, ..THEME };

#[test]
fn at_80x24() {
    for workers in [1, 4, 24, 64, 256, 1024, 4096] {
        assert_snapshot!(format!("80x24_{workers}"), screen_text(&model(80, 24, workers, THEME)));
    }
}

#[test]
fn at_40x10() {
    for workers in [1, 64, 256] {
        assert_snapshot!(format!("40x10_{workers}"), screen_text(&model(40, 10, workers, THEME)));
    }
}

/// The name of a board with many holes is as long as the line.
#[test]
fn a_low_header_names_the_rectangle_and_says_that_it_has_holes() {
    for (shape, cut) in [("8x8-a8,h8,a1,h1", "8x8-.. "), ("8x8-a8,b8,c8,d8,e8", "8x8 without 5 .. ")] {
        let head = |width, height| {
            let mut model = model(width, height, 4, THEME);
            model.about.shape = shape.parse().unwrap();
            press(&mut model, KeyCode::Char('-'));
            first_line(&model).trim_start().to_owned()
        };
        assert!(head(40, 10).starts_with(cut), "{}", head(40, 10));
        assert!(head(80, 24).contains(&shape.parse::<Shape>().unwrap().short()), "{}", head(80, 24));
    }
}

#[test]
fn at_200x60() {
    for workers in [1, 64, 256, 1024] {
        assert_snapshot!(format!("200x60_{workers}"), screen_text(&model(200, 60, workers, THEME)));
    }
}

#[test]
fn a_simulation_says_what_its_times_are() {
    for (width, height, workers) in [(40, 10, 64), (80, 24, 1024), (200, 60, 1024)] {
        let mut model = simulated(width, height, workers, THEME);
        assert_snapshot!(format!("simulated_{width}x{height}"), screen_text(&model));
        press(&mut model, KeyCode::Char('-'));
        assert!(first_line(&model).contains("SLOW 200/s"), "below what the clock does: {}", first_line(&model));
    }
}

/// Where cores share caches a row for each tells how its workers do; enter shows these.
#[test]
fn workers_by_cache() {
    for (width, height, workers) in [(40, 10, 64), (80, 24, 64), (80, 24, 256), (200, 60, 64)] {
        let mut model = grouped(width, height, workers, 4);
        press(&mut model, KeyCode::Char('c'));
        press(&mut model, KeyCode::Esc);
        let text = screen_text(&model);
        // The rows are parts of what the heading counts.
        let rows = text.lines().filter_map(|line| line.strip_prefix("│ cache ")?.split_once(' ').map(|(_, row)| row));
        let counts = rows.map(|row| row.split_whitespace().take(3).map(|n| n.parse::<u64>().unwrap()).collect());
        let sums = counts.reduce(|sum: Vec<u64>, row| sum.iter().zip(row).map(|(sum, n)| sum + n).collect());
        let told = |sums: Vec<u64>| format!(" B searching {}  w waiting {}  n {} ", sums[0], sums[1], sums[2]);
        assert!(sums.is_none_or(|sums| text.replace("no processor ", "").contains(&told(sums))), "{text}");
        assert_snapshot!(format!("caches_{width}x{height}_{workers}"), text);
        press(&mut model, KeyCode::Char('6'));
        assert_snapshot!(format!("caches_over_time_{width}x{height}_{workers}"), screen_text(&model));
    }
    let mut model = grouped(120, 36, 64, 4);
    let _ = ['c', 'k', 'k', 'k', 'j', 'j'].map(|key| press(&mut model, KeyCode::Char(key)));
    press(&mut model, KeyCode::Enter);
    let inside: Vec<usize> = model.ranked();
    assert!(screen_text(&model).contains(&format!("threads {} of 64 in cache 2", inside.len())));
    assert!(
        (10..24).contains(&inside.len())
            && inside.iter().all(|&id| (32..48).contains(&model.snapshot.workers[id].on.unwrap()))
    );
    // Caches, sockets, none.
    let title = |model: &mut LiveModel| {
        press(model, KeyCode::Char('c'));
        screen_text(model).lines().find_map(|line| Some(line.split_once("threads ")?.1.split_once(" ─")?.0.to_owned()))
    };
    let titles = [(); 3].map(|()| title(&mut model).unwrap());
    assert_eq!(titles, ["64 by cache", "64 by socket", "64"]);
}

/// The strip has the nodes of the last second beside those of the fastest worker, and stands above every pane.
#[test]
fn from_32_workers_on_a_strip_tells_the_state_and_speed_of_each() {
    let mut model = grouped(120, 36, 48, 4);
    let about = model.about.clone();
    model.begin(about, model.scheduler);
    let base = grouped(120, 36, 48, 4).snapshot;
    for frame in 1..=40 {
        let mut look = base.clone();
        (look.elapsed, look.paused) = (elapsed(frame), false);
        look.workers.iter_mut().zip(0..).for_each(|(worker, id)| worker.nodes = frame as u64 * id * 100);
        model.take(seen(look, Vec::new(), None));
    }
    let strip = |model: &LiveModel, row: &str| {
        let text = screen_text(model);
        let lines: Vec<String> = text.lines().filter_map(|line| Some(line.strip_prefix(row)?.to_owned())).collect();
        lines.concat()
    };
    let drawn: Vec<char> = strip(&model, " nodes ").chars().filter(|letter| "▁▂▃▄▅▆▇".contains(*letter)).collect();
    let columns = |id: usize| (id * 7).div_ceil(47);
    let mut expected: Vec<usize> = (1..48).map(columns).collect();
    expected.sort_unstable();
    let mut seen: Vec<usize> = drawn.iter().map(|letter| *letter as usize - '▁' as usize + 1).collect();
    seen.sort_unstable();
    assert_eq!(seen, expected, "worker 0 has entered none\n{}", screen_text(&model));
    let whole = strip(&model, " state ");
    assert_eq!(whole.split("  ").count(), 2, "two sockets: {whole}");
    assert_eq!(whole.split_whitespace().count(), 4, "four caches: {whole}");
    // A click on a cell selects its worker: the first one, the first one of the other socket, and the last one.
    let cells: Vec<usize> = model.balance.by_place().into_values().flatten().collect();
    let (first, _) = whole.split_once("  ").expect("two sockets");
    let other = first.chars().filter(|letter| *letter != ' ').count();
    let places = [(7, 0), (7 + first.len() + 2, other), (6 + whole.len(), 47)];
    for ((column, place), line) in places.into_iter().flat_map(|place| [(place, 0), (place, 1)]) {
        let top = screen_text(&model).lines().position(|line| line.starts_with(" state ")).expect("a strip");
        click(&mut model, column, top + line);
        assert_eq!(model.selected, cells[place], "{column}\n{}", screen_text(&model));
        click(&mut model, 2, top);
        assert_eq!(model.selected, cells[place], "the names of the rows are no cells");
    }
    for pane in '1'..='8' {
        press(&mut model, KeyCode::Char(pane));
        assert_eq!(strip(&model, " state "), whole, "{pane}");
        press(&mut model, KeyCode::Esc);
    }
    for (width, height, workers) in [(120, 36, 31), (40, 10, 64), (80, 24, 256)] {
        assert_eq!(strip(&grouped(width, height, workers, 4), " state "), "", "{width}x{height} {workers}");
    }
}

/// A run in which worker 0 gives branches, those who got them give others, and some of them have ended.
fn handed(width: u16, height: u16, workers: usize) -> LiveModel {
    let mut model = model(width, height, workers, THEME);
    let about = model.about.clone();
    model.begin(about, model.scheduler);
    let board: Board = "8x8".parse().expect("a board");
    let event = |at: Duration, worker, kind| Event { at, worker, kind };
    let dry = |nodes| EventKind::Idle { nominee: Some(0), level: None, nodes, put_down: false };
    let mut events = vec![event(elapsed(0), 0, EventKind::Began { depth: 0 })];
    events.extend((1..workers).map(|worker| event(elapsed(0), worker, dry(0))));
    for frame in 0..=30 {
        let mut look = snapshot(workers, frame);
        look.workers.iter_mut().for_each(|worker| worker.sharing.hires = 0);
        let mut position = None;
        if frame > 0 {
            let depth = 3 + frame.ilog2() as usize;
            let kind = EventKind::Hired { by: frame / 2, depth, left: None, company: Vec::new(), entered: None };
            events.push(event(elapsed(frame) - Duration::from_millis(70), frame, kind));
            position = Some((frame, drawing(board, frame + 1)));
        }
        let again = frame.checked_sub(1).filter(|before| *before > 0).map(|before| (before, drawing(board, frame + 3)));
        if frame > 20 {
            events.push(event(elapsed(frame), frame, dry(1000 * frame as u64 + 7)));
        }
        let mut seen = seen(look, std::mem::take(&mut events), None);
        let Body::Tree(tree) = &mut seen.body else { panic!("a search") };
        tree.positions.extend(again.into_iter().chain(position));
        model.take(seen);
    }
    model
}

#[test]
fn the_page_of_a_hire_has_its_path_and_the_tree_of_what_came_out_of_it() {
    for (width, height, workers) in [(40, 10, 64), (80, 24, 64), (120, 36, 256), (200, 60, 64)] {
        let mut model = handed(width, height, workers);
        let hires = model.hires.log().filter(|event| event.worker == 5 || event.worker == 22);
        for hire in hires.cloned().collect::<Vec<_>>() {
            let name = format!("hire_{}_{width}x{height}_{workers}", hire.worker);
            model.hire = Some(hire);
            press(&mut model, KeyCode::Char('8'));
            assert_snapshot!(name, screen_text(&model));
            press(&mut model, KeyCode::Esc);
        }
    }
}

/// Where not all workers have room with their figures, those that come first have it, and a line counts the others by their
/// states; a worker that is selected is on its page.
#[test]
fn the_first_workers_of_an_order_stand_with_their_figures() {
    for (width, height, workers) in [(40, 10, 64), (80, 24, 16), (80, 24, 256), (200, 60, 256)] {
        let mut model = model(width, height, workers, THEME);
        model.order = WorkerOrder::Hires;
        assert_snapshot!(format!("ranked_{width}x{height}_{workers}"), screen_text(&model));
    }
    let mut model = model(80, 24, 256, THEME);
    model.order = WorkerOrder::Nodes;
    press(&mut model, KeyCode::Char('G'));
    let last = model.selected;
    assert!(screen_text(&model).lines().any(|line| line.starts_with(&format!("│ {last:>3} "))));
    assert!(screen_text(&model).contains("and 252 more:"));
}

/// The pane says how depths are counted, and since when.
#[test]
fn depths_say_how_they_are_counted() {
    let mut model = model(80, 24, 4, THEME);
    for (levels, since_s, said) in [
        (Levels::Sampled, 0, "╰ sampled, 1 in 64 ─"),
        (Levels::Sampled, 72, "╰ 1 in 64 since 72.0s ─"),
        (Levels::Exact, 5, "╰ exact since 5.00s ─"),
    ] {
        (model.snapshot.levels, model.snapshot.depths_since) = (levels, Duration::from_secs(since_s));
        assert!(screen_text(&model).contains(said), "{said}");
    }
}

/// The workers stand in the order of what they have done, and the title says so.
#[test]
fn workers_in_another_order() {
    let mut model = model(80, 24, 64, THEME);
    press(&mut model, KeyCode::Char('1'));
    for order in ["nodes", "depth", "hires", "waiting_time", "searching_time", "tours"] {
        press(&mut model, KeyCode::Char('o'));
        assert_snapshot!(format!("order_{order}"), screen_text(&model));
    }
    press(&mut model, KeyCode::Char('o'));
    press(&mut model, KeyCode::Char('/'));
    for letter in "wait".chars() {
        press(&mut model, KeyCode::Char(letter));
    }
    assert_snapshot!("find", screen_text(&model));
}

#[test]
fn in_ascii() {
    assert_snapshot!("ascii_4", screen_text(&model(80, 24, 4, ASCII)));
    assert_snapshot!("ascii_256", screen_text(&model(80, 24, 256, ASCII)));
    for (width, height) in [(40, 10), (80, 24), (200, 60)] {
        for workers in [1, 16, 64, 256, 4096] {
            let mut model = model(width, height, workers, ASCII);
            assert!(screen_text(&model).is_ascii());
            press(&mut model, KeyCode::Char('?'));
            assert!(screen_text(&model).is_ascii());
        }
    }
}

#[test]
fn without_colour_everything_is_still_said() {
    let plain = Theme { colours: Colours::None, ..THEME };
    for workers in [1, 64, 256] {
        let without = model(80, 24, workers, plain);
        assert_eq!(screen_text(&without), screen_text(&model(80, 24, workers, THEME)));
        let mut terminal = Terminal::new(TestBackend::new(80, 24)).expect("no terminal fails less");
        terminal.draw(|frame| view(&without, frame)).expect("it draws");
        let cells = &terminal.backend().buffer().content;
        assert!(cells.iter().all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset));
    }
}

#[test]
fn help_and_zoom() {
    let mut model = model(80, 24, 64, THEME);
    press(&mut model, KeyCode::Char('?'));
    assert_snapshot!("help", screen_text(&model));
    press(&mut model, KeyCode::Char('?'));
    for (pane, name) in ('1'..).zip(["threads", "board", "depths", "balance", "hires", "over_time", "worker", "hire"]) {
        press(&mut model, KeyCode::Char(pane));
        assert_snapshot!(format!("zoom_{name}"), screen_text(&model));
    }
}

/// All lines of the help are seen on the smallest screen, and at both ends of it it stays.
#[test]
fn the_help_scrolls_where_it_has_no_room() {
    let mut model = model(40, 10, 64, THEME);
    press(&mut model, KeyCode::F(1));
    assert_snapshot!("help_40x10", screen_text(&model));
    let all = || destrier::ui::KEYS.now().lines().map(|line| format!("│ {:<12}", line.shown(&[])));
    let (mut seen, mut text) = (HashSet::new(), String::new());
    while text != screen_text(&model) {
        text = screen_text(&model);
        seen.extend(all().filter(|keys| text.contains(keys)));
        press(&mut model, KeyCode::PageDown);
    }
    assert!(all().all(|keys| seen.contains(&keys)), "{seen:?}");
    assert_eq!(model.selected, 0);
    let ends = |text: &str| {
        let (_, lines) = text.split_once(" to ").expect("lines are counted");
        let (last, all) = lines.split_once(" of ").expect("lines are counted");
        last == all.split(" ").next().unwrap_or_default()
    };
    let line = text.lines().find(|line| line.contains("space: lines ")).expect("lines are counted");
    assert!(ends(line), "{line}");
    press(&mut model, KeyCode::Home);
    assert_eq!(press(&mut model, KeyCode::Up), Effect::Stay);
    assert!(screen_text(&model).contains("space: lines 1 to 8 of "));
    press(&mut model, KeyCode::F(1));
    press(&mut model, KeyCode::Down);
    assert!(model.selected > 0, "without the help the key is the screen's");
}

#[test]
fn boards_of_every_shape() {
    for (rows, cols) in [(3, 10), (10, 3), (5, 5), (1, 1), (8, 16), (11, 11), (1, 128), (128, 1)] {
        let mut model = model(80, 24, 4, THEME);
        model.about.shape = Board::new(rows, cols).expect("a board").into();
        let board = model.about.shape.board();
        model.drawing = drawing(board, 30);
        assert_snapshot!(format!("board_{rows}x{cols}"), screen_text(&model));
    }
}

#[test]
fn several_chains_are_numbered_each_from_one() {
    let mut model = model(120, 40, 4, THEME);
    let board = model.about.shape.board();
    model.drawing = fragments(board);
    assert_snapshot!("fragments", screen_text(&model));
}

/// Twelve squares of each of four pieces, on every terminal the same.
#[test]
fn pieces_are_told_apart_without_colours() {
    let plain = Theme { colours: Colours::None, ..THEME };
    for theme in [THEME, plain, Theme { signs: Signs::Ascii, ..plain }] {
        for (width, height) in [(80, 24), (200, 60)] {
            let mut model = model(width, height, 4, theme);
            model.drawing = fragments(model.about.shape.board());
            press(&mut model, KeyCode::Char('2'));
            let zoomed = screen_text(&model);
            assert!(zoomed.contains("board, worker 0, a letter for each piece"), "{zoomed}");
            // Letters alone where squares are narrow, behind numbers where they are wide.
            press(&mut model, KeyCode::Char('2'));
            for text in [zoomed, screen_text(&model)] {
                let board = text.split_once("board, worker 0").map_or("", |(_, below)| below);
                let words: Vec<&str> = board.split(|c: char| !c.is_ascii_alphanumeric()).collect();
                for piece in ["A", "B", "C", "D"] {
                    let alone = words.iter().filter(|word| **word == piece).count();
                    let numbered = (1..=12).filter(|n| words.contains(&&*format!("{n}{piece}"))).count();
                    assert!(alone >= 12 || numbered == 12, "{piece} {alone} {numbered}:\n{text}");
                }
            }
        }
    }
}

#[test]
fn no_notice_is_cut() {
    for (width, height) in [(80, 24), (200, 60), (40, 10)] {
        let mut model = model(width, height, 4, THEME);
        for scheduler in Scheduler::ALL {
            model.scheduler = scheduler;
            for letter in "Sy".chars() {
                let _ = press(&mut model, KeyCode::Char(letter));
            }
            let said = model.common.notice.clone().expect("it says something").text;
            assert!(said.starts_with("started again under "), "{said}");
            assert_said(&model, &said);
        }
        for solver in enumerators() {
            let problem = Problem::new(model.about.shape.board(), Ending::Closed);
            if let Err(refusal) = solver.step_view(&problem) {
                let text = refusal.to_string();
                model.update(kit::ScreenEvent::Said(kit::Notice { text: text.clone(), bad: true }));
                assert_said(&model, &text);
            }
        }
        // Without blanks it is broken where the line ends.
        let text = "~".repeat(130);
        model.update(kit::ScreenEvent::Said(kit::Notice { text, bad: true }));
        assert_eq!(screen_text(&model).matches('~').count(), 130);
    }
}

/// The last lines of the screen are this text, word by word.
fn assert_said(model: &LiveModel, said: &str) {
    let text = screen_text(model);
    let words: Vec<&str> = said.split_whitespace().collect();
    let shown: Vec<&str> = text.split_whitespace().collect();
    assert!(shown.ends_with(&words), "{said}:\n{text}");
}

fn first_line(model: &LiveModel) -> String {
    screen_text(model).lines().next().unwrap_or_default().to_owned()
}

#[test]
fn what_the_journal_could_not_take_is_said() {
    let mut model = model(80, 24, 4, THEME);
    assert!(!screen_text(&model).contains("REC"));
    model.playback.set_unrecorded(Some(0));
    assert!(screen_text(&model).contains("REC"));
    model.playback.set_unrecorded(Some(12));
    assert!(screen_text(&model).contains("REC 12 frames lost"), "{}", screen_text(&model));
}

#[test]
fn the_header_says_how_the_run_is() {
    let mut model = model(80, 24, 4, THEME);
    press(&mut model, KeyCode::Char('-'));
    assert!(first_line(&model).contains(" SLOW 1000/s each, about 1/160k "));
    press(&mut model, KeyCode::Char('p'));
    assert!(first_line(&model).contains(" PAUSED   0:03."));
    model.snapshot.events_lost = 1234;
    assert!(screen_text(&model).contains("1,234 events lost"));
    model.end(ended(Some(StopReason::Deadline), Duration::from_secs(60)));
    assert!(first_line(&model).ends_with(" STOPPED: deadline   1:00"));
    model.end(ended(None, Duration::from_secs(61)));
    assert!(first_line(&model).ends_with(" FINISHED   1:01"));
    assert!(screen_text(&model).contains(" closed tours, undirected; complete"));
}

/// The board of a run that has ended is no position of the present: a tour, if one is known, or what was seen last.
#[test]
fn the_board_of_an_ended_run_says_what_it_is() {
    for (width, height, titles) in [
        (80, 24, ["2 board, worker 0 ", "2 worker 0 at end ", "2 board, a tour found"]),
        (200, 60, ["2 board, worker 0 ", "2 board, worker 0 at its end ", "2 board, a tour found"]),
    ] {
        let mut model = model(width, height, 4, THEME);
        let is_titled = |model: &LiveModel, title: &str| {
            let text = screen_text(model);
            assert!(text.contains(title), "{title}: {text}");
        };
        is_titled(&model, titles[0]);
        model.end(ended(None, Duration::from_secs(61)));
        is_titled(&model, titles[1]);
        press(&mut model, KeyCode::Char('{'));
        is_titled(&model, titles[0]);
        press(&mut model, KeyCode::Char('}'));
        let End::Run(end) = ended(None, Duration::from_secs(61)) else { unreachable!("it is the end of a search") };
        model.end(End::Run(SearchEnd { tour: Some(fragments(model.about.shape.board())), ..end }));
        is_titled(&model, titles[2]);
    }
}

/// Where a worker without a branch stood is no position of the present.
#[test]
fn the_board_of_a_worker_without_a_branch_is_its_last_one() {
    for (width, height) in [(80, 24), (200, 60)] {
        let mut model = model(width, height, 4, THEME);
        assert!(!screen_text(&model).contains("last board"), "{}", screen_text(&model));
        let mut waits = snapshot(4, 31);
        waits.workers[0].state = WorkerState::Waiting;
        model.take(seen(waits, Vec::new(), None));
        let text = screen_text(&model);
        assert!(text.contains("╰ its last board ─"), "{text}");
        press(&mut model, KeyCode::Char('7'));
        assert!(height < 60 || screen_text(&model).contains(" its last board "), "{}", screen_text(&model));
    }
}

#[test]
fn too_small_says_what_is_needed_and_nothing_ever_panics() {
    assert!(screen_text(&model(39, 10, 4, THEME)).contains("need 40x10, have 39x10"));
    for (width, height) in [(0, 0), (1, 1), (5, 1), (39, 9), (40, 9), (40, 10), (41, 11), (60, 13), (79, 23), (500, 12)]
    {
        for workers in [1, 7, 64, 4096] {
            let mut model = model(width, height, workers, THEME);
            for pane in '1'..='6' {
                press(&mut model, KeyCode::Char(pane));
                screen_text(&model);
            }
            press(&mut model, KeyCode::Char('?'));
            screen_text(&model);
        }
    }
}

/// A hole is no square that is still free.
#[test]
fn holes_are_drawn_on_the_board() {
    for (width, height) in [(80, 24), (200, 60)] {
        let walls = |shape: &str| {
            let mut model = model(width, height, 4, THEME);
            model.about.shape = shape.parse().expect("a shape");
            screen_text(&model).matches(THEME.glyphs().wall).count()
        };
        assert_eq!(walls("8x8-f7,h8"), walls("8x8") + 2, "{width}x{height}");
    }
}
