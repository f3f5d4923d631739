//! Somebody who has come to the socket of a run: what it asks is heard on one thread, what it gets is sent on another.

use super::lines::{ClientLine, Hello, PATIENCE, Purpose, line, read_line};
use super::outbox::{ClientOutbox, Next};
use super::server_state::{ServerState, ViewerRequest};
use crate::run::frame::{FORMAT, Frame};
use crate::run::journal::Scribe;
use crate::run::source::Wish;
use std::io::{self, BufReader, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::sync::Arc;

/// How hard zstd tries: what is sent is little, and a guest costs no more than a megabyte.
const LEVEL: i32 = 3;

/// Serves somebody until it goes, or does what nobody does.
pub fn serve(stream: UnixStream, house: &Arc<ServerState>) {
    // Why the connection ends is no concern of the run.
    let _ = heard(&stream, house);
    let _ = stream.shutdown(Shutdown::Both);
}

fn heard(stream: &UnixStream, house: &Arc<ServerState>) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut input = BufReader::new(stream);
    let Some(first) = read_line(&mut input)? else { return Ok(()) };
    let hello: Hello = serde_json::from_slice(&first)?;
    let mut output = stream;
    if hello.format != FORMAT {
        // The first line of a journal says which format this is, and that is all.
        return Scribe::begin(output, house.subject.clone())?.flush();
    }
    if hello.destrier == Purpose::State {
        return output.write_all(&line(&house.state())?);
    }
    let Some((desk, past)) = house.enter() else { return Ok(()) };
    // Whoever looks on may say nothing for days.
    let looked = stream.set_read_timeout(None).and_then(|()| attend(stream, &mut input, (house, &desk), &past));
    house.leave(&desk);
    looked
}

/// Sends a guest what it asks for, and hears what else it wants.
fn attend(
    stream: &UnixStream,
    input: &mut impl io::BufRead,
    (house, desk): (&Arc<ServerState>, &Arc<ClientOutbox>),
    past: &[Frame],
) -> io::Result<()> {
    std::thread::scope(|scope| {
        let sending = std::thread::Builder::new().name("sender".to_owned()).spawn_scoped(scope, || {
            let sent = send(stream, house, desk, past);
            // Nothing more is heard either.
            let _ = stream.shutdown(Shutdown::Both);
            sent
        })?;
        let heard = hear(input, house, desk);
        desk.leave();
        // What cannot be written any more is not waited for.
        let _ = stream.shutdown(Shutdown::Both);
        let _ = sending.join();
        heard
    })
}

fn send(stream: &UnixStream, house: &ServerState, desk: &ClientOutbox, past: &[Frame]) -> io::Result<()> {
    let mut scribe = Scribe::begin(zstd::Encoder::new(stream, LEVEL)?, house.subject.clone())?;
    past.iter().try_for_each(|frame| scribe.frame(frame))?;
    loop {
        scribe.flush()?;
        match desk.next() {
            Next::Frame(frame) => scribe.frame(&frame)?,
            Next::End(last) => {
                scribe.end(last)?;
                return scribe.into_inner().finish().map(|_| ());
            }
            Next::Nothing => return Ok(()),
        }
    }
}

fn hear(input: &mut impl io::BufRead, house: &ServerState, desk: &ClientOutbox) -> io::Result<()> {
    while let Some(line) = read_line(input)? {
        match serde_json::from_slice(&line)? {
            ClientLine::More(more) => desk.ask(more),
            ClientLine::Wish(Wish::Select(worker)) => {
                desk.select(worker);
                house.say(ViewerRequest::Look);
            }
            // Whoever leaves does not end the run.
            ClientLine::Wish(Wish::Stop) => {}
            ClientLine::Wish(wish) => house.say(ViewerRequest::Wish(wish)),
        }
    }
    Ok(())
}
