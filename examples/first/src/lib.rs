//! Sorts by insertion: fast for few numbers, and slow for many.

/// Sorts numbers in place.
pub fn insertion_sort(numbers: &mut [u32]) {
    for end in 1..numbers.len() {
        let mut at = end;
        while at > 0 && numbers[at - 1] > numbers[at] {
            numbers.swap(at - 1, at);
            at -= 1;
        }
    }
}

#[test]
fn numbers_are_sorted() {
    let mut numbers = [3, 1, 2];
    insertion_sort(&mut numbers);
    assert_eq!(numbers, [1, 2, 3]);
}
