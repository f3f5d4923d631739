//! What the program says of its own making: the commit that it is built from, if it is built where git knows; how it is
//! linked; and the list of the pages of its help.
//!
//! Cargo runs it again when the commit has changed, and not otherwise.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=src/build.rs");
    // A program that may be loaded anywhere has 60,000 addresses that are adjusted at every start, which is a third of what
    // `--version` takes. This one has a fixed address.
    let target = ["ARCH", "OS", "ENV"].map(|part| env::var(format!("CARGO_CFG_TARGET_{part}")).unwrap_or_default());
    let features = env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    if target == ["x86_64", "linux", "gnu"] && !features.split(',').any(|feature| feature == "crt-static") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
        link("glibc");
    } else if target == ["x86_64", "linux", "musl"] {
        link("musl");
    }
    let commit = git(&["rev-parse", "--show-prefix"])
        // Sources that were unpacked in a folder of another repository are not of its commit.
        .filter(|prefix| prefix.is_empty())
        .and_then(|_| git(&["log", "-1", "--format=%h %cs"]));
    if commit.is_some() {
        let files = ["HEAD", "logs/HEAD"].map(|file| git(&["rev-parse", "--git-path", file]));
        for file in files.into_iter().flatten().filter(|file| Path::new(file).exists()) {
            println!("cargo::rerun-if-changed={file}");
        }
    }
    let (commit, date) = match commit.as_deref().and_then(|commit| commit.split_once(' ')) {
        Some((hash, date)) => (format!("commit {hash} of {date}"), date),
        None => ("commit unknown".to_owned(), "unknown date"),
    };
    println!("cargo::rustc-env=DESTRIER_COMMIT={commit}");
    println!("cargo::rustc-env=DESTRIER_DATE={date}");
    list_pages(Path::new("src/cli/pages/text"))
}

/// Lists the names and texts of the pages of this folder, as an expression of Rust.
fn list_pages(folder: &Path) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files = fs::read_dir(folder)?.map(|file| Ok(file?.path())).collect::<io::Result<Vec<_>>>()?;
    files.sort();
    let page =
        |file: &PathBuf| Some(format!("({:?}, include_str!({:?})),", file.file_stem()?, file.canonicalize().ok()?));
    let pages: String = files.iter().filter_map(page).collect();
    fs::write(Path::new(&env::var("OUT_DIR").unwrap_or_default()).join("pages.rs"), format!("&[{pages}]"))
}

/// Links a file of C if there is a compiler for it. Without `glibc.c` the program asks for a C library as new as that of this
/// machine, without `musl.c` it copies as slowly as musl does.
fn link(library: &str) {
    let source = format!("src/{library}.c");
    println!("cargo::rerun-if-changed={source}");
    let mut compiler = cc::Build::new();
    compiler.file(source).opt_level(2).flag("-ffreestanding").cargo_warnings(false);
    // A loop of a copy must not become a call of that copy.
    compiler.flag_if_supported("-fno-tree-loop-distribute-patterns");
    if let Err(why) = compiler.try_compile(&format!("destrier_{library}")) {
        println!("cargo::warning=src/{library}.c is left out: {why}");
    }
}

/// What git prints, without the end of its line.
fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}
