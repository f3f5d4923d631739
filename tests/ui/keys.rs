//! What keys do to the model, and what they ask for.

use super::fixture::{THEME, asks_before_it_ends, ended, grouped, model, press, seen, simulated, snapshot};
use destrier::event::{Event, EventKind};
use destrier::run::{Tempo, Wish};
use destrier::schedule::{Scheduler, StopReason};
use destrier::search::HandOver;
use destrier::ui::kit::{self, Clip};
use destrier::ui::kit::{Action, Effect};
use destrier::ui::{LiveModel, LivePane, Model, Phase, RunModel, WorkerOrder, screen_text};
use ratatui::crossterm::event::{KeyCode, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Size;
use std::time::Duration;

fn key(model: &mut LiveModel, letter: char) -> Effect {
    press(model, KeyCode::Char(letter))
}

fn keys(model: &mut LiveModel, letters: &str) -> Vec<Effect> {
    letters.chars().map(|letter| key(model, letter)).collect()
}

#[test]
fn pause_is_shown_at_once_and_undone_by_the_same_key() {
    let mut model = model(80, 24, 4, THEME);
    assert_eq!(key(&mut model, 'p'), Effect::Run(Wish::Pause(true)));
    assert!(model.snapshot.paused);
    assert_eq!(key(&mut model, ' '), Effect::Run(Wish::Pause(false)));
    assert!(!model.snapshot.paused);
    assert_eq!(key(&mut model, 's'), Effect::Run(Wish::Step));
    assert!(model.snapshot.paused);
}

#[test]
fn slow_motion_begins_at_a_thousand_goes_down_to_one_and_back_to_full_speed() {
    let mut model = model(80, 24, 4, THEME);
    assert_eq!(key(&mut model, '+'), Effect::Run(Wish::Pace(None)));
    assert_eq!(key(&mut model, '-'), Effect::Run(Wish::Pace(Some(1000))));
    assert_eq!(key(&mut model, '-'), Effect::Run(Wish::Pace(Some(500))));
    for _ in 0..20 {
        key(&mut model, '-');
    }
    assert_eq!(model.snapshot.pace, Some(1));
    assert_eq!(key(&mut model, '+'), Effect::Run(Wish::Pace(Some(2))));
    for _ in 0..20 {
        key(&mut model, '+');
    }
    assert_eq!(model.snapshot.pace, None);
}

#[test]
fn the_rule_toggles_and_is_told_when_the_run_confirms_it() {
    let mut model = model(80, 24, 4, THEME);
    assert_eq!(key(&mut model, 'r'), Effect::Run(Wish::Rule(HandOver::Next)));
    assert_eq!(key(&mut model, 'r'), Effect::Run(Wish::Rule(HandOver::Shallowest)));
    let kind = EventKind::RuleChanged { rule: HandOver::Shallowest };
    let mut events = vec![Event { at: Duration::from_secs(3), worker: 0, kind }];
    for frame in 31..40 {
        model.take(seen(snapshot(4, frame), std::mem::take(&mut events), None));
    }
    assert!(matches!(model.hires.log().next().unwrap().kind, EventKind::RuleChanged { .. }));
}

#[test]
fn schedulers_come_in_turn_and_a_new_run_starts_with_clean_figures() {
    let mut model = model(80, 24, 4, THEME);
    for next in [Scheduler::RAYON, Scheduler::STATIC, Scheduler::BLOCKS, Scheduler::SERIAL, Scheduler::HIRE] {
        assert_eq!(keys(&mut model, "Sy"), [Effect::Stay, Effect::Do(Action::NextScheduler)]);
        assert_eq!(model.next_scheduler(), next);
        let about = model.about.clone();
        model.begin(about, next);
    }
    assert_eq!(model.hires.log().count(), 0);
    assert_eq!(model.rates.nodes_per_s(), 0.0);
    model.selected = 3;
    model.take(seen(snapshot(1, 1), Vec::new(), None));
    assert_eq!(model.selected, 0);
}

#[test]
fn while_tours_are_written_the_scheduler_stays() {
    let mut model = model(80, 24, 4, THEME);
    model.about.may_restart = false;
    assert_eq!(key(&mut model, 'S'), Effect::Stay);
    assert!(model.common.notice.as_ref().is_some_and(|notice| notice.bad));
    key(&mut model, 'l');
    assert_eq!(model.common.notice, None);
}

#[test]
fn an_ended_run_grants_no_wishes_but_can_be_looked_at_and_left() {
    let mut model = model(80, 24, 4, THEME);
    model.end(ended(Some(StopReason::Limit), Duration::from_secs(3)));
    assert_eq!(model.phase, Phase::Ended(Some(StopReason::Limit)));
    assert_eq!(keys(&mut model, "ps-+r"), vec![Effect::Stay; 5]);
    assert!(!model.snapshot.paused);
    assert_eq!(key(&mut model, 'j'), Effect::Stay);
    assert_eq!(model.selected, 1);
    assert_eq!(key(&mut model, 'q'), Effect::Leave);
}

/// The end of the demonstration leads on by keys that mean nothing, or something else, at the end of another run.
#[test]
fn the_end_of_the_demonstration_has_keys_of_its_own() {
    let demonstrated = |stopped| {
        let mut model = model(80, 24, 4, THEME);
        model.demonstration = Some(Tempo::WholeRun { nodes: 1 });
        model.end(ended(stopped, Duration::from_secs(48)));
        model
    };
    let mut model = demonstrated(None);
    let next = [Action::ToggleRule, Action::LargerBoard, Action::Tour].map(Effect::Do);
    assert_eq!(keys(&mut model, "rBv"), next);
    assert_eq!(model.other_rule(), HandOver::Next);
    let text = screen_text(&model);
    assert!(
        text.contains("kept 4 workers searching") && text.ends_with("B 8x8, full speed  v step through a tour\n"),
        "{text}"
    );
    let mut stopped = demonstrated(Some(StopReason::Limit));
    assert_eq!(keys(&mut stopped, "rB"), [Effect::Stay, Effect::Stay]);
}

#[test]
fn the_selection_moves_as_the_screen_shows_it_and_stops_at_the_ends() {
    let mut pairs = model(80, 24, 256, THEME);
    keys(&mut pairs, "jl");
    assert_eq!(pairs.selected, 33);
    keys(&mut pairs, "kkh");
    assert_eq!(pairs.selected, 0);
    keys(&mut pairs, "Gjl");
    assert_eq!(pairs.selected, 255);
    let mut short = model(80, 24, 64, THEME);
    keys(&mut short, "jl");
    assert_eq!(short.selected, 9);
}

#[test]
fn focus_goes_round_the_panes_that_are_shown_and_numbers_zoom_any_pane() {
    let mut model = model(80, 24, 64, THEME);
    let tab = |model: &mut LiveModel| press(model, KeyCode::Tab);
    let mut seen = Vec::new();
    for _ in 0..4 {
        tab(&mut model);
        seen.push(model.focus.pane);
    }
    assert_eq!(seen, [LivePane::Board, LivePane::Depths, LivePane::Hires, LivePane::Threads]);
    press(&mut model, KeyCode::BackTab);
    assert_eq!(model.focus.pane, LivePane::Hires);
    key(&mut model, '6');
    assert!(model.focus.zoom() == Some(LivePane::OverTime));
    press(&mut model, KeyCode::Esc);
    assert!(!model.focus.zoomed);
}

#[test]
fn enter_opens_the_page_of_the_selected_worker_and_another_pane_fills_the_screen() {
    let mut model = model(80, 24, 4, THEME);
    key(&mut model, 'j');
    press(&mut model, KeyCode::Enter);
    assert_eq!(model.focus.zoom(), Some(LivePane::Worker));
    assert!(screen_text(&model).contains("7 worker 1 "), "{}", screen_text(&model));
    // The other workers are gone through on the page.
    key(&mut model, 'j');
    assert!(screen_text(&model).contains("7 worker 2 "), "{}", screen_text(&model));
    press(&mut model, KeyCode::Enter);
    assert_eq!((model.focus.pane, model.focus.zoomed), (LivePane::Threads, false));
    press(&mut model, KeyCode::Tab);
    press(&mut model, KeyCode::Enter);
    assert_eq!(model.focus.zoom(), Some(LivePane::Board));
}

/// The hires of the log are gone through with the page open, and the page stays when the moment is another one.
#[test]
fn a_hire_is_selected_by_keys_or_a_click_and_enter_opens_its_page() {
    let mut model = model(80, 24, 4, THEME);
    press(&mut model, KeyCode::BackTab);
    let log: Vec<Event> =
        model.hires.log().filter(|event| matches!(event.kind, EventKind::Hired { .. })).cloned().collect();
    for (letter, place) in [('j', 0), ('j', 1), ('j', 2), ('k', 1), ('k', 0), ('k', 0)] {
        key(&mut model, letter);
        assert_eq!(model.hire.as_ref(), Some(&log[place]), "{letter}");
    }
    press(&mut model, KeyCode::Enter);
    let title = |model: &LiveModel| screen_text(model).lines().any(|line| line.starts_with("╭ 8 hire "));
    assert!(title(&model), "{}", screen_text(&model));
    key(&mut model, 'j');
    let said = format!("worker {} <- ", log[1].worker);
    assert!(screen_text(&model).contains(&log[1].sentence()) && screen_text(&model).contains(&said));
    keys(&mut model, "bbbbbb");
    assert!(screen_text(&model).contains(&log[1].sentence()) && title(&model));
    keys(&mut model, "{");
    assert!(screen_text(&model).contains("the hire is still to come"), "{}", screen_text(&model));
    keys(&mut model, "}");
    press(&mut model, KeyCode::Esc);
    assert_eq!((model.focus.pane, model.focus.zoomed), (LivePane::Hires, false));
    click_on(&mut model, "3 → 1 at depth 5");
    assert_eq!(model.hire.as_ref().map(|hire| hire.worker), Some(1));
}

#[test]
fn the_order_is_marked_at_its_column_and_turns_round() {
    let mut model = model(200, 60, 16, THEME);
    keys(&mut model, "o");
    let first = model.ranked();
    assert!(screen_text(&model).contains("\u{25bc}nodes"), "{}", screen_text(&model));
    keys(&mut model, "O");
    assert_eq!(model.ranked(), first.into_iter().rev().collect::<Vec<_>>());
    assert!(screen_text(&model).contains("\u{25b2}nodes"), "{}", screen_text(&model));
    // The page of the worker that did least is three keys away.
    press(&mut model, KeyCode::Enter);
    assert_eq!((model.focus.zoom(), model.selected), (Some(LivePane::Worker), model.ranked()[0]));
}

#[test]
fn escape_closes_the_help_before_the_zoom() {
    let mut model = model(80, 24, 4, THEME);
    keys(&mut model, "z?");
    press(&mut model, KeyCode::Esc);
    assert!(model.focus.zoomed && !model.common.help);
    press(&mut model, KeyCode::Esc);
    assert!(!model.focus.zoomed);
}

#[test]
fn frames_a_second_stay_between_one_and_sixty() {
    let mut model = model(80, 24, 4, THEME);
    keys(&mut model, "ffffffffff");
    assert_eq!(model.fps, 60);
    keys(&mut model, "FFFFFFFFFFFF");
    assert_eq!(model.fps, 1);
}

#[test]
fn on_a_screen_that_is_too_small_keys_still_work() {
    let mut model = model(80, 24, 4, THEME);
    model.update(kit::ScreenEvent::Resized(Size { width: 20, height: 5 }));
    keys(&mut model, "jjz");
    press(&mut model, KeyCode::Tab);
    assert_eq!(model.selected, 2);
    assert_eq!(keys(&mut model, "qy"), [Effect::Stay, Effect::Leave]);
}

#[test]
fn a_key_without_a_meaning_says_so_and_sentences_name_the_keys_that_are_taken() {
    let mut model = model(80, 24, 4, THEME);
    let mut said = |letter| {
        key(&mut model, letter);
        model.common.notice.take().map(|notice| notice.text)
    };
    assert_eq!(said('x').as_deref(), Some("x does nothing here; ? lists the keys"));
    assert_eq!(said('9').as_deref(), Some("9 does nothing here; ? lists the keys"));
    assert_eq!(said('j'), None);
    assert!(screen_text(&model).contains("p pause"));
    model.end(ended(None, Duration::from_secs(3)));
    let text = screen_text(&model);
    assert!(text.contains("q quit") && !text.contains("p pause"), "nothing is left to pause:\n{text}");
    key(&mut model, 'p');
    let text = model.common.notice.take().map(|notice| notice.text);
    assert_eq!(text.as_deref(), Some("the run has ended: S starts it again, q prints the summary"));
    model.common.taken = &['q'];
    key(&mut model, 'p');
    let text = model.common.notice.map(|notice| notice.text);
    assert_eq!(text.as_deref(), Some("the run has ended: S starts it again"), "in a lesson q leaves");
}

#[test]
fn the_order_goes_round_and_the_selection_follows_it() {
    let mut model = model(80, 24, 64, THEME);
    let mut orders = Vec::new();
    for _ in WorkerOrder::ALL {
        orders.push(model.order.name());
        key(&mut model, 'o');
    }
    assert_eq!(orders, ["number", "nodes", "depth", "hires", "donations", "waiting time", "searching time", "tours"]);
    key(&mut model, 'o');
    key(&mut model, 'g');
    let nodes = |model: &LiveModel| model.snapshot.workers[model.selected].nodes;
    let most = nodes(&model);
    assert!(model.snapshot.workers.iter().all(|worker| worker.nodes <= most));
    key(&mut model, 'j');
    assert!(nodes(&model) <= most && model.selected != 0);
    key(&mut model, 'G');
    let least = nodes(&model);
    assert!(model.snapshot.workers.iter().all(|worker| worker.nodes >= least));
}

#[test]
fn a_worker_is_found_by_number_and_workers_are_filtered_by_state_and_by_figures() {
    let mut model = model(80, 24, 64, THEME);
    let find = |model: &mut LiveModel, text: &str| {
        key(model, '/');
        keys(model, text);
        press(model, KeyCode::Enter);
        (model.selected, model.common.notice.clone().map(|notice| notice.text).unwrap_or_default())
    };
    assert_eq!(find(&mut model, "17").0, 17);
    let waiting = |worker: &usize| !model.snapshot.workers[*worker].state.has_work();
    let all: Vec<usize> = (0..64).filter(waiting).collect();
    let (selected, said) = find(&mut model, "wait");
    assert_eq!((selected, &model.ranked()), (all[0], &all));
    assert!(said.ends_with(" and enter show all again"), "{said}");
    let title = format!("threads {} of 64 waiting", all.len());
    assert!(screen_text(&model).contains(&title));
    press(&mut model, KeyCode::Down);
    assert!(all.contains(&model.selected) && model.selected != all[0], "the selection stays among them");
    find(&mut model, "hires>20");
    let many = |worker: &usize| model.snapshot.workers[*worker].sharing.hires > 20;
    let [hidden, shown] = [false, true].map(|passes| (0..64).find(|worker| many(worker) == passes).unwrap());
    assert_eq!(model.ranked(), (0..64).filter(many).collect::<Vec<_>>());
    key(&mut model, 'o');
    assert!(screen_text(&model).contains("of 64 hires>20 by nodes"));
    let (selected, said) = find(&mut model, &hidden.to_string());
    assert_eq!((selected, model.ranked().len()), (hidden, 64), "what is found is seen");
    assert_eq!(said, format!("worker {hidden} does not pass the filter hires>20: all workers are shown"));
    find(&mut model, "hires>20");
    find(&mut model, &shown.to_string());
    assert!(model.filter.is_some(), "a filter that hides nothing of it stays");
    find(&mut model, "depth>99");
    assert!(screen_text(&model).contains("no worker passes the filter now"));
    keys(&mut model, "jlgG");
    find(&mut model, "");
    assert_eq!(model.ranked().len(), 64);
    for (typed, says) in
        [("64", "numbered 0 to 63"), ("zz", "'zz' is no number"), ("size>3", "comparison such as depth>40")]
    {
        let (_, said) = find(&mut model, typed);
        assert!(said.contains(says), "{typed}: {said}");
        assert_eq!(model.ranked().len(), 64);
    }
    key(&mut model, '/');
    assert_eq!(
        keys(&mut model, "p1q"),
        [Effect::Stay, Effect::Stay, Effect::Stay],
        "letters that are typed are no keys"
    );
    press(&mut model, KeyCode::Esc);
    assert_eq!(key(&mut model, 'p'), Effect::Run(Wish::Pause(true)));
}

#[test]
fn a_pasted_text_is_no_key_and_is_typed_where_a_field_is_open() {
    let mut model = model(80, 24, 64, THEME);
    let paste = |model: &mut LiveModel, text: &str| {
        assert_eq!(model.update(kit::ScreenEvent::Pasted(text.to_owned())), Effect::Stay);
        model.common.notice.take().map(|notice| notice.text)
    };
    let before = screen_text(&model);
    assert_eq!(paste(&mut model, "git commit -m 'quit early'\rqy").as_deref(), Some("pasted text is ignored here"));
    assert_eq!(screen_text(&model), before);
    key(&mut model, '/');
    assert_eq!(paste(&mut model, "17\r\n"), None);
    assert_eq!(model.input.text(), Some("17"));
    press(&mut model, KeyCode::Enter);
    assert_eq!(model.selected, 17);
}

#[test]
fn a_click_selects_a_pane_and_a_worker_and_the_wheel_moves_the_selection() {
    let mut model = model(80, 24, 256, THEME);
    let mouse = |model: &mut LiveModel, kind, column, row| {
        let event = MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
        model.update(kit::ScreenEvent::Mouse(event))
    };
    let click = MouseEventKind::Down(MouseButton::Left);
    let inner = model.layout().and_then(|layout| layout.inner(LivePane::Threads)).expect("the pane is shown");
    let (x, y) = model.grid().expect("the pane is shown").cell(inner, 70);
    assert_eq!(mouse(&mut model, click, x + 1, y), Effect::Stay);
    assert_eq!((model.selected, model.focus.pane), (70, LivePane::Threads));
    let board = model.layout().and_then(|layout| layout.inner(LivePane::Board)).expect("the pane is shown");
    mouse(&mut model, click, board.x, board.y);
    assert_eq!((model.selected, model.focus.pane), (70, LivePane::Board));
    mouse(&mut model, MouseEventKind::ScrollDown, 0, 0);
    assert_eq!(model.selected, 102);
    key(&mut model, '?');
    mouse(&mut model, MouseEventKind::ScrollDown, 0, 0);
    assert_eq!((model.selected, model.common.scrolled), (102, 3), "the help is scrolled");
    mouse(&mut model, click, x, y);
    assert!(!model.common.help && model.selected == 102, "a click closes the help");
}

pub fn click(model: &mut LiveModel, column: usize, row: usize) -> Effect {
    let (kind, column, row) = (MouseEventKind::Down(MouseButton::Left), column as u16, row as u16);
    model.update(kit::ScreenEvent::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }))
}

