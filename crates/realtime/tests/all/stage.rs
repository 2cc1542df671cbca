//! A match on the virtual clock, written down in words: what happened, and what players were told.

use paidia_game::{Chance, Lasting, Reading, RoleId, Rules, Ticks, TimedGame, TimedWalker};
use paidia_gdl::Source;
use paidia_gdl::check::check_source;
use paidia_gdl::program::Program;
use paidia_realtime::messages::Messenger;
use paidia_realtime::{Arrival, Draws, Entry, RandomDraws, Table, Watch};
use paidia_reason::timed::{Core, Timed, Walker};

/// The game of a sheet by one engine.
pub(crate) fn load(text: &str, core: Core, reading: Option<Reading>) -> Timed {
    let source = Source::new("sheet", text.to_owned());
    let (sheet, report) = check_source(&source, None);
    assert!(!report.has_errors(), "{:?}\n{text}", report.problems);
    let program = Program::new(&sheet.sheet, report.dialect).unwrap();
    Timed::new("sheet", &program, core, reading).unwrap()
}

/// The game of a sheet by every engine that runs it: the reference engine, the compiled one, and
/// that as machine code.
pub(crate) fn engines_reading(text: &str, reading: Option<Reading>) -> [Timed; 3] {
    let compiled = || load(text, Core::Compiled, reading);
    let native = paidia_accel::native_in_time(compiled());
    [load(text, Core::Reference, reading), compiled(), native]
}

/// The same under the reading of the sheet.
pub(crate) fn engines(text: &str) -> [Timed; 3] {
    engines_reading(text, None)
}

/// What happened, a line each, and the messages, with their receivers.
struct Notes {
    game: Timed,
    lines: Vec<String>,
    messages: Vec<String>,
}

impl Notes {
    fn line(&mut self, time: Ticks, what: &[String]) {
        self.lines.push(format!("{time}: {}", what.join(", ")));
    }
}

impl Watch<Walker> for Notes {
    fn entry(&mut self, entry: &Entry, walker: &mut Walker) {
        let game = self.game.clone();
        let name = |role: RoleId| game.facts().role_name(role);
        let by = |arrival: &Arrival| format!("{} {}", name(arrival.role), arrival.text);
        match entry {
            Entry::Start | Entry::Draw { .. } => {}
            Entry::Update(update) => {
                let moves = update.moves.iter();
                let moves = moves.map(|&(role, id)| {
                    let text = game.moves().name(id);
                    format!("{} {text}", name(role))
                });
                let ends = walker.expired().into_iter();
                let all = moves.chain(ends.map(|fact| format!("{fact} ends")));
                self.line(update.time, &all.collect::<Vec<_>>());
            }
            Entry::Illegal { time, arrival } => {
                self.line(*time, &[format!("{} is refused", by(arrival))]);
            }
            Entry::Ignored { time, arrival } => {
                self.line(*time, &[format!("{} is ignored", by(arrival))]);
            }
            Entry::Wasted { time, drawn } => {
                let text = game.moves().name(*drawn);
                self.line(*time, &[format!("{text} is wasted")]);
            }
        }
        let told = Messenger::new(&game, "m1").about(entry, walker);
        let told = told
            .into_iter()
            .map(|message| format!("{}: {}", name(message.to), message.text));
        self.messages.extend(told);
    }
}

/// A match.
pub(crate) struct Stage {
    pub(crate) table: Table<Timed>,
    draws: Box<dyn Draws>,
    notes: Notes,
}

impl Stage {
    pub(crate) fn new(game: &Timed) -> Self {
        Self::with_draws(game, Box::new(RandomDraws(Chance::from_seed(1))))
    }

    /// A match in which chance draws from elsewhere.
    pub(crate) fn with_draws(game: &Timed, mut draws: Box<dyn Draws>) -> Self {
        let mut table = Table::new(game);
        let mut notes = Notes {
            game: game.clone(),
            lines: Vec::new(),
            messages: Vec::new(),
        };
        table.start(&mut *draws, &mut notes);
        Self {
            table,
            draws,
            notes,
        }
    }

    /// Moves that arrive at a time, each `role move`, after all that was due before.
    pub(crate) fn at(&mut self, time: &str, moves: &[&str]) -> &mut Self {
        let time = Ticks::parse(time).unwrap();
        let arrivals = moves.iter().map(|text| {
            let (role, text) = text.split_once(' ').unwrap();
            Arrival {
                role: self.notes.game.facts().role(role).unwrap(),
                text: text.to_owned(),
            }
        });
        let arrivals = arrivals.collect();
        self.table
            .run_before(time, &mut *self.draws, &mut self.notes);
        self.table
            .instant(time, arrivals, &mut *self.draws, &mut self.notes);
        self
    }

    /// Lets time pass until then; what is due at that time happens.
    pub(crate) fn until(&mut self, time: &str) -> &mut Self {
        self.at(time, &[])
    }

    /// What happened: the time, moves and what expired, or what was refused.
    pub(crate) fn lines(&self) -> &[String] {
        &self.notes.lines
    }

    /// When there were updates or refusals.
    pub(crate) fn times(&self) -> Vec<&str> {
        let lines = self.notes.lines.iter();
        lines.map(|line| line.split(':').next().unwrap()).collect()
    }

    /// Who was told what.
    pub(crate) fn messages(&self) -> &[String] {
        &self.notes.messages
    }

    /// The facts with their lifetimes at the last update.
    pub(crate) fn lasting(&mut self) -> Vec<Lasting> {
        let game = &self.notes.game;
        let mut state = game.initial();
        self.table.walker().save(&mut state);
        game.lasting(&state)
    }

    /// Those facts as texts, `LIFETIME FACT`, that begin with a relation of this name.
    pub(crate) fn facts(&mut self, relation: &str) -> Vec<String> {
        let lasting = self.lasting().into_iter().map(|(left, fact)| {
            let left = left.map_or("infinity".to_owned(), |left| left.to_string());
            (fact.trim_start_matches('(').to_owned(), left, fact)
        });
        let named = |bare: &str| bare.split([' ', ')']).next() == Some(relation);
        let found = lasting.filter(|(bare, ..)| named(bare));
        let mut texts: Vec<String> = found
            .map(|(_, left, fact)| format!("{left} {fact}"))
            .collect();
        texts.sort();
        texts
    }

    /// All goals of the roles in their order.
    pub(crate) fn goals(&mut self) -> Vec<Vec<i32>> {
        let roles = self.notes.game.facts().players().collect::<Vec<_>>();
        let walker = self.table.walker();
        roles.into_iter().map(|role| walker.goals(role)).collect()
    }
}
