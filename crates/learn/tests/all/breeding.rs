//! Breeding: formulae against worked examples, the generator against its tables, and evolutions
//! that can be repeated and gone on with.

use std::fs;
use std::path::Path;

use paidia_game::Chance;
use paidia_gdl::Source;
use paidia_languages::board::{self, Automaton, BoardGame, BoardRules};
use paidia_learn::breed::evolution::{Evolution, Judge, Plan};
use paidia_learn::breed::features::{Features, length, longer, near, reducible};
use paidia_learn::breed::generate::{Bred, INNER, LAST, SETTINGS};
use paidia_learn::breed::rapp::{Matrix, Rating, Trial, distance_of_set, pairs};
use paidia_learn::breed::{Contents, Contest, Moves};
use paidia_testkit::boards;
use serde_json::Value;

fn json(folder: &Path, path: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(folder.join(path)).unwrap()).unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

fn rules(name: &str, text: String) -> BoardRules {
    let reading = board::read(&Source::new(name, text));
    assert!(!reading.has_errors(), "{name}: {:?}", reading.problems);
    reading.rules
}

/// The pieces of a game whose moves are told in a comment before their rule, as the thesis does.
fn annotated(text: &str) -> Vec<(char, Moves)> {
    let lines: Vec<&str> = text.lines().collect();
    let pairs = lines.windows(2).filter_map(|pair| {
        let (_, moves) = pair[0].split_once("legals) :")?;
        let letter = pair[1].chars().next()?;
        let moves = moves
            .split(" + ")
            .map(|pattern| pattern.trim_start_matches(':'));
        let moves: Vec<String> = moves.map(str::to_owned).collect();
        Some((letter, moves.join(" + ").parse().unwrap()))
    });
    pairs.collect()
}

/// The men of Ibis, whose comments have no patterns.
fn ibis_in_patterns(name: &str) -> Vec<(char, Moves)> {
    let men = [
        (
            'O',
            "1,1,p,_:LR + 1,0,e,_;1,0,e,_:LR + 1,1,e,_;1,1,e,_:LR + 1,1,p,_;1,1,e,_:LR",
        ),
        ('S', "0,1,ep,_: + 1,1,ep,_:LR"),
        ('I', "1,1,p,_:LR + 2,1,ep,_:LR + 1,1,e,_;1,1,ep,_:LR"),
        ('L', "1,0,p,_:LR + 3,1,e,_:LR + 0,1,ep,_:"),
        ('F', "1,2,e,_:LR"),
    ];
    let men = men.into_iter().filter(|_| name == "ibis");
    men.map(|(letter, moves)| (letter, moves.parse().unwrap()))
        .collect()
}

#[test]
fn mobility_is_what_the_thesis_prints() {
    let Some(folder) = boards() else { return };
    let known = json(&folder, "generation/mobility.json");
    let mut compared = 0;
    for row in known.as_array().unwrap() {
        let name = row["game"].as_str().unwrap();
        let text = fs::read_to_string(folder.join(format!("games/{name}.sbg"))).unwrap();
        let game = rules(name, text.clone());
        let letter = row["piece"].as_str().unwrap().chars().next().unwrap();
        let told = annotated(&text).into_iter().chain(ibis_in_patterns(name));
        let (_, moves) = told
            .into_iter()
            .find(|(piece, _)| *piece == letter)
            .unwrap();
        let mobility = format!("{:.2}", moves.mobility(game.width, game.height));
        assert_eq!(
            row["by_distinct_words"][0],
            moves.words().len(),
            "{name} {letter}"
        );
        assert_eq!(row["by_distinct_words"][1], mobility, "{name} {letter}");
        compared += 1;
        if moves
            .0
            .iter()
            .flat_map(|pattern| &pattern.tuples)
            .any(|tuple| tuple.star)
        {
            continue;
        }
        let rule = moves.rule(game.width, game.height).unwrap();
        let ours = Automaton::of(&board::read_expression(&rule).unwrap()).unwrap();
        let piece = game.piece(letter as u8).unwrap();
        assert_eq!(
            ours,
            Automaton::of(&piece.moves).unwrap(),
            "{name} {letter}"
        );
    }
    assert_eq!(compared, 10);
}

#[test]
fn fish_of_ibis_never_come_to_the_far_row() {
    let Some(folder) = boards() else { return };
    let text = fs::read_to_string(folder.join("games/ibis.sbg")).unwrap();
    let game = rules("ibis", text);
    let fish = Automaton::of(&game.piece(b'F').unwrap().moves).unwrap();
    assert!(
        fish.edges(0)
            .iter()
            .all(|(letter, to)| letter.dy == 2 && fish.edges(*to).is_empty())
    );
    let rows =
        (0..game.height).filter(|&y| (0..game.width).any(|x| game.at(x, y).character() == 'F'));
    assert_eq!(rows.collect::<Vec<u8>>(), [1]);
}

