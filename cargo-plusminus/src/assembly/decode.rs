//! Instructions as texts in which nothing depends on where the linker put things.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    fs,
    ops::Range,
    path::Path,
    rc::Rc,
};

use iced_x86::{
    Decoder, DecoderOptions, FastFormatter, Instruction as Decoded, Mnemonic, OpKind,
    SymbolResolver, SymbolResult,
};
use object::{
    Architecture, Endianness, Object as _, ObjectSection as _, ObjectSymbol as _,
    ObjectSymbolTable as _, RelocationTarget, SectionKind, SymbolKind,
    read::elf::{ElfFile64, ElfSymbol64},
};

use plusminus_same_code::{Lines, readable, shortened, with_lines};

/// Letters of a name, and of a line of source.
const NAME: usize = 60;
const SOURCE: usize = 90;

#[derive(Debug, Clone)]
pub(super) struct Instruction {
    /// Its text. That of a jump within the function ends with "row".
    pub(super) text: String,
    /// The place of the instruction to which it jumps.
    pub(super) jump: Option<usize>,
    /// File, line and text of its source.
    pub(super) source: Option<String>,
}

/// The instructions of these functions of a program for x86-64, by their symbols. `top` is the folder of its sources.
pub(super) fn functions(
    program: &[u8],
    symbols: &HashSet<&str>,
    top: &Path,
) -> HashMap<String, Vec<Instruction>> {
    let Ok(file) = ElfFile64::<Endianness>::parse(program) else { return HashMap::new() };
    if file.architecture() != Architecture::X86_64 {
        return HashMap::new();
    }
    let names = Rc::new(Names::of(&file));
    let code = |symbol: ElfSymbol64<'_, '_>| {
        let name = symbol.name().ok().filter(|name| symbols.contains(name))?;
        let section = file.section_by_index(symbol.section_index()?).ok()?;
        let bytes = section.data_range(symbol.address(), symbol.size()).ok()??;
        (section.kind() == SectionKind::Text).then(|| (name.to_owned(), symbol.address(), bytes))
    };
    let found: Vec<(String, u64, &[u8])> = file.symbols().filter_map(code).collect();
    let all = |lines: Option<&Lines<'_>>| {
        let mut files = HashMap::new();
        let mut place = |address: u64| source(lines?, address, top, &mut files);
        let one = |(name, address, bytes): &(String, u64, &[u8])| {
            (name.clone(), decoded(bytes, *address, &names, &mut place))
        };
        found.iter().map(one).collect()
    };
    with_lines(&file, |lines| all(Some(lines))).unwrap_or_else(|| all(None))
}

fn decoded(
    bytes: &[u8],
    address: u64,
    names: &Rc<Names>,
    mut source: impl FnMut(u64) -> Option<String>,
) -> Vec<Instruction> {
    let function = address..address + bytes.len() as u64;
    let resolver = Resolver { names: names.clone(), function };
    let Ok(mut formatter) = FastFormatter::try_with_options(Some(Box::new(resolver))) else {
        return Vec::new();
    };
    let options = formatter.options_mut();
    options.set_space_after_operand_separator(true);
    options.set_use_hex_prefix(true);
    options.set_uppercase_hex(false);
    let (mut all, mut places) = (Vec::new(), HashMap::new());
    for one in Decoder::with_ip(64, bytes, address, DecoderOptions::NONE) {
        // Instructions that fill a gap depend on the place of the function. A jump there goes to the next other one.
        places.insert(one.ip(), all.len());
        all.extend((one.mnemonic() != Mnemonic::Nop).then_some(one));
    }
    places.retain(|_, place| *place < all.len());
    let one = |one: &Decoded| {
        let mut text = String::new();
        formatter.format(one, &mut text);
        let target = Some(one.near_branch_target()).filter(|_| is_jump(one));
        let jump = target.and_then(|target| places.get(&target).copied());
        Instruction { text, jump, source: source(one.ip()) }
    };
    all.iter().map(one).collect()
}

/// Whether an instruction goes to an address that stands in it.
fn is_branch(instruction: &Decoded) -> bool {
    instruction.op_count() > 0
        && matches!(
            instruction.op0_kind(),
            OpKind::NearBranch16 | OpKind::NearBranch32 | OpKind::NearBranch64
        )
}

/// Whether it does so without returning.
fn is_jump(instruction: &Decoded) -> bool {
    is_branch(instruction) && instruction.mnemonic() != Mnemonic::Call
}

