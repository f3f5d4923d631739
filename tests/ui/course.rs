//! Going back in time in the live view: keys against the moment that is shown, while the run goes on.

use super::fixture::{THEME, drawing, ended, fragments, hired, key_of, model, noise, press, seen, snapshot};
use super::tape::{Played, Tape};
use destrier::board::Board;
use destrier::event::{Event, EventKind};
use destrier::run::{Body, Frame, TreeFrame, Wish};
use destrier::schedule::{Levels, Snapshot};
use destrier::ui::kit::Effect;
use destrier::ui::kit::{self, Action, Playback, TimeView};
use destrier::ui::{KEYS, LiveModel, Model, Phase, RunModel, screen_text};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Size;
use std::time::Duration;

fn ms(at: u64) -> Duration {
    Duration::from_millis(at)
}

/// Four workers after 3.2 seconds, a hire between the last two frames.
fn crew(width: u16, height: u16) -> LiveModel {
    let mut model = model(width, height, 4, THEME);
    model.take(seen(snapshot(4, 31), Vec::new(), None));
    let kind = EventKind::Hired { by: 0, depth: 9, left: Some(1), company: vec![3], entered: None };
    model.take(seen(snapshot(4, 32), vec![Event { at: ms(3150), worker: 2, kind }], None));
    model
}

/// Presses keys; answers what was asked for, `!` for enter.
fn keys(model: &mut LiveModel, letters: &str) -> Vec<Effect> {
    let code = |letter| if letter == '!' { KeyCode::Enter } else { KeyCode::Char(letter) };
    letters.chars().map(|letter| press(model, code(letter))).filter(|turn| *turn != Effect::Stay).collect()
}

/// When the moment is that is shown, in milliseconds; nothing while that is now.
fn shown(model: &LiveModel) -> Option<u128> {
    model.playback.shown().map(|moment| moment.at.as_millis())
}

fn complaint(model: &LiveModel) -> Option<&str> {
    model.common.notice.as_ref().filter(|notice| notice.bad).map(|notice| notice.text.as_str())
}

fn passed(model: &mut LiveModel, time: u64) {
    model.update(kit::ScreenEvent::Passed(ms(time)));
}

#[test]
fn every_event_is_gone_to_from_the_beginning_and_back_again() {
    let mut model = crew(80, 24);
    let mut there = Vec::new();
    keys(&mut model, "{");
    assert_eq!(shown(&model), Some(100));
    while complaint(&model).is_none() {
        there.extend(model.playback.shown());
        keys(&mut model, "]");
    }
    assert_eq!(complaint(&model), Some("no event is kept after this moment"));
    let times: Vec<u128> = there.iter().map(|moment| moment.at.as_millis()).collect();
    // The first tour, and a hire at the same time, are a moment each.
    assert_eq!(times, [100, 300, 600, 900, 1200, 1500, 1800, 2100, 2100, 2400, 2700, 3000, 3150]);
    let mut back = there.split_off(1);
    while complaint(&model) != Some("no event is kept before this moment") {
        assert_eq!(model.playback.shown(), back.pop());
        keys(&mut model, "[");
    }
    assert_eq!((shown(&model), back.len()), (Some(300), 0));
}

#[test]
fn at_an_event_it_is_seen_who_works_where_and_waits_at_whom_while_the_run_goes_on() {
    let mut model = crew(80, 24);
    keys(&mut model, "[");
    let moment = model.playback.shown();
    for frame in 33..40 {
        model.take(seen(snapshot(4, frame), Vec::new(), None));
        assert_eq!((model.playback.shown(), model.snapshot.elapsed), (moment, ms(3150)));
    }
    let [_, _, hired, company] = &model.snapshot.workers[..] else { panic!("they are four") };
    assert_eq!((hired.depth, hired.level, company.waits_at), (9, Some(9), Some(2)));
    let text = screen_text(&model);
    for words in [
        "PAST 0:03.150  0:00 ",
        "now 0:03.900",
        "66.0M nodes",
        "3 w<→ 2 ",
        "event 12 of 12: worker 0 gave worker 2 a branch at depth 9; worker 3 went along",
        "[] event  () wait  bs frame  p play",
    ] {
        assert!(text.contains(words), "{words}:\n{text}");
    }
    keys(&mut model, "}");
    assert_eq!((shown(&model), &model.snapshot), (None, &snapshot(4, 39)));
    assert!(!screen_text(&model).contains("PAST"));
    // Escape comes back too, and then has nothing left to close.
    keys(&mut model, "[");
    assert_eq!((press(&mut model, KeyCode::Esc), shown(&model)), (Effect::Stay, None));
    assert_eq!(press(&mut model, KeyCode::Esc), Effect::Close);
}

