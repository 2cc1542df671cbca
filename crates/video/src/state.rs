//! A state of a video game: a few flat arrays that a copy takes over whole.
//!
//! Sprites are records of 68 bytes in slots. `words` holds the spans of the groups by type, the
//! first slot of each cell's list, and the groups themselves, each in the order of creation. Which
//! types have a sprite at home in a cell is a bit in `masks`. What few games need (timers, stocks
//! of resources, odd numbers) is in `extras`, and copied only where there is some.
//!
//! Sprites that can never change stand in the level, not here. The slots below their number are
//! theirs.

use std::hash::{Hash, Hasher};

use crate::kind::TypeId;
use crate::level::Level;
use crate::random::Random;

/// No slot: the end of a list, or no avatar.
pub(crate) const NONE: u16 = u16::MAX;
/// Coordinates stay below this, so that sums of them never overflow.
pub(crate) const FARTHEST: i32 = 1 << 28;

/// Marks of a sprite.
pub(crate) mod flag {
    pub(crate) const ORIENTED: u16 = 1;
    pub(crate) const DISABLED: u16 = 2;
    pub(crate) const FROM_AVATAR: u16 = 4;
    /// No turn was had yet.
    pub(crate) const FRESH: u16 = 8;
    /// On the kill list.
    pub(crate) const KILLED: u16 = 16;
    /// On the list of those whose last rectangle may differ from the present one.
    pub(crate) const MOVED: u16 = 32;
    /// Not exactly one block on the grid.
    pub(crate) const ASKEW: u16 = 64;
    /// The marks that tell states apart.
    pub(crate) const TELLING: u16 = ORIENTED | DISABLED | FROM_AVATAR | FRESH;
}

/// A sprite. `a` and `b` belong to the class: an age, a counter, a direction.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sprite {
    pub(crate) x: i32,
    pub(crate) y: i32,
    pub(crate) last_x: i32,
    pub(crate) last_y: i32,
    pub(crate) w: i16,
    pub(crate) h: i16,
    pub(crate) last_w: i16,
    pub(crate) last_h: i16,
    pub(crate) id: u32,
    /// The turn of the last move; for sprites without turns, the turns since then.
    pub(crate) stamp: i32,
    pub(crate) a: i32,
    pub(crate) b: i32,
    pub(crate) health: i32,
    pub(crate) max_health: i32,
    pub(crate) time_to_live: i32,
    pub(crate) kind: TypeId,
    pub(crate) flags: u16,
    /// A code of an orientation: 0 none, 1 up, 2 left, 3 down, 4 right, 5 NIL, others in a table.
    pub(crate) orientation: u16,
    /// 0 for the speed of the type, else one more than a place in the table.
    pub(crate) speed: u16,
    pub(crate) next: u16,
    pub(crate) cell: u16,
    /// The turn in which the sprite last changed its place or appeared.
    pub(crate) touched: u16,
}

impl Sprite {
    #[inline]
    pub(crate) fn is(&self, mark: u16) -> bool {
        self.flags & mark != 0
    }

    /// Whether two sprites overlap in an area. (M-1)
    #[inline]
    pub(crate) fn intersects(&self, other: &Sprite) -> bool {
        self.x < other.x + i32::from(other.w)
            && other.x < self.x + i32::from(self.w)
            && self.y < other.y + i32::from(other.h)
            && other.y < self.y + i32::from(self.h)
            && self.w > 0
            && self.h > 0
            && other.w > 0
            && other.h > 0
    }

    /// The rectangle now.
    #[inline]
    pub(crate) fn rect(&self) -> Rect {
        Rect {
            x: self.x,
            y: self.y,
            w: self.w,
            h: self.h,
        }
    }

    /// The rectangle at the start of the tick.
    #[inline]
    pub(crate) fn last_rect(&self) -> Rect {
        Rect {
            x: self.last_x,
            y: self.last_y,
            w: self.last_w,
            h: self.last_h,
        }
    }
}

/// A rectangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Rect {
    pub(crate) x: i32,
    pub(crate) y: i32,
    pub(crate) w: i16,
    pub(crate) h: i16,
}

impl Rect {
    pub(crate) fn intersects(self, other: Rect) -> bool {
        self.x < other.x + i32::from(other.w)
            && other.x < self.x + i32::from(self.w)
            && self.y < other.y + i32::from(other.h)
            && other.y < self.y + i32::from(self.h)
            && self.w > 0
            && self.h > 0
            && other.w > 0
            && other.h > 0
    }
}

