//! The program `cargo plusminus`.

fn main() -> std::process::ExitCode {
    cargo_plusminus::run()
}
