//! Counts of 128 bits: against residues, where they overflow, resumed, in less memory; and forged ones.

use super::ask::progress::CountProgress;
use super::pass::steps::{Pass, PassResources};
use super::pass::stored_layer::marks_bytes;
use super::pass::stored_layer::tests::forged;
use super::pass::threads::CountThreads;
use super::run::checkpointer::Checkpointer;
use super::tests::{answer, count_file, plan_with_watch, question, run, settings};
use super::*;
use crate::board::Ending;
use crate::saved::SavedRun as _;
use std::fs;
use std::path::Path;

const EXACT: Evidence = Evidence::Counters { bits: 128 };

#[test]
fn counts_of_128_bits_and_residues_give_the_same_number() {
    let folder = tempfile::tempdir().unwrap();
    for (board, ending, number) in [
        ("3x50", Ending::Closed, "960786342292812728320"),
        ("5x20", Ending::Closed, "53034853662012222798"),
        ("5x24", Ending::Closed, "5717847862749642677204182"),
        ("4x40", Ending::Open, "1811967339273341647172816184"),
        ("6x15", Ending::Closed, "255967892553030600920"),
    ] {
        let query = question(board, ending);
        let exact = answer(&query, &settings(2));
        assert_eq!(exact.count().unwrap().to_string(), number, "{board}");
        assert_eq!(exact.boards[0].evidence, EXACT, "{board}");
        let spill = Some(folder.path().to_owned());
        for (first, other) in [
            (Modulus::TwoTo64, Settings { spill, ..settings(2) }),
            (Modulus::Prime(2_147_483_647), Settings { primes_below: Some(1 << 31), ..settings(2) }),
        ] {
            let residues = answer(&query, &other);
            assert_eq!(residues.count(), exact.count(), "{board}");
            assert_eq!(residues.boards[0].evidence.moduli()[0], first, "{board}");
        }
    }
}

/// A number that fits 64 bits has 64, one that is expected to have too many bits for 128 has residues, as where memory is short.
#[test]
fn counts_have_128_bits_where_that_saves_passes() {
    let evidence = |board, settings: &Settings| answer(&question(board, Ending::Closed), settings).boards.remove(0);
    let fits = evidence("3x46", &settings(2));
    assert_eq!(
        (fits.count.to_string().as_str(), fits.evidence),
        ("10145938076107491328", Evidence::Counters { bits: 64 })
    );
    let beyond = evidence("3x120", &settings(2));
    assert_eq!(beyond.count.to_string(), "37023980264395837866659869035610602922525487043247603712");
    assert_eq!(beyond.evidence.moduli()[0], Modulus::TwoTo64);
    // Memory in which the buffer grows to counts of 64 bits, in two steps, and not to wider ones.
    let plan = plan_with_watch(&question("5x24", Ending::Closed), 2).0;
    let memory = plan.memory(64) + plan.count_bytes(32);
    let tight = evidence("5x24", &Settings { memory, ..settings(2) });
    assert_eq!(tight.count.to_string(), "5717847862749642677204182");
    assert_eq!(tight.evidence.moduli()[0], Modulus::TwoTo64);
}

/// A number that has too many bits for 128 as well is counted in 64 alone.
#[test]
fn counts_that_would_outgrow_128_bits_keep_64() {
    let (plan, watch) = plan_with_watch(&question("3x120", Ending::Closed), 2);
    let resources = PassResources { widest_bits: u128::BITS, ..any_number(&plan, &watch) };
    let mut pass = Pass::new(&plan.sweeps[0], Modulus::None, &resources).unwrap();
    pass.run(|_| ()).unwrap();
    assert_eq!((pass.state.modulus, pass.state.widest), (Modulus::TwoTo64, 8));
}

/// Resources by which counts that outgrow 64 bits go on in 128 in any case.
fn any_number<'a>(plan: &'a CountPlan, watch: &'a CountWatch) -> PassResources<'a> {
    let threads = CountThreads { pool: &plan.pool, watch };
    PassResources { widest_bits: u32::MAX, ..PassResources::new(threads, 1 << 33) }
}

