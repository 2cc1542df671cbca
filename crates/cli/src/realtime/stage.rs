//! What a match in real time looks like in the terminal.

use std::collections::BTreeMap;
use std::io::Write;

use paidia_arena::rules::Ruleset;
use paidia_game::{Goal, Lasting, RoleId, Rules, Ticks, TimedGame, TimedWalker};
use paidia_realtime::{Entry, Outcome, Update, Watch};
use paidia_reason::timed::{State, Timed, Walker};

use crate::draw::Artist;
use crate::{terminal, text};

/// Draws matches in real time.
pub(crate) struct TimedStage {
    game: Timed,
    artist: Artist,
}

impl TimedStage {
    /// A stage for a game.
    pub(crate) fn new(rules: &Ruleset, game: &Timed, coloured: bool) -> Self {
        let initial = game.lasting(&game.initial()).into_iter();
        let initial = initial.map(|(_, fact)| fact).collect();
        Self {
            artist: Artist::in_time(rules, initial, coloured),
            game: game.clone(),
        }
    }

    /// The title and the rules for people.
    pub(crate) fn write_title(&self, out: &mut dyn Write, rules: &Ruleset) -> anyhow::Result<()> {
        let (strong, faint) = (terminal::STRONG, terminal::FAINT);
        let roles = self.game.facts().roles.join(", ");
        let title = rules.title();
        writeln!(
            out,
            "{strong}{title}{strong:#} {faint}({roles}; in real time){faint:#}"
        )?;
        if let Some(metadata) = rules.metadata() {
            writeln!(out, "{}", metadata.rules.trim())?;
        }
        Ok(writeln!(out)?)
    }

    /// The boards, and the facts that are not on them, with what they have left.
    pub(crate) fn drawn(&self, state: &State) -> (Vec<String>, Vec<String>) {
        self.drawn_facts(&self.game.lasting(state))
    }

    pub(crate) fn drawn_facts(&self, lasting: &[Lasting]) -> (Vec<String>, Vec<String>) {
        let mut left: BTreeMap<&str, Vec<Option<Ticks>>> = BTreeMap::new();
        for (lifetime, fact) in lasting {
            left.entry(fact).or_default().push(*lifetime);
        }
        let facts: Vec<String> = left.keys().map(|&fact| fact.to_owned()).collect();
        let drawing = self.artist.draw(&facts);
        let mut rest: Vec<String> = drawing.rest.iter().map(|&fact| fact.to_owned()).collect();
        for fact in &mut rest {
            let times = left.get(fact.as_str()).into_iter().flatten().flatten();
            let times: Vec<String> = times.map(|time| format!("{:.2}", time.units())).collect();
            if !times.is_empty() {
                *fact = format!("{fact}[{}]", times.join(" "));
            }
        }
        // Times of facts on boards are told beside them.
        for (fact, times) in &left {
            let is_drawn = !drawing.rest.contains(fact);
            let ends = times.iter().flatten().min();
            if let (true, Some(ends)) = (is_drawn, ends) {
                rest.push(format!("{fact}[{:.2}]", ends.units()));
            }
        }
        (drawing.lines, rest)
    }

    /// The board and the facts of a state.
    pub(crate) fn write_state(&self, out: &mut dyn Write, state: &State) -> anyhow::Result<()> {
        let (lines, rest) = self.drawn(state);
        for line in &lines {
            writeln!(out, "  {line}")?;
        }
        if !rest.is_empty() {
            let faint = terminal::FAINT;
            writeln!(out, "  {faint}{}{faint:#}", text::wrapped(&rest, 100, 2))?;
        }
        Ok(())
    }

    /// What happened, in a line.
    pub(crate) fn event(&self, update: &Update, expired: &[String]) -> String {
        let facts = self.game.facts();
        let moves = update.moves.iter().map(|&(role, id)| {
            let text = self.game.moves().name(id);
            format!("{} {text}", facts.role_name(role))
        });
        let mut parts: Vec<String> = moves.collect();
        if !expired.is_empty() {
            parts.push(format!("ends: {}", expired.join(" ")));
        }
        format!("{:>8.3}  {}", update.time.units(), parts.join("; "))
    }

    /// How a match ended, in a sentence.
    pub(crate) fn ending(&self, outcome: &Outcome) -> String {
        let updates = text::count(u128::from(outcome.updates), "update");
        let at = outcome.time;
        if let Some(fault) = &outcome.fault {
            return format!("The match stopped at {at}: {fault}.");
        }
        if !outcome.is_over {
            return format!("The match was stopped at {at} after {updates}.");
        }
        let facts = self.game.facts();
        let goal = |role: RoleId| {
            let goal = match outcome.goals.get(role.index()) {
                Some(Goal::One(value)) => value.to_string(),
                Some(Goal::Several) => "several goals".to_owned(),
                Some(Goal::None) | None => "no goal".to_owned(),
            };
            format!("{} {goal}", facts.role_name(role))
        };
        let goals: Vec<String> = facts.players().map(goal).collect();
        let (strong, goals) = (terminal::STRONG, goals.join(", "));
        format!("The game is over at {at} after {updates}: {strong}{goals}{strong:#}.")
    }
}

/// Shows a match as it goes. What cannot be written any more is noted and asks for a stop.
pub(crate) struct Showing<'a> {
    pub(crate) stage: &'a TimedStage,
    pub(crate) out: &'a mut dyn Write,
    /// What was drawn last, so that a board that did not change is not drawn again.
    pub(crate) last: (Vec<String>, Vec<String>),
    pub(crate) failed: Option<anyhow::Error>,
}

impl Showing<'_> {
    fn write(&mut self, entry: &Entry, walker: &mut Walker) -> anyhow::Result<()> {
        let (stage, faint) = (self.stage, terminal::FAINT);
        match entry {
            Entry::Start => {}
            Entry::Update(update) => {
                writeln!(self.out, "{}", stage.event(update, &walker.expired()))?;
            }
            Entry::Illegal { time, arrival } => {
                let role = stage.game.facts().role_name(arrival.role);
                let (time, text) = (time.units(), &arrival.text);
                writeln!(
                    self.out,
                    "{faint}{time:>8.3}  {role} {text}: not legal{faint:#}"
                )?;
                return Ok(());
            }
            _ => return Ok(()),
        }
        let mut state = stage.game.initial();
        walker.save(&mut state);
        let drawn = stage.drawn(&state);
        if drawn.0 != self.last.0 || matches!(entry, Entry::Start) {
            stage.write_state(self.out, &state)?;
        }
        self.last = drawn;
        Ok(self.out.flush()?)
    }
}

impl Watch<Walker> for Showing<'_> {
    fn entry(&mut self, entry: &Entry, walker: &mut Walker) {
        if self.failed.is_none() {
            self.failed = self.write(entry, walker).err();
        }
    }
}
