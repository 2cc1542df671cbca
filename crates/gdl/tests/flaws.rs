//! Sound rule sheets with one small mistake each: the report names the mistake, points at it, and says nothing else.

use paidia_gdl::check::{Report, check_source};
use paidia_gdl::source::MAX_SOURCE_BYTES;
use paidia_gdl::{Code, Dialect, Source};

type Sheet = (&'static str, &'static str);
const TIC_TAC_TOE: Sheet = ("tic-tac-toe", include_str!("sheets/tic-tac-toe.kif"));
const COIN: Sheet = ("hidden-coin", include_str!("sheets/hidden-coin.kif"));
const BOMB: Sheet = (
    "exploding-bomb",
    include_str!("sheets/listings/exploding-bomb.gdl"),
);
const CHICKEN: Sheet = ("chicken", include_str!("sheets/chicken.kif"));

/// A mistake: in `sheet`, the text `from` becomes `to`.
///
/// The place that the report must point at is between `«` and `»`: in `to`, or where the mistake shows elsewhere, in `at`,
/// which is then a piece of the flawed sheet.
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

/// Mistakes that readers find.
fn of_writing() -> Vec<Flaw> {
    let deep = format!("«(»init {}cell{})", "(f ".repeat(300), ")".repeat(300));
    let large = " ".repeat(MAX_SOURCE_BYTES);
    vec![
        flaw(
            Code::UnclosedParenthesis,
            TIC_TAC_TOE,
            "(true (cell 3 ?row ?player)))",
            "(true (cell 3 ?row ?player))",
        )
        .at("«(»<= (full_row"),
        flaw(
            Code::StrayParenthesis,
            TIC_TAC_TOE,
            "(true (control ?player))\n    (true (cell ?column ?row empty)))",
            "(true (control ?player))«)»\n    (true (cell ?column ?row empty)))",
        ),
        flaw(
            Code::StrayParenthesis,
            COIN,
            "(<= (next (coin ?side))\n    (true (coin ?side)))",
            "(<= (next (coin ?side)) (side ?side)) (true (coin ?side))«)»",
        ),
        flaw(Code::NestingTooDeep, COIN, "(init (phase flip))", deep),
        flaw(Code::TooLarge, COIN, "(side tails)", large).at("«»;;; Chance flips"),
        flaw(
            Code::NotAClause,
            TIC_TAC_TOE,
            "(init (control x))",
            "«(not (init (control o)))»",
        ),
        flaw(
            Code::NotALiteral,
            TIC_TAC_TOE,
            "(true (control ?player))\n    (true (cell",
            "«?player»\n    (true (cell",
        ),
        flaw(
            Code::NotATerm,
            TIC_TAC_TOE,
            "(successor 1 2)",
            "(successor 1 («2» 3))",
        ),
        flaw(
            Code::UnexpectedToken,
            BOMB,
            "true(round(1)).\nlegal(agent, cut(C)) :- true(round(2)), colour(C)",
            "true(round(1)).\nlegal(agent, cut(C)) :- true(round(2)) «colour»(C)",
        ),
        flaw(
            Code::BadConnective,
            TIC_TAC_TOE,
            "(distinct ?content empty)",
            "«(distinct ?content)»",
        ),
    ]
}