#[test]
fn fitness_is_what_the_formulae_say() {
    let Some(folder) = boards() else { return };
    let examples = json(&folder, "generation/fitness_examples.json");
    let close =
        |one: f64, other: &Value| assert!((one - number(other)).abs() < 1e-12, "{one} {other}");
    for case in examples["feature_fitness"].as_array().unwrap() {
        let of = |name: &str| number(&case[name]);
        let features = Features {
            playable: of("P"),
            length: of("LM"),
            longer: of("LD"),
            width: of("W"),
            skill: of("S"),
            complexity: of("C"),
            balance: of("BM"),
            balance_random: of("BR"),
            reducible: of("R"),
        };
        close(features.fitness(), &case["fitness"]);
    }
    for case in examples["features_from_plays"].as_array().unwrap() {
        close(length(number(&case["l_mm"])), &case["L_M"]);
        close(
            longer(number(&case["l_mm"]), number(&case["l_rm"])),
            &case["L_D"],
        );
        close(near(number(&case["x"]), number(&case["mu"])), &case["W"]);
    }
    let used = &examples["reducibility"]["usefulness"];
    let used: Vec<f64> = used.as_array().unwrap().iter().map(number).collect();
    close(reducible(&used), &examples["reducibility"]["R"]);

    let rapp = &examples["rapp"];
    let matrix = |value: &Value| Matrix {
        players: 4,
        scores: pairs(4)
            .map(|(one, other)| number(&value[one][other]))
            .collect(),
    };
    let (model, game) = (matrix(&rapp["model"]), matrix(&rapp["game"]));
    close(game.distance(&model), &rapp["dist_4_2"]);
    close(game.deviation(&model), &rapp["D_absolute"]);
    close(model.spread(), &rapp["spread_4_3_of_model"]);
    let whole = |name: &str| rapp[name].as_u64().unwrap() as u32;
    let rating = Rating {
        matrix: game.clone(),
        white: number(&rapp["points_white"]),
        black: number(&rapp["points_black"]),
        plays: whole("plays"),
        short: whole("short_plays"),
        draws: 0,
        length: 0.0,
        playable: true,
    };
    close(rating.imbalance(), &rapp["B"]);
    close(rating.quick(), &rapp["Q"]);
    close(rating.fitness(&model), &rapp["fitness_4_4"]);
    assert_eq!(rapp["promising"], rating.is_promising());
    let unplayable = Rating {
        playable: false,
        ..rating
    };
    assert_eq!(unplayable.fitness(&model), -1.0);
    assert_eq!(model.distance(&model), 0.0);
    assert_eq!(model.distance(&game), game.distance(&model));
    assert_eq!(distance_of_set(&[&model, &game]), model.distance(&game));
    for (one, other) in pairs(4) {
        assert!((model.score(one, other) + model.score(other, one) - 1.0).abs() < 1e-12);
    }
}

/// Scores that are drawn, for as many players.
fn drawn(players: usize, seed: u64) -> Matrix {
    let mut chance = Chance::from_seed(seed);
    Matrix {
        players,
        scores: pairs(players).map(|_| chance.fraction()).collect(),
    }
}

#[test]
fn the_widest_set_is_that_of_trying_all() {
    for (seed, count) in [(1, 3), (2, 4), (3, 5), (4, 2)] {
        let matrix = drawn(16, seed);
        let sets = (0u32..1 << 16).filter(|set| set.count_ones() == count as u32);
        let spread = |set: u32| {
            let players: Vec<usize> = (0..16).filter(|player| set >> player & 1 == 1).collect();
            matrix.among(&players).spread()
        };
        let best = sets.map(spread).fold(0.0, f64::max);
        let found = matrix.widest(count);
        assert_eq!(found.len(), count);
        assert!(
            (matrix.among(&found).spread() - best).abs() < 1e-12,
            "{found:?}"
        );
    }
}

