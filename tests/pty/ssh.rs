//! The views over SSH, really: by sshd on this machine, over a line that is held to 8 KB a second, and 150 ms each way.
//!
//! Nothing here is timed. What would be queued on a slow line is counted in bytes instead: those that go over the line
//! between a key and its answer.

use super::harness::Pty;
use super::on_a_good_terminal;
use crate::common::process::Running;
use crate::common::{PATIENCE, PROGRAM, wait_until};
use crate::detach::Runs;
use crate::skip::skip;
use portable_pty::CommandBuilder;
use std::fs;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const BYTES_PER_S: usize = 8 << 10;
const WAY: Duration = Duration::from_millis(150);
/// Bytes that are read at once.
const PIECE: usize = 256;
/// Bytes that may go over the line before a key is answered: some frames of a large screen. Without a terminal that says
/// how far it is there are a megabyte of them in the buffers on the way.
const AHEAD_MAX: usize = 64 << 10;

/// A slow line to a port of this machine.
struct Line {
    port: u16,
    down: Arc<AtomicUsize>,
    open: Arc<Mutex<Vec<TcpStream>>>,
}

impl Line {
    fn to(target: u16) -> Line {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("it has one").port();
        let (down, open) = (Arc::<AtomicUsize>::default(), Arc::<Mutex<Vec<TcpStream>>>::default());
        let (counted, kept) = (down.clone(), open.clone());
        std::thread::spawn(move || {
            for near in listener.incoming().map_while(Result::ok) {
                let Ok(far) = TcpStream::connect(("127.0.0.1", target)) else { return };
                let ends = || [near.try_clone().expect("a copy"), far.try_clone().expect("a copy")];
                kept.lock().expect("no holder panics").extend(ends());
                let [from, to] = ends();
                carry(from, to, Arc::default());
                let [to, from] = ends();
                carry(from, to, counted.clone());
            }
        });
        Line { port, down, open }
    }

    /// Bytes that have come over it so far.
    fn bytes(&self) -> usize {
        self.down.load(Ordering::SeqCst)
    }

