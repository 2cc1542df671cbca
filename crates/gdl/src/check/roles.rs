//! The roles, their moves and their goals: `role`, `legal`, `goal` and `terminal`.

use super::MOST_ROLES;
use super::findings::Findings;
use super::names::{closest, cut, places, quote};
use super::outline::Outline;
use crate::dialect::Dialect;
use crate::keyword::Keyword;
use crate::problem::{Code, Problem};
use crate::source::Span;
use crate::symbol::Symbol;
use crate::syntax::{Atom, Term, TermKind};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};

/// Checks that nothing is missing; only for sheets that were read completely.
pub(super) fn check_presence(outline: &Outline, findings: &mut Findings) {
    let start = outline
        .sheet
        .clauses
        .first()
        .map_or(Span::default(), |clause| clause.head.span);
    if outline
        .find(Keyword::Terminal)
        .is_none_or(|id| outline.relations[id].clauses.is_empty())
    {
        findings.add(
            Problem::new(
                Code::MissingTerminal,
                start,
                "nothing says when the game is over",
            )
            .help("add a rule `(<= terminal condition ...)`"),
        );
    }
    let roles = Roles::new(outline);
    if roles.names.is_empty() && !roles.open {
        findings.add(
            Problem::new(Code::MissingRole, start, "no role plays this game")
                .help("add a fact `(role name)` for each player"),
        );
        return;
    }
    if let Some((_, &span)) = roles.names.get_index(MOST_ROLES) {
        let message = format!("there are {} roles", roles.names.len());
        findings.add(
            Problem::new(Code::TooLarge, span, message)
                .label("one more than there may be")
                .help(format!("a game may have {MOST_ROLES} roles")),
        );
        return;
    }
    roles.report_missing(outline, findings);
    if !roles.open {
        roles.report_unknown(outline, findings);
    }
}

/// The roles that the sheet names.
struct Roles {
    names: IndexMap<Symbol, Span, FxBuildHasher>,
    /// Whether there are others that only reasoning would find.
    open: bool,
}

impl Roles {
    fn new(outline: &Outline) -> Self {
        let mut roles = Self {
            names: IndexMap::default(),
            open: false,
        };
        for clause in outline.clauses(Keyword::Role) {
            match clause.head.args.first().map(|role| &role.kind) {
                Some(TermKind::Constant(name)) if clause.body.is_empty() => {
                    roles.names.entry(*name).or_insert(clause.head.span);
                }
                _ => roles.open = true,
            }
        }
        roles
    }

    fn report_missing(&self, outline: &Outline, findings: &mut Findings) {
        let legal = Subjects::new(outline, Keyword::Legal);
        let goal = Subjects::new(outline, Keyword::Goal);
        for (&role, &span) in &self.names {
            let name = outline.symbols().name(role);
            let short = cut(name);
            if !legal.include(role) {
                let message = format!("{} never has a legal move", quote(name));
                findings.add(
                    Problem::new(Code::MissingLegal, span, message)
                        .label("no `legal` for this role")
                        .help(format!("add a rule such as `(legal {short} noop)`: every role always needs a move")),
                );
            }
            let is_chance = name == "random" && outline.dialect != Dialect::Gdl;
            if !goal.include(role) && !is_chance {
                let message = format!("{} has nothing to play for", quote(name));
                findings.add(
                    Problem::new(Code::MissingGoal, span, message)
                        .label("no `goal` for this role")
                        .help(format!(
                            "add a rule such as `(<= (goal {short} 100) condition ...)`"
                        )),
                );
            }
        }
    }

    /// Reports constants that stand for a role and are none.
    fn report_unknown(&self, outline: &Outline, findings: &mut Findings) {
        let mut unknown: IndexMap<Symbol, (Span, usize), FxBuildHasher> = IndexMap::default();
        let mut look = |atom: &Atom| {
            let Some((name, role)) = atom
                .args
                .first()
                .and_then(|role| Some((role.as_constant()?, role)))
            else {
                return;
            };
            if !self.names.contains_key(&name) {
                unknown.entry(name).or_insert((role.span, 0)).1 += 1;
            }
        };
        for keyword in [
            Keyword::Legal,
            Keyword::Does,
            Keyword::Goal,
            Keyword::Sees,
            Keyword::Input,
        ] {
            outline
                .clauses(keyword)
                .for_each(|clause| look(&clause.head));
            outline.uses_of(keyword).for_each(|used| look(used.atom));
        }
        for (name, (span, count)) in unknown {
            let name = outline.symbols().name(name);
            let problem = Problem::new(
                Code::UnknownRole,
                span,
                format!("{} is not a role", quote(name)),
            )
            .label(format!("not a role{}", places(count)));
            let known = self.names.keys().map(|&role| outline.symbols().name(role));
            let meant = match findings.is_full(Code::UnknownRole) {
                true => None,
                false => closest(name, known),
            };
            findings.add(match meant {
                Some(meant) => problem.help(format!("did you mean {}?", quote(meant))),
                None => problem.help(format!(
                    "add `(role {})`, or name one of the roles",
                    cut(name)
                )),
            });
        }
    }
}

/// The roles that the clauses of a keyword are about.
struct Subjects {
    named: FxHashSet<Symbol>,
    /// Whether some clause may be about every role.
    all: bool,
}

impl Subjects {
    fn new(outline: &Outline, keyword: Keyword) -> Self {
        let roles = outline
            .clauses(keyword)
            .map(|clause| clause.head.args.first().and_then(Term::as_constant));
        let mut subjects = Self {
            named: FxHashSet::default(),
            all: false,
        };
        for role in roles {
            match role {
                Some(name) => subjects.named.insert(name),
                None => std::mem::replace(&mut subjects.all, true),
            };
        }
        subjects
    }

    fn include(&self, role: Symbol) -> bool {
        self.all || self.named.contains(&role)
    }
}

/// Checks that goals which are written down are numbers from 0 to 100.
pub(super) fn check_goal_values(outline: &Outline, findings: &mut Findings) {
    for clause in outline.clauses(Keyword::Goal) {
        let Some(value) = clause.head.args.get(1) else {
            continue;
        };
        let message = match &value.kind {
            TermKind::Variable(_) => continue,
            TermKind::Constant(name) => match outline.symbols().name(*name) {
                name if is_goal(name) => continue,
                name => format!("{} is not a goal value", quote(name)),
            },
            TermKind::Compound(..) => "a goal value cannot be a compound term".to_owned(),
        };
        findings.add(
            Problem::new(Code::GoalValue, value.span, message)
                .label("expected a number")
                .help("goals are whole numbers from 0 to 100"),
        );
    }
}

fn is_goal(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_digit())
        && name.parse::<u32>().is_ok_and(|goal| goal <= 100)
}