/// A worker without work between two hires is an event, but none that is gone to.
#[test]
fn how_many_events_are_kept_and_gone_to_is_said() {
    let mut model = crew(200, 60);
    let idle = Event {
        at: ms(3250),
        worker: 1,
        kind: EventKind::Idle { nominee: None, level: None, nodes: 9, put_down: false },
    };
    model.take(seen(snapshot(4, 33), vec![idle], None));
    keys(&mut model, "[");
    let text = screen_text(&model);
    assert!(text.contains("event 12 of 12: ") && text.contains(", 13 events kept, [ ] stop at 12 of them"), "{text}");
}

#[test]
fn frames_go_back_and_on_until_now() {
    let mut model = crew(80, 24);
    assert_eq!(keys(&mut model, "bbb"), []);
    assert_eq!((shown(&model), &model.snapshot), (Some(2900), &snapshot(4, 29)));
    assert_eq!(keys(&mut model, "sss"), []);
    assert_eq!(shown(&model), Some(3200));
    keys(&mut model, "s");
    assert_eq!(shown(&model), None);
    // Now it is the run that takes a step.
    assert_eq!(keys(&mut model, "s"), [Effect::Run(Wish::Step)]);
    keys(&mut model, "{b");
    assert_eq!((shown(&model), complaint(&model)), (Some(100), Some("nothing is kept before this moment")));
}

#[test]
fn a_time_a_share_or_an_event_is_typed_and_anything_else_is_no_place() {
    let mut model = crew(80, 24);
    for (typed, at) in [
        ("@1.5!", 1500),
        ("@2s!", 2000),
        ("@0:02.25!", 2250),
        ("@#3!", 900),
        ("@ 100% !", 3200),
        ("@99:00!", 3200),
        ("@0%!", 100),
    ] {
        assert_eq!((keys(&mut model, typed), shown(&model)), (Vec::new(), Some(at)), "{typed}");
    }
    for typed in ["@!", "@x!", "@#0!", "@#13!", "@-1!", "@1e999!", "@1:2:x!"] {
        keys(&mut model, typed);
        assert!(complaint(&model).is_some_and(|text| text.contains("is a place to go to")), "{typed}");
        assert_eq!(shown(&model), Some(100), "{typed}");
    }
    keys(&mut model, "@12");
    assert!(screen_text(&model).contains("go to 12"));
    (0..3).for_each(|_| assert_eq!(press(&mut model, KeyCode::Backspace), Effect::Stay));
    assert!(!screen_text(&model).contains("go to 1"));
    // While it is typed, escape is about that, and control keys mean what they always do.
    keys(&mut model, "@q");
    assert_eq!((press(&mut model, KeyCode::Esc), shown(&model)), (Effect::Stay, Some(100)));
    keys(&mut model, "@q");
    let interrupt = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
    let heard = model.update(kit::ScreenEvent::Key(interrupt));
    assert_eq!(heard, Effect::Interrupt);
}

#[test]
fn the_past_is_played_faster_and_slower_until_now() {
    let mut model = crew(80, 24);
    passed(&mut model, 500);
    assert_eq!(keys(&mut model, "{p"), []);
    passed(&mut model, 200);
    assert_eq!(shown(&model), Some(300));
    keys(&mut model, "++");
    passed(&mut model, 200);
    assert_eq!((shown(&model), model.snapshot.elapsed), (Some(1100), ms(1100)));
    assert!(screen_text(&model).contains(" x 4   0:01.100"), "{}", screen_text(&model));
    keys(&mut model, "---");
    passed(&mut model, 200);
    assert_eq!(shown(&model), Some(1200));
    // What was played is as if it had been gone to.
    let played = (model.snapshot.clone(), model.hires.log().count());
    keys(&mut model, "sb");
    assert_eq!((model.snapshot.clone(), model.hires.log().count()), played);
    passed(&mut model, 200);
    assert_eq!(shown(&model), Some(1200), "a step holds it");
    keys(&mut model, "p");
    passed(&mut model, 9000);
    assert_eq!((shown(&model), &model.snapshot), (None, &snapshot(4, 32)));
}

#[test]
fn positions_of_all_workers_are_those_of_the_moment() {
    let mut model = crew(80, 24);
    let board = Board::new(8, 8).expect("a board");
    let [now, other] = [drawing(board, 33), fragments(board)];
    let positions = vec![(0, now.clone()), (1, other.clone())];
    let tree = TreeFrame { snapshot: snapshot(4, 33), positions };
    model.take(Frame { body: Body::Tree(Box::new(tree)), events: Vec::new() });
    assert_eq!(model.drawing, now);
    keys(&mut model, "bb");
    assert_eq!(model.drawing, drawing(board, 30));
    keys(&mut model, "ss");
    assert_eq!((model.selected, &model.drawing), (0, &now));
    keys(&mut model, "j");
    assert_eq!((model.selected, &model.drawing), (1, &other));
}

