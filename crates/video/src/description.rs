//! A game as its description tells it: types, cells of levels, interactions, terminations.

use std::sync::Arc;

use paidia_gdl::{Source, Span};
use rustc_hash::FxHashMap;

use crate::class::{CONTINUOUS, Class};
use crate::effect::{Effect, Names, Operation, Unreadable};
use crate::kind::{Fields, NO_TYPE, SpriteType, TypeId};
use crate::level::Level;
use crate::problems::{
    BAD_LINE, Finding, NO_AVATAR, NOT_A_GAME, SECTION_CUT, TOO_LARGE, UNKNOWN_CLASS, UNKNOWN_TYPE,
    UNSUPPORTED,
};
use crate::tree::{self, Line, Token};
use crate::values::{Parameters, Value};

/// The most types that a game may name. The largest game known has 33.
pub(crate) const MAX_TYPES: usize = 1_000;
/// The most pairs of types, effects and terminations together.
pub(crate) const MAX_EFFECTS: usize = 20_000;

/// The type `wall`, which always exists.
pub(crate) const WALL: TypeId = 0;
/// The type `avatar`, which always exists.
pub(crate) const AVATAR: TypeId = 1;

/// A game without its level.
#[derive(Clone, Debug)]
pub struct Description {
    /// The name for people.
    pub name: String,
    /// Types by their numbers.
    pub types: Vec<SpriteType>,
    /// The order in which types are drawn; updates go through it backwards.
    pub order: Vec<TypeId>,
    pub(crate) block: Option<i32>,
    pub(crate) obstacles: Vec<TypeId>,
    pub(crate) counters: usize,
    pub(crate) cells: FxHashMap<char, Vec<TypeId>>,
    pub(crate) effects: Vec<Effect>,
    pub(crate) pairs: Vec<Pair>,
    /// Types whose sprites are looked at when they leave the screen; repeated where lines are.
    pub(crate) edge_types: Vec<TypeId>,
    /// The effects of leaving the screen by type.
    pub(crate) edge_effects: Vec<Vec<u16>>,
    pub(crate) timers: Vec<(TypeId, u16)>,
    pub(crate) terminations: Vec<Termination>,
}

/// Two types whose sprites do something when they meet.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    pub(crate) first: TypeId,
    pub(crate) second: TypeId,
    pub(crate) effects: Vec<u16>,
}

/// A condition that ends the game.
#[derive(Clone, Debug)]
pub(crate) struct Termination {
    pub(crate) condition: Condition,
    pub(crate) types: Vec<TypeId>,
    pub(crate) limit: i32,
    pub(crate) win: bool,
    pub(crate) at_least: bool,
    pub(crate) sub_types: i32,
    pub(crate) by_score: bool,
}

/// What a termination asks. (section 17)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    Few,
    Many,
    Sum,
    SubTypes,
    Timeout,
    Never,
}

/// What was read of a description, and what is wrong with it.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The game, as far as it was understood.
    pub game: Description,
    /// Problems in the order of the text.
    pub problems: Vec<Finding>,
}

impl Reading {
    /// Whether the game can be played.
    pub fn is_playable(&self) -> bool {
        !self.problems.iter().any(Finding::is_error)
    }
}

/// Reads a description. Reading never fails: it says what it understood and what is wrong.
pub fn read(source: &Source) -> Reading {
    let mut reader = Reader::default();
    if source.text.len() > paidia_gdl::source::MAX_SOURCE_BYTES {
        let message = "the description is too long";
        reader
            .found
            .push(Finding::new(&TOO_LARGE, Span::new(0, 0), message));
    } else {
        reader.lines = tree::read(&source.text, &mut reader.found);
        reader.read();
    }
    let mut problems = reader.found;
    problems.sort_by_key(|finding| finding.span);
    let edge_effects = reader.edges.effects;
    let game = Description {
        name: source.name.clone(),
        types: reader.types,
        order: reader.order,
        block: reader.block,
        obstacles: reader.obstacles,
        counters: reader.counters,
        cells: reader.cells,
        effects: reader.effects,
        pairs: reader.pairs,
        edge_types: reader.edges.types,
        edge_effects,
        timers: reader.timers,
        terminations: reader.terminations,
    };
    Reading { game, problems }
}

