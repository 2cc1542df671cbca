//! Relations that are asked for and never defined, defined and never asked for, or meant to be
//! keywords.

use super::findings::Findings;
use super::names::{closest, places, quote, slips};
use super::outline::{Outline, Relation, RelationId};
use crate::keyword::Keyword;
use crate::problem::{Code, Problem};
use crate::syntax::{Atom, Term};
use rustc_hash::FxHashSet;

pub(super) fn check(outline: &Outline, findings: &mut Findings) {
    let mut settled = FxHashSet::default();
    report_misspelt(outline, &mut settled, findings);
    report_undefined(outline, &mut settled, findings);
    report_unused(outline, &settled, findings);
}

fn is_defined(relation: &Relation) -> bool {
    !relation.clauses.is_empty()
}

/// Reports names that are like a keyword and that only one side knows: no clause defines or no body
/// asks them.
fn report_misspelt(
    outline: &Outline,
    settled: &mut FxHashSet<RelationId>,
    findings: &mut Findings,
) {
    for (id, relation) in outline.relations.iter().enumerate() {
        let is_asked = !relation.uses.is_empty();
        if relation.keyword.is_some() || is_defined(relation) == is_asked {
            continue;
        }
        let atom = match relation.clauses.first() {
            Some(&clause) => &outline.sheet.clauses[clause].head,
            None => outline.uses[relation.uses[0]].atom,
        };
        let name = outline.name(id);
        let Some(meant) = meant_keyword(outline, atom, is_asked) else {
            continue;
        };
        settled.insert(id);
        let count = relation.clauses.len() + relation.uses.len();
        let message = format!("{} looks like a misspelt `{meant}`", quote(name));
        findings.add(
            Problem::new(Code::MisspeltKeyword, atom.relation_span, message)
                .label(format!("an ordinary name{}", places(count)))
                .help(format!("write `{meant}`")),
        );
    }
}

/// The keyword or connective that the author of this atom probably meant.
fn meant_keyword(outline: &Outline, atom: &Atom, in_body: bool) -> Option<&'static str> {
    let name = outline.symbols().name(atom.relation);
    let allowed = match name.len() {
        0..=2 => return None,
        3..=5 => 1,
        6..=12 => 2,
        _ => return None,
    };
    let timed = outline.dialect.is_timed();
    let keywords = Keyword::ALL.into_iter().filter(|&keyword| match keyword {
        Keyword::Expired => in_body && timed,
        Keyword::True | Keyword::Does => in_body,
        Keyword::Role | Keyword::Legal | Keyword::Goal | Keyword::Terminal => true,
        Keyword::Init | Keyword::Next | Keyword::Sees | Keyword::Base | Keyword::Input => !in_body,
    });
    // Numbers are neither roles, fluents nor moves: `(int 7)` is not about the initial state.
    let last = atom
        .args
        .last()
        .and_then(Term::as_constant)
        .map(|name| outline.symbols().name(name));
    let is_number = last.is_some_and(|name| name.starts_with(|first: char| first.is_ascii_digit()));
    let arity = atom.args.len();
    let keywords = keywords
        .filter(|&keyword| {
            keyword.arity(timed) == arity && (keyword == Keyword::Goal || !is_number)
        })
        .map(Keyword::name);
    let connectives = [
        ("not", arity == 1),
        ("distinct", arity == 2),
        ("and", arity > 0),
    ];
    let connectives = connectives.into_iter().filter(|&(_, fits)| fits && in_body);
    keywords
        .chain(connectives.map(|(name, _)| name))
        .find(|meant| slips(name, meant) <= allowed)
}

fn report_undefined(
    outline: &Outline,
    settled: &mut FxHashSet<RelationId>,
    findings: &mut Findings,
) {
    for (id, relation) in outline.relations.iter().enumerate() {
        let needs_definition = matches!(
            relation.keyword,
            None | Some(Keyword::Base | Keyword::Input)
        );
        if !needs_definition || is_defined(relation) || settled.contains(&id) {
            continue;
        }
        let name = outline.name(id);
        let first = outline.uses[relation.uses[0]].atom;
        let message = format!("{} is asked for, but nothing defines it", quote(name));
        let problem = Problem::new(Code::UndefinedRelation, first.relation_span, message)
            .label(format!("never holds{}", places(relation.uses.len())));
        let full = findings.is_full(Code::UndefinedRelation);
        let Some(meant) = (!full).then(|| similar_relation(outline, id)).flatten() else {
            findings.add(problem);
            continue;
        };
        // That the other name is unused is the other side of the same slip.
        settled.insert(meant);
        // Two spellings of one name are reported as such.
        if slips(name, outline.name(meant)) > 0 {
            findings.add(problem.help(format!("did you mean {}?", quote(outline.name(meant)))));
        }
    }
}

fn similar_relation(outline: &Outline, undefined: RelationId) -> Option<RelationId> {
    let defined =
        |&id: &RelationId| is_defined(&outline.relations[id]) && outline.keyword(id).is_none();
    let candidates = (0..outline.relations.len()).filter(defined);
    let meant = closest(
        outline.name(undefined),
        candidates.map(|id| outline.name(id)),
    )?;
    outline.id(outline.symbols().get(meant)?)
}

/// Reports relations that no keyword needs, leaving out those that only other unused relations ask
/// for.
fn report_unused(outline: &Outline, settled: &FxHashSet<RelationId>, findings: &mut Findings) {
    let reached = needed_by_keywords(outline);
    for (id, relation) in outline.relations.iter().enumerate() {
        let inside = outline.component(id);
        let asked_from_outside = relation
            .uses
            .iter()
            .any(|&used| outline.component(outline.uses[used].head) != inside);
        if reached[id] || asked_from_outside || settled.contains(&id) || !is_defined(relation) {
            continue;
        }
        let head = &outline.sheet.clauses[relation.clauses[0]].head;
        let message = format!(
            "{} is defined, but nothing asks for it",
            quote(outline.name(id))
        );
        findings.add(
            Problem::new(Code::UnusedRelation, head.relation_span, message)
                .label("not used")
                .help("remove it, or use it where it was meant to matter"),
        );
    }
}

fn needed_by_keywords(outline: &Outline) -> Vec<bool> {
    let ids = 0..outline.relations.len();
    let mut stack: Vec<RelationId> = ids.filter(|&id| outline.keyword(id).is_some()).collect();
    let mut reached = vec![false; outline.relations.len()];
    while let Some(id) = stack.pop() {
        if !std::mem::replace(&mut reached[id], true) {
            stack.extend(outline.needs(id));
        }
    }
    reached
}
