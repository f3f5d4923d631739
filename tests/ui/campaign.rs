//! The view of a campaign: keys and looks against what is shown, and pictures of the screen.

use super::fixture::{THEME, drawn, noise};
use destrier::run::{Campaign, CampaignRates, PartFigures, PartState, Running, Sample, Trend, WrongFile};
use destrier::ui::campaign::{CampaignModel, update, view};
use destrier::ui::kit::{ScreenMsg, StageWish, Surface};
use destrier::ui::{Colours, Theme};
use insta::assert_snapshot;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Size;
use std::time::Duration;

/// Nodes of a part.
const NODES: u64 = 730_000;

fn figures(nodes: u64) -> PartFigures {
    PartFigures { tours: nodes / 27, nodes, cpu_s: nodes as f64 / 2e6 }
}

/// A campaign of which so many parts are done, four are running, and two files are wrong.
fn campaign(of: usize, done: usize) -> Campaign {
    let mut seen = Campaign {
        at: Duration::from_secs(83),
        question: "6x7 closed tours by path".into(),
        convention: "undirected".into(),
        parts: vec![PartState::Missing; of],
        ..Campaign::default()
    };
    let (mut tours, mut nodes, mut cpu_s) = (Sample::default(), Sample::default(), Sample::default());
    for part in 0..done {
        seen.parts[part] = PartState::Done;
        let part = figures(NODES + noise(part, 3) as u64 % 200_000);
        seen.figures.add(part);
        tours.take(part.tours as f64);
        nodes.take(part.nodes as f64);
        cpu_s.take(part.cpu_s);
        let [parts, all] = [nodes.parts(), of as u32];
        if parts > 1 {
            let whole = tours.whole(all);
            seen.trend.push(Trend { parts, tours: whole.sum, error: whole.error });
        }
    }
    if done > 1 {
        let [tours, nodes, cpu_s] = [tours, nodes, cpu_s].map(|sample| sample.whole(of as u32));
        seen.estimate = Some(destrier::run::Estimates { tours, nodes, cpu_s });
    }
    seen.complete = done == of;
    if !seen.complete {
        seen.rates = Some(CampaignRates { tours_per_s: 81_200.0, nodes_per_s: 2.2e6, cores: 3.9 });
        seen.left_s = Some(7.0);
        for k in 0..4 {
            let (part, stale) = (done + 2 * k, k == 3);
            seen.parts[part] = if stale { PartState::Stale } else { PartState::Running };
            let figures = figures(NODES * (k as u64 + 1) / 5);
            let age_s = if stale { 7320.0 } else { 3.0 + 9.0 * k as f64 };
            let done = Some((k as f64 + 1.0) / 5.0);
            seen.running.push(Running { part: part as u32 + 1, figures, age_s, stale, done });
        }
        seen.parts[of - 1] = PartState::Wrong;
        let wrong = |name: String, why: &str| WrongFile { name, why: why.into() };
        seen.wrong = vec![
            wrong(format!("{of}-of-{of}.part"), "is damaged: its checksum does not agree with its contents"),
            wrong("copy of 3.part".into(), "is part 3/40, which another file is to be: its name is wrong"),
        ];
    }
    seen
}

fn model(seen: Campaign, (width, height): (u16, u16), theme: Theme) -> CampaignModel {
    let mut model = CampaignModel::new("parts", Surface::new(theme, Size { width, height }));
    model.take(seen);
    model
}

fn press(model: &mut CampaignModel, letter: char) -> Option<StageWish> {
    update(model, ScreenMsg::Key(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE)))
}

fn screen(model: &CampaignModel) -> String {
    drawn(model.surface.screen, |frame| view(model, frame))
}

#[test]
fn a_campaign_in_its_middle() {
    assert_snapshot!("80x24", screen(&model(campaign(40, 17), (80, 24), THEME)));
    assert_snapshot!("200x60", screen(&model(campaign(20_000, 7000), (200, 60), THEME)));
    assert_snapshot!("40x10", screen(&model(campaign(300, 120), (40, 10), THEME)));
}

