//! The view of the three-cycle board: keys and reports against what is shown, and pictures of the screen. The device is
//! the twin, and what it measures is made up, so that pictures are the same everywhere.

use crate::board::{Board, Ending, Shape};
use crate::gpu::cycle::{CycleCommand, CycleReport, CycleState};
use crate::gpu::{Compass, DeviceChoice, DeviceCost, DeviceKind, DeviceLabel, DoneBy, GpuError};
use crate::run::{self, DeviceState, FilmVerdict, Pilot};
use crate::solve::Request;
use crate::ui::kit::{Common, Effect, ScreenEvent};
use crate::ui::screen::Model;
use crate::ui::step::model::StepTape;
use crate::ui::step::{CyclesSubject, FilmModel, view};
use crate::ui::{Colours, Signs, Theme};
use insta::assert_snapshot;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Size;
use ratatui::style::Color;
use std::time::Duration;

mod labels;

/// A terminal with everything.
const THEME: Theme = Theme::RICH;

/// A model and the device behind it: a board that is run by the twin.
struct Shown {
    model: FilmModel,
    pilot: Pilot,
    device: CycleState,
    orders: Vec<CycleCommand>,
}

impl Shown {
    fn new(board: &str, start: &str, size: (u16, u16), theme: Theme) -> Shown {
        let board: Board = board.parse().expect("a board");
        let start = board.parse_square(start).expect("a square");
        let first = CycleState::new(board, start, Compass::SOURCE).expect("it is small");
        let screen = Size { width: size.0, height: size.1 };
        let subject = CyclesSubject { first: first.clone(), wanted: DeviceChoice::Any, runs: false };
        let model = FilmModel::new(subject, Common::new(theme, screen));
        Shown { model, pilot: Pilot::new(first.clone()), device: first, orders: vec![] }
    }

    /// The source's sample on a device that is there.
    fn sample(size: (u16, u16), theme: Theme) -> Shown {
        let mut bench = Shown::new("8x8", "2,4", size, theme);
        bench.open();
        bench
    }

    fn open(&mut self) {
        let label = DeviceLabel {
            name: "llvmpipe (LLVM 15.0.6, 256 bits)".into(),
            kind: DeviceKind::Software,
            driver: "llvmpipe, Mesa 22.3.6".into(),
        };
        self.report(CycleReport::DoneBy(DoneBy { label, instead: None }));
    }

    fn report(&mut self, report: CycleReport) {
        self.pilot.take(report);
        self.look();
    }

    /// Shows how the device stands.
    fn look(&mut self) {
        self.model.sampled(self.pilot.machine().clone());
    }

    /// What the device is to do, after what has been wished for.
    fn order(&mut self) -> Option<CycleCommand> {
        while let Some(run::Wish::Reach { from, to }) = self.model.tape.wish() {
            self.pilot.reach(from, to);
        }
        let order = self.pilot.order();
        self.look();
        order
    }

    /// Does all that is ordered.
    fn obey(&mut self) {
        while let Some(order) = self.order() {
            self.orders.push(order.clone());
            match order {
                CycleCommand::Load(state) => {
                    self.device = state;
                    self.report(CycleReport::Loaded);
                }
                CycleCommand::Run(cycles) => {
                    (0..cycles).for_each(|_| self.device.cycle());
                    let (wall, device) = (Duration::from_micros(25) * cycles, Duration::from_nanos(11_250) * cycles);
                    let dispatches = cycles.into();
                    let spent = DeviceCost { wall, device: Some(device), dispatches, submits: 1, readbacks: 1 };
                    self.report(CycleReport::Ran { state: self.device.clone(), spent });
                }
            }
        }
    }

    fn press(&mut self, code: KeyCode) -> Effect {
        let wish = self.model.update(ScreenEvent::Key(KeyEvent::new(code, KeyModifiers::NONE)));
        self.obey();
        wish
    }

    fn keys(&mut self, letters: &str) {
        letters.chars().for_each(|letter| assert_eq!(self.press(KeyCode::Char(letter)), Effect::Stay));
    }

