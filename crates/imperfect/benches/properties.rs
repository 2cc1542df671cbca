//! The six properties of every game by decision diagrams: processor seconds, with all optimisations
//! of the translation and with each of them left out, and by lists of states.
//!
//! `cargo bench -p paidia-imperfect --bench properties [-- SECONDS GAME...]`. Properties of several
//! players are summed. After SECONDS (60) for one column of a game the rest of it is left out; `-`
//! is what was not decided within the nodes or points.

use std::io::Write;

use cpu_time::ProcessTime;
use paidia_gdl::Dialect;
use paidia_imperfect::epistemic::Checker;
use paidia_imperfect::epistemic::probe::Probe;
use paidia_imperfect::epistemic::standard::{self, Property};
use paidia_imperfect::symbolic::{Options, Symbolic};
use paidia_imperfect::{Explorer, Limits};
use paidia_reason::propnet::Propnet;
use paidia_testkit::rules::{RuleSheet, bundled};

const GAMES: [&str; 5] = ["monty-hall", "kuhn-poker", "liars-dice", "meier", "transit"];
const NODES: usize = 8_000_000;

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|one| !one.starts_with('-'));
    let seconds = arguments.next().and_then(|one| one.parse().ok());
    let mut games: Vec<String> = arguments.collect();
    if games.is_empty() {
        games = GAMES.map(str::to_owned).to_vec();
    }
    let seconds = seconds.unwrap_or(60.0);
    print!("{:20} {:16} {:>6}", "game", "", "bits");
    (1..=6).for_each(|number| print!(" {:>9}", format!("({number})")));
    println!();
    for name in games {
        let sheet = bundled(&name);
        let game = sheet.propnet();
        let limits = Limits::default();
        let Ok(mut explorer) = Explorer::new(&game, limits) else {
            continue;
        };
        let Ok(properties) = standard::properties(&mut explorer) else {
            println!("{name:20} has too many states for its properties to be written down");
            continue;
        };
        for left_out in ["", "definitions", "statics", "typed"] {
            by_diagrams(&sheet, &properties, left_out, seconds);
        }
        by_lists(&sheet, explorer, &properties, seconds);
    }
}

fn by_diagrams(sheet: &RuleSheet, properties: &[Property], left_out: &str, seconds: f64) {
    let mut options = Options::default();
    options.leave_out(left_out);
    let begun = ProcessTime::now();
    let label = match left_out {
        "" => "diagrams".to_owned(),
        _ => format!("no {left_out}"),
    };
    let mut symbolic = match Symbolic::new(&sheet.program(), options, NODES) {
        Ok(symbolic) => symbolic,
        Err(error) => return println!("{:20} {label:16} {error}", sheet.name),
    };
    let bits = symbolic.statistics().bits.to_string();
    let mut decide = |property: &Property| symbolic.check(&property.formula).is_ok();
    row(&sheet.name, &label, &bits, properties, seconds, &mut decide);
    println!("   {:8.2} s in all", begun.elapsed().as_secs_f64());
}

fn by_lists(sheet: &RuleSheet, explorer: Explorer<Propnet>, properties: &[Property], seconds: f64) {
    let (read, _) = sheet.read();
    let game = explorer.game.clone();
    let begun = ProcessTime::now();
    let mut checker = Checker::new(explorer);
    let mut derive = Probe {
        game: &game,
        sheet: &read,
        dialect: Dialect::GdlII,
    };
    let mut decide = |property: &Property| checker.check(&property.formula, &mut derive).is_ok();
    row(&sheet.name, "lists", "", properties, seconds, &mut decide);
    println!("   {:8.2} s in all", begun.elapsed().as_secs_f64());
}

/// Decides the properties, and prints how long each number took.
fn row(
    name: &str,
    label: &str,
    bits: &str,
    properties: &[Property],
    seconds: f64,
    decide: &mut dyn FnMut(&Property) -> bool,
) {
    print!("{name:20} {label:16} {bits:>6}");
    let begun = ProcessTime::now();
    for number in 1..=6 {
        let (own, mut decided) = (ProcessTime::now(), true);
        for property in properties.iter().filter(|one| one.number == number) {
            decided &= begun.elapsed().as_secs_f64() < seconds && decide(property);
        }
        match decided {
            true => print!(" {:9.3}", own.elapsed().as_secs_f64()),
            false => print!(" {:>9}", "-"),
        }
        let _ = std::io::stdout().flush();
    }
}
