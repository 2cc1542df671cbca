//! The schema of players: what is read, refused and shown.

use paidia_search::leaves::crew::{Crewing, Management};
use paidia_search::nested::{Levels, Nesting};
use paidia_search::uct::{
    Advised, Choice, Draw, History, Playouts, Rave, RaveUse, Reading, Selection, Settings,
    Sufficiency,
};

use super::nested::{USUAL_PLAYER, USUAL_PLAYOUTS};
use super::{PLAYERS, PlayerSettings};
use crate::options::Setting;
use crate::spec::PlayerSpec;

fn read(text: &str) -> Settings {
    let spec = text.parse::<PlayerSpec>();
    spec.unwrap_or_else(|bad| panic!("{text}: {bad}"))
        .settings()
        .search
}

fn mistake(text: &str) -> String {
    text.parse::<PlayerSpec>().unwrap_err().to_string()
}

#[test]
fn every_option_has_a_default_that_can_be_written() {
    for player in PLAYERS {
        let written = |setting: &Setting<PlayerSettings>| {
            let value = player.default_of(setting)?;
            // What holds under a condition has defaults only there.
            let mut settings = (player.defaults)();
            let counts = setting
                .condition
                .as_ref()
                .is_none_or(|own| (own.holds)(&settings));
            assert!(
                setting.set(&mut settings, &value) || !counts,
                "{}",
                setting.name
            );
            counts.then(|| format!("{}={value}", setting.name))
        };
        let written: Vec<String> = player.settings().filter_map(written).collect();
        let text = format!("{}({})", player.name, written.join(", "));
        assert_eq!(read(&text), (player.defaults)().search, "{text}");
    }
}

#[test]
fn what_is_set_is_what_is_told() {
    let spec: PlayerSpec =
        "paidia(playouts=nst, epsilon=0.5, rave=adaptive, margin=-5, threads=3, \
        leaf-threads=2, management=spin, positions=8, sufficiency=dynamic, history=no)"
            .parse()
            .unwrap();
    let told = spec.entry().settings().filter(|setting| spec.sets(setting));
    let told = told.map(|own| format!("{}={}", own.name, own.get(spec.settings()).unwrap()));
    let mut told: Vec<String> = told.collect();
    told.sort();
    assert_eq!(spec.to_string(), format!("paidia({})", told.join(", ")));
}

#[test]
fn values_are_set() {
    let settings = read("uct(exploration=3.5, choice=visits, memory=2)");
    let selection = Selection::Uct {
        exploration: 3.5,
        growth: 0.0,
    };
    assert_eq!(settings.selection, selection);
    assert_eq!(
        (settings.choice, settings.memory),
        (Choice::MostVisits, 2 << 20)
    );
    assert_eq!(
        read("uct(history=4)").history,
        Some(History { weight: 4.0 })
    );
    let above = Sufficiency::Above { threshold: 60.0 };
    assert_eq!(read("uct(sufficiency=60)").sufficiency, above);
    let printed = Sufficiency::Dynamic {
        reading: Reading::Printed,
    };
    assert_eq!(read("uct(sufficiency=printed)").sufficiency, printed);
}

#[test]
fn playouts_are_set() {
    assert_eq!(read("uct").playouts, Playouts::Uniform);
    assert_eq!(read("uct(playouts=mast)").playouts, Playouts::moves(10.0));
    let expected = Playouts::Sequences {
        draw: Draw::Greedy { epsilon: 0.1 },
        decay: 0.6,
        least_visits: 3,
    };
    let settings = read("uct(playouts=nst, epsilon=0.1, decay=0.6, least=3)");
    assert_eq!((settings.playouts, settings.playout_limit), (expected, 400));
}

#[test]
fn nested_searches_are_set() {
    let nesting = |text: &str| match read(text).playouts {
        Playouts::Nested(nesting) => nesting,
        other => panic!("{other:?}"),
    };
    assert_eq!(nesting("nested"), USUAL_PLAYER);
    let expected = Nesting {
        level: 3,
        discount: Levels::of(&[1, 2]),
        cut: Levels::of(&[3]),
        prune: Levels::of(&[2]),
        cascade: true,
        samples: 4,
        shuffle: false,
    };
    let written = "level=3, discount=1+2, cut=3, prune=2, cascade=yes, samples=4, order=fixed";
    assert_eq!(nesting(&format!("nested({written})")), expected);
    assert_eq!(nesting("nested(level=1, discount=no)"), Nesting::plain(1));
    assert_eq!(nesting("uct(playouts=nested)"), USUAL_PLAYOUTS);
    let pruned = "uct(playouts=nested, nested-discount=yes, nested-cut=no, nested-prune=yes)";
    let expected = Nesting {
        prune: Levels::ALL,
        ..Nesting::discounted(1)
    };
    assert_eq!(nesting(pruned), expected);
}

