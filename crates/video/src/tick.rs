//! One tick of a game: turns, events, removals, terminations. (section 11)

use crate::class::Action;
use crate::description::Condition;
use crate::effect::Operation;
use crate::kind::TypeId;
use crate::level::{CREATION_LIMIT, Level, trunc};
use crate::random::Random;
use crate::state::{Fault, NONE, Rect, Sprite, State, bit, flag};

/// The most steps that one tick may take: effects that run and sprites that are looked at.
pub(crate) const MAX_WORK: u32 = 2_000_000;
/// The tick after which a game that still goes on is lost. (Z-1)
pub(crate) const LAST_TICK: i32 = 2_000;

/// Something that happened to the avatar, or to what comes from it. (O-9)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// The tick in which it happened.
    pub tick: i32,
    /// Whether the active sprite is one that the avatar made.
    pub from_avatar: bool,
    /// The type of the avatar, or of what it made.
    pub active: TypeId,
    /// The type of what it met.
    pub passive: TypeId,
    /// The number of the active sprite.
    pub active_id: u32,
    /// The number of the other sprite.
    pub passive_id: u32,
    /// The place of the active sprite after the effect, in pixels.
    pub place: (i32, i32),
}

/// A sprite to look at, in the order of the original: the place of its type, and its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Candidate {
    pub(crate) rank: u16,
    pub(crate) id: u32,
    pub(crate) slot: u16,
}

/// Memory that a tick needs, and that no state carries.
#[derive(Debug, Default)]
pub struct Scratch {
    pub(crate) kills: Vec<u16>,
    pub(crate) hits: Vec<Candidate>,
    pub(crate) firsts: Vec<Candidate>,
    pub(crate) shields: Vec<(TypeId, TypeId, Operation)>,
    /// Which effects have pulled which sprites in this tick.
    pub(crate) pulled: Vec<(u16, u16)>,
    pub(crate) directions: Vec<u16>,
    pub(crate) targets: Vec<u16>,
    pub(crate) list: Vec<u16>,
    /// The place in the order of updates that is being worked on.
    pub(crate) phase: i32,
    pub(crate) work: u32,
    /// Whether events are noted.
    pub(crate) notes: bool,
    pub(crate) events: Vec<Event>,
    /// Whether this is what the original calls a forward model: actions are not checked, and
    /// trails are of the wrong type. (FM-4, FM-5)
    pub(crate) forward: bool,
}

impl Scratch {
    /// Memory for a player's look ahead.
    pub fn forward() -> Self {
        Self {
            forward: true,
            ..Self::default()
        }
    }

    /// Makes a state the copy that a player gets: from here on this is a forward model, in which
    /// chasers by paths remember where their targets were and not what they were. (FM-1, FM-7)
    pub fn forward_from(&mut self, state: &mut State) {
        self.forward = true;
        for place in 0..state.extras.memories.len() {
            let mut memory = state.extras.memories[place];
            if memory.target != NONE {
                let own = usize::from(memory.target).checked_sub(usize::from(state.head.base));
                if let Some(own) = own {
                    let rect = state.sprites[own].rect();
                    memory.place = (rect.x, rect.y, rect.w, rect.h);
                    memory.target = NONE;
                }
            }
            memory.listed = false;
            state.extras.memories[place] = memory;
        }
    }

    /// Says whether events are noted from now on.
    pub fn note_events(&mut self, notes: bool) {
        self.notes = notes;
    }

    /// What happened to the avatar in the last tick, in the order in which it happened.
    pub fn events(&self) -> &[Event] {
        &self.events
    }
}

/// A tick at work.
pub(crate) struct Run<'a> {
    pub(crate) level: &'a Level,
    pub(crate) state: &'a mut State,
    pub(crate) scratch: &'a mut Scratch,
    pub(crate) tick: i32,
    pub(crate) random: Random,
}