/// Clicks on the last place of a text on the screen, at its first letter.
fn click_on(model: &mut LiveModel, text: &str) -> Effect {
    let screen = screen_text(model);
    let places =
        screen.lines().enumerate().filter_map(|(row, line)| Some((line[..line.find(text)?].chars().count(), row)));
    let (column, row) = places.last().unwrap_or_else(|| panic!("no {text}\n{screen}"));
    click(model, column, row)
}

#[test]
fn a_click_on_the_head_of_a_column_orders_by_it_and_again_the_other_way() {
    for (width, height, workers) in [(80, 24, 4), (120, 36, 16), (200, 60, 32)] {
        let mut model = model(width, height, workers, THEME);
        let inner = model.layout().and_then(|layout| layout.inner(LivePane::Threads)).expect("the pane is shown");
        // A click on the number of workers in order is one the other way.
        for (head, order, first) in [
            ("#", WorkerOrder::Number, true),
            ("depth", WorkerOrder::Depth, false),
            ("search", WorkerOrder::Searching, false),
            ("nodes", WorkerOrder::Nodes, false),
            ("at", WorkerOrder::Depth, false),
            ("tours", WorkerOrder::Tours, false),
            ("hires", WorkerOrder::Hires, false),
        ] {
            for is_reversed in [first, !first] {
                let row = usize::from(inner.y);
                let line = screen_text(&model).lines().nth(row).unwrap_or_default().to_owned();
                let is_whole = |at: &usize| {
                    line[..*at].ends_with([' ', '▼', '▲']) && line[at + head.len()..].starts_with([' ', '│'])
                };
                let mut places = line.match_indices(head).map(|(at, _)| at).filter(is_whole);
                let at = places.next().unwrap_or_else(|| panic!("no {head} in {line}"));
                click(&mut model, line[..at].chars().count(), row);
                assert_eq!((model.order, model.is_reversed), (order, is_reversed), "{head}");
            }
        }
    }
    // There is no order by this one.
    let mut few = model(80, 24, 4, THEME);
    click_on(&mut few, "give ");
    assert_eq!((few.order, few.is_reversed), (WorkerOrder::Number, false));
    // Where it has no column, an order by it has one.
    let many = model(120, 36, 16, THEME);
    assert!(!screen_text(&many).contains("passed"), "{}", screen_text(&many));
    for (mut model, key) in [(few, None), (model(200, 60, 32, THEME), None), (many, Some("oooo"))] {
        match key {
            Some(key) => drop(keys(&mut model, key)),
            None => drop(click_on(&mut model, "passed")),
        }
        assert_eq!((model.order, model.is_reversed), (WorkerOrder::Donations, false));
        click_on(&mut model, "passed");
        assert_eq!((model.order, model.is_reversed), (WorkerOrder::Donations, true));
    }
}

