//! The result of a count as text and as the JSON object of the contract, or what it failed by.

use crate::board::{Ending, KnownCount};
use crate::count::estimate::Estimator;
use crate::count::{
    BoardNumber, Convention, Count, CountAnswer, CountError, CountPhase, CountPosition, CountQuestion, CountSnapshot,
    Evidence, FinishedCount, Modulus, Settings,
};
use crate::job::{self, CommandLine, Failure, Report, keys, object, usage};
use crate::run::CountResult;
use crate::solve::Problem;
use crate::words::{self, bytes, grouped};
use serde::Serialize;

#[derive(Clone, Serialize)]
pub struct PartLine {
    pub file: String,
    /// The prime.
    pub modulus: u32,
    /// The remainder by it, in decimal digits.
    pub remainder: String,
    /// How long it took.
    pub elapsed_s: f64,
}

/// What is known at the end of a run, beside the answer.
pub struct CountRunEnd<'a> {
    /// What was asked.
    pub question: &'a CountQuestion,
    /// Who counted, and in what memory.
    pub settings: &'a Settings,
    /// The last look at the run.
    pub last: &'a CountSnapshot,
    /// Resident maximum, in bytes.
    pub peak_bytes: Option<u64>,
    /// What stopped it, if anything did: `signal`, `request` or `view`.
    pub stopped: &'static str,
}

/// A report that begins with what is asked: the board, or the range of boards, the ending and the convention.
pub fn asked_report(question: &CountQuestion) -> Report {
    let mut report = Report::default();
    let board = question.range.map_or_else(|| question.board().to_string(), |range| range.to_string());
    let (ending, convention) = (question.ending.name(), question.convention().name());
    keys!(report, board, "holes"? => question.hole_names(), ending, convention);
    report
}

/// The report of a count that was complete before, or was put together from parts.
pub fn finished_report(
    question: &CountQuestion,
    settings: &Settings,
    finished: &FinishedCount,
    parts: Option<Vec<PartLine>>,
) -> Report {
    let settings = &Settings { threads: finished.threads, ..settings.clone() };
    let last = &CountSnapshot { states: finished.states, ..CountSnapshot::default() };
    // How much memory it took is not known any more.
    let end = CountRunEnd { question, settings, last, peak_bytes: None, stopped: "request" };
    count_report(&end, Some(&finished.answer()), parts)
}

/// The report of a count of a board or of a range; `parts` are those that were put together. Without an answer the count was
/// stopped before it began.
pub fn count_report(end: &CountRunEnd<'_>, answer: Option<&CountAnswer>, parts: Option<Vec<PartLine>>) -> Report {
    let Some(range) = end.question.range else { return of_board(end, answer, parts) };
    of_range(end, answer, range.boards().count())
}

fn of_board(end: &CountRunEnd<'_>, answer: Option<&CountAnswer>, parts: Option<Vec<PartLine>>) -> Report {
    let &CountRunEnd { question, settings, last, stopped, .. } = end;
    let (board, strict) = (question.board(), question.strict);
    let (ending, convention) = (question.ending.name(), question.convention().name());
    let found = answer.and_then(CountAnswer::count);
    let count = found.filter(|_| settings.modulus.is_none());
    let place = |position: Option<&CountPosition>| position.map(CountPosition::to_string);
    let resumed = place(answer.and_then(|answer| answer.resumed_from.as_ref()));
    let mut report = Report::default();

    let strictly = if strict { " that cannot be closed" } else { "" };
    let start = question.start.map(|square| board.name(square));
    let from = start.as_ref().map_or(String::new(), |square| format!(" from {square}"));
    let (name, threads) = (question.name(), words::threads(settings.threads));
    report.text(format_args!("{name} {ending} tours{from}{strictly}, {threads}"));
    keys!(report, board, "holes"? => question.hole_names(), ending, strict, start);
    keys!(report, "count" => count.map(Count::to_string));
    tell_number(&mut report, question, found, settings.modulus);
    report.key("convention", convention);
    let reason = count.and_then(|count| why_none(question, count));
    report.line_if("none", reason.as_ref());
    let how = answer.and_then(CountAnswer::evidence).map(Evidence::to_string);
    report.line_if("how", how.as_ref().filter(|_| answer.is_some_and(|answer| answer.peak_states > 0)));
    report.key("how", how);
    report.line_if("parts", parts.as_ref().map(Vec::len));
    keys!(report, "parts"? => parts.as_ref().map(Vec::len), "residues"? => parts);
    report.line_if("resumed", resumed.as_ref().map(|place| format!("after {place}")));
    tell_cost(&mut report, end, answer);
    keys!(report, resumed, "saved" => place(answer.and_then(|answer| answer.saved_position.as_ref())));
    tell_end(&mut report, last, (found.is_none()).then_some(stopped));
    report.key_if("reason", reason);
    report
}

