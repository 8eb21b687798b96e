//! Tests of the papers as one program: each program of tests is linked with all that it tests. Files say what they test.

mod apex_study;
mod pages;
