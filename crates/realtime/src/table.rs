//! A match in real time without a clock: what arrives when decides all that happens.
//!
//! The table follows the definition of rtGDL. An *instant* is a time at which something can happen:
//! moves arrive, lifetimes end, or a delayed move of `random` is due. All of that makes one update;
//! a second move of a role at the same instant waits for a further round, which is judged in the
//! new state. `docs/methods/real-time.md` tells every choice.

use paidia_game::{
    Chance, Fault, GameFacts, MoveId, MoveTable, Resource, RoleId, Ticks, TimedGame, TimedWalker,
};

/// The most updates at one instant.
pub const MOST_UPDATES: u64 = 1_000;

/// The most updates of a match that people or players play: what a record may have.
pub const MOST_OF_MATCH: u64 = 100_000;

/// A move that reached the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// Who sent it.
    pub role: RoleId,
    /// Its text.
    pub text: String,
}

/// An update of the state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Update {
    /// Its number, from 1.
    pub number: u64,
    /// The game time.
    pub time: Ticks,
    /// The time since the last update.
    pub elapsed: Ticks,
    /// The moves, in the order of the roles; none for an expiry alone.
    pub moves: Vec<(RoleId, MoveId)>,
    /// Whether lifetimes ended.
    pub expiry: bool,
}

/// What happens in a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// The match begins.
    Start,
    /// The state changes.
    Update(Update),
    /// A move is refused, because it is not legal.
    Illegal {
        /// When it arrived.
        time: Ticks,
        /// The move.
        arrival: Arrival,
    },
    /// A move came too late.
    Ignored {
        /// When it arrived.
        time: Ticks,
        /// The move.
        arrival: Arrival,
    },
    /// Chance draws a move.
    Draw {
        /// When.
        time: Ticks,
        /// Among which moves.
        options: Vec<MoveId>,
        /// The move.
        drawn: MoveId,
        /// After what time it is made, if not at once.
        delay: Option<Ticks>,
    },
    /// A delayed move of chance is not legal when its time comes.
    Wasted {
        /// When.
        time: Ticks,
        /// The move.
        drawn: MoveId,
    },
}

/// Told of all that happens, in order, with the walker as it is just after that.
pub trait Watch<W> {
    /// Something happened.
    fn entry(&mut self, entry: &Entry, walker: &mut W);
}

/// Tells of nothing.
impl<W> Watch<W> for () {
    fn entry(&mut self, _: &Entry, _: &mut W) {}
}

impl<W> Watch<W> for Vec<Entry> {
    fn entry(&mut self, entry: &Entry, _: &mut W) {
        self.push(entry.clone());
    }
}

/// Where the moves of chance come from.
pub trait Draws {
    /// One of the moves.
    fn pick(&mut self, options: &[MoveId], moves: &MoveTable) -> MoveId;
    /// After what time, at most `most`, the move that was picked last is made.
    fn delay(&mut self, most: Ticks) -> Ticks;
}

/// Moves of chance by a seed.
#[derive(Clone, Debug)]
pub struct RandomDraws(pub Chance);

impl Draws for RandomDraws {
    fn pick(&mut self, options: &[MoveId], _: &MoveTable) -> MoveId {
        self.0.pick(options).unwrap_or(MoveId::CHANCE)
    }

    fn delay(&mut self, most: Ticks) -> Ticks {
        // Above 0, and nearly always below the bound.
        let fraction = self.0.fraction();
        Ticks(((most.0 as f64 * fraction) as u64).clamp(1, most.0.max(1)))
    }
}

/// A match at its last update.
pub struct Table<G: TimedGame> {
    game: G,
    walker: G::Walker,
    now: Ticks,
    updates: u64,
    /// How many of them were at the present instant.
    at_once: u64,
    /// How many there may be.
    most: u64,
    over: bool,
    /// The move of chance that is due at that time.
    pending: Option<(Ticks, MoveId)>,
    fault: Option<Fault>,
}

impl<G: TimedGame> Table<G> {
    /// A match that has not begun.
    pub fn new(game: &G) -> Self {
        Self {
            walker: game.walker(),
            game: game.clone(),
            now: Ticks::ZERO,
            updates: 0,
            at_once: 0,
            most: u64::MAX,
            over: false,
            pending: None,
            fault: None,
        }
    }