/// Mistakes with keywords.
fn of_keywords() -> Vec<Flaw> {
    vec![
        flaw(
            Code::KeywordArity,
            TIC_TAC_TOE,
            "(init (control x))",
            "«(init control x)»",
        ),
        flaw(
            Code::KeywordArity,
            COIN,
            "(goal guesser 100)",
            "«(goal guesser)»",
        ),
        flaw(
            Code::KeywordArity,
            CHICKEN,
            "(init 1.0 road)",
            "«(init road)»",
        ),
        flaw(
            Code::KeywordPosition,
            TIC_TAC_TOE,
            "(next (control ?player))",
            "«(true (control ?player))»",
        ),
        flaw(
            Code::KeywordPosition,
            COIN,
            "(<= terminal\n    (true (phase over)))",
            "(<= terminal\n    «(next (phase over))»)",
        ),
        flaw(
            Code::KeywordPosition,
            COIN,
            "(role guesser)",
            "(<= «(role guesser)» (side heads))",
        ),
        flaw(
            Code::KeywordPosition,
            CHICKEN,
            "(<= terminal\n    (expired road))",
            "(<= «(expired road)»\n    terminal)\n(terminal)",
        ),
        flaw(
            Code::KeywordDependency,
            COIN,
            "(true (coin ?side))\n    (true (guessed",
            "(does random (flip ?cup ?side))\n    (true (guessed",
        )
        .at("(<= (goal guesser 100)\n    «(right_guess)»"),
        flaw(
            Code::KeywordDependency,
            TIC_TAC_TOE,
            "(true (control ?player))\n    (true (cell",
            "«(does ?player noop)»\n    (true (cell",
        ),
        flaw(
            Code::KeywordDependency,
            TIC_TAC_TOE,
            "(init (control x))",
            "(<= (init (control ?player))\n    «(true (control ?player))»)",
        ),
        flaw(
            Code::MisspeltKeyword,
            TIC_TAC_TOE,
            "(<= (legal ?player noop)",
            "(<= («leagl» ?player noop)",
        ),
        flaw(
            Code::MisspeltKeyword,
            COIN,
            "(<= (next (phase over))\n    (true",
            "(<= (next (phase over))\n    («ture»",
        ),
        flaw(
            Code::MisspeltKeyword,
            TIC_TAC_TOE,
            "(distinct ?content empty)",
            "(«distict» ?content empty)",
        ),
        flaw(
            Code::WrongDialect,
            COIN,
            "(<= (sees ?player rattle)\n    (role ?player)\n    (does random (flip ?cup ?side)))",
            "",
        )
        .at("«(sees guesser (shown ?side))»")
        .also(&[Code::MissingGoal])
        .read_as(Dialect::Gdl),
        flaw(
            Code::WrongDialect,
            TIC_TAC_TOE,
            "(init (control x))",
            "«(init infinity (control x))»",
        )
        .read_as(Dialect::Gdl),
        flaw(
            Code::Lifetime,
            CHICKEN,
            "(init 1.0 road)",
            "(init «0» road)",
        ),
        flaw(
            Code::Lifetime,
            CHICKEN,
            "(init 1.0 road)",
            "(init «infinite» road)",
        ),
    ]
}

/// Mistakes with variables, negation and recursion.
fn of_logic() -> Vec<Flaw> {
    vec![
        flaw(
            Code::UnsafeVariable,
            TIC_TAC_TOE,
            "(<= (next (cell ?column ?row empty))\n    (true (cell ?column ?row empty))",
            "(<= (next (cell ?column «?row» empty))\n    (true (cell ?column ?line empty))",
        ),
        flaw(
            Code::UnsafeVariable,
            TIC_TAC_TOE,
            "(<= (legal ?player noop)\n    (role ?player)",
            "(<= (legal «?player» noop)",
        ),
        flaw(
            Code::UnsafeVariable,
            TIC_TAC_TOE,
            "(<= (line ?player)\n    (role ?player)\n    (or (full_row ?row ?player)",
            "(<= (line «?player»)\n    (or (full_row ?row ?somebody)",
        ),
        flaw(
            Code::UnsafeVariable,
            TIC_TAC_TOE,
            "(line ?opponent)\n    (role ?player)\n    (distinct ?player ?opponent)",
            "(line x)\n    (role ?player)\n    (distinct ?player «?opponent»)",
        ),
        flaw(
            Code::UnsafeVariable,
            BOMB,
            "legal(random, noop) :- not true(round(0))",
            "legal(random, noop) :- not true(round(«Number»))",
        ),
        flaw(Code::NotGround, COIN, "(side heads)", "(side «?heads»)"),
        flaw(Code::NotGround, TIC_TAC_TOE, "(role o)", "(role «?o»)"),
        flaw(
            Code::NegativeCycle,
            TIC_TAC_TOE,
            "(<= open\n",
            "(<= full\n    (not «open»))\n(<= open\n    (not full)\n",
        ),
        flaw(
            Code::NegativeCycle,
            TIC_TAC_TOE,
            "(<= (goal ?player 50)\n",
            "(<= (goal ?player ?value)\n    (successor ?value ?more)\n    (not «(goal ?player 2)»)\n",
        ),
        flaw(
            Code::UnboundedRecursion,
            TIC_TAC_TOE,
            "(<= (number ?larger)\n    (number ?smaller)\n    (successor ?smaller ?larger))",
            "(<= (number (after ?smaller))\n    (number «?smaller»))",
        ),
        flaw(
            Code::LooseRecursion,
            TIC_TAC_TOE,
            "(successor ?smaller ?between)\n    (less",
            "(less ?smaller «?between»)\n    (less",
        ),
        flaw(
            Code::RelationArity,
            TIC_TAC_TOE,
            "(less ?first 2)",
            "«(less 2)»",
        ),
        flaw(
            Code::FunctionArity,
            TIC_TAC_TOE,
            "(true (cell 2 ?row ?player))",
            "(true «(cell 2 ?player)»)",
        ),
    ]
}

