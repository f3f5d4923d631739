//! Forged checkpoint files with valid checksums: the program refuses them, and never crashes.

use super::ask::progress::{CountProgress, PassCount};
use super::pass::steps::{Pass, PassResources};
use super::pass::stored_layer::tests::forged;
use super::pass::threads::CountThreads;
use super::run::checkpointer::Checkpointer;
use super::tests::{answer, count_file, plan_with_watch, question, run, settings};
use super::*;
use crate::board::Ending;
use crate::saved::SavedRun as _;
use std::fs;
use std::time::Duration;

/// Only a resumed run can have a wrong number from its file. A wrong number of any other run is a fault of the program.
#[test]
fn a_wrong_number_is_blamed_on_the_file_that_it_came_from() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows");
    let query = question("6x6", Ending::Closed);
    let (plan, watch) = plan_with_watch(&query, 1);
    let concluded = |number: u128, is_resumed: bool| {
        let with = Settings { checkpoint: Some(path.clone()), ..settings(1) };
        let file = || Some(count_file(&path, &query, &with).unwrap());
        let (mut checkpointer, _) = Checkpointer::new(&plan, &with, &watch, file());
        let count = PassCount { number, modulus: Modulus::None, bits: 64 };
        checkpointer.progress.sweep_mut(0).add(6, count, None, false);
        checkpointer.end_pass(0);
        if is_resumed {
            let progress = checkpointer.progress.clone();
            drop(checkpointer);
            file().unwrap().save_between_passes(&progress, Duration::ZERO).unwrap();
            (checkpointer, _) = Checkpointer::new(&plan, &with, &watch, file());
        }
        fs::remove_file(&path).unwrap();
        checkpointer.numbers(&0u32.into()).map(|boards| boards[0].count.to_string())
    };
    assert_eq!(concluded(9_862, true).unwrap(), "9862");
    let error = concluded(9_863, true).unwrap_err();
    assert!(matches!(&error, CountError::Saved(_)) && error.is_usage(), "{error}");
    let error = concluded(9_863, false).unwrap_err();
    assert!(matches!(&error, CountError::Contradiction(_)) && !error.is_usage(), "{error}");
    assert!(error.to_string().contains("9862 tours are known, not 9863"), "{error}");
}

/// A file with forged counts is refused where they are impossible; otherwise its counts are believed.
#[test]
fn a_forged_checkpoint_is_refused_without_a_crash() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows");
    let query = question("5x6", Ending::Closed);
    let (plan, watch) = plan_with_watch(&query, 1);
    for (sparse_counts, counted_to) in [(10_000, 2), (0, 3)] {
        let threads = CountThreads { pool: &plan.pool, watch: &watch };
        let resources = PassResources { sparse_counts, ..PassResources::new(threads, 1 << 33) };
        let file = || count_file(&path, &query, &Settings::default()).unwrap();
        let sweep = &plan.sweeps[0];
        let (mut rows, mut saved) = (0, None);
        let whole = Pass::new(sweep, Modulus::None, &resources).unwrap().run(|pass| {
            rows += 1;
            if rows == counted_to {
                let layer = &sweep.layers.layers[pass.state.at];
                saved = Some((layer, pass.state.counts.bytes()));
                file().save(&CountProgress::default(), &watch, pass).unwrap();
            }
        });
        let whole = whole.unwrap();
        let good = fs::read(&path).unwrap();
        let begin = good.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(1).unwrap().0 + 1;
        let (mut refused, mut believed) = (0, 0);
        // Some hundred words, spread over the file.
        let (layer, bytes) = saved.unwrap();
        let plain = {
            let mut bytes_in_all = 0;
            forged(&good[begin..good.len() - 4], bytes, layer, |body| bytes_in_all = body.len());
            bytes_in_all
        };
        let step = (plain / 200).next_multiple_of(4);
        for at in (0..plain - 4).step_by(step) {
            for lie in [u32::MAX, 1 << 20, 0] {
                let change = |body: &mut [u8]| body[at..at + 4].copy_from_slice(&lie.to_le_bytes());
                let body = forged(&good[begin..good.len() - 4], bytes, layer, change);
                let mut forged = [&good[..begin], &body].concat();
                forged.extend(crc32fast::hash(&forged).to_le_bytes());
                fs::write(&path, &forged).unwrap();
                let mut file = file();
                let saved = file.found.take().unwrap().pass().unwrap();
                let mut pass = Pass::new(sweep, Modulus::None, &resources).unwrap();
                match file.load(saved, &sweep.layers.layers, &mut pass.store, 1 << 33) {
                    Err(error) => {
                        assert!(error.is_usage() && error.to_string().contains("is damaged"), "{error}");
                        refused += 1;
                    }
                    Ok(loaded) => {
                        pass.state = loaded.unwrap();
                        let counted = pass.run(|_| ()).unwrap();
                        believed += usize::from(counted != whole);
                    }
                }
            }
        }
        assert!(refused > 10 * believed && refused > 100, "{refused} refused, {believed} believed");
    }
}