    /// Cuts all connections.
    fn cut(&self) {
        for stream in self.open.lock().expect("no holder panics").drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

/// Carries what comes from one end to the other, slowly and late.
fn carry(mut from: TcpStream, mut to: TcpStream, bytes: Arc<AtomicUsize>) {
    let (send, arriving) = mpsc::channel::<(Instant, Vec<u8>)>();
    std::thread::spawn(move || {
        let mut piece = [0; PIECE];
        while let Ok(n @ 1..) = from.read(&mut piece) {
            std::thread::sleep(Duration::from_secs(1) * n as u32 / BYTES_PER_S as u32);
            if send.send((Instant::now() + WAY, piece[..n].to_vec())).is_err() {
                return;
            }
        }
    });
    std::thread::spawn(move || {
        for (due, piece) in arriving {
            std::thread::sleep(due.saturating_duration_since(Instant::now()));
            bytes.fetch_add(piece.len(), Ordering::SeqCst);
            if to.write_all(&piece).is_err() {
                return;
            }
        }
        let _ = to.shutdown(Shutdown::Write);
    });
}

/// An sshd of our own, and a key for it.
struct Sshd {
    folder: TempDir,
    _daemon: Running,
    line: Line,
}

/// Where a program is that may not be in the path of a user.
fn program(name: &str) -> Option<String> {
    let places = std::env::var("PATH").unwrap_or_default() + ":/usr/sbin:/usr/local/sbin";
    let found = places.split(':').map(|place| format!("{place}/{name}")).find(|file| Path::new(file).is_file());
    if found.is_none() {
        skip(format_args!("there is no {name} here (packages openssh-server and openssh-client)"));
    }
    found
}

impl Sshd {
    /// Nothing where that cannot be had, which is said.
    fn begin() -> Option<Sshd> {
        let (daemon, keygen, _) = (program("sshd")?, program("ssh-keygen")?, program("ssh")?);
        let Ok(port) = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).map(|place| place.port())
        else {
            skip("no SSH: this machine cannot be reached from itself");
            return None;
        };
        let folder = tempfile::tempdir_in("/tmp").expect("a folder");
        for name in ["host", "user"] {
            let mut make = Command::new(&keygen);
            make.args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(folder.path().join(name));
            assert!(make.status().is_ok_and(|status| status.success()), "a key can be made");
        }
        if rustix::process::getuid().is_root() {
            // Where it was installed and never started.
            let _ = fs::create_dir("/run/sshd");
        }
        let at = folder.path().display();
        let config = format!(
            "Port {port}\nListenAddress 127.0.0.1\nHostKey {at}/host\nAuthorizedKeysFile {at}/user.pub\nPidFile none\n\
             UsePAM no\nStrictModes no\nPasswordAuthentication no\nPermitRootLogin yes\n"
        );
        fs::write(folder.path().join("config"), config).expect("a file");
        let mut serve = Command::new(daemon);
        serve.args(["-D", "-e", "-f"]).arg(folder.path().join("config")).stdin(Stdio::null());
        serve.stderr(fs::File::create(folder.path().join("log")).expect("a file"));
        let daemon = Running::start(&mut serve);
        let sshd = Sshd { folder, _daemon: daemon, line: Line::to(port) };
        // A user who may not log in, or a system that has closed the door, is no matter of ours.
        let works = (0..50).any(|_| {
            std::thread::sleep(Duration::from_millis(100));
            sshd.ssh(port).arg("true").status().is_ok_and(|status| status.success())
        });
        if !works {
            let log = fs::read_to_string(sshd.folder.path().join("log")).unwrap_or_default();
            skip(format_args!("no SSH: this user cannot log in here: {}", log.trim().replace('\n', "; ")));
        }
        works.then_some(sshd)
    }

    fn words(&self, port: u16) -> Vec<String> {
        let key = self.folder.path().join("user").display().to_string();
        let port = port.to_string();
        let quiet = ["-F", "/dev/null", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null"];
        let quiet = quiet.iter().chain(&["-o", "LogLevel=ERROR", "-o", "BatchMode=yes", "-o", "IdentitiesOnly=yes"]);
        quiet.map(|word| (*word).to_owned()).chain(["-i", &key, "-p", &port, "127.0.0.1"].map(String::from)).collect()
    }

    fn ssh(&self, port: u16) -> Command {
        let mut command = Command::new("ssh");
        command.args(self.words(port)).stdin(Stdio::null());
        command
    }

    /// The program at the far end of the slow line, on a large screen.
    fn far(&self, runs: &Runs, args: &str) -> Pty {
        let mut command = on_a_good_terminal(CommandBuilder::new("ssh"));
        command.arg("-tt");
        command.args(self.words(self.line.port));
        let runs = runs.path();
        command.arg(format!("LC_ALL=C.UTF-8 DESTRIER_RUNS='{}' '{}' {args}", runs.display(), *PROGRAM));
        Pty::spawn(command, 60, 200)
    }
}

/// Waits until the screen shows a text, as long as a slow line takes.
fn wait_for(pty: &Pty, text: &str) {
    let began = Instant::now();
    while !pty.text().contains(text) {
        assert!(began.elapsed() < PATIENCE, "no {text} on the screen:\n{}", pty.text());
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Waits until the screen does not show a text any more.
fn gone(pty: &Pty, text: &str) {
    let began = Instant::now();
    while pty.text().contains(text) {
        assert!(began.elapsed() < PATIENCE, "{text} stays on the screen");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Presses a key that is answered by this text, after the line has had time to fill; it must not have.
fn answered_soon(pty: &mut Pty, line: &Line, key: &str, text: &str) {
    let began = line.bytes();
    wait_until("the line is in use", || line.bytes() > began + 6 * BYTES_PER_S);
    let pressed = line.bytes();
    pty.press(key);
    wait_for(pty, text);
    let ahead = line.bytes() - pressed;
    assert!(ahead < AHEAD_MAX, "{ahead} bytes came before {text}");
}

#[test]
fn a_live_view_answers_keys_over_a_slow_line_and_is_attached_again_when_it_is_cut() {
    let Some(sshd) = Sshd::begin() else { return };
    let runs = Runs::new();
    // A view of its own.
    let mut pty = sshd.far(&runs, "watch 8x8 --solver radley --threads 64 --slow 20000 --fps 30");
    wait_for(&pty, "8x8 closed");
    answered_soon(&mut pty, &sshd.line, "?", "Workers search one tree");
    pty.press("\x1b");
    gone(&pty, "Workers search one tree");
    pty.press("d");
    wait_for(&pty, "it goes on without this terminal");
    // The run goes on, whatever becomes of the line.
    let mut pty = sshd.far(&runs, "attach 1");
    wait_for(&pty, "8x8 closed");
    answered_soon(&mut pty, &sshd.line, "?", "Workers search one tree");
    sshd.line.cut();
    assert_eq!(pty.exit_code(), 255);
    wait_until("no viewer is left", || runs.row(1)["guests"] == 0);
    assert_eq!(runs.row(1)["state"], "running");
    let mut pty = sshd.far(&runs, "attach 1");
    wait_for(&pty, "8x8 closed");
    pty.press("q");
    wait_for(&pty, "run 1 goes on");
}

#[test]
fn a_run_is_seen_through_a_forwarded_socket() {
    let Some(sshd) = Sshd::begin() else { return };
    let runs = Runs::new();
    let id = runs.begin("search 8x8 --solver radley --threads 64");
    let socket = runs.row(id)["socket"].as_str().expect("it answers").to_owned();
    let near = sshd.folder.path().join("near");
    let mut forward = Command::new("ssh");
    forward.args(["-N", "-L"]).arg(format!("{}:{socket}", near.display())).args(sshd.words(sshd.line.port));
    let _forward = Running::start(forward.stdin(Stdio::null()));
    wait_until("the socket is there", || near.exists());
    let mut command = on_a_good_terminal(CommandBuilder::new(&*PROGRAM));
    command.arg("attach");
    command.arg(&near);
    let mut pty = Pty::spawn(command, 60, 200);
    wait_for(&pty, "8x8 closed");
    answered_soon(&mut pty, &sshd.line, "-", "SLOW 1000/s");
    // The wish is on its way until then.
    wait_until("the run is slow", || runs.row(id)["state"] == "slowed");
    sshd.line.cut();
    wait_for(&pty, "nothing more is heard of this run");
    pty.quit();
    assert_eq!(runs.row(id)["state"], "slowed", "it goes on as it was left");
}
