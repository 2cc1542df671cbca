//! GDL that is written by translations.

use std::collections::BTreeSet;

/// Relations that need no clauses.
const KNOWN: [&str; 4] = ["true", "does", "role", "distinct"];

/// The clauses of a text without comments, but for those that can never hold because they ask for
/// relations without clauses. Conditions that such a relation does not hold are left out.
pub(crate) fn without_dead(text: &str) -> String {
    let mut clauses: Vec<Vec<String>> = split(text).iter().map(|clause| literals(clause)).collect();
    loop {
        let heads: BTreeSet<String> = clauses.iter().map(|clause| name(&clause[0])).collect();
        let is_dead = |literal: &String| {
            let name = name(literal);
            !heads.contains(&name) && !KNOWN.contains(&&*name)
        };
        let count: usize = clauses.iter().map(Vec::len).sum();
        clauses.retain(|clause| {
            !clause[1..]
                .iter()
                .any(|literal| !is_negated(literal) && is_dead(literal))
        });
        for clause in &mut clauses {
            let mut place = 0;
            clause.retain(|literal| {
                place += 1;
                place == 1 || !is_negated(literal) || !is_dead(literal)
            });
        }
        if clauses.iter().map(Vec::len).sum::<usize>() == count {
            break;
        }
    }
    let mut written = String::new();
    for clause in clauses {
        match &clause[..] {
            [fact] => written.push_str(fact),
            [head, body @ ..] => {
                written.push_str(&format!("(<= {head}\n    {})", body.join("\n    ")));
            }
            [] => continue,
        }
        written.push('\n');
    }
    written
}

/// The expressions of a text, one after the other.
fn split(text: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| !line.starts_with(';'));
    let text: String = lines.flat_map(|line| [line, "\n"]).collect();
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, None);
    for (at, character) in text.char_indices() {
        match character {
            '(' => {
                depth += 1;
                start = start.or(Some(at));
            }
            ')' => {
                depth -= 1;
                if depth == 0
                    && let Some(start) = start.take()
                {
                    parts.push(text[start..=at].to_owned());
                }
            }
            character if depth == 0 && start.is_none() && !character.is_whitespace() => {
                start = Some(at);
            }
            character if depth == 0 && character.is_whitespace() => {
                if let Some(start) = start.take() {
                    parts.push(text[start..at].to_owned());
                }
            }
            _ => {}
        }
    }
    parts.extend(start.map(|start| text[start..].to_owned()));
    parts
}

/// The head of a clause and the literals of its body.
fn literals(clause: &str) -> Vec<String> {
    match clause.strip_prefix("(<=") {
        Some(rest) => split(rest.strip_suffix(')').unwrap_or(rest)),
        None => vec![clause.to_owned()],
    }
}

fn is_negated(literal: &str) -> bool {
    literal.starts_with("(not ")
}

/// The relation of a literal.
fn name(literal: &str) -> String {
    let inner = literal.strip_prefix("(not ").unwrap_or(literal);
    let inner = inner.trim_start().trim_start_matches('(');
    let end = inner.find(|c: char| c.is_whitespace() || c == ')');
    inner[..end.unwrap_or(inner.len())].to_owned()
}

#[cfg(test)]
mod tests {
    use super::without_dead;

    #[test]
    fn what_can_never_hold_is_left_out() {
        let text = "; a remark\n(role x)\n(<= (p ?x) (role ?x) (not (never ?x)))\n\
            (<= (q ?x) (p ?x) (never ?x))\n(<= r (q ?x))\n(<= terminal s)\n(<= s (p x))";
        let left = without_dead(text);
        assert_eq!(
            left,
            "(role x)\n(<= (p ?x)\n    (role ?x))\n(<= terminal\n    s)\n(<= s\n    (p x))\n"
        );
    }
}
