//! Packed files and compressed ones: written and read back, damaged, cut off, gone on with.

use crate::common::tours::listed;
use crate::common::{assert_refused, destrier, feed, halted, json, json_of, names, path, run, said, stderr};
use destrier::board::{Board, Checker, Ending, Square};
use destrier::store::packed::{PackedLayout, Packer};
use destrier::store::write::PackedWriter;
use destrier::store::{TourReadError, TourReader, check};
use std::fs;
use std::io::Read;

/// A packed file of these tours.
fn packed(board: Board, ending: Ending, tours: &[Vec<Square>]) -> Vec<u8> {
    let (packer, checker) = (Packer::new(board), Checker::new(board, ending).unwrap());
    let (mut blocks, mut records, mut file) =
        (PackedWriter::new(PackedLayout::new(board, ending)), Vec::new(), Vec::new());
    for tour in tours {
        let squares: Vec<u8> = tour.iter().map(|square| square.index() as u8).collect();
        packer.append(checker.check(&squares).unwrap(), &mut records);
        // Records are handed on in pieces of any size.
        if records.len() > 1000 {
            blocks.add(&records, &mut file);
            records.clear();
        }
    }
    blocks.add(&records, &mut file);
    blocks.end(&mut file);
    file
}

/// The tours that are read and found right, one by one, and what is said of the others.
fn read(file: &[u8]) -> (Vec<Vec<Square>>, Vec<String>) {
    let (mut right, mut wrong) = (Vec::new(), Vec::new());
    for item in TourReader::new(file, None) {
        let tour = match item {
            Ok(tour) => tour,
            Err(error) => {
                wrong.push(error.to_string());
                continue;
            }
        };
        match check(tour.shape, tour.ending.unwrap_or(Ending::Open), tour.squares.clone()) {
            Ok(_) => right.push(tour.squares),
            Err(fault) => wrong.push(fault.to_string()),
        }
    }
    (right, wrong)
}

/// How many tours are right, and how many items are not, of a file that is read as fast as can be.
fn read_fast(file: &[u8], threads: usize) -> (u64, u64) {
    let (mut right, mut wrong, mut tours) = (0, 0, TourReader::new(file, None));
    loop {
        match tours.take_plain(Ending::Open, threads) {
            Ok(plain) if plain.tours > 0 => right += plain.tours,
            _ => match tours.next() {
                None => return (right, wrong),
                Some(Err(_)) => wrong += 1,
                Some(Ok(tour)) => match check(tour.shape, tour.ending.unwrap(), tour.squares) {
                    Ok(_) => right += 1,
                    Err(_) => wrong += 1,
                },
            },
        }
    }
}

fn tours_of(board: &str, ending: Ending) -> (Board, Vec<Vec<Square>>) {
    let board = board.parse().unwrap();
    (board, listed(board, ending))
}

#[test]
fn every_tour_is_read_back_as_it_was_written() {
    let (open, closed) = (Ending::Open, Ending::Closed);
    for (name, ending, count) in [
        ("1x1", open, 1),
        ("3x4", open, 16),
        ("4x3", open, 16),
        ("3x10", closed, 16),
        ("10x3", closed, 16),
        ("5x5", open, 1728),
        ("5x6", closed, 8),
        ("6x5", closed, 8),
        ("6x6", closed, 9862),
        ("3x5", open, 0),
    ] {
        let (board, tours) = tours_of(name, ending);
        assert_eq!(tours.len(), count, "{name}");
        let file = packed(board, ending, &tours);
        assert_eq!(read(&file), (tours, Vec::new()), "{name}");
        for threads in [1, 2, 3] {
            assert_eq!(read_fast(&file, threads), (count as u64, 0), "{name}");
        }
    }
}

