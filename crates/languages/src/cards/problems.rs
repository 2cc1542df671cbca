//! The kinds of problems that rule files of card games can have.

use paidia_gdl::{Code, OtherCode, Severity};

macro_rules! codes {
    ($($(#[$doc:meta])* $constant:ident = $name:literal, $severity:ident;)*) => {
        $(
            $(#[$doc])*
            pub(super) const $constant: Code = Code::Other(&OtherCode {
                name: $name,
                severity: Severity::$severity,
                explanation: include_str!(concat!("explain/", $name, ".md")),
            });
        )*

        /// All kinds of problems of rule files of card games.
        pub const CODES: &[Code] = &[$($constant,)*];
    };
}

codes! {
    /// A section is missing, twice there, or unknown.
    SECTION = "cards-section", Error;
    /// A setting that cannot be read.
    SETTING = "cards-setting", Error;
    /// A line of a stage that is no rule.
    RULE = "cards-rule", Error;
    /// A condition that cannot be read.
    CONDITION = "cards-condition", Error;
    /// An action that cannot be read, or not by this actor.
    ACTION = "cards-action", Error;
    /// A place of cards or tokens that is not there.
    PLACE = "cards-place", Error;
    /// A combination that cannot be read.
    COMBINATION = "cards-combination", Error;
    /// A value or points that cannot be read.
    VALUE = "cards-value", Error;
    /// Something is larger than the program takes.
    TOO_LARGE = "cards-too-large", Error;
    /// Cards are compared by value, and have none.
    NO_VALUES = "cards-no-values", Warning;
    /// Nothing in the rules makes the scores of players differ.
    POINTLESS = "cards-pointless", Warning;
    /// More cards are dealt than there are.
    SHORT_DECK = "cards-short-deck", Warning;
}
