//! The lines in which two texts differ.

use plusminus::text::visible;

/// Unchanged lines around a change.
const CONTEXT: usize = 2;

/// Returns the lines that go and come, with a few around them. Nothing can hide in them.
pub(super) fn diff(old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let begin = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let (old, new) = (&old[begin.saturating_sub(CONTEXT)..], &new[begin.saturating_sub(CONTEXT)..]);
    let lines = edits(old, new);
    let is_near = |at: usize| {
        let from = at.saturating_sub(CONTEXT);
        lines[from..lines.len().min(at + CONTEXT + 1)].iter().any(|(mark, _)| *mark != ' ')
    };
    let mut text = String::new();
    let mut gap = false;
    for (at, (mark, line)) in lines.iter().enumerate() {
        if gap && is_near(at) {
            text.push_str("    …\n");
        }
        gap = !is_near(at);
        if !gap {
            text.push_str(format!("  {mark} {}", visible(line)).trim_end());
            text.push('\n');
        }
    }
    text
}

/// Returns each line with its mark: `-` goes, `+` comes, a blank stays.
fn edits<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<(char, &'a str)> {
    // The length of the longest common sequence of the lines from here on.
    let mut common = vec![vec![0_u32; new.len() + 1]; old.len() + 1];
    for (i, a) in old.iter().enumerate().rev() {
        for (j, b) in new.iter().enumerate().rev() {
            common[i][j] = match a == b {
                true => common[i + 1][j + 1] + 1,
                false => common[i + 1][j].max(common[i][j + 1]),
            };
        }
    }
    let (mut i, mut j, mut lines) = (0, 0, Vec::new());
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            lines.push((' ', old[i]));
            (i, j) = (i + 1, j + 1);
        } else if i < old.len() && (j == new.len() || common[i + 1][j] >= common[i][j + 1]) {
            lines.push(('-', old[i]));
            i += 1;
        } else {
            lines.push(('+', new[j]));
            j += 1;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_and_comes_is_shown_with_lines_around_it() {
        let old = "a\nb\nc\nd\ne\nf\ng\nh\ni\n";
        let new = "a\nb\nc\nd2\ne\nf\ng\nh\ni\nj\u{1b}[2J\n";
        let expected =
            "    b\n    c\n  - d\n  + d2\n    e\n    f\n    …\n    h\n    i\n  + j\\u{1b}[2J\n";
        assert_eq!(diff(old, new), expected);
        assert_eq!(diff("", "x\n"), "  + x\n");
        assert_eq!(diff("x\n", "x\n"), "");
    }
}
