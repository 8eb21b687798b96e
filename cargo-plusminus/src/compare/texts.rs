//! The texts that a program has while it runs: those of its data, and short ones that its instructions put together, as
//! compilers do for `String::from("corpus")`.

use std::{
    cell::OnceCell,
    collections::{BTreeMap, HashMap},
    fs,
    path::Path,
};

use iced_x86::{Decoder, DecoderOptions, Instruction, MemorySize, Mnemonic, OpKind, Register};
use memchr::memmem;
use object::{Architecture, Object as _, ObjectSection as _, SectionFlags, SectionKind};

use crate::error::{Result, at};

/// The bytes at the beginning of a text that lie side by side in instructions.
const TOGETHER: usize = 8;

/// How the paths of sources and modules go on behind the name of a package.
const IN_SOURCES: [&[u8]; 5] = [b"/src/", b"/benches/", b"/examples/", b"/tests/", b"::"];

pub(super) struct Texts {
    program: Vec<u8>,
    /// The parts that lie in memory; all of the file where they are not known.
    pub(super) data: Vec<u8>,
    /// The texts that instructions put together, as far as they are understood.
    assembled: OnceCell<Vec<u8>>,
    /// It may have texts that are not found: it is for another processor.
    pub(super) is_unknown: bool,
}

impl Texts {
    pub(super) fn of(path: &Path) -> Result<Self> {
        Ok(Self::from(fs::read(path).map_err(at("read", path))?))
    }

    pub(super) fn has(&self, word: &str) -> bool {
        // Instructions take sixteen bytes and more from the data.
        occurs(&self.data, word.as_bytes()) || word.len() < 16 && self.is_assembled(word.as_bytes())
    }

    /// Returns whether the program has the name of a program that it may start. In the path of a source or of a module, the name is
    /// that of a package.
    pub(super) fn has_program(&self, name: &str) -> bool {
        let after = |at: usize| &self.data[at + name.len()..];
        let is_apart = |at: usize| !IN_SOURCES.iter().any(|rest| after(at).starts_with(rest));
        let stands = !name.is_empty() && memmem::find_iter(&self.data, name).any(is_apart);
        stands || name.len() < 16 && self.is_assembled(name.as_bytes())
    }

    /// Returns whether instructions may put a word together: they put its first bytes side by side, and the others behind them or
    /// elsewhere in the program. A text that goes on with some of the others is another one, as that of a longer or shorter name.
    fn is_assembled(&self, word: &[u8]) -> bool {
        let assembled = self.assembled();
        let (first, rest) = word.split_at(word.len().min(TOGETHER));
        // Compilers write the others in one move, perhaps with some of the first, so that the code has them side by side.
        let is_elsewhere = || [assembled, &self.data].iter().any(|text| occurs(text, rest));
        let is_whole = |at: usize| {
            let behind = &assembled[at + first.len()..];
            let alike = rest.iter().zip(behind).take_while(|(a, b)| a == b).count();
            alike == rest.len() || alike == 0 && is_elsewhere()
        };
        !word.is_empty() && memmem::find_iter(assembled, first).any(is_whole)
    }

    fn assembled(&self) -> &[u8] {
        self.assembled.get_or_init(|| assembled(&self.program).unwrap_or_default())
    }
}

impl From<Vec<u8>> for Texts {
    fn from(program: Vec<u8>) -> Self {
        let joined = |parts: Vec<(_, _, &[u8])>| {
            parts.into_iter().map(|(_, _, part)| part).collect::<Vec<_>>().join(&0)
        };
        let data = loaded(&program).map_or_else(|| program.clone(), joined);
        let file = object::File::parse(&*program);
        let is_unknown = file.is_ok_and(|file| file.architecture() != Architecture::X86_64);
        Self { program, data, assembled: OnceCell::new(), is_unknown }
    }
}

/// Returns whether a text contains another one, which is not empty.
fn occurs(text: &[u8], word: &[u8]) -> bool {
    !word.is_empty() && memmem::find(text, word).is_some()
}

/// The parts of a program that are loaded, but for the number of the build; `None` if the file is not understood.
pub(super) fn loaded(program: &[u8]) -> Option<Vec<(u64, String, &[u8])>> {
    let file = object::File::parse(program).ok()?;
    let sections = file.sections().filter(|section| {
        let SectionFlags::Elf { sh_flags, .. } = section.flags() else { return false };
        sh_flags.0 & object::elf::SHF_ALLOC.0 != 0 && section.name() != Ok(".note.gnu.build-id")
    });
    let parts: Option<Vec<_>> = sections
        .map(|section| {
            let name = section.name().ok()?.to_owned();
            Some((section.address(), name, section.data().ok()?))
        })
        .collect();
    // A format without such flags has no parts, which proves nothing.
    parts.filter(|parts| !parts.is_empty())
}

