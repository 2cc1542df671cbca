//! What sprites do in their turns, avatars aside. (sections 12 and 13)

use crate::class::Class;
use crate::kind::{NO_TYPE, TypeId};
use crate::level::{active_step, passive_step};
use crate::state::{Memory, NONE, Rect, flag};
use crate::tick::Run;

/// What an active movement did. (M-4)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Movement {
    Still,
    Turned,
    Moved,
}

/// The directions in the order of the original, as codes.
pub(crate) const DIRECTIONS: [u16; 4] = [1, 2, 3, 4];

impl Run<'_> {
    /// The turns of the sprites of a type. Those that appear meanwhile wait.
    pub(crate) fn turns(&mut self, kind: TypeId, members: usize) {
        let Some(class) = self.level.kinds[usize::from(kind)].class else {
            return;
        };
        for place in 0..members {
            let slot = self.state.member(kind, place);
            if self.sprite(slot).is(flag::DISABLED) {
                continue;
            }
            self.turn(slot, kind, class);
        }
    }

    fn turn(&mut self, slot: u16, kind: TypeId, class: Class) {
        match class {
            Class::Flicker | Class::OrientedFlicker | Class::Spreader => self.flicker(slot, class),
            Class::RandomMissile => {
                if self.sprite(slot).orientation == 5 {
                    let direction = self.any_direction();
                    self.sprite_mut(slot).orientation = direction;
                }
                self.passive(slot);
            }
            Class::RandomBomber => {
                let direction = self.any_direction();
                let speed = self.speed(self.sprite(slot));
                self.active(slot, direction, speed);
                self.spawner(slot, kind, class);
            }
            Class::SpawnPoint
            | Class::Bomber
            | Class::BomberRandomMissile
            | Class::SpawnPointMultiSprite => self.spawner(slot, kind, class),
            Class::RandomNpc => {
                self.passive(slot);
                let direction = self.random_walk(slot, kind);
                self.walk(slot, direction);
            }
            Class::Chaser | Class::Fleeing | Class::LosChaser => self.chaser(slot, kind, class),
            Class::PathChaser => self.path_chaser(slot, kind),
            Class::AlternateChaser => self.alternate_chaser(slot, kind),
            Class::PathAltChaser => self.path_alternate_chaser(slot, kind),
            Class::RandomAltChaser | Class::RandomPathAltChaser => {
                if self.random.double() < self.level.fields(kind).epsilon {
                    self.passive(slot);
                    let direction = self.any_direction();
                    self.walk(slot, direction);
                } else if class == Class::RandomAltChaser {
                    self.alternate_chaser(slot, kind);
                } else {
                    self.path_alternate_chaser(slot, kind);
                }
            }
            _ => self.base(slot),
        }
    }

    pub(crate) fn any_direction(&mut self) -> u16 {
        DIRECTIONS[self.random.below(4) as usize]
    }

    /// Passive movement and the time to live.
    fn base(&mut self, slot: u16) {
        self.passive(slot);
        let sprite = self.sprite_mut(slot);
        if sprite.time_to_live > 0 {
            sprite.time_to_live -= 1;
        } else if sprite.time_to_live == 0 {
            self.kill(slot, false);
        }
    }

    /// Moves on by itself. (M-3)
    pub(crate) fn passive(&mut self, slot: u16) {
        let sprite = *self.sprite(slot);
        let kind = &self.level.kinds[usize::from(sprite.kind)];
        if !kind.passes {
            return;
        }
        if sprite.is(flag::FRESH) {
            self.sprite_mut(slot).flags &= !flag::FRESH;
            return;
        }
        if sprite.is(flag::ORIENTED) {
            let pixels = match self.state.own_speed(&sprite) {
                None => kind.passive_step,
                Some(speed) => passive_step(speed, self.level.block),
            };
            self.step(slot, sprite.orientation, pixels);
        }
    }

    /// Moves with its own speed.
    pub(crate) fn walk(&mut self, slot: u16, direction: u16) -> Movement {
        let sprite = self.sprite(slot);
        let kind = &self.level.kinds[usize::from(sprite.kind)];
        let pixels = match self.state.own_speed(sprite) {
            None => kind.active_step,
            Some(speed) => active_step(speed, speed, self.level.block),
        };
        self.active_by(slot, direction, pixels)
    }

    /// Moves by its own will with a speed, 0 standing for the sprite's. (M-4)
    pub(crate) fn active(&mut self, slot: u16, direction: u16, value: f64) -> Movement {
        let speed = self.speed(self.sprite(slot));
        self.active_by(slot, direction, active_step(value, speed, self.level.block))
    }

    #[inline]
    fn active_by(&mut self, slot: u16, direction: u16, pixels: i32) -> Movement {
        let sprite = self.sprite(slot);
        let kind = &self.level.kinds[usize::from(sprite.kind)];
        if kind.stationary || direction == 0 {
            return Movement::Still;
        }
        if kind.rotates && sprite.is(flag::ORIENTED) && sprite.orientation != direction {
            self.sprite_mut(slot).orientation = direction;
            return Movement::Turned;
        }
        if self.step(slot, direction, pixels) {
            Movement::Moved
        } else {
            Movement::Still
        }
    }

    fn flicker(&mut self, slot: u16, class: Class) {
        self.base(slot);
        let sprite = *self.sprite(slot);
        let limit = self.level.fields(sprite.kind).limit;
        if sprite.a > limit {
            self.kill(slot, false);
        }
        self.sprite_mut(slot).a = sprite.a.saturating_add(1);
        if class == Class::Spreader && sprite.a.saturating_add(1) == 2 {
            self.spread(slot);
        }
    }

    fn spread(&mut self, slot: u16) {
        let sprite = *self.sprite(slot);
        let fields = self.level.fields(sprite.kind);
        let (chance, target) = (fields.spread, fields.target);
        let kind = if target == NO_TYPE {
            sprite.kind
        } else {
            target
        };
        let (w, h) = (i32::from(sprite.last_w), i32::from(sprite.last_h));
        for (x, y) in [(0, -1), (-1, 0), (0, 1), (1, 0)] {
            if self.random.double() < chance {
                self.create(kind, sprite.last_x + x * w, sprite.last_y + y * h, false);
            }
        }
    }

    /// K-20.
    fn spawner(&mut self, slot: u16, kind: TypeId, class: Class) {
        let level = self.level;
        let fields = level.fields(kind);
        if self.sprite(slot).a == -1 {
            self.sprite_mut(slot).a = self.tick;
        }
        let mut target = fields.target;
        if class == Class::BomberRandomMissile && !fields.targets.is_empty() {
            target = fields.targets[self.random.below(fields.targets.len() as i32) as usize];
        }
        if !self.state.extras.spawns.is_empty() {
            target = self.changed_spawn(slot, target, class);
        }
        let drawn = self.random.float();
        let start = self.sprite(slot).a;
        if start.wrapping_add(self.tick) % level.kinds[usize::from(kind)].cooldown == 0
            && drawn < fields.probability
        {
            if class == Class::SpawnPointMultiSprite {
                for &each in &fields.targets {
                    self.spawn(slot, each);
                }
            } else {
                self.spawn(slot, target);
            }
        }
        self.base(slot);
        if fields.total > 0 && self.sprite(slot).b >= fields.total {
            self.kill(slot, false);
        }
    }

    /// What a spawner makes after `updateSpawnType`.
    fn changed_spawn(&self, slot: u16, target: TypeId, class: Class) -> TypeId {
        let list = class == Class::BomberRandomMissile;
        let changes = self.state.extras.spawns.iter();
        let mut own =
            changes.filter(|&&(changed, from, _)| changed == slot && (!list || from == target));
        own.next_back().map_or(target, |&(_, _, to)| to)
    }

    fn spawn(&mut self, slot: u16, kind: TypeId) {
        let (x, y) = (self.sprite(slot).x, self.sprite(slot).y);
        let Some(new) = self.create(kind, x, y, false) else {
            return;
        };
        let own = self.sprite(slot).orientation;
        self.sprite_mut(slot).b += 1;
        let wanted = self.level.fields(self.sprite(slot).kind).spawn_orientation;
        if wanted != (0.0, 0.0) {
            let code = self.state.code(wanted);
            self.sprite_mut(new).orientation = code;
        } else if self.sprite(new).orientation == 0 {
            self.sprite_mut(new).orientation = own;
        }
    }

    /// N-1: `a` counts, `b` is the last direction.
    fn random_walk(&mut self, slot: u16, kind: TypeId) -> u16 {
        let sprite = self.sprite(slot);
        if sprite.a < self.level.fields(kind).cons {
            let direction = sprite.b as u16;
            self.sprite_mut(slot).a += 1;
            return direction;
        }
        let direction = self.any_direction();
        let sprite = self.sprite_mut(slot);
        sprite.b = i32::from(direction);
        sprite.a = 0;
        direction
    }

    /// The sprites of a type itself, or else of all below it. (N-3)
    fn candidates(&mut self, kind: TypeId) {
        self.scratch.targets.clear();
        if kind == NO_TYPE {
            return;
        }
        self.add_group(kind);
        if self.scratch.targets.is_empty() {
            for &other in self.subtypes(kind) {
                self.add_group(other);
            }
        }
    }

    fn add_group(&mut self, kind: TypeId) {
        let targets = &mut self.scratch.targets;
        targets.extend_from_slice(self.level.fixed_group(kind));
        targets.extend_from_slice(self.state.group(kind));
    }

    fn distance(&self, x: i32, y: i32, target: u16) -> i32 {
        let target = self.sprite(target);
        (target.x - x).abs() + (target.y - y).abs()
    }

    /// Keeps the nearest targets, all of them if several are as near.
    fn keep_nearest(&mut self, slot: u16) {
        let (x, y) = (self.sprite(slot).x, self.sprite(slot).y);
        let targets = std::mem::take(&mut self.scratch.targets);
        let nearest = targets
            .iter()
            .map(|&target| self.distance(x, y, target))
            .min();
        self.scratch.targets = targets;
        let (level, state) = (self.level, &*self.state);
        self.scratch.targets.retain(|&target| {
            let target = state.sprite(level, target);
            Some((target.x - x).abs() + (target.y - y).abs()) == nearest
        });
    }

    /// Directions that lead nearer to the targets, or away from them. (N-3 d)
    fn approach(&mut self, slot: u16, fleeing: bool, farthest: i32) {
        let (x, y) = (self.sprite(slot).x, self.sprite(slot).y);
        self.scratch.directions.clear();
        for place in 0..self.scratch.targets.len() {
            let target = self.scratch.targets[place];
            let now = self.distance(x, y, target);
            if farthest != -1 && now > farthest {
                continue;
            }
            let shifts = [(0, -1), (-1, 0), (0, 1), (1, 0)];
            for (code, (right, down)) in DIRECTIONS.into_iter().zip(shifts) {
                let then = self.distance(x + right, y + down, target);
                if (fleeing && now < then) || (!fleeing && now > then) {
                    self.scratch.directions.push(code);
                }
            }
        }
    }

    fn drawn_direction(&mut self) -> Option<u16> {
        let count = self.scratch.directions.len();
        if count == 0 {
            return None;
        }
        let place = self.random.below(count as i32) as usize;
        Some(self.scratch.directions[place])
    }

    fn chaser(&mut self, slot: u16, kind: TypeId, class: Class) {
        self.passive(slot);
        let fields = self.level.fields(kind);
        let (target, fleeing, farthest) = (fields.target, fields.fleeing, fields.max_distance);
        self.candidates(target);
        if class == Class::LosChaser {
            self.keep_visible(slot);
        }
        self.keep_nearest(slot);
        self.approach(slot, fleeing, farthest);
        let direction = match self.drawn_direction() {
            Some(direction) => direction,
            None => self.random_walk(slot, kind),
        };
        self.walk(slot, direction);
    }

    /// Keeps targets that are seen in the last drawn direction. (N-4)
    fn keep_visible(&mut self, slot: u16) {
        let own = *self.sprite(slot);
        let (level, state) = (self.level, &*self.state);
        self.scratch.targets.retain(|&target| {
            let target = state.sprite(level, target);
            match own.b {
                1 => target.x == own.x && target.y <= own.y,
                2 => target.y == own.y && target.x <= own.x,
                3 => target.x == own.x && target.y >= own.y,
                4 => target.y == own.y && target.x >= own.x,
                _ => false,
            }
        });
    }

    fn cell(&self, x: i32, y: i32) -> (i32, i32) {
        (x / self.level.block, y / self.level.block)
    }

    fn first_step(&self, slot: u16, x: i32, y: i32) -> Option<u16> {
        let sprite = self.sprite(slot);
        let start = self.cell(sprite.x, sprite.y);
        self.level
            .paths
            .as_ref()?
            .first_step(start, self.cell(x, y))
    }

    /// N-5.
    fn path_chaser(&mut self, slot: u16, kind: TypeId) {
        self.passive(slot);
        let fields = self.level.fields(kind);
        let (target, cons) = (fields.target, fields.cons);
        self.candidates(target);
        self.keep_nearest(slot);
        let direction = match self.scratch.targets.first().copied() {
            Some(target) => {
                let (x, y) = (self.sprite(target).x, self.sprite(target).y);
                self.sprite_mut(slot).a = cons;
                self.first_step(slot, x, y).unwrap_or(0)
            }
            None => self.random_walk(slot, kind),
        };
        self.walk(slot, direction);
    }

    /// The candidates of N-6: sprites of the type itself are there twice.
    fn alternate_candidates(&mut self, kind: TypeId) {
        self.scratch.targets.clear();
        let list = &self.level.fields(kind).targets;
        let known = || list.iter().copied().filter(|&other| other != NO_TYPE);
        let count: i32 = known().map(|other| self.total(other)).sum();
        // With several types the original draws one without a seed; the first that has sprites is
        // as good, and repeatable.
        let with_sprites = known().find(|&other| self.total(other) > 0);
        let Some(target) = with_sprites.filter(|_| count > 0) else {
            return;
        };
        self.add_group(target);
        for &other in self.subtypes(target) {
            self.add_group(other);
        }
    }

    fn alternate_direction(&mut self, slot: u16) -> u16 {
        self.approach(slot, false, -1);
        match self.drawn_direction() {
            Some(direction) => direction,
            None => self.any_direction(),
        }
    }

    fn alternate_chaser(&mut self, slot: u16, kind: TypeId) {
        self.passive(slot);
        self.alternate_candidates(kind);
        self.keep_nearest(slot);
        let direction = self.alternate_direction(slot);
        self.walk(slot, direction);
    }

    fn memory(&self, slot: u16) -> Memory {
        let memories = &self.state.extras.memories;
        let found = memories.iter().find(|memory| memory.slot == slot);
        found.copied().unwrap_or(Memory {
            slot,
            target: NONE,
            has_target: false,
            place: (0, 0, 0, 0),
            known: None,
            listed: false,
        })
    }

    fn remember(&mut self, memory: Memory) {
        let memories = &mut self.state.extras.memories;
        match memories.iter_mut().find(|other| other.slot == memory.slot) {
            Some(other) => *other = memory,
            None => memories.push(memory),
        }
        self.state.head.has_extras = true;
    }

    /// Where the remembered target is, or was when it left the game.
    fn remembered(&self, memory: &Memory) -> Rect {
        match memory.target {
            NONE => {
                let (x, y, w, h) = memory.place;
                Rect { x, y, w, h }
            }
            target => self.sprite(target).rect(),
        }
    }

    /// N-7. Only the first of the list of targets is ever used, so only that is kept.
    fn path_alternate_chaser(&mut self, slot: u16, kind: TypeId) {
        self.passive(slot);
        let mut memory = self.memory(slot);
        let reached =
            memory.has_target && contains(self.sprite(slot).rect(), self.remembered(&memory));
        if !memory.has_target || reached {
            self.alternate_candidates(kind);
            if self.level.fields(kind).random_target {
                let count = self.scratch.targets.len();
                if count > 0 {
                    let drawn = self.random.below(count as i32) as usize;
                    self.scratch.targets.swap(0, drawn);
                    self.scratch.targets.truncate(1);
                }
            } else {
                self.keep_nearest(slot);
            }
            memory.listed = false;
            if let Some(&target) = self.scratch.targets.first() {
                memory.target = target;
                memory.has_target = true;
                memory.listed = true;
            }
        } else {
            memory.listed = true;
        }
        let direction = if memory.listed {
            let rect = self.remembered(&memory);
            let mut step = self.first_step(slot, rect.x, rect.y);
            match (step, memory.known) {
                (None, Some((x, y))) => step = self.first_step(slot, x, y),
                _ => memory.known = Some((rect.x, rect.y)),
            }
            self.remember(memory);
            step.unwrap_or(0)
        } else {
            self.remember(memory);
            self.scratch.targets.clear();
            self.alternate_direction(slot)
        };
        self.walk(slot, direction);
    }
}

/// Whether one rectangle holds the other, as `java.awt.Rectangle` tells.
pub(crate) fn contains(outer: Rect, inner: Rect) -> bool {
    inner.w > 0
        && inner.h > 0
        && inner.x >= outer.x
        && inner.y >= outer.y
        && inner.x + i32::from(inner.w) <= outer.x + i32::from(outer.w)
        && inner.y + i32::from(inner.h) <= outer.y + i32::from(outer.h)
}
