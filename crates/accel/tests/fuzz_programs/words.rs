//! What a made-up game speaks about: sorts of terms, the functions that make them, and relations
//! with their levels.
//!
//! Sorts keep the joins of a body from being empty most of the time, and terms finite: no function
//! takes an argument that could hold a term of its own sort.

use paidia_game::Chance;

/// What a term stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    Role,
    Thing,
    Number,
    Box,
    Fluent,
    Move,
    Percept,
}

/// A function with the sorts of its arguments; without any it is a constant.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) sorts: Vec<Sort>,
}

/// A relation with the sorts of its arguments.
///
/// Rules of some level may use relations of their own level and of those below, and deny only those
/// below.
#[derive(Clone, Debug)]
pub(crate) struct Relation {
    pub(crate) name: String,
    pub(crate) sorts: Vec<Sort>,
    pub(crate) level: usize,
    /// Whether nothing is said about it yet: its rules are to be made up.
    pub(crate) is_own: bool,
}

/// The levels of relations, from facts to what depends on moves. Nothing of our own is on the
/// levels of `true` and `does`.
pub(crate) mod level {
    pub(crate) const FACTS: usize = 0;
    pub(crate) const FIXED: [usize; 2] = [1, 2];
    pub(crate) const TRUE: usize = 3;
    pub(crate) const STATE: [usize; 2] = [4, 5];
    pub(crate) const TERMINAL: usize = 6;
    pub(crate) const MAY: usize = 7;
    pub(crate) const LEGAL: usize = 8;
    pub(crate) const GOAL: usize = 9;
    pub(crate) const DOES: usize = 10;
    pub(crate) const MOVE: [usize; 2] = [11, 12];
    pub(crate) const NEXT: usize = 13;
}

/// The names of a game.
#[derive(Clone, Debug)]
pub(crate) struct Words {
    pub(crate) roles: Vec<Function>,
    pub(crate) things: Vec<Function>,
    pub(crate) numbers: Vec<Function>,
    pub(crate) boxes: Vec<Function>,
    pub(crate) fluents: Vec<Function>,
    pub(crate) moves: Vec<Function>,
    pub(crate) percepts: Vec<Function>,
    pub(crate) relations: Vec<Relation>,
}

impl Words {
    /// The words of a game; whether anything is hidden or random in it depends on chance.
    pub(crate) fn new(chance: &mut Chance) -> Self {
        let mut words = Self {
            roles: constants(&["x", "o", "w"][..1 + below(chance, 3)]),
            things: constants(&["a", "b", "c", "d"][..2 + below(chance, 3)]),
            numbers: constants(&["0", "1", "2", "3", "4", "5"][..4 + below(chance, 3)]),
            boxes: constants(&["nil"]),
            fluents: Vec::new(),
            moves: Vec::new(),
            percepts: Vec::new(),
            relations: keywords(),
        };
        if below(chance, 3) == 0 {
            // Chance takes the place of one player, or joins the only one.
            words.roles.truncate(2);
            words.roles.insert(below(chance, 2), constant("random"));
        }
        words.add_functions(chance);
        words.add_relations(chance);
        words
    }

    fn add_functions(&mut self, chance: &mut Chance) {
        const INNER: [Sort; 2] = [Sort::Thing, Sort::Number];
        const ARGUMENTS: [Sort; 6] = [
            Sort::Thing,
            Sort::Thing,
            Sort::Thing,
            Sort::Number,
            Sort::Role,
            Sort::Box,
        ];
        self.boxes.push(function(chance, "box", 1, &INNER));
        self.boxes.push(function(chance, "pair", 2, &INNER));
        // A fluent can be about a move, or a move about a fluent; both at once would make terms
        // grow.
        let (mut of_fluents, mut of_moves) = (ARGUMENTS.to_vec(), ARGUMENTS.to_vec());
        match below(chance, 6) {
            0 => of_fluents.push(Sort::Move),
            1 => of_moves.push(Sort::Fluent),
            _ => {}
        }
        for name in &["f", "g", "h", "k"][..1 + below(chance, 4)] {
            let arity = below(chance, 4);
            self.fluents
                .push(function(chance, name, arity, &of_fluents));
        }
        // Now and then a name is used with several numbers of arguments, or for several things.
        let names = [["m", "n", "put"], ["m", "m", "f"]][usize::from(below(chance, 6) == 0)];
        for (place, name) in names[..1 + below(chance, 3)].iter().enumerate() {
            let arity = (below(chance, 2) + place + 1) % 3;
            self.moves.push(function(chance, name, arity, &of_moves));
        }
        let of_percepts = [Sort::Thing, Sort::Role, Sort::Fluent, Sort::Move];
        self.percepts
            .push(function(chance, "told", 1, &of_percepts));
        self.percepts.push(constant("bell"));
    }

