use super::*;
use proptest::prelude::*;

/// All messages of bytes that are read in parts, with no byte behind them.
fn decoded(parts: &[&[u8]]) -> VecDeque<ScreenEvent> {
    let (mut decoder, mut keys) = (Decoder::default(), VecDeque::new());
    parts.iter().for_each(|part| decoder.take(part, &mut keys));
    while decoder.patience().is_some() {
        decoder.give_up(&mut keys);
    }
    keys
}

fn keys(parts: &[&[u8]]) -> Vec<KeyEvent> {
    decoded(parts).into_iter().filter_map(pressed).collect()
}

/// The keys, and the pasted texts.
fn heard(parts: &[&[u8]]) -> Vec<Result<KeyEvent, String>> {
    let heard = |msg| match msg {
        ScreenEvent::Key(key) => Ok(key),
        ScreenEvent::Pasted(text) => Err(text),
        msg => panic!("{msg:?}"),
    };
    decoded(parts).into_iter().map(heard).collect()
}

/// The bytes in two parts, cut at every place, in single bytes, and in one.
fn cuts(bytes: &[u8]) -> impl Iterator<Item = Vec<&[u8]>> {
    let cut = |at| [&bytes[..at], &bytes[at..]].into();
    (0..bytes.len()).map(cut).chain([bytes.chunks(1).collect()])
}

fn pressed(msg: ScreenEvent) -> Option<KeyEvent> {
    if let ScreenEvent::Key(key) = msg { Some(key) } else { None }
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
        ("\x1b[115:83;2u", with(shift, KeyCode::Char('S'))),
        ("\x1b[3619::115u", char('s')),
        ("\x1b[3619:3590:115;2u", with(shift, KeyCode::Char('S'))),
        ("\x1b[233u", char('é')),
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
        b"\x1b[201~",
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
        for parts in cuts(report.as_bytes()) {
            let (mut decoder, mut keys) = (Decoder::default(), VecDeque::new());
            parts.iter().for_each(|part| decoder.take(part, &mut keys));
            assert!(decoder.light == light && keys.is_empty(), "{report:?} in the parts {parts:?}: {keys:?}");
        }
    }
}

const STRINGS: [u8; 5] = *b"]PX^_";

#[test]
fn an_answer_of_the_terminal_is_no_key_wherever_it_is_cut() {
    let answers = [">|XTerm(390)", "1+r544e=787465726d", "0$r", "Gi=1;OK", "", "52;c;cXVpdA==", "q\r\ty é"];
    for (begin, said) in STRINGS.into_iter().flat_map(|begin| answers.map(|said| (begin, said))) {
        for end in ["\x1b\\", "\x07"] {
            let answer = [&[ESC, begin], said.as_bytes(), end.as_bytes(), b"q"].concat();
            for parts in cuts(&answer) {
                assert_eq!(keys(&parts), [char('q')], "{parts:?}");
            }
        }
    }
}

#[test]
fn behind_an_answer_without_an_end_keys_act_again() {
    let (control_c, up) = (with(KeyModifiers::CONTROL, char('c').code), KeyEvent::from(KeyCode::Up));
    for begin in STRINGS {
        let begun = [&[ESC, begin], b">|XTerm".as_slice()].concat();
        let (mut decoder, mut found) = (Decoder::default(), VecDeque::new());
        decoder.take(&begun, &mut found);
        assert_eq!(decoder.patience(), Some(REST_TIME));
        decoder.give_up(&mut found);
        decoder.take(b"q", &mut found);
        assert_eq!(found.into_iter().filter_map(pressed).collect::<Vec<_>>(), [char('q')]);
        // What no answer has in it cuts it off.
        assert_eq!(keys(&[&begun, b"\x03", b"\x1b", b"[Aq"]), [control_c, up, char('q')]);
        let mut endless = [&[ESC, begin], "é".repeat(STRING_MAX / 2 - 1).as_bytes()].concat();
        assert_eq!(endless.len(), STRING_MAX);
        endless.push(b'q');
        for parts in [endless.chunks(1), endless.chunks(1000), endless.chunks(1 << 20)] {
            assert_eq!(keys(&parts.collect::<Vec<_>>()), [char('q')]);
        }
    }
}

