//! Sizes of memory as they are typed.

/// Units of memory: K, M, G and T alone are powers of 1024, as with most tools; with a B they are powers of 1000.
const UNITS: [(&str, u64); 14] = [
    ("", 1),
    ("b", 1),
    ("k", 1 << 10),
    ("kib", 1 << 10),
    ("kb", 1000),
    ("m", 1 << 20),
    ("mib", 1 << 20),
    ("mb", 1_000_000),
    ("g", 1 << 30),
    ("gib", 1 << 30),
    ("gb", 1_000_000_000),
    ("t", 1 << 40),
    ("tib", 1 << 40),
    ("tb", 1_000_000_000_000),
];

/// Reads a size such as `3G`, `1500M`, `2.5GiB`, `800000K`, or bytes.
///
/// # Errors
/// A sentence that says what would be right.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let hint = "write a size such as 3G, 1500M, 2.5GiB, 800000K, or a number of bytes";
    let text = text.trim();
    let unit_at = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(unit_at);
    let value: f64 = number.parse().map_err(|_| format!("'{text}' is no size of memory: {hint}"))?;
    let unit = unit.trim_start().to_ascii_lowercase();
    let Some(&(_, factor)) = UNITS.iter().find(|known| known.0 == unit) else {
        return Err(format!("'{unit}' is no unit of memory: {hint}"));
    };
    // Whole numbers are taken exactly: bytes may have more digits than a float holds.
    let bytes = match number.parse::<u64>() {
        Ok(whole) => whole.checked_mul(factor),
        Err(_) => Some(value * factor as f64).filter(|&bytes| bytes < u64::MAX as f64).map(|bytes| bytes as u64),
    };
    match bytes {
        Some(0) => Err(format!("'{text}' leaves no memory to count in: {hint}")),
        Some(bytes) => Ok(bytes),
        None => Err(format!("'{text}' is more than there is anywhere: {hint}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_people_write_them() {
        for (text, bytes) in [
            ("3G", 3 << 30),
            ("1500M", 1500 << 20),
            ("2.5GiB", 5 << 29),
            ("800000K", 800_000 << 10),
            ("123456", 123_456),
            ("1GB", 1_000_000_000),
            ("2 MiB", 2 << 20),
            ("0.5t", 1 << 39),
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(parse_size(text), Ok(bytes), "{text}");
        }
    }

    #[test]
    fn nonsense_is_refused_with_what_would_be_right() {
        for (text, says) in [
            ("0", "no memory"),
            ("0.0001", "no memory"),
            ("0G", "no memory"),
            ("-1", "no size"),
            ("lots", "no size"),
            ("", "no size"),
            ("1.2.3G", "no size"),
            (".", "no size"),
            ("3X", "'x' is no unit"),
            ("3GG", "no unit"),
            ("18446744073709551616", "more than"),
            ("17179869184G", "more than"),
            ("99999999999999.5T", "more than"),
        ] {
            let refused = parse_size(text).unwrap_err();
            assert!(refused.contains(says) && refused.contains("3G"), "{text}: {refused}");
        }
    }
}
