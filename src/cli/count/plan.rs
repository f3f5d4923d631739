//! What a count would take, before anything is counted: as text, and as one JSON object.

use super::report::{asked_report, failed};
use crate::count::{CountError, CountPlan, CountQuestion, CountWatch, MeasuredPace, Modulus, RowPlan, Settings};
use crate::job::{Answer, Failure, Report, answered, keys, object, print, print_stopped, progress, with_signals};
use crate::words::{bytes, grouped, number_of, span, threads};

/// Plans a count, and prints what it would take.
///
/// # Errors
/// [`Failure`] when it cannot be planned.
pub fn run(question: &CountQuestion, settings: &Settings, json: bool) -> Result<Answer, Failure> {
    let watch = CountWatch::new(settings.threads);
    let body = || plan_report(&CountPlan::new(question, settings.planning_memory(), &watch)?, settings, &watch);
    let name = question.name();
    let (planned, signal) = with_signals(|| watch.stop(), || progress::count(&watch.snapshot()), body)?;
    let end = match planned {
        Ok(report) => print(&report, json, false),
        Err(CountError::Stopped) => print_stopped(name, "planned", json),
        Err(error) => Err(failed(question, settings, &error, json)),
    };
    answered(end, signal)
}

/// The report of a plan, and of what `settings` mean for it.
///
/// # Errors
/// [`CountError`] when the plan cannot be run for another reason than that it does not fit.
fn plan_report(plan: &CountPlan, settings: &Settings, watch: &CountWatch) -> Result<Report, CountError> {
    let planned_s = watch.elapsed().as_secs_f64();
    let refusal = match plan.check(settings, watch) {
        Ok(()) => None,
        Err(refused @ CountError::Shortage(_)) => Some(refused.to_string()),
        Err(error) => return Err(error),
    };
    let question = plan.question();
    let (board, ending, convention) = (question.name(), question.ending.name(), question.convention().name());
    let passes = plan.expected_moduli(settings, watch)?;
    let mut report = asked_report(question);

    let sweeps = number_of(plan.sweeps().len(), "sweep");
    report.text(format_args!("{board} {ending} tours, {convention}: {sweeps}"));
    // States of one pass, over all squares of all sweeps.
    keys!(report, settings.threads, plan.states());
    let [states, peak] = [plan.states(), plan.peak_states()].map(grouped);
    report.fact("peak_states", plan.peak_states(), "states", format_args!("{states} in all, {peak} at once"));
    let first = passes.as_ref().and_then(|all| all.first()).copied();
    tell_memory(&mut report, plan, first.and_then(|first| plan.expected_width(first, settings, watch)));
    let disk_bytes = plan.disk_bytes(settings);
    report.line_if("disk", (disk_bytes > 0).then(|| format!("up to {}", bytes(disk_bytes))));
    tell_time(&mut report, plan, settings, watch, (planned_s, passes))?;
    report.key("memory_limit", settings.memory);
    // That disks have to take, at most: counts in files, and a checkpoint with the one before and the next.
    report.key("disk_bytes", disk_bytes);
    let limit = bytes(settings.memory);
    let verdict = refusal.as_ref().map_or(format!("in {limit}"), |refusal| format!("NOT in {limit}: {refusal}"));
    report.fact("fits", refusal.is_none(), "fits", verdict);
    report.key("refusal", refusal);
    let mut sweeps = Vec::new();
    for sweep in plan.sweeps() {
        report.text(format_args!("\n{}\n{}", sweep.name, row(&RowPlan::default()).headings()));
        let mut object = object!(sweep.name);
        object.rows("rows", sweep.rows.iter().map(row).collect());
        report.text(&object);
        sweeps.push(object);
    }
    report.key("sweeps", sweeps);
    Ok(report)
}

