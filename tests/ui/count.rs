//! The view of a count: snapshots and keys against what is shown, and pictures of the screen.

use super::fixture::{THEME, asks_before_it_ends, drawn, key_of, noise};
use super::tape::{Played, Tape};
use destrier::board::{Ending, Shape, Square};
use destrier::count::{CountPhase, CountQuestion, Modulus, RowMeter, ThreadMeter};
use destrier::run::{Body, End, Frame};
use destrier::ui::count::{CountModel, CountPane, CountResult, CountSnapshot, FrontierPlace, KEYS, view};
use destrier::ui::kit::{self, Action, Common, Effect, Playback, TimeView};
use destrier::ui::{Colours, Model, RunModel, Theme, Wire};
use insta::assert_snapshot;
use ratatui::Terminal;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Size;
use std::time::Duration;

/// States of 8x8 closed by row, in millions; the share of them that is not zero; the width of their counters in the
/// end, 0 where only what is not zero is kept; seconds.
const ROWS: [(u64, f64, u32, f64); 8] = [
    (24, 0.001, 0, 0.02),
    (429, 0.006, 0, 0.31),
    (936, 0.068, 16, 0.94),
    (1728, 0.44, 32, 2.41),
    (626, 0.89, 32, 1.02),
    (197, 0.95, 32, 0.37),
    (3, 0.97, 64, 0.01),
    (0, 1.0, 64, 0.0),
];
const MILLION: u64 = 1_000_000;

fn question(board: &str, ending: Ending) -> CountQuestion {
    CountQuestion::new(board.parse::<Shape>().expect("a board"), ending)
}

fn model(question: &CountQuestion, threads: usize, (width, height): (u16, u16), theme: Theme) -> CountModel {
    CountModel::new(question, threads, Common::new(theme, Size { width, height }))
}

/// 8x8 closed when so many squares are processed and half of the next one, after so many seconds.
fn snapshot(threads: usize, square: usize, elapsed_s: f64) -> CountSnapshot {
    let done = square as f64 + 0.5;
    let by_row: Vec<RowMeter> = (0..)
        .zip(ROWS)
        .map(|(row, (millions, nonzero, bits, seconds))| {
            let share = ((done - f64::from(row) * 8.0) / 8.0).clamp(0.0, 1.0);
            let stored = (share * (millions * MILLION) as f64) as u64;
            let bits = if share > 0.0 { bits } else { 0 };
            RowMeter {
                planned: millions * MILLION,
                done: stored,
                nonzero: (stored as f64 * nonzero) as u64,
                bits,
                seconds: seconds * share,
            }
        })
        .collect();
    let contexts = 1024;
    let states: u64 = by_row.iter().map(|row| row.done).sum();
    let thread = |id: usize| ThreadMeter {
        context: (threads == 1 || id % 16 != 5).then(|| (400 + noise(id, square) % 300) as u32),
        contexts_done: 12_000 / threads as u64 + id as u64,
        states: states / threads as u64 + u64::from((id as u64) < states % threads as u64),
        busy_s: (elapsed_s - 0.5) * (0.9 + (noise(id, 2) % 100) as f64 / 1000.0),
    };
    let row = (square / 8) as u32;
    CountSnapshot {
        phase: CountPhase::Counting,
        pass: 0,
        passes: 0,
        modulus: Modulus::None,
        sweep: 0,
        sweeps: 1,
        square,
        squares: 64,
        row,
        rows: 8,
        states,
        states_planned: by_row.iter().map(|row| row.planned).sum(),
        threads: (0..threads).map(thread).collect(),
        contexts,
        contexts_done: contexts / 2,
        bits: ROWS[row as usize].2,
        largest: 2_066_930,
        sparse: row < 2,
        buffer_bytes: 2_400 * MILLION,
        spilled_bytes: 0,
        memory_limit: 3 << 30,
        elapsed_s,
        left_s: Some(3.4),
        by_row,
    }
}

/// A count of 8x8 closed in its fourth row.
pub fn counting(threads: usize, size: (u16, u16), theme: Theme) -> CountModel {
    let mut model = model(&question("8x8", Ending::Closed), threads, size, theme);
    for (square, elapsed_s) in [(2, 0.6), (9, 1.0), (18, 1.6), (24, 2.2), (26, 2.8), (28, 3.3), (29, 3.8)] {
        sample(&mut model, snapshot(threads, square, elapsed_s));
    }
    model
}

fn sample(model: &mut CountModel, now: CountSnapshot) {
    model.take(Frame { body: Body::Count(Box::new(now)), events: Vec::new() });
}