    fn pass(&mut self, millis: u64) {
        self.model.update(ScreenEvent::Passed(Duration::from_millis(millis)));
        self.obey();
    }

    fn drawn(&self) -> Terminal<TestBackend> {
        let Size { width, height } = self.model.common.screen;
        let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("no terminal fails less");
        terminal.draw(|frame| view(&self.model, frame)).expect("it draws");
        terminal
    }

    fn text(&self) -> String {
        let terminal = self.drawn();
        let cells = terminal.backend().buffer().content.chunks(usize::from(self.model.common.screen.width.max(1)));
        let line = |cells: &[ratatui::buffer::Cell]| cells.iter().map(|cell| cell.symbol()).collect::<String>();
        cells.map(|cells| line(cells).trim_end().to_owned() + "\n").collect()
    }
}

#[test]
fn screens() {
    for size in [(80, 24), (200, 60), (40, 10)] {
        let name = |phase: &str| format!("{phase}_{}x{}", size.0, size.1);
        let mut bench = Shown::sample(size, THEME);
        bench.keys("28s");
        assert_snapshot!(name("arrive"), bench.text());
        bench.keys("2s");
        assert_snapshot!(name("decide"), bench.text());
    }
    let mut bench = Shown::new("8x8", "2,4", (80, 24), THEME);
    assert_snapshot!("opening", bench.text());
    bench.open();
    bench.keys("G");
    bench.press(KeyCode::Tab);
    assert_snapshot!("complete", bench.text());
    bench.keys("?");
    assert_snapshot!("help", bench.text());
    let mut bench = Shown::new("8x8", "0,2", (80, 24), THEME);
    let why = GpuError::NoAdapter("the Vulkan drivers find no device".into());
    bench.report(CycleReport::DoneBy(DoneBy { label: DeviceLabel::cpu(), instead: Some(why) }));
    bench.keys("G");
    (0..3).for_each(|_| assert_eq!(bench.press(KeyCode::BackTab), Effect::Stay));
    assert_snapshot!("stuck", bench.text());
    for size in [(80, 24), (40, 10)] {
        let ascii = Theme { colours: Colours::None, signs: Signs::Ascii, ..Theme::RICH };
        let mut bench = Shown::sample(size, ascii);
        bench.keys("28s");
        assert_snapshot!(format!("ascii_{}x{}", size.0, size.1), bench.text());
    }
    let mut bench = Shown::new("64x64", "0,0", (80, 24), THEME);
    bench.open();
    bench.keys("900i");
    assert_snapshot!("large", bench.text());
}

#[test]
fn in_ascii_and_without_colour_everything_is_still_said() {
    for size in [(80, 24), (200, 60), (40, 10)] {
        for pressed in ["", "4s", "6s", "z", "?", "12", "G"] {
            let mut bench = Shown::sample(size, Theme { signs: Signs::Ascii, ..THEME });
            bench.keys(pressed);
            assert!(bench.text().is_ascii(), "{pressed}");
            let mut plain = Shown::sample(size, Theme { colours: Colours::None, ..THEME });
            plain.keys(pressed);
            let terminal = plain.drawn();
            let cells = &terminal.backend().buffer().content;
            assert!(cells.iter().all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset));
        }
    }
}

