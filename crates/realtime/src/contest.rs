//! Matches between players on a virtual clock: nothing waits, and the same seed gives the same
//! match.

use paidia_game::{Chance, Goal, Information, RoleId, Ticks, TimedGame, TimedWalker};

use crate::players::{Intent, TimedPlayer};
use crate::table::{Arrival, Entry, RandomDraws, Table, Update, Watch};
use crate::world::{News, World};

/// The most times that a player looks at one moment.
const MOST_LOOKS: u32 = 50;

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// When.
    pub time: Ticks,
    /// How many updates there were.
    pub updates: u64,
    /// Whether the rules ended it; else the time was up.
    pub is_over: bool,
    /// The goals of all roles.
    pub goals: Vec<Goal>,
    /// The limit that the rules ran into.
    pub fault: Option<paidia_game::Fault>,
}

/// Collects what players are told.
struct Ears<'a, G: TimedGame> {
    players: Vec<RoleId>,
    hidden: bool,
    game: &'a G,
    news: Vec<(RoleId, Ticks, News)>,
    /// Who else watches.
    beside: &'a mut dyn Watch<G::Walker>,
    /// Whether something happened that changes what players may mean to do.
    changed: bool,
}

impl<G: TimedGame> Watch<G::Walker> for Ears<'_, G> {
    fn entry(&mut self, entry: &Entry, walker: &mut G::Walker) {
        self.beside.entry(entry, walker);
        let Entry::Update(Update { time, moves, .. }) = entry else {
            return;
        };
        self.changed = true;
        for &role in &self.players {
            let news = match self.hidden {
                true => {
                    let after = walker.percepts(role);
                    let differs = after != walker.percepts_without(role);
                    differs.then(|| News::Percepts(after.to_vec()))
                }
                false => (!moves.is_empty()).then(|| {
                    let names = moves.iter();
                    let names =
                        names.map(|&(mover, id)| (mover, self.game.moves().name(id).to_string()));
                    News::Moves(names.collect())
                }),
            };
            self.news.extend(news.map(|news| (role, *time, news)));
        }
    }
}

/// A seat at the table.
struct Seat<'a, G: TimedGame> {
    role: RoleId,
    player: &'a mut dyn TimedPlayer<G>,
    world: World<G>,
    intent: Option<Intent>,
    /// How often it looked at the present moment.
    looks: u32,
    looked: Ticks,
}

impl<G: TimedGame> Seat<'_, G> {
    fn ask(&mut self, now: Ticks) {
        if self.looked != now {
            (self.looked, self.looks) = (now, 0);
        }
        self.looks += 1;
        self.intent = match self.looks > MOST_LOOKS {
            // A player that cannot stop is asked again a little later.
            true => Some(Intent {
                at: now + Ticks(1_000),
                make: None,
            }),
            false => self.player.intend(&mut self.world, now),
        };
    }
}

/// Plays a match until its end, or until a game time. Players are those of all roles but `random`,
/// in their order; a move takes `reaction` from the decision to the host.
pub fn play<G: TimedGame>(
    game: &G,
    players: &mut [Box<dyn TimedPlayer<G>>],
    until: Ticks,
    reaction: Ticks,
    seed: u64,
    watch: &mut dyn Watch<G::Walker>,
) -> Outcome {
    let roles: Vec<RoleId> = game.facts().players().collect();
    let mut draws = RandomDraws(Chance::from_seed(seed));
    let mut table = Table::new(game).limited();
    let mut ears = Ears {
        players: roles.clone(),
        hidden: game.facts().information == Information::Hidden,
        game,
        news: Vec::new(),
        beside: watch,
        changed: false,
    };
    table.start(&mut draws, &mut ears);
    let seats = roles.iter().zip(players).map(|(&role, player)| Seat {
        world: World::new(
            game,
            role,
            seed ^ (u64::from(role.0) + 1).wrapping_mul(0x9E37_79B9),
        ),
        role,
        player: &mut **player,
        intent: None,
        looks: 0,
        looked: Ticks::ZERO,
    });
    let mut seats: Vec<Seat<'_, G>> = seats.collect();
    tell(&mut seats, &mut ears);
    seats.iter_mut().for_each(|seat| seat.ask(Ticks::ZERO));
    let mut under_way: Vec<(Ticks, Arrival)> = Vec::new();
    while !table.is_over() {
        let looks = seats
            .iter()
            .filter_map(|seat| seat.intent.map(|intent| intent.at));
        let arrivals = under_way.iter().map(|(time, _)| *time);
        let Some(now) = looks.chain(arrivals).chain(table.next_due()).min() else {
            break;
        };
        if now > until {
            break;
        }
        send(game, &mut seats, now, reaction, &mut under_way);
        ears.changed = false;
        table.run_before(now, &mut draws, &mut ears);
        let (due, rest): (Vec<_>, Vec<_>) = under_way.into_iter().partition(|(at, _)| *at <= now);
        under_way = rest;
        let arrivals = due.into_iter().map(|(_, arrival)| arrival).collect();
        table.instant(now, arrivals, &mut draws, &mut ears);
        tell(&mut seats, &mut ears);
        // A player learns that something happened by being told, or by knowing the rules.
        for seat in &mut seats {
            let is_due = seat.intent.is_some_and(|intent| intent.at <= now);
            let knows = matches!(seat.world, World::Whole(_)) && ears.changed;
            if is_due || knows {
                seat.ask(now);
            }
        }
    }
    let goals = game
        .facts()
        .role_ids()
        .map(|role| table.walker().goal(role));
    Outcome {
        goals: goals.collect(),
        time: table.now(),
        updates: table.updates(),
        is_over: table.is_over() && table.fault().is_none(),
        fault: table.fault(),
    }
}

/// Puts the moves that are meant for now on their way.
fn send<G: TimedGame>(
    game: &G,
    seats: &mut [Seat<'_, G>],
    now: Ticks,
    reaction: Ticks,
    under_way: &mut Vec<(Ticks, Arrival)>,
) {
    for seat in seats {
        let Some(Intent { at, make: Some(id) }) = seat.intent else {
            continue;
        };
        if at > now {
            continue;
        }
        let text = game.moves().name(id).to_string();
        seat.world.sent(now + reaction, &text);
        let arrival = Arrival {
            role: seat.role,
            text,
        };
        under_way.push((now + reaction, arrival));
    }
}

/// Tells players what they are to be told, who then think again.
fn tell<G: TimedGame>(seats: &mut [Seat<'_, G>], ears: &mut Ears<'_, G>) {
    for (role, time, news) in std::mem::take(&mut ears.news) {
        let Some(seat) = seats.iter_mut().find(|seat| seat.role == role) else {
            continue;
        };
        let is_percept = matches!(news, News::Percepts(_));
        seat.world.told(time, news);
        if is_percept {
            seat.intent = Some(Intent {
                at: time,
                make: None,
            });
        }
    }
}
