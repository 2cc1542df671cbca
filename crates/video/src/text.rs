//! States as fluents: a line for each sprite, and what has one value.
//!
//! A sprite is `(sprite TYPE PLACE X Y W H ...)`, its place being that among the sprites of its
//! type. Sprites that never change are part of the rules and not listed. What chasers by paths
//! remember is not written: in a state that was read they look for targets anew.

use paidia_game::UnknownFluent;

use crate::kind::TypeId;
use crate::level::Level;
use crate::state::{Extras, FARTHEST, NONE, Sprite, State, Stock, Timer, flag};

const ORIENTATIONS: [&str; 6] = ["none", "up", "left", "down", "right", "away"];

/// The name of a type in fluents: its own if that is a plain word.
pub(crate) fn label(level: &Level, kind: TypeId) -> String {
    let name = &level.game.types[usize::from(kind)].name;
    let plain = name
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
    if plain {
        name.clone()
    } else {
        format!("type%{kind}")
    }
}

/// The fluents of a state, sorted.
pub(crate) fn write(level: &Level, state: &State) -> Vec<String> {
    let head = &state.head;
    let mut all = vec![
        format!("(tick {})", head.tick),
        format!("(score {})", head.score),
        format!("(winner {})", head.win),
    ];
    if head.ended {
        all.push("over".to_owned());
    }
    for kind in 0..level.kinds.len() as TypeId {
        let name = label(level, kind);
        for (place, &slot) in state.group(kind).iter().enumerate() {
            all.push(sprite(level, state, slot, &format!("{name} {place}")));
            if slot == head.avatar {
                all.push(format!("(avatar {name} {place})"));
            }
            for stock in state
                .extras
                .stocks
                .iter()
                .filter(|stock| stock.slot == slot)
            {
                let resource = label(level, stock.resource);
                all.push(format!(
                    "(holds {name} {place} {resource} {})",
                    stock.amount
                ));
            }
        }
    }
    for (place, timer) in state.extras.timers.iter().enumerate() {
        let repeating = i32::from(timer.repeating);
        all.push(format!(
            "(timer {place} {} {} {} {repeating} {})",
            timer.due, timer.effect, timer.wait, timer.kind
        ));
    }
    for (place, count) in state.extras.counters.iter().enumerate() {
        all.push(format!("(counter {place} {count})"));
    }
    all.sort();
    all
}

/// What a player sees, as facts for pictures: on each cell the uppermost sprite, the score, the
/// tick, and what the avatar has.
pub(crate) fn show(level: &Level, state: &State) -> Vec<String> {
    let (columns, rows) = level.size();
    let mut cells: Vec<Option<TypeId>> = vec![None; (columns * rows) as usize];
    for &kind in &level.game.order {
        for sprite in state.sprites_of(level, kind) {
            let half = level.block() / 2;
            let (x, y) = (sprite.place.0 + half, sprite.place.1 + half);
            let (column, row) = (x.div_euclid(level.block()), y.div_euclid(level.block()));
            let inside = (0..columns).contains(&column) && (0..rows).contains(&row);
            if inside && !sprite.disabled && !level.game.types[usize::from(kind)].is_hidden() {
                cells[(row * columns + column) as usize] = Some(kind);
            }
        }
    }
    let mut all: Vec<String> = Vec::new();
    for (place, kind) in cells.iter().enumerate() {
        if let Some(kind) = kind {
            let (column, row) = (place as i32 % columns, place as i32 / columns);
            all.push(format!("(cell {column} {row} {})", label(level, *kind)));
        }
    }
    all.push(format!("(score {})", state.score()));
    all.push(format!("(tick {})", state.tick()));
    if let Some(avatar) = state.avatar_view(level) {
        for (kind, amount) in state.resources(&avatar) {
            all.push(format!("(has {} {amount})", label(level, kind)));
        }
        if avatar.health.0 > 0 {
            all.push(format!("(health {})", avatar.health.0));
        }
    }
    match state.win() {
        1 => all.push("(result won)".to_owned()),
        0 => all.push("(result lost)".to_owned()),
        _ => {}
    }
    all
}

