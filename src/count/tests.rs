//! The ways to count, compared with each other: sparse and dense, exact and modulo primes, in memory and in files,
//! resumed from any row, by any number of threads.

use super::ask::progress::CountProgress;
use super::pass::steps::{Pass, PassHalt, PassResources};
use super::pass::threads::CountThreads;
use super::run::checkpointer::Checkpointer;
use super::*;
use crate::board::{Board, Ending, Shape};
use crate::saved::{SavedFile, SavedRun as _};
use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

pub(super) fn question(board: &str, ending: Ending) -> CountQuestion {
    CountQuestion::new(board.parse::<Shape>().unwrap(), ending)
}

/// The file of a question at a path, claimed and read.
pub(super) fn count_file(path: &Path, question: &CountQuestion, settings: &Settings) -> Result<CountFile, CountError> {
    let file = SavedFile::new(path).unwrap();
    file.claim().unwrap();
    let found = file.read(Some(&SavedQuestion::new(question, settings.modulus)))?;
    let file = CountFile::new(file, found, question, settings);
    file.begin()?;
    Ok(file)
}

/// Counts in the file of the settings, if they name one.
pub(super) fn run(plan: &CountPlan, settings: &Settings, watch: &CountWatch) -> Result<CountAnswer, CountError> {
    let path = settings.checkpoint.as_deref();
    let file = path.map(|path| count_file(path, plan.question(), settings)).transpose()?;
    plan.run(settings, watch, file)
}

pub(super) fn settings(threads: usize) -> Settings {
    Settings { threads, memory: 1 << 33, ..Settings::default() }
}

pub(super) fn plan_with_watch(question: &CountQuestion, threads: usize) -> (CountPlan, CountWatch) {
    let watch = CountWatch::new(threads);
    (CountPlan::new(question, 1 << 33, &watch).unwrap(), watch)
}

pub(super) fn answer(question: &CountQuestion, settings: &Settings) -> CountAnswer {
    let (plan, watch) = plan_with_watch(question, settings.threads);
    run(&plan, settings, &watch).unwrap()
}

fn number(question: &CountQuestion, settings: &Settings) -> String {
    answer(question, settings).count().unwrap().to_string()
}

