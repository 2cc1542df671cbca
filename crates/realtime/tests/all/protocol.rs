//! What the host says to players, by the figure and the rules of the papers, and what a player
//! makes of messages that come late.

use paidia_game::{Chance, RoleId, Rules, Ticks, TimedGame, TimedWalker};
use paidia_realtime::clock::Pace;
use paidia_realtime::messages::Messenger;
use paidia_realtime::{Arrival, Entry, Mirror, RandomDraws, Table, Watch};
use paidia_reason::timed::{Core, Timed, Walker};
use paidia_testkit::settings::number;

use crate::stage::{Stage, engines, load};

/// Three facts that end by themselves, and two players.
const FIGURE: &str = "(role p1) (role p2) (init 1.0 f1) (init 3.0 f2) (init 4.25 f3)
    (<= (next ?t f1) (true ?t f1)) (<= (next ?t f2) (true ?t f2)) (<= (next ?t f3) (true ?t f3))
    (<= (legal p1 m1) (role p1)) (<= (legal p2 m2) (role p2))
    (<= terminal (true infinity never)) (<= (goal ?r 0) (role ?r))";

/// Figure 1: the host is silent about what expires by itself.
#[test]
fn the_messages_of_figure_1() {
    for game in engines(FIGURE) {
        let start = Messenger::new(&game, "m1").announce("RULES", 30, "20");
        let start: Vec<&str> = start.iter().map(|message| &*message.text).collect();
        let expected = ["(START m1 p1 RULES 30 20)", "(START m1 p2 RULES 30 20)"];
        assert_eq!(start, expected);
        let mut stage = Stage::new(&game);
        stage.at("2", &["p1 m1"]).at("5", &["p2 m2"]).until("9");
        assert_eq!(stage.times(), ["1", "2", "3", "4.25", "5"]);
        let told = [
            "p1: (PLAY m1 nil 0.0)",
            "p2: (PLAY m1 nil 0.0)",
            "p1: (PLAY m1 (m1 nil) 2.0)",
            "p2: (PLAY m1 (m1 nil) 2.0)",
            "p1: (PLAY m1 (nil m2) 5.0)",
            "p2: (PLAY m1 (nil m2) 5.0)",
        ];
        assert_eq!(stage.messages(), told);
    }
}

#[test]
fn an_illegal_move_is_answered_to_its_sender_and_changes_nothing() {
    for game in engines(FIGURE) {
        let mut stage = Stage::new(&game);
        let before = stage.lasting();
        stage.at("0.5", &["p2 m1"]);
        assert_eq!(stage.lasting(), before);
        assert_eq!(stage.messages()[2..], ["p2: (PLAY m1 nil 0.5)"]);
    }
}

#[test]
fn an_end_is_told_by_stop_with_a_nil_for_each_role_where_it_was_silent() {
    let text = "(role a) (role b) (init 1.5 clock) (<= (legal ?r go) (role ?r))
        (<= terminal (expired clock)) (<= (goal ?r 1) (role ?r))";
    for game in engines(text) {
        let mut stage = Stage::new(&game);
        stage.until("9");
        let told = ["a: (STOP m1 (nil nil) 1.5)", "b: (STOP m1 (nil nil) 1.5)"];
        assert_eq!(stage.messages()[2..], told);
    }
}

/// With a play clock of 20 a lifetime of 1.5 is over after 30 seconds and one of 0.5 after 10.
#[test]
fn a_play_clock_of_20_makes_30_and_10_seconds_of_lifetimes() {
    let text = "(role a) (init 1.5 (control white)) (init 0.5 cooldown)
        (<= (next ?t (control white)) (true ?t (control white))) (<= (legal a go) (role a))
        (<= terminal (expired (control white))) (goal a 0)";
    let pace = Pace { seconds: 20.0 };
    for game in engines(text) {
        let mut stage = Stage::new(&game);
        stage.until("100");
        assert_eq!(
            stage.lines(),
            ["0.5: cooldown ends", "1.5: (control white) ends"]
        );
        let after = |time: &str| pace.duration(Ticks::parse(time).unwrap()).as_secs_f64();
        assert_eq!((after("0.5"), after("1.5")), (10.0, 30.0));
    }
}

