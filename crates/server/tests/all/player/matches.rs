//! Whole matches, with a small host that knows the rules.

use std::time::{Duration, Instant};

use paidia_arena::engine::Engine;
use paidia_game::{Chance, Game, MoveId, RoleId, Rules, Walker, find_move};
use paidia_reason::Reference;
use paidia_server::ggp::message::{Message, News, Reply, Start};
use paidia_testkit::RuleSheet;
use paidia_testkit::process::{PATIENCE, wait_until};

use crate::player::client::Player;

/// How a host writes rules and moves.
type Spelling = fn(&str) -> String;

/// A match whose host draws the moves of all other roles.
pub(crate) struct Host<'a> {
    pub(crate) player: &'a Player,
    pub(crate) game: Reference,
    pub(crate) start: Start,
    pub(crate) role: RoleId,
    pub(crate) rules_spelling: Spelling,
    pub(crate) moves_spelling: Spelling,
    /// How long it waits for a move.
    pub(crate) patience: Duration,
}

impl<'a> Host<'a> {
    pub(crate) fn new(player: &'a Player, name: &str, role: u16, clocks: [f64; 2]) -> Self {
        let rules = paidia_library::find(name).unwrap().rules;
        Self::of_rules(player, (name, rules), role, clocks)
    }

    fn of_rules(
        player: &'a Player,
        (name, rules): (&str, &str),
        role: u16,
        clocks: [f64; 2],
    ) -> Self {
        let game = RuleSheet::new(name, rules).reference();
        let role = RoleId(role);
        let [start_clock, play_clock] = clocks.map(Duration::from_secs_f64);
        let start = Start {
            id: format!("test.{name}.{}", role.0),
            role: game.facts().role_name(role).to_owned(),
            rules: rules.to_owned(),
            start_clock,
            play_clock,
        };
        Self {
            player,
            game,
            start,
            role,
            rules_spelling: str::to_owned,
            moves_spelling: str::to_owned,
            patience: PATIENCE,
        }
    }

    /// Plays at most `most` joint moves; the goals, if the game is over then.
    pub(crate) fn play(&self, most: usize) -> Option<Vec<Option<i32>>> {
        let message = Message::Start(self.start.clone()).to_string();
        assert_eq!(self.player.say((self.rules_spelling)(&message)), "ready");
        let (mut walker, mut chance) = (self.game.walker(), Chance::from_seed(1));
        let mut news = News::Nothing;
        let mut joint = Vec::new();
        for _ in 0..most {
            if walker.is_terminal() {
                break;
            }
            let own = self.ask(walker.legal().of(self.role), &news);
            walker.legal().draw(&mut chance, &mut joint).unwrap();
            joint[self.role.index()] = own;
            let spell = |&id: &MoveId| (self.moves_spelling)(&self.game.moves().name(id));
            news = News::Moves(joint.iter().map(spell).collect());
            walker.advance(&joint, &mut chance);
        }
        let id = self.start.id.clone();
        let stop = Message::Stop { id, news }.to_string();
        assert_eq!(self.player.say(self.spelled_id(&stop)), "done");
        let roles = self.game.facts().role_ids();
        let is_over = walker.is_terminal();
        is_over.then(|| roles.map(|role| walker.goal(role).value()).collect())
    }

    /// Asks for a move, which must be legal.
    fn ask(&self, legal: &[MoveId], news: &News) -> MoveId {
        let (id, news) = (self.start.id.clone(), news.clone());
        let message = Message::Play { id, news };
        let asked = Instant::now();
        let reply = self.player.say(self.spelled_id(&message.to_string()));
        let time = asked.elapsed();
        assert!(time < self.patience, "{time:?}\n{}", self.player.told());
        let Ok(Reply::Move(text)) = message.read_reply(&reply) else {
            panic!("{reply} is no move");
        };
        let found = find_move(self.game.moves(), legal, &text);
        found.unwrap_or_else(|| panic!("{text} is not legal"))
    }

    /// A host that capitalises the first message does so with the name of the match.
    fn spelled_id(&self, message: &str) -> String {
        let id = &self.start.id;
        message.replacen(id, &(self.rules_spelling)(id), 1)
    }

    /// Plays to the end, after which the player must know how it ended.
    fn play_to_the_end(&self) {
        let goals = self.play(1_000).unwrap();
        let names = self.game.facts().roles.iter();
        let text = |(name, goal): (&String, &Option<i32>)| format!("{name} {}", goal.unwrap());
        let goals: Vec<String> = names.zip(&goals).map(text).collect();
        let over = format!("over: {}", goals.join(", ")).to_lowercase();
        let told = self.player.told().to_lowercase();
        assert!(told.contains(&over), "{over} is not in\n{told}");
        self.player.wait_until_available();
    }
}

#[test]
fn games_of_all_kinds_are_played_to_their_end() {
    let player = Player::new("paidia(memory=64)");
    // In turns, at the same time, alone.
    for (game, role) in [
        ("tic-tac-toe", 0),
        ("tic-tac-toe", 1),
        ("prisoners-dilemma", 0),
        ("maze", 0),
    ] {
        Host::new(&player, game, role, [2.0, 0.4]).play_to_the_end();
    }
    assert!(
        player.told().contains("became a network"),
        "{}",
        player.told()
    );
}

#[test]
fn games_without_a_network_are_played_by_the_fastest_of_the_others() {
    let player = Player::new("uct(memory=64)");
    let tower = include_str!("../../../../arena/tests/data/tower.kif");
    Host::of_rules(&player, ("tower", tower), 0, [3.0, 0.4]).play_to_the_end();
    let is_told = || player.told().contains("joint moves per CPU second");
    wait_until("the rates of engines are told", is_told);
    let told = player.told();
    let because = "engine (auto: grounding ran out of levels in one term";
    assert!(told.contains(because), "{told}");
}

#[test]
fn the_reference_engine_plays_alone_if_it_must() {
    let player = Player::with("uct(memory=64)", |options| {
        options.engine = Engine::Reference.into();
    });
    Host::new(&player, "tic-tac-toe", 1, [1.0, 0.4]).play_to_the_end();
    assert!(!player.told().contains("network"), "{}", player.told());
}

#[test]
fn hosts_that_write_capitals_are_understood() {
    let player = Player::new("random");
    let capitals: Spelling = |text| text.to_uppercase();
    let moves = Host {
        moves_spelling: capitals,
        ..Host::new(&player, "tic-tac-toe", 0, [5.0, 5.0])
    };
    moves.play_to_the_end();
    let everything = Host {
        moves_spelling: capitals,
        rules_spelling: capitals,
        ..Host::new(&player, "tic-tac-toe", 1, [5.0, 5.0])
    };
    everything.play_to_the_end();
}

#[test]
fn a_host_that_does_not_wait_is_served_by_whatever_there_is() {
    // No network of these rules is made in no time.
    let player = Player::new("random");
    let host = Host::new(&player, "chess", 0, [0.0, 5.0]);
    assert_eq!(host.play(3), None);
    player.wait_until_available();
}