/// Runs a pass of the first sweep over a board; `change` may change its resources.
fn pass(
    board: &str,
    ending: Ending,
    modulus: Modulus,
    change: impl FnOnce(&mut PassResources<'_>),
) -> Result<u128, PassHalt> {
    let (plan, watch) = plan_with_watch(&question(board, ending), 2);
    let threads = CountThreads { pool: &plan.pool, watch: &watch };
    let mut resources = PassResources::new(threads, 1 << 33);
    change(&mut resources);
    Pass::new(&plan.sweeps[0], modulus, &resources)?.run(|_| ())
}

#[test]
fn sparse_and_dense_layers_count_the_same() {
    for (board, ending) in
        [("5x6", Ending::Closed), ("6x6", Ending::Closed), ("5x5", Ending::Open), ("4x6", Ending::Open)]
    {
        let of = |sparse_counts| {
            pass(board, ending, Modulus::None, |resources| resources.sparse_counts = sparse_counts).unwrap()
        };
        assert_eq!(of(0), of(u64::MAX), "{board}");
        assert!(of(0) > 0);
    }
}

/// A width that is too narrow is followed by a wider one.
#[test]
fn a_step_that_overflows_is_repeated_wider() {
    for (board, ending) in [("6x8", Ending::Closed), ("6x6", Ending::Open), ("5x20", Ending::Closed)] {
        let of = |growth| {
            let change = |resources: &mut PassResources<'_>| (resources.growth, resources.sparse_counts) = (growth, 0);
            pass(board, ending, Modulus::None, change).unwrap()
        };
        assert_eq!(of(0), of(1 << 40), "{board}");
    }
}

#[test]
fn a_pass_modulo_a_prime_leaves_the_remainder() {
    for (board, ending) in [("6x7", Ending::Closed), ("6x8", Ending::Closed), ("6x6", Ending::Open)] {
        let exact = pass(board, ending, Modulus::None, |_| ()).unwrap();
        for (prime, sparse_counts) in [(10_007, 10_000), (65_521, 0), (2_147_483_647, 0), (2, u64::MAX)] {
            let change = |resources: &mut PassResources<'_>| resources.sparse_counts = sparse_counts;
            assert_eq!(
                pass(board, ending, Modulus::Prime(prime), change).unwrap(),
                exact % u128::from(prime),
                "{board} {prime}"
            );
        }
    }
}

#[test]
fn a_question_with_a_modulus_counts_the_remainder_only() {
    let modulo = |ending, prime| {
        let settings = Settings { modulus: Some(prime), ..settings(2) };
        let (plan, watch) = plan_with_watch(&question("6x6", ending), 2);
        run(&plan, &settings, &watch)
    };
    for (ending, prime, remainder) in [(Ending::Closed, 101, 9862 % 101), (Ending::Open, 65_521, 6_637_920 % 65_521)] {
        let found = modulo(ending, prime).unwrap();
        assert_eq!(
            (found.count().unwrap().to_string(), found.boards[0].evidence.clone()),
            (remainder.to_string(), Evidence::Remainder { prime })
        );
    }
    assert!(modulo(Ending::Closed, 65_520).unwrap_err().is_usage());
}

/// Counts in files stay narrow.
#[test]
fn a_count_beyond_64_bits_is_put_together_from_residues() {
    let query = question("5x20", Ending::Closed);
    let folder = tempfile::tempdir().unwrap();
    let in_files = answer(&query, &Settings { spill: Some(folder.path().to_owned()), ..settings(2) });
    assert_eq!(in_files.count().unwrap().to_string(), "53034853662012222798");
    let moduli = [Modulus::TwoTo64, Modulus::Prime(2_147_483_647), Modulus::Prime(2_147_483_629)];
    assert_eq!(in_files.boards[0].evidence, Evidence::Residues { moduli: moduli.to_vec() });
}

/// Counts of 64 bits do not fit where there is room for 32 bits only, so the run counts modulo primes.
#[test]
fn without_memory_for_wide_counts_the_run_uses_primes() {
    let question = question("6x16", Ending::Closed);
    let (plan, watch) = plan_with_watch(&question, 2);
    let tight = Settings { memory: plan.memory(32), ..settings(2) };
    let found = run(&plan, &tight, &watch).unwrap();
    assert_eq!(found.count().unwrap().to_string(), "16378998506224697063588");
    let Evidence::Residues { moduli } = &found.boards[0].evidence else { panic!("{:?}", found.boards) };
    assert!(moduli.iter().all(|modulus| matches!(modulus, Modulus::Prime(_))), "{moduli:?}");
    assert_eq!(number(&question, &settings(2)), "16378998506224697063588");
}

/// Counts of 64 bits that a run with more memory has saved give way to primes too.
#[test]
fn a_pass_that_is_too_wide_for_less_memory_begins_anew_modulo_primes() {
    let folder = tempfile::tempdir().unwrap();
    let question = question("6x16", Ending::Closed);
    let (plan, watch) = plan_with_watch(&question, 2);
    let with = Settings { checkpoint: Some(folder.path().join("rows")), ..settings(2) };
    let file = count_file(&folder.path().join("rows"), &question, &with).unwrap();
    let (mut checkpointer, _) = Checkpointer::new(&plan, &with, &watch, Some(file));
    let resources = PassResources::new(CountThreads { pool: &plan.pool, watch: &watch }, 1 << 33);
    let mut pass = Pass::new(&plan.sweeps[0], Modulus::None, &resources).unwrap();
    // The square after which there are the most states: there the counts take more than in passes of 32 bits.
    let layers = &plan.sweeps[0].layers.layers;
    let most = (60..90).max_by_key(|&at| layers[at].states()).unwrap();
    pass.run_to(most, |_| ()).unwrap();
    assert_eq!(pass.state.counts.bytes(), 8);
    checkpointer.stop_pass(&pass);
    assert!(checkpointer.last_saved.is_some());
    drop((pass, checkpointer));
    let (plan, watch) = plan_with_watch(&question, 2);
    let found = run(&plan, &Settings { memory: plan.memory(32), ..with }, &watch).unwrap();
    assert_eq!(found.count().unwrap().to_string(), "16378998506224697063588");
    let Evidence::Residues { moduli } = &found.boards[0].evidence else { panic!("{:?}", found.boards) };
    assert!(moduli.iter().all(|modulus| matches!(modulus, Modulus::Prime(_))), "{moduli:?}");
    assert_eq!(found.resumed_from, None);
    let now = watch.snapshot();
    assert_eq!(now.states, now.states_planned);
}

#[test]
fn a_count_that_does_not_fit_is_refused_before_it_starts() {
    let (plan, watch) = plan_with_watch(&question("8x7", Ending::Closed), 1);
    let refused = run(&plan, &Settings { memory: 50_000_000, ..settings(1) }, &watch).unwrap_err();
    assert!(refused.is_usage());
    assert!(refused.to_string().contains("What would fit: 8x6 ("), "{refused}");
    assert_eq!(watch.snapshot().states, 0);
    let long = CountPlan::new(&question("3x100000000", Ending::Closed), 1 << 33, &watch).err().unwrap();
    assert!(long.to_string().starts_with("the plan alone of the closed tours of 3x100000000 takes"), "{long}");
    let plan = CountPlan::new(&question("9x9", Ending::Open), 1_000_000_000, &watch).err().unwrap();
    assert!(plan.to_string().starts_with("the plan alone of the open tours of 9x9 takes"), "{plan}");
    let wide = CountPlan::new(&question("10x12", Ending::Open), 1 << 33, &watch).err().unwrap();
    assert!(wide.to_string().starts_with("a board 10 squares across is too wide to count"), "{wide}");
}

/// The layers of a tall board repeat, and so do its rules: a plan does not grow with the board.
#[test]
fn layers_and_rules_of_further_rows_are_shared() {
    for (board, ending) in
        [("7x60", Ending::Closed), ("8x40", Ending::Closed), ("3x60", Ending::Closed), ("5x60", Ending::Open)]
    {
        let (plan, _) = plan_with_watch(&question(board, ending), 2);
        let layers = &plan.sweeps[0].layers;
        let cols = usize::from(board.as_bytes()[0] - b'0');
        let own = layers.layers.iter().map(Arc::as_ptr).collect::<HashSet<_>>().len();
        assert!(own < 30 * cols, "{board}: {own} of {} layers", layers.layers.len());
        let rules = layers.rules.iter().map(Arc::as_ptr).collect::<HashSet<_>>().len();
        assert!(rules < 20 * cols, "{board}: {rules} rules");
    }
}

#[test]
fn any_number_of_threads_counts_the_same() {
    for (question, count) in [(question("6x7", Ending::Closed), "1067638"), (question("5x6", Ending::Open), "37568")] {
        for threads in [1, 2, 3, 8] {
            assert_eq!(number(&question, &settings(threads)), count, "{threads}");
        }
    }
}

#[test]
fn counts_in_files_are_the_same() {
    let folder = tempfile::tempdir().unwrap();
    for (board, ending) in [("6x8", Ending::Closed), ("6x6", Ending::Open)] {
        let (plan, watch) = plan_with_watch(&question(board, ending), 2);
        let threads = CountThreads { pool: &plan.pool, watch: &watch };
        let spill = Some(folder.path());
        let resources = PassResources { spill, sparse_counts: 0, ..PassResources::new(threads, 1 << 33) };
        let in_files = Pass::new(&plan.sweeps[0], Modulus::None, &resources).unwrap().run(|_| ()).unwrap();
        assert_eq!(in_files, pass(board, ending, Modulus::None, |_| ()).unwrap());
        assert!(watch.snapshot().spilled_bytes > 0);
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// The tours from each square, directed, sum to all directed tours.
#[test]
fn starts_add_up() {
    for (board, strict, all) in
        [("5x5", false, 1728u64), ("3x7", false, 104), ("4x5", true, 164), ("5x6", true, 37_088)]
    {
        let query = CountQuestion { strict, ..question(board, Ending::Open) };
        assert_eq!(number(&query, &settings(2)), all.to_string());
        let starts = query.board().all();
        let from = |start| {
            number(&CountQuestion { start: Some(start), ..query.clone() }, &settings(2)).parse::<u64>().unwrap()
        };
        assert_eq!(starts.map(from).sum::<u64>(), all, "{board}");
    }
}

#[test]
fn rows_and_columns_may_be_exchanged() {
    for (rows, cols) in (1..=7).flat_map(|rows| (rows + 1..=7).map(move |cols| (rows, cols))) {
        for ending in [Ending::Closed, Ending::Open].into_iter().filter(|_| rows * cols <= 36) {
            let count = |rows, cols| {
                let board = Board::new(rows, cols).unwrap();
                number(&CountQuestion::new(board, ending), &settings(2))
            };
            assert_eq!(count(rows, cols), count(cols, rows), "{rows}x{cols}");
        }
    }
}

/// In the end all planned states are done, also when passes were added, abandoned, or done in an earlier run.
#[test]
fn progress_ends_at_the_planned_states() {
    let folder = tempfile::tempdir().unwrap();
    let strict = CountQuestion { strict: true, ..question("5x6", Ending::Open) };
    for (at, query) in [strict, question("5x20", Ending::Closed), question("6x16", Ending::Closed)].iter().enumerate() {
        let checkpoint = Some(folder.path().join(at.to_string()));
        for go in ["first", "again from the last row"] {
            let (plan, watch) = plan_with_watch(query, 2);
            let settings = Settings { checkpoint: checkpoint.clone(), memory: plan.memory(32), ..settings(2) };
            assert!(run(&plan, &settings, &watch).unwrap().count().is_some());
            let now = watch.snapshot();
            assert_eq!(now.states, now.states_planned, "{query:?}, {go}");
        }
    }
}

#[test]
fn boards_without_tours_have_no_classes() {
    for (board, ending) in [("2x3000", Ending::Closed), ("3x1501", Ending::Closed), ("1x4200", Ending::Open)] {
        assert_eq!(number(&CountQuestion { unique: true, ..question(board, ending) }, &settings(2)), "0", "{board}");
    }
    let (plan, watch) = plan_with_watch(&CountQuestion { unique: true, ..question("3x1366", Ending::Closed) }, 2);
    assert!(run(&plan, &settings(2), &watch).is_err(), "its half turn has too many orbits");
    assert_eq!(watch.snapshot().states, 0, "and that is said before anything is counted");
}

/// The number of a board, or of the longest of a range, whose layers are sparse: its file is read again, and says a width that
/// holds the counts.
#[test]
fn a_finished_count_of_sparse_layers_is_read_from_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let range = |to: &str, ending| {
        CountQuestion::of_range(BoardRange::new("3x1".parse().unwrap(), to.parse().unwrap()).unwrap(), ending)
    };
    let of_a1 = |query: CountQuestion| CountQuestion { start: query.board().parse_square("a1").ok(), ..query };
    for (at, query) in [
        question("3x24", Ending::Closed),
        question("3x26", Ending::Closed),
        question("4x12", Ending::Open),
        question("3x20", Ending::Open),
        CountQuestion { unique: true, ..question("3x20", Ending::Open) },
        of_a1(question("3x20", Ending::Open)),
        range("3x40", Ending::Closed),
        range("3x60", Ending::Closed),
        range("3x60", Ending::Open),
        CountQuestion { strict: true, ..range("3x60", Ending::Open) },
    ]
    .into_iter()
    .enumerate()
    {
        let path = folder.path().join(at.to_string());
        let with = Settings { checkpoint: Some(path.clone()), ..settings(2) };
        let first = answer(&query, &with);
        assert_eq!(SavedCount::read(&path).unwrap().finished().unwrap().boards, first.boards, "{query:?}");
        assert_eq!(answer(&query, &with).boards, first.boards, "{query:?}");
        for BoardNumber { board, count, evidence } in &first.boards {
            let Evidence::Counters { bits } = evidence else { continue };
            // Some sweeps make a number, and each number is a sum of some counts.
            assert!(count.value().bits() <= u64::from(*bits) + 8, "{board}: {count}, {bits} bits");
        }
    }
}

/// However layers are stored, the evidence says the least width that holds all counts.
#[test]
fn sparse_layers_tell_the_width_that_their_counts_need() {
    for (board, ending, bytes) in [
        ("3x14", Ending::Closed, 2),
        ("3x24", Ending::Closed, 4),
        ("3x40", Ending::Closed, 8),
        ("4x12", Ending::Open, 4),
        ("5x6", Ending::Closed, 2),
    ] {
        let (plan, watch) = plan_with_watch(&question(board, ending), 2);
        for sparse_counts in [0, u64::MAX] {
            let resources = PassResources {
                sparse_counts,
                growth: 0,
                ..PassResources::new(CountThreads { pool: &plan.pool, watch: &watch }, 1 << 33)
            };
            let mut pass = Pass::new(&plan.sweeps[0], Modulus::None, &resources).unwrap();
            pass.run(|_| ()).unwrap();
            assert_eq!(pass.state.widest, bytes, "{board}, sparse up to {sparse_counts}");
        }
    }
}

/// Saves after every row to a file of its own, and resumes from each file.
fn check_resume_after_every_row(folder: &Path, board: &str, modulus: Modulus, spilled: bool, sparse_counts: u64) {
    let query = question(board, Ending::Closed);
    let (plan, watch) = plan_with_watch(&query, 2);
    let threads = CountThreads { pool: &plan.pool, watch: &watch };
    let spill = spilled.then_some(folder);
    let resources = PassResources { spill, sparse_counts, ..PassResources::new(threads, 1 << 33) };
    let sweep = &plan.sweeps[0];
    let file = |row: usize| count_file(&folder.join(format!("{board}-{row}")), &query, &Settings::default()).unwrap();
    let mut rows = 0;
    let whole = Pass::new(sweep, modulus, &resources).unwrap().run(|pass| {
        rows += 1;
        file(rows).save(&CountProgress::default(), &watch, pass).unwrap();
    });
    let whole = whole.unwrap();
    assert!(rows > 4 && whole > 0);
    // The last row ends the pass, and a run saves what it has found instead.
    for row in 1..rows {
        let mut file = file(row);
        let saved = file.found.take().unwrap().pass().unwrap();
        let mut pass = Pass::new(sweep, modulus, &resources).unwrap();
        pass.state = file.load(saved, &sweep.layers.layers, &mut pass.store, 1 << 33).unwrap().unwrap();
        assert_eq!(pass.run(|_| ()).unwrap(), whole, "{board} from row {row}");
    }
}

#[test]
fn a_count_resumes_from_any_row() {
    let folder = tempfile::tempdir().unwrap();
    check_resume_after_every_row(folder.path(), "5x8", Modulus::None, false, 10_000);
    check_resume_after_every_row(folder.path(), "6x7-a6,c3", Modulus::None, false, 0);
    check_resume_after_every_row(folder.path(), "6x7-a6,a1", Modulus::None, true, 0);
    check_resume_after_every_row(folder.path(), "7x7-d4", Modulus::Prime(10_007), false, 10_000);
    check_resume_after_every_row(folder.path(), "6x7", Modulus::None, false, 0);
    check_resume_after_every_row(folder.path(), "6x8", Modulus::None, true, 0);
    check_resume_after_every_row(folder.path(), "3x14", Modulus::Prime(10_007), false, 0);
}

#[test]
fn a_foreign_or_damaged_checkpoint_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows");
    let query = question("5x6", Ending::Closed);
    let with = Settings { checkpoint: Some(path.clone()), ..settings(1) };
    let first = answer(&query, &with);
    assert_eq!((first.resumed_from, first.saved_position.unwrap().to_string()), (None, "row 6 of 6".to_owned()));
    let again = answer(&query, &with);
    assert_eq!(again.boards, first.boards);
    assert_eq!(again.resumed_from, first.saved_position);
    let refused = |question: &CountQuestion| {
        let (plan, watch) = plan_with_watch(question, 1);
        let error = run(&plan, &with, &watch).unwrap_err();
        assert!(error.is_usage());
        error.to_string()
    };
    let other = refused(&question("6x6", Ending::Closed));
    assert!(
        other
            .ends_with("is a checkpoint of the closed tours of 5x6, not of the closed tours of 6x6: name another file")
    );
    let (plan, watch) = plan_with_watch(&query, 1);
    let remainder = run(&plan, &Settings { modulus: Some(101), ..with.clone() }, &watch).unwrap_err();
    assert!(
        remainder.to_string().ends_with("not of the closed tours of 5x6 modulo 101: name another file"),
        "{remainder}"
    );
    let whole = fs::read(&path).unwrap();
    for at in (0..whole.len()).step_by(11).chain([whole.len() - 1]) {
        let mut damaged = whole.clone();
        damaged[at] ^= 1 << (at % 3);
        fs::write(&path, &damaged).unwrap();
        refused(&query);
        fs::write(&path, &whole[..at]).unwrap();
        refused(&query);
    }
    fs::write(&path, [&whole[..], &[0]].concat()).unwrap();
    assert!(refused(&query).contains("is damaged"));
    let of_header = |from: &str, to: &str| {
        let (text, sum) = whole.split_last_chunk::<4>().unwrap();
        let text = str::from_utf8(text).unwrap();
        assert!(text.contains(from), "{text}");
        [text.replacen(from, to, 1).as_bytes(), sum].concat()
    };
    // A checksum that is wrong is the cause, whatever else is.
    for (from, to) in
        [("{\"question\"", "(\"question\""), ("\"elapsed_s\":", "\"elapsed_s\":-"), ("\"bits\":", "\"bits\":1")]
    {
        fs::write(&path, of_header(from, to)).unwrap();
        let why = refused(&query);
        assert!(why.contains(": is damaged (its checksum does not agree with its contents)"), "{from}: {why}");
        assert!(SavedCount::read(&path).unwrap_err().to_string().contains("(its checksum does not"), "{from}");
    }
    fs::write(&path, &whole).unwrap();
    assert_eq!(answer(&query, &with).boards, first.boards);
}

#[test]
fn the_most_states_at_once_are_those_of_the_largest_layer() {
    for (board, ending) in [("6x6", Ending::Closed), ("5x6", Ending::Open)] {
        let plan = plan_with_watch(&question(board, ending), 1).0;
        let layers = plan.sweeps.iter().flat_map(|sweep| &sweep.layers.layers);
        assert_eq!(plan.peak_states(), layers.map(|layer| layer.states()).max().unwrap(), "{board}");
    }
}
