//! The header of the live view: question, method and progress.

use super::hires;
use crate::run::balance::SHARE_MIN;
use crate::run::{Tempo, slower_by_about};
use crate::schedule::{Rate, Simulated, StopReason};
use crate::ui::kit;
use crate::ui::kit::keys::Action;
use crate::ui::kit::{LinePart, Role, Theme, fit, header_line, put, put_line, titled};
use crate::ui::live::model::{LiveModel, Phase};
use crate::ui::live::workers::draw_shares;
use crate::words;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use std::time::Duration;

/// The share that is done before there is an estimate.
const UNKNOWN: &str = "unknown";
/// Least width for long words about the speed.
const BADGE_WIDE: u16 = 60;
/// Least width for the time since which the bar of a resumed run is.
const SINCE_WIDE: u16 = 100;

/// Draws the question, the figures, the bar of the crew's time and, where there is room, what happened last; or a short form
/// in two lines, below which the last event may stand.
pub fn draw(buf: &mut Buffer, area: Rect, model: &LiveModel) {
    let is_narrow = area.width < BADGE_WIDE;
    titled(buf, area, question(model), &badge(model, is_narrow));
    let (width, below) = (header_line(area, 1).width, header_line(area, 2));
    let shares = model.has_timeline();
    let has_figures = area.height > 2 && !is_narrow;
    let line = match model.ended() {
        _ if !has_figures => fit(gist(model, is_narrow), width, 2),
        None if shares => fit(figures(model).chain(progress(model)).collect(), width, 2),
        None => fit(figures(model).collect(), width, 3),
        Some(_) => {
            let figure = |name, n| LinePart::figure(model.common.theme, 1, name, words::grouped(n));
            let has_tours = model.phase == Phase::Running && !model.about.finds;
            let tours = if has_tours { figure("tours", model.snapshot.tours()) } else { LinePart::new(1) };
            let found = [figure("nodes", model.snapshot.nodes()), tours, earlier(model)];
            fit(progress(model).into_iter().chain(found).chain(losses(model)).collect(), width, 2)
        }
    };
    put_line(buf, header_line(area, 1), &line);
    if has_figures && shares {
        // There each worker counts as if it had a processor.
        let slow = match model.balance.slow_share() {
            share if share > 1.0 - SHARE_MIN => "  in slow motion",
            _ if model.balance.is_slowed() => "  partly in slow motion",
            _ => "",
        };
        let since = if area.width < SINCE_WIDE { String::new() } else { model.since() };
        let said = format!("{slow}{since}");
        let bar = Rect { width: below.width.saturating_sub(said.len() as u16), ..below };
        model.balance.time().into_iter().for_each(|time| draw_shares(buf, bar, model.common.theme, &time));
        put(buf, below, bar.right(), below.y, &said, model.common.theme.style(Role::Label));
    } else if has_figures && model.ended().is_none() {
        put_line(buf, below, &fit(progress(model), width, 2));
    } else if let (true, Some(event)) = (is_narrow && area.height > 2, hires::lines(model).next()) {
        let time = words::moment(model.run_time(event.at));
        let (text, role) = hires::line(model.common.theme, event, usize::from(width).saturating_sub(time.len() + 1));
        put(buf, below, below.x, below.y, &format!("{time} {text}"), model.common.theme.style(role));
    }
    if area.height > 3 {
        put_line(buf, header_line(area, 3), &fit(story(model), width, 2));
    }
}

/// What has just happened, in so many letters, where the header has no line for it.
pub fn news(model: &LiveModel, room: usize) -> Option<String> {
    let is_now = model.phase == Phase::Running && model.playback.shown().is_none();
    let is_new = is_now && model.story.is_new(model.snapshot.elapsed);
    let news = model.story.shown(&model.snapshot, |at| model.run_time(at)).0;
    Some(news).filter(|text| is_new && text.chars().count() <= room)
}

/// What happened last; at the end which worker searched least and why, or, of a demonstration, what was seen and where more is.
fn story(model: &LiveModel) -> Vec<LinePart> {
    let (theme, seen) = (model.common.theme, &model.snapshot);
    let said = |worth, role, text: String| LinePart::new(worth).with(theme, role, text);
    if model.is_demonstrated() {
        let (hires, workers) =
            (words::number_of(seen.hires(), "hire"), words::number_of(seen.workers.len() as u64, "worker"));
        let seen = said(9, Role::Strong, format!("{hires} kept {workers} searching"));
        return vec![seen, said(8, Role::Text, "destrier tutorial shows how, step by step".to_owned())];
    }
    if model.phase != Phase::Running && model.has_timeline() {
        let why = model.balance.least().map(|least| {
            [said(9, Role::Text, least), said(8, Role::Label, format!("{} on it says more", Action::Open.key()))]
        });
        return why.into_iter().flatten().collect();
    }
    let (text, left_out) = model.story.shown(seen, |at| model.run_time(at));
    if model.phase != Phase::Running || model.playback.shown().is_some() || text.is_empty() {
        return Vec::new();
    }
    let is_slow = left_out > 0 && seen.pace.is_some();
    let left_out =
        if is_slow { format!("{} not told", words::number_of(left_out, "more hire")) } else { String::new() };
    vec![said(9, Role::Hired, text), said(1, Role::Label, left_out)]
}