#[test]
fn nothing_is_said_by_colour_or_by_rare_characters_alone() {
    let text = screen(&model(campaign(40, 17), (80, 24), Theme::from_env(|_| None)));
    assert!(text.is_ascii(), "{text}");
    assert_snapshot!("ascii", text);
    let plain = screen(&model(campaign(40, 17), (80, 24), Theme { colours: Colours::None, ..THEME }));
    assert_eq!(plain, screen(&model(campaign(40, 17), (80, 24), THEME)));
}

#[test]
fn before_the_first_part_it_says_how_one_is_made() {
    let text = screen(&model(Campaign::default(), (80, 24), THEME));
    assert!(text.contains(" WAITING ") && text.contains("no part is here yet; to make one"), "{text}");
    let reading = Campaign { reading: Some((1200, 20_000)), ..campaign(40, 3) };
    let text = screen(&model(reading, (80, 24), THEME));
    assert!(text.contains(" READING ") && text.contains("1,200 of 20,000"), "{text}");
}

#[test]
fn at_the_end_it_says_what_merging_says() {
    let seen = campaign(40, 40);
    let tours = destrier::words::grouped(seen.figures.tours);
    for size in [(80, 24), (200, 60), (40, 10)] {
        let text = screen(&model(seen.clone(), size, THEME));
        assert!(text.contains(" DONE ") && text.contains(&tours), "{text}");
        assert!(text.contains("all 40 parts are there"), "{text}");
    }
    assert_snapshot!("done", screen(&model(seen, (80, 24), THEME)));
}

#[test]
fn what_is_in_the_way_is_said() {
    let gone = Campaign { trouble: Some("No such file".into()), ..campaign(40, 17) };
    let text = screen(&model(gone, (80, 24), THEME));
    assert!(text.contains(" NOT SEEN ") && text.contains("parts cannot be looked into: No such file"), "{text}");
    let mut spoilt = campaign(40, 40);
    (spoilt.complete, spoilt.wrong) = (false, campaign(40, 17).wrong);
    let text = screen(&model(spoilt, (80, 24), THEME));
    assert!(text.contains(" WRONG ") && text.contains("all 40 parts are there, and more"), "{text}");
    let mut rest = campaign(40, 17);
    rest.parts.iter_mut().filter(|part| **part == PartState::Running).for_each(|part| *part = PartState::Stale);
    (rest.rates, rest.running, rest.left_s) = (Some(CampaignRates::default()), Vec::new(), None);
    let text = screen(&model(rest, (80, 24), THEME));
    assert!(text.contains(" AT REST ") && text.contains("no run works at it"), "{text}");
}

#[test]
fn the_list_is_scrolled_and_leaving_asks_nothing() {
    let mut model = model(campaign(40, 17), (80, 24), THEME);
    assert!(screen(&model).contains("copy of 3.part"));
    for _ in 0..99 {
        assert_eq!(press(&mut model, 'j'), None);
    }
    let text = screen(&model);
    assert!(text.contains("stale, 2:02:00 ago") && !text.contains("copy of 3.part"), "{text}");
    let last = model.top;
    assert_eq!((press(&mut model, 'k'), model.top), (None, last - 1));
    assert_eq!((press(&mut model, 'g'), model.top), (None, 0));
    assert_eq!((press(&mut model, 'G'), model.top), (None, last));
    // A list that gets shorter is still seen.
    model.take(campaign(40, 40));
    assert_eq!(model.top, 0);
    assert_eq!(press(&mut model, 'q'), Some(StageWish::Leave));
}

#[test]
fn the_screen_of_any_size_can_be_drawn() {
    for (width, height) in [(40, 10), (72, 16), (71, 15), (119, 30), (120, 30), (200, 60), (41, 50), (300, 11)] {
        for seen in [Campaign::default(), campaign(9, 2), campaign(20_000, 19_990), campaign(50, 50)] {
            let mut model = model(seen, (width, height), THEME);
            screen(&model);
            press(&mut model, '?');
            assert!(screen(&model).contains("help"), "{width}x{height}");
        }
    }
    let small = model(campaign(40, 17), (39, 9), THEME);
    assert!(screen(&small).contains("need 40x10"));
}
