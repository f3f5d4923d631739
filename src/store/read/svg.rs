//! Reads pictures that this program wrote: the list of moves in `<desc>`, the ending in `<title>`.

use super::list;
use super::outcome::{ReadStop, ReadTour, ending_named, flaw};
use super::source::{LINE, TAG, TextSource};
use crate::board::Board;
use crate::bounded::WORD_MAX;
use std::io::{self, Read};

/// Reads a picture up to the end of its list of moves.
pub fn read<R: Read>(source: &mut TextSource<R>, board: Option<Board>) -> Result<ReadTour, ReadStop> {
    let place = source.place();
    let mut ending = None;
    while let Some(tag) = tag(source)? {
        match &tag[..] {
            b"title" => {
                let word = source.word(|_| false, TAG)?;
                ending = word.and_then(|(word, _)| ending_named(&word.to_ascii_lowercase()));
            }
            b"desc" => {
                let found = list::read(source, board, None, TAG)?;
                return Ok(ReadTour { ending, form: "SVG", ..found });
            }
            _ => {}
        }
    }
    Err(flaw(place, None, "the picture has no <desc> with a list of moves"))
}

/// Consumes the rest of a picture.
pub fn skip<R: Read>(source: &mut TextSource<R>) -> io::Result<()> {
    while tag(source)?.is_some() {}
    close(source)
}

/// Consumes everything up to the end of the next tag, and returns its name; not the tag that ends the picture.
fn tag<R: Read>(source: &mut TextSource<R>) -> io::Result<Option<Vec<u8>>> {
    if source.skip_until(|byte| byte == b'<')?.is_none() || source.look_ahead(5)? == b"</svg" {
        return Ok(None);
    }
    source.take();
    let tag = source.word(|byte| byte == b'>', LINE)?;
    let tag = tag.map(|(tag, _)| tag[..tag.len().min(WORD_MAX)].to_vec());
    close(source)?;
    Ok(Some(tag.unwrap_or_default()))
}

/// Consumes everything up to the end of a tag.
fn close<R: Read>(source: &mut TextSource<R>) -> io::Result<()> {
    if source.skip_until(|byte| byte == b'>')?.is_some() {
        source.take();
    }
    Ok(())
}