    /// A match that stands in a state at a time, with a move of chance that is due or none.
    pub fn at(game: &G, state: &G::State, now: Ticks, pending: Option<(Ticks, MoveId)>) -> Self {
        let mut table = Self::new(game);
        table.enter(state, now, pending);
        table
    }

    /// A match that ends with a fault after [`MOST_OF_MATCH`] updates.
    #[must_use]
    pub fn limited(self) -> Self {
        Self {
            most: MOST_OF_MATCH,
            ..self
        }
    }

    /// Goes to a state at a time.
    pub fn enter(&mut self, state: &G::State, now: Ticks, pending: Option<(Ticks, MoveId)>) {
        self.walker.jump(state);
        (self.now, self.pending) = (now, pending);
        (self.at_once, self.fault) = (0, None);
        self.over = self.walker.is_terminal();
    }

    /// The game.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// What is known about the game.
    pub fn facts(&self) -> &GameFacts {
        self.game.facts()
    }

    /// The walker, at the last update.
    pub fn walker(&mut self) -> &mut G::Walker {
        &mut self.walker
    }

    /// The time of the last update.
    pub fn now(&self) -> Ticks {
        self.now
    }

    /// How many updates there were.
    pub fn updates(&self) -> u64 {
        self.updates
    }

    /// Whether the match is over.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// The limit that the rules ran into, which ends the match without goals.
    pub fn fault(&self) -> Option<Fault> {
        self.fault.or(self.walker.fault().copied())
    }

    /// The move of chance that is due.
    pub fn pending(&self) -> Option<(Ticks, MoveId)> {
        self.pending
    }