/// The texts that the instructions of a program put together; `None` if it has none that are understood.
fn assembled(program: &[u8]) -> Option<Vec<u8>> {
    let file = object::File::parse(program).ok()?;
    if file.architecture() != Architecture::X86_64 {
        return None;
    }
    let mut pieces = Pieces::default();
    for section in file.sections().filter(|section| section.kind() == SectionKind::Text) {
        pieces.read(section.data().ok()?);
    }
    Some(pieces.texts)
}

/// Constants that instructions write next to one another.
#[derive(Default)]
struct Pieces {
    /// The constants in registers, by the number of the register.
    constants: HashMap<u32, u64>,
    /// The bytes that are in memory, by base, index and distance.
    bytes: BTreeMap<(Register, Register, u64), u8>,
    /// Instructions since the last one that wrote.
    since: usize,
    /// The texts so far, with a zero before each.
    texts: Vec<u8>,
}

impl Pieces {
    /// Instructions between two writes of the same text.
    const NEAR: usize = 16;

    /// Adds the texts that the instructions of a section put together.
    fn read(&mut self, code: &[u8]) {
        for instruction in &mut Decoder::new(64, code, DecoderOptions::NONE) {
            self.follow(&instruction);
        }
        self.end();
    }

    fn follow(&mut self, instruction: &Instruction) {
        self.since += 1;
        if self.since > Self::NEAR && !self.bytes.is_empty() {
            self.end();
        }
        if instruction.mnemonic() != Mnemonic::Mov {
            return;
        }
        let value = match instruction.op1_kind() {
            OpKind::Memory => None,
            OpKind::Register => self.constants.get(&number(instruction.op1_register())).copied(),
            _ => instruction.try_immediate(1).ok(),
        };
        let to = number(instruction.op0_register());
        match (instruction.op0_kind(), value) {
            (OpKind::Register, Some(value)) => drop(self.constants.insert(to, value)),
            (OpKind::Register, None) => drop(self.constants.remove(&to)),
            (OpKind::Memory, Some(value)) => self.write(instruction, value),
            _ => {}
        }
    }

    fn write(&mut self, instruction: &Instruction, value: u64) {
        let (base, index) = (instruction.memory_base(), instruction.memory_index());
        let place = instruction.memory_displacement64();
        let all = value.to_le_bytes();
        let written = all.iter().take(size(instruction.memory_size()));
        let at = |(byte, &value)| ((base, index, place.wrapping_add(byte)), value);
        let written: Vec<_> = (0..).zip(written).map(at).collect();
        // The end of a text may be written twice; something else is another text.
        if written.iter().any(|(at, value)| self.bytes.get(at).is_some_and(|old| old != value)) {
            self.end();
        }
        self.bytes.extend(written);
        self.since = 0;
    }

    /// Ends the texts that have been written.
    fn end(&mut self) {
        let mut next = None;
        for (&(base, index, place), &byte) in &self.bytes {
            if next != Some((base, index, place)) {
                self.texts.push(0);
            }
            self.texts.push(byte);
            next = Some((base, index, place.wrapping_add(1)));
        }
        self.bytes.clear();
    }
}

/// The number of a register, the same for each of its sizes.
fn number(register: Register) -> u32 {
    use Register::{AH, AL, AX, EAX, RAX, SPL};
    // Each is the first of a row of registers in the order of their numbers, and the rows go down.
    let rows = [(RAX, 0), (EAX, 0), (AX, 0), (SPL, 4), (AH, 0), (AL, 0)];
    let row = rows.into_iter().find(|(first, _)| *first <= register);
    row.map_or(u32::MAX, |(first, number)| register as u32 - first as u32 + number)
}

