use paidia_game::*;
use paidia_gdl::{Dialect, Source, program::Program, syntax};
use paidia_reason::Reference;
use std::io::BufRead;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let mut total_bad = 0;
    for name in &args[1..] {
        let start = std::time::Instant::now();
        let dir = "/work/shared/games";
        let text = std::fs::read_to_string(format!("{dir}/gdl/{name}.kif")).unwrap();
        let reading = syntax::read(&Source::new(name.as_str(), text));
        let dialect = Dialect::detect(&reading.sheet);
        let program = match Program::new(&reading.sheet, dialect) { Ok(p) => p, Err(e) => { println!("{name}: {e}"); continue } };
        let lowered = start.elapsed().as_millis();
        let game = match Reference::new(name, program) { Ok(g) => g, Err(e) => { println!("{name}: {e}"); continue } };
        let load = start.elapsed().as_millis();
        let out = std::process::Command::new("zcat").arg(format!("{dir}/traces/{name}.jsonl.gz")).output().unwrap().stdout;
        let mut walker = game.walker();
        let mut bad = 0; let mut steps = 0;
        let mut state = game.initial();
        let mut chance = Chance::from_seed(1);
        for line in out.lines().skip(1) {
            let line = line.unwrap();
            let v: serde_json::Value = serde_json::from_str(&line).unwrap();
            if v["step"] == 0 { walker.jump(&game.initial()); }
            steps += 1;
            walker.save(&mut state);
            let want: Vec<String> = serde_json::from_value(v["state"].clone()).unwrap();
            let got = game.fluents(&state);
            if want != got {
                bad += 1;
                if bad < 2 { println!("{name} {} {} state differs: missing {:?} extra {:?}", v["playout"], v["step"], want.iter().filter(|x| !got.contains(x)).take(5).collect::<Vec<_>>(), got.iter().filter(|x| !want.contains(x)).take(5).collect::<Vec<_>>()); }
                let refs: Vec<&str> = want.iter().map(|s| s.as_str()).collect();
                match game.state(&refs) { Ok(s) => walker.jump(&s), Err(e) => { println!("{e}"); break } }
            }
            let terminal = walker.is_terminal();
            if terminal != (v["terminal"] == true) { bad += 1; println!("{name} terminal {terminal} {:?}", walker.fault()); break }
            if terminal {
                let goals: Vec<i32> = serde_json::from_value(v["goals"].clone()).unwrap();
                for (r, g) in goals.iter().enumerate() { if walker.goal(RoleId(r as u16)) != Goal::One(*g) { bad += 1; println!("{name} goal {:?} {g}", walker.goal(RoleId(r as u16))); } }
                continue;
            }
            let legal: Vec<Vec<String>> = serde_json::from_value(v["legal"].clone()).unwrap();
            let mine: Vec<Vec<String>> = walker.legal().iter().map(|(_, m)| m.iter().map(|&m| game.moves().name(m).to_string()).collect()).collect();
            if mine != legal { bad += 1; if bad < 2 {println!("{name} {} legal {:?} vs {:?}", v["step"], mine, legal);} }
            if v["moves"].is_array() {
                let moves: Vec<String> = serde_json::from_value(v["moves"].clone()).unwrap();
                let joint: Option<Vec<MoveId>> = moves.iter().map(|m| game.moves().find(m)).collect();
                match joint { Some(j) => walker.advance(&j, &mut chance), None => { bad += 1; break } }
            }
        }
        let ms = start.elapsed().as_millis();
        println!("{name}: lower {lowered} load {load} ms, {steps} steps in {} ms, {bad} mismatches{}", ms - load, if bad > 0 { " <<<<<<" } else { "" });
        total_bad += bad;
    }
    println!("total mismatches {total_bad}");
}
