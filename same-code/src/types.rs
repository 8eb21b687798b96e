//! Compares how types are laid out in two programs, by their debug information: functions that see a type differently cannot be
//! exchanged one by one.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    hash::{DefaultHasher, Hash as _, Hasher as _},
};

use addr2line::gimli::{self, AttributeValue, DwTag, Dwarf, EndianSlice, RunTimeEndian, Unit};
use object::{Endianness, read::elf::ElfFile64};

use super::lines::debug_sections;

type Slice<'a> = EndianSlice<'a, RunTimeEndian>;

/// The layouts that a program has of each type, by its name with its modules.
type Layouts = BTreeMap<String, BTreeSet<u64>>;

/// Returns a type that both programs have in different layouts, in words; `None` if there is none.
pub(super) fn changed(programs: [&[u8]; 2]) -> Result<Option<String>, String> {
    let [base, new] = [layouts(programs[0])?, layouts(programs[1])?];
    let is_other = |(name, of_new): &(&String, &BTreeSet<u64>)| {
        base.get(*name).is_some_and(|of_base| of_base != *of_new)
    };
    let found = new.iter().find(is_other);
    Ok(found.map(|(name, _)| format!("`{name}` has a different layout")))
}

fn layouts(program: &[u8]) -> Result<Layouts, String> {
    let lacks = || "the programs have no debug information about types".to_owned();
    let file = ElfFile64::<Endianness>::parse(program).map_err(|_| lacks())?;
    let sections = debug_sections(&file);
    let dwarf = sections.borrow(|data| EndianSlice::new(data, RunTimeEndian::Little));
    let (mut layouts, mut named) = (Layouts::new(), HashMap::new());
    let unreadable =
        |reason: gimli::Error| format!("debug information is not understood: {reason}");
    each_unit(&dwarf, |entries| {
        let types = entries.into_iter().filter(|entry| !entry.name.is_empty() && entry.is_type());
        named.extend(types.map(|entry| (entry.offset, (entry.tag, entry.name))));
    })
    .map_err(unreadable)?;
    each_unit(&dwarf, |entries| collect(&entries, &named, &mut layouts)).map_err(unreadable)?;
    if layouts.is_empty() { Err(lacks()) } else { Ok(layouts) }
}

/// Names of types of all units, by their offsets: a unit may refer to types of another one.
type Named<'a> = HashMap<usize, (DwTag, &'a [u8])>;

fn each_unit<'a>(
    dwarf: &Dwarf<Slice<'a>>,
    mut visit: impl FnMut(Vec<Entry<'a>>),
) -> gimli::Result<()> {
    let mut units = dwarf.units();
    while let Some(header) = units.next()? {
        visit(entries(dwarf, &dwarf.unit(header)?)?);
    }
    Ok(())
}

/// An entry of debug information: all that decides a layout.
struct Entry<'a> {
    depth: isize,
    tag: DwTag,
    name: &'a [u8],
    symbol: &'a [u8],
    /// Size, alignment, place, and numbers of variants.
    numbers: Vec<u64>,
    offset: usize,
    /// The place of its type.
    of: Option<usize>,
}

impl Entry<'_> {
    /// Whether it is a type that others may refer to by a name.
    fn is_type(&self) -> bool {
        let is_simple = [gimli::DW_TAG_base_type, gimli::DW_TAG_pointer_type].contains(&self.tag);
        is_simple || self.has_layout()
    }

    /// Whether it is a type with members or variants.
    fn has_layout(&self) -> bool {
        [gimli::DW_TAG_structure_type, gimli::DW_TAG_union_type, gimli::DW_TAG_enumeration_type]
            .contains(&self.tag)
    }
}

fn entries<'a>(dwarf: &Dwarf<Slice<'a>>, unit: &Unit<Slice<'a>>) -> gimli::Result<Vec<Entry<'a>>> {
    let mut entries = Vec::new();
    let mut cursor = unit.entries();
    while let Some(entry) = cursor.next_dfs()? {
        let text = |attribute| {
            let value = entry.attr_value(attribute);
            let text = value.and_then(|value| dwarf.attr_string(unit, value).ok());
            text.map_or(&[][..], |text| text.slice())
        };
        let number = |attribute| entry.attr(attribute).and_then(gimli::Attribute::udata_value);
        let numbers = [
            gimli::DW_AT_byte_size,
            gimli::DW_AT_alignment,
            gimli::DW_AT_data_member_location,
            gimli::DW_AT_discr_value,
            gimli::DW_AT_const_value,
            gimli::DW_AT_count,
            gimli::DW_AT_upper_bound,
        ];
        entries.push(Entry {
            depth: entry.depth(),
            tag: entry.tag(),
            name: text(gimli::DW_AT_name),
            symbol: text(gimli::DW_AT_linkage_name),
            numbers: numbers.map(|name| number(name).unwrap_or(u64::MAX)).to_vec(),
            offset: entry.offset().to_unit_section_offset(&unit.header).0,
            of: match entry.attr_value(gimli::DW_AT_type) {
                Some(AttributeValue::UnitRef(offset)) => {
                    Some(offset.to_unit_section_offset(&unit.header).0)
                }
                Some(AttributeValue::DebugInfoRef(offset)) => Some(offset.0),
                _ => None,
            },
        });
    }
    Ok(entries)
}

