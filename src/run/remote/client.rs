//! Serves one client of the socket: one thread reads its requests, another sends it frames.

use super::lines::{CLIENT_TIMEOUT, ClientLine, Hello, LINE_MAX, Purpose, line};
use super::outbox::{ClientOutbox, Next};
use super::server_state::{ServerState, ViewerRequest};
use crate::bounded::json_line;
use crate::run::frame::{FORMAT, Frame};
use crate::run::journal::Scribe;
use crate::run::source::Wish;
use std::io::{self, BufReader, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::sync::Arc;

/// Compression level of zstd. Little is sent, and a client takes no more than a megabyte of memory.
const LEVEL: i32 = 3;

/// Serves a client until it disconnects or sends an invalid line.
pub fn serve(stream: UnixStream, shared: &Arc<ServerState>) {
    // The run does not depend on why a connection ends.
    let _ = serve_connection(&stream, shared);
    let _ = stream.shutdown(Shutdown::Both);
}

fn serve_connection(stream: &UnixStream, shared: &Arc<ServerState>) -> io::Result<()> {
    stream.set_read_timeout(Some(CLIENT_TIMEOUT))?;
    stream.set_write_timeout(Some(CLIENT_TIMEOUT))?;
    let mut input = BufReader::new(stream);
    let Some(hello) = json_line::<Hello>(&mut input, LINE_MAX)? else { return Ok(()) };
    let mut output = stream;
    if hello.format != FORMAT {
        // A journal's first line names the format: send that line only.
        return Scribe::begin(output, shared.subject.clone())?.flush();
    }
    if hello.destrier == Purpose::State {
        return output.write_all(&line(&shared.state())?);
    }
    let Some((outbox, history)) = shared.admit_client() else { return Ok(()) };
    // A viewer may send nothing for days.
    let served = stream.set_read_timeout(None).and_then(|()| exchange(stream, &mut input, (shared, &outbox), &history));
    shared.leave(&outbox);
    served
}

/// Sends frames to a client and reads its requests.
fn exchange(
    stream: &UnixStream,
    input: &mut impl io::BufRead,
    (shared, outbox): (&Arc<ServerState>, &Arc<ClientOutbox>),
    history: &[Frame],
) -> io::Result<()> {
    std::thread::scope(|scope| {
        let sending = std::thread::Builder::new().name("sender".to_owned()).spawn_scoped(scope, || {
            let sent = send(stream, shared, outbox, history);
            // The client is no longer read either.
            let _ = stream.shutdown(Shutdown::Both);
            sent
        })?;
        let received = receive(input, shared, outbox);
        outbox.leave();
        // Do not wait for data that cannot be sent any more.
        let _ = stream.shutdown(Shutdown::Both);
        let _ = sending.join();
        received
    })
}

fn send(stream: &UnixStream, shared: &ServerState, outbox: &ClientOutbox, history: &[Frame]) -> io::Result<()> {
    let mut scribe = Scribe::begin(zstd::Encoder::new(stream, LEVEL)?, shared.subject.clone())?;
    history.iter().try_for_each(|frame| scribe.frame(frame))?;
    loop {
        scribe.flush()?;
        match outbox.next() {
            Next::Frame(frame) => scribe.frame(&frame)?,
            Next::End(last) => {
                scribe.end(last)?;
                return scribe.into_inner().finish().map(|_| ());
            }
            Next::Left => return Ok(()),
        }
    }
}

fn receive(input: &mut impl io::BufRead, shared: &ServerState, outbox: &ClientOutbox) -> io::Result<()> {
    while let Some(line) = json_line(input, LINE_MAX)? {
        match line {
            ClientLine::More(more) => outbox.allow(more),
            ClientLine::Wish(Wish::Select(worker)) => {
                outbox.select(worker);
                shared.request(ViewerRequest::Look);
            }
            // A viewer that detaches does not end the run.
            ClientLine::Wish(Wish::Stop) => {}
            ClientLine::Wish(wish) => shared.request(ViewerRequest::Wish(wish)),
        }
    }
    Ok(())
}
