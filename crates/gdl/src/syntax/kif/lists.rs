//! Finding the clauses of a KIF text: which parenthesis closes which.

use super::tokens::{Kind, Token};
use crate::problem::{Code, Problem};
use crate::syntax::{MAX_DEPTH, Report};
use std::ops::Range;

/// Pairs the parentheses and returns the tokens of every clause that is whole.
pub(super) fn clauses(tokens: &mut [Token], report: &mut Report) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut deepest = 0;
    for at in 0..tokens.len() {
        match tokens[at].kind {
            Kind::Open => {
                open.push(at);
                deepest = deepest.max(open.len());
            }
            Kind::Close => match open.pop() {
                None => report.add(stray(&tokens[at])),
                Some(start) => {
                    tokens[start].close = at as u32;
                    if !open.is_empty() {
                        continue;
                    }
                    if deepest > MAX_DEPTH {
                        report.add(too_deep(&tokens[start]));
                    } else {
                        found.push(start..at + 1);
                    }
                    deepest = 0;
                }
            },
            Kind::Word if open.is_empty() => found.push(at..at + 1),
            Kind::Word => {}
        }
    }
    if let Some(&start) = open.first() {
        report.add(unclosed(&tokens[start]));
    }
    found
}

fn stray(token: &Token) -> Problem {
    Problem::new(
        Code::StrayParenthesis,
        token.span,
        "this parenthesis closes nothing",
    )
    .label("no list is open here")
    .help("remove it, or look for a parenthesis too many in the clause before")
}

fn too_deep(open: &Token) -> Problem {
    let message = format!("lists are nested more than {MAX_DEPTH} deep");
    Problem::new(Code::NestingTooDeep, open.span, message).label("in the clause that starts here")
}

fn unclosed(open: &Token) -> Problem {
    Problem::new(
        Code::UnclosedParenthesis,
        open.span,
        "this parenthesis is never closed",
    )
    .label("opened here")
    .help("add the missing `)`")
}