/// The line after which a level begins in a text that has levels after the description.
pub const LEVEL_LINE: &str = "Level";

/// Where a text's description ends, and where the rows of its levels are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// Bytes of the description.
    pub description: usize,
    /// The rows of each level.
    pub levels: Vec<std::ops::Range<usize>>,
}

/// Finds the levels of a text: each begins after a line `Level` that is not indented.
pub fn parts(text: &str) -> Parts {
    let mut parts = Parts {
        description: text.len(),
        levels: Vec::new(),
    };
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        if line.trim_end() == LEVEL_LINE {
            match parts.levels.last_mut() {
                Some(last) => last.end = start,
                None => parts.description = start,
            }
            parts.levels.push(end..text.len());
        }
        start = end;
    }
    parts
}

/// The text of a game with one of its levels only; none if it has no such level.
pub fn with_one_level(text: &str, number: usize) -> Option<String> {
    let parts = parts(text);
    let rows = &text[parts.levels.get(number)?.clone()];
    Some(join(&text[..parts.description], rows))
}

/// A description and the rows of a level as one text.
pub fn join(description: &str, rows: &str) -> String {
    let end = if description.ends_with('\n') {
        ""
    } else {
        "\n"
    };
    format!("{description}{end}{LEVEL_LINE}\n{rows}")
}

/// Reads a text that has levels after the description, and the first of them. The level is there
/// if it and the game can be played.
pub fn read_with_level(source: &Source) -> (Reading, Option<Level>) {
    let text = &source.text;
    let parts = parts(text);
    let (end, rows) = (parts.description, parts.levels.first().cloned());
    let cut = rows.clone();
    let std::ops::Range {
        start: begin,
        end: last,
    } = rows.unwrap_or(end..end);
    let mut reading = read(&Source::new(source.name.clone(), &text[..end]));
    let mut level = None;
    if cut.is_none() {
        let message = "there is no level to play";
        let help = "add a line `Level` and the rows of the level below it, or name the level's \
                    number: `GAME.txt@0` takes GAME_lvl0.txt beside it";
        let place = Span::new(text.len(), text.len());
        reading
            .problems
            .push(Finding::new(&NO_AVATAR, place, message).help(help));
    } else if reading.is_playable() {
        let game = Arc::new(reading.game.clone());
        let own = Level::read(&game, &Source::new(source.name.clone(), &text[begin..last]));
        reading
            .problems
            .extend(own.problems.into_iter().map(|mut finding| {
                let (start, end) = (finding.span.start as usize, finding.span.end as usize);
                finding.span = Span::new(start + begin, end + begin);
                finding
            }));
        level = own.level;
    }
    (reading, level)
}

impl Description {
    /// The character by which levels put a type into a cell, if it stands alone there or last.
    pub fn character_of(&self, kind: TypeId) -> Option<char> {
        let mut own: Vec<char> = self
            .cells
            .iter()
            .filter(|(_, types)| types.last() == Some(&kind))
            .map(|(&key, _)| key)
            .collect();
        own.sort_unstable();
        own.first().copied()
    }

    /// Characters of levels with the types that they put into a cell, in their order.
    pub fn characters(&self) -> Vec<(char, Vec<TypeId>)> {
        let all = self.cells.iter().map(|(&key, types)| (key, types.clone()));
        let mut all: Vec<_> = all.collect();
        all.sort();
        all
    }

    /// How many pairs of types do something when they meet, and how many effects there are.
    pub fn interactions(&self) -> (usize, usize) {
        (self.pairs.len(), self.effects.len())
    }
}

/// What happens to sprites that leave the screen.
#[derive(Default)]
struct Edges {
    types: Vec<TypeId>,
    effects: Vec<Vec<u16>>,
}

