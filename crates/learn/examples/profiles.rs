//! How sixteen programs that judge differently do against each other (figure 4.3.1 of the thesis),
//! and which of them tell games apart best.
//!
//! ```console
//! $ cargo run --release -p paidia-learn --example profiles -- 20 games/shatranj/rules.sbg ...
//! ```
//!
//! The number is that of plays of each two programs in each game; the thesis made 100.

use std::env;
use std::error::Error;
use std::fs;

use paidia_gdl::Source;
use paidia_languages::board::{self, BoardGame};
use paidia_learn::breed::rapp::{Matrix, Trial};
use paidia_learn::breed::{Contest, Profile};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let plays = arguments
        .next()
        .ok_or("usage: profiles PLAYS FILE.sbg ...")?;
    let trial = Trial {
        players: Profile::all().collect(),
        plays: plays.parse()?,
        contest: Contest::default(),
    };
    let mut matrices = Vec::new();
    for path in arguments {
        let reading = board::read(&Source::new(&*path, fs::read_to_string(&path)?));
        if reading.has_errors() {
            return Err(format!("{path} has errors").into());
        }
        let name = reading.rules.name.clone();
        let game = BoardGame::new(&name, reading.rules)?;
        let rating = trial.rate(&game, 1)?;
        if !rating.playable {
            println!("{name}: a play took too long");
        }
        show(&name, &trial.players, &rating.matrix);
        matrices.push(rating.matrix);
    }
    let mean = Matrix::mean_of(&matrices).ok_or("no games")?;
    show("mean", &trial.players, &mean);
    for count in 3..=5 {
        let set = mean.widest(count);
        let names: Vec<String> = set
            .iter()
            .map(|&place| trial.players[place].to_string())
            .collect();
        println!(
            "widest {count}: {}  spread {:.3}",
            names.join(" "),
            mean.among(&set).spread()
        );
    }
    Ok(())
}

fn show(name: &str, players: &[Profile], matrix: &Matrix) {
    let means = players.iter().enumerate();
    let mut means: Vec<(f64, &Profile)> = means
        .map(|(place, player)| (matrix.mean(place), player))
        .collect();
    means.sort_by(|one, other| other.0.total_cmp(&one.0));
    let means: Vec<String> = means
        .iter()
        .map(|(mean, player)| format!("{player} {mean:.3}"))
        .collect();
    println!("{name}: {}", means.join(", "));
}