#[test]
fn rave_is_set() {
    assert_eq!(read("uct(rave=no)").selection, Settings::cadia().selection);
    let rave = |usage, equivalence| {
        Selection::Rave(Rave {
            exploration: 40.0,
            equivalence,
            usage,
        })
    };
    assert_eq!(
        read("uct(rave=always)").selection,
        rave(RaveUse::Always, 700.0)
    );
    let sometimes = RaveUse::Sometimes { probability: 0.3 };
    assert_eq!(
        read("uct(rave=0.3, equivalence=50)").selection,
        rave(sometimes, 50.0)
    );
    let adaptive = RaveUse::Adaptive { margin: -5.0 };
    assert_eq!(
        read("uct(rave=adaptive, margin=-5)").selection,
        rave(adaptive, 700.0)
    );
}

#[test]
fn advice_is_set() {
    let usual = Advised::default();
    assert_eq!(read("uct(advice=no)").advice, None);
    assert_eq!(read("uct(advice=tree)").advice, Some(usual));
    let both = Advised {
        playouts: true,
        scale: 30.0,
        equivalence: 50.0,
        after: 0,
        persistence: false,
        spread: true,
        ..usual
    };
    let written = "advice=both, scale=30, equivalence=50, after=0, persistence=no, spread=yes";
    assert_eq!(read(&format!("uct({written})")).advice, Some(both));
    let playouts = Advised {
        tree: false,
        playouts: true,
        ..usual
    };
    assert_eq!(
        read("uct(advice=playouts, rave=always)").advice,
        Some(playouts)
    );
}

#[test]
fn crews_are_set() {
    let crew = |text: &str| text.parse::<PlayerSpec>().unwrap().settings().crew();
    assert_eq!(crew("uct(leaf-threads=none, management=spin)"), None);
    let crewing = Crewing {
        threads: 3,
        management: Management::Signal,
        positions: None,
    };
    assert_eq!(crew("uct(leaf-threads=3)"), Some((crewing, 1)));
    let crewing = Crewing {
        management: Management::Restart,
        positions: Some(8),
        ..crewing
    };
    let text = "paidia(leaf-threads=3, management=restart, positions=8)";
    assert_eq!(crew(text), Some((crewing, 16)));
}

#[test]
fn mistakes_are_named() {
    for (text, said) in [
        (
            "utc",
            "there is no player called `utc`; did you mean `uct`?",
        ),
        (
            "zzzzzz",
            "there is no player called `zzzzzz`; the players are paidia, uct, uct-history, ida, mc-memory, mc-flat, nested, alphabeta, hyperplay, hyperplay-ii, ismcts, equilibrium, video, scout, one-step, breadth, iw, mcts, fast-evo, kb, kb-fast-evo, rolling, olets, filter, board, random",
        ),
        (
            "random(x=1)",
            "the player `random` has no `x`; it has nothing to set",
        ),
        (
            "uct(memroy=1)",
            "the player `uct` has no `memroy`; did you mean `memory`?",
        ),
        (
            "uct(discount=2)",
            "`2` is not a value for `discount`: a number from 0 to 1",
        ),
        (
            "uct(returns=all)",
            "`all` is not a value for `returns`: `own` or `difference`",
        ),
        (
            "uct(decay=0.5)",
            "`0.5` is not a value for `decay`: a number from 0 to 1, with playouts=mast or nst",
        ),
        (
            "uct(leaf-threads=0)",
            "`0` is not a value for `leaf-threads`: `none`, or a whole number from 1 to 256",
        ),
        (
            "nested(discount=1, prune=2)",
            "`2` is not a value for `prune`: `yes`, `no`, or levels such as `1+2`, of levels that discount",
        ),
        (
            "uct(history=0)",
            "`0` is not a value for `history`: `no`, or a number from 1e-9 to 1000000",
        ),
    ] {
        assert_eq!(mistake(text), said);
    }
}

#[test]
fn what_does_not_count_is_refused() {
    for text in [
        "mc-memory(exploration=3)",
        "mc-memory(rave=always)",
        "uct(playouts=mast, least=3)",
        "uct(playouts=last)",
        "uct(margin=1)",
        "uct(rave=always, margin=1)",
        "uct(rave=often)",
        "uct(rave=2)",
        "uct(equivalence=7)",
        "uct(sufficiency=enough)",
        "uct(memory=1.5)",
        "uct(advice=often)",
        "uct(scale=3)",
        "uct(advice=tree, scale=3)",
        "uct(persistence=no)",
        "uct(spread=no)",
        "uct(advice=playouts, after=3)",
        "uct(advice=playouts, equivalence=3)",
        "uct(advice=both, rave=always)",
        "uct(nested-cut=yes)",
        "nested(level=0)",
        "nested(level=9)",
        "nested(cut=1+9)",
        "nested(cut=1+)",
        "nested(prune=no, cascade=yes)",
        "nested(samples=0)",
        "nested(playouts=mast)",
        "uct(playouts=nested, nested-prune=yes)",
        "uct(playouts=nested, level=2)",
    ] {
        mistake(text);
    }
}
