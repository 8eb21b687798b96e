//! Bench targets as large as they get, for `limits` in `lab`.
