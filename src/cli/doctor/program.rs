//! The program itself: its version, and what it was built with and for.

use crate::cli::processor;
use serde::Serialize;

/// What was built.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Program {
    /// Its version.
    pub version: &'static str,
    /// The commit that it was built from, `commit 0123abc of 2026-11-25`, or that it is unknown.
    pub commit: &'static str,
    /// Processor and system that it was built for, `x86_64 linux`.
    pub target: String,
    /// Whether it checks itself as it runs, and so is slow.
    pub debug: bool,
    /// Parts that were built in.
    pub features: Vec<&'static str>,
    /// The code that is in use: `x86-64-v3`, or `x86-64`, which runs on any and is slower.
    pub code: &'static str,
    /// Abilities of the processor that it was built to use.
    pub cpu_features: Vec<&'static str>,
}

impl Program {
    /// What would make it faster.
    pub fn advice(&self) -> Vec<String> {
        let slow = processor::could_do_more().then(|| {
            "build in the folder of the source, which asks for x86-64-v3 code: this processor runs it, and searches take \
             a third less time"
                .to_owned()
        });
        slow.into_iter().collect()
    }

    /// What `--version` says behind the name.
    pub fn described(&self) -> String {
        let Program { version, commit, target, features, code, cpu_features, .. } = self;
        let [features, cpu] = [features, cpu_features].map(|names| match names.as_slice() {
            [] => "nothing else".to_owned(),
            names => names.join(", "),
        });
        format!("{version}, {commit}\nbuilt with  {features}\nbuilt for   {target}, {code}, processors with {cpu}")
    }

    /// This one.
    pub fn here() -> Program {
        let among = |all: &[(&'static str, bool)]| all.iter().filter(|(_, has)| *has).map(|(name, _)| *name).collect();
        Program {
            version: env!("CARGO_PKG_VERSION"),
            commit: env!("DESTRIER_COMMIT"),
            target: format!("{} {}", std::env::consts::ARCH, std::env::consts::OS),
            debug: cfg!(debug_assertions),
            features: among(&[("tui", cfg!(feature = "tui")), ("gpu", cfg!(feature = "gpu"))]),
            code: processor::code(),
            cpu_features: among(&[
                ("popcnt", cfg!(target_feature = "popcnt")),
                ("lzcnt", cfg!(target_feature = "lzcnt")),
                ("bmi1", cfg!(target_feature = "bmi1")),
                ("bmi2", cfg!(target_feature = "bmi2")),
                ("avx2", cfg!(target_feature = "avx2")),
                ("avx512f", cfg!(target_feature = "avx512f")),
                ("neon", cfg!(target_feature = "neon")),
            ]),
        }
    }
}
