//! Reads pictures that this program wrote: the list of moves in `<desc>`, the ending in `<title>`.

use super::list;
use super::outcome::{FoundTour, ReadStop, ending_named, flaw};
use super::source::{TextSource, WordEnd};
use crate::board::Board;
use std::io::{self, Read};

/// Reads a picture up to the end of its list of moves.
pub fn read<R: Read>(source: &mut TextSource<R>, board: Option<Board>) -> Result<FoundTour, ReadStop> {
    let place = source.place();
    let mut ending = None;
    loop {
        match tag(source)? {
            Some(Tag::Title) => {
                let word = source.word(|_| false, WordEnd::Tag)?.unwrap_or_default();
                ending = ending_named(&word.to_ascii_lowercase());
            }
            Some(Tag::Description) => {
                let found = list::read(source, board, WordEnd::Tag)?;
                return Ok(FoundTour { ending, form: "SVG", ..found });
            }
            Some(Tag::Other) => {}
            Some(Tag::End) | None => {
                return Err(flaw(place, None, "the picture has no <desc> with a list of moves"));
            }
        }
    }
}

/// Consumes the rest of a picture.
pub fn skip<R: Read>(source: &mut TextSource<R>) -> io::Result<()> {
    while !matches!(tag(source)?, Some(Tag::End) | None) {}
    close(source)
}

enum Tag {
    Title,
    Description,
    /// The end of the picture.
    End,
    Other,
}

/// Consumes everything up to the end of the next tag, but not the tag that ends the picture.
fn tag<R: Read>(source: &mut TextSource<R>) -> io::Result<Option<Tag>> {
    if source.skip_until(|byte| byte == b'<')?.is_none() {
        return Ok(None);
    }
    if source.look_ahead(5)? == b"</svg" {
        return Ok(Some(Tag::End));
    }
    source.take();
    let tag = match source.word(|byte| byte == b'>', WordEnd::Line)? {
        Some(b"title") => Tag::Title,
        Some(b"desc") => Tag::Description,
        _ => Tag::Other,
    };
    close(source)?;
    Ok(Some(tag))
}

/// Consumes everything up to the end of a tag.
fn close<R: Read>(source: &mut TextSource<R>) -> io::Result<()> {
    if source.skip_until(|byte| byte == b'>')?.is_some() {
        source.take();
    }
    Ok(())
}
