//! Values of parameters: what a text means, and which fields take it.
//!
//! The original decides the type of a value by its text alone and then looks for a field of that
//! type; what does not fit is ignored and the default stays (V-1 to V-7).

use paidia_gdl::Span;

use crate::problems::{BAD_LINE, BAD_VALUE, Finding};
use crate::tree::Token;

/// A value as its text says.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Direction(f64, f64),
    Integer(i32),
    Double(f64),
    Boolean(bool),
    Text(String),
    /// The name of a colour: only drawing looks at it.
    Colour(String),
}

const COLOURS: [&str; 24] = [
    "GREEN",
    "BLUE",
    "RED",
    "GRAY",
    "WHITE",
    "BROWN",
    "BLACK",
    "ORANGE",
    "YELLOW",
    "PINK",
    "GOLD",
    "LIGHTRED",
    "LIGHTORANGE",
    "LIGHTBLUE",
    "LIGHTGREEN",
    "LIGHTYELLOW",
    "LIGHTGRAY",
    "DARKGRAY",
    "DARKBLUE",
    "PURPLE",
    "LIGHTPINK",
    "DARKGREEN",
    "DARKRED",
    "CYAN",
];

impl Value {
    /// What a text means as the value of this key.
    pub(crate) fn read(key: &str, text: &str) -> Self {
        match text {
            "UP" => return Value::Direction(0.0, -1.0),
            "DOWN" => return Value::Direction(0.0, 1.0),
            "LEFT" => return Value::Direction(-1.0, 0.0),
            "RIGHT" => return Value::Direction(1.0, 0.0),
            "NONE" => return Value::Direction(0.0, 0.0),
            "NIL" => return Value::Direction(-1.0, -1.0),
            "GRID" => return Value::Integer(0),
            "CONT" => return Value::Integer(1),
            _ if COLOURS.contains(&text) => return Value::Colour(text.to_owned()),
            _ => {}
        }
        if key != "scoreChange" && key != "scoreChangeIfKilled" {
            if let Ok(integer) = text.parse() {
                return Value::Integer(integer);
            }
            let number = text.strip_suffix(['f', 'd', 'F', 'D']).unwrap_or(text);
            let plain = number
                .bytes()
                .all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
            if let (true, Ok(double)) = (plain, number.parse()) {
                return Value::Double(double);
            }
        }
        if !matches!(key, "win" | "hidden" | "invisible") {
            if text.eq_ignore_ascii_case("true") {
                return Value::Boolean(true);
            }
            if text.eq_ignore_ascii_case("false") {
                return Value::Boolean(false);
            }
        }
        Value::Text(text.to_owned())
    }

    fn kind(&self) -> &'static str {
        match self {
            Value::Direction(..) => "a direction",
            Value::Integer(_) => "a whole number",
            Value::Double(_) => "a number",
            Value::Boolean(_) => "true or false",
            Value::Text(_) => "a text",
            Value::Colour(_) => "a colour",
        }
    }
}

/// A parameter of a line.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) key: String,
    pub(crate) value: Value,
    pub(crate) span: Span,
}

/// The parameters of a line, the inherited ones included; the last of a name counts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parameters {
    all: Vec<Parameter>,
}

impl Parameters {
    /// Adds what a token says, if it is a parameter. (G-6)
    pub(crate) fn add(&mut self, token: &Token, found: &mut Vec<Finding>) -> bool {
        let mut parts = token.text.split('=');
        let (Some(key), Some(value)) = (parts.next(), parts.next()) else {
            return false;
        };
        if value.is_empty() {
            let message = format!("the parameter `{key}` has no value");
            found.push(Finding::new(&BAD_LINE, token.span, message));
            return true;
        }
        let parameter = Parameter {
            key: key.to_owned(),
            value: Value::read(key, value),
            span: token.span,
        };
        match self.all.iter_mut().find(|other| other.key == key) {
            Some(other) => *other = parameter,
            None => self.all.push(parameter),
        }
        true
    }

    /// The parameter of that name.
    pub(crate) fn get(&self, key: &str) -> Option<&Parameter> {
        self.all.iter().find(|parameter| parameter.key == key)
    }

    fn set<T>(
        &self,
        key: &str,
        field: &mut T,
        wanted: &str,
        found: &mut Vec<Finding>,
        read: impl Fn(&Value) -> Option<T>,
    ) {
        let Some(parameter) = self.get(key) else {
            return;
        };
        match read(&parameter.value) {
            Some(value) => *field = value,
            None => {
                let kind = parameter.value.kind();
                let message = format!("`{key}` takes {wanted}, not {kind}; the default stays");
                found.push(Finding::new(&BAD_VALUE, parameter.span, message));
            }
        }
    }

    pub(crate) fn integer(&self, key: &str, field: &mut i32, found: &mut Vec<Finding>) {
        self.set(key, field, "a whole number", found, |value| match value {
            Value::Integer(integer) => Some(*integer),
            _ => None,
        });
    }

    pub(crate) fn double(&self, key: &str, field: &mut f64, found: &mut Vec<Finding>) {
        self.set(key, field, "a number", found, |value| match value {
            Value::Integer(integer) => Some(f64::from(*integer)),
            Value::Double(double) => Some(*double),
            _ => None,
        });
    }

    pub(crate) fn boolean(&self, key: &str, field: &mut bool, found: &mut Vec<Finding>) {
        self.set(key, field, "true or false", found, |value| match value {
            Value::Boolean(boolean) => Some(*boolean),
            _ => None,
        });
    }

    pub(crate) fn direction(&self, key: &str, field: &mut (f64, f64), found: &mut Vec<Finding>) {
        self.set(key, field, "a direction", found, |value| match value {
            Value::Direction(x, y) => Some((*x, *y)),
            _ => None,
        });
    }

    pub(crate) fn text(&self, key: &str, found: &mut Vec<Finding>) -> Option<&str> {
        let parameter = self.get(key)?;
        if let Value::Text(text) = &parameter.value {
            return Some(text);
        }
        let kind = parameter.value.kind();
        let message = format!("`{key}` takes a text, not {kind}; the default stays");
        found.push(Finding::new(&BAD_VALUE, parameter.span, message));
        None
    }

    /// A text or the name of a colour, for drawing.
    pub(crate) fn words(&self, key: &str) -> Option<String> {
        match &self.get(key)?.value {
            Value::Text(text) | Value::Colour(text) => Some(text.clone()),
            _ => None,
        }
    }

    /// Whether the first entry of a text says true, in any case.
    pub(crate) fn says_true(&self, key: &str) -> bool {
        let Some(parameter) = self.get(key) else {
            return false;
        };
        match &parameter.value {
            Value::Text(text) => {
                let first = text.split(',').next().unwrap_or("");
                first.eq_ignore_ascii_case("true")
            }
            Value::Boolean(boolean) => *boolean,
            _ => false,
        }
    }
}