/// Where 128 bits are too narrow too, the number is right modulo 2^64.
#[test]
fn counts_that_outgrow_128_bits_go_on_modulo_2_to_64() {
    for (board, ending, number) in [
        ("3x120", Ending::Closed, "37023980264395837866659869035610602922525487043247603712"),
        ("5x40", Ending::Closed, "772473271844923268504474277422663237674924998"),
    ] {
        let (plan, watch) = plan_with_watch(&question(board, ending), 2);
        let resources = any_number(&plan, &watch);
        let mut pass = Pass::new(&plan.sweeps[0], Modulus::None, &resources).unwrap();
        let found = pass.run(|_| ()).unwrap();
        let number: num_bigint::BigUint = number.parse().unwrap();
        assert_eq!(Some(found), (number % (1u128 << 64)).to_u64_digits().first().map(|&digit| digit.into()), "{board}");
        assert_eq!((pass.state.modulus, pass.state.widest), (Modulus::TwoTo64, 16), "{board}");
    }
}

/// A pass to the first row after which its counts have 128 bits, saved there.
fn saved_in_128_bits(query: &CountQuestion, path: &Path) -> usize {
    let (plan, watch) = plan_with_watch(query, 2);
    let with = Settings { checkpoint: Some(path.to_owned()), ..settings(2) };
    let file = count_file(path, query, &with).unwrap();
    let (mut checkpointer, _) = Checkpointer::new(&plan, &with, &watch, Some(file));
    let resources = any_number(&plan, &watch);
    let mut pass = Pass::new(&plan.sweeps[0], Modulus::None, &resources).unwrap();
    checkpointer.begin_pass();
    while pass.state.counts.bytes() < 16 {
        pass.run_to(pass.state.at + 1, |_| ()).unwrap();
    }
    checkpointer.stop_pass(&pass);
    pass.state.at
}

/// With less memory the counts are cut to 64 bits, or given up.
#[test]
fn a_pass_of_128_bits_is_resumed_in_any_memory() {
    let folder = tempfile::tempdir().unwrap();
    let query = question("6x20", Ending::Closed);
    let (plan, _) = plan_with_watch(&query, 2);
    // Half of two neighbouring layers, in counts of a byte.
    let layer = plan.count_bytes(8) / 2;
    let rest = plan.memory_reserved(32) - plan.count_bytes(32);
    for (memory, evidence, first) in [
        (1 << 33, Some(EXACT), Modulus::None),
        (rest + 44 * layer, None, Modulus::TwoTo64),
        (plan.memory(32), None, Modulus::Prime(2_147_483_647)),
    ] {
        let path = folder.path().join(memory.to_string());
        let at = saved_in_128_bits(&query, &path);
        let (plan, watch) = plan_with_watch(&query, 2);
        let found = run(&plan, &Settings { memory, checkpoint: Some(path), ..settings(2) }, &watch).unwrap();
        assert_eq!(found.count().unwrap().to_string(), "276453522147273309254029785276", "{memory}");
        let moduli = found.boards[0].evidence.moduli();
        assert_eq!(moduli.first().copied().unwrap_or_default(), first, "{memory}");
        assert!(evidence.is_none_or(|evidence| evidence == found.boards[0].evidence), "{memory}: {moduli:?}");
        let position = plan.position(&CountProgress::default(), at);
        let resumed = !matches!(first, Modulus::Prime(_));
        assert_eq!(found.resumed_from, resumed.then_some(position), "{memory}");
    }
}

/// From every row, by a run that goes on in 128 bits and by one that does not.
#[test]
fn counts_of_128_bits_are_saved_after_every_row() {
    let folder = tempfile::tempdir().unwrap();
    let query = question("5x22", Ending::Closed);
    let (plan, watch) = plan_with_watch(&query, 2);
    let (sweep, resources) = (&plan.sweeps[0], any_number(&plan, &watch));
    let narrow = PassResources { widest_bits: 0, ..any_number(&plan, &watch) };
    let file = |row: usize| count_file(&folder.path().join(row.to_string()), &query, &settings(2)).unwrap();
    let mut wide = Vec::new();
    let whole = Pass::new(sweep, Modulus::None, &resources).unwrap().run(|pass| {
        if pass.state.counts.bytes() == 16 {
            wide.push(pass.state.at);
            file(pass.state.at).save(&CountProgress::default(), &watch, pass).unwrap();
        }
    });
    assert_eq!(whole.unwrap(), 17_414_154_188_157_170_439_208);
    assert!(wide.len() > 3, "{wide:?}");
    for at in wide.into_iter().filter(|&at| at < sweep.order.steps.len()) {
        for (resources, number) in
            [(&resources, 17_414_154_188_157_170_439_208), (&narrow, 17_414_154_188_157_170_439_208 % (1 << 64))]
        {
            let mut file = file(at);
            let saved = file.found.take().unwrap().pass().unwrap();
            let mut pass = Pass::new(sweep, Modulus::None, resources).unwrap();
            pass.state = file.load(saved, &sweep.layers.layers, &mut pass.store, 1 << 33).unwrap().unwrap();
            assert_eq!(pass.run(|_| ()).unwrap(), number, "from square {at}");
        }
    }
}