#[test]
fn a_cycle_back_shows_what_was_shown_and_the_device_goes_back_only_to_go_on() {
    let mut bench = Shown::sample((80, 24), THEME);
    let board = |bench: &Shown| {
        let cells = |square| bench.model.tape.film.cell(bench.model.tape.cycle, square);
        let squares = bench.model.tape.film.first().board().all();
        (bench.model.tape.cycle, bench.model.tape.facts(), squares.map(cells).collect::<Vec<_>>())
    };
    let mut seen = Vec::new();
    for _ in 0..190 {
        seen.push(board(&bench));
        bench.keys("s");
    }
    assert!(bench.model.tape.is_finished() && bench.orders.len() == 190);
    for shown in seen.iter().rev() {
        bench.keys("b");
        assert_eq!(&board(&bench), shown);
    }
    bench.keys("b");
    assert!(bench.text().contains("this is the beginning"));
    assert_eq!((bench.orders.len(), bench.model.tape.machine.at), (190, 190));
    bench.keys("40s");
    let [.., CycleCommand::Load(loaded), CycleCommand::Run(40)] = &bench.orders[..] else {
        panic!("{:?}", bench.orders.last())
    };
    assert_eq!((loaded.cycles(), bench.device.cycles()), (0, 40));
    assert_eq!(bench.model.tape.machine.verdict, FilmVerdict::Equal { cycle: 40 });
}

#[test]
fn the_key_of_all_four_channels_is_named_where_there_is_room_and_says_elsewhere_why_it_does_nothing() {
    for (size, shown) in [((200, 60), true), ((140, 34), true), ((139, 34), false), ((80, 24), false)] {
        let mut bench = Shown::sample(size, THEME);
        assert_eq!(bench.text().contains(" z zoom"), shown, "{size:?}: {}", bench.text());
        let before = bench.text();
        bench.keys("z");
        let said = bench.text().contains("there is no room for all four boards below 140x34; tab: the next channel");
        assert_eq!(said, !shown, "{size:?}: {}", bench.text());
        // Where there is room later, all four are shown as before.
        bench.model.update(ScreenEvent::Resized(Size { width: 200, height: 60 }));
        assert_eq!(bench.model.layout().is_some_and(|layout| layout.panes.len() == 6), !shown, "{size:?}");
        assert_ne!(before, bench.text());
    }
    let mut bench = Shown::new("64x64", "0,0", (200, 60), THEME);
    bench.keys("z");
    assert!(bench.text().contains("there is no room for all four boards; tab: the next channel"), "{}", bench.text());
}

#[test]
fn a_device_that_is_wrong_is_shown_loudly() {
    let mut bench = Shown::sample((80, 24), THEME);
    bench.keys("6s");
    let mut cells = bench.device.cells().to_vec();
    cells[9][2] += 1.0;
    bench.device = bench.device.after(6, cells);
    bench.keys("s");
    // The next cycle counts the ranks anew: what is wrong has gone.
    assert_eq!(bench.model.tape.machine.verdict, FilmVerdict::Equal { cycle: 7 });
    let mut cells = bench.device.cells().to_vec();
    cells[9][0] = 7.0;
    bench.device = bench.device.after(7, cells);
    bench.keys("s");
    assert!(matches!(bench.model.tape.machine.verdict, FilmVerdict::Differs { cycle: 8, .. }));
    let text = bench.text();
    assert!(text.contains("THE DEVICE IS WRONG") && text.contains("CHECKED MOVE BY MOVE: WRONG, "), "{text}");
}

/// A board of 129x129 is compared after the first batch, then once a second of batches, and at the end.
#[test]
fn a_large_board_is_compared_once_a_second_and_at_the_end() {
    let mut bench = Shown::new("129x129", "0,0", (80, 24), THEME);
    bench.open();
    let equal = |cycle| FilmVerdict::Equal { cycle };
    assert_eq!(bench.model.tape.machine.verdict, FilmVerdict::Unknown);
    bench.keys("ss");
    assert_eq!(bench.model.tape.machine.verdict, equal(1));
    let report = |wall: u64, bench: &mut Shown| {
        bench.device.cycle();
        let spent = DeviceCost { wall: Duration::from_millis(wall), ..DeviceCost::default() };
        bench.report(CycleReport::Ran { state: bench.device.clone(), spent });
        bench.model.tape.machine.verdict
    };
    assert_eq!(report(500, &mut bench), equal(1));
    assert_eq!(report(500, &mut bench), equal(4));
    assert_eq!(report(999, &mut bench), equal(4));
    while !bench.model.tape.film.look_ahead(u32::MAX) {}
    let end = bench.model.tape.film.end().expect("it is known");
    bench.device = bench.model.tape.film.state(end - 1);
    assert_eq!(report(0, &mut bench), equal(end));
}

