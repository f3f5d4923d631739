//! Shows that the checks see the bugs they are there for: each is patched into a copy of the shipped file, the copies
//! are compiled together, and every one but the unpatched must be found faulty.
//!
//! The copies are built by one call of rustc against the shuttle and the loom that cargo has built for this very test.

use std::{
    cmp::Reverse,
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use crate::common::{PROJECT, SCRATCH, spawn};
use Checker::{Loom, Shuttle};

const SHIPPED: &str = include_str!("../../src/schedule/protocol.rs");

/// What a checked copy answers when the check found a fault, and nothing else does.
const FOUND: i32 = 42;

/// A copy of the shipped file: its checker, and its bug, as texts of the file and their replacements.
struct Variant {
    name: &'static str,
    checker: Checker,
    patches: &'static [(&'static str, &'static str)],
}

#[derive(Clone, Copy)]
enum Checker {
    /// Schedules of several workers.
    Shuttle,
    /// Orderings.
    Loom,
}

const VARIANTS: &[Variant] = &[
    Variant { name: "shipped_by_shuttle", checker: Shuttle, patches: &[] },
    Variant { name: "shipped_by_loom", checker: Loom, patches: &[] },
    Variant {
        name: "idle_lowered_after_publishing",
        checker: Shuttle,
        patches: &[
            ("        self.idle.fetch_sub(1, Relaxed);\n", ""),
            (
                "        self.answer(helper, WaitAnswer::Hired { task, by: Some(by), helpers: company.len() });\n",
                "        self.answer(helper, WaitAnswer::Hired { task, by: Some(by), helpers: company.len() });
        self.idle.fetch_sub(1, Relaxed);\n",
            ),
        ],
    },
    Variant {
        name: "mailbox_closed_by_load_and_store",
        checker: Shuttle,
        patches: &[(
            "        let head = self.mail().swap(CLOSED, Acquire);\n",
            "        let head = self.mail().load(Acquire);
        self.mail().store(CLOSED, Release);\n",
        )],
    },
    Variant {
        name: "answer_cleared_after_attaching",
        checker: Shuttle,
        patches: &[(
            "        let whom = seeker.protocol.donate(&seeker.helpers, seeker.me);\n",
            "        let whom = seeker.protocol.donate(&seeker.helpers, seeker.me);
        seeker.protocol.sleep_state(seeker.me).answer = None;\n",
        )],
    },
    Variant {
        name: "mailbox_opened_after_publishing",
        checker: Shuttle,
        patches: &[
            ("        self.slots[helper].front.mail.store(self.link(company, NONE, helper), Relaxed);\n", ""),
            (
                "        self.answer(helper, WaitAnswer::Hired { task, by: Some(by), helpers: company.len() });\n",
                "        self.answer(helper, WaitAnswer::Hired { task, by: Some(by), helpers: company.len() });
        self.slots[helper].front.mail.store(self.link(company, NONE, helper), Relaxed);\n",
            ),
        ],
    },
    Variant {
        name: "sleeper_looked_for_before_answering",
        checker: Shuttle,
        patches: &[
            (
                "        let mut sleep = self.sleep_state(worker);\n",
                "        let asleep = self.sleep_state(worker).asleep;\n        let mut sleep = self.sleep_state(worker);\n",
            ),
            ("        let asleep = sleep.asleep;\n", ""),
        ],
    },
    Variant {
        name: "attached_without_release",
        checker: Loom,
        patches: &[(
            "self.link(helpers, rest, whom), Release, Relaxed",
            "self.link(helpers, rest, whom), Relaxed, Relaxed",
        )],
    },
    Variant {
        name: "list_taken_without_acquire",
        checker: Loom,
        patches: &[("self.mail().swap(NONE, Acquire)", "self.mail().swap(NONE, Relaxed)")],
    },
    Variant {
        name: "end_announced_without_acquire",
        checker: Loom,
        patches: &[("self.protocol.idle.fetch_add(1, AcqRel)", "self.protocol.idle.fetch_add(1, Release)")],
    },
];

#[test]
#[cfg_attr(
    target_env = "musl",
    ignore = "what is built for a static program can be linked with it alone; the copies are the same anywhere"
)]
fn every_known_bug_is_seen() {
    let folder = tempfile::tempdir_in(&*SCRATCH).expect("the target folder can be written");
    for variant in VARIANTS {
        fs::write(folder.path().join(variant.name).with_extension("rs"), patched(variant)).expect("a copy is written");
    }
    let program = build(folder.path());
    let run = |name| {
        let mut check = Command::new(&program);
        check.arg(name);
        spawn(check)
    };
    let running: Vec<_> = VARIANTS.iter().map(|variant| (variant, run(variant.name))).collect();
    for (variant, check) in running {
        let output = check.wait_with_output().expect("the check ends");
        let expected = if variant.patches.is_empty() { 0 } else { FOUND };
        assert_eq!(output.status.code(), Some(expected), "{}: {}", variant.name, said(&output));
    }
}

