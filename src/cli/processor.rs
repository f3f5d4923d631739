//! Whether this processor has the instructions that the program was built with.
//!
//! In the folder of its source the program is built for x86-64-v3 (`.cargo/config.toml`); built elsewhere, by `cargo
//! install` from a repository say, it runs on any x86-64 and is slower. One step of a kernel is some ten instructions that
//! are inlined through several functions, so a choice at run time would have to be made around whole searches and
//! would build every kernel twice, which takes half a minute of each build. Instead the processor is asked
//! before anything else is done, because an instruction that it does not know would end the program without a word.

use std::io::Write;

/// What the processor said of itself: ECX and EBX of the leaves that name the instructions.
#[derive(Clone, Copy)]
struct CpuidWords {
    /// ECX of leaf 1.
    basic: u32,
    /// EBX of leaf 7.
    extended: u32,
    /// ECX of leaf 0x8000_0001.
    amd: u32,
}

/// Which code the program consists of.
pub fn code() -> &'static str {
    if !cfg!(target_arch = "x86_64") {
        return std::env::consts::ARCH;
    }
    // Each level asks for all of these together.
    if cfg!(all(target_feature = "avx2", target_feature = "bmi2", target_feature = "lzcnt")) {
        "x86-64-v3"
    } else {
        "x86-64"
    }
}

/// Whether the processor could run wider code than the program was built of.
pub fn could_do_more() -> bool {
    let mut lacking = 0;
    each_lacking(said(), false, |_| lacking += 1);
    code() == "x86-64" && lacking == 0
}

/// Says what this processor lacks and answers `false` when it cannot run this program.
///
/// This function, and all that it calls here, must do with the instructions of any x86-64, whatever the program was built
/// for. Hence nothing is formatted and nothing copied: whole numbers, constants, and calls into the standard library, which
/// comes built for any. Tests run it on a processor of 2003.
pub fn suffices() -> bool {
    let mut suffices = true;
    each_lacking(said(), true, |name| {
        if suffices {
            say("destrier: this program was built for newer processors than this one, which lacks");
        }
        suffices = false;
        say(" ");
        say(name);
    });
    if !suffices {
        say("; build it for this one, in the folder of its source: ");
        say("RUSTFLAGS=-Ctarget-cpu=native cargo build --release\n");
    }
    suffices
}

#[inline(never)]
fn say(text: &str) {
    // Nothing is left to do when even this cannot be written.
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// Tells what x86-64-v3 has and a processor that said so has not; of that only what the program was `built` to use, or all.
///
/// # Source
/// H.J. Lu and others, "System V Application Binary Interface, AMD64 Architecture Processor Supplement", 2021, section
/// 3.1.1; Intel, "Software Developer's Manual", volume 2, CPUID.
fn each_lacking(said: CpuidWords, built: bool, mut tell: impl FnMut(&'static str)) {
    macro_rules! ask {
        ($($name:tt $leaf:ident $bits:expr;)*) => {$(
            if (cfg!(target_feature = $name) || !built) && said.$leaf & ($bits) != ($bits) {
                tell($name);
            }
        )*};
    }
    ask! {
        "sse3" basic 1;
        "ssse3" basic 1 << 9;
        "fma" basic 1 << 12;
        "sse4.1" basic 1 << 19;
        "sse4.2" basic 1 << 20;
        "movbe" basic 1 << 22;
        "popcnt" basic 1 << 23;
        "avx" basic 1 << 28 | 1 << 27;
        "f16c" basic 1 << 29;
        "bmi1" extended 1 << 3;
        "avx2" extended 1 << 5;
        "bmi2" extended 1 << 8;
        "lzcnt" amd 1 << 5;
    }
}

#[cfg(target_arch = "x86_64")]
fn said() -> CpuidWords {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    // A leaf that is not there says nothing.
    let extended = if __cpuid(0).eax >= 7 { __cpuid_count(7, 0).ebx } else { 0 };
    let amd = if __cpuid(0x8000_0000).eax > 0x8000_0000 { __cpuid(0x8000_0001).ecx } else { 0 };
    CpuidWords { basic: __cpuid(1).ecx, extended, amd }
}

#[cfg(not(target_arch = "x86_64"))]
fn said() -> CpuidWords {
    CpuidWords { basic: u32::MAX, extended: u32::MAX, amd: u32::MAX }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_processor_suffices_or_no_test_would_run() {
        assert!(suffices());
        assert!(code() != "x86-64-v3" || !could_do_more());
    }

    #[test]
    fn what_is_lacking_is_named() {
        let names = |said| {
            let mut names = Vec::new();
            each_lacking(said, false, |name| names.push(name));
            names
        };
        let everything = CpuidWords { basic: u32::MAX, extended: u32::MAX, amd: u32::MAX };
        assert_eq!(names(everything), Vec::<&str>::new());
        assert_eq!(names(CpuidWords { extended: !(1 << 8), ..everything }), ["bmi2"]);
        assert_eq!(names(CpuidWords { basic: !(1 << 27), amd: 0, ..everything }), ["avx", "lzcnt"]);
    }
}
