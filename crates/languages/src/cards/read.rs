//! From the text of a rule file to rules and problems.

use paidia_gdl::{Problem, Source, Span};

use super::card::{NUMBERS, SUITS};
use super::limits::{
    MAX_ALL_TOKENS, MAX_PLAYERS, MAX_POINTS, MAX_RULES, MAX_STAGE_RULES, MAX_STAGES, MAX_TABLES,
    MAX_TEXT_BYTES, MAX_VALUE,
};
use super::moves::all_tokens;
use super::piece::Piece;
use super::problems::{RULE, SECTION, SETTING, TOO_LARGE, VALUE};
use super::rules::{CardRules, Combination, Modifier, Points, Rule};
use super::terms::{self, Tables};
use super::warn;

/// A text as it was understood.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The rules; what could not be read is left out.
    pub rules: CardRules,
    /// What is wrong, in the order of the text.
    pub problems: Vec<Problem>,
    /// The lines in their normal form, with their comments.
    pub(super) lines: Vec<String>,
}

impl Reading {
    /// Whether the game cannot be played.
    pub fn has_errors(&self) -> bool {
        self.problems.iter().any(Problem::is_error)
    }
}

/// The sections in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Section {
    Settings,
    Stages,
    Ranking,
    Plays,
    Points,
}