/// Why there are none, if there are none and the board proves it.
fn why_none(question: &CountQuestion, count: &Count) -> Option<String> {
    let problem = Problem { start: question.start, ..Problem::new(&question.shape, question.ending) };
    if count.value().bits() == 0 { problem.why_impossible() } else { None }
}

/// The number, or what it leaves when it is divided by the only modulus.
fn tell_number(report: &mut Report, question: &CountQuestion, found: Option<&Count>, modulus: Option<u32>) {
    let convention = question.convention().name();
    match (found, modulus) {
        (Some(rest), Some(modulus)) => {
            let [words, multiple] = [grouped(rest), grouped(modulus)];
            let words = format!("{words} more than a multiple of {multiple}, {convention}");
            report.fact("remainder", rest.to_string(), "tours", words);
            report.key("modulus", modulus);
            tell_known(report, question, rest, modulus);
        }
        (Some(count), None) => {
            let also = counterpart(question, count);
            let also = also.map(|other| format!("; {}", words::by_convention(&other, other.convention().name())));
            report.line("tours", words::by_convention(count, convention) + &also.unwrap_or_default());
        }
        (None, modulus) => {
            report.key_if("modulus", modulus);
            report.line("tours", format_args!("not known, {convention}"));
        }
    }
}

/// How the count ended, and how far it got if it was stopped.
fn tell_end(report: &mut Report, last: &CountSnapshot, stopped: Option<&'static str>) {
    let (complete, done) = (stopped.is_none(), stopped.map(|_| done(last)));
    keys!(report, complete, done, stopped);
    let Some(by) = stopped else { return report.text("complete") };
    let reached = match last.phase {
        CountPhase::Planning => "while it was planned".to_owned(),
        CountPhase::Symmetry => "while the tours that symmetries keep were counted".to_owned(),
        CountPhase::Counting | CountPhase::Done => {
            let share = words::reported_share(words::share(last.states, last.states_planned));
            format!("at row {} of {}, {share} of the states done", last.row + 1, last.rows)
        }
    };
    report.text(format_args!("NOT complete: stopped by {by} {reached}"));
}

/// How far a count got that was stopped.
fn done(last: &CountSnapshot) -> Report {
    // The share is that of the states planned so far.
    let (phase, share) = (last.phase.name(), words::share(last.states, last.states_planned));
    // In work, from 1.
    let (pass, sweep, row) = (last.pass + 1, last.sweep + 1, last.row + 1);
    object!(phase, share, pass, sweep, row, last.rows)
}

/// Compares the remainder with that of a published number, if there is one.
fn tell_known(report: &mut Report, question: &CountQuestion, remainder: &Count, prime: u32) {
    let is_of_all = question.ending == Ending::Closed || (question.start.is_none() && !question.strict);
    let is_of_all = is_of_all && !question.shape.has_holes();
    let Some(known) = question.board().known_tours(question.ending).filter(|_| is_of_all) else { return };
    let agrees = *remainder.value() == (known.count % u128::from(prime)).into();
    tell_known_number(report, &known, if agrees { " has this remainder" } else { " has ANOTHER remainder" });
    report.key("agrees", agrees);
}