/// Writes names instead of addresses.
struct Resolver {
    names: Rc<Names>,
    function: Range<u64>,
}

impl SymbolResolver for Resolver {
    fn symbol(
        &mut self,
        instruction: &Decoded,
        _operand: u32,
        _instruction_operand: Option<u32>,
        address: u64,
        _address_size: u32,
    ) -> Option<SymbolResult<'_>> {
        if is_jump(instruction) && self.function.contains(&address) {
            return Some(SymbolResult::with_str(address, "row"));
        }
        let is_data = instruction.is_ip_rel_memory_operand()
            && instruction.ip_rel_memory_address() == address;
        let name = (is_data || is_branch(instruction)).then(|| self.names.at(address))?;
        Some(SymbolResult::with_string(address, name))
    }
}

/// Sizes and names by where they begin.
type Named = BTreeMap<u64, (u64, String)>;

/// The things at the addresses of a program.
#[derive(Default)]
struct Names {
    symbols: Named,
    /// Places into which the loader writes where a function of a library is.
    imported: HashMap<u64, String>,
    sections: Named,
}

impl Names {
    fn of(file: &ElfFile64<'_, Endianness>) -> Self {
        let mut symbols = Named::new();
        let is_thing = |kind| matches!(kind, SymbolKind::Text | SymbolKind::Data);
        for symbol in file.symbols().filter(|one| one.is_definition() && is_thing(one.kind())) {
            let Ok(name) = symbol.name() else { continue };
            let known = symbols.entry(symbol.address()).or_default();
            // Of several names both programs have the same first one.
            if known.1.is_empty() || name < known.1.as_str() {
                *known = (symbol.size(), name.to_owned());
            }
        }
        let dynamic = file.dynamic_symbol_table();
        let imported = |(at, relocation): (u64, object::Relocation)| {
            let RelocationTarget::Symbol(index) = relocation.target() else { return None };
            let symbol = dynamic.as_ref()?.symbol_by_index(index).ok()?;
            Some((at, symbol.name().ok()?.to_owned()))
        };
        let imported = file.dynamic_relocations().into_iter().flatten().filter_map(imported);
        let sections = file.sections().filter_map(|section| {
            let name = section.name().ok()?.to_owned();
            (section.address() > 0).then(|| (section.address(), (section.size(), name)))
        });
        Self { symbols, imported: imported.collect(), sections: sections.collect() }
    }

    /// The name of what is at an address, or of its section.
    fn at(&self, address: u64) -> String {
        let inside = |named: &Named| {
            let (begin, (size, name)) = named.range(..=address).next_back()?;
            let offset = address - begin;
            (offset < (*size).max(1)).then(|| (offset, name.clone()))
        };
        let symbol = inside(&self.symbols).and_then(|(offset, name)| {
            let name = stable(&name)?;
            Some(if offset == 0 { name } else { format!("{name}+{offset:#x}") })
        });
        let imported = || self.imported.get(&address).cloned();
        let section = || inside(&self.sections).map(|(_, name)| name);
        symbol.or_else(imported).or_else(section).unwrap_or_else(|| "unknown".to_owned())
    }
}

/// A symbol for people, without numbers that the compiler gives anew each time; `None` for one of nothing else.
fn stable(symbol: &str) -> Option<String> {
    if symbol.starts_with("anon.") {
        return None;
    }
    let name = readable(symbol);
    let stem = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let stem =
        stem.strip_suffix('.').filter(|stem| !stem.is_empty() && stem.len() + 1 < name.len());
    Some(cut(stem.unwrap_or(&name), NAME))
}

/// A text with at most this number of letters: its begin and its end.
fn cut(text: &str, most: usize) -> String {
    let count = text.chars().count();
    if count <= most {
        return text.to_owned();
    }
    let begin: String = text.chars().take(most / 2).collect();
    let end: String = text.chars().skip(count - (most - most / 2 - 1)).collect();
    format!("{begin}…{end}")
}

