//! The options of a comparison as a command repeats them.

use std::{env, path::PathBuf};

use super::{
    arguments::{Arguments, Build, Locks},
    outside::{lexical, relative},
};

impl Arguments {
    /// Returns the options with which the same benchmarks are compared again, as they are typed.
    pub(super) fn options(&self) -> Vec<String> {
        let mut options = self.build.words();
        // 7 % is a little more than 7 as a product.
        let margin = |margin: f64| format!("--margin={}", (1e6 * margin).round() / 1e4);
        options.extend(self.measure.margin.map(margin));
        options
    }
}

impl Build {
    /// The options that choose what is built, as they are typed.
    fn words(&self) -> Vec<String> {
        let here = env::current_dir().unwrap_or_default();
        // An absolute path means nothing on another machine, and a record may be published.
        let path = |path: &PathBuf| match path.is_absolute() {
            true => relative(&here, &lexical(path)).display().to_string(),
            false => path.display().to_string(),
        };
        let lists = [
            ("package", self.package.clone()),
            ("exclude", self.exclude.clone()),
            ("bench", self.bench.clone()),
            ("features", self.features.clone()),
            ("profile", self.profile.iter().cloned().collect()),
            ("manifest-path", self.manifest_path.iter().map(path).collect()),
            ("share", self.share.iter().map(path).collect()),
            ("lock", (self.lock == Locks::Head).then(|| "head".to_owned()).into_iter().collect()),
            ("layout", self.layout.iter().map(|layout| layout.name().to_owned()).collect()),
        ];
        let flags = [
            ("workspace", self.workspace),
            ("all-features", self.all_features),
            ("no-default-features", self.no_default_features),
        ];
        let flags = flags.into_iter().filter(|(_, is_set)| *is_set);
        let flags = flags.map(|(name, _)| format!("--{name}"));
        let of = |(name, values): (&str, Vec<String>)| {
            let option = |value: String| format!("--{name}={value}");
            values.into_iter().map(option).collect::<Vec<_>>()
        };
        flags.chain(lists.into_iter().flat_map(of)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{super::arguments::Layout, *};
    use crate::report::OPTIONS;

    #[test]
    fn options_that_choose_what_is_compared_are_kept_and_known() {
        let file = env::current_dir().unwrap().join("deep/Cargo.toml");
        let build = Build {
            package: vec!["a".to_owned()],
            workspace: true,
            exclude: vec!["b".to_owned()],
            bench: vec!["c".to_owned()],
            features: vec!["d,e".to_owned()],
            all_features: true,
            no_default_features: true,
            profile: Some("release".to_owned()),
            manifest_path: Some(file),
            share: vec!["data".into()],
            lock: Locks::Head,
            layout: Some(Layout::Aligned),
            ..Build::default()
        };
        let words = build.words();
        assert!(words.contains(&"--manifest-path=deep/Cargo.toml".to_owned()), "{words:?}");
        let names = words.iter().map(|word| word[2..].split('=').next().unwrap());
        assert!(names.eq(OPTIONS.into_iter().filter(|name| *name != "margin")), "{words:?}");
    }
}
