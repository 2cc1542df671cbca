//! Reading Toss.

use paidia_gdl::{Problem, Source, Span};

use super::{Definition, Description, Fact, Formula, MEANING, Part, Rewriting, SYNTAX};

/// The longest text that is read, in bytes.
const MAX_TEXT_BYTES: usize = 1 << 20;

/// How deep formulas may be nested.
const MAX_NESTING: usize = 60;

/// The most elements of the board.
const MAX_ELEMENTS: usize = 1024;

/// What was understood of a text.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// The game.
    pub description: Description,
    /// What is wrong, in the order of the text.
    pub problems: Vec<Problem>,
}

impl Reading {
    /// Whether the game cannot be played.
    pub fn has_errors(&self) -> bool {
        self.problems.iter().any(Problem::is_error)
    }
}

/// Reads a game. It ends at the first mistake.
pub fn read(source: &Source) -> Reading {
    let mut reader = Reader {
        text: &source.text,
        at: 0,
        used: Vec::new(),
        game: Description::default(),
    };
    let mut reading = Reading::default();
    let read = match source.text.len() > MAX_TEXT_BYTES {
        true => reader.refused(&format!("the text is longer than {MAX_TEXT_BYTES} bytes")),
        false => reader.game().and_then(|()| reader.check()),
    };
    reading.problems.extend(read.err());
    reading.description = reader.game;
    reading
}

type Read<T> = Result<T, Problem>;

struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// Relations that formulas ask for, with their numbers of arguments and places.
    used: Vec<(String, usize, Span)>,
    game: Description,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn skip(&mut self) {
        loop {
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start().len();
            if blank > 0 {
                self.at += blank;
            } else if rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else {
                return;
            }
        }
    }

    /// The next word, or one character.
    fn peek(&mut self) -> &str {
        self.skip();
        let rest = self.rest();
        let word = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        match (word.unwrap_or(rest.len()), rest.chars().next()) {
            (0, Some(first)) => &rest[..first.len_utf8()],
            (length, _) => &rest[..length],
        }
    }

    fn span(&mut self) -> Span {
        let length = self.peek().len();
        Span::new(self.at, self.at + length)
    }

    fn expected<T>(&mut self, what: &str) -> Read<T> {
        let found = match self.peek() {
            "" => "the text ends here".to_owned(),
            found => format!("`{found}` stands here"),
        };
        let message = format!("{what} is expected, and {found}");
        Err(Problem::new(SYNTAX, self.span(), message))
    }

    fn refused<T>(&mut self, message: &str) -> Read<T> {
        Err(Problem::new(MEANING, self.span(), message.to_owned()))
    }

    fn take(&mut self, text: &str) -> bool {
        self.skip();
        let is_next = match text.as_bytes()[0].is_ascii_alphanumeric() {
            true => self.peek() == text,
            false => self.rest().starts_with(text),
        };
        self.at += if is_next { text.len() } else { 0 };
        is_next
    }

    fn need(&mut self, texts: &[&str]) -> Read<()> {
        for text in texts {
            if !self.take(text) {
                return self.expected(&format!("`{text}`"));
            }
        }
        Ok(())
    }

    fn name(&mut self, what: &str) -> Read<String> {
        let word = self.peek().to_owned();
        if !word.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return self.expected(what);
        }
        self.at += word.len();
        Ok(word)
    }

    fn number(&mut self, what: &str) -> Read<u32> {
        let word = self.peek().to_owned();
        match word.parse() {
            Ok(number) => {
                self.at += word.len();
                Ok(number)
            }
            Err(_) => self.expected(what),
        }
    }

    /// Names with commas between them.
    fn names(&mut self, what: &str) -> Read<Vec<String>> {
        let mut names = vec![self.name(what)?];
        while self.take(",") {
            names.push(self.name(what)?);
        }
        Ok(names)
    }

    fn game(&mut self) -> Read<()> {
        loop {
            match self.peek() {
                "PLAYERS" => {
                    self.need(&["PLAYERS"])?;
                    self.game.players = self.names("the name of a player")?;
                }
                "REL" => {
                    let definition = self.definition()?;
                    self.game.definitions.push(definition);
                }
                "RULE" => {
                    let rule = self.rule()?;
                    self.game.rules.push(rule);
                }
                "LOC" => {
                    let location = self.location()?;
                    self.game.locations.push(location);
                }
                "MODEL" => {
                    self.model()?;
                    return match self.peek() {
                        "" => Ok(()),
                        _ => self.expected("the end of the text"),
                    };
                }
                _ => return self.expected("`PLAYERS`, `REL`, `RULE`, `LOC` or `MODEL`"),
            }
        }
    }

    fn definition(&mut self) -> Read<Definition> {
        self.need(&["REL"])?;
        let name = self.name("the name of a relation")?;
        self.need(&["("])?;
        let variables = match self.take(")") {
            true => Vec::new(),
            false => {
                let variables = self.names("a variable")?;
                self.need(&[")"])?;
                variables
            }
        };
        self.need(&["="])?;
        let formula = self.formula(0)?;
        Ok(Definition {
            name,
            variables,
            formula,
        })
    }

    fn formula(&mut self, depth: usize) -> Read<Formula> {
        let mut parts = vec![self.conjunction(depth)?];
        while self.take("or") {
            parts.push(self.conjunction(depth)?);
        }
        Ok(match parts.len() {
            1 => parts.remove(0),
            _ => Formula::Or(parts),
        })
    }

    fn conjunction(&mut self, depth: usize) -> Read<Formula> {
        let mut parts = vec![self.literal(depth)?];
        while self.take("and") {
            parts.push(self.literal(depth)?);
        }
        Ok(match parts.len() {
            1 => parts.remove(0),
            _ => Formula::And(parts),
        })
    }

    fn literal(&mut self, depth: usize) -> Read<Formula> {
        if depth > MAX_NESTING {
            return self.refused(&format!("formulas are nested deeper than {MAX_NESTING}"));
        }
        if self.take("not") {
            return Ok(Formula::Not(Box::new(self.literal(depth + 1)?)));
        }
        if self.take("(") {
            let inner = self.formula(depth + 1)?;
            self.need(&[")"])?;
            return Ok(inner);
        }
        for (word, is_all) in [("ex", false), ("all", true)] {
            if self.take(word) {
                let variables = self.names("a variable")?;
                let inner = self.literal(depth + 1)?;
                // For all is not for some not.
                let inner = if is_all {
                    Formula::Not(Box::new(inner))
                } else {
                    inner
                };
                let some = Formula::Exists(variables, Box::new(inner));
                return Ok(if is_all {
                    Formula::Not(Box::new(some))
                } else {
                    some
                });
            }
        }
        let span = self.span();
        let (name, arguments) = self.atom("a formula")?;
        self.used.push((name.clone(), arguments.len(), span));
        Ok(Formula::Atom(name, arguments))
    }

    fn atom(&mut self, what: &str) -> Read<Fact> {
        let name = self.name(what)?;
        self.need(&["("])?;
        if self.take(")") {
            return Ok((name, Vec::new()));
        }
        let arguments = self.names("a variable")?;
        self.need(&[")"])?;
        Ok((name, arguments))
    }

    fn rule(&mut self) -> Read<Rewriting> {
        self.need(&["RULE"])?;
        let name = self.name("the name of a rule")?;
        self.need(&[":"])?;
        let (elements, before) = self.structure()?;
        self.need(&["->"])?;
        let (others, after) = self.structure()?;
        if others != elements {
            return self.refused("both sides of a rule have the same elements in the same order");
        }
        let exact = match self.take("emb") {
            true => self.names("the name of a relation")?,
            false => Vec::new(),
        };
        let condition = match self.take("pre") {
            true => Some(self.formula(0)?),
            false => None,
        };
        Ok(Rewriting {
            name,
            elements,
            before,
            after,
            exact,
            condition,
        })
    }

    /// Such as `[a, b | P (a); R (a, b) | - ]`.
    fn structure(&mut self) -> Read<(Vec<String>, Vec<Fact>)> {
        self.need(&["["])?;
        let elements = self.names("the name of an element")?;
        self.need(&["|"])?;
        let mut facts = Vec::new();
        if !self.take("-") {
            loop {
                let span = self.span();
                let fact = self.atom("a relation or `-`")?;
                if let Some(other) = fact.1.iter().find(|name| !elements.contains(name)) {
                    let message = format!("`{other}` is no element of this structure");
                    return Err(Problem::new(MEANING, span, message));
                }
                self.used.push((fact.0.clone(), fact.1.len(), span));
                facts.push(fact);
                if !self.take(";") {
                    break;
                }
            }
        }
        self.need(&["|"])?;
        if !self.take("-") && self.peek() != "]" {
            return self.refused("functions of elements are not supported here");
        }
        self.need(&["]"])?;
        Ok((elements, facts))
    }

    fn location(&mut self) -> Read<(u32, Vec<Part>)> {
        self.need(&["LOC"])?;
        let number = self.number("the number of a location")?;
        self.need(&["{"])?;
        let mut parts = Vec::new();
        while !self.take("}") {
            self.need(&["PLAYER"])?;
            let mut part = Part {
                player: self.name("the name of a player")?,
                ..Part::default()
            };
            self.need(&["{"])?;
            while !self.take("}") {
                match self.peek() {
                    "PAYOFF" => part.payoff = self.payoff()?,
                    "MOVES" => {
                        self.need(&["MOVES"])?;
                        while self.take("[") {
                            let rule = self.name("the name of a rule")?;
                            self.need(&["->"])?;
                            let to = self.number("the number of a location")?;
                            self.need(&["]"])?;
                            part.moves.push((rule, to));
                            self.take(";");
                        }
                    }
                    _ => return self.expected("`PAYOFF`, `MOVES` or `}`"),
                }
            }
            parts.push(part);
        }
        Ok((number, parts))
    }

    /// Such as `:(WinP()) - :(WinQ())`.
    fn payoff(&mut self) -> Read<Vec<(i64, Formula)>> {
        self.need(&["PAYOFF"])?;
        let mut terms = Vec::new();
        let mut sign = if self.take("-") { -1 } else { 1 };
        loop {
            self.need(&[":", "("])?;
            terms.push((sign, self.formula(0)?));
            self.need(&[")"])?;
            sign = match (self.take("+"), self.take("-")) {
                (true, _) => 1,
                (_, true) => -1,
                _ => return Ok(terms),
            };
            if terms.len() >= 6 {
                return self.refused("a payoff has at most six terms");
            }
        }
    }

    fn model(&mut self) -> Read<()> {
        self.need(&["MODEL", "[", "|"])?;
        while self.peek() != "|" {
            let name = self.name("the name of a relation")?;
            self.need(&[":"])?;
            let count = self.number("a number of elements")?;
            self.need(&["{", "}"])?;
            self.game.relations.push((name, count as usize));
            if !self.take(";") {
                break;
            }
        }
        self.need(&["|", "]", "\""])?;
        let Some(end) = self.rest().find('"') else {
            return self.expected("`\"` after the rows of the board");
        };
        let rows = self.rest()[..end].to_owned();
        self.at += end + 1;
        let rows = rows.lines().map(str::trim).filter(|row| !row.is_empty());
        let cells = |row: &str| row.chars().filter(|c| !c.is_whitespace()).collect();
        self.game.board = rows.map(cells).collect();
        Ok(())
    }

    /// Looks for what is not there.
    fn check(&mut self) -> Read<()> {
        let at = Span::new(0, 0);
        let bad = |message: String| Err(Problem::new(MEANING, at, message));
        let game = &self.game;
        let width = game.board.first().map_or(0, Vec::len);
        let count: usize = game.board.iter().map(Vec::len).sum();
        if count == 0 || count > MAX_ELEMENTS || width > 26 {
            return bad("the board has from 1 to 1024 elements, and at most 26 columns".to_owned());
        }
        if game.board.iter().any(|row| row.len() != width) {
            return bad("the rows of the board have different lengths".to_owned());
        }
        let marks = game.board.iter().flatten().filter(|&&mark| mark != '.');
        for mark in marks {
            if !game.relations.contains(&(mark.to_string(), 1)) {
                return bad(format!(
                    "the board has `{mark}`, which is no relation of the model"
                ));
            }
        }
        for (name, count, span) in &self.used {
            let defined = game.definitions.iter();
            let known = defined
                .map(|known| (known.name.as_str(), known.variables.len()))
                .chain(
                    game.relations
                        .iter()
                        .map(|(name, count)| (name.as_str(), *count)),
                )
                .chain([("R", 2), ("C", 2)]);
            if !known.into_iter().any(|known| known == (name, *count)) {
                let message = format!("there is no relation `{name}` of {count} elements");
                return Err(Problem::new(MEANING, *span, message));
            }
        }
        let changed = game
            .rules
            .iter()
            .flat_map(|rule| rule.before.iter().chain(&rule.after));
        for (name, _) in changed {
            if !game.relations.iter().any(|(known, _)| known == name) {
                return bad(format!("`{name}` is in a rule and not in the model"));
            }
        }
        if game.players.is_empty() || !game.locations.iter().any(|location| location.0 == 0) {
            return bad("there are no players, or there is no location 0".to_owned());
        }
        for (number, parts) in &game.locations {
            if parts.iter().filter(|part| !part.moves.is_empty()).count() > 1 {
                return bad(format!("two players move at location {number}"));
            }
            for part in parts {
                if !game.players.contains(&part.player) {
                    return bad(format!("there is no player `{}`", part.player));
                }
                for (rule, to) in &part.moves {
                    let is_rule = game.rules.iter().any(|known| known.name == *rule);
                    let is_there = game.locations.iter().any(|known| known.0 == *to);
                    if !is_rule || !is_there {
                        return bad(format!("there is no rule `{rule}`, or no location {to}"));
                    }
                }
            }
        }
        Ok(())
    }
}
