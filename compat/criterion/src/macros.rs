//! The two macros of a bench file.

/// Makes a function that runs bench functions with a [`Criterion`](crate::Criterion).
///
/// ```
/// use criterion::{Criterion, criterion_group};
///
/// fn addition(c: &mut Criterion) {
///     c.bench_function("addition", |b| b.iter(|| 1 + 1));
/// }
///
/// criterion_group!(short, addition);
/// criterion_group! {
///     name = long;
///     config = Criterion::default().sample_size(50);
///     targets = addition
/// }
/// ```
#[macro_export]
macro_rules! criterion_group {
    (name = $name:ident; config = $config:expr; targets = $($target:path),+ $(,)*) => {
        /// Runs the bench functions of this group.
        pub fn $name() {
            $crate::__private::group(
                || $config.configure_from_args(),
                &const {
                    $crate::__private::Sections::new(&[$(&const {
                        $crate::__private::Listed::new(|group| {
                            static OWN: u8 = 0;
                            $target(group.criterion(&OWN));
                        })
                    }),+])
                },
            );
        }
    };
    ($name:ident, $($target:path),+ $(,)*) => {
        $crate::criterion_group! {
            name = $name;
            config = $crate::Criterion::default();
            targets = $($target),+
        }
    };
}

/// Makes the `main` function of a bench target from its groups.
///
/// ```
/// use criterion::{Criterion, criterion_group, criterion_main};
///
/// fn addition(c: &mut Criterion) {
///     c.bench_function("addition", |b| b.iter(|| 1 + 1));
/// }
///
/// criterion_group!(benches, addition);
/// criterion_main!(benches);
/// ```
#[macro_export]
macro_rules! criterion_main {
    ($($group:path),+ $(,)*) => {
        const _: () = {
            $crate::__private::inventory::submit! {
                $crate::__private::Entry {
                    mark: $crate::__private::ENTRY_MARK,
                    module: ::core::module_path!(),
                    name: "criterion_main!",
                    file: ::core::file!(),
                    line: ::core::line!(),
                    column: ::core::column!(),
                    combination: 0,
                    metrics: ::core::option::Option::None,
                    package: $crate::__private::package_name!(),
                    options: <$crate::__private::Options as ::core::default::Default>::default,
                    subject: $crate::__private::Subject::Registered(
                        $crate::__private::RegisteredSubject {
                            register: |registry| {
                                $crate::__private::register(
                                    registry,
                                    &const {
                                        $crate::__private::Sections::new(&[
                                            $(&const {
                                                $crate::__private::Listed::new(|called| {
                                                    static OWN: u8 = 0;
                                                    called.by(&OWN);
                                                    $group();
                                                })
                                            }),+
                                        ])
                                    },
                                );
                            },
                            prefixed: false,
                        },
                    ),
                }
            }
        };

        fn main() -> ::std::process::ExitCode {
            $crate::__private::run(
                &$crate::__private::package_name!().text(),
                ::core::module_path!(),
            )
        }
    };
}