    fn add_relations(&mut self, chance: &mut Chance) {
        // There are few things and roles and many fluents: relations of several arguments are about
        // the former, so that they are small enough for a body to ask for several.
        const FEW: [Sort; 4] = [Sort::Thing, Sort::Thing, Sort::Role, Sort::Number];
        const MANY: [Sort; 4] = [Sort::Thing, Sort::Box, Sort::Fluent, Sort::Move];
        let levels = [level::FIXED, level::STATE, level::MOVE];
        for level in levels.into_iter().flatten().chain([level::GOAL]) {
            for _ in 0..1 + below(chance, 2) {
                let name = format!("r{}", self.relations.len());
                let Function { name, sorts } = match below(chance, 6) {
                    0 => constant(&name),
                    1 if level > level::LEGAL => function(chance, &name, 1, &MANY),
                    1 => function(chance, &name, 1, &MANY[..3]),
                    choice => function(chance, &name, choice.min(4) - 1, &FEW),
                };
                self.relations.push(Relation {
                    name,
                    sorts,
                    level,
                    is_own: true,
                });
            }
        }
    }

    /// The functions that make terms of a sort.
    pub(crate) fn functions(&self, sort: Sort) -> &[Function] {
        match sort {
            Sort::Role => &self.roles,
            Sort::Thing => &self.things,
            Sort::Number => &self.numbers,
            Sort::Box => &self.boxes,
            Sort::Fluent => &self.fluents,
            Sort::Move => &self.moves,
            Sort::Percept => &self.percepts,
        }
    }

    /// The fluents that nothing but made-up rules is about.
    pub(crate) fn own_fluents(&self) -> impl Iterator<Item = &Function> {
        let given = |fluent: &&Function| ["step", "control"].contains(&fluent.name.as_str());
        self.fluents.iter().filter(move |fluent| !given(fluent))
    }

    /// Any term of a sort.
    pub(crate) fn ground(&self, sort: Sort, chance: &mut Chance) -> String {
        let function = pick(chance, self.functions(sort));
        let args = function.sorts.iter();
        let args: Vec<String> = args.map(|&sort| self.ground(sort, chance)).collect();
        call(&function.name, &args)
    }

    /// Whether the game is about chance or about what players are told.
    pub(crate) fn has_random(&self) -> bool {
        self.roles.iter().any(|role| role.name == "random")
    }
}

/// The relations of the language, and those that every sheet has as facts.
fn keywords() -> Vec<Relation> {
    let given: [(&str, &[Sort], usize); 11] = [
        ("role", &[Sort::Role], level::FACTS),
        ("thing", &[Sort::Thing], level::FACTS),
        ("number", &[Sort::Number], level::FACTS),
        ("boxed", &[Sort::Box], level::FACTS),
        ("link", &[Sort::Thing, Sort::Thing], level::FACTS),
        ("succ", &[Sort::Number, Sort::Number], level::FACTS),
        ("true", &[Sort::Fluent], level::TRUE),
        ("terminal", &[], level::TERMINAL),
        ("legal", &[Sort::Role, Sort::Move], level::LEGAL),
        ("goal", &[Sort::Role, Sort::Number], level::GOAL),
        ("does", &[Sort::Role, Sort::Move], level::DOES),
    ];
    let relation = |&(name, sorts, level): &(&str, &[Sort], usize)| Relation {
        name: name.to_owned(),
        sorts: sorts.to_vec(),
        level,
        is_own: false,
    };
    given.iter().map(relation).collect()
}

fn constant(name: &str) -> Function {
    Function {
        name: name.to_owned(),
        sorts: Vec::new(),
    }
}

fn constants(names: &[&str]) -> Vec<Function> {
    names.iter().map(|name| constant(name)).collect()
}

fn function(chance: &mut Chance, name: &str, arity: usize, sorts: &[Sort]) -> Function {
    Function {
        name: name.to_owned(),
        sorts: (0..arity).map(|_| *pick(chance, sorts)).collect(),
    }
}

/// A name with its arguments, as it is written.
pub(crate) fn call(name: &str, args: &[String]) -> String {
    match args.is_empty() {
        true => name.to_owned(),
        false => format!("({name} {})", args.join(" ")),
    }
}

pub(crate) fn below(chance: &mut Chance, bound: usize) -> usize {
    chance.below(bound as u32) as usize
}

pub(crate) fn pick<'a, T>(chance: &mut Chance, from: &'a [T]) -> &'a T {
    &from[below(chance, from.len())]
}