fn question(model: &LiveModel) -> Vec<LinePart> {
    let theme = model.common.theme;
    let ending = model.about.ending.name();
    let scheduler = match model.scheduler {
        _ if model.about.finds => "raced".to_owned(),
        scheduler if scheduler.has_rules => format!("hire, {}", model.snapshot.hand_over.name()),
        scheduler => scheduler.name().to_owned(),
    };
    let threads = match (model.snapshot.simulated, model.snapshot.workers.len()) {
        (Some(_), many @ 2..) => words::number_of(many, "worker"),
        (_, threads) => words::threads(threads),
    };
    vec![
        LinePart::new(1).with(theme, Role::Focus, "destrier"),
        LinePart::read_only(theme, model.playback.only_looks()),
        LinePart::new(10).with(theme, Role::Hired, model.snapshot.simulated.map_or("", |_| "simulated")),
        LinePart::new(9).with(theme, Role::Strong, format!("{} {ending}", model.about.shape.short())),
        LinePart::new(8).with(theme, Role::Text, model.about.method.clone()),
        LinePart::new(3).with(theme, Role::Text, model.about.detail.clone()),
        LinePart::new(0).with(theme, Role::Label, why_watched(model)),
        LinePart::new(7).with(theme, Role::Text, scheduler),
        LinePart::new(1).with(theme, Role::Text, threads),
    ]
}

/// That this search can be stepped through, and which one is faster.
fn why_watched(model: &LiveModel) -> String {
    let explain = Action::Explain.key();
    model.about.faster.map_or(String::new(), |faster| format!("({explain} steps through it; {faster} is faster)"))
}

/// Nodes and tours of a run that goes on, with three digits.
fn figures(model: &LiveModel) -> impl Iterator<Item = LinePart> {
    let (theme, seen, rates) = (model.common.theme, &model.snapshot, &model.rates);
    let figure = |worth, name: &str, n: u64, per_s: f64| {
        let rate = model.rate(per_s).map_or(String::new(), |rate| format!("  {rate:<7}"));
        LinePart::figure(theme, worth, name, format!("{:<5}", words::count(n))).with(theme, Role::Text, rate)
    };
    let nodes = figure(9, "nodes", seen.nodes(), rates.nodes_per_s());
    let tours = (!model.about.finds).then(|| figure(8, "tours", seen.tours(), rates.tours_per_s()));
    [Some(nodes), tours, Some(earlier(model))].into_iter().flatten().chain(losses(model))
}

/// At an event between two looks states are those behind it, and figures are of the look before.
fn earlier(model: &LiveModel) -> LinePart {
    let apart = model.apart(model.figures_at()).map_or(String::new(), |apart| format!("figures {apart}"));
    LinePart::new(9).with(model.common.theme, Role::Hired, apart)
}

/// What was lost, and the mark of a recording.
fn losses(model: &LiveModel) -> impl Iterator<Item = LinePart> {
    let recording = LinePart::recording(model.common.theme, model.playback.unrecorded());
    [lost(model)].into_iter().chain(recording)
}

/// The number of lost events; empty if no event is lost.
fn lost(model: &LiveModel) -> LinePart {
    match model.snapshot.events_lost {
        0 => LinePart::new(10),
        n => LinePart::new(10).with(
            model.common.theme,
            Role::Bad,
            format!("{} {} lost", words::count(n), words::noun(n, "event")),
        ),
    }
}

