//! From the text of a rule file to rules and problems.

use paidia_gdl::{Problem, Source, Span};

use super::automaton::Automaton;
use super::cursor::{Comment, Cursor};
use super::expression::{Expression, On, Power, Step};
use super::goals::natural;
use super::limits::{
    MAX_HEIGHT, MAX_NESTING, MAX_SHIFT, MAX_SQUARES, MAX_STEPS, MAX_TEXT_BYTES, MAX_WIDTH,
};
use super::problems::{
    IDLE_GOAL, IDLE_STEP, NO_RULE, PASS, POWER, ROWS, RULE_LETTER, RULE_TWICE, SIZE, STEP, SYNTAX,
    TOO_LARGE, UNUSED_RULE,
};
use super::rules::{BoardRules, Goal, Piece, Standing};

/// A text as it was understood.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The rules; what could not be read is left out.
    pub rules: BoardRules,
    /// What is wrong, in the order of the text.
    pub problems: Vec<Problem>,
    pub(super) comments: Vec<Comment>,
    /// Where the parts end that comments can stand before, in order: name, board, `<PIECES>`, each
    /// rule, `<GOALS>`, turn limit, each goal.
    pub(super) items: Vec<u32>,
}

impl Reading {
    /// Whether the game cannot be played.
    pub fn has_errors(&self) -> bool {
        self.problems.iter().any(Problem::is_error)
    }
}

/// Reads a rule file and says what is wrong with it.
pub fn read(source: &Source) -> Reading {
    let mut reader = Reader::new(&source.text);
    if source.text.len() > MAX_TEXT_BYTES {
        let message = format!("the file has more than {MAX_TEXT_BYTES} bytes");
        reader
            .problems
            .push(Problem::new(TOO_LARGE, Span::default(), message));
    } else {
        reader.file();
    }
    reader.finish()
}

/// Reads an expression by itself.
///
/// # Errors
/// What is wrong with it.
pub fn read_expression(text: &str) -> Result<Expression, Problem> {
    let mut reader = Reader::new(text);
    let read = reader.expression(0)?;
    match reader.cursor.is_done() {
        true => Ok(read),
        false => Err(reader.cursor.expected("the end of the expression")),
    }
}

