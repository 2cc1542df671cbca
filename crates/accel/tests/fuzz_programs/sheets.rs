//! Made-up games: small, odd and valid.
//!
//! Every sheet has a counter that ends the game, and a move for each role at any time; the rest is
//! as chance has it.

use paidia_game::Chance;

use crate::bodies::Body;
use crate::words::{Function, Relation, Sort, Words, below, call, level, pick};

/// How it is made sure that each role can move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Guard {
    /// Each role may always do nothing.
    Always,
    /// One role after the other; a role that is not in control does nothing.
    Turns,
    /// A role without another move does nothing.
    Otherwise,
}

/// The text of a sheet.
pub(crate) fn sheet(seed: u64) -> String {
    let mut chance = Chance::from_seed(seed);
    let mut words = Words::new(&mut chance);
    let guard = *pick(
        &mut chance,
        &[Guard::Always, Guard::Turns, Guard::Otherwise],
    );
    let mut fluents = vec![("step", Sort::Number)];
    if guard == Guard::Turns {
        fluents.push(("control", Sort::Role));
    }
    words
        .fluents
        .extend(fluents.iter().map(|&(name, sort)| Function {
            name: name.to_owned(),
            sorts: vec![sort],
        }));
    if guard == Guard::Otherwise {
        words.relations.push(Relation {
            name: "may".to_owned(),
            sorts: vec![Sort::Role, Sort::Move],
            level: level::MAY,
            is_own: false,
        });
    }
    let mut writer = Writer {
        clauses: Vec::new(),
        chance,
        guard,
    };
    writer.facts(&words);
    if writer.below(2) == 0 {
        writer.walks(&mut words);
    }
    writer.derived(&words);
    writer.moves(&words);
    writer.start(&words);
    writer.changes(&words);
    writer.results(&words);
    if words.has_random() || writer.below(4) == 0 {
        writer.percepts(&words);
    }
    writer.finish()
}

struct Writer {
    clauses: Vec<String>,
    chance: Chance,
    guard: Guard,
}

impl Writer {
    fn below(&mut self, bound: usize) -> usize {
        below(&mut self.chance, bound)
    }

    /// All clauses in any order.
    fn finish(mut self) -> String {
        for place in (1..self.clauses.len()).rev() {
            let other = self.below(place + 1);
            self.clauses.swap(place, other);
        }
        self.clauses.join("\n") + "\n"
    }

    fn fact(&mut self, relation: &str, args: &[&str]) {
        self.clauses
            .push(format!("({relation} {})", args.join(" ")));
    }

    fn rule(&mut self, head: &str, body: &[String]) {
        self.clauses.push(match body.is_empty() {
            true => head.to_owned(),
            false => format!("(<= {head} {})", body.join(" ")),
        });
    }