#[derive(Default)]
struct Reader {
    lines: Vec<Line>,
    found: Vec<Finding>,
    types: Vec<SpriteType>,
    numbers: FxHashMap<String, TypeId>,
    order: Vec<TypeId>,
    block: Option<i32>,
    obstacle_names: Vec<String>,
    obstacles: Vec<TypeId>,
    counters: usize,
    cells: FxHashMap<char, Vec<TypeId>>,
    /// What cells name, looked up when all types are known.
    cell_names: Vec<(char, Vec<Token>)>,
    effects: Vec<Effect>,
    pairs: Vec<Pair>,
    pair_places: FxHashMap<(TypeId, TypeId), usize>,
    edges: Edges,
    timers: Vec<(TypeId, u16)>,
    terminations: Vec<Termination>,
    /// Whether an error has ended the reading. (G-7)
    cut: bool,
}

/// What a line of the SpriteSet hands down to those below it.
#[derive(Clone, Default)]
struct Heritage {
    class: Option<Class>,
    parameters: Parameters,
    ancestors: Vec<TypeId>,
    depth: usize,
}

impl Reader {
    fn read(&mut self) {
        self.number("wall");
        self.number("avatar");
        self.default_type(WALL, Class::Immovable);
        self.default_type(AVATAR, Class::MovingAvatar);
        self.order = vec![WALL, AVATAR];
        self.map_cell('w', "wall");
        self.map_cell('A', "avatar");
        let Some(root) = self.lines.first().cloned() else {
            let message = "there is no game here";
            let help = "begin with `BasicGame` and four indented blocks";
            self.found
                .push(Finding::new(&NOT_A_GAME, Span::new(0, 0), message).help(help));
            return;
        };
        self.read_header(&root);
        for &child in &root.children {
            let line = self.lines[child].clone();
            if line.is("SpriteSet") {
                self.read_sprites(&line.children, &Heritage::default());
                self.order.retain(|&id| id != AVATAR);
                self.order.push(AVATAR);
            } else if self.cut {
                continue;
            } else if line.is("InteractionSet") {
                self.link_types();
                self.read_interactions(&line.children);
            } else if line.is("LevelMapping") {
                self.read_cells(&line.children);
            } else if line.is("TerminationSet") {
                self.link_types();
                self.read_terminations(&line.children);
            } else {
                let help = "blocks are SpriteSet, LevelMapping, InteractionSet and TerminationSet";
                let message = "this is not a block of a game, so nothing below it is read";
                self.found
                    .push(Finding::new(&BAD_LINE, line.span, message).help(help));
            }
        }
        self.link_types();
        self.link_cells();
        let names = std::mem::take(&mut self.obstacle_names);
        self.obstacles = names
            .iter()
            .filter_map(|name| self.numbers.get(name).copied())
            .collect();
        self.edges.effects.resize(self.types.len(), Vec::new());
    }

    fn read_header(&mut self, root: &Line) {
        if root.tokens[0].text != "BasicGame" {
            let message = format!(
                "`{}` is no class of games that are played",
                root.tokens[0].text
            );
            let help = "the first line of a game begins with `BasicGame`";
            self.found
                .push(Finding::new(&NOT_A_GAME, root.tokens[0].span, message).help(help));
        }
        let mut given = Parameters::default();
        for token in &root.tokens[1..] {
            given.add(token, &mut self.found);
        }
        let mut block = 0;
        given.integer("square_size", &mut block, &mut self.found);
        if given.get("square_size").is_some() {
            if (1..=crate::level::MAX_BLOCK).contains(&block) {
                self.block = Some(block);
            } else {
                let message = format!("`square_size` is from 1 to {}", crate::level::MAX_BLOCK);
                self.found
                    .push(Finding::new(&TOO_LARGE, root.span, message));
            }
        }
        let (mut players, mut counters) = (1, 0);
        given.integer("no_players", &mut players, &mut self.found);
        given.integer("no_counters", &mut counters, &mut self.found);
        self.counters = counters.clamp(0, 1000) as usize;
        if players != 1 {
            let message = "games for two players are not played";
            self.found
                .push(Finding::new(&UNSUPPORTED, root.span, message));
        }
        if let Some(list) = given.text("obs", &mut self.found) {
            self.obstacle_names = list.split(',').map(str::to_owned).collect();
        }
    }

