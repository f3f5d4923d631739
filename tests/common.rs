//! What tests of the program from outside share: where it stands, and how a shell is told so.

/// The program that is tested.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_destrier");

/// A line for the shell, with the program for `DESTRIER`, wherever its folder is and however that is called.
pub fn shell_line(line: &str) -> String {
    assert!(!PROGRAM.contains('\''), "the shell could not be told of it");
    line.replace("DESTRIER", &format!("'{PROGRAM}'"))
}
