use super::*;
use proptest::prelude::*;

fn keys(parts: &[&[u8]]) -> Vec<KeyEvent> {
    let (mut decoder, mut keys) = (Decoder::default(), VecDeque::new());
    parts.iter().for_each(|part| decoder.take(part, &mut keys));
    keys.into_iter().filter_map(pressed).collect()
}

fn pressed(msg: ScreenMsg) -> Option<KeyEvent> {
    if let ScreenMsg::Key(key) = msg { Some(key) } else { None }
}

fn with(modifiers: KeyModifiers, code: KeyCode) -> KeyEvent {
    KeyEvent::new(code, modifiers)
}

fn char(character: char) -> KeyEvent {
    KeyCode::Char(character).into()
}

#[test]
fn every_key_is_known_by_what_terminals_send() {
    let (none, shift, control, alt) =
        (KeyModifiers::NONE, KeyModifiers::SHIFT, KeyModifiers::CONTROL, KeyModifiers::ALT);
    for (sent, key) in [
        ("q", char('q')),
        ("Q", with(shift, KeyCode::Char('Q'))),
        ("?", char('?')),
        (" ", char(' ')),
        ("é", char('é')),
        ("█", char('█')),
        ("🐴", char('🐴')),
        ("\r", KeyCode::Enter.into()),
        ("\n", with(control, KeyCode::Char('j'))),
        ("\t", KeyCode::Tab.into()),
        ("\x1b[Z", with(shift, KeyCode::BackTab)),
        ("\x7f", KeyCode::Backspace.into()),
        ("\x08", with(control, KeyCode::Char('h'))),
        ("\x1b", KeyCode::Esc.into()),
        ("\0", with(control, KeyCode::Char(' '))),
        ("\x03", with(control, KeyCode::Char('c'))),
        ("\x1a", with(control, KeyCode::Char('z'))),
        ("\x1c", with(control, KeyCode::Char('4'))),
        ("\x1b[A", KeyCode::Up.into()),
        ("\x1bOB", KeyCode::Down.into()),
        ("\x1b[C", KeyCode::Right.into()),
        ("\x1bOD", KeyCode::Left.into()),
        ("\x1b[H", KeyCode::Home.into()),
        ("\x1bOF", KeyCode::End.into()),
        ("\x1b[1~", KeyCode::Home.into()),
        ("\x1b[3~", KeyCode::Delete.into()),
        ("\x1b[8~", KeyCode::End.into()),
        ("\x1b[5~", KeyCode::PageUp.into()),
        ("\x1b[6~", KeyCode::PageDown.into()),
        ("\x1b[6;5~", with(control, KeyCode::PageDown)),
        ("\x1bOP", KeyCode::F(1).into()),
        ("\x1bOR", KeyCode::F(3).into()),
        ("\x1b[11~", KeyCode::F(1).into()),
        ("\x1b[[A", KeyCode::F(1).into()),
        ("\x1b[15~", KeyCode::F(5).into()),
        ("\x1b[17~", KeyCode::F(6).into()),
        ("\x1b[24~", KeyCode::F(12).into()),
        ("\x1b[1;2A", with(shift, KeyCode::Up)),
        ("\x1b[1;6D", with(control | shift, KeyCode::Left)),
        ("\x1bq", with(alt, KeyCode::Char('q'))),
        ("\x1b\r", with(alt, KeyCode::Enter)),
        ("\x1b[99;5u", with(control, KeyCode::Char('c'))),
        ("\x1b[27u", KeyCode::Esc.into()),
        ("\x1b[9;2u", with(shift, KeyCode::BackTab)),
        ("\x1b[1;1:2A", with(none, KeyCode::Up)),
    ] {
        assert_eq!(keys(&[sent.as_bytes()]), [key], "{sent:?}");
        // Keys read together equal keys read one after the other; only an ESC at the end is ambiguous.
        if sent != "\x1b" {
            assert_eq!(keys(&[format!("{sent}x{sent}").as_bytes()]), [key, char('x'), key], "{sent:?}");
        }
    }
}

