//! What effects do. (section 16)

use crate::avatar::norm;
use crate::class::Class;
use crate::effect::{Effect, Operation as O};
use crate::kind::{NO_TYPE, TypeId};
use crate::level::trunc;
use crate::state::{NONE, Rect, Timer, flag};
use crate::tick::Run;
use crate::turns::DIRECTIONS;

/// Whether the score of an effect applies after it ran. (E-8)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Applies,
    Silent,
    /// The score of a killing blow applies instead.
    Killing,
}

impl From<bool> for Outcome {
    fn from(applies: bool) -> Self {
        if applies {
            Outcome::Applies
        } else {
            Outcome::Silent
        }
    }
}

/// Effects that need no sprite at all.
fn needs_none(operation: O) -> bool {
    matches!(
        operation,
        O::UndoAll
            | O::KillAll
            | O::TransformToAll
            | O::SetSpeedForAll
            | O::IncreaseSpeedToAll
            | O::DecreaseSpeedToAll
            | O::AddTimer
            | O::RemoveScore
            | O::SubtractHealthPoints
            | O::UpdateSpawnType
    )
}

/// Effects that need the second sprite.
fn needs_second(operation: O) -> bool {
    matches!(
        operation,
        O::BounceForward
            | O::PullWithIt
            | O::TeleportToExit
            | O::Align
            | O::AttractGaze
            | O::KillBoth
            | O::KillIfAlive
            | O::KillIfOtherHasMore
            | O::KillIfFromAbove
            | O::KillIfFrontal
            | O::KillIfNotFrontal
            | O::KillIfFast
            | O::KillIfSlow
            | O::SpawnBehind
            | O::SpawnAbove
            | O::SpawnBelow
            | O::SpawnLeft
            | O::SpawnRight
            | O::CollectResource
            | O::CollectResourceIfHeld
            | O::WallStop
    )
}

