//! Sound rule sheets with one small mistake each: the report names the mistake, points at it, and
//! says nothing else.

mod table;

use self::table::flaws;
use paidia_gdl::check::{Report, check_source};
use paidia_gdl::{Code, Dialect, Source};

type Sheet = (&'static str, &'static str);
const TIC_TAC_TOE: Sheet = ("tic-tac-toe", include_str!("../sheets/tic-tac-toe.kif"));
const COIN: Sheet = ("hidden-coin", include_str!("../sheets/hidden-coin.kif"));
const BOMB: Sheet = (
    "exploding-bomb",
    include_str!("../sheets/listings/exploding-bomb.gdl"),
);
const CHICKEN: Sheet = ("chicken", include_str!("../sheets/chicken.kif"));

/// A mistake: in `sheet`, the text `from` becomes `to`.
///
/// The place that the report must point at is between `«` and `»`: in `to`, or where the mistake
/// shows elsewhere, in `at`, which is then a piece of the flawed sheet.
struct Flaw {
    code: Code,
    sheet: Sheet,
    from: &'static str,
    to: String,
    at: &'static str,
    /// Other problems that the mistake really has as well.
    also: &'static [Code],
    dialect: Option<Dialect>,
}

fn flaw(code: Code, sheet: Sheet, from: &'static str, to: impl Into<String>) -> Flaw {
    Flaw {
        code,
        sheet,
        from,
        to: to.into(),
        at: "",
        also: &[],
        dialect: None,
    }
}

impl Flaw {
    fn at(mut self, at: &'static str) -> Self {
        self.at = at;
        self
    }

    fn also(mut self, also: &'static [Code]) -> Self {
        self.also = also;
        self
    }

    fn read_as(mut self, dialect: Dialect) -> Self {
        self.dialect = Some(dialect);
        self
    }

    /// The flawed sheet and the text that the report must point at.
    fn apply(&self) -> Result<(Source, std::ops::Range<usize>), String> {
        let (name, sound) = self.sheet;
        let flawed = sound.replacen(self.from, &unmarked(&self.to), 1);
        let (text, whole) = match self.at {
            "" => (sound.replacen(self.from, &self.to, 1), self.to.as_str()),
            at => (flawed.replacen(&unmarked(at), at, 1), at),
        };
        let occurrences = flawed.matches(&unmarked(whole)).count();
        if sound.matches(self.from).count() != 1 || !self.at.is_empty() && occurrences != 1 {
            return Err("the texts of this flaw do not occur exactly once".to_owned());
        }
        let start = text.find('«').ok_or("no place is marked")?;
        let end = text.find('»').ok_or("no place is marked")? - '«'.len_utf8();
        Ok((Source::new(name, flawed), start..end))
    }

    /// What is wrong with the report, if anything.
    fn check(&self) -> Result<(), String> {
        let (source, place) = self.apply()?;
        let (_, report) = check_source(&source, self.dialect);
        let problems = &report.problems;
        let (found, others): (Vec<_>, Vec<_>) = problems
            .iter()
            .partition(|problem| problem.code == self.code);
        let others: Vec<Code> = others.iter().map(|problem| problem.code).collect();
        if found.len() != 1 || others != self.also {
            return Err(format!(
                "one such problem and {:?} are expected, not {problems:#?}",
                self.also
            ));
        }
        match found[0].span.range() {
            range if range == place => Ok(()),
            range => Err(format!(
                "it points at `{}`, not at `{}`",
                &source.text[range], &source.text[place]
            )),
        }
    }
}

fn unmarked(text: &str) -> String {
    text.replace(['«', '»'], "")
}

#[test]
fn sound_sheets_have_no_problems() {
    for ((name, text), dialect) in [
        (TIC_TAC_TOE, Dialect::Gdl),
        (COIN, Dialect::GdlII),
        (CHICKEN, Dialect::RtGdl),
    ] {
        let (_, report) = check_source(&Source::new(name, text), None);
        let sound = Report {
            dialect,
            problems: Vec::new(),
        };
        assert_eq!(report, sound, "{name}");
    }
}

#[test]
fn every_flaw_is_found_where_it_is() {
    let mut failures = Vec::new();
    for flaw in flaws() {
        if let Err(failure) = flaw.check() {
            failures.push(format!(
                "{} in {} (`{}`): {failure}",
                flaw.code.name(),
                flaw.sheet.0,
                flaw.from
            ));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn every_code_has_a_flaw() {
    let flaws = flaws();
    for &code in Code::ALL {
        assert!(
            flaws.iter().any(|flaw| flaw.code == code),
            "no sheet has the flaw {}",
            code.name()
        );
    }
}
