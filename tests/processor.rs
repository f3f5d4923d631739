//! The program on a processor of 2003, played by an emulator: it runs there, or says why it cannot.

use crate::common::{PROGRAM, said};
use crate::skip::skip;
use std::process::{Command, Stdio};

/// From Debian's package qemu-user.
const EMULATOR: &str = "qemu-x86_64";

#[test]
fn an_old_processor_is_told_what_it_lacks() {
    let mut command = Command::new(EMULATOR);
    command.args(["-cpu", "qemu64", &PROGRAM, "board", "6x6"]).stdin(Stdio::null());
    let Ok(output) = command.output() else {
        return skip(format_args!("there is no {EMULATOR} here (package qemu-user)"));
    };
    let (code, text, errors) = said(&output);
    if cfg!(target_feature = "avx2") {
        assert_eq!((code, text.as_str()), (Some(3), ""), "{errors}");
        assert!(errors.starts_with("destrier: this program was built for newer processors"), "{errors}");
        assert!(errors.contains(" bmi1 avx2 bmi2 lzcnt; build it for this one"), "{errors}");
    } else {
        assert_eq!(code, Some(0), "{errors}");
        assert!(text.contains("36 squares"), "{text}");
    }
}

/// What a shader compiler asks of the C library is bound to its oldest version: the program runs with an older library than it is linked with.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn the_c_library_may_be_older_than_the_one_at_hand() {
    let Ok(listed) = Command::new("readelf").args(["-W", "--dyn-syms", &PROGRAM]).output() else {
        return skip("there is no readelf here (package binutils)");
    };
    let listed = crate::common::stdout(&listed);
    let asked: Vec<&str> = listed.lines().filter(|line| line.contains(" hypot")).collect();
    assert_eq!(asked.is_empty(), !cfg!(feature = "gpu"), "{listed}");
    assert!(asked.iter().all(|line| line.contains("@GLIBC_2.2.5")), "{asked:?}");
}

/// The copies of memory of the static program, against copies byte by byte: `musl.c` compares them by itself.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
#[test]
fn a_copy_of_the_static_program_is_a_copy_byte_by_byte() {
    let folder = tempfile::tempdir().unwrap();
    let check = folder.path().join("check");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/src/musl.c");
    let built = Command::new("cc").args(["-O2", "-ffreestanding", "-DCHECK", source, "-o"]).arg(&check).status();
    let Ok(built) = built else { return skip("there is no C compiler called cc here") };
    assert!(built.success());
    assert_eq!(Command::new(&check).status().unwrap().code(), Some(0));
}