    /// A rule with a body of a level, and the head that `head` makes for it.
    fn made_up(&mut self, words: &Words, level: usize, head: impl FnOnce(&mut Body<'_>) -> String) {
        let mut body = Body::new(words, &mut self.chance, level);
        body.fill();
        let head = head(&mut body);
        let literals = body.literals;
        self.rule(&head, &literals);
    }

    fn facts(&mut self, words: &Words) {
        for role in &words.roles {
            self.fact("role", &[&role.name]);
        }
        for thing in &words.things {
            self.fact("thing", &[&thing.name]);
        }
        for number in &words.numbers {
            self.fact("number", &[&number.name]);
        }
        for pair in words.numbers.windows(2) {
            self.fact("succ", &[&pair[0].name, &pair[1].name]);
        }
        for _ in 0..1 + self.below(4) {
            let from = words.ground(Sort::Thing, &mut self.chance);
            let to = words.ground(Sort::Thing, &mut self.chance);
            self.fact("link", &[&from, &to]);
        }
        for _ in 0..1 + self.below(3) {
            let term = words.ground(Sort::Box, &mut self.chance);
            self.fact("boxed", &[&term]);
        }
    }

    /// A relation of things that can be reached, on ways that are open or not.
    fn walks(&mut self, words: &mut Words) {
        let levels = [
            level::FIXED[0],
            level::STATE[0],
            level::STATE[1],
            level::MOVE[0],
        ];
        let level = *pick(&mut self.chance, &levels);
        for _ in 0..2 {
            let mut body = Body::new(words, &mut self.chance, level);
            body.given("(link ?x ?y)", "?x", Sort::Thing);
            body.given("(thing ?y)", "?y", Sort::Thing);
            body.fill();
            let literals = body.literals;
            self.rule("(open ?x ?y)", &literals);
        }
        self.rule("(walk ?x ?y)", &["(open ?x ?y)".to_owned()]);
        let further = match self.below(3) {
            0 => ["(walk ?x ?y)", "(walk ?y ?z)"],
            1 => ["(walk ?x ?y)", "(open ?y ?z)"],
            _ => ["(open ?x ?y)", "(walk ?y ?z)"],
        };
        self.rule("(walk ?x ?z)", &further.map(str::to_owned));
        if self.below(2) == 0 {
            self.rule("(walk ?x ?y)", &["(walk ?y ?x)".to_owned()]);
        }
        for name in ["open", "walk"] {
            words.relations.push(Relation {
                name: name.to_owned(),
                sorts: vec![Sort::Thing; 2],
                level,
                is_own: false,
            });
        }
    }

    /// Rules for all relations of the game's own, the first of them easily met.
    fn derived(&mut self, words: &Words) {
        for relation in words.relations.iter().filter(|relation| relation.is_own) {
            for number in 0..1 + self.below(3) {
                let mut body = Body::new(words, &mut self.chance, relation.level);
                match number {
                    0 => body.begin(),
                    _ => body.fill(),
                }
                let head = body.head_call(&relation.name, &relation.sorts);
                let literals = body.literals;
                self.rule(&head, &literals);
            }
        }
    }

    fn moves(&mut self, words: &Words) {
        let (head, level) = match self.guard {
            Guard::Otherwise => ("may", level::MAY),
            Guard::Always | Guard::Turns => ("legal", level::LEGAL),
        };
        for number in 0..1 + self.below(4) {
            let mut body = Body::new(words, &mut self.chance, level);
            match self.guard {
                Guard::Turns => body.given("(true (control ?r))", "?r", Sort::Role),
                Guard::Always | Guard::Otherwise => body.given("(role ?r)", "?r", Sort::Role),
            }
            match number {
                0 => {}
                1 => body.begin(),
                _ => body.fill(),
            }
            let head = format!("({head} ?r {})", body.head_move());
            let literals = body.literals;
            self.rule(&head, &literals);
        }
        let guards: &[&str] = match self.guard {
            Guard::Always => &["(<= (legal ?r noop) (role ?r))"],
            Guard::Turns => &[
                "(<= (legal ?r noop) (role ?r) (not (true (control ?r))))",
                "(<= (legal ?r pass) (true (control ?r)))",
            ],
            Guard::Otherwise => &[
                "(<= (legal ?r ?m) (may ?r ?m))",
                "(<= (can ?r) (may ?r ?m))",
                "(<= (legal ?r noop) (role ?r) (not (can ?r)))",
            ],
        };
        self.clauses
            .extend(guards.iter().map(|&clause| clause.to_owned()));
    }

    fn start(&mut self, words: &Words) {
        self.fact("init", &["(step 0)"]);
        if self.guard == Guard::Turns {
            self.fact("init", &[&format!("(control {})", words.roles[0].name)]);
        }
        for fluent in words.own_fluents() {
            for _ in 0..self.below(3) {
                let args = fluent.sorts.iter();
                let args: Vec<String> = args
                    .map(|&sort| words.ground(sort, &mut self.chance))
                    .collect();
                self.fact("init", &[&call(&fluent.name, &args)]);
            }
        }
        if self.below(3) == 0 {
            self.made_up(words, level::FIXED[1], |body| {
                format!("(init {})", body.head_term(Sort::Fluent))
            });
        }
    }

    fn changes(&mut self, words: &Words) {
        self.clauses
            .push("(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))".to_owned());
        if self.guard == Guard::Turns {
            self.turns(words);
        }
        for fluent in words.own_fluents() {
            for kind in 0..4 {
                if self.below(2) == 0 {
                    self.change(words, fluent, kind);
                }
            }
        }
        // What stays, whatever it is.
        for _ in 0..self.below(2) {
            let mut body = Body::new(words, &mut self.chance, level::NEXT);
            body.given("(true ?f)", "?f", Sort::Fluent);
            body.fill();
            let literals = body.literals;
            self.rule("(next ?f)", &literals);
        }
    }

    /// A rule by which a fluent comes to hold, or stays.
    fn change(&mut self, words: &Words, fluent: &Function, kind: usize) {
        let mut body = Body::new(words, &mut self.chance, level::NEXT);
        let head = match kind {
            0 => body.keep(fluent),
            1 | 2 => {
                body.begin_with_moves();
                body.head_call(&fluent.name, &fluent.sorts)
            }
            _ => {
                body.fill();
                body.head_call(&fluent.name, &fluent.sorts)
            }
        };
        let literals = body.literals;
        self.rule(&format!("(next {head})"), &literals);
    }

    fn turns(&mut self, words: &Words) {
        let roles: Vec<&str> = words.roles.iter().map(|role| role.name.as_str()).collect();
        for (place, role) in roles.iter().enumerate() {
            self.fact("after", &[role, roles[(place + 1) % roles.len()]]);
        }
        self.clauses
            .push("(<= (next (control ?q)) (true (control ?r)) (after ?r ?q))".to_owned());
    }

    fn results(&mut self, words: &Words) {
        let last = words.numbers.last().map_or("0", |number| &number.name);
        self.clauses
            .push(format!("(<= terminal (true (step {last})))"));
        if self.below(6) == 0 {
            self.made_up(words, level::TERMINAL, |_| "terminal".to_owned());
        }
        const VALUES: [&str; 5] = ["0", "50", "100", "3", "03"];
        for role in words.roles.iter().filter(|role| role.name != "random") {
            for _ in 0..1 + self.below(3) {
                let value = *pick(&mut self.chance, &VALUES);
                self.made_up(words, level::GOAL, |_| {
                    format!("(goal {} {value})", role.name)
                });
            }
        }
        if self.below(3) == 0 {
            self.made_up(words, level::GOAL, |body| {
                format!(
                    "(goal {} {})",
                    body.head_term(Sort::Role),
                    body.head_term(Sort::Number)
                )
            });
        }
    }

    fn percepts(&mut self, words: &Words) {
        for _ in 0..1 + self.below(3) {
            self.made_up(words, level::NEXT, |body| {
                let sort = [Sort::Percept, Sort::Percept, Sort::Fluent, Sort::Move];
                let sort = sort[body.literals.len() % sort.len()];
                format!(
                    "(sees {} {})",
                    body.head_term(Sort::Role),
                    body.head_term(sort)
                )
            });
        }
    }
}