/// What has one value in a state.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Head {
    pub(crate) random: Random,
    /// The tick that is played next.
    pub(crate) tick: i32,
    pub(crate) score: i64,
    pub(crate) win: i8,
    pub(crate) ended: bool,
    /// Whether a limit was met, which ends the game.
    pub(crate) fault: Option<Fault>,
    pub(crate) avatar: u16,
    pub(crate) next_id: u32,
    /// Sprites as the original counts them for its limit. (C-7)
    pub(crate) count: i32,
    /// The first free slot.
    pub(crate) free: u16,
    pub(crate) living: u32,
    /// Slots below this belong to the level.
    pub(crate) base: u16,
    pub(crate) types: u16,
    /// Sprites that are not one block on the grid.
    pub(crate) askew: u32,
    /// Types of which a sprite moved or appeared, in this tick and in the last.
    pub(crate) disturbed: u64,
    pub(crate) disturbed_before: u64,
    /// Types that have sprites, those of the level aside; with more than 64 types, perhaps more.
    pub(crate) present: u64,
    /// Counts changes of places and sizes.
    pub(crate) epoch: u32,
    /// Types that leave a trail of which a sprite was made. (FM-5)
    pub(crate) trailed: u64,
    pub(crate) has_extras: bool,
}

/// A limit that a game ran into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Fault {
    /// More sprites than slots.
    #[error("more than {} sprites at once", crate::level::MAX_SPRITES)]
    Sprites,
    /// One tick took too many steps.
    #[error("one tick took more than {} steps", crate::tick::MAX_WORK)]
    Work,
    /// The avatar was taken out of the game.
    #[error("an effect removed the avatar's sprite, after which nothing can be played")]
    Avatar,
}

/// What few games have.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Extras {
    pub(crate) timers: Vec<Timer>,
    pub(crate) stocks: Vec<Stock>,
    /// Bits of pairs of numbers: orientations beyond the usual, and speeds.
    pub(crate) numbers: Vec<(u64, u64)>,
    pub(crate) memories: Vec<Memory>,
    pub(crate) counters: Vec<i32>,
    /// Effects whose score does not apply at present; only some have such a memory.
    pub(crate) silent: Vec<u16>,
    /// What spawners make now, where an effect has changed it.
    pub(crate) spawns: Vec<(u16, TypeId, TypeId)>,
}

impl Extras {
    fn is_empty(&self) -> bool {
        self.timers.is_empty()
            && self.stocks.is_empty()
            && self.numbers.is_empty()
            && self.memories.is_empty()
            && self.counters.is_empty()
            && self.silent.is_empty()
            && self.spawns.is_empty()
    }

    fn copy(&mut self, other: &Self) {
        self.timers.clone_from(&other.timers);
        self.stocks.clone_from(&other.stocks);
        self.numbers.clone_from(&other.numbers);
        self.memories.clone_from(&other.memories);
        self.counters.clone_from(&other.counters);
        self.silent.clone_from(&other.silent);
        self.spawns.clone_from(&other.spawns);
    }
}

/// An effect that runs later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Timer {
    pub(crate) due: i32,
    pub(crate) effect: u16,
    pub(crate) wait: i32,
    pub(crate) repeating: bool,
    /// The type whose sprites it acts on, or none.
    pub(crate) kind: TypeId,
}

/// How much of a resource a sprite has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Stock {
    pub(crate) slot: u16,
    pub(crate) resource: TypeId,
    pub(crate) amount: i32,
}

/// What a chaser by paths remembers. (N-7)
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Memory {
    pub(crate) slot: u16,
    /// The sprite it is after; none once that is gone and only its place is known.
    pub(crate) target: u16,
    pub(crate) has_target: bool,
    pub(crate) place: (i32, i32, i16, i16),
    pub(crate) known: Option<(i32, i32)>,
    /// Whether the first of the list of targets is there.
    pub(crate) listed: bool,
}

/// A state of a game with one level.
///
/// Two states are equal if the same sprites stand in the same order within their types, and all
/// else is the same; numbers of sprites and what chance will draw play no part.
#[derive(Debug, Default)]
pub struct State {
    pub(crate) head: Head,
    pub(crate) sprites: Vec<Sprite>,
    pub(crate) words: Vec<u16>,
    pub(crate) masks: Vec<u64>,
    /// Slots of sprites with another last rectangle.
    pub(crate) moved: Vec<u16>,
    /// Slots of sprites that changed their place or appeared in this turn or the last.
    pub(crate) touched: Vec<u16>,
    /// Pairs that had nothing to do when they were last looked at, a bit each.
    pub(crate) quiet: Vec<u64>,
    pub(crate) extras: Extras,
}

