//! Asking a person for a move: by keys on a terminal, else line by line.

use std::io::{self, BufRead, Read, Write};

use console::{Key, Term};
use paidia_game::{Game, Legible, MoveId, RoleId};
use paidia_search::Decision;

use crate::stage::Stage;
use crate::{terminal, text};

/// The longest line that is read.
const LONGEST_LINE: u64 = 10_000;
/// Columns of the bar that shows a value.
const BAR: usize = 24;

const HELP: &str = "\
  a move    its number, its short name or its text in the rules: `3`, `b2`, `(mark 2 2)`, `mark 2 2`
  hint      what our best player would do
  eval      how it judges the position, without telling the move
  undo      takes your last move back
  why       what you still need for your best result
  why MOVE  why a move is legal, or is not
  moves     lists your moves again
  quit      ends the match
On a terminal the arrow keys choose a move, Enter makes it, and Tab completes what you type.";

/// What a person wants.
pub(super) enum Answer {
    /// To make this move.
    Move(MoveId),
    /// To take the last move back.
    Undo,
    /// To stop.
    Quit,
}

/// What can be asked while a person chooses.
pub(super) struct Helpers<'a> {
    /// What our best player would do.
    pub(super) hint: &'a mut dyn FnMut() -> Option<Decision>,
    /// An explanation, of a move or of what is needed to win, as lines.
    pub(super) why: &'a dyn Fn(Option<&str>) -> String,
}

/// A question for a move.
pub(super) struct Prompt<'a, G: Game + Legible> {
    pub(super) stage: &'a Stage<G>,
    pub(super) game: &'a G,
    pub(super) role: RoleId,
    pub(super) legal: &'a [MoveId],
}

impl<G: Game + Legible> Prompt<'_, G> {
    /// Asks until there is an answer; with `keys` by single keys.
    pub(super) fn ask(
        &self,
        out: &mut dyn Write,
        input: &mut dyn BufRead,
        keys: Option<&Term>,
        helpers: &mut Helpers<'_>,
    ) -> anyhow::Result<Answer> {
        if let [only] = self.legal {
            return Ok(Answer::Move(*only));
        }
        let names = self.stage.move_names(self.legal);
        write_choices(out, &names)?;
        loop {
            out.flush()?;
            let line = match keys {
                Some(term) => typed(term, &names)?,
                None => {
                    write!(out, "Your move: ")?;
                    out.flush()?;
                    read_line(out, input)?
                }
            };
            let Some(line) = line else {
                return Ok(Answer::Quit);
            };
            if let Some(answer) = self.answer(out, line.trim(), &names, helpers)? {
                return Ok(answer);
            }
        }
    }

    /// Does what a line says; nothing if another is to be asked for.
    fn answer(
        &self,
        out: &mut dyn Write,
        line: &str,
        names: &[String],
        helpers: &mut Helpers<'_>,
    ) -> anyhow::Result<Option<Answer>> {
        match line {
            "" => {}
            "quit" | "exit" | "q" => return Ok(Some(Answer::Quit)),
            "undo" | "back" => return Ok(Some(Answer::Undo)),
            "help" | "?" => writeln!(out, "{HELP}")?,
            "moves" => write_choices(out, names)?,
            "hint" => self.write_hint(out, names, (helpers.hint)())?,
            "eval" => self.write_value(out, (helpers.hint)())?,
            "why" => write!(out, "{}", (helpers.why)(None))?,
            _ => {
                if let Some(asked) = line.strip_prefix("why ") {
                    let named = self.read(asked, names).ok();
                    let told = named.map(|id| self.game.moves().name(id).to_string());
                    let told = told.unwrap_or_else(|| in_parentheses(asked));
                    write!(out, "{}", (helpers.why)(Some(&told)))?;
                    return Ok(None);
                }
                match self.read(line, names) {
                    Ok(id) => return Ok(Some(Answer::Move(id))),
                    Err(why) => writeln!(out, "{why}")?,
                }
            }
        }
        Ok(None)
    }

    fn write_hint(
        &self,
        out: &mut dyn Write,
        names: &[String],
        decision: Option<Decision>,
    ) -> anyhow::Result<()> {
        let Some(decision) = decision else {
            return Ok(writeln!(out, "There is no hint.")?);
        };
        let place = self.legal.iter().position(|&id| id == decision.id);
        let raw = self.game.moves().name(decision.id).to_string();
        let name = place.and_then(|place| names.get(place)).unwrap_or(&raw);
        let thoughts = self.stage.thoughts(self.role, &decision);
        Ok(writeln!(out, "{name}: {thoughts}")?)
    }

    fn write_value(&self, out: &mut dyn Write, decision: Option<Decision>) -> anyhow::Result<()> {
        let best = decision.and_then(|decision| decision.report.moves.first().copied());
        let Some(best) = best else {
            return Ok(writeln!(out, "There is no evaluation.")?);
        };
        let range = &self.game.facts().goal_range;
        let value = best.proven.map_or(best.value, f64::from);
        let certain = if best.proven.is_some() {
            ", for certain"
        } else {
            ""
        };
        let span = f64::from(range.end() - range.start()).max(1.0);
        let share = ((value - f64::from(*range.start())) / span).clamp(0.0, 1.0);
        let full = (share * BAR as f64).round() as usize;
        let good = terminal::GOOD;
        let (bar, rest) = ("█".repeat(full), "░".repeat(BAR - full));
        Ok(writeln!(
            out,
            "{good}{bar}{good:#}{rest} {value:.0} of {} for you{certain}",
            range.end()
        )?)
    }

    /// The move that a person means: by number, by its short name, or by its text with or without
    /// the parentheses.
    fn read(&self, answer: &str, names: &[String]) -> Result<MoveId, String> {
        let mut named = names
            .iter()
            .zip(self.legal)
            .filter(|(name, _)| name.as_str() == answer);
        if let (Some((_, &id)), None) = (named.next(), named.next()) {
            return Ok(id);
        }
        if let Ok(number) = answer.parse::<usize>() {
            let chosen = number
                .checked_sub(1)
                .and_then(|index| self.legal.get(index));
            return chosen
                .copied()
                .ok_or_else(|| format!("There are only {} moves.", self.legal.len()));
        }
        let wanted = spaced(answer);
        let fits = |id: &&MoveId| spaced(&self.game.moves().name(**id)) == wanted;
        let mut found = self.legal.iter().filter(fits);
        match (found.next(), found.next()) {
            (Some(&id), None) => Ok(id),
            _ => Err(format!(
                "That is not one of your moves; `moves` lists them, `why {answer}` tells the reason, `help` helps."
            )),
        }
    }
}