fn answer(digits: &str) -> CountResult {
    CountResult {
        digits: digits.into(),
        also: Some(("26534728821064".into(), "directed".into())),
        how: "every count fitted in 64 bits, so that one pass is exact by itself".into(),
        resumed: None,
    }
}

/// The same count with its answer.
pub fn answered(size: (u16, u16), theme: Theme) -> CountModel {
    let mut model = counting(2, size, theme);
    sample(&mut model, CountSnapshot { phase: CountPhase::Done, square: 64, row: 7, ..snapshot(2, 63, 7.25) });
    assert!(model.end(End::Count(answer("13267364410532"))));
    model
}

/// The reason is that of the summary.
#[test]
fn a_board_without_tours_is_not_begun() {
    let mut model = model(&question("4x4", Ending::Closed), 2, (80, 24), THEME);
    sample(&mut model, CountSnapshot { phase: CountPhase::Done, threads: Vec::new(), ..CountSnapshot::default() });
    let settled = CountResult { how: "one side is 4".to_owned(), also: None, ..answer("0") };
    model.end(End::Count(settled));
    let text = screen(&model);
    assert!(text.contains("no count was needed") && text.contains("not begun"), "{text}");
    assert!(!text.contains("square  0") && !text.contains("frontier"), "{text}");
}

fn press(model: &mut CountModel, code: KeyCode) -> Effect {
    model.update(kit::ScreenEvent::Key(KeyEvent::new(code, KeyModifiers::NONE)))
}

fn screen(model: &CountModel) -> String {
    drawn(model.common.screen, |frame| view(model, frame))
}

#[test]
fn while_it_is_planned_there_is_a_board_and_no_figures() {
    assert_snapshot!(screen(&model(&question("8x8", Ending::Closed), 2, (80, 24), THEME)));
}

#[test]
fn a_count_in_its_middle() {
    assert_snapshot!("80x24", screen(&counting(2, (80, 24), THEME)));
    assert_snapshot!("200x60", screen(&counting(2, (200, 60), THEME)));
    assert_snapshot!("40x10", screen(&counting(2, (40, 10), THEME)));
    assert_snapshot!("ascii", screen(&counting(2, (80, 24), Theme::from_env(|_| None))));
    let plain = Theme { colours: Colours::None, ..THEME };
    assert_snapshot!("without_colours", screen(&counting(2, (80, 24), plain)));
}

#[test]
fn from_one_thread_to_256_all_have_a_place() {
    for threads in [1, 16, 64, 256] {
        assert_snapshot!(format!("80x24_{threads}"), screen(&counting(threads, (80, 24), THEME)));
    }
    assert_snapshot!("200x60_256", screen(&counting(256, (200, 60), THEME)));
    assert_snapshot!("40x10_256", screen(&counting(256, (40, 10), THEME)));
}

#[test]
fn the_answer_stays_with_its_convention_and_how_it_was_found() {
    assert_snapshot!("answer_80x24", screen(&answered((80, 24), THEME)));
    assert_snapshot!("answer_200x60", screen(&answered((200, 60), THEME)));
    assert_snapshot!("answer_40x10", screen(&answered((40, 10), THEME)));
    assert_snapshot!("answer_ascii", screen(&answered((80, 24), Theme::from_env(|_| None))));
}

/// However small the screen and long the number: what is shown says that it is cut, and what it counts.
#[test]
fn a_number_that_is_too_long_is_cut_and_keeps_its_convention() {
    let digits = "1234567890".repeat(30);
    for (width, height) in [(40, 10), (40, 16), (60, 24), (80, 24), (200, 60)] {
        let mut model = counting(2, (width, height), THEME);
        let answered = CountResult { also: Some((digits.clone(), "directed".into())), ..answer(&digits) };
        model.end(End::Count(answered));
        let text = screen(&model);
        for words in ["of 8x8", "undirected;", ".. 300", " directed", "123,456,"] {
            assert!(text.contains(words), "{words} on {width}x{height}:\n{text}");
        }
    }
}

