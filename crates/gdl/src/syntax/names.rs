//! How names are written: what both notations agree on.

/// Whether the name is a number: digits, with a sign before or a fraction after them if need be.
pub(super) fn is_number(name: &str) -> bool {
    let unsigned = name.strip_prefix('-').unwrap_or(name);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    digits(whole) && digits(fraction)
}