fn progress(model: &LiveModel) -> Vec<LinePart> {
    if model.about.finds {
        return race(model);
    }
    let theme = model.common.theme;
    if let Phase::Ended(stopped) = model.phase {
        return [counted(model, stopped)].into_iter().chain(simulated_time(model)).collect();
    }
    if let Some(simulated) = &model.snapshot.simulated {
        return simulated_time(model).into_iter().chain(on_machine(theme, model.snapshot.elapsed, simulated)).collect();
    }
    let mut parts = vec![LinePart::new(9).with(theme, Role::Label, "done  ").with(
        theme,
        Role::Strong,
        format!("{:<7}", done(model)),
    )];
    let seen = &model.snapshot;
    // The number of tours may be known before the tree is estimated.
    let all_tours = seen.outlook.all_tours(seen.tours()).map(words::ranged);
    let (nodes, tours) = match (model.whole(), seen.progress()) {
        (Some(all), _) => (words::count(all.nodes()), words::count(all.tours())),
        (None, Some(progress)) => {
            let nodes = words::estimate(progress.tree.mean, progress.nodes);
            (nodes, all_tours.unwrap_or_else(|| UNKNOWN.to_owned()))
        }
        (None, None) => {
            let part = |all| LinePart::new(7).with(theme, Role::Text, all).with(theme, Role::Label, " tours in all");
            parts.extend(all_tours.map(part));
            return parts;
        }
    };
    parts.push(
        LinePart::new(7)
            .with(theme, Role::Label, "tree ")
            .with(theme, Role::Text, nodes)
            .with(theme, Role::Label, " nodes, ")
            .with(theme, Role::Text, tours)
            .with(theme, Role::Label, " tours"),
    );
    if model.whole().is_some() {
        return parts;
    }
    let rate = Rate { nodes_per_s: model.rates.nodes_per_s(), tours_per_s: model.rates.tours_per_s() };
    // The rate of slow motion tells nothing of the time left.
    let is_slowed = model.snapshot.pace.is_some() && (model.tempo != Tempo::Full || model.snapshot.simulated.is_none());
    if let Some(left) = model.snapshot.left_words(rate).filter(|_| !is_slowed) {
        parts.push(LinePart::new(8).with(theme, Role::Label, "left ").with(theme, Role::Text, left));
    }
    parts
}

/// The time of a simulated run, on its own clock.
fn simulated_time(model: &LiveModel) -> Option<LinePart> {
    let time = words::moment(model.snapshot.elapsed);
    model.snapshot.simulated.map(|_| LinePart::figure(model.common.theme, 9, "simulated time", time))
}

/// The time that a simulated run takes on the simulated machine, and how fast its own clock goes here.
fn on_machine(theme: Theme, elapsed: Duration, simulated: &Simulated) -> [LinePart; 2] {
    let said = |worth, before: &str, figure: String, after: &str| {
        let part = LinePart::new(worth).with(theme, Role::Label, before).with(theme, Role::Strong, figure);
        part.with(theme, Role::Label, after)
    };
    let (node, speed) = (words::short(simulated.node_ns * 1e-9), words::rate(simulated.nodes_per_s));
    [
        said(8, "machine time ", words::short(simulated.seconds(elapsed)), &format!(", {node} a node")),
        said(9, "shown at ", speed, " nodes a second each"),
    ]
}

/// The result of a search, in words.
fn counted(model: &LiveModel, stopped: Option<StopReason>) -> LinePart {
    let convention = &model.about.convention;
    number(model, stopped).with(
        model.common.theme,
        Role::Text,
        match stopped {
            None => format!(", {convention}; complete"),
            Some(_) if done(model) == UNKNOWN => format!(" so far, {convention}"),
            Some(_) => format!(" so far, {convention}; {} of the tree is done", done(model)),
        },
    )
}

/// The number of tours found.
fn number(model: &LiveModel, stopped: Option<StopReason>) -> LinePart {
    let tours = model.snapshot.tours();
    let role = if stopped.is_none() { Role::Good } else { Role::Hired };
    let text = words::number_of(tours, &format!("{} tour", model.about.ending.name()));
    LinePart::new(9).with(model.common.theme, role, text)
}

/// The number of attempts of a race, and its result.
fn race(model: &LiveModel) -> Vec<LinePart> {
    let theme = model.common.theme;
    let attempts = LinePart::new(9).with(theme, Role::Label, "attempts ").with(
        theme,
        Role::Strong,
        format!("{:<6}", words::count(model.snapshot.attempts())),
    );
    vec![attempts, answer(model)]
}

fn answer(model: &LiveModel) -> LinePart {
    let theme = model.common.theme;
    match &model.answer {
        None => LinePart::new(8),
        Some(Ok(tours)) => {
            LinePart::new(8).with(theme, Role::Good, format!("found {}", words::number_of(tours, "tour")))
        }
        Some(Err(reason)) => LinePart::new(8).with(theme, Role::Bad, reason.clone()),
    }
}