    /// The number of a name, new if it was not met before. (S-2)
    fn number(&mut self, name: &str) -> TypeId {
        if let Some(&id) = self.numbers.get(name) {
            return id;
        }
        let id = self.types.len() as TypeId;
        self.numbers.insert(name.to_owned(), id);
        self.types.push(SpriteType {
            name: name.to_owned(),
            class: None,
            ancestors: vec![id],
            subtypes: vec![id],
            children: Vec::new(),
            singleton: false,
            single: Vec::new(),
            turn: None,
            span: Span::new(0, 0),
            fields: Fields::default(),
            colour: None,
            image: None,
        });
        id
    }

    fn default_type(&mut self, id: TypeId, class: Class) {
        let mut fields = Fields::of_class(class);
        fields.read(class, &Parameters::default(), &mut self.found);
        self.types[usize::from(id)].class = Some(class);
        self.types[usize::from(id)].fields = fields;
    }

    /// Reads lines of the SpriteSet; the types that they define.
    fn read_sprites(&mut self, lines: &[usize], heritage: &Heritage) -> Vec<TypeId> {
        let mut defined = Vec::new();
        for &place in lines {
            let line = self.lines[place].clone();
            if !line.tokens.iter().any(|token| token.text == ">") {
                let message = "a line without `>` ends this list: what stands below it is not read";
                let help = "write `name > Class key=value`";
                self.found
                    .push(Finding::new(&BAD_LINE, line.span, message).help(help));
                break;
            }
            if self.types.len() >= MAX_TYPES || heritage.depth > 100 {
                let message = format!("more than {MAX_TYPES} types, or nested deeper than 100");
                self.found
                    .push(Finding::new(&TOO_LARGE, line.span, message));
                break;
            }
            defined.push(self.read_sprite(&line, heritage));
        }
        defined
    }

    fn read_sprite(&mut self, line: &Line, heritage: &Heritage) -> TypeId {
        let name = line.tokens[0].text.clone();
        let id = self.number(&name);
        let mut own_parameters = Parameters::default();
        let mut parameters = heritage.parameters.clone();
        let mut own = None;
        for token in &line.tokens[1..] {
            if token.text == ">" {
                continue;
            }
            if parameters.add(token, &mut Vec::new()) {
                own_parameters.add(token, &mut self.found);
            } else {
                own = self.class(token, heritage.class.is_some());
            }
        }
        let class = heritage.class.or(own);
        let mut fields = class.map_or_else(Fields::default, Fields::of_class);
        if let Some(class) = class {
            fields.read(class, &parameters, &mut self.found);
            if fields.physics != 0 {
                let message = "continuous physics is not played";
                self.found
                    .push(Finding::new(&UNSUPPORTED, line.span, message));
            }
        }
        let mut ancestors = heritage.ancestors.clone();
        ancestors.push(id);
        let defined = &mut self.types[usize::from(id)];
        defined.class = class;
        defined.span = line.tokens[0].span;
        defined.singleton = own_parameters.says_true("singleton");
        defined.ancestors = ancestors.clone();
        defined.fields = fields;
        defined.colour = parameters.words("color").or(parameters.words("colour"));
        defined.image = parameters.words("img");
        let below = Heritage {
            class: own.or(heritage.class),
            parameters,
            ancestors,
            depth: heritage.depth + 1,
        };
        let children = self.read_sprites(&line.children, &below);
        if line.children.is_empty() {
            self.order.retain(|&other| other != id);
            self.order.push(id);
        }
        self.types[usize::from(id)].children = children;
        id
    }

