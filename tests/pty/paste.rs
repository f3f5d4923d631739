//! What comes from a terminal and is no key: pasted text, and late answers.

use super::{LONG, begin, watch_long};
use rustix::process::Signal;

#[test]
fn pasted_text_is_marked_while_the_screen_is_there_and_never_acts_as_keys() {
    let mut pty = watch_long(2);
    pty.wait("mode of bracketed paste", |screen| screen.bracketed_paste());
    pty.press("\x1b[200~git commit -m 'quit early'\rqy\x1b[201~");
    pty.wait_for("pasted text is ignored here");
    // Without an end it ends, too.
    pty.press("w");
    pty.wait_for("write the screen to ");
    pty.press("\x1b[200~pasted\r.svg\x1b[20");
    pty.wait_for("write the screen to pasted.svg");
    pty.press("\x1b");
    pty.wait_for("q quit");
    assert!(pty.text().contains("hire, shallowest"), "{}", pty.text());
    pty.press("\x1a");
    pty.wait_state('T');
    pty.wait_restored();
    pty.signal(Signal::CONT);
    pty.wait("mode of bracketed paste again", |screen| screen.alternate_screen() && screen.bracketed_paste());
    pty.signal(Signal::TERM);
    assert_eq!(pty.exit_code(), 143);
    pty.wait_restored();
}

#[test]
fn a_late_answer_of_the_terminal_is_no_key_and_a_key_with_alt_is_one() {
    let mut pty = begin(&format!("watch {LONG} 2 --paused"));
    pty.wait_for("PAUSED");
    for answer in ["\x1bP>|XTerm(390)\x1b\\", "\x1b_Gi=1;OK\x1b\\", "\x1b^qy\x1b\\", "\x1bXqy\x07", "\x1bP>|XTe"] {
        pty.press(answer);
    }
    pty.press("\x1b[15~");
    pty.wait_for("f5 does nothing here");
    assert!(pty.text().contains("threads 2"), "no pane fills the screen:\n{}", pty.text());
    for (held, said) in [("\x1bP", "alt-P"), ("\x1bX", "alt-X"), ("\x1b_", "alt-_"), ("\x1b^", "alt-^")] {
        pty.press(held);
        pty.wait_for(&format!("{said} does nothing here"));
    }
    pty.press("p");
    pty.wait("run that goes on", |screen| !screen.contents().contains("PAUSED"));
    pty.give_up();
    pty.wait_restored();
}

/// A key that is held down leaves no pause in which the text could end.
#[test]
fn ctrl_c_leaves_from_a_pasted_text_without_an_end() {
    for end in ["", "\x1b[201~"] {
        let mut pty = watch_long(2);
        pty.press(&format!("\x1b[200~abc{end}"));
        assert_eq!(pty.hold("\x03"), 130);
        pty.wait_restored();
    }
}
