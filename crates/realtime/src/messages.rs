//! What the host tells players, as the protocol writes it.

use paidia_game::{GameFacts, Information, PerceptId, RoleId, Ticks, TimedGame, TimedWalker};

use crate::table::Entry;

/// A message to a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The game time; none for what comes before the start.
    pub time: Option<Ticks>,
    /// The player.
    pub to: RoleId,
    /// What is said.
    pub text: String,
}

/// Writes the messages of a match.
pub struct Messenger<'a, G> {
    game: &'a G,
    /// The name of the match.
    name: &'a str,
    /// Whether percepts are told instead of moves.
    hidden: bool,
}

impl<'a, G: TimedGame> Messenger<'a, G> {
    /// The messages of a match of that name.
    pub fn new(game: &'a G, name: &'a str) -> Self {
        let hidden = game.facts().information == Information::Hidden;
        Self { game, name, hidden }
    }

    /// The messages before the start.
    pub fn announce(&self, rules: &str, start_clock: u64, play_clock: &str) -> Vec<Message> {
        let facts = self.game.facts();
        let start = |role: RoleId| Message {
            time: None,
            to: role,
            text: format!(
                "(START {} {} {rules} {start_clock} {play_clock})",
                self.name,
                facts.role_name(role)
            ),
        };
        facts.players().map(start).collect()
    }

    /// The messages about something that happened.
    pub fn about(&self, entry: &Entry, walker: &mut G::Walker) -> Vec<Message> {
        let facts = self.game.facts();
        match entry {
            Entry::Start => {
                let verb = self.verb(walker);
                let text = self.text(verb, "nil", Ticks::ZERO);
                self.to_all(facts, Ticks::ZERO, |_| Some(text.clone()))
            }
            Entry::Illegal { time, arrival } => vec![Message {
                time: Some(*time),
                to: arrival.role,
                text: self.text("PLAY", "nil", *time),
            }],
            Entry::Update(update) => {
                let verb = self.verb(walker);
                let time = update.time;
                if self.hidden {
                    return self.to_all(facts, time, |role| {
                        let after = walker.percepts(role);
                        let differs = after != walker.percepts_without(role);
                        (differs || verb == "STOP")
                            .then(|| self.text(verb, &self.percepts(after), time))
                    });
                }
                if update.moves.is_empty() && verb == "PLAY" {
                    return Vec::new();
                }
                let slots: Vec<String> = facts
                    .role_ids()
                    .map(|role| {
                        let mut moves = update.moves.iter();
                        let made = moves.find(|(mover, _)| *mover == role);
                        made.map_or("nil".to_owned(), |&(_, id)| {
                            self.game.moves().name(id).to_string()
                        })
                    })
                    .collect();
                let text = self.text(verb, &format!("({})", slots.join(" ")), time);
                self.to_all(facts, time, |_| Some(text.clone()))
            }
            Entry::Ignored { .. } | Entry::Draw { .. } | Entry::Wasted { .. } => Vec::new(),
        }
    }

    fn verb(&self, walker: &mut G::Walker) -> &'static str {
        match walker.is_terminal() {
            true => "STOP",
            false => "PLAY",
        }
    }

    fn text(&self, verb: &str, what: &str, time: Ticks) -> String {
        format!("({verb} {} {what} {})", self.name, time.with_point())
    }

    fn percepts(&self, percepts: &[PerceptId]) -> String {
        let table = self.game.percepts();
        let texts = percepts.iter().map(|&id| table.name(id).to_string());
        format!("({})", texts.collect::<Vec<_>>().join(" "))
    }

    fn to_all(
        &self,
        facts: &GameFacts,
        time: Ticks,
        mut text: impl FnMut(RoleId) -> Option<String>,
    ) -> Vec<Message> {
        let message = |to: RoleId| {
            Some(Message {
                time: Some(time),
                to,
                text: text(to)?,
            })
        };
        facts.players().filter_map(message).collect()
    }
}