    /// The class of a name. Where an ancestor's class counts instead, any name will do. (S-5)
    fn class(&mut self, token: &Token, inherits: bool) -> Option<Class> {
        let class = Class::by_name(&token.text);
        if class.is_none() {
            let continuous = CONTINUOUS.contains(&token.text.as_str());
            let (kind, message) = match (inherits, continuous) {
                (true, _) => (
                    &BAD_LINE,
                    format!(
                        "there is no class `{}`; it is not used, as the class of the line above counts",
                        token.text
                    ),
                ),
                (_, true) => (
                    &UNSUPPORTED,
                    format!(
                        "`{}` moves by continuous physics, which is not played",
                        token.text
                    ),
                ),
                _ => (
                    &UNKNOWN_CLASS,
                    format!("there is no class `{}`", token.text),
                ),
            };
            let help = nearest(&token.text, Class::names());
            self.found
                .push(Finding::new(kind, token.span, message).help(help));
        }
        class
    }

    /// Finds out what names among the types mean, and which types are below which. (S-6, C-2)
    fn link_types(&mut self) {
        for id in 0..self.types.len() {
            let mut all = self.types[id].ancestors.clone();
            let mut seen = vec![false; self.types.len()];
            self.add_below(id as TypeId, &mut all, &mut seen);
            self.types[id].subtypes = all;
            let ancestors = self.types[id].ancestors.iter();
            let single = ancestors.filter(|&&other| self.types[usize::from(other)].singleton);
            self.types[id].single = single.copied().collect();
            self.types[id].turn = None;
        }
        for (turn, &id) in self.order.iter().enumerate() {
            self.types[usize::from(id)].turn = Some(turn as u16);
        }
        for id in 0..self.types.len() {
            let names = self.types[id].fields.names.clone();
            let find = |name: &Option<String>| {
                let name = name.as_deref();
                name.map_or(NO_TYPE, |name| {
                    self.numbers.get(name).copied().unwrap_or(NO_TYPE)
                })
            };
            let list = |names: &Option<String>| -> Vec<TypeId> {
                let names = names.as_deref().map(|names| names.split(','));
                let found = names
                    .into_iter()
                    .flatten()
                    .map(|name| self.numbers.get(name).copied().unwrap_or(NO_TYPE));
                found.collect()
            };
            let resource = match &names.resource {
                Some(_) => find(&names.resource),
                None => id as TypeId,
            };
            let (target, targets, ammo) =
                (find(&names.target), list(&names.targets), list(&names.ammo));
            let trail = find(&names.trail);
            let fields = &mut self.types[id].fields;
            fields.resource = resource;
            fields.target = target;
            fields.targets = targets;
            fields.ammo = ammo;
            fields.trail = trail;
        }
    }

    fn add_below(&self, id: TypeId, all: &mut Vec<TypeId>, seen: &mut [bool]) {
        // A name that is used twice can stand below itself.
        if std::mem::replace(&mut seen[usize::from(id)], true) {
            return;
        }
        for &child in &self.types[usize::from(id)].children {
            // The subtypes of a child begin with its ancestors, which are mostly there already.
            for &other in &self.types[usize::from(child)].ancestors {
                if !all.contains(&other) {
                    all.push(other);
                }
            }
            self.add_below(child, all, seen);
        }
    }

    fn map_cell(&mut self, key: char, name: &str) {
        let token = Token {
            text: name.to_owned(),
            span: Span::new(0, 0),
        };
        self.cell_names.push((key, vec![token]));
    }

    fn read_cells(&mut self, lines: &[usize]) {
        for &place in lines {
            let line = self.lines[place].clone();
            let key = line.tokens[0].text.chars().next();
            if let (Some(key), Some(names)) = (key, line.tokens.get(2..)) {
                self.cell_names.push((key, names.to_vec()));
            } else {
                let message = "write `c > name name`, a character and the types of its sprites";
                self.found.push(Finding::new(&BAD_LINE, line.span, message));
            }
        }
    }

    fn link_cells(&mut self) {
        for (key, names) in std::mem::take(&mut self.cell_names) {
            let mut types = Vec::new();
            for name in names {
                match self.numbers.get(&name.text) {
                    Some(&id) => types.push(id),
                    None => self.unknown(&name),
                }
            }
            self.cells.insert(key, types);
        }
    }