/// What an earlier run has stored was not stored in this one's time.
#[test]
fn a_count_that_goes_on_does_not_take_the_states_of_its_checkpoint_for_its_own() {
    let resumed = |elapsed_s, own: u64| {
        let mut now = snapshot(2, 40, elapsed_s);
        for thread in &mut now.threads {
            thread.states = own / 2;
        }
        now.states = 600 * MILLION + own;
        now
    };
    let mut model = model(&question("8x8", Ending::Closed), 2, (80, 24), THEME);
    // It has begun, and the checkpoint is being read.
    sample(&mut model, CountSnapshot { states: 0, ..resumed(1.0, 0) });
    sample(&mut model, resumed(1.5, 0));
    assert_eq!(model.pace.per_s(), Some(0.0));
    sample(&mut model, resumed(3.0, 300 * MILLION));
    assert_eq!(model.pace.per_s(), Some(200.0 * MILLION as f64));
    sample(&mut model, resumed(3.0, 300 * MILLION));
    model.end(End::Count(answer("13267364410532")));
    // The time is that of the whole, and so are the states.
    let ended = screen(&model);
    assert!(ended.contains("took 3.00s  mean states/s 300M"), "{ended}");
    press(&mut model, KeyCode::Char('5'));
    let zoomed = screen(&model);
    assert!(zoomed.contains(" mean     300M "), "{zoomed}");
}

#[test]
fn a_further_pass_says_its_modulus_and_a_second_sweep_which_it_is() {
    let asked = CountQuestion { strict: true, ..question("8x10", Ending::Open) };
    let mut model = model(&asked, 2, (80, 24), THEME);
    let now = CountSnapshot {
        pass: 2,
        modulus: Modulus::Prime(2_147_483_647),
        sweep: 1,
        sweeps: 2,
        spilled_bytes: 5 << 30,
        ..snapshot(2, 40, 90.0)
    };
    sample(&mut model, now);
    let text = screen(&model);
    for words in [
        "8x10",
        "open tours that cannot be closed",
        "directed",
        "pass 3, modulo the prime 2,147,483,647",
        "sweep 2 of 2",
        "5 GiB",
    ] {
        assert!(text.contains(words), "{words}:\n{text}");
    }
}

#[test]
fn the_help_explains_the_looks_and_the_words() {
    let mut model = counting(2, (80, 24), THEME);
    press(&mut model, KeyCode::Char('?'));
    assert_snapshot!("help", screen(&model));
}

#[test]
fn keys_zoom_a_pane_turn_the_focus_and_leave() {
    let mut model = counting(2, (80, 24), THEME);
    let focus = |model: &CountModel| (model.focus.pane, model.focus.zoomed);
    assert_eq!(focus(&model), (CountPane::Rows, false));
    for (key, expected) in [
        (KeyCode::Tab, (CountPane::Threads, false)),
        (KeyCode::BackTab, (CountPane::Rows, false)),
        (KeyCode::BackTab, (CountPane::Sweep, false)),
        // There is no room for the history, so that memory is the last one.
        (KeyCode::BackTab, (CountPane::Memory, false)),
        (KeyCode::Tab, (CountPane::Sweep, false)),
        (KeyCode::Char('z'), (CountPane::Sweep, true)),
        (KeyCode::BackTab, (CountPane::History, true)),
        (KeyCode::Char('5'), (CountPane::History, false)),
        (KeyCode::Char('3'), (CountPane::Threads, true)),
        (KeyCode::Char('4'), (CountPane::Memory, true)),
        (KeyCode::Esc, (CountPane::Memory, false)),
    ] {
        assert_eq!(press(&mut model, key), Effect::Stay);
        assert_eq!(focus(&model), expected, "{key:?}");
    }
    assert_eq!(press(&mut model, KeyCode::Esc), Effect::Close);
    let answers = ['q', 'n', 'q', 'y'].map(|key| press(&mut model, KeyCode::Char(key)));
    assert_eq!(answers, [Effect::Stay, Effect::Stay, Effect::Stay, Effect::Leave]);
    let mut done = answered((80, 24), THEME);
    assert_eq!(press(&mut done, KeyCode::Char('q')), Effect::Leave);
}

#[test]
fn a_moment_that_is_past_is_shown_without_the_answer_and_now_with_it() {
    let mut model = counting(2, (80, 24), THEME);
    let press = |model: &mut CountModel, letter| assert_eq!(press(model, KeyCode::Char(letter)), Effect::Stay);
    press(&mut model, 'b');
    assert_eq!(model.seen.square, 28);
    sample(&mut model, snapshot(2, 40, 5.0));
    model.end(End::Count(answer("13267364410532")));
    let text = screen(&model);
    assert!(text.contains("square 28 of 64") && text.contains("PAST 0:03.300  0:00"), "{text}");
    let header = |model: &CountModel| screen(model).lines().next().unwrap_or_default().to_owned();
    assert!(header(&model).contains(" PAST  0:03"), "{text}");
    assert!(!text.contains("26,534,728,821,064 directed"));
    press(&mut model, '{');
    assert_eq!((model.seen.square, model.history.points().len()), (2, 1));
    press(&mut model, 'p');
    model.update(kit::ScreenEvent::Passed(Duration::from_secs(1)));
    assert_eq!((model.seen.square, model.history.points().len()), (18, 3));
    press(&mut model, '}');
    assert_eq!((model.seen.square, model.playback.shown()), (40, None));
    assert!(screen(&model).contains("26,534,728,821,064 directed"));
    assert!(header(&model).contains(" DONE  0:05"), "{}", header(&model));
    // The number is copied as text, on a screen too narrow for all of it as well.
    for width in [80, 40] {
        model.common.screen.width = width;
        let said = "13,267,364,410,532 closed tours of 8x8, undirected; 26,534,728,821,064 directed\n";
        assert!(matches!(model.clip(), Some(kit::Clip::Text(_, text)) if text == said), "{:?}", model.clip());
    }
}