impl Clone for State {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.copy(self);
        copy
    }

    fn clone_from(&mut self, other: &Self) {
        self.copy(other);
    }
}

/// Words of a span: where a group starts, how long it is, how much room it has.
const SPAN: usize = 3;

/// The bit of a type in masks.
#[inline]
pub(crate) fn bit(kind: TypeId) -> u64 {
    1 << (kind % 64)
}

impl State {
    /// Becomes the other state; nothing is allocated once there is room.
    #[inline]
    pub fn copy(&mut self, other: &State) {
        if self.head.has_extras || other.head.has_extras {
            self.extras.copy(&other.extras);
        }
        self.head = other.head;
        self.sprites.clone_from(&other.sprites);
        self.words.clone_from(&other.words);
        self.masks.clone_from(&other.masks);
        self.moved.clone_from(&other.moved);
        self.touched.clone_from(&other.touched);
        self.quiet.clone_from(&other.quiet);
    }

    /// An empty state with room for the groups and cells of a level.
    pub(crate) fn empty(types: usize, cells: usize, pairs: usize, base: usize) -> Self {
        let mut words = vec![0; SPAN * types + cells];
        words[SPAN * types..].fill(NONE);
        let start = words.len() as u16;
        for kind in 0..types {
            words[SPAN * kind] = start;
        }
        let head = Head {
            win: -1,
            avatar: NONE,
            free: NONE,
            base: base as u16,
            types: types as u16,
            ..Head::default()
        };
        Self {
            head,
            words,
            masks: vec![0; cells],
            quiet: vec![0; pairs.div_ceil(64)],
            ..Self::default()
        }
    }

    /// The turn that is being played, counted from 1.
    #[inline]
    pub(crate) fn turn(&self) -> u16 {
        self.head.tick as u16 + 1
    }

    /// The tick that is played next.
    pub fn tick(&self) -> i32 {
        self.head.tick
    }

    /// The score.
    pub fn score(&self) -> i64 {
        self.head.score
    }

    /// Won (1), lost (0) or neither (-1).
    pub fn win(&self) -> i8 {
        self.head.win
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.head.ended
    }

    /// The limit that the game ran into, if it did.
    pub fn fault(&self) -> Option<Fault> {
        self.head.fault
    }

    /// The state of the generator.
    pub fn random(&self) -> Random {
        self.head.random
    }

    /// Starts the generator again.
    pub fn set_random(&mut self, random: Random) {
        self.head.random = random;
    }

    /// Whether an avatar is alive.
    pub fn is_alive(&self, level: &Level) -> bool {
        self.avatar(level)
            .is_some_and(|avatar| !avatar.is(flag::DISABLED))
    }

    pub(crate) fn avatar<'a>(&'a self, level: &'a Level) -> Option<&'a Sprite> {
        match self.head.avatar {
            NONE => None,
            slot => Some(self.sprite(level, slot)),
        }
    }

    #[inline]
    pub(crate) fn sprite<'a>(&'a self, level: &'a Level, slot: u16) -> &'a Sprite {
        let slot = usize::from(slot);
        match slot.checked_sub(level.fixed.len()) {
            Some(own) => &self.sprites[own],
            None => &level.fixed[slot],
        }
    }

    /// The sprite to change. Those of the level never are: what may change is never put there.
    #[inline]
    pub(crate) fn sprite_mut(&mut self, level: &Level, slot: u16) -> &mut Sprite {
        &mut self.sprites[usize::from(slot) - level.fixed.len()]
    }

    /// The slots of a type's sprites in the order of creation, those of the level aside.
    #[inline]
    pub(crate) fn group(&self, kind: TypeId) -> &[u16] {
        let span = SPAN * usize::from(kind);
        let start = usize::from(self.words[span]);
        &self.words[start..start + usize::from(self.words[span + 1])]
    }

    #[inline]
    pub(crate) fn group_len(&self, kind: TypeId) -> usize {
        usize::from(self.words[SPAN * usize::from(kind) + 1])
    }

    /// The slot of the sprite at a place in a group.
    #[inline]
    pub(crate) fn member(&self, kind: TypeId, place: usize) -> u16 {
        self.words[usize::from(self.words[SPAN * usize::from(kind)]) + place]
    }

