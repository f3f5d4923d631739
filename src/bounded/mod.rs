//! The one door for files and streams of other programs. Everything is read in bounded memory, and what a file is, is
//! recognised here for all commands.
//!
//! A line, a file and a JSON value have a largest length, JSON has a largest depth, and a file is a regular file. What is
//! larger, and memory that the system refuses, are errors. What a user names as text to be read may be a pipe, too. A length
//! that a file claims is believed only when that many bytes have been read.
//!
//! | file | holds |
//! | --- | --- |
//! | `input.rs` | [`line()`], [`contents`], [`rest`], [`open`], [`open_stream`], [`json()`]: lines, files and JSON of a largest length; [`in_range`] |
//! | `kind.rs` | [`FileKind`]: first lines, versions and names of all formats; [`FileFormat`]: what a file is |
//! | `word.rs` | [`words()`], [`pieces`]: the words of a tour file and their parts; [`Word`]: what a word is |
//! | `line_begin.rs` | [`LineBegin`]: the format of a tour, by its first words |

mod input;
mod kind;
mod line_begin;
mod word;

pub use input::{FIRST_LINE_MAX, contents, in_range, json, json_line, line, open, open_for, open_stream, rest};
pub use kind::{FileFormat, FileKind, ZSTD_FRAME, is_compressed, refusal};
pub use line_begin::{
    LOOK_AHEAD_BYTES, LineBegin, are_alike, board_length, ends_with_sign, first_line, is_count, is_heading, is_text,
    is_whole_line, label_length,
};
pub use word::{Piece, WORD_MAX, Word, count, excerpt, is_between, pieces, printable, words, words_between};