/// A recording of a count, held in its middle.
fn recording() -> CountModel {
    let frame = |(square, s)| Frame { body: Body::Count(Box::new(snapshot(2, square, s))), events: Vec::new() };
    let frames = [(2, 0.6), (9, 1.0), (18, 1.6), (24, 2.2), (26, 2.8), (28, 3.3), (29, 3.8)].map(frame).to_vec();
    let mut model = model(&question("8x8", Ending::Closed), 2, (200, 60), THEME);
    model.replay(Playback::recorded(&mut Played::new(Tape { frames, end: None })));
    for key in "@50%".chars().map(KeyCode::Char).chain([KeyCode::Enter]) {
        assert_eq!(press(&mut model, key), Effect::Stay);
    }
    model
}

#[test]
fn every_key_in_the_help_of_a_recorded_count_does_something() {
    let state = |model: &CountModel| {
        let (theme, history) = (model.common.theme, format!("{:?}", model.history));
        (screen(model), theme, history, model.focus, model.playback.shown())
    };
    let keys = recording().playback.keys(&KEYS);
    assert_eq!(keys.view, TimeView::Recording);
    let listed: Vec<Action> = keys.lines().flat_map(|line| line.all()).collect();
    for &action in &listed {
        let mut model = recording();
        let before = state(&model);
        let wish = model.update(kit::ScreenEvent::Key(key_of(action)));
        let said = model.common.notice.take();
        assert!(said.as_ref().is_none_or(|said| !said.bad), "{action:?}: {said:?}");
        assert!(wish != Effect::Stay || said.is_some() || state(&model) != before, "{action:?} does nothing");
    }
    // A count has no events, and cannot be left to go on once it is over.
    for action in [Action::PreviousEvent, Action::NextEvent, Action::Detach] {
        assert!(!listed.contains(&action), "{action:?}");
    }
}

#[test]
fn a_count_that_is_written_down_says_so_in_each_phase() {
    let planning = model(&question("8x8", Ending::Closed), 2, (80, 24), THEME);
    for mut model in [planning, counting(2, (80, 24), THEME), answered((80, 24), THEME)] {
        assert!(!screen(&model).contains("REC"));
        model.playback.set_unrecorded(Some(0));
        assert!(screen(&model).contains(" REC ") && !screen(&model).contains("lost"), "{}", screen(&model));
        model.playback.set_unrecorded(Some(12));
        assert!(screen(&model).contains(" REC 12 frames lost "), "{}", screen(&model));
    }
}

#[test]
fn every_pane_has_the_screen_to_itself_and_gives_it_back_to_the_answer() {
    let mut model = counting(2, (40, 10), THEME);
    for (key, words) in [('1', "frontier of 16"), ('2', "row"), ('3', "contexts"), ('4', "2,066,930"), ('5', "speed")] {
        press(&mut model, KeyCode::Char(key));
        assert!(screen(&model).contains(words), "{words}:\n{}", screen(&model));
    }
    model.end(End::Count(answer("13267364410532")));
    assert!(screen(&model).contains("13,267,364,410,532"));
}

#[test]
fn the_sweep_takes_a_square_and_its_mirror_image() {
    let model = counting(2, (80, 24), THEME);
    let names = |squares: &[Square]| squares.iter().map(|&square| model.board.name(square)).collect::<Vec<_>>();
    assert_eq!(names(&model.order[..9]), ["a8", "h8", "c8", "f8", "e8", "d8", "g8", "b8", "a7"]);
    let at = |row, col| model.place(model.board.square(row, col).expect("it is on the board"));
    // 29 squares are processed: three rows, and five of the fourth one.
    assert_eq!((at(2, 7), at(3, 7), at(3, 3)), (FrontierPlace::Behind, FrontierPlace::Behind, FrontierPlace::Now));
    assert_eq!(
        (at(3, 1), at(5, 1), at(5, 2), at(6, 0)),
        (FrontierPlace::Frontier, FrontierPlace::Frontier, FrontierPlace::Ahead, FrontierPlace::Ahead)
    );
    let on_frontier = |square: &&Square| matches!(model.place(**square), FrontierPlace::Frontier | FrontierPlace::Now);
    assert_eq!(model.frontier(), model.order.iter().filter(on_frontier).count());
    let wide = self::model(&question("3x10", Ending::Closed), 1, (80, 24), THEME);
    assert_eq!((wide.board.rows(), wide.board.cols()), (10, 3));
}