#[test]
fn a_byte_that_was_changed_is_found_wherever_it_is() {
    for (name, ending) in [("5x6", Ending::Closed), ("3x4", Ending::Open)] {
        let (board, tours) = tours_of(name, ending);
        let file = packed(board, ending, &tours);
        for at in 0..file.len() {
            for change in [1, 0x80, 0xff] {
                let mut damaged = file.clone();
                damaged[at] ^= change;
                let (right, wrong) = read(&damaged);
                assert!(!wrong.is_empty(), "{name}: byte {at} by {change}: {} tours are right", right.len());
            }
        }
    }
}

#[test]
fn a_file_that_was_cut_off_is_not_taken_for_whole() {
    let (board, tours) = tours_of("5x6", Ending::Closed);
    let file = packed(board, Ending::Closed, &tours);
    assert_eq!(read(&[]), (Vec::new(), Vec::new()), "what is empty holds nothing, and is refused for that");
    for length in 1..file.len() {
        assert!(!read(&file[..length]).1.is_empty(), "{length} bytes");
    }
    // Nor is one that goes on behind its end.
    for more in [&b"\0"[..], &[0; 16], &file] {
        assert!(!read(&[&file, more].concat()).1.is_empty(), "{} bytes more", more.len());
    }
}

/// Several blocks, of which one, or the sum of one, is changed: the others are read, by any number of threads.
#[test]
fn a_damaged_block_costs_its_own_tours_only() {
    let (board, tours) = tours_of("6x6", Ending::Closed);
    let tours = [&tours[..], &tours].concat();
    let file = packed(board, Ending::Closed, &tours);
    let layout = PackedLayout::new(board, Ending::Closed);
    let (block, records) = (layout.block_bytes(), layout.block_records());
    assert_eq!((file.len() - 56) / block, 4, "whole blocks");
    for (at, number) in [(40, 1), (40 + block - 1, 1), (40 + 2 * block + 77, 3), (40 + 4 * block + 5, 5)] {
        let mut damaged = file.clone();
        damaged[at] ^= 4;
        let (first, last) = ((number - 1) * records + 1, (number * records).min(tours.len()));
        let says = format!(
            "tour {first}: block {number} (tours {first} to {last}) is damaged: its checksum does not agree with its contents"
        );
        let (right, wrong) = read(&damaged);
        assert_eq!((right.len(), wrong), (tours.len() - (last + 1 - first), vec![says]));
        for threads in [1, 2, 7] {
            assert_eq!(read_fast(&damaged, threads), (right.len() as u64, 1));
        }
    }
    // One that is missing at the end is told by the footer, and by that alone.
    let without = [&file[..40 + 4 * block], &file[file.len() - 16..]].concat();
    let says =
        format!("tour {}: the footer says {} tours, but the file has {}", 4 * records + 1, tours.len(), 4 * records);
    let (right, wrong) = read(&without);
    assert_eq!((right.len(), wrong), (4 * records, vec![says]));
    for threads in [1, 2, 7] {
        assert_eq!(read_fast(&without, threads), (4 * records as u64, 1));
    }
    // Blocks that have changed places are damaged, though each is whole.
    let mut exchanged = file.clone();
    exchanged[40..40 + 2 * block].rotate_left(block);
    assert_eq!(read_fast(&exchanged, 2), ((tours.len() - 2 * records) as u64, 2));
}