/// The parts of a saved pass: its first line and its header, and its counts.
fn parts(saved: &[u8]) -> (&str, &[u8]) {
    let end = 1 + saved.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(1).unwrap().0;
    (str::from_utf8(&saved[..end]).unwrap(), &saved[end..saved.len() - 4])
}

/// A file of these parts, with its checksum.
fn write(path: &Path, header: &str, body: &[u8]) {
    let whole = [header.as_bytes(), body].concat();
    fs::write(path, [&whole[..], &crc32fast::hash(&whole).to_le_bytes()].concat()).unwrap();
}

/// Only an exact pass over a single board has counts of 128 bits.
#[test]
fn a_forged_width_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows");
    let query = question("3x50", Ending::Closed);
    saved_in_128_bits(&query, &path);
    let good = fs::read(&path).unwrap();
    let (header, body) = parts(&good);
    let strip = "\"strip\":{\"across\":3,\"from\":1,\"to\":50,\"rows_fixed\":true},\"ending\":";
    for (from, to, is_read) in [
        ("\"bytes\":16", "\"bytes\":8", true),
        ("\"bytes\":16", "\"bytes\":0", true),
        ("\"largest\":", "\"largest\":1", true),
        ("\"bytes\":16", "\"bytes\":32", false),
        ("\"widest\":16", "\"widest\":32", false),
        ("\"modulus\":\"None\"", "\"modulus\":\"TwoTo64\"", false),
        ("\"modulus\":\"None\"", "\"modulus\":{\"Prime\":2147483647}", false),
        ("\"ending\":", strip, false),
    ] {
        assert!(header.contains(from), "{from}: {header}");
        write(&path, &header.replacen(from, to, 1), body);
        match SavedCount::read(&path) {
            Ok(_) => assert!(is_read, "{to}"),
            Err(error) => assert!(!is_read && error.to_string().contains("128 bits wide"), "{to}: {error}"),
        }
        let with = Settings { checkpoint: Some(path.clone()), ..settings(2) };
        let (plan, watch) = plan_with_watch(&query, 2);
        let found = count_file(&path, &query, &with).and_then(|file| plan.run(&with, &watch, Some(file)));
        assert!(found.is_err_and(|error| error.is_usage()), "{to}");
    }
}

/// The largest counts that 128 bits hold, in file and header: their sums are cut, and the pass ends.
#[test]
fn forged_counts_overflow_no_sum() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows");
    let query = question("3x50", Ending::Closed);
    let at = saved_in_128_bits(&query, &path);
    let (plan, watch) = plan_with_watch(&query, 2);
    let (resources, layers) = (any_number(&plan, &watch), &plan.sweeps[0].layers.layers);
    let good = fs::read(&path).unwrap();
    let (header, body) = parts(&good);
    let largest = header.split_once("\"largest\":").unwrap().1.split_once(',').unwrap().0;
    let body = forged(body, 16, &layers[at], |plain| {
        let counts = plain.split_at_mut(marks_bytes(&layers[at]) - 4).1;
        counts.chunks_exact_mut(16).filter(|count| **count != [0; 16]).for_each(|count| count.fill(u8::MAX));
    });
    write(&path, &header.replacen(largest, &u128::MAX.to_string(), 1), &body);
    let mut file = count_file(&path, &query, &settings(2)).unwrap();
    let saved = file.found.take().unwrap().pass().unwrap();
    let mut pass = Pass::new(&plan.sweeps[0], Modulus::None, &resources).unwrap();
    pass.state = file.load(saved, layers, &mut pass.store, 1 << 33).unwrap().unwrap();
    assert_eq!(pass.state.findings.largest, u128::MAX);
    pass.run(|_| ()).unwrap();
    assert_eq!(pass.state.modulus, Modulus::TwoTo64);
}