#[test]
fn who_did_a_run_is_told_truthfully() {
    let told = |bench: &Shown| {
        let by = bench.model.tape.machine.done_by(&bench.model.tape.film)?;
        Ok::<_, String>((by.label.kind, by.instead.map(|why| why.to_string())))
    };
    let cpu = |why: &str| Ok((DeviceKind::Cpu, Some(why.to_owned())));
    let mut bench = Shown::new("8x8", "2,4", (80, 24), THEME);
    bench.model.update(ScreenEvent::Key(KeyEvent::new(KeyCode::Char('G'), KeyModifiers::NONE)));
    assert!(bench.model.tape.is_finished());
    assert_eq!(told(&bench), cpu("the device was still being opened when the view was left"));
    bench.open();
    let Some(CycleCommand::Run(cycles)) = bench.order() else { panic!("it is to run") };
    assert_eq!(cycles, 12);
    (0..cycles).for_each(|_| bench.device.cycle());
    let ran = |bench: &Shown| CycleReport::Ran { state: bench.device.clone(), spent: DeviceCost::default() };
    bench.report(ran(&bench));
    let name = "llvmpipe (LLVM 15.0.6, 256 bits) (software Vulkan)";
    assert_eq!(told(&bench), cpu(&format!("{name} had got to cycle 12 of 190 when the view was left")));
    bench.obey();
    assert_eq!(told(&bench), Ok((DeviceKind::Software, None)));
    // A square of the last board that knows another number.
    let mut cells = bench.device.cells().to_vec();
    cells[9][0] = 7.0;
    bench.device = bench.device.after(190, cells);
    bench.report(ran(&bench));
    let differs = told(&bench).expect_err("it differs");
    assert_eq!(
        differs,
        format!(
            "the board of {name} is not the one that is computed move by move, in cycle 190; squares that differ: 1, the first b7"
        )
    );

    let mut failed = Shown::sample((80, 24), THEME);
    failed.keys("6s");
    failed.report(CycleReport::Failed(GpuError::Lost("it was unplugged".into())));
    failed.keys("G");
    assert_eq!(told(&failed), cpu("the device was lost: it was unplugged"));
    let mut twin = Shown::new("8x8", "2,4", (80, 24), THEME);
    twin.report(CycleReport::DoneBy(DoneBy { label: DeviceLabel::cpu(), instead: None }));
    twin.keys("G");
    assert_eq!(told(&twin), Ok((DeviceKind::Cpu, None)));
}

#[test]
fn a_board_too_large_to_be_shown_without_a_wait_is_refused() {
    let subject =
        |board: &str| CyclesSubject::of(&Request::new(board.parse::<Shape>().expect("a board"), Ending::Open), true);
    assert!(subject("512x512").is_ok());
    let why = subject("512x513").expect_err("it is too large");
    assert_eq!(
        why,
        "cycles are shown on up to 262,144 squares, 512x513 has 262,656; \
         `destrier find 512x513 --method gpu-cycles` without --watch does the same"
    );
}

#[test]
fn it_runs_as_far_as_the_device_does_and_stops_at_the_end() {
    let mut bench = Shown::sample((80, 24), THEME);
    bench.keys("p");
    // Six cycles a second.
    (0..10).for_each(|_| bench.pass(50));
    assert_eq!(bench.model.tape.cycle, 3);
    bench.keys("++++++++p");
    assert!(!bench.model.playing);
    bench.keys("p");
    (0..20).for_each(|_| bench.pass(50));
    assert_eq!((bench.model.tape.cycle, bench.model.playing, bench.device.cycles()), (190, false, 190));
    bench.keys("p");
    assert!(bench.text().contains("this is the end"));
    bench.keys("5bp");
    bench.pass(50);
    assert!(bench.model.tape.cycle > 185 && bench.model.tape.is_finished());
}

