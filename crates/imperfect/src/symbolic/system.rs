//! The translation of Huang, Ruan and Thielscher (GIGA'13): a game as a program of assignments to
//! variables, one for each ground atom.
//!
//! The fluents, the percepts and the moves made are variables of the state; `legal`, `goal`,
//! `terminal` and the relations of the author are variables, too, or with the first optimisation
//! definitions over the others. The second optimisation puts in the truth of atoms that are the
//! same in every state, the third makes one typed variable of atoms of which at most one holds
//! ([`super::typed`]).

use indexmap::{IndexMap, IndexSet};
use paidia_gdl::keyword::Keyword;
use paidia_gdl::program::{Program, RelationKind};
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::TooHard;
use super::ground::{Fact, Ground};

/// What the translation does beyond the literal one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Optimisation (1): what follows from the state is a definition and no variable.
    pub definitions: bool,
    /// Optimisation (2): atoms that are the same in every state are put in.
    pub statics: bool,
    /// Optimisation (3): atoms of which at most one holds become one typed variable.
    pub typed: bool,
    /// Whether the state stays when the game is over. The paper's program leaves that out, by which
    /// its own examples would go on to states without moves.
    pub freeze: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            definitions: true,
            statics: true,
            typed: true,
            freeze: true,
        }
    }
}

/// What an atom is to the translation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// It is part of the state.
    Fluent,
    /// A role, by its number, perceives it.
    Percept(usize),
    /// It follows from the state, or from the state and the moves.
    Helper,
}

/// A condition of an assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Refer {
    /// An atom by its number; of a fluent, its value before the moves.
    Atom(u32),
    /// A role, by its number, makes one of its moves.
    Does(u32, u32),
}

/// An atom with the rules that assign to it.
#[derive(Clone, Debug)]
pub struct Assigned {
    /// The atom as it is written in rules: `(true (step 1))`, `(legal x noop)`.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// Whether it holds at the start, for a fluent.
    pub initially: bool,
    /// One of these lists must hold in whole; a condition with `true` must fail.
    pub rules: Vec<Vec<(Refer, bool)>>,
    /// Whether it depends on the moves.
    pub by_move: bool,
}

/// A game as assignments.
#[derive(Clone, Debug)]
pub struct System {
    /// The names of the roles.
    pub roles: Vec<String>,
    /// For each role its moves.
    pub moves: Vec<Vec<String>>,
    /// For each role and move the atom that says that it is legal.
    pub legal: Vec<Vec<Value>>,
    /// Whether the game is over.
    pub terminal: Value,
    /// All atoms that are not put in.
    pub atoms: Vec<Assigned>,
    /// Helpers in groups that depend on each other, each after those that it needs.
    pub order: Vec<Vec<u32>>,
    /// How it was made.
    pub options: Options,
    names: FxHashMap<String, Value>,
    relations: IndexSet<String, FxBuildHasher>,
}

/// An atom, or the truth that it always has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// The same in every state.
    Always(bool),
    /// An atom by its number.
    Atom(u32),
}

impl System {
    /// Translates a program.
    ///
    /// # Errors
    /// If there is too much of it without variables.
    pub fn new(program: &Program, options: Options) -> Result<Self, TooHard> {
        let ground = Ground::new(program)?;
        let mut this = Builder::new(&ground, options).build()?;
        if options.statics {
            this.put_in_constants();
        }
        this.find_what_moves_change();
        this.order = this.helper_order();
        Ok(this)
    }

    /// The value of an atom by its text; none if the rules cannot derive it.
    pub fn find(&self, name: &str) -> Option<Value> {
        self.names.get(name).copied()
    }

    /// Whether rules have a relation of this name in their heads.
    pub fn has_relation(&self, name: &str) -> bool {
        self.relations.contains(name)
    }

    /// Puts in atoms that rules always or never derive, until there are no more.
    fn put_in_constants(&mut self) {
        let mut truth: Vec<Option<bool>> = vec![None; self.atoms.len()];
        loop {
            let mut is_new = false;
            for (id, atom) in self.atoms.iter_mut().enumerate() {
                atom.rules.retain_mut(|body| {
                    let known = |refer: &Refer| match refer {
                        Refer::Atom(atom) => truth[*atom as usize],
                        Refer::Does(..) => None,
                    };
                    let false_one = body
                        .iter()
                        .any(|(refer, fails)| known(refer) == Some(*fails));
                    body.retain(|(refer, _)| known(refer).is_none());
                    !false_one
                });
                if atom.kind == Kind::Fluent || truth[id].is_some() {
                    continue;
                }
                // A percept that comes with every move does not come at the start.
                let always = atom.kind == Kind::Helper && atom.rules.iter().any(Vec::is_empty);
                if always || atom.rules.is_empty() {
                    truth[id] = Some(always);
                    is_new = true;
                }
            }
            if !is_new {
                break;
            }
        }
        self.renumber(&truth);
    }