/// A block may be whole and its tours none: every one goes through the same checks as any other.
#[test]
fn what_is_sound_need_not_be_a_tour() {
    let (board, tours) = tours_of("3x4", Ending::Open);
    let good = packed(board, Ending::Open, &tours[..3]);
    let (header, record) = (40, 6);
    let layout = PackedLayout::new(board, Ending::Open);
    let mut said = Vec::new();
    for byte in 0..record {
        let mut records = good[header..header + 3 * record].to_vec();
        records[record + byte] ^= 0x20;
        let (mut blocks, mut file) = (PackedWriter::new(layout), Vec::new());
        blocks.add(&records, &mut file);
        blocks.end(&mut file);
        let (right, wrong) = read(&file);
        // The last bits of a record mean nothing.
        let means_nothing = right.len() == 3;
        assert!(means_nothing || (right.len(), wrong.len()) == (2, 1), "{byte}: {wrong:?}");
        assert_eq!(read_fast(&file, 1), (right.len() as u64, wrong.len() as u64));
        said.extend(wrong);
    }
    assert!(said[0].starts_with("tour 2: move 1: 3x4 has no square number"), "{said:?}");
    assert!(said.iter().any(|wrong| wrong.contains("is off the board")), "{said:?}");
    // Tours of the header's ending are asked for, whatever the user asks.
    let open = packed(board, Ending::Open, &tours);
    let closed = [&PackedLayout::new(board, Ending::Closed).header(), &open[header..]].concat();
    assert_eq!(read_fast(&closed, 1), (0, 16));
}

/// The first wrong move is reported, as for a list, even if a later move leaves the board.
#[test]
fn the_first_wrong_move_of_a_record_is_reported() {
    let (board, _) = tours_of("3x4", Ending::Open);
    let file = |directions: [u8; 11]| {
        let bits = (0..).zip(directions).fold(0u64, |bits, (at, direction)| bits | u64::from(direction) << (3 * at));
        let record = [&[0], &bits.to_le_bytes()[..5]].concat();
        let (mut blocks, mut file) = (PackedWriter::new(PackedLayout::new(board, Ending::Open)), Vec::new());
        blocks.add(&record, &mut file);
        blocks.end(&mut file);
        file
    };
    for (directions, says) in [
        ([5, 3, 5, 5, 7, 7, 7, 7, 7, 7, 7], "tour 1: move 3: a3 was visited before, by move 1"),
        ([5, 5, 7, 7, 7, 7, 7, 7, 7, 7, 7], "tour 1: move 3: 2 down and 1 to the right of b1 is off the board"),
    ] {
        assert_eq!(read(&file(directions)), (vec![], vec![says.to_owned()]));
    }
}

/// A file is the same, whether it was written in one go or taken up between any two tours.
#[test]
fn a_file_that_is_gone_on_with_is_the_same() {
    let (board, tours) = tours_of("5x6", Ending::Closed);
    let tours: Vec<_> = tours.iter().cycle().take(8000).cloned().collect();
    let (file, layout) = (packed(board, Ending::Closed, &tours), PackedLayout::new(board, Ending::Closed));
    let records: Vec<u8> = (0..tours.len())
        .flat_map(|n| {
            let at = layout.block_offset((n / layout.block_records()) as u64) as usize
                + n % layout.block_records() * layout.record_bytes();
            file[at..at + layout.record_bytes()].to_vec()
        })
        .collect();
    for cut in [1, 2, layout.block_records() - 1, layout.block_records(), layout.block_records() + 1, tours.len()] {
        let (first, second) = records.split_at(cut * layout.record_bytes());
        let (mut blocks, mut again) = (PackedWriter::new(layout), Vec::new());
        assert_eq!(blocks.progress(), None, "nothing is written yet");
        blocks.add(first, &mut again);
        let mut blocks = PackedWriter::resume(layout, blocks.progress().unwrap());
        blocks.add(second, &mut again);
        blocks.end(&mut again);
        assert!(again == file, "{cut}");
    }
}

#[test]
fn a_tour_is_found_by_its_number() {
    let (board, tours) = tours_of("6x6", Ending::Closed);
    let file = packed(board, Ending::Closed, &tours);
    let layout = PackedLayout::new(board, Ending::Closed);
    for index in [1, 2, layout.block_records(), layout.block_records() + 1, tours.len()] {
        let mut read = TourReader::new(std::io::Cursor::new(&file), None);
        read.seek(index as u64).unwrap();
        let first = read.next().unwrap().unwrap();
        assert!(index as u64 - first.index < layout.block_records() as u64);
        let found = match first.index == index as u64 {
            true => first,
            false => read.find(|tour| tour.as_ref().is_ok_and(|tour| tour.index == index as u64)).unwrap().unwrap(),
        };
        assert_eq!(found.squares, tours[index - 1]);
    }
    // There is none of that number, or no end that says how many there are: all are read.
    for (file, index) in [(&file[..], 9863), (&file[..file.len() - 1], 1)] {
        let mut read = TourReader::new(std::io::Cursor::new(file), None);
        read.seek(index).unwrap();
        assert_eq!(read.next().unwrap().unwrap().index, 1);
    }
}