fn gist(model: &LiveModel, is_narrow: bool) -> Vec<LinePart> {
    let (theme, seen) = (model.common.theme, &model.snapshot);
    let time = simulated_time(model).filter(|_| !is_narrow);
    let plain = |worth, text: String| LinePart::new(worth).with(theme, Role::Text, text);
    if let (false, Phase::Ended(stopped)) = (model.about.finds, model.phase) {
        let rest = match stopped {
            _ if model.is_demonstrated() => words::number_of(seen.hires(), "hire"),
            None => "complete".to_owned(),
            Some(_) => "so far".to_owned(),
        };
        let nodes = format!("{} nodes", words::count(seen.nodes()));
        let parts = [number(model, stopped), plain(8, rest), plain(7, nodes)];
        return parts.into_iter().chain(time).collect();
    }
    let tours = format!("{} {}", words::count(seen.tours()), words::noun(seen.tours(), "tour"));
    let mut parts = vec![
        plain(9, format!("{:>5} nodes", words::count(seen.nodes()))),
        plain(8, model.rate(model.rates.nodes_per_s()).map_or(String::new(), |rate| format!("{rate:>7}"))),
        plain(7, if model.about.finds { String::new() } else { tours }),
        match model.snapshot.simulated {
            Some(_) => LinePart::new(5),
            None if model.about.finds => answer(model),
            None => plain(5, done(model)),
        },
        earlier(model),
        lost(model),
    ];
    parts.extend(time);
    parts.extend(LinePart::recording(theme, model.playback.unrecorded()));
    parts
}

/// The finished share of the tree; 100 % once the run has ended by itself, whatever the estimate was, and exact in its past.
fn done(model: &LiveModel) -> String {
    match (model.phase, model.whole(), model.snapshot.progress()) {
        (Phase::Ended(None), ..) => words::progress(1.0),
        (_, Some(all), _) => words::progress(words::share(model.snapshot.nodes(), all.nodes())),
        (_, None, Some(progress)) => words::progress(progress.done()),
        (.., None) => UNKNOWN.to_owned(),
    }
}

/// How much slower than full speed the run goes, by the user or by its tempo. A simulated clock has no full speed.
fn slowed(model: &LiveModel, pace: u32, is_narrow: bool) -> String {
    let slower = format!("1/{}", words::count(slower_by_about(pace, &model.snapshot)));
    match (model.tempo, model.tempo.full_in_s(pace, &model.snapshot)) {
        (_, Some(s)) if is_narrow => format!("full in {s:.0} s"),
        (_, Some(s)) => format!("{slower}, full speed in {s:.0} s, {} now", Action::Faster.key()),
        (Tempo::WholeRun { .. }, _) if is_narrow => format!("{slower} speed"),
        (Tempo::WholeRun { .. }, _) => format!("demonstration, slowed to {slower}"),
        _ if is_narrow => format!("SLOW {pace}/s"),
        _ if model.snapshot.simulated.is_some() => format!("SLOW {pace}/s each"),
        _ => format!("SLOW {pace}/s each, about {slower}"),
    }
}

/// The state of the run, and its time; that of a simulated run stands below by its name, if there is room.
fn badge(model: &LiveModel, is_narrow: bool) -> Line<'static> {
    let seen = &model.snapshot;
    let past = model.playback.shown().is_some();
    let (text, role) = match (model.phase, seen.paused, seen.pace) {
        (Phase::Running, ..) if past => ("PAST".to_owned(), Role::Hired),
        (Phase::Running, ..) if model.playback.is_catching_up() => ("CATCHING UP".to_owned(), Role::Hired),
        (Phase::Ended(None), ..) => ("FINISHED".to_owned(), Role::Good),
        (Phase::Ended(Some(reason)), ..) => (format!("STOPPED: {}", reason.name()), Role::Hired),
        (Phase::Running, true, _) => ("PAUSED".to_owned(), Role::Hired),
        (Phase::Running, false, Some(pace)) => (slowed(model, pace, is_narrow), Role::Held),
        (Phase::Running, false, None) => (String::new(), Role::Good),
    };
    let mut line = Line::default();
    if !text.is_empty() {
        line.push_span(kit::badge(model.common.theme, role, text));
    }
    if seen.simulated.is_some() && !is_narrow {
        return line;
    }
    if !line.spans.is_empty() {
        line.push_span("  ");
    }
    // In slow motion whole seconds would seem to stand still.
    let (at, is_over) = (model.run_time(seen.elapsed), model.phase != Phase::Running);
    let is_slow = seen.simulated.is_some() || (seen.pace.is_some() && !is_over);
    let is_short = at < Duration::from_secs(if is_over { 10 } else { 1 });
    let at = match (past, is_slow || is_short) {
        (true, _) => model.playback.time(seen.elapsed),
        // A pause is the moment of events, which are told more finely.
        (false, _) if seen.paused && at >= Duration::from_secs(1) => words::exact(at),
        (false, true) => words::moment(at),
        (false, false) => words::clock(at),
    };
    line.push_span(ratatui::text::Span::styled(at, model.common.theme.style(Role::Strong)));
    line
}
