//! Calls that attributes generate. Public for that reason only; nothing here is stable.

use std::{any::Any, cell::RefCell, fmt, hint::black_box, marker::PhantomData, rc::Rc};

use super::entry::TypedInput;
pub use super::{
    ENTRY_MARK, Entry, FunctionSubject, GROUP_MARK, Group, LIST_MARK, Listed, PackageName, Point,
    ProblemSubject, RUN_MARK, RegisteredSubject, Registry, SECTION_MARK, Sections, Subject,
    VariantSubject,
};
pub use crate::{
    Bencher, Executor, Problem, Window, Work,
    libtest_bencher::by_reference,
    metric::{Metric, Metrics},
    options::{IntoCounts, IntoDuration, IntoIgnore, Options, literal_launcher},
    package_name,
    protocol::{RawSample, Role, Tally},
    text::quantity::{literal_percent, literal_time},
    window::{Ask, Compare, WrongAnswer},
};
use crate::{
    problem,
    window::{take_async_sample, take_sample, take_shared_sample},
};
pub use inventory;

/// The input of a problem and the instance that is asked for.
pub fn asked_for<'l, P: Problem>(
    loaded: &'l dyn Any,
    ask: &Ask<'_>,
) -> (&'l P::Input, &'l P::Instance) {
    input_and_instance::<P>(loaded, ask.instance)
}

fn input_and_instance<P: Problem>(loaded: &dyn Any, index: usize) -> (&P::Input, &P::Instance) {
    let loaded = loaded.downcast_ref::<TypedInput<P>>();
    let TypedInput { input, instances } =
        loaded.expect("the worker hands a variant the data of its own problem");
    (input, &instances[index])
}

/// Counts one solution; nothing of it is timed.
pub fn tally<P: Problem>(
    loaded: &dyn Any,
    instance: usize,
    count: impl Fn(&P::Input, &P::Instance) -> Vec<Tally>,
) -> Vec<Tally> {
    let (input, instance) = input_and_instance::<P>(loaded, instance);
    count(input, instance)
}

/// An output that no check has looked at, while it waits to be compared.
type Kept = Option<Box<dyn Any>>;

/// Checks an output, and keeps it if the problem has no check.
fn judge<P: Problem>(
    (input, instance): (&P::Input, &P::Instance),
    output: P::Output,
    kept: &mut Kept,
) -> Result<(), String> {
    P::check(input, instance, &output)?;
    if problem::is_unchecked() {
        *kept = Some(Box::new(output));
    }
    Ok(())
}

/// Hands on an output of this sample that was not checked.
fn hear(ask: &mut Ask<'_>, kept: Kept) {
    if ask.check && problem::take_unchecked() {
        ask.windows.answers.hear(ask.case, ask.instance, kept);
    }
}

/// Samples a variant that borrows its instance.
pub fn sample_by_reference<P: Problem>(
    loaded: &dyn Any,
    ask: &mut Ask<'_>,
    kernel: impl Fn(&P::Input, &P::Instance) -> P::Output,
) -> Result<RawSample, WrongAnswer> {
    let (input, instance) = input_and_instance::<P>(loaded, ask.instance);
    let (check, mut kept) = (ask.check, None);
    let sample = take_sample(
        ask,
        || (),
        &mut |()| kernel(input, black_box(instance)),
        check.then_some(|output| judge::<P>((input, instance), output, &mut kept)),
    )?;
    hear(ask, kept);
    Ok(sample)
}

/// Samples a variant that takes its instance by value and gets a fresh copy for each call, made outside the window.
pub fn sample_by_value<P: Problem<Instance: Clone>>(
    loaded: &dyn Any,
    ask: &mut Ask<'_>,
    kernel: impl Fn(&P::Input, P::Instance) -> P::Output,
) -> Result<RawSample, WrongAnswer> {
    let (input, instance) = input_and_instance::<P>(loaded, ask.instance);
    let (check, mut kept) = (ask.check, None);
    let sample = take_sample(
        ask,
        || instance.clone(),
        &mut |copy| kernel(input, copy),
        check.then_some(|output| judge::<P>((input, instance), output, &mut kept)),
    )?;
    hear(ask, kept);
    Ok(sample)
}

/// Samples a variant that changes its instance in place: each call gets a fresh copy, made and dropped outside the
/// window.
pub fn sample_by_mutable_reference<P: Problem<Instance: Clone>>(
    loaded: &dyn Any,
    ask: &mut Ask<'_>,
    kernel: impl Fn(&P::Input, &mut P::Instance) -> P::Output,
) -> Result<RawSample, WrongAnswer> {
    let (input, instance) = input_and_instance::<P>(loaded, ask.instance);
    let (check, mut kept) = (ask.check, None);
    let sample = take_sample(
        ask,
        || instance.clone(),
        &mut |mut copy| {
            let output = kernel(input, &mut copy);
            (output, copy)
        },
        check.then_some(|(output, _)| judge::<P>((input, instance), output, &mut kept)),
    )?;
    hear(ask, kept);
    Ok(sample)
}