impl Section {
    const ALL: [(&'static str, Section); 5] = [
        ("[SETTINGS]", Section::Settings),
        ("[STAGES]", Section::Stages),
        ("[RANKING]", Section::Ranking),
        ("[PLAYS]", Section::Plays),
        ("[POINTS]", Section::Points),
    ];
}

/// What stands for each player, or for all of them one after the other.
pub(super) const ALL_PLAYERS: &str = "<allplayers>";

/// Reads a rule file and says what is wrong with it.
pub fn read(source: &Source) -> Reading {
    let mut reader = Reader::default();
    if source.text.len() > MAX_TEXT_BYTES {
        let message = format!("the file has more than {MAX_TEXT_BYTES} bytes");
        reader.problem(Problem::new(TOO_LARGE, Span::default(), message));
        return reader.finish();
    }
    let mut start = 0;
    for line in source.text.split('\n') {
        reader.line(line, start);
        start += line.len() + 1;
    }
    reader.finish()
}

struct Reader {
    rules: CardRules,
    problems: Vec<Problem>,
    lines: Vec<String>,
    section: Option<Section>,
    seen: Vec<Section>,
    /// Whether players and tables are known, without which places cannot be read.
    has_settings: bool,
    /// The place of the last rule, for problems of the file as a whole.
    end: Span,
}

impl Default for Reader {
    fn default() -> Self {
        Self {
            rules: CardRules {
                players: 0,
                tables: 0,
                deck: CardRules::deck_of(0, SUITS.len() as u8),
                deck_setting: None,
                stages: Vec::new(),
                values: Vec::new(),
                plays: Vec::new(),
                points: Points::default(),
            },
            problems: Vec::new(),
            lines: Vec::new(),
            section: None,
            seen: Vec::new(),
            has_settings: false,
            end: Span::default(),
        }
    }
}

impl Reader {
    fn problem(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    fn finish(mut self) -> Reading {
        for (word, section) in Section::ALL {
            let is_needed = matches!(section, Section::Settings | Section::Stages);
            if is_needed && !self.seen.contains(&section) {
                let problem = Problem::new(SECTION, self.end, format!("there is no {word}"));
                self.problem(problem.help(format!("write a line that begins with `{word}`")));
            }
        }
        let is_playable = self.rules.stages.iter().any(|stage| !stage.is_empty());
        if self.problems.is_empty() && !is_playable {
            let problem = Problem::new(RULE, self.end, "no stage has a rule");
            self.problem(problem.help("write rules below `Stage 0`"));
        }
        let count: usize = self.rules.stages.iter().map(Vec::len).sum();
        if count > MAX_RULES {
            let message = format!("the game has {count} rules, and {MAX_RULES} is the most");
            self.problem(Problem::new(TOO_LARGE, self.end, message));
        }
        if self
            .rules
            .stages
            .iter()
            .any(|stage| stage.len() > MAX_STAGE_RULES)
        {
            let message = format!("a stage has more than {MAX_STAGE_RULES} rules");
            self.problem(Problem::new(TOO_LARGE, self.end, message).help("make two stages of it"));
        }
        if all_tokens(&self.rules) > MAX_ALL_TOKENS {
            let message = format!("the dealer gives more than {MAX_ALL_TOKENS} tokens");
            self.problem(Problem::new(TOO_LARGE, self.end, message).help("give fewer"));
        }
        if !self.problems.iter().any(Problem::is_error) {
            warn::warn(&self.rules, self.end, &mut self.problems);
        }
        self.problems.sort_by_key(|problem| problem.span);
        Reading {
            rules: self.rules,
            problems: self.problems,
            lines: self.lines,
        }
    }

    fn line(&mut self, line: &str, start: usize) {
        let comment = [line.find('#'), line.find("//")]
            .into_iter()
            .flatten()
            .min();
        let (code, comment) = line.split_at(comment.unwrap_or(line.len()));
        let comment = comment.trim_start_matches(['#', '/']).trim();
        let piece = Piece { text: code, start }.trim();
        let normal = match piece.text.is_empty() {
            true => String::new(),
            false => {
                self.end = piece.span();
                self.content(piece)
            }
        };
        self.lines
            .push(match (normal.is_empty(), comment.is_empty()) {
                (_, true) => normal,
                (true, false) => format!("# {comment}"),
                (false, false) => format!("{normal}  # {comment}"),
            });
    }

    /// Reads a line that is not empty, and gives its normal form.
    fn content(&mut self, piece: Piece<'_>) -> String {
        if !piece.text.starts_with('[') {
            return match self.section {
                Some(section) => self.part(section, piece),
                None => {
                    let problem = Problem::new(SECTION, piece.span(), "this is in no section");
                    self.problem(problem.help("begin with `[SETTINGS] P=2, T=0`"));
                    piece.text.to_owned()
                }
            };
        }
        let end = piece.text.find(']').map_or(piece.text.len(), |at| at + 1);
        let head = piece.part(0, end);
        let found = Section::ALL.iter().find(|(word, _)| head.is(word));
        let Some(&(word, section)) = found else {
            let words = Section::ALL.map(|(word, _)| word).join(", ");
            let problem = Problem::new(SECTION, head.span(), "there is no such section");
            self.problem(problem.help(format!("sections are {words}")));
            return piece.text.to_owned();
        };
        if self.seen.contains(&section) {
            let message = format!("{word} is there twice");
            self.problem(Problem::new(SECTION, head.span(), message).help("join the two"));
        }
        self.seen.push(section);
        self.section = Some(section);
        let rest = piece.part(end, piece.text.len());
        match rest.text.is_empty() {
            true => word.to_owned(),
            false => format!("{word} {}", self.part(section, rest).trim_start()),
        }
    }

    fn part(&mut self, section: Section, piece: Piece<'_>) -> String {
        match section {
            Section::Settings => self.settings(piece),
            Section::Stages => self.stage_line(piece),
            Section::Ranking => self.ranking(piece),
            Section::Plays => self.plays(piece),
            Section::Points => self.points(piece),
        }
    }

    fn settings(&mut self, piece: Piece<'_>) -> String {
        let (mut lowest, mut suits) = self.rules.deck_setting.unwrap_or((0, SUITS.len() as u8));
        let mut normal = Vec::new();
        for setting in piece.split(',') {
            let Some((name, value)) = setting.cut("=") else {
                let problem = Problem::new(SETTING, setting.span(), "a setting is `NAME=VALUE`");
                self.problem(problem.help("such as `P=3`"));
                continue;
            };
            let is_read = match name.text.to_ascii_uppercase().as_str() {
                "P" => set(&mut self.rules.players, value, 1, MAX_PLAYERS),
                "T" => set(&mut self.rules.tables, value, 0, MAX_TABLES),
                "LOWEST" => terms::number(value).is_some_and(|number| {
                    lowest = number;
                    true
                }),
                "SUITS" => set(&mut suits, value, 1, SUITS.len() as u8),
                _ => false,
            };
            if !is_read {
                let message = format!("`{}` is no setting", setting.text);
                let help = format!(
                    "P is 1 to {MAX_PLAYERS}, T 0 to {MAX_TABLES}, LOWEST a number of cards, \
                     SUITS 1 to 4"
                );
                self.problem(Problem::new(SETTING, setting.span(), message).help(help));
            }
            normal.push(format!("{}={}", name.text.to_ascii_uppercase(), value.text));
        }
        self.has_settings = self.rules.players > 0;
        if (lowest, suits) != (0, SUITS.len() as u8) {
            self.rules.deck_setting = Some((lowest, suits));
            self.rules.deck = CardRules::deck_of(lowest, suits);
        }
        normal.join(", ")
    }

    fn stage_line(&mut self, piece: Piece<'_>) -> String {
        let (first, rest) = piece.word();
        if first.is("Stage") {
            if self.rules.stages.len() == MAX_STAGES {
                let message = format!("there are more than {MAX_STAGES} stages");
                self.problem(Problem::new(TOO_LARGE, piece.span(), message));
                return String::new();
            }
            let number = self.rules.stages.len();
            if rest.number::<usize>() != Some(number) {
                let message = format!("this is stage {number}");
                let problem = Problem::new(RULE, piece.span(), message);
                self.problem(problem.help(format!("write `Stage {number}`")));
            }
            self.rules.stages.push(Vec::new());
            return format!("  Stage {number}");
        }
        match self.rule(piece) {
            Ok(normal) => format!("    {normal}"),
            Err(problem) => {
                self.problem(problem);
                format!("    {}", piece.text)
            }
        }
    }

    /// Reads a rule, once for each player if it is for all of them.
    fn rule(&mut self, piece: Piece<'_>) -> Result<String, Problem> {
        let (first, rest) = piece.word();
        let modifier = Modifier::ALL
            .into_iter()
            .find(|modifier| first.is(modifier.word()));
        let modifier = modifier.ok_or_else(|| {
            let message = format!("`{}` begins no rule", first.text);
            Problem::new(RULE, first.span(), message)
                .help("begin with COMPUTER, MANDATORY, ONCE or OPTIONAL")
        })?;
        let Some(stage) = self.rules.stages.last_mut() else {
            let problem = Problem::new(RULE, piece.span(), "this rule is in no stage");
            return Err(problem.help("write `Stage 0` before it"));
        };
        if !self.has_settings {
            let problem = Problem::new(SETTING, piece.span(), "the number of players is not known");
            return Err(problem.help("write `[SETTINGS] P=2, T=0` first"));
        }
        let tables = Tables {
            players: self.rules.players,
            tables: self.rules.tables,
        };
        let (condition, action) = terms::halves(rest)?;
        let condition = match condition {
            Some(condition) => terms::condition(condition, tables)?,
            None => super::rules::Condition::Always,
        };
        let is_for_all = action.text.contains(ALL_PLAYERS);
        let players = if is_for_all { tables.players } else { 1 };
        for player in 0..players {
            let action = terms::action(action, tables, modifier, player)?;
            terms::fit(&condition, &action, piece)?;
            stage.push(Rule {
                modifier,
                condition: condition.clone(),
                action,
            });
        }
        let normal = stage.last().map(Rule::text).unwrap_or_default();
        Ok(match is_for_all {
            true => normal.replace(&format!("P{players}"), ALL_PLAYERS),
            false => normal,
        })
    }

    fn ranking(&mut self, piece: Piece<'_>) -> String {
        let mut normal = Vec::new();
        let mut is_range = false;
        for item in piece.split(',') {
            if item.text == "..." || item.text == "…" {
                is_range = true;
                normal.push("...".to_owned());
                continue;
            }
            let read = item.cut(":").and_then(|(number, value)| {
                let number = terms::number(number)?;
                let value = value.number::<u16>().filter(|&value| value <= MAX_VALUE)?;
                Some((number, value))
            });
            let Some((number, value)) = read else {
                let message = format!("`{}` gives no number a value", item.text);
                let help = format!("write `King:10`; values are 0 to {MAX_VALUE}");
                self.problem(Problem::new(VALUE, item.span(), message).help(help));
                continue;
            };
            if std::mem::take(&mut is_range) {
                self.between(number, value);
            }
            self.rules.values.push((number, value));
            normal.push(format!("{}:{value}", NUMBERS[number as usize]));
        }
        normal.join(", ")
    }

    /// Gives values to the numbers between the last and the next: each one more than the one before,
    /// up to the value of the next.
    fn between(&mut self, next: u8, most: u16) {
        let Some(&(mut number, mut value)) = self.rules.values.last() else {
            return;
        };
        while number + 1 < next {
            number += 1;
            value = (value + 1).min(most);
            self.rules.values.push((number, value));
        }
    }

    fn plays(&mut self, piece: Piece<'_>) -> String {
        let mut normal = Vec::new();
        for item in piece.split(',') {
            let read = item.cut(":").ok_or_else(|| {
                let message = format!("`{}` gives no combination a value", item.text);
                Problem::new(VALUE, item.span(), message).help("write `2 same number:1`")
            });
            let read = read.and_then(|(combination, value)| {
                let worth = value.number::<u16>().filter(|&worth| worth <= MAX_VALUE);
                let worth = worth.ok_or_else(|| {
                    let message = format!("`{}` is no value", value.text);
                    Problem::new(VALUE, value.span(), message)
                        .help(format!("values are 0 to {MAX_VALUE}"))
                });
                Ok::<(Combination, u16), Problem>((terms::combination(combination)?, worth?))
            });
            match read {
                Ok((combination, value)) => {
                    normal.push(format!("{}:{value}", combination.text()));
                    self.rules.plays.push((combination, value));
                }
                Err(problem) => self.problem(problem),
            }
        }
        normal.join(", ")
    }

    fn points(&mut self, piece: Piece<'_>) -> String {
        for item in piece.split(',') {
            let points = &mut self.rules.points;
            let read = item.cut("=").and_then(|(name, value)| {
                let value = value.number::<i32>()?;
                let slot = match name.text {
                    "t" => &mut points.token,
                    "c" => &mut points.card,
                    "s" => &mut points.still_in,
                    _ => return None,
                };
                *slot = value;
                (value.abs() <= MAX_POINTS).then_some(())
            });
            if read.is_none() {
                let message = format!("`{}` gives no points", item.text);
                let help = format!(
                    "t is for a token, c for a card, s for not being out, from -{MAX_POINTS} to \
                     {MAX_POINTS}: `t=1, c=0, s=0`"
                );
                self.problem(Problem::new(VALUE, item.span(), message).help(help));
            }
        }
        let Points {
            token,
            card,
            still_in,
        } = self.rules.points;
        format!("t={token}, c={card}, s={still_in}")
    }
}

/// Sets a number if it is one within bounds.
fn set(slot: &mut u8, value: Piece<'_>, least: u8, most: u8) -> bool {
    let value = value.number::<u8>();
    let value = value.filter(|value| (least..=most).contains(value));
    value.map(|value| *slot = value).is_some()
}
