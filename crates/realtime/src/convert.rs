//! From turns to real time, and back.
//!
//! A game in turns becomes one in real time by a clock: what roles do is kept as `made` until the
//! clock expires, and then the turn happens, with at most one move of each role. This is theorem
//! 5.4.2 of Kowalski's thesis; `docs/methods/real-time.md` tells what it leaves out.

use paidia_gdl::syntax::{Atom, Clause, Formula, Notation, Sheet, Term, TermKind, print};
use paidia_gdl::{Span, Symbol, Symbols};

/// Why a sheet cannot be converted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotConvertible(String);

/// The names that the conversion adds.
struct Names {
    infinity: Symbol,
    clock: Symbol,
    made: Symbol,
    moved: Symbol,
    truth: Symbol,
    expired: Symbol,
}

impl Names {
    /// Names that the sheet does not have.
    fn new(symbols: &mut Symbols) -> Self {
        let mut fresh = |name: &str| {
            let mut candidate = name.to_owned();
            let mut number = 2;
            while symbols.get(&candidate).is_some() {
                candidate = format!("{name}_{number}");
                number += 1;
            }
            symbols.intern(&candidate)
        };
        let [clock, made, moved] = ["clock", "made", "moved"].map(&mut fresh);
        Self {
            clock,
            made,
            moved,
            infinity: symbols.intern("infinity"),
            truth: symbols.intern("true"),
            expired: symbols.intern("expired"),
        }
    }
}

fn constant(symbol: Symbol) -> Term {
    Term {
        kind: TermKind::Constant(symbol),
        span: Span::default(),
    }
}

fn atom(relation: Symbol, args: Vec<Term>) -> Atom {
    Atom {
        relation,
        relation_span: Span::default(),
        args,
        span: Span::default(),
    }
}

/// The rules of a game in turns as rules in real time, in KIF: a turn takes one unit of time.
///
/// # Errors
/// If the sheet has percepts, or is in real time already.
pub fn to_real_time(sheet: &Sheet) -> Result<String, NotConvertible> {
    match paidia_gdl::Dialect::detect(sheet) {
        paidia_gdl::Dialect::Gdl => {}
        paidia_gdl::Dialect::GdlII => {
            let why = "the conversion is for GDL; these rules hide something or have chance";
            return Err(NotConvertible(why.to_owned()));
        }
        paidia_gdl::Dialect::RtGdl => {
            return Err(NotConvertible("the rules are in rtGDL already".to_owned()));
        }
    }
    let mut sheet = sheet.clone();
    let names = Names::new(&mut sheet.symbols);
    let mut declares = false;
    for clause in &mut sheet.clauses {
        let head = sheet.symbols.name(clause.head.relation).to_owned();
        declares |= head == "base";
        if head == "init" || head == "next" {
            clause.head.args.insert(0, constant(names.infinity));
        }
        for formula in &mut clause.body {
            convert(formula, &names, &sheet.symbols);
        }
        if head == "next" {
            let clock = vec![constant(names.clock)];
            clause.body.push(Formula::Atom(atom(names.expired, clock)));
        }
    }
    let name = |symbol: Symbol| sheet.symbols.name(symbol).to_owned();
    let (clock, made, moved) = (name(names.clock), name(names.made), name(names.moved));
    let mut text = print(&sheet, Notation::Kif);
    if declares {
        text += &format!(
            "\n(base {clock})\n(<= (base ({made} ?r ?m)) (input ?r ?m))\n\
             (<= (base ({moved} ?r)) (role ?r))\n"
        );
    }
    text += &format!(
        "\n;;; The clock of a turn: one move of a role is kept until it expires.\n\n\
         (<= (next infinity ({moved} ?r)) (does ?r ?m))\n\
         (<= (next infinity ({made} ?r ?m)) (does ?r ?m) (not (true infinity ({moved} ?r))))\n\
         (<= (next infinity ?f) (true ?t {clock}) (true infinity ?f))\n\
         (init 1.0 {clock})\n\
         (<= (next 1.0 {clock}) (expired {clock}))\n\
         (<= (next ?t {clock}) (true ?t {clock}))\n"
    );
    Ok(text)
}

/// Gives facts a lifetime, and asks for what was made instead of what is done.
fn convert(formula: &mut Formula, names: &Names, symbols: &Symbols) {
    match formula {
        Formula::Atom(one) => match symbols.name(one.relation) {
            "true" => one.args.insert(0, constant(names.infinity)),
            "does" => {
                let made = Term {
                    kind: TermKind::Compound(names.made, std::mem::take(&mut one.args)),
                    span: Span::default(),
                };
                *one = atom(names.truth, vec![constant(names.infinity), made]);
            }
            _ => {}
        },
        Formula::Not(inner, _) => convert(inner, names, symbols),
        Formula::And(parts, _) | Formula::Or(parts, _) => {
            parts
                .iter_mut()
                .for_each(|part| convert(part, names, symbols));
        }
        Formula::Distinct(..) => {}
    }
}