#[test]
fn what_search_and_find_pack_is_verified_from_a_file_and_from_a_pipe() {
    let folder = tempfile::tempdir().unwrap();
    for (search, name) in [(["search", "6x6"], "tours"), (["search", "6x6"], "tours.zst")] {
        let file = path(&folder, name);
        json(&[&search[..], &["--threads", "2", "--format", "packed", "--out", &file, "--json"]].concat());
        let expected = "9862 tours: 9862 valid (9862 closed, 0 open), 0 invalid\n";
        assert_eq!(said(&run(&["verify", "--closed", "--threads", "2", &file])).1, expected);
        let piped = feed(destrier(&["verify"]), &fs::read(&file).unwrap()[..]);
        assert_eq!(said(&piped), (Some(0), expected.to_owned(), String::new()));
    }
    let size = |name| fs::metadata(path(&folder, name)).unwrap().len();
    assert_eq!(size("tours"), 40 + 9862 * 15 + 3 * 4 + 16);
    assert!(size("tours.zst") < size("tours"));

    // Boards whose squares need two bytes and three, several tours, and none at all.
    for (args, count) in [
        (&["find", "16x17", "--tours", "3", "--rng", "1"][..], 3),
        (&["find", "5x5", "--tours", "2", "--rng", "1"], 2),
        (&["find", "260x260"], 1),
        (&["find", "1x1"], 1),
    ] {
        let file = path(&folder, &args[1..].join("-"));
        assert_eq!(run(&[args, &["--format", "packed", "--out", &file]].concat()).status.code(), Some(0));
        let says = json(&["verify", &file, "--json"]);
        assert_eq!((&says["valid"], &says["tours"]), (&count.into(), &count.into()), "{args:?}");
        let list = run(&[args, &["--format", "list"]].concat()).stdout;
        let (from_list, wrong) = read(&list);
        assert_eq!((read(&fs::read(&file).unwrap()).0, wrong), (from_list, vec![]), "{args:?}");
    }
    let none = path(&folder, "none");
    assert_eq!(json(&["search", "5x5", "--out", &none, "--format", "packed", "--json"])["tours"], 0);
    assert_refused(&["verify", &none], "there is no tour in it");
    let mask = path(&folder, "mask");
    fs::write(&mask, "b2").unwrap();
    assert_refused(&["find", "3x3", "--holes", &mask, "--format", "packed", "--out", &none], "tours of whole boards");
}