/// A published number, with what is said of it, and its source.
pub fn tell_known_number(report: &mut Report, known: &KnownCount, verdict: &str) {
    let words = format!("{}{verdict} ({})", grouped(known.count), known.source);
    report.fact("known", known.count.to_string(), "known", words);
    report.key("known_source", known.source);
}

/// The same tours by the other convention, where the number of those follows from the number alone.
pub fn counterpart(question: &CountQuestion, count: &Count) -> Option<Count> {
    match (count.convention(), question.ending) {
        (Convention::Undirected, _) => Some(Count::new(count.value() * 2u32, Convention::Directed)),
        // The tour of a single square has one direction only, and those from one square have no reversals among them.
        (Convention::Directed, Ending::Open) if question.shape.squares() > 1 && question.start.is_none() => {
            Some(Count::new(count.value() / 2u32, Convention::Undirected))
        }
        _ => None,
    }
}

/// What a count took.
fn tell_cost(report: &mut Report, end: &CountRunEnd<'_>, answer: Option<&CountAnswer>) {
    let (states, peak) = (end.last.states, answer.map_or(0, |answer| answer.peak_states));
    // States stored, over all squares of all sweeps and passes.
    report.key("states", states);
    // The plan knows it, also of a count that was stopped.
    let whole = if answer.is_some_and(|answer| !answer.complete) { " in the whole count" } else { "" };
    let words = format!("{}, at most {} at once{whole}", grouped(states), grouped(peak));
    report.fact("peak_states", peak, "states", words);
    // Resident maximum of the process; none where the system does not say.
    report.key("peak_bytes", end.peak_bytes);
    let part = if answer.is_some_and(|answer| answer.resumed_from.is_some()) { " since it was resumed" } else { "" };
    report.line_if("memory", end.peak_bytes.map(|peak| format!("{} at most{part}", bytes(peak))));
    report.key("threads", end.settings.threads);
    let elapsed_s = answer.map_or(end.last.elapsed_s, |answer| answer.elapsed.as_secs_f64());
    report.fact("elapsed_s", elapsed_s, "time", format_args!("{elapsed_s:.3} s"));
}

/// An answer as the view shows it; nothing when the count was stopped.
pub fn answered(question: &CountQuestion, answer: &CountAnswer) -> Option<CountResult> {
    let (count, evidence) = (answer.count()?, answer.evidence()?);
    let also = counterpart(question, count).map(|other| (other.to_string(), other.convention().to_string()));
    let how = why_none(question, count).unwrap_or_else(|| evidence.to_string());
    let digits = count.to_string();
    Some(CountResult { digits, also, how, resumed: answer.resumed_from.map(|place| place.to_string()) })
}

/// The report of a range of so many boards.
fn of_range(end: &CountRunEnd<'_>, answer: Option<&CountAnswer>, all: usize) -> Report {
    let &CountRunEnd { question, settings, stopped, .. } = end;
    let (range, ending, modulus) = (question.name(), question.ending.name(), settings.modulus);
    let boards = answer.map_or(&[][..], |answer| &answer.boards);
    let complete = answer.is_some_and(|answer| answer.complete);
    let mut report = Report::default();

    let strictly = if question.strict { " that cannot be closed" } else { "" };
    let convention = boards.first().map_or(String::new(), |settled| format!(", {}", settled.count.convention().name()));
    report.text(format_args!("{range} {ending} tours{strictly}{convention}, {}", words::threads(settings.threads)));
    keys!(report, range, ending, question.strict);
    if let Some(modulus) = modulus {
        report.key("modulus", modulus);
        report.text(format_args!("so many more than a multiple of {}", grouped(modulus)));
    }
    let width = boards.iter().map(|settled| settled.board.to_string().len()).max().unwrap_or(0);
    for BoardNumber { board, count, .. } in boards {
        report.text(format_args!("{:<width$}  {}", board.to_string(), grouped(count)));
    }
    let objects: Vec<Report> = boards.iter().map(|settled| of_settled(settled, modulus.is_some())).collect();
    report.key("boards", objects);
    let counted = answer.is_some_and(|answer| answer.peak_states > 0) && modulus.is_none();
    report.line_if("how", if counted { how(boards) } else { None });
    tell_cost(&mut report, end, answer);
    keys!(report, complete, "stopped" => (!complete).then_some(stopped));
    if complete {
        report.text("complete")
    } else {
        report.text(format_args!("NOT complete: stopped by {stopped}, {} of {all} boards settled", boards.len()))
    }
    report
}