/// Holes are no part of the order and of the frontier, and are marked on the board.
#[test]
fn the_sweep_goes_around_holes() {
    let mut model = model(&question("8x8-c8,f8,d6,e6", Ending::Closed), 2, (100, 40), THEME);
    let names = |squares: &[Square]| squares.iter().map(|&square| model.board.name(square)).collect::<Vec<_>>();
    assert_eq!(names(&model.order[..7]), ["a8", "h8", "e8", "d8", "g8", "b8", "a7"]);
    sample(&mut model, CountSnapshot { square: 15, ..snapshot(2, 17, 1.0) });
    let at = |row, col| model.place(model.board.square(row, col).expect("it is on the board"));
    assert_eq!((at(0, 2), at(2, 3), at(1, 0)), (FrontierPlace::Hole, FrontierPlace::Hole, FrontierPlace::Behind));
    let on_frontier = |square: &&Square| matches!(model.place(**square), FrontierPlace::Frontier | FrontierPlace::Now);
    assert_eq!(model.frontier(), model.order.iter().filter(on_frontier).count());
    let text = screen(&model);
    assert!(text.contains("8x8-c8,f8,d6,e6") && text.matches('\u{2592}').count() == 4, "{text}");
    sample(&mut model, CountSnapshot { phase: CountPhase::Done, square: 60, ..snapshot(2, 59, 2.0) });
    assert_eq!(model.frontier(), 0);
}

#[test]
fn the_screen_of_any_size_can_be_drawn() {
    for (width, height) in [(40, 10), (40, 15), (40, 16), (72, 16), (71, 19), (41, 50), (300, 11), (300, 100)] {
        for (board, threads) in [("8x8", 4096), ("3x200", 2), ("1x1", 1), ("10x10", 7)] {
            let asked = question(board, Ending::Open);
            let mut model = model(&asked, threads, (width, height), THEME);
            assert!(screen(&model).contains("PLANNING"));
            let rows = model.board.rows();
            let by_row = vec![RowMeter { planned: u64::MAX / 512, done: 5, ..RowMeter::default() }; rows as usize];
            let now = CountSnapshot { by_row, row: rows - 1, rows, largest: u128::MAX, ..snapshot(threads, 60, 1e9) };
            sample(&mut model, now);
            assert!(screen(&model).contains(board));
            let long = "1234567890".repeat(9);
            model.end(End::Count(answer(&long)));
            assert!(screen(&model).contains("DONE"));
            press(&mut model, KeyCode::Char('?'));
            assert!(screen(&model).contains("help"));
        }
    }
    let mut model = counting(2, (39, 9), THEME);
    assert!(screen(&model).contains("need 40x10"));
    assert_eq!(press(&mut model, KeyCode::Char('z')), Effect::Stay);
}

#[test]
fn a_second_takes_few_bytes() {
    const FRAMES: usize = 40;
    for threads in [2, 64, 256] {
        let mut sent = Vec::new();
        let mut model = counting(threads, (80, 24), THEME);
        let mut terminal = Terminal::new(Wire::new(&mut sent, Size::new(80, 24))).expect("a vector takes everything");
        for frame in 0..FRAMES {
            let mut now = snapshot(threads, 24 + frame / 5, 3.8 + frame as f64 / 10.0);
            for (id, thread) in now.threads.iter_mut().enumerate() {
                thread.context = (id % 16 != frame % 16).then(|| (noise(id, frame) % 1024) as u32);
            }
            sample(&mut model, now);
            terminal.draw(|frame| view(&model, frame)).expect("a vector takes everything");
        }
        drop(terminal);
        let bytes = sent.len() * 10 / FRAMES;
        assert!((500..12_000).contains(&bytes), "{threads} threads: {bytes} bytes a second");
    }
}

#[test]
fn a_count_ends_after_a_question_and_by_no_key_that_is_held_down() {
    asks_before_it_ends(|| counting(2, (80, 24), THEME));
}