    /// When something happens next if no move arrives.
    pub fn next_due(&self) -> Option<Ticks> {
        if self.over {
            return None;
        }
        let expiry = self.walker.expires_in().map(|left| self.now + left);
        let pending = self.pending.map(|(time, _)| time);
        match (expiry, pending) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        }
    }

    /// Begins the match at time 0.
    pub fn start(&mut self, draws: &mut dyn Draws, watch: &mut dyn Watch<G::Walker>) {
        self.over = self.walker.is_terminal();
        watch.entry(&Entry::Start, &mut self.walker);
        self.draw(Ticks::ZERO, draws, watch);
    }

    /// Lets time pass until just before `time`.
    pub fn run_before(
        &mut self,
        time: Ticks,
        draws: &mut dyn Draws,
        watch: &mut dyn Watch<G::Walker>,
    ) {
        while let Some(due) = self.next_due().filter(|&due| due < time) {
            self.instant(due, Vec::new(), draws, watch);
        }
    }

    /// All that happens at an instant when these moves arrive, in this order. Everything before
    /// must have happened; a time before the last update counts as that of the last update.
    pub fn instant(
        &mut self,
        time: Ticks,
        arrivals: Vec<Arrival>,
        draws: &mut dyn Draws,
        watch: &mut dyn Watch<G::Walker>,
    ) {
        let time = time.max(self.now);
        if time > self.now {
            self.at_once = 0;
        }
        let mut waiting = arrivals;
        loop {
            if self.over {
                for arrival in waiting {
                    watch.entry(&Entry::Ignored { time, arrival }, &mut self.walker);
                }
                return;
            }
            let elapsed = time - self.now;
            let expires = self.walker.expires_in();
            let expiry = expires.is_some_and(|left| left <= elapsed);
            let pending = self.pending.filter(|&(due, _)| due <= time);
            if waiting.is_empty() && !expiry && pending.is_none() {
                return;
            }
            let mut moves = Vec::new();
            waiting = self.judge(waiting, time, &mut moves, watch);
            if let Some((_, drawn)) = pending {
                self.pending = None;
                let random = self.facts().random().unwrap_or(RoleId(0));
                match self.walker.legal().of(random).contains(&drawn) {
                    true => moves.push((random, drawn)),
                    false => watch.entry(&Entry::Wasted { time, drawn }, &mut self.walker),
                }
            }
            if expiry || !moves.is_empty() {
                self.update(time, moves, expiry, watch);
            }
            self.draw(time, draws, watch);
        }
    }

    /// Makes moves that are legal at a time before which all has happened, as players think of
    /// them.
    pub fn make(&mut self, time: Ticks, moves: Vec<(RoleId, MoveId)>, draws: &mut dyn Draws) {
        let time = time.max(self.now);
        self.run_before(time, draws, &mut ());
        if self.over {
            return;
        }
        let mut legal = Vec::new();
        for (role, id) in moves {
            if self.walker.legal().of(role).contains(&id) {
                legal.push((role, id));
            }
        }
        let expires = self.walker.expires_in();
        let expiry = expires.is_some_and(|left| left <= time - self.now);
        if expiry || !legal.is_empty() {
            self.update(time, legal, expiry, &mut ());
            self.draw(time, draws, &mut ());
        }
    }

    /// Takes the first legal move of each role; those that wait for a further round.
    fn judge(
        &mut self,
        arrivals: Vec<Arrival>,
        time: Ticks,
        moves: &mut Vec<(RoleId, MoveId)>,
        watch: &mut dyn Watch<G::Walker>,
    ) -> Vec<Arrival> {
        let mut waiting = Vec::new();
        for arrival in arrivals {
            let role = arrival.role;
            if moves.iter().any(|&(mover, _)| mover == role) {
                waiting.push(arrival);
                continue;
            }
            match self.legal_move(role, &arrival.text) {
                Some(id) => moves.push((role, id)),
                None => watch.entry(&Entry::Illegal { time, arrival }, &mut self.walker),
            }
        }
        waiting
    }

    /// The move of that text, if a player's role may make it now.
    pub fn legal_move(&mut self, role: RoleId, text: &str) -> Option<MoveId> {
        if self.facts().random() == Some(role) {
            return None;
        }
        // A move gets its name when it is first legal.
        self.walker.legal();
        let id = self.game.find_move(text)?;
        self.walker.legal().of(role).contains(&id).then_some(id)
    }

    fn update(
        &mut self,
        time: Ticks,
        mut moves: Vec<(RoleId, MoveId)>,
        expiry: bool,
        watch: &mut dyn Watch<G::Walker>,
    ) {
        moves.sort_unstable();
        let elapsed = time - self.now;
        self.walker.update(&moves, elapsed);
        self.now = time;
        self.updates += 1;
        self.at_once += 1;
        for (count, limit) in [(self.at_once, MOST_UPDATES), (self.updates, self.most)] {
            if count > limit {
                self.fault = Some(Fault {
                    resource: Resource::Updates,
                    limit,
                });
            }
        }
        self.over = self.fault.is_some() || self.walker.is_terminal();
        let update = Update {
            number: self.updates,
            time,
            elapsed,
            moves,
            expiry,
        };
        watch.entry(&Entry::Update(update), &mut self.walker);
    }

    /// Lets chance draw as long as it has moves to make at once.
    fn draw(&mut self, time: Ticks, draws: &mut dyn Draws, watch: &mut dyn Watch<G::Walker>) {
        let Some(random) = self.facts().random() else {
            return;
        };
        while !self.over && self.pending.is_none() {
            let options = self.walker.legal().of(random).to_vec();
            if options.is_empty() {
                return;
            }
            let drawn = draws.pick(&options, self.game.moves());
            let most = longest_delay(&self.game.moves().name(drawn));
            let delay = most.map(|most| draws.delay(most));
            let entry = Entry::Draw {
                time,
                options,
                drawn,
                delay,
            };
            watch.entry(&entry, &mut self.walker);
            match delay {
                Some(delay) => self.pending = Some((time + delay, drawn)),
                None => self.update(time, vec![(random, drawn)], false, watch),
            }
        }
    }
}

/// After what time, at most, a move of chance is made: its first argument, if that is a time.
pub fn longest_delay(text: &str) -> Option<Ticks> {
    let inside = text.strip_prefix('(')?.strip_suffix(')')?;
    let first = inside.split_whitespace().nth(1)?;
    Ticks::parse(first).filter(|&ticks| ticks > Ticks::ZERO)
}