/// The bytes of what a move writes.
fn size(memory: MemorySize) -> usize {
    match memory {
        MemorySize::UInt8 => 1,
        MemorySize::UInt16 => 2,
        MemorySize::UInt32 => 4,
        MemorySize::UInt64 => 8,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assembled(code: &[u8]) -> String {
        let mut pieces = Pieces::default();
        pieces.read(code);
        String::from_utf8_lossy(&pieces.texts).into_owned()
    }

    #[test]
    fn a_text_that_instructions_write_in_pieces_is_found() {
        // `String::from("corpus")`, as it is compiled: the end first.
        let corpus = *b"\x66\xc7\x40\x04us\xc7\x00corp";
        assert!(assembled(&corpus).contains("corpus"));
        // Then another text to where `rax` leads by now.
        let two = [&corpus[..], b"\x66\xc7\x40\x04a/\xc7\x00/dat"].concat();
        assert_eq!(assembled(&two), "\0corpus\0/data/");
        // Eight letters by way of `rcx`, and two.
        let long = *b"\x48\xb9bench/da\x48\x89\x08\x66\xc7\x40\x08ta";
        assert!(assembled(&long).contains("bench/data"));
        // Behind a text whose length is in `rcx`, with a letter that is written twice.
        assert!(assembled(b"\xc7\x44\x08\x03json\xc7\x04\x08.jsj").contains(".jsjson"));
    }

    #[test]
    fn what_is_written_elsewhere_is_no_part_of_a_text() {
        let other = assembled(b"\x66\xc7\x40\x04us\xc7\x03corp");
        assert!(!other.contains("corpus"), "{other:?}");
        let far = [&b"\x66\xc7\x40\x04us"[..], &[0x90; 40], b"\xc7\x00corp"].concat();
        assert!(!assembled(&far).contains("corpus"));
        // `rcx` is loaded from memory in between.
        let loaded = assembled(b"\x48\xb9bench/da\x48\x8b\x0b\x48\x89\x08");
        assert!(!loaded.contains("bench"), "{loaded:?}");
    }

    #[test]
    fn a_register_has_one_number_in_all_its_sizes() {
        use Register::*;
        for (number_of_it, all) in [
            (0, [AL, AX, EAX, RAX]),
            (1, [CL, CX, ECX, RCX]),
            (3, [BL, BX, EBX, RBX]),
            (4, [SPL, SP, ESP, RSP]),
            (7, [DIL, DI, EDI, RDI]),
            (8, [R8L, R8W, R8D, R8]),
            (15, [R15L, R15W, R15D, R15]),
        ] {
            assert_eq!(all.map(number), [number_of_it; 4], "{all:?}");
        }
        assert_eq!([AH, CH, DH, BH].map(number), [0, 1, 2, 3]);
        // `cl` is loaded while `rdx` has a text.
        let written = assembled(b"\x48\xbabench/da\x8a\x0b\x48\x89\x10");
        assert!(written.contains("bench/da"), "{written:?}");
    }

    #[test]
    fn the_name_of_a_program_stands_elsewhere_than_in_paths_of_sources() {
        let has = |text: &str| Texts::from(text.as_bytes().to_vec()).has_program("own");
        assert!(has("own") && has("target/release/own") && has("crates/own/src/lib.rs own"));
        assert!(!has("crates/own/src/lib.rs") && !has("own::benches") && !has("ow n"));
    }

    #[test]
    fn a_file_that_is_no_program_has_its_content() {
        let texts = Texts::from(b"starts tool".to_vec());
        assert!(texts.has("tool") && !texts.has("tools") && !texts.has(""));
        assert!(!texts.is_unknown);
    }

    #[test]
    fn a_text_is_found_whole_in_data_and_by_its_begin_in_instructions() {
        let texts = |data: &str, assembled: &str| {
            let texts = Texts::from(data.as_bytes().to_vec());
            texts.assembled.set(assembled.as_bytes().to_vec()).unwrap();
            texts
        };
        assert!(texts("", "words-2.\0txt").has("words-2.txt"));
        assert!(texts("ds-2.txt", "words-2.").has("words-2.txt"));
        // A word that begins like a name, of which the program has nothing more.
        assert!(!texts("sh", "bstr/graphemes\0grapheme").has("grapheme.sh"));
        // The name of a crate, and a longer one of a folder.
        assert!(!texts("", "minijinja\0").has("minijinja-go"));
        assert!(texts("", "minijinja\0minijinja-go").has("minijinja-go"));
        assert!(!texts("untracked_read", "").has("tracked_function.txt"));
        // Its data has all of a text of sixteen bytes or more.
        assert!(!texts("", "tracked_read").has("tracked_function.txt"));
        assert!(texts("a tracked_function.txt", "").has("tracked_function.txt"));
    }

    #[test]
    fn a_program_for_another_processor_may_have_more_texts() {
        use object::{BinaryFormat, Endianness, write};
        let of = |processor| {
            let object = write::Object::new(BinaryFormat::Elf, processor, Endianness::Little);
            Texts::from(object.write().unwrap())
        };
        assert!(of(Architecture::Aarch64).is_unknown && !of(Architecture::X86_64).is_unknown);
    }
}
