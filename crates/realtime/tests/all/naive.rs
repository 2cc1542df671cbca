//! A second implementation, straight from the definition and as simple as can be, on random
//! programs and scripts.
//!
//! Nothing of the engine is used here: rules are read as lists, the model is found by trying all
//! rules on all facts, times are counted in quarters, and the host is a loop over instants.

use std::collections::{BTreeMap, BTreeSet};

use paidia_game::{Chance, Reading, RoleId, Rules, Ticks, TimedGame, TimedWalker};
use paidia_gdl::Source;
use paidia_gdl::check::check_source;
use paidia_gdl::program::Program;
use paidia_realtime::{Arrival, Entry, RandomDraws, Table, Watch};
use paidia_reason::timed::{Core, Timed};
use paidia_testkit::settings::number;

/// A term or formula as it is written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Expr {
    Word(String),
    List(Vec<Expr>),
}

use Expr::{List, Word};

impl Expr {
    fn text(&self) -> String {
        match self {
            Word(word) => word.clone(),
            List(parts) => {
                let parts: Vec<String> = parts.iter().map(Expr::text).collect();
                format!("({})", parts.join(" "))
            }
        }
    }

    fn name(&self) -> &str {
        match self {
            Word(word) => word,
            List(parts) => parts[0].name(),
        }
    }

    fn args(&self) -> &[Expr] {
        match self {
            Word(_) => &[],
            List(parts) => &parts[1..],
        }
    }
}

fn read(text: &str) -> Vec<Expr> {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let mut stack = vec![Vec::new()];
    for token in spaced.split_whitespace() {
        match token {
            "(" => stack.push(Vec::new()),
            ")" => {
                let list = List(stack.pop().unwrap());
                stack.last_mut().unwrap().push(list);
            }
            word => stack.last_mut().unwrap().push(Word(word.to_owned())),
        }
    }
    stack.pop().unwrap()
}

fn word(text: &str) -> Expr {
    Word(text.to_owned())
}

fn list(parts: &[Expr]) -> Expr {
    List(parts.to_vec())
}

type Binding = BTreeMap<String, Expr>;

fn matches(pattern: &Expr, fact: &Expr, binding: &mut Binding) -> bool {
    match (pattern, fact) {
        (Word(name), _) if name.starts_with('?') => match binding.get(name) {
            Some(value) => value == fact,
            None => {
                binding.insert(name.clone(), fact.clone());
                true
            }
        },
        (Word(one), Word(other)) => one == other,
        (List(one), List(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .zip(other)
                    .all(|(one, other)| matches(one, other, binding))
        }
        _ => false,
    }
}

fn ground(pattern: &Expr, binding: &Binding) -> Expr {
    match pattern {
        Word(name) => binding.get(name).unwrap_or(pattern).clone(),
        List(parts) => List(parts.iter().map(|part| ground(part, binding)).collect()),
    }
}

/// Rules by strata.
struct Sheet {
    strata: Vec<Vec<(Expr, Vec<Expr>)>>,
}

impl Sheet {
    fn new(text: &str) -> Self {
        let rules = read(text).into_iter().map(|clause| match clause.name() {
            "<=" => (clause.args()[0].clone(), clause.args()[1..].to_vec()),
            _ => (clause, Vec::new()),
        });
        let rules: Vec<(Expr, Vec<Expr>)> = rules.collect();
        let mut level: BTreeMap<String, usize> = BTreeMap::new();
        loop {
            let before = level.clone();
            for (head, body) in &rules {
                for literal in body {
                    let (atom, more) = match literal.name() {
                        "not" => (&literal.args()[0], 1),
                        "distinct" => continue,
                        _ => (literal, 0),
                    };
                    let below = level.get(atom.name()).copied().unwrap_or(0) + more;
                    let own = level.entry(head.name().to_owned()).or_insert(0);
                    *own = below.max(*own);
                    assert!(*own < 100, "not stratified");
                }
            }
            if before == level {
                break;
            }
        }
        let most = level.values().max().copied().unwrap_or(0);
        let mut strata = vec![Vec::new(); most + 1];
        for rule in rules {
            let level = level.get(rule.0.name()).copied().unwrap_or(0);
            strata[level].push(rule);
        }
        Self { strata }
    }

    /// The stable model of the rules with some facts.
    fn model(&self, facts: &BTreeSet<Expr>) -> BTreeSet<Expr> {
        let mut model = facts.clone();
        for stratum in &self.strata {
            loop {
                let mut found = Vec::new();
                for (head, body) in stratum {
                    let mut bindings = vec![Binding::new()];
                    for literal in body {
                        bindings = extend(&model, literal, bindings);
                    }
                    found.extend(bindings.iter().map(|binding| ground(head, binding)));
                }
                let before = model.len();
                model.extend(found);
                if model.len() == before {
                    break;
                }
            }
        }
        model
    }
}

fn extend(model: &BTreeSet<Expr>, literal: &Expr, bindings: Vec<Binding>) -> Vec<Binding> {
    match literal.name() {
        "distinct" => {
            let differ = |binding: &Binding| {
                ground(&literal.args()[0], binding) != ground(&literal.args()[1], binding)
            };
            bindings.into_iter().filter(differ).collect()
        }
        "not" => {
            let fails = |binding: &Binding| !model.contains(&ground(&literal.args()[0], binding));
            bindings.into_iter().filter(fails).collect()
        }
        _ => {
            // Facts are sorted, those of a relation stand together.
            let first = match literal {
                Word(_) => literal.clone(),
                List(_) => list(&[word(literal.name())]),
            };
            let named = model.range(first..);
            let named = named.take_while(|fact| fact.name() == literal.name());
            let facts: Vec<&Expr> = named.collect();
            let mut extended = Vec::new();
            for binding in bindings {
                for &fact in &facts {
                    let mut more = binding.clone();
                    if matches(literal, fact, &mut more) {
                        extended.push(more);
                    }
                }
            }
            extended
        }
    }
}

/// A number of quarters as a decimal, in the shortest spelling.
fn quarters(count: u64) -> String {
    let fraction = ["", ".25", ".5", ".75"][count as usize % 4];
    format!("{}{fraction}", count / 4)
}

/// The quarters of a lifetime; `None` for `infinity`, and for what is no lifetime.
fn in_quarters(text: &str) -> Option<u64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let parts = ["", "25", "5", "75"]
        .iter()
        .position(|&known| known == fraction)?;
    Some(whole.parse::<u64>().ok()? * 4 + parts as u64)
}

