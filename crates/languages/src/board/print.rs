//! Rules as text, in one layout for all.

use paidia_gdl::{Problem, Source};

use super::expression::Expression;
use super::read::{Reading, read};
use super::rules::{BoardRules, Goal};

/// Lines are broken before this column where that can be done.
const PAGE_WIDTH: usize = 100;

/// The text of rules.
pub fn print(rules: &BoardRules) -> String {
    items(rules).concat()
}

/// A text in the layout of [`print()`], with its comments. They stay before the rule or goal in or
/// before which they stood, or behind it on the same line.
///
/// # Errors
/// What is wrong with a text that cannot be read as a whole.
pub fn format(source: &Source) -> Result<String, Vec<Problem>> {
    let reading = read(source);
    match reading.has_errors() {
        true => Err(reading.problems),
        false => Ok(print_with_comments(source, &reading)),
    }
}

fn print_with_comments(source: &Source, reading: &Reading) -> String {
    let text = &source.text;
    let mut printed = String::new();
    let mut comments = reading
        .comments
        .iter()
        .map(|comment| comment.span)
        .peekable();
    let ends = &reading.items;
    for (place, item) in items(&reading.rules).iter().enumerate() {
        let end = ends.get(place).copied().unwrap_or(u32::MAX);
        let next = ends.get(place + 1).copied().unwrap_or(u32::MAX);
        let mut behind = String::new();
        while let Some(comment) = comments.peek().copied() {
            let words = text[comment.range()].trim_end();
            if comment.start < end {
                printed.push_str(words);
                printed.push('\n');
            } else if comment.start < next
                && !text[end as usize..comment.start as usize].contains('\n')
            {
                behind.push(' ');
                behind.push_str(words);
            } else {
                break;
            }
            comments.next();
        }
        printed.push_str(item.trim_end_matches('\n'));
        printed.push_str(&behind);
        printed.push('\n');
    }
    for comment in comments {
        printed.push_str(text[comment.range()].trim_end());
        printed.push('\n');
    }
    printed
}

/// The parts of the text, each with the end of its line: name, board, `<PIECES>`, each rule,
/// `<GOALS>`, turn limit, each goal.
fn items(rules: &BoardRules) -> Vec<String> {
    let mut items = vec![format!("<<{}>>\n", rules.name), board(rules)];
    items.push("<PIECES>\n".to_owned());
    let pieces = rules.pieces.iter();
    items.extend(pieces.map(|piece| rule(piece.letter, &piece.moves)));
    items.push("<GOALS>\n".to_owned());
    items.push(format!("{} &\n", rules.turns));
    items.extend(rules.goals.iter().map(goal));
    items
}

fn board(rules: &BoardRules) -> String {
    let mut text = format!("<BOARD>\n{} {}\n", rules.width, rules.height);
    for y in (0..rules.height).rev() {
        let row: String = (0..rules.width)
            .map(|x| rules.at(x, y).character())
            .collect();
        text.push_str(&format!("|{row}|\n"));
    }
    text
}

fn rule(letter: u8, moves: &Expression) -> String {
    let mut text = String::new();
    let mut line = char::from(letter).to_string();
    for (index, alternative) in moves.alternatives().iter().enumerate() {
        let sign = if index > 0 { " +" } else { "" };
        let word = alternative.to_string();
        line.push_str(sign);
        // Room for a blank, and for ` +` or ` &` behind it.
        if index > 0 && line.len() + word.len() + 3 > PAGE_WIDTH {
            text.push_str(&line);
            text.push('\n');
            " ".clone_into(&mut line);
        }
        line.push(' ');
        line.push_str(&word);
    }
    text.push_str(&line);
    text.push_str(" &\n");
    text
}

fn goal(goal: &Goal) -> String {
    match goal {
        Goal::Reach { letter, squares } => {
            let squares: Vec<String> = squares.iter().map(|(x, y)| format!("{x} {y}")).collect();
            format!("@{} {} &\n", char::from(*letter), squares.join(", "))
        }
        Goal::Fall { letter, count } => format!("#{} {count} &\n", char::from(*letter)),
    }
}