#[test]
fn what_is_wrong_with_a_packed_file_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(&folder, "tours");
    json(&["search", "5x6", "--format", "packed", "--out", &file, "--json"]);
    let good = fs::read(&file).unwrap();
    let verify = |bytes: &[u8], args: &[&str]| {
        fs::write(&file, bytes).unwrap();
        said(&run(&[&["verify", &file], args].concat()))
    };
    let mut damaged = good.clone();
    damaged[60] ^= 1;
    let reason = "block 1 (tours 1 to 8) is damaged: its checksum does not agree with its contents";
    let says = format!("tour 1: {reason}\n8 tours: 0 valid (0 closed, 0 open), 8 invalid\n");
    assert_eq!(verify(&damaged, &[]), (Some(1), says, String::new()));
    let (code, object, _) = verify(&damaged, &["--json"]);
    let object: serde_json::Value = serde_json::from_str(&object).unwrap();
    let fault = serde_json::json!({ "index": 1, "line": null, "move": null, "reason": reason, "column": null });
    assert_eq!((code, &object["faults"][0], &object["invalid"]), (Some(1), &fault, &8.into()));
    let (code, says, _) = verify(&good[..good.len() - 1], &[]);
    let reason = "the file ends in block 1 without a footer: it was cut off or is damaged";
    let there = |left: usize| format!("tour 1: {reason}; its last {left} bytes, 12 for each tour, are not checked");
    assert_eq!((code, says.lines().next()), (Some(1), Some(there(good.len() - 41).as_str())));
    let first_said = |bytes: &[u8]| {
        let (code, printed, _) = verify(bytes, &[]);
        assert_eq!(code, Some(1));
        printed.lines().next().map(str::to_owned)
    };
    assert_eq!(first_said(&good[..40 + 12 + 7]), Some(there(19)));
    assert_eq!(first_said(&good[..40]), Some(format!("tour 1: {reason}")), "nothing is left");
    for version in [0, 2, 9, 10, 17, u32::MAX] {
        let head = format!("destrier packed {version}\n");
        let is = format!(
            "is a file of packed tours of version {version}, and this program reads version 1: use the destrier that"
        );
        for newer in [[head.as_bytes(), &good[18..]].concat(), head.clone().into_bytes()] {
            fs::write(&file, &newer).unwrap();
            assert_refused(&["verify", &file], &is);
            // A pipe is looked into only while it is read.
            let piped = said(&feed(destrier(&["verify"]), newer.as_slice()));
            assert_eq!(
                (piped.0, piped.1.lines().next()),
                (Some(1), Some(format!("tour 1: this {is} wrote it").as_str()))
            );
        }
    }
    let says = "tour 1: the packed file ends in its header: it was cut off";
    assert_eq!(first_said(&good[..30]).as_deref(), Some(says));
    // Tours of another board are invalid, as in any other file.
    assert_eq!(verify(&good, &["--board", "6x5"]).0, Some(1));
    assert_eq!(verify(&good, &["--board", "5x6"]).0, Some(0));
}

#[test]
fn every_format_is_compressed_by_its_name_and_read_without_being_asked() {
    let folder = tempfile::tempdir().unwrap();
    for format in ["line", "grid", "packed"] {
        let [plain, small] = ["", ".zst"].map(|end| path(&folder, &format!("{format}{end}")));
        for file in [&plain, &small] {
            json(&["search", "5x5", "--open", "--threads", "1", "--format", format, "--out", file, "--json"]);
        }
        let [plain, small] = [plain, small].map(|file| fs::read(file).unwrap());
        assert!(2 * small.len() < plain.len(), "{format}: {} of {}", small.len(), plain.len());
        assert_eq!(zstd::decode_all(&small[..]).unwrap(), plain, "{format}");
        assert_eq!(read(&small), read(&plain));
        assert_eq!(read(&small).0.len(), 1728);
    }
    for format in ["grid", "list", "json", "svg", "packed"] {
        let file = path(&folder, &format!("found-{format}.zst"));
        assert_eq!(run(&["find", "8x8", "--format", format, "--out", &file]).status.code(), Some(0));
        assert_eq!(json(&["verify", &file, "--json"])["valid"], 1, "{format}");
    }
    // What another program has compressed is read as well.
    let text = fs::read(path(&folder, "line")).unwrap();
    assert_eq!(read(&zstd::encode_all(&text[..], 3).unwrap()).0.len(), 1728);
}

