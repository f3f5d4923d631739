//! A run that is kept and given again is shown as it was while it went on: no view knows which it looks at.

use super::tape::{Played, Tape, Taped};
use destrier::board::{Board, Ending, Shape};
use destrier::count::{self, Settings};
use destrier::gpu::DeviceChoice;
use destrier::gpu::map::{Batch, Map};
use destrier::run::{Beginning, Body, Continuation, CountResult, CountSource, CycleSource, End, Filled, Frame, Live};
use destrier::run::{Outbox, Plan, Question, Source};
use destrier::solve::{Problem, Request, solver_by_name};
use destrier::ui::kit::ScreenEvent;
use destrier::ui::screen::Screen;
use destrier::ui::step::{self, CyclesSubject};
use destrier::ui::{Session, live};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Size;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const SIZE: Size = Size { width: 100, height: 30 };

fn plan(board: &str, solver: &str) -> Plan {
    let problem = Problem::new(board.parse::<Shape>().unwrap(), Ending::Closed);
    Plan::of(Question::Search(solver_by_name(solver).unwrap(), problem), 3)
}

fn key(key: char) -> ScreenEvent {
    ScreenEvent::Key(KeyEvent::new(KeyCode::Char(key), KeyModifiers::NONE))
}

/// Looks at a run before it begins: it may be over soon after.
const BEFORE: usize = 6;

/// The live view of a source, and all that it shows from its first frame to its end.
fn shown(source: impl FnMut(&Plan, Beginning) -> Box<dyn Source> + 'static) -> Vec<Buffer> {
    let session = Session {
        plan: plan("6x7", "path"),
        may_restart: true,
        fps: Some(60),
        beginning: Beginning { paused: true, ..Beginning::default() },
        launch: Box::new(source),
        prepare_detach: Box::new(|| Ok(())),
    };
    let mut screen = live::screen(session, SIZE);
    let mut terminal = Terminal::new(TestBackend::new(SIZE.width, SIZE.height)).unwrap();
    let mut buffers = Vec::new();
    // The clock of the view: each look is due.
    let mut now = Instant::now();
    while screen.due().is_some() {
        if buffers.len() == BEFORE {
            drop(screen.take(key('p')));
        }
        now += Duration::from_secs(1);
        screen.tick(now);
        terminal.draw(|frame| screen.draw(frame)).unwrap();
        buffers.push(terminal.backend().buffer().clone());
        std::thread::sleep(Duration::from_millis(2));
    }
    buffers
}

#[test]
fn a_search_is_shown_again_as_it_was() {
    let tape: Arc<Mutex<Tape>> = Arc::default();
    let keep = Arc::clone(&tape);
    let live = shown(move |plan, beginning| {
        let run = Live::start(plan, beginning, Continuation::default(), None, Outbox::default());
        Box::new(Taped::new(run, Arc::clone(&keep)))
    });
    let tape = written(&tape.lock().unwrap());
    assert!(live.len() > BEFORE && tape.frames.len() > BEFORE, "{} {}", live.len(), tape.frames.len());
    let again = shown(move |_, _| Box::new(Played::new(tape.clone())));
    let text = |buffer: &Buffer| buffer.content().iter().map(|cell| cell.symbol()).collect::<String>();
    assert!(text(live.last().unwrap()).contains("FINISHED") && text(&live[0]).contains("6x7 closed"));
    assert_eq!(live.len(), again.len());
    for (k, (live, again)) in live.iter().zip(&again).enumerate() {
        assert_eq!(live, again, "look {k}");
    }
}