    /// Sprites of a type, those of the level included.
    #[inline]
    pub(crate) fn count(&self, level: &Level, kind: TypeId) -> usize {
        self.group_len(kind) + level.fixed_group(kind).len()
    }

    #[inline]
    pub(crate) fn cell_head(&self, level: &Level, cell: usize) -> u16 {
        self.words[level.cells_at + cell]
    }

    /// Puts a sprite into its group, its cell, and a slot; the slot.
    pub(crate) fn add(&mut self, level: &Level, mut sprite: Sprite) -> Option<u16> {
        let base = level.fixed.len();
        let slot = match self.head.free {
            NONE if base + self.sprites.len() >= usize::from(NONE) => return None,
            NONE => {
                self.sprites.push(sprite);
                (base + self.sprites.len() - 1) as u16
            }
            free => {
                self.head.free = self.sprites[usize::from(free) - base].next;
                free
            }
        };
        let (cell, askew) = level.home(sprite.rect());
        sprite.flags &= !flag::ASKEW;
        if askew {
            sprite.flags |= flag::ASKEW;
            self.head.askew += 1;
        }
        sprite.cell = cell;
        self.head.living += 1;
        sprite.touched = self.turn();
        self.head.disturbed |= bit(sprite.kind);
        self.head.present |= bit(sprite.kind);
        self.head.epoch = self.head.epoch.wrapping_add(1);
        let kind = sprite.kind;
        self.sprites[usize::from(slot) - base] = sprite;
        self.touched.push(slot);
        self.link(level, slot);
        self.push_member(level, kind, slot);
        Some(slot)
    }

    /// Takes a sprite out of the game.
    pub(crate) fn remove(&mut self, level: &Level, slot: u16) {
        self.unlink(level, slot);
        let own = usize::from(slot) - level.fixed.len();
        let sprite = &mut self.sprites[own];
        let (kind, id) = (sprite.kind, sprite.id);
        if sprite.is(flag::ASKEW) {
            self.head.askew -= 1;
        }
        sprite.flags = 0;
        sprite.touched = 0;
        sprite.next = self.head.free;
        self.head.free = slot;
        self.head.living -= 1;
        let span = SPAN * usize::from(kind);
        let start = usize::from(self.words[span]);
        let len = usize::from(self.words[span + 1]);
        let (sprites, base) = (&self.sprites, level.fixed.len());
        let group = &self.words[start..start + len];
        // The record of the removed sprite still has its number, so the order is whole.
        let place = group.partition_point(|&other| sprites[usize::from(other) - base].id < id);
        debug_assert_eq!(group[place], slot, "a group is in the order of creation");
        self.words
            .copy_within(start + place + 1..start + len, start + place);
        self.words[span + 1] -= 1;
        if len == 1 && self.head.types <= 64 {
            self.head.present &= !bit(kind);
        }
        if self.head.has_extras {
            self.extras.stocks.retain(|stock| stock.slot != slot);
            self.extras.memories.retain(|memory| memory.slot != slot);
            self.extras.spawns.retain(|spawn| spawn.0 != slot);
        }
    }

    fn push_member(&mut self, level: &Level, kind: TypeId, slot: u16) {
        let span = SPAN * usize::from(kind);
        let (start, len, room) = (
            usize::from(self.words[span]),
            usize::from(self.words[span + 1]),
            usize::from(self.words[span + 2]),
        );
        if len == room {
            self.widen(level, kind, start + room, (room / 2).max(4));
        }
        self.words[start + len] = slot;
        self.words[span + 1] += 1;
    }

    /// Makes room at the end of a group; the groups behind it move.
    #[cold]
    fn widen(&mut self, level: &Level, kind: TypeId, end: usize, more: usize) {
        let old = self.words.len();
        self.words.resize(old + more, 0);
        self.words.copy_within(end..old, end + more);
        self.words[SPAN * usize::from(kind) + 2] += more as u16;
        for other in usize::from(kind) + 1..level.kinds.len() {
            self.words[SPAN * other] += more as u16;
        }
    }

    fn link(&mut self, level: &Level, slot: u16) {
        let sprite = &mut self.sprites[usize::from(slot) - level.fixed.len()];
        let cell = usize::from(sprite.cell);
        let head = &mut self.words[level.cells_at + cell];
        sprite.next = *head;
        *head = slot;
        self.masks[cell] |= bit(sprite.kind);
    }

