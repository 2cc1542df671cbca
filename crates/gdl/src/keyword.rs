//! The words that the language gives a meaning to.

/// A relation that the language itself defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Keyword {
    /// `(role r)`: r takes part.
    Role,
    /// `(init f)`: f holds at the start.
    Init,
    /// `(true f)`: f holds now.
    True,
    /// `(next f)`: f holds after the move.
    Next,
    /// `(legal r m)`: r may make the move m now.
    Legal,
    /// `(does r m)`: r makes the move m now.
    Does,
    /// `(goal r n)`: r's result is n.
    Goal,
    /// `terminal`: the game is over.
    Terminal,
    /// `(sees r p)`: r is told p after the move (GDL-II).
    Sees,
    /// `(expired f)`: f's lifetime has just ended (rtGDL; an ordinary name elsewhere).
    Expired,
    /// `(base f)`: f may hold at some time; a declaration that nothing relies on.
    Base,
    /// `(input r m)`: r may be able to make the move m at some time; a declaration that nothing
    /// relies on.
    Input,
}

impl Keyword {
    /// All keywords.
    pub const ALL: [Keyword; 12] = [
        Keyword::Role,
        Keyword::Init,
        Keyword::True,
        Keyword::Next,
        Keyword::Legal,
        Keyword::Does,
        Keyword::Goal,
        Keyword::Terminal,
        Keyword::Sees,
        Keyword::Expired,
        Keyword::Base,
        Keyword::Input,
    ];

    /// The keyword as it is written.
    pub fn name(self) -> &'static str {
        match self {
            Keyword::Role => "role",
            Keyword::Init => "init",
            Keyword::True => "true",
            Keyword::Next => "next",
            Keyword::Legal => "legal",
            Keyword::Does => "does",
            Keyword::Goal => "goal",
            Keyword::Terminal => "terminal",
            Keyword::Sees => "sees",
            Keyword::Expired => "expired",
            Keyword::Base => "base",
            Keyword::Input => "input",
        }
    }

    /// The keyword with that name, written in lower case.
    pub fn by_name(name: &str) -> Option<Keyword> {
        Keyword::ALL
            .into_iter()
            .find(|keyword| keyword.name() == name)
    }

    /// How many arguments it takes; in rtGDL the timed forms take one more.
    pub fn arity(self, timed: bool) -> usize {
        match self {
            Keyword::Terminal => 0,
            Keyword::Role | Keyword::Expired | Keyword::Base => 1,
            Keyword::Init | Keyword::True | Keyword::Next => 1 + usize::from(timed),
            Keyword::Legal | Keyword::Does | Keyword::Goal | Keyword::Sees | Keyword::Input => 2,
        }
    }
}

/// The name of a relation with keywords, and connectives, in lower case; other names as they are.
pub fn normal_relation_name(name: &str) -> std::borrow::Cow<'_, str> {
    const CONNECTIVES: [&str; 4] = ["and", "or", "not", "distinct"];
    let is_keyword = Keyword::ALL
        .iter()
        .map(|keyword| keyword.name())
        .chain(CONNECTIVES);
    for keyword in is_keyword {
        // `Expired` with a capital is an ordinary name in GDL; rtGDL sheets do not write it so.
        if keyword.eq_ignore_ascii_case(name) && keyword != "expired" {
            return keyword.into();
        }
    }
    name.into()
}