fn sprite(level: &Level, state: &State, slot: u16, name: &str) -> String {
    let sprite = state.sprite(level, slot);
    let orientation = match ORIENTATIONS.get(usize::from(sprite.orientation)) {
        Some(word) => (*word).to_owned(),
        None => {
            let (x, y) = state.vector(sprite.orientation);
            format!("{}:{}", x.to_bits(), y.to_bits())
        }
    };
    let speed = state
        .own_speed(sprite)
        .map_or("own".to_owned(), |speed| speed.to_bits().to_string());
    let wait = (state.head.tick - sprite.stamp).min(FARTHEST);
    format!(
        "(sprite {name} {} {} {} {} {} {} {} {} {wait} {} {} {} {} {} {} {orientation} {speed})",
        sprite.x,
        sprite.y,
        sprite.w,
        sprite.h,
        sprite.last_x,
        sprite.last_y,
        sprite.last_w,
        sprite.last_h,
        sprite.a,
        sprite.b,
        sprite.health,
        sprite.max_health,
        sprite.time_to_live,
        sprite.flags & flag::TELLING,
    )
}

/// What was read so far.
struct Draft {
    state: State,
    sprites: Vec<(TypeId, usize, Sprite)>,
    avatar: Option<(TypeId, usize)>,
    stocks: Vec<(TypeId, usize, TypeId, i32)>,
    timers: Vec<(usize, Timer)>,
    counters: Vec<(usize, i32)>,
}

/// The state of fluents, in any order.
pub(crate) fn read(level: &Level, fluents: &[&str]) -> Result<State, UnknownFluent> {
    let mut state = level.start(0);
    state.sprites.clear();
    let cells = state.masks.len();
    let random = state.head.random;
    state = State::empty(
        level.kinds.len(),
        cells,
        level.pairs.len(),
        level.fixed.len(),
    );
    state.head.random = random;
    let mut draft = Draft {
        state,
        sprites: Vec::new(),
        avatar: None,
        stocks: Vec::new(),
        timers: Vec::new(),
        counters: Vec::new(),
    };
    for &text in fluents {
        let unknown = |because: &str| UnknownFluent {
            text: text.to_owned(),
            because: because.to_owned(),
        };
        let inner = text
            .strip_prefix('(')
            .and_then(|text| text.strip_suffix(')'));
        let words: Vec<&str> = inner.unwrap_or(text).split(' ').collect();
        draft
            .take(level, &words)
            .ok_or_else(|| unknown("it is not written as a fluent of this game"))?;
    }
    draft.finish(level).ok_or_else(|| UnknownFluent {
        text: "avatar".to_owned(),
        because: "the fluents name no avatar, or sprites that are not there".to_owned(),
    })
}

impl Draft {
    fn take(&mut self, level: &Level, words: &[&str]) -> Option<()> {
        let head = &mut self.state.head;
        match *words {
            ["over"] => head.ended = true,
            ["tick", tick] => {
                let tick = tick.parse().ok()?;
                if !(0..=crate::tick::LAST_TICK + 1).contains(&tick) {
                    return None;
                }
                head.tick = tick;
            }
            ["score", score] => head.score = score.parse().ok()?,
            ["winner", win] => {
                head.win = win.parse().ok().filter(|win| (-1..=1).contains(win))?;
            }
            ["avatar", name, place] => {
                self.avatar = Some((kind(level, name)?, place.parse().ok()?));
            }
            ["holds", name, place, resource, amount] => self.stocks.push((
                kind(level, name)?,
                place.parse().ok()?,
                kind(level, resource)?,
                amount.parse().ok()?,
            )),
            ["counter", place, count] => {
                self.counters
                    .push((place.parse().ok()?, count.parse().ok()?));
            }
            ["timer", place, due, effect, wait, repeating, kind] => {
                let timer = Timer {
                    due: due.parse().ok()?,
                    effect: effect.parse().ok()?,
                    wait: wait.parse().ok()?,
                    repeating: repeating == "1",
                    kind: kind.parse().ok()?,
                };
                let known = timer.kind == crate::kind::NO_TYPE
                    || usize::from(timer.kind) < level.kinds.len();
                if !known || usize::from(timer.effect) >= level.game.effects.len() {
                    return None;
                }
                self.timers.push((place.parse().ok()?, timer));
            }
            ["sprite", name, place, ref rest @ ..] => {
                let kind = kind(level, name)?;
                let sprite = self.sprite(kind, rest)?;
                self.sprites.push((kind, place.parse().ok()?, sprite));
            }
            _ => return None,
        }
        Some(())
    }