#[test]
fn games_that_are_drawn_have_the_form_that_they_should() {
    let mut chance = Chance::from_seed(5);
    for number in 0..60 {
        let setting = &SETTINGS[number % SETTINGS.len()];
        let bred = Bred::draw(&mut chance, setting);
        let rules = bred
            .rules("drawn")
            .unwrap_or_else(|error| panic!("{error}: {bred:?}"));
        let area = u32::from(rules.width) * u32::from(rules.height);
        assert!((3 * area..=3 * area + 19).contains(&rules.turns));
        assert!((6..=8).contains(&rules.width) && (6..=8).contains(&rules.height));
        let mut kings = 0;
        for y in 0..rules.height {
            for x in 0..rules.width {
                let [one, other] = [rules.at(x, y), rules.at(x, rules.height - 1 - y)];
                let turned: String = other.character().to_string();
                let is_same = one.character().eq_ignore_ascii_case(&other.character());
                assert!(is_same && (one.is_empty() || one.character().to_string() != turned));
                kings += usize::from(one.character() == 'K');
            }
        }
        assert_eq!(kings, 1);
        let all = [&bred.king, &bred.pawn].into_iter().chain(&bred.others);
        for moves in all {
            assert_eq!(&moves.to_string().parse::<Moves>().unwrap(), moves);
            for pattern in &moves.0 {
                let last = pattern.tuples.last().unwrap();
                let wanted = [Contents::E, Contents::P, Contents::Ep];
                assert!(wanted.contains(&last.on), "{pattern}");
            }
        }
        BoardGame::new("drawn", rules).unwrap();
    }
}

/// Chi square of what was counted beside weights.
fn chi_square(counts: &[u32], weights: &[f64]) -> f64 {
    let (all, sum) = (
        f64::from(counts.iter().sum::<u32>()),
        weights.iter().sum::<f64>(),
    );
    let pairs = counts
        .iter()
        .zip(weights)
        .filter(|(_, weight)| **weight > 0.0);
    pairs
        .map(|(&count, weight)| {
            let expected = all * weight / sum;
            (f64::from(count) - expected).powi(2) / expected
        })
        .sum()
}

#[test]
fn contents_are_as_frequent_as_the_tables_say() {
    let mut chance = Chance::from_seed(11);
    let (mut inner, mut last) = ([0u32; 6], [0u32; 6]);
    for _ in 0..20_000 {
        let pattern = SETTINGS[1].pattern(&mut chance);
        let (end, before) = pattern.tuples.split_last().unwrap();
        let place = |on: Contents| Contents::ALL.iter().position(|known| *known == on).unwrap();
        last[place(end.on)] += 1;
        before.iter().for_each(|tuple| inner[place(tuple.on)] += 1);
    }
    // 0.1 % points of chi square with five and two degrees of freedom.
    assert!(chi_square(&inner, &INNER) < 20.5, "{inner:?}");
    assert!(chi_square(&last, &LAST) < 13.8, "{last:?}");
    assert_eq!((last[2], last[4], last[5]), (0, 0, 0));
    // The same test sees a table that is a little wrong.
    assert!(chi_square(&inner, &[36.0, 20.0, 14.0, 7.0, 7.0, 14.0]) > 20.5);
}

fn plan(seed: u64) -> Plan {
    Plan {
        seed,
        board: (6, 6),
        kinds: 3,
        setting: 0,
        population: 4,
        mutation: 0.3,
        judge: Judge::Profiles {
            players: vec!["C".to_owned(), "WG".to_owned()],
            model: Matrix::even(2),
        },
        plays: 4,
        depth: 1,
        nodes: 100_000,
    }
}

#[test]
fn evolutions_can_be_repeated_and_gone_on_with() {
    let mut whole = Evolution::new(plan(3));
    (0..3).for_each(|_| _ = whole.advance(|_, _| true).unwrap());
    let mut part = Evolution::new(plan(3));
    part.advance(|_, _| true).unwrap();
    assert_eq!(part.advance(|place, _| place < 2), None);
    let kept = serde_json::to_string(&part).unwrap();
    let mut again: Evolution = serde_json::from_str(&kept).unwrap();
    (0..2).for_each(|_| _ = again.advance(|_, _| true).unwrap());
    assert_eq!(again, whole);
    assert_eq!(whole.members.len(), 4);
    let best: Vec<f64> = whole.history.iter().map(|summary| summary.best).collect();
    assert!(best.is_sorted(), "{best:?}");
    assert!(
        whole
            .members
            .iter()
            .all(|member| (-1.0..=1.0).contains(&member.fitness))
    );
    let mut other = Evolution::new(plan(4));
    other.advance(|_, _| true).unwrap();
    assert_ne!(other.members[0].game, whole.members[0].game);
}

#[test]
fn ratings_do_not_depend_on_threads() {
    let bred = Bred::draw(&mut Chance::from_seed(2), &SETTINGS[0]);
    let game = BoardGame::new("bred", bred.rules("bred").unwrap()).unwrap();
    let trial = Trial {
        plays: 6,
        contest: Contest {
            depth: 2,
            ..Contest::default()
        },
        ..Trial::default()
    };
    let [one, other] = [1, 3].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| trial.rate(&game, 9).unwrap())
    });
    assert_eq!(one, other);
    assert_eq!(one.plays, 36);
    assert!((one.white + one.black - 36.0).abs() < 1e-9);
}
