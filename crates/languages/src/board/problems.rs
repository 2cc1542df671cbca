//! The kinds of problems that rule files of board games can have.

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

        /// All kinds of problems of rule files of board games.
        pub const CODES: &[Code] = &[$($constant,)*];
    };
}

codes! {
    /// Something else is expected at this place.
    SYNTAX = "board-syntax", Error;
    /// The board is too large, or has no squares.
    SIZE = "board-size", Error;
    /// Rows that do not fit the width and height.
    ROWS = "board-rows", Error;
    /// A step that is not two numbers and a content.
    STEP = "board-step", Error;
    /// A power that is not a number or a star.
    POWER = "board-power", Error;
    /// Two rules for one piece.
    RULE_TWICE = "board-rule-twice", Error;
    /// A rule for a lower case letter.
    RULE_LETTER = "board-rule-letter", Error;
    /// A goal that cannot be read.
    GOAL = "board-goal", Error;
    /// A goal on a square that is not there.
    OFF_BOARD = "board-off-board", Error;
    /// Something is larger than the program takes.
    TOO_LARGE = "board-too-large", Error;
    /// A man on the board that never moves.
    NO_RULE = "board-no-rule", Warning;
    /// A rule for a piece that is not on the board.
    UNUSED_RULE = "board-unused-rule", Warning;
    /// A goal that never comes about.
    IDLE_GOAL = "board-idle-goal", Warning;
    /// A step that leaves the board from everywhere.
    IDLE_STEP = "board-idle-step", Warning;
    /// A rule that lets a piece stay where it is.
    PASS = "board-pass", Warning;
}