/// Things that are missing, superfluous or called by another name.
fn of_names() -> Vec<Flaw> {
    vec![
        flaw(
            Code::UndefinedRelation,
            TIC_TAC_TOE,
            "(less 2 ?last)",
            "(«les» 2 ?last)",
        ),
        flaw(Code::UnusedRelation, COIN, "(cup ?cup)", "(side ?cup)").at("(«cup» glass)"),
        flaw(
            Code::UndefinedFluent,
            COIN,
            "(true (guessed ?side))",
            "(true «(gessed ?side)»)",
        ),
        flaw(
            Code::UndefinedFluent,
            TIC_TAC_TOE,
            "(not (true (control ?player))))\n\n(<= terminal",
            "(true «(not (control ?player))»))\n\n(<= terminal",
        ),
        flaw(
            Code::UndefinedMove,
            COIN,
            "(does guesser (guess ?side))",
            "(does guesser «(says ?side)»)",
        ),
        flaw(
            Code::UnknownRole,
            COIN,
            "(legal guesser noop)",
            "(legal «geusser» noop)",
        ),
        flaw(
            Code::MissingRole,
            COIN,
            "(role random)\n(role guesser)\n",
            "",
        )
        .at("«(init (phase flip))»"),
        flaw(
            Code::MissingTerminal,
            COIN,
            "(<= terminal\n    (true (phase over)))",
            "",
        )
        .at("«(role random)»"),
        flaw(
            Code::MissingLegal,
            COIN,
            "(role guesser)\n",
            "(role guesser)\n«(role helper)»\n(goal helper 0)\n",
        ),
        flaw(
            Code::MissingGoal,
            COIN,
            "(role guesser)\n",
            "(role guesser)\n«(role helper)»\n(legal helper noop)\n",
        ),
        flaw(
            Code::GoalValue,
            COIN,
            "(goal guesser 100)",
            "(goal guesser «1000»)",
        ),
        flaw(
            Code::GoalValue,
            CHICKEN,
            "(goal ?driver 90)",
            "(goal ?driver «high»)",
        ),
        flaw(
            Code::CaseVariants,
            TIC_TAC_TOE,
            "(<= terminal\n    (line ?player))",
            "(<= terminal\n    («Line» ?player))",
        ),
        flaw(
            Code::CaseVariants,
            TIC_TAC_TOE,
            "(init (control x))",
            "(init (control «X»))",
        ),
        flaw(
            Code::CaseVariants,
            COIN,
            "(<= (next (coin ?side))\n    (true (coin ?side)))",
            "(<= (next (coin ?side))\n    (true (coin ?side))\n    (true (coin «?Side»)))",
        ),
        flaw(
            Code::DeclarationMismatch,
            TIC_TAC_TOE,
            "(<= (base (control ?player))\n    (role ?player))\n",
            "",
        )
        .at("(init «(control x)»)"),
        flaw(
            Code::DeclarationMismatch,
            TIC_TAC_TOE,
            "(<= (input ?player noop)\n    (role ?player))",
            "(<= (input ?player noop)\n    «(true (control ?player))»)",
        ),
        flaw(
            Code::DuplicateClause,
            TIC_TAC_TOE,
            "(successor 2 3)",
            "«(successor 1 2)»",
        ),
        flaw(
            Code::DuplicateClause,
            COIN,
            "(<= (next (phase over))\n    (true (phase guess)))",
            "(<= (next (phase over))\n    (true (phase guess)))\n«(<= (next (phase over))\n    (true (phase guess)))»",
        ),
    ]
}

fn flaws() -> Vec<Flaw> {
    [of_writing(), of_keywords(), of_logic(), of_names()]
        .into_iter()
        .flatten()
        .collect()
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
