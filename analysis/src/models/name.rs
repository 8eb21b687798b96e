//! Models by name: the one table that problems, studies and their files share.

use std::fmt;

use super::{model::Model, own::Own};

/// A name that no model has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownModel {
    /// The name.
    pub name: String,
}

impl fmt::Display for UnknownModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known: Vec<String> =
            Model::ALL.iter().map(|model| format!("\"{}\"", model.name())).collect();
        // Names come from users: control characters must not reach a terminal.
        write!(f, "no model is called {:?}; the models are {}", self.name, known.join(", "))
    }
}

impl std::error::Error for UnknownModel {}

impl Model {
    /// The model of a name; upper and lower case are the same.
    ///
    /// ```
    /// use plusminus_analysis::models::Model;
    ///
    /// assert_eq!(Model::from_name("n log n"), Ok(Model::NLogN));
    /// let error = Model::from_name("n log m").unwrap_err().to_string();
    /// assert!(error.contains("n log m") && error.contains("\"amdahl\""));
    /// ```
    ///
    /// # Errors
    /// When no model has it: an error that lists them all.
    pub fn from_name(name: &str) -> Result<Self, UnknownModel> {
        let wanted = name.trim().to_lowercase();
        let found = Self::ALL.into_iter().find(|model| model.name() == wanted);
        found.ok_or_else(|| UnknownModel { name: name.to_owned() })
    }

    /// Does n enter the formula?
    pub fn depends_on_size(self) -> bool {
        if let Self::Own(Own(own)) = self {
            return own.of_size;
        }
        !matches!(
            self,
            Self::Constant
                | Self::Ideal
                | Self::Amdahl
                | Self::AmdahlPlusLog
                | Self::AmdahlPlusLinear
                | Self::Usl
                | Self::Gustafson
        )
    }

    /// Does p enter the formula?
    pub fn depends_on_processors(self) -> bool {
        if let Self::Own(Own(own)) = self {
            return own.of_processors;
        }
        self == Self::SizeAndProcessors || (!self.depends_on_size() && self != Self::Constant)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_model_is_found_by_its_name_and_by_no_other() {
        for model in Model::ALL {
            assert_eq!(Model::from_name(model.name()), Ok(model));
            assert_eq!(Model::from_name(&model.name().to_uppercase()), Ok(model));
        }
        let mut names: Vec<&str> = Model::ALL.iter().map(|model| model.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Model::ALL.len());
    }

    #[test]
    fn an_unknown_name_is_answered_with_all_known_ones() {
        let error = Model::from_name("n\u{1b}[2J").unwrap_err().to_string();
        assert!(!error.contains('\u{1b}'), "{error}");
        assert!(Model::ALL.iter().all(|model| error.contains(model.name())), "{error}");
    }
}
