//! The block of results that Graph500 wants, by its field names.

use std::fmt::{self, Write};

use super::Statistics;

/// The measurements of one kernel, root by root.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct KernelTimes {
    /// Seconds of each search.
    pub search_seconds: Vec<f64>,
    /// Seconds of each validation.
    pub validation_seconds: Vec<f64>,
}

/// A whole run.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// Binary logarithm of the number of vertices.
    pub scale: u32,
    /// Edges per vertex.
    pub edge_factor: u64,
    /// Processes that shared the work.
    pub processes: usize,
    /// Seconds that the generator took.
    pub generation_seconds: f64,
    /// Seconds that kernel 1 took.
    pub construction_seconds: f64,
    /// Input edges traversed from each root.
    pub traversed_edges: Vec<u64>,
    /// Kernel 2.
    pub breadth_first: KernelTimes,
    /// Kernel 3.
    pub shortest_paths: KernelTimes,
}

impl fmt::Display for Run {
    /// The official block. Nothing but a note if there was no root to search from.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut block = Block { out: f };
        block.line("", "SCALE", self.scale)?;
        block.line("", "edgefactor", self.edge_factor)?;
        block.line("", "NBFS", self.traversed_edges.len())?;
        block.line("", "graph_generation", general(self.generation_seconds, 6))?;
        block.line("", "num_mpi_processes", self.processes)?;
        block.line("", "construction_time", general(self.construction_seconds, 6))?;
        let kernels = [("bfs  ", &self.breadth_first), ("sssp ", &self.shortest_paths)];
        for (name, times) in kernels {
            block.statistics(name, "time", &times.search_seconds, 6)?;
        }
        let edges: Vec<f64> = self.traversed_edges.iter().map(|&m| m as f64).collect();
        block.statistics("", "nedge", &edges, 11)?;
        for (name, times) in kernels {
            let per_edge: Vec<f64> =
                times.search_seconds.iter().zip(&edges).map(|(seconds, m)| seconds / m).collect();
            block.rates(name, &per_edge)?;
        }
        for (name, times) in kernels {
            block.statistics(name, "validate", &times.validation_seconds, 6)?;
        }
        Ok(())
    }
}

struct Block<'a, 'b> {
    out: &'a mut fmt::Formatter<'b>,
}

impl Block<'_, '_> {
    /// One field.
    fn line(&mut self, kernel: &str, name: &str, value: impl fmt::Display) -> fmt::Result {
        writeln!(self.out, "{:<32}{value}", format!("{kernel}{name}:"))
    }

    /// The seven statistics of some numbers.
    fn statistics(
        &mut self,
        kernel: &str,
        of: &str,
        numbers: &[f64],
        digits: usize,
    ) -> fmt::Result {
        let Some(s) = Statistics::of(numbers) else {
            return Ok(());
        };
        for (name, value) in [
            ("min", s.minimum),
            ("firstquartile", s.first_quartile),
            ("median", s.median),
            ("thirdquartile", s.third_quartile),
            ("max", s.maximum),
            ("mean", s.mean),
            ("stddev", s.standard_deviation),
        ] {
            self.line(kernel, &format!("{name}_{of}"), general(value, digits))?;
        }
        Ok(())
    }

    /// Traversed edges per second: order statistics are the reciprocals of those of seconds per edge.
    fn rates(&mut self, kernel: &str, seconds_per_edge: &[f64]) -> fmt::Result {
        let Some(s) = Statistics::of(seconds_per_edge) else {
            return Ok(());
        };
        for (name, seconds) in [
            ("min", s.maximum),
            ("firstquartile", s.third_quartile),
            ("median", s.median),
            ("thirdquartile", s.first_quartile),
            ("max", s.minimum),
        ] {
            self.line(kernel, &format!("{name}_TEPS"), general(1.0 / seconds, 6))?;
        }
        // The mark shows that this is the number by which runs are ranked.
        let mean = format!("{kernel}harmonic_mean_TEPS:");
        writeln!(self.out, "{mean:<29}!  {}", general(1.0 / s.mean, 6))?;
        let error = s.harmonic_standard_deviation(seconds_per_edge.len());
        self.line(kernel, "harmonic_stddev_TEPS", general(error, 6))
    }
}

/// A number as C's `%.{digits}g` prints it.
fn general(value: f64, digits: usize) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{value}").to_lowercase();
    }
    let scientific = format!("{value:.*e}", digits - 1);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trim = |text: &str| -> String {
        if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        } else {
            text.to_owned()
        }
    };
    if (-4..digits as i32).contains(&exponent) {
        let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
        return trim(&format!("{value:.decimals$}"));
    }
    let mut text = trim(mantissa);
    let sign = if exponent < 0 { '-' } else { '+' };
    // Writing into a string does not fail.
    let _ = write!(text, "e{sign}{:02}", exponent.abs());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_look_as_c_prints_them() {
        for (value, expected) in [
            (0.0, "0"),
            (1.0, "1"),
            (0.001_234_567_8, "0.00123457"),
            (0.000_012_345_678, "1.23457e-05"),
            (123_456.7, "123457"),
            (1_234_567.0, "1.23457e+06"),
            (999_999.9, "1e+06"),
            (0.25, "0.25"),
            (-2.5e-7, "-2.5e-07"),
            (1.9e8, "1.9e+08"),
        ] {
            assert_eq!(general(value, 6), expected);
        }
        assert_eq!(general(1_048_079.0, 11), "1048079");
        assert_eq!(general(f64::NAN, 6), "nan");
    }

    /// Field names and columns, byte for byte, of the reference implementation's printf calls.
    #[test]
    fn the_block_has_the_official_fields() {
        let times = |seconds: f64| KernelTimes {
            search_seconds: vec![seconds, 2.0 * seconds],
            validation_seconds: vec![0.5, 0.5],
        };
        let run = Run {
            scale: 16,
            edge_factor: 16,
            processes: 1,
            generation_seconds: 0.25,
            construction_seconds: 0.031,
            traversed_edges: vec![1_048_079, 1_048_079],
            breadth_first: times(0.01),
            shortest_paths: times(0.02),
        };
        let text = run.to_string();
        let expected = "\
SCALE:                          16
edgefactor:                     16
NBFS:                           2
graph_generation:               0.25
num_mpi_processes:              1
construction_time:              0.031
bfs  min_time:                  0.01
bfs  firstquartile_time:        0.01
bfs  median_time:               0.015
bfs  thirdquartile_time:        0.02
bfs  max_time:                  0.02
bfs  mean_time:                 0.015
bfs  stddev_time:               0.00707107
sssp min_time:                  0.02
";
        assert!(text.starts_with(expected), "{text}");
        assert!(text.contains("\nmin_nedge:                      1048079\n"), "{text}");
        assert!(text.contains("\nbfs  min_TEPS:                  5.2404e+07\n"), "{text}");
        assert!(text.contains("\nsssp harmonic_mean_TEPS:     !  3.4936e+07\n"), "{text}");
        assert!(text.contains("\nsssp harmonic_stddev_TEPS:      "), "{text}");
        assert!(text.ends_with("sssp stddev_validate:           0\n"), "{text}");
        assert_eq!(text.lines().count(), 6 + 7 + 7 + 7 + 7 + 7 + 7 + 7);
    }
}