#[test]
fn a_click_on_a_key_of_the_footer_presses_it() {
    let mut model = model(80, 24, 4, THEME);
    assert_eq!(click_on(&mut model, "p pause"), Effect::Run(Wish::Pause(true)));
    click_on(&mut model, "jkl select");
    assert_eq!(model.selected, 1);
    click_on(&mut model, "kl select");
    assert_eq!(model.selected, 0);
    click_on(&mut model, "order");
    assert_eq!(model.order, WorkerOrder::Nodes);
    // A click on a notice closes it.
    click_on(&mut model, "workers in the order");
    assert_eq!((model.order, model.common.notice.take()), (WorkerOrder::Nodes, None));
    click_on(&mut model, "? help");
    assert!(model.common.help);
    key(&mut model, '?');
    // A field covers the keys.
    key(&mut model, '/');
    click_on(&mut model, "find or filter");
    assert_eq!(model.input.text(), Some(""));
    press(&mut model, KeyCode::Esc);
    // In the past the footer is above the time line.
    click_on(&mut model, "[] back");
    let shown = |model: &LiveModel| model.playback.shown().map(|moment| moment.at);
    let first = shown(&model);
    assert!(first.is_some());
    click_on(&mut model, "[] event");
    assert!(shown(&model) < first);
    click_on(&mut model, "] event");
    assert_eq!(shown(&model), first);
}

