//! A state of a video game: a few flat arrays that a copy takes over whole.
//!
//! Sprites are records of 68 bytes in slots. `words` holds the spans of the groups by type, the
//! first slot of each cell's list, and the groups themselves, each in the order of creation. Which
//! types have a sprite at home in a cell is a bit in `masks`. What few games need (timers, stocks
//! of resources, odd numbers) is in `extras`, and copied only where there is some.
//!
//! Sprites that can never change stand in the level, not here. The slots below their number are
//! theirs.

mod equal;
mod extras;
mod numbers;
mod sprite;

use crate::kind::TypeId;
use crate::level::Level;
use crate::random::Random;
pub(crate) use extras::{Extras, Memory, Stock, Timer};
pub(crate) use sprite::{Rect, Sprite, flag};

/// No slot: the end of a list, or no avatar.
pub(crate) const NONE: u16 = u16::MAX;
/// Coordinates stay below this, so that sums of them never overflow.
pub(crate) const FARTHEST: i32 = 1 << 28;

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

    /// Bytes that a copy takes, about.
    pub(crate) fn bytes(&self) -> usize {
        let extras = if self.head.has_extras { 1_000 } else { 0 };
        std::mem::size_of::<Self>()
            + std::mem::size_of_val(self.sprites.as_slice())
            + 2 * (self.words.len() + self.moved.len() + self.touched.len())
            + 8 * (self.masks.len() + self.quiet.len())
            + extras
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
}