    /// Leaves out atoms whose truth is known.
    fn renumber(&mut self, truth: &[Option<bool>]) {
        let mut count = 0;
        let new: Vec<Value> = truth
            .iter()
            .map(|truth| match truth {
                Some(truth) => Value::Always(*truth),
                None => {
                    count += 1;
                    Value::Atom(count - 1)
                }
            })
            .collect();
        let to = |value: Value| match value {
            Value::Atom(atom) => new[atom as usize],
            always @ Value::Always(_) => always,
        };
        let mut place = 0;
        self.atoms.retain(|_| {
            place += 1;
            truth[place - 1].is_none()
        });
        for atom in &mut self.atoms {
            for (refer, _) in atom.rules.iter_mut().flatten() {
                if let Refer::Atom(atom) = refer
                    && let Value::Atom(number) = new[*atom as usize]
                {
                    *atom = number;
                }
            }
        }
        self.names
            .values_mut()
            .for_each(|value| *value = to(*value));
        self.legal
            .iter_mut()
            .flatten()
            .for_each(|value| *value = to(*value));
        self.terminal = to(self.terminal);
    }

    fn find_what_moves_change(&mut self) {
        loop {
            let mut is_new = false;
            for id in 0..self.atoms.len() {
                let atom = &self.atoms[id];
                let changes = |refer: &Refer| match refer {
                    Refer::Does(..) => true,
                    Refer::Atom(other) => {
                        self.atoms[*other as usize].kind == Kind::Helper
                            && self.atoms[*other as usize].by_move
                    }
                };
                let mut refers = atom.rules.iter().flatten();
                if !atom.by_move && refers.any(|(refer, _)| changes(refer)) {
                    self.atoms[id].by_move = true;
                    is_new = true;
                }
            }
            if !is_new {
                return;
            }
        }
    }

    /// The helpers that an atom needs.
    fn needs(&self, id: u32) -> impl Iterator<Item = u32> {
        let refers = self.atoms[id as usize].rules.iter().flatten();
        refers.filter_map(|(refer, _)| match refer {
            Refer::Atom(other) if self.atoms[*other as usize].kind == Kind::Helper => Some(*other),
            _ => None,
        })
    }

    /// Groups of helpers that need each other (Tarjan, without recursion).
    fn helper_order(&self) -> Vec<Vec<u32>> {
        let edges: Vec<Vec<u32>> = (0..self.atoms.len() as u32)
            .map(|id| match self.atoms[id as usize].kind {
                Kind::Helper => self.needs(id).collect(),
                _ => Vec::new(),
            })
            .collect();
        let mut components = crate::epistemic::components(&edges);
        components.retain(|group| self.atoms[group[0] as usize].kind == Kind::Helper);
        components
    }

    /// Whether a group of helpers needs itself.
    pub fn is_recursive(&self, group: &[u32]) -> bool {
        group.len() > 1 || self.needs(group[0]).any(|other| other == group[0])
    }

    /// Percepts and fluents, which are variables in any case.
    pub fn is_state(&self, id: u32) -> bool {
        self.atoms[id as usize].kind != Kind::Helper
    }
}

/// A translation under way.
struct Builder<'g, 'p> {
    ground: &'g Ground<'p>,
    system: System,
    ids: IndexMap<Fact, u32, FxBuildHasher>,
    moves: FxHashMap<Fact, (u32, u32)>,
}

impl<'g, 'p> Builder<'g, 'p> {
    fn new(ground: &'g Ground<'p>, options: Options) -> Self {
        Self {
            ground,
            system: System {
                roles: Vec::new(),
                moves: Vec::new(),
                legal: Vec::new(),
                terminal: Value::Always(false),
                atoms: Vec::new(),
                order: Vec::new(),
                options,
                names: FxHashMap::default(),
                relations: IndexSet::default(),
            },
            ids: IndexMap::default(),
            moves: FxHashMap::default(),
        }
    }

