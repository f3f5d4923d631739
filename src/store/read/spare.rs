//! What was read while others looked at what came before it: a second buffer, which takes the place of the first.

use super::input::Input;
use std::io::{self, Read};
use std::ops::Range;

/// Bytes in front, for what was left over of the first buffer.
const ROOM: usize = 1 << 16;
/// Whoever writes to a pipe may be slow; less than this at a time says so.
const SLOW: usize = 1 << 16;

/// The second buffer.
#[derive(Default)]
pub struct Spare {
    bytes: Box<[u8]>,
    /// Bytes that were read, behind the room in front.
    count: usize,
    /// Why there are no more.
    broken: Option<io::Error>,
}

impl Spare {
    /// What reads about so many bytes, unless there are some: fewer at the end, or where they come slowly.
    pub fn reader<'a, R: Read>(&'a mut self, inner: &'a mut Input<R>, count: usize) -> impl FnOnce() + 'a {
        move || self.read(inner, count)
    }

    fn read<R: Read>(&mut self, inner: &mut Input<R>, count: usize) {
        if self.count > 0 || self.broken.is_some() {
            return;
        }
        if self.bytes.len() < ROOM + count {
            self.bytes = vec![0; ROOM + count].into();
        }
        while self.count < count {
            match inner.read(&mut self.bytes[ROOM + self.count..ROOM + count]) {
                Ok(0) => return,
                Ok(read) => {
                    self.count += read;
                    if read < SLOW && !inner.is_compressed() {
                        return;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.broken = Some(error);
                    return;
                }
            }
        }
    }

    /// Puts what was read behind `rest`, all that is left of the first buffer, and gives that buffer for it; answers how many
    /// bytes were read, and where all of them lie in the buffer that there is now. Nothing if there is nothing.
    ///
    /// # Errors
    /// Why nothing could be read.
    pub fn take(&mut self, buffer: &mut Box<[u8]>, rest: Range<usize>) -> io::Result<Option<[usize; 3]>> {
        if self.count == 0 {
            return self.broken.take().map_or(Ok(None), Err);
        }
        let count = std::mem::take(&mut self.count);
        if rest.len() <= ROOM {
            let at = ROOM - rest.len();
            self.bytes[at..ROOM].copy_from_slice(&buffer[rest]);
            std::mem::swap(buffer, &mut self.bytes);
            return Ok(Some([count, at, ROOM + count]));
        }
        let all = [&buffer[rest], &self.bytes[ROOM..ROOM + count]].concat();
        let end = all.len();
        *buffer = all.into();
        Ok(Some([count, 0, end]))
    }
}
