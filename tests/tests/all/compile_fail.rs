//! What is wrong with an attribute is said at the word that is wrong, with what to write instead.

#[test]
fn mistakes_are_explained_where_they_are() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("compile-fail/*.rs");
}