/// It is the worker that got the branch: its board is shown.
#[test]
fn a_click_on_a_hire_selects_its_worker() {
    for (width, height) in [(80, 24), (120, 36), (200, 60)] {
        let mut model = model(width, height, 4, THEME);
        click_on(&mut model, "3 → 1 at depth 5");
        assert_eq!((model.selected, model.focus.pane), (1, LivePane::Hires));
        // The filter is taken away if it hides the worker.
        model.filter = "depth<2".parse().ok();
        click_on(&mut model, "0 → 3 at depth 4");
        assert_eq!((model.selected, &model.filter), (3, &None));
        let said = model.common.notice.take().map(|notice| notice.text);
        assert_eq!(said.as_deref(), Some("worker 3 does not pass the filter depth<2: all workers are shown"));
        // Neither an empty line nor the busiest pairs are hires.
        let inner = model.layout().and_then(|layout| layout.inner(LivePane::Hires)).expect("the pane is shown");
        let (right, bottom) = (usize::from(inner.right()) - 1, usize::from(inner.bottom()) - 1);
        if inner.width > 52 {
            click(&mut model, right, usize::from(inner.y) + 1);
            click(&mut model, right, bottom);
        }
        assert_eq!(model.selected, 3);
    }
}

#[test]
fn a_click_selects_a_row_of_groups() {
    let mut model = grouped(80, 24, 64, 4);
    key(&mut model, 'c');
    let click = |model: &mut LiveModel, line| {
        let inner = model.layout().and_then(|layout| layout.inner(LivePane::Threads)).expect("the pane is shown");
        let kind = MouseEventKind::Down(MouseButton::Left);
        let event = MouseEvent { kind, column: inner.x + 3, row: inner.y + line, modifiers: KeyModifiers::NONE };
        model.update(kit::ScreenEvent::Mouse(event));
        model.group_rows().iter().position(|group| group.members.contains(&model.selected))
    };
    // The heading is no row.
    assert_eq!([3, 0, 1, 4].map(|line| click(&mut model, line)), [2, 2, 0, 3].map(Some));
}

