//! The same game in GDL.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::{Description, Fact, Formula, Part, Rewriting};
use crate::clauses::without_dead;

/// A translation as it grows.
struct Writer<'a> {
    game: &'a Description,
    text: String,
    /// Helping relations so far.
    helpers: usize,
}

/// The game as a sheet of GDL. The description must be without errors.
///
/// Elements are named by column and row, `a1` being at the lower left; `R` leads to the right, `C`
/// up. A game is over when the player to move has no move. Payoffs are put on the scale from 0 to
/// 100, 0 being the least that the payoff's terms could make.
pub fn to_gdl(game: &Description) -> String {
    let mut writer = Writer {
        game,
        text: String::new(),
        helpers: 0,
    };
    writer.board();
    for definition in &game.definitions {
        let variables = &definition.variables;
        let free: BTreeSet<String> = variables.iter().cloned().collect();
        let body = writer.bodies(&definition.formula);
        let head = atom(&relation(&definition.name), variables);
        writer.clauses(&head, &free, body);
    }
    for rule in &game.rules {
        writer.rule(rule);
    }
    writer.locations();
    format!("; Translated from Toss.\n\n{}", without_dead(&writer.text))
}

/// The name of a defined relation, apart from all others.
fn relation(name: &str) -> String {
    format!("rel_{}", name.to_ascii_lowercase())
}

fn variable(name: &str) -> String {
    format!("?{}", name.to_ascii_lowercase())
}

fn atom(name: &str, variables: &[String]) -> String {
    let arguments: String = variables
        .iter()
        .map(|name| format!(" {}", variable(name)))
        .collect();
    match arguments.is_empty() {
        true => name.to_owned(),
        false => format!("({name}{arguments})"),
    }
}

/// Free variables of a formula.
fn free(formula: &Formula) -> BTreeSet<String> {
    match formula {
        Formula::Atom(_, variables) => variables.iter().cloned().collect(),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().flat_map(free).collect(),
        Formula::Not(inner) => free(inner),
        Formula::Exists(variables, inner) => {
            let mut left = free(inner);
            left.retain(|name| !variables.contains(name));
            left
        }
    }
}

