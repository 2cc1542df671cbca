//! What is wrong with a rule sheet: codes, severities, places, and what to do about it.

use crate::source::Span;

/// How bad a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The game can be played, but this is probably not what its author meant.
    Warning,
    /// The game cannot be played as it stands.
    Error,
}

/// A kind of problem of a language outside the GDL family, which declares its own. Their names are
/// different from those of all other languages.
#[derive(Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OtherCode {
    /// The name by which people refer to it.
    pub name: &'static str,
    /// Whether a game with such a problem can still be played.
    pub severity: Severity,
    /// The page that explains it: what it means, an example, and how to mend it.
    pub explanation: &'static str,
}

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $severity:ident;)*) => {
        /// The kinds of problems, each with a page that `paidia explain` prints.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code {
            $($(#[$doc])* $variant,)*
            /// A kind of problem of a language outside the GDL family.
            Other(&'static OtherCode),
        }

        impl Code {
            /// All codes of the GDL family.
            pub const ALL: &'static [Code] = &[$(Code::$variant,)*];

            /// The name by which people refer to the code.
            pub fn name(self) -> &'static str {
                match self {
                    $(Code::$variant => $name,)*
                    Code::Other(other) => other.name,
                }
            }

            /// Whether a game with such a problem can still be played.
            pub fn severity(self) -> Severity {
                match self {
                    $(Code::$variant => Severity::$severity,)*
                    Code::Other(other) => other.severity,
                }
            }

            /// The page that explains the code: what it means, an example, and how to mend it.
            pub fn explanation(self) -> &'static str {
                match self {
                    $(Code::$variant => include_str!(concat!("explain/", $name, ".md")),)*
                    Code::Other(other) => other.explanation,
                }
            }
        }
    };
}

codes! {
    /// A list is opened and never closed.
    UnclosedParenthesis = "unclosed-parenthesis", Error;
    /// A closing parenthesis without an opening one.
    StrayParenthesis = "stray-parenthesis", Error;
    /// Lists or terms are nested deeper than any game needs.
    NestingTooDeep = "nesting-too-deep", Error;
    /// The sheet is larger than [`crate::source::MAX_SOURCE_BYTES`].
    TooLarge = "too-large", Error;
    /// Something at the top level that is neither a fact nor a rule.
    NotAClause = "not-a-clause", Error;
    /// Something in a rule's body or head that is not a literal there.
    NotALiteral = "not-a-literal", Error;
    /// Something that is not a term where a term is expected.
    NotATerm = "not-a-term", Error;
    /// `not`, `or`, `and`, `distinct` or `<=` with the wrong number of parts.
    BadConnective = "bad-connective", Error;
    /// Infix notation in which the next token does not fit.
    UnexpectedToken = "unexpected-token", Error;
    /// A keyword with the wrong number of arguments.
    KeywordArity = "keyword-arity", Error;
    /// A keyword where it may not stand, such as `true` in a head or `next` in a body.
    KeywordPosition = "keyword-position", Error;
    /// A keyword that depends on one it must not depend on, such as `legal` on `does`.
    KeywordDependency = "keyword-dependency", Error;
    /// One relation used with different numbers of arguments.
    RelationArity = "relation-arity", Error;
    /// One function used with different numbers of arguments.
    FunctionArity = "function-arity", Warning;
    /// A variable that no positive literal of the body binds.
    UnsafeVariable = "unsafe-variable", Error;
    /// A fact or a `role` with a variable in it.
    NotGround = "not-ground", Error;
    /// A relation that depends on its own negation.
    NegativeCycle = "negative-cycle", Error;
    /// Recursion that could build ever larger terms.
    UnboundedRecursion = "unbounded-recursion", Error;
    /// Recursion that is finite, but not by GDL's own restriction.
    LooseRecursion = "loose-recursion", Warning;
    /// A relation that is used and never defined.
    UndefinedRelation = "undefined-relation", Warning;
    /// A relation that is defined and never used.
    UnusedRelation = "unused-relation", Warning;
    /// A fluent that is asked for and that nothing makes hold.
    UndefinedFluent = "undefined-fluent", Warning;
    /// A move that is asked for and never legal.
    UndefinedMove = "undefined-move", Warning;
    /// A constant in the place of a role that is not a role.
    UnknownRole = "unknown-role", Warning;
    /// A name that looks like a misspelt keyword.
    MisspeltKeyword = "misspelt-keyword", Warning;
    /// No `role` at all.
    MissingRole = "missing-role", Error;
    /// No `terminal` rule.
    MissingTerminal = "missing-terminal", Error;
    /// A role without any `legal` rule.
    MissingLegal = "missing-legal", Error;
    /// A role without any `goal` rule.
    MissingGoal = "missing-goal", Error;
    /// A goal that is not a whole number from 0 to 100.
    GoalValue = "goal-value", Error;
    /// A name with a character that cannot be seen.
    ControlCharacter = "control-character", Error;
    /// A fluent that can become larger with every move.
    GrowingFluent = "growing-fluent", Warning;
    /// Two names that differ only in upper and lower case.
    CaseVariants = "case-variants", Warning;
    /// `base` or `input` that does not agree with the rules.
    DeclarationMismatch = "declaration-mismatch", Warning;
    /// The same clause twice.
    DuplicateClause = "duplicate-clause", Warning;
    /// A form of another dialect than the one asked for.
    WrongDialect = "wrong-dialect", Error;
    /// A lifetime of rtGDL that is not a positive number or `infinity`.
    Lifetime = "lifetime", Error;
}

impl Code {
    /// The code of the GDL family with that name.
    pub fn by_name(name: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| code.name() == name)
    }
}

/// One problem of a rule sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What kind of problem it is.
    pub code: Code,
    /// Where the mistake is.
    pub span: Span,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// A word or two beside the caret; may be empty.
    pub label: String,
    /// Other places that matter, each with what it has to do with the problem.
    pub related: Vec<(Span, String)>,
    /// What to do about it; may be empty.
    pub help: String,
}

impl Problem {
    /// A problem with its message; labels, related places and help can be added.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self {
            code,
            span,
            message: message.into(),
            label: String::new(),
            related: Vec::new(),
            help: String::new(),
        }
    }

    /// Sets the words beside the caret.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Adds another place that matters.
    #[must_use]
    pub fn related(mut self, span: Span, what: impl Into<String>) -> Self {
        self.related.push((span, what.into()));
        self
    }

    /// Says what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }

    /// Whether the game cannot be played because of it.
    pub fn is_error(&self) -> bool {
        self.code.severity() == Severity::Error
    }
}
