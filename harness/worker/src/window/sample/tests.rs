use std::{cell::Cell, rc::Rc};

use super::*;

type NoCheck<O> = fn(O) -> Result<(), String>;

fn take_sample<I, O, C: FnOnce(O) -> Result<(), String>>(
    calls: u64,
    make_input: impl FnMut() -> I,
    mut kernel: impl FnMut(I) -> O,
    check: Option<C>,
) -> Result<RawSample, WrongAnswer> {
    super::take_sample(&mut Windows::default().ask(calls), make_input, &mut kernel, check)
}

#[test]
fn every_call_gets_an_input_and_every_output_is_dropped_once() {
    struct Output(Rc<Cell<u32>>);
    impl Drop for Output {
        fn drop(&mut self) {
            self.0.set(self.0.get() + 1);
        }
    }
    for calls in [1, 2, 1000, 10_000] {
        let (made, called, dropped) = (Cell::new(0), Cell::new(0), Rc::new(Cell::new(0)));
        take_sample(
            calls,
            || made.set(made.get() + 1),
            |()| {
                let windows = called.get() / HELD as u32;
                let in_window = (calls as u32).min((windows + 1) * HELD as u32);
                assert_eq!(made.get(), in_window, "inputs come before the first call of a window");
                let before = windows * HELD as u32;
                assert_eq!(dropped.get(), before, "no output is dropped inside its window");
                called.set(called.get() + 1);
                Output(dropped.clone())
            },
            None::<NoCheck<Output>>,
        )
        .unwrap();
        assert_eq!(
            (made.get(), called.get(), dropped.get()),
            (calls as u32, calls as u32, calls as u32)
        );
    }
}

#[test]
fn the_check_sees_the_last_output() {
    let count = Cell::new(0_u32);
    let next = |()| {
        count.set(count.get() + 1);
        count.get()
    };
    let refuse = |last: u32| Err(format!("{last} is wrong"));
    assert_eq!(take_sample(3, || (), next, Some(refuse)), Err(WrongAnswer("3 is wrong".into())));
    let boxed = take_sample(2, || (), |()| vec![7], Some(|o: Vec<i32>| Err(format!("{}", o[0]))));
    assert_eq!(boxed, Err(WrongAnswer("7".into())));
}

#[test]
fn only_what_has_to_wait_divides_a_sample_into_windows() {
    let windows = |sample: Result<RawSample, WrongAnswer>| sample.unwrap().windows;
    let calls = 100_000;
    let plain = take_sample(calls, || (), |()| 1_u64, None::<NoCheck<u64>>);
    assert_eq!(windows(plain), 1);
    let boxed = take_sample(calls, || (), |()| Some(Box::new(1)), None::<NoCheck<_>>);
    assert_eq!(windows(boxed), calls.div_ceil(HELD as u64));
    let copied = take_sample(calls, || [0_u8; 1024], |a| a[0], None::<NoCheck<u8>>);
    assert_eq!(windows(copied), calls.div_ceil((HELD_BYTES / 1024) as u64));
}

#[test]
fn inputs_that_cannot_live_together_are_made_one_by_one() {
    for at_once in [1, 7] {
        let alive = Cell::new(0_usize);
        struct Input<'a>(&'a Cell<usize>);
        impl Drop for Input<'_> {
            fn drop(&mut self) {
                self.0.set(self.0.get() - 1);
            }
        }
        let make = || {
            alive.set(alive.get() + 1);
            assert!(alive.get() <= at_once);
            Input(&alive)
        };
        let mut windows = Windows::default();
        let ask = &mut Ask { at_once, ..windows.ask(100) };
        let sample = super::take_sample(ask, make, &mut |input| input, None::<NoCheck<Input<'_>>>);
        assert_eq!(sample.unwrap().windows, 100_u64.div_ceil(at_once as u64));
        assert_eq!(alive.get(), 0);
    }
}

#[test]
fn a_kernel_that_times_itself_is_believed() {
    let mut asked = Vec::new();
    let sample = take_custom_sample(&mut Windows::default().ask(7), &mut |calls| {
        asked.push(calls);
        std::time::Duration::from_nanos(700)
    });
    assert_eq!((sample.wall_ns, sample.cpu_ns, asked), (700, None, vec![7]));
}

#[test]
fn zero_calls_are_taken_as_one() {
    let count = Cell::new(0);
    take_sample(0, || (), |()| count.set(count.get() + 1), None::<NoCheck<()>>).unwrap();
    assert_eq!(count.get(), 1);
}