    fn unknown(&mut self, name: &Token) {
        let message = format!("no line of the SpriteSet defines `{}`", name.text);
        let known = self.types.iter().map(|kind| kind.name.as_str());
        let help = nearest(&name.text, known);
        self.found
            .push(Finding::new(&UNKNOWN_TYPE, name.span, message).help(help));
    }

    fn cut(&mut self, span: Span, message: String, help: String) {
        self.found
            .push(Finding::new(&SECTION_CUT, span, message).help(help));
        self.cut = true;
    }

    fn read_interactions(&mut self, lines: &[usize]) {
        for &place in lines {
            let line = self.lines[place].clone();
            if let Err((span, message, help)) = self.read_interaction(&line) {
                return self.cut(span, message, help);
            }
            if self.effects.len() > MAX_EFFECTS {
                let message = format!("more than {MAX_EFFECTS} effects");
                self.found
                    .push(Finding::new(&TOO_LARGE, line.span, message));
                return;
            }
        }
    }

    fn read_interaction(&mut self, line: &Line) -> Result<(), (Span, String, String)> {
        let arrow = line.tokens.iter().position(|token| token.text == ">");
        let (Some(arrow), Some(name)) = (arrow, arrow.and_then(|at| line.tokens.get(at + 1)))
        else {
            let message = "an interaction is written `first second > effect`".to_owned();
            return Err((line.span, message, String::new()));
        };
        let operation = Operation::by_name(&name.text).ok_or_else(|| {
            let message = format!("there is no effect `{}`", name.text);
            (name.span, message, nearest(&name.text, Operation::names()))
        })?;
        let mut given = Parameters::default();
        for token in &line.tokens[arrow + 2..] {
            given.add(token, &mut self.found);
        }
        let place = self
            .effect(operation, &given)
            .map_err(|Unreadable(message)| (line.span, message, "mend the parameter".to_owned()))?;
        let Some((first, seconds)) = line.tokens[..arrow].split_first() else {
            return Err((
                line.span,
                "two types are needed before `>`".to_owned(),
                String::new(),
            ));
        };
        for second in seconds {
            self.pair(first, second, place)?;
        }
        Ok(())
    }

    /// Reads an effect, and what it runs later; its place.
    fn effect(&mut self, operation: Operation, given: &Parameters) -> Result<u16, Unreadable> {
        let numbers = &self.numbers;
        let find = |name: &str| numbers.get(name).copied();
        let names = Names { find: &find };
        let mut effect = Effect::read(operation, given, &names, &mut self.found)?;
        if operation == Operation::AddTimer {
            let Some(function) = effect
                .function
                .filter(|&function| function != Operation::AddTimer)
            else {
                return Err(Unreadable(
                    "`addTimer` needs `ftype`, the effect to run".to_owned(),
                ));
            };
            let timed = Effect::read(function, given, &names, &mut self.found)?;
            self.effects.push(timed);
            effect.timed = Some((self.effects.len() - 1) as u16);
        }
        self.effects.push(effect);
        Ok((self.effects.len() - 1) as u16)
    }

    fn pair(
        &mut self,
        first: &Token,
        second: &Token,
        place: u16,
    ) -> Result<(), (Span, String, String)> {
        let left = self.numbers.get(&first.text).copied();
        let right = self.numbers.get(&second.text).copied();
        let repeat = self.effects[usize::from(place)].repeat.clamp(0, 100) as usize;
        let (upper, other) = (first.text.to_uppercase(), second.text.to_uppercase());
        match (left, right, upper.as_str(), other.as_str()) {
            (Some(left), Some(right), ..) => {
                let next = self.pairs.len();
                let at = *self.pair_places.entry((left, right)).or_insert(next);
                if at == next {
                    self.pairs.push(Pair {
                        first: left,
                        second: right,
                        effects: Vec::new(),
                    });
                }
                self.pairs[at]
                    .effects
                    .extend(std::iter::repeat_n(place, repeat));
            }
            (Some(id), None, _, "EOS") | (None, Some(id), "EOS", _) => {
                self.edges.types.push(id);
                let most = self.edges.effects.len().max(usize::from(id) + 1);
                self.edges.effects.resize(most, Vec::new());
                self.edges.effects[usize::from(id)].extend(std::iter::repeat_n(place, repeat));
            }
            (Some(id), None, _, "TIME") | (None, Some(id), "TIME", _) => {
                self.timers.push((id, place));
            }
            _ => {
                let wrong = if left.is_none() && !matches!(upper.as_str(), "EOS" | "TIME") {
                    first
                } else {
                    second
                };
                let message = format!("no line of the SpriteSet defines `{}`", wrong.text);
                let known = self.types.iter().map(|kind| kind.name.as_str());
                return Err((wrong.span, message, nearest(&wrong.text, known)));
            }
        }
        Ok(())
    }