/// Bytes that the run takes, by the width of its widest large layers, with the one to expect; and if the counts live in
/// files.
fn tell_memory(report: &mut Report, plan: &CountPlan, expected_bits: Option<u32>) {
    let [bits_16, bits_32, bits_64] = [16, 32, 64].map(|bits| plan.memory(bits));
    let spilled = plan.memory_spilling();
    let mut memory = object!(bits_16, bits_32, bits_64);
    // A range has no wider counts.
    let widest = plan.question().range.is_none().then(|| plan.memory(128));
    keys!(memory, "bits_128"? => widest, spilled, expected_bits);
    let [narrow, middle, wide] = [bits_16, bits_32, bits_64].map(bytes);
    let words = format!("{narrow} with counters of 16 bits, {middle} of 32, {wide} of 64");
    report.fact("memory", memory, "memory", words);
    if let Some(widest) = widest {
        report.line("128 bits", format_args!("{} of memory, if counts outgrow 64 bits", bytes(widest)));
        report.line("spilled", format_args!("{} of memory, if the counts live in files (--spill)", bytes(spilled)));
    }
    let expected =
        |bits| format!("{}: counters of {bits} bits will probably do where most are", bytes(plan.memory(bits)));
    report.line_if("expected", expected_bits.map(expected));
}

/// How long the plan took, which a count makes too before it counts, and how long the passes would take, about.
fn tell_time(
    report: &mut Report,
    plan: &CountPlan,
    settings: &Settings,
    watch: &CountWatch,
    (planned_s, passes): (f64, Option<Vec<Modulus>>),
) -> Result<(), CountError> {
    let pace = MeasuredPace::measure(settings, watch)?;
    let seconds = |modulus: &Modulus| Some(plan.pass_seconds(pace.as_ref()?, *modulus, settings, watch));
    let estimated_s = seconds(passes.as_ref().and_then(|all| all.first()).unwrap_or(&Modulus::None));
    let all: Option<f64> = passes.as_ref().and_then(|all| all.iter().map(seconds).sum());
    let total_s = all.map(|seconds| planned_s + seconds);
    if let Some(seconds) = estimated_s {
        let (pass, planning) = (about(seconds), about(planned_s));
        let which = if passes.as_ref().is_some_and(|passes| passes.len() > 1) { "for the first" } else { "a" };
        let threads = threads(settings.threads);
        report.line("time", format_args!("about {pass} {which} pass, {threads}, after {planning} of planning"));
    }
    // What each pass will be modulo, about: `none` alone if one in plain integers is enough; null where that is unknown.
    let moduli: Option<Vec<String>> = passes.as_ref().map(|moduli| moduli.iter().map(Modulus::to_string).collect());
    report.line(
        "passes",
        match (passes.as_deref(), &moduli) {
            (Some([Modulus::None]), _) => "1, in plain integers".to_owned(),
            (_, Some(moduli)) => {
                let total = total_s.map_or(String::new(), |seconds| format!(", {} in all", about(seconds)));
                format!("about {}{total}: modulo {}", moduli.len(), shortened(moduli))
            }
            (_, None) => "one, or as many as the number needs, whose size is not known".to_owned(),
        },
    );
    // Estimated is the first pass; none where that could not be tried.
    keys!(report, planned_s, estimated_s, "passes" => moduli, total_s);
    Ok(())
}

/// A row of a sweep.
fn row(planned: &RowPlan) -> Report {
    let mut row = Report::default();
    // From 1.
    row.cell("row", planned.row + 1, "row", 3, planned.row + 1);
    // Summed over the squares of the row.
    row.cell("states", planned.states, "states", 19, grouped(planned.states));
    // Most after one square.
    row.cell("peak", planned.peak, "at once", 19, grouped(planned.peak));
    row.cell("patterns", planned.patterns, "patterns", 15, grouped(planned.patterns));
    row
}

/// The first of a list, and its last.
fn shortened(moduli: &[String]) -> String {
    match moduli {
        [first, second, .., last] if moduli.len() > 4 => format!("{first}, {second}, .., {last}"),
        _ => moduli.join(", "),
    }
}

/// A time that may be short: `0.42 ms`, `0.50 s`, then as [`span`].
pub fn about(seconds: f64) -> String {
    match seconds {
        s if s < 0.01 => format!("{:.2} ms", 1000.0 * s),
        s if s < 10.0 => format!("{s:.2} s"),
        s => span(s),
    }
}