impl Level {
    /// Plays one tick with an action of the player. Nothing happens if the game is over.
    ///
    /// As in the original's forward model, an action that the avatar does not have is made all the
    /// same; [`Level::checked`] replaces it.
    pub fn advance(&self, state: &mut State, action: Action, scratch: &mut Scratch) {
        if scratch.notes {
            scratch.events.clear();
        }
        if state.head.ended {
            return;
        }
        scratch.work = 0;
        let tick = state.head.tick;
        let random = state.head.random;
        let mut run = Run {
            level: self,
            state,
            scratch,
            tick,
            random,
        };
        run.play(action);
        let random = run.random;
        state.head.random = random;
        state.head.tick += 1;
    }

    /// The action that is made when a player wants this one: only those of its avatar are. (T-2)
    pub fn checked(&self, state: &State, action: Action) -> Action {
        if self.actions(state).contains(&action) {
            action
        } else {
            Action::Nil
        }
    }
}

impl<'a> Run<'a> {
    fn play(&mut self, action: Action) {
        self.state.head.disturbed_before = self.state.head.disturbed;
        self.state.head.disturbed = 0;
        self.refresh_last();
        self.scratch.phase = i32::MAX;
        self.avatar_turn(action);
        let level = self.level;
        for &kind in &level.active {
            let members = self.state.group_len(kind);
            if members > 0 {
                self.scratch.phase = level.kinds[usize::from(kind)].turn.map_or(-1, i32::from);
                self.turns(kind, members);
            }
        }
        self.scratch.phase = -1;
        self.events();
        self.remove_killed();
        self.terminate();
        if self.tick >= LAST_TICK && !self.state.head.ended {
            self.end(self.state.head.win == 1);
        }
    }

    /// Notes where sprites stand at the start of the tick. No turn moves another sprite or looks
    /// at where it stood, so this is done for all at once. (M-6)
    fn refresh_last(&mut self) {
        let level = self.level;
        let base = level.fixed.len();
        let avatar = self.state.head.avatar;
        let (moved, sprites) = (&mut self.state.moved, &mut self.state.sprites);
        let turn = self.tick as u16 + 1;
        let touched = &mut self.state.touched;
        touched.retain(|&slot| sprites[usize::from(slot) - base].touched + 1 >= turn);
        moved.retain(|&slot| {
            let sprite = &mut sprites[usize::from(slot) - base];
            if !sprite.is(flag::MOVED) {
                return false;
            }
            let kind = &level.kinds[usize::from(sprite.kind)];
            let rests = sprite.is(flag::DISABLED)
                || kind.turn.is_none()
                || (kind.is_avatar && slot != avatar);
            if !rests {
                (sprite.last_x, sprite.last_y) = (sprite.x, sprite.y);
                (sprite.last_w, sprite.last_h) = (sprite.w, sprite.h);
                sprite.flags &= !flag::MOVED;
            }
            rests
        });
    }

    /// Counts a step of work; false when there were too many, which ends the game.
    pub(crate) fn work(&mut self, steps: u32) -> bool {
        self.scratch.work = self.scratch.work.saturating_add(steps);
        if self.scratch.work <= MAX_WORK {
            return true;
        }
        self.fail(Fault::Work);
        false
    }

    pub(crate) fn fail(&mut self, fault: Fault) {
        self.state.head.fault.get_or_insert(fault);
    }

    fn end(&mut self, win: bool) {
        self.state.head.ended = true;
        self.state.head.win = i8::from(win);
    }

    #[inline]
    pub(crate) fn sprite(&self, slot: u16) -> &Sprite {
        self.state.sprite(self.level, slot)
    }

    #[inline]
    pub(crate) fn sprite_mut(&mut self, slot: u16) -> &mut Sprite {
        self.state.sprite_mut(self.level, slot)
    }

    /// Whether the turns of a sprite are over for good, or it never had any.
    fn rests(&self, sprite: &Sprite) -> bool {
        sprite.is(flag::DISABLED) || self.level.kinds[usize::from(sprite.kind)].turn.is_none()
    }