    fn unlink(&mut self, level: &Level, slot: u16) {
        let base = level.fixed.len();
        let own = usize::from(slot) - base;
        let cell = usize::from(self.sprites[own].cell);
        let next = self.sprites[own].next;
        let mut mask = 0;
        let mut at = self.words[level.cells_at + cell];
        if at == slot {
            self.words[level.cells_at + cell] = next;
            at = next;
        }
        while at != NONE {
            let other = &mut self.sprites[usize::from(at) - base];
            mask |= bit(other.kind);
            if other.next == slot {
                other.next = next;
            }
            at = other.next;
        }
        self.masks[cell] = mask;
    }

    /// Gives a sprite another place and size.
    #[inline]
    pub(crate) fn place(&mut self, level: &Level, slot: u16, rect: Rect) {
        let own = usize::from(slot) - level.fixed.len();
        let sprite = &mut self.sprites[own];
        if sprite.rect() == rect {
            return;
        }
        sprite.x = rect.x.clamp(-FARTHEST, FARTHEST);
        sprite.y = rect.y.clamp(-FARTHEST, FARTHEST);
        sprite.w = rect.w;
        sprite.h = rect.h;
        if !sprite.is(flag::MOVED) {
            sprite.flags |= flag::MOVED;
            self.moved.push(slot);
        }
        let turn = self.head.tick as u16 + 1;
        if sprite.touched != turn {
            sprite.touched = turn;
            self.touched.push(slot);
        }
        self.head.disturbed |= bit(sprite.kind);
        self.head.epoch = self.head.epoch.wrapping_add(1);
        let (cell, askew) = level.home(sprite.rect());
        if askew != sprite.is(flag::ASKEW) {
            sprite.flags ^= flag::ASKEW;
            self.head.askew = if askew {
                self.head.askew + 1
            } else {
                self.head.askew - 1
            };
        }
        if cell != sprite.cell {
            self.unlink(level, slot);
            self.sprites[own].cell = cell;
            self.link(level, slot);
        }
    }

    /// Notes that the last rectangle of a sprite is not its present one.
    pub(crate) fn note_moved(&mut self, level: &Level, slot: u16) {
        let sprite = self.sprite_mut(level, slot);
        if !sprite.is(flag::MOVED) {
            sprite.flags |= flag::MOVED;
            self.moved.push(slot);
        }
    }

    /// Says again whether there is anything beyond the usual.
    pub(crate) fn note_extras(&mut self) {
        self.head.has_extras = !self.extras.is_empty();
    }

    /// The numbers of an orientation.
    #[inline]
    pub(crate) fn vector(&self, code: u16) -> (f64, f64) {
        match code {
            0 => (0.0, 0.0),
            1 => (0.0, -1.0),
            2 => (-1.0, 0.0),
            3 => (0.0, 1.0),
            4 => (1.0, 0.0),
            5 => (-1.0, -1.0),
            other => {
                let (x, y) = self.extras.numbers[usize::from(other) - 6];
                (f64::from_bits(x), f64::from_bits(y))
            }
        }
    }

    /// The code of an orientation; -0 counts as 0.
    pub(crate) fn code(&mut self, vector: (f64, f64)) -> u16 {
        match vector {
            (0.0, 0.0) => 0,
            (0.0, -1.0) => 1,
            (-1.0, 0.0) => 2,
            (0.0, 1.0) => 3,
            (1.0, 0.0) => 4,
            (-1.0, -1.0) => 5,
            (x, y) => 6 + self.number((x + 0.0).to_bits(), (y + 0.0).to_bits()),
        }
    }

    /// A speed, if it is not that of the type.
    #[inline]
    pub(crate) fn own_speed(&self, sprite: &Sprite) -> Option<f64> {
        let place = usize::from(sprite.speed).checked_sub(1)?;
        Some(f64::from_bits(self.extras.numbers[place].0))
    }

    pub(crate) fn speed_code(&mut self, speed: f64) -> u16 {
        1 + self.number((speed + 0.0).to_bits(), u64::MAX)
    }

    fn number(&mut self, x: u64, y: u64) -> u16 {
        let numbers = &mut self.extras.numbers;
        if let Some(place) = numbers.iter().position(|&other| other == (x, y)) {
            return place as u16;
        }
        if numbers.len() >= MAX_NUMBERS {
            self.collect_numbers();
        }
        self.extras.numbers.push((x, y));
        self.head.has_extras = true;
        (self.extras.numbers.len() - 1) as u16
    }

