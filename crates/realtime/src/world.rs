//! What a player knows of a match, whichever way it is told.
//!
//! Where nothing is hidden, that is the match ([`Mirror`]). Else it is a *belief*: some matches
//! that agree with what the player did and was told. They are played on by guesses about the other
//! roles; a match in which the player would have been told something else is given up and replaced
//! by a copy of one that still agrees.

use paidia_game::{Chance, Information, MoveId, PerceptId, RoleId, Ticks, TimedGame, TimedWalker};

use crate::mirror::Mirror;
use crate::table::{Arrival, Entry, RandomDraws, Table, Update, Watch};

/// How many matches a belief has.
const PARTICLES: usize = 48;

/// How often a way to what was told is sought from one match.
const ATTEMPTS: usize = 24;

/// A state at a time with what chance has in mind, to play on from.
#[derive(Clone)]
pub struct Position<State> {
    /// The state after the last update.
    pub state: State,
    /// When that was.
    pub since: Ticks,
    /// The move of chance that is due.
    pub pending: Option<(Ticks, MoveId)>,
}

/// What a player is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// These moves were made: where nothing is hidden.
    Moves(Vec<(RoleId, String)>),
    /// An update changed what is seen.
    Percepts(Vec<PerceptId>),
}

/// What a player knows.
pub enum World<G: TimedGame> {
    /// Everything.
    Whole(Box<Mirror<G>>),
    /// What it was told.
    Own(Box<Belief<G>>),
}

impl<G: TimedGame> World<G> {
    /// What the player of a role knows at the beginning.
    pub fn new(game: &G, role: RoleId, seed: u64) -> Self {
        match game.facts().information {
            Information::Perfect => World::Whole(Box::new(Mirror::new(game))),
            Information::Hidden => World::Own(Box::new(Belief::new(game, role, seed))),
        }
    }

    /// Learns of something at a time.
    pub fn told(&mut self, time: Ticks, news: News) {
        match (self, news) {
            (World::Whole(mirror), News::Moves(moves)) => mirror.told(time, moves),
            (World::Own(belief), News::Percepts(percepts)) => belief.told(time, Some(&percepts)),
            _ => {}
        }
    }

    /// Notes that the player sent a move, which arrives at a time.
    pub fn sent(&mut self, time: Ticks, text: &str) {
        if let World::Own(belief) = self {
            belief.sent(time, text);
        }
    }

    /// A match as it may be at a moment.
    pub fn sample(&mut self, now: Ticks, chance: &mut Chance) -> Position<G::State> {
        match self {
            World::Whole(mirror) => position(mirror.at(now)),
            World::Own(belief) => {
                belief.told(now, None);
                let count = belief.particles.len() as u32;
                belief.particles[chance.below(count) as usize].clone()
            }
        }
    }

    /// The game.
    pub fn game(&mut self) -> G {
        match self {
            World::Whole(mirror) => mirror.table().game().clone(),
            World::Own(belief) => belief.table.game().clone(),
        }
    }

    /// The move of that text, if it was ever legal in what is known.
    pub fn find_move(&mut self, now: Ticks, text: &str) -> Option<MoveId> {
        let position = self.sample(now, &mut Chance::from_seed(0));
        let game = self.game();
        let mut walker = game.walker();
        walker.jump(&position.state);
        walker.legal();
        game.find_move(text)
    }

    /// When the player should look again if nothing else happens: just after what it knows will
    /// happen by itself.
    pub fn next_due(&mut self, now: Ticks) -> Option<Ticks> {
        match self {
            World::Whole(mirror) => mirror.at(now).next_due(),
            World::Own(_) => None,
        }
    }
}

/// Where a table stands.
pub fn position<G: TimedGame>(table: &mut Table<G>) -> Position<G::State> {
    let mut state = table.game().initial();
    table.walker().save(&mut state);
    Position {
        state,
        since: table.now(),
        pending: table.pending(),
    }
}

/// Matches that agree with what a player knows.
pub struct Belief<G: TimedGame> {
    role: RoleId,
    table: Table<G>,
    particles: Vec<Position<G::State>>,
    /// Until when they are played.
    time: Ticks,
    chance: Chance,
    /// The player's own moves on their way.
    own: Vec<(Ticks, String)>,
}

/// Notes what the player would be told.
struct Listener {
    role: RoleId,
    told: Vec<(Ticks, Vec<PerceptId>)>,
}

impl<W: TimedWalker> Watch<W> for Listener {
    fn entry(&mut self, entry: &Entry, walker: &mut W) {
        if let Entry::Update(Update { time, .. }) = entry {
            let after = walker.percepts(self.role);
            if after != walker.percepts_without(self.role) {
                self.told.push((*time, after.to_vec()));
            }
        }
    }
}