/// Every message has a slot for each role, none is about an update without moves, and times never
/// go back.
#[test]
fn messages_of_random_play_have_the_form_of_the_protocol() {
    for game in engines(paidia_library::find("real-time-tron").unwrap().rules) {
        let mut stage = Stage::new(&game);
        let mut chance = Chance::from_seed(5);
        let mut time = Ticks::ZERO;
        while !stage.table.is_over() {
            time = time + Ticks(u64::from(chance.below(200_000)) + 1);
            let role = RoleId(chance.below(2) as u16);
            let moves = stage.table.walker().legal().of(role).to_vec();
            let name = game.facts().role_name(role);
            let text = chance
                .pick(&moves)
                .map(|id| game.moves().name(id).to_string());
            let text = format!("{name} {}", text.unwrap_or("nonsense".to_owned()));
            stage.at(&time.to_string(), &[&text]);
        }
        let updates = stage.lines().iter();
        let silent = updates.filter(|line| line.ends_with(": tick ends")).count();
        assert!(silent >= 2, "{:?}", stage.lines());
        let (mut last, mut moved) = (Ticks::ZERO, 0);
        let own = stage
            .messages()
            .iter()
            .filter_map(|line| line.strip_prefix("red: "));
        let own: Vec<&str> = own.collect();
        for (place, text) in own.iter().enumerate() {
            let inside = text.strip_suffix(')').unwrap();
            let (front, time) = inside.rsplit_once(' ').unwrap();
            assert!(time.contains('.'), "{text}");
            let time = Ticks::parse(time).unwrap();
            assert!(time >= last, "{own:?}");
            last = time;
            let what = front.split_once(" m1 ").unwrap().1;
            let is_list = what.starts_with('(');
            assert!(place > 0 || !is_list);
            let slots = what.trim_matches(['(', ')']).split(' ').count();
            assert!(!is_list || slots == 2, "{text}");
            let is_end = text.starts_with("(STOP");
            assert_eq!(is_end, place + 1 == own.len(), "{own:?}");
            moved += usize::from(is_list);
            assert!(!is_list || is_end || what != "(nil nil)", "{text}");
        }
        assert!(moved > 3, "{own:?}");
    }
}

/// The moves of every update that has some, and the state after it.
#[derive(Default)]
struct Told {
    moves: Vec<(Ticks, Vec<(RoleId, String)>)>,
    states: Vec<Vec<paidia_game::Lasting>>,
}

struct Host<'a> {
    game: &'a Timed,
    told: Told,
}

impl Watch<Walker> for Host<'_> {
    fn entry(&mut self, entry: &Entry, walker: &mut Walker) {
        let Entry::Update(update) = entry else {
            return;
        };
        if update.moves.is_empty() {
            return;
        }
        let moves = update.moves.iter();
        let moves = moves.map(|&(role, id)| (role, self.game.moves().name(id).to_string()));
        self.told.moves.push((update.time, moves.collect()));
        let mut state = self.game.initial();
        walker.save(&mut state);
        self.told.states.push(self.game.lasting(&state));
    }
}

/// Random play of a match: what a host tells.
fn told(game: &Timed, seed: u64) -> Told {
    let mut chance = Chance::from_seed(seed);
    let mut draws = RandomDraws(Chance::from_seed(seed));
    let mut host = Host {
        game,
        told: Told::default(),
    };
    let mut table = Table::new(game);
    table.start(&mut draws, &mut host);
    let roles: Vec<RoleId> = game.facts().players().collect();
    let mut time = Ticks::ZERO;
    while !table.is_over() && host.told.moves.len() < 300 {
        time = time + Ticks(u64::from(chance.below(300_000)) + 1);
        table.run_before(time, &mut draws, &mut host);
        let role = chance.pick(&roles).unwrap();
        let legal = table.walker().legal().of(role).to_vec();
        let Some(id) = chance.pick(&legal) else {
            continue;
        };
        let text = game.moves().name(id).to_string();
        let arrival = Arrival { role, text };
        table.instant(time, vec![arrival], &mut draws, &mut host);
    }
    host.told
}

/// A player to whom every message takes a time of its own, so that later ones overtake it, has the
/// state of the host whenever it has heard all until some time. `PAIDIA_TIMED_MESSAGES=10000` tells
/// so many.
#[test]
fn a_player_that_hears_late_and_in_disorder_knows_the_state_of_the_host() {
    let wanted = number("PAIDIA_TIMED_MESSAGES", 2_000) as usize;
    let games = ["gold-rush", "real-time-tron", "ships", "juggling"];
    let (mut heard, mut compared, mut returns) = (0, 0, 0);
    for seed in 0.. {
        if heard >= wanted {
            break;
        }
        let name = games[seed % games.len()];
        let game = load(
            paidia_library::find(name).unwrap().rules,
            Core::Compiled,
            None,
        );
        let told = told(&game, seed as u64);
        let mut chance = Chance::from_seed(seed as u64 ^ 0xBEEF);
        let lag = 10_f64.powf(chance.fraction() * 3.0 + 3.0);
        let mut order: Vec<(u64, usize)> = told
            .moves
            .iter()
            .enumerate()
            .map(|(place, (time, _))| (time.0 + (chance.fraction() * lag) as u64, place))
            .collect();
        order.sort_unstable();
        let mut mirror = Mirror::new(&game);
        let (mut known, mut all) = (vec![false; order.len()], 0);
        for (count, &(_, place)) in order.iter().enumerate() {
            let (time, moves) = told.moves[place].clone();
            // What came twice counts once.
            for _ in 0..=chance.below(2) {
                mirror.told(time, moves.clone());
            }
            known[place] = true;
            while known.get(all) == Some(&true) {
                all += 1;
            }
            if all == count + 1 {
                let (last, _) = told.moves[all - 1];
                let table = mirror.at(last);
                let mut state = game.initial();
                table.walker().save(&mut state);
                assert_eq!(game.lasting(&state), told.states[all - 1], "{name}, {seed}");
                compared += 1;
            }
        }
        heard += order.len();
        returns += mirror.returns();
    }
    println!("{heard} messages, {compared} states compared, gone back {returns} times");
    assert!(
        compared * 10 > heard && returns * 20 > heard as u64,
        "{compared}, {returns}"
    );
}