#[test]
fn keys_do_not_wait_for_a_device_and_one_that_is_not_there_is_done_without() {
    let mut bench = Shown::new("5x5", "0,0", (80, 24), THEME);
    bench.keys("6s");
    assert_eq!((bench.model.tape.cycle, bench.orders.len()), (6, 0));
    assert!(bench.text().contains("OPENING DEVICE"));
    bench.open();
    bench.obey();
    assert_eq!(bench.model.tape.machine.verdict, FilmVerdict::Equal { cycle: 6 });
    bench.report(CycleReport::Failed(GpuError::Lost("it was unplugged".into())));
    assert!(matches!(bench.model.tape.machine.state, DeviceState::Failed(_)));
    bench.keys("s");
    assert!(bench.text().contains("it was unplugged"));
    bench.keys("++++++++p");
    (0..20).for_each(|_| bench.pass(50));
    assert!(bench.model.tape.is_finished() && bench.orders.len() == 1);
    assert_eq!(bench.press(KeyCode::Esc), Effect::Close);
}

#[test]
fn a_far_cycle_is_looked_up_in_bursts() {
    let mut bench = Shown::new("200x200", "0,0", (80, 24), THEME);
    bench.keys("G");
    assert!(bench.model.run.is_some() && bench.model.tape.cycle > 0);
    while bench.model.run.is_some() {
        bench.model.update(ScreenEvent::Passed(Duration::from_millis(50)));
    }
    assert!(bench.model.tape.is_finished());
}

#[test]
fn nothing_ever_panics_whatever_the_screen() {
    for (width, height) in [(0, 0), (1, 1), (39, 9), (40, 10), (41, 18), (72, 18), (140, 34), (500, 12)] {
        for (board, start) in [("1x1", "0,0"), ("1x128", "0,0"), ("8x8", "0,2"), ("40x40", "3,3")] {
            let mut bench = Shown::new(board, start, (width, height), THEME);
            for pressed in ["", "4s", "z", "?", "12", "G"] {
                bench.keys(pressed);
                bench.text();
            }
        }
    }
}

/// What a number means before a key, and what esc closes, is as in the view of a search.
#[test]
fn a_film_is_stepped_through_as_a_search_is() {
    let mut bench = Shown::sample((200, 60), THEME);
    for (keys, cycle) in [("30g", 30), ("12g", 12), ("4s", 16), ("2i", 22), ("I", 19), ("b", 18), ("999s", 190)] {
        bench.keys(keys);
        assert_eq!(bench.model.tape.cycle, cycle, "{keys}");
    }
    assert!(bench.text().contains("the end comes before that, at 190"), "{}", bench.text());
    bench.keys("zp");
    assert!(bench.model.focus.zoomed && bench.text().contains("this is the end: b steps back, g goes back"));
    assert_eq!((bench.press(KeyCode::Esc), bench.model.focus.zoomed), (Effect::Stay, false));
    assert_eq!(bench.press(KeyCode::Esc), Effect::Close);
}

/// The model counts 72 and 24 cycles a move; of the source's sample a CPU takes 1,252 steps and a GPU 168 comparisons.
#[test]
fn the_model_stands_beside_what_is_counted() {
    let mut bench = Shown::sample((80, 24), THEME);
    assert!(bench.text().contains("CPU        72, 72 a move; here 0"), "{}", bench.text());
    bench.keys("G");
    let text = bench.text();
    for words in ["model of Kurapati 2007: 3x; here 7.5x", "4,608, 72 a move; here 1,252", "1,536, 24 a move; here 168"]
    {
        assert!(text.contains(words), "{words}:\n{text}");
    }
    let mut bench = Shown::sample((200, 60), THEME);
    bench.keys("G");
    let text = bench.text();
    assert!(
        text.contains("8 x (8 + 1) = 72")
            && text.contains("cycles: 8 x 3 = 24")
            && text.contains("film: All cycles as the CPU computes"),
        "{text}"
    );
}
