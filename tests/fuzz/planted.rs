//! Files that are long, or no files, where the program reads one: each is refused at once, and in bounded memory.

use super::{assert_sound, make, within_bounds};
use crate::common::{path, said, shell};
use serde_json::Value;
use std::fs;
use tempfile::TempDir;

/// Bytes that a file has by its length: no disk has them.
const LONG: u64 = 40 << 30;

/// That the program refuses this, in words that have these among them.
fn assert_refused(file: &str, args: &[&str], says: &str) {
    let output = within_bounds(file, args);
    assert_sound(args, &output);
    let (code, _, why) = said(&output);
    assert!(code == Some(2) && why.contains(says), "{args:?}: {code:?}: {why}");
}

/// A file that begins so, and has nothing but zeros behind that.
fn sparse(file: &str, begin: &[u8]) {
    fs::write(file, begin).unwrap();
    fs::File::options().write(true).open(file).unwrap().set_len(LONG).unwrap();
}

/// Puts a pipe in the place of a file.
fn pipe(file: &str) {
    let _ = fs::remove_file(file);
    assert!(shell(&format!("mkfifo '{file}'")).status().unwrap().success());
}

fn layers(folder: &TempDir) -> String {
    let layers = path(folder, "layers");
    make(&["unrank", "3x4", "0", "--open", "--layers", &layers]);
    layers
}

#[test]
fn a_long_file_is_refused_at_its_first_line_that_is_too_long() {
    let folder = tempfile::tempdir().unwrap();
    let [long, counted] = ["long", "counted"].map(|name| path(&folder, name));
    make(&["count", "5x6", "--checkpoint", &counted]);
    let counted = fs::read(counted).unwrap();
    for (begin, says) in [
        (&b"destrier search 4\n"[..], "is damaged (expected value"),
        // A header is read as a stream: it ends at its first byte that is no JSON.
        (b"destrier count 6\n", "is damaged (expected value"),
        (&counted, "it is longer than its header says"),
    ] {
        sparse(&long, begin);
        assert_refused(&long, &["resume", &long], says);
    }
    sparse(&long, b"{\"destrier\":\"journal\"");
    assert_refused(&long, &["replay", &long, "--json"], "its first line has more than 64 MiB");
    let layers = layers(&folder);
    let unrank = ["unrank", "3x4", "0", "--open", "--layers", &layers];
    let layer = format!("{layers}/sweep-0-layer-006");
    let good = fs::read(&layer).unwrap();
    sparse(&layer, &good);
    assert_refused(&layer, &unrank, "it is not as long as it must be");
    let other = [&b"destrier layer 3\n"[..], &good[17..]].concat();
    fs::write(&layer, other).unwrap();
    assert_refused(&layer, &unrank, "is a layer of a numbering of version 3, and this program reads version 2");
    let other = [&b"destrier layer 17\n"[..], &good[17..]].concat();
    fs::write(&layer, other).unwrap();
    assert_refused(&layer, &unrank, "is a layer of a numbering of version 17, and this program reads version 2");
    fs::copy(format!("{layers}/layers"), &layer).unwrap();
    assert_refused(
        &layer,
        &unrank,
        "it is a manifest of layers, not a layer of a numbering: to read it, type destrier",
    );
    sparse(&format!("{layers}/layers"), b"destrier layers 1\n");
    assert_refused(&layer, &unrank, "is damaged (expected value");
    fs::write(format!("{layers}/layers"), "destrier layers 2\n{}\n").unwrap();
    assert_refused(&layer, &unrank, "is a manifest of layers of version 2, and this program reads version 1");
}

#[test]
fn a_manifest_that_says_another_width_or_another_number_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let layers = layers(&folder);
    let unrank = ["unrank", "3x4", "0", "--open", "--layers", &layers];
    let file = format!("{layers}/layers");
    let good = fs::read(&file).unwrap();
    let (magic, said) = good[..good.len() - 4].split_at(good.iter().position(|&byte| byte == b'\n').unwrap() + 1);
    let said: Value = serde_json::from_slice(said).unwrap();
    let write = |said: &Value| {
        let text = [magic, said.to_string().as_bytes(), b"\n"].concat();
        fs::write(&file, [&text[..], &crc32fast::hash(&text).to_le_bytes()].concat()).unwrap();
    };
    write(&said);
    assert_eq!(within_bounds(&file, &unrank).status.code(), Some(0), "the same, written anew, is read");
    for (width, says) in [
        (1u64 << 63, "a count takes 9223372036854775808 bytes, and counts take 1 to 8"),
        (0, "a count takes 0 bytes"),
        (9, "a count takes 9 bytes"),
        (8, "it is not as long as it must be"),
    ] {
        let mut said = said.clone();
        said["sweeps"][0]["widths"][6] = Value::from(width);
        write(&said);
        assert_refused(&file, &unrank, says);
    }
    for total in [0, 1, u64::MAX] {
        let mut said = said.clone();
        said["sweeps"][0]["total"] = total.into();
        write(&said);
        assert_refused(&file, &unrank, "contradict each other");
    }
}

#[test]
fn a_pipe_in_a_folder_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let layers = layers(&folder);
    let unrank = ["unrank", "3x4", "0", "--open", "--layers", &layers];
    // What an earlier run has left is looked for.
    let left = format!("{layers}/.destrier-x.part");
    pipe(&left);
    assert_eq!(within_bounds(&left, &unrank).status.code(), Some(0));
    for name in ["sweep-0-layer-006", "layers"] {
        let file = format!("{layers}/{name}");
        pipe(&file);
        assert_refused(&file, &unrank, "is no regular file");
    }
    // The folder of runs is that of the file.
    let run = path(&folder, "1.json");
    pipe(&run);
    assert!(shell(&format!("chmod 700 '{}'", folder.path().display())).status().unwrap().success());
    let output = within_bounds(&run, &["runs", "--json"]);
    assert_eq!(assert_sound(&["runs", "--json"], &output).unwrap()["runs"][0]["state"], "unreadable");
}