type State = BTreeSet<(Option<u64>, Expr)>;

/// What can be said of a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Moment {
    time: u64,
    state: Vec<String>,
    legal: Vec<String>,
    terminal: bool,
    goals: Vec<String>,
}

struct Naive {
    sheet: Sheet,
    reading: Reading,
    roles: Vec<String>,
    state: State,
    expired: BTreeSet<Expr>,
    ended: bool,
    time: u64,
    seen: Vec<Moment>,
}

impl Naive {
    fn new(text: &str, reading: Reading, roles: &[&str]) -> Self {
        let sheet = Sheet::new(text);
        let model = sheet.model(&BTreeSet::new());
        let mut naive = Self {
            state: states(&model, "init"),
            sheet,
            reading,
            roles: roles.iter().map(|&role| role.to_owned()).collect(),
            expired: BTreeSet::new(),
            ended: false,
            time: 0,
            seen: Vec::new(),
        };
        naive.note();
        naive
    }

    fn facts(&self, state: &State, expired: &BTreeSet<Expr>) -> BTreeSet<Expr> {
        let lasting = state.iter().map(|(left, fact)| {
            let left = left.map_or("infinity".to_owned(), quarters);
            list(&[word("true"), word(&left), fact.clone()])
        });
        let expired = expired.iter();
        let expired = expired.map(|fact| list(&[word("expired"), fact.clone()]));
        lasting.chain(expired).collect()
    }

    /// The model in which the end and the goals are read.
    fn judged(&self) -> BTreeSet<Expr> {
        let none = BTreeSet::new();
        let expired = match self.ended || self.reading == Reading::PostUpdate {
            true => &self.expired,
            false => &none,
        };
        self.sheet.model(&self.facts(&self.state, expired))
    }

    fn is_over(&self) -> bool {
        self.ended || self.judged().contains(&word("terminal"))
    }

    fn legal(&self) -> Vec<Expr> {
        let model = self.sheet.model(&self.facts(&self.state, &BTreeSet::new()));
        let legal = model.into_iter().filter(|fact| fact.name() == "legal");
        legal.collect()
    }

