//! The mistakes, each with the place that the report must point at.

use super::{BOMB, CHICKEN, COIN, Flaw, TIC_TAC_TOE, flaw};
use paidia_gdl::source::MAX_SOURCE_BYTES;
use paidia_gdl::{Code, Dialect};

/// All mistakes.
pub(super) fn flaws() -> Vec<Flaw> {
    [of_writing(), of_keywords(), of_logic(), of_names()]
        .into_iter()
        .flatten()
        .collect()
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
            Code::GrowingFluent,
            COIN,
            "(<= (next (coin ?side))\n    (true (coin ?side)))",
            "(<= (next (coin «(after ?side)»))\n    (true (coin ?side)))",
        ),
        flaw(
            Code::ControlCharacter,
            COIN,
            "(side tails)",
            "(side tails) (side «ta\u{7}ils»)",
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
