//! Reads a description: the header, characters of levels, and what names mean once all are known.

use paidia_gdl::Span;
use rustc_hash::FxHashMap;

use super::spelling::nearest;
use super::sprites::Heritage;
use super::{AVATAR, Pair, Termination, WALL};
use crate::class::Class;
use crate::effect::Effect;
use crate::kind::{Fields, NO_TYPE, SpriteType, TypeId};
use crate::problems::{
    BAD_LINE, Finding, NOT_A_GAME, SECTION_CUT, TOO_LARGE, UNKNOWN_TYPE, UNSUPPORTED,
};
use crate::tree::{Line, Token};
use crate::values::Parameters;

/// What happens to sprites that leave the screen.
#[derive(Default)]
pub(super) struct Edges {
    pub(super) types: Vec<TypeId>,
    pub(super) effects: Vec<Vec<u16>>,
}

#[derive(Default)]
pub(super) struct Reader {
    pub(super) lines: Vec<Line>,
    pub(super) found: Vec<Finding>,
    pub(super) types: Vec<SpriteType>,
    pub(super) numbers: FxHashMap<String, TypeId>,
    pub(super) order: Vec<TypeId>,
    pub(super) block: Option<i32>,
    /// Whether the header says `faithful=no`.
    pub(super) mended: bool,
    pub(super) obstacle_names: Vec<String>,
    pub(super) obstacles: Vec<TypeId>,
    pub(super) counters: usize,
    pub(super) cells: FxHashMap<char, Vec<TypeId>>,
    /// What cells name, looked up when all types are known.
    pub(super) cell_names: Vec<(char, Vec<Token>)>,
    pub(super) effects: Vec<Effect>,
    pub(super) pairs: Vec<Pair>,
    pub(super) pair_places: FxHashMap<(TypeId, TypeId), usize>,
    pub(super) edges: Edges,
    pub(super) timers: Vec<(TypeId, u16)>,
    pub(super) terminations: Vec<Termination>,
    /// Whether an error has ended the reading. (G-7)
    pub(super) cut: bool,
}

impl Reader {
    pub(super) fn read(&mut self) {
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

    pub(super) fn read_header(&mut self, root: &Line) {
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
        self.mended = given.text("faithful", &mut self.found) == Some("no");
        if let Some(list) = given.text("obs", &mut self.found) {
            self.obstacle_names = list.split(',').map(str::to_owned).collect();
        }
    }

    /// The number of a name, new if it was not met before. (S-2)
    pub(super) fn number(&mut self, name: &str) -> TypeId {
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

    pub(super) fn default_type(&mut self, id: TypeId, class: Class) {
        let mut fields = Fields::of_class(class);
        fields.read(class, &Parameters::default(), &mut self.found);
        self.types[usize::from(id)].class = Some(class);
        self.types[usize::from(id)].fields = fields;
    }

    /// Finds out what names among the types mean, and which types are below which. (S-6, C-2)
    pub(super) fn link_types(&mut self) {
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

    pub(super) fn add_below(&self, id: TypeId, all: &mut Vec<TypeId>, seen: &mut [bool]) {
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

    pub(super) fn map_cell(&mut self, key: char, name: &str) {
        let token = Token {
            text: name.to_owned(),
            span: Span::new(0, 0),
        };
        self.cell_names.push((key, vec![token]));
    }

    pub(super) fn read_cells(&mut self, lines: &[usize]) {
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

    pub(super) fn link_cells(&mut self) {
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

    pub(super) fn unknown(&mut self, name: &Token) {
        let message = format!("no line of the SpriteSet defines `{}`", name.text);
        let known = self.types.iter().map(|kind| kind.name.as_str());
        let help = nearest(&name.text, known);
        self.found
            .push(Finding::new(&UNKNOWN_TYPE, name.span, message).help(help));
    }

    pub(super) fn cut(&mut self, span: Span, message: String, help: String) {
        self.found
            .push(Finding::new(&SECTION_CUT, span, message).help(help));
        self.cut = true;
    }
}
