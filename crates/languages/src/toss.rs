//! Toss: games as rewriting of relational structures, guarded by formulas. (Łukasz Kaiser and
//! Łukasz Stafiniak, First-Order Logic with Counting for General Game Playing, AAAI 2011; after
//! Jakub Kowalski, General Game Description Languages, 2016, section 2.4.2.)
//!
//! [`read`] makes a [`Description`] and problems of a text, [`to_gdl`] the same game in GDL, by
//! which it is played. `docs/methods/metagame-toss.md` says which part of the language is read.

mod gdl;
mod read;

use paidia_gdl::{Code, OtherCode, Severity};

pub use gdl::to_gdl;
pub use read::{Reading, read};

/// Something else is expected at this place.
const SYNTAX: Code = Code::Other(&OtherCode {
    name: "toss-syntax",
    severity: Severity::Error,
    explanation: include_str!("toss/toss-syntax.md"),
});

/// A part that cannot be, or that is not played here.
const MEANING: Code = Code::Other(&OtherCode {
    name: "toss-meaning",
    severity: Severity::Error,
    explanation: include_str!("toss/toss-meaning.md"),
});

/// All kinds of problems of Toss rules.
pub const CODES: &[Code] = &[SYNTAX, MEANING];

/// A formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// A relation of variables.
    Atom(String, Vec<String>),
    /// All hold.
    And(Vec<Formula>),
    /// Some hold.
    Or(Vec<Formula>),
    /// It does not hold.
    Not(Box<Formula>),
    /// It holds for some values of variables.
    Exists(Vec<String>, Box<Formula>),
}

/// A relation that is defined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// Its name.
    pub name: String,
    /// Its variables.
    pub variables: Vec<String>,
    /// When it holds.
    pub formula: Formula,
}

/// A relation of elements.
pub type Fact = (String, Vec<String>);

/// A rewriting rule: elements that have relations get others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewriting {
    /// Its name.
    pub name: String,
    /// The elements that are matched, which are different.
    pub elements: Vec<String>,
    /// What holds of them before.
    pub before: Vec<Fact>,
    /// What holds of them after.
    pub after: Vec<Fact>,
    /// Relations of which nothing else may hold of the elements before.
    pub exact: Vec<String>,
    /// What must hold beside.
    pub condition: Option<Formula>,
}

/// What a player has at a location.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// The player.
    pub player: String,
    /// Formulas that count, with their signs.
    pub payoff: Vec<(i64, Formula)>,
    /// Rules and the locations they lead to.
    pub moves: Vec<(String, u32)>,
}

/// A game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    /// The players.
    pub players: Vec<String>,
    /// The defined relations.
    pub definitions: Vec<Definition>,
    /// The rules.
    pub rules: Vec<Rewriting>,
    /// The locations.
    pub locations: Vec<(u32, Vec<Part>)>,
    /// Relations that change, with their numbers of elements.
    pub relations: Vec<(String, usize)>,
    /// The board, row by row from the top; a dot for an element without relations.
    pub board: Vec<Vec<char>>,
}
