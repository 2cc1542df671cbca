//! What hosts say and players reply.
//!
//! A [`Message`] is read with [`str::parse`] and written with [`Display`](fmt::Display). Reading
//! takes keywords in any case, any white space and comments; moves, roles and percepts come out in
//! canonical form (`(mark 1 1)`), in the case in which they were sent. What a [`Reply`] means
//! depends on the message that it answers, since a move may be called `ready`. So hosts read it
//! with [`Message::read_reply`].

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use paidia_gdl::syntax::kif::{Expression, Expressions, NotExpressions};

/// The longest clock, in seconds: more than eleven days.
const LONGEST_CLOCK: f64 = 1e6;

/// What a host says to a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// Asks whether the player is there and free.
    Info,
    /// Shows rules before a match, which may or may not follow.
    Preview {
        /// The rules as they were written; they are written on one line without comments.
        rules: String,
        /// How long the player may look at them.
        clock: Duration,
    },
    /// Starts a match.
    Start(Start),
    /// Asks for a move.
    Play {
        /// The match.
        id: String,
        /// What happened since the last message.
        news: News,
    },
    /// Ends a match.
    Stop {
        /// The match.
        id: String,
        /// What happened since the last message.
        news: News,
    },
    /// Ends a match before its end.
    Abort {
        /// The match.
        id: String,
    },
}

/// Everything about a match that starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// The match.
    pub id: String,
    /// The role of the player that receives the message.
    pub role: String,
    /// The rules as they were written; they are written on one line without comments.
    pub rules: String,
    /// How long players may prepare.
    pub start_clock: Duration,
    /// How long players may think about a move.
    pub play_clock: Duration,
}

/// What happened since the last message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// Nothing: the match begins.
    Nothing,
    /// All moves in the order of the roles.
    Moves(Vec<String>),
    /// What a player of GDL-II is told.
    Percepts {
        /// How many joint moves were made.
        turn: u64,
        /// The player's own move; `None` at the beginning.
        own: Option<String>,
        /// What the player sees.
        percepts: Vec<String>,
    },
    /// News of rtGDL: moves, `nil` for roles that made none, or percepts, and the time.
    Timed {
        /// All moves in the order of the roles, or all percepts; none at the start and in the reply
        /// to an illegal move.
        parts: Option<Vec<String>>,
        /// The time of the game, as written.
        time: String,
    },
}

/// What a player replies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// To the rules: go on.
    Ready,
    /// The player has no time, or does not know the match.
    Busy,
    /// To the end of a match.
    Done,
    /// To the question for a move.
    Move(String),
    /// The answer to `info`.
    Info(Status),
    /// Something else, as it was written.
    Other(String),
}

/// What a player says about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// Its name, if it tells.
    pub name: Option<String>,
    /// `available`, `busy`, or something else.
    pub status: String,
    /// `alien` for programs, if it tells.
    pub species: Option<String>,
}

/// Why a text is no message, or no reply.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadMessage {
    /// The text cannot even be cut into lists.
    #[error(transparent)]
    Text(#[from] NotExpressions),
    /// Something else than one list that starts with a word.
    #[error("a message is one list, such as (INFO)")]
    NotAList,
    /// The protocol has no such message.
    #[error("there is no message `{0}`; there are INFO, PREVIEW, START, PLAY, STOP and ABORT")]
    Unknown(String),
    /// The message has other parts than it should have.
    #[error("this should look like {0}")]
    Form(&'static str),
    /// Something that is no clock where one is expected.
    #[error("`{0}` is not a clock: clocks are seconds from 0 to 1000000")]
    Clock(String),
    /// A reply without a move in it.
    #[error("there is no move in this reply")]
    NoMove,
}

const PREVIEW: &str = "(PREVIEW (RULE ...) CLOCK)";
const START: &str = "(START MATCH ROLE (RULE ...) STARTCLOCK PLAYCLOCK)";
const PLAY: &str = "(PLAY MATCH (MOVE ...)), (PLAY MATCH NIL), (PLAY MATCH TURN OWN-MOVE (PERCEPT ...)) or \
                    (PLAY MATCH (MOVE ...) TIME)";
const STOP: &str = "(STOP MATCH (MOVE ...)), (STOP MATCH NIL), (STOP MATCH TURN OWN-MOVE (PERCEPT ...)) or \
                    (STOP MATCH (MOVE ...) TIME)";
const ABORT: &str = "(ABORT MATCH)";

impl FromStr for Message {
    type Err = BadMessage;

    fn from_str(text: &str) -> Result<Self, BadMessage> {
        let all = Expressions::read(text)?;
        let mut all = all.iter();
        let (Some(only), None) = (all.next(), all.next()) else {
            return Err(BadMessage::NotAList);
        };
        let list: Vec<Expression<'_>> = match only.parts() {
            Some(parts) => parts.collect(),
            None => vec![only],
        };
        let Some((Some(keyword), parts)) =
            list.split_first().map(|(first, rest)| (first.word(), rest))
        else {
            return Err(BadMessage::NotAList);
        };
        match &*keyword.to_ascii_lowercase() {
            "info" => Ok(Message::Info),
            "preview" => preview(parts),
            "start" => start(parts).map(Message::Start),
            "play" => told(parts, PLAY).map(|(id, news)| Message::Play { id, news }),
            "stop" => told(parts, STOP).map(|(id, news)| Message::Stop { id, news }),
            "abort" => match parts {
                [id] => Ok(Message::Abort {
                    id: word(*id, ABORT)?,
                }),
                _ => Err(BadMessage::Form(ABORT)),
            },
            _ => Err(BadMessage::Unknown(keyword.chars().take(40).collect())),
        }
    }
}

