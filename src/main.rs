//! The program: everything is in the library.

fn main() -> std::process::ExitCode {
    destrier::cli::main().into()
}