/// One board of a range.
fn of_settled(settled: &BoardNumber, is_remainder: bool) -> Report {
    let mut board = Report::default();
    let number = settled.count.to_string();
    keys!(board, settled.board, "count" => Some(number.clone()).filter(|_| !is_remainder));
    board.key_if("remainder", Some(number).filter(|_| is_remainder));
    board.key("convention", settled.count.convention().name());
    // What it was counted modulo; nothing where no counter had overflowed before the board's end.
    board.key("moduli", settled.evidence.moduli().iter().map(Modulus::to_string).collect::<Vec<_>>());
    board
}

/// How the numbers of a range are known to be exact, in a sentence.
fn how(boards: &[BoardNumber]) -> Option<String> {
    let in_integers = |settled: &&BoardNumber| matches!(settled.evidence, Evidence::Counters { .. });
    let exact = boards.iter().take_while(|settled| settled.evidence.moduli().is_empty()).filter(in_integers).last();
    let residues = boards.iter().map(|settled| settled.evidence.moduli()).max_by_key(|moduli| moduli.len());
    let residues = residues.filter(|moduli| !moduli.is_empty()).map(|moduli| {
        let moduli = moduli.iter().map(Modulus::to_string).collect::<Vec<_>>().join(", ");
        format!("by residues, at most modulo {moduli}; one more changed nothing, or the last left 20 bits unused")
    });
    let exact =
        exact.map(|settled| format!("to {} no count overflowed 64 bits: one pass is exact by itself", settled.board));
    let parts: Vec<String> = exact.into_iter().chain(residues).collect();
    (!parts.is_empty()).then(|| parts.join("; beyond "))
}

/// The failure that an error means; with `json` an object says it too, unless the usage was wrong.
pub fn failed(question: &CountQuestion, settings: &Settings, error: &CountError, json: bool) -> Failure {
    if error.is_usage() {
        return usage(in_words(question, error, settings));
    }
    job::failed(question.name(), error, json)
}

