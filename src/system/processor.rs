//! Whether this processor has the instructions that the program was built with, and which of two levels does its long work.
//!
//! In the folder of its source the program is built for x86-64-v3 (`.cargo/config.toml`). The processor is asked
//! before anything else is done, because an instruction that it does not know would end the program without a word.
//!
//! Built elsewhere, by `cargo install` from a repository or as a static program, it runs on any x86-64. There the kernels of searches,
//! counts and `verify` are compiled twice (`at_best_level`), and those for x86-64-v3 run where the processor has that.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Defines function `$name`, a kernel. A program for any x86-64 has its `$body` twice: in `$v3`, compiled for x86-64-v3 with what is
/// inlined, and in `$any`. Each call of `$name` goes to the one for this processor, which takes two instructions.
macro_rules! at_best_level {
    (
        $(#[$about:meta])*
        $visible:vis fn $name:ident, $v3:ident, $any:ident $(of $Type:ident)?
        $([$($generics:tt)*] [$($given:tt)*])? ($($arg:ident: $type:ty),*) -> $result:ty $body:block
    ) => {
        $(#[$about])*
        #[cfg(not(all(target_arch = "x86_64", not(target_feature = "avx2"))))]
        $visible fn $name $(<$($generics)*>)? ($($arg: $type),*) -> $result $body

        $(#[$about])*
        #[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
        #[allow(unsafe_code, reason = "the processor was asked whether it has these features")]
        $visible fn $name $(<$($generics)*>)? ($($arg: $type),*) -> $result {
            if $crate::system::processor::runs_v3() {
                unsafe { $($Type::)? $v3 $(::<$($given)*>)? ($($arg),*) }
            } else {
                $($Type::)? $any $(::<$($given)*>)? ($($arg),*)
            }
        }

        #[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
        #[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
        fn $v3 $(<$($generics)*>)? ($($arg: $type),*) -> $result $body

        #[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
        #[inline(never)]
        fn $any $(<$($generics)*>)? ($($arg: $type),*) -> $result $body
    };
}
pub(crate) use at_best_level;

/// Set by [`suffices`] where this processor has all of x86-64-v3.
static HAS_V3: AtomicBool = AtomicBool::new(false);

/// Whether kernels run as compiled for x86-64-v3.
#[inline(always)]
pub fn runs_v3() -> bool {
    cfg!(target_feature = "avx2") || HAS_V3.load(Relaxed)
}

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

/// Which processors the program was built for.
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

/// Which code does the long work.
pub fn code_in_use() -> &'static str {
    if runs_v3() { "x86-64-v3" } else { code() }
}

/// Says what this processor lacks and answers `false` when it cannot run this program. Chooses the level at which kernels run.
///
/// This function, and all that it calls here, must do with the instructions of any x86-64, whatever the program was built
/// for. Hence nothing is formatted and nothing copied: whole numbers, constants, and calls into the standard library, which
/// comes built for any. Tests run it on a processor of 2003.
pub fn suffices() -> bool {
    let (mut suffices, mut has_v3) = (true, cfg!(target_arch = "x86_64"));
    each_lacking(cpuid(), false, |_| has_v3 = false);
    HAS_V3.store(has_v3, Relaxed);
    each_lacking(cpuid(), true, |name| {
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
fn each_lacking(words: CpuidWords, built: bool, mut tell: impl FnMut(&'static str)) {
    macro_rules! ask {
        ($($name:tt $leaf:ident $bits:expr;)*) => {$(
            if (cfg!(target_feature = $name) || !built) && words.$leaf & ($bits) != ($bits) {
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
fn cpuid() -> CpuidWords {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    // A leaf that is not there says nothing.
    let extended = if __cpuid(0).eax >= 7 { __cpuid_count(7, 0).ebx } else { 0 };
    let amd = if __cpuid(0x8000_0000).eax > 0x8000_0000 { __cpuid(0x8000_0001).ecx } else { 0 };
    // The system must save what AVX computes with.
    let avx = if std::is_x86_feature_detected!("avx") { u32::MAX } else { !(1 << 28) };
    CpuidWords { basic: __cpuid(1).ecx & avx, extended, amd }
}

#[cfg(not(target_arch = "x86_64"))]
fn cpuid() -> CpuidWords {
    CpuidWords { basic: u32::MAX, extended: u32::MAX, amd: u32::MAX }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_processor_suffices_or_no_test_would_run() {
        assert!(suffices());
        assert!(code() != "x86-64-v3" || runs_v3());
    }

    #[test]
    fn what_is_lacking_is_named() {
        let names = |words| {
            let mut names = Vec::new();
            each_lacking(words, false, |name| names.push(name));
            names
        };
        let everything = CpuidWords { basic: u32::MAX, extended: u32::MAX, amd: u32::MAX };
        assert_eq!(names(everything), Vec::<&str>::new());
        assert_eq!(names(CpuidWords { extended: !(1 << 8), ..everything }), ["bmi2"]);
        assert_eq!(names(CpuidWords { basic: !(1 << 27), amd: 0, ..everything }), ["avx", "lzcnt"]);
    }
}
