//! What a file is: every format of destrier has a first line that names it and its version.

use super::input;
use super::line_begin::{LOOK_AHEAD_BYTES, LineBegin};
use crate::table::table;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;

/// The first bytes of a zstd frame with data.
pub const ZSTD_FRAME: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// The first bytes of the zstd frame without data that begins a compressed file of tours.
const SKIPPED_FRAME: [u8; 4] = [0x5d, 0x2a, 0x4d, 0x18];

/// First lines that no version writes any more, with the kind and version that each stands for.
const FORMER: [(&str, FileKind, u32); 3] = [
    ("destrier range 1\n", FileKind::Count, 1),
    ("destrier find 1\n", FileKind::Race, 1),
    ("destrier find 2\n", FileKind::Race, 2),
];

const RESUME: &str = "destrier resume FILE";
const LAYERS: &str = "destrier unrank BOARD N --layers FOLDER";
const VERIFY: &str = "destrier verify FILE";

table! {
    /// A kind of file that destrier writes. A part of a search or a count is a checkpoint of it: its name tells that it is done.
    /// `first_line`: the first line of a file of this version, with its line end; of a journal, how that line begins. Its last byte
    /// but one is the version. `name`: the kind in words, which follow an article; `reader`: the command that reads it.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum FileKind(first_line: &'static str, name: &'static str, reader: &'static str) {
        /// A checkpoint of a search, or a part of a search.
        Search: "destrier search 4\n", "checkpoint of a search", RESUME;
        /// A checkpoint of a race for tours, which only earlier versions wrote.
        Race: "", "checkpoint of a race for tours", "destrier find BOARD --tours N --out FILE";
        /// A checkpoint of a count of a board or a range of boards, or a part of a count.
        Count: "destrier count 6\n", "checkpoint of a count", RESUME;
        Journal: "{\"destrier\":\"journal\",\"format\":6,", "journal", "destrier replay FILE";
        /// The manifest of the layers of a numbering.
        Layers: "destrier layers 1\n", "manifest of layers", LAYERS;
        Layer: "destrier layer 2\n", "layer of a numbering", LAYERS;
        /// Packed tours.
        Packed: "destrier packed 1\n", "file of packed tours", VERIFY;
        /// Tours as text, JSON or SVG, which other programs write too: they have no version.
        Tours: "", "file of tours", VERIFY;
    }
}

impl FileKind {
    /// The kinds with a first line of their own.
    pub const VERSIONED: [FileKind; 6] =
        [FileKind::Search, FileKind::Count, FileKind::Journal, FileKind::Layers, FileKind::Layer, FileKind::Packed];

    /// The version that this program writes and reads.
    pub const fn version(self) -> u32 {
        match self.first_line().as_bytes() {
            [.., digit, _] => (*digit - b'0') as u32,
            _ => 0,
        }
    }

    /// The version of a file of this kind that begins so.
    fn version_in(self, head: &[u8]) -> Option<u32> {
        let [name @ .., _, end] = self.first_line().as_bytes() else { return None };
        let rest = head.strip_prefix(name)?;
        let digits = rest.split(|byte| byte == end).next().filter(|digits| digits.len() < rest.len())?;
        let version: u32 = std::str::from_utf8(digits).ok()?.parse().ok()?;
        // A sign or a zero in front is of no program.
        (version.to_string().as_bytes() == digits).then_some(version)
    }

    /// Whether a file begins as one of this kind and version.
    ///
    /// # Errors
    /// The [`refusal`].
    pub fn check(self, head: &[u8]) -> Result<(), String> {
        let found = FileFormat::of(head);
        let is_right = found.is_some_and(|found| found.kind == self && found.is_current());
        if is_right { Ok(()) } else { Err(refusal(found, self.name())) }
    }
}

/// The kind of a file, and the version that wrote it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FileFormat {
    pub kind: FileKind,
    pub version: u32,
}

impl FileFormat {
    /// Recognises a file by its first bytes, of which a few hundred are enough.
    pub fn of(head: &[u8]) -> Option<FileFormat> {
        let former = FORMER.into_iter().find(|(line, ..)| head.starts_with(line.as_bytes()));
        let former = former.map(|(_, kind, version)| (kind, version));
        let versioned = FileKind::VERSIONED.into_iter().find_map(|kind| Some((kind, kind.version_in(head)?)));
        let begin = || LineBegin::of(head.trim_ascii_start());
        let is_tours = || !matches!(begin(), LineBegin::Noise | LineBegin::Aside);
        let (kind, version) =
            versioned.or(former).or_else(|| is_tours().then_some((FileKind::Tours, FileKind::Tours.version())))?;
        Some(FileFormat { kind, version })
    }

    /// Recognises a file, compressed or not, by its first bytes.
    ///
    /// # Errors
    /// As [`open`](super::open), and when the file cannot be read.
    pub fn of_file(path: &Path) -> io::Result<Option<FileFormat>> {
        FileFormat::of_open(&input::open(path)?)
    }