    fn keyword(&self, fact: Fact) -> Option<Keyword> {
        match self.ground.program.relation(fact.relation).kind {
            RelationKind::Keyword(keyword) => Some(keyword),
            RelationKind::Plain | RelationKind::Helper => None,
        }
    }

    fn build(mut self) -> Result<System, TooHard> {
        let ground = self.ground;
        for instance in &ground.instances {
            if self.keyword(instance.head) == Some(Keyword::Role) {
                self.system.roles.extend(ground.arguments(instance.head));
            }
        }
        self.system.moves = vec![Vec::new(); self.system.roles.len()];
        self.system.legal = vec![Vec::new(); self.system.roles.len()];
        for instance in &ground.instances {
            if self.keyword(instance.head) == Some(Keyword::Legal) {
                self.add_move(instance.head)?;
            }
        }
        let mut initial: Vec<Fact> = ground.initial.iter().copied().collect();
        initial.sort_unstable();
        for fact in initial {
            let id = self.atom(fact)?;
            self.system.atoms[id as usize].initially = true;
        }
        for instance in &ground.instances {
            self.add_rule(instance.head, &instance.body)?;
        }
        Ok(self.system)
    }

    fn role(&self, name: &str) -> Result<usize, TooHard> {
        let mut roles = self.system.roles.iter();
        roles
            .position(|role| role == name)
            .ok_or_else(|| TooHard::NoRole(name.to_owned()))
    }

    fn add_move(&mut self, head: Fact) -> Result<(), TooHard> {
        let id = self.atom(head)?;
        if self.moves.contains_key(&head) {
            return Ok(());
        }
        let mut args = self.ground.arguments(head);
        let (Some(name), Some(role)) = (args.pop(), args.pop()) else {
            return Ok(());
        };
        let role = self.role(&role)?;
        let number = self.system.moves[role].len() as u32;
        self.system.moves[role].push(name);
        self.system.legal[role].push(Value::Atom(id));
        self.moves.insert(head, (role as u32, number));
        Ok(())
    }

    /// The number of an atom, new if it was not seen before.
    fn atom(&mut self, fact: Fact) -> Result<u32, TooHard> {
        let fact = Fact {
            relation: self.ground.table_of(fact.relation),
            row: fact.row,
        };
        if let Some(&id) = self.ids.get(&fact) {
            return Ok(id);
        }
        let args = self.ground.arguments(fact);
        let relation = self.ground.program.relation(fact.relation);
        let word = self.ground.program.symbols.name(relation.name);
        let name = match &args[..] {
            [] => word.to_owned(),
            args => format!("({word} {})", args.join(" ")),
        };
        let kind = match self.keyword(fact) {
            Some(Keyword::True) => Kind::Fluent,
            Some(Keyword::Sees) => Kind::Percept(self.role(&args[0])?),
            _ => Kind::Helper,
        };
        let id = self.system.atoms.len() as u32;
        self.ids.insert(fact, id);
        self.system.relations.insert(word.to_owned());
        self.system.names.insert(name.clone(), Value::Atom(id));
        if self.keyword(fact) == Some(Keyword::Terminal) {
            self.system.terminal = Value::Atom(id);
        }
        self.system.atoms.push(Assigned {
            name,
            kind,
            initially: false,
            rules: Vec::new(),
            by_move: false,
        });
        Ok(id)
    }

    fn add_rule(&mut self, head: Fact, body: &[(Fact, bool)]) -> Result<(), TooHard> {
        let head = self.atom(head)?;
        let mut conditions = Vec::with_capacity(body.len());
        for &(fact, fails) in body {
            if self.system.options.statics && self.ground.fixed[fact.relation.index()] {
                // Instances are made only where those that never change are as they must be.
                continue;
            }
            let refer = match self.keyword(fact) {
                Some(Keyword::Does) => {
                    let legal = Fact {
                        relation: self.ground.table_of(fact.relation),
                        row: fact.row,
                    };
                    match self.moves.get(&legal) {
                        Some(&(role, number)) => Refer::Does(role, number),
                        // A move that is never legal is never made.
                        None if fails => continue,
                        None => return Ok(()),
                    }
                }
                _ => Refer::Atom(self.atom(fact)?),
            };
            conditions.push((refer, fails));
        }
        conditions.sort_unstable();
        conditions.dedup();
        let rules = &mut self.system.atoms[head as usize].rules;
        if !rules.contains(&conditions) {
            rules.push(conditions);
        }
        Ok(())
    }
}
