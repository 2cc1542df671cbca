//! Effects on places and orientations. (section 16)

use crate::avatar::norm;
use crate::effect::Effect;
use crate::kind::{NO_TYPE, TypeId};
use crate::level::trunc;
use crate::state::{NONE, Rect, flag};
use crate::tick::Run;

impl Run<'_> {
    pub(super) fn set_rect(&mut self, slot: u16, rect: Rect) {
        self.state.place(self.level, slot, rect);
    }

    pub(super) fn step_back(&mut self, effect: &Effect, first: u16, second: u16) {
        let last = self.sprite(first).last_rect();
        let rect = if effect.pixel_perfect && second != NONE {
            self.against(first, second)
        } else {
            last
        };
        self.set_rect(first, rect);
    }

    /// Where a sprite stands that was stopped exactly at the edge of another.
    pub(super) fn against(&self, first: u16, second: u16) -> Rect {
        let (sprite, other) = (self.sprite(first), self.sprite(second));
        let (rect, last) = (sprite.rect(), sprite.last_rect());
        let centre = |rect: Rect| {
            let (w, h) = (f64::from(rect.w), f64::from(rect.h));
            (f64::from(rect.x) + w / 2.0, f64::from(rect.y) + h / 2.0)
        };
        let (now, before) = (centre(rect), centre(last));
        let (x, y) = (now.0 - before.0, now.1 - before.1);
        if x == 0.0 && y > 0.0 {
            Rect {
                y: other.y - i32::from(sprite.h),
                ..rect
            }
        } else if x == 0.0 && y < 0.0 {
            Rect {
                y: other.y + i32::from(other.h),
                ..rect
            }
        } else if y == 0.0 && x > 0.0 {
            Rect {
                x: other.x - i32::from(sprite.w),
                ..rect
            }
        } else if y == 0.0 && x < 0.0 {
            Rect {
                x: other.x + i32::from(other.w),
                ..rect
            }
        } else {
            last
        }
    }

    pub(super) fn undo_all(&mut self, effect: &Effect) {
        for place in 0..self.state.moved.len() {
            let slot = self.state.moved[place];
            let sprite = *self.sprite(slot);
            let ordered = self.level.kinds[usize::from(sprite.kind)].turn.is_some();
            if sprite.is(flag::MOVED) && ordered && !effect.excepted.contains(&sprite.kind) {
                self.set_rect(slot, sprite.last_rect());
            }
        }
    }

    pub(super) fn bounce_forward(&mut self, first: u16, second: u16) {
        let (x, y) = self.last_direction(second);
        let (orientation_x, orientation_y) = self.state.vector(self.sprite(second).orientation);
        let (mut right, mut down) = norm(f64::from(x), f64::from(y));
        if f64::from(x) * orientation_x < 0.0 {
            right = -right;
        }
        if f64::from(y) * orientation_y < 0.0 {
            down = -down;
        }
        let direction = self.state.code((right, down));
        let speed = self.speed(self.sprite(second));
        self.active(first, direction, speed);
        self.sprite_mut(first).orientation = direction;
    }

    pub(super) fn pull_with_it(&mut self, effect: &Effect, place: u16, first: u16, second: u16) {
        if self.scratch.pulled.contains(&(place, first)) {
            return;
        }
        self.scratch.pulled.push((place, first));
        let direction = self.last_direction_code(second);
        let speed = self.speed(self.sprite(second));
        let own = self.speed(self.sprite(first));
        // M-2 falls back to the own speed of the sprite that moves.
        let pixels = match trunc(speed * f64::from(self.level.block)) {
            0 => trunc(own),
            pixels => pixels,
        };
        self.step(first, direction, pixels);
        if effect.pixel_perfect {
            let rect = self.sprite(second).rect();
            self.set_rect(first, rect);
        }
    }

    pub(super) fn turn_around(&mut self, first: u16) {
        let sprite = *self.sprite(first);
        self.set_rect(first, sprite.last_rect());
        let cooldown = self.level.kinds[usize::from(sprite.kind)].cooldown;
        for _ in 0..2 {
            self.set_last_move(first, cooldown);
            self.walk(first, 3);
        }
        self.reverse(first);
    }

    pub(super) fn reverse(&mut self, slot: u16) {
        let code = match self.sprite(slot).orientation {
            0 => 0,
            1 => 3,
            2 => 4,
            3 => 1,
            4 => 2,
            other => {
                let (x, y) = self.state.vector(other);
                self.state.code((-x, -y))
            }
        };
        self.sprite_mut(slot).orientation = code;
    }

    pub(super) fn wrap_around(&mut self, effect: &Effect, first: u16) {
        let sprite = *self.sprite(first);
        let (x, y) = self.state.vector(sprite.orientation);
        let (width, height) = self.level.screen;
        let (w, h) = (f64::from(sprite.w), f64::from(sprite.h));
        let mut rect = sprite.rect();
        if x > 0.0 {
            rect.x = trunc(effect.offset * w);
        } else if x < 0.0 {
            rect.x = trunc(f64::from(width) - w * (1.0 + effect.offset));
        } else if y > 0.0 {
            rect.y = trunc(effect.offset * h);
        } else if y < 0.0 {
            rect.y = trunc(f64::from(height) - h * (1.0 + effect.offset));
        }
        self.set_rect(first, rect);
        self.set_last_move(first, 0);
    }

    pub(super) fn teleport(&mut self, first: u16, second: u16) {
        let exit = self.exit_type(second);
        if exit == NO_TYPE {
            return;
        }
        let fixed = self.level.fixed_group(exit);
        let count = fixed.len() + self.state.group_len(exit);
        if count == 0 {
            return self.kill(first, false);
        }
        let drawn = self.random.below(count as i32) as usize;
        let slot = match fixed.get(drawn) {
            Some(&slot) => slot,
            None => self.state.member(exit, drawn - fixed.len()),
        };
        let exit = *self.sprite(slot);
        self.set_rect(first, exit.rect());
        self.set_last_move(first, 0);
        if exit.is(flag::ORIENTED) {
            self.sprite_mut(first).orientation = exit.orientation;
        }
    }

    /// The type in the field of that name, after `updateSpawnType`.
    pub(super) fn exit_type(&self, slot: u16) -> TypeId {
        let changed = self
            .state
            .extras
            .spawns
            .iter()
            .rfind(|spawn| spawn.0 == slot);
        changed.map_or(self.level.fields(self.sprite(slot).kind).target, |spawn| {
            spawn.2
        })
    }

    pub(super) fn align(&mut self, effect: &Effect, first: u16, second: u16) {
        let other = *self.sprite(second);
        if effect.orient {
            self.sprite_mut(first).orientation = other.orientation;
        }
        let rect = Rect {
            x: other.x,
            y: other.y,
            ..self.sprite(first).rect()
        };
        self.set_rect(first, rect);
    }

    pub(super) fn attract_gaze(&mut self, effect: &Effect, first: u16, second: u16) {
        let other = *self.sprite(second);
        if !self.sprite(first).is(flag::ORIENTED) || !other.is(flag::ORIENTED) {
            return;
        }
        if self.random.double() >= effect.probability {
            return;
        }
        self.sprite_mut(first).orientation = other.orientation;
        if effect.align {
            let rect = self.sprite(first).rect();
            let rect = match other.orientation {
                2 | 4 => Rect { y: other.y, ..rect },
                _ => Rect { x: other.x, ..rect },
            };
            self.set_rect(first, rect);
        }
    }

    pub(super) fn wall_stop(&mut self, first: u16, second: u16) {
        let rect = self.against(first, second);
        self.set_rect(first, rect);
        let (sprite, other) = (*self.sprite(first), *self.sprite(second));
        let middle = |at: i32, size: i16| f64::from(at) + f64::from(size) / 2.0;
        let x = (middle(sprite.x, sprite.w) - middle(other.x, other.w)).abs();
        let y = (middle(sprite.y, sprite.h) - middle(other.y, other.h)).abs();
        let (own_x, own_y) = self.state.vector(sprite.orientation);
        let kept = if x > y { (0.0, own_y) } else { (own_x, 0.0) };
        let length = (kept.0 * kept.0 + kept.1 * kept.1).sqrt();
        let code = self.state.code(norm(kept.0, kept.1));
        self.sprite_mut(first).orientation = code;
        let speed = (length * self.speed(self.sprite(first))).max(0.0);
        self.set_speed(first, speed);
    }
}