/// Like [`sample_by_reference`], by several threads at once.
pub fn share_by_reference<P: Problem<Input: Sync, Instance: Sync>>(
    loaded: &dyn Any,
    ask: &mut Ask<'_>,
    kernel: impl Fn(&P::Input, &P::Instance) -> P::Output + Sync,
) -> Result<RawSample, WrongAnswer> {
    let (input, instance) = input_and_instance::<P>(loaded, ask.instance);
    let check = ask.check;
    let sample = take_shared_sample(
        ask,
        || (),
        &mut |()| kernel(input, black_box(instance)),
        check.then_some(|output| P::check(input, instance, &output)),
    )?;
    hear(ask, None);
    Ok(sample)
}

/// Like [`sample_by_value`], by several threads at once.
pub fn share_by_value<P: Problem<Input: Sync, Instance: Sync + Clone>>(
    loaded: &dyn Any,
    ask: &mut Ask<'_>,
    kernel: impl Fn(&P::Input, P::Instance) -> P::Output + Sync,
) -> Result<RawSample, WrongAnswer> {
    let (input, instance) = input_and_instance::<P>(loaded, ask.instance);
    let check = ask.check;
    let sample = take_shared_sample(
        ask,
        || instance.clone(),
        &mut |copy| kernel(input, copy),
        check.then_some(|output| P::check(input, instance, &output)),
    )?;
    hear(ask, None);
    Ok(sample)
}

/// Like [`sample_by_mutable_reference`], by several threads at once.
pub fn share_by_mutable_reference<P: Problem<Input: Sync, Instance: Sync + Clone>>(
    loaded: &dyn Any,
    ask: &mut Ask<'_>,
    kernel: impl Fn(&P::Input, &mut P::Instance) -> P::Output + Sync,
) -> Result<RawSample, WrongAnswer> {
    let (input, instance) = input_and_instance::<P>(loaded, ask.instance);
    let check = ask.check;
    let sample = take_shared_sample(
        ask,
        || instance.clone(),
        &mut |mut copy| {
            let output = kernel(input, &mut copy);
            (output, copy)
        },
        check.then_some(|(output, _): (P::Output, P::Instance)| P::check(input, instance, &output)),
    )?;
    hear(ask, None);
    Ok(sample)
}

/// Samples an `async` variant; `kernel` calls it on the input and the instance that were looked up.
pub fn sample_async<P: Problem, F: Future<Output = P::Output>>(
    (input, instance): (&P::Input, &P::Instance),
    ask: &mut Ask<'_>,
    executor: &dyn Executor,
    kernel: impl FnMut() -> F,
) -> Result<RawSample, WrongAnswer> {
    let (check, mut kept) = (ask.check, None);
    let judge = |output| judge::<P>((input, instance), output, &mut kept);
    let sample = take_async_sample(ask, kernel, executor, check.then_some(judge))?;
    hear(ask, kept);
    Ok(sample)
}

/// Finds out whether the outputs of a problem can be compared.
///
/// As with [`Argument`], the compiler takes the first of the traits below that fits.
pub struct OutputsOf<T>(PhantomData<T>);

impl<T> OutputsOf<T> {
    /// The outputs of this type.
    pub const HERE: Self = Self(PhantomData);
}

/// Outputs with `PartialEq`.
pub trait CompareByEquality {
    /// Returns the function that compares two of them; `None` for a type without any content.
    fn comparison(&self) -> Option<Compare>;
}

impl<T: PartialEq + 'static> CompareByEquality for OutputsOf<T> {
    fn comparison(&self) -> Option<Compare> {
        (size_of::<T>() > 0).then_some(|a: &dyn Any, b: &dyn Any| {
            let (a, b) = (a.downcast_ref::<T>()?, b.downcast_ref::<T>()?);
            // A value that is not equal to itself, such as NaN, cannot show whether outputs differ.
            let is_itself = |value: &T| value == black_box(value);
            if a == b { Some(true) } else { (is_itself(a) && is_itself(b)).then_some(false) }
        })
    }
}

/// Outputs without it.
pub trait CompareNothing {
    /// `None`.
    fn comparison(&self) -> Option<Compare>;
}

impl<T> CompareNothing for &OutputsOf<T> {
    fn comparison(&self) -> Option<Compare> {
        None
    }
}

