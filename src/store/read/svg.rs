//! Our own pictures: the list of moves in `<desc>`, the ending in `<title>`.

use super::found::{Flaw, Found, Stop, ending_named};
use super::list;
use super::source::{Broken, Source, Until};
use crate::board::Board;
use std::io::Read;

/// Reads a picture as far as its list of moves.
pub fn read<R: Read>(source: &mut Source<R>, board: Option<Board>) -> Result<Found, Stop> {
    let line = source.line();
    let mut ending = None;
    loop {
        match tag(source)? {
            Some(Tag::Title) => {
                let word = source.word(|_| false, Until::Tag)?.unwrap_or_default();
                ending = ending_named(&word.to_ascii_lowercase());
            }
            Some(Tag::Description) => {
                let found = list::read(source, board, Until::Tag)?;
                return Ok(Found { ending, ..found });
            }
            Some(Tag::Other) => {}
            Some(Tag::End) | None => {
                let reason = "the picture has no <desc> with a list of moves".to_owned();
                return Err(Stop::Flaw(Flaw { line, number: None, reason }));
            }
        }
    }
}

/// Takes the rest of a picture.
pub fn skip<R: Read>(source: &mut Source<R>) -> Result<(), Broken> {
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

/// Takes everything up to the end of the next tag, but leaves the one that ends the picture.
fn tag<R: Read>(source: &mut Source<R>) -> Result<Option<Tag>, Broken> {
    if source.skip_until(|byte| byte == b'<')?.is_none() {
        return Ok(None);
    }
    if source.ahead(5)? == b"</svg" {
        return Ok(Some(Tag::End));
    }
    source.take();
    let tag = match source.word(|byte| byte == b'>', Until::Line)? {
        Some(b"title") => Tag::Title,
        Some(b"desc") => Tag::Description,
        _ => Tag::Other,
    };
    close(source)?;
    Ok(Some(tag))
}

/// Takes everything up to the end of a tag.
fn close<R: Read>(source: &mut Source<R>) -> Result<(), Broken> {
    if source.skip_until(|byte| byte == b'>')?.is_some() {
        source.take();
    }
    Ok(())
}
