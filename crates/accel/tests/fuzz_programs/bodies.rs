//! The bodies of made-up rules, and heads that fit them: every variable of a head, of a negation
//! and of `distinct` is bound.

use paidia_game::Chance;

use crate::words::{Function, Relation, Sort, Words, below, call, level, pick};

/// A body under construction.
pub(crate) struct Body<'a> {
    words: &'a Words,
    chance: &'a mut Chance,
    /// The rule's level: what may be asked.
    level: usize,
    pub(crate) literals: Vec<String>,
    /// The variables that have a value.
    bound: Vec<(String, Sort)>,
    /// How many variables have been named.
    named: usize,
    /// Whether a relation of the rule's own level is asked for.
    is_recursive: bool,
}

impl<'a> Body<'a> {
    /// An empty body of a rule of some level.
    pub(crate) fn new(words: &'a Words, chance: &'a mut Chance, level: usize) -> Self {
        Self {
            words,
            chance,
            level,
            literals: Vec::new(),
            bound: Vec::new(),
            named: 0,
            is_recursive: false,
        }
    }

    /// Adds a condition that is given, with a variable that it binds.
    pub(crate) fn given(&mut self, literal: &str, variable: &str, sort: Sort) {
        self.literals.push(literal.to_owned());
        self.bound.push((variable.to_owned(), sort));
    }

    /// Adds one condition that is met more often than not: none of the rule's own level, and little
    /// else.
    pub(crate) fn begin(&mut self) {
        let askable = self.askable(false);
        let place = *pick(self.chance, &askable);
        self.begin_with(place);
    }

    /// Adds a condition about the moves being made, and little else.
    pub(crate) fn begin_with_moves(&mut self) {
        let does = |relation: &Relation| relation.name == "does";
        if let Some(place) = self.words.relations.iter().position(does) {
            self.begin_with(place);
        }
    }

    fn begin_with(&mut self, place: usize) {
        let literal = self.ask(place, &mut |body, _, sort| body.pattern(sort));
        self.literals.push(literal);
        if self.below(3) == 0 {
            self.add_test();
        }
    }

    /// Adds that a fluent of some kind holds, and perhaps something that ends it. The fluent, for
    /// the head.
    pub(crate) fn keep(&mut self, fluent: &Function) -> String {
        let mut args = Vec::new();
        for &sort in &fluent.sorts {
            let variable = self.fresh();
            self.bound.push((variable.clone(), sort));
            args.push(variable);
        }
        let fluent = call(&fluent.name, &args);
        self.literals.push(format!("(true {fluent})"));
        if self.below(3) > 0 {
            self.add_test();
        }
        fluent
    }

    /// Adds conditions of all kinds.
    pub(crate) fn fill(&mut self) {
        for _ in 0..[1, 1, 1, 2, 2, 3][self.below(6)] {
            let literal = self.positive();
            self.literals.push(literal);
        }
        // Now and then enough disjunctions for helper relations.
        for _ in 0..[0, 0, 0, 0, 0, 1, 1, 1, 1, 4][self.below(10)] {
            let formula = self.formula();
            self.literals.push(formula);
        }
        for _ in 0..[0, 0, 1, 1, 2][self.below(5)] {
            self.add_test();
        }
    }

    /// Adds a test, which may stand before what binds its variables.
    fn add_test(&mut self) {
        let test = self.test();
        let place = self.below(self.literals.len() + 1);
        self.literals.insert(place, test);
    }

    /// A term for the head. Where the rule is recursive it builds nothing, so that terms do not
    /// grow round and round.
    pub(crate) fn head_term(&mut self, sort: Sort) -> String {
        let functions = self.words.functions(sort);
        let is_built = functions.iter().any(|function| !function.sorts.is_empty());
        if is_built && !self.is_recursive && self.below(4) > 0 {
            let function = pick(self.chance, functions);
            return self.head_call(&function.name, &function.sorts);
        }
        if self.bound_of(sort).is_empty() && self.below(2) == 0 {
            self.bind(sort);
        }
        self.flat_term(sort)
    }