/// The value that a benchmark makes once in each process, such as its executor.
pub fn once<T: 'static>(key: &'static str, make: impl FnOnce() -> T) -> Rc<T> {
    thread_local! {
        static MADE: RefCell<Vec<(&'static str, Rc<dyn Any>)>> = const { RefCell::new(Vec::new()) };
    }
    if let Some(made) = MADE.with_borrow(|all| {
        Some(all.iter().find(|(of, made)| *of == key && made.is::<T>())?.1.clone())
    }) && let Ok(made) = made.downcast()
    {
        return made;
    }
    let made = Rc::new(make());
    MADE.with_borrow_mut(|all| all.push((key, made.clone())));
    made
}

/// The bencher as the function takes it; other harnesses have another one.
pub fn bencher(bencher: Bencher<'_>) -> Bencher<'_> {
    bencher
}

/// An argument, to be named and to be passed on.
///
/// The traits below are chosen by how many references the compiler has to add: it takes the first that fits.
pub struct Argument<'a, T: ?Sized>(pub &'a T);

/// The name of an argument that can be displayed.
pub trait NameByDisplay {
    /// The name.
    fn argument_name(&self) -> String;
}

impl<T: fmt::Display + ?Sized> NameByDisplay for Argument<'_, T> {
    fn argument_name(&self) -> String {
        self.0.to_string()
    }
}

/// The name of an argument that can only be debug-printed.
pub trait NameByDebug {
    /// The name.
    fn argument_name(&self) -> String;
}

impl<T: fmt::Debug + ?Sized> NameByDebug for &Argument<'_, T> {
    fn argument_name(&self) -> String {
        format!("{:?}", self.0)
    }
}

/// The name of an argument by a function of the user.
pub fn name_by<T, N: fmt::Display>(argument: &T, name: impl FnOnce(&T) -> N) -> String {
    name(argument).to_string()
}

/// An item of `args`: an argument of the function, or a reference to one.
#[diagnostic::on_unimplemented(
    message = "`args` has items of type `{Self}`, and the function takes `{T}`",
    label = "items have to be what the function takes, or references to values that can be copied"
)]
pub trait IntoArgument<T> {
    /// The argument.
    fn into_argument(self) -> T;
}

impl<T> IntoArgument<T> for T {
    fn into_argument(self) -> T {
        self
    }
}

impl<T: Copy> IntoArgument<T> for &T {
    fn into_argument(self) -> T {
        *self
    }
}

impl<T: Copy> IntoArgument<T> for &&T {
    fn into_argument(self) -> T {
        **self
    }
}

/// Passes a copy to each call.
pub trait PassCopy<T> {
    /// Measures the kernel.
    fn bench_by_value<O>(&self, bencher: Bencher<'_>, kernel: impl Fn(T) -> O + Sync);
}

impl<T: Copy + Sync> PassCopy<T> for Argument<'_, T> {
    fn bench_by_value<O>(&self, bencher: Bencher<'_>, kernel: impl Fn(T) -> O + Sync) {
        let argument = self.0;
        bencher.bench_shared(|| kernel(*black_box(argument)));
    }
}

/// Passes a clone to each call, made outside the window.
pub trait PassClone<T> {
    /// Measures the kernel.
    fn bench_by_value<O>(&self, bencher: Bencher<'_>, kernel: impl Fn(T) -> O + Sync);
}

impl<T: Clone + Sync> PassClone<T> for &Argument<'_, T> {
    fn bench_by_value<O>(&self, bencher: Bencher<'_>, kernel: impl Fn(T) -> O + Sync) {
        let argument = self.0;
        bencher.with_inputs(|| argument.clone()).bench_values_shared(kernel);
    }
}

/// Passes the argument by reference to each call.
pub fn bench_by_reference<T: Sync, O>(
    argument: &T,
    bencher: Bencher<'_>,
    kernel: impl Fn(&T) -> O + Sync,
) {
    bencher.bench_shared(|| kernel(black_box(argument)));
}

/// How many items, bytes or bits: any number.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a count",
    label = "write a number, or something with the arguments such as `n * size_of::<u64>()`"
)]
pub trait IntoCount {
    /// The count as a floating-point number.
    fn into_count(self) -> f64;
}

macro_rules! counts {
    ($($number:ty),*) => {
        $(impl IntoCount for $number {
            fn into_count(self) -> f64 {
                self as f64
            }
        }

        impl IntoCount for &$number {
            fn into_count(self) -> f64 {
                *self as f64
            }
        })*
    };
}

counts!(u8, u16, u32, u64, usize, i32, i64, f32, f64);
