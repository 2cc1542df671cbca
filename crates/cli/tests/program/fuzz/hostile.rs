//! Rules that ask for more than there is, in each language.

use std::fmt::Write as _;

use paidia_game::Chance;

fn below(chance: &mut Chance, count: usize) -> usize {
    chance.below(count as u32) as usize
}

/// A sheet that asks for more than there is, in one way or another.
pub(super) fn hostile(chance: &mut Chance) -> String {
    let size = [3, 50, 500, 5_000, 70_000][below(chance, 5)];
    let mut text = String::from("(role a) (init s) (<= terminal (true t)) (goal a 100) ");
    let numbers = |count: usize| -> String { (0..count).map(|n| format!("(d {n}) ")).collect() };
    let wide = |arity: usize| -> (String, String) {
        let names: Vec<String> = (0..arity).map(|n| format!("?x{n}")).collect();
        let domains = names.iter().map(|name| format!("(d {name}) "));
        (names.join(" "), domains.collect())
    };
    let arity = 1 + below(chance, 12);
    let (names, domains) = wide(arity);
    let _ = match chance.below(9) {
        0 => write!(
            text,
            "(legal a go) {}",
            (0..size).fold(String::new(), |text, n| text + &format!("(role r{n}) "))
        ),
        1 => write!(
            text,
            "{} (<= (legal a (m {names})) {domains})",
            numbers(size.min(100))
        ),
        2 => write!(
            text,
            "(legal a go) {} (<= (next (at {names})) {domains})",
            numbers(size.min(100))
        ),
        3 => write!(
            text,
            "(legal a go) (p 1) (<= (next t) {})",
            "(p 1) ".repeat(size)
        ),
        4 => write!(text, "(legal a go) (p z) (<= (p (s ?x)) (p ?x))"),
        5 => write!(
            text,
            "(legal a go) (init (n z)) (<= (next (n (s ?x))) (true (n ?x)))"
        ),
        6 => write!(
            text,
            "(legal a go) {}x{}",
            "(f ".repeat(size),
            ")".repeat(size)
        ),
        7 => write!(
            text,
            "(legal a go) {} (<= (q {names}) {domains}) (<= (next t) (not (q {})))",
            numbers(size.min(60)),
            "0 ".repeat(arity)
        ),
        _ => write!(
            text,
            "(legal a {}) (<= (next t) (true s))",
            "x".repeat(size)
        ),
    };
    text
}

/// A board game with too large a board, too many men, or words that go on.
pub(super) fn board(chance: &mut Chance) -> String {
    let (wide, high) = [(3, 3), (12, 12), (64, 64), (1_000, 1_000)][below(chance, 4)];
    let row = |man: char| format!("|{}|\n", man.to_string().repeat(wide));
    let rows = row('p') + &row('.').repeat(high - 2) + &row('P');
    let star = "(0,1,e)^*".repeat([1, 8, 500][below(chance, 3)]);
    let deep = [2, 60, 20_000][below(chance, 3)];
    let nested = format!("{}(0,1,e){}", "(".repeat(deep), ")^*".repeat(deep));
    let sum = "(0,1,e) + ".repeat([1, 50, 50_000][below(chance, 3)]);
    let word = match chance.below(5) {
        0 => format!("{star}(1,1,p)"),
        1 => format!("{nested}(1,1,p)"),
        2 => format!("{sum}(1,1,p)"),
        3 => "(99999999999,0,e)".to_owned(),
        _ => "((1,0,e) + (0,1,e) + (-1,0,e) + (0,-1,e))^*(0,1,p)".to_owned(),
    };
    let limit = ["0", "200", "99999999999999999999"][below(chance, 3)];
    format!(
        "<<Hostile>>\n<BOARD>\n{wide} {high}\n{rows}<PIECES>\nP {word} &\n<GOALS>\n\
         {limit} &\n@P 0 {} &\n@p 0 0 &\n",
        high - 1
    )
}

/// A video game that fills its level, or has too much of something.
pub(super) fn video(chance: &mut Chance) -> String {
    let (wide, high) = [(4, 4), (40, 40), (3_000, 30)][below(chance, 3)];
    let row = format!("s{}A\n", ".".repeat(wide - 2));
    let level = row.repeat(high);
    let kinds = [1, 30, 3_000][below(chance, 3)];
    let mut sprites = String::new();
    for kind in 0..kinds {
        let _ = writeln!(sprites, "        k{kind} > Immovable");
    }
    let effect = [
        "spreader EOS > cloneSprite",
        "spreader spreader > cloneSprite",
        "avatar spreader > transformTo stype=avatar",
        "spreader avatar > transformTo stype=spreader",
        "avatar EOS > wrapAround",
        "avatar spreader > teleportToExit",
        "spreader EOS > changeResource resource=k0 value=2147483647",
    ][below(chance, 7)];
    format!(
        "BasicGame\n    SpriteSet\n        spreader > SpawnPoint stype=spreader prob=1 cooldown=1\n        \
         avatar > MovingAvatar speed=1e9\n{sprites}    LevelMapping\n        s > spreader\n    \
         InteractionSet\n        {effect}\n    TerminationSet\n        \
         SpriteCounter stype=avatar limit=0 win=False\nLevel\n{level}"
    )
}
