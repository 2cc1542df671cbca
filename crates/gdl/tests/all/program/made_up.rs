//! Made-up sheets: every one is safe and stratified and has finitely many facts, and is as odd as
//! that allows.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

const CONSTANTS: [&str; 4] = ["a", "b", "c", "f"];
const VARIABLES: [&str; 5] = ["?x", "?y", "?z", "?u", "?v"];

/// Relations of this many levels, two on each, which may depend on each other.
const LEVELS: usize = 4;

/// The levels from this one on may ask for the moves being made; `legal` asks for the levels below.
const MOVE_LEVEL: usize = 2;

/// The text of a sheet; if it is `growing`, the next state may have larger terms than the state.
pub(crate) fn sheet(seed: u64, growing: bool) -> String {
    let mut writer = Writer {
        random: Xoshiro256PlusPlus::seed_from_u64(seed),
        text: String::new(),
        growing,
    };
    writer.facts();
    for level in 0..LEVELS {
        for relation in [2 * level, 2 * level + 1] {
            for _ in 0..=writer.below(3) {
                writer.rule(level, relation);
            }
        }
    }
    for _ in 0..3 {
        writer.legal();
        writer.next();
    }
    writer.text
}

/// The text of a sheet about walks in a small graph: a few relations between nodes that are defined
/// by each other, asked for in several ways.
pub(crate) fn walks(seed: u64) -> String {
    let mut writer = Writer {
        random: Xoshiro256PlusPlus::seed_from_u64(seed),
        text: String::new(),
        growing: false,
    };
    for node in NODES {
        writer.text.push_str(&format!("(node {node})\n"));
    }
    for _ in 0..6 {
        let (from, to) = (writer.pick(&NODES), writer.pick(&NODES));
        writer.text.push_str(&format!("(edge {from} {to})\n"));
    }
    for head in ["p", "q", "s"] {
        for _ in 0..=writer.below(3) {
            writer.walk(head);
        }
        writer.text.push_str(&format!(
            "(<= (from_{head} ?x) ({head} n1 ?x))\n(<= (to_{head} ?x) ({head} ?x n2))\n\
             (<= (never_{head} ?x) (node ?x) (not ({head} ?x ?x)))\n"
        ));
    }
    writer.text
}

const NODES: [&str; 6] = ["n1", "n2", "n3", "n4", "n5", "n6"];

/// How many arguments a derived relation has.
fn arity(relation: usize) -> usize {
    [1, 2, 0, 2, 1, 3, 1, 2][relation]
}

struct Writer {
    random: Xoshiro256PlusPlus,
    text: String,
    growing: bool,
}

/// A body under construction.
#[derive(Default)]
struct Body {
    literals: Vec<String>,
    bound: Vec<&'static str>,
    /// Whether a relation of the head's own level occurs.
    recursive: bool,
}