/// The file of a count that was stopped in its second row.
fn stopped_count(query: &CountQuestion, with: &Settings) -> Vec<u8> {
    let (plan, watch) = plan_with_watch(query, 1);
    let file = count_file(with.checkpoint.as_ref().unwrap(), query, with).unwrap();
    let (mut checkpointer, _) = Checkpointer::new(&plan, with, &watch, Some(file));
    let resources = PassResources::new(CountThreads { pool: &plan.pool, watch: &watch }, 1 << 33);
    let mut pass = Pass::new(&plan.sweeps[0], Modulus::None, &resources).unwrap();
    checkpointer.begin_pass();
    assert!(pass.run_to(7, |pass| checkpointer.end_row(pass)).is_ok());
    checkpointer.stop_pass(&pass);
    fs::read(with.checkpoint.as_ref().unwrap()).unwrap()
}

/// A file with a forged header is refused, or its count ends with the right number.
#[test]
fn a_forged_header_is_refused_or_harmless() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows");
    let strict = CountQuestion { strict: true, ..question("4x5", Ending::Open) };
    let classes = CountQuestion { unique: true, ..question("5x6", Ending::Closed) };
    let mut refused = 0;
    for query in [strict, classes] {
        let with = Settings { checkpoint: Some(path.clone()), ..settings(1) };
        let stopped = stopped_count(&query, &with);
        let count = answer(&query, &with).count().cloned().unwrap();
        for good in [fs::read(&path).unwrap(), stopped] {
            let ends: Vec<usize> =
                good.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at).collect();
            let line = std::str::from_utf8(&good[ends[0] + 1..ends[1]]).unwrap();
            for (from, to) in [
                ("\"elapsed_s\":", "\"elapsed_s\":-"),
                ("\"elapsed_s\":", "\"elapsed_s\":1e300,\"x\":"),
                ("\"every_s\":", "\"every_s\":-1,\"x\":"),
                ("\"passes\":", "\"passes\":9"),
                ("\"at\":", "\"at\":18446744073709551"),
                ("\"bytes\":", "\"bytes\":922337203685477580"),
                ("\"widest\":", "\"widest\":7"),
                ("\"numbers\":{", "\"numbers\":{\"6\":[[7],{\"Remainder\":{\"prime\":0}}],"),
                ("\"numbers\":{\"6\":[[", "\"numbers\":{\"6\":[[99999,"),
                ("\"numbers\":{\"5\":[[", "\"numbers\":{\"5\":[[99999,"),
                ("\"bits\":", "\"bits\":1"),
                ("\"symmetric\":[", "\"symmetric\":[1,"),
                ("\"board\":\"", "\"board\":\"9"),
                ("\"modulus\":null", "\"modulus\":0"),
                ("\"moduli\":[", "\"moduli\":[\"None\","),
                ("\"product\":[1", "\"product\":[0"),
                ("\"stage\":", "\"stage\":\"Begun\",\"x\":"),
            ] {
                if !line.contains(from) {
                    continue;
                }
                let line = line.replacen(from, to, 1);
                let mut forged = [&good[..=ends[0]], line.as_bytes(), &good[ends[1]..good.len() - 4]].concat();
                forged.extend(crc32fast::hash(&forged).to_le_bytes());
                fs::write(&path, &forged).unwrap();
                let read = SavedCount::read(&path)
                    .map(|saved| saved.finished().map(|finished| finished.boards[0].count.clone()));
                assert!(!matches!(&read, Ok(Some(found)) if *found != count), "{from}: {read:?}");
                let (plan, watch) = plan_with_watch(&query, 1);
                match run(&plan, &with, &watch) {
                    Ok(answer) => assert_eq!(answer.count(), Some(&count), "{from}"),
                    Err(error) => {
                        assert!(error.is_usage(), "{from}: {error}");
                        refused += 1;
                    }
                }
                fs::write(&path, &good).unwrap();
            }
        }
        fs::remove_file(&path).unwrap();
    }
    assert!(refused > 20, "{refused}");
}