fn patched(variant: &Variant) -> String {
    variant.patches.iter().fold(SHIPPED.to_owned(), |text, (from, to)| {
        assert_eq!(SHIPPED.matches(from).count(), 1, "the patch {} must fit the shipped file:\n{from}", variant.name);
        text.replace(from, to)
    })
}

/// Compiles all variants, each with the model beside it, into one program that checks the variant named in its argument.
fn build(folder: &Path) -> PathBuf {
    let here = Path::new(&*PROJECT).join("tests/protocol");
    let (mut main, mut arms) = (String::new(), String::new());
    for Variant { name, checker, .. } in VARIANTS {
        let protocol = folder.join(name).with_extension("rs");
        let (sync, driver, check) = match checker {
            Shuttle => ("sync_shuttle.rs", "explore.rs", "pct()"),
            Loom => ("sync_loom.rs", "exhaust.rs", "three_workers()"),
        };
        let [sync, model, driver] = [sync, "model.rs", driver].map(|file| here.join(file));
        let slot = here.join("../../src/schedule/slot.rs");
        main += &format!(
            "mod {name} {{ #[path = {sync:?}] mod sync; #[path = {slot:?}] mod slot; #[path = {protocol:?}] mod protocol; \
             #[path = {model:?}] mod model; #[path = {driver:?}] pub mod driver; }}\n"
        );
        arms += &format!("Some({name:?}) => {name}::driver::{check},\n");
    }
    main += &format!(
        "fn main() {{
            // At the first panic, before the stacks of a broken protocol are unwound.
            std::panic::set_hook(Box::new(|panic| {{
                eprintln!(\"{{panic}}\");
                std::process::exit({FOUND});
            }}));
            match std::env::args().nth(1).as_deref() {{
                {arms}
                _ => std::process::exit(2),
            }}
        }}\n"
    );
    let source = folder.join("main.rs");
    fs::write(&source, main).expect("the program is written");
    let program = folder.join("check");
    let mut complaints = String::new();
    for shuttle in libraries("shuttle") {
        for loom in libraries("loom") {
            let output = compile(&source, &program, &shuttle, &loom);
            if output.status.success() {
                return program;
            }
            complaints += &said(&output);
        }
    }
    panic!("no shuttle and loom beside this test with which the copies compile: {complaints}");
}

fn compile(source: &Path, program: &Path, shuttle: &Path, loom: &Path) -> Output {
    let beside_cargo = env::var_os("CARGO").map(|cargo| Path::new(&cargo).with_file_name("rustc"));
    let rustc = beside_cargo.filter(|rustc| rustc.exists()).unwrap_or_else(|| "rustc".into());
    let folder = shuttle.parent().expect("a library lies in a folder");
    Command::new(rustc)
        .args(["--edition=2024", "--cap-lints=allow", "-Copt-level=0", "-o"])
        .args([program, source])
        .arg(format!("--extern=shuttle={}", shuttle.display()))
        .arg(format!("--extern=loom={}", loom.display()))
        .arg(format!("-Ldependency={}", folder.display()))
        .output()
        .expect("rustc runs")
}

/// The builds of a crate beside this test, newest first; more than one when it was built in several ways.
fn libraries(name: &str) -> Vec<PathBuf> {
    let test = env::current_exe().expect("this test is a file");
    let beside = test.parent().expect("this test lies in a folder");
    let files = fs::read_dir(beside).expect("its folder can be read").map(|entry| entry.expect("an entry").path());
    let mut libraries: Vec<PathBuf> = files
        .filter(|path| {
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            file.starts_with(&format!("lib{name}-")) && file.ends_with(".rlib")
        })
        .collect();
    libraries.sort_by_key(|path| Reverse(path.metadata().and_then(|library| library.modified()).ok()));
    libraries
}

fn said(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned()).join("")
}