/// Wherever it was cut: also where a frame ends, and so does the line of a tour.
#[test]
fn a_compressed_file_that_was_cut_off_or_changed_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(&folder, "tours.zst");
    json(&["search", "5x6", "--threads", "1", "--out", &file, "--json"]);
    let good = fs::read(&file).unwrap();
    assert_eq!(read(&good).0.len(), 8);
    let fails = |bytes: &[u8]| TourReader::new(bytes, None).any(|item| matches!(item, Err(TourReadError::Broken(_))));
    // The first byte alone is the end of an array, and no tour: then the file has none.
    for length in 2..good.len() {
        let (right, wrong) = read(&good[..length]);
        assert!(!wrong.is_empty(), "{length} bytes: {} tours are right", right.len());
        assert!(length < 12 || fails(&good[..length]), "{length} bytes");
    }
    for at in 12..good.len() - 12 {
        let mut damaged = good.clone();
        damaged[at] ^= 0x11;
        // All that is known of the data is that they are the same, or that they are not what was written.
        let (right, wrong) = read(&damaged);
        assert!(!wrong.is_empty() || right.len() == 8, "byte {at}");
    }
    fs::write(&file, &good[..good.len() - 12]).unwrap();
    let output = run(&["verify", &file]);
    let says = "the compressed file was cut off; before it, 8 tours: 8 valid";
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains(says), "{}", stderr(&output));
}

/// As one that is not compressed is, and was cut off where its contents end.
#[test]
fn a_compressed_packed_file_that_was_cut_off_has_the_tours_before_the_cut() {
    let folder = tempfile::tempdir().unwrap();
    let [file, plain] = ["tours.zst", "tours"].map(|name| path(&folder, name));
    // By one thread: what lies before a cut depends on which thread wrote when.
    json(&["search", "6x6", "--threads", "1", "--format", "packed", "--out", &file, "--json"]);
    let good = fs::read(&file).unwrap();
    let mut met = 0;
    for length in [good.len() * 6 / 10, good.len() * 8 / 10, good.len() - 60] {
        let (cut, mut contents) = (&good[..length], Vec::new());
        assert!(zstd::Decoder::new(cut).unwrap().read_to_end(&mut contents).is_err());
        let known = read(&contents);
        assert_eq!(read(cut), known, "{length} bytes");
        met += known.0.len();
        for threads in [1, 3] {
            assert_eq!(read_fast(cut, threads), (known.0.len() as u64, 1), "{length} bytes");
        }
        fs::write(&file, cut).unwrap();
        fs::write(&plain, &contents).unwrap();
        for args in [&["--json"][..], &[]] {
            let [of_cut, of_plain] = [&file, &plain].map(|file| said(&run(&[&["verify", file], args].concat())));
            assert_eq!((of_cut.0, &of_cut), (Some(1), &of_plain), "{length} bytes");
        }
    }
    assert!(met > 8000, "{met} tours were before the cuts");
    // All that is missing is its own last word.
    fs::write(&file, &good[..good.len() - 1]).unwrap();
    let verdict = json_of(&["verify", &file, "--json"], 1);
    assert_eq!((&verdict["valid"], &verdict["invalid"]), (&9862.into(), &1.into()), "{verdict}");
}

/// What was stopped and taken up is one whole file, packed, compressed or both.
#[test]
fn a_search_that_is_taken_up_goes_on_with_its_file() {
    for name in ["tours", "tours.zst"] {
        for format in ["packed", "line"] {
            let folder = tempfile::tempdir().unwrap();
            let [file, tours] = ["run", name].map(|name| path(&folder, name));
            let kept = ["--checkpoint", &file, "--out", &tours, "--format", format, "--every", "10ms"];
            let args = ["search", "6x6", "--solver", "path", "--threads", "1", "--json"];
            halted(&[&args[..], &kept].concat(), "stop@nodes:150000");
            let report = json(&["resume", &file, "--json"]);
            assert_eq!(report["tours"], 9862);
            let says = json(&["verify", &tours, "--json"]);
            assert_eq!((&says["valid"], &says["invalid"]), (&9862.into(), &0.into()), "{format} {name}");
            let mut there = names(folder.path());
            there.sort();
            assert_eq!(there, ["run", name]);
        }
    }
}
