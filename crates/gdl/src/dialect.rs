//! The members of the GDL family.

use crate::keyword::Keyword;
use crate::syntax::{Atom, Formula, Sheet};

/// Which language a rule sheet is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dialect {
    /// Perfect information, moves at the same time: the GDL of the GGP competitions.
    Gdl,
    /// GDL with the role `random` and percepts (`sees`).
    GdlII,
    /// GDL with lifetimes: `init`, `true` and `next` have a time as their first argument.
    RtGdl,
}

impl Dialect {
    /// The name that people and the command line use.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Gdl => "gdl",
            Dialect::GdlII => "gdl-ii",
            Dialect::RtGdl => "rtgdl",
        }
    }

    /// Whether facts carry lifetimes.
    pub fn is_timed(self) -> bool {
        self == Dialect::RtGdl
    }

    /// The dialect that a sheet is written in, judged by its forms.
    ///
    /// Timed facts win over percepts; `random` without `sees` is GDL-II too, because its moves must
    /// be drawn.
    pub fn detect(sheet: &Sheet) -> Dialect {
        let mut forms = Forms::default();
        for clause in &sheet.clauses {
            forms.atom(sheet, &clause.head);
            clause
                .body
                .iter()
                .for_each(|formula| forms.formula(sheet, formula));
        }
        if forms.timed > forms.untimed {
            Dialect::RtGdl
        } else if forms.hidden {
            Dialect::GdlII
        } else {
            Dialect::Gdl
        }
    }
}

/// Which forms of the state keywords occur, and whether anything is hidden or random.
#[derive(Default)]
struct Forms {
    timed: usize,
    untimed: usize,
    hidden: bool,
}

impl Forms {
    fn atom(&mut self, sheet: &Sheet, atom: &Atom) {
        let name = sheet.symbols.name(atom.relation);
        match Keyword::by_name(name) {
            Some(Keyword::Init | Keyword::True | Keyword::Next) => match atom.args.len() {
                1 => self.untimed += 1,
                2 => self.timed += 1,
                _ => {}
            },
            Some(Keyword::Sees) => self.hidden = true,
            Some(Keyword::Role) => {
                let random = sheet.symbols.get("random");
                let is_random =
                    atom.args.first().and_then(crate::syntax::Term::as_constant) == random;
                self.hidden |= random.is_some() && is_random;
            }
            _ => {}
        }
    }

    fn formula(&mut self, sheet: &Sheet, formula: &Formula) {
        match formula {
            Formula::Atom(atom) => self.atom(sheet, atom),
            Formula::Distinct(..) => {}
            Formula::Not(inner, _) => self.formula(sheet, inner),
            Formula::And(parts, _) | Formula::Or(parts, _) => {
                parts.iter().for_each(|part| self.formula(sheet, part));
            }
        }
    }
}