#[test]
fn what_is_past_grants_no_wish_and_asks_no_question() {
    let mut model = crew(80, 24);
    keys(&mut model, "b");
    for letter in ["S", "r"] {
        assert_eq!(keys(&mut model, letter), []);
        let said = format!("{letter} is for what goes on now: }} goes back there");
        assert_eq!((complaint(&model), &model.common.asking), (Some(said.as_str()), &None));
    }
    // Leaving would end the run that goes on: that is asked.
    assert_eq!(keys(&mut model, "q"), []);
    assert_eq!(keys(&mut model, "y"), [Effect::Leave]);
}

#[test]
fn a_run_that_has_ended_is_gone_back_in_and_says_its_answer_at_its_end() {
    let mut model = crew(80, 24);
    keys(&mut model, "b");
    model.end(ended(None, Duration::from_secs(4)));
    assert_eq!(model.phase, Phase::Running, "the end is not yet where one is");
    keys(&mut model, "}");
    assert!(screen_text(&model).contains(" closed tours, undirected; complete"));
    keys(&mut model, "[");
    assert!(!screen_text(&model).contains("complete"));
    // Nothing is lost any more.
    assert_eq!(keys(&mut model, "q"), [Effect::Leave]);
}

#[test]
fn a_run_that_was_recorded_plays_and_has_an_end_for_now() {
    let mut model = crew(80, 24);
    let past = model.playback.past();
    let mut frames: Vec<Frame> = past.frames().iter().map(|frame| (**frame).clone()).collect();
    frames[0].events = past.events().iter().cloned().collect();
    model.playback = Playback::recorded(&mut Played::new(Tape { frames, end: None }));
    passed(&mut model, 100);
    assert_eq!((shown(&model), model.playback.is_playing()), (Some(200), true));
    keys(&mut model, "}");
    assert_eq!(shown(&model), Some(3200));
    assert!(screen_text(&model).contains("end 0:03"));
    keys(&mut model, "s");
    assert_eq!((shown(&model), complaint(&model)), (Some(3200), Some("this is the end")));
    keys(&mut model, "p");
    assert_eq!((shown(&model), model.playback.is_playing()), (Some(100), true));
    assert_eq!(press(&mut model, KeyCode::Esc), Effect::Close);
    assert_eq!(keys(&mut model, "q"), [Effect::Leave]);
}

/// A recording of many workers, held in its middle, with one selected that has others on every side.
fn recording() -> LiveModel {
    let frames = (1..=6).map(|frame| {
        let events = vec![hired(64, frame)];
        let tree = TreeFrame { snapshot: snapshot(64, frame), positions: Vec::new() };
        Frame { body: Body::Tree(Box::new(tree)), events }
    });
    let tape = Tape { frames: frames.collect(), end: None };
    let mut model = model(200, 60, 64, THEME);
    model.replay(Playback::recorded(&mut Played::new(tape)));
    model
}

#[test]
fn a_recording_without_depths_says_so_and_a_race_has_none() {
    let mut model = recording();
    assert!(screen_text(&model).contains("sampled, 1 in 64"));
    for (finds, says) in [(false, "this recording holds no depths"), (true, "attempts are not counted by depth")] {
        (model.about.finds, model.snapshot.levels) = (finds, Levels::Off);
        assert!(screen_text(&model).contains(says), "{}", screen_text(&model));
    }
}

#[test]
fn every_key_in_the_help_of_a_recording_and_of_the_past_does_something_there() {
    for (mut model, view, title) in [
        (recording(), TimeView::Recording, "keys, in a recording"),
        (model(200, 60, 64, THEME), TimeView::Past, "keys, in the past"),
    ] {
        keys(&mut model, "@50%!");
        let keys = model.playback.keys(&KEYS);
        assert_eq!(keys.view, view);
        model.selected = 20;
        let here = format!("{model:?}");
        let listed: Vec<Action> = keys.lines().flat_map(|line| line.all()).collect();
        for &action in &listed {
            let mut model = model.clone();
            let effect = model.update(kit::ScreenEvent::Key(key_of(action)));
            let said = model.common.notice.take();
            // No worker of this crew waits for long.
            let is_fine =
                |said: &kit::Notice| !said.bad || said.text.starts_with("no wait of more than 1.00 ms is kept ");
            assert!(said.as_ref().is_none_or(is_fine), "{view:?} {action:?}: {said:?}");
            assert!(!said.as_ref().is_some_and(|said| said.text.contains("does nothing here")), "{action:?}");
            let does = effect != Effect::Stay || said.is_some() || format!("{model:?}") != here;
            assert!(does, "{view:?}: {action:?} does nothing");
        }
        // What is left out there says where it does something.
        let now = KEYS.now().lines().flat_map(|line| line.all()).filter(|action| !listed.contains(action));
        let left_out: Vec<Action> = now.collect();
        assert!(left_out.contains(&Action::NextScheduler) && left_out.contains(&Action::ToggleRule), "{left_out:?}");
        assert_eq!(left_out.contains(&Action::Detach), view == TimeView::Recording);
        for action in left_out {
            let mut model = model.clone();
            assert_eq!(model.update(kit::ScreenEvent::Key(key_of(action))), Effect::Stay);
            let said = complaint(&model).unwrap_or_default();
            assert!(!said.is_empty() && !said.contains("does nothing here"), "{view:?} {action:?}: {said}");
        }
        press(&mut model, KeyCode::Char('?'));
        let text = screen_text(&model);
        assert!(
            text.contains(title) && !text.contains("slow motion:") && text.contains("play slower, faster"),
            "{text}"
        );
    }
}

