//! What the code that attributes generate calls. Public for that reason only; nothing here is stable.

use std::{any::Any, fmt};

use super::entry::TypedInput;
pub use super::{Entry, FunctionSubject, Point, ProblemSubject, Role, Subject, VariantSubject};
pub use crate::options::{IntoDuration, Options};
use crate::{
    Problem,
    worker::{RawSample, WrongAnswer, take_sample},
};
pub use inventory;

/// The typed data that a problem's own `load` has made.
fn typed<P: Problem>(loaded: &dyn Any) -> &TypedInput<P> {
    loaded.downcast_ref().expect("the worker hands a variant the data of its own problem")
}

/// Samples a variant that borrows its instance.
pub fn sample_by_reference<P: Problem>(
    loaded: &dyn Any,
    instance: usize,
    calls: u64,
    check: bool,
    kernel: impl Fn(&P::Input, &P::Instance) -> P::Output,
) -> Result<RawSample, WrongAnswer> {
    let TypedInput { input, instances } = typed::<P>(loaded);
    let instance = &instances[instance];
    take_sample(
        calls,
        || (),
        |()| kernel(input, std::hint::black_box(instance)),
        check.then_some(|output: &P::Output| P::check(input, instance, output)),
    )
}

/// Samples a variant that takes its instance by value and gets a fresh copy for each call, made outside the window.
pub fn sample_by_value<P: Problem<Instance: Clone>>(
    loaded: &dyn Any,
    instance: usize,
    calls: u64,
    check: bool,
    kernel: impl Fn(&P::Input, P::Instance) -> P::Output,
) -> Result<RawSample, WrongAnswer> {
    let TypedInput { input, instances } = typed::<P>(loaded);
    let instance = &instances[instance];
    take_sample(
        calls,
        || instance.clone(),
        |copy| kernel(input, copy),
        check.then_some(|output: &P::Output| P::check(input, instance, output)),
    )
}

/// Samples a variant that changes its instance in place: each call gets a fresh copy, made and dropped outside the
/// window.
pub fn sample_by_mutable_reference<P: Problem<Instance: Clone>>(
    loaded: &dyn Any,
    instance: usize,
    calls: u64,
    check: bool,
    kernel: impl Fn(&P::Input, &mut P::Instance) -> P::Output,
) -> Result<RawSample, WrongAnswer> {
    let TypedInput { input, instances } = typed::<P>(loaded);
    let instance = &instances[instance];
    take_sample(
        calls,
        || instance.clone(),
        |mut copy| {
            let output = kernel(input, &mut copy);
            (output, copy)
        },
        check.then_some(|(output, _): &(P::Output, P::Instance)| P::check(input, instance, output)),
    )
}

/// Finds the name of an argument: its `Display` form if there is one, else its `Debug` form.
///
/// The method that the compiler finds first wins, which is the one that needs fewer references.
pub struct Named<'a, T: ?Sized>(pub &'a T);

/// The name of an argument that can be displayed.
pub trait NameByDisplay {
    /// The name.
    fn argument_name(&self) -> String;
}

impl<T: fmt::Display + ?Sized> NameByDisplay for Named<'_, T> {
    fn argument_name(&self) -> String {
        self.0.to_string()
    }
}

/// The name of an argument that can only be debug-printed.
pub trait NameByDebug {
    /// The name.
    fn argument_name(&self) -> String;
}

impl<T: fmt::Debug + ?Sized> NameByDebug for &Named<'_, T> {
    fn argument_name(&self) -> String {
        format!("{:?}", self.0)
    }
}
