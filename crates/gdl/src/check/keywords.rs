//! Keywords have their number of arguments, their place in a clause, and in rtGDL their lifetimes.

use super::findings::Findings;
use super::names::{arguments, quote};
use super::outline::Outline;
use crate::dialect::Dialect;
use crate::keyword::Keyword;
use crate::problem::{Code, Problem};
use crate::syntax::{Atom, Clause, Term, TermKind};

/// Checks every keyword of the sheet. `forced` means that the caller chose the dialect, so forms of
/// another one are a misunderstanding and not a slip.
pub(super) fn check(outline: &Outline, forced: bool, findings: &mut Findings) {
    let checker = Checker { outline, forced };
    for relation in &outline.relations {
        let Some(keyword) = relation.keyword else {
            continue;
        };
        for &clause in &relation.clauses {
            let clause = &outline.sheet.clauses[clause];
            checker.form(keyword, &clause.head, findings);
            if outline.is_complete || !clause.body.is_empty() {
                check_head(keyword, clause, findings);
            }
        }
        for &used in &relation.uses {
            let atom = outline.uses[used].atom;
            checker.form(keyword, atom, findings);
            check_body(keyword, atom, findings);
        }
    }
}

struct Checker<'o, 'a> {
    outline: &'o Outline<'a>,
    forced: bool,
}

impl Checker<'_, '_> {
    /// Number of arguments, dialect and lifetime.
    fn form(&self, keyword: Keyword, atom: &Atom, findings: &mut Findings) {
        let dialect = self.outline.dialect;
        if keyword == Keyword::Sees && dialect == Dialect::Gdl {
            let message = "`sees` is of GDL-II, and this sheet is read as GDL";
            findings.add(wrong_dialect(atom, message));
            return;
        }
        let arity = keyword.arity(dialect.is_timed());
        if atom.args.len() == arity {
            if dialect.is_timed() && keyword.arity(false) != arity {
                self.lifetime(&atom.args[0], findings);
            }
        } else if self.forced && atom.args.len() == keyword.arity(!dialect.is_timed()) {
            let message = match dialect.is_timed() {
                true => format!(
                    "`{}` has no lifetime, and this sheet is read as rtGDL",
                    keyword.name()
                ),
                false => format!(
                    "`{}` has a lifetime as in rtGDL, and this sheet is read as {}",
                    keyword.name(),
                    title(dialect)
                ),
            };
            findings.add(wrong_dialect(atom, &message));
        } else {
            findings.add(self.arity_problem(keyword, atom));
        }
    }

    fn arity_problem(&self, keyword: Keyword, atom: &Atom) -> Problem {
        let name = keyword.name();
        let timed = self.outline.dialect.is_timed();
        let arity = keyword.arity(timed);
        let found = atom.args.len();
        let message = format!("`{name}` takes {}, not {found}", arguments(arity));
        let has_fluent = matches!(keyword, Keyword::Init | Keyword::True | Keyword::Next);
        let help = match (has_fluent, timed) {
            (true, true) if found == 1 => {
                "rtGDL needs a lifetime first; `infinity` is one that never ends".to_owned()
            }
            (true, true) => format!("write `({name} lifetime fluent)`"),
            (true, false) if found > 1 => {
                format!("are parentheses missing? write `({name} (fluent argument ...))`")
            }
            _ => format!("write `{}`", usage(keyword)),
        };
        // Nothing relies on declarations, so a strange one does not make the game unplayable.
        let code = match keyword {
            Keyword::Base | Keyword::Input => Code::DeclarationMismatch,
            _ => Code::KeywordArity,
        };
        Problem::new(code, atom.span, message)
            .label(arguments(found))
            .help(help)
    }

    fn lifetime(&self, term: &Term, findings: &mut Findings) {
        let what = match &term.kind {
            TermKind::Variable(_) => return,
            TermKind::Constant(name) => match self.outline.symbols().name(*name) {
                name if is_lifetime(name) => return,
                name => format!("{} is not a lifetime", quote(name)),
            },
            TermKind::Compound(..) => "a lifetime cannot be a compound term".to_owned(),
        };
        findings.add(
            Problem::new(Code::Lifetime, term.span, what)
                .label("expected a time")
                .help("a lifetime is a number above 0, such as `1.5`, or `infinity`"),
        );
    }
}

/// Whether the name is a number above zero or `infinity`.
fn is_lifetime(name: &str) -> bool {
    let is_decimal = name
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.');
    name == "infinity" || is_decimal && name.parse::<f64>().is_ok_and(|time| time > 0.0)
}

fn check_head(keyword: Keyword, clause: &Clause, findings: &mut Findings) {
    let help = match keyword {
        Keyword::True => {
            "define what holds after a move with `next`, and what holds at first with `init`"
        }
        Keyword::Does => "what players do is up to them; define what they may do with `legal`",
        Keyword::Expired => {
            "time itself makes facts expire; give them a lifetime in `init` or `next`"
        }
        Keyword::Role if !clause.body.is_empty() => "write one fact for each role",
        _ => return,
    };
    let message = match keyword {
        Keyword::Role => "roles must be facts, not rules".to_owned(),
        _ => format!("`{}` cannot be defined", keyword.name()),
    };
    let problem = Problem::new(Code::KeywordPosition, clause.head.span, message);
    findings.add(problem.label("in a head").help(help));
}

fn check_body(keyword: Keyword, atom: &Atom, findings: &mut Findings) {
    let help = match keyword {
        Keyword::Next => {
            "conditions speak about the present; ask for what makes the fluent hold next"
        }
        Keyword::Init => {
            "the initial state is over once play begins; ask with `true`, or share a helper relation"
        }
        Keyword::Sees => "percepts are told to the players; ask for what makes them",
        _ => return,
    };
    let message = format!("`{}` cannot be asked in a body", keyword.name());
    let problem = Problem::new(Code::KeywordPosition, atom.span, message);
    findings.add(problem.label("in a body").help(help));
}

fn wrong_dialect(atom: &Atom, message: &str) -> Problem {
    Problem::new(Code::WrongDialect, atom.span, message)
        .help("read the sheet in its own dialect, or write it in this one")
}

fn title(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Gdl => "GDL",
        Dialect::GdlII => "GDL-II",
        Dialect::RtGdl => "rtGDL",
    }
}

fn usage(keyword: Keyword) -> &'static str {
    match keyword {
        Keyword::Role => "(role name)",
        Keyword::Init => "(init fluent)",
        Keyword::True => "(true fluent)",
        Keyword::Next => "(next fluent)",
        Keyword::Legal => "(legal role move)",
        Keyword::Does => "(does role move)",
        Keyword::Goal => "(goal role value)",
        Keyword::Terminal => "terminal",
        Keyword::Sees => "(sees role percept)",
        Keyword::Expired => "(expired fluent)",
        Keyword::Base => "(base fluent)",
        Keyword::Input => "(input role move)",
    }
}