    /// Recognises an open file, compressed or not, by its first bytes, and rewinds it.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn of_open(mut file: &File) -> io::Result<Option<FileFormat>> {
        let mut head = Vec::new();
        file.take(LOOK_AHEAD_BYTES as u64).read_to_end(&mut head)?;
        file.rewind()?;
        if is_compressed(&head) {
            head.clear();
            // The reader of the file reports damage.
            let _ = zstd::Decoder::new(file)?.take(LOOK_AHEAD_BYTES as u64).read_to_end(&mut head);
            file.rewind()?;
        }
        Ok(FileFormat::of(&head))
    }

    /// Whether this program reads this version.
    pub fn is_current(self) -> bool {
        self.version == self.kind.version()
    }
}

/// Whether a file is compressed by zstd.
pub fn is_compressed(head: &[u8]) -> bool {
    head.starts_with(&ZSTD_FRAME) || head.starts_with(&SKIPPED_FRAME)
}

/// Why a file is not what a command reads, in words that follow its name. `wanted` is what it reads, without an article.
pub fn refusal(found: Option<FileFormat>, wanted: &str) -> String {
    let Some(FileFormat { kind, version }) = found else { return format!("is no {wanted}") };
    let (name, reader) = (kind.name(), kind.reader());
    if kind == FileKind::Race {
        return format!("is a {name}, which this version does not resume: to search again, type {reader}");
    }
    if version != kind.version() {
        let own = kind.version();
        return format!(
            "is a {name} of version {version}, and this program reads version {own}: use the destrier that wrote it"
        );
    }
    let is = if kind == FileKind::Tours { "seems to be" } else { "is" };
    format!("{is} a {name}, not a {wanted}: to read it, type {reader}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of a kind, of another version.
    fn other_version(kind: FileKind) -> String {
        let line = kind.first_line();
        format!("{}17{}..", &line[..line.len() - 2], &line[line.len() - 1..])
    }

    #[test]
    fn every_kind_is_told_by_its_first_line_and_from_another_version() {
        for kind in FileKind::VERSIONED {
            let own = format!("{}..", kind.first_line());
            assert_eq!(FileFormat::of(own.as_bytes()), Some(FileFormat { kind, version: kind.version() }));
            assert!(kind.version() > 0 && kind.check(own.as_bytes()).is_ok());
            let other = other_version(kind);
            assert_eq!(FileFormat::of(other.as_bytes()), Some(FileFormat { kind, version: 17 }));
            let says = format!(
                "is a {} of version 17, and this program reads version {}: use the destrier that wrote it",
                kind.name(),
                kind.version()
            );
            assert_eq!(kind.check(other.as_bytes()), Err(says));
            for wanted in FileKind::VERSIONED.into_iter().filter(|&wanted| wanted != kind) {
                let says = wanted.check(own.as_bytes()).unwrap_err();
                assert!(says.starts_with(&format!("is a {}, not a {}: ", kind.name(), wanted.name())), "{says}");
            }
        }
    }

    #[test]
    fn a_first_line_of_former_versions_is_told_as_one() {
        let says =
            "is a checkpoint of a count of version 1, and this program reads version 6: use the destrier that wrote it";
        assert_eq!(FileKind::Count.check(b"destrier range 1\n{}"), Err(says.to_owned()));
    }

    #[test]
    fn tours_are_recognised_and_other_text_is_not() {
        let of = |text: &str| FileFormat::of(text.as_bytes()).map(|found| found.kind);
        for tours in ["3x4 a3 c2\n", "\n a3 c2", "1 4 7\n", "[\"a3\"]", "<svg "] {
            assert_eq!(of(tours), Some(FileKind::Tours), "{tours}");
        }
        for other in [
            "",
            "\n",
            "notes\n",
            "destrier",
            "destrier search ",
            "destrier search 1",
            "destrier search x\n",
            "65:71:17:11 ",
        ] {
            assert_eq!(of(other), None, "{other}");
        }
        for version in ["", "+3", "-3", "03", "00", " 3", "3 ", "4294967296"] {
            assert_eq!(of(&format!("destrier count {version}\n")), None, "{version}");
        }
        assert_eq!(FileKind::Race.check(b"notes"), Err("is no checkpoint of a race for tours".to_owned()));
    }

    #[test]
    fn a_compressed_file_is_recognised_by_what_is_compressed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        let journal = zstd::encode_all(FileKind::Journal.first_line().as_bytes(), 1).unwrap();
        let begin: &[u8] = b"\x5d\x2a\x4d\x18\x04\0\0\0tour";
        for (bytes, kind) in [
            (journal.clone(), Some(FileKind::Journal)),
            ([begin, &zstd::encode_all(&b"3x4 a3"[..], 1).unwrap()].concat(), Some(FileKind::Tours)),
            (journal[..9].to_vec(), None),
            (begin.to_vec(), None),
        ] {
            std::fs::write(&file, bytes).unwrap();
            assert_eq!(FileFormat::of_file(&file).unwrap().map(|found| found.kind), kind);
        }
    }
}