fn preview(parts: &[Expression<'_>]) -> Result<Message, BadMessage> {
    let &[rules, given] = parts else {
        return Err(BadMessage::Form(PREVIEW));
    };
    Ok(Message::Preview {
        rules: rules.inside().ok_or(BadMessage::Form(PREVIEW))?.to_owned(),
        clock: clock(given, PREVIEW)?,
    })
}

/// Whatever follows the clocks is for players that know what it means.
fn start(parts: &[Expression<'_>]) -> Result<Start, BadMessage> {
    let &[id, role, rules, start_clock, play_clock, ..] = parts else {
        return Err(BadMessage::Form(START));
    };
    let form = || BadMessage::Form(START);
    Ok(Start {
        id: word(id, START)?,
        role: role.term().ok_or_else(form)?,
        rules: rules.inside().ok_or_else(form)?.to_owned(),
        start_clock: clock(start_clock, START)?,
        play_clock: clock(play_clock, START)?,
    })
}

/// The match and the news of `PLAY` and `STOP`.
fn told(parts: &[Expression<'_>], form: &'static str) -> Result<(String, News), BadMessage> {
    let Some((&id, parts)) = parts.split_first() else {
        return Err(BadMessage::Form(form));
    };
    let terms = |list: Expression<'_>| terms(list).ok_or(BadMessage::Form(form));
    let news = match *parts {
        [] => News::Nothing,
        [nothing] if is_nil(nothing) => News::Nothing,
        [moves] => News::Moves(terms(moves)?),
        [parts, time] => News::Timed {
            parts: match parts.word() {
                Some(_) if is_nil(parts) => None,
                _ => Some(terms(parts)?),
            },
            time: word(time, form)?,
        },
        [turn, own, percepts] => News::Percepts {
            turn: word(turn, form)?
                .parse()
                .map_err(|_| BadMessage::Form(form))?,
            own: (!is_nil(own))
                .then(|| own.term().ok_or(BadMessage::Form(form)))
                .transpose()?,
            percepts: terms(percepts)?,
        },
        _ => return Err(BadMessage::Form(form)),
    };
    Ok((word(id, form)?, news))
}

fn word(part: Expression<'_>, form: &'static str) -> Result<String, BadMessage> {
    let word = part.word().ok_or(BadMessage::Form(form))?;
    Ok(word.to_owned())
}

fn clock(part: Expression<'_>, form: &'static str) -> Result<Duration, BadMessage> {
    let word = word(part, form)?;
    let seconds = word.parse().ok();
    let seconds = seconds.filter(|seconds| (0.0..=LONGEST_CLOCK).contains(seconds));
    seconds
        .map(Duration::from_secs_f64)
        .ok_or(BadMessage::Clock(word))
}

/// Whether this is how nothing is written: `nil` in any case, or an empty list.
fn is_nil(part: Expression<'_>) -> bool {
    let is_empty = || part.parts().is_some_and(|mut parts| parts.next().is_none());
    part.word()
        .map_or_else(is_empty, |word| word.eq_ignore_ascii_case("nil"))
}

/// The terms of a list, or of nothing.
fn terms(list: Expression<'_>) -> Option<Vec<String>> {
    if is_nil(list) {
        return Some(Vec::new());
    }
    list.parts()?.map(Expression::term).collect()
}

impl Message {
    /// The match that the message is about, if it is about one.
    pub fn id(&self) -> Option<&str> {
        match self {
            Message::Info | Message::Preview { .. } => None,
            Message::Start(start) => Some(&start.id),
            Message::Play { id, .. } | Message::Stop { id, .. } | Message::Abort { id } => Some(id),
        }
    }

    /// Reads a reply to this message.
    ///
    /// A reply to `PLAY` is always a move, whatever it is called; the host knows which are legal.
    /// Some players put an explanation after it.
    ///
    /// # Errors
    /// If the text cannot be cut into lists, is empty, or has no move in it where one was asked
    /// for.
    pub fn read_reply(&self, text: &str) -> Result<Reply, BadMessage> {
        let all = Expressions::read(text)?;
        let first = all.iter().next().ok_or(BadMessage::NoMove)?;
        let other = || Reply::Other(text.trim().to_owned());
        Ok(match self {
            Message::Play { .. } => Reply::Move(chosen_move(first).ok_or(BadMessage::NoMove)?),
            Message::Info => Reply::Info(Status::read(first)),
            _ => match first.word().map(str::to_ascii_lowercase).as_deref() {
                Some("ready") => Reply::Ready,
                Some("busy") => Reply::Busy,
                Some("done") => Reply::Done,
                _ => other(),
            },
        })
    }
}

/// The move of a reply: the term itself, or the first of a list of a move, its explanation, and
/// perhaps a taunt.
fn chosen_move(reply: Expression<'_>) -> Option<String> {
    let explained = || reply.parts()?.next()?.term();
    reply.term().or_else(explained)
}

impl Status {
    /// What stands in lists such as `((name egghead) (status available))`, or in one word.
    fn read(reply: Expression<'_>) -> Self {
        let mut status = Self {
            name: None,
            status: reply.word().unwrap_or("available").to_ascii_lowercase(),
            species: None,
        };
        for mut pair in reply
            .parts()
            .into_iter()
            .flatten()
            .filter_map(Expression::parts)
        {
            let key = pair.next().and_then(Expression::word).unwrap_or_default();
            let words: Vec<&str> = pair.filter_map(Expression::word).collect();
            let value = words.join(" ");
            match &*key.to_ascii_lowercase() {
                "name" => status.name = Some(value),
                "status" => status.status = value.to_ascii_lowercase(),
                "species" => status.species = Some(value),
                _ => {}
            }
        }
        status
    }
}

impl fmt::Display for Message {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Message::Info => formatter.write_str("(INFO)"),
            Message::Preview { rules, clock } => {
                write!(formatter, "(PREVIEW ({}) {})", Flat(rules), Seconds(*clock))
            }
            Message::Start(start) => {
                let (id, role, rules) = (&start.id, &start.role, Flat(&start.rules));
                let (before, each) = (Seconds(start.start_clock), Seconds(start.play_clock));
                write!(formatter, "(START {id} {role} ({rules}) {before} {each})")
            }
            Message::Play { id, news } => write!(formatter, "(PLAY {id} {news})"),
            Message::Stop { id, news } => write!(formatter, "(STOP {id} {news})"),
            Message::Abort { id } => write!(formatter, "(ABORT {id})"),
        }
    }
}

impl fmt::Display for News {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            News::Nothing => formatter.write_str("NIL"),
            News::Moves(moves) => write!(formatter, "({})", moves.join(" ")),
            News::Percepts {
                turn,
                own: None,
                percepts,
            } if percepts.is_empty() => write!(formatter, "{turn} NIL NIL"),
            News::Percepts {
                turn,
                own,
                percepts,
            } => {
                let own = own.as_deref().unwrap_or("NIL");
                write!(formatter, "{turn} {own} ({})", percepts.join(" "))
            }
            News::Timed { parts: None, time } => write!(formatter, "nil {time}"),
            News::Timed {
                parts: Some(parts),
                time,
            } => write!(formatter, "({}) {time}", parts.join(" ")),
        }
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Ready => formatter.write_str("ready"),
            Reply::Busy => formatter.write_str("busy"),
            Reply::Done => formatter.write_str("done"),
            Reply::Move(text) | Reply::Other(text) => formatter.write_str(text),
            Reply::Info(status) => status.fmt(formatter),
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("(")?;
        if let Some(name) = &self.name {
            write!(formatter, "(name {}) ", one_word(name))?;
        }
        write!(formatter, "(status {})", one_word(&self.status))?;
        if let Some(species) = &self.species {
            write!(formatter, " (species {})", one_word(species))?;
        }
        formatter.write_str(")")
    }
}

/// The text as a KIF word: not every host can read names of several.
fn one_word(text: &str) -> String {
    let signs = |c: char| c.is_whitespace() || c.is_control() || "();\"".contains(c);
    text.trim().replace(signs, "_")
}

/// Rules on one line without comments; as they are, if their parentheses do not match.
struct Flat<'a>(&'a str);

impl fmt::Display for Flat<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match Expressions::read(self.0) {
            Ok(rules) => rules.fmt(formatter),
            Err(_) => formatter.write_str(self.0),
        }
    }
}

/// Whole seconds where they are whole: most hosts and players know no others.
struct Seconds(Duration);

impl fmt::Display for Seconds {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.subsec_nanos() {
            0 => self.0.as_secs().fmt(formatter),
            _ => self.0.as_secs_f64().fmt(formatter),
        }
    }
}
