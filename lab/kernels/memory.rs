//! Allocation and moving of memory.

use std::{collections::LinkedList, rc::Rc};

/// A vector that grows.
pub fn growing(n: u64) -> u64 {
    let mut all = Vec::new();
    (0..n).for_each(|i| all.push(i ^ n));
    all.len() as u64 + all[all.len() / 2]
}

/// Boxes in a vector.
pub fn boxes(n: u64) -> u64 {
    let all: Vec<Box<u64>> = (0..n / 8).map(|i| Box::new(i * 5)).collect();
    all.iter().map(|one| **one).sum()
}

/// A tree of boxes.
pub fn tree(n: u64) -> u64 {
    let mut root = None;
    (0..n / 16).for_each(|i| insert(&mut root, i.wrapping_mul(0x9e37_79b9) % 4093));
    depth(&root)
}

struct Node(u64, Option<Box<Node>>, Option<Box<Node>>);

fn insert(place: &mut Option<Box<Node>>, value: u64) {
    match place {
        Some(node) if value < node.0 => insert(&mut node.1, value),
        Some(node) => insert(&mut node.2, value),
        None => *place = Some(Box::new(Node(value, None, None))),
    }
}

fn depth(place: &Option<Box<Node>>) -> u64 {
    place.as_ref().map_or(0, |node| 1 + depth(&node.1).max(depth(&node.2)))
}

/// Vectors of vectors, copied.
pub fn copies(n: u64) -> u64 {
    let all: Vec<Vec<u64>> = (0..n / 64).map(|i| vec![i; 16]).collect();
    all.clone().into_iter().flatten().sum()
}

/// The memory that stays after every third is dropped.
pub fn retained(n: u64) -> u64 {
    let mut all: Vec<u64> = (0..n).collect();
    all.retain(|value| value % 3 != 0);
    all.dedup_by_key(|value| *value / 4);
    all.len() as u64
}

/// Shared pointers, counted.
pub fn shared(n: u64) -> u64 {
    let one = Rc::new(n);
    let all: Vec<Rc<u64>> = (0..n / 8).map(|_| Rc::clone(&one)).collect();
    all.iter().map(|one| **one).sum::<u64>() + Rc::strong_count(&one) as u64
}

/// A list with links both ways.
pub fn links(n: u64) -> u64 {
    let mut list: LinkedList<u64> = (0..n / 8).collect();
    let mut rest = list.split_off(list.len() / 3);
    rest.append(&mut list);
    rest.iter().step_by(2).sum()
}

/// Parts of a vector, turned and filled.
pub fn turned(n: u64) -> u64 {
    let mut all: Vec<u32> = (0..n as u32).collect();
    all.rotate_left(n as usize / 3);
    all.chunks_mut(7).for_each(<[u32]>::reverse);
    all.windows(2).filter(|pair| pair[0] < pair[1]).count() as u64
}

/// Texts that own their memory, moved about.
pub fn moved(n: u64) -> u64 {
    let mut all: Vec<String> = (0..n / 32).map(|i| "x".repeat(i as usize % 9)).collect();
    all.swap_remove(0);
    all.drain(..n as usize / 64).map(|text| text.len() as u64).sum()
}

/// No kernel calls this.
pub fn spare_pairs(values: &[u64]) -> Vec<(u64, u64)> {
    values.chunks(2).map(|pair| (pair[0], *pair.last().unwrap_or(&0))).collect()
}

/// No kernel calls this either.
pub fn spare_flat(values: Vec<Vec<u64>>) -> Vec<u64> {
    let mut all: Vec<u64> = values.into_iter().flatten().collect();
    all.retain(|value| *value > 0);
    all
}