#[test]
fn a_key_that_comes_in_pieces_is_one_key() {
    assert_eq!(keys(&[b"\x1b[", b"A"]), [KeyCode::Up.into()]);
    assert_eq!(keys(&[b"\x1b[1", b";", b"5", b"A"]), [with(KeyModifiers::CONTROL, KeyCode::Up)]);
    assert_eq!(keys(&[b"\x1bO", b"A"]), [KeyCode::Up.into()]);
    assert_eq!(keys(&["█".as_bytes().split_at(1).0, "█".as_bytes().split_at(1).1]), [char('█')]);
    assert_eq!(keys(&[b"\x1b\xc3", b"\xa9"]), [with(KeyModifiers::ALT, KeyCode::Char('é'))]);
    // Only the following bytes tell the escape key from the first byte of a sequence.
    assert_eq!(keys(&[b"\x1b", b"q"]), [KeyCode::Esc.into(), char('q')]);
    assert_eq!(keys(&[b"\x1b\x1b"]), [KeyEvent::from(KeyCode::Esc); 2]);
    assert_eq!(keys(&[b"\x1b\x1b[A"]), [KeyCode::Esc.into(), KeyCode::Up.into()]);
}

#[test]
fn unknown_sequences_are_skipped_and_the_next_key_is_read() {
    for noise in [
        &b"\x1b[I"[..],
        b"\x1b[16~",
        b"\x1b[200~",
        b"\x1b[~",
        b"\x1b[;;;~",
        b"\x1bO\xff",
        b"\x1b[?62;4c",
        b"\x1b[12;40R",
        b"\x1b[<0;3;4M",
        b"\x1b[99999999999999u",
        b"\x1b[55555555u",
        b"\x1b[97;1:3u",
        b"\x1b[[F",
        b"\x1bOX",
        b"\x1b[1;2\x80",
        b"\xff\xc0\x80",
    ] {
        let sent = [noise, b"q"].concat();
        assert_eq!(keys(&[&sent]).last(), Some(&char('q')), "{noise:?}");
    }
    assert_eq!(keys(&[b"\x1b[16~q\x1b[I\x1b[12;40Rw"]), [char('q'), char('w')]);
    // The sequence is cut off by another key.
    assert_eq!(keys(&[b"\x1b[1;\x1b[A"]), [KeyCode::Up.into()]);
    assert_eq!(keys(&[b"\x1b[1;\x03"]), [with(KeyModifiers::CONTROL, KeyCode::Char('c'))]);
}

#[test]
fn the_background_is_what_the_terminal_reports() {
    for (report, light) in [
        ("\x1b]11;rgb:ffff/ffff/dddd\x1b\\", Some(true)),
        ("\x1b]11;rgb:00/2b/36\x07", Some(false)),
        ("\x1b]10;rgb:ffff/ffff/ffff\x07", None),
        ("\x1b]11;rgb:ffff/ffff", None),
    ] {
        for cut in 2..report.len() {
            let (mut decoder, mut keys) = (Decoder::default(), VecDeque::new());
            for part in [&report[..cut], &report[cut..], "\x1b[Aq"] {
                decoder.take(part.as_bytes(), &mut keys);
            }
            assert_eq!(decoder.light, light, "{report:?} in two parts at {cut}");
            assert_eq!(keys.pop_back().and_then(pressed), Some(char('q')), "{report:?}");
        }
    }
}

#[test]
fn an_endless_sequence_is_dropped() {
    let mut decoder = Decoder::default();
    let mut keys = VecDeque::new();
    decoder.take(b"\x1b[", &mut keys);
    for _ in 0..1000 {
        decoder.take(&[b'1'; 40], &mut keys);
        assert!(decoder.begun.len() <= SEQUENCE_MAX);
    }
    assert!(keys.drain(..).filter_map(pressed).all(|key| key == char('1')));
    decoder.take(b"\x1b[A", &mut keys);
    assert_eq!(keys.pop_back().and_then(pressed), Some(KeyCode::Up.into()));
}

proptest! {
    #[test]
    fn keys_after_any_bytes_in_any_pieces_are_right(
        parts in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..20), 0..10)
    ) {
        let (mut decoder, mut keys) = (Decoder::default(), VecDeque::new());
        for part in &parts {
            decoder.take(part, &mut keys);
            prop_assert!(decoder.begun.len() <= SEQUENCE_MAX);
        }
        keys.clear();
        // ESC cuts off any incomplete sequence.
        decoder.take(b"\x1b[Aq", &mut keys);
        prop_assert_eq!(keys.into_iter().rev().filter_map(pressed).take(2).collect::<Vec<_>>(), [char('q'), KeyCode::Up.into()]);
    }
}