    fn note(&mut self) {
        let texts = |facts: Vec<Expr>| {
            let mut texts: Vec<String> = facts.iter().map(Expr::text).collect();
            texts.sort();
            texts
        };
        let state = self.state.iter().map(|(left, fact)| {
            format!(
                "{} {}",
                left.map_or("infinity".to_owned(), quarters),
                fact.text()
            )
        });
        let mut state: Vec<String> = state.collect();
        state.sort();
        let goals = self
            .judged()
            .into_iter()
            .filter(|fact| fact.name() == "goal");
        self.seen.push(Moment {
            time: self.time,
            state,
            legal: texts(self.legal()),
            terminal: self.is_over(),
            goals: texts(goals.collect()),
        });
    }

    fn first_expiry(&self) -> Option<u64> {
        let left = self.state.iter().filter_map(|(left, _)| *left).min()?;
        Some(self.time + left)
    }

    fn update(&mut self, time: u64, moves: &[Expr]) {
        let elapsed = time - self.time;
        let ends = |left: &Option<u64>| left.is_some_and(|left| left <= elapsed);
        let expired = self.state.iter().filter(|(left, _)| ends(left));
        self.expired = expired.map(|(_, fact)| fact.clone()).collect();
        let stays = self.state.iter().filter(|(left, _)| !ends(left));
        let aged = stays.map(|(left, fact)| (left.map(|left| left - elapsed), fact.clone()));
        let aged: State = aged.collect();
        let mut facts = self.facts(&aged, &self.expired);
        self.time = time;
        if self.reading == Reading::EventFirst
            && self.sheet.model(&facts).contains(&word("terminal"))
        {
            (self.state, self.ended) = (aged, true);
        } else {
            facts.extend(moves.iter().cloned());
            self.state = states(&self.sheet.model(&facts), "next");
        }
        self.note();
    }

    fn run_before(&mut self, time: u64) {
        while !self.is_over() {
            match self.first_expiry().filter(|&due| due < time) {
                Some(due) => self.update(due, &[]),
                None => return,
            }
        }
    }

    fn instant(&mut self, time: u64, arrivals: &[(String, Expr)]) {
        let mut waiting = arrivals.to_vec();
        while !self.is_over() {
            let expiry = self.first_expiry() == Some(time);
            if waiting.is_empty() && !expiry {
                return;
            }
            let legal = self.legal();
            let (mut made, mut later) = (Vec::<Expr>::new(), Vec::new());
            for (role, text) in waiting {
                let mover = word(&role);
                if made.iter().any(|does| does.args()[0] == mover) {
                    later.push((role, text));
                } else if legal.contains(&list(&[word("legal"), mover.clone(), text.clone()])) {
                    made.push(list(&[word("does"), mover, text]));
                }
            }
            if expiry || !made.is_empty() {
                self.update(time, &made);
            }
            waiting = later;
        }
    }
}

fn states(model: &BTreeSet<Expr>, relation: &str) -> State {
    let rows = model
        .iter()
        .filter(|fact| fact.name() == relation && fact.args().len() == 2);
    let pairs = rows.filter_map(|row| match row.args()[0].name() {
        "infinity" => Some((None, row.args()[1].clone())),
        text => match in_quarters(text) {
            Some(0) | None => None,
            left => Some((left, row.args()[1].clone())),
        },
    });
    pairs.collect()
}

/// Writes random programs.
struct Author {
    chance: Chance,
    text: String,
}