/// A number of a range with more moduli than there were passes: to multiply them would take time without a bound.
#[test]
fn a_number_with_more_moduli_than_passes_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("range");
    let range = BoardRange::new("5x1".parse().unwrap(), "5x7".parse().unwrap()).unwrap();
    let query = CountQuestion::of_range(range, Ending::Closed);
    answer(&query, &Settings { checkpoint: Some(path.clone()), ..settings(1) });
    let good = fs::read(&path).unwrap();
    let text = str::from_utf8(&good[..good.len() - 4]).unwrap();
    let primes = [2_147_483_647, 2_147_483_629, 2_147_483_587, 2_147_483_579];
    let mut read = Vec::new();
    for passes in 1..=3 {
        for moduli in 1..=4 {
            let list: Vec<String> = primes[..moduli].iter().map(|prime| format!("{{\"Prime\":{prime}}}")).collect();
            let evidence = format!("{{\"Residues\":{{\"moduli\":[{}]}}}}", list.join(","));
            let forged = text.replace("{\"Counters\":{\"bits\":16}}", &evidence);
            let forged = forged.replace("\"passes\":1", &format!("\"passes\":{passes}"));
            assert!(forged.contains(&evidence) && forged.contains(&format!("\"passes\":{passes}")));
            fs::write(&path, [forged.as_bytes(), &crc32fast::hash(forged.as_bytes()).to_le_bytes()].concat()).unwrap();
            match SavedCount::read(&path) {
                Ok(_) => read.push((passes, moduli)),
                Err(error) => assert!(error.to_string().contains("numbers cannot be the result of a count"), "{error}"),
            }
        }
    }
    assert_eq!(read, [(1, 1), (2, 1), (2, 2), (3, 1), (3, 2), (3, 3)]);
}

/// A saved pass is modulo a prime that passes count modulo.
#[test]
fn a_pass_modulo_what_is_no_prime_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows");
    let query = question("5x6", Ending::Closed);
    let with = Settings { checkpoint: Some(path.clone()), primes_below: Some(1 << 31), ..settings(1) };
    let (plan, watch) = plan_with_watch(&query, 1);
    let file = count_file(&path, &query, &with).unwrap();
    let (mut checkpointer, _) = Checkpointer::new(&plan, &with, &watch, Some(file));
    let threads = CountThreads { pool: &plan.pool, watch: &watch };
    let resources = PassResources::new(threads, 1 << 33);
    let mut pass = Pass::new(&plan.sweeps[0], Modulus::Prime(2_147_483_647), &resources).unwrap();
    pass.run_to(10, |_| ()).unwrap();
    checkpointer.stop_pass(&pass);
    drop(checkpointer);
    let good = fs::read(&path).unwrap();
    let end = 1 + good.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(1).unwrap().0;
    let (text, body) = (str::from_utf8(&good[..end]).unwrap(), &good[end..good.len() - 4]);
    let wide = 1u64 << 56;
    for (modulus, is_read) in [
        (2_147_483_647, true),
        (2_147_483_629, true),
        (wide - 5, true),
        (0, false),
        (1, false),
        (4, false),
        (2_147_483_648, false),
        (wide - 1, false),
        // The least prime above.
        (wide + 81, false),
        (u64::MAX, false),
    ] {
        let forged = text.replace("\"Prime\":2147483647", &format!("\"Prime\":{modulus}"));
        assert!(forged.contains(&format!("\"Prime\":{modulus}")), "{forged}");
        let mut forged = [forged.as_bytes(), body].concat();
        forged.extend(crc32fast::hash(&forged).to_le_bytes());
        fs::write(&path, forged).unwrap();
        match SavedCount::read(&path) {
            Ok(_) => assert!(is_read, "{modulus}"),
            Err(error) => assert!(!is_read && error.to_string().contains("that is no prime"), "{modulus}: {error}"),
        }
    }
}

/// Residues that belong to no number are never settled: the count ends before its file would be refused.
#[test]
fn passes_that_settle_nothing_come_to_an_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows");
    let query = question("5x6", Ending::Closed);
    let with = Settings { checkpoint: Some(path.clone()), ..settings(1) };
    // The number is 8.
    for (residue, ends_with) in [(8, Some("8")), (9, None)] {
        let progress = serde_json::json!({ "states": 0, "sweeps": [{ "passes": 4093, "numbers": {}, "residues": { "6": {
            "value": [residue], "product": [2_147_483_647], "settled": false, "moduli": [{ "Prime": 2_147_483_647 }],
        } } }] });
        let progress: CountProgress = serde_json::from_value(progress).unwrap();
        let file = count_file(&path, &query, &with).unwrap();
        file.save_between_passes(&progress, Duration::ZERO).unwrap();
        drop(file);
        let (plan, watch) = plan_with_watch(&query, 1);
        match run(&plan, &with, &watch) {
            Ok(answer) => assert_eq!(answer.count().map(Count::to_string).as_deref(), ends_with),
            Err(error) => {
                assert!(error.is_usage() && ends_with.is_none(), "{error}");
                assert!(error.to_string().contains("is damaged (4095 passes have not settled its number)"), "{error}");
            }
        }
        assert!(SavedCount::read(&path).is_ok());
    }
}