/// The rules of a game in turns of which rules in real time were made, in KIF: all their lifetimes
/// are `infinity` but that of one clock.
///
/// # Errors
/// Says why the rules are of another form.
pub fn to_turns(sheet: &Sheet) -> Result<String, NotConvertible> {
    let no = |why: String| {
        NotConvertible(format!(
            "only rules whose turns a clock makes become GDL: {why}"
        ))
    };
    let clock =
        clock_of(sheet).ok_or_else(|| no("no clock of one unit starts itself again".to_owned()))?;
    let mut sheet = sheet.clone();
    let extra = |clause: &Clause| {
        mentions_clock_only(clause, clock) || is_bookkeeping(clause, &sheet.symbols)
    };
    let clauses: Vec<Clause> = sheet
        .clauses
        .iter()
        .filter(|clause| !extra(clause))
        .cloned()
        .collect();
    sheet.clauses = clauses;
    let symbols = sheet.symbols.clone();
    let does = sheet.symbols.intern("does");
    for clause in &mut sheet.clauses {
        let head = symbols.name(clause.head.relation).to_owned();
        if head == "init" || head == "next" {
            endless(&mut clause.head, &symbols).map_err(no)?;
        }
        let before = clause.body.len();
        clause
            .body
            .retain(|formula| !is_expiry(formula, clock, &symbols));
        if head == "next" && clause.body.len() == before {
            return Err(no(
                "a rule for `next` does not wait for the clock".to_owned()
            ));
        }
        for formula in &mut clause.body {
            back(formula, does, &symbols).map_err(no)?;
        }
    }
    Ok(print(&sheet, Notation::Kif))
}

/// The fact that is given a unit of time whenever it has expired.
fn clock_of(sheet: &Sheet) -> Option<Symbol> {
    let name = |symbol: Symbol| sheet.symbols.name(symbol);
    let init = sheet
        .clauses
        .iter()
        .filter(|clause| name(clause.head.relation) == "init");
    let mut timed = init.filter_map(|clause| match &clause.head.args[..] {
        [lifetime, fact] if lifetime.as_constant().map(name) != Some("infinity") => {
            fact.as_constant()
        }
        _ => None,
    });
    timed.next().filter(|_| timed.next().is_none())
}

/// Whether a clause is about the clock itself.
fn mentions_clock_only(clause: &Clause, clock: Symbol) -> bool {
    let is_clock = |term: &Term| term.as_constant() == Some(clock);
    clause.head.args.iter().any(is_clock)
}

/// Whether a clause notes moves, or carries facts until the clock expires.
fn is_bookkeeping(clause: &Clause, symbols: &Symbols) -> bool {
    if symbols.name(clause.head.relation) != "next" {
        return false;
    }
    let Some(Term { kind, .. }) = clause.head.args.get(1) else {
        return false;
    };
    match kind {
        TermKind::Variable(_) => true,
        TermKind::Compound(..) => clause.body.iter().any(|formula| {
            matches!(formula, Formula::Atom(atom) if symbols.name(atom.relation) == "does")
        }),
        TermKind::Constant(_) => false,
    }
}

fn is_expiry(formula: &Formula, clock: Symbol, symbols: &Symbols) -> bool {
    matches!(formula, Formula::Atom(atom) if symbols.name(atom.relation) == "expired"
        && atom.args.first().and_then(Term::as_constant) == Some(clock))
}

/// Takes the lifetime away, which must be `infinity`.
fn endless(atom: &mut Atom, symbols: &Symbols) -> Result<(), String> {
    let lifetime = atom.args.first().and_then(Term::as_constant);
    match lifetime.map(|symbol| symbols.name(symbol)) {
        Some("infinity") if atom.args.len() == 2 => {
            atom.args.remove(0);
            Ok(())
        }
        _ => Err("a fact has another lifetime than `infinity`".to_owned()),
    }
}

fn back(formula: &mut Formula, does: Symbol, symbols: &Symbols) -> Result<(), String> {
    match formula {
        Formula::Atom(one) => match symbols.name(one.relation) {
            "true" => {
                endless(one, symbols)?;
                if let Some(TermKind::Compound(functor, args)) =
                    one.args.first().map(|term| term.kind.clone())
                    && symbols.name(functor).starts_with("made")
                    && args.len() == 2
                {
                    *one = atom(does, args);
                }
                Ok(())
            }
            "expired" => Err("a rule asks for what expired".to_owned()),
            "does" => Err("a rule asks for moves at once".to_owned()),
            _ => Ok(()),
        },
        Formula::Not(inner, _) => back(inner, does, symbols),
        Formula::And(parts, _) | Formula::Or(parts, _) => parts
            .iter_mut()
            .try_for_each(|part| back(part, does, symbols)),
        Formula::Distinct(..) => Ok(()),
    }
}
