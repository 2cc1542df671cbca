//! Reads the SpriteSet. (section 3)

use super::MAX_TYPES;
use super::reader::Reader;
use super::spelling::nearest;
use crate::class::{CONTINUOUS, Class};
use crate::kind::{Fields, TypeId};
use crate::problems::{BAD_LINE, Finding, TOO_LARGE, UNKNOWN_CLASS, UNSUPPORTED};
use crate::tree::{Line, Token};
use crate::values::Parameters;

/// What a line of the SpriteSet hands down to those below it.
#[derive(Clone, Default)]
pub(super) struct Heritage {
    pub(super) class: Option<Class>,
    pub(super) parameters: Parameters,
    pub(super) ancestors: Vec<TypeId>,
    pub(super) depth: usize,
}

impl Reader {
    /// Reads lines of the SpriteSet; the types that they define.
    pub(super) fn read_sprites(&mut self, lines: &[usize], heritage: &Heritage) -> Vec<TypeId> {
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

    pub(super) fn read_sprite(&mut self, line: &Line, heritage: &Heritage) -> TypeId {
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
                own = self.class(token, heritage.class.is_some() && !self.mended);
            }
        }
        let class = match self.mended {
            true => own.or(heritage.class),
            false => heritage.class.or(own),
        };
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
    pub(super) fn class(&mut self, token: &Token, inherits: bool) -> Option<Class> {
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
}
