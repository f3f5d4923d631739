//! What a terminal reports beside keys: its background, and the mouse.

use ratatui::crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

/// Whether the background is light, if a report is about it: `11;rgb:ffff/ffff/dddd`. The weights of the three colours are
/// those of ITU-R BT.709.
pub fn background(report: &str) -> Option<bool> {
    let colour = report.strip_prefix("11;rgb:")?;
    let part = |digits: &str| {
        let most = 16_u32.checked_pow(digits.len() as u32)?.checked_sub(1).filter(|&most| most > 0)?;
        Some(f64::from(u32::from_str_radix(digits, 16).ok()?) / f64::from(most))
    };
    let mut parts = colour.split('/').map(part);
    let [red, green, blue] = [parts.next()??, parts.next()??, parts.next()??];
    Some(0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5)
}

/// A use of the mouse: button, column and row from 1, separated by `;`. Only presses of the left button and the wheel
/// matter here.
pub fn mouse(numbers: &[u8], pressed: bool) -> Option<MouseEvent> {
    let mut numbers = std::str::from_utf8(numbers).ok()?.split(';').map(|number| number.parse::<u32>().ok());
    let [button, column, row] = [numbers.next()??, numbers.next()??, numbers.next()??];
    let kind = match button {
        0 if pressed => MouseEventKind::Down(MouseButton::Left),
        64 => MouseEventKind::ScrollUp,
        65 => MouseEventKind::ScrollDown,
        _ => return None,
    };
    let cell = |number: u32| u16::try_from(number.checked_sub(1)?).ok();
    Some(MouseEvent { kind, column: cell(column)?, row: cell(row)?, modifiers: KeyModifiers::NONE })
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let at = |numbers: &str, pressed| {
            mouse(numbers.as_bytes(), pressed).map(|event| (event.kind, event.column, event.row))
        };
        assert_eq!(at("0;3;4", true), Some((MouseEventKind::Down(MouseButton::Left), 2, 3)));
        assert_eq!(at("64;300;1", true), Some((MouseEventKind::ScrollUp, 299, 0)));
        assert_eq!(at("65;1;1", true), Some((MouseEventKind::ScrollDown, 0, 0)));
        for (numbers, pressed) in
            [("0;3;4", false), ("2;1;1", true), ("0;0;1", true), ("0;1", true), ("0;1;70000", true)]
        {
            assert_eq!(at(numbers, pressed), None, "{numbers}");
        }
    }
}