impl Author {
    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        self.chance.pick(choices).unwrap()
    }

    fn likely(&mut self, percent: u32) -> bool {
        self.chance.below(100) < percent
    }

    /// Some positive conditions that bind `?x` and `?t`, from a state with or without an event.
    fn body(&mut self, event: bool, layer: u32) -> String {
        let mut body = String::new();
        let binder = match event {
            true => self.pick(&[
                "(true ?t (f ?x))",
                "(true ?t (g ?x))",
                "(does ?r (m ?x)) (wick ?x ?t)",
                "(does ?r (m ?x)) (true ?t (g ?y))",
                "(expired (f ?x)) (wick ?x ?t)",
                "(expired (g ?x)) (true ?t (f ?z))",
                "(true infinity (h ?x ?t))",
                "(does ?r stop) (true ?t (f ?x))",
            ]),
            false => self.pick(&[
                "(true ?t (f ?x))",
                "(true ?t (g ?x))",
                "(true infinity (h ?x ?t))",
                "(wick ?x ?t) (true ?s (f ?x))",
            ]),
        };
        body.push_str(binder);
        for _ in 0..self.chance.below(3) {
            let more = match self.chance.below(6) {
                0 => " (distinct ?x a)".to_owned(),
                1 => " (distinct ?t 1)".to_owned(),
                2 if layer > 0 => format!(" (p{} ?x)", self.chance.below(layer)),
                3 if layer > 0 => format!(" (not (p{} ?x))", self.chance.below(layer)),
                4 if event => " (not (expired (g ?x)))".to_owned(),
                5 if event => " (not busy)".to_owned(),
                _ => " (distinct ?x b)".to_owned(),
            };
            body.push_str(&more);
        }
        body
    }

    fn program(seed: u64) -> String {
        let mut author = Author {
            chance: Chance::from_seed(seed),
            text: "(role red) (role blue)\n(wick a 1) (wick b 0.50) (wick c 2.25) (wick c 0) \
                   (wick d infinity)\n(<= busy (does ?r ?m))\n(init infinity (h a 0.75))\n"
                .to_owned(),
        };
        for fluent in ["f", "g"] {
            for name in ["a", "b", "c"] {
                if author.likely(60) {
                    let left = author.pick(&["infinity", "0.5", "1.00", "1.75", "3"]);
                    author.text += &format!("(init {left} ({fluent} {name}))\n");
                }
            }
        }
        for layer in 0..2 {
            for _ in 0..=author.chance.below(2) {
                let body = author.body(false, layer);
                author.text += &format!("(<= (p{layer} ?x) {body})\n");
            }
        }
        for _ in 0..5 + author.chance.below(5) {
            let body = author.body(true, 2);
            let head = author.pick(&[
                "(next ?t (f ?x))",
                "(next ?t (g ?x))",
                "(next infinity (f ?x))",
                "(next infinity (h ?x ?t))",
                "(next 0.75 (g ?x))",
                "(next 1.5 (f ?x))",
            ]);
            author.text += &format!("(<= {head} {body})\n");
        }
        for relation in ["f", "g"] {
            if author.likely(70) {
                author.text +=
                    &format!("(<= (next ?t ({relation} ?x)) (true ?t ({relation} ?x)))\n");
            }
        }
        for role in ["red", "blue"] {
            let body = author.body(false, 2);
            author.text += &format!(
                "(<= (legal {role} (m ?x)) {body})\n(<= (legal {role} (m c)) (true ?t (g ?x)))\n"
            );
        }
        author.text += "(<= (legal red stop) (true ?t (f a)))\n";
        let body = author.body(false, 1);
        author.text += &format!("(<= (legal blue (say ?t)) {body})\n");
        // The end does not depend on moves.
        let body = author.body(true, 2);
        let body = body.replace("(does ?r (m ?x))", "(true ?u (g ?x))");
        let body = body.replace("(does ?r stop)", "").replace("(not busy)", "");
        author.text += &format!("(<= terminal {body} (expired (f c)))\n");
        author.text +=
            "(<= terminal (not alive))\n(<= alive (true ?t (f ?x)))\n(<= alive (true ?t (g ?x)))\n";
        author.text += "(<= (goal red 100) (expired (f ?x)))\n(<= (goal red 0) (true ?t (g ?x)))\n(<= (goal blue 50) (not alive))\n(<= (goal blue 20) (true infinity (h ?x ?t)) (p1 ?x))\n";
        author.text
    }
}

/// Notes what the engine says.
struct Notes<'a> {
    game: &'a Timed,
    seen: Vec<Moment>,
}

impl Watch<paidia_reason::timed::Walker> for Notes<'_> {
    fn entry(&mut self, entry: &Entry, walker: &mut paidia_reason::timed::Walker) {
        let time = match entry {
            Entry::Start => Ticks::ZERO,
            Entry::Update(update) => update.time,
            _ => return,
        };
        let mut saved = self.game.initial();
        walker.save(&mut saved);
        let lasting = self.game.lasting(&saved).into_iter().map(|(left, fact)| {
            format!(
                "{} {fact}",
                left.map_or("infinity".to_owned(), |left| left.to_string())
            )
        });
        let mut state: Vec<String> = lasting.collect();
        state.sort();
        let facts = self.game.facts();
        let mut legal = Vec::new();
        let mut goals = Vec::new();
        for role in facts.role_ids() {
            let name = facts.role_name(role);
            for &id in walker.legal().of(role) {
                legal.push(format!("(legal {name} {})", self.game.moves().name(id)));
            }
            for value in walker.goals(role) {
                goals.push(format!("(goal {name} {value})"));
            }
        }
        legal.sort();
        goals.sort();
        self.seen.push(Moment {
            time: time.0 * 4 / Ticks::PER_UNIT,
            state,
            legal,
            terminal: walker.is_terminal(),
            goals,
        });
    }
}

