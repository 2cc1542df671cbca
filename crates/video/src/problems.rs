//! What can be wrong with a game or a level, each kind with a page that explains it.

use paidia_gdl::{Code, OtherCode, Problem, Severity, Span};

/// A kind of problem.
pub type Kind = OtherCode;

/// One problem of a description or a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What kind of problem it is.
    pub kind: &'static Kind,
    /// Where the mistake is.
    pub span: Span,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// What to do about it; may be empty.
    pub help: String,
}

impl Finding {
    /// A problem without advice.
    pub fn new(kind: &'static Kind, span: Span, message: impl Into<String>) -> Self {
        Self {
            kind,
            span,
            message: message.into(),
            help: String::new(),
        }
    }

    /// Says what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }

    /// Whether the game cannot be played because of it.
    pub fn is_error(&self) -> bool {
        self.kind.severity == Severity::Error
    }
}

impl From<Finding> for Problem {
    fn from(finding: Finding) -> Self {
        let code = Code::Other(finding.kind);
        Problem::new(code, finding.span, finding.message).help(finding.help)
    }
}

macro_rules! kinds {
    ($($constant:ident = $name:literal, $severity:ident, $explanation:literal;)*) => {
        $(
            #[doc = $explanation]
            pub static $constant: Kind = Kind {
                name: $name,
                severity: Severity::$severity,
                explanation: concat!("# ", $name, "\n\n", $explanation, "\n"),
            };
        )*

        /// All kinds, as codes of problems.
        pub static CODES: &[Code] = &[$(Code::Other(&$constant),)*];
    };
}

kinds! {
    TOO_LARGE = "video-too-large", Error,
        "The description or the level is larger than the limits of the engine.";
    NOT_A_GAME = "video-not-a-game", Error,
        "The first line of a game in VGDL names the class of the game: `BasicGame`.";
    BAD_LINE = "video-bad-line", Warning,
        "A line that the reader cannot use is left out, and so is what hangs on it.";
    UNKNOWN_CLASS = "video-unknown-class", Error,
        "A sprite names a class that is none of VGDL's, so it could not act.";
    UNSUPPORTED = "video-unsupported", Error,
        "Games with continuous physics or for two players are not played.";
    UNKNOWN_TYPE = "video-unknown-type", Warning,
        "A name that no line of the SpriteSet defines.";
    SECTION_CUT = "video-section-cut", Warning,
        "An effect or a termination that does not exist ends its section: what follows it, in this \
         and in later sections, is not read, as in the original framework.";
    BAD_VALUE = "video-bad-value", Warning,
        "A value of another type than its field has is ignored, and the default stays.";
    NO_AVATAR = "video-no-avatar", Error,
        "A level needs a cell that creates the avatar: nothing else can be moved by a player.";
    UNMAPPED = "video-unmapped", Warning,
        "A character of the level that the LevelMapping does not name creates nothing.";
}