/// The words of a term without its parentheses.
fn spaced(text: &str) -> String {
    let inner = text.replace(['(', ')'], " ");
    inner.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A term with its outer parentheses.
fn in_parentheses(text: &str) -> String {
    match text.starts_with('(') || !text.contains(' ') {
        true => text.to_owned(),
        false => format!("({text})"),
    }
}

fn write_choices(out: &mut dyn Write, names: &[String]) -> anyhow::Result<()> {
    let numbered = |(index, name): (usize, &String)| format!("{}: {name}", index + 1);
    let choices: Vec<String> = names.iter().enumerate().map(numbered).collect();
    let faint = terminal::FAINT;
    Ok(writeln!(
        out,
        "{faint}{}{faint:#}",
        text::wrapped(&choices, 100, 0)
    )?)
}

fn read_line(out: &mut dyn Write, input: &mut dyn BufRead) -> anyhow::Result<Option<String>> {
    let mut line = String::new();
    if Read::take(&mut *input, LONGEST_LINE).read_line(&mut line)? == 0 {
        writeln!(out)?;
        return Ok(None);
    }
    Ok(Some(line))
}

/// A line typed on a terminal, in which arrows choose one of some names; nothing if the person
/// stops.
fn typed(term: &Term, names: &[String]) -> io::Result<Option<String>> {
    let mut line = Line::default();
    loop {
        term.clear_line()?;
        term.write_str(&line.shown(names))?;
        term.flush()?;
        let key = match term.read_key() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Ok(None),
            key => key?,
        };
        if matches!(key, Key::CtrlC) || matches!(key, Key::Char('\u{4}')) {
            term.write_line("")?;
            return Ok(None);
        }
        if let Some(done) = line.press(&key, names) {
            term.clear_line()?;
            term.write_line(&format!("Your move: {done}"))?;
            return Ok(Some(done));
        }
    }
}

/// A line that is being typed.
#[derive(Debug, Default)]
struct Line {
    typed: String,
    /// The name that is chosen by arrows.
    chosen: usize,
}

impl Line {
    fn shown(&self, names: &[String]) -> String {
        let name = names.get(self.chosen).map_or("", String::as_str);
        match self.typed.is_empty() {
            true => {
                format!("Your move: ‹{name}›  (arrows choose, Enter plays, or type; `help` helps)")
            }
            false => format!("Your move: {}", self.typed),
        }
    }

    /// What a key does; the whole line once it is done.
    fn press(&mut self, key: &Key, names: &[String]) -> Option<String> {
        let count = names.len().max(1);
        match key {
            Key::ArrowUp | Key::ArrowLeft => self.chosen = (self.chosen + count - 1) % count,
            Key::ArrowDown | Key::ArrowRight => self.chosen = (self.chosen + 1) % count,
            Key::Home => self.chosen = 0,
            Key::End => self.chosen = count - 1,
            Key::Backspace => drop(self.typed.pop()),
            Key::Escape => self.typed.clear(),
            Key::Char(letter) if !letter.is_control() && self.typed.len() < 200 => {
                self.typed.push(*letter);
            }
            Key::Tab => {
                let found = names.iter().position(|name| name.starts_with(&self.typed));
                if let Some(place) = found.filter(|_| !self.typed.is_empty()) {
                    self.typed.clone_from(&names[place]);
                }
            }
            Key::Enter if self.typed.is_empty() => return names.get(self.chosen).cloned(),
            Key::Enter => return Some(std::mem::take(&mut self.typed)),
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::{Key, Line};

    fn press(keys: &[Key]) -> Option<String> {
        let names = ["a1", "a2", "b1"].map(str::to_owned);
        let mut line = Line::default();
        keys.iter().find_map(|key| line.press(key, &names))
    }

    #[test]
    fn arrows_choose_and_letters_type() {
        assert_eq!(press(&[Key::Enter]).as_deref(), Some("a1"));
        assert_eq!(
            press(&[Key::ArrowDown, Key::ArrowDown, Key::Enter]).as_deref(),
            Some("b1")
        );
        assert_eq!(press(&[Key::ArrowUp, Key::Enter]).as_deref(), Some("b1"));
        let typed = [Key::Char('b'), Key::Tab, Key::Enter];
        assert_eq!(press(&typed).as_deref(), Some("b1"));
        let mended = [Key::Char('x'), Key::Backspace, Key::Char('h'), Key::Enter];
        assert_eq!(press(&mended).as_deref(), Some("h"));
        assert_eq!(press(&[Key::Char('x'), Key::Escape]), None);
    }
}