    /// A function or a relation with terms for the head.
    pub(crate) fn head_call(&mut self, name: &str, sorts: &[Sort]) -> String {
        let args: Vec<String> = sorts.iter().map(|&sort| self.head_term(sort)).collect();
        call(name, &args)
    }

    /// A move for the head of a rule that is perhaps recursive through the moves themselves.
    pub(crate) fn head_move(&mut self) -> String {
        let function = pick(self.chance, &self.words.moves);
        let args = function.sorts.iter();
        let args: Vec<String> = args.map(|&sort| self.head_argument(sort)).collect();
        call(&function.name, &args)
    }

    fn head_argument(&mut self, sort: Sort) -> String {
        // A role that made a move and comes to stand inside one looks to the checks like a term
        // that grows.
        if self.is_recursive && sort == Sort::Role {
            return self.words.ground(sort, self.chance);
        }
        if self.bound_of(sort).is_empty() {
            self.bind(sort);
        }
        self.flat_term(sort)
    }

    /// A variable that is bound, or a term without any.
    fn flat_term(&mut self, sort: Sort) -> String {
        match self.bound_of(sort).is_empty() {
            true => self.words.ground(sort, self.chance),
            false => self.bound_variable(sort),
        }
    }

    /// Asks for a term of a sort, if there is a relation of all of them.
    fn bind(&mut self, sort: Sort) {
        let variable = self.fresh();
        let literal = match sort {
            Sort::Role => format!("(role {variable})"),
            Sort::Thing => format!("(thing {variable})"),
            Sort::Number => format!("(number {variable})"),
            Sort::Box => format!("(boxed {variable})"),
            Sort::Fluent if self.level > level::TRUE => format!("(true {variable})"),
            Sort::Move if self.level > level::DOES => format!("(does {} {variable})", self.fresh()),
            Sort::Fluent | Sort::Move | Sort::Percept => return,
        };
        self.given(&literal, &variable, sort);
    }

    fn below(&mut self, bound: usize) -> usize {
        below(self.chance, bound)
    }

    fn fresh(&mut self) -> String {
        self.named += 1;
        format!("?v{}", self.named)
    }

    fn bound_of(&self, sort: Sort) -> Vec<&String> {
        let of_sort = self.bound.iter().filter(|(_, other)| *other == sort);
        of_sort.map(|(name, _)| name).collect()
    }

    fn bound_variable(&mut self, sort: Sort) -> String {
        let place = self.below(self.bound_of(sort).len());
        self.bound_of(sort)[place].clone()
    }

    /// A term over variables that are bound.
    fn bound_term(&mut self, sort: Sort) -> String {
        let is_known = !self.bound_of(sort).is_empty();
        if is_known && self.below(4) > 0 {
            return self.bound_variable(sort);
        }
        let function = pick(self.chance, self.words.functions(sort));
        let args = function.sorts.iter();
        let args: Vec<String> = args.map(|&sort| self.bound_term(sort)).collect();
        call(&function.name, &args)
    }

    /// A term over any variables, which are bound by it.
    fn pattern(&mut self, sort: Sort) -> String {
        // Rarely something that cannot be equal to anything that stands here.
        if !self.bound.is_empty() && self.below(50) == 0 {
            let place = self.below(self.bound.len());
            return self.bound[place].0.clone();
        }
        let is_subject = matches!(sort, Sort::Fluent | Sort::Move);
        let built = if is_subject { 8 } else { 1 };
        if self.below(10) < built {
            let function = pick(self.chance, self.words.functions(sort));
            let args = function.sorts.iter();
            let args: Vec<String> = args.map(|&sort| self.pattern(sort)).collect();
            return call(&function.name, &args);
        }
        if !self.bound_of(sort).is_empty() && self.below(2) == 0 {
            return self.bound_variable(sort);
        }
        let variable = self.fresh();
        self.bound.push((variable.clone(), sort));
        variable
    }

