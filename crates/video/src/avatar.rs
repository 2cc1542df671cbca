//! The turn of the player's avatar. (section 14)

use crate::class::{Action, Class};
use crate::description::WALL;
use crate::kind::NO_TYPE;
use crate::state::{NONE, flag};
use crate::tick::Run;
use crate::turns::Movement;

/// A vector of length 1 in the same direction, or none at all.
pub(crate) fn norm(x: f64, y: f64) -> (f64, f64) {
    let length = (x * x + y * y).sqrt();
    if length == 0.0 {
        (0.0, 0.0)
    } else {
        (x / length + 0.0, y / length + 0.0)
    }
}

impl Run<'_> {
    /// T-2.
    pub(crate) fn avatar_turn(&mut self, action: Action) {
        let slot = self.state.head.avatar;
        if slot == NONE || self.sprite(slot).is(flag::DISABLED) {
            return;
        }
        let kind = self.sprite(slot).kind;
        let Some(class) = self.level.kinds[usize::from(kind)].class else {
            return;
        };
        let direction = action.direction();
        match class {
            Class::MovingAvatar
            | Class::HorizontalAvatar
            | Class::VerticalAvatar
            | Class::NullAvatar => {
                self.walk(slot, direction);
            }
            Class::OrientedAvatar => {
                self.walk_and_turn(slot, direction);
            }
            Class::ShootAvatar if self.walk_and_turn(slot, direction) == Movement::Still => {
                self.shoot_first(slot, action);
            }
            Class::FlakAvatar
                if self.walk(slot, direction) == Movement::Still && action == Action::Use =>
            {
                self.drop_bomb(slot);
            }
            Class::ShootOnlyAvatar => {
                let place = class.actions().iter().position(|&known| known == action);
                if let Some(place) = place.filter(|&place| self.has_ammo(slot, place)) {
                    self.shoot(slot, place);
                }
            }
            Class::MissileAvatar => self.passive(slot),
            Class::OngoingAvatar | Class::OngoingShootAvatar => {
                if direction != 0 && self.sprite(slot).is(flag::ORIENTED) {
                    self.sprite_mut(slot).orientation = direction;
                }
                self.passive(slot);
                if class == Class::OngoingShootAvatar && direction == 0 {
                    self.shoot_first(slot, action);
                }
            }
            Class::OngoingTurningAvatar => self.trail(slot, direction),
            _ => {}
        }
    }

    ///
    fn walk_and_turn(&mut self, slot: u16, direction: u16) -> Movement {
        let movement = self.walk(slot, direction);
        if movement == Movement::Moved {
            let code = self.last_direction_code(slot);
            self.sprite_mut(slot).orientation = code;
        }
        movement
    }

    /// How far a sprite moved in this tick. (M-7)
    pub(crate) fn last_direction(&self, slot: u16) -> (i32, i32) {
        let sprite = self.sprite(slot);
        (sprite.x - sprite.last_x, sprite.y - sprite.last_y)
    }

    /// The code of the direction in which a sprite moved in this tick.
    pub(crate) fn last_direction_code(&mut self, slot: u16) -> u16 {
        match self.last_direction(slot) {
            (0, 0) => 0,
            (0, y) => {
                if y < 0 {
                    1
                } else {
                    3
                }
            }
            (x, 0) => {
                if x < 0 {
                    2
                } else {
                    4
                }
            }
            (x, y) => self.state.code(norm(f64::from(x), f64::from(y))),
        }
    }

    fn has_ammo(&self, slot: u16, place: usize) -> bool {
        let fields = self.level.fields(self.sprite(slot).kind);
        match fields.ammo.get(place) {
            None => true,
            Some(&ammo) => self.state.stock(slot, ammo).unwrap_or(0) > 0,
        }
    }

    /// Shoots what there is ammunition for first.
    fn shoot_first(&mut self, slot: u16, action: Action) {
        if action != Action::Use {
            return;
        }
        let count = self.level.fields(self.sprite(slot).kind).targets.len();
        if let Some(place) = (0..count).find(|&place| self.has_ammo(slot, place)) {
            self.shoot(slot, place);
        }
    }

    fn shoot(&mut self, slot: u16, place: usize) {
        let level = self.level;
        let sprite = *self.sprite(slot);
        let fields = level.fields(sprite.kind);
        let Some(&kind) = fields.targets.get(place) else {
            return;
        };
        let (x, y) = self.state.vector(sprite.orientation);
        let (x, y) = norm(x, y);
        let left = f64::from(sprite.x) + x * f64::from(sprite.last_w);
        let top = f64::from(sprite.y) + y * f64::from(sprite.last_h);
        let Some(new) = self.create(kind, left as i32, top as i32, false) else {
            return;
        };
        let code = self.state.code((x, y));
        let shot = self.sprite_mut(new);
        shot.flags |= flag::FROM_AVATAR;
        if shot.is(flag::ORIENTED) {
            shot.orientation = code;
        }
        if let Some(&ammo) = fields.ammo.get(place)
            && self.state.stock(slot, ammo).is_some()
        {
            self.state.give(slot, ammo, -1);
        }
    }

    ///
    fn drop_bomb(&mut self, slot: u16) {
        let level = self.level;
        let sprite = *self.sprite(slot);
        let fields = level.fields(sprite.kind);
        let ammo = fields.ammo.first().copied();
        let least = if fields.min_ammo > -1 {
            fields.min_ammo
        } else {
            0
        };
        let enough = ammo.is_none_or(|ammo| {
            self.state
                .stock(slot, ammo)
                .is_some_and(|amount| amount > least)
        });
        if !enough || fields.target == NO_TYPE {
            return;
        }
        if let Some(new) = self.create(fields.target, sprite.x, sprite.y, false) {
            self.sprite_mut(new).flags |= flag::FROM_AVATAR;
            if let Some(ammo) = ammo.filter(|&ammo| self.state.stock(slot, ammo).is_some()) {
                self.state
                    .give(slot, ammo, fields.ammo_cost.saturating_neg());
            }
        }
    }

    ///
    fn trail(&mut self, slot: u16, direction: u16) {
        let (x, y) = self.state.vector(direction);
        let (own_x, own_y) = self.state.vector(self.sprite(slot).orientation);
        if direction != 0 && x * own_x + y * own_y == 0.0 {
            self.sprite_mut(slot).orientation = direction;
        }
        self.passive(slot);
        let sprite = *self.sprite(slot);
        if sprite.rect().intersects(sprite.last_rect()) {
            return;
        }
        let wrong = self.level.game.faithful && (self.scratch.forward || sprite.a != 0);
        let kind = if wrong {
            WALL
        } else {
            self.level.fields(sprite.kind).trail
        };
        self.create(kind, sprite.last_x, sprite.last_y, false);
    }
}