impl<G: TimedGame> Belief<G> {
    fn new(game: &G, role: RoleId, seed: u64) -> Self {
        let mut chance = Chance::from_seed(seed);
        let particles = (0..PARTICLES).map(|_| {
            let mut table = Table::new(game);
            table.start(&mut RandomDraws(chance.split()), &mut ());
            position(&mut table)
        });
        Self {
            particles: particles.collect(),
            role,
            table: Table::new(game),
            time: Ticks::ZERO,
            chance,
            own: Vec::new(),
        }
    }

    fn sent(&mut self, time: Ticks, text: &str) {
        self.own.push((time, text.to_owned()));
    }

    /// Plays all matches on to a time, at which the player is told these percepts, or nothing.
    fn told(&mut self, time: Ticks, percepts: Option<&[PerceptId]>) {
        if time <= self.time && percepts.is_none() {
            return;
        }
        let mut agreeing: Vec<Position<G::State>> = Vec::new();
        for number in 0..self.particles.len() {
            let attempts = if percepts.is_some() { ATTEMPTS } else { 3 };
            for _ in 0..attempts {
                let start = self.particles[number].clone();
                if let Some(position) = self.play(&start, time, percepts) {
                    agreeing.push(position);
                    break;
                }
            }
        }
        if agreeing.is_empty() {
            // Nothing that was thought of explains it: the guesses go on with what is known of the
            // rules alone.
            for number in 0..self.particles.len() {
                let start = self.particles[number].clone();
                self.table.enter(&start.state, start.since, start.pending);
                let mut draws = RandomDraws(self.chance.split());
                self.table.run_before(time + Ticks(1), &mut draws, &mut ());
                agreeing.push(position(&mut self.table));
            }
        }
        while agreeing.len() < PARTICLES {
            let copy = agreeing[self.chance.below(agreeing.len() as u32) as usize].clone();
            agreeing.push(copy);
        }
        self.particles = agreeing;
        self.time = time;
        self.own.retain(|(at, _)| *at > time);
    }

    /// Plays one match on; nothing if the player would have been told something else.
    fn play(
        &mut self,
        start: &Position<G::State>,
        time: Ticks,
        percepts: Option<&[PerceptId]>,
    ) -> Option<Position<G::State>> {
        self.table.enter(&start.state, start.since, start.pending);
        let mut listener = Listener {
            role: self.role,
            told: Vec::new(),
        };
        let mut draws = RandomDraws(self.chance.split());
        for (at, role, text) in self.guesses(time, percepts.is_some()) {
            self.table.run_before(at, &mut draws, &mut listener);
            let text = match text {
                Some(text) => text,
                None => {
                    let legal = self.table.walker().legal().of(role).to_vec();
                    let Some(id) = self.chance.pick(&legal) else {
                        continue;
                    };
                    self.table.game().moves().name(id).to_string()
                }
            };
            let arrival = vec![Arrival { role, text }];
            self.table.instant(at, arrival, &mut draws, &mut listener);
        }
        self.table
            .run_before(time + Ticks(1), &mut draws, &mut listener);
        let agrees = match percepts {
            None => listener.told.is_empty(),
            Some(percepts) => {
                matches!(&listener.told[..], [(at, told)] if *at == time && told == percepts)
            }
        };
        (agrees && !self.table.is_over()).then(|| position(&mut self.table))
    }

    /// Guessed moves of the others until a time, and those of the player itself; if the player was
    /// told something at that time, another may have moved just then.
    fn guesses(&mut self, time: Ticks, told: bool) -> Vec<(Ticks, RoleId, Option<String>)> {
        let span = (time - self.time).0;
        let own = self.own.iter().filter(|(at, _)| *at <= time);
        let mut guesses: Vec<(Ticks, RoleId, Option<String>)> = own
            .map(|(at, text)| (*at, self.role, Some(text.clone())))
            .collect();
        let facts = self.table.facts().clone();
        for role in facts.players().filter(|&role| role != self.role) {
            // About one move in a unit.
            let expected = span as f64 / Ticks::PER_UNIT as f64;
            let mut count = expected.min(4.0);
            while count > 0.0 && self.chance.fraction() < count {
                let at = self.time.0 + (self.chance.fraction() * span as f64) as u64;
                guesses.push((Ticks(at.max(self.time.0 + 1).min(time.0)), role, None));
                count -= 1.0;
            }
            if told && self.chance.fraction() < 0.6 {
                guesses.push((time, role, None));
            }
        }
        guesses.sort_by_key(|guess| guess.0);
        guesses
    }
}
