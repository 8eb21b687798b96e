//! The compiler's messages about attributes. A mistake is reported at the wrong word with the right one. A correct
//! attribute causes no message, whatever lints are on.

use plusminus_tests::Fixture;

#[test]
fn mistakes_are_explained_where_they_are() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("compile-fail/*.rs");
}

#[test]
fn strict_lints_stay_quiet() {
    let fixture = Fixture::new("attributes", "strict_lints");
    // Its own lints are errors: all that is generated passes them.
    let outcome = fixture.cargo(&["clippy", "--bench", "quiet", "--bench", "forms"]);
    outcome.exits(0);
    fixture.cargo(&["test", "--bench", "quiet"]).exits(0).says("test group::other ... ok");
}