impl Writer<'_> {
    fn is_changing(&self, name: &str) -> bool {
        self.game.relations.iter().any(|(known, _)| known == name)
    }

    fn literal(&self, (name, variables): &Fact) -> String {
        match name.as_str() {
            name if self.is_changing(name) => {
                format!(
                    "(true {})",
                    atom(&format!("holds_{}", name.to_ascii_lowercase()), variables)
                )
            }
            "R" => atom("right", variables),
            "C" => atom("up", variables),
            name => atom(&relation(name), variables),
        }
    }

    /// Bodies of clauses, one of which has to hold for a formula to hold.
    fn bodies(&mut self, formula: &Formula) -> Vec<Vec<String>> {
        match formula {
            Formula::Or(parts) => {
                let all = parts.iter().flat_map(|part| self.bodies(part));
                all.collect()
            }
            Formula::And(parts) => {
                vec![parts.iter().map(|part| self.one(part)).collect()]
            }
            Formula::Exists(_, inner) => self.bodies(inner),
            Formula::Atom(..) | Formula::Not(_) => vec![vec![self.one(formula)]],
        }
    }

    /// One literal that holds as a formula does.
    fn one(&mut self, formula: &Formula) -> String {
        match formula {
            Formula::Atom(name, variables) => self.literal(&(name.clone(), variables.clone())),
            Formula::Not(inner) => match &**inner {
                Formula::Not(inner) => self.one(inner),
                inner => format!("(not {})", self.one(inner)),
            },
            _ => {
                let free = free(formula);
                let name = format!("part_{}", self.helpers);
                self.helpers += 1;
                let variables: Vec<String> = free.iter().cloned().collect();
                let head = atom(&name, &variables);
                let bodies = self.bodies(formula);
                self.clauses(&head, &free, bodies);
                head
            }
        }
    }

    /// Clauses of a head; all variables in them are elements.
    fn clauses(&mut self, head: &str, free: &BTreeSet<String>, bodies: Vec<Vec<String>>) {
        for body in bodies {
            let text = body.join(" ");
            let words = text.split(|c: char| c.is_whitespace() || c == '(' || c == ')');
            let mut named: BTreeSet<String> = words
                .filter(|word| word.starts_with('?'))
                .map(str::to_owned)
                .collect();
            named.extend(free.iter().map(|name| variable(name)));
            let elements = named.iter().map(|name| format!("(element {name})"));
            // Negated literals come last, when all variables are bound.
            let (last, first): (Vec<String>, Vec<String>) = body
                .into_iter()
                .partition(|literal| literal.starts_with("(not "));
            let body: Vec<String> = elements.chain(first).chain(last).collect();
            match body.is_empty() {
                true => _ = writeln!(self.text, "{head}"),
                false => _ = writeln!(self.text, "(<= {head} {})", body.join(" ")),
            }
        }
    }

    fn board(&mut self) {
        let rows = self.game.board.len();
        for player in &self.game.players {
            let _ = writeln!(self.text, "(role {})", player.to_ascii_lowercase());
        }
        let name = |x: usize, y: usize| format!("{}{}", char::from(b'a' + x as u8), rows - y);
        for (y, row) in self.game.board.iter().enumerate() {
            for (x, &mark) in row.iter().enumerate() {
                let own = name(x, y);
                let _ = writeln!(self.text, "(element {own})");
                if x + 1 < row.len() {
                    let _ = writeln!(self.text, "(right {own} {})", name(x + 1, y));
                }
                if y > 0 {
                    let _ = writeln!(self.text, "(up {own} {})", name(x, y - 1));
                }
                if mark != '.' {
                    let mark = mark.to_ascii_lowercase();
                    let _ = writeln!(self.text, "(init (holds_{mark} {own}))");
                }
            }
        }
        self.text.push_str("(init (location 0))\n");
    }

    fn rule(&mut self, rule: &Rewriting) {
        let name = rule.name.to_ascii_lowercase();
        let elements = &rule.elements;
        let mut body: Vec<String> = elements
            .iter()
            .map(|element| format!("(element {})", variable(element)))
            .collect();
        for (place, one) in elements.iter().enumerate() {
            for other in &elements[..place] {
                body.push(format!("(distinct {} {})", variable(one), variable(other)));
            }
        }
        body.extend(rule.before.iter().map(|fact| self.literal(fact)));
        for relation in &rule.exact {
            for tuple in self.tuples(relation, elements) {
                if !rule.before.contains(&tuple) {
                    body.push(format!("(not {})", self.literal(&tuple)));
                }
            }
        }
        if let Some(condition) = &rule.condition {
            let literal = self.one(condition);
            body.push(literal);
        }
        let head = atom(&format!("can_{name}"), elements);
        let _ = writeln!(self.text, "(<= {head} {})", body.join(" "));
        let made = atom(&name, elements);
        for fact in &rule.after {
            let next = self.literal(fact).replacen("(true ", "(next ", 1);
            let _ = writeln!(self.text, "(<= {next} (does ?player {made}))");
        }
        // What held before of these elements is gone, unless it is told to hold after.
        let exact = rule.exact.iter();
        let gone = exact.flat_map(|relation| self.tuples(relation, elements));
        let gone: BTreeSet<Fact> = gone
            .chain(rule.before.iter().cloned())
            .filter(|fact| self.is_changing(&fact.0))
            .collect();
        for fact in gone {
            let name = fact.0.to_ascii_lowercase();
            let head = atom(&format!("gone_{name}"), &fact.1);
            let _ = writeln!(self.text, "(<= {head} (does ?player {made}))");
        }
    }

    /// All tuples of elements that a relation could have.
    fn tuples(&self, relation: &str, elements: &[String]) -> Vec<Fact> {
        let known = self
            .game
            .relations
            .iter()
            .find(|(name, _)| name == relation);
        let count = known.map_or(0, |(_, count)| *count);
        let mut tuples = vec![Vec::new()];
        for _ in 0..count {
            tuples = tuples
                .into_iter()
                .flat_map(|tuple: Vec<String>| {
                    elements.iter().map(move |element| {
                        let mut longer = tuple.clone();
                        longer.push(element.clone());
                        longer
                    })
                })
                .collect();
        }
        tuples
            .into_iter()
            .map(|tuple| (relation.to_owned(), tuple))
            .collect()
    }

    fn locations(&mut self) {
        for (name, count) in &self.game.relations {
            let name = name.to_ascii_lowercase();
            let variables: Vec<String> = (0..*count).map(|number| format!("x{number}")).collect();
            let holds = atom(&format!("holds_{name}"), &variables);
            let gone = atom(&format!("gone_{name}"), &variables);
            let _ = writeln!(self.text, "(<= (next {holds}) (true {holds}) (not {gone}))");
        }
        let game = self.game;
        for (number, parts) in &game.locations {
            for part in parts {
                self.part(*number, part);
            }
            for player in &game.players {
                if parts
                    .iter()
                    .all(|part| part.player != *player || part.moves.is_empty())
                {
                    let role = player.to_ascii_lowercase();
                    let _ = writeln!(
                        self.text,
                        "(<= (legal {role} noop) (true (location {number})))"
                    );
                }
            }
        }
        self.text
            .push_str("(<= terminal (true (location ?here)) (not can_go))\n");
    }

    fn part(&mut self, number: u32, part: &Part) {
        let role = part.player.to_ascii_lowercase();
        let here = format!("(true (location {number}))");
        for (rule, to) in &part.moves {
            let known = self.game.rules.iter().find(|known| known.name == *rule);
            let Some(known) = known else { continue };
            let name = rule.to_ascii_lowercase();
            let made = atom(&name, &known.elements);
            let can = atom(&format!("can_{name}"), &known.elements);
            let _ = writeln!(self.text, "(<= (legal {role} {made}) {here} {can})");
            let _ = writeln!(self.text, "(<= can_go {here} {can})");
            let _ = writeln!(
                self.text,
                "(<= (next (location {to})) {here} (does {role} {made}))"
            );
        }
        let literals: Vec<(i64, String)> = part
            .payoff
            .iter()
            .map(|(sign, formula)| (*sign, self.one(formula)))
            .collect();
        let sum = |sign: i64| literals.iter().filter(|term| term.0 == sign).count() as i64;
        let (least, most) = (-sum(-1), sum(1));
        for set in 0..1u32 << literals.len() {
            let (mut body, mut payoff) = (here.clone(), 0);
            for (place, (sign, literal)) in literals.iter().enumerate() {
                if set >> place & 1 == 1 {
                    payoff += sign;
                    let _ = write!(body, " {literal}");
                } else {
                    let _ = write!(body, " (not {literal})");
                }
            }
            let goal = 100 * (payoff - least) / (most - least).max(1);
            let _ = writeln!(self.text, "(<= (goal {role} {goal}) {body})");
        }
    }
}