/// A random script: what arrives at which quarter.
fn script(chance: &mut Chance) -> BTreeMap<u64, Vec<(usize, &'static str)>> {
    let mut script: BTreeMap<u64, Vec<(usize, &'static str)>> = BTreeMap::new();
    for _ in 0..chance.below(10) {
        let moves = [
            "(m a)",
            "(m b)",
            "(m c)",
            "(m d)",
            "stop",
            "(say 0.5)",
            "(say 1)",
            "nonsense",
        ];
        let move_made = chance.pick(&moves).unwrap();
        let arrival = (chance.below(2) as usize, move_made);
        script
            .entry(u64::from(chance.below(16)))
            .or_default()
            .push(arrival);
    }
    script
}

/// Plays a script by both; the number of moments that agree.
fn compare(seed: u64) -> usize {
    let text = Author::program(seed);
    let source = Source::new("random", text.clone());
    let (sheet, report) = check_source(&source, None);
    assert!(
        !report.has_errors(),
        "{seed}: {:?}\n{text}",
        report.problems
    );
    let program = Program::new(&sheet.sheet, report.dialect).unwrap();
    let script = script(&mut Chance::from_seed(seed ^ 0xF00D));
    let plain = text.replace("0.50", "0.5").replace("1.00", "1");
    let mut agreed = 0;
    for reading in [Reading::EventFirst, Reading::PostUpdate] {
        let mut naive = Naive::new(&plain, reading, &["red", "blue"]);
        for (&time, arrivals) in &script {
            naive.run_before(time);
            let arrivals = arrivals
                .iter()
                .map(|&(role, text)| (naive.roles[role].clone(), read(text)[0].clone()));
            let arrivals: Vec<_> = arrivals.collect();
            naive.instant(time, &arrivals);
        }
        naive.run_before(40);
        let by = |core: Core| Timed::new("random", &program, core, Some(reading)).unwrap();
        let mut games = vec![by(Core::Reference), by(Core::Compiled)];
        // Machine code takes longer to make than a program to play.
        if seed.is_multiple_of(10) {
            games.push(paidia_accel::native_in_time(by(Core::Compiled)));
        }
        for game in games {
            let mut notes = Notes {
                game: &game,
                seen: Vec::new(),
            };
            let mut draws = RandomDraws(Chance::from_seed(1));
            let mut table = Table::new(&game);
            table.start(&mut draws, &mut notes);
            let ticks = |quarters: u64| Ticks(quarters * Ticks::PER_UNIT / 4);
            for (&time, arrivals) in &script {
                table.run_before(ticks(time), &mut draws, &mut notes);
                let arrivals = arrivals.iter().map(|&(role, text)| Arrival {
                    role: RoleId(role as u16),
                    text: text.to_owned(),
                });
                table.instant(ticks(time), arrivals.collect(), &mut draws, &mut notes);
            }
            table.run_before(ticks(40), &mut draws, &mut notes);
            assert_eq!(table.fault(), None, "{seed}");
            if notes.seen != naive.seen {
                let pairs = notes.seen.iter().zip(&naive.seen);
                let place = pairs.take_while(|(one, other)| one == other).count();
                panic!(
                    "program {seed}, {}, {}, moment {place}:\nengine {:#?}\nnaive {:#?}\n{text}\n{script:?}",
                    game.core(),
                    reading.name(),
                    notes.seen.get(place),
                    naive.seen.get(place)
                );
            }
            agreed += notes.seen.len();
        }
    }
    agreed
}

/// `PAIDIA_FUZZ_PROGRAMS=10000 cargo test --release -p paidia-realtime --test all naive` tries more,
/// from the number `PAIDIA_FUZZ_SEED` on.
#[test]
fn the_engine_agrees_with_the_definition_on_random_programs() {
    let count = number("PAIDIA_FUZZ_PROGRAMS", 60);
    let first = number("PAIDIA_FUZZ_SEED", 0);
    let moments: usize = (first..first + count).map(compare).sum();
    println!("{count} programs from {first} on, {moments} moments");
    assert!(
        moments as u64 > 12 * count,
        "the programs do too little: {moments} moments"
    );
}