#[test]
fn a_key_with_alt_that_begins_like_an_answer_loses_no_key_behind_it() {
    let q = char('q');
    for begin in [STRINGS.as_slice(), b"[O"].concat() {
        let pressed = match begin {
            letter @ (b'P' | b'X' | b'O') => with(KeyModifiers::ALT | KeyModifiers::SHIFT, char(letter.into()).code),
            other => with(KeyModifiers::ALT, char(other.into()).code),
        };
        let (mut decoder, mut found) = (Decoder::default(), VecDeque::new());
        decoder.take(&[ESC, begin], &mut found);
        assert_eq!(decoder.patience(), Some(ESCAPE_TIME));
        decoder.give_up(&mut found);
        decoder.take(b"q", &mut found);
        assert_eq!(found.into_iter().filter_map(self::pressed).collect::<Vec<_>>(), [pressed, q]);
        if STRINGS.contains(&begin) {
            let held = [ESC, begin];
            assert_eq!(keys(&[&held, b"q", b"w"]), [pressed, q, char('w')]);
            assert_eq!(keys(&[&held, "é".as_bytes()]), [pressed, char('é')]);
            assert_eq!(keys(&[&held, &held, b"q"]), [pressed, pressed, q], "{begin} is held down");
            assert_eq!(keys(&[&held, b"\x1b", b"[A"]), [pressed, KeyCode::Up.into()]);
            assert_eq!(keys(&[&held, b"q\x03"]), [pressed, q, with(KeyModifiers::CONTROL, char('c').code)]);
            assert_eq!(keys(&[&held, b"\x1b"]), [pressed, KeyCode::Esc.into()]);
        }
    }
}

const PASTE_BEGINS: &str = "\x1b[200~";
const PASTE_ENDS: &str = "\x1b[201~";

#[test]
fn a_pasted_text_is_no_key_wherever_it_is_cut() {
    for text in
        ["git commit -m 'quit early'", "", "qy\r\n\t\0\x03\x1a\x7f", "\x1b", "\x1b[A\x1b[20\x1b]é\x1bP", PASTE_BEGINS]
    {
        let sent = format!("w{PASTE_BEGINS}{text}{PASTE_ENDS}q\x1b[A");
        for parts in cuts(sent.as_bytes()) {
            let all = [Ok(char('w')), Err(text.to_owned()), Ok(char('q')), Ok(KeyCode::Up.into())];
            assert_eq!(heard(&parts), all, "{parts:?}");
        }
        // What seems to be the end may be a part of the text.
        let sent = format!("{PASTE_BEGINS}{text}{PASTE_ENDS}qy\x1b[A{PASTE_ENDS}\r{PASTE_ENDS}q");
        for parts in cuts(sent.as_bytes()) {
            assert_eq!(heard(&parts), [Err(text.to_owned()), Ok(char('q'))], "{parts:?}");
        }
    }
}

#[test]
fn a_pasted_text_without_an_end_ends_and_a_long_one_takes_little_memory() {
    let (mut decoder, mut found) = (Decoder::default(), VecDeque::new());
    decoder.take(format!("{PASTE_BEGINS}quit{ANSWER}\x1b[20").as_bytes(), &mut found);
    assert_eq!((decoder.patience(), found.len()), (Some(REST_TIME), 0));
    decoder.give_up(&mut found);
    assert!(matches!(found.pop_front(), Some(ScreenEvent::Pasted(text)) if text == format!("quit{ANSWER}\x1b[20")));
    assert_eq!((decoder.patience(), decoder.answers), (None, 1));
    decoder.take(PASTE_BEGINS.as_bytes(), &mut found);
    for _ in 0..1000 {
        decoder.take(&[b'q'; 1000], &mut found);
    }
    assert_eq!(decoder.patience(), Some(REST_TIME));
    decoder.take(PASTE_ENDS.as_bytes(), &mut found);
    assert_eq!((decoder.patience(), found.len()), (Some(ESCAPE_TIME), 0));
    decoder.give_up(&mut found);
    assert!(matches!(found.pop_front(), Some(ScreenEvent::Pasted(text)) if text == "q".repeat(text.len())));
    // Keys that never pause act at last.
    decoder.take(format!("{PASTE_BEGINS}{PASTE_ENDS}").as_bytes(), &mut found);
    (0..2000).for_each(|_| decoder.take(b"w", &mut found));
    assert!(found.into_iter().filter_map(pressed).eq([char('w'); 2000]));
}