/// Of worker 1 no frame has a position.
#[test]
fn a_worker_whose_position_was_not_kept_has_a_sentence_for_a_board() {
    let mut model = crew(80, 24);
    keys(&mut model, "b");
    let positions = |model: &LiveModel| screen_text(model).contains("no position of this");
    assert!(!positions(&model), "{}", screen_text(&model));
    keys(&mut model, "j");
    assert!(positions(&model), "{}", screen_text(&model));
    keys(&mut model, "}");
    assert!(!positions(&model));
}

/// Whatever is pressed while the run goes on, on every screen.
#[test]
fn what_is_shown_is_always_between_the_beginning_and_now() {
    const LETTERS: &[u8] = b"[]bs{}pp-+@1#5%!?zhjkl<>ttfF6";
    for (k, (width, height)) in [(40, 10), (39, 9), (80, 24), (60, 13), (200, 60)].into_iter().enumerate() {
        let mut model = crew(width, height);
        for frame in 33..233 {
            let letter = char::from(LETTERS[noise(frame, k) % LETTERS.len()]);
            keys(&mut model, &letter.to_string());
            passed(&mut model, 70);
            model.take(seen(snapshot(4, frame), Vec::new(), None));
            if let Some(moment) = model.playback.shown() {
                let past = model.playback.past();
                assert!((past.first().at..=past.last().at).contains(&moment.at), "{moment:?}");
                assert!(model.snapshot.elapsed <= moment.at);
            }
            let text = screen_text(&model);
            assert_eq!(text.lines().count(), usize::from(height));
        }
        model.update(kit::ScreenEvent::Resized(Size { width: 0, height: 0 }));
        screen_text(&model);
    }
}

/// Slow motion changes no clock but that of the viewer, and drops no figure until there is another one.
#[test]
fn after_slow_motion_a_screen_has_one_clock_and_the_depths_of_before() {
    let mut model = model(120, 36, 4, THEME);
    for frame in 31..=100 {
        let seen_now = Snapshot { pace: Some(1000), ..snapshot(4, frame) };
        model.take(seen(seen_now, Vec::new(), None));
    }
    let text = screen_text(&model);
    assert!(
        text.contains("over time as watched") && text.contains("no hire for 4") && text.contains(" us: "),
        "{text}"
    );
    let most = "most 105M at 48";
    assert!(text.contains(most), "{text}");
    // It counts anew, and has counted nothing yet.
    let none = |frame| Snapshot {
        depths_since: ms(10_050),
        nodes_by_depth: vec![0; 65],
        pruned_by_depth: vec![0; 65],
        ..snapshot(4, frame)
    };
    model.take(seen(none(101), Vec::new(), None));
    model.end(ended(None, Duration::from_secs(10)));
    let text = screen_text(&model);
    assert!(text.contains(most) && text.contains("1 in 64 until 3.00s"), "{text}");
    keys(&mut model, "[");
    let text = screen_text(&model);
    // The header and the line of the past have one clock, that of the run.
    let clocks: Vec<&str> = text.split("PAST ").skip(1).filter_map(|behind| behind.split_whitespace().next()).collect();
    assert!(text.contains("the line is as watched") && clocks.len() == 2 && clocks[0] == clocks[1], "{text}");
    // The past before that is that of its own time, and so is another run.
    keys(&mut model, "{");
    assert!(!screen_text(&model).contains(most));
    model.take(seen(Snapshot { depths_since: ms(10_050), ..snapshot(4, 102) }, Vec::new(), None));
    keys(&mut model, "}");
    assert!(screen_text(&model).contains("1 in 64 since 3.00s"), "{}", screen_text(&model));
}
