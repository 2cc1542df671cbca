//! Between texts and rows: fluents, moves and percepts as a kind (which function) and a row of
//! terms.

use paidia_gdl::Symbol;
use paidia_gdl::Symbols;
use paidia_gdl::datalog::{NoRoom, TermId, Terms};

/// Deepest nesting of a term that is read from a text.
const MAX_DEPTH: usize = 200;

/// A ground term read from a text: a constant, or a function with its arguments.
pub(crate) enum Ground {
    Constant(TermId),
    Compound(Symbol, Vec<TermId>),
}

impl Ground {
    /// Its function, if it is one, and the row that it is: its arguments, or the constant itself.
    pub(crate) fn into_row(self) -> (Option<Symbol>, Vec<TermId>) {
        match self {
            Ground::Constant(id) => (None, vec![id]),
            Ground::Compound(functor, args) => (Some(functor), args),
        }
    }
}

/// Reads a ground term in prefix form.
///
/// # Errors
/// Says what is wrong with the text: not one term, or a name that the rules do not have.
pub(crate) fn read_ground(
    text: &str,
    symbols: &Symbols,
    terms: &mut Terms,
) -> Result<Ground, String> {
    let mut tokens = Tokens { rest: text };
    let term = read(&mut tokens, symbols, terms, 0)?;
    match tokens.next() {
        None => Ok(term),
        Some(token) => Err(format!("`{token}` stands after the end of the term")),
    }
}

fn read(
    tokens: &mut Tokens<'_>,
    symbols: &Symbols,
    terms: &mut Terms,
    depth: usize,
) -> Result<Ground, String> {
    if depth > MAX_DEPTH {
        return Err("it is nested too deeply".into());
    }
    match tokens.next() {
        None => Err("it ends too early".into()),
        Some(")") => Err("`)` stands where a term should".into()),
        Some("(") => {
            let name = tokens.next().unwrap_or(")");
            if name == "(" || name == ")" {
                return Err("a function has no name".into());
            }
            let mut args = Vec::new();
            while tokens.peek() != Some(")") {
                let arg = read(tokens, symbols, terms, depth + 1)?;
                args.push(term_id(arg, terms)?);
            }
            tokens.next();
            let functor = find(name, symbols)?;
            match args.is_empty() {
                true => Ok(Ground::Constant(functor.0)),
                false => Ok(Ground::Compound(functor, args)),
            }
        }
        Some(name) => Ok(Ground::Constant(find(name, symbols)?.0)),
    }
}

fn find(name: &str, symbols: &Symbols) -> Result<Symbol, String> {
    symbols
        .get(name)
        .ok_or_else(|| format!("`{name}` does not occur in the rules"))
}

fn term_id(term: Ground, terms: &mut Terms) -> Result<TermId, String> {
    match term {
        Ground::Constant(id) => Ok(id),
        Ground::Compound(functor, args) => {
            let parts: Vec<u32> = std::iter::once(functor.0).chain(args).collect();
            terms.intern(&parts).map_err(|reason| match reason {
                NoRoom::Terms => "there are too many different terms".into(),
                NoRoom::Levels => "it is nested too deeply".into(),
            })
        }
    }
}

struct Tokens<'a> {
    rest: &'a str,
}

impl<'a> Tokens<'a> {
    fn next(&mut self) -> Option<&'a str> {
        let token = self.peek()?;
        self.rest = &self.rest.trim_start()[token.len()..];
        Some(token)
    }

    fn peek(&self) -> Option<&'a str> {
        let rest = self.rest.trim_start();
        let first = rest.chars().next()?;
        if first == '(' || first == ')' {
            return Some(&rest[..1]);
        }
        let end = rest
            .find(|c: char| c.is_whitespace() || c == '(' || c == ')')
            .unwrap_or(rest.len());
        Some(&rest[..end])
    }
}

#[cfg(test)]
mod tests {
    use super::{Ground, read_ground};
    use paidia_gdl::Symbols;
    use paidia_gdl::datalog::Terms;

    #[test]
    fn texts_are_read_or_refused_with_a_reason() {
        let mut symbols = Symbols::default();
        for name in ["f", "a", "b"] {
            symbols.intern(name);
        }
        let mut terms = Terms::new(&symbols, 10);
        let mut read = |text: &str| match read_ground(text, &symbols, &mut terms) {
            Ok(Ground::Constant(id)) => format!("constant {id}"),
            Ok(Ground::Compound(functor, args)) => format!("{} {args:?}", functor.0),
            Err(because) => because,
        };
        assert_eq!(read("a"), "constant 1");
        assert_eq!(read("  ( f a (f  b) ) "), "0 [1, 3]");
        assert_eq!(read("(a)"), "constant 1");
        assert_eq!(read("c"), "`c` does not occur in the rules");
        assert_eq!(read("(f a"), "it ends too early");
        assert_eq!(read("a b"), "`b` stands after the end of the term");
        assert_eq!(read("(())"), "a function has no name");
        assert_eq!(read(&"(f ".repeat(100_000)), "it is nested too deeply");
    }
}