/// File, line and text of the source of an instruction: the innermost place below `top`, or else that in the function itself.
fn source(
    lines: &Lines<'_>,
    address: u64,
    top: &Path,
    files: &mut HashMap<String, Vec<String>>,
) -> Option<String> {
    let mut frames = lines.find_frames(address).skip_all_loads().ok()?;
    let mut found = None;
    while let Ok(Some(frame)) = frames.next() {
        let location = frame.location.and_then(|at| at.file.zip(at.line));
        found = location.or(found);
        if location.is_some_and(|(file, _)| Path::new(file).starts_with(top)) {
            break;
        }
    }
    let (file, line) = found?;
    let read = || {
        let text = fs::read_to_string(file).unwrap_or_default();
        text.lines().map(|line| line.trim().to_owned()).collect()
    };
    let texts = files.entry(file.to_owned()).or_insert_with(read);
    let text = texts.get((line as usize).saturating_sub(1)).map_or("", String::as_str);
    Some(cut(format!("{}:{line} {text}", shortened(file, top)).trim_end(), SOURCE))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program with a function at 0x1010 and a constant at 0x2000.
    fn names() -> Rc<Names> {
        let named = |all: &[(u64, u64, &str)]| {
            all.iter().map(|(at, size, name)| (*at, (*size, (*name).to_owned()))).collect()
        };
        Rc::new(Names {
            symbols: named(&[(0x1000, 16, "caller"), (0x1010, 16, "callee"), (0x2000, 8, "LIST")]),
            imported: HashMap::from([(0x3000, "memcpy".to_owned())]),
            sections: named(&[(0x2000, 64, ".rodata")]),
        })
    }

    fn texts(bytes: &[u8]) -> Vec<(String, Option<usize>)> {
        let all = decoded(bytes, 0x1000, &names(), |_| None);
        all.into_iter().map(|one| (one.text, one.jump)).collect()
    }

    #[test]
    fn names_stand_for_addresses_and_jumps_know_their_instruction() {
        // xor eax, eax; call callee; mov rcx, [rip → LIST]; jne → the call; ret
        let bytes =
            [0x31, 0xc0, 0xe8, 0x09, 0, 0, 0, 0x48, 0x8b, 0x0d, 0xf2, 0x0f, 0, 0, 0x75, 0xf2, 0xc3];
        let found = texts(&bytes);
        let shown: Vec<&str> = found.iter().map(|(text, _)| text.as_str()).collect();
        assert_eq!(shown, ["xor eax, eax", "call callee", "mov rcx, [LIST]", "jne row", "ret"]);
        let jumps: Vec<Option<usize>> = found.iter().map(|(_, jump)| *jump).collect();
        assert_eq!(jumps, [None, None, None, Some(1), None]);
        // A jump to a gap of nine bytes, half an instruction, and a gap at the end.
        let gap = [0xeb, 0, 0x66, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0, 0x48];
        let [jump, half] = &texts(&gap)[..] else { panic!("{:?}", texts(&gap)) };
        assert_eq!((jump.0.as_str(), jump.1, half.1), ("jmp row", Some(1), None));
        assert_eq!(texts(&[0xeb, 0, 0x90]), [("jmp row".to_owned(), None)]);
        assert!(texts(&[]).is_empty());
    }

    #[test]
    fn things_without_a_name_of_their_own_have_that_of_their_section() {
        let names = names();
        assert_eq!(names.at(0x2004), "LIST+0x4");
        assert_eq!(names.at(0x2010), ".rodata");
        assert_eq!(names.at(0x3000), "memcpy");
        assert_eq!(names.at(0x9000), "unknown");
        assert_eq!(stable("vtable.5").as_deref(), Some("vtable"));
        assert_eq!(stable("mix64").as_deref(), Some("mix64"));
        assert_eq!(stable("anon.1f.2"), None);
        assert_eq!(cut("abcdefghij", 5), "ab…ij");
    }

    #[test]
    fn functions_of_this_program_have_instructions_and_their_sources() {
        let program = fs::read(std::env::current_exe().unwrap()).unwrap();
        let Ok(file) = ElfFile64::<Endianness>::parse(&*program) else { return };
        if file.architecture() != Architecture::X86_64 {
            return;
        }
        let symbols: HashSet<&str> = file
            .symbols()
            .filter_map(|symbol| symbol.name().ok())
            .filter(|name| name.contains("functions_of_this_program_have_instructions"))
            .collect();
        let top = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let found = functions(&program, &symbols, top);
        let sources: Vec<&str> =
            found.values().flatten().filter_map(|one| one.source.as_deref()).collect();
        assert!(sources.iter().any(|source| source.contains("decode.rs:")), "{sources:?}");
        assert!(found.values().all(|all| all.iter().any(|one| one.text == "ret")), "{found:?}");
        assert!(functions(b"no program", &symbols, top).is_empty());
    }
}
