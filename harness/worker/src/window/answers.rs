//! Compares the outputs of variants with each other where their problem has no check.

use std::{any::Any, cell::RefCell};

use crate::protocol::{Outputs, Unlike};

/// Returns whether two outputs of a problem are equal; `None` if one of them is not even equal to itself, such as NaN.
pub type Compare = fn(&dyn Any, &dyn Any) -> Option<bool>;

pub(crate) struct Compared {
    pub(crate) name: String,
    /// `None` if the type of its outputs cannot be compared.
    pub(crate) compare: Option<Compare>,
}

/// Variant, instance and output.
type First = (usize, usize, Box<dyn Any>);

thread_local! {
    /// The first output on the instance that was heard of last. It stays on the thread of variants: all else of a session goes with
    /// its bencher, which a function may take into the thread of a pool.
    static FIRST: RefCell<Option<First>> = const { RefCell::new(None) };
}

/// The findings so far on the outputs of the loaded variants.
#[derive(Default)]
pub(crate) struct Comparison {
    variants: Vec<Compared>,
    instances: Vec<String>,
    /// Variants that were compared with the first one on the instance.
    others: Vec<usize>,
    /// Whether an output was not checked, and whether any was compared.
    unchecked: bool,
    compared: bool,
    unlike: Vec<Unlike>,
}

impl Comparison {
    /// Of these variants on these instances.
    pub(crate) fn of(variants: Vec<Compared>, instances: Vec<String>) -> Self {
        FIRST.take();
        Self { variants, instances, ..Self::default() }
    }

    /// Takes an output that was not checked; `None` where it lives on a different thread.
    pub(crate) fn hear(&mut self, variant: usize, instance: usize, output: Option<Box<dyn Any>>) {
        self.unchecked = true;
        let (Some(output), Some(compared)) = (output, self.variants.get(variant)) else { return };
        let Some(compare) = compared.compare else { return };
        match FIRST.take() {
            Some((first, of, kept)) if of == instance && first == variant => {
                FIRST.set(Some((first, of, kept)));
            }
            Some((first, of, kept)) if of == instance => {
                let equal = compare(kept.as_ref(), output.as_ref());
                self.compared |= equal.is_some();
                if equal == Some(false) {
                    self.note(first, variant, instance);
                }
                if !self.others.contains(&variant) {
                    self.others.push(variant);
                }
                // Nothing is kept in memory while the last variants are timed.
                if self.others.len() + 1 == self.variants.len() {
                    self.others.clear();
                } else {
                    FIRST.set(Some((first, of, kept)));
                }
            }
            _ => {
                self.others.clear();
                FIRST.set((self.variants.len() > 1).then_some((variant, instance, output)));
            }
        }
    }

    /// Notes the first instance on which two variants differ.
    fn note(&mut self, first: usize, second: usize, instance: usize) {
        let name = |variant: usize| self.variants[variant].name.clone();
        let (first, second) = (name(first), name(second));
        let is_known = |known: &Unlike| known.first == first && known.second == second;
        if !self.unlike.iter().any(is_known) {
            let instance = self.instances.get(instance).cloned().unwrap_or_default();
            self.unlike.push(Unlike { first, second, instance });
        }
    }

    pub(crate) fn take(&mut self) -> Outputs {
        let found = Outputs {
            unchecked: self.unchecked && !self.compared,
            unlike: std::mem::take(&mut self.unlike),
        };
        (self.unchecked, self.compared) = (false, false);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(variants: usize) -> Comparison {
        let compare: Compare = |a, b| {
            let (a, b) = (a.downcast_ref::<f64>()?, b.downcast_ref::<f64>()?);
            (!a.is_nan() && !b.is_nan()).then_some(a == b)
        };
        let variant = |index| Compared { name: format!("v{index}"), compare: Some(compare) };
        Comparison::of((0..variants).map(variant).collect(), vec!["i".to_owned(), "j".to_owned()])
    }

    fn hear(answers: &mut Comparison, variant: usize, instance: usize, output: f64) {
        answers.hear(variant, instance, Some(Box::new(output)));
    }

    #[test]
    fn the_first_instance_on_which_two_variants_differ_is_named_once() {
        let mut answers = answers(3);
        for (variant, instance, output) in
            [(2, 0, 1.0), (0, 0, 1.0), (1, 0, 1.0), (1, 1, 2.0), (0, 1, 3.0), (2, 1, 2.0)]
        {
            hear(&mut answers, variant, instance, output);
            hear(&mut answers, variant, instance, output);
        }
        let text = |text: &str| text.to_owned();
        let unlike = Unlike { first: text("v1"), second: text("v0"), instance: text("j") };
        assert_eq!(answers.take(), Outputs { unchecked: false, unlike: vec![unlike] });
        assert_eq!(answers.take(), Outputs::default());
    }

    #[test]
    fn outputs_are_dropped_when_all_variants_were_heard() {
        let mut answers = answers(2);
        hear(&mut answers, 0, 0, 1.0);
        assert!(FIRST.with_borrow(Option::is_some));
        hear(&mut answers, 1, 0, 1.0);
        assert!(FIRST.with_borrow(Option::is_none));
    }

    #[test]
    fn what_cannot_be_compared_is_unchecked() {
        let unchecked = |mut answers: Comparison, outputs: &[f64]| {
            for (variant, &output) in outputs.iter().enumerate() {
                hear(&mut answers, variant, 0, output);
            }
            answers.take()
        };
        let nothing = Outputs { unchecked: true, unlike: Vec::new() };
        assert_eq!(unchecked(answers(2), &[f64::NAN, 1.0]), nothing);
        assert_eq!(unchecked(answers(1), &[1.0]), nothing, "one variant alone");
        let mut other = answers(2);
        other.variants.iter_mut().for_each(|variant| variant.compare = None);
        assert_eq!(unchecked(other, &[1.0, 2.0]), nothing, "a type without equality");
        let mut elsewhere = answers(2);
        elsewhere.hear(0, 0, None);
        assert_eq!(elsewhere.take(), nothing, "outputs of different threads");
    }
}