/// The state of reading.
pub(super) struct Reader<'a> {
    pub(super) cursor: Cursor<'a>,
    pub(super) rules: BoardRules,
    pub(super) problems: Vec<Problem>,
    /// The places of the goals, as far as they were read.
    pub(super) goal_spans: Vec<Span>,
    /// The width and the height in the text.
    size: Span,
    /// Where each kind of man first stands on the board.
    first_seen: Vec<(u8, Span)>,
    /// Steps of the rule that is being read, with their places.
    steps: Vec<(Step, Span)>,
    items: Vec<u32>,
    /// Whether the part before was left in the middle, so that its rest stands before the next.
    is_lost: bool,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            cursor: Cursor::new(text),
            rules: BoardRules {
                name: String::new(),
                width: 0,
                height: 0,
                start: Vec::new(),
                pieces: Vec::new(),
                turns: 0,
                goals: Vec::new(),
            },
            problems: Vec::new(),
            goal_spans: Vec::new(),
            size: Span::default(),
            first_seen: Vec::new(),
            steps: Vec::new(),
            items: Vec::new(),
            is_lost: false,
        }
    }

    fn finish(mut self) -> Reading {
        if let Some(span) = self.cursor.open_comment {
            let problem = Problem::new(SYNTAX, span, "this comment never ends");
            // Whatever else is said about the end of the text follows from that.
            self.problems.retain(|other| other.span.start < span.start);
            self.problems.push(problem.help("close it with `*/`"));
        }
        if !self.problems.iter().any(Problem::is_error) {
            self.warn();
        }
        self.problems.sort_by_key(|problem| problem.span);
        Reading {
            rules: self.rules,
            problems: self.problems,
            comments: self.cursor.comments,
            items: self.items,
        }
    }

    /// The whole file. After a part that cannot be read, reading goes on with the next.
    fn file(&mut self) {
        if let Err(problem) = self.name() {
            self.problems.push(problem);
            self.is_lost = true;
        }
        self.end_item();
        if self.section("<BOARD>") {
            if let Err(problem) = self.board() {
                self.problems.push(problem);
                self.is_lost = true;
            }
            self.end_item();
        }
        if self.section("<PIECES>") {
            self.end_item();
            self.pieces();
        }
        if self.section("<GOALS>") {
            self.end_item();
            self.goals();
        }
    }

    /// Notes that a part ends here.
    pub(super) fn end_item(&mut self) {
        self.items.push(self.cursor.at as u32);
    }

    fn name(&mut self) -> Result<(), Problem> {
        if !self.cursor.take_text("<<") {
            let problem = self.cursor.expected("the name of the game");
            return Err(problem.help("rules begin with the name in double brackets: `<<My Game>>`"));
        }
        let start = self.cursor.at;
        let rest = &self.cursor.text[start..];
        let length = rest.find(">>").filter(|&end| !rest[..end].contains('\n'));
        let Some(length) = length else {
            let span = Span::new(start - 2, start);
            let problem = Problem::new(SYNTAX, span, "the name of the game never ends");
            return Err(problem.help("write `>>` after it"));
        };
        let name = &rest[..length];
        self.cursor.at += length + 2;
        let span = Span::new(start, start + length);
        if name.is_empty() {
            return Err(Problem::new(SYNTAX, span, "the game has no name"));
        }
        let odd = name
            .char_indices()
            .find(|(_, c)| !c.is_ascii_alphanumeric() && *c != ' ');
        if let Some((at, odd)) = odd {
            let span = Span::new(start + at, start + at + odd.len_utf8());
            let message = format!("the name of the game has `{odd}` in it");
            let problem = Problem::new(SYNTAX, span, message);
            return Err(problem.help("names have letters, digits and blanks"));
        }
        name.clone_into(&mut self.rules.name);
        Ok(())
    }

    /// Takes the head of a section, going on to it if something else stands before it. Whether
    /// it is there.
    fn section(&mut self, head: &str) -> bool {
        if self.cursor.take_text(head) {
            self.is_lost = false;
            return true;
        }
        let mut problem = self.cursor.expected(&format!("`{head}`"));
        let start = self.cursor.at;
        let bare = head.trim_matches(['<', '>']).to_ascii_lowercase();
        let mut is_there = false;
        while self.cursor.find(b"<").is_some() {
            if self.cursor.take_text(head) {
                is_there = true;
                break;
            }
            let at = self.cursor.at;
            let word = self.cursor.text[at + 1..].split(['>', '\n', ' ']).next();
            let word = word.unwrap_or_default();
            if strsim::normalized_levenshtein(&word.to_ascii_lowercase(), &bare) > 0.7 {
                let span = Span::new(at, at + 1 + word.len());
                problem = Problem::new(SYNTAX, span, format!("`{head}` is expected"));
                problem = problem.help(format!("write `{head}`"));
                self.cursor.at += 1 + word.len();
                self.cursor.take(b'>');
                is_there = true;
                break;
            }
            self.cursor.at += 1;
        }
        if !is_there {
            self.cursor.at = start;
        }
        // What is missing after another mistake may be what that left unread.
        if !std::mem::replace(&mut self.is_lost, !is_there) {
            self.problems.push(problem);
        }
        is_there
    }

    fn board(&mut self) -> Result<(), Problem> {
        let mut sizes = [0; 2];
        let limits = [(MAX_WIDTH, "columns"), (MAX_HEIGHT, "rows")];
        for (place, (limit, side)) in limits.into_iter().enumerate() {
            let Some(number) = self.cursor.number() else {
                let what = ["the width of the board", "the height of the board"][place];
                let problem = self.cursor.problem(SIZE, what);
                return Err(problem.help("`<BOARD>` is followed by width and height: `8 8`"));
            };
            if number.is_negative || number.value == 0 {
                return Err(Problem::new(
                    SIZE,
                    number.span,
                    format!("the board has no {side}"),
                ));
            }
            if number.value > limit {
                let message = format!("the board has more than {limit} {side}");
                return Err(Problem::new(SIZE, number.span, message));
            }
            sizes[place] = number.value;
            self.size = match place {
                0 => number.span,
                _ => self.size.to(number.span),
            };
        }
        if sizes[0] * sizes[1] > MAX_SQUARES {
            let message = format!("the board has more than {MAX_SQUARES} squares");
            return Err(Problem::new(SIZE, self.size, message));
        }
        self.rules.width = sizes[0] as u8;
        self.rules.height = sizes[1] as u8;
        self.rows()
    }

    /// The rows, of which the first is the far one.
    fn rows(&mut self) -> Result<(), Problem> {
        let (width, height) = (
            usize::from(self.rules.width),
            usize::from(self.rules.height),
        );
        let mut rows: Vec<Vec<Standing>> = Vec::new();
        let mut extra = None;
        while self.cursor.take(b'|') {
            let start = self.cursor.at;
            let row = self.row(width)?;
            if rows.len() == height {
                extra.get_or_insert(Span::new(start - 1, self.cursor.at));
            }
            rows.push(row);
        }
        if rows.len() != height {
            let message = format!(
                "the board has {} rows, and its height is {height}",
                rows.len()
            );
            let span = extra.unwrap_or_else(|| self.cursor.next_span());
            let problem = Problem::new(ROWS, span, message);
            return Err(problem.related(self.size, "width and height"));
        }
        self.rules.start = rows.into_iter().rev().flatten().collect();
        Ok(())
    }

    fn row(&mut self, width: usize) -> Result<Vec<Standing>, Problem> {
        let start = self.cursor.at;
        let rest = &self.cursor.text[start..];
        let length = rest.find(['|', '\n', '\r']).unwrap_or(rest.len());
        self.cursor.at += length;
        let row = &rest[..length];
        let mut standings = Vec::with_capacity(width);
        for (at, character) in row.char_indices() {
            let place = start + at;
            let span = Span::new(place, place + character.len_utf8());
            let standing = u8::try_from(character)
                .ok()
                .and_then(Standing::of_character);
            let Some(standing) = standing else {
                let message = format!("`{character}` is nothing that can stand on a square");
                let help = "a dot is an empty square, an upper case letter a man of white, \
                            a lower case letter one of black";
                return Err(Problem::new(ROWS, span, message).help(help));
            };
            let known = self
                .first_seen
                .iter()
                .any(|(other, _)| *other == character as u8);
            if !standing.is_empty() && !known {
                self.first_seen.push((character as u8, span));
            }
            standings.push(standing);
        }
        if !rest[length..].starts_with('|') {
            let span = Span::new(start - 1, start + length);
            let problem = Problem::new(ROWS, span, "this row has no end");
            return Err(problem.help("a row ends with `|`"));
        }
        self.cursor.at += 1;
        if standings.len() != width {
            let count = standings.len();
            let message = format!("this row has {count} squares, and the board is {width} wide");
            let problem = Problem::new(ROWS, Span::new(start, start + length), message);
            return Err(problem.related(self.size, "width and height"));
        }
        Ok(standings)
    }

    fn pieces(&mut self) {
        // Numbers, `@` and `#` begin goals.
        while !matches!(
            self.cursor.peek(),
            None | Some(b'<' | b'0'..=b'9' | b'@' | b'#')
        ) {
            self.steps.clear();
            match self.piece() {
                Ok(piece) => self.rules.pieces.push(piece),
                Err(problem) => {
                    self.problems.push(problem);
                    self.next_item(b"<");
                }
            }
            self.end_item();
        }
    }

    fn piece(&mut self) -> Result<Piece, Problem> {
        let Some((letter, span)) = self.cursor.letter() else {
            let problem = self.cursor.expected("the letter of a piece, or `<GOALS>`,");
            return Err(problem.help("a rule is a letter, an expression and `&`: `P (0,1,e) &`"));
        };
        if letter.is_ascii_lowercase() {
            let upper = char::from(letter.to_ascii_uppercase());
            let message = "rules are for upper case letters";
            let help = format!("write `{upper}`; the rule holds for both colours");
            return Err(Problem::new(RULE_LETTER, span, message).help(help));
        }
        if let Some(other) = self.rules.piece(letter) {
            let message = format!("there is a rule for {} already", char::from(letter));
            let problem = Problem::new(RULE_TWICE, span, message);
            let problem = problem.related(other.span, "the first rule");
            return Err(problem.help("join the two with `+`"));
        }
        let moves = self.expression(0)?;
        let end = Span::new(self.cursor.at, self.cursor.at);
        self.ampersand("a rule", span)?;
        let piece = Piece {
            letter,
            moves,
            span: span.to(end),
        };
        if let Err(error) = Automaton::of(&piece.moves) {
            return Err(Problem::new(TOO_LARGE, piece.span, error.to_string()));
        }
        self.warn_of_steps();
        Ok(piece)
    }

    /// Takes the `&` that ends something.
    pub(super) fn ampersand(&mut self, what: &str, start: Span) -> Result<(), Problem> {
        if self.cursor.take(b'&') {
            return Ok(());
        }
        let found = self.cursor.next_in_words();
        let message = format!("{what} ends with `&`, and {found}");
        let problem = Problem::new(SYNTAX, self.cursor.next_span(), message);
        Err(problem.related(start, "it begins here"))
    }

    /// After a mistake: goes behind the next `&`, or to one of some other bytes.
    pub(super) fn next_item(&mut self, or: &[u8]) {
        let wanted = [or, b"&"].concat();
        // What stands here may be what the mistake is about.
        let at = self.cursor.at;
        if self.cursor.find(&wanted) == Some(b'&') {
            self.cursor.at += 1;
        } else if self.cursor.at == at && !self.cursor.is_done() && or != b"<" {
            self.cursor.at += 1;
            self.next_item(or);
        }
    }

    /// Alternatives, down to the bracket, `&` or whatever ends them.
    fn expression(&mut self, depth: usize) -> Result<Expression, Problem> {
        if depth > MAX_NESTING {
            let message = format!("brackets are nested more than {MAX_NESTING} deep");
            return Err(Problem::new(TOO_LARGE, self.cursor.next_span(), message));
        }
        let mut alternatives = vec![self.sequence(depth)?];
        while self.cursor.take(b'+') {
            alternatives.push(self.sequence(depth)?);
        }
        Ok(Expression::choice(alternatives))
    }

    fn sequence(&mut self, depth: usize) -> Result<Expression, Problem> {
        let mut parts = Vec::new();
        while self.cursor.peek() == Some(b'(') {
            parts.push(self.factor(depth)?);
        }
        if parts.is_empty() {
            let problem = self.cursor.expected("a step or a bracket");
            return Err(problem.help("a step is `(dx,dy,on)`, such as `(0,1,e)`"));
        }
        Ok(Expression::sequence(parts))
    }

    /// A step or a bracket, with its power.
    fn factor(&mut self, depth: usize) -> Result<Expression, Problem> {
        let open = self.cursor.next_span();
        self.cursor.at += 1;
        let inner = match self.cursor.peek() {
            Some(b'0'..=b'9' | b'-') => self.step(open)?,
            Some(b'(') => {
                let inner = self.expression(depth + 1)?;
                if !self.cursor.take(b')') {
                    let problem = self.cursor.expected("`)`");
                    return Err(problem.related(open, "the bracket that is not closed"));
                }
                inner
            }
            Some(b'+') => {
                let problem = self.cursor.problem(STEP, "a number");
                return Err(problem.help("numbers have no plus sign"));
            }
            _ => {
                let problem = self.cursor.expected("a step");
                return Err(problem.help("a bracket has at least one step in it"));
            }
        };
        self.power(inner, open)
    }

    fn power(&mut self, inner: Expression, open: Span) -> Result<Expression, Problem> {
        let power = if self.cursor.take(b'^') {
            self.exponent()?
        } else if self.cursor.take(b'*') {
            Power::Star
        } else {
            return Ok(inner);
        };
        if matches!(self.cursor.peek(), Some(b'^' | b'*')) {
            let span = self.cursor.next_span();
            let problem = Problem::new(POWER, span, "a power takes no second power");
            return Err(problem.help("put the first power into a bracket: `((0,1,e)^2)^*`"));
        }
        let repeated = Expression::Repeat(Box::new(inner), power);
        if repeated.steps() > MAX_STEPS {
            let span = Span::new(open.start as usize, self.cursor.at);
            let message = format!("written out, this has more than {MAX_STEPS} steps");
            let problem = Problem::new(TOO_LARGE, span, message);
            return Err(problem.help("`^*` goes as far as the board does"));
        }
        Ok(repeated)
    }

    fn exponent(&mut self) -> Result<Power, Problem> {
        if self.cursor.take(b'*') {
            return Ok(Power::Star);
        }
        let Some(number) = self.cursor.number() else {
            let problem = self.cursor.problem(POWER, "a number or `*`");
            return Err(problem.help("`^2` is twice, `^*` any number of times"));
        };
        if number.is_negative {
            return Err(Problem::new(POWER, number.span, "a power is not negative"));
        }
        let value = natural(number, "a power")?;
        if value > MAX_STEPS {
            let message = format!("this power is above {MAX_STEPS}");
            let problem = Problem::new(TOO_LARGE, number.span, message);
            return Err(problem.help("`^*` goes as far as the board does"));
        }
        Ok(Power::Times(value as u32))
    }

    /// The rest of a step, after its opening bracket.
    fn step(&mut self, open: Span) -> Result<Expression, Problem> {
        let form = "a step is `(dx,dy,on)`, such as `(0,1,e)`";
        let mut shifts = [0; 2];
        for (place, shift) in shifts.iter_mut().enumerate() {
            let Some(number) = self.cursor.number() else {
                let what = ["columns to the right", "rows ahead"][place];
                let problem = self.cursor.problem(STEP, &format!("a number of {what}"));
                return Err(problem.help(form));
            };
            if number.value > MAX_SHIFT {
                let message = format!("this number is above {MAX_SHIFT}");
                return Err(Problem::new(TOO_LARGE, number.span, message));
            }
            let value = number.value as i16;
            *shift = if number.is_negative { -value } else { value };
            if !self.cursor.take(b',') {
                return Err(self.cursor.problem(STEP, "a comma").help(form));
            }
        }
        let on = self.content(form)?;
        if !self.cursor.take(b')') {
            let problem = self.cursor.problem(STEP, "`)`");
            return Err(problem.related(open, "the step begins here"));
        }
        let [dx, dy] = shifts;
        let step = Step { dx, dy, on };
        self.steps
            .push((step, Span::new(open.start as usize, self.cursor.at)));
        Ok(Expression::Step(step))
    }

    fn content(&mut self, form: &str) -> Result<On, Problem> {
        let span = self.cursor.next_span();
        let word = &self.cursor.text[span.range()];
        let read: Option<Vec<On>> = word.bytes().map(On::of_letter).collect();
        match read.as_deref() {
            Some(&[on]) => {
                self.cursor.at = span.end as usize;
                Ok(on)
            }
            Some([_, _, ..]) => {
                let problem = Problem::new(STEP, span, "a step has one content");
                Err(problem.help("join two steps with `+`, one for each content"))
            }
            _ => {
                let problem = self.cursor.problem(STEP, "`e`, `p` or `w`");
                Err(problem.help(format!("{form}: e empty, p opponent, w own")))
            }
        }
    }

    /// Steps that leave the board from everywhere.
    fn warn_of_steps(&mut self) {
        let (width, height) = (i16::from(self.rules.width), i16::from(self.rules.height));
        if width == 0 {
            return;
        }
        let leaves = |step: Step| step.dx.abs() >= width || step.dy.abs() >= height;
        let found = self.steps.iter().filter(|(step, _)| leaves(*step));
        let found = found.map(|(step, span)| {
            Problem::new(
                IDLE_STEP,
                *span,
                format!("{step} leaves the board from every square"),
            )
        });
        self.problems.extend(found);
    }

    /// What can be played, but is probably not meant.
    fn warn(&mut self) {
        let rules = &self.rules;
        let mut found = Vec::new();
        for (letter, span) in &self.first_seen {
            let kind = letter.to_ascii_uppercase();
            let is_first =
                *letter == kind || rules.start.iter().all(|s| s.character() as u8 != kind);
            if rules.piece(kind).is_none() && is_first {
                let message = format!("no rule moves {}", char::from(kind));
                found.push(Problem::new(NO_RULE, *span, message));
            }
        }
        let kinds: Vec<u8> = rules
            .start
            .iter()
            .filter_map(|standing| standing.kind())
            .collect();
        for piece in &rules.pieces {
            let name = char::from(piece.letter);
            if !kinds.contains(&piece.letter) {
                let message = format!("no {name} is on the board, so this rule has no effect");
                found.push(Problem::new(UNUSED_RULE, piece.span, message));
            }
            if piece.moves.accepts_nothing() {
                let message = format!("{name} may stay where it is, which is a pass");
                found.push(Problem::new(PASS, piece.span, message));
            }
        }
        for (goal, span) in rules.goals.iter().zip(&self.goal_spans) {
            let letter = goal.letter();
            let standing = rules.start.iter().filter(|s| s.character() as u8 == letter);
            let there = standing.count() as u64;
            let name = char::from(letter);
            let message = match goal {
                Goal::Reach { .. } if there > 0 => continue,
                Goal::Reach { .. } => format!("no {name} is on the board"),
                Goal::Fall { count, .. } if u64::from(*count) < there => continue,
                Goal::Fall { count, .. } => {
                    format!("there are {there} {name} at the start, which cannot fall to {count}")
                }
            };
            found.push(Problem::new(
                IDLE_GOAL,
                *span,
                format!("{message}: this goal never comes about"),
            ));
        }
        self.problems.extend(found);
    }
}