/// The error, and what can be done about one that the settings are to blame for, or the board.
pub fn in_words(question: &CountQuestion, error: &CountError, settings: &Settings) -> String {
    let said = error.to_string();
    match question {
        CountQuestion { range: None, start: None, unique: false, strict: false, .. }
            if error.is_too_large() && settings.modulus.is_none() && Estimator::accepts(question.board()) =>
        {
            let line = CommandLine::count(question).flag("estimate", true);
            format!("{said}\nAbout how many there are, in seconds: {line}")
        }
        _ => said,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Shape;
    use crate::count::{BoardRange, CountPlan, CountPosition, CountWatch};

    fn stopped(question: &CountQuestion, phase: CountPhase, stopped: &'static str) -> Report {
        reported(question, phase, stopped, None)
    }

    fn reported(
        question: &CountQuestion,
        phase: CountPhase,
        stopped: &'static str,
        answer: Option<&CountAnswer>,
    ) -> Report {
        let settings = Settings { threads: 2, memory: 1 << 30, ..Settings::default() };
        let last = CountSnapshot { phase, row: 3, rows: 8, states: 1, states_planned: 4, ..CountSnapshot::default() };
        let end = CountRunEnd { question, settings: &settings, last: &last, peak_bytes: None, stopped };
        count_report(&end, answer, None)
    }

    /// On the screen, too.
    #[test]
    fn a_board_without_tours_says_why() {
        let question = CountQuestion::new("8x8-a1,h8".parse::<Shape>().unwrap(), Ending::Open);
        let settings = Settings { threads: 1, memory: 1 << 30, ..Settings::default() };
        let watch = CountWatch::new(1);
        let answer = CountPlan::new(&question, 1 << 30, &watch).unwrap().run(&settings, &watch, None).unwrap();
        let told = answered(&question, &answer).unwrap();
        let reason = why_none(&question, answer.count().unwrap());
        assert!(reason.as_ref().is_some_and(|reason| reason.contains("colour")), "{reason:?}");
        assert_eq!((told.digits.as_str(), Some(told.how)), ("0", reason));
    }

    fn of_8x8() -> CountQuestion {
        CountQuestion { unique: true, ..CountQuestion::new("8x8".parse::<Shape>().unwrap(), Ending::Closed) }
    }

    /// The plan knows the greatest number of states, whether the count comes to them or not.
    #[test]
    fn of_a_stopped_count_the_most_states_are_those_of_the_whole() {
        for (complete, says) in
            [(false, "1, at most 161,428 at once in the whole count\n"), (true, "1, at most 161,428 at once\n")]
        {
            let answer = CountAnswer { complete, peak_states: 161_428, ..CountAnswer::default() };
            let text = reported(&of_8x8(), CountPhase::Counting, "signal", Some(&answer)).to_string();
            assert!(text.contains(says), "{text}");
        }
    }

    /// Its states and its time are those of the whole.
    #[test]
    fn the_memory_of_a_resumed_count_is_that_of_its_last_part() {
        let (question, settings) = (of_8x8(), Settings { threads: 1, memory: 1 << 30, ..Settings::default() });
        let last = CountSnapshot::default();
        let end = CountRunEnd {
            question: &question,
            settings: &settings,
            last: &last,
            peak_bytes: Some(1 << 20),
            stopped: "",
        };
        for (resumed_from, says) in
            [(None, "1 MiB at most\n"), (Some(CountPosition::default()), "1 MiB at most since it was resumed\n")]
        {
            let text =
                count_report(&end, Some(&CountAnswer { resumed_from, ..CountAnswer::default() }), None).to_string();
            assert!(text.contains(says), "{text}");
        }
    }

    #[test]
    fn a_stopped_count_says_what_it_was_doing() {
        let question = of_8x8();
        for (phase, name, says) in [
            (CountPhase::Planning, "planning", "stopped by signal while it was planned"),
            (CountPhase::Symmetry, "symmetry", "stopped by signal while the tours that symmetries keep were counted"),
            (CountPhase::Counting, "counting", "stopped by signal at row 4 of 8, 25.0% of the states done"),
        ] {
            let report = stopped(&question, phase, "signal");
            let text = report.to_string();
            assert!(text.ends_with(says), "{text}");
            let json = serde_json::to_value(&report).unwrap();
            assert_eq!(json["done"]["phase"], name, "{json}");
        }
    }

    #[test]
    fn a_stopped_range_says_what_stopped_it() {
        let range = BoardRange::new("8x1".parse().unwrap(), "8x8".parse().unwrap()).unwrap();
        let question = CountQuestion::of_range(range, Ending::Closed);
        for by in ["signal", "request", "view"] {
            let report = stopped(&question, CountPhase::Counting, by);
            assert_eq!(serde_json::to_value(&report).unwrap()["stopped"], by);
            let text = report.to_string();
            assert!(text.ends_with(&format!("NOT complete: stopped by {by}, 0 of 8 boards settled")), "{text}");
        }
    }
}
