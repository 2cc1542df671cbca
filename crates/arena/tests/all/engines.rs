//! Engines by name: whatever they are asked for, they play the same game, and `auto` says what it
//! took.

mod suite;
mod table;

use paidia_arena::engine::{
    ENGINES, EngineError, EngineSpec, Loaded, Machine, Purpose, load, load_for, measure,
};
use paidia_arena::rules::Ruleset;
use paidia_game::{Rules, perft};
use paidia_gdl::grounding::Budget;

/// A game without a network.
const TOWER: &str = include_str!("../data/tower.kif");

fn bundled(name: &str) -> Ruleset {
    Ruleset::find(name).unwrap()
}

fn loaded(engine: &str, rules: &Ruleset) -> Result<Loaded, EngineError> {
    let spec: EngineSpec = engine.parse().unwrap();
    load(&spec, rules, Budget::default())
}

/// Leaves and terminals of the first depths.
fn counts(loaded: &Loaded) -> Vec<(u128, u128)> {
    let game = loaded.game().unwrap();
    let found = perft(&game, &game.initial(), 3, 10_000);
    let depths = found.depths.iter();
    depths
        .map(|depth| (depth.leaves, depth.terminals))
        .collect()
}

/// All engines that go from state to state, as they are written: plain, and with every value of
/// each of their settings.
fn every_setting() -> Vec<String> {
    let kinds = ENGINES
        .iter()
        .filter(|kind| !["batch", "gpu"].contains(&kind.name));
    let written = kinds.flat_map(|kind| {
        let settings = kind.described().into_iter().flat_map(|setting| {
            let words = match setting.takes.words.is_empty() {
                true => vec!["0", &setting.default],
                false => setting.takes.words,
            };
            let written = |word: &str| format!("{}({}={word})", kind.name, setting.name);
            words.into_iter().map(written).collect::<Vec<_>>()
        });
        std::iter::once(kind.name.to_owned()).chain(settings)
    });
    written.collect()
}

#[test]
fn every_engine_plays_the_same_game_with_every_setting() {
    let rules = bundled("tic-tac-toe");
    let expected = counts(&loaded("reference", &rules).unwrap());
    assert_eq!(expected[2].0, 72);
    for written in every_setting() {
        let loaded = loaded(&written, &rules).unwrap();
        assert_eq!(counts(&loaded), expected, "{written}");
        if !written.starts_with("auto") {
            assert_eq!(loaded.report.engine, written);
        }
    }
}

#[test]
fn auto_takes_the_network_and_can_be_measured() {
    let rules = bundled("tic-tac-toe");
    let mut auto = loaded("auto(factor=off)", &rules).unwrap();
    assert_eq!(auto.report.engine, "propnet(factor=off)");
    assert!(matches!(auto.machine, Machine::Propnet(_)));
    assert!(auto.report.because.is_some() && auto.report.network.is_some());
    measure(&mut auto, &rules);
    let rates = &auto.report.rates;
    assert_eq!(rates[0].engine, "propnet");
    assert!(rates.len() > 2 && rates.iter().all(|rate| rate.states_per_cpu_s > 0.0));
    assert!(auto.report.rates_in_words().starts_with("propnet "));
}

#[test]
fn auto_takes_the_fastest_where_there_is_no_network() {
    let rules = Ruleset::from_text("tower", TOWER).unwrap();
    let auto = loaded("auto", &rules).unwrap();
    let rates = &auto.report.rates;
    assert!(rates.len() >= 2 && rates[0].engine == auto.report.engine);
    assert!(rates.is_sorted_by(|one, other| one.states_per_cpu_s >= other.states_per_cpu_s));
    assert!(rates.iter().any(|rate| rate.engine == "compiled"));
    assert!(rates.iter().any(|rate| rate.engine == "reference"));
    let over = auto.report.over_budget.as_ref().unwrap();
    assert_eq!(over.what, "levels in one term");
    assert!(auto.report.title().contains("(auto: grounding ran out"));
    assert_eq!(counts(&auto), counts(&loaded("reference", &rules).unwrap()));
    assert_eq!(auto.report.note().name, auto.report.engine);

    for engine in ["propnet", "batch"] {
        let error = loaded(engine, &rules).err().unwrap();
        assert!(matches!(error, EngineError::NoNetwork { .. }), "{error}");
        assert!(error.to_string().contains(engine), "{error}");
    }
}

#[test]
fn the_batch_engine_knows_whole_playouts_only() {
    let batch = loaded("batch", &bundled("tic-tac-toe")).unwrap();
    assert_eq!(batch.facts().roles, ["x", "o"]);
    assert!(matches!(batch.game(), Err(EngineError::WholePlayouts)));
}

#[test]
fn auto_takes_what_suits_the_use() {
    let rules = bundled("connect-four");
    let auto = EngineSpec::default();
    let for_purpose = |purpose| load_for(&auto, &rules, Budget::default(), purpose).unwrap();
    let playouts = for_purpose(Purpose::Playouts);
    assert!(matches!(playouts.machine, Machine::Batch(_)));
    assert_eq!(playouts.report.engine, "batch");
    let mut search = for_purpose(Purpose::Search);
    assert_eq!(search.report.engine, "propnet");
    measure(&mut search, &rules);
    let uses = search.report.uses.clone().unwrap();
    let engines = [&uses.playouts, &uses.walking, &uses.search].map(|rate| rate.engine.as_str());
    // The network of so small a game is fastest at everything.
    assert_eq!(engines, ["batch", "propnet", "propnet"]);
    assert!(uses.playouts.states_per_cpu_s > 0.0 && uses.walking.states_per_cpu_s > 0.0);
    let words = search.report.uses_in_words();
    assert!(words.starts_with("batch for random playouts ("), "{words}");
}