    /// Ticks since the last move.
    #[inline]
    pub(crate) fn last_move(&self, sprite: &Sprite) -> i32 {
        if self.rests(sprite) {
            sprite.stamp
        } else {
            self.tick + 1 - sprite.stamp
        }
    }

    pub(crate) fn set_last_move(&mut self, slot: u16, ticks: i32) {
        let rests = self.rests(self.sprite(slot));
        let turn = self.tick + 1;
        self.sprite_mut(slot).stamp = if rests {
            ticks
        } else {
            turn.saturating_sub(ticks)
        };
    }

    /// The speed of a sprite.
    #[inline]
    pub(crate) fn speed(&self, sprite: &Sprite) -> f64 {
        let own = self.state.own_speed(sprite);
        own.unwrap_or(self.level.kinds[usize::from(sprite.kind)].speed)
    }

    /// Moves a sprite by pixels along an orientation, if it may move. (M-2)
    #[inline]
    pub(crate) fn step(&mut self, slot: u16, direction: u16, pixels: i32) -> bool {
        let sprite = *self.sprite(slot);
        if pixels == 0
            || direction == 0
            || self.level.kinds[usize::from(sprite.kind)].cooldown > self.last_move(&sprite)
        {
            return false;
        }
        let (x, y) = match direction {
            1 => (0, pixels.saturating_neg()),
            2 => (pixels.saturating_neg(), 0),
            3 => (0, pixels),
            4 => (pixels, 0),
            other => {
                let (x, y) = self.state.vector(other);
                (trunc(x * f64::from(pixels)), trunc(y * f64::from(pixels)))
            }
        };
        let rect = Rect {
            x: sprite.x.saturating_add(x),
            y: sprite.y.saturating_add(y),
            ..sprite.rect()
        };
        self.state.place(self.level, slot, rect);
        self.set_last_move(slot, 0);
        true
    }

    /// Creates a sprite. (C-1 to C-4)
    pub(crate) fn create(&mut self, kind: TypeId, x: i32, y: i32, force: bool) -> Option<u16> {
        let level = self.level;
        let details = level.game.types.get(usize::from(kind))?;
        let hot = &level.kinds[usize::from(kind)];
        hot.class?;
        if self.state.head.count > CREATION_LIMIT {
            return None;
        }
        if !force {
            let refused = details.single.iter().any(|&single| self.exists(single));
            if refused {
                return None;
            }
        }
        let mut sprite = hot.fresh;
        sprite.x = x.clamp(-crate::state::FARTHEST, crate::state::FARTHEST);
        sprite.y = y.clamp(-crate::state::FARTHEST, crate::state::FARTHEST);
        (sprite.last_x, sprite.last_y) = (sprite.x, sprite.y);
        sprite.id = self.state.head.next_id;
        // A sprite whose group has its turn later in this tick is updated in this tick. (T-4)
        let turn = self.tick + 1;
        sprite.stamp = match hot.turn {
            None => 0,
            Some(own) if i32::from(own) < self.scratch.phase && !hot.is_avatar => turn - 1,
            Some(_) => turn,
        };
        if hot.class == Some(crate::class::Class::OngoingTurningAvatar) {
            sprite.a = i32::from(self.state.head.trailed & bit(kind) != 0);
            self.state.head.trailed |= bit(kind);
        }
        let Some(slot) = self.state.add(level, sprite) else {
            self.fail(Fault::Sprites);
            return None;
        };
        self.state.head.next_id += 1;
        self.state.head.count += 1;
        Some(slot)
    }

    /// Whether there is a sprite of a type, killed ones included. (C-8)
    fn exists(&self, kind: TypeId) -> bool {
        self.subtypes(kind)
            .iter()
            .any(|&other| self.state.count(self.level, other) > 0)
    }