/// A key that is held down leaves no pause, in which a text without an end would end.
#[test]
fn behind_a_paste_of_two_seconds_ctrl_c_acts() {
    let s = Duration::from_secs_f64;
    let control_c = with(KeyModifiers::CONTROL, char('c').code);
    for (end, pasted) in [("", "abc\u{3}"), (PASTE_ENDS, "abc\u{3}")] {
        let (mut decoder, mut found) = (Decoder::default(), VecDeque::new());
        decoder.take(format!("{PASTE_BEGINS}abc\u{3}{end}").as_bytes(), &mut found);
        for (bytes, after) in [(&b"\x03"[..], s(1.9)), (b"q", s(2.0)), (b"\x03q", s(9.0))] {
            decoder.heed_interrupt(bytes, after, &mut found);
            assert!(decoder.is_pasting() && found.is_empty(), "{bytes:?} {after:?}");
        }
        decoder.heed_interrupt(b"\x03\x03", s(2.0), &mut found);
        assert!(!decoder.is_pasting());
        decoder.take(b"\x03\x03", &mut found);
        assert!(matches!(found.pop_front(), Some(ScreenEvent::Pasted(text)) if text == pasted));
        assert!(found.drain(..).filter_map(pressed).eq([control_c; 2]));
        // Without a text there is nothing to give up.
        decoder.heed_interrupt(b"\x03", s(9.0), &mut found);
        assert!(found.is_empty());
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
    fn nothing_of_a_pasted_text_is_a_key(
        parts in prop::collection::vec(
            prop_oneof![any::<u8>().prop_map(|byte| vec![byte]), Just(PASTE_BEGINS.into()), Just(PASTE_ENDS.into())],
            0..40,
        ),
        piece in 1..50_usize,
    ) {
        let sent = [PASTE_BEGINS.as_bytes(), &parts.concat(), PASTE_ENDS.as_bytes()].concat();
        let heard = heard(&sent.chunks(piece).collect::<Vec<_>>());
        prop_assert!(matches!(heard.as_slice(), [Err(_)]), "{:?}", heard);
    }

    #[test]
    fn keys_after_any_bytes_in_any_pieces_are_right(
        parts in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..20), 0..10)
    ) {
        let (mut decoder, mut keys) = (Decoder::default(), VecDeque::new());
        for part in &parts {
            decoder.take(part, &mut keys);
            prop_assert!(decoder.begun.len() <= STRING_MAX);
        }
        keys.clear();
        // ESC cuts off any incomplete sequence.
        decoder.take(b"\x1b[Aq", &mut keys);
        prop_assert_eq!(keys.into_iter().rev().filter_map(pressed).take(2).collect::<Vec<_>>(), [char('q'), KeyCode::Up.into()]);
    }
}

#[test]
fn a_background_is_light_or_dark_or_none() {
    for (report, light) in [
        ("11;rgb:ffff/ffff/dddd", Some(true)),
        ("11;rgb:fd/f6/e3", Some(true)),
        ("11;rgb:00/2b/36", Some(false)),
        ("11;rgb:f/0/f", Some(false)),
        ("11;?", None),
        ("11;rgb:g/0/0", None),
        ("11;rgb://", None),
        ("11;rgb:00/00", None),
        ("10;rgb:ffff/ffff/ffff", None),
    ] {
        assert_eq!(background(report), light, "{report}");
    }
}

#[test]
fn presses_of_the_left_button_and_the_wheel_are_known() {
    let at =
        |numbers: &str, pressed| mouse(numbers.as_bytes(), pressed).map(|event| (event.kind, event.column, event.row));
    assert_eq!(at("0;3;4", true), Some((MouseEventKind::Down(MouseButton::Left), 2, 3)));
    assert_eq!(at("64;300;1", true), Some((MouseEventKind::ScrollUp, 299, 0)));
    assert_eq!(at("65;1;1", true), Some((MouseEventKind::ScrollDown, 0, 0)));
    for (numbers, pressed) in [("0;3;4", false), ("2;1;1", true), ("0;0;1", true), ("0;1", true), ("0;1;70000", true)] {
        assert_eq!(at(numbers, pressed), None, "{numbers}");
    }
}