    fn read_terminations(&mut self, lines: &[usize]) {
        for &place in lines {
            let line = self.lines[place].clone();
            let name = &line.tokens[0];
            let condition = match name.text.as_str() {
                "SpriteCounter" => Condition::Few,
                "SpriteCounterMore" => Condition::Many,
                "MultiSpriteCounter" => Condition::Sum,
                "MultiSpriteCounterSubTypes" => Condition::SubTypes,
                "Timeout" => Condition::Timeout,
                "StopCounter" => Condition::Never,
                other => {
                    let message = format!("there is no termination `{other}`");
                    let known = [
                        "SpriteCounter",
                        "SpriteCounterMore",
                        "MultiSpriteCounter",
                        "Timeout",
                    ];
                    let help = nearest(other, known.into_iter());
                    return self.cut(name.span, message, help);
                }
            };
            let mut given = Parameters::default();
            for token in &line.tokens[1..] {
                given.add(token, &mut self.found);
            }
            let termination = self.termination(condition, &given);
            self.terminations.push(termination);
        }
    }

    fn termination(&mut self, condition: Condition, given: &Parameters) -> Termination {
        let mut termination = Termination {
            condition,
            types: Vec::new(),
            limit: 0,
            win: given.says_true("win"),
            at_least: false,
            sub_types: 0,
            by_score: false,
        };
        given.integer("limit", &mut termination.limit, &mut self.found);
        given.boolean("min", &mut termination.at_least, &mut self.found);
        given.integer("subTypesNum", &mut termination.sub_types, &mut self.found);
        given.boolean("count_score", &mut termination.by_score, &mut self.found);
        let keys: &[&str] = match condition {
            Condition::Few | Condition::Many => &["stype"],
            Condition::Sum => &["stype1", "stype2", "stype3"],
            Condition::SubTypes => &["stype1"],
            Condition::Timeout | Condition::Never => &[],
        };
        for key in keys {
            let Some(parameter) = given.get(key) else {
                continue;
            };
            let Value::Text(name) = &parameter.value else {
                continue;
            };
            match self.numbers.get(name) {
                Some(&id) => termination.types.push(id),
                None => self.unknown(&Token {
                    text: name.clone(),
                    span: parameter.span,
                }),
            }
        }
        termination
    }
}

/// Advice for a misspelt name, or nothing.
fn nearest<'a>(wrong: &str, known: impl Iterator<Item = &'a str>) -> String {
    let lower = wrong.to_lowercase();
    let scored = known.map(|name| (distance(&lower, &name.to_lowercase()), name));
    match scored.min_by_key(|(score, _)| *score) {
        Some((score, name)) if score <= 2 => format!("did you mean `{name}`?"),
        _ => String::new(),
    }
}

/// How many letters must change to get from one word to the other. Long words are not compared.
fn distance(left: &str, right: &str) -> usize {
    if left.len() > 64 || right.len() > 64 || left.len().abs_diff(right.len()) > 2 {
        return usize::MAX;
    }
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (line, letter) in left.chars().enumerate() {
        let mut corner = row[0];
        row[0] = line + 1;
        for (column, &other) in right.iter().enumerate() {
            let change = corner + usize::from(letter != other);
            corner = row[column + 1];
            row[column + 1] = change.min(corner + 1).min(row[column] + 1);
        }
    }
    row[right.len()]
}
