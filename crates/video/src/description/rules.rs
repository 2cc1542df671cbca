//! Reads the InteractionSet and the TerminationSet. (sections 6 and 7)

use paidia_gdl::Span;

use super::reader::Reader;
use super::spelling::nearest;
use super::{Condition, MAX_EFFECTS, Pair, Termination};
use crate::effect::{Effect, Names, Operation, Unreadable};
use crate::problems::{Finding, TOO_LARGE};
use crate::tree::{Line, Token};
use crate::values::{Parameters, Value};

impl Reader {
    pub(super) fn read_interactions(&mut self, lines: &[usize]) {
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

    pub(super) fn read_interaction(&mut self, line: &Line) -> Result<(), (Span, String, String)> {
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
    pub(super) fn effect(
        &mut self,
        operation: Operation,
        given: &Parameters,
    ) -> Result<u16, Unreadable> {
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

    pub(super) fn pair(
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

    pub(super) fn read_terminations(&mut self, lines: &[usize]) {
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

    pub(super) fn termination(&mut self, condition: Condition, given: &Parameters) -> Termination {
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