impl Run<'_> {
    /// Runs an effect. A missing sprite makes it do nothing.
    pub(crate) fn apply(&mut self, place: u16, first: u16, second: u16) -> Outcome {
        let level = self.level;
        let effect = &level.game.effects[usize::from(place)];
        let operation = effect.operation;
        if (first == NONE && !needs_none(operation)) || (second == NONE && needs_second(operation))
        {
            return Outcome::Applies;
        }
        match operation {
            O::StepBack => self.step_back(effect, first, second),
            O::UndoAll => self.undo_all(effect),
            O::BounceForward => self.bounce_forward(first, second),
            O::PullWithIt => self.pull_with_it(effect, place, first, second),
            O::TurnAround => self.turn_around(first),
            O::WrapAround => self.wrap_around(effect, first),
            O::TeleportToExit => self.teleport(first, second),
            O::Align => self.align(effect, first, second),
            O::AttractGaze => self.attract_gaze(effect, first, second),
            O::ReverseDirection => self.reverse(first),
            O::FlipDirection => {
                let direction = DIRECTIONS[self.random.below(4) as usize];
                self.sprite_mut(first).orientation = direction;
            }
            O::WallStop => self.wall_stop(first, second),
            O::KillSprite => self.kill(first, false),
            O::KillBoth => {
                self.kill(first, false);
                self.kill(second, false);
            }
            O::KillAll => self.kill_all(effect.stype),
            O::KillIfAlive => {
                if !self.sprite(second).is(flag::KILLED) {
                    self.kill(first, false);
                }
            }
            O::KillIfFast | O::KillIfSlow => self.kill_by_speed(effect, first, second),
            O::KillIfHasMore
            | O::KillIfHasLess
            | O::KillIfOtherHasMore
            | O::KillIfFromAbove
            | O::KillIfFrontal
            | O::KillIfNotFrontal => return self.kill_if(effect, first, second),
            O::TransformTo => self.transform_to(effect, first, second),
            O::TransformToAll => self.transform_to_all(effect, second),
            O::TransformIfCount => return self.transform_if_count(effect, first, second),
            O::TransformToRandomChild => self.transform_to_child(effect, first, second),
            O::TransformToSingleton => self.transform_to_singleton(effect, first, second),
            O::Spawn | O::SpawnIfHasMore | O::SpawnIfHasLess => {
                return self.spawn_at(effect, first);
            }
            O::SpawnBehind | O::SpawnAbove | O::SpawnBelow | O::SpawnLeft | O::SpawnRight => {
                self.spawn_beside(effect, second);
            }
            O::SpawnIfCounterSubTypes => return self.spawn_if_counter(effect, first),
            O::CloneSprite => {
                let sprite = *self.sprite(first);
                self.create(sprite.kind, sprite.x, sprite.y, false);
            }
            O::CollectResource => return self.collect(effect, place, first, second),
            O::CollectResourceIfHeld => return self.collect_if_held(effect, place, first, second),
            O::ChangeResource => return self.change_resource(effect, first, second),
            O::AddHealthPoints => return self.add_health(effect, first, second),
            O::AddHealthPointsToMax => self.add_health_to_max(effect, first, second),
            O::SubtractHealthPoints => return self.subtract_health(effect, first),
            O::RemoveScore => self.remove_score(effect, first, second),
            O::SetSpeedForAll | O::IncreaseSpeedToAll | O::DecreaseSpeedToAll => {
                self.change_speeds(effect);
            }
            O::HalfSpeed => {
                let speed = self.speed(self.sprite(first)) / 2.0;
                self.set_speed(first, speed);
            }
            // Gravity matters in continuous physics only.
            O::WaterPhysics => {}
            O::UpdateSpawnType => self.update_spawns(effect, second),
            O::ShieldFrom => {
                if let Some(operation) = effect.function {
                    self.shield(self.sprite(first).kind, effect.stype, operation);
                }
            }
            O::AddTimer => self.start_timer(effect),
        }
        Outcome::Applies
    }

    // Position.

    fn set_rect(&mut self, slot: u16, rect: Rect) {
        self.state.place(self.level, slot, rect);
    }

    fn step_back(&mut self, effect: &Effect, first: u16, second: u16) {
        let last = self.sprite(first).last_rect();
        let rect = if effect.pixel_perfect && second != NONE {
            self.against(first, second)
        } else {
            last
        };
        self.set_rect(first, rect);
    }

    /// Where a sprite stands that was stopped exactly at the edge of another.
    fn against(&self, first: u16, second: u16) -> Rect {
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

    fn undo_all(&mut self, effect: &Effect) {
        for place in 0..self.state.moved.len() {
            let slot = self.state.moved[place];
            let sprite = *self.sprite(slot);
            let ordered = self.level.kinds[usize::from(sprite.kind)].turn.is_some();
            if sprite.is(flag::MOVED) && ordered && !effect.excepted.contains(&sprite.kind) {
                self.set_rect(slot, sprite.last_rect());
            }
        }
    }

    fn bounce_forward(&mut self, first: u16, second: u16) {
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

    fn pull_with_it(&mut self, effect: &Effect, place: u16, first: u16, second: u16) {
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

    fn turn_around(&mut self, first: u16) {
        let sprite = *self.sprite(first);
        self.set_rect(first, sprite.last_rect());
        let cooldown = self.level.kinds[usize::from(sprite.kind)].cooldown;
        for _ in 0..2 {
            self.set_last_move(first, cooldown);
            self.walk(first, 3);
        }
        self.reverse(first);
    }

    fn reverse(&mut self, slot: u16) {
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

    fn wrap_around(&mut self, effect: &Effect, first: u16) {
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

    fn teleport(&mut self, first: u16, second: u16) {
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
    fn exit_type(&self, slot: u16) -> TypeId {
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

    fn align(&mut self, effect: &Effect, first: u16, second: u16) {
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

    fn attract_gaze(&mut self, effect: &Effect, first: u16, second: u16) {
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

    fn wall_stop(&mut self, first: u16, second: u16) {
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

    // Killing.

    fn kill_all(&mut self, kind: TypeId) {
        for place in 0..self.state.group_len(kind) {
            let slot = self.state.member(kind, place);
            self.kill(slot, false);
        }
    }

    fn amount(&self, slot: u16, resource: TypeId) -> i32 {
        self.state.stock(slot, resource).unwrap_or(0)
    }

    fn kill_if(&mut self, effect: &Effect, first: u16, second: u16) -> Outcome {
        let (sprite, resource, limit) = (*self.sprite(first), effect.resource, effect.limit);
        let kills = match effect.operation {
            O::KillIfHasMore => self.amount(first, resource) >= limit,
            O::KillIfHasLess => self.amount(first, resource) <= limit,
            O::KillIfOtherHasMore => {
                let enough = self.amount(second, resource) >= limit;
                if enough && effect.subtract {
                    self.state.give(second, resource, limit.saturating_neg());
                }
                enough
            }
            O::KillIfFromAbove => {
                let other = self.sprite(second);
                let half = i32::from(other.h).div_euclid(2);
                sprite.last_y > other.last_y + half && other.y > other.last_y
            }
            _ => {
                let (x, y) = self.last_direction(first);
                let own = norm(f64::from(x), f64::from(y));
                let (x, y) = self.last_direction(second);
                let other = norm(f64::from(x), f64::from(y));
                let opposite = own.0 + other.0 == 0.0 && own.1 + other.1 == 0.0;
                let frontal = effect.operation == O::KillIfFrontal;
                own == (0.0, 0.0) || opposite == frontal
            }
        };
        if kills {
            self.kill(first, false);
        }
        kills.into()
    }

    fn kill_by_speed(&mut self, effect: &Effect, first: u16, second: u16) {
        let (sprite, other) = (*self.sprite(first), *self.sprite(second));
        let relative = if self.level.fields(sprite.kind).is_static {
            self.speed(&other)
        } else if self.level.fields(other.kind).is_static {
            self.speed(&sprite)
        } else {
            let (x, y) = self.state.vector(sprite.orientation);
            let (other_x, other_y) = self.state.vector(other.orientation);
            ((x - other_x).powi(2) + (y - other_y).powi(2)).sqrt()
        };
        let kills = if effect.operation == O::KillIfFast {
            relative > effect.limit_speed
        } else {
            relative < effect.limit_speed
        };
        if kills {
            self.kill(first, false);
        }
    }

    // Transforming.

    /// Hands over what a transformed sprite keeps. (EF-transformTo)
    fn transfer(&mut self, old: u16, new: u16, effect: &Effect, second: u16) {
        let from = *self.sprite(old);
        let to = *self.sprite(new);
        let both = to.is(flag::ORIENTED) && from.is(flag::ORIENTED);
        if effect.force_orientation || (both && to.orientation == 0) {
            self.sprite_mut(new).orientation = from.orientation;
        }
        self.hand_over(old, new);
        self.sprite_mut(new).health = from.health;
        self.retire(old, new);
        if effect.kill_second && second != NONE {
            self.kill(second, true);
        }
    }

    /// The last rectangle and the stocks.
    fn hand_over(&mut self, old: u16, new: u16) {
        let from = *self.sprite(old);
        let to = self.sprite_mut(new);
        (to.last_x, to.last_y, to.last_w, to.last_h) =
            (from.last_x, from.last_y, from.last_w, from.last_h);
        self.state.note_moved(self.level, new);
        if !self.state.extras.stocks.is_empty() {
            for place in 0..self.state.extras.stocks.len() {
                let stock = self.state.extras.stocks[place];
                if stock.slot == old {
                    self.scratch.list.push(stock.resource);
                }
            }
            while let Some(resource) = self.scratch.list.pop() {
                let amount = self.amount(old, resource);
                self.state.give(new, resource, amount);
            }
        }
    }

    /// Kills the old sprite; an avatar makes place for the new one, or dies.
    fn retire(&mut self, old: u16, new: u16) {
        let avatar = |slot: u16| self.level.kinds[usize::from(self.sprite(slot).kind)].is_avatar;
        if avatar(old) && !avatar(new) {
            return self.disable(old);
        }
        if avatar(old) && old == self.state.head.avatar {
            self.state.head.avatar = new;
        }
        self.kill(old, true);
    }

    fn transform_to(&mut self, effect: &Effect, first: u16, second: u16) {
        let sprite = *self.sprite(first);
        if sprite.is(flag::DISABLED) {
            return;
        }
        if let Some(new) = self.create(effect.stype, sprite.x, sprite.y, false) {
            self.transfer(first, new, effect, second);
        }
    }

    fn transform_to_all(&mut self, effect: &Effect, second: u16) {
        if effect.stype == effect.other {
            return self.fail(crate::state::Fault::Work);
        }
        for place in 0..self.state.group_len(effect.stype) {
            let slot = self.state.member(effect.stype, place);
            let sprite = *self.sprite(slot);
            if let Some(new) = self.create(effect.other, sprite.x, sprite.y, true) {
                self.transfer(slot, new, effect, second);
            }
        }
    }

    fn transform_if_count(&mut self, effect: &Effect, first: u16, second: u16) -> Outcome {
        let count = self.total(effect.counted);
        let within = (effect.geq..=effect.leq).contains(&count);
        let kind = if within { effect.stype } else { effect.other };
        let sprite = *self.sprite(first);
        if let Some(new) = self.create(kind, sprite.x, sprite.y, true) {
            self.transfer(first, new, effect, second);
        }
        within.into()
    }

    fn transform_to_child(&mut self, effect: &Effect, first: u16, second: u16) {
        let all = self.subtypes(effect.stype);
        let others = || all.iter().copied().filter(|&kind| kind != effect.stype);
        let count = others().count();
        if count == 0 {
            return;
        }
        let drawn = self.random.below(count as i32) as usize;
        let kind = others().nth(drawn).unwrap_or(NO_TYPE);
        let sprite = *self.sprite(first);
        if let Some(new) = self.create(kind, sprite.x, sprite.y, false) {
            self.transfer(first, new, effect, second);
        }
    }

    fn transform_to_singleton(&mut self, effect: &Effect, first: u16, second: u16) {
        for place in 0..self.state.group_len(effect.stype) {
            let slot = self.state.member(effect.stype, place);
            let sprite = *self.sprite(slot);
            if let Some(new) = self.create(effect.other, sprite.x, sprite.y, false) {
                self.set_fields(slot, new);
            }
        }
        let sprite = *self.sprite(first);
        let Some(new) = self.create(effect.stype, sprite.x, sprite.y, false) else {
            return;
        };
        self.set_fields(first, new);
        if effect.take_orientation && second != NONE {
            let orientation = self.sprite(second).orientation;
            let sprite = self.sprite_mut(new);
            sprite.flags |= flag::ORIENTED;
            sprite.orientation = orientation;
            self.reverse(new);
        }
    }

    fn set_fields(&mut self, old: u16, new: u16) {
        let from = *self.sprite(old);
        if from.is(flag::ORIENTED) && self.sprite(new).is(flag::ORIENTED) {
            self.sprite_mut(new).orientation = from.orientation;
        }
        self.hand_over(old, new);
        self.retire(old, new);
    }

    // Creating.

    fn spawn_at(&mut self, effect: &Effect, first: u16) -> Outcome {
        let plain = effect.operation == O::Spawn;
        if self.random.double() >= effect.probability {
            return plain.into();
        }
        let amount = self.amount(first, effect.resource);
        let wanted = match effect.operation {
            O::Spawn => true,
            O::SpawnIfHasMore => amount >= effect.limit,
            _ => amount <= effect.limit,
        };
        if wanted {
            let sprite = *self.sprite(first);
            self.create(effect.stype, sprite.x, sprite.y, false);
            if effect.operation == O::SpawnIfHasMore {
                self.state
                    .give(first, effect.resource, effect.spend.saturating_neg());
            }
        }
        wanted.into()
    }

    /// Where a sprite stood, unless it still overlaps with that. (M-7)
    fn last_position(&self, slot: u16) -> Option<(i32, i32)> {
        let sprite = self.sprite(slot);
        let away = !sprite.rect().intersects(sprite.last_rect());
        away.then_some((sprite.last_x, sprite.last_y))
    }

    fn spawn_beside(&mut self, effect: &Effect, second: u16) {
        if self.random.double() >= effect.probability {
            return;
        }
        let behind = effect.operation == O::SpawnBehind;
        let place = if behind || effect.step_back {
            self.last_position(second)
        } else {
            Some((self.sprite(second).x, self.sprite(second).y))
        };
        let Some((x, y)) = place else {
            return;
        };
        let block = self.level.block;
        let (right, down) = match effect.operation {
            O::SpawnAbove => (0, -block),
            O::SpawnBelow => (0, block),
            O::SpawnLeft => (-block, 0),
            O::SpawnRight => (block, 0),
            _ => (0, 0),
        };
        self.create(effect.stype, x + right, y + down, false);
    }

    fn spawn_if_counter(&mut self, effect: &Effect, first: u16) -> Outcome {
        if effect.counted == NO_TYPE {
            return Outcome::Silent;
        }
        let applies = self.total(effect.counted) == effect.limit
            && self.live_kinds(effect.counted).div_euclid(2) == effect.sub_types;
        let kind = if applies { effect.stype } else { effect.other };
        let sprite = *self.sprite(first);
        self.create(kind, sprite.x, sprite.y, false);
        applies.into()
    }

    // Resources, health, score, speed.

    /// How much of a resource a sprite can have.
    fn limit(&self, resource: TypeId) -> i32 {
        let plain = self
            .level
            .kinds
            .get(usize::from(resource))
            .and_then(|kind| kind.class)
            == Some(Class::Resource);
        if plain {
            self.level.fields(resource).limit
        } else {
            0
        }
    }

    /// The score of an effect whose memory says whether it applies.
    fn remembered_score(&self, place: u16) -> Outcome {
        (!self.state.extras.silent.contains(&place)).into()
    }

    fn remember_score(&mut self, place: u16, applies: bool) -> Outcome {
        let silent = &mut self.state.extras.silent;
        match (silent.iter().position(|&other| other == place), applies) {
            (Some(at), true) => {
                silent.swap_remove(at);
            }
            (None, false) => {
                silent.push(place);
                self.state.head.has_extras = true;
            }
            _ => {}
        }
        applies.into()
    }

    fn collect(&mut self, effect: &Effect, place: u16, first: u16, second: u16) -> Outcome {
        let sprite = *self.sprite(first);
        if !self.level.kinds[usize::from(sprite.kind)].is_resource {
            return self.remembered_score(place);
        }
        let fields = self.level.fields(sprite.kind);
        let (resource, value) = (fields.resource, fields.value);
        let (held, limit) = (self.amount(second, resource), self.limit(resource));
        let applies = held < limit;
        if applies {
            self.state.give(second, resource, value.min(limit - held));
            if effect.kill_resource {
                self.kill(first, true);
            }
        }
        self.remember_score(place, applies)
    }

    fn collect_if_held(&mut self, effect: &Effect, place: u16, first: u16, second: u16) -> Outcome {
        let sprite = *self.sprite(first);
        if !self.level.kinds[usize::from(sprite.kind)].is_resource {
            return self.remembered_score(place);
        }
        if self.amount(second, effect.resource) < effect.value {
            return self.remember_score(place, false);
        }
        let fields = self.level.fields(sprite.kind);
        let (resource, value) = (fields.resource, fields.value);
        let applies = self.amount(second, resource).saturating_add(value) <= self.limit(resource);
        if applies {
            self.state.give(second, resource, value);
        }
        if effect.kill_resource {
            self.kill(first, false);
        }
        self.remember_score(place, applies)
    }

    fn change_resource(&mut self, effect: &Effect, first: u16, second: u16) -> Outcome {
        let held = self.amount(first, effect.resource);
        let applies = held.saturating_add(effect.value) <= self.limit(effect.resource);
        if applies {
            self.state.give(first, effect.resource, effect.value);
            if effect.kill_resource && second != NONE {
                self.kill(second, true);
            }
        }
        applies.into()
    }

    fn add_health(&mut self, effect: &Effect, first: u16, second: u16) -> Outcome {
        let sprite = *self.sprite(first);
        let health = sprite.health.saturating_add(effect.value);
        let applies = health < self.level.fields(sprite.kind).limit_health;
        if applies {
            let sprite = self.sprite_mut(first);
            sprite.health = health;
            sprite.max_health = sprite.max_health.max(health);
            if effect.kill_second && second != NONE {
                self.kill(second, false);
            }
        }
        applies.into()
    }

    fn add_health_to_max(&mut self, effect: &Effect, first: u16, second: u16) {
        let limit = self.level.fields(self.sprite(first).kind).limit_health;
        let sprite = self.sprite_mut(first);
        sprite.health = sprite.health.saturating_add(effect.value).min(limit);
        sprite.max_health = sprite.max_health.max(sprite.health);
        if effect.kill_second && second != NONE {
            self.kill(second, false);
        }
    }

    fn subtract_health(&mut self, effect: &Effect, first: u16) -> Outcome {
        let mut target = first;
        if effect.stype != NO_TYPE {
            for &kind in self.subtypes(effect.stype) {
                if self.state.group_len(kind) > 0 {
                    target = self.state.member(kind, 0);
                }
            }
        }
        if target == NONE {
            return Outcome::Applies;
        }
        let sprite = self.sprite_mut(target);
        sprite.health = sprite.health.saturating_sub(effect.value);
        if sprite.health > effect.limit {
            return Outcome::Applies;
        }
        self.kill(target, false);
        Outcome::Killing
    }

    fn remove_score(&mut self, effect: &Effect, first: u16, second: u16) {
        let avatar = |slot: u16| self.level.kinds[usize::from(self.sprite(slot).kind)].is_avatar;
        let named = effect.stype != NO_TYPE
            && self
                .state
                .group(effect.stype)
                .iter()
                .any(|&slot| avatar(slot));
        if named || (first != NONE && avatar(first)) {
            self.state.head.score = 0;
        }
        if effect.kill_second && second != NONE {
            self.kill(second, true);
        }
    }

    fn set_speed(&mut self, slot: u16, speed: f64) {
        let own = self.level.kinds[usize::from(self.sprite(slot).kind)].speed;
        let code = if speed.to_bits() == own.to_bits() {
            0
        } else {
            self.state.speed_code(speed)
        };
        self.sprite_mut(slot).speed = code;
    }

    fn change_speeds(&mut self, effect: &Effect) {
        for &kind in self.subtypes(effect.stype) {
            for place in 0..self.state.group_len(kind) {
                let slot = self.state.member(kind, place);
                let speed = self.speed(self.sprite(slot));
                let speed = match effect.operation {
                    O::SetSpeedForAll => effect.amount,
                    O::IncreaseSpeedToAll => speed + effect.amount,
                    _ => (speed - effect.amount).max(0.0),
                };
                self.set_speed(slot, speed);
            }
        }
    }

    fn update_spawns(&mut self, effect: &Effect, second: u16) {
        let from = if second == NONE {
            NO_TYPE
        } else {
            self.sprite(second).kind
        };
        for &kind in self.subtypes(effect.other) {
            let class = self.level.kinds[usize::from(kind)].class;
            if !class.is_some_and(Class::is_spawner) {
                continue;
            }
            let listed = class == Some(Class::BomberRandomMissile);
            for place in 0..self.state.group_len(kind) {
                let slot = self.state.member(kind, place);
                let spawns = &mut self.state.extras.spawns;
                spawns.retain(|spawn| spawn.0 != slot || (listed && spawn.1 != from));
                spawns.push((slot, from, effect.stype));
                self.state.head.has_extras = true;
            }
        }
    }

    fn start_timer(&mut self, effect: &Effect) {
        let Some(timed) = effect.timed else {
            return;
        };
        let timer = Timer {
            due: self.tick.saturating_add(effect.timer),
            effect: timed,
            wait: effect.timer,
            repeating: effect.repeating,
            kind: NO_TYPE,
        };
        self.add_timer(timer);
    }
}