/// Adds the layouts of the types of a unit, and the parameters of functions whose symbols do not hold them.
fn collect(entries: &[Entry<'_>], named: &Named<'_>, layouts: &mut Layouts) {
    let places = entries.iter().map(|entry| entry.offset).zip(0..).collect();
    let types = Types { entries, places, named };
    let mut path: Vec<(isize, &[u8])> = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        while path.last().is_some_and(|(depth, _)| *depth >= entry.depth) {
            path.pop();
        }
        let is_type = entry.has_layout();
        let is_function = entry.tag == gimli::DW_TAG_subprogram && entry.symbol.starts_with(b"_R");
        let is_scope = [gimli::DW_TAG_namespace, gimli::DW_TAG_subprogram].contains(&entry.tag);
        if is_type && !entry.name.is_empty() || is_function {
            let name = if is_function {
                vec![entry.symbol]
            } else {
                path.iter().map(|(_, name)| *name).chain([entry.name]).collect()
            };
            let name = name.iter().map(|part| String::from_utf8_lossy(part)).collect::<Vec<_>>();
            let mut hasher = DefaultHasher::new();
            types.layout(at, &mut hasher);
            layouts.entry(name.join("::")).or_default().insert(hasher.finish());
        }
        if is_type || is_scope {
            path.push((entry.depth, entry.name));
        }
    }
}

struct Types<'e> {
    entries: &'e [Entry<'e>],
    places: HashMap<usize, usize>,
    named: &'e Named<'e>,
}

impl Types<'_> {
    /// Hashes the layout of a type, or the parameters of a function: of other types only the names, as each is compared itself.
    fn layout(&self, at: usize, hasher: &mut DefaultHasher) {
        let top = &self.entries[at];
        top.numbers.hash(hasher);
        self.type_name(top, 0, hasher);
        let inside = self.entries[at + 1..].iter().take_while(|entry| entry.depth > top.depth);
        // Types within a type are not a part of its layout, but variants of an enumeration are.
        let parts = [
            gimli::DW_TAG_member,
            gimli::DW_TAG_variant_part,
            gimli::DW_TAG_variant,
            gimli::DW_TAG_enumerator,
            gimli::DW_TAG_formal_parameter,
        ];
        let is_function = top.tag == gimli::DW_TAG_subprogram;
        for entry in inside.filter(|entry| parts.contains(&entry.tag)) {
            if is_function && entry.depth != top.depth + 1 {
                continue;
            }
            (entry.depth - top.depth, entry.tag.0).hash(hasher);
            if !is_function {
                (entry.name, &entry.numbers).hash(hasher);
            }
            self.type_name(entry, 0, hasher);
        }
    }

    /// Hashes the name of the type of an entry; that of what it points to where it has none.
    fn type_name(&self, entry: &Entry<'_>, depth: u32, hasher: &mut DefaultHasher) {
        let Some(offset) = entry.of else { return };
        let Some(found) = self.places.get(&offset).map(|place| &self.entries[*place]) else {
            if let Some((tag, name)) = self.named.get(&offset) {
                (tag.0, *name).hash(hasher);
            }
            return;
        };
        (found.tag.0, found.name).hash(hasher);
        if found.name.is_empty() && depth < 8 {
            found.numbers.hash(hasher);
            self.type_name(found, depth + 1, hasher);
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::{fs, process::Command};

    use super::*;

    fn library(members: &str, flag: &str) -> Vec<u8> {
        let folder = tempfile::tempdir().unwrap();
        let (text, object) = (folder.path().join("a.c"), folder.path().join("a.so"));
        let source = format!(
            "struct inner {{ int x; }};\nstruct pair {{ {members} }};\nenum kind {{ FIRST, SECOND }};\n\
             long sum(struct pair *pair, enum kind kind) {{ return sizeof *pair + kind; }}\n"
        );
        fs::write(&text, source).unwrap();
        let mut cc = Command::new("cc");
        cc.args(["-shared", "-fPIC", flag, "-o"]).arg(&object).arg(&text);
        assert!(cc.status().unwrap().success());
        fs::read(object).unwrap()
    }

    #[test]
    fn a_type_with_other_members_is_told_and_lines_are_not() {
        let base = library("int a; long b; struct inner *c;", "-g");
        assert_eq!(
            changed([&base, &library("int a;\n\n long b; struct inner *c;", "-g")]),
            Ok(None)
        );
        for members in [
            "long b; int a; struct inner *c;",
            "int a; long b; int *c;",
            "int a; long b; struct inner *c; char d;",
        ] {
            let found = changed([&base, &library(members, "-g")]).unwrap();
            assert_eq!(found.as_deref(), Some("`pair` has a different layout"), "{members}");
        }
        assert!(changed([&base, &library("int a;", "-g0")]).is_err());
        assert!(changed([b"", b""]).is_err());
    }
}