    /// Where sprites of a type are looked for. (S-6)
    pub(crate) fn subtypes(&self, kind: TypeId) -> &'a [TypeId] {
        &self.level.game.types[usize::from(kind)].subtypes
    }

    /// How many sprites of a type there are, killed ones included.
    pub(crate) fn total(&self, kind: TypeId) -> i32 {
        let all = self.subtypes(kind).iter();
        all.map(|&other| self.state.count(self.level, other) as i32)
            .sum()
    }

    /// Kills a sprite: an avatar that was not transformed is only disabled. (C-5)
    pub(crate) fn kill(&mut self, slot: u16, transformed: bool) {
        let kind = self.sprite(slot).kind;
        if self.level.kinds[usize::from(kind)].is_avatar && !transformed {
            self.disable(slot);
            return;
        }
        self.state.head.count -= 1;
        let sprite = self.sprite_mut(slot);
        if !sprite.is(flag::KILLED) {
            sprite.flags |= flag::KILLED;
            self.scratch.kills.push(slot);
        }
    }

    pub(crate) fn disable(&mut self, slot: u16) {
        let sprite = *self.sprite(slot);
        if !sprite.is(flag::DISABLED) {
            let ticks = self.last_move(&sprite);
            let sprite = self.sprite_mut(slot);
            sprite.flags |= flag::DISABLED;
            sprite.stamp = ticks;
        }
    }

    /// Takes killed sprites out and lifts shields. (C-6)
    fn remove_killed(&mut self) {
        let mut kills = std::mem::take(&mut self.scratch.kills);
        for slot in kills.drain(..) {
            if slot == self.state.head.avatar {
                self.state.head.avatar = NONE;
                self.fail(Fault::Avatar);
            }
            self.freeze_memories(slot);
            self.state.remove(self.level, slot);
        }
        self.scratch.kills = kills;
        self.scratch.shields.clear();
        self.scratch.pulled.clear();
        if self.state.head.has_extras {
            self.state.note_extras();
        }
    }

    /// Keeps the last place of a sprite for those that are after it. (N-7)
    fn freeze_memories(&mut self, slot: u16) {
        if self.state.extras.memories.is_empty() {
            return;
        }
        let rect = self.sprite(slot).rect();
        for memory in &mut self.state.extras.memories {
            if memory.target == slot {
                memory.target = NONE;
                memory.place = (rect.x, rect.y, rect.w, rect.h);
            }
        }
    }

    /// Sprites of a type that are neither killed nor disabled, after removals. (section 17)
    fn live(&self, kind: TypeId) -> i32 {
        let mut count = self.total(kind);
        if self.level.kinds[usize::from(kind)].subtypes_may_be_avatars {
            for &other in self.subtypes(kind) {
                let group = self.state.group(other).iter();
                count -= group
                    .filter(|&&slot| self.sprite(slot).is(flag::DISABLED))
                    .count() as i32;
            }
        }
        count
    }

    fn terminate(&mut self) {
        if self.state.head.fault.is_some() {
            self.end(false);
            return;
        }
        let level = self.level;
        for termination in &level.game.terminations {
            let sum = || {
                termination
                    .types
                    .iter()
                    .map(|&kind| self.live(kind))
                    .sum::<i32>()
            };
            let limit = termination.limit;
            let holds = match termination.condition {
                Condition::Few => sum() <= limit,
                Condition::Many => sum() >= limit,
                Condition::Sum => {
                    let count = sum();
                    count == limit || (termination.at_least && count > limit)
                }
                Condition::SubTypes => {
                    let kinds = termination.types.first().copied();
                    sum() == limit
                        && kinds.is_some_and(|kind| self.live_kinds(kind) == termination.sub_types)
                }
                Condition::Timeout => self.tick >= limit,
                Condition::Never => false,
            };
            if holds {
                let score = self.state.head.score;
                let win = if termination.by_score {
                    score != 0
                } else {
                    termination.win
                };
                self.end(win);
                return;
            }
        }
    }

    /// How many types below this one have living sprites and a group of their own.
    pub(crate) fn live_kinds(&self, kind: TypeId) -> i32 {
        let own = self.subtypes(kind).iter();
        let alive =
            own.filter(|&&other| self.state.count(self.level, other) > 0 && self.live(other) > 0);
        alive.count() as i32
    }
}
