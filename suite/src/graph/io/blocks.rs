//! The lines of a text file in blocks: while blocks are parsed in parallel, the next ones are read (and unpacked).

use std::io::{BufRead, Read};

use rayon::prelude::*;

use super::lines::{Line, Lines, text_of};
use super::{Place, ReadError};

/// Bytes that one task parses, about.
const BLOCK: usize = 1 << 18;
/// Bytes that are read at a time, on each thread.
const READ: usize = 1 << 20;

/// The contents of a block of lines.
struct Parsed<T> {
    items: Vec<T>,
    lines: u64,
    /// The error in the line after the parsed ones, counted within the block.
    error: Option<ReadError>,
}

impl<R: BufRead + Send> Lines<R> {
    /// Parses all lines that are left, in parallel on the current rayon pool; `parse` adds what it finds in a line. Items
    /// are in the order of their lines.
    ///
    /// # Errors
    /// The first one of `parse`, or at the first line with more than `most` items before its end.
    pub(super) fn parse_rest<T: Send>(
        mut self,
        most: u64,
        parse: impl Fn(Line<'_>, &mut Vec<T>) -> Result<(), ReadError> + Sync,
    ) -> Result<Vec<T>, ReadError> {
        let mut all = Vec::new();
        let mut rest = Vec::new();
        let mut bytes = self.next_bytes(&mut rest)?;
        while !bytes.is_empty() {
            let (parsed, next) = rayon::join(
                || blocks(&bytes).into_par_iter().map(|b| parse_block(b, &parse)).collect(),
                || self.next_bytes(&mut rest),
            );
            let (blocks, parsed): (_, Vec<Parsed<T>>) = (blocks(&bytes), parsed);
            for (block, mut parsed) in blocks.into_iter().zip(parsed) {
                let before = all.len() as u64;
                if before + parsed.items.len() as u64 > most {
                    return Err(too_many(block, most - before, most, &parse).after(self.number));
                }
                if let Some(error) = parsed.error {
                    return Err(error.after(self.number));
                }
                all.append(&mut parsed.items);
                self.number += parsed.lines;
            }
            bytes = next.map_err(|error| error.after(self.number))?;
        }
        Ok(all)
    }

    /// Some more whole lines, none at the end of the input. `rest` is the beginning of a line from one call to the next.
    fn next_bytes(&mut self, rest: &mut Vec<u8>) -> Result<Vec<u8>, ReadError> {
        let mut bytes = std::mem::take(rest);
        let wanted = (READ * rayon::current_num_threads()) as u64;
        let read = (&mut self.input).take(wanted).read_to_end(&mut bytes);
        let read = read.map_err(|error| ReadError::new(Place::File, error.to_string()))?;
        if read as u64 == wanted {
            let end = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
            if end == 0 {
                // No line may be as long as that.
                return Ok(bytes);
            }
            *rest = bytes.split_off(end);
        }
        Ok(bytes)
    }
}

/// Whole lines in blocks.
fn blocks(mut bytes: &[u8]) -> Vec<&[u8]> {
    let mut blocks = Vec::new();
    while !bytes.is_empty() {
        let behind = bytes.get(BLOCK..).unwrap_or(&[]);
        let end = behind.iter().position(|&byte| byte == b'\n');
        let block;
        (block, bytes) = bytes.split_at(end.map_or(bytes.len(), |end| BLOCK + end + 1));
        blocks.push(block);
    }
    blocks
}

/// Parses the lines of a block, up to the first one that is wrong.
fn parse_block<T>(
    block: &[u8],
    parse: &impl Fn(Line<'_>, &mut Vec<T>) -> Result<(), ReadError>,
) -> Parsed<T> {
    let mut parsed = Parsed { items: Vec::new(), lines: 0, error: None };
    for bytes in block.split_inclusive(|&byte| byte == b'\n') {
        let number = parsed.lines + 1;
        let line = text_of(bytes, number).map(|text| Line { number, text });
        if let Err(error) = line.and_then(|line| parse(line, &mut parsed.items)) {
            parsed.error = Some(error);
            break;
        }
        parsed.lines = number;
    }
    parsed
}

/// Names the line of a block that has one item more than are left.
#[cold]
fn too_many<T>(
    block: &[u8],
    left: u64,
    most: u64,
    parse: &impl Fn(Line<'_>, &mut Vec<T>) -> Result<(), ReadError>,
) -> ReadError {
    let mut items = Vec::new();
    let mut number = 0;
    for bytes in block.split_inclusive(|&byte| byte == b'\n') {
        number += 1;
        let line = text_of(bytes, number).map(|text| Line { number, text });
        let parsed = line.and_then(|line| parse(line, &mut items));
        if parsed.is_err() || items.len() as u64 > left {
            break;
        }
    }
    ReadError::new(Place::Line(number), format!("more than the {most} entries that were declared"))
}

#[cfg(test)]
mod tests {
    use super::super::lines::LONGEST;
    use super::*;

    fn numbers(text: &[u8], most: u64) -> Result<Vec<u32>, ReadError> {
        Lines::new(text).parse_rest(most, |line, items| {
            let mut fields = line.fields();
            while let Some(word) = fields.optional() {
                items.push(word.parse().map_err(|_| line.error("no number"))?);
            }
            Ok(())
        })
    }

    #[test]
    fn blocks_are_put_together_in_the_order_of_their_lines() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let count = READ as u32;
        let text: String = (0..count).map(|number| format!("{number}\r\n")).collect();
        assert!(text.len() > 3 * 2 * READ, "more than is read at a time");
        for text in [&text, text.trim()] {
            let found = pool.install(|| numbers(text.as_bytes(), u64::MAX)).unwrap();
            assert!(found.into_iter().eq(0..count));
        }
        assert!(numbers(b"", 0).unwrap().is_empty());
        assert_eq!(numbers(b"\n\n4", 1).unwrap(), [4]);
    }

    #[test]
    fn the_first_wrong_line_is_named() {
        let place = |text: &str, most| numbers(text.as_bytes(), most).unwrap_err().place();
        let lines = 400_000;
        let mut text: String = (0..lines).map(|number| format!("{number}\n")).collect();
        assert_eq!(place(&text, 300_000), Place::Line(300_001));
        text += "x\ny\n";
        assert_eq!(place(&text, u64::MAX), Place::Line(lines + 1));
        assert_eq!(place(&text, lines), Place::Line(lines + 1));
        assert_eq!(place(&text, 7), Place::Line(8));
    }

    #[test]
    fn lines_that_are_too_long_are_refused() {
        let threads = rayon::current_num_threads();
        for length in [LONGEST as usize, 2 * BLOCK, READ * threads, 3 * READ * threads] {
            let text = [b"1\n".to_vec(), vec![b' '; length], b"\n2\n".to_vec()].concat();
            let error = numbers(&text, u64::MAX).unwrap_err();
            assert_eq!(error.place(), Place::Line(2), "{length}");
        }
        let text = [vec![b' '; LONGEST as usize - 2], b"1\n2".to_vec()].concat();
        assert_eq!(numbers(&text, u64::MAX).unwrap(), [1, 2]);
    }
}
