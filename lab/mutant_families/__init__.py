"""The families of mutants of `lab/mutants`."""