/// The view of the cycles of a sample, all that it shows while it runs, is stopped, goes back and runs to the end.
fn cycled(source: impl FnOnce(&CyclesSubject) -> Box<dyn Source>) -> Vec<Buffer> {
    let board: Board = "8x8".parse().unwrap();
    let request = Request { adapter: DeviceChoice::Cpu, ..Request::new(board, Ending::Open) };
    let subject = CyclesSubject::of(&request, true).unwrap();
    let source = source(&subject);
    let mut screen = step::cycles(subject, source);
    screen.take(ScreenEvent::Resized(SIZE));
    let mut terminal = Terminal::new(TestBackend::new(SIZE.width, SIZE.height)).unwrap();
    let mut buffers = Vec::new();
    let (mut now, mut keys) = (Instant::now(), "....p.9bs.p".chars());
    loop {
        match keys.next() {
            None if screen.due().is_none() => return buffers,
            None | Some('.') => {
                now += Duration::from_secs(1);
                screen.tick(now);
            }
            Some(pressed) => drop(screen.take(key(pressed))),
        }
        terminal.draw(|frame| screen.draw(frame)).unwrap();
        buffers.push(terminal.backend().buffer().clone());
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn cycles_are_shown_again_as_they_were() {
    let tape: Arc<Mutex<Tape>> = Arc::default();
    let keep = Arc::clone(&tape);
    let live = cycled(move |subject| {
        let run = CycleSource::start(subject.first.clone(), subject.wanted.clone());
        Box::new(Taped::new(run, keep))
    });
    let tape = written(&tape.lock().unwrap());
    let again = cycled(|_| Box::new(Played::new(tape)));
    let text = |buffer: &Buffer| buffer.content().iter().map(|cell| cell.symbol()).collect::<String>();
    assert!(text(live.last().unwrap()).contains("COMPLETE") && text(live.last().unwrap()).contains("yes (cycle 190)"));
    assert!(live == again, "{} {}", live.len(), again.len());
}

/// The same after it was written down and read again.
fn written(tape: &Tape) -> Tape {
    let again = |frame: &Frame| {
        let line = serde_json::to_string(frame).unwrap();
        let read: Frame = serde_json::from_str(&line).unwrap();
        assert_eq!(&read, frame, "{line}");
        read
    };
    Tape { frames: tape.frames.iter().map(again).collect(), end: tape.end.clone() }
}

/// All that a source gives until its end.
fn kept(mut source: impl Source) -> Tape {
    let mut tape = Tape::default();
    while tape.end.is_none() {
        tape.frames.extend(source.look());
        tape.end = source.end(Duration::from_millis(1));
    }
    tape.frames.extend(source.look());
    tape
}

#[test]
fn a_count_can_be_written_down() {
    let board: Board = "6x6".parse().unwrap();
    let question = count::CountQuestion::new(board, Ending::Closed);
    let settings = Settings { threads: 2, memory: 1 << 30, ..Settings::default() };
    let watch = count::CountWatch::new(settings.threads);
    let (send, answer) = crossbeam_channel::bounded(1);
    let tape = std::thread::scope(|scope| {
        scope.spawn(|| {
            let plan = count::CountPlan::new(&question, settings.memory, &watch).unwrap();
            let number = plan.run(&settings, &watch, None).unwrap();
            let digits = number.count().unwrap().to_string();
            send.send(CountResult { digits, also: None, how: number.boards[0].evidence.to_string(), resumed: None })
                .unwrap();
        });
        kept(CountSource::new(&watch, answer))
    });
    let last = written(&tape).frames.pop().unwrap();
    assert!(matches!(&last.body, Body::Count(seen) if seen.threads.len() == 2), "{last:?}");
    assert!(matches!(tape.end, Some(End::Count(answer)) if answer.digits == "9862"));
}

#[test]
fn a_map_can_be_written_down_and_one_of_another_batch_cannot_be_read() {
    let batch = Batch::new("5x5".parse().unwrap(), 2).unwrap();
    let mut map = Map::new(batch);
    map.add(&[25, 3, 25]);
    let filled = Filled { placed: None, map: Some(map), took: Duration::from_millis(7) };
    let frame = Frame { body: Body::Map(Box::new(filled)), events: Vec::new() };
    let line = serde_json::to_string(&frame).unwrap();
    assert_eq!(serde_json::from_str::<Frame>(&line).unwrap(), frame);
    assert!(serde_json::from_str::<Frame>(&line.replace("5x5", "5x6")).is_err(), "{line}");
}