    fn sprite(&mut self, kind: TypeId, words: &[&str]) -> Option<Sprite> {
        let [
            x,
            y,
            w,
            h,
            last_x,
            last_y,
            last_w,
            last_h,
            wait,
            a,
            b,
            rest @ ..,
        ] = words
        else {
            return None;
        };
        let [health, most, live, flags, orientation, speed] = rest else {
            return None;
        };
        let near = |word: &&str| word.parse().ok().filter(|x: &i32| x.abs() <= FARTHEST);
        let orientation = match ORIENTATIONS.iter().position(|known| known == orientation) {
            Some(code) => code as u16,
            None => {
                let (x, y) = orientation.split_once(':')?;
                let bits = |word: &str| word.parse().ok().map(f64::from_bits);
                self.state.code((bits(x)?, bits(y)?))
            }
        };
        let speed = match *speed {
            "own" => 0,
            bits => self.state.speed_code(f64::from_bits(bits.parse().ok()?)),
        };
        Some(Sprite {
            x: near(x)?,
            y: near(y)?,
            w: w.parse().ok()?,
            h: h.parse().ok()?,
            last_x: near(last_x)?,
            last_y: near(last_y)?,
            last_w: last_w.parse().ok()?,
            last_h: last_h.parse().ok()?,
            // The waiting time, until the tick is known.
            stamp: near(wait)?,
            a: a.parse().ok()?,
            b: b.parse().ok().filter(|&b: &i32| b >= 0)?,
            health: health.parse().ok()?,
            max_health: most.parse().ok()?,
            time_to_live: live.parse().ok()?,
            flags: flags
                .parse()
                .ok()
                .filter(|flags: &u16| flags & !flag::TELLING == 0)?,
            kind,
            orientation,
            speed,
            ..Sprite::default()
        })
    }

    fn finish(mut self, level: &Level) -> Option<State> {
        self.sprites.sort_by_key(|(kind, place, _)| (*kind, *place));
        if self.sprites.len() > crate::level::MAX_SPRITES {
            return None;
        }
        let state = &mut self.state;
        for (_, _, mut sprite) in self.sprites {
            sprite.stamp = state.head.tick - sprite.stamp;
            sprite.id = state.head.next_id;
            state.head.next_id += 1;
            let slot = state.add(level, sprite)?;
            if sprite.rect() != sprite.last_rect() {
                state.note_moved(level, slot);
            }
        }
        let total = state.head.living + level.fixed.len() as u32;
        state.head.count = total as i32;
        // New sprites come after those of the level, whose numbers are lower.
        let base = level
            .fixed
            .iter()
            .map(|sprite| sprite.id + 1)
            .max()
            .unwrap_or(0);
        state.head.next_id = state.head.next_id.max(base);
        let (kind, place) = self.avatar?;
        state.head.avatar = *state.group(kind).get(place)?;
        state.head.disturbed = u64::MAX;
        state.head.disturbed_before = u64::MAX;
        self.timers.sort_by_key(|(place, _)| *place);
        self.counters.sort();
        let mut stocks = Vec::new();
        for (kind, place, resource, amount) in self.stocks {
            let slot = *state.group(kind).get(place)?;
            stocks.push(Stock {
                slot,
                resource,
                amount,
            });
        }
        stocks.sort();
        let numbers = std::mem::take(&mut state.extras.numbers);
        state.extras = Extras {
            timers: self.timers.into_iter().map(|(_, timer)| timer).collect(),
            counters: self.counters.into_iter().map(|(_, count)| count).collect(),
            stocks,
            numbers,
            ..Extras::default()
        };
        state.note_extras();
        debug_assert_ne!(state.head.avatar, NONE);
        Some(self.state)
    }
}

fn kind(level: &Level, name: &str) -> Option<TypeId> {
    if let Some(number) = name.strip_prefix("type%") {
        return number
            .parse()
            .ok()
            .filter(|&kind: &TypeId| usize::from(kind) < level.kinds.len());
    }
    let found = level.game.types.iter().position(|kind| kind.name == name);
    found.map(|place| place as TypeId)
}