impl Writer {
    fn below(&mut self, bound: usize) -> usize {
        self.random.next_u64() as usize % bound
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    fn ground(&mut self) -> String {
        match self.below(6) {
            0 => format!("(f {})", self.pick(&CONSTANTS)),
            1 => format!("(g {} {})", self.pick(&CONSTANTS), self.pick(&CONSTANTS)),
            2 => format!(
                "(g (f {}) {})",
                self.pick(&CONSTANTS),
                self.pick(&CONSTANTS)
            ),
            _ => self.pick(&CONSTANTS).to_owned(),
        }
    }

    fn facts(&mut self) {
        self.text
            .push_str("(role a)\n(role b)\n(<= (next moved) (does ?r ?m) (true ?f))\n");
        for _ in 0..7 {
            let (first, second) = (self.ground(), self.ground());
            self.text
                .push_str(&format!("(e {first})\n(d {first} {second})\n"));
            let fluent = self.ground();
            self.text
                .push_str(&format!("(init {fluent})\n(init (p {second}))\n"));
        }
    }

    /// A term over variables that need not be bound.
    fn pattern(&mut self, level: usize, body: &mut Body) -> String {
        let variable = self.pick(&VARIABLES);
        let built = self.below(level + 1);
        match self.below(16) {
            0 => return self.pick(&CONSTANTS).to_owned(),
            1 => {
                body.bound.push(variable);
                return format!("(f {variable})");
            }
            2 => {
                body.bound.push(variable);
                return format!("(g {variable} {})", self.pick(&CONSTANTS));
            }
            3 => {
                body.bound.push(variable);
                return format!("(f{built} {variable})");
            }
            _ => {}
        }
        body.bound.push(variable);
        variable.to_owned()
    }

    /// A term over variables that are bound. A level builds terms with functions of its own, so
    /// that none stands inside itself.
    fn bound_term(&mut self, bound: &[&'static str], builds: Option<usize>) -> String {
        if bound.is_empty() || self.below(8) == 0 {
            return self.pick(&CONSTANTS).to_owned();
        }
        let variable = self.pick(bound);
        match (self.below(9), builds) {
            (0, Some(level)) => format!("(f{level} {variable})"),
            (1, Some(level)) => format!("(g{level} {variable} {})", self.pick(bound)),
            _ => variable.to_owned(),
        }
    }

    /// The name and arity of a relation that a rule of some level may use: one below it, or its
    /// own.
    fn relation(&mut self, level: usize, own: bool) -> (String, usize) {
        let derived = 2 * (level + usize::from(own));
        match self.below(derived + 4) {
            0 => ("e".to_owned(), 1),
            1 => ("d".to_owned(), 2),
            2 => ("true".to_owned(), 1),
            3 if level >= MOVE_LEVEL => ("does".to_owned(), 2),
            3 => ("e".to_owned(), 1),
            other => (format!("r{}", other - 4), arity(other - 4)),
        }
    }

    fn positive(&mut self, level: usize, own: bool, body: &mut Body) -> String {
        let (name, arity) = self.relation(level, own);
        body.recursive |=
            name == format!("r{}", 2 * level) || name == format!("r{}", 2 * level + 1);
        let args: Vec<String> = (0..arity).map(|_| self.pattern(level, body)).collect();
        call(&name, &args)
    }

    /// A literal that binds nothing.
    fn test(&mut self, level: usize, bound: &[&'static str]) -> String {
        let term = |writer: &mut Self| writer.bound_term(bound, Some(level));
        if self.below(3) == 0 {
            return format!("(distinct {} {})", term(self), term(self));
        }
        let (name, arity) = self.relation(level, false);
        let args: Vec<String> = (0..arity).map(|_| term(self)).collect();
        format!("(not {})", call(&name, &args))
    }

    /// A disjunction whose branches bind the same variables, or a negated formula over bound ones.
    fn formula(&mut self, level: usize, body: &mut Body) -> String {
        let bound = body.bound.clone();
        if self.below(2) == 0 {
            let (one, other) = (self.test(level, &bound), self.test(level, &bound));
            let connective = self.pick(&["and", "or"]);
            let inner = format!("({connective} {one} {other})");
            return if self.below(2) == 0 {
                format!("(not {inner})")
            } else {
                inner
            };
        }
        let variable = self.pick(&VARIABLES);
        let mut branches = vec![format!("(e {variable})"), format!("(d {variable} a)")];
        if level > 0 {
            let test = self.test(level, &bound);
            branches.push(format!("(and (true {variable}) {test})"));
        }
        body.bound.push(variable);
        format!("(or {})", branches.join(" "))
    }

    fn body(&mut self, level: usize, own: bool) -> Body {
        let mut body = Body::default();
        for _ in 0..=self.below(2) {
            let literal = self.positive(level, own, &mut body);
            body.literals.push(literal);
        }
        // Now and then enough disjunctions for helper relations.
        let formulas = self.pick(&[0, 0, 0, 1, 1, 4]);
        for _ in 0..formulas {
            let formula = self.formula(level, &mut body);
            body.literals.push(formula);
        }
        for _ in 0..self.below(2) {
            let test = self.test(level, &body.bound.clone());
            // Tests may stand before what binds their variables.
            let place = self.below(body.literals.len() + 1);
            body.literals.insert(place, test);
        }
        body
    }

    fn rule(&mut self, level: usize, relation: usize) {
        let body = self.body(level, true);
        // Only rules that are not recursive build terms, so that there are finitely many.
        let builds = (!body.recursive).then_some(level);
        let args = (0..arity(relation)).map(|_| self.bound_term(&body.bound, builds));
        let args: Vec<String> = args.collect();
        self.clause(&call(&format!("r{relation}"), &args), &body);
    }

    fn walk(&mut self, head: &str) {
        const STEPS: [&str; 5] = ["edge", "edge", "p", "q", "s"];
        let (first, second) = (self.pick(&STEPS), self.pick(&STEPS));
        let body = match self.below(4) {
            0 => format!("({first} ?y ?x)"),
            1 => format!("({first} ?x ?y)"),
            _ => format!("({first} ?x ?z) ({second} ?z ?y)"),
        };
        self.text.push_str(&format!("(<= ({head} ?x ?y) {body})\n"));
    }

    fn legal(&mut self) {
        let body = self.body(MOVE_LEVEL - 1, false);
        let role = self.pick(&["a", "b"]);
        let action = self.bound_term(&body.bound, Some(LEVELS));
        self.clause(&format!("(legal {role} {action})"), &body);
    }

    fn next(&mut self) {
        let body = self.body(LEVELS - 1, false);
        let fluent = self.bound_term(&body.bound, self.growing.then_some(LEVELS));
        self.clause(&format!("(next {fluent})"), &body);
    }

    fn clause(&mut self, head: &str, body: &Body) {
        self.text
            .push_str(&format!("(<= {head} {})\n", body.literals.join(" ")));
    }
}

fn call(name: &str, args: &[String]) -> String {
    match args.is_empty() {
        true => name.to_owned(),
        false => format!("({name} {})", args.join(" ")),
    }
}