    /// Drops numbers that no sprite has any more.
    #[cold]
    fn collect_numbers(&mut self) {
        let old = std::mem::take(&mut self.extras.numbers);
        let mut places = vec![NONE; old.len()];
        let mut kept = Vec::new();
        let mut keep = |place: usize| {
            if places[place] == NONE {
                places[place] = kept.len() as u16;
                kept.push(old[place]);
            }
            places[place]
        };
        for sprite in &mut self.sprites {
            if sprite.orientation >= 6 {
                sprite.orientation = 6 + keep(usize::from(sprite.orientation) - 6);
            }
            if sprite.speed > 0 {
                sprite.speed = 1 + keep(usize::from(sprite.speed) - 1);
            }
        }
        self.extras.numbers = kept;
    }

    /// How much a sprite has of a resource, if it ever had any.
    pub(crate) fn stock(&self, slot: u16, resource: TypeId) -> Option<i32> {
        let stocks = &self.extras.stocks;
        let found = stocks
            .iter()
            .find(|stock| stock.slot == slot && stock.resource == resource);
        found.map(|stock| stock.amount)
    }

    /// Adds to a stock, which never falls below 0.
    pub(crate) fn give(&mut self, slot: u16, resource: TypeId, more: i32) {
        let stocks = &mut self.extras.stocks;
        let key = (slot, resource);
        match stocks.binary_search_by_key(&key, |stock| (stock.slot, stock.resource)) {
            Ok(place) => {
                let amount = &mut stocks[place].amount;
                *amount = amount.saturating_add(more).max(0);
            }
            Err(place) => {
                let stock = Stock {
                    slot,
                    resource,
                    amount: more.max(0),
                };
                stocks.insert(place, stock);
                self.head.has_extras = true;
            }
        }
    }

    /// Living sprites by type in their order, as all that tells states apart.
    fn telling(&self) -> impl Iterator<Item = Telling> + '_ {
        let base = usize::from(self.head.base);
        let turn = self.head.tick;
        let kinds = 0..usize::from(self.head.types);
        kinds.flat_map(move |kind| {
            let group = self.group(kind as TypeId).iter();
            group.map(move |&slot| {
                let sprite = &self.sprites[usize::from(slot) - base];
                let (x, y) = self.vector(sprite.orientation);
                Telling {
                    rect: sprite.rect(),
                    last: sprite.last_rect(),
                    numbers: [
                        i32::from(sprite.kind),
                        (turn - sprite.stamp).min(FARTHEST),
                        sprite.a,
                        sprite.b,
                        sprite.health,
                        sprite.max_health,
                        sprite.time_to_live,
                        i32::from(sprite.flags & flag::TELLING),
                    ],
                    bits: [
                        x.to_bits(),
                        y.to_bits(),
                        self.own_speed(sprite).map_or(0, f64::to_bits),
                    ],
                }
            })
        })
    }

    /// What sprites hold, by their place among all.
    fn holdings(&self) -> impl Iterator<Item = (usize, TypeId, i32)> + '_ {
        let kinds = 0..usize::from(self.head.types);
        let slots = kinds.flat_map(move |kind| self.group(kind as TypeId).iter().copied());
        let stocks = &self.extras.stocks;
        let wanted = if stocks.is_empty() { 0 } else { usize::MAX };
        slots
            .take(wanted)
            .enumerate()
            .flat_map(move |(place, slot)| {
                let own = stocks.iter().filter(move |stock| stock.slot == slot);
                own.map(move |stock| (place, stock.resource, stock.amount))
            })
    }
}

/// All of a sprite that tells states apart: its number and its slot do not.
#[derive(PartialEq, Eq, Hash)]
struct Telling {
    rect: Rect,
    last: Rect,
    numbers: [i32; 8],
    bits: [u64; 3],
}

/// Odd numbers at once; more than sprites can have two each of.
const MAX_NUMBERS: usize = 30_000;

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.head.tick == other.head.tick
            && self.head.score == other.head.score
            && self.head.win == other.head.win
            && self.head.living == other.head.living
            && self.telling().eq(other.telling())
            && self.holdings().eq(other.holdings())
            && self.extras.timers == other.extras.timers
            && self.extras.counters == other.extras.counters
    }
}

impl Eq for State {}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.head.tick.hash(hasher);
        self.head.score.hash(hasher);
        self.head.win.hash(hasher);
        for part in self.telling() {
            part.hash(hasher);
        }
    }
}
