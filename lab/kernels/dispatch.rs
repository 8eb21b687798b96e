//! Calls that are decided while the program runs.

use std::hint::black_box;

trait Shape {
    fn area(&self) -> u64;
    fn name(&self) -> &'static str {
        "shape"
    }
}

struct Square(u64);
struct Strip(u64, u64);

impl Shape for Square {
    fn area(&self) -> u64 {
        self.0 * self.0
    }
}

impl Shape for Strip {
    fn area(&self) -> u64 {
        self.0.wrapping_mul(self.1)
    }
    fn name(&self) -> &'static str {
        "strip"
    }
}

fn shapes(n: u64) -> Vec<Box<dyn Shape>> {
    let one = |i: u64| -> Box<dyn Shape> { if i % 3 == 0 { Box::new(Square(i)) } else { Box::new(Strip(i, 3)) } };
    (0..n / 16).map(one).collect()
}

/// Methods of trait objects.
pub fn areas(n: u64) -> u64 {
    shapes(n).iter().map(|shape| shape.area()).sum()
}

/// A method that one of them inherits.
pub fn names(n: u64) -> u64 {
    shapes(n).iter().map(|shape| shape.name().len() as u64).sum()
}

/// Functions behind pointers.
pub fn pointers(n: u64) -> u64 {
    let table: [fn(u64) -> u64; 3] = [|x| x + 1, |x| x ^ 77, |x| x.rotate_left(3)];
    let table = black_box(table);
    (0..n).fold(n, |x, i| table[i as usize % 3](x))
}

/// Closures in boxes.
pub fn closures(n: u64) -> u64 {
    let all: Vec<Box<dyn Fn(u64) -> u64>> = (0..8_u64).map(|k| Box::new(move |x: u64| x * k + 1) as Box<dyn Fn(u64) -> u64>).collect();
    (0..n).map(|i| all[i as usize % 8](i)).fold(0, u64::wrapping_add)
}

/// A machine of few instructions.
pub fn machine(n: u64) -> u64 {
    let program = black_box([Step::Add(3), Step::Twist, Step::Back(9), Step::Half]);
    (0..n).fold(n, |x, i| match program[i as usize % 4] {
        Step::Add(k) => x.wrapping_add(k),
        Step::Twist => x.rotate_left(11),
        Step::Back(k) => x ^ (x >> k),
        Step::Half => x / 2 + i,
    })
}

#[derive(Clone, Copy)]
enum Step {
    Add(u64),
    Twist,
    Back(u32),
    Half,
}

/// An iterator of which the kind is not known.
pub fn iterator(n: u64) -> u64 {
    let evens: Box<dyn Iterator<Item = u64>> =
        if black_box(true) { Box::new((0..n).filter(|i| i % 2 == 0)) } else { Box::new(0..n) };
    evens.map(|i| i * i).fold(0, u64::wrapping_add)
}

/// A generic function for three types.
pub fn generic(n: u64) -> u64 {
    folded(0..n) + folded(0..n as u32) + folded((0..n as u16).map(|i| i / 2))
}

fn folded<T: Into<u64>>(values: impl Iterator<Item = T>) -> u64 {
    values.map(|value| black_box(value.into()) ^ 5).fold(1, |a, b| a.wrapping_mul(3) ^ b)
}

/// Errors that are handed up.
pub fn errors(n: u64) -> u64 {
    (0..n / 4).filter_map(|i| checked(i).ok()).sum()
}

fn checked(x: u64) -> Result<u64, Box<dyn std::error::Error>> {
    if x % 5 == 0 { Err("a multiple".into()) } else { Ok(x.checked_mul(7).ok_or("too large")?) }
}

/// A comparison that is given.
pub fn compared(n: u64) -> u64 {
    let orders: [fn(&u64, &u64) -> std::cmp::Ordering; 2] = [|a, b| a.cmp(b), |a, b| (b % 64).cmp(&(a % 64))];
    let mut all: Vec<u64> = (0..n / 8).map(|i| i * 7919 % 1009).collect();
    black_box(orders).iter().for_each(|order| all.sort_by(order));
    all[all.len() / 2]
}

/// No kernel calls this.
pub fn spare_apply(f: &dyn Fn(u64) -> u64, times: u64) -> u64 {
    (0..times).fold(0, |x, _| f(x))
}

/// No kernel calls this either.
pub fn spare_boxed(n: u64) -> Box<dyn Iterator<Item = u64>> {
    Box::new((0..n).map(|i| i + 1))
}
