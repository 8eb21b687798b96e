use plusminus::bench;

#[bench]
fn which_types<T: Default>() -> T {
    T::default()
}

#[bench]
fn which_constants<const N: usize>() -> [u8; N] {
    [0; N]
}

#[bench(types = [u8])]
fn no_types() {}

#[bench(types = u8)]
fn no_list<T: Default>() -> T {
    T::default()
}

#[bench(types = [u8, std::fs::File])]
fn unfit<T: Default>() -> T {
    T::default()
}

#[bench(types = [u8])]
fn two_types<A: Default, B: Default>() -> (A, B) {
    Default::default()
}

#[bench(types = [])]
fn nothing<T: Default>() -> T {
    T::default()
}

#[bench(consts = ["three"])]
fn unfit_constant<const N: usize>() -> [u8; N] {
    [0; N]
}

fn main() {}
