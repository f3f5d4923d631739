//! Where the letters of other layouts lie on a keyboard: a key that is typed there stands for the Latin one at its place.

use ratatui::crossterm::event::{KeyCode, KeyEvent};

/// Keys, and the letters that stand on them without shift; Hebrew and Korean have further ones or Latin capitals with it.
///
/// Only letters beyond ASCII: what a layout has as `;` or `/` elsewhere means itself.
const PLACES: [(&str, &str); 6] = [
    // Russian, and the letters that Ukrainian and Belarusian have elsewhere.
    ("qwertyuiop[]asdfghjkl;'zxcvbnm,.`", "йцукенгшщзхъфывапролджэячсмитьбюё"),
    ("s]'o", "іїєў"),
    // Greek: Q is `;` there.
    ("wertyuiopasdfghjklzxcvbnm", "ςερτυθιοπασδφγηξκλζχψωβνμ"),
    // Hebrew: Q is `/` there, and W an apostrophe.
    ("ertyuiopasdfghjkl;zxcvbnm,.", "קראטוןםפשדגכעיחלךףזסבהנמצתץ"),
    // Korean, and its double letters with shift.
    ("qwertyuiopasdfghjklzxcvbnm", "ㅂㅈㄷㄱㅅㅛㅕㅑㅐㅔㅁㄴㅇㄹㅎㅗㅓㅏㅣㅋㅌㅊㅍㅠㅜㅡ"),
    ("QWERTOP", "ㅃㅉㄸㄲㅆㅒㅖ"),
];

/// The signs that shift makes of others; letters become capitals.
const SHIFTED: (&str, &str) = ("[];',.`", "{}:\"<>~");

/// The same key on a Latin layout, if its letter stands on one of the known others.
pub fn latin(pressed: KeyEvent) -> Option<KeyEvent> {
    let KeyCode::Char(letter) = pressed.code else { return None };
    let small = letter.to_lowercase().next()?;
    let key = PLACES.iter().find_map(|(keys, letters)| at_place(small, letters, keys))?;
    let shifted = at_place(key, SHIFTED.0, SHIFTED.1).unwrap_or_else(|| key.to_ascii_uppercase());
    let code = KeyCode::Char(if small == letter { key } else { shifted });
    Some(KeyEvent { code, ..pressed })
}

/// What stands in the second text where the first has `letter`.
fn at_place(letter: char, first: &str, second: &str) -> Option<char> {
    second.chars().nth(first.chars().position(|other| other == letter)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::crossterm::event::KeyModifiers;

    #[test]
    fn a_letter_of_another_layout_is_the_key_at_its_place() {
        for (typed, keys) in [("йфіюЖБХ", "qas.:<{"), ("ςΣα", "wSa"), ("קחץ", "ej."), ("ㅂㅃㄴ", "qQs")]
        {
            for (letter, key) in typed.chars().zip(keys.chars()) {
                let pressed = KeyEvent::new(KeyCode::Char(letter), KeyModifiers::ALT);
                let same = KeyEvent::new(KeyCode::Char(key), KeyModifiers::ALT);
                assert_eq!(latin(pressed), Some(same), "{letter}");
            }
        }
        assert_eq!(latin(KeyEvent::new(KeyCode::Char(';'), KeyModifiers::NONE)), None);
        assert_eq!(latin(KeyEvent::new(KeyCode::Char('é'), KeyModifiers::NONE)), None);
        for (keys, letters) in PLACES {
            assert_eq!(keys.chars().count(), letters.chars().count(), "{letters}");
        }
    }
}
