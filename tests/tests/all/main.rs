//! Tests of whole programs that build no crate of a user but three small ones, as one program. Each program of tests
//! is linked with all that it tests, and cargo runs one after the other. The names of files describe their tests.

mod architecture;
mod attributes_counting;
mod attributes_forms;
mod axes;
mod baselines;
mod clock;
mod command_lines;
mod comparison_record;
mod completions;
mod contract;
mod documents;
mod export_import;
mod faults;
mod faults_hostile;
mod habits;
mod history;
mod hostile_names;
mod hostile_texts;
mod in_process;
mod init;
mod loaders;
mod pages;
mod phases;
mod placement;
mod report;
mod report_kept;
mod report_shapes;
mod same_numbers;
mod study_advice;
mod study_algorithms;
mod study_records;
mod tallies;
mod until_decided;
mod whole_programs;
mod without_runner;