    /// The places in the list of relations that the rule may ask, those that matter most several
    /// times; own ones if `own`.
    fn askable(&self, own: bool) -> Vec<usize> {
        let mut places = Vec::new();
        for (place, relation) in self.words.relations.iter().enumerate() {
            let weight = match relation.level {
                above if above > self.level => 0,
                same if same == self.level => usize::from(own) * 2,
                level::TRUE => 8,
                level::DOES => 8,
                level::FACTS => 1,
                _ => 2,
            };
            places.extend(std::iter::repeat_n(place, weight));
        }
        places
    }

    fn positive(&mut self) -> String {
        let askable = self.askable(true);
        let place = *pick(self.chance, &askable);
        self.ask(place, &mut |body, _, sort| body.pattern(sort))
    }

    /// An atom of a relation with the arguments that `term` gives for each place and sort.
    fn ask(
        &mut self,
        place: usize,
        term: &mut impl FnMut(&mut Self, usize, Sort) -> String,
    ) -> String {
        let relation = &self.words.relations[place];
        self.is_recursive |= relation.level == self.level;
        let sorts = relation.sorts.iter().enumerate();
        let args: Vec<String> = sorts
            .map(|(place, &sort)| term(self, place, sort))
            .collect();
        call(&relation.name, &args)
    }

    /// A condition that binds nothing.
    fn test(&mut self) -> String {
        match self.below(10) {
            0..=3 if !self.bound.is_empty() => self.distinct(),
            4 if !self.bound.is_empty() => format!("(not {})", self.distinct()),
            choice => {
                let askable = self.askable(false);
                let place = *pick(self.chance, &askable);
                let atom = self.ask(place, &mut |body, _, sort| body.bound_term(sort));
                match choice {
                    9 => atom,
                    _ => format!("(not {atom})"),
                }
            }
        }
    }

    /// A variable and a term of its sort differ.
    fn distinct(&mut self) -> String {
        let (left, sort) = pick(self.chance, &self.bound).clone();
        let mut right = self.bound_term(sort);
        if left == right {
            right = self.words.ground(sort, self.chance);
        }
        match self.below(2) {
            0 => format!("(distinct {left} {right})"),
            _ => format!("(distinct {right} {left})"),
        }
    }

    /// A disjunction whose branches bind the same variable, or connected tests.
    fn formula(&mut self) -> String {
        if self.below(2) == 0 {
            return self.choice();
        }
        let parts: Vec<String> = (0..2 + self.below(2)).map(|_| self.test()).collect();
        let inner = format!(
            "({} {})",
            pick(self.chance, &["and", "or"]),
            parts.join(" ")
        );
        match self.below(2) {
            0 => inner,
            _ => format!("(not {inner})"),
        }
    }

    fn choice(&mut self) -> String {
        let sort = *pick(
            self.chance,
            &[Sort::Thing, Sort::Thing, Sort::Number, Sort::Role],
        );
        let variable = self.fresh();
        let branches: Vec<String> = (0..2 + self.below(2))
            .map(|_| self.branch(&variable, sort))
            .collect();
        self.bound.push((variable, sort));
        format!("(or {})", branches.join(" "))
    }

    /// A branch that binds a variable; others that it names are its own.
    fn branch(&mut self, variable: &str, sort: Sort) -> String {
        let before = self.bound.len();
        let mut askable = self.askable(true);
        askable.retain(|&place| self.words.relations[place].sorts.contains(&sort));
        let place = *pick(self.chance, &askable);
        let sorts = &self.words.relations[place].sorts;
        let argument = sorts.iter().position(|&other| other == sort);
        let atom = self.ask(place, &mut |body, place, sort| match argument {
            Some(argument) if argument == place => variable.to_owned(),
            _ => body.pattern(sort),
        });
        self.bound.push((variable.to_owned(), sort));
        let branch = match self.below(3) {
            0 => format!("(and {atom} {})", self.test()),
            _ => atom,
        };
        self.bound.truncate(before);
        branch
    }
}
