//! SWI-Prolog as an engine from outside: the rules as a Prolog program, run by a process of its own
//! for every sample.

use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use paidia_arena::rules::Ruleset;
use paidia_arena::study::measurements::{Contender, Count, Job, Position, Work};
use paidia_gdl::prolog::{self, StateForm};
use tempfile::TempDir;

/// The program.
const PROGRAM: &str = "swipl";

/// How much longer than its CPU time a process may take before it is ended: it has to load, and
/// others want the processor, too.
const GRACE: Duration = Duration::from_secs(60);

/// CPU seconds that a count of nodes may take.
const COUNTING: f64 = 30.0;

/// A game as a Prolog program in a folder of its own.
pub(super) struct Swi {
    folder: TempDir,
    /// Each position as a goal that binds `State`.
    positions: Vec<String>,
}

impl Swi {
    /// Writes the program of a game.
    ///
    /// # Errors
    /// If there is no SWI-Prolog, or no such program.
    pub(super) fn new(rules: &Ruleset, form: StateForm) -> Result<Self, String> {
        let version = Command::new(PROGRAM).arg("--version").output();
        version.map_err(|_| "SWI-Prolog (`swipl`) is not installed".to_owned())?;
        let rules = rules.gdl().map_err(|error| error.to_string())?;
        let program = prolog::export(rules.name(), &rules.sheet, rules.dialect, form);
        let program = program.map_err(|error| error.to_string())?;
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let written = fs::write(folder.path().join("game.pl"), program);
        written.map_err(|error| error.to_string())?;
        Ok(Self {
            folder,
            positions: vec![goal(&Position::Initial)?],
        })
    }

    /// Runs a goal in a process, and reads what it reports.
    fn run(&self, goal: &str, seconds: f64) -> Result<Count, String> {
        let job = self.folder.path().join("job.pl");
        let script = format!(":- ensure_loaded(game).\n\nsample :-\n    {goal}.\n");
        fs::write(&job, script).map_err(|error| error.to_string())?;
        let mut child = Command::new(PROGRAM)
            .args(["-q", "--stack-limit=2g", "-g", "sample", "-t", "halt"])
            .arg(&job)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| error.to_string())?;
        let deadline = Instant::now() + GRACE + Duration::from_secs_f64(seconds * 10.0);
        // The report is one line, which fits into the pipe's buffer until it is read.
        while child
            .try_wait()
            .map_err(|error| error.to_string())?
            .is_none()
        {
            if Instant::now() > deadline {
                // Whether it could be ended or has just ended by itself, there is no result.
                let _ = child.kill();
                let _ = child.wait();
                return Err("SWI-Prolog did not come back in time".to_owned());
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let mut said = String::new();
        if let Some(mut out) = child.stdout.take() {
            out.read_to_string(&mut said)
                .map_err(|error| error.to_string())?;
        }
        read_report(&said).ok_or_else(|| "SWI-Prolog failed".to_owned())
    }
}

impl Contender for Swi {
    fn prepare(&mut self, positions: &[Position]) -> Result<(), String> {
        self.positions = positions.iter().map(goal).collect::<Result<_, String>>()?;
        Ok(())
    }

    fn measure(&mut self, job: &Job) -> Result<Count, String> {
        let share = job.seconds / job.positions.len() as f64;
        let mut sum = Count::default();
        for position in &self.positions[job.positions.clone()] {
            // Its generator takes seeds below 2^31.
            let seed = job.seed % (1 << 31);
            let work = match job.work {
                Work::Playouts => format!(
                    "nb_setval(seed, {seed}), begin({share}), repeat, \\+ \\+ playout(State), is_late, !, report(playouts)"
                ),
                Work::Minimax => {
                    format!("begin({share}), enter(State), deepen(State, 0), report(minimax)")
                }
                Work::Nodes(depth) => format!(
                    "begin({COUNTING}), enter(State), search(State, {depth}, _), \\+ is_late, report(count)"
                ),
            };
            let seconds = match job.work {
                Work::Nodes(_) => COUNTING,
                Work::Playouts | Work::Minimax => share,
            };
            let count = self.run(&format!("{position}, {work}"), seconds)?;
            sum.cpu += count.cpu;
            sum.states += count.states;
            sum.playouts += count.playouts;
            // A playout that is running when the time is over is given up.
            sum.cut |= job.work == Work::Playouts && count.playouts < 20;
        }
        Ok(sum)
    }

    fn record(&mut self, _: u64, _: u32) -> Result<Vec<Position>, String> {
        Err("SWI-Prolog records no matches here".to_owned())
    }
}

/// A goal that binds `State` to a position.
fn goal(position: &Position) -> Result<String, String> {
    match position {
        Position::Initial => Ok("start(State)".to_owned()),
        Position::Fluents(fluents) => {
            let terms: Result<Vec<String>, String> =
                fluents.iter().map(|text| term(text)).collect();
            Ok(format!("sort([{}], State)", terms?.join(", ")))
        }
    }
}

/// A term of a rule sheet as Prolog writes it, every name in quotes.
fn term(text: &str) -> Result<String, String> {
    let inner = text
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'));
    let Some(inner) = inner else {
        let escaped = text.replace('\\', "\\\\").replace('\'', "\\'");
        return Ok(format!("'{escaped}'"));
    };
    let parts = paidia_game::split(inner).map_err(|error| error.to_string())?;
    let parts: Result<Vec<String>, String> = parts.iter().map(|part| term(part)).collect();
    match parts?.split_first() {
        Some((functor, arguments)) => Ok(format!("{functor}({})", arguments.join(", "))),
        None => Err(format!("`{text}` is no term")),
    }
}

/// Reads `playouts nodes 120 playouts 14 milliseconds 51`.
fn read_report(said: &str) -> Option<Count> {
    let words: Vec<&str> = said.split_whitespace().collect();
    let number = |name: &str| -> Option<u64> {
        let place = words.iter().skip(1).position(|word| *word == name)?;
        words.get(place + 2)?.parse().ok()
    };
    Some(Count {
        cpu: number("milliseconds")? as f64 / 1000.0,
        states: number("nodes")?,
        playouts: number("playouts")?,
        ..Count::default()
    })
}

#[cfg(test)]
mod tests {
    use super::{read_report, term};

    #[test]
    fn terms_are_written_as_prolog_has_them() {
        let written = term("(cell 1 (pile a) it's)").unwrap();
        assert_eq!(written, r"'cell'('1', 'pile'('a'), 'it\'s')");
        assert_eq!(term("terminal").unwrap(), "'terminal'");
    }

    #[test]
    fn reports_are_read() {
        let count = read_report("playouts nodes 120 playouts 14 milliseconds 51\n").unwrap();
        assert_eq!((count.states, count.playouts), (120, 14));
        assert!((count.cpu - 0.051).abs() < 1e-9);
        assert_eq!(read_report("Warning: goal failed"), None);
    }
}
