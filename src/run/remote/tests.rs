//! Tests of a run seen over a socket: only frames are skipped, and bad input ends only its own connection.

use super::lines::*;
use super::*;
use crate::board::Shape;
use crate::event::{Event, EventKind};
use crate::run::frame::{Body, Frame, TreeFrame};
use crate::run::journal::{Item, Reader, Subject};
use crate::run::question::{Plan, Question};
use crate::run::source::{End, Source, Wish};
use crate::schedule::{Snapshot, WorkerSnapshot};
use crate::search::Drawing;
use crate::solve::{self, Problem};
use serde_json::json;
use std::io::{self, Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::time::{Duration, Instant};

const SOON: Duration = Duration::from_secs(120);

pub fn subject() -> Subject {
    let problem = Problem::new("6x6".parse::<Shape>().unwrap(), crate::board::Ending::Closed);
    Subject::Run(Plan::of(Question::Search(solve::solver_by_name("path").unwrap(), problem), 2))
}

/// A server in a folder of its own.
pub fn server() -> (Server, PathBuf, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("1.sock");
    (Server::open(&path, subject()).unwrap(), path, folder)
}

/// Frame `k`: a hire by worker 0, and the position of worker `k % 2`.
pub fn frame(k: u64) -> Frame {
    let elapsed = Duration::from_millis(10 * k);
    let workers = vec![WorkerSnapshot { nodes: k, ..WorkerSnapshot::default() }; 2];
    let snapshot = Snapshot { elapsed, workers, ..Snapshot::default() };
    let mut drawing = Drawing::default();
    drawing.path([k as u32 % 36].into_iter(), None);
    let kind = EventKind::Hired { by: 0, depth: k as usize, left: None, company: Vec::new(), entered: None };
    let events = vec![Event { at: elapsed, worker: 1, kind }];
    Frame { body: Body::Tree(Box::new(TreeFrame { snapshot, positions: vec![(k as usize % 2, drawing)] })), events }
}

/// Looks until frame `last` has come; returns how many frames came, and the depths of all hires.
fn seen_until(client: &mut Attached, last: u64) -> (usize, Vec<usize>, Frame) {
    let (began, mut frames, mut depths) = (Instant::now(), 0, Vec::new());
    loop {
        assert!(began.elapsed() < SOON, "frame {last} does not come");
        let Some(frame) = client.look() else {
            std::thread::sleep(Duration::from_millis(1));
            continue;
        };
        frames += 1;
        depths.extend(frame.events.iter().map(|event| match event.kind {
            EventKind::Hired { depth, .. } => depth,
            _ => unreachable!("there are hires only"),
        }));
        if frame.at() == Duration::from_millis(10 * last) {
            return (frames, depths, frame);
        }
    }
}

pub fn until(what: &str, mut happens: impl FnMut() -> bool) {
    let began = Instant::now();
    while !happens() {
        assert!(began.elapsed() < SOON, "{what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_client_sees_the_history_then_new_frames_and_misses_no_event() {
    let (server, path, _folder) = server();
    (0..10).for_each(|k| server.take(&frame(k)));
    let mut client = Attached::to(&path).unwrap();
    assert!(client.outlives_viewer() && !client.is_recorded());
    // All ten frames of the history are there.
    let (frames, depths, _) = seen_until(&mut client, 9);
    assert_eq!((frames, depths), (10, (0..10).collect()));
    assert!(!client.is_behind() && client.is_catching_up());
    // The frames that a client does not request are skipped, but not their events and positions.
    (10..500).for_each(|k| server.take(&frame(k)));
    let (frames, depths, last) = seen_until(&mut client, 499);
    // Two requested at the end of the history, and some meanwhile.
    assert!(frames <= 20, "{frames} frames lay on the way");
    assert!(!client.is_catching_up(), "a frame from after it came");
    assert_eq!(depths, (10..500).collect::<Vec<_>>());
    assert!([0, 1].iter().all(|&worker| frames > 2 || last.position(worker).is_some()));
}

/// Both see the same, however seldom one looks.
#[test]
fn two_clients_see_the_same_events() {
    let (server, path, _folder) = server();
    let mut clients = [1, 7].map(|every| {
        server.take(&frame(every));
        (every, Attached::to(&path).unwrap(), Vec::new())
    });
    for k in 8..100 {
        server.take(&frame(k));
        for (every, client, depths) in &mut clients {
            if k % *every == 0 {
                depths.extend(seen_until(client, k).1);
            }
        }
    }
    server.take(&frame(100));
    let [seen, other] = clients.map(|(_, mut client, mut depths)| {
        depths.extend(seen_until(&mut client, 100).1);
        depths
    });
    assert_eq!((&seen, &other), (&[&[1, 7], &(8..=100).collect::<Vec<_>>()[..]].concat(), &seen));
}

#[test]
fn the_wishes_of_a_client_reach_the_run_except_stop() {
    let (server, path, _folder) = server();
    server.take(&frame(0));
    let mut clients = [Attached::to(&path).unwrap(), Attached::to(&path).unwrap()];
    let wishes = [Wish::Pause(true), Wish::Step, Wish::Pace(Some(7)), Wish::Pause(false)];
    wishes.iter().for_each(|&wish| clients[0].wish(wish));
    let heard: Vec<Wish> = std::iter::from_fn(|| server.requests.recv_timeout(SOON).ok())
        .flatten()
        .map(|(_, wish)| wish)
        .take(4)
        .collect();
    assert_eq!(heard, wishes);
    // The clients look at different workers, which take turns.
    clients[0].wish(Wish::Select(1));
    clients[1].wish(Wish::Select(0));
    let mut selected = Vec::new();
    until("both are looked at", || {
        selected.extend(server.selected());
        selected.contains(&0) && selected.contains(&1)
    });
    clients[1].wish(Wish::Stop);
    assert_eq!(clients[1].end(SOON), Some(End::Cut));
    let [mut other, _] = clients;
    until("one has gone", || state(&path, SOON).unwrap().guests == 1);
    assert!(server.requests.try_iter().flatten().all(|(_, wish)| wish != Wish::Stop));
    // The number of a viewer that has left is not given again.
    Attached::to(&path).unwrap().wish(Wish::Step);
    let heard = std::iter::from_fn(|| server.requests.recv_timeout(SOON).ok()).flatten().next();
    assert_eq!(heard, Some((2, Wish::Step)));
    // The other client is not affected.
    server.take(&frame(7));
    assert_eq!(seen_until(&mut other, 7).2.at(), Duration::from_millis(70));
}

#[test]
fn the_end_is_sent_with_the_last_frame_and_the_report() {
    let (server, path, _folder) = server();
    server.take(&frame(0));
    let mut client = Attached::to(&path).unwrap();
    (1..50).for_each(|k| server.take(&frame(k)));
    server.end(Some(End::Map), Some(json!({ "tours": 5 })));
    assert!(!path.exists());
    seen_until(&mut client, 49);
    assert_eq!(client.end(SOON), Some(End::Map));
    assert_eq!(client.last.get().and_then(|last| last.report.clone()), Some(json!({ "tours": 5 })));
    // The run is gone.
    assert!(Attached::to(&path).err().is_some_and(|error| error.is_absence()));
}

#[test]
fn a_server_dropped_without_an_end_reports_a_failed_run() {
    let (server, path, _folder) = server();
    server.take(&frame(0));
    let mut client = Attached::to(&path).unwrap();
    drop(server);
    assert!(client.look().is_some());
    assert_eq!(client.end(SOON), Some(End::Failed));
}

/// Its files are free before it is told to end, so another process may go on with the run in its place.
#[test]
fn a_server_that_ends_leaves_the_socket_of_the_one_that_took_its_place() {
    let (server, path, _folder) = server();
    std::fs::remove_file(&path).unwrap();
    let later = Server::open(&path, subject()).unwrap();
    server.end(Some(End::Failed), None);
    later.take(&frame(0));
    assert!(state(&path, SOON).is_ok());
    later.end(Some(End::Failed), None);
    assert!(!path.exists());
}

#[test]
fn hostile_input_ends_its_connection_and_nothing_else() {
    let (server, path, _folder) = server();
    server.take(&frame(0));
    let mut client = Attached::to(&path).unwrap();
    let hello = line(&Hello::new(Purpose::Attach)).unwrap();
    let nonsense: [&[u8]; 9] = [
        b"",
        b"\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"\xff\xfe\x00\n",
        b"{\"destrier\":\"attach\"}\n",
        b"{\"destrier\":\"dance\",\"format\":1}\n",
        b"{\"wish\":\"stop\"}\n",
        &[b'{'; 2 * LINE_MAX as usize],
        &[hello.as_slice(), b"{\"wish\":{\"pace\":-1}}\n"].concat(),
    ];
    for input in nonsense {
        let mut stream = UnixStream::connect(&path).unwrap();
        stream.set_read_timeout(Some(SOON)).unwrap();
        // The server may close the connection during the write.
        let _ = stream.write_all(input);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let closed = std::io::copy(&mut stream, &mut std::io::sink());
        let reset = |error: &io::Error| error.kind() == io::ErrorKind::ConnectionReset;
        assert!(
            closed.as_ref().is_ok() || closed.as_ref().is_err_and(reset),
            "{closed:?} after {}",
            input.escape_ascii()
        );
    }
    until("they have gone", || state(&path, SOON).unwrap().guests == 1);
    server.take(&frame(3));
    seen_until(&mut client, 3);
}

#[test]
fn more_requests_than_a_client_may_have_are_dropped() {
    let (server, path, _folder) = server();
    server.take(&frame(0));
    let mut stream = UnixStream::connect(&path).unwrap();
    stream.write_all(&line(&Hello::new(Purpose::Attach)).unwrap()).unwrap();
    stream.write_all(&b"\"more\"\n".repeat(1000)).unwrap();
    stream.write_all(&line(&ClientLine::Wish(Wish::Step)).unwrap()).unwrap();
    until("all is read", || server.requests.try_iter().flatten().any(|(_, wish)| wish == Wish::Step));
    let mut reader = Reader::new(stream).unwrap();
    assert!(matches!(reader.next(), Some(Item::Frames { .. })), "the history");
    for k in 1..=2 {
        server.take(&frame(k));
        assert!(matches!(reader.next(), Some(Item::Frames { .. })));
    }
    (3..9).for_each(|k| server.take(&frame(k)));
    server.end(None, None);
    let Some(Item::Frames { frames, .. }) = reader.next() else { panic!("the last frame") };
    assert!(frames[0].events.len() == 6 && matches!(reader.next(), Some(Item::Ended(_))));
}

/// What answers at the socket is there: it is not said that no process answers.
#[test]
fn a_host_that_sends_a_broken_frame_is_no_run() {
    let answered = |answer: &'static [u8]| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("1.sock");
        let listener = UnixListener::bind(&path).unwrap();
        let host = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            stream.write_all(answer).unwrap();
            stream.shutdown(std::net::Shutdown::Write).unwrap();
            std::io::copy(&mut stream, &mut std::io::sink())
        });
        let refused = Attached::to(&path).err().unwrap();
        let _ = host.join().unwrap();
        refused
    };
    let broken = answered(b"\x28\xb5\x2f\xfd\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff");
    assert!(matches!(broken, AttachError::Foreign), "{broken}");
    let other = answered(b"{\"destrier\":\"journal\",\"format\":99,\"subject\":null}\n");
    assert!(matches!(other, AttachError::Version), "{other}");
}

#[test]
fn clients_that_read_nothing_cost_nothing_and_too_many_are_refused() {
    let (server, path, _folder) = server();
    server.take(&frame(0));
    let quiet: Vec<Attached> = (0..CLIENTS_MAX).map(|_| Attached::to(&path).unwrap()).collect();
    assert!(matches!(Attached::to(&path), Err(AttachError::Silent)));
    // More frames than any socket buffers.
    (1..5000).for_each(|k| server.take(&frame(k)));
    assert_eq!(state(&path, SOON).unwrap(), RunState { elapsed_s: 49.99, guests: CLIENTS_MAX, ..RunState::default() });
    drop(quiet);
    until("they have gone", || state(&path, SOON).unwrap().guests == 0);
}

#[test]
fn a_client_of_another_version_gets_the_format_of_this_one() {
    let (server, path, _folder) = server();
    server.take(&frame(0));
    let mut stream = UnixStream::connect(&path).unwrap();
    stream.write_all(b"{\"destrier\":\"attach\",\"format\":1}\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.contains(&format!("\"format\":{PROTOCOL}")) && answer.lines().count() == 1, "{answer}");
}