#[test]
fn what_is_copied_is_that_of_the_selected_pane() {
    let mut model = model(80, 24, 4, THEME);
    let Some(Clip::Text(what, text)) = model.clip() else { panic!("a text") };
    assert!(what == "the figures of worker 0" && text.starts_with("worker 0  searching  nodes 12"), "{what}: {text}");
    press(&mut model, KeyCode::Tab);
    let Some(Clip::Text(what, text)) = model.clip() else { panic!("a text") };
    assert!(what == "the board of worker 0" && text.starts_with("8x8 a8 "), "{what}: {text}");
    press(&mut model, KeyCode::Tab);
    assert!(matches!(model.clip(), Some(Clip::Part(what, _)) if what == "pane 3, depths"));
}

#[test]
fn what_a_simulation_cannot_do_is_said_and_its_pace_goes_from_where_its_clock_is() {
    let mut model = simulated(80, 24, 64, THEME);
    assert_eq!(key(&mut model, 'd'), Effect::Stay);
    assert!(model.common.notice.as_ref().is_some_and(|notice| notice.bad));
    assert_eq!(key(&mut model, '+'), Effect::Run(Wish::Pace(Some(500))));
    assert_eq!(key(&mut model, '-'), Effect::Run(Wish::Pace(Some(200))));
    assert_eq!(keys(&mut model, "Sy"), [Effect::Stay, Effect::Do(Action::NextScheduler)]);
    assert_eq!(model.next_scheduler(), Scheduler::RAYON);
}

#[test]
fn a_run_ends_after_a_question_and_by_no_key_that_is_held_down() {
    asks_before_it_ends(|| model(80, 24, 4, THEME));
}
